"""The strategy for text that changed, outside of definitions and in those that have lines of the region."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from claimcheck.alignment import Alignment, Placement, likeness
from claimcheck.model import Lines
from claimcheck.outcome import Outcome
from claimcheck.pairing import shared_words
from claimcheck.relocate.answers import answer, difference
from claimcheck.relocate.places import bare, bare_lines, beside_kept_lines, places_of
from claimcheck.relocate.search import Search
from claimcheck.syntax import Outline, Piece, Symbol

FLOOR = 0.5
RENAMED_FLOOR = 0.7
REPLACED_FLOOR = 0.4
REPLACED_LINES = 6
REPLACED_MOST = 0.75
PIECE_FLOOR = 0.3
ITSELF = 0.75
MOSTLY_THERE = 0.8
DIRECTIVE = re.compile(
    r"(?:#|//|/\*|--).*?(?:noqa|pylint:|type:\s*ignore|mypy:|pyright:|flake8:|ruff:|nosec|pragma|fmt:|yapf:|isort:"
    r"|NOLINT|nolint|clang-format|cppcheck-|eslint-|prettier-|tslint:|@ts-|istanbul|rubocop:|NOSONAR|NOPMD|CHECKSTYLE).*$"
)


def by_lines(search: Search) -> Outcome | None:
    """Where most of the lines still stand, if the parser is lost there and takes the definition for another or for longer.

    A bracket that nobody closed makes the rest of a file a part of the definition above it, and its lines stay.
    """
    before, after = search.old_outline, search.new_outline
    if before is None or after is None:
        return None
    was_lost = search.home is None and before.error_overlaps(search.lines)
    if not was_lost and not (search.home and after.errors and _is_lost(search, search.home, after)):
        return None
    placement = search.alignment.place(search.lines)
    if placement is None or placement.coverage < RENAMED_FLOOR:
        return None
    where = f"where it was in {search.anchor.path}" if was_lost else f"in {search.path}"
    evidence = f"the line map of the diff, {placement.coverage:.0%} of the lines; the parser is lost {where}"
    return answer(search, placement.lines, evidence, 0.6)


def _is_lost(search: Search, home: Symbol, after: Outline) -> bool:
    """Whether a definition is not known in a text with parse errors, or does not go as far there as its lines do."""
    now = search.definitions.same(home) if search.definitions else ()
    if not isinstance(now, Symbol):
        return True
    around = search.alignment.place(home.lines)
    if around is None or around.lines == now.lines:
        return False
    return after.error_overlaps(Lines(now.lines.first, now.lines.last + 1))


def by_changed_text(search: Search) -> Outcome | None:
    """Outside of definitions, or in one that has another name now: where most of its lines still stand."""
    placement = placed(search, search.alignment, 0, 0)
    if placement is None:
        return None
    if search.new_places and not beside_kept_lines(search.alignment, search.lines, placement.lines):
        return None
    if search.in_renamed_home(placement.lines) and placement.coverage >= RENAMED_FLOOR:
        evidence = f"aligned, {placement.coverage:.0%}; the definition has another name"
        confidence = 0.8 * confidence_of(search, placement, search.new.whole)
        return answer(search, placement.lines, evidence, confidence, renamed=True)
    if search.home is None and search.at_home(placement.lines):
        evidence = f"the line map of the diff, {placement.coverage:.0%} of the lines"
        return answer(search, placement.lines, evidence, confidence_of(search, placement, search.new.whole))
    return None


def confidence_of(search: Search, placement: Placement, within: Lines) -> float:
    """How likely a place is that was found by aligned lines, counted on pairs whose truth is known.

    Most of the lines have to be there, and no other place within the same definition may have the same text; a
    single line that became several may be cited for one of them.
    """
    coverage = min(1.0, placement.coverage)
    if coverage >= MOSTLY_THERE:
        found = 0.9 + 0.06 * (coverage - MOSTLY_THERE) / (1 - MOSTLY_THERE)
    else:
        found = 0.85 * coverage / MOSTLY_THERE
    here = search.new.lines[placement.lines.first - 1 : placement.lines.last]
    text = bare_lines(search.new.lines)[within.first - 1 : within.last]
    if len(places_of(tuple(map(bare, here)), text, 1)) > 1:
        return min(found, 0.7)
    if len(search.lines) == 1 and len(placement.lines) > 1:
        return min(found, 0.75)
    return found


def placed(search: Search, aligned: Alignment, up: int, down: int) -> Placement | None:
    """Where the region went by an alignment of two pieces of the texts that begin after `up` and `down` lines.

    Enough of its lines have to be there, or it was replaced in place by something that is still like it. A
    statement or block that was whole stays whole.
    """
    local = search.lines.shifted(-up)
    placement = aligned.place(local)
    gap = _gap(search, aligned, local, down)
    if gap is not None and not _edges_stand(placement, local):
        ratio = shared_words(search.text, search.new.lines[gap.first - 1 : gap.last])
        if ratio >= REPLACED_FLOOR:
            replaced = Placement(gap, min(ratio, REPLACED_MOST), False)
            whole = _with_whole_pieces(search, aligned, up, down, replaced)
            return _with_its_directive(search, gap, whole if whole.lines.covers(gap) else replaced)
    if placement is None or placement.coverage < FLOOR:
        return None
    placement = replace(placement, lines=placement.lines.shifted(down))
    placement = _with_whole_pieces(search, aligned, up, down, placement)
    return _with_its_directive(search, gap, placement)


def _edges_stand(placement: Placement | None, lines: Lines) -> bool:
    """Whether most of a range is there, or both of its edges are."""
    return placement is not None and (placement.coverage >= ITSELF or (placement.edges and len(lines) > 1))


def _gap(search: Search, aligned: Alignment, local: Lines, down: int) -> Lines | None:
    """What stands in the place of the region where the lines around it stayed, without blank lines at the ends.

    A first or last line of the region that stayed itself is where that begins or ends.
    """
    gap = aligned.closed(local)
    if gap is None or len(gap) > REPLACED_LINES * len(local):
        return None
    top, bottom = aligned.stayed(local.first) or gap.first, aligned.stayed(local.last) or gap.last
    said = [n for n in range(top + down, bottom + down + 1) if search.new.lines[n - 1].strip()]
    return Lines(said[0], said[-1]) if said else None


def _with_its_directive(search: Search, gap: Lines | None, placement: Placement) -> Placement:
    """The place of a single line that ends in a comment to a tool: the one line that ends in that comment now.

    Such a line is cited for the comment, and when a formatter splits the line the comment stays with one part.
    """
    found = DIRECTIVE.search(search.text[0]) if len(search.lines) == 1 else None
    if found is None or not search.text[0][: found.start()].strip():
        return placement
    reach = [placement.lines, gap] if gap else [placement.lines]
    first, last = min(lines.first for lines in reach), max(lines.last for lines in reach)
    ending = [n for n in range(first, last + 1) if search.new.lines[n - 1].rstrip().endswith(found[0].rstrip())]
    return replace(placement, lines=Lines(ending[0], ending[0])) if len(ending) == 1 else placement


def _with_whole_pieces(search: Search, aligned: Alignment, up: int, down: int, placement: Placement) -> Placement:
    """The place, with the statement or block that began or ended the region begun and ended again."""
    before, after = search.old_outline, search.new_outline
    if before is None or after is None or before.problem or after.problem:
        return placement
    pieces = after.pieces(placement.lines)
    top, bottom = (_same_piece(piece, pieces, aligned, up, down) for piece in before.edge_pieces(search.lines))
    first = top.lines.first if top else placement.lines.first
    last = bottom.lines.last if bottom else placement.lines.last
    if first > last or (_still_one_line(search, placement) and difference(search, Lines(first, last))[0]):
        return placement
    return replace(placement, lines=Lines(first, last))


def _still_one_line(search: Search, placement: Placement) -> bool:
    """Whether a region of one line is still clearly one line, even if more belongs to its statement now."""
    if not len(search.lines) == len(placement.lines) == 1:
        return False
    return likeness(search.text[0], search.new.lines[placement.lines.first - 1]) >= ITSELF


def _same_piece(piece: Piece | None, pieces: Sequence[Piece], aligned: Alignment, up: int, down: int) -> Piece | None:
    """The piece of the same kind that holds most of the lines that a piece became, and least of what others became."""
    if piece is None:
        return None
    own = [
        line + down
        for n in range(piece.lines.first - up, piece.lines.last - up + 1)
        # A closing bracket may well be joined to that of another block.
        if (line := aligned.target[n - 1]) and aligned.substance(n)
    ]
    alike = [one for one in pieces if one.like(piece)]
    if not own or not alike:
        return None
    reach = Lines(min(one.lines.first for one in alike), max(one.lines.last for one in alike))
    others = [line + down for line in _joined_beside(aligned, piece.lines.shifted(-up), reach.shifted(-down))]
    best, chosen = (PIECE_FLOOR, 0), None
    for one in alike:
        held = _how_many(own, one.lines) / len(own)
        foreign = _how_many(others, one.lines) / len(one.lines)
        # Of pieces that hold the same the smallest: a block put around another of its kind is not that block.
        if (fit := (held - foreign, -len(one.lines))) > best:
            best, chosen = fit, one
    return chosen


def _joined_beside(aligned: Alignment, lines: Lines, reach: Lines) -> list[int]:
    """What the lines above and below some lines became, as far as that is within reach."""
    above = (aligned.target[n - 1] for n in range(lines.first - 1, 0, -1))
    below = (aligned.target[n - 1] for n in range(lines.last + 1, len(aligned.target) + 1))
    before = list(takewhile(lambda line: line >= reach.first, filter(None, above)))
    return [*reversed(before), *takewhile(lambda line: line <= reach.last, filter(None, below))]


def _how_many(ascending: Sequence[int], lines: Lines) -> int:
    """How many of some lines, which ascend, are in a range."""
    return bisect_right(ascending, lines.last) - bisect_left(ascending, lines.first)
