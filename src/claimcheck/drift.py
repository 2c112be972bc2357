"""What became of every anchor between the commit at which it is cited and another revision, ranked by risk.

Logic on a corpus whose vendor is looked at elsewhere: sightings in, `Drift` out. `bump` writes what drift says, so the
two cannot disagree.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import assert_never

from claimcheck.corpus import Corpus, build
from claimcheck.differences import stretches
from claimcheck.errors import UsageError
from claimcheck.library import Sentence
from claimcheck.model import Anchor, Citing, Claim, Example, Lines, Pin, Revision, Watch
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
from claimcheck.sighting import Sighting, StringElsewhere, StringNowhere, Unreadable, recorded_lines
from claimcheck.texts import NoSource, SourceText
from claimcheck.values import frozen
from claimcheck.verdict import ClaimChange, Verdict


@frozen
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


@frozen
class AnchorDrift:
    """One anchor. `origin` is the revision from which it was followed, or only its pin where that is not here.

    `cited_by` has the claims, examples and corrections that cite it, `sentences` the sentences of documents that do.
    `compared` is whether the old text was here and every region was compared with it. `lost` has the search strings that
    its regions do not hold where they are now, although all of them carry.
    """

    anchor: Anchor
    origin: Revision | Pin
    regions: tuple[RegionDrift, ...]
    cited_by: tuple[Citing, ...]
    sentences: tuple[Sentence, ...] = ()
    compared: bool = True
    claims: tuple[ClaimChange, ...] = ()
    broken: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.anchor.id

    @property
    def outcome(self) -> Outcome:
        """The worst region's."""
        return worst(region.outcome for region in self.regions)

    @property
    def carries(self) -> bool:
        """Whether nobody has to read anything: its text carries with its strings, and so do the claims that rest on it."""
        return self.text_carries and not self.broken and not self.lost

    @property
    def text_carries(self) -> bool:
        """Whether every region carries, and all are in one file."""
        return all(region.carries for region in self.regions) and len(self.paths) == 1

    @property
    def paths(self) -> set[str]:
        return {region.spot.path for region in self.regions if region.spot}


@frozen
class Drift:
    """A vendor's anchors between two revisions. `origin` is the vendor's pin, or its text where it is not here.

    `lessons` has the document of each lesson that an entry names and that has one.
    """

    vendor: str
    origin: Revision | Pin
    target: Revision
    anchors: tuple[AnchorDrift, ...]
    files: int
    changed_files: int
    lessons: Mapping[str, str] = field(default_factory=dict)

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


def _risk(one: AnchorDrift) -> tuple[int, int, int, int]:
    """Gone, ambiguous, not to be looked at, a check that held and fails, edited under a check, edited, located, renamed.

    Among these, what most sentences rest on first.
    """
    rank = RISK.index(type(one.outcome))
    broke = any(change.broke for change in one.claims)
    checked = any(change.after is not Verdict.UNTESTED for change in one.claims)
    return (
        min(rank, RISK.index(Edited)) if broke else rank,
        not broke,
        not checked,
        -len(one.cited_by) - len(one.sentences),
    )


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
    changes = claim_changes(corpus, [sighting.anchor.id for sighting in sightings])
    drifted = _with_claims([_anchor_drift(corpus, sighting, target) for sighting in sightings], changes)
    pin = registry.vendors[vendor].pin
    before = corpus.sources.resolve(vendor, pin.text)
    origin = before if isinstance(before, Revision) else pin
    files = sorted({sighting.anchor.path for sighting in sightings})
    changed = [path for path in files if _changed(corpus, vendor, path, origin, target)]
    return Drift(vendor, origin, target, drifted, len(files), len(changed), _lessons(corpus, drifted))


def _lessons(corpus: Corpus, anchors: Sequence[AnchorDrift]) -> dict[str, str]:
    entries = (entry for one in anchors for entry in one.cited_by if not isinstance(entry, Example))
    lessons = dict.fromkeys(entry.lesson for entry in entries if entry.lesson)
    return {lesson: documents[0].path for lesson in lessons if (documents := corpus.library.of_lesson(lesson))}


def claim_changes(corpus: Corpus, ids: Collection[str]) -> dict[str, ClaimChange]:
    """What becomes of the claims with checks that cite some of these anchors, which the corpus looks at elsewhere."""
    registry, sources = corpus.registry, corpus.sources
    claims = [claim for claim in registry.claims.values() if claim.has_checks and not set(ids).isdisjoint(claim.cites)]
    if not claims:
        return {}
    from claimcheck.claim_tests import run

    home = build(registry, sources, [claim.id for claim in claims]).sightings
    elsewhere = [id for id, one in home.items() if one.anchor.vendor in corpus.targets and id not in corpus.sightings]
    others = build(registry, sources, elsewhere, corpus.targets).sightings if elsewhere else {}
    before = run(claims, registry, sources, home)
    after = run(claims, registry, sources, {**home, **others, **corpus.sightings})
    return {id: ClaimChange(id, test.verdict, after[id].verdict) for id, test in before.items()}


def _with_claims(drifted: Sequence[AnchorDrift], changes: Mapping[str, ClaimChange]) -> tuple[AnchorDrift, ...]:
    """The anchors with what becomes of the claims that rest on them.

    A claim that held and fails needs a person, even where each text that it cites is the same: checks look further than
    the cited lines. Where one of those texts has to be read anyway, the others carry.
    """
    carried = {one.id: one.text_carries for one in drifted}
    found = []
    for one in drifted:
        own = [entry for entry in one.cited_by if isinstance(entry, Claim)]
        said = tuple(changes.get(claim.id, ClaimChange(claim.id, Verdict.UNTESTED, Verdict.UNTESTED)) for claim in own)
        broken = tuple(
            claim.id
            for claim, change in zip(own, said, strict=True)
            if change.broke and all(carried.get(id, True) for id in claim.cites)
        )
        found.append(replace(one, claims=said, broken=broken))
    return tuple(found)


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
    outcomes = sighting.outcomes or (_unseen(sighting),) * max(1, len(ranges))
    regions = tuple(
        _region_drift(corpus, anchor, number, lines, outcome, old, target)
        for number, (lines, outcome) in enumerate(zip(ranges or (Lines(1, 1),), outcomes, strict=False), 1)
    )
    compared = old is not None and not any(isinstance(one.outcome, Located | Unavailable) for one in regions)
    sentences = tuple(corpus.sentences(anchor.id))
    lost = _lost_strings(sighting)
    return AnchorDrift(anchor, origin, regions, tuple(corpus.cited_by(anchor.id)), sentences, compared, lost=lost)


def _unseen(sighting: Sighting) -> Unavailable:
    """Why nothing was seen of an anchor."""
    reasons = (one.source.message for one in sighting.problems if isinstance(one, Unreadable))
    reason = next(reasons, "could not be looked at")
    return Unavailable(f"{sighting.anchor.path} {reason}")


def _lost_strings(sighting: Sighting) -> tuple[str, ...]:
    """The search strings that an anchor's regions lack where they are now; of one that stayed as it is none is lost."""
    if not sighting.elsewhere or all(isinstance(outcome, Unchanged) for outcome in sighting.outcomes):
        return ()
    return tuple(one.text for one in sighting.problems if isinstance(one, StringElsewhere | StringNowhere))


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


@frozen
class DiffLine:
    """A line of a comparison: its numbers in the old and the new text; None where one of them has no such line."""

    old: int | None
    new: int | None
    text: str


@frozen
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
