"""A region's lines side by side: hunks of two columns, lines that belong together at one height, words that differ.

What is equal between two hunks is folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from claimcheck.drift import AnchorDrift, DiffLine, Drift, RegionDrift
from claimcheck.excerpts import shortened
from claimcheck.forges import NoLink, permalink
from claimcheck.model import Lines, Pin, Revision, Vendor
from claimcheck.outcome import Ambiguous, Located, Unavailable
from claimcheck.values import frozen

CONTEXT = 3
FEWEST_FOLDED = 3
MOST_FOLDED_SHOWN = 2000
# Pairing every removed with every added line is quadratic; beyond this they are paired in order.
MOST_PAIRED = 10_000
ALIKE = 0.5
MOST_TOKENS = 2000

_TOKEN = re.compile(r"[A-Za-z0-9_]+|[-+*/%=<>!&|^~]+|\s+|.", re.DOTALL)

Part = tuple[bool, str]


@frozen
class Line:
    """A line of one column: `kind` is same, old, new, around (of a candidate) or none.

    A part is marked where the other column differs.
    """

    kind: str
    number: int | None = None
    parts: tuple[Part, ...] = ()
    cut: str = ""

    @property
    def shown_number(self) -> str:
        sign = {"old": "-", "new": "+"}.get(self.kind, " ")
        return f"{self.number}{sign}" if self.number is not None else ""


@frozen
class Column:
    """One side of a hunk: where its lines stand, and the address of these very lines if they have one."""

    side: str
    place: str
    lines: tuple[Line, ...]
    link: str | None = None


@frozen
class Block:
    """A hunk, or (`folded`) equal lines that are opened by hand; their number stands even where they are left out."""

    columns: tuple[Column, ...]
    folded: int = 0


@frozen
class Sides:
    """Where the two columns of a region come from."""

    drift: Drift
    vendor: Vendor
    one: AnchorDrift
    region: RegionDrift

    @property
    def old_revision(self) -> Revision | None:
        return self.one.origin if isinstance(self.one.origin, Revision) else None

    def column(self, side: str, lines: tuple[Line, ...], path: str | None = None) -> Column:
        """One side of a hunk; `path` for a candidate, which need not be in the region's file."""
        numbers = [line.number for line in lines if line.number is not None and line.kind != "around"]
        spot = self.region.spot
        old = side == "old"
        path = path or (self.region.path if old or spot is None else spot.path)
        at = self.old_revision if old else self.drift.target
        name = at.label if at else short(self.one.origin)
        if not numbers:
            return Column(side, f"{name}: no such lines", lines)
        where = Lines(numbers[0], numbers[-1])
        address = permalink(self.vendor, at, path, where) if at else None
        link = address if isinstance(address, str) else None
        return Column(side, f"{name} {path.rpartition('/')[2]}:{where}", lines, link)

    @property
    def no_link(self) -> str:
        """Why a side has no permalink, and what stands there instead; nothing where both have one."""
        sides = ((self.old_revision, self.region.path), (self.drift.target, self._new_path))
        archives = [at.label for at, _ in sides if at and at.release]
        said = []
        if archives:
            are = "are source archives" if len(archives) > 1 else "is a source archive"
            names = " and ".join(archives)
            said.append(f"{self.drift.vendor} {names} {are}, without permalinks: file and lines stand instead.")
        for at, path in sides:
            address = permalink(self.vendor, at, path) if at and path and not at.release else None
            if isinstance(address, NoLink):
                said.append(f"No permalink: {address.reason}.")
        return " ".join(dict.fromkeys(said))

    @property
    def _new_path(self) -> str | None:
        return self.region.spot.path if self.region.spot else None


def short(origin: Revision | Pin) -> str:
    """What people call a revision, also one that is not here."""
    return origin.short if isinstance(origin, Pin) else origin.label


def blocks(sides: Sides, rows: Sequence[DiffLine | int]) -> Iterator[Block]:
    """The hunks with their equal neighbours, and what is equal between them folded."""
    known = _dedented([row for row in rows if isinstance(row, DiffLine)])
    if isinstance(sides.region.outcome, Ambiguous | Located | Unavailable):
        yield from _uncompared(sides, known)
        return
    pairs = list(_pairs(known))
    one_sided = all(a.kind == "none" for a, _ in pairs) or all(b.kind == "none" for _, b in pairs)
    shown = [False] * len(pairs)
    for n, (a, b) in enumerate(pairs):
        if a.kind != "same" or b.kind != "same":
            for near in range(max(0, n - CONTEXT), min(len(pairs), n + CONTEXT + 1)):
                shown[near] = True
    for first, last in _runs(shown):
        run = pairs[first:last]
        folded = 0 if shown[first] or len(run) < FEWEST_FOLDED else len(run)
        if folded > MOST_FOLDED_SHOWN:
            yield Block((), folded)
            continue
        sides_of = (("old", tuple(a for a, _ in run)), ("new", tuple(b for _, b in run)))
        columns = tuple(
            sides.column(side, lines)
            for side, lines in sides_of
            if not (one_sided and all(line.kind == "none" for line in lines))
        )
        yield Block(columns, folded)


def _dedented(rows: list[DiffLine]) -> list[DiffLine]:
    """The rows without the indentation that all of them have: on a phone it would be all that is seen."""
    indents = [row.text[: len(row.text) - len(row.text.lstrip())] for row in rows if row.text.strip()]
    common = min(indents, key=len, default="")
    while common and not all(indent.startswith(common) for indent in indents):
        common = common[:-1]
    return [replace(row, text=row.text.removeprefix(common)) for row in rows] if common else rows


def _uncompared(sides: Sides, rows: Sequence[DiffLine]) -> Iterator[Block]:
    """The lines of the one side that is known, without a sign: nothing says that they were added or removed."""
    old = tuple(line("same", row.old, row.text) for row in rows if row.old is not None)
    new = tuple(line("same", row.new, row.text) for row in rows if row.new is not None)
    columns = tuple(sides.column(side, lines) for side, lines in (("old", old), ("new", new)) if lines)
    if columns:
        yield Block(columns)


def _runs(shown: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Stretches of one kind; a stretch too short to fold goes with its neighbours."""
    smooth = list(shown)
    start = 0
    for n in range(1, len(shown) + 1):
        if n == len(shown) or shown[n] != shown[start]:
            if not shown[start] and n - start < FEWEST_FOLDED:
                smooth[start:n] = [True] * (n - start)
            start = n
    start = 0
    for n in range(1, len(smooth) + 1):
        if n == len(smooth) or smooth[n] != smooth[start]:
            yield start, n
            start = n


def _pairs(rows: Sequence[DiffLine]) -> Iterator[tuple[Line, Line]]:
    """The rows as pairs of lines: equal ones, and in a replaced stretch those that are alike."""
    removed: list[DiffLine] = []
    added: list[DiffLine] = []
    for row in rows:
        if row.old is not None and row.new is not None:
            yield from _replaced(removed, added)
            removed, added = [], []
            yield line("same", row.old, row.text), line("same", row.new, row.text)
        elif row.old is not None:
            removed.append(row)
        else:
            added.append(row)
    yield from _replaced(removed, added)


def _replaced(removed: Sequence[DiffLine], added: Sequence[DiffLine]) -> Iterator[tuple[Line, Line]]:
    i = j = 0
    nothing = Line("none")
    for p, q in [*_alike(removed, added), (len(removed), len(added))]:
        # What is only on one side goes opposite to what is only on the other.
        for n in range(max(p - i, q - j)):
            old = line("old", removed[i + n].old, removed[i + n].text) if i + n < p else nothing
            new = line("new", added[j + n].new, added[j + n].text) if j + n < q else nothing
            yield old, new
        if p < len(removed) and q < len(added):
            yield _marked(removed[p], added[q])
        i, j = p + 1, q + 1


def _alike(removed: Sequence[DiffLine], added: Sequence[DiffLine]) -> list[tuple[int, int]]:
    """The pairs of lines that are alike, in order, so that their likeness is greatest in all."""
    if not removed or not added:
        return []
    if len(removed) * len(added) > MOST_PAIRED:
        return [(n, n) for n in range(min(len(removed), len(added)))]
    from rapidfuzz.distance import Indel

    scores = [[Indel.normalized_similarity(a.text.strip(), b.text.strip()) for b in added] for a in removed]
    best = [[0.0] * (len(added) + 1) for _ in range(len(removed) + 1)]
    for i in range(len(removed) - 1, -1, -1):
        for j in range(len(added) - 1, -1, -1):
            paired = scores[i][j] + best[i + 1][j + 1] if _fit(removed[i], added[j], scores[i][j]) else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(removed) and j < len(added):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((i, j))
            i, j = i + 1, j + 1
    return pairs


def _fit(a: DiffLine, b: DiffLine, score: float) -> bool:
    return bool(a.text.strip()) == bool(b.text.strip()) and score >= ALIKE


def line(kind: str, number: int | None, text: str) -> Line:
    beginning, more = shortened(text)
    return Line(kind, number, ((False, beginning),) if beginning else (), more)


def _marked(old: DiffLine, new: DiffLine) -> tuple[Line, Line]:
    (before, before_cut), (after, after_cut) = shortened(old.text), shortened(new.text)
    a, b = _words(before, after)
    return Line("old", old.old, a, before_cut), Line("new", new.new, b, after_cut)


def _words(before: str, after: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Both lines in parts, those marked that are in one of them only, by words."""
    a, b = _TOKEN.findall(before), _TOKEN.findall(after)
    if len(a) > MOST_TOKENS or len(b) > MOST_TOKENS:
        return ((True, before),), ((True, after),)
    old: list[Part] = []
    new: list[Part] = []
    for tag, i, j, k, m in SequenceMatcher(a=a, b=b, autojunk=False).get_opcodes():
        marked = tag != "equal"
        old.append((marked, "".join(a[i:j])))
        new.append((marked, "".join(b[k:m])))
    return tuple(part for part in old if part[1]), tuple(part for part in new if part[1])
