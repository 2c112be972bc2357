"""Where a check looks: its scope in the texts of this run, as parts that forms search."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Sequence
from functools import cached_property

from claimcheck.checks.code import Part, code_of, part_of
from claimcheck.checks.context import Cited, Context, Files
from claimcheck.checks.dialects import dialect_of
from claimcheck.checks.result import CannotSay, Refuted
from claimcheck.model import Check, Lines
from claimcheck.syntax import Outline, Symbol
from claimcheck.texts import NoSource, SourceText, Why
from claimcheck.values import frozen

MOST_NAMED = 3
ENOUGH = 20


@frozen(slots=False)
class Look:
    """A check's place: the anchors that it is about, their files, and the parts of texts that it searches."""

    check: Check
    anchors: tuple[Cited, ...]

    @property
    def files(self) -> Files:
        """The files of the revision; of the first anchor's where anchors of several vendors are cited."""
        return files_of(self.anchors[0])

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts; raises CannotSay where one cannot be looked at, Refuted where what is looked in is not there."""
        if self.check.scope == "tree":
            return tuple(self.parts_with(None))
        if self.check.symbol:
            return tuple(self._definitions(self.check.symbol))
        parts = [part for path, cited in self._paths() for part in self._parts_of(path, cited)]
        return tuple({(part.path, part.lines): part for part in parts}.values())

    def parts_with(self, word: str | None) -> Iterator[Part]:
        """The parts; of a whole tree only those files that hold a word, which are the only ones that are parsed."""
        if self.check.scope != "tree":
            yield from self.parts
            return
        for path in self.paths_of_tree():
            source = self.files.read(path)
            if isinstance(source, NoSource):
                if source.environment:
                    raise CannotSay(f"{path} {source.message}")
                continue
            if word is None or word in source.text:
                yield part_of(path, source, source.whole, path, code_of(path, source))

    @property
    def several_files(self) -> bool:
        return self.check.scope == "tree"

    def enough(self, found: Sequence[object]) -> bool:
        """Whether so much was found in a tree that nobody reads more of it."""
        return self.several_files and len(found) >= ENOUGH

    def paths_of_tree(self) -> list[str]:
        """The files of the revision in the language of what is cited, or those that `path:` fits."""
        blobs = self.files.blobs()
        if isinstance(blobs, NoSource):
            raise CannotSay(blobs.message)
        if self.check.path:
            fitting = [path for path in blobs if fits(path, self.check.path)]
            return [path for path in fitting if dialect_of(path)] or fitting
        languages = {dialect.name for cited in self.anchors if (dialect := dialect_of(cited.path))}
        return [path for path in blobs if (dialect := dialect_of(path)) and dialect.name in languages]

    @property
    def name(self) -> str:
        """Where it looks, for a sentence: `class BlockPool`, `Scheduler.schedule`, `the tree`."""
        if self.check.scope == "tree":
            return self.check.path or "the tree"
        names = list(dict.fromkeys(part.name for part in self.parts))
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        return ", ".join(names[:MOST_NAMED]) + more

    def _paths(self) -> list[tuple[str, Cited]]:
        """Each file with the anchor by which it is looked at, once unless regions matter."""
        if self.check.path:
            return [(self.check.path, self.anchors[0])]
        if self.check.symbol or self.check.scope == "file":
            return list({cited.path: (cited.path, cited) for cited in self.anchors}.values())
        return [(cited.path, cited) for cited in self.anchors]

    def _definitions(self, symbol: str) -> Sequence[Part]:
        """The definitions of a symbol in the files that are looked at, in at least one of which it has to be defined."""
        codes = [(path, code) for path, cited in self._paths() if (code := code_of(path, text_of(cited, path)))]
        found = [
            part_of(path, code.source, one.lines, symbol_name(one), code)
            for path, code in codes
            for one in code.outline.named(symbol)
        ]
        if found:
            return found
        for path, code in codes:
            unparsed = code.outline.unparsed(symbol)
            if unparsed:
                raise CannotSay(f"{path} has parse errors where {symbol} is named, in line {unparsed[0]}")
        raise Refuted(f"`{symbol}` is not defined in {' or '.join(path for path, _ in self._paths())}")

    def _parts_of(self, path: str, cited: Cited) -> Sequence[Part]:
        source = text_of(cited, path)
        code = code_of(path, source)
        if self.check.path or self.check.scope == "file":
            return [part_of(path, source, source.whole, path, code)]
        if self.check.scope == "region" or code is None:
            return [part_of(path, source, lines, lines_name(lines), code) for lines in cited.regions]
        found = {lines: name for region in cited.regions for lines, name in _around(code.outline, region)}
        return [part_of(path, source, lines, name, code) for lines, name in found.items()]


def text_of(cited: Cited, path: str) -> SourceText:
    """The text of a file of a vendor; raises Refuted if the revision that is cited has none of that name."""
    source = files_of(cited).read(path)
    if isinstance(source, SourceText):
        return source
    if source.why is Why.PATH_MISSING and not cited.stand_in:
        raise Refuted(f"there is no {path} in {cited.revision}")
    raise CannotSay(f"{path} cannot be looked at: {cited.revision} {source.message}")


def look(check: Check, context: Context) -> Look:
    """Where a check looks; raises CannotSay, with the anchor, where a cited anchor has no place."""
    if check.anchor and check.anchor not in context.anchors:
        raise CannotSay(f"there is no {check.anchor}", anchor=check.anchor)
    anchors = [context.anchors[check.anchor]] if check.anchor else list(context.anchors.values())
    if not anchors:
        raise CannotSay("the claim cites no anchor that could be looked at")
    needs_regions = not (check.path or check.symbol) and check.scope not in ("file", "tree")
    for cited in anchors:
        if cited.problem and (needs_regions or cited.files is None):
            raise CannotSay(cited.problem, anchor=cited.id)
    return Look(check, tuple(anchors))


def files_of(cited: Cited) -> Files:
    """The files of an anchor's revision; `look` has made sure that they can be read."""
    assert cited.files is not None, cited.id
    return cited.files


def _around(structure: Outline, region: Lines) -> list[tuple[Lines, str]]:
    """The definitions that a region is, or the one around it; the region itself where there is none."""
    inside = structure.inside(region)
    if inside and structure.describe(region) == ", ".join(symbol.name for symbol in inside):
        return [(symbol.lines, symbol_name(symbol)) for symbol in inside]
    around = structure.innermost(region)
    if around is not None:
        return [(around.lines, symbol_name(around))]
    extents = [symbol.lines for symbol in structure.symbols if symbol.lines.overlaps(region)]
    wide = Lines(
        min([region.first, *(extent.first for extent in extents)]),
        max([region.last, *(extent.last for extent in extents)]),
    )
    return [(wide, lines_name(wide))]


def lines_name(lines: Lines) -> str:
    return f"lines {lines}" if len(lines) > 1 else f"line {lines}"


def symbol_name(symbol: Symbol) -> str:
    """`class BlockPool`, `Scheduler.schedule`."""
    return symbol.name if symbol.kind in ("function", "declaration") else f"{symbol.kind} {symbol.name}"


def fits(path: str, pattern: str) -> bool:
    """Whether a path fits a pattern: `**` for any folders, `*` within one name; a folder's name means all in it."""
    if not any(character in pattern for character in "*?["):
        return path == pattern or path.startswith(pattern.rstrip("/") + "/")
    return _fits(path.split("/"), pattern.split("/"))


def _fits(parts: Sequence[str], patterns: Sequence[str]) -> bool:
    if not patterns:
        return not parts
    if patterns[0] == "**":
        return any(_fits(parts[taken:], patterns[1:]) for taken in range(len(parts) + 1))
    return bool(parts) and fnmatch.fnmatchcase(parts[0], patterns[0]) and _fits(parts[1:], patterns[1:])
