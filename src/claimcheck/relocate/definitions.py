"""Strategies by the definitions that a region is or lies in."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.alignment import Alignment, Placement, align
from claimcheck.model import Lines
from claimcheck.outcome import (
    Ambiguous,
    Candidate,
    Outcome,
)
from claimcheck.pairing import Definitions
from claimcheck.phrases import first_of
from claimcheck.relocate.answers import answer
from claimcheck.relocate.changed_text import confidence_of, placed
from claimcheck.relocate.places import MOST_CANDIDATES, UNIQUE, beside_kept_lines, framed
from claimcheck.relocate.search import Search
from claimcheck.syntax import Symbol


def by_symbol(search: Search) -> Outcome | None:
    """The same definition: all of it if the region was all of it, else the lines inside that are aligned with it."""
    before, definitions = search.old_outline, search.definitions
    if before is None or definitions is None:
        return None
    inside = before.inside(search.lines)
    described = before.describe(search.lines)
    below = search.old.lines[inside[-1].lines.last : search.lines.last] if inside else ()
    if inside and described == ", ".join(symbol.name for symbol in inside) and not any(map(str.strip, below)):
        return _whole_definitions(search, definitions, inside)
    if search.home is None:
        return None
    now = definitions.same(search.home)
    if isinstance(now, tuple):
        return _several(search.path, now) if len(now) > 1 else None
    return _part_of_definition(search, search.home, now)


def by_renamed_symbol(search: Search) -> Outcome | None:
    """The definition of another name that the region's definition clearly became, or the lines inside of it."""
    before, definitions = search.old_outline, search.definitions
    if before is None or definitions is None or search.home is None or definitions.same(search.home) != ():
        return None
    now = definitions.renamed(search.home)
    if now is None:
        return None
    if before.inside(search.lines) == (search.home,):
        lines = _with_its_head(search, search.home, now)
        evidence = f"`{search.home.name}` has another name, `{now.name}`"
        return answer(search, lines, evidence, 0.6, renamed=True)
    return _part_of_definition(search, search.home, now, renamed=True)


def _whole_definitions(search: Search, definitions: Definitions, inside: Sequence[Symbol]) -> Outcome | None:
    """The new extent of definitions that a region was, with what it had of their decorators and comments."""
    now: list[Symbol] = []
    for symbol in inside:
        found = definitions.same(symbol)
        if isinstance(found, Symbol):
            now.append(found)
        elif len(found) > 1:
            return _several(search.path, found)
    if not now or 2 * len(now) < len(inside):
        return None
    top = min(now, key=lambda symbol: symbol.lines.first)
    lines = Lines(_head(search, inside[0], top), max(symbol.lines.last for symbol in now))
    gone = [symbol.name for symbol in inside if symbol.name not in {one.name for one in now}]
    evidence = "the definition of the same name" + (f"; gone: {first_of(gone)}" if gone else "")
    return answer(search, lines, evidence, 0.6 if gone else 0.93)


def _with_its_head(search: Search, was: Symbol, now: Symbol) -> Lines:
    return Lines(_head(search, was, now), now.lines.last)


def _head(search: Search, was: Symbol, now: Symbol) -> int:
    """The first line of a region that began with a definition: at its name, its decorators, or in the comment above."""
    if search.lines.first == was.name_line > was.lines.first:
        return now.name_line
    first = now.lines.first
    if search.lines.first < was.lines.first and search.old_outline and search.new_outline:
        while first - 1 in search.new_outline.comment_lines:
            first -= 1
        kept = search.alignment.target[search.lines.first - 1] or 0
        if search.lines.first - 1 in search.old_outline.comment_lines and first <= kept < now.lines.first:
            return kept
    return first


def _several(path: str, found: Sequence[Symbol]) -> Ambiguous:
    listed = first_of([one.lines.first for one in found], MOST_CANDIDATES)
    candidates = tuple(Candidate(path, one.lines, round(1 / len(found), 2)) for one in found[:MOST_CANDIDATES])
    remedy = "add a search string that stands in only one of them"
    return Ambiguous(candidates, remedy, f"{len(found)} definitions of `{found[0].name}`: lines {listed}")


def _part_of_definition(search: Search, was: Symbol, now: Symbol, renamed: bool = False) -> Outcome | None:
    """Where a part of a definition is in what the definition is now."""
    up, down = was.lines.first - 1, now.lines.first - 1
    aligned = align(
        search.old.lines[up : was.lines.last],
        search.new.lines[down : now.lines.last],
        search.lines.shifted(-up),
        (was.name_line - up, now.name_line - down),
    )
    placement = placed(search, aligned, up, down)
    if placement is None:
        return None
    if not _told_apart(search, was, now, aligned, placement.lines.shifted(-down)):
        return _one_of_several(search, now, placement)
    evidence = f"inside `{now.name}`, {placement.coverage:.0%} of the lines aligned"
    confidence = confidence_of(search, placement, now.lines)
    if renamed:
        evidence, confidence = f"{evidence}; the definition has another name", 0.8 * confidence
    return answer(search, placement.lines, evidence, confidence, renamed=renamed)


def _one_of_several(search: Search, now: Symbol, placement: Placement) -> Ambiguous:
    others = [lines for lines in search.new_bare_places if now.lines.covers(lines) and lines != placement.lines]
    places = sorted([placement.lines, *others])
    listed = first_of([lines.first for lines in places], MOST_CANDIDATES)
    candidates = tuple(Candidate(search.path, lines, round(1 / len(places), 2)) for lines in places[:MOST_CANDIDATES])
    where = f"the same text several times in `{now.name}`, before or now; at lines {listed}"
    return Ambiguous(candidates, UNIQUE, where)


def _told_apart(search: Search, before: Symbol, after: Symbol, aligned: Alignment, lines: Lines) -> bool:
    """Whether a place inside a definition is the region, and not the same text once more in that definition.

    Where there are as many as before, it is the same one of them in order and a line near the region stayed, or a line
    that stayed beside the region is beside this place; where they have become more or fewer, a line above and one below.
    """
    olds = [place for place in search.old_bare_places if before.lines.covers(place)]
    news = [place for place in search.new_bare_places if after.lines.covers(place)]
    if len(olds) <= 1 and len(news) <= 1:
        return True
    at = search.lines.shifted(1 - before.lines.first)
    there = lines.shifted(after.lines.first - 1)
    same_in_order = len(olds) == len(news) and there in news and olds.index(search.lines) == news.index(there)
    if same_in_order and framed(aligned, at, [place.shifted(1 - before.lines.first) for place in olds]):
        return True
    if len(olds) == len(news) or there not in news:
        return beside_kept_lines(aligned, at, lines)
    return min(aligned.beside(at, lines)) > 0
