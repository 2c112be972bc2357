"""Which lines of a long region are shown at first: those around its search strings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from claimcheck.rendering.contents import Stretch

SHOWN_LINES = 12
# A fold that hides less than this costs the reader more than it saves.
FEWEST_FOLDED = 4
# A window of fewer lines tells nothing about its string.
SMALLEST_WINDOW = 3


def stretches(texts: Sequence[str], first: int, hits: Iterable[int], most: int | None) -> tuple[Stretch, ...]:
    """A region's lines as shown and folded stretches, in order.

    `first` is the number of the first line, `hits` are the indexes of lines to show the surroundings of (else the
    beginning is shown), `most` is how many lines are shown; None shows all.
    """
    count = len(texts)
    if most is None or count < most + FEWEST_FOLDED:
        shown = [True] * count
    else:
        shown = _windows(texts, sorted(set(hits)) or [0], most)
        _unfold_short_runs(shown)
    found: list[Stretch] = []
    start = 0
    for index in range(1, count + 1):
        if index == count or shown[index] != shown[start]:
            found.append(Stretch(first + start, first + index - 1, not shown[start], start, index))
            start = index
    return tuple(found)


def _windows(texts: Sequence[str], hits: Sequence[int], most: int) -> list[bool]:
    """Grow a window around each hit, downwards twice as fast as upwards, until so many lines are shown."""
    shown = [False] * len(texts)
    windows = [[hit, hit] for hit in hits[: max(1, most // SMALLEST_WINDOW)]]
    for window in windows:
        shown[window[0]] = True
    left, blanks = most - sum(shown), False
    while left > 0:
        before = left
        for step in (1, 1, -1):
            for window in windows:
                if left and (line := _next_line(texts, shown, window, step, blanks)) is not None:
                    window[step > 0] = line
                    shown[line] = True
                    left -= 1
        blanks = left == before
    return shown


def _next_line(
    texts: Sequence[str], shown: Sequence[bool], window: Sequence[int], step: int, blanks: bool
) -> int | None:
    """The line by which a window grows, if there is one; upwards over a blank line only when nothing else is left."""
    line = window[step > 0] + step
    while 0 <= line < len(shown) and shown[line]:
        line += step
    if not 0 <= line < len(shown):
        return None
    # What stands above a blank line rarely belongs to what is below it.
    return line if step > 0 or blanks or texts[line].strip() else None


def _unfold_short_runs(shown: list[bool]) -> None:
    start = 0
    for index in range(1, len(shown) + 1):
        if index == len(shown) or shown[index] != shown[start]:
            if not shown[start] and index - start < FEWEST_FOLDED:
                shown[start:index] = [True] * (index - start)
            start = index
