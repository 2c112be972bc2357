"""Regions whose old text is not known, by what the lock and the registry keep of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from claimcheck.alignment import Placement, join
from claimcheck.kept import for_the_same
from claimcheck.locate import agrees, locate
from claimcheck.model import Anchor, Lines, LockedRegion, LockEntry, Region
from claimcheck.outcome import (
    Ambiguous,
    Candidate,
    Extent,
    Located,
    Outcome,
    Spot,
    Unavailable,
)
from claimcheck.relocate.places import MOST_CANDIDATES, places_of
from claimcheck.syntax import Outline, outline
from claimcheck.texts import SourceText, Tree, fingerprint

MOST_VOTERS = 5
AGREEMENT = 0.6


def without_old(anchor: Anchor, lock: LockEntry | None, tree: Tree) -> tuple[Outcome, ...]:
    """The outcome of each region by its fingerprint in the lock, else by its symbol and search strings."""
    text = tree.text(anchor.path)
    path = anchor.path
    if text is None:
        hinted = tree.follow(anchor.path) or tree.renames().get(anchor.path)
        text = tree.text(hinted) if hinted else None
        if hinted is None or text is None:
            return (Unavailable(f"{anchor.path} is not there"),) * max(1, len(anchor.regions))
        path = hinted
    there = replace(anchor, path=path)
    structure = outline(text.text, path)
    if lock is None or len(lock.regions) != len(anchor.regions):
        return locate(there, text, structure)
    known = _strings_of_lock(there, lock)
    located = locate(known, text, structure)
    return tuple(
        _by_fingerprint(locked, text, path, structure)
        or (_by_locked_symbol(locked, path, structure) if isinstance(outcome, Unavailable) else None)
        or outcome
        for locked, outcome in zip(lock.regions, located, strict=True)
    )


def _strings_of_lock(anchor: Anchor, lock: LockEntry) -> Anchor:
    """The anchor with each string at the regions in whose text the lock saw it."""
    regions = tuple(
        Region(region.lines, tuple(string.text for string in locked.strings))
        for region, locked in zip(anchor.regions, lock.regions, strict=True)
    )
    return replace(anchor, regions=regions, find=()) if any(region.find for region in regions) else anchor


def _by_locked_symbol(locked: LockedRegion, path: str, structure: Outline | None) -> Outcome | None:
    """The definitions that the lock names, if they have about the recorded length."""
    found = [symbol for name in (locked.symbol or "").split(", ") if structure for symbol in structure.exactly(name)]
    if not found or len(found) != len((locked.symbol or "").split(", ")):
        return None
    lines = Lines(min(symbol.lines.first for symbol in found), max(symbol.lines.last for symbol in found))
    if not agrees(locked.lines, lines):
        return None
    return Located(Spot(path, lines, locked.symbol, Extent.DEFINITION), f"`{locked.symbol}`, by the lock", 0.85)


BLANK = fingerprint("")


@for_the_same(8)
def _fingerprints(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(fingerprint, lines))


def _by_fingerprint(locked: LockedRegion, text: SourceText, path: str, structure: Outline | None) -> Outcome | None:
    """Where the lock's fingerprint stands: exactly and once, or with most lines in one place only."""
    if all(one == BLANK for one in locked.fingerprint):
        return None
    here = _fingerprints(text.lines)
    places = places_of(tuple(locked.fingerprint), here)
    if len(places) > 1:
        agreeing = [(_context(locked, here, lines), lines) for lines in places]
        best = max(agreeing, key=lambda one: one[0])
        rivals = [context for context, lines in agreeing if lines != best[1]]
        if best[0] - max(rivals) < 2:
            listed = tuple(Candidate(path, lines, round(1 / len(places), 2)) for lines in places[:MOST_CANDIDATES])
            remedy = "add a search string that stands only in this region"
            return Ambiguous(listed, remedy, f"the same lines {len(places)} times")
        places = [best[1]]
    if places:
        return _fingerprinted(places[0], 1.0, 0.95, path, structure)
    placement = _most_lines(tuple(locked.fingerprint), here)
    if placement is None:
        return None
    extent = Extent.EXACT if placement.edges else Extent.GUESSED
    return _fingerprinted(placement.lines, placement.coverage, 0.75, path, structure, extent)


def _fingerprinted(
    lines: Lines, share: float, confidence: float, path: str, structure: Outline | None, extent: Extent = Extent.EXACT
) -> Outcome:
    symbol = structure.describe(lines) if structure else None
    evidence = f"the lock's fingerprint, {share:.0%} of the lines"
    return Located(Spot(path, lines, symbol, extent), evidence, round(confidence * share, 2))


def _context(locked: LockedRegion, here: Sequence[str], lines: Lines) -> int:
    """How many lines around a place are those that stood around the region, blank ones not counted."""
    above = here[max(0, lines.first - 1 - len(locked.before)) : lines.first - 1]
    below = here[lines.last : lines.last + len(locked.after)]
    pairs = [*zip(reversed(locked.before), reversed(above), strict=False), *zip(locked.after, below, strict=False)]
    return sum(1 for was, is_now in pairs if was == is_now != BLANK)


def _most_lines(wanted: tuple[str, ...], here: tuple[str, ...]) -> Placement | None:
    """The one place where most of the lines stand, changed lines between them allowed."""
    rare = _rare(here)
    voters = {one: n for n, one in enumerate(wanted) if one in rare and one != BLANK}
    votes = Counter(n - voters[here[n]] for n in sorted(n for one in voters for n in rare[one]))
    if not votes:
        return None
    start, size = votes.most_common(1)[0][0], len(wanted)
    near = {at for at in votes if abs(at - start) < size}
    if 2 * sum(votes[at] for at in votes if at not in near) > sum(votes[at] for at in near):
        return None
    first, last = max(0, min(near)), min(len(here), max(near) + size)
    placement = join(wanted, here[first:last]).place(Lines(1, size))
    if placement is None or placement.coverage < AGREEMENT:
        return None
    return replace(placement, lines=placement.lines.shifted(first))


@for_the_same(8)
def _rare(here: tuple[str, ...]) -> Mapping[str, Sequence[int]]:
    """Where each of the lines stands that stand in few places."""
    places: dict[str, list[int]] = {}
    for n, one in enumerate(here):
        places.setdefault(one, []).append(n)
    return {one: numbers for one, numbers in places.items() if len(numbers) <= MOST_VOTERS}
