"""Which line of one text is which line of another, in bounded time.

Lines that are equal are joined first: those that occur once on each side fix the frame, the rest is filled in
between them. What is left over between joined lines is compared without its white space, then by similarity.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from claimcheck.model import Lines

# Cells of a table that are filled at most: by the bit-parallel algorithm, and one by one.
MOST_BITS = 100_000_000
MOST_CELLS = 60_000
LONGEST_LINE = 1_000
SIMILAR = 0.6


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a range went, how much of it is there, and whether its first and last line were found themselves."""

    lines: Lines
    coverage: float
    edges: bool


@dataclass(frozen=True, slots=True)
class Alignment:
    """`target[n - 1]` is the line that the old line n became, or None; `weight` is 1 for an equal line."""

    target: tuple[int | None, ...]
    weight: tuple[float, ...]
    substance: tuple[bool, ...]
    length: int

    def exact(self, lines: Lines) -> Lines | None:
        """Where a range went line by line without any change, if it did."""
        first = self.target[lines.first - 1]
        if first is None:
            return None
        kept = (
            self.target[n - 1] == first + n - lines.first and self.weight[n - 1] == 1
            for n in range(lines.first, lines.last + 1)
        )
        return lines.shifted(first - lines.first) if all(kept) else None

    def neighbours(self, lines: Lines, by: int) -> tuple[int, int]:
        """How many lines with letters or digits in a row stayed beside a range that is `by` lines off: above, below."""
        above = self._run(range(lines.first - 1, 0, -1), by)
        below = self._run(range(lines.last + 1, len(self.target) + 1), by)
        return above, below

    def _run(self, lines: range, by: int) -> int:
        count = 0
        for n in lines:
            if self.target[n - 1] != n + by or self.weight[n - 1] != 1 or count >= 3:
                break
            count += self.substance[n - 1]
        return count

    def place(self, lines: Lines) -> Placement | None:
        """Where a range went although it changed.

        A changed head belongs to the range if the change begins with the range, and as many lines of it as the
        range has if the change began above; likewise at the end. Lines that were only put before or after it do not.
        """
        inside = [n for n in range(lines.first, lines.last + 1) if self.target[n - 1] is not None]
        solid = [n for n in inside if self.substance[n - 1]]
        if not solid:
            return None
        first = self._first(lines, inside[0])
        last = self._last(lines, inside[-1])
        whole = sum(1 for n in range(lines.first, lines.last + 1) if self.substance[n - 1])
        edges = inside[0] == lines.first and inside[-1] == lines.last
        return Placement(Lines(first, last), sum(self.weight[n - 1] for n in solid) / whole, edges)

    def _first(self, lines: Lines, joined: int) -> int:
        target = self._at(joined)
        before = max((self._at(n) for n in range(joined - 1, 0, -1) if self.target[n - 1] is not None), default=0)
        free = target - before - 1
        began_here = lines.first == 1 or self.target[lines.first - 2] is not None
        return target - (free if began_here and joined > lines.first else min(free, joined - lines.first))

    def _last(self, lines: Lines, joined: int) -> int:
        target, end = self._at(joined), len(self.target)
        beyond = (self._at(n) for n in range(joined + 1, end + 1) if self.target[n - 1] is not None)
        free = min(beyond, default=self.length + 1) - target - 1
        ended_here = lines.last == end or self.target[lines.last] is not None
        return target + (free if ended_here and joined < lines.last else min(free, lines.last - joined))

    def _at(self, line: int) -> int:
        target = self.target[line - 1]
        assert target is not None
        return target


@lru_cache(maxsize=16)
def align(old: tuple[str, ...], new: tuple[str, ...]) -> Alignment:
    """Join the lines of two texts in order: equal ones, then those that differ in white space, then similar ones."""
    target = list(join(old, new).target)
    weight = [0.0 if line is None else 1.0 for line in target]
    for refine, most in ((_equal_but_for_space, MOST_BITS), (_similar, MOST_CELLS)):
        for o, n, how_much in list(_in_gaps(old, new, target, refine, most)):
            target[o], weight[o] = n + 1, how_much
    return _alignment(old, new, target, weight)


def join(old: tuple[str, ...], new: tuple[str, ...]) -> Alignment:
    """Join the lines of two texts that are equal, in order."""
    target: list[int | None] = [None] * len(old)
    for o, n in _equal(old, new):
        target[o] = n + 1
    return _alignment(old, new, target, [0.0 if line is None else 1.0 for line in target])


def _alignment(old: tuple[str, ...], new: tuple[str, ...], target: list[int | None], weight: list[float]) -> Alignment:
    substance = tuple(any(character.isalnum() for character in line) for line in old)
    return Alignment(tuple(target), tuple(weight), substance, len(new))


_Pairs = Iterator[tuple[int, int, float]]
_Refine = Callable[[Sequence[str], Sequence[str]], _Pairs]


def _equal(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Equal items in order: what both begin and end with, items that occur once, and what lies between those."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        yield start, start
        start += 1
    tail = 0
    while tail < min(len(old), len(new)) - start and old[-1 - tail] == new[-1 - tail]:
        yield len(old) - 1 - tail, len(new) - 1 - tail
        tail += 1
    o, n = start, start
    for oo, nn in [*_once(old, new, start, tail), (len(old) - tail, len(new) - tail)]:
        yield from _common(old[o:oo], new[n:nn], o, n)
        if oo < len(old) - tail:
            yield oo, nn
        o, n = oo + 1, nn + 1


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


def _common(
    old: Sequence[Hashable], new: Sequence[Hashable], old_start: int, new_start: int
) -> Iterator[tuple[int, int]]:
    if not old or not new or len(old) * len(new) > MOST_BITS:
        return
    from rapidfuzz.distance import Indel

    numbers: dict[Hashable, int] = {}
    left, right = ([numbers.setdefault(item, len(numbers)) for item in side] for side in (old, new))
    for operation in Indel.opcodes(left, right):
        if operation.tag == "equal":
            for k in range(operation.src_end - operation.src_start):
                yield old_start + operation.src_start + k, new_start + operation.dest_start + k


def _in_gaps(
    old: Sequence[str], new: Sequence[str], target: Sequence[int | None], refine: _Refine, budget: int
) -> _Pairs:
    """Pairs for the lines between two joined ones, leaving out what exceeds the budget."""
    o, n = 0, 0
    for oo, nn in [(i, j - 1) for i, j in enumerate(target) if j is not None] + [(len(old), len(new))]:
        cells = (oo - o) * (nn - n)
        if 0 < cells <= budget:
            budget -= cells
            yield from ((o + a, n + b, how_much) for a, b, how_much in refine(old[o:oo], new[n:nn]))
        o, n = oo + 1, nn + 1


def _equal_but_for_space(old: Sequence[str], new: Sequence[str]) -> _Pairs:
    bare = ["".join(line.split()) for line in old], ["".join(line.split()) for line in new]
    for o, n in _equal(*bare):
        if bare[0][o]:
            yield o, n, 1.0 if old[o] == new[n] else 0.99


def _similar(old: Sequence[str], new: Sequence[str]) -> _Pairs:
    """The pairing in order of the greatest total similarity, of lines that are similar enough."""
    from rapidfuzz.distance import Indel

    def ratio(a: str, b: str) -> float:
        if max(len(a), len(b)) > LONGEST_LINE:
            return 0.0
        return Indel.normalized_similarity(a.strip(), b.strip(), score_cutoff=SIMILAR)

    ratios = [[ratio(a, b) for b in new] for a in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for o in range(len(old) - 1, -1, -1):
        for n in range(len(new) - 1, -1, -1):
            joined = ratios[o][n] + best[o + 1][n + 1] if ratios[o][n] and old[o].strip() else 0.0
            best[o][n] = max(best[o + 1][n], best[o][n + 1], joined)
    o = n = 0
    while o < len(old) and n < len(new):
        if best[o][n] == best[o + 1][n]:
            o += 1
        elif best[o][n] == best[o][n + 1]:
            n += 1
        else:
            yield o, n, ratios[o][n]
            o, n = o + 1, n + 1
