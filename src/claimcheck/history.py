"""Where anchors stood, and whether claims held, at a series of revisions of one vendor.

Logic on the registry and the sources: every revision is looked at as `verify --at` looks at it, starting from the pin.
Where the pin is not here, the release that stands in is where the anchors start from, and the history says so.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from claimcheck.checks import Answer as CheckAnswer
from claimcheck.checks import Result
from claimcheck.corpus import Corpus, build
from claimcheck.errors import UsageError
from claimcheck.history_memory import Memory, key_of
from claimcheck.model import Anchor, Citing, Claim, Lines, Pin, Region, Registry, Revision, Vendor
from claimcheck.outcome import Ambiguous, Deleted, Located, Outcome, spot_of
from claimcheck.sources import Sources
from claimcheck.texts import NoSource, SourceText, line_digest
from claimcheck.values import frozen
from claimcheck.verdict import Verdict


class Word(enum.Enum):
    """What is said of a region at a revision where it has no place."""

    GONE = "gone"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "not known"


@frozen
class Cell:
    """A region at a revision: where it stands and the digest of its text, or the word for what is said instead."""

    path: str | None = None
    lines: Lines | None = None
    digest: str | None = None
    word: Word | None = None


@frozen
class Reason:
    """What one check of a claim says at a revision; `check` is where it stands in the entry."""

    check: str
    fails: bool
    message: str


@frozen
class Answer:
    """A claim at a revision: what its checks say of it, each with its reason."""

    verdict: Verdict
    reasons: tuple[Reason, ...] = ()


@frozen
class Column:
    """Everything that was asked about at one revision: the regions of each anchor, and each claim's answer."""

    revision: Revision
    anchors: Mapping[str, tuple[Cell, ...]]
    claims: Mapping[str, Answer]


@frozen
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


@frozen
class Stretch:
    """Revisions in a row, by their numbers from 0, at which a claim has one answer."""

    verdict: Verdict
    columns: tuple[int, ...]


def differs(before: Cell, after: Cell) -> bool:
    """Whether a region's text is another than at the revision before, as far as both are known."""
    return before.digest is not None and after.digest is not None and before.digest != after.digest


@frozen
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

    What was found before from the same contents is taken from a `memory`. Raises UsageError where neither the pin nor a
    release that stands in for it is here.
    """

    def __init__(
        self, registry: Registry, sources: Sources, vendor: str, ids: Collection[str], memory: Memory | None = None
    ) -> None:
        self.sources = sources
        self.vendor = registry.vendors[vendor]
        self.recall = _Recall(sources, memory or Memory())
        self.origin, self.stand_in = _origin(sources, self.vendor)
        start = _at_stand_ins(registry, sources, ids, self.recall) if self.stand_in else _at_pins(registry)
        self.registry, self.kept = start.registry, start.kept
        self.regions = {id: len(registry.anchors[id].regions) or 1 for id in registry.anchors}
        self.anchors = [id for id in registry.anchors if id in ids and registry.anchors[id].vendor == vendor]
        self.claims = [id for id, claim in registry.claims.items() if id in ids and _concerns(registry, claim, vendor)]

    def at(self, revision: Revision) -> Column:
        """What is there at one revision."""
        return Column(
            revision,
            {id: self._anchor(revision, id) for id in self.anchors},
            {id: self._claim(revision, id) for id in self.claims},
        )

    def _anchor(self, revision: Revision, id: str) -> tuple[Cell, ...]:
        def look() -> object:
            return [_cell_json(cell) for cell in self._cells(self._corpus(revision, id), revision, id)]

        found = self.recall(self.vendor.name, revision, look, *self._meaning(id), self.kept[id], self.regions[id])
        return tuple(_cell_of(each) for each in found) if isinstance(found, list) else ()

    def _claim(self, revision: Revision, id: str) -> Answer:
        claim = self.registry.claims[id]
        if not claim.has_checks:
            return Answer(Verdict.UNTESTED)

        def look() -> object:
            return _answer_json(_answer(self._corpus(revision, id), claim))

        meanings = [part for cited in claim.cites if cited in self.registry.anchors for part in self._meaning(cited)]
        return _answer_of(
            self.recall(self.vendor.name, revision, look, claim.id, claim.basis, claim.checks, claim.caveats, *meanings)
        )

    def _corpus(self, revision: Revision, id: str) -> Corpus:
        return build(self.registry, self.sources, [id], {self.vendor.name: revision.public})

    def _meaning(self, id: str) -> tuple[object, ...]:
        """Everything that says what an anchor means and where it is followed from."""
        anchor = self.registry.anchors[id]
        pin = self.sources.resolve(anchor.vendor, self.registry.pin_of(anchor).text)
        origin = pin.commit if isinstance(pin, Revision) else self.registry.pin_of(anchor).text
        return (*_fields(anchor), origin, self.registry.lock_of(anchor))

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


@frozen
class _Start:
    """A registry whose anchors can be followed. `kept` says for each anchor which of its regions those are."""

    registry: Registry
    kept: Mapping[str, tuple[int, ...]]


def _at_pins(registry: Registry) -> _Start:
    return _Start(registry, {id: tuple(range(len(anchor.regions) or 1)) for id, anchor in registry.anchors.items()})


def _at_stand_ins(registry: Registry, sources: Sources, ids: Collection[str], recall: _Recall) -> _Start:
    """The registry as it would be with each vendor whose pin is not here pinned at the release that stands in.

    What strings or a symbol single out there is recorded there. A region that was not found has no text by which it
    could be known elsewhere, and is left out.
    """
    needed = set(ids) | {cited for entry in registry.citing if entry.id in ids for cited in entry.cites}
    start = _at_pins(registry)
    vendors, anchors, kept = dict(registry.vendors), dict(registry.anchors), dict(start.kept)
    for name, vendor in registry.vendors.items():
        if vendor.stand_in is None or isinstance(sources.pinned(name), Revision):
            continue
        vendors[name] = replace(vendor, pin=Pin(vendor.stand_in.ref))
        there = sources.resolve(name, "release")
        for anchor in registry.anchors.values():
            if anchor.id in needed and anchor.vendor == name and anchor.commit is None and isinstance(there, Revision):
                spots = _standing(registry, sources, anchor, there, recall)
                anchors[anchor.id], kept[anchor.id] = _moved(anchor, spots)
    return _Start(replace(registry, vendors=vendors, anchors=anchors), kept)


def _standing(
    registry: Registry, sources: Sources, anchor: Anchor, there: Revision, recall: _Recall
) -> dict[int, tuple[str, Lines]]:
    """Where each region that could be found stands at the release that stands in."""

    def look() -> object:
        outcomes = build(registry, sources, [anchor.id], {anchor.vendor: "release"}).sightings[anchor.id].outcomes
        return [
            [number, spot.path, spot.lines.first, spot.lines.last]
            for number, outcome in enumerate(outcomes)
            if (spot := spot_of(outcome)) and not (isinstance(outcome, Located) and not outcome.singled_out)
        ]

    found: Any = recall(anchor.vendor, there, look, "stand-in", *_fields(anchor), registry.lock_of(anchor))
    return {number: (path, Lines(first, last)) for number, path, first, last in found}


def _moved(anchor: Anchor, spots: Mapping[int, tuple[str, Lines]]) -> tuple[Anchor, tuple[int, ...]]:
    paths = {path for path, _ in spots.values()}
    if len(paths) != 1:
        return anchor, ()
    if not anchor.regions:
        return replace(anchor, path=paths.pop()), tuple(spots)
    regions = tuple(Region(lines, anchor.regions[number].find) for number, (_, lines) in spots.items())
    return replace(anchor, path=paths.pop(), regions=regions), tuple(spots)


def _fields(anchor: Anchor) -> tuple[object, ...]:
    """Everything that the registry says of an anchor."""
    return (
        anchor.id, anchor.vendor, anchor.path, anchor.regions, anchor.find, anchor.symbol, anchor.watch, anchor.commit
    )  # fmt: skip


@frozen
class _Recall:
    """Takes an answer from the memory where the same contents gave it before, else looks and keeps it."""

    sources: Sources
    memory: Memory

    def __call__(self, vendor: str, revision: Revision, look: Callable[[], object], *meaning: object) -> object:
        key = key_of(*meaning)

        def blob_of(path: str) -> str | None:
            return self.sources.blob_id(vendor, revision.commit, path)

        found = self.memory.find(key, revision.commit, blob_of)
        if found is not None:
            return found
        with self.sources.noting() as noted:
            found = look()
        paths = sorted(path for name, commit, path in noted if name == vendor and commit == revision.commit)
        whole = revision.commit if "" in paths else None
        self.memory.keep(key, whole, {path: blob_of(path) for path in paths if path}, found)
        return found


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
    message = result.message.removesuffix(f", line {hit.line}")
    return f"{message} ({hit.path.rpartition('/')[2]}:{hit.line})"


def _cell_json(cell: Cell) -> list[object]:
    lines = [cell.lines.first, cell.lines.last] if cell.lines else None
    return [cell.path, lines, cell.digest, cell.word.value if cell.word else None]


def _cell_of(kept: Any) -> Cell:
    path, lines, digest, word = kept
    return Cell(path, Lines(*lines) if lines else None, digest, Word(word) if word else None)


def _answer_json(answer: Answer) -> list[object]:
    return [answer.verdict.value, [[reason.check, reason.fails, reason.message] for reason in answer.reasons]]


def _answer_of(kept: Any) -> Answer:
    verdict, reasons = kept
    return Answer(Verdict(verdict), tuple(Reason(*reason) for reason in reasons))
