"""Which lines of a long region are shown at first: those around its search strings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from claimcheck.rendering.contents import Stretch

_DOCSTRING = re.compile(r"[rRuU]?(\"\"\"|''')")

SHOWN_LINES = 12
# A fold that hides less than this costs the reader more than it saves.
FEWEST_FOLDED = 4
# A window of fewer lines tells nothing about its string.
SMALLEST_WINDOW = 3


def stretches(
    texts: Sequence[str], first: int, hits: Iterable[int], most: int | None, language: str = ""
) -> tuple[Stretch, ...]:
    """A region's lines as shown and folded stretches, in order.

    `first` is the number of the first line, `hits` are the indexes of lines to show the surroundings of (else the
    beginning is shown), `most` is how many lines are shown; None shows all. Docstrings are passed over where they can
    be: whoever cites a definition means what it does.
    """
    count = len(texts)
    if most is None or count < most + FEWEST_FOLDED:
        shown = [True] * count
    else:
        passed = _docstrings(texts) if language == "python" else frozenset()
        shown = _windows(texts, sorted(set(hits)) or [0], most, passed)
        _fold_blank_edges(texts, shown)
        _unfold_short_runs(shown)
    found: list[Stretch] = []
    start = 0
    for index in range(1, count + 1):
        if index == count or shown[index] != shown[start]:
            found.append(Stretch(first + start, first + index - 1, not shown[start], start, index))
            start = index
    return tuple(found)


def _windows(texts: Sequence[str], hits: Sequence[int], most: int, passed: frozenset[int]) -> list[bool]:
    """Grow a window around each hit, downwards twice as fast as upwards, until so many lines are shown."""
    shown = [False] * len(texts)
    windows = [[hit, hit] for hit in hits[: max(1, most // SMALLEST_WINDOW)]]
    for window in windows:
        shown[window[0]] = True
    left, everything = most - sum(shown), False
    while left > 0:
        before = left
        skipped = frozenset() if everything else passed
        for step in (1, 1, -1):
            for window in windows:
                line = _next_line(texts, shown, window[step > 0], step, skipped)
                if line is None or not left or (step < 0 and not everything and not texts[line].strip()):
                    continue  # what stands above a blank line rarely belongs to what is below it
                window[step > 0] = line
                shown[line] = True
                left -= 1
        if left == before and everything:
            break  # what is folded lies inside windows
        everything = left == before
    return shown


def _next_line(texts: Sequence[str], shown: Sequence[bool], end: int, step: int, skipped: frozenset[int]) -> int | None:
    """The line by which a window grows at one of its ends, if there is one."""
    line = end + step
    while 0 <= line < len(shown) and (shown[line] or line in skipped):
        line += step
    return line if 0 <= line < len(shown) else None


def _docstrings(texts: Sequence[str]) -> frozenset[int]:
    """The lines of docstrings, as far as lines alone tell: three quotes right below a line that ends with a colon."""
    found: set[int] = set()
    quotes, opened = "", False
    for index, text in enumerate(texts):
        bare = text.strip()
        if quotes:
            found.add(index)
            quotes = "" if quotes in bare else quotes
        elif not bare and index - 1 in found:
            found.add(index)
        elif opened and (match := _DOCSTRING.match(bare)):
            found.add(index)
            quotes = "" if match[1] in bare[match.end() :] else match[1]
        if bare:
            opened = bare.endswith(":")
    return frozenset(found)


def _fold_blank_edges(texts: Sequence[str], shown: list[bool]) -> None:
    """Fold blank lines that lie between what is shown and what is folded anyway."""
    for order in (range(len(shown)), range(len(shown) - 1, -1, -1)):
        beside_fold = False
        for index in order:
            if shown[index] and beside_fold and not texts[index].strip():
                shown[index] = False
            beside_fold = not shown[index]


def _unfold_short_runs(shown: list[bool]) -> None:
    start = 0
    for index in range(1, len(shown) + 1):
        if index == len(shown) or shown[index] != shown[start]:
            if not shown[start] and index - start < FEWEST_FOLDED:
                shown[start:index] = [True] * (index - start)
            start = index
