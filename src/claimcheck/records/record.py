"""What a research record says, as values: vendors, anchors, lessons with their claims, links."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from claimcheck.finding import Finding
from claimcheck.model import Anchor, Claim, Place
from claimcheck.permalinks import NoPermalink, Permalink
from claimcheck.values import frozen


@frozen
class RecordVendor:
    """A repository as the record names it; `commit` is None where the record gives none or two."""

    name: str
    commit: str | None
    url: str | None
    prefixes: tuple[str, ...]
    place: Place

    @property
    def repository(self) -> str | None:
        """What people call it: `OWNER/NAME`."""
        return self.url.partition("://")[2].partition("/")[2] if self.url else None


@frozen
class Lesson:
    """A section of knowledge points."""

    id: str
    title: str
    claims: tuple[Claim, ...]


class Shows(enum.Enum):
    """What an anchor's reference link shows of what the table has."""

    EXACTLY = "exactly"
    SPAN = "span"
    MORE = "more"
    LESS = "less"
    ELSEWHERE = "elsewhere"
    UNKNOWN = "unknown"


@frozen
class Link:
    """The definition of a reference link whose label is an anchor's ID."""

    id: str
    target: Permalink | NoPermalink
    place: Place


@frozen
class Uncited:
    """Anchors that no knowledge point cites, and what cites them instead."""

    ids: tuple[str, ...]
    by: str


@frozen
class Record:
    """A research record. `left_out` has the IDs of rows that could not be taken."""

    path: str
    lines: int
    tables: int = 0
    vendors: tuple[RecordVendor, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    links: tuple[Link, ...] = ()
    shows: tuple[Shows, ...] = ()
    uncited: tuple[Uncited, ...] = ()
    left_out: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    refused: bool = False

    @property
    def claims(self) -> Iterator[Claim]:
        for lesson in self.lessons:
            yield from lesson.claims

    @property
    def empty(self) -> bool:
        """Whether nothing of a record was found, not even something that could not be understood."""
        return not (self.tables or self.anchors or self.lessons or self.links or self.findings)
