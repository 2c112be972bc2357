"""Where regions stand in a text when the text that was recorded has never been seen.

All that is known of an anchor then is its recorded ranges and its search strings. A *shift* is what a region's
lines are off by. The strings are dealt out to the regions in their order (in the long form they have theirs), and
one occurrence is chosen for each, so that what was recorded fits best:

- a region's strings lie together within its recorded length, and the regions stay in order;
- neighbouring regions are shifted alike, so that a line of difference costs one; a shift that all of them share
  costs little, since any insertion above makes one;
- an occurrence that is a definition is preferred to one that uses it, more so if its length agrees with the
  region's, unless the distances speak for the use by more than `USE_FOR_DEFINITION` lines.

`Located` is said only where that leaves one place: by strings that occur together nowhere else, by the one
definition of a name, or by several strings whose every other reading is further from the recorded distances by
the region's length. Otherwise the places stand in `Ambiguous`. A region to which no string falls is `Unavailable`.

The extent is that of the definitions that the strings name there, joined, if it is between half and double the
recorded length (a longer one holds the region, a shorter one is held by it). Else it is guessed: the recorded
number of lines, shifted so that the strings are inside, and among those shifts the one that agrees best with the
other regions, with where statements begin and end, and with the recorded lines.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from claimcheck.model import Anchor, Lines
from claimcheck.outcome import Ambiguous, Candidate, Deleted, Extent, Located, Outcome, Spot, Unavailable
from claimcheck.texts import SourceText

if TYPE_CHECKING:
    from claimcheck.syntax import Outline, Symbol

MOST_HITS = 200
MOST_DEALS = 400
MOST_CANDIDATES = 10
MOST_SHIFTS = 400
KEPT_PATHS = 64

# Costs, all in lines of distance.
SHARED_SHIFT = 1 / 8
USE_FOR_DEFINITION = 100
OTHER_LENGTH = 50
OUT_OF_ORDER = 300
STRETCH = 2
NO_STRING = 1
MOVED_AT_ALL = 4
SMALLEST_MARGIN = 20

NO_STRING_REASON = "no search string of its own; cannot be re-found without the old text"


@dataclass(frozen=True, slots=True)
class _Hit:
    """A line that holds a string, and the definition whose name the string says there."""

    line: int
    symbol: Symbol | None


@dataclass(frozen=True, slots=True)
class _String:
    text: str
    hits: tuple[_Hit, ...]
    capped: bool

    @property
    def defined(self) -> bool:
        return any(hit.symbol for hit in self.hits)


@dataclass(frozen=True, slots=True)
class _Placement:
    """One occurrence for each of a region's strings, and the shifts at which the region holds all of them."""

    strings: tuple[_String, ...]
    hits: tuple[_Hit, ...]
    low: int
    high: int
    stretch: int
    cost: float
    definition: Lines | None

    @property
    def span(self) -> Lines:
        lines = [hit.line for hit in self.hits]
        return Lines(min(lines), max(lines))


@dataclass(frozen=True, slots=True)
class _Path:
    """Placements for the first regions; `low` and `high` bound the shift of the last one that has strings."""

    cost: float = 0.0
    low: int | None = None
    high: int = 0
    last_line: int = 0
    placements: tuple[_Placement | None, ...] = ()


def locate(
    anchor: Anchor, text: SourceText, outline: Outline | None, symbols: Sequence[str | None] = ()
) -> tuple[Outcome, ...]:
    """What becomes of each region of an anchor in a text, by its symbol and its strings alone.

    `symbols` has the qualified name that is known for each region, from a lock say. A whole-file anchor has one
    outcome.
    """
    if not anchor.regions and not anchor.symbol:
        spot = Spot(anchor.path, text.whole)
        return (Located(spot, "the whole file, by its path", 1.0),)
    if anchor.symbol and len(anchor.regions) <= 1:
        recorded = anchor.regions[0].lines if anchor.regions else None
        return (_by_symbol(anchor, anchor.symbol, recorded, text, outline),)
    return _Search(anchor, text, outline).outcomes()


def names(string: str, symbol: Symbol) -> bool:
    """Whether a search string says a definition's name, as `touch`, `def touch(` and `void touch` do."""
    return re.search(rf"(?<!\w){re.escape(symbol.last_name)}(?!\w)", string) is not None


def _hits(string: str, text: SourceText, outline: Outline | None, within: Lines | None) -> _String:
    lines = text.hits(string, within)
    by_line: dict[int, Symbol] = {}
    for symbol in outline.symbols if outline else ():
        if names(string, symbol):
            by_line[symbol.name_line] = symbol
    kept = lines[:MOST_HITS] + [line for line in lines[MOST_HITS:] if line in by_line][:MOST_HITS]
    return _String(string, tuple(_Hit(line, by_line.get(line)) for line in kept), len(kept) < len(lines))


class _Search:
    """The strings of one anchor in one text."""

    def __init__(self, anchor: Anchor, text: SourceText, outline: Outline | None) -> None:
        self.anchor = anchor
        self.text = text
        self.outline = outline
        self.regions = [region.lines for region in anchor.regions]
        within = None
        if anchor.symbol and outline and len(found := outline.named(anchor.symbol)) == 1:
            within = found[0].lines
        self.all = [_hits(string, text, outline, within) for string in dict.fromkeys(anchor.find)]
        self.own = [[_hits(string, text, outline, within) for string in region.find] for region in anchor.regions]
        self.strings = [string for string in self.all if string.hits]
        self.placed: dict[tuple[int, int, int], list[_Placement]] = {}

    def outcomes(self) -> tuple[Outcome, ...]:
        count = len(self.strings)
        if not self.anchor.long_form and len(self.regions) * count > MOST_DEALS:
            reason = (
                f"{count} strings for {len(self.regions)} regions are too many to tell apart; "
                "give each region its own `find`"
            )
            return tuple(Unavailable(reason) for _ in self.regions)
        best = self.best_path()
        spots = self.spots(best)
        return tuple(self.outcome(n, placement, best, spots) for n, placement in enumerate(best.placements))

    # Choosing occurrences.

    def deals(self, region: int) -> Iterator[tuple[int, int, tuple[_String, ...]]]:
        """Which strings a region may get: in the long form its own, else any that follow each other."""
        if self.anchor.long_form:
            yield 0, 0, tuple(string for string in self.own[region] if string.hits)
            return
        for first in range(len(self.strings) + 1):
            for last in range(first, len(self.strings) + 1):
                yield first, last, tuple(self.strings[first:last])

    def placements(self, region: int, first: int, last: int, strings: tuple[_String, ...]) -> list[_Placement]:
        key = (region, first, last)
        if key not in self.placed:
            self.placed[key] = list(_placements(self.regions[region], strings))
        return self.placed[key]

    def best_path(self, other_than: tuple[int, _Placement] | None = None) -> _Path:
        """The cheapest way to place all strings; with `other_than` one that puts a region somewhere else."""
        states: dict[int, list[_Path]] = {0: [_Path()]}
        for region in range(len(self.regions)):
            grown: dict[int, list[_Path]] = {}
            for first, last, strings in self.deals(region):
                paths = states.get(first, ())
                if not strings:
                    if not (other_than and other_than[0] == region):
                        grown.setdefault(last, []).extend(_passed_over(path) for path in paths)
                    continue
                placements = self.placements(region, first, last, strings)
                if other_than and other_than[0] == region:
                    placements = [one for one in placements if not self.same_place(region, one, other_than[1])]
                grown.setdefault(last, []).extend(_extended(path, one) for path in paths for one in placements)
            states = {state: sorted(paths, key=lambda path: path.cost)[:KEPT_PATHS] for state, paths in grown.items()}
        complete = states.get(0 if self.anchor.long_form else len(self.strings), [])
        return complete[0] if complete else _Path(cost=float("inf"), placements=(None,) * len(self.regions))

    def same_place(self, region: int, one: _Placement, other: _Placement) -> bool:
        """Whether two placements fit into one range of the recorded length."""
        a, b = one.span, other.span
        span = max(a.last, b.last) - min(a.first, b.first)
        return span < len(self.regions[region]) or a == b

    # What the choice means.

    def spots(self, path: _Path) -> list[Spot | None]:
        shifts = self.shifts(path)
        spots: list[Spot | None] = []
        for region, placement, shift in zip(self.regions, path.placements, shifts, strict=True):
            if placement is None or shift is None:
                spots.append(None)
                continue
            lines = placement.definition or self.guessed(region, placement, shift)
            extent = Extent.DEFINITION if placement.definition else Extent.GUESSED
            spots.append(Spot(self.anchor.path, lines, self.symbol(lines), extent))
        return spots

    def symbol(self, lines: Lines) -> str | None:
        return self.outline.describe(lines) if self.outline else None

    def guessed(self, region: Lines, placement: _Placement, shift: int) -> Lines:
        """The recorded number of lines at a shift, widened where the strings have drifted apart, inside the file."""
        shifted, span = region.shifted(shift), placement.span
        first, last = min(shifted.first, span.first), max(shifted.last, span.last)
        return Lines(max(1, first), min(last, len(self.text)))

    def shifts(self, path: _Path) -> list[int | None]:
        """The best shift for each region, given the occurrences: a shortest path over the shifts that hold them."""
        edges = _Edges(self.text, self.outline)
        costs: dict[int, tuple[float, tuple[int | None, ...]]] = {}
        passed: tuple[int | None, ...] = ()
        for region, placement in zip(self.regions, path.placements, strict=True):
            if placement is None:
                passed += (None,)
                costs = {shift: (cost, (*chain, None)) for shift, (cost, chain) in costs.items()}
                continue
            grown: dict[int, tuple[float, tuple[int | None, ...]]] = {}
            for shift in _shifts(placement):
                own = 0.0 if placement.definition else edges.misfit(region.shifted(shift))
                if costs:
                    before = min(costs, key=lambda other: costs[other][0] + abs(other - shift))
                    grown[shift] = (costs[before][0] + abs(before - shift) + own, (*costs[before][1], shift))
                else:
                    moved = SHARED_SHIFT * abs(shift) + (MOVED_AT_ALL if shift else 0)
                    grown[shift] = (moved + own, (*passed, shift))
            costs = grown
        return list(min(costs.values(), key=lambda one: one[0])[1]) if costs else list(passed)

    def outcome(self, region: int, placement: _Placement | None, best: _Path, spots: list[Spot | None]) -> Outcome:
        spot = spots[region]
        if placement is None or spot is None:
            return self.nothing(region)
        evidence = self.evidence(region, placement)
        if self.singled_out(region, placement, best):
            confidence = 0.9 if spot.extent is Extent.DEFINITION else 0.8
            return Located(spot, evidence, confidence)
        candidates = self.candidates(region, placement, spot)
        shown = ", ".join(f"`{string.text}` stands on {len(string.hits)} lines" for string in placement.strings)
        return Ambiguous(candidates, f"{shown}; add a string that stands only in this region, or `symbol:`", evidence)

    def nothing(self, region: int) -> Outcome:
        gone = [string.text for string in (self.own[region] if self.anchor.long_form else self.all) if not string.hits]
        if gone:
            listed = ", ".join(f"`{text}`" for text in gone)
            return Deleted(f"{listed} {'stands' if len(gone) == 1 else 'stand'} nowhere in {self.anchor.path}")
        return Unavailable(NO_STRING_REASON)

    def evidence(self, region: int, placement: _Placement) -> str:
        found = ", ".join(
            f"`{string.text}` at {hit.line}" + (f" (one of {len(string.hits)})" if len(string.hits) > 1 else "")
            for string, hit in zip(placement.strings, placement.hits, strict=True)
        )
        gone = [string.text for string in self.own[region] if not string.hits]
        return found + (f"; nowhere: {', '.join(f'`{text}`' for text in gone)}" if gone else "")

    def singled_out(self, region: int, placement: _Placement, best: _Path) -> bool:
        length = len(self.regions[region])
        if placement.stretch > max(length, SMALLEST_MARGIN) or any(string.capped for string in placement.strings):
            return False
        if not any(self.others(region, placement)):
            return True
        for string, hit in zip(placement.strings, placement.hits, strict=True):
            if hit.symbol and sum(1 for other in string.hits if other.symbol) == 1:
                return True
        if sum(len(one.strings) for one in best.placements if one) < 2:
            return False
        return self.best_path((region, placement)).cost - best.cost >= max(length, SMALLEST_MARGIN)

    def others(self, region: int, placement: _Placement) -> Iterator[_Placement]:
        """The other places where the region's strings stand as close together as here."""
        for one in _placements(self.regions[region], placement.strings):
            if one.stretch <= placement.stretch and not self.same_place(region, one, placement):
                yield one

    def candidates(self, region: int, placement: _Placement, spot: Spot) -> tuple[Candidate, ...]:
        places = [spot.lines]
        for one in sorted(self.others(region, placement), key=lambda one: one.cost):
            lines = one.definition or self.guessed(self.regions[region], one, min(max(0, one.low), one.high))
            if not any(lines.overlaps(place) for place in places):
                places.append(lines)
        share = round(1 / len(places), 2)
        return tuple(Candidate(self.anchor.path, lines, share) for lines in places[:MOST_CANDIDATES])


def _passed_over(path: _Path) -> _Path:
    return replace(path, cost=path.cost + NO_STRING, placements=(*path.placements, None))


def _extended(path: _Path, placement: _Placement) -> _Path:
    """A path with one more placement. The shift stays undecided within the bounds that cost no more."""
    span = placement.span
    cost = path.cost + placement.cost + (0 if span.first > path.last_line else OUT_OF_ORDER)
    low, high = placement.low, placement.high
    if path.low is None:
        cost += SHARED_SHIFT * max(0, low, -high)
    elif max(low, path.low) <= min(high, path.high):
        low, high = max(low, path.low), min(high, path.high)
    else:
        nearest = low if path.high < low else high
        cost += max(low - path.high, path.low - high)
        low = high = nearest
    return _Path(cost, low, high, max(span.last, path.last_line), (*path.placements, placement))


def _placements(region: Lines, strings: tuple[_String, ...]) -> Iterator[_Placement]:
    """The ways to choose an occurrence for each string: one for each occurrence of the rarest."""
    pivot = min(range(len(strings)), key=lambda n: len(strings[n].hits))
    for hit in strings[pivot].hits:
        hits = tuple(
            hit if n == pivot else _nearest(string, hit.line, n > pivot, len(region))
            for n, string in enumerate(strings)
        )
        yield _placement(region, strings, hits)


def _nearest(string: _String, line: int, after: bool, length: int) -> _Hit:
    """The occurrence that goes best with another string's line: near, in order, a definition if there is one."""

    def cost(hit: _Hit) -> tuple[float, int]:
        distance = abs(hit.line - line)
        use = USE_FOR_DEFINITION if string.defined and not hit.symbol else 0
        disorder = 1 if hit.line != line and (hit.line > line) is not after else 0
        return use + STRETCH * max(0, distance - length + 1) + disorder, distance

    return min(string.hits, key=cost)


def _placement(region: Lines, strings: tuple[_String, ...], hits: tuple[_Hit, ...]) -> _Placement:
    lines = [hit.line for hit in hits]
    low, high = max(lines) - region.last, min(lines) - region.first
    stretch = max(0, low - high)
    cost = float(STRETCH * stretch)
    cost += sum(USE_FOR_DEFINITION for string, hit in zip(strings, hits, strict=True) if string.defined and not hit.symbol)
    definition = _joined(hit.symbol.lines for hit in hits if hit.symbol)
    if definition and not (agrees(region, definition) and all(line in definition for line in lines)):
        cost += OTHER_LENGTH
        definition = None
    if definition:
        low, high, stretch = definition.first - region.first, definition.last - region.last, 0
    return _Placement(strings, hits, min(low, high), max(low, high), stretch, cost, definition)


def _joined(ranges: Iterable[Lines]) -> Lines | None:
    listed = list(ranges)
    return Lines(min(one.first for one in listed), max(one.last for one in listed)) if listed else None


def agrees(recorded: Lines, found: Lines) -> bool:
    """Whether a range may be the recorded one as it is now: between half and double its length."""
    return len(recorded) <= 2 * len(found) and len(found) <= 2 * len(recorded)


def _shifts(placement: _Placement) -> Iterable[int]:
    """The shifts to choose from, those nearest to none if there are too many."""
    if placement.definition:
        return (placement.low,) if placement.low == placement.high else (placement.low, placement.high)
    if placement.high - placement.low < MOST_SHIFTS:
        return range(placement.low, placement.high + 1)
    middle = min(max(0, placement.low), placement.high)
    first = max(placement.low, min(middle - MOST_SHIFTS // 2, placement.high - MOST_SHIFTS))
    return range(first, first + MOST_SHIFTS + 1)


class _Edges:
    """How well a range's ends fall on the ends of statements, or of paragraphs where there is no grammar."""

    def __init__(self, text: SourceText, outline: Outline | None) -> None:
        self.lines = text.lines
        self.outline = outline if outline and not outline.problem else None
        self.starts, self.ends = self.outline.statement_lines if self.outline else (frozenset(), frozenset())
        self.depths = [len(line) - len(line.lstrip()) if line.strip() else None for line in self.lines]

    def misfit(self, lines: Lines) -> int:
        """0 for a range that begins after a gap and ends before one; 3 for each end that cuts a statement."""
        if lines.first < 1 or lines.last > len(self.lines):
            return 12
        return self._start(lines) + self._end(lines.last) + self._sticks_out(lines)

    def _depth(self, line: int) -> int | None:
        """A line's indentation, None for a blank one and beyond the file."""
        return self.depths[line - 1] if 1 <= line <= len(self.lines) else None

    def _comment(self, line: int) -> bool:
        return self.outline is not None and line in self.outline.comment_lines

    def _start(self, lines: Lines) -> int:
        depth, before = self._depth(lines.first), self._depth(lines.first - 1)
        if depth is None:
            return 3
        if self._comment(lines.first):
            if self._comment(lines.first - 1) and before == depth:
                return 3
        elif self.outline and lines.first not in self.starts:
            return 3
        return 0 if before is None or before < depth else 1

    def _end(self, line: int) -> int:
        depth, after = self._depth(line), self._depth(line + 1)
        if depth is None:
            return 3
        if self.outline and line not in self.ends:
            return 3
        return 0 if after is None or after < depth else 1

    def _sticks_out(self, lines: Lines) -> int:
        """Whether a range begins deeper than it goes on, so that it would begin inside a block and leave it."""
        depth = self._depth(lines.first)
        if self.outline is None or depth is None:
            return 0
        rest = (n for n in range(lines.first + 1, lines.last + 1) if not self.lines[n - 1].lstrip().startswith("#"))
        return 3 if any((other := self._depth(n)) is not None and other < depth for n in rest) else 0


def _by_symbol(
    anchor: Anchor, name: str, recorded: Lines | None, text: SourceText, outline: Outline | None
) -> Outcome:
    """Where a named definition stands. It is never replaced by what is around it."""
    if outline is None or outline.problem:
        why = f"the file {outline.problem}" if outline and outline.problem else f"there is no grammar for {anchor.path}"
        return Unavailable(f"`{name}` cannot be resolved: {why}; add a search string")
    found = outline.named(name)
    if not found:
        unparsed = outline.unparsed(name)
        if unparsed:
            listed = ", ".join(map(str, unparsed[:MOST_CANDIDATES]))
            return Unavailable(
                f"`{name}` cannot be resolved: {anchor.path} has parse errors where it is named (line {listed}); "
                "add a search string"
            )
        return Deleted(f"no definition of `{name}` in {anchor.path}")
    chosen = [one for one in found if any(text.hits(string, one.lines) for string in anchor.strings)] or list(found)
    unparsed = tuple(line for line in outline.unparsed(name))
    if len(chosen) == 1 and not unparsed:
        symbol = chosen[0]
        marked = outline.error_overlaps(symbol.lines)
        evidence = f"the {symbol.kind} `{symbol.name}`" + (", near what could not be parsed" if marked else "")
        return Located(
            Spot(anchor.path, symbol.lines, symbol.name, Extent.DEFINITION), evidence, 0.7 if marked else 0.95
        )
    places = [one.lines for one in chosen] + [Lines(line, line) for line in unparsed]
    share = round(1 / len(places), 2)
    return Ambiguous(
        tuple(Candidate(anchor.path, lines, share) for lines in sorted(places)[:MOST_CANDIDATES]),
        "add a search string that stands in only one of them"
        + (", or the parameters to the symbol" if len({one.signature for one in chosen}) > 1 else ""),
        f"{len(places)} definitions of `{name}`: lines {', '.join(str(lines.first) for lines in sorted(places))}",
    )
