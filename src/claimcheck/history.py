"""Where anchors stood, and whether claims held, at a series of revisions of one vendor.

Logic on the registry and the sources: every revision is looked at as `verify --at` looks at it, starting from the pin.
Where the pin is not here, the release that stands in is where the anchors start from, and the history says so.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from claimcheck.corpus import Corpus, build
from claimcheck.errors import UsageError
from claimcheck.model import Anchor, Citing, Claim, Lines, Pin, Region, Registry, Revision, Vendor
from claimcheck.outcome import Ambiguous, Deleted, Located, Outcome, spot_of
from claimcheck.sighting import Sighting
from claimcheck.sources import Sources
from claimcheck.texts import NoSource, SourceText, line_digest


class Word(enum.Enum):
    """What is said of a region at a revision where it has no place."""

    GONE = "gone"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Cell:
    """A region at a revision: where it stands and the digest of its text, or the word for what is said instead."""

    path: str | None = None
    lines: Lines | None = None
    digest: str | None = None
    word: Word | None = None


class Holds(enum.Enum):
    """What a claim's checks say of it at a revision."""

    HOLDS = "holds"
    CAVEATS = "caveats"
    FAILS = "fails"
    UNKNOWN = "not known"
    UNTESTED = "untested"


@dataclass(frozen=True, slots=True)
class Answer:
    """A claim at a revision: what is said of it, and a sentence for each check that has something to tell."""

    holds: Holds
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """Everything that was asked about at one revision: the regions of each anchor, and each claim's answer."""

    revision: Revision
    anchors: Mapping[str, tuple[Cell, ...]]
    claims: Mapping[str, Answer]


@dataclass(frozen=True, slots=True)
class History:
    """One vendor's anchors and claims over its revisions, in the order in which they were given.

    `origin` is the revision from which the anchors were followed; `stand_in` says that it stands in for the pin.
    """

    vendor: Vendor
    origin: Revision
    stand_in: bool
    columns: tuple[Column, ...]
    not_looked_at: tuple[str, ...] = ()

    @property
    def anchors(self) -> tuple[str, ...]:
        """The IDs of the anchors, in registry order."""
        return tuple(self.columns[0].anchors) if self.columns else ()

    @property
    def claims(self) -> tuple[str, ...]:
        """The IDs of the claims, in registry order."""
        return tuple(self.columns[0].claims) if self.columns else ()

    def rows(self, anchor: str) -> list[list[Cell]]:
        """For each region of an anchor its cell at each revision."""
        return [list(row) for row in zip(*(column.anchors[anchor] for column in self.columns), strict=True)]

    def answers(self, claim: str) -> list[Answer]:
        """A claim's answer at each revision."""
        return [column.claims[claim] for column in self.columns]

    def stretches(self, claim: str) -> list[Stretch]:
        """A claim's answers, with neighbours that are the same as one."""
        return [
            Stretch(holds, tuple(number for number, _ in group))
            for holds, group in itertools.groupby(
                enumerate(self.answers(claim)), key=lambda numbered: numbered[1].holds
            )
        ]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Revisions in a row, by their numbers from 0, at which a claim has one answer."""

    holds: Holds
    columns: tuple[int, ...]


def differs(before: Cell, after: Cell) -> bool:
    """Whether a region's text is another than at the revision before, as far as both are known."""
    return before.digest is not None and after.digest is not None and before.digest != after.digest


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a claim's answer turned: the last revision with the old answer, the first with the new one."""

    claim: str
    before: Column
    after: Column
    steps: int


def bisect(looking: Looking, revisions: Sequence[Revision], claim: str) -> Turn | None:
    """The first of some revisions at which a claim's answer is no longer what it is at the first of them.

    None if it is the same at the first and the last. One change is assumed: between two revisions with different
    answers the middle one is looked at, so that of n revisions about log2(n) are.
    """
    low, high = 0, len(revisions) - 1
    first, last = looking.at(revisions[low]), looking.at(revisions[high])
    steps = 2
    if first.claims[claim].holds is last.claims[claim].holds:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        column = looking.at(revisions[middle])
        steps += 1
        if column.claims[claim].holds is first.claims[claim].holds:
            low, first = middle, column
        else:
            high, last = middle, column
    return Turn(claim, first, last, steps)


Judge = Callable[[Corpus, Claim], Answer]


class Looking:
    """Looks at one vendor's revisions, one after the other, from the same start.

    Raises UsageError where neither the pin nor a release that stands in for it is here.
    """

    def __init__(self, registry: Registry, sources: Sources, vendor: str, ids: Collection[str], judge: Judge) -> None:
        self.sources = sources
        self.vendor = registry.vendors[vendor]
        self.judge = judge
        self.origin, self.stand_in = _origin(sources, self.vendor)
        self.registry = _starting_at_stand_ins(registry, sources, ids) if self.stand_in else registry
        self.anchors = [id for id in registry.anchors if id in ids and registry.anchors[id].vendor == vendor]
        self.claims = [id for id, claim in registry.claims.items() if id in ids and _concerns(registry, claim, vendor)]

    def at(self, revision: Revision) -> Column:
        """What is there at one revision."""
        corpus = build(self.registry, self.sources, [*self.anchors, *self.claims], {self.vendor.name: revision.public})
        return Column(
            revision,
            {id: self._cells(corpus, revision, id) for id in self.anchors},
            {id: self.judge(corpus, self.registry.claims[id]) for id in self.claims},
        )

    def _cells(self, corpus: Corpus, revision: Revision, id: str) -> tuple[Cell, ...]:
        sighting = corpus.sightings.get(id)
        if sighting is None or not sighting.outcomes and not sighting.spots:
            regions = len(self.registry.anchors[id].regions) or 1
            return (Cell(word=Word.UNKNOWN),) * regions
        if sighting.outcomes:
            return tuple(self._cell(revision, outcome) for outcome in sighting.outcomes)
        return tuple(self._placed(revision, spot.path, spot.lines) for spot in sighting.spots)

    def _cell(self, revision: Revision, outcome: Outcome) -> Cell:
        match outcome:
            case Deleted():
                return Cell(word=Word.GONE)
            case Ambiguous():
                return Cell(word=Word.AMBIGUOUS)
            case Located(singled_out=False):
                return Cell(word=Word.UNKNOWN)
        spot = spot_of(outcome)
        return self._placed(revision, spot.path, spot.lines) if spot else Cell(word=Word.UNKNOWN)

    def _placed(self, revision: Revision, path: str, lines: Lines) -> Cell:
        source = self.sources.read(self.vendor.name, revision.commit, path)
        digest = line_digest(source.cut(lines)) if isinstance(source, SourceText) and lines.last <= len(source) else None
        return Cell(path, lines, digest)


def _origin(sources: Sources, vendor: Vendor) -> tuple[Revision, bool]:
    pinned = sources.pinned(vendor.name)
    if isinstance(pinned, Revision):
        return pinned, False
    if vendor.stand_in is None:
        raise UsageError(f"{vendor.name}: {pinned.message}", help=pinned.help)
    stand_in = sources.resolve(vendor.name, "release")
    if isinstance(stand_in, NoSource):
        raise UsageError(f"{vendor.name}: {pinned.message}, and {stand_in.message}", help=stand_in.help)
    return stand_in, True


def _concerns(registry: Registry, entry: Citing, vendor: str) -> bool:
    """Whether an entry cites an anchor of a vendor."""
    return any(registry.anchors[id].vendor == vendor for id in entry.cites if id in registry.anchors)


def _starting_at_stand_ins(registry: Registry, sources: Sources, ids: Collection[str]) -> Registry:
    """The registry as it would be with each vendor whose pin is not here pinned at the release that stands in.

    What was located there is recorded there; what was not has no place from which it could be followed, and keeps
    the commit that cannot be read.
    """
    needed = set(ids) | {cited for entry in registry.citing if entry.id in ids for cited in entry.cites}
    missing = {
        name: vendor.stand_in
        for name, vendor in registry.vendors.items()
        if vendor.stand_in and not isinstance(sources.pinned(name), Revision)
    }
    names = [id for id in registry.anchors if id in needed]
    corpus = build(registry, sources, names, {name: "release" for name in missing})
    anchors = dict(registry.anchors)
    for id in names:
        anchor = registry.anchors[id]
        if anchor.vendor in missing and anchor.commit is None:
            anchors[id] = _located(anchor, corpus.sightings[id], registry)
    vendors = {
        name: replace(vendor, pin=Pin(stand_in.ref)) if (stand_in := missing.get(name)) else vendor
        for name, vendor in registry.vendors.items()
    }
    return replace(registry, vendors=vendors, anchors=anchors)


def _located(anchor: Anchor, sighting: Sighting, registry: Registry) -> Anchor:
    spots = sighting.spots
    paths = {spot.path for spot in spots}
    if not sighting.holds or len(paths) != 1:
        return replace(anchor, commit=registry.vendors[anchor.vendor].pin)
    if anchor.whole_file or not anchor.regions:
        return replace(anchor, path=paths.pop())
    regions = tuple(
        Region(spot.lines, region.find) for spot, region in zip(spots, anchor.regions, strict=True)
    )
    return replace(anchor, path=paths.pop(), regions=regions)
