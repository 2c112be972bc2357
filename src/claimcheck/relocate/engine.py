"""What became of an anchor's regions between two texts: the strategies, in the order in which they are believed.

A region whose old text is known is looked for in the file of the same path, in the file that it was renamed to if
that path is gone, and at last in the other files that were touched. Identical text at the place where the line map
puts it, or found once on both sides, is the region. Text that changed is the region only in the same definition,
or, outside of definitions, where most of its lines still stand. A neighbour that looks like it never is: the name
of the definition around a place has to be the old one, or both must be new (a renamed definition, which is an edit).

Without the old text there are only the lock's fingerprint and offsets, the symbol and the search strings; what
they find is `Located`, whatever it says.

Outcomes of text that differs: comments, docstrings and white space are told from code by the tokens; `watch` says
which of these count as `Edited`.
"""

from __future__ import annotations

from collections import Counter

from claimcheck.model import Anchor, Lines, LockEntry
from claimcheck.outcome import (
    Ambiguous,
    Candidate,
    Outcome,
    Renamed,
    Spot,
    Unavailable,
    Unchanged,
    spot_of,
)
from claimcheck.relocate.answers import answer_differing, describe
from claimcheck.relocate.changed_text import by_changed_text, by_lines
from claimcheck.relocate.definitions import by_renamed_symbol, by_symbol
from claimcheck.relocate.gone import deleted
from claimcheck.relocate.same_text import by_headings, by_line_map, by_text, by_text_but_for_space
from claimcheck.relocate.search import Search, Strategy
from claimcheck.relocate.strings import by_strings
from claimcheck.relocate.target import target_of
from claimcheck.relocate.without_old import without_old
from claimcheck.symbols import region_of
from claimcheck.texts import SourceText, Tree


def relocate(
    anchor: Anchor, old: SourceText | None, lock: LockEntry | None, tree: Tree, *, named: bool = True
) -> tuple[Outcome, ...]:
    """The outcome of each region of an anchor, in order; one outcome for an anchor without regions.

    `old` is the anchor's file at the commit where it was recorded, or None if that cannot be read; `lock` a fresh
    lock entry, or None. Without `named` text that is the same is not parsed to name its symbol.
    """
    if old is None:
        return without_old(anchor, lock, tree)
    if not anchor.regions and not anchor.symbol:
        return (_whole_file(anchor, old, tree),)
    regions = tuple(region.lines for region in anchor.regions) or region_of(anchor, old)
    if isinstance(regions, str):
        return (Unavailable(f"where it was recorded, {regions}"),)
    if not anchor.regions and len(regions) != 1:
        return (Unavailable(f"`{anchor.symbol}` is not one definition of {anchor.path} where it was recorded"),)
    found = [_region(anchor, lines, old, tree, named) for lines in regions]
    return _in_one_file(anchor, found)


def _region(anchor: Anchor, lines: Lines, old: SourceText, tree: Tree, named: bool) -> Outcome:
    if lines.first < 1 or lines.last > len(old):
        return Unavailable(f"lines {lines} were recorded, but {anchor.path} has {_count(len(old))} there")
    if tree.blob_id(anchor.path) == old.blob:
        symbol = describe(old, anchor.path, lines) if named else None
        return Unchanged(Spot(anchor.path, lines, symbol), "same blob")
    target = target_of(anchor.path, old, tree)
    if not isinstance(target, tuple):
        return target
    path, new = target
    search = Search(anchor, path, lines, old, new, tree, named)
    for strategy in STRATEGIES:
        outcome = strategy(search)
        if outcome is not None:
            return outcome
    return deleted(search)


def _count(lines: int) -> str:
    return f"{lines} line" if lines == 1 else f"{lines} lines"


STRATEGIES: tuple[Strategy, ...] = (
    by_line_map,
    by_text,
    by_text_but_for_space,
    by_headings,
    by_lines,
    by_symbol,
    by_renamed_symbol,
    by_changed_text,
    by_strings,
)


def _in_one_file(anchor: Anchor, outcomes: list[Outcome]) -> tuple[Outcome, ...]:
    """Regions that end up in different files cannot be one anchor any more, so those need a person."""
    paths = [spot.path for outcome in outcomes if (spot := spot_of(outcome))]
    if len(set(paths)) <= 1:
        return tuple(outcomes)
    main = Counter(paths).most_common(1)[0][0]

    def kept(outcome: Outcome) -> Outcome:
        spot = spot_of(outcome)
        if spot is None or spot.path == main:
            return outcome
        remedy = f"an anchor has one file: make a second anchor for {spot.path}:{spot.lines}"
        evidence = f"the other regions of {anchor.id} are in {main}"
        return Ambiguous((Candidate(spot.path, spot.lines, outcome.confidence),), remedy, evidence)

    return tuple(kept(outcome) for outcome in outcomes)


def _whole_file(anchor: Anchor, old: SourceText, tree: Tree) -> Outcome:
    """What became of an anchor that means its whole file: it follows the path, and nothing else."""
    if tree.blob_id(anchor.path) == old.blob:
        return Unchanged(Spot(anchor.path, old.whole), "same blob")
    target = target_of(anchor.path, old, tree)
    if not isinstance(target, tuple):
        return target
    path, new = target
    if new.blob == old.blob or new.lines == old.lines:
        spot = Spot(path, new.whole)
        return Renamed(spot, "same content", 0.98) if path != anchor.path else Unchanged(spot, "same lines")
    return answer_differing(
        Search(anchor, path, old.whole, old, new, tree), Spot(path, new.whole), "the file's path", 0.9
    )
