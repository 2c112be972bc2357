"""Where anchors stood, and whether claims held, at a series of revisions of one vendor.

Logic on the registry and the sources: every revision is looked at as `verify --at` looks at it, starting from the pin.
Where the pin is not here, the release that stands in is where the anchors start from, and the history says so.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from claimcheck.checks import Answer as CheckAnswer
from claimcheck.checks import Result
from claimcheck.corpus import Corpus, build
from claimcheck.errors import UsageError
from claimcheck.model import Anchor, Citing, Claim, Lines, Pin, Region, Registry, Revision, Vendor
from claimcheck.outcome import Ambiguous, Deleted, Located, Outcome, spot_of
from claimcheck.sighting import Sighting
from claimcheck.sources import Sources
from claimcheck.texts import NoSource, SourceText, line_digest
from claimcheck.verdict import Verdict


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


@dataclass(frozen=True, slots=True)
class Reason:
    """What one check of a claim says at a revision; `check` is where it stands in the entry."""

    check: str
    fails: bool
    message: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A claim at a revision: what its checks say of it, each with its reason."""

    verdict: Verdict
    reasons: tuple[Reason, ...] = ()


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
            Stretch(verdict, tuple(number for number, _ in group))
            for verdict, group in itertools.groupby(
                enumerate(self.answers(claim)), key=lambda numbered: numbered[1].verdict
            )
        ]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Revisions in a row, by their numbers from 0, at which a claim has one answer."""

    verdict: Verdict
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
    if first.claims[claim].verdict is last.claims[claim].verdict:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        column = looking.at(revisions[middle])
        steps += 1
        if column.claims[claim].verdict is first.claims[claim].verdict:
            low, first = middle, column
        else:
            high, last = middle, column
    return Turn(claim, first, last, steps)


class Looking:
    """Looks at one vendor's revisions, one after the other, from the same start.

    Raises UsageError where neither the pin nor a release that stands in for it is here.
    """

    def __init__(self, registry: Registry, sources: Sources, vendor: str, ids: Collection[str]) -> None:
        self.sources = sources
        self.vendor = registry.vendors[vendor]
        self.origin, self.stand_in = _origin(sources, self.vendor)
        start = _at_stand_ins(registry, sources, ids) if self.stand_in else _at_pins(registry)
        self.registry, self.kept = start.registry, start.kept
        self.regions = {id: len(registry.anchors[id].regions) or 1 for id in registry.anchors}
        self.anchors = [id for id in registry.anchors if id in ids and registry.anchors[id].vendor == vendor]
        self.claims = [id for id, claim in registry.claims.items() if id in ids and _concerns(registry, claim, vendor)]

    def at(self, revision: Revision) -> Column:
        """What is there at one revision."""
        corpus = build(self.registry, self.sources, [*self.anchors, *self.claims], {self.vendor.name: revision.public})
        return Column(
            revision,
            {id: self._cells(corpus, revision, id) for id in self.anchors},
            {id: _answer(corpus, self.registry.claims[id]) for id in self.claims},
        )

    def _cells(self, corpus: Corpus, revision: Revision, id: str) -> tuple[Cell, ...]:
        cells = [Cell(word=Word.UNKNOWN)] * self.regions[id]
        sighting = corpus.sightings.get(id)
        for number, outcome in zip(self.kept[id], sighting.outcomes if sighting else (), strict=False):
            cells[number] = self._cell(revision, outcome)
        return tuple(cells)

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
        digest = (
            line_digest(source.cut(lines)) if isinstance(source, SourceText) and lines.last <= len(source) else None
        )
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


@dataclass(frozen=True, slots=True)
class _Start:
    """A registry whose anchors can be followed. `kept` says for each anchor which of its regions those are."""

    registry: Registry
    kept: Mapping[str, tuple[int, ...]]


def _at_pins(registry: Registry) -> _Start:
    return _Start(registry, {id: tuple(range(len(anchor.regions) or 1)) for id, anchor in registry.anchors.items()})


def _at_stand_ins(registry: Registry, sources: Sources, ids: Collection[str]) -> _Start:
    """The registry as it would be with each vendor whose pin is not here pinned at the release that stands in.

    What strings or a symbol single out there is recorded there. A region that was not found has no text by which it
    could be known elsewhere, and is left out.
    """
    needed = set(ids) | {cited for entry in registry.citing if entry.id in ids for cited in entry.cites}
    missing = {
        name: vendor.stand_in
        for name, vendor in registry.vendors.items()
        if vendor.stand_in and not isinstance(sources.pinned(name), Revision)
    }
    names = [id for id in registry.anchors if id in needed]
    corpus = build(registry, sources, names, dict.fromkeys(missing, "release"))
    start = _at_pins(registry)
    anchors, kept = dict(registry.anchors), dict(start.kept)
    for id in names:
        anchor = registry.anchors[id]
        if anchor.vendor in missing and anchor.commit is None:
            anchors[id], kept[id] = _located(anchor, corpus.sightings[id])
    vendors = {
        name: replace(vendor, pin=Pin(stand_in.ref)) if (stand_in := missing.get(name)) else vendor
        for name, vendor in registry.vendors.items()
    }
    return _Start(replace(registry, vendors=vendors, anchors=anchors), kept)


def _located(anchor: Anchor, sighting: Sighting) -> tuple[Anchor, tuple[int, ...]]:
    found = {
        number: spot
        for number, outcome in enumerate(sighting.outcomes)
        if (spot := spot_of(outcome)) and not (isinstance(outcome, Located) and not outcome.singled_out)
    }
    paths = {spot.path for spot in found.values()}
    if len(paths) != 1:
        return anchor, ()
    if not anchor.regions:
        return replace(anchor, path=paths.pop()), tuple(found)
    regions = tuple(Region(spot.lines, anchor.regions[number].find) for number, spot in found.items())
    return replace(anchor, path=paths.pop(), regions=regions), tuple(found)


def _answer(corpus: Corpus, claim: Claim) -> Answer:
    test = corpus.tests.get(claim.id)
    if test is None:
        return Answer(Verdict.UNTESTED)
    reasons = (
        Reason(run.part, run.result.answer is CheckAnswer.FAILS, _reason(run.result))
        for run in test.runs
        if run.result.answer is not CheckAnswer.HOLDS or run.result.hits
    )
    return Answer(test.verdict, tuple(reasons))


def _reason(result: Result) -> str:
    """The sentence of a check, with the first line that shows it."""
    if not result.hits:
        return result.message
    hit = result.hits[0]
    return f"{result.message} ({hit.path.rpartition('/')[2]}:{hit.line})"
