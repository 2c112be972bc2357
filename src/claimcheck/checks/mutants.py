"""Small wrong changes of source code, of the kind that somebody might make: what a check of it ought to notice.

Mutation analysis as DeMillo, Lipton and Sayward describe it (Hints on Test Data Selection, Computer, 1978), with single
changes of operators, constants, conditions, calls, statements and names.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from claimcheck.checks.code import Code, code_of, lines_of
from claimcheck.checks.result import CannotSay
from claimcheck.model import Lines
from claimcheck.texts import SourceText
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode


class Kind(enum.StrEnum):
    """What was changed."""

    OPERATOR = "operator"
    CONSTANT = "constant"
    CONDITION = "condition"
    REMOVED = "removed call"
    SWAPPED = "swapped statements"
    RENAMED = "renamed"


@frozen(order=True)
class Mutant:
    """One change: the characters `start` to `end` of a file's text become `after`."""

    path: str
    line: int
    start: int
    end: int
    kind: Kind
    before: str
    after: str

    def applied(self, source: SourceText) -> SourceText:
        """The text with the change; its blob id says that it is none of git's."""
        text = source.text[: self.start] + self.after + source.text[self.end :]
        return SourceText(text, f"mutant:{source.blob}:{self.start}:{self.end}:{self.after}")

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {_short(self.before)} -> {_short(self.after)}"


OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is": "is not", "is not": "is",
    "+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "*", "**": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&",
    "and": "or", "or": "and", "&&": "||", "||": "&&",
    "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "|=": "&=", "&=": "|=", "//=": "*=",
}  # fmt: skip
_OPERATIONS = frozenset(
    {"binary_operator", "comparison_operator", "boolean_operator", "augmented_assignment"}
    | {"binary_expression", "assignment_expression"}
)
_CONDITIONALS = {"if_statement": "condition", "while_statement": "condition", "elif_clause": "condition"}
_STATEMENTS = frozenset(
    {"expression_statement", "return_statement", "assert_statement", "raise_statement", "delete_statement"}
    | {"declaration", "continue_statement", "break_statement"}
)
_HEADS = frozenset(
    {"if_statement", "while_statement", "for_statement", "with_statement", "elif_clause", "for_range_loop"}
    | {"function_definition", "class_definition", "class_specifier", "case_statement", "decorated_definition"}
    | {"switch_statement", "field_declaration", "enumerator", "struct_specifier", "try_statement"}
)
_NAMES = frozenset({"identifier", "field_identifier"})
_CALLS = frozenset({"call", "call_expression"})
_ASSIGNING = frozenset({"assignment", "augmented_assignment", "assignment_expression", "init_declarator"})
_DEFINING = frozenset(
    {"function_definition", "class_definition", "function_declarator", "enumerator", "field_declaration"}
    | {"class_specifier", "struct_specifier"}
)
_UNTOLD = frozenset({"comment", "string_content"})
MOST_A_LINE = 40


def statements_at(code: Code, line: int) -> Lines:
    """The lines of the statement that a line stands in: all of a simple one, of a compound one the head."""
    best: SgNode | None = None
    node = code.root
    while True:
        below = next((child for child in node.children() if line in lines_of(child)), None)
        if below is None:
            break
        node = below
        if node.kind() in _STATEMENTS or node.kind() in _HEADS:
            best = node
    if best is None:
        return Lines(line, line)
    lines = lines_of(best)
    if best.kind() in _HEADS:
        body = best.field("body") or best.field("consequence")
        first = lines_of(body).first if body is not None else lines.last + 1
        return Lines(lines.first, max(lines.first, min(lines.last, first - 1)))
    return lines


def heads_around(code: Code, line: int) -> Iterator[Lines]:
    """The heads of the compound statements around a line, from the inside out."""
    around: list[SgNode] = []
    node = code.root
    while True:
        below = next((child for child in node.children() if line in lines_of(child)), None)
        if below is None:
            break
        node = below
        if node.kind() in _HEADS:
            around.append(node)
    for each in reversed(around):
        yield statements_at(code, lines_of(each).first)


def mutants_of(code: Code, ranges: Sequence[Lines]) -> list[Mutant]:
    """Every change of what begins in some lines that still parses, in the order of the text."""
    found: dict[tuple[int, int, str], Mutant] = {}
    for node in _nodes(code.root, ranges):
        for mutant in _of_node(code, node, ranges):
            found.setdefault((mutant.start, mutant.end, mutant.after), mutant)
    return [mutant for mutant in sorted(found.values()) if _parses(code, mutant)]


def _nodes(root: SgNode, ranges: Sequence[Lines]) -> Iterator[SgNode]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        lines = lines_of(node)
        if not any(lines.overlaps(wanted) for wanted in ranges) or node.kind() in _UNTOLD:
            continue
        if any(lines.first in wanted for wanted in ranges):
            yield node
        waiting += reversed(node.children())


def _of_node(code: Code, node: SgNode, ranges: Sequence[Lines]) -> Iterator[Mutant]:
    kind, parent = node.kind(), node.parent()
    around = parent.kind() if parent is not None else ""
    text = node.text()
    if around in _OPERATIONS and text in OPERATORS:
        yield _mutant(code, node, Kind.OPERATOR, OPERATORS[text])
    elif kind in ("integer", "number_literal", "float"):
        yield _mutant(code, node, Kind.CONSTANT, _other_number(text))
    elif kind in ("true", "false"):
        other = {"True": "False", "False": "True", "true": "false", "false": "true"}[text]
        yield _mutant(code, node, Kind.CONSTANT, other)
    elif kind in ("string", "string_literal") and around != "expression_statement" and len(text) > 1:
        yield _mutant(code, node, Kind.CONSTANT, text[:-1] + "_other" + text[-1])
    elif kind in _NAMES and _is_said(node, around, parent):
        yield _mutant(code, node, Kind.RENAMED, f"{text}_other")
    field = _CONDITIONALS.get(kind)
    condition = node.field(field) if field else None
    if condition is not None and any(lines_of(condition).first in wanted for wanted in ranges):
        yield _mutant(code, condition, Kind.CONDITION, _negated(code, condition.text()))
    if kind == "expression_statement":
        called = node.children()[0] if node.children() else None
        if called is not None and called.kind() in code.dialect.calls:
            # The lines stay as many as they were, so that cited lines stay where they are.
            nothing = "pass" if code.dialect.name == "python" else ";"
            yield _mutant(code, node, Kind.REMOVED, nothing + "\n" * text.count("\n"))
    if kind in _STATEMENTS:
        following = node.next()
        while following is not None and following.kind() == "comment":
            following = following.next()
        if following is not None and following.kind() in _STATEMENTS and _depend(node, following):
            yield _swapped(code, node, following)


def _is_said(node: SgNode, around: str, parent: SgNode | None) -> bool:
    """Whether a name is one that others know: of what a statement calls, of a member that it assigns, of a definition.

    A local variable is not, and neither is what is called to compute an argument.
    """
    if parent is None:
        return False
    if around in _DEFINING:
        return True
    member = around in ("attribute", "field_expression", "qualified_identifier")
    if member:
        named = [child for child in parent.children() if child.kind() in _NAMES]
        if not named or named[-1] != node:
            return False
    taken = parent if member else node
    outer = taken.parent()
    if outer is None or outer.child(0) != taken:
        return False
    return (outer.kind() in _CALLS and not _in_arguments(outer)) or (member and outer.kind() in _ASSIGNING)


def _in_arguments(node: SgNode) -> bool:
    return any(each.kind() == "argument_list" for each in _up_to_statement(node))


def _up_to_statement(node: SgNode) -> Iterator[SgNode]:
    while (above := node.parent()) is not None and above.kind() not in _STATEMENTS and above.kind() not in _HEADS:
        yield above
        node = above


def _depend(one: SgNode, other: SgNode) -> bool:
    """Whether the order of two statements matters: one assigns a name that the other has, or both use one object."""
    first, second = _names_in(one), _names_in(other)
    assigned = _assigned(one) | _assigned(other)
    receivers = _receiver(one), _receiver(other)
    return bool(assigned & first & second) or (receivers[0] is not None and receivers[0] == receivers[1])


def _names_in(node: SgNode) -> frozenset[str]:
    return frozenset(each.text() for each in _below(node) if each.kind() in _NAMES)


def _assigned(node: SgNode) -> frozenset[str]:
    targets = (each.child(0) for each in _below(node) if each.kind() in _ASSIGNING)
    return frozenset(name for target in targets if target is not None for name in _target_names(target))


def _target_names(target: SgNode) -> Iterator[str]:
    """What is assigned: of a member its last name, since `self` is not; of an element what it is an element of."""
    if target.kind() in ("attribute", "field_expression"):
        yield from (child.text() for child in target.children()[-1:] if child.kind() in _NAMES)
    elif target.kind() in ("subscript", "subscript_expression"):
        first = target.child(0)
        yield from _target_names(first) if first is not None else ()
    else:
        yield from _names_in(target)


def _below(node: SgNode) -> Iterator[SgNode]:
    """A node and all that is in it."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += each.children()


def _receiver(node: SgNode) -> str | None:
    """What a statement that is only a call is called on."""
    called = node.child(0)
    callee = called.child(0) if called is not None and called.kind() in _CALLS else None
    on = callee.child(0) if callee is not None and callee.kind() in ("attribute", "field_expression") else None
    return on.text() if on is not None else None


def _mutant(code: Code, node: SgNode, kind: Kind, after: str) -> Mutant:
    extent = node.range()
    return Mutant(code.path, extent.start.line + 1, extent.start.index, extent.end.index, kind, node.text(), after)


def _swapped(code: Code, first: SgNode, second: SgNode) -> Mutant:
    start, end = first.range().start.index, second.range().end.index
    text = code.source.text
    between = text[first.range().end.index : second.range().start.index]
    after = text[second.range().start.index : end] + between + text[start : first.range().end.index]
    return Mutant(code.path, first.range().start.line + 1, start, end, Kind.SWAPPED, text[start:end], after)


def _other_number(text: str) -> str:
    try:
        return str(int(text, 0) + 1)
    except ValueError:
        return f"({text} + 1)"


def _negated(code: Code, condition: str) -> str:
    if code.dialect.name == "python":
        return f"not ({condition})"
    return f"(!{condition})" if condition.startswith("(") else f"!({condition})"


def _parses(code: Code, mutant: Mutant) -> bool:
    """Whether the changed text parses as well as the text did: what no parser takes, no author would commit."""
    try:
        changed = code_of(code.path, mutant.applied(code.source))
    except CannotSay:
        return False
    return changed is not None and len(changed.errors) <= len(code.errors)


def _short(text: str) -> str:
    joined = " ".join(text.split())
    return f"`{joined}`" if len(joined) <= MOST_A_LINE else f"`{joined[: MOST_A_LINE - 1]}…`"
