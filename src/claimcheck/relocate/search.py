"""One region that is looked for: both texts, and what a strategy may ask of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import PurePosixPath

from claimcheck.alignment import Alignment, keep, with_similar
from claimcheck.kept import for_the_same
from claimcheck.model import Anchor, Lines
from claimcheck.outcome import Outcome
from claimcheck.pairing import Definitions
from claimcheck.relocate.places import bare, bare_lines, lines_beside, places_of
from claimcheck.syntax import Outline, Symbol, outline
from claimcheck.texts import SourceText, Tree
from claimcheck.values import frozen

NEIGHBOUR_LINES = 2
MOST_OTHER_FILES = 200
NAME_WORD = re.compile(r"[a-z]+")


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
        return places_of(self.text, self.old.lines)

    @cached_property
    def new_places(self) -> list[Lines]:
        return places_of(self.text, self.new.lines)

    @cached_property
    def bare_text(self) -> tuple[str, ...]:
        return tuple(map(bare, self.text))

    @cached_property
    def old_bare_places(self) -> list[Lines]:
        return places_of(self.bare_text, bare_lines(self.old.lines))

    @cached_property
    def new_bare_places(self) -> list[Lines]:
        return places_of(self.bare_text, bare_lines(self.new.lines))

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
        return lines_beside(self.old.lines, self.lines) == lines_beside(self.new.lines, lines)

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
