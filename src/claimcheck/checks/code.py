"""Texts as checks look at them: parsed within a budget, and the part of one that a check is about."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from claimcheck.checks.dialects import Assignment, Definition, Dialect, dialect_of
from claimcheck.checks.result import CannotSay, Hit
from claimcheck.checks.windows import Taken, taken_out, without
from claimcheck.grammars import grammar_for, load
from claimcheck.kept import Kept
from claimcheck.model import Lines
from claimcheck.syntax import Outline, outline
from claimcheck.texts import SourceText
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import Range, SgNode

Rule = Mapping[str, Any]
_Extents: TypeAlias = "Sequence[tuple[SgNode, Range]]"

MOST_BYTES = 2_000_000
# Of the texts that were looked at last. A tree usually takes 20 bytes a character, in the worst case two hundred.
CHARACTERS_KEPT = 4_000_000


@frozen(slots=False, eq=False)
class Tree:
    """What ast-grep made of a text."""

    root: SgNode
    dialect: Dialect

    @cached_property
    def errors(self) -> tuple[Lines, ...]:
        """The lines that the parser did not understand."""
        return tuple(lines_of(node) for node in self.root.find_all(kind="ERROR"))

    @cached_property
    def children(self) -> _Extents:
        """What stands outermost, with its extent."""
        return _with_extents(self.root)

    @cached_property
    def dead(self) -> tuple[Lines, ...]:
        """The lines that no compiler reads."""
        return tuple(Lines(first + 1, last + 1) for first, last in self.dialect.dead(self.root))


@frozen
class _Window:
    """The tree of a text without some definitions, and how many characters were parsed for it."""

    tree: Tree
    taken_out: tuple[Taken, ...]
    size: int

    def has(self, lines: Lines) -> bool:
        """Whether all of some lines is still there."""
        at = bisect_left(self.taken_out, lines.first, key=lambda taken: taken.lines.last)
        return at == len(self.taken_out) or self.taken_out[at].lines.first > lines.last


@frozen(slots=False, eq=False)
class Code:
    """A text that both parsers can read, the second one only as much of it as is looked at."""

    path: str
    source: SourceText
    dialect: Dialect
    outline: Outline

    @cached_property
    def whole(self) -> Tree:
        """The tree of the whole text."""
        return self._parsed(self.source.text)

    @property
    def root(self) -> SgNode:
        return self.whole.root

    def around(self, lines: Lines) -> Tree:
        """A tree in which some lines and what is around them stand as in the text, on the same lines and columns."""
        if "whole" in self.__dict__ or lines == self.source.whole:
            return self.whole
        for window in self._windows:
            if window.has(lines):
                return window.tree
        definitions = taken_out(self.outline, lines)
        text = without(self.outline, self._rows, definitions) if definitions else ""
        # Of a text with many parts, the whole is less work than all of them.
        if not definitions or sum(window.size for window in self._windows) + len(text) > len(self.source.text):
            return self.whole
        self._windows.append(_Window(self._parsed(text), definitions, len(text)))
        return self._windows[-1].tree

    def _parsed(self, text: str) -> Tree:
        return Tree(parsed(text, self.dialect.name), self.dialect)

    @cached_property
    def _windows(self) -> list[_Window]:
        return []

    @cached_property
    def _rows(self) -> Sequence[str]:
        return self.source.text.split("\n")

    @cached_property
    def parts(self) -> dict[tuple[Lines, str], Part]:
        """The parts of the text that were looked at."""
        return {}

    @cached_property
    def errors(self) -> tuple[Lines, ...]:
        """The lines that one of the parsers did not understand."""
        return (*self.outline.errors, *self.whole.errors)

    @cached_property
    def names(self) -> Mapping[str, tuple[Definition, ...]]:
        """Everything that the text defines, by name."""
        found: dict[str, tuple[Definition, ...]] = {}
        nodes = in_order(matches(self.root, {"rule": of_kinds(self.dialect.defining)}))
        for one in self.dialect.definitions(nodes):
            found[one.name] = (*found.get(one.name, ()), one)
        return found


def code_of(path: str, source: SourceText) -> Code | None:
    """A text with its structure; None if the language is none that checks know.

    Raises CannotSay for a text that is too large or was not parsed within the budget, before ast-grep sees it: that
    cannot be interrupted.
    """
    return _codes.get((path, source))


def _code(asked: tuple[str, SourceText]) -> Code | None:
    path, source = asked
    dialect = dialect_of(path)
    if dialect is None:
        return None
    size = len(source.text)
    if size > MOST_BYTES:
        raise CannotSay(f"{path} has {size:,} characters, more than the {MOST_BYTES:,} that checks look at")
    structure = outline(source.text, path)
    if structure is None:
        grammar = grammar_for(path)
        loaded = load(grammar.name) if grammar else None
        raise CannotSay(loaded if isinstance(loaded, str) else f"there is no grammar for {path}")
    if structure.problem:
        raise CannotSay(f"{path} {structure.problem}")
    return Code(path, source, dialect, structure)


_codes = Kept(_code, lambda made: len(made.source.text) if made else 0, CHARACTERS_KEPT)


def parsed(text: str, language: str) -> SgNode:
    """The tree of a text that is known to be harmless."""
    from ast_grep_py import SgRoot

    return SgRoot(text, language).root()


def matches(node: SgNode, config: Rule) -> list[SgNode]:
    """What a rule, with its constraints and utilities, matches at or below a node."""
    return node.find_all(cast(Any, config))


def finds(node: SgNode, config: Rule) -> bool:
    """Whether a rule matches anything at or below a node."""
    return node.find(cast(Any, config)) is not None


def of_kinds(kinds: Iterable[str]) -> Rule:
    """A rule for the nodes of some kinds."""
    return {"any": [{"kind": kind} for kind in sorted(kinds)]}


def in_order(nodes: Iterable[SgNode]) -> list[SgNode]:
    """Nodes in the order of the text, outer ones before those that they begin with."""
    return sorted(nodes, key=lambda node: (node.range().start.index, -node.range().end.index))


def _with_extents(node: SgNode) -> _Extents:
    return [(child, child.range()) for child in node.children()]


def _touching(siblings: _Extents, first: int, last: int) -> Iterator[tuple[SgNode, Range]]:
    """Those that end on a line or below it and begin on another or above it, lines counted from 0.

    A file may have ten thousand definitions, and a claim about each.
    """
    at = bisect_left(siblings, first, key=lambda one: one[1].end.line)
    return takewhile(lambda one: one[1].start.line <= last, islice(siblings, at, None))


def lines_of(node: SgNode) -> Lines:
    """The lines that a node stands on, counted from 1."""
    extent = node.range()
    first, last = extent.start.line + 1, extent.end.line + 1
    return Lines(first, max(first, last - 1 if extent.end.column == 0 else last))


@frozen(slots=False, eq=False)
class Part:
    """What a check looks at: some lines of a text, by a name for people. `code` is None for what has no grammar."""

    path: str
    source: SourceText
    lines: Lines
    name: str
    code: Code | None = None

    @property
    def parsed(self) -> Code:
        """The code; raises CannotSay for a text that has no grammar."""
        if self.code is None:
            raise CannotSay(f"{self.path} is neither Python nor C++")
        return self.code

    @property
    def dialect(self) -> Dialect:
        return self.parsed.dialect

    @cached_property
    def tree(self) -> Tree:
        """The tree of the text, as far as this part has to do with it."""
        return self.parsed.around(self.lines)

    @cached_property
    def roots(self) -> tuple[SgNode, ...]:
        """The nodes that together hold everything that begins in the part."""
        first, last = self.lines.first - 1, self.lines.last - 1
        extents = self.tree.children
        while True:
            around = _touching(extents, last, first - 1)
            inner = next((child for child, extent in around if self._is_around(extent)), None)
            if inner is None:
                return tuple(child for child, _ in _touching(extents, first, last))
            extents = _with_extents(inner)

    def _is_around(self, extent: Range) -> bool:
        last = extent.end.line - (extent.end.column == 0)
        return extent.start.line < self.lines.first - 1 and self.lines.last - 1 <= last

    def holds(self, node: SgNode) -> bool:
        """Whether a node begins in this part, and in what is compiled at all."""
        line = node.range().start.line + 1
        return self.lines.first <= line <= self.lines.last and not (self._dead and self._is_dead(line))

    @cached_property
    def _dead(self) -> tuple[Lines, ...]:
        return self.tree.dead

    def _is_dead(self, line: int) -> bool:
        return any(line in dead for dead in self._dead)

    def find(self, rule: Rule) -> list[SgNode]:
        """The nodes of the part that an ast-grep rule matches, in the order of the text."""
        return self.matches({"rule": rule})

    def matches(self, config: Rule) -> list[SgNode]:
        """The same for a rule with its constraints and utilities."""
        return in_order([node for root in self.roots for node in matches(root, config) if self.holds(node)])

    def of_kinds(self, kinds: frozenset[str]) -> list[SgNode]:
        """The nodes of the part that are of some kinds, in the order of the text."""
        if kinds not in self._of_kinds:
            self._of_kinds[kinds] = self.find(of_kinds(kinds))
        return self._of_kinds[kinds]

    @cached_property
    def _of_kinds(self) -> dict[frozenset[str], list[SgNode]]:
        return {}

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """The things with names that the part defines."""
        return tuple(self.dialect.definitions(self.of_kinds(self.dialect.defining)))

    @cached_property
    def assignments(self) -> tuple[Assignment, ...]:
        """What the part assigns and initialises."""
        return tuple(self.dialect.assignments(self.of_kinds(self.dialect.assigning)))

    def mentions(self, word: str) -> bool:
        """Whether a word stands in the part at all; where it does not, no search is needed."""
        return word in self._text

    @cached_property
    def _text(self) -> str:
        return self.source.text if self.lines == self.source.whole else self.source.cut(self.lines)

    def hit(self, where: SgNode | int) -> Hit:
        """A line of the part, for people."""
        line = where if isinstance(where, int) else where.range().start.line + 1
        return Hit(self.path, line, self.source.lines[line - 1] if line <= len(self.source) else "")

    def make_sure_it_parsed(self) -> None:
        """Raise CannotSay where a parser did not understand some of the part: nothing is absent there."""
        errors = (*self.parsed.outline.errors, *self.tree.errors)
        line = min((max(one.first, self.lines.first) for one in errors if one.overlaps(self.lines)), default=None)
        if line is not None:
            raise CannotSay(f"{self.path} has parse errors in {self.name}, line {line}", hits=(self.hit(line),))

    def opaque(self) -> list[SgNode]:
        """What the grammar does not look into, such as the bodies of macros."""
        return [node for root in self.roots for node in self.dialect.opaque(root) if self.holds(node)]


def part_of(path: str, source: SourceText, lines: Lines, name: str, code: Code | None) -> Part:
    """A part of a text; the same one for the same part, so that what was found out about it is kept with the text."""
    if code is None:
        return Part(path, source, lines, name)
    if (lines, name) not in code.parts:
        code.parts[lines, name] = Part(path, source, lines, name, code)
    return code.parts[lines, name]
