"""Which line of one text is which line of another, in bounded time.

Lines that are equal are joined first: those that occur once on each side fix the frame, the rest is filled in
between them. What is left over between joined lines is compared without its white space, then by similarity.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from claimcheck.model import Lines
from claimcheck.values import frozen

# Cells of a table that are filled at most: by the bit-parallel algorithm, and one by one.
MOST_BITS = 100_000_000
MOST_CELLS = 60_000
LONGEST_LINE = 1_000
SIMILAR = 0.6
SPACED = 0.99
ALMOST = 0.98
SHARED_WORDS = 2
NEARBY = 4
BESIDE = 0.01
WORD = re.compile(r"\w+")
SAYS = re.compile(r"[^\W_]")
# The share of a text's lines of which more have to be joined.
INDENTED_ANEW = 0.1
# A line that gives a value to a name is the line that gives a value to that name, whatever the value.
DEFINES = 0.9
DEFINITION = re.compile(r"\s*((?:[\w.<>\[\],*&?]+\s+)*?)[*&]?([\w.]+)\s*(?::?=(?!=)|;)")
NO_TYPE = frozenset({"return", "throw", "raise", "yield", "break", "continue", "goto", "import", "package", "using"})


@frozen
class Placement:
    """Where a range went, how much of it is there, and whether its first and last line were found themselves."""

    lines: Lines
    coverage: float
    edges: bool


@frozen
class Alignment:
    """`target[n - 1]` is the line that the old line n became, or None; `weight` is 1 for an equal line."""

    target: tuple[int | None, ...]
    weight: tuple[float, ...]
    old: tuple[str, ...]
    length: int

    def substance(self, line: int) -> bool:
        """Whether an old line has a letter or a digit."""
        return SAYS.search(self.old[line - 1]) is not None

    def exact(self, lines: Lines) -> Lines | None:
        """Where a range went line by line without any change, if it did."""
        return self._line_by_line(lines, 1.0)

    def exact_but_for_space(self, lines: Lines) -> Lines | None:
        """Where a range went line by line with no change but of white space, if it did."""
        return self._line_by_line(lines, SPACED)

    def _line_by_line(self, lines: Lines, least: float) -> Lines | None:
        first = self.target[lines.first - 1]
        if first is None:
            return None
        kept = (
            self.target[n - 1] == first + n - lines.first and self.weight[n - 1] >= least
            for n in range(lines.first, lines.last + 1)
        )
        return lines.shifted(first - lines.first) if all(kept) else None

    def closed(self, lines: Lines) -> Lines | None:
        """What stands between the lines that stayed next to a range, blank ones aside, if both stayed."""
        above = next((n for n in range(lines.first - 1, 0, -1) if self.old[n - 1].strip()), 0)
        below = next((n for n in range(lines.last + 1, len(self.target) + 1) if self.old[n - 1].strip()), None)
        start = self.target[above - 1] if above else 0
        end = self.target[below - 1] if below else self.length + 1
        if start is None or end is None or end - start < 2:
            return None
        return Lines(start + 1, end - 1)

    def stayed(self, line: int) -> int | None:
        """Where an old line that says something stands unchanged but for white space."""
        return self.target[line - 1] if self.weight[line - 1] >= SPACED and self.substance(line) else None

    def neighbours(self, lines: Lines, by: int) -> tuple[int, int]:
        """How many lines with letters or digits in a row stayed beside a range that is `by` lines off: above, below."""
        above = self._run(range(lines.first - 1, 0, -1), by)
        below = self._run(range(lines.last + 1, len(self.target) + 1), by)
        return above, below

    def beside(self, lines: Lines, now: Lines) -> tuple[int, int]:
        """How many lines in a row stayed directly above and below a range that went to another one, perhaps longer."""
        above, _ = self.neighbours(lines, now.first - lines.first)
        _, below = self.neighbours(lines, now.last - lines.last)
        return above, below

    def _run(self, lines: range, by: int) -> int:
        count = 0
        for n in lines:
            if self.target[n - 1] != n + by or self.weight[n - 1] < SPACED or count >= 3:
                break
            count += self.substance(n)
        return count

    def place(self, lines: Lines) -> Placement | None:
        """Where a range went although it changed.

        A changed head belongs to the range if the change begins with the range, and as many lines of it as the
        range has if the change began above; likewise at the end. Lines that were only put before or after it do not.
        """
        inside = [n for n in range(lines.first, lines.last + 1) if self.target[n - 1] is not None]
        solid = [n for n in inside if self.substance(n)]
        if not solid:
            return None
        first = self._first(lines, inside[0])
        last = self._last(lines, inside[-1])
        whole = sum(1 for n in range(lines.first, lines.last + 1) if self.substance(n))
        edges = inside[0] == lines.first and inside[-1] == lines.last
        return Placement(Lines(first, last), sum(self.weight[n - 1] for n in solid) / whole, edges)

    def _first(self, lines: Lines, joined: int) -> int:
        target = self._at(joined)
        before = next((self._at(n) for n in range(joined - 1, 0, -1) if self.target[n - 1] is not None), 0)
        free = target - before - 1
        began_here = lines.first == 1 or self.target[lines.first - 2] is not None
        return target - (free if began_here and joined > lines.first else min(free, joined - lines.first))

    def _last(self, lines: Lines, joined: int) -> int:
        target, end = self._at(joined), len(self.target)
        beyond = (self._at(n) for n in range(joined + 1, end + 1) if self.target[n - 1] is not None)
        free = next(beyond, self.length + 1) - target - 1
        ended_here = lines.last == end or self.target[lines.last] is not None
        return target + (free if ended_here and joined < lines.last else min(free, lines.last - joined))

    def _at(self, line: int) -> int:
        target = self.target[line - 1]
        assert target is not None
        return target


@lru_cache(maxsize=32)
def align(
    old: tuple[str, ...],
    new: tuple[str, ...],
    near: Lines | None = None,
    fixed: tuple[int, int] | None = None,
) -> Alignment:
    """Join the lines of two texts in order: equal ones, then those that differ in white space, then similar ones.

    Similar lines are looked for only around the lines `near`, if these are given. `fixed` is a pair of lines that
    are known to be the same, whatever they say.
    """
    if fixed is not None:
        return _around(old, new, near, fixed)
    return with_similar(keep(old, new), new, near)


def with_similar(kept: Alignment, new: tuple[str, ...], near: Lines | None = None) -> Alignment:
    """Join the lines that are similar too; `near` as for `align`."""
    target, weight = list(kept.target), list(kept.weight)
    for o, n, how_much in list(_in_gaps(kept.old, new, target, _similar, MOST_CELLS, near)):
        target[o], weight[o] = n + 1, how_much
    return _alignment(kept.old, new, target, weight)


@lru_cache(maxsize=16)
def keep(old: tuple[str, ...], new: tuple[str, ...]) -> Alignment:
    """Join the lines of two texts that are equal, or equal but for white space, in order.

    Equal lines come first, unless a good many more are joined if white space is left out from the start: where all of
    a text was indented anew, a line that is still equal to one is not the one that it was.
    """
    target = list(join(old, new).target)
    weight = [0.0 if line is None else 1.0 for line in target]
    for o, n, how_much in list(_in_gaps(old, new, target, _equal_but_for_space, MOST_BITS)):
        target[o], weight[o] = n + 1, how_much
    kept = _alignment(old, new, target, weight)
    many = INDENTED_ANEW * sum(kept.substance(n) for n in range(1, len(old) + 1))
    if _left_over(kept, new) <= many:
        return kept
    target, weight = [None] * len(old), [0.0] * len(old)
    for o, n, how_much in _equal_but_for_space(old, new):
        target[o], weight[o] = n + 1, how_much
    anew = _alignment(old, new, target, weight)
    return anew if _joined(anew) - _joined(kept) > many else kept


def _joined(alignment: Alignment) -> int:
    return sum(line is not None and alignment.substance(n) for n, line in enumerate(alignment.target, 1))


def _left_over(alignment: Alignment, new: Sequence[str]) -> int:
    """How many lines that say something are not joined although the same line, white space aside, is not either."""
    taken = set(alignment.target)
    bare = Counter("".join(line.split()) for n, line in enumerate(alignment.old, 1) if alignment.target[n - 1] is None)
    bare &= Counter("".join(line.split()) for n, line in enumerate(new, 1) if n not in taken)
    return sum(count for line, count in bare.items() if SAYS.search(line))


def _around(old: tuple[str, ...], new: tuple[str, ...], near: Lines | None, fixed: tuple[int, int]) -> Alignment:
    """What stands above and below two lines that are known to be the same, each aligned for itself."""
    o, n = fixed
    below_near = Lines(max(1, near.first - o), max(1, near.last - o)) if near else None
    above, below = align(old[: o - 1], new[: n - 1], near), align(old[o:], new[n:], below_near)
    target = (*above.target, n, *(line and line + n for line in below.target))
    same = 1.0 if old[o - 1] == new[n - 1] else max(SIMILAR, likeness(old[o - 1], new[n - 1]))
    return _alignment(old, new, list(target), [*above.weight, same, *below.weight])


def join(old: tuple[str, ...], new: tuple[str, ...]) -> Alignment:
    """Join the lines of two texts that are equal, in order."""
    target: list[int | None] = [None] * len(old)
    for o, n, count in _equal(old, new):
        target[o : o + count] = range(n + 1, n + 1 + count)
    return _alignment(old, new, target, [0.0 if line is None else 1.0 for line in target])


def _alignment(old: tuple[str, ...], new: tuple[str, ...], target: list[int | None], weight: list[float]) -> Alignment:
    return Alignment(tuple(target), tuple(weight), old, len(new))


# Where a run of equal items begins on both sides, and how many there are.
_Run = tuple[int, int, int]
_Pairs = Iterator[tuple[int, int, float]]
_Refine = Callable[[tuple[str, ...], tuple[str, ...]], Iterable[tuple[int, int, float]]]


def _equal(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[_Run]:
    """Equal items in order: what both begin and end with, items that occur once, and what lies between those."""
    shorter = min(len(old), len(new))
    start = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    tail = next((n for n in range(shorter - start) if old[-1 - n] != new[-1 - n]), shorter - start)
    yield 0, 0, start
    o, n = start, start
    for oo, nn in [*_once(old, new, start, tail), (len(old) - tail, len(new) - tail)]:
        if o < oo and n < nn:
            yield from _common(old[o:oo], new[n:nn], o, n)
        if oo < len(old) - tail:
            yield oo, nn, 1
        o, n = oo + 1, nn + 1
    yield len(old) - tail, len(new) - tail, tail


def _once(old: Sequence[Hashable], new: Sequence[Hashable], start: int, tail: int) -> list[tuple[int, int]]:
    """The longest run in order of items that occur once on each side."""
    old_end, new_end = len(old) - tail, len(new) - tail
    counts = Counter(old[start:old_end]), Counter(new[start:new_end])
    places = {item: n for n, item in enumerate(new[start:new_end], start) if counts[1][item] == 1}
    pairs = [
        (o, places[item]) for o, item in enumerate(old[start:old_end], start) if counts[0][item] == 1 and item in places
    ]
    ends: list[int] = []
    best: list[int] = []
    previous: list[int] = []
    for index, (_, n) in enumerate(pairs):
        length = bisect_left(ends, n)
        previous.append(best[length - 1] if length else -1)
        ends[length : length + 1] = [n]
        best[length : length + 1] = [index]
    run: list[tuple[int, int]] = []
    index = best[-1] if best else -1
    while index >= 0:
        run.append(pairs[index])
        index = previous[index]
    return run[::-1]


def _common(old: Sequence[Hashable], new: Sequence[Hashable], old_start: int, new_start: int) -> Iterator[_Run]:
    if len(old) * len(new) > MOST_BITS:
        return
    from rapidfuzz.distance import Indel

    numbers: dict[Hashable, int] = {}
    left, right = ([numbers.setdefault(item, len(numbers)) for item in side] for side in (old, new))
    for operation in Indel.opcodes(left, right):
        if operation.tag == "equal":
            count = operation.src_end - operation.src_start
            yield old_start + operation.src_start, new_start + operation.dest_start, count


def _in_gaps(
    old: tuple[str, ...],
    new: tuple[str, ...],
    target: Sequence[int | None],
    refine: _Refine,
    budget: int,
    near: Lines | None = None,
) -> _Pairs:
    """Pairs for the lines between two joined ones, leaving out what exceeds the budget."""
    o, n = 0, 0
    if near is not None:
        above = range(min(near.first - NEARBY, len(target)) - 1, -1, -1)
        o, n = next(((at + 1, line) for at in above if (line := target[at]) is not None), (0, 0))
    for oo, line in enumerate(chain(islice(target, o, None), (len(new) + 1,)), o):
        if line is None:
            continue
        if near is not None and o >= near.last + NEARBY:
            return
        if o < oo and n < line - 1:
            nn = line - 1
            cells = (oo - o) * (nn - n)
            if (near is None or oo >= near.first - NEARBY) and cells <= budget:
                budget -= cells
                yield from ((o + a, n + b, how_much) for a, b, how_much in refine(old[o:oo], new[n:nn]))
        o, n = oo + 1, line


def _equal_but_for_space(old: Sequence[str], new: Sequence[str]) -> _Pairs:
    bare = ["".join(line.split()) for line in old], ["".join(line.split()) for line in new]
    for first, second, count in _equal(*bare):
        for o, n in zip(range(first, first + count), range(second, second + count), strict=True):
            if bare[0][o]:
                yield o, n, 1.0 if old[o] == new[n] else SPACED


@lru_cache(maxsize=8)
def _similar(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[tuple[int, int, float], ...]:
    """The pairing in order of the greatest total similarity, of lines that are similar enough.

    Kept, since thousands of regions may lie in one large gap.
    """
    return tuple(_most_similar(old, new))


def _most_similar(old: Sequence[str], new: Sequence[str]) -> _Pairs:
    befores, afters = [_said(line) for line in old], [_said(line) for line in new]
    ratios = [[_similarity(before, after) for after in afters] for before in befores]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for o in range(len(old) - 1, -1, -1):
        row, below, says = best[o], best[o + 1], bool(befores[o].text)
        for n in range(len(new) - 1, -1, -1):
            ratio, most = ratios[o][n], max(below[n], row[n + 1])
            if ratio and says:
                # Of pairs that are equally alike, those that continue what stands above or below the gap.
                beside = 2 * BESIDE * (o == n) + BESIDE * (len(old) - o == len(new) - n)
                most = max(most, ratio + beside + below[n + 1])
            row[n] = most
    o = n = 0
    while o < len(old) and n < len(new):
        if best[o][n] == best[o + 1][n]:
            o += 1
        elif best[o][n] == best[o][n + 1]:
            n += 1
        else:
            yield o, n, ratios[o][n]
            o, n = o + 1, n + 1


def likeness(a: str, b: str) -> float:
    """How alike two lines are, from 0 to 1: by their letters or by their words, whichever says more; 0 below a floor."""
    return _likeness(_said(a), _said(b))


class _Said(NamedTuple):
    """What a line says: its text without what stands around it, its words, and the name that it defines.

    The name is that which it gives a value or declares, with whether a type or a keyword stands before it.
    """

    text: str
    long: bool
    words: Counter[str]
    total: int
    defined: tuple[str, bool] | None


@lru_cache(maxsize=4096)
def _said(line: str) -> _Said:
    if len(line) > LONGEST_LINE:
        return _Said(line.strip(), True, Counter(), 0, None)
    words, found = Counter(WORD.findall(line)), DEFINITION.match(line)
    defined = (found[2], bool(found[1])) if found and found[1].strip() not in NO_TYPE else None
    return _Said(line.strip(), False, words, words.total(), defined)


def _similarity(a: _Said, b: _Said) -> float:
    """How alike two lines are, or that they define the same name."""
    alike = _likeness(a, b)
    return DEFINES if alike < DEFINES and a.defined and a.defined == b.defined else alike


def _likeness(a: _Said, b: _Said) -> float:
    from rapidfuzz.distance import Indel

    if a.long or b.long:
        return 0.0
    letters = Indel.normalized_similarity(a.text, b.text, score_cutoff=SIMILAR)
    most, both = min(a.total, b.total), a.total + b.total
    if most < SHARED_WORDS or 2 * most / both < SIMILAR:
        return letters
    shared = sum(min(a.words[word], b.words[word]) for word in a.words.keys() & b.words.keys())
    words = 2 * shared / both
    if shared < SHARED_WORDS or words < SIMILAR:
        return letters
    # The same words say nothing of the operators between them.
    return max(letters, min(words, ALMOST))
