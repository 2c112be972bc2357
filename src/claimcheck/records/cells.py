"""What a cell of an anchor table says: an ID, a path, ranges of lines, search strings.

Each reader gives the value or raises Misread with the offset in the cell, a sentence and, where there is one, what
to write instead.
"""

from __future__ import annotations

import html
import posixpath
import re
import unicodedata

from claimcheck.model import MAX_LINE, Lines
from claimcheck.records.markdown import MAX_ID, code_spans
from claimcheck.registry import fits
from claimcheck.terminal import shown
from claimcheck.texts import DASHES

MIN_STRING = 3
MAX_STRING = 1_000
MAX_PATH = 4_096
MAX_ITEMS = 1_000

_DITTO = frozenset(
    {"同上", "同前", "同上行", "〃", '"', "''", "″", "”", "same", "same as above", "as above", "ditto", "idem"}
)
_UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp", "Co", "Cs", "Cn"})
_NOTHING = frozenset({"", "-", "–", "—"})
_WHOLE = frozenset({"all", "whole", "whole file", "all lines", "全文", "全部", "整个文件"})

_BETWEEN_RANGES = re.compile(r"[;；,，、&]|<br\s*/?>|\band\b|[和及与]", re.IGNORECASE)
_RANGE = re.compile(
    rf"(?:第\s*)?(?:#?L|lines?\b|行)?\s*([0-9]+)\s*(?:(?:[{DASHES}]|\.\.|to\b|[至到])\s*L?\s*([0-9]+)\s*)?行?",
    re.IGNORECASE,
)
_BETWEEN_STRINGS = re.compile(r"\s*(?:[/;；,，、]|<br\s*/?>|\b(?:and|or)\b|[和或])?\s*", re.IGNORECASE)
_BETWEEN_PLAIN_STRINGS = re.compile(r"\s+/\s+|\s*<br\s*/?>\s*", re.IGNORECASE)
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_WITH_LINES = re.compile(r"(?:#L|:L?)[0-9]+\S*\Z")


class Misread(Exception):
    """A cell that says nothing that can be taken; `offset` counts code points from the cell's start."""

    def __init__(self, offset: int, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.help = help


def is_ditto(cell: str) -> bool:
    """Whether a cell means what the cell above it says."""
    return cell.strip(" `*_.。()（）").casefold() in _DITTO


def says_nothing(cell: str) -> bool:
    """Whether a cell is empty or holds a dash."""
    return cell in _NOTHING


def read_id(cell: str) -> str:
    """The ID of an anchor, in a code span, bold or brackets or bare."""
    link = _LINK.fullmatch(cell)
    id = (link[1] if link else cell).strip("`*_[] \t")
    if fits("example-id", id):
        raise Misread(0, f"{id} is the ID of a worked example, not of an anchor")
    if len(id) > MAX_ID:
        raise Misread(0, f"{quoted(id)} is longer than {MAX_ID} characters")
    if fits("anchor-id", id):
        return id
    if not id:
        raise Misread(0, "the row has no ID")
    likely = re.sub(rf"[{DASHES}_ ]+", "-", unicodedata.normalize("NFKC", id)).upper()
    raise Misread(
        0, f"{quoted(id)} is not an ID such as V-POOL", f"| {likely} |" if fits("anchor-id", likely) else None
    )


def read_path(cell: str) -> str:
    """The path of one file as it is written, with `vendor/NAME/` if that is in front."""
    link = _LINK.fullmatch(cell)
    if link:
        cell = link[1].strip()
    spans = code_spans(cell)
    if len(spans) > 1:
        raise Misread(spans[1].start, "two files in one cell; an anchor has one", "a row for each file")
    if spans and cell != cell[spans[0].start : spans[0].end]:
        raise Misread(0, f"{quoted(cell)} has more than a path in it", f"`{spans[0].code}`")
    path = _unpiped(spans[0].code) if spans else _plain(cell)
    if not path:
        raise Misread(0, "the row has no file")
    if not spans and "`" in path:
        raise Misread(path.index("`"), "a backtick has no partner in this cell")
    if suffix := _WITH_LINES.search(path):
        raise Misread(0, f"{quoted(path)} has lines in it; they stand in their own column", path[: suffix.start()])
    if len(path) > MAX_PATH:
        raise Misread(0, f"the path is longer than {MAX_PATH:,} characters")
    if any(unicodedata.category(character) in _UNSEEN for character in path):
        raise Misread(0, "the path has a character in it that is not seen")
    likely = posixpath.normpath(path.strip().replace("\\", "/"))
    if ".." in likely.split("/") or likely.startswith(("/", "~")) or re.match(r"[A-Za-z]:", likely) or likely == ".":
        raise Misread(0, f"{quoted(path)} is not a path inside a repository")
    if path.endswith(("/", "\\")):
        raise Misread(0, f"{quoted(path)} is a folder; an anchor cites a file")
    if likely != path:
        raise Misread(0, f"{quoted(path)} is not written as git writes it", likely)
    return path


def read_lines(cell: str) -> tuple[Lines, ...]:
    """Ranges of lines, ascending; none for a cell that says `all`."""
    if cell.strip(" `*").casefold() in _WHOLE:
        return ()
    if says_nothing(cell):
        raise Misread(0, "the row has no lines", "`all` for the whole file")
    ranges: list[Lines] = []
    start = 0
    for separator in (*_BETWEEN_RANGES.finditer(cell), None):
        end = separator.start() if separator else len(cell)
        piece = cell[start:end].strip(" \t`*")
        if piece or separator is not None or not ranges:
            ranges.append(_range(piece, cell.find(piece, start), ranges))
        start = separator.end() if separator else end
    if len(ranges) > MAX_ITEMS:
        raise Misread(0, f"more than {MAX_ITEMS:,} ranges")
    return tuple(ranges)


def _range(piece: str, offset: int, before: list[Lines]) -> Lines:
    match = _RANGE.fullmatch(piece)
    if not match:
        digits = unicodedata.normalize("NFKC", piece)
        raise Misread(
            offset,
            f"{quoted(piece)} is not a range of lines",
            digits if digits != piece and _RANGE.fullmatch(digits) else "10-20; 30-40",
        )
    first, last = (_number(text, piece, offset) for text in (match[1], match[2] or match[1]))
    if last < first:
        raise Misread(offset, f"{quoted(piece)} ends before it begins", f"{last}-{first}")
    lines = Lines(first, last)
    if before and lines.overlaps(before[-1]):
        raise Misread(offset, f"{lines} overlaps {before[-1]}")
    if before and first < before[-1].last:
        raise Misread(offset, f"{lines} stands after {before[-1]}; ranges ascend")
    return lines


def _number(digits: str, piece: str, offset: int) -> int:
    if digits.startswith("0"):
        raise Misread(offset, f"{quoted(piece)} has a number that starts with 0; lines count from 1")
    if len(digits) > len(str(MAX_LINE)) or int(digits) > MAX_LINE:
        raise Misread(offset, f"{quoted(piece)} is beyond line {MAX_LINE}")
    return int(digits)


def read_strings(cell: str) -> tuple[str, ...]:
    """The literal search strings, each once: code spans, or without any the pieces between ` / `."""
    if says_nothing(cell):
        return ()
    spans = code_spans(cell)
    if not spans:
        return _plain_strings(cell)
    done = 0
    for index, span in enumerate(spans):
        _check_gap(cell, done, span.start, first=index == 0)
        done = span.end
    _check_gap(cell, done, len(cell), first=True)
    return _each_once([(_unpadded(_unpiped(span.code)), span.start) for span in spans])


def _check_gap(cell: str, start: int, end: int, *, first: bool) -> None:
    gap = cell[start:end]
    if "`" in gap:
        raise Misread(
            start + gap.index("`"),
            "a backtick has no partner in this cell",
            "`` a string with a ` in it `` stands in double backticks, a pipe is written \\|",
        )
    if gap.strip(" .。") if first else not _BETWEEN_STRINGS.fullmatch(gap):
        raise Misread(start + len(gap) - len(gap.lstrip()), f"{quoted(gap.strip())} stands outside the code spans")


def _plain_strings(cell: str) -> tuple[str, ...]:
    if "`" in cell and not re.search(r"\\`", cell):
        _check_gap(cell, 0, len(cell), first=True)
    pieces: list[tuple[str, int]] = []
    start = 0
    for separator in (*_BETWEEN_PLAIN_STRINGS.finditer(cell), None):
        end = separator.start() if separator else len(cell)
        pieces.append((_plain(cell[start:end]), start))
        start = separator.end() if separator else end
    return _each_once(pieces)


def _each_once(pieces: list[tuple[str, int]]) -> tuple[str, ...]:
    for string, offset in pieces:
        if len("".join(string.split())) < MIN_STRING:
            raise Misread(
                offset, f"the search string {quoted(string)} is too short; it has at least {MIN_STRING} characters"
            )
        if len(string) > MAX_STRING:
            raise Misread(offset, f"a search string is longer than {MAX_STRING:,} characters")
        if any(unicodedata.category(character) == "Cc" for character in string):
            raise Misread(offset, "a search string has a control character in it")
    if len(pieces) > MAX_ITEMS:
        raise Misread(pieces[MAX_ITEMS][1], f"more than {MAX_ITEMS:,} search strings")
    return tuple(dict.fromkeys(string for string, _ in pieces))


def _unpadded(code: str) -> str:
    """Code without the one blank that keeps a backtick at its end apart from the span's own.

    Markdown takes such a blank away only if there is one on both sides; who writes it on one side means the same.
    """
    code = code.removeprefix(" ") if code.startswith(" `") else code
    return code.removesuffix(" ") if code.endswith("` ") else code


def _unpiped(code: str) -> str:
    return code.replace("\\|", "|")


def _plain(text: str) -> str:
    """Text outside code as Markdown shows it: escapes and character references resolved."""
    return _ESCAPE.sub(lambda match: match[1] or html.unescape(match[0]), text.strip())


def quoted(text: str) -> str:
    """A text in backticks, or its start."""
    return f"`{shown(text)}`"
