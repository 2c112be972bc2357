"""What a piece of code says apart from how it is laid out: the structure by which conditions and formulas are equal.

White space, comments, line breaks, parentheses, trailing commas, the quotes of strings and the spelling of numbers
make no difference; everything else does. In what is looked for, `$X` stands for any one piece, the same piece wherever
it is repeated (`$_` for any), and `$$$` for any number of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimcheck.checks.result import CannotSay

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from claimcheck.checks.dialects import Dialect

DEEPEST = 120
MOST_STEPS = 20_000

# What stands for `$` while code with metavariables is parsed: a letter in both languages, and what ast-grep takes.
SIGIL = "µ"
ANY = "$"
ANY_NUMBER = "$$$"

# Tokens that say nothing that the kind of the node around them does not.
_SILENT = frozenset({"(", ")", ",", ";", "\n"})
_COMMUTES = frozenset({"+", "*"})


class Shape:
    """A node's kind with what it consists of: a token's text, or the shapes below it.

    What is below is looked at when somebody asks: most comparisons end at the first node.
    """

    __match_args__ = ("kind", "text", "below")
    __slots__ = ("_below", "_children", "kind", "text")

    def __init__(
        self,
        kind: str,
        text: str = "",
        below: tuple[Shape, ...] = (),
        children: Callable[[], tuple[Shape, ...]] | None = None,
    ) -> None:
        self.kind = kind
        self.text = text
        self._below = below
        self._children = children

    @property
    def below(self) -> tuple[Shape, ...]:
        if self._children is not None:
            self._below, self._children = self._children(), None
        return self._below

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shape):
            return NotImplemented
        return self.kind == other.kind and self.text == other.text and self.below == other.below

    def __hash__(self) -> int:
        return hash((self.kind, self.text, self.below))

    def __repr__(self) -> str:
        return f"Shape({self.kind!r}, {self.text!r}, {self.below!r})"


def shape_of(node: SgNode, dialect: Dialect, depth: int = 0) -> Shape:
    """The shape of a node; it raises CannotSay when it is looked at deeper than any person nests expressions."""
    while (inner := dialect.within_parentheses(node)) is not None:
        node, depth = inner, depth + 1
    if depth > DEEPEST:
        raise CannotSay(f"an expression is nested more than {DEEPEST} deep")
    leaf = dialect.leaf(node)
    if leaf is not None:
        return Shape(*leaf)
    kind = node.kind()
    children = [child for child in node.children() if child.kind() not in dialect.unsaid]
    if not children:
        return _token(node.text())
    if kind != "subscript":  # where a comma makes a tuple
        children = [child for child in children if child.is_named() or child.kind() not in _SILENT]

    def below() -> tuple[Shape, ...]:
        return tuple(shape_of(child, dialect, depth + 1) for child in children)

    return Shape(dialect.same_kinds.get(kind, kind), children=below)


def _token(text: str) -> Shape:
    if text.startswith(SIGIL * 3):
        return Shape(ANY_NUMBER, text[3:])
    if text.startswith(SIGIL):
        return Shape(ANY, text[1:])
    return Shape("token", text)


@dataclass(slots=True)
class _Match:
    """One comparison: what the metavariables stand for, and how many steps are left."""

    commute: bool
    bound: dict[str, Shape]
    steps: int = MOST_STEPS

    def same(self, wanted: Shape, there: Shape) -> bool:
        self.steps -= 1
        if self.steps < 0:
            raise CannotSay("an expression can be matched in too many ways")
        if wanted.kind == ANY:
            return self._binds(wanted.text, there)
        if self.commute and (terms := _terms(wanted)) is not None:
            operator, ours = terms
            other = _terms(there)
            return other is not None and other[0] == operator and self._in_any_order(ours, other[1])
        if wanted.kind != there.kind or wanted.text != there.text:
            return False
        return self.sequence(wanted.below, there.below)

    def _binds(self, name: str, there: Shape) -> bool:
        if not name or name.startswith("_"):
            return True
        known = self.bound.setdefault(name, there)
        return known == there

    def sequence(self, wanted: Sequence[Shape], there: Sequence[Shape]) -> bool:
        if not wanted:
            return not there
        first, rest = wanted[0], wanted[1:]
        if _many(first):
            return any(self._tried(rest, there[taken:]) for taken in range(len(there) + 1))
        if not there:
            return False
        before = dict(self.bound)
        if self.same(first, there[0]) and self.sequence(rest, there[1:]):
            return True
        self.bound = before
        return False

    def _tried(self, wanted: Sequence[Shape], there: Sequence[Shape]) -> bool:
        before = dict(self.bound)
        if self.sequence(wanted, there):
            return True
        self.bound = before
        return False

    def _in_any_order(self, wanted: Sequence[Shape], there: Sequence[Shape]) -> bool:
        if len(wanted) != len(there):
            return False
        if not wanted:
            return True
        for position, candidate in enumerate(there):
            before = dict(self.bound)
            rest = [*there[:position], *there[position + 1 :]]
            if self.same(wanted[0], candidate) and self._in_any_order(wanted[1:], rest):
                return True
            self.bound = before
        return False


def _many(shape: Shape) -> bool:
    """Whether a shape stands for any number of pieces; as a statement of its own it has a node around it."""
    while shape.kind != ANY_NUMBER and len(shape.below) == 1 and shape.kind == "expression_statement":
        shape = shape.below[0]
    return shape.kind == ANY_NUMBER


def _terms(shape: Shape) -> tuple[str, list[Shape]] | None:
    """The operands of a sum or a product, however it is grouped, with its operator."""
    operator = _operator(shape)
    if operator is None:
        return None
    terms: list[Shape] = []
    waiting = [shape]
    while waiting:
        one = waiting.pop()
        if _operator(one) == operator:
            waiting += (one.below[2], one.below[0])
        else:
            terms.append(one)
    return operator, terms


def _operator(shape: Shape) -> str | None:
    if shape.kind != "binary" or len(shape.below) != 3:
        return None
    text = shape.below[1].text
    return text if text in _COMMUTES else None


def same(wanted: Shape, there: Shape, *, commute: bool = False, bound: Mapping[str, Shape] | None = None) -> bool:
    """Whether a piece of code is what is looked for; with `commute` sums and products may be in another order."""
    return _Match(commute, dict(bound or {})).same(wanted, there)


def same_list(wanted: Sequence[Shape], there: Sequence[Shape]) -> bool:
    """Whether a list of arguments is the one that is looked for."""
    return _Match(False, {}).sequence(wanted, there)


def denied(shape: Shape) -> Iterator[Shape]:
    """The ways to write the opposite of a condition."""
    match shape.below:
        case (Shape("token", "not" | "!"), inner):
            yield inner
        case (left, Shape(below=()) as operator, right) if operator.text in _OPPOSITE:
            yield Shape(shape.kind, "", (left, Shape(operator.kind, _OPPOSITE[operator.text]), right))
    yield Shape("not", "", (Shape("token", "not"), shape))


_OPPOSITE = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
