"""Where a claim's checks look: the files of a revision, and where in them the cited regions are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Protocol

from claimcheck.model import Lines
from claimcheck.texts import NoSource, SourceText, Why
from claimcheck.values import frozen


class Files(Protocol):
    """The files of one vendor at one revision."""

    def read(self, path: str, /) -> SourceText | NoSource:
        """The text of a file, or why there is none."""
        ...

    def blobs(self) -> Mapping[str, str] | NoSource:
        """Every path of the revision, with the id of its content."""
        ...


@frozen(slots=False)
class Texts:
    """Files that are given, path by path."""

    texts: Mapping[str, SourceText]

    def read(self, path: str, /) -> SourceText | NoSource:
        return self.texts.get(path) or NoSource(Why.PATH_MISSING, f"has no {path}")

    def blobs(self) -> Mapping[str, str]:
        return {path: text.blob for path, text in self.texts.items()}


@frozen(slots=False)
class Overlay:
    """The same files, some of them with another text, as a changed copy in memory."""

    files: Files
    texts: Mapping[str, SourceText] = field(default_factory=dict)

    def read(self, path: str, /) -> SourceText | NoSource:
        return self.texts.get(path) or self.files.read(path)

    def blobs(self) -> Mapping[str, str] | NoSource:
        below = self.files.blobs()
        if isinstance(below, NoSource):
            return below
        return {**below, **{path: text.blob for path, text in self.texts.items()}}


@frozen
class Cited:
    """An anchor that a claim cites, as it was seen in this run.

    `revision` is what people read, `vllm 0.33.0`. `problem` says why it has no place; then `regions` is empty, and
    `files` is None if nothing of the revision can be read. `stand_in` is true where a release stands in for the pin,
    so that a file that is not there proves nothing.
    """

    id: str
    vendor: str
    revision: str
    path: str
    regions: tuple[Lines, ...]
    files: Files | None
    problem: str | None = None
    stand_in: bool = False


@frozen
class Context:
    """What the checks of one claim look at: the anchors that it cites, in the order in which it cites them."""

    anchors: Mapping[str, Cited]
