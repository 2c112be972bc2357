"""What became of every anchor between the commit at which it is cited and another revision, ranked by risk.

Logic on a corpus whose vendor is looked at elsewhere: sightings in, `Drift` out. `bump` writes what drift says, so the
two cannot disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from claimcheck.corpus import Corpus
from claimcheck.differences import stretches
from claimcheck.errors import UsageError
from claimcheck.model import Anchor, Citing, Lines, Pin, Revision, Watch
from claimcheck.outcome import (
    Ambiguous,
    Cosmetic,
    Deleted,
    Edited,
    Located,
    Moved,
    Outcome,
    Renamed,
    Spot,
    Unavailable,
    Unchanged,
    spot_of,
    worst,
)
from claimcheck.sighting import Sighting, recorded_lines
from claimcheck.texts import NoSource, SourceText


@dataclass(frozen=True, slots=True)
class RegionDrift:
    """One region: where it was, what became of it, and how many lines were added and removed, if both texts are here."""

    number: int
    path: str
    lines: Lines
    outcome: Outcome
    added: int | None = None
    removed: int | None = None

    @property
    def spot(self) -> Spot | None:
        return spot_of(self.outcome)

    @property
    def carries(self) -> bool:
        """Whether the outcome needs no person."""
        return carries(self.outcome)


@dataclass(frozen=True, slots=True)
class AnchorDrift:
    """One anchor. `origin` is the revision from which it was followed, or only its pin where that is not here.

    `compared` is whether the old text was here and every region was compared with it.
    """

    anchor: Anchor
    origin: Revision | Pin
    regions: tuple[RegionDrift, ...]
    cited_by: tuple[Citing, ...]
    compared: bool = True

    @property
    def id(self) -> str:
        return self.anchor.id

    @property
    def outcome(self) -> Outcome:
        """The worst region's."""
        return worst(region.outcome for region in self.regions)

    @property
    def carries(self) -> bool:
        """Whether nobody has to read anything: every region carries, and all are in one file."""
        return all(region.carries for region in self.regions) and len(self.paths) == 1

    @property
    def paths(self) -> set[str]:
        return {region.spot.path for region in self.regions if region.spot}


@dataclass(frozen=True, slots=True)
class Drift:
    """A vendor's anchors between two revisions. `origin` is the vendor's pin, or its text where it is not here."""

    vendor: str
    origin: Revision | Pin
    target: Revision
    anchors: tuple[AnchorDrift, ...]
    files: int
    changed_files: int

    @property
    def stands_still(self) -> bool:
        """Whether both revisions are the same one."""
        return isinstance(self.origin, Revision) and self.origin.commit == self.target.commit

    @property
    def to_read(self) -> tuple[AnchorDrift, ...]:
        """The anchors that need a person, by risk; registry order among equals."""
        return tuple(sorted((one for one in self.anchors if not one.carries), key=_risk))

    @property
    def carried(self) -> tuple[AnchorDrift, ...]:
        """The others, in registry order."""
        return tuple(one for one in self.anchors if one.carries)


def carries(outcome: Outcome) -> bool:
    """Whether an outcome is carried without a person."""
    match outcome:
        case Unchanged() | Moved() | Renamed():
            return True
        case Cosmetic():
            return outcome.tokens_equal
        case Edited() | Ambiguous() | Deleted() | Located() | Unavailable():
            return False
    assert_never(outcome)


RISK: tuple[type[Outcome], ...] = (
    Deleted,
    Ambiguous,
    Unavailable,
    Edited,
    Located,
    Cosmetic,
    Renamed,
    Moved,
    Unchanged,
)


def _risk(one: AnchorDrift) -> tuple[int, int]:
    """Gone, ambiguous, not to be looked at, edited, located, renamed; among these, what most claims rest on first."""
    return RISK.index(type(one.outcome)), -len(one.cited_by)


def drift_of(corpus: Corpus, vendor: str, ids: Sequence[str] = ()) -> Drift:
    """The drift of a vendor's anchors to the revision that the corpus looks at; of these anchors only, if any are named.

    Raises UsageError if the revision cannot be read.
    """
    target = corpus.looked_at[vendor]
    if isinstance(target, NoSource):
        raise UsageError(f"{vendor}: {target.message}", help=target.help)
    registry = corpus.registry
    sightings = [
        sighting
        for id, sighting in corpus.sightings.items()
        if sighting.anchor.vendor == vendor and (not ids or id in ids)
    ]
    drifted = tuple(_anchor_drift(corpus, sighting, target) for sighting in sightings)
    pin = registry.vendors[vendor].pin
    before = corpus.sources.resolve(vendor, pin.text)
    origin = before if isinstance(before, Revision) else pin
    files = sorted({sighting.anchor.path for sighting in sightings})
    changed = [path for path in files if _changed(corpus, vendor, path, origin, target)]
    return Drift(vendor, origin, target, drifted, len(files), len(changed))


def _changed(corpus: Corpus, vendor: str, path: str, origin: Revision | Pin, target: Revision) -> bool:
    if isinstance(origin, Pin):
        return True
    return corpus.sources.blob_id(vendor, origin.commit, path) != corpus.sources.blob_id(vendor, target.commit, path)


def _anchor_drift(corpus: Corpus, sighting: Sighting, target: Revision) -> AnchorDrift:
    anchor = sighting.anchor
    pin = corpus.registry.pin_of(anchor)
    before = corpus.sources.resolve(anchor.vendor, pin.text)
    origin = before if isinstance(before, Revision) else pin
    old = old_text(corpus, anchor)
    ranges = recorded_lines(anchor, old) if old else tuple(region.lines for region in anchor.regions)
    outcomes = sighting.outcomes or tuple(
        Unavailable("could not be looked at") if sighting.elsewhere else Unchanged(Spot(anchor.path, lines))
        for lines in ranges or (Lines(1, 1),)
    )
    regions = tuple(
        _region_drift(corpus, anchor, number, lines, outcome, old, target)
        for number, (lines, outcome) in enumerate(zip(ranges or (Lines(1, 1),), outcomes, strict=False), 1)
    )
    compared = old is not None and not any(isinstance(one.outcome, Located | Unavailable) for one in regions)
    return AnchorDrift(anchor, origin, regions, tuple(corpus.cited_by(anchor.id)), compared)


def _region_drift(
    corpus: Corpus,
    anchor: Anchor,
    number: int,
    lines: Lines,
    outcome: Outcome,
    old: SourceText | None,
    target: Revision,
) -> RegionDrift:
    spot = spot_of(outcome)
    if old is None or spot is None or not isinstance(outcome, Edited | Cosmetic) or lines.last > len(old):
        return RegionDrift(number, anchor.path, lines, outcome)
    new = corpus.sources.read(anchor.vendor, target.commit, spot.path)
    if not isinstance(new, SourceText) or spot.lines.last > len(new):
        return RegionDrift(number, anchor.path, lines, outcome)
    added, removed = changed_lines(old.cut(lines).split("\n"), new.cut(spot.lines).split("\n"))
    return RegionDrift(number, anchor.path, lines, outcome, added, removed)


def changed_lines(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines were added and removed."""
    added = removed = 0
    for one in stretches(old, new):
        if not one.equal:
            removed, added = removed + one.old_end - one.old_start, added + one.new_end - one.new_start
    return added, removed


def old_text(corpus: Corpus, anchor: Anchor) -> SourceText | None:
    """An anchor's file at the commit at which it is cited, if that can be read here."""
    before = corpus.sources.resolve(anchor.vendor, corpus.registry.pin_of(anchor).text)
    if not isinstance(before, Revision):
        return None
    source = corpus.sources.read(anchor.vendor, before.commit, anchor.path)
    return source if isinstance(source, SourceText) else None


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a comparison: its numbers in the old and the new text; None where one of them has no such line."""

    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A region's old and new lines, aligned. A number in the list stands for so many equal lines that are left out."""

    rows: tuple[DiffLine | int, ...]


def compare(corpus: Corpus, one: AnchorDrift, region: RegionDrift, target: Revision, context: int) -> Comparison:
    """The lines of a region before and after, `context` equal ones around each change, and always the first one.

    Without an old text there are only the new ones, without an answer only the old ones.
    """
    old, spot = old_text(corpus, one.anchor), region.spot
    new = corpus.sources.read(one.anchor.vendor, target.commit, spot.path) if spot else None
    before = list(old.lines[region.lines.first - 1 : region.lines.last]) if old else []
    after: list[str] = []
    if isinstance(new, SourceText) and spot:
        after = list(new.lines[spot.lines.first - 1 : spot.lines.last])
    return Comparison(tuple(_rows(before, after, region.lines.first, spot.lines.first if spot else 1, context)))


def _rows(before: list[str], after: list[str], first: int, new_first: int, context: int) -> list[DiffLine | int]:
    rows: list[DiffLine | int] = []
    for one in stretches(before, after):
        i, j, k, m = one.old_start, one.old_end, one.new_start, one.new_end
        if one.equal:
            pairs = [DiffLine(first + n, new_first + k + n - i, before[n]) for n in range(i, j)]
            if j == len(before) and m == len(after):  # what follows the last change says nothing
                rows += pairs[: max(context, 0 if rows else 1)]
                continue
            head = context if rows else 1
            left_out = len(pairs) - head - context
            rows += pairs if left_out <= 1 else [*pairs[:head], left_out, *pairs[len(pairs) - context :]]
            continue
        rows += [DiffLine(first + n, None, before[n]) for n in range(i, j)]
        rows += [DiffLine(None, new_first + n, after[n]) for n in range(k, m)]
    return rows


def watched(anchor: Anchor) -> str:
    """What an anchor watches, as machines read it."""
    return (anchor.watch or Watch.CODE).value
