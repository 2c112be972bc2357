"""The text of a vendor's file at a commit, and why there may be none; lines are counted by LF only.

`str.splitlines` is not used anywhere: it also splits at form feeds, NEL, U+2028 and a lone CR, which git,
GitHub and tree-sitter do not, so every later line number would be off.
"""

from __future__ import annotations

import enum
import hashlib
import itertools
import operator
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Protocol

from claimcheck.model import LINE_HASH, Lines
from claimcheck.values import frozen

# What people and their editors write for the hyphen of a range.
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d~\uff5e\u301c"


def split_lines(text: str) -> list[str]:
    """The lines of a text without their LF; a final LF ends the last line and starts no further one."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def line_starts(lines: Iterable[str]) -> list[int]:
    """Where each line begins in the text of all lines, each with an LF, and where that text ends."""
    ends = itertools.accumulate(map(len, lines))
    return [0, *map(operator.add, ends, itertools.count(1))]


def place_in(content: bytes, offset: int) -> tuple[int, int]:
    """The line and the column of a byte, both from 1; what is no UTF-8 before it counts as characters."""
    before = content[:offset]
    return before.count(b"\n") + 1, len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1


def line_digest(text: str) -> str:
    """The sha256 of a text with CRLF taken as LF, with its algorithm in front."""
    return "sha256:" + hashlib.sha256(text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()


CONTEXT_LINES = 5  # on each side of a region, of which the lock keeps fingerprints
STRINGS_KEPT = 4  # the same ones are asked for again and again where many anchors are in one file


def fingerprint(line: str) -> str:
    """32 bits of a line without its white space."""
    return hashlib.sha256("".join(line.split()).encode("utf-8", "surrogatepass")).hexdigest()[:LINE_HASH]


@frozen(slots=False)
class SourceText:
    """A file's text without its byte order mark; `note` says how it was decoded when that was not UTF-8.

    `blob` is git's id of the content, which is also its Software Heritage content id.
    """

    text: str
    blob: str
    note: str | None = None

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their line end: LF, and one CR before it."""
        lines = split_lines(self.text)
        return tuple(line.removesuffix("\r") for line in lines) if "\r" in self.text else tuple(lines)

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def whole(self) -> Lines:
        """The range of the whole file; of an empty one `1-0`."""
        return Lines(1, len(self.lines))

    def cut(self, lines: Lines) -> str:
        """The text of a range, joined by LF without a final one; raises IndexError beyond the file."""
        if lines.first < 1 or lines.last > len(self.lines):
            raise IndexError(f"lines {lines} of a file of {len(self.lines)}")
        return "\n".join(self.lines[lines.first - 1 : lines.last])

    def hits(self, string: str, within: Lines | None = None) -> list[int]:
        """The numbers of the lines that hold a literal string."""
        if within is not None and within != self.whole:
            lines = self.lines[within.first - 1 : within.last]
            return [n for n, line in enumerate(lines, within.first) if string in line]
        if "\n" in string:
            return []
        if not string or "\r" in string:
            return [n for n, line in enumerate(self.lines, 1) if string in line]
        return list(self._numbers(string))

    @cached_property
    def _numbers(self) -> Callable[[str], tuple[int, ...]]:
        starts = line_starts(split_lines(self.text))
        return lru_cache(maxsize=STRINGS_KEPT)(lambda string: tuple(_line_numbers(self.text, starts, string)))


def _line_numbers(text: str, starts: Sequence[int], string: str) -> Iterator[int]:
    """The numbers of the lines with a string, without a look at the others: many anchors can cite one large file."""
    at = text.find(string)
    while at >= 0:
        number = bisect_right(starts, at)
        yield number
        at = text.find(string, starts[number])


class Why(enum.Enum):
    """Why there is no text."""

    PATH_MISSING = "path-missing"
    DIRECTORY = "directory"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"
    BINARY = "binary"
    LFS_POINTER = "lfs-pointer"
    TOO_LARGE = "too-large"
    COMMIT_MISSING = "commit-missing"
    OBJECT_MISSING = "object-missing"
    OBJECT_DAMAGED = "object-damaged"
    REPOSITORY = "repository"


ENVIRONMENT = frozenset(
    {
        Why.LFS_POINTER,
        Why.TOO_LARGE,
        Why.COMMIT_MISSING,
        Why.OBJECT_MISSING,
        Why.OBJECT_DAMAGED,
        Why.REPOSITORY,
    }
)


@frozen
class NoSource:
    """No text can be read, with the reason in a sentence and, where there is one, the command that repairs it."""

    why: Why
    message: str
    help: str | None = None

    @property
    def environment(self) -> bool:
        """Whether nothing was learned about the file, rather than something that is wrong with the citation."""
        return self.why in ENVIRONMENT


class Tree(Protocol):
    """A commit's files, read lazily; in tests a dictionary stands behind it."""

    def text(self, path: str) -> SourceText | None:
        """The text of a file, or None if there is no readable text of that name."""
        ...

    def blob_id(self, path: str) -> str | None:
        """The id of a file's content, without reading it."""
        ...

    def renames(self) -> Mapping[str, str]:
        """Old path to new path, as far as git says so between the two commits; a hint."""
        ...

    def follow(self, path: str) -> str | None:
        """The name that a path of the old commit has here, through the commits between the two; a hint."""
        ...

    def touched(self) -> Mapping[str, str]:
        """The paths that differ between the two commits and exist in this one, with the ids of their content; a hint."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """What the hints that were asked for so far may lack, a sentence each."""
        ...
