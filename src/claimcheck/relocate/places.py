"""Where a text stands in another, and what stands beside it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from claimcheck.alignment import SPACED, Alignment
from claimcheck.kept import for_the_same
from claimcheck.model import Lines
from claimcheck.texts import line_starts

NEAR = 4
MOST_CANDIDATES = 10
UNIQUE = "extend the region by a line that only it has, or add a search string that stands only there"


def framed(aligned: Alignment, lines: Lines, equal: Sequence[Lines]) -> bool:
    """Whether a line of the body near a range stayed, other than one of several identical ranges."""
    near = (*range(max(2, lines.first - NEAR), lines.first), *range(lines.last + 1, lines.last + 1 + NEAR))
    return any(
        aligned.target[n - 1] is not None and aligned.weight[n - 1] >= SPACED and aligned.substance(n)
        for n in near
        if n <= len(aligned.target) and not any(n in place for place in equal)
    )


def beside_kept_lines(aligned: Alignment, lines: Lines, now: Lines) -> bool:
    """Whether a line that says something stayed above or below a range, so that it is not another one like it."""
    return max(aligned.beside(lines, now)) > 0


def bare(line: str) -> str:
    """A line without its white space."""
    return "".join(line.split())


@for_the_same(8)
def bare_lines(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Lines without their white space."""
    return tuple(map(bare, lines))


def lines_beside(lines: Sequence[str], place: Lines) -> tuple[str, str]:
    """The lines directly above and below a range, empty where there is none."""
    above = lines[place.first - 2] if place.first > 1 else ""
    return above, lines[place.last] if place.last < len(lines) else ""


def places_of(wanted: tuple[str, ...], lines: tuple[str, ...], most: int = 10 * MOST_CANDIDATES) -> list[Lines]:
    """Where a run of lines stands, at most a few more than can be shown."""
    # As one text, since finding a text in another is linear whatever the two are.
    text, starts = _as_one(lines)
    run = "\n".join(("", *wanted, ""))
    places: list[Lines] = []
    at = text.find(run)
    while at >= 0 and len(places) <= most:
        number = bisect_left(starts, at) + 1
        places.append(Lines(number, number + len(wanted) - 1))
        at = text.find(run, at + 1)
    return places


@for_the_same(8)
def _as_one(lines: tuple[str, ...]) -> tuple[str, Sequence[int]]:
    """Lines as one text in which an LF is before and after each, and where that before each of them is."""
    return "\n".join(("", *lines, "")), line_starts(lines)
