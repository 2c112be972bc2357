"""Where regions stand in a text when the text that was recorded has never been seen.

All that is known of an anchor then is its recorded ranges and its search strings. A *shift* is what a region's
lines are off by. The strings are dealt out to the regions in their order (in the long form they have theirs), and
one occurrence is chosen for each, so that what was recorded fits best:

- a region's strings lie together within its recorded length, and the regions stay in order;
- neighbouring regions are shifted alike, so that a line of difference costs one; a shift that all of them share
  costs little, since any insertion above makes one;
- an occurrence that is a definition is preferred to one that uses it, more so if its length agrees with the
  region's, unless the distances speak for the use by more than `USE_FOR_DEFINITION` lines;
- if every string still stands where it was recorded, that is where it belongs, and a region may well have none.
  Otherwise a region without a string of its own is as unlikely as `NO_STRING` lines of distance, since those who
  write a record name something in each region.

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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from claimcheck.model import Anchor, Lines
from claimcheck.outcome import Ambiguous, Candidate, Deleted, Extent, Located, Outcome, Spot, Unavailable
from claimcheck.phrases import first_of
from claimcheck.texts import SourceText
from claimcheck.values import frozen

if TYPE_CHECKING:
    from claimcheck.syntax import Outline, Symbol

_Above = Callable[[int], int]

# What bounds the work, whatever a file holds.
MOST_HITS = 200
MOST_DEALS = 100
MOST_PLACEMENTS = 20_000
MOST_STEPS = 100_000
KEPT_PATHS = 64
MOST_SHIFTS = 120
MOST_WEIGHED_REGIONS = 50
MOST_CANDIDATES = 10

# Costs of choosing occurrences, in lines of distance.
SHARED_SHIFT = 1 / 8
MOVED = 20
USE_FOR_DEFINITION = 100
TOO_LONG_DEFINITION = 100
NO_STRING = 30
OUT_OF_ORDER = 300
STRETCH = 2
SMALLEST_MARGIN = 20

# Costs of choosing a shift, beside up to 3 for each end that cuts a statement.
SHIFTED = 4
SHIFTED_LINE = 1 / 2
NEIGHBOURHOOD = 50
BEYOND_FILE = 12
OVERLAP = 12

NEAR_ERROR = "; the parser did not understand all of it"
NO_STRING_REASON = "no search string of its own; cannot be re-found without the old text"


@frozen
class _Hit:
    """A line that holds a string, and the definition whose name the string says there."""

    line: int
    symbol: Symbol | None


@frozen
class _String:
    text: str
    hits: tuple[_Hit, ...]
    definitions: tuple[_Hit, ...]
    capped: bool


@frozen
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

    @property
    def held(self) -> Lines:
        """The lines that are this region's for sure."""
        return self.definition or self.span


@frozen
class _Path:
    """Placements for the first regions; `low` and `high` bound the shift of the last one that has strings."""

    distance: float = 0.0
    low: int | None = None
    high: int = 0
    moved: bool = False
    last_line: int = 0
    placements: tuple[_Placement | None, ...] = ()

    @property
    def cost(self) -> float:
        """What speaks against it. If every string stands where it was recorded, a region may well have none."""
        without = self.placements.count(None)
        return self.distance + (MOVED + NO_STRING * without if self.moved else without)


@frozen
class _Shifted:
    """Shifts for the first regions, with what they cost together."""

    cost: float = 0.0
    end: int = 0
    shifts: tuple[int | None, ...] = ()

    def passed(self) -> _Shifted:
        return replace(self, shifts=(*self.shifts, None))


def locate(anchor: Anchor, text: SourceText, outline: Outline | None) -> tuple[Outcome, ...]:
    """What becomes of each region of an anchor in a text, by its symbol and its strings alone.

    An anchor without regions has one outcome: its symbol's, or the whole file's.
    """
    if not anchor.regions and not anchor.symbol:
        return (Located(Spot(anchor.path, text.whole), "the whole file, by its path", 1.0),)
    if anchor.symbol and len(anchor.regions) <= 1 and not _holds_a_part(anchor, anchor.symbol, text, outline):
        return (_by_symbol(anchor, anchor.symbol, text, outline),)
    return _Search(anchor, text, outline).outcomes()


def _holds_a_part(anchor: Anchor, name: str, text: SourceText, outline: Outline | None) -> bool:
    """Whether the anchor's symbol only holds what was recorded, and strings can say where in it that stands."""
    found = outline.named(name) if outline else ()
    if len(found) != 1 or not anchor.regions or len(found[0].lines) <= 2 * len(anchor.regions[0].lines):
        return False
    return any(text.hits(string, found[0].lines) for string in anchor.strings)


def names(string: str, symbol: Symbol) -> bool:
    """Whether a search string says a definition's name, as `touch`, `def touch(` and `void touch` do."""
    name = symbol.last_name
    return name in string and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", string) is not None


def _hits(string: str, text: SourceText, outline: Outline | None, within: Lines | None, most: int) -> _String:
    lines = text.hits(string, within)
    defined = {symbol.name_line: symbol for symbol in (outline.symbols if outline else ()) if names(string, symbol)}
    kept = lines[:most] + [line for line in lines[most:] if line in defined][:most]
    hits = tuple(_Hit(line, defined.get(line)) for line in kept)
    return _String(string, hits, tuple(hit for hit in hits if hit.symbol), len(kept) < len(lines))


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
        count = len(anchor.find)
        deals = len(self.regions) * (1 if anchor.long_form else count * (count + 1) // 2)
        most = max(10, min(MOST_HITS, MOST_PLACEMENTS // max(1, deals)))
        self.kept = max(4, min(KEPT_PATHS, MOST_STEPS // max(1, deals * most)))
        self.all = [_hits(string, text, outline, within, most) for string in dict.fromkeys(anchor.find)]
        self.own = [[_hits(string, text, outline, within, most) for string in one.find] for one in anchor.regions]
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
            self.placed[key] = list(_placements(self.regions[region], strings, self.comments_above))
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
            states = {state: sorted(paths, key=lambda path: path.cost)[: self.kept] for state, paths in grown.items()}
        complete = states.get(0 if self.anchor.long_form else len(self.strings), [])
        return complete[0] if complete else _Path(float("inf"), placements=(None,) * len(self.regions))

    def same_place(self, region: int, one: _Placement, other: _Placement) -> bool:
        """Whether two placements fit into one range of the recorded length."""
        a, b = one.span, other.span
        span = max(a.last, b.last) - min(a.first, b.first)
        return span < len(self.regions[region]) or a == b

    def comments_above(self, line: int) -> int:
        """How many lines of comment stand directly above a line."""
        count = 0
        while self.outline and line - count - 1 in self.outline.comment_lines:
            count += 1
        return count

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
        first, last = min(shifted.first, span.first), min(max(shifted.last, span.last), len(self.text))
        return Lines(max(1, min(first, last - len(region) + 1)), last)

    def shifts(self, path: _Path) -> list[int | None]:
        """The best shift for each region, given the occurrences: a shortest path over the shifts that hold them."""
        edges = self._edges(path)
        before: Lines | None = None
        states: dict[tuple[int, bool], _Shifted] = {(0, False): _Shifted()}
        for region, placement in zip(self.regions, path.placements, strict=True):
            if placement is None:
                states = {key: state.passed() for key, state in states.items()}
                continue
            grown: dict[tuple[int, bool], _Shifted] = {}
            bond = SHIFTED_LINE if before is None else NEIGHBOURHOOD / (NEIGHBOURHOOD + region.first - before.last)
            likely = min(states.items(), key=lambda item: item[1].cost)[0][0]
            for shift in _shifts(placement, likely):
                place = placement.definition or region.shifted(shift)
                misfit = 0.0 if placement.definition else edges.misfit(place)
                for (other, moved), state in states.items():
                    cost = state.cost + bond * abs(shift - other) + misfit
                    cost += (SHIFTED if shift and not moved else 0) + (OVERLAP if place.first <= state.end else 0)
                    key = (shift, moved or bool(shift))
                    if key not in grown or cost < grown[key].cost:
                        grown[key] = _Shifted(cost, place.last, (*state.shifts, shift))
            states, before = grown, region
        return list(min(states.values(), key=lambda state: state.cost).shifts)

    def _edges(self, path: _Path) -> _Edges:
        """The edges of what stands where the regions can come to lie."""
        places = [
            Lines(max(1, region.first + placement.low), max(1, region.last + placement.high))
            for region, placement in zip(self.regions, path.placements, strict=True)
            if placement is not None and placement.definition is None
        ]
        return _Edges(self.text, self.outline, _joined(places))

    def outcome(self, region: int, placement: _Placement | None, best: _Path, spots: list[Spot | None]) -> Outcome:
        spot = spots[region]
        if placement is None or spot is None:
            return self.nothing(region)
        evidence = self.evidence(region, placement)
        if self.singled_out(region, placement, best):
            marked = self.outline is not None and self.outline.error_overlaps(spot.lines)
            confidence = 0.9 if placement.definition else 0.8
            return Located(spot, evidence + (NEAR_ERROR if marked else ""), 0.6 if marked else confidence)
        candidates = self.candidates(region, placement, spot)
        shown = ", ".join(f"`{string.text}` stands on {len(string.hits)} lines" for string in placement.strings)
        return Ambiguous(candidates, f"{shown}; add a string that stands only in this region, or `symbol:`", evidence)

    def nothing(self, region: int) -> Outcome:
        gone = [string.text for string in (self.own[region] if self.anchor.long_form else self.all) if not string.hits]
        if gone:
            listed = ", ".join(f"`{text}`" for text in gone)
            return Deleted(f"{listed} {'stands' if len(gone) == 1 else 'stand'} nowhere in {self.anchor.path}")
        return Unavailable(NO_STRING_REASON, nothing_to_go_by=True)

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
            if string.definitions == (hit,):
                return True
        if sum(len(one.strings) for one in best.placements if one) < 2 or len(self.regions) > MOST_WEIGHED_REGIONS:
            return False
        return self.best_path((region, placement)).cost - best.cost >= max(length, SMALLEST_MARGIN)

    def others(self, region: int, placement: _Placement) -> Iterator[_Placement]:
        """The other places where the region's strings stand as close together as here."""
        for one in _placements(self.regions[region], placement.strings, self.comments_above):
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
    return replace(path, placements=(*path.placements, None))


def _extended(path: _Path, placement: _Placement) -> _Path:
    """A path with one more placement. The shift stays undecided within the bounds that cost no more."""
    held = placement.held
    distance = path.distance + placement.cost + (0 if held.first > path.last_line else OUT_OF_ORDER)
    low, high = placement.low, placement.high
    if path.low is None:
        distance += SHARED_SHIFT * max(0, low, -high)
    elif max(low, path.low) <= min(high, path.high):
        low, high = max(low, path.low), min(high, path.high)
    else:
        distance += max(low - path.high, path.low - high)
        low = high = low if path.high < low else high
    moved = path.moved or not low <= 0 <= high
    return _Path(distance, low, high, moved, max(held.last, path.last_line), (*path.placements, placement))


def _placements(region: Lines, strings: tuple[_String, ...], above: _Above) -> Iterator[_Placement]:
    """The ways to choose an occurrence for each string: one for each occurrence of the rarest."""
    pivot = min(range(len(strings)), key=lambda n: len(strings[n].hits))
    for hit in strings[pivot].hits:
        hits = tuple(
            hit if n == pivot else _nearest(string, hit.line, n > pivot, len(region))
            for n, string in enumerate(strings)
        )
        yield _placement(region, strings, hits, above)


def _nearest(string: _String, line: int, after: bool, length: int) -> _Hit:
    """The occurrence that goes best with another string's line: near, in order, a definition if there is one."""

    def cost(hit: _Hit) -> tuple[float, int]:
        distance = abs(hit.line - line)
        use = USE_FOR_DEFINITION if string.definitions and not hit.symbol else 0
        disorder = 1 if hit.line != line and (hit.line > line) is not after else 0
        return use + STRETCH * max(0, distance - length + 1) + disorder, distance

    at = bisect_left(string.hits, line, key=lambda hit: hit.line)
    return min((*string.hits[max(0, at - 1) : at + 2], *string.definitions), key=cost)


def _placement(region: Lines, strings: tuple[_String, ...], hits: tuple[_Hit, ...], above: _Above) -> _Placement:
    lines = [hit.line for hit in hits]
    low, high = max(lines) - region.last, min(lines) - region.first
    stretch = max(0, low - high)
    uses = sum(1 for string, hit in zip(strings, hits, strict=True) if string.definitions and not hit.symbol)
    cost = float(STRETCH * stretch + USE_FOR_DEFINITION * uses)
    definition = _joined(hit.symbol.lines for hit in hits if hit.symbol)
    if definition and len(definition) > 2 * len(region):
        cost += TOO_LONG_DEFINITION
    if definition and agrees(region, definition) and all(line in definition for line in lines):
        first = min((hit.symbol for hit in hits if hit.symbol), key=lambda symbol: symbol.lines.first)
        definition = _as_recorded(region, definition, (first.name_line, definition.first - above(first.lines.first)))
        ends = (low, high, definition.first - region.first, definition.last - region.last)
        return _Placement(strings, hits, min(ends), max(ends), stretch, cost, definition)
    return _Placement(strings, hits, min(low, high), max(low, high), stretch, cost, None)


def _as_recorded(region: Lines, definition: Lines, other_starts: Iterable[int]) -> Lines:
    """A definition, without its decorators or with the comment above it if only so it has the recorded length."""
    for first in other_starts:
        if len(region) == definition.last - first + 1 != len(definition):
            return Lines(first, definition.last)
    return definition


def _joined(ranges: Iterable[Lines]) -> Lines | None:
    listed = list(ranges)
    return Lines(min(one.first for one in listed), max(one.last for one in listed)) if listed else None


def agrees(recorded: Lines, found: Lines) -> bool:
    """Whether a range may be the recorded one as it is now: more than half and at most double its length."""
    return len(recorded) < 2 * len(found) and len(found) <= 2 * len(recorded)


def _shifts(placement: _Placement, likely: int) -> Iterable[int]:
    """The shifts to choose from; if there are too many, those around the likely one."""
    first = min(max(likely - MOST_SHIFTS // 2, placement.low), max(placement.high - MOST_SHIFTS, placement.low))
    return range(first, min(placement.high, first + MOST_SHIFTS) + 1)


class _Edges:
    """How well a range's ends fall on the ends of statements, or of paragraphs where there is no grammar."""

    def __init__(self, text: SourceText, outline: Outline | None, within: Lines | None) -> None:
        self.lines = text.lines
        self.outline = outline if outline and not outline.problem else None
        self.starts: frozenset[int] = frozenset()
        self.ends: frozenset[int] = frozenset()
        if self.outline is not None and within is not None:
            self.starts, self.ends = self.outline.statement_lines(within)
        self.comments = self.outline.comment_lines if self.outline else frozenset()

    def misfit(self, lines: Lines) -> int:
        """0 for a range that begins after a gap and ends before one; 3 for each end that cuts a statement."""
        if lines.first < 1 or lines.last > len(self.lines):
            return BEYOND_FILE
        syntax = self.outline is not None and not self._inside_statement(lines)
        return self._start(lines.first, syntax) + self._end(lines.last, syntax) + (syntax and self._sticks_out(lines))

    def _depth(self, line: int) -> int | None:
        """A line's indentation, None for a blank one and beyond the file."""
        if not 1 <= line <= len(self.lines):
            return None
        text = self.lines[line - 1]
        bare = text.lstrip()
        return len(text) - len(bare) if bare else None

    def _inside_statement(self, lines: Lines) -> bool:
        """Whether a range lies within one statement, a docstring or a table say, and no other begins or ends there."""
        return not any(n in self.starts or n in self.ends for n in range(lines.first, lines.last + 1))

    def _start(self, line: int, syntax: bool) -> int:
        depth, before = self._depth(line), self._depth(line - 1)
        if depth is None:
            return 3
        if line in self.comments:
            if line - 1 in self.comments and before == depth:
                return 3
        elif syntax and line not in self.starts:
            return 3
        return 0 if before is None or before < depth else 1

    def _end(self, line: int, syntax: bool) -> int:
        depth, after = self._depth(line), self._depth(line + 1)
        if depth is None or (syntax and line not in self.ends):
            return 3
        return 0 if after is None or after < depth else 1

    def _sticks_out(self, lines: Lines) -> int:
        """Whether a range begins deeper than it goes on, so that it would begin inside a block and leave it."""
        depth = self._depth(lines.first)
        if depth is None:
            return 0
        rest = (n for n in range(lines.first + 1, lines.last + 1) if not self.lines[n - 1].lstrip().startswith("#"))
        return 3 if any((other := self._depth(n)) is not None and other < depth for n in rest) else 0


def _by_symbol(anchor: Anchor, name: str, text: SourceText, outline: Outline | None) -> Outcome:
    """Where a named definition stands. It is never replaced by what is around it."""
    if outline is None or outline.problem:
        why = f"the file {outline.problem}" if outline and outline.problem else f"there is no grammar for {anchor.path}"
        return Unavailable(f"`{name}` cannot be resolved: {why}; add a search string")
    found = outline.named(name)
    if not found:
        unparsed = outline.unparsed(name)
        if unparsed:
            listed = first_of(unparsed, MOST_CANDIDATES)
            return Unavailable(
                f"`{name}` cannot be resolved: {anchor.path} has parse errors where it is named (line {listed}); "
                "add a search string"
            )
        return Deleted(f"no definition of `{name}` in {anchor.path}")
    chosen = [one for one in found if any(text.hits(string, one.lines) for string in anchor.strings)] or list(found)
    unparsed = outline.unparsed(name)
    if len(chosen) == 1 and not unparsed:
        symbol = chosen[0]
        if lost := outline.lost_in(symbol):
            where = f"{anchor.path} has parse errors in line {lost}"
            return Unavailable(f"`{name}` cannot be resolved: {where}, so it is not known where it ends")
        marked = outline.error_overlaps(symbol.lines)
        evidence = f"the {symbol.kind} `{symbol.name}`" + (NEAR_ERROR if marked else "")
        return Located(
            Spot(anchor.path, symbol.lines, symbol.name, Extent.DEFINITION), evidence, 0.7 if marked else 0.95
        )
    places = [one.lines for one in chosen] + [Lines(line, line) for line in unparsed]
    share = round(1 / len(places), 2)
    return Ambiguous(
        tuple(Candidate(anchor.path, lines, share) for lines in sorted(places)[:MOST_CANDIDATES]),
        "add a search string that stands in only one of them"
        + (", or the parameters to the symbol" if len({one.signature for one in chosen}) > 1 else ""),
        f"{len(places)} definitions of `{name}`: lines {first_of([lines.first for lines in sorted(places)], MOST_CANDIDATES)}",
    )
