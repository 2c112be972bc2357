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

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from claimcheck.alignment import Alignment, Placement, align, join
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
from claimcheck.syntax import Outline, Symbol, outline
from claimcheck.texts import SourceText, Tree

FLOOR = 0.5
RENAMED_FLOOR = 0.7
NEIGHBOUR_LINES = 2
MOST_CANDIDATES = 10
MOST_OTHER_FILES = 200
FINGERPRINT_DIGITS = 8
CONTEXT_LINES = 5
MOST_VOTERS = 5
AGREEMENT = 0.6


@dataclass(frozen=True)
class Search:
    """One region of an anchor, both texts, and what a strategy may look at."""

    anchor: Anchor
    path: str
    lines: Lines
    old: SourceText
    new: SourceText
    tree: Tree

    @cached_property
    def old_outline(self) -> Outline | None:
        return outline(self.old.text, self.anchor.path)

    @cached_property
    def new_outline(self) -> Outline | None:
        return outline(self.new.text, self.path)

    @property
    def alignment(self) -> Alignment:
        return align(self.old.lines, self.new.lines)

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
    def substantial(self) -> bool:
        """Whether there is a letter or a digit in the text; a brace alone can be found anywhere."""
        return any(character.isalnum() for line in self.text for character in line)

    @cached_property
    def home(self) -> Symbol | None:
        """The definition that the region is or lies in."""
        return self.old_outline.innermost(self.lines) if self.old_outline else None

    def still_whole(self, lines: Lines) -> bool:
        """Whether a region that was whole definitions still is at a place that has the same text.

        A decorator put above it or code put at its end is a change of the definition.
        """
        if self.old_outline is None or self.new_outline is None:
            return True
        inside = self.old_outline.inside(self.lines)
        if not inside:
            return True
        top = _same_definition(inside[0], self.old_outline, self.new_outline)
        bottom = _same_definition(inside[-1], self.old_outline, self.new_outline)
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

    def in_renamed_home(self, lines: Lines) -> bool:
        """Whether a place is in a definition that is new, while the region's own is gone."""
        there = self.new_outline.innermost(lines) if self.new_outline else None
        if not (there and self.home and self.new_outline and self.old_outline):
            return False
        return not self.new_outline.exactly(self.home.name) and not self.old_outline.exactly(there.name)


Strategy = Callable[[Search], Outcome | None]


def relocate(anchor: Anchor, old: SourceText | None, lock: LockEntry | None, tree: Tree) -> tuple[Outcome, ...]:
    """The outcome of each region of an anchor, in order; one outcome for an anchor without regions.

    `old` is the anchor's file at the commit where it was recorded, or None if that cannot be read; `lock` a fresh
    lock entry, or None.
    """
    if old is None:
        return _without_old(anchor, lock, tree)
    if not anchor.regions and not anchor.symbol:
        return (_whole_file(anchor, old, tree),)
    regions = [region.lines for region in anchor.regions] or _of_symbol(anchor, old)
    if not regions:
        return (Unavailable(f"`{anchor.symbol}` is not one definition of {anchor.path} where it was recorded"),)
    found = [_region(anchor, lines, old, tree) for lines in regions]
    return _in_one_file(anchor, found)


def _of_symbol(anchor: Anchor, old: SourceText) -> list[Lines]:
    structure = outline(old.text, anchor.path)
    named = structure.named(anchor.symbol) if structure and anchor.symbol else ()
    return [named[0].lines] if len(named) == 1 else []


def _region(anchor: Anchor, lines: Lines, old: SourceText, tree: Tree) -> Outcome:
    if lines.first < 1 or lines.last > len(old):
        return Unavailable(f"lines {lines} were recorded, but {anchor.path} has {_count(len(old))} there")
    if tree.blob_id(anchor.path) == old.blob:
        return Unchanged(Spot(anchor.path, lines, _describe(old, anchor.path, lines)), "same blob")
    target = _target(anchor.path, old, tree)
    if not isinstance(target, tuple):
        return target
    path, new = target
    search = Search(anchor, path, lines, old, new, tree)
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
        lacking = "".join(f"; {note}" for note in tree.notes)
        return Deleted(f"{path} is not there any more, and no file is known to be the same{lacking}")
    new = tree.text(found)
    return (found, new) if new is not None else Unavailable(f"{found} is there, but its text cannot be read")


def _renamed_to(path: str, old: SourceText, tree: Tree) -> str | Ambiguous | None:
    """The path that a file which is gone has now: through the commits between, by git's pairs, by equal content."""
    for hinted in (tree.follow, lambda path: tree.renames().get(path)):
        name = hinted(path)
        if name is not None and tree.blob_id(name) is not None:
            return name
    same = [other for other in tree.touched() if other != path and tree.blob_id(other) == old.blob]
    if len(same) > 1:
        listed = tuple(Candidate(other, old.whole, round(1 / len(same), 2)) for other in same[:MOST_CANDIDATES])
        return Ambiguous(listed, f"{len(same)} files are now what {path} was; set `path:`", "same blob")
    return same[0] if same else None


# The strategies.


def by_line_map(search: Search) -> Outcome | None:
    """The same text where the diff puts it.

    Text that occurs only once on both sides needs nothing else. Otherwise the place has to be in the same
    definition and beside lines that stayed with it, or it might be another of several that look the same.
    """
    lines = search.alignment.exact(search.lines)
    if lines is None or not search.substantial or not search.still_whole(lines):
        return None
    once = len(search.old_places) == len(search.new_places) == 1
    if not once:
        above, below = search.alignment.neighbours(search.lines, lines.first - search.lines.first)
        if not search.at_home(lines) or max(above, below) < NEIGHBOUR_LINES:
            return None
    return _found(search, lines, "the line map of the diff, same text", 0.98 if once else 0.9)


def by_text(search: Search) -> Outcome | None:
    """The same text elsewhere in the file, once before and once now, or once in the same definition."""
    if not search.substantial or not search.new_places:
        return None
    if not all(search.still_whole(lines) for lines in search.new_places):
        return None
    if len(search.old_places) == len(search.new_places) == 1:
        return _found(search, search.new_places[0], "same text, once in the file before and after", 0.95)
    if search.home is None:
        return None
    mine = [lines for lines in search.new_places if search.at_home(lines)]
    once = len([lines for lines in search.old_places if search.home.lines.covers(lines)]) == 1
    if len(mine) == 1 and once:
        return _found(search, mine[0], f"same text, once in `{search.home.name}`", 0.9)
    return None


def by_symbol(search: Search) -> Outcome | None:
    """The same definition: all of it if the region was all of it, else the lines inside that are aligned with it."""
    before, after = search.old_outline, search.new_outline
    if before is None or after is None or before.problem or after.problem:
        return None
    inside = before.inside(search.lines)
    described = before.describe(search.lines)
    if inside and described == ", ".join(symbol.name for symbol in inside):
        return _whole_definitions(search, before, after, inside)
    if search.home is None:
        return None
    now = _same_definition(search.home, before, after)
    if isinstance(now, Ambiguous):
        return _with_path(now, search.path)
    placement = _inside(search, search.home, now) if now else None
    if now is None or placement is None or placement.coverage < FLOOR:
        return None
    placement = _with_whole_statement(search, before, after, search.home, now, placement)
    evidence = f"inside `{now.name}`, {placement.coverage:.0%} of the lines aligned"
    return _found(search, placement.lines, evidence, 0.4 + 0.4 * placement.coverage + (0.1 if placement.edges else 0))


def by_changed_text(search: Search) -> Outcome | None:
    """Outside of definitions, or in one that has another name now: where most of its lines still stand."""
    placement = search.alignment.place(search.lines)
    if placement is None or placement.coverage < FLOOR:
        return None
    if search.new_places and not _beside_kept_lines(search.alignment, search.lines, placement.lines):
        return None
    if search.in_renamed_home(placement.lines) and placement.coverage >= RENAMED_FLOOR:
        evidence = f"aligned, {placement.coverage:.0%}; the definition has another name"
        return _found(search, placement.lines, evidence, 0.7 * placement.coverage, renamed=True)
    if search.home is None and search.at_home(placement.lines):
        evidence = f"the line map of the diff, {placement.coverage:.0%} of the lines"
        return _found(search, placement.lines, evidence, 0.4 + 0.4 * placement.coverage)
    return None


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
    places = [lines for lines in places if search.home is not None and search.at_home(lines)]
    if len(places) == 1 and len(starts) == 1:
        return _found(search, places[0], "the search strings, at their distances", 0.4, extent=Extent.GUESSED)
    return None


STRATEGIES: tuple[Strategy, ...] = (by_line_map, by_text, by_symbol, by_changed_text, by_strings)


def _whole_definitions(search: Search, before: Outline, after: Outline, inside: Sequence[Symbol]) -> Outcome | None:
    """The new extent of definitions that a region was, with what it had of their decorators and comments."""
    now: list[Symbol] = []
    for symbol in inside:
        found = _same_definition(symbol, before, after)
        if isinstance(found, Ambiguous):
            return _with_path(found, search.path)
        now += [found] if found else []
    if not now or 2 * len(now) < len(inside):
        return None
    first, last = min(symbol.lines.first for symbol in now), max(symbol.lines.last for symbol in now)
    top = min(now, key=lambda symbol: symbol.lines.first)
    if search.lines.first == inside[0].name_line:
        first = top.name_line
    elif search.lines.first < inside[0].lines.first:
        while first - 1 in after.comment_lines:
            first -= 1
    gone = [symbol.name for symbol in inside if symbol.name not in {one.name for one in now}]
    evidence = "the definition of the same name" + (f"; gone: {', '.join(gone)}" if gone else "")
    return _found(search, Lines(first, last), evidence, 0.6 if gone else 0.85)


def _same_definition(symbol: Symbol, before: Outline, after: Outline) -> Symbol | Ambiguous | None:
    """The definition that a definition became: of exactly its name, and its parameters if there are several."""
    found = after.exactly(symbol.name)
    if len(found) > 1 or len(before.exactly(symbol.name)) > 1:
        alike = [one for one in found if (one.signature, one.kind) == (symbol.signature, symbol.kind)]
        mine = [
            one for one in before.exactly(symbol.name) if (one.signature, one.kind) == (symbol.signature, symbol.kind)
        ]
        if len(mine) == len(alike) == 1:
            return alike[0]
        if len(found) > 1:
            listed = ", ".join(str(one.lines.first) for one in found)
            candidates = tuple(Candidate("", one.lines, round(1 / len(found), 2)) for one in found[:MOST_CANDIDATES])
            remedy = "add a search string that stands in only one of them"
            return Ambiguous(candidates, remedy, f"{len(found)} definitions of `{symbol.name}`: lines {listed}")
    return found[0] if found else None


def _with_path(ambiguous: Ambiguous, path: str) -> Ambiguous:
    return replace(ambiguous, candidates=tuple(replace(one, path=path) for one in ambiguous.candidates))


def _aligned(search: Search, before: Symbol, after: Symbol) -> Alignment:
    old, new = before.lines, after.lines
    return align(search.old.lines[old.first - 1 : old.last], search.new.lines[new.first - 1 : new.last])


def _inside(search: Search, before: Symbol, after: Symbol) -> Placement | None:
    """Where a part of a definition is in what the definition is now."""
    up, down = before.lines.first - 1, after.lines.first - 1
    aligned = _aligned(search, before, after)
    placement = aligned.place(search.lines.shifted(-up))
    if placement and not _told_apart(search, before, after, aligned, placement.lines):
        return None
    return replace(placement, lines=placement.lines.shifted(down)) if placement else None


def _with_whole_statement(
    search: Search, before: Outline, after: Outline, home: Symbol, now: Symbol, placement: Placement
) -> Placement:
    """The place, up to the end of the statement that was the region's last: a block that grew stays whole."""
    last = before.last_statement(search.lines)
    if last is None or len(last.lines) == 1:
        return placement
    up = home.lines.first - 1
    line = _aligned(search, home, now).target[last.lines.first - 1 - up]
    grown = after.statement_at(line + now.lines.first - 1, last.branch) if line else None
    if grown is None or not now.lines.covers(grown.lines) or grown.lines.last <= placement.lines.last:
        return placement
    return replace(placement, lines=Lines(placement.lines.first, grown.lines.last))


def _told_apart(search: Search, before: Symbol, after: Symbol, aligned: Alignment, lines: Lines) -> bool:
    """Whether a place inside a definition is the region, and not the same text once more in that definition."""
    again = sum(1 for place in search.old_places if before.lines.covers(place)) > 1
    again = again or sum(1 for place in search.new_places if after.lines.covers(place)) > 1
    at = search.lines.shifted(1 - before.lines.first)
    return not again or _beside_kept_lines(aligned, at, lines)


def _beside_kept_lines(aligned: Alignment, lines: Lines, now: Lines) -> bool:
    """Whether a line that says something stayed above or below a range, so that it is not another one like it."""
    return len(lines) == len(now) and max(aligned.neighbours(lines, now.first - lines.first)) > 0


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
    spot = Spot(search.path, lines, search.new_outline.describe(lines) if search.new_outline else None, extent)
    confidence = round(confidence, 2)
    if search.new_outline and search.new_outline.error_overlaps(lines):
        evidence += "; the parser did not understand all of it"
    if search.new.lines[lines.first - 1 : lines.last] == search.text:
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
    if search.substantial and search.new_places:
        places = search.new_places
        candidates = tuple(
            Candidate(search.path, lines, round(1 / len(places), 2)) for lines in places[:MOST_CANDIDATES]
        )
        if len(search.old_places) > 1 or len(places) > 1:
            listed = ", ".join(str(lines.first) for lines in places[:MOST_CANDIDATES])
            remedy = "extend the region by a line that only it has, or add a search string that stands only there"
            return Ambiguous(candidates, remedy, f"the same text {len(places)} times, at lines {listed}")
    elsewhere = _in_other_file(search) or (_definition_in_other_file(search) if _home_gone(search) else None)
    if elsewhere is not None:
        return elsewhere
    gone = f"`{search.home.name}` and its text are" if search.home and _home_gone(search) else "its text is"
    return Deleted(f"{gone} not in {search.path} any more", tuple(_trail(search)))


def _home_gone(search: Search) -> bool:
    return bool(search.home and search.new_outline and not search.new_outline.exactly(search.home.name))


def _other_files(search: Search) -> Iterator[tuple[str, SourceText]]:
    suffix = PurePosixPath(search.path).suffix
    others = [path for path in search.tree.touched() if path != search.path and PurePosixPath(path).suffix == suffix]
    for path in others[:MOST_OTHER_FILES]:
        text = search.tree.text(path)
        if text is not None:
            yield path, text


def _in_other_file(search: Search) -> Outcome | None:
    """The same text in exactly one other file that was touched, if it is long enough to be told from others."""
    if sum(any(character.isalnum() for character in line) for line in search.text) < 3 or len(search.old_places) > 1:
        return None
    found = [(path, text, lines) for path, text in _other_files(search) for lines in _places(search.text, text.lines)]
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
    """The region's definition in exactly one other file that was touched, changed but with most of its lines."""
    home, found = search.home, []
    for path, text in _other_files(search):
        structure = outline(text.text, path) if home and home.last_name in text.text else None
        if home and structure and structure.exactly(home.name):
            moved = replace(search, path=path, new=text)
            placement = moved.alignment.place(search.lines)
            found.append((moved, placement.coverage if placement else 0.0))
    if len(found) != 1 or found[0][1] < FLOOR:
        return None
    outcome = by_symbol(found[0][0])
    if isinstance(outcome, Edited):
        return replace(outcome, confidence=0.6, evidence=f"{outcome.evidence}; in another file")
    return None


def _trail(search: Search) -> Iterator[Candidate]:
    """Where one of its strings stands now, once; never the answer."""
    for string, _offset in _strings(search):
        for path, text in ((search.path, search.new), *_other_files(search)):
            hits = text.hits(string)
            if len(hits) == 1:
                yield Candidate(path, Lines(hits[0], hits[0]), 0.1)
                break


def _places(wanted: tuple[str, ...], lines: tuple[str, ...]) -> list[Lines]:
    """Where a run of lines stands, at most a few more than can be shown."""
    places: list[Lines] = []
    size, at = len(wanted), 0
    while len(places) <= 10 * MOST_CANDIDATES:
        try:
            at = lines.index(wanted[0], at, len(lines) - size + 1 if size <= len(lines) else 0)
        except ValueError:
            break
        if lines[at + size - 1] == wanted[-1] and lines[at : at + size] == wanted:
            places.append(Lines(at + 1, at + size))
        at += 1
    return places


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


def fingerprint(line: str) -> str:
    """32 bits of a line without its white space."""
    return hashlib.sha256("".join(line.split()).encode("utf-8", "surrogatepass")).hexdigest()[:FINGERPRINT_DIGITS]


BLANK = fingerprint("")


@lru_cache(maxsize=8)
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
    rare = {one for one, count in Counter(here).items() if count <= MOST_VOTERS}
    voters = {one: n for n, one in enumerate(wanted) if one in rare and one != BLANK}
    votes = Counter(n - voters[one] for n, one in enumerate(here) if one in voters)
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
