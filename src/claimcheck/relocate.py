"""What became of an anchor's regions between two texts: the strategies, in the order in which they are believed.

A region whose old text is known is looked for in the file of the same path, in the file that it was renamed to if
that path is gone, and at last in the other files that were touched. Identical text at the place where the line map
puts it, or found once on both sides, is the region. Text that changed is the region only in the same definition,
or, outside of definitions, where most of its lines still stand. A neighbour that looks like it never is: the name
of the definition around a place has to be the old one, or both must be new (a renamed definition, which is an edit).

Without the old text there are only the lock's fingerprint and offsets, the symbol and the search strings; what
they find is `Located`, whatever it says.

Outcomes of text that differs: comments, docstrings and white space are told from code by the tokens; `watch` says
which of these count as `Edited`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import groupby, takewhile
from pathlib import PurePosixPath

from claimcheck.alignment import SPACED, WORD, Alignment, Placement, align, join, keep, likeness, with_similar
from claimcheck.grammars import grammar_for
from claimcheck.kept import for_the_same
from claimcheck.locate import agrees, locate
from claimcheck.model import Anchor, Lines, LockedRegion, LockEntry, Region, Watch
from claimcheck.outcome import (
    Ambiguous,
    Candidate,
    Change,
    Cosmetic,
    Deleted,
    Edited,
    Extent,
    Located,
    Moved,
    Outcome,
    Renamed,
    Spot,
    Unavailable,
    Unchanged,
    spot_of,
)
from claimcheck.pairing import Definitions, shared_words
from claimcheck.phrases import first_of
from claimcheck.symbols import region_of
from claimcheck.syntax import Outline, Piece, Symbol, outline
from claimcheck.texts import SourceText, Tree, fingerprint, line_starts
from claimcheck.values import frozen

FLOOR = 0.5
RENAMED_FLOOR = 0.7
REPLACED_FLOOR = 0.4
REPLACED_LINES = 6
REPLACED_MOST = 0.75
PIECE_FLOOR = 0.3
ITSELF = 0.75
MOSTLY_THERE = 0.8
MOST_HEADING_LINES = 20_000
MOST_HEADINGS = 100
MOST_BELOW_HEADINGS = 2_000
NEIGHBOUR_LINES = 2
NEAR = 4
MOST_CANDIDATES = 10
MOST_OTHER_FILES = 200
UNIQUE = "extend the region by a line that only it has, or add a search string that stands only there"
NAME_WORD = re.compile(r"[a-z]+")
DIRECTIVE = re.compile(
    r"(?:#|//|/\*|--).*?(?:noqa|pylint:|type:\s*ignore|mypy:|pyright:|flake8:|ruff:|nosec|pragma|fmt:|yapf:|isort:"
    r"|NOLINT|nolint|clang-format|cppcheck-|eslint-|prettier-|tslint:|@ts-|istanbul|rubocop:|NOSONAR|NOPMD|CHECKSTYLE).*$"
)
MOST_VOTERS = 5
AGREEMENT = 0.6


@frozen(slots=False)
class Search:
    """One region of an anchor, both texts, and what a strategy may look at."""

    anchor: Anchor
    path: str
    lines: Lines
    old: SourceText
    new: SourceText
    tree: Tree
    named: bool = True

    @cached_property
    def old_outline(self) -> Outline | None:
        return outline(self.old.text, self.anchor.path)

    @cached_property
    def new_outline(self) -> Outline | None:
        return outline(self.new.text, self.path)

    @cached_property
    def kept(self) -> Alignment:
        """The lines that stayed as they were but for white space."""
        return _kept(self.old.lines, self.new.lines)

    @cached_property
    def alignment(self) -> Alignment:
        """The lines that stayed, also those that changed, around the region."""
        return with_similar(self.kept, self.new.lines, self.lines)

    @cached_property
    def definitions(self) -> Definitions | None:
        """The definitions of both texts, where both have a structure that is known."""
        before, after = self.old_outline, self.new_outline
        if before is None or after is None or before.problem or after.problem:
            return None
        return _definitions(self.old, self.new, before, after)

    @property
    def unparsed(self) -> str | None:
        """Why nothing is known of the structure of one of the texts, as the end of a sentence about the file."""
        problems = (each.problem for each in (self.old_outline, self.new_outline) if each)
        return next(filter(None, problems), None)

    @cached_property
    def text(self) -> tuple[str, ...]:
        return self.old.lines[self.lines.first - 1 : self.lines.last]

    @cached_property
    def old_places(self) -> list[Lines]:
        return _places(self.text, self.old.lines)

    @cached_property
    def new_places(self) -> list[Lines]:
        return _places(self.text, self.new.lines)

    @cached_property
    def bare_text(self) -> tuple[str, ...]:
        return tuple(map(bare, self.text))

    @cached_property
    def old_bare_places(self) -> list[Lines]:
        return _places(self.bare_text, _bare(self.old.lines))

    @cached_property
    def new_bare_places(self) -> list[Lines]:
        return _places(self.bare_text, _bare(self.new.lines))

    @cached_property
    def substantial(self) -> bool:
        """Whether there is a letter or a digit in the text; a brace alone can be found anywhere."""
        return any(character.isalnum() for line in self.text for character in line)

    @cached_property
    def home(self) -> Symbol | None:
        """The definition that the region is or lies in."""
        return self.old_outline.innermost(self.lines) if self.old_outline else None

    @cached_property
    def other_paths(self) -> tuple[str, ...]:
        """Other files of the same kind that differ between the commits, those that are nearest by their path."""
        return _nearest(self.path, tuple(self.tree.touched()))

    def nothing_put_beside(self, lines: Lines) -> bool:
        """Whether the lines directly above and below a place that has the same text are those that were there."""
        return _beside(self.old.lines, self.lines) == _beside(self.new.lines, lines)

    def beside_its_neighbours(self, lines: Lines, olds: Sequence[Lines], news: Sequence[Lines]) -> bool:
        """Whether a place at home has lines beside it that stayed with the region; `olds` and `news` have equal texts.

        Where the definition has more or fewer of these than before, lines on both sides have to say which one it is.
        """
        if not self.at_home(lines):
            return False
        above, below = self.alignment.neighbours(self.lines, lines.first - self.lines.first)
        if len(self.of_home(olds)) == len([place for place in news if self.at_home(place)]):
            return max(above, below) >= NEIGHBOUR_LINES
        return min(above, below) > 0

    def still_whole(self, lines: Lines) -> bool:
        """Whether a region that was whole definitions still is at a place that has the same text.

        A decorator put above it or code put at its end is a change of the definition.
        """
        if self.nothing_put_beside(lines) or self.old_outline is None or self.new_outline is None:
            return True
        inside = self.old_outline.inside(self.lines)
        if not inside:
            return True
        if self.definitions is None:
            return True
        top, bottom = self.definitions.same(inside[0]), self.definitions.same(inside[-1])
        if not isinstance(top, Symbol) or not isinstance(bottom, Symbol):
            return True
        grown_above = self.lines.first == inside[0].lines.first and top.lines.first < lines.first
        grown_below = self.lines.last == inside[-1].lines.last and bottom.lines.last > lines.last
        return not grown_above and not grown_below

    def at_home(self, lines: Lines) -> bool:
        """Whether a place in the new text is in the same definition as the region was, or outside of all as it was.

        Where one of the texts has no structure there is nothing to tell by.
        """
        if self.new_outline is None or self.new_outline.problem or self.old_outline is None or self.old_outline.problem:
            return True
        there = self.new_outline.innermost(lines)
        return (there.name if there else None) == (self.home.name if self.home else None)

    def of_home(self, places: Sequence[Lines]) -> list[Lines]:
        """Which places in the old text are in a definition of the name of the region's, or outside of all as it is."""
        if self.old_outline is None or self.old_outline.problem:
            return list(places)
        around = ((lines, self.old_outline.innermost(lines)) for lines in places)
        name = self.home.name if self.home else None
        return [lines for lines, symbol in around if (symbol.name if symbol else None) == name]

    def in_the_same_home(self, lines: Lines) -> bool:
        """Whether a place is in what the region's definition became, where another one may have the same name."""
        if self.home is None or self.definitions is None:
            return self.at_home(lines)
        now = self.definitions.same(self.home)
        return isinstance(now, Symbol) and now.lines.covers(lines)

    def in_renamed_home(self, lines: Lines) -> bool:
        """Whether a place is in a definition that is new, while the region's own is gone."""
        there = self.new_outline.innermost(lines) if self.new_outline else None
        if not (there and self.home and self.new_outline and self.old_outline):
            return False
        return not self.new_outline.exactly(self.home.name) and not self.old_outline.exactly(there.name)


_kept = for_the_same(8)(keep)
_definitions = for_the_same(8)(Definitions)

Strategy = Callable[[Search], Outcome | None]


def relocate(
    anchor: Anchor, old: SourceText | None, lock: LockEntry | None, tree: Tree, *, named: bool = True
) -> tuple[Outcome, ...]:
    """The outcome of each region of an anchor, in order; one outcome for an anchor without regions.

    `old` is the anchor's file at the commit where it was recorded, or None if that cannot be read; `lock` a fresh
    lock entry, or None. Without `named` text that is the same is not parsed to name its symbol.
    """
    if old is None:
        return _without_old(anchor, lock, tree)
    if not anchor.regions and not anchor.symbol:
        return (_whole_file(anchor, old, tree),)
    regions = tuple(region.lines for region in anchor.regions) or region_of(anchor, old)
    if isinstance(regions, str):
        return (Unavailable(f"where it was recorded, {regions}"),)
    if not anchor.regions and len(regions) != 1:
        return (Unavailable(f"`{anchor.symbol}` is not one definition of {anchor.path} where it was recorded"),)
    found = [_region(anchor, lines, old, tree, named) for lines in regions]
    return _in_one_file(anchor, found)


def _region(anchor: Anchor, lines: Lines, old: SourceText, tree: Tree, named: bool) -> Outcome:
    if lines.first < 1 or lines.last > len(old):
        return Unavailable(f"lines {lines} were recorded, but {anchor.path} has {_count(len(old))} there")
    if tree.blob_id(anchor.path) == old.blob:
        symbol = _describe(old, anchor.path, lines) if named else None
        return Unchanged(Spot(anchor.path, lines, symbol), "same blob")
    target = _target(anchor.path, old, tree)
    if not isinstance(target, tuple):
        return target
    path, new = target
    search = Search(anchor, path, lines, old, new, tree, named)
    for strategy in STRATEGIES:
        outcome = strategy(search)
        if outcome is not None:
            return outcome
    return _deleted(search)


def _count(lines: int) -> str:
    return f"{lines} line" if lines == 1 else f"{lines} lines"


def _target(path: str, old: SourceText, tree: Tree) -> tuple[str, SourceText] | Ambiguous | Deleted | Unavailable:
    """The file to look in: that of the same path, else what it was renamed to."""
    found: str | Ambiguous | None = path if tree.blob_id(path) is not None else _renamed_to(path, old, tree)
    if isinstance(found, Ambiguous):
        return found
    if found is None:
        known = "is not there any more, and no file is known to be the same"
        return Deleted(f"{path} {known}{_lacking(tree)}", (), 0.5)
    new = tree.text(found)
    return (found, new) if new is not None else Unavailable(f"{found} is there, but its text cannot be read")


def _lacking(tree: Tree) -> str:
    """What the hints that were asked for may lack, as the end of a sentence."""
    return "".join(f"; {note}" for note in tree.notes)


def _renamed_to(path: str, old: SourceText, tree: Tree) -> str | Ambiguous | None:
    """The path that a file which is gone has now: through the commits between, by git's pairs, by equal content."""
    name = _hinted(path, tree)
    if name is not None and tree.blob_id(name) != old.blob:
        return name
    # Of several files that are now what it was git names one at random.
    same = [
        other
        for other, blob in tree.touched().items()
        if blob == old.blob and other != path and tree.blob_id(other) == old.blob
    ]
    if len(same) > 1:
        listed = tuple(Candidate(other, old.whole, round(1 / len(same), 2)) for other in same[:MOST_CANDIDATES])
        return Ambiguous(listed, f"{len(same)} files are now what {path} was; set `path:`", "same blob")
    return name or (same[0] if same else None)


def _hinted(path: str, tree: Tree) -> str | None:
    """The path that history or git's pairs give to a file that is gone, if there is such a file."""
    for hinted in (tree.follow, lambda path: tree.renames().get(path)):
        name = hinted(path)
        if name is not None and tree.blob_id(name) is not None:
            return name
    return None


# The strategies.


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
    return _found(search, lines, "the line map of the diff, same text", 0.98 if once else 0.9)


def by_text(search: Search) -> Outcome | None:
    """The same text elsewhere in the file, once before and once now, or once in the same definition."""
    if not search.substantial or not search.new_places:
        return None
    if len(search.old_places) == len(search.new_places) == 1 and search.still_whole(search.new_places[0]):
        # A line by itself is the easiest to write once more elsewhere.
        certain = 0.95 if len(search.lines) > 1 else 0.85
        return _found(search, search.new_places[0], "same text, once in the file before and after", certain)
    if search.home is None:
        return None
    mine = [lines for lines in search.new_places if search.at_home(lines)]
    if len(mine) == len(search.of_home(search.old_places)) == 1 and search.still_whole(mine[0]):
        return _found(search, mine[0], f"same text, once in `{search.home.name}`", 0.9)
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
        return _found(search, lines, "the line map of the diff, same but for white space", 0.96 if once else 0.8)
    if once and search.still_whole(search.new_bare_places[0]):
        return _found(search, search.new_bare_places[0], "same but for white space, once before and after", 0.92)
    if search.home is None:
        return None
    mine = [place for place in search.new_bare_places if search.at_home(place)]
    if len(mine) == len(search.of_home(search.old_bare_places)) == 1 and search.still_whole(mine[0]):
        return _found(search, mine[0], f"same but for white space, once in `{search.home.name}`", 0.88)
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
            for place in _places(search.bare_text, _bare(headings.lines), MOST_BELOW_HEADINGS)
            if next(headings.of(place.first), None) == wanted[0] and tuple(headings.of(place.first)) == wanted
        ]
        for headings in (before, after)
    )
    if len(mine) == len(now) == 1:
        return _found(search, now[0], f"the same text, once below `{wanted[0]}`", 0.85)
    return None


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
    return _found(search, placement.lines, evidence, 0.6)


def _is_lost(search: Search, home: Symbol, after: Outline) -> bool:
    """Whether a definition is not known in a text with parse errors, or does not go as far there as its lines do."""
    now = search.definitions.same(home) if search.definitions else ()
    if not isinstance(now, Symbol):
        return True
    around = search.alignment.place(home.lines)
    if around is None or around.lines == now.lines:
        return False
    return after.error_overlaps(Lines(now.lines.first, now.lines.last + 1))


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
        return _found(search, lines, evidence, 0.6, renamed=True)
    return _part_of_definition(search, search.home, now, renamed=True)


def by_changed_text(search: Search) -> Outcome | None:
    """Outside of definitions, or in one that has another name now: where most of its lines still stand."""
    placement = _placed(search, search.alignment, 0, 0)
    if placement is None:
        return None
    if search.new_places and not _beside_kept_lines(search.alignment, search.lines, placement.lines):
        return None
    if search.in_renamed_home(placement.lines) and placement.coverage >= RENAMED_FLOOR:
        evidence = f"aligned, {placement.coverage:.0%}; the definition has another name"
        confidence = 0.8 * _confidence(search, placement, search.new.whole)
        return _found(search, placement.lines, evidence, confidence, renamed=True)
    if search.home is None and search.at_home(placement.lines):
        evidence = f"the line map of the diff, {placement.coverage:.0%} of the lines"
        return _found(search, placement.lines, evidence, _confidence(search, placement, search.new.whole))
    return None


def _confidence(search: Search, placement: Placement, within: Lines) -> float:
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
    text = _bare(search.new.lines)[within.first - 1 : within.last]
    if len(_places(tuple(map(bare, here)), text, 1)) > 1:
        return min(found, 0.7)
    if len(search.lines) == 1 and len(placement.lines) > 1:
        return min(found, 0.75)
    return found


def by_strings(search: Search) -> Outcome | None:
    """The search strings at their distance from the region's first line, where these leave one place."""
    starts = Counter(
        line - offset
        for string, offset in _strings(search)
        if len(hits := search.new.hits(string)) == 1
        for line in hits
    )
    if not starts:
        return None
    last = len(search.new) - len(search.lines) + 1
    places = [Lines(start, start + len(search.lines) - 1) for start in starts if 1 <= start <= last]
    places = [lines for lines in places if search.home is not None and search.in_the_same_home(lines)]
    if len(places) == 1 and len(starts) == 1:
        return _found(search, places[0], "the search strings, at their distances", 0.4, extent=Extent.GUESSED)
    return None


STRATEGIES: tuple[Strategy, ...] = (
    by_line_map,
    by_text,
    by_text_but_for_space,
    by_headings,
    by_lines,
    by_symbol,
    by_renamed_symbol,
    by_changed_text,
    by_strings,
)


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
    return _found(search, lines, evidence, 0.6 if gone else 0.93)


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
    placement = _placed(search, aligned, up, down)
    if placement is None:
        return None
    if not _told_apart(search, was, now, aligned, placement.lines.shifted(-down)):
        return _one_of_several(search, now, placement)
    evidence = f"inside `{now.name}`, {placement.coverage:.0%} of the lines aligned"
    confidence = _confidence(search, placement, now.lines)
    if renamed:
        evidence, confidence = f"{evidence}; the definition has another name", 0.8 * confidence
    return _found(search, placement.lines, evidence, confidence, renamed=renamed)


def _placed(search: Search, aligned: Alignment, up: int, down: int) -> Placement | None:
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
    if first > last or (_still_one_line(search, placement) and _difference(search, Lines(first, last))[0]):
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
    if same_in_order and _framed(aligned, at, [place.shifted(1 - before.lines.first) for place in olds]):
        return True
    if len(olds) == len(news) or there not in news:
        return _beside_kept_lines(aligned, at, lines)
    return min(aligned.beside(at, lines)) > 0


def _framed(aligned: Alignment, lines: Lines, equal: Sequence[Lines]) -> bool:
    """Whether a line of the body near a range stayed, other than one of several identical ranges."""
    near = (*range(max(2, lines.first - NEAR), lines.first), *range(lines.last + 1, lines.last + 1 + NEAR))
    return any(
        aligned.target[n - 1] is not None and aligned.weight[n - 1] >= SPACED and aligned.substance(n)
        for n in near
        if n <= len(aligned.target) and not any(n in place for place in equal)
    )


def _beside_kept_lines(aligned: Alignment, lines: Lines, now: Lines) -> bool:
    """Whether a line that says something stayed above or below a range, so that it is not another one like it."""
    return max(aligned.beside(lines, now)) > 0


def bare(line: str) -> str:
    """A line without its white space."""
    return "".join(line.split())


@for_the_same(8)
def _bare(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(bare, lines))


def _beside(lines: Sequence[str], place: Lines) -> tuple[str, str]:
    above = lines[place.first - 2] if place.first > 1 else ""
    return above, lines[place.last] if place.last < len(lines) else ""


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


def _strings(search: Search) -> Iterator[tuple[str, int]]:
    """The strings that stand in the region, each with its line's distance from the first line."""
    tied = next((region.find for region in search.anchor.regions if region.lines == search.lines), ())
    for string in (*search.anchor.find, *tied):
        for offset, line in enumerate(search.text):
            if string in line:
                yield string, offset
                break


# What was found, and what was not.


def _found(
    search: Search,
    lines: Lines,
    evidence: str,
    confidence: float,
    *,
    extent: Extent = Extent.EXACT,
    renamed: bool = False,
) -> Outcome:
    """The outcome of a place, by what differs in the text there."""
    same = search.new.lines[lines.first - 1 : lines.last] == search.text
    structure = search.new_outline if search.named or not same else None
    spot = Spot(search.path, lines, structure.describe(lines) if structure else None, extent)
    confidence = round(confidence, 2)
    if not same and search.unparsed:
        evidence += f"; by its text alone, since the file {search.unparsed}"
    if structure and structure.error_overlaps(lines):
        evidence += "; the parser did not understand all of it"
    if structure and not same and structure.error_overlaps(Lines(lines.first - 1, lines.last + 2)):
        # Where the parser is lost a definition may seem to end too early.
        confidence = min(confidence, 0.7)
    if same and not renamed:
        if search.path != search.anchor.path:
            return Renamed(spot, evidence, confidence)
        return Unchanged(spot, evidence, confidence) if lines == search.lines else Moved(spot, evidence, confidence)
    if renamed:
        return Edited(spot, Change.CODE, evidence, confidence)
    return _differing(search, spot, evidence, confidence)


def _differing(search: Search, spot: Spot, evidence: str, confidence: float) -> Outcome:
    code, docs, change = _difference(search, spot.lines)
    watch = search.anchor.watch or Watch.CODE
    watched = (code and watch is not Watch.DOCS) or (docs and watch is not Watch.CODE)
    if watched:
        return Edited(spot, change, evidence, confidence)
    return Cosmetic(spot, change, not code and change is not Change.DOCSTRING, evidence, confidence)


def _difference(search: Search, lines: Lines) -> tuple[bool, bool, Change]:
    """Whether the code differs, whether comments or docstrings do, and what the most serious difference is.

    Without tokens any difference but trailing blanks counts as both.
    """
    before = search.old_outline.tokens(search.lines) if search.old_outline else None
    after = search.new_outline.tokens(lines) if search.new_outline else None
    if before is None or after is None or before.scheme != after.scheme:
        new = search.new.lines[lines.first - 1 : lines.last]
        same = [line.rstrip() for line in search.text] == [line.rstrip() for line in new]
        return (False, False, Change.SPACE) if same else (True, True, Change.CODE)
    code, docstrings = before.code != after.code, before.docstrings != after.docstrings
    comments = before.comments != after.comments
    if code:
        return True, docstrings or comments, Change.CODE
    if docstrings:
        return False, True, Change.DOCSTRING
    return False, comments, Change.COMMENT if comments else Change.SPACE


def _deleted(search: Search) -> Outcome:
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
        return Deleted(f"{gone}{_lacking(search.tree)}", trail, 0.8)
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


@lru_cache(maxsize=64)
def _nearest(path: str, touched: tuple[str, ...]) -> tuple[str, ...]:
    """The paths with the same suffix that have the most folders in common with a path, then the most words."""
    mine, suffix = PurePosixPath(path), PurePosixPath(path).suffix
    folders, words = mine.parent.parts, set(NAME_WORD.findall(mine.stem.lower()))
    found: dict[str, list[str]] = {}
    for other in touched:
        if other != path and other.endswith(suffix):
            found.setdefault(other.rpartition("/")[0], []).append(other)

    def away(folder: str) -> int:
        parts = folder.split("/") if folder else []
        shared = next((n for n, (a, b) in enumerate(zip(folders, parts, strict=False)) if a != b), None)
        return len(folders) + len(parts) - 2 * (min(len(folders), len(parts)) if shared is None else shared)

    def strange(other: str) -> tuple[int, str]:
        return -len(words & set(NAME_WORD.findall(other.rpartition("/")[2].lower()))), other

    nearest: list[str] = []
    for _, level in groupby(sorted(found, key=away), away):
        nearest += sorted((other for folder in level for other in found[folder]), key=strange)
        if len(nearest) >= MOST_OTHER_FILES:
            break
    return tuple(nearest[:MOST_OTHER_FILES])


def _in_other_file(search: Search) -> Outcome | None:
    """The same text in exactly one other file that was touched, if it is long enough to be told from others."""
    if sum(any(character.isalnum() for character in line) for line in search.text) < 3 or len(search.old_places) > 1:
        return None
    telling = max(search.text, key=lambda line: len(line.strip())).strip()
    found = [
        (path, text, lines)
        for path, text in _other_files(search)
        if telling in text.text
        for lines in _places(search.text, text.lines)
    ]
    if len(found) == 1:
        path, text, lines = found[0]
        spot = Spot(path, lines, _describe(text, path, lines))
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
    for string, _offset in _strings(search):
        for path, text in ((search.path, search.new), *_other_files(search)):
            hits = text.hits(string)
            if len(hits) == 1:
                yield Candidate(path, Lines(hits[0], hits[0]), 0.1)
                break


def _places(wanted: tuple[str, ...], lines: tuple[str, ...], most: int = 10 * MOST_CANDIDATES) -> list[Lines]:
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


def _describe(text: SourceText, path: str, lines: Lines) -> str | None:
    structure = outline(text.text, path)
    return structure.describe(lines) if structure else None


def _in_one_file(anchor: Anchor, outcomes: list[Outcome]) -> tuple[Outcome, ...]:
    """Regions that end up in different files cannot be one anchor any more, so those need a person."""
    paths = [spot.path for outcome in outcomes if (spot := spot_of(outcome))]
    if len(set(paths)) <= 1:
        return tuple(outcomes)
    main = Counter(paths).most_common(1)[0][0]

    def kept(outcome: Outcome) -> Outcome:
        spot = spot_of(outcome)
        if spot is None or spot.path == main:
            return outcome
        remedy = f"an anchor has one file: make a second anchor for {spot.path}:{spot.lines}"
        evidence = f"the other regions of {anchor.id} are in {main}"
        return Ambiguous((Candidate(spot.path, spot.lines, outcome.confidence),), remedy, evidence)

    return tuple(kept(outcome) for outcome in outcomes)


def _whole_file(anchor: Anchor, old: SourceText, tree: Tree) -> Outcome:
    """What became of an anchor that means its whole file: it follows the path, and nothing else."""
    if tree.blob_id(anchor.path) == old.blob:
        return Unchanged(Spot(anchor.path, old.whole), "same blob")
    target = _target(anchor.path, old, tree)
    if not isinstance(target, tuple):
        return target
    path, new = target
    if new.blob == old.blob or new.lines == old.lines:
        spot = Spot(path, new.whole)
        return Renamed(spot, "same content", 0.98) if path != anchor.path else Unchanged(spot, "same lines")
    return _differing(Search(anchor, path, old.whole, old, new, tree), Spot(path, new.whole), "the file's path", 0.9)


# Without the old text.


def _without_old(anchor: Anchor, lock: LockEntry | None, tree: Tree) -> tuple[Outcome, ...]:
    text = tree.text(anchor.path)
    path = anchor.path
    if text is None:
        hinted = tree.follow(anchor.path) or tree.renames().get(anchor.path)
        text = tree.text(hinted) if hinted else None
        if hinted is None or text is None:
            return (Unavailable(f"{anchor.path} is not there"),) * max(1, len(anchor.regions))
        path = hinted
    there = replace(anchor, path=path)
    structure = outline(text.text, path)
    if lock is None or len(lock.regions) != len(anchor.regions):
        return locate(there, text, structure)
    known = _strings_of_lock(there, lock)
    located = locate(known, text, structure)
    return tuple(
        _by_fingerprint(locked, text, path, structure)
        or (_by_locked_symbol(locked, path, structure) if isinstance(outcome, Unavailable) else None)
        or outcome
        for locked, outcome in zip(lock.regions, located, strict=True)
    )


def _strings_of_lock(anchor: Anchor, lock: LockEntry) -> Anchor:
    """The anchor with each string at the regions in whose text the lock saw it."""
    regions = tuple(
        Region(region.lines, tuple(string.text for string in locked.strings))
        for region, locked in zip(anchor.regions, lock.regions, strict=True)
    )
    return replace(anchor, regions=regions, find=()) if any(region.find for region in regions) else anchor


def _by_locked_symbol(locked: LockedRegion, path: str, structure: Outline | None) -> Outcome | None:
    """The definitions that the lock names, if they have about the recorded length."""
    found = [symbol for name in (locked.symbol or "").split(", ") if structure for symbol in structure.exactly(name)]
    if not found or len(found) != len((locked.symbol or "").split(", ")):
        return None
    lines = Lines(min(symbol.lines.first for symbol in found), max(symbol.lines.last for symbol in found))
    if not agrees(locked.lines, lines):
        return None
    return Located(Spot(path, lines, locked.symbol, Extent.DEFINITION), f"`{locked.symbol}`, by the lock", 0.85)


BLANK = fingerprint("")


@for_the_same(8)
def _fingerprints(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(fingerprint, lines))


def _by_fingerprint(locked: LockedRegion, text: SourceText, path: str, structure: Outline | None) -> Outcome | None:
    """Where the lock's fingerprint stands: exactly and once, or with most lines in one place only."""
    if all(one == BLANK for one in locked.fingerprint):
        return None
    here = _fingerprints(text.lines)
    places = _places(tuple(locked.fingerprint), here)
    if len(places) > 1:
        agreeing = [(_context(locked, here, lines), lines) for lines in places]
        best = max(agreeing, key=lambda one: one[0])
        rivals = [context for context, lines in agreeing if lines != best[1]]
        if best[0] - max(rivals) < 2:
            listed = tuple(Candidate(path, lines, round(1 / len(places), 2)) for lines in places[:MOST_CANDIDATES])
            remedy = "add a search string that stands only in this region"
            return Ambiguous(listed, remedy, f"the same lines {len(places)} times")
        places = [best[1]]
    if places:
        return _fingerprinted(places[0], 1.0, 0.95, path, structure)
    placement = _most_lines(tuple(locked.fingerprint), here)
    if placement is None:
        return None
    extent = Extent.EXACT if placement.edges else Extent.GUESSED
    return _fingerprinted(placement.lines, placement.coverage, 0.75, path, structure, extent)


def _fingerprinted(
    lines: Lines, share: float, confidence: float, path: str, structure: Outline | None, extent: Extent = Extent.EXACT
) -> Outcome:
    symbol = structure.describe(lines) if structure else None
    evidence = f"the lock's fingerprint, {share:.0%} of the lines"
    return Located(Spot(path, lines, symbol, extent), evidence, round(confidence * share, 2))


def _context(locked: LockedRegion, here: Sequence[str], lines: Lines) -> int:
    """How many lines around a place are those that stood around the region, blank ones not counted."""
    above = here[max(0, lines.first - 1 - len(locked.before)) : lines.first - 1]
    below = here[lines.last : lines.last + len(locked.after)]
    pairs = [*zip(reversed(locked.before), reversed(above), strict=False), *zip(locked.after, below, strict=False)]
    return sum(1 for was, is_now in pairs if was == is_now != BLANK)


def _most_lines(wanted: tuple[str, ...], here: tuple[str, ...]) -> Placement | None:
    """The one place where most of the lines stand, changed lines between them allowed."""
    rare = _rare(here)
    voters = {one: n for n, one in enumerate(wanted) if one in rare and one != BLANK}
    votes = Counter(n - voters[here[n]] for n in sorted(n for one in voters for n in rare[one]))
    if not votes:
        return None
    start, size = votes.most_common(1)[0][0], len(wanted)
    near = {at for at in votes if abs(at - start) < size}
    if 2 * sum(votes[at] for at in votes if at not in near) > sum(votes[at] for at in near):
        return None
    first, last = max(0, min(near)), min(len(here), max(near) + size)
    placement = join(wanted, here[first:last]).place(Lines(1, size))
    if placement is None or placement.coverage < AGREEMENT:
        return None
    return replace(placement, lines=placement.lines.shifted(first))


@for_the_same(8)
def _rare(here: tuple[str, ...]) -> Mapping[str, Sequence[int]]:
    """Where each of the lines stands that stand in few places."""
    places: dict[str, list[int]] = {}
    for n, one in enumerate(here):
        places.setdefault(one, []).append(n)
    return {one: numbers for one, numbers in places.items() if len(numbers) <= MOST_VOTERS}
