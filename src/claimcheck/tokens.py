"""What a range of a text says, token by token: the leaves of its tree with their block structure.

Nothing here recurses, and nothing walks from a node to its parents.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimcheck.grammars import Grammar
from claimcheck.parsing import go_to_child, node_at
from claimcheck.values import frozen

if TYPE_CHECKING:
    from tree_sitter import Node, Tree, TreeCursor

TOKEN_STEPS = 400_000
INDENT, DEDENT, NEWLINE = "\2", "\3", "\n"
BETWEEN_TOKENS = re.compile(rb"(?:\s|\\\r?\n)*\Z")


@frozen
class TokenDigest:
    """A digest of tokens, and the scheme by which they were made: digests of two schemes say nothing of each other."""

    scheme: str
    digest: str


@frozen
class Tokens:
    """What a range says, taken apart: everything that the digest covers, and what only readers see.

    `code` has the tokens with their block structure but without docstrings, which stand in `docstrings`.
    """

    scheme: str
    code: tuple[str, ...]
    docstrings: tuple[str, ...]
    comments: tuple[str, ...]

    @property
    def digest(self) -> TokenDigest:
        joined = "\0".join(self.code) + "\1" + "\0".join(self.docstrings)
        return TokenDigest(self.scheme, "sha256:" + hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest())


class TokenReader:
    """Collects the tokens of a range of bytes, and checks that only white space was left between them.

    Block ends and statement ends wait until a token follows, so that what stands below the range (a comment at
    the end of the same block, say) does not change the range's tokens.
    """

    def __init__(self, grammar: Grammar, source: bytes, seen: bytes, start: int, end: int) -> None:
        self.grammar = grammar
        self.source = source
        self.seen = seen
        self.start = start
        self.end = end
        self.done = start
        self.sound = True
        self.waiting: list[str] = []
        self.code: list[str] = []
        self.docstrings: list[str] = []
        self.comments: list[str] = []

    def mark(self, mark: str) -> None:
        self.code += self.waiting
        self.waiting.clear()
        self.code.append(mark)

    def mark_later(self, mark: str) -> None:
        self.waiting.append(mark)

    def take(self, node: Node) -> str:
        """The part of a node's text that lies in the range."""
        first, last = max(node.start_byte, self.start), min(node.end_byte, self.end)
        self.pass_over(first)
        self.done = last
        return self.source[first:last].replace(b"\r\n", b"\n").decode("utf-8", "surrogatepass")

    def pass_over(self, to: int) -> None:
        """Take what the parser was not to see for one token; everything else up to a byte has to be white space."""
        self.sound = self.sound and BETWEEN_TOKENS.match(self.seen, self.done, to) is not None
        if self.source is not self.seen and (said := self.source[self.done : to]) != self.seen[self.done : to]:
            self.mark("".join(said.decode("utf-8", "surrogatepass").split()))

    def token(self, node: Node) -> None:
        text = self.take(node)
        self.mark(text if node.type in self.grammar.exact or text.strip() else NEWLINE)

    def finish(self) -> Tokens | None:
        self.pass_over(self.end)
        if not self.sound:
            return None
        return Tokens(self.grammar.scheme, tuple(self.code), tuple(self.docstrings), tuple(self.comments))


@dataclass(slots=True)
class _Open:
    """A node that the walk is inside of: whether it began in the range, and whether a docstring may still come."""

    kind: str
    in_range: bool
    docstring: bool


def read_tokens(reader: TokenReader, tree: Tree) -> Tokens | None:
    """The tokens of a range of bytes: first what is around it, then the leaves with their block structure."""
    grammar, start, end = reader.grammar, reader.start, reader.end
    cursor = tree.walk()
    path: list[_Open] = []
    for _step in range(TOKEN_STEPS):
        node = node_at(cursor)
        parent = path[-1] if path else None
        entered = start < node.end_byte and node.start_byte < end and _enter(reader, node, path)
        if parent and node.type not in grammar.comments:
            parent.docstring = False
        if entered and _go_inside(cursor, reader, path[-1]):
            continue
        while node.start_byte >= end or not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return reader.finish()
            node = node_at(cursor)
            _leave(reader, path.pop(), path[-1] if path else None)
    return None


def _go_inside(cursor: TreeCursor, reader: TokenReader, parent: _Open) -> bool:
    """Go to a node's first child that does not end before the range: there may be thousands that do."""
    if parent.docstring:
        if not cursor.goto_first_child():
            return False
        # Only comments may stand before a docstring.
        while (node := node_at(cursor)).end_byte <= reader.start and node.type in reader.grammar.comments:
            if not cursor.goto_next_sibling():
                return True
        if node.end_byte > reader.start:
            return True
        parent.docstring = False
        cursor.goto_parent()
    return go_to_child(cursor, reader.start)


def _enter(reader: TokenReader, node: Node, path: list[_Open]) -> bool:
    """Take a leaf, or open a node; whether its children are to be read."""
    grammar, kind = reader.grammar, node.type
    parent = path[-1] if path else None
    if kind in grammar.comments:
        reader.comments.append(" ".join(reader.take(node).split()))
    elif kind in grammar.skipped:
        reader.take(node)
    elif parent and parent.docstring and kind == "expression_statement" and _is_string(node, grammar):
        reader.docstrings.append(reader.take(node))
    elif kind in grammar.exact or node.child_count == 0:
        reader.token(node)
        _end_statement(reader, kind, parent)
    else:
        in_range = node.start_byte >= reader.start
        if kind in grammar.surroundings and not in_range:
            reader.mark(f"in {kind}")
        if kind in grammar.blocks and parent and parent.in_range:
            reader.mark(INDENT)
        holder = parent.kind if parent and kind in grammar.blocks else kind
        path.append(_Open(kind, in_range, kind in grammar.sequences and holder in grammar.documented))
        return True
    return False


def _leave(reader: TokenReader, closed: _Open, parent: _Open | None) -> None:
    if closed.kind in reader.grammar.blocks and parent and parent.in_range:
        reader.mark_later(DEDENT)
    _end_statement(reader, closed.kind, parent)


def _end_statement(reader: TokenReader, kind: str, parent: _Open | None) -> None:
    if (parent and parent.kind in reader.grammar.sequences) or kind in reader.grammar.ended_by_newline:
        reader.mark_later(NEWLINE)


def _is_string(node: Node, grammar: Grammar) -> bool:
    return node.child_count == 1 and node.child(0).type in grammar.exact
