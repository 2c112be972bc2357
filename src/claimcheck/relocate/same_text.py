"""Strategies for text that is the same, or the same but for white space."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from claimcheck.grammars import grammar_for
from claimcheck.kept import for_the_same
from claimcheck.outcome import Outcome
from claimcheck.relocate.answers import answer
from claimcheck.relocate.places import bare_lines, places_of
from claimcheck.relocate.search import Search

MOST_HEADING_LINES = 20_000
MOST_HEADINGS = 100
MOST_BELOW_HEADINGS = 2_000


def by_line_map(search: Search) -> Outcome | None:
    """The same text where the diff puts it.

    Text that occurs only once on both sides needs nothing else. Otherwise the place has to be in the same
    definition and beside lines that stayed with it, or it might be another of several that look the same.
    """
    lines = search.kept.exact(search.lines)
    if lines is None or not search.still_whole(lines):
        return None
    once = search.substantial and len(search.old_places) == len(search.new_places) == 1
    if not once and not search.beside_its_neighbours(lines, search.old_places, search.new_places):
        return None
    return answer(search, lines, "the line map of the diff, same text", 0.98 if once else 0.9)


def by_text(search: Search) -> Outcome | None:
    """The same text elsewhere in the file, once before and once now, or once in the same definition."""
    if not search.substantial or not search.new_places:
        return None
    if len(search.old_places) == len(search.new_places) == 1 and search.still_whole(search.new_places[0]):
        # A line by itself is the easiest to write once more elsewhere.
        certain = 0.95 if len(search.lines) > 1 else 0.85
        return answer(search, search.new_places[0], "same text, once in the file before and after", certain)
    if search.home is None:
        return None
    mine = [lines for lines in search.new_places if search.at_home(lines)]
    if len(mine) == len(search.of_home(search.old_places)) == 1 and search.still_whole(mine[0]):
        return answer(search, mine[0], f"same text, once in `{search.home.name}`", 0.9)
    return None


def by_text_but_for_space(search: Search) -> Outcome | None:
    """The same lines but for white space: where the line map puts them, or elsewhere, once before and once now."""
    if not search.substantial or not search.new_bare_places:
        return None
    once = len(search.old_bare_places) == len(search.new_bare_places) == 1
    lines = search.alignment.exact_but_for_space(search.lines)
    if (
        lines is not None
        and search.still_whole(lines)
        and (once or search.beside_its_neighbours(lines, search.old_bare_places, search.new_bare_places))
    ):
        return answer(search, lines, "the line map of the diff, same but for white space", 0.96 if once else 0.8)
    if once and search.still_whole(search.new_bare_places[0]):
        return answer(search, search.new_bare_places[0], "same but for white space, once before and after", 0.92)
    if search.home is None:
        return None
    mine = [place for place in search.new_bare_places if search.at_home(place)]
    if len(mine) == len(search.of_home(search.old_bare_places)) == 1 and search.still_whole(mine[0]):
        return answer(search, mine[0], f"same but for white space, once in `{search.home.name}`", 0.88)
    return None


def by_headings(search: Search) -> Outcome | None:
    """The same text, once below the same headings: the lines above it that are indented less and less.

    Where there is no grammar these are what names a place: the keys around an entry, the section of a setting.
    """
    if not search.substantial or grammar_for(search.anchor.path) is not None:
        return None
    before, after = _headings(search.old.lines), _headings(search.new.lines)
    wanted = tuple(before.of(search.lines.first))
    if not wanted:
        return None
    mine, now = (
        [
            place
            for place in places_of(search.bare_text, bare_lines(headings.lines), MOST_BELOW_HEADINGS)
            if next(headings.of(place.first), None) == wanted[0] and tuple(headings.of(place.first)) == wanted
        ]
        for headings in (before, after)
    )
    if len(mine) == len(now) == 1:
        return answer(search, now[0], f"the same text, once below `{wanted[0]}`", 0.85)
    return None


class _Headings:
    """What stands above the lines of a text and is indented less."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        self.lines = lines
        self._above: list[int] = []
        around: list[int] = []
        depths: list[int] = []
        for n, line in enumerate(lines, 1):
            depth = _depth(line)
            outer = bisect_left(depths, depth)
            self._above.append(around[outer - 1] if outer else 0)
            if line.strip():
                around[outer:], depths[outer:] = [n], [depth]

    def of(self, at: int) -> Iterator[str]:
        """The lines above a line that are indented less and less, from the nearest one up."""
        n = self._above[at - 1]
        for _ in range(MOST_HEADINGS):
            if not n or n < at - MOST_HEADING_LINES:
                return
            yield self.lines[n - 1].strip()
            n = self._above[n - 1]


_headings = for_the_same(8)(_Headings)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
