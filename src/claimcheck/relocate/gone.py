"""What is said of a region that was not found: where it may have gone, and what is left of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from claimcheck.alignment import WORD, align
from claimcheck.model import Lines
from claimcheck.outcome import (
    Ambiguous,
    Candidate,
    Cosmetic,
    Deleted,
    Edited,
    Outcome,
    Renamed,
    Spot,
    spot_of,
)
from claimcheck.relocate.answers import describe
from claimcheck.relocate.changed_text import FLOOR
from claimcheck.relocate.definitions import by_symbol
from claimcheck.relocate.places import MOST_CANDIDATES, UNIQUE, places_of
from claimcheck.relocate.search import Search
from claimcheck.relocate.strings import strings_of
from claimcheck.relocate.target import lacking
from claimcheck.syntax import outline
from claimcheck.texts import SourceText


def deleted(search: Search) -> Outcome:
    """Nothing that could be called the region: the same text in several places, in another file, or a mere trail."""
    places = list(_left(search))
    if places:
        before = len(search.old_places)
        likely = round(1 / max(before, len(places)), 2) if search.substantial else round(1 / len(places), 2)
        candidates = tuple(Candidate(search.path, lines, likely) for lines in places[:MOST_CANDIDATES])
        listed = ", ".join(str(lines.first) for lines in places[:MOST_CANDIDATES])
        if not search.substantial:
            return Ambiguous(candidates, UNIQUE, f"no letter or digit tells it from others; the same at lines {listed}")
        if before > 1 or len(places) > 1:
            said = f"{len(places)} times, at lines {listed}"
            if len(places) == 1:
                said = f"{before} times before, once now, at line {listed}"
            return Ambiguous(candidates, UNIQUE, f"the same text {said}")
    elsewhere = _in_other_file(search) or (_definition_in_other_file(search) if _home_gone(search) else None)
    # A line by itself is the easiest to write once more.
    alone = len(search.lines) == 1 and isinstance(elsewhere, Renamed | Cosmetic)
    if elsewhere is not None and not alone:
        return elsewhere
    trail = (*_as_trail(elsewhere), *_trail(search))
    if search.home and _home_gone(search):
        lost = search.new_outline.unparsed(search.home.name) if search.new_outline else ()
        if lost:
            unread = f"the parser did not understand line {lost[0]}, which may be `{search.home.name}`"
            return Deleted(f"its text is not in {search.path} any more; {unread}", trail, 0.5)
        gone = f"`{search.home.name}` and its text are not in {search.path} any more"
        return Deleted(f"{gone}{lacking(search.tree)}", trail, 0.8)
    if search.new_bare_places and len(search.old_bare_places) > 1:
        return Deleted(f"of several equal texts in {search.path} one is not there any more", trail, 0.8)
    return Deleted(f"its text is not in {search.path} any more", trail, 0.92)


def _left(search: Search) -> Iterator[Lines]:
    """Where the text stands, but for places that the line map gives to another of several identical texts."""
    if _home_gone(search):
        yield from search.new_places or search.new_bare_places
        return
    whole = align(search.old.lines, search.new.lines)
    others = [other for other in search.old_bare_places if other != search.lines]
    taken = {whole.exact_but_for_space(other) for other in others}
    exact = [place for place in search.new_places if place not in taken]
    yield from exact or (place for place in search.new_bare_places if place not in taken)


def _home_gone(search: Search) -> bool:
    return bool(search.home and search.new_outline and not search.new_outline.exactly(search.home.name))


def _other_files(search: Search) -> Iterator[tuple[str, SourceText]]:
    """The texts of other files in which the region may be now."""
    for path in search.other_paths:
        text = search.tree.text(path)
        if text is not None:
            yield path, text


def _in_other_file(search: Search) -> Outcome | None:
    """The same text in exactly one other file that was touched, if it is long enough to be told from others."""
    if sum(any(character.isalnum() for character in line) for line in search.text) < 3 or len(search.old_places) > 1:
        return None
    telling = max(search.text, key=lambda line: len(line.strip())).strip()
    found = [
        (path, text, lines)
        for path, text in _other_files(search)
        if telling in text.text
        for lines in places_of(search.text, text.lines)
    ]
    if len(found) == 1:
        path, text, lines = found[0]
        spot = Spot(path, lines, describe(text, path, lines))
        return Renamed(spot, "same text, once in the files that changed", 0.85)
    if found:
        candidates = tuple(
            Candidate(path, lines, round(1 / len(found), 2)) for path, _, lines in found[:MOST_CANDIDATES]
        )
        return Ambiguous(candidates, "set `path:` to the file that is meant", f"the same text in {len(found)} places")
    return None


def _definition_in_other_file(search: Search) -> Outcome | None:
    """The region in its definition where exactly one other file that was touched has that, with most of its lines."""
    home = search.home
    if home is None:
        return None
    words = set(WORD.findall(home.name))
    found: list[Search] = []
    for path, text in _other_files(search):
        # Parsing costs more than anything else here, and the text of a definition has the words of its name.
        structure = outline(text.text, path) if all(word in text.text for word in words) else None
        if structure and structure.exactly(home.name):
            found.append(replace(search, path=path, new=text))
            if len(found) > 1:
                return None
    placement = found[0].alignment.place(search.lines) if found else None
    if placement is None or placement.coverage < FLOOR:
        return None
    outcome = by_symbol(found[0])
    if isinstance(outcome, Renamed | Cosmetic | Edited):
        confidence = 0.6 if isinstance(outcome, Edited) else 0.85
        return replace(outcome, confidence=confidence, evidence=f"{outcome.evidence}; in another file")
    return None


def _as_trail(outcome: Outcome | None) -> Iterator[Candidate]:
    if outcome is not None and (spot := spot_of(outcome)):
        yield Candidate(spot.path, spot.lines, 0.4)


def _trail(search: Search) -> Iterator[Candidate]:
    """Where one of its strings stands now, once."""
    for string, _offset in strings_of(search):
        for path, text in ((search.path, search.new), *_other_files(search)):
            hits = text.hits(string)
            if len(hits) == 1:
                yield Candidate(path, Lines(hits[0], hits[0]), 0.1)
                break
