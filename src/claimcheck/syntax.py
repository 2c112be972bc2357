"""A text's structure: its definitions with their extent, where statements begin and end, and its tokens.

Nothing here recurses and nothing walks from a node to its parents, since the trees of strangers' files may be as
deep as they like; a file that takes too long or is too large has an `Outline` without symbols and a `problem`.
Tree-sitter counts columns in bytes and rows by LF; nothing of its columns leaves this module.

Extent of a definition: from its first decorator, attribute or template line to its last line of code. Comments
above it and comments after its last line of code do not belong to it.

Qualified names: components joined by `.` in Python and `::` in C++ (`BlockPool.touch`, `a::S::f`, `S::~S`,
`S::operator=`). A name may end in its parameters to tell overloads apart (`S::f(int)`, `TEST_F(Suite, Case)`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from claimcheck.grammars import SEEN, Grammar, grammar_for, load, statements
from claimcheck.kept import Kept
from claimcheck.margins import Margins
from claimcheck.model import Lines
from claimcheck.parsing import children_from, loaded, matches, parsed
from claimcheck.texts import split_lines
from claimcheck.tokens import TokenDigest, TokenReader, Tokens, read_tokens
from claimcheck.values import frozen

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

OUTLINES_KEPT = 400 << 20
BYTES_A_NODE = 150
TOKENS_KEPT = 16
LISTED_SYMBOLS = 4
MOST_PIECES = 5_000
KEYWORD_DEPTH = 20
MOST_ON_A_LINE = 1_000
AFTER_A_PIECE = (b";", b",", b")", b"}", b"]", b"/", b"#")
LABEL = re.compile(r"\w+\s*:")


@frozen
class Symbol:
    """A definition. `kind` is `function`, `class`, `declaration` and the like; `signature` its parameters."""

    kind: str
    name: str
    lines: Lines
    name_line: int
    signature: str = ""

    @property
    def last_name(self) -> str:
        return re.split(r"\.|::", self.name)[-1]


@frozen
class Statement:
    """A statement's extent; a `branch` is the first of its branches only."""

    lines: Lines
    branch: bool


@frozen
class Piece:
    """A node of the syntax tree: its kind, the keyword that it begins with, and whether it leads and ends its lines."""

    kind: str
    keyword: str
    lines: Lines
    leads: bool
    ends: bool

    def like(self, other: Piece) -> bool:
        """Whether two pieces are of one kind, or begin with the same keyword, as the forms of a loop do."""
        return self.kind == other.kind or bool(self.keyword and self.keyword == other.keyword)


@frozen(slots=False)
class Outline:
    """The structure of one text. With a `problem` nothing is known of it, and nothing is claimed to be absent."""

    grammar: Grammar
    text: str
    symbols: tuple[Symbol, ...] = ()
    problem: str | None = None
    errors: tuple[Lines, ...] = ()
    comment_lines: frozenset[int] = frozenset()
    _seen: bytes = field(default=b"", repr=False, compare=False)
    _tree: Tree | None = field(default=None, repr=False, compare=False)

    @property
    def weight(self) -> int:
        """About how many bytes it takes."""
        nodes = self._tree.root_node.descendant_count if self._tree else 0
        return 4 * len(self.text) + BYTES_A_NODE * nodes

    @cached_property
    def _lines(self) -> Sequence[str]:
        return split_lines(self.text)

    def error_overlaps(self, lines: Lines) -> bool:
        """Whether the parser did not understand something within these lines."""
        at = bisect_right(self.errors, lines.last, key=lambda error: error.first)
        return at > 0 and self.errors[at - 1].overlaps(lines)

    def innermost(self, lines: Lines) -> Symbol | None:
        """The smallest definition that covers these lines, if one does; a namespace is not a definition."""
        here, below = bisect_left(self._firsts, lines.first), bisect_right(self._firsts, lines.first)
        # Of those that begin above, the last one that reaches far enough; of those that begin here, any may do.
        above = self._reaching(here - 1, lines.last)
        around = [self.symbols[above]] if above >= 0 else []
        around += (one for one in self.symbols[max(here, below - MOST_ON_A_LINE) : below] if one.lines.covers(lines))
        return min(around, key=lambda symbol: len(symbol.lines), default=None)

    def _reaching(self, at: int, line: int) -> int:
        """The last definition up to a number that reaches a line, -1 if none does."""
        while at >= 0 and self.symbols[at].lines.last < line:
            at = self._longer[at]
        while at > 0 and self.symbols[at - 1].lines == self.symbols[at].lines:
            at -= 1
        return at

    @cached_property
    def _firsts(self) -> Sequence[int]:
        return [symbol.lines.first for symbol in self.symbols]

    @cached_property
    def _longer(self) -> Sequence[int]:
        """For each definition the number of the last one before it that reaches further, -1 if none does."""
        longer: list[int] = []
        for n, symbol in enumerate(self.symbols):
            other = n - 1
            while other >= 0 and self.symbols[other].lines.last <= symbol.lines.last:
                other = longer[other]
            longer.append(other)
        return longer

    def inside(self, lines: Lines) -> tuple[Symbol, ...]:
        """The definitions that lie in these lines and in no other that does, from top to bottom."""
        found: list[Symbol] = []
        for symbol in self.symbols[bisect_left(self._firsts, lines.first) : bisect_right(self._firsts, lines.last)]:
            if lines.covers(symbol.lines) and not (found and found[-1].lines.covers(symbol.lines)):
                found.append(symbol)
        return tuple(found)

    @cached_property
    def members(self) -> frozenset[int]:
        """The lines on which begins what stands directly in the text, or directly in the body of a class that does."""
        classes = {symbol.lines.first for symbol in self.symbols if symbol.kind == "class"}
        found: set[int] = set()
        waiting = [self._tree.root_node] if self._tree else []
        while waiting:
            for child in waiting.pop().named_children:
                line = child.start_point.row + 1
                found.add(line)
                if line in classes:
                    body = (child.child_by_field_name("definition") or child).child_by_field_name("body")
                    waiting += [body] if body is not None else []
        return frozenset(found)

    def named(self, name: str) -> tuple[Symbol, ...]:
        """The definitions of a name: those of exactly this qualified name, else those that end in it.

        A suffix begins at a component (`Pool.get` is the end of `a.Pool.get`, not of `BlockPool.get`).
        """
        exact = self.exactly(name)
        if exact:
            return exact
        wanted, signature = _split_signature(name)
        tail = self.grammar.separator + wanted
        return _chosen([symbol for symbol in self.symbols if symbol.name.endswith(tail)], signature)

    def exactly(self, name: str) -> tuple[Symbol, ...]:
        """The definitions of exactly this qualified name, with parameters or without."""
        wanted, signature = _split_signature(name)
        return _chosen(self._by_name.get(wanted, ()), signature)

    def of_name(self, name: str) -> tuple[Symbol, ...]:
        """The definitions of this qualified name and the declarations of it, also those of what is defined here."""
        return tuple(self._by_name.get(name, ()))

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[Symbol]]:
        found: dict[str, list[Symbol]] = {}
        for symbol in self.symbols:
            found.setdefault(symbol.name, []).append(symbol)
        return found

    def unparsed(self, name: str) -> tuple[int, ...]:
        """Lines that hold a name's last component where the parser understood nothing: what might define it."""
        last = re.split(r"\.|::", _split_signature(name)[0])[-1]
        word = re.compile(rf"(?<!\w){re.escape(last)}(?!\w)")
        lines = self._lines
        if self.problem:
            return tuple(n for n, line in enumerate(lines, 1) if word.search(line))
        here = (n for error in self.errors for n in range(error.first, error.last + 1) if word.search(lines[n - 1]))
        defined = _merged(symbol.lines for symbol in self.symbols)
        return tuple(one.first for one in _apart_from([Lines(n, n) for n in here], defined))

    def lost_in(self, symbol: Symbol) -> int | None:
        """The line where the parser was lost, if that puts the extent of a definition in doubt.

        It does where the text is laid out otherwise: a line inside that is not indented more than the definition, or
        lines below, behind the error, that are.
        """
        lines = symbol.lines
        if symbol.kind == "macro":  # ends where its line does
            return None
        error = next((one for one in self.errors if one.overlaps(Lines(lines.first, lines.last + 1))), None)
        if error is None:
            return None
        depth = _indentation(self._lines[lines.first - 1])
        inside = range(symbol.name_line + 1, lines.last)
        if any(_indentation(self._lines[n - 1]) <= depth for n in inside if not self._is_no_measure(n)):
            return error.first
        below = lines.last + 1
        while below <= len(self._lines) and (self.error_overlaps(Lines(below, below)) or self._is_no_measure(below)):
            below += 1
        goes_on = below <= len(self._lines) and _indentation(self._lines[below - 1]) > depth
        return error.first if goes_on else None

    def _is_no_measure(self, n: int) -> bool:
        """Whether the indentation of a line says nothing: it is blank, a comment, a directive, a label, or closes."""
        line = self._lines[n - 1].strip()
        return not line or n in self.comment_lines or line[0] in "#{})]" or LABEL.fullmatch(line) is not None

    def describe(self, lines: Lines) -> str | None:
        """The names of the definitions that a range is (joined by `, `), or the one that it lies in.

        Of more than a few definitions in a larger one, the larger one is named.
        """
        inside = self.inside(lines)
        around = self.innermost(lines)
        if inside and not self._code_outside(lines, inside) and (around is None or len(inside) <= LISTED_SYMBOLS):
            return ", ".join(symbol.name for symbol in inside)
        return around.name if around else None

    def only_comments(self, lines: Iterable[int]) -> bool:
        """Whether these lines are blank or hold nothing but a comment."""
        return all(n in self.comment_lines or not self._lines[n - 1].strip() for n in lines)

    def _code_outside(self, lines: Lines, symbols: Sequence[Symbol]) -> bool:
        """Whether code stands in these lines and in none of the definitions, which are in order."""
        first = lines.first
        for symbol in symbols:
            if not self.only_comments(range(first, symbol.lines.first)):
                return True
            first = max(first, symbol.lines.last + 1)
        return not self.only_comments(range(first, lines.last + 1))

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement, and first branch of one, that has nothing before it on its first line."""
        return self._statements_in(None)

    def statement_lines(self, within: Lines) -> tuple[frozenset[int], frozenset[int]]:
        """The lines on which statements begin, and those on which they end, of the statements that touch a range."""
        found = self._statements_in(within)
        return frozenset(one.lines.first for one in found), frozenset(one.lines.last for one in found)

    def _statements_in(self, within: Lines | None) -> tuple[Statement, ...]:
        if self._tree is None:
            return ()
        found = []
        for start, end, branch in _statements(self.grammar, self._tree, within):
            row = start.start_point.row
            if self._margins.nothing_before(row, start.start_byte):
                found.append(Statement(Lines(row + 1, max(row + 1, _last_line(end))), branch))
        return tuple(found)

    def edge_pieces(self, lines: Lines) -> tuple[Piece | None, Piece | None]:
        """The largest pieces of syntax in these lines that begin with the first, and that end with the last of them.

        Only closing brackets may stand before a piece on its first line.
        """
        pieces = [piece for piece in self.pieces(lines) if lines.covers(piece.lines)]
        beginning = [piece for piece in pieces if piece.lines.first == lines.first and piece.leads]
        ending = [piece for piece in pieces if piece.lines.last == lines.last and piece.leads and piece.ends]
        # The pieces come from the outside in, so of pieces that are alike the outermost is the first.
        return (
            max(beginning, key=lambda piece: len(piece.lines), default=None),
            max(ending, key=lambda piece: len(piece.lines), default=None),
        )

    def pieces(self, lines: Lines) -> list[Piece]:
        """The named pieces of syntax that touch these lines, from the outside in and from top to bottom."""
        if self._tree is None:
            return []
        found: list[Piece] = []
        level: list[Node] = [self._tree.root_node]
        offsets = self._margins.offsets
        # What ends before the LF above them touches none of these lines.
        before = max(0, offsets[min(lines.first, len(offsets)) - 1] - 1)
        while level and len(found) < MOST_PIECES:
            inner: list[Node] = []
            for node in level:
                for child in children_from(node, before):
                    if not child.is_named:
                        continue
                    here = _row_range(child)
                    if here.overlaps(lines):
                        found.append(self._piece(child, here))
                        inner.append(child)
                    elif here.first > lines.last:
                        break
            level = inner
        return found

    def _piece(self, node: Node, lines: Lines) -> Piece:
        first = node
        for _depth in range(KEYWORD_DEPTH):
            child = first.child(0) if first.child_count and first.start_byte == node.start_byte else None
            if child is None:
                break
            first = child
        keyword = first.type if not first.is_named and first.type.isalpha() else ""
        leads = self._margins.nothing_open_before(node.start_point.row, node.start_byte)
        closing = self._source[node.end_byte - 1 : node.end_byte] == b"}"
        # A node that ends with its line's end has nothing after it.
        after = self._margins.next(node.end_byte) if node.end_point.column else b""
        return Piece(node.type, keyword, lines, leads, closing or after in (b"", *AFTER_A_PIECE))

    def tokens(self, lines: Lines) -> Tokens | None:
        """The tokens of a range, or None where the parser did not understand all of it."""
        if self._tree is None or lines.last > len(self._lines) or self.error_overlaps(lines):
            return None
        if lines not in self._read:
            if len(self._read) >= TOKENS_KEPT:
                self._read.clear()
            start, end = self._margins.offsets[lines.first - 1], self._margins.end(lines.last - 1)
            reader = TokenReader(self.grammar, self._source, self._seen, start, end)
            self._read[lines] = read_tokens(reader, self._tree)
        return self._read[lines]

    @cached_property
    def _read(self) -> dict[Lines, Tokens | None]:
        """The tokens of the ranges that were asked for last: who says that a region changed is asked how."""
        return {}

    @cached_property
    def _source(self) -> bytes:
        return self.text.encode("utf-8", "surrogatepass")

    @cached_property
    def _margins(self) -> Margins:
        return Margins(self._seen)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def outline(text: str, path: str) -> Outline | None:
    """The structure of a text, or None where there is no grammar for the file or it cannot be used here."""
    grammar = grammar_for(path)
    if grammar is None or isinstance(load(grammar.name), str):
        return None
    return _outlines.get((text, PurePosixPath(path).suffix.lower()))


def keep_outlines(most: int) -> None:
    """Keep outlines of about so many bytes; more than usual, or less where each file is asked about once."""
    _outlines.most = most


def token_digest(text: str, path: str, lines: Lines) -> TokenDigest | None:
    """The digest of a range's tokens with their block structure, or None where there is no sound one."""
    structure = outline(text, path)
    tokens = structure.tokens(lines) if structure else None
    return tokens.digest if tokens else None


def _outline(asked: tuple[str, str]) -> Outline:
    text, suffix = asked
    grammar = grammar_for(f"x{suffix}")
    assert grammar is not None
    source = text.encode("utf-8", "surrogatepass")
    seen = SEEN[grammar.name](source) if grammar.name in SEEN else source
    tree = parsed(grammar, seen)
    if isinstance(tree, str):
        return Outline(grammar, text, problem=tree)
    definitions, captures = _definitions(grammar, tree.root_node, _unseen_lines(source, seen))
    comment_lines = _comment_lines(captures["comment"], Margins(source))
    symbols = tuple(_symbols(grammar, definitions, source, comment_lines, split_lines(text)))
    return Outline(grammar, text, symbols, None, _errors(captures, definitions), comment_lines, seen, tree)


# A run relocates first and checks claims then, so the usual files of a course are to be known still; a large one has a
# tree of hundreds of megabytes.
_outlines = Kept(_outline, lambda made: made.weight, OUTLINES_KEPT)


def _unseen_lines(source: bytes, seen: bytes) -> frozenset[int]:
    """The lines that say something of which the parser sees nothing."""
    if seen is source:
        return frozenset()
    lines = zip(source.split(b"\n"), seen.split(b"\n"), strict=True)
    return frozenset(n for n, (said, left) in enumerate(lines, 1) if said != left and not left.strip())


@dataclass(slots=True)
class _Definition:
    """A definition as the query finds it; `start` is where its outermost wrapper begins."""

    kind: str
    node: Node
    name: Node
    parameters: Node | None
    start: int
    first: int


def _name_of(grammar: Grammar, captures: Mapping[str, list[Node]]) -> tuple[Node, Node | None] | None:
    """The name and the parameters of a definition."""
    if "declarator" in captures:
        return grammar.declared(captures["declarator"][0])
    parameters = captures.get("parameters")
    return captures["name"][0], parameters[0] if parameters else None


def _definitions(
    grammar: Grammar, root: Node, unseen: frozenset[int]
) -> tuple[list[_Definition], Mapping[str, Sequence[Node]]]:
    """The definitions in the order of the text, each once, and what else the query captured.

    Unseen lines above a definition belong to it.
    """
    found: dict[int, _Definition] = {}
    wrappers: dict[int, Node] = {}
    others: dict[str, list[Node]] = {"comment": [], "error": [], "half": []}
    for captures in matches(loaded(grammar).symbols, root):
        for name, nodes in captures.items():
            if name in others:
                others[name] += nodes
            elif name == "wrapper":
                wrappers[captures["inner"][0].id] = nodes[0]
            elif name.startswith("definition."):
                named = _name_of(grammar, captures)
                if named is not None:
                    kind = name.removeprefix("definition.")
                    found[named[0].start_byte] = _Definition(kind, nodes[0], *named, 0, 0)
    for definition in found.values():
        outer = definition.node
        while outer.id in wrappers:
            outer = wrappers[outer.id]
        definition.start, definition.first = outer.start_byte, outer.start_point.row + 1
        while definition.first - 1 in unseen:
            definition.first -= 1
    return sorted(found.values(), key=lambda one: (one.start, -one.node.end_byte)), others


def _statements(grammar: Grammar, tree: Tree, within: Lines | None) -> Iterator[tuple[Node, Node, bool]]:
    """The nodes with which statements begin and end, and whether it is a first branch."""
    query = statements(grammar.name)
    if isinstance(query, str):
        return
    for captures in matches(query, tree.root_node, within):
        for node in captures.get("statement", ()):
            yield node, node, False
        for node in captures.get("head", ()):
            yield node, captures["body"][0], True


def _symbols(
    grammar: Grammar,
    definitions: Iterable[_Definition],
    source: bytes,
    comment_lines: frozenset[int],
    lines: Sequence[str],
) -> Iterator[Symbol]:
    """Symbols with names qualified by what is around them; declarations inside a function are statements."""
    around: list[tuple[Node, str, str]] = []
    for definition in definitions:
        # Of several names in one declaration none is inside of another.
        while around and (around[-1][0].end_byte < definition.node.end_byte or around[-1][0] == definition.node):
            around.pop()
        if definition.kind == "declaration" and around and around[-1][2] == "function":
            continue
        name = _name(source[definition.name.start_byte : definition.name.end_byte].decode("utf-8", "surrogatepass"))
        qualified = grammar.separator.join(filter(None, (around[-1][1] if around else "", name)))
        around.append((definition.node, qualified, definition.kind))
        if definition.kind == "namespace":
            continue
        last = _last_line(definition.node)
        while last > definition.first and (last in comment_lines or not lines[last - 1].strip()):
            last -= 1
        parameters = definition.parameters
        signature = source[parameters.start_byte : parameters.end_byte] if parameters else b""
        yield Symbol(
            definition.kind,
            qualified,
            Lines(definition.first, last),
            definition.name.end_point.row + 1,
            " ".join(signature.decode("utf-8", "surrogatepass").split()),
        )


def _name(text: str) -> str:
    """A name without white space, template arguments and, for a conversion operator, its parameters."""
    if "operator" in text:
        return " ".join(text.partition("(")[0].split()) if not text.endswith("operator()") else "".join(text.split())
    text = "".join(text.split())
    while (shorter := re.sub(r"<[^<>]*>", "", text)) != text:
        text = shorter
    return text


def _last_line(node: Node) -> int:
    """The number of the last line that a node stands on; a node that ends after a line's LF ends on that line."""
    row, column = node.end_point
    return row + 1 if column or row == node.start_point.row else row


def _comment_lines(comments: Iterable[Node], margins: Margins) -> frozenset[int]:
    """The lines that hold nothing but a comment or a part of one."""
    found: set[int] = set()
    for node in comments:
        row, last = node.start_point.row, _last_line(node)
        alone = margins.nothing_before(row, node.start_byte)
        # A comment that ends with its line's end has nothing after it.
        after = margins.next(node.end_byte) if node.end_point.column else b""
        found.update(range(row + 1 if alone else row + 2, last if after else last + 1))
    return frozenset(found)


def _errors(captures: Mapping[str, Sequence[Node]], definitions: Sequence[_Definition]) -> tuple[Lines, ...]:
    """The lines that the parser did not understand.

    An error node may span a whole file; the definitions inside it that were parsed without any error, and do not
    hold one half of a conditional, are not part of it.
    """
    halves = [_row_range(node) for node in captures["half"]]
    errors = [_row_range(node) for node in captures["error"]]
    extents = (Lines(one.first, _last_line(one.node)) for one in definitions if not one.node.has_error)
    sound = _apart_from(sorted(extents), _merged(halves))
    return _merged([*_carved(_merged(errors), sound), *halves])


def _apart_from(extents: Sequence[Lines], others: Sequence[Lines]) -> list[Lines]:
    """The extents that have no line in common with some others; the others are in order."""
    firsts = [one.first for one in others]
    kept = []
    for extent in extents:
        at = bisect_right(firsts, extent.last)
        if not at or others[at - 1].last < extent.first:
            kept.append(extent)
    return kept


def _carved(errors: Sequence[Lines], sound: Sequence[Lines]) -> Iterator[Lines]:
    """What is left of errors without the definitions inside them; both are in order."""
    firsts = [extent.first for extent in sound]
    for error in errors:
        first = error.first
        for extent in sound[bisect_left(firsts, error.first) : bisect_right(firsts, error.last)]:
            if error.covers(extent) and extent != error and extent.first >= first:
                if extent.first > first:
                    yield Lines(first, extent.first - 1)
                first = extent.last + 1
        if first <= error.last:
            yield Lines(first, error.last)


def _merged(ranges: Iterable[Lines]) -> tuple[Lines, ...]:
    merged: list[Lines] = []
    for lines in sorted(ranges):
        if merged and lines.first <= merged[-1].last:
            merged[-1] = Lines(merged[-1].first, max(merged[-1].last, lines.last))
        else:
            merged.append(lines)
    return tuple(merged)


def _row_range(node: Node) -> Lines:
    return Lines(node.start_point.row + 1, _last_line(node))


def _split_signature(name: str) -> tuple[str, str | None]:
    """A name and its parameters, if it was written with them; `operator()` keeps its parentheses."""
    start = name.find("(", name.find("operator()") + len("operator()") if "operator()" in name else 0)
    return (name, None) if start < 0 else (name[:start].strip(), name[start:])


def _chosen(symbols: Sequence[Symbol], signature: str | None) -> tuple[Symbol, ...]:
    """The symbols that have a signature, if one is asked for, without declarations of what is defined beside them."""
    if signature is not None:
        symbols = [symbol for symbol in symbols if parameter_forms(symbol.signature) & parameter_forms(signature)]
    defined = {(one.name, form) for one in symbols if one.kind == "function" for form in parameter_forms(one.signature)}
    return tuple(
        symbol
        for symbol in symbols
        if symbol.kind != "declaration"
        or not any((symbol.name, form) in defined for form in parameter_forms(symbol.signature))
    )


def parameter_forms(signature: str) -> frozenset[str]:
    """A parameter list as it is and with the parameters' names left out, both without white space."""
    written = [piece.partition("=")[0].strip() for piece in signature.strip("() ").split(",")]
    unnamed = [re.sub(r"(?<=[\s>*&])\w+$", "", piece) for piece in written]
    return frozenset("".join(",".join(pieces).split()) for pieces in (written, unnamed))
