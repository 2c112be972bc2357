"""The strategy by search strings, and what else a region may be known by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from claimcheck.model import Lines
from claimcheck.outcome import (
    Extent,
    Outcome,
)
from claimcheck.relocate.answers import answer
from claimcheck.relocate.search import Search


def by_strings(search: Search) -> Outcome | None:
    """The search strings at their distance from the region's first line, where these leave one place."""
    starts = Counter(
        line - offset
        for string, offset in strings_of(search)
        if len(hits := search.new.hits(string)) == 1
        for line in hits
    )
    if not starts:
        return None
    last = len(search.new) - len(search.lines) + 1
    places = [Lines(start, start + len(search.lines) - 1) for start in starts if 1 <= start <= last]
    places = [lines for lines in places if search.home is not None and search.in_the_same_home(lines)]
    if len(places) == 1 and len(starts) == 1:
        return answer(search, places[0], "the search strings, at their distances", 0.4, extent=Extent.GUESSED)
    return None


def strings_of(search: Search) -> Iterator[tuple[str, int]]:
    """The strings that stand in the region, each with its line's distance from the first line."""
    tied = next((region.find for region in search.anchor.regions if region.lines == search.lines), ())
    for string in (*search.anchor.find, *tied):
        for offset, line in enumerate(search.text):
            if string in line:
                yield string, offset
                break
