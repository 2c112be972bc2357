"""Python, as ast-grep parses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from claimcheck.checks.dialects.values import Assignment, Definition, Guard, Kind, Parameter
from claimcheck.checks.shape import Shape

if TYPE_CHECKING:
    from ast_grep_py import SgNode

name = "python"
title = "Python"
separator = "."
contexts: tuple[tuple[str, str], ...] = (("", ""), ("async def f():\n  ", ""), ("", "\ndef f(): pass"))
expressions: tuple[tuple[str, str], ...] = (("f(", ")"), ("x = ", ""), *contexts)
unsaid = frozenset({"comment", "line_continuation"})
same_kinds: Mapping[str, str] = {
    "binary_operator": "binary",
    "unary_operator": "unary",
    "not_operator": "not",
    "call": "call",
    "argument_list": "arguments",
    "expression_list": "tuple",
    "pattern_list": "tuple",
    "tuple_pattern": "tuple",
    "list_pattern": "list",
    "attribute": "member",
}
calls = frozenset({"call"})
functions = frozenset({"function_definition"})
classes = frozenset({"class_definition"})
returns = frozenset({"return_statement"})
names = frozenset({"identifier"})
assigning = frozenset({"assignment", "named_expression", "augmented_assignment"})
defining = frozenset(
    {
        "function_definition",
        "class_definition",
        "lambda",
        "assignment",
        "named_expression",
        "for_statement",
        "for_in_clause",
        "as_pattern",
        "import_from_statement",
        "import_statement",
    }
)

_CONSTANTS = {"true": "True", "false": "False", "none": "None"}
_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
_EXITS = frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"})
_COMPREHENSIONS = frozenset(
    {"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"}
)


def contexts_of(text: str) -> list[tuple[tuple[str, str], ...]]:
    return [(context,) for context in contexts]


def leaf(node: SgNode) -> tuple[str, str] | None:
    kind = node.kind()
    if kind in _CONSTANTS:
        return "constant", _CONSTANTS[kind]
    if kind in ("integer", "float"):
        return "number", number(node.text())
    if kind == "string":
        return string(node)
    if kind == "concatenated_string":
        parts = [string(part) for part in node.children() if part.kind() == "string"]
        if len({kind for kind, _ in parts}) == 1:
            return parts[0][0], "".join(text for _, text in parts)
        return None
    if not node.is_named() and node.children():  # `is not`, `not in`
        return "token", " ".join(node.text().split())
    return None


def number(text: str) -> str:
    """A number as Python writes it back, whatever base and separators it was written with."""
    try:
        return repr(int(text, 0))
    except ValueError:
        pass
    try:
        return repr(float(text))
    except ValueError:
        return text.lower()


def string(node: SgNode) -> tuple[str, str]:
    """A string literal without its quotes; of one with a prefix the prefix is part of its kind."""
    children = node.children()
    start, end = children[0].text(), children[-1].text()
    prefix = start.rstrip("'\"").lower().replace("u", "")
    return f"string{prefix}", node.text()[len(start) : -len(end)]


def within_parentheses(node: SgNode) -> SgNode | None:
    if node.kind() not in ("parenthesized_expression", "type"):
        return None
    inner = [child for child in node.named_children() if child.kind() not in unsaid]
    return inner[0] if len(inner) == 1 else None


def callee(call: SgNode) -> SgNode | None:
    return call.field("function")


def arguments(call: SgNode) -> list[SgNode]:
    listed = call.field("arguments")
    if listed is None:
        return []
    if listed.kind() != "argument_list":
        return [listed]
    return [child for child in listed.named_children() if child.kind() not in unsaid]


def definitions(nodes: Iterable[SgNode]) -> Iterator[Definition]:
    position, counted = 0, False  # of the enumerators so far, each of which is one more than the one before
    for node in nodes:
        match node.kind():
            case "function_definition" | "class_definition":
                named = node.field("name")
                kind = Kind.FUNCTION if node.kind() == "function_definition" else Kind.CLASS
                if named is not None:
                    yield Definition(named.text(), kind, node)
                for parameter in parameters(node, receiver=True) if kind is Kind.FUNCTION else ():
                    yield Definition(parameter.name, Kind.PARAMETER, parameter.node, parameter.default)
                if kind is Kind.CLASS:
                    position, counted = 0, not any(base.text().endswith("Flag") for base in bases(node))
            case "lambda":
                for parameter in parameters(node, receiver=True):
                    yield Definition(parameter.name, Kind.PARAMETER, parameter.node, parameter.default)
            case "assignment" | "named_expression":
                for one in _assigned(node):
                    automatic = one.value is not None and one.value.text() in ("auto()", "enum.auto()")
                    counted &= automatic or one.kind is not Kind.MEMBER
                    position += automatic
                    yield replace(one, position=position if automatic and counted else 0)
            case "for_statement" | "for_in_clause":
                yield from _targets(node.field("left"), node)
            case "as_pattern":
                yield from _targets(node.field("alias"), node)
            case "import_from_statement" | "import_statement":
                for named in node.field_children("name"):
                    alias = named.field("alias") or named
                    yield Definition(alias.text(), Kind.IMPORT, named)


def _targets(target: SgNode | None, node: SgNode) -> Iterator[Definition]:
    for name in _plain_names(target):
        yield Definition(name.text(), Kind.VARIABLE, node)


def _plain_names(target: SgNode | None) -> Iterator[SgNode]:
    waiting = [target] if target is not None else []
    while waiting:
        one = waiting.pop()
        if one.kind() == "identifier":
            yield one
        elif one.kind() in ("pattern_list", "tuple_pattern", "list_pattern", "as_pattern_target", "tuple", "list"):
            waiting += reversed(one.named_children())


def _assigned(node: SgNode) -> Iterator[Definition]:
    target = node.field("left") or node.field("name")
    if target is None:
        return
    value = _last_value(node)
    if target.kind() == "attribute":
        named = target.field("attribute")
        if named is not None:
            yield Definition(named.text(), Kind.FIELD, node, value)
        return
    several = target.kind() != "identifier"
    for name in _plain_names(target):
        yield Definition(name.text(), _kind_of(node), node, None if several else value)


def _last_value(node: SgNode) -> SgNode | None:
    """The value of an assignment; of `a = b = 3` the 3 for both."""
    value = node.field("right") or node.field("value")
    while value is not None and value.kind() == "assignment":
        value = value.field("right")
    return value


def _kind_of(node: SgNode) -> Kind:
    for around in node.ancestors():
        match around.kind():
            case "function_definition" | "lambda":
                return Kind.VARIABLE
            case "class_definition":
                return Kind.MEMBER if _is_enum(around) else Kind.FIELD
    return Kind.CONSTANT


def _is_enum(defined: SgNode) -> bool:
    return any(base.text().rpartition(".")[2] in _ENUMS for base in bases(defined))


def assignments(nodes: Iterable[SgNode]) -> Iterator[Assignment]:
    for node in nodes:
        target = node.field("left") or node.field("name")
        if node.kind() in ("assignment", "named_expression"):
            value = _last_value(node)
            if target is not None and value is not None:
                yield Assignment(target, "=", value, node)
        elif node.kind() == "augmented_assignment":
            operator, value = node.field("operator"), node.field("right")
            if target is not None and operator is not None and value is not None:
                yield Assignment(target, operator.text(), value, node)


def guards(node: SgNode) -> Iterator[Guard]:
    child = node
    inside_function = False
    for parent in node.ancestors():
        yield from _guards_of(parent, child)
        if parent.kind() in ("block", "module") and not inside_function:
            yield from _early(parent, child)
        inside_function |= parent.kind() in ("function_definition", "lambda")
        child = parent


def _guards_of(parent: SgNode, child: SgNode) -> Iterator[Guard]:
    match parent.kind():
        case "if_statement":
            yield from _if(parent, child)
        case "elif_clause":
            condition = parent.field("condition")
            if condition is not None and parent.field("consequence") == child:
                yield Guard("if", "then", (condition,), parent)
        case "conditional_expression":
            named = [one for one in parent.named_children() if one.kind() not in unsaid]
            if len(named) == 3 and child in (named[0], named[2]):
                yield Guard("if", "then" if child == named[0] else "else", (named[1],), parent)
        case kind if kind in _COMPREHENSIONS:
            if parent.field("body") == child:
                for clause in parent.named_children():
                    if clause.kind() == "if_clause":
                        yield Guard("if", "then", tuple(clause.named_children()[:1]), clause)
        case "case_clause":
            yield from _case(parent, child)
        case "with_statement":
            if parent.field("body") == child:
                for item in parent.named_children()[0].named_children():
                    value = item.field("value")
                    if value is not None:
                        value = value.named_children()[0] if value.kind() == "as_pattern" else value
                        yield Guard("with", "then", (value,), parent)
        case "try_statement":
            handled = tuple(e for clause in parent.named_children() for e in _exceptions(clause))
            if parent.field("body") == child:
                yield Guard("try", "then", handled, parent)
            elif child.kind() == "else_clause":
                yield Guard("try", "else", handled, parent)
            elif child.kind() == "finally_clause":
                yield Guard("try", "finally", handled, parent)
        case "except_clause" | "except_group_clause":
            if child.kind() == "block":
                yield Guard("try", "except", tuple(_exceptions(parent)), parent)


def _if(parent: SgNode, child: SgNode) -> Iterator[Guard]:
    condition = parent.field("condition")
    if condition is None or child == condition:
        return
    if parent.field("consequence") == child:
        yield Guard("if", "then", (condition,), parent)
        return
    for other in parent.field_children("alternative"):
        if other == child:
            break
        before = other.field("condition")
        if before is not None:
            yield Guard("if", "else", (before,), other)
    yield Guard("if", "else", (condition,), parent)


def _case(parent: SgNode, child: SgNode) -> Iterator[Guard]:
    if parent.field("consequence") != child:
        return
    labels: list[SgNode] = []
    for pattern in parent.named_children():
        if pattern.kind() == "case_pattern":
            inner = pattern.named_children()
            union = inner[0] if len(inner) == 1 and inner[0].kind() == "union_pattern" else None
            labels += union.named_children() if union is not None else inner or [pattern]
    yield Guard("case", "then", tuple(labels), parent)
    condition = parent.field("guard")
    if condition is not None:
        yield Guard("if", "then", tuple(condition.named_children()[:1]), parent)


def _exceptions(clause: SgNode) -> Iterator[SgNode]:
    if clause.kind() not in ("except_clause", "except_group_clause"):
        return
    value = clause.field("value")
    if value is not None and value.kind() == "as_pattern":
        value = value.named_children()[0]
    if value is not None and value.kind() == "tuple":
        yield from value.named_children()
    elif value is not None:
        yield value


def _early(block: SgNode, child: SgNode) -> Iterator[Guard]:
    for statement in block.named_children():
        if statement == child:
            return
        if statement.kind() == "if_statement" and _leaves(statement.field("consequence")):
            condition = statement.field("condition")
            if condition is not None:
                yield Guard("if", "else", (condition,), statement, early=True)


def _leaves(body: SgNode | None) -> bool:
    """Whether a branch ends by leaving."""
    statements = [one for one in body.named_children() if one.kind() not in unsaid] if body is not None else []
    return bool(statements) and statements[-1].kind() in _EXITS


def parameters(function: SgNode, *, receiver: bool = False) -> list[Parameter]:
    listed = function.field("parameters")
    found: list[Parameter] = []
    for node in listed.named_children() if listed is not None else ():
        named = _parameter_name(node)
        if named is not None:
            found.append(Parameter(named.text(), node, node.field("type"), node.field("value")))
    if found and not receiver and found[0].name in ("self", "cls") and found[0].annotation is None:
        return found[1:]
    return found


def _parameter_name(node: SgNode) -> SgNode | None:
    named = node.field("name") or node
    while named.kind() in ("typed_parameter", "list_splat_pattern", "dictionary_splat_pattern"):
        inner = named.named_children()
        if not inner:
            return None
        named = inner[0]
    return named if named.kind() == "identifier" else None


def return_type(function: SgNode) -> SgNode | None:
    return function.field("return_type")


def bases(defined: SgNode) -> list[SgNode]:
    listed = defined.field("superclasses")
    named = listed.named_children() if listed is not None else []
    return [base for base in named if base.kind() not in ("keyword_argument", "comment")]


def docstring(node: SgNode) -> bool:
    statement = node.parent()
    return (
        node.kind() in ("string", "concatenated_string")
        and statement is not None
        and statement.kind() == "expression_statement"
        and len(statement.named_children()) == 1
    )


def negated(shape: Shape) -> Shape:
    return Shape("not", "", (Shape("token", "not"), shape))


def dead(root: SgNode) -> list[tuple[int, int]]:
    return []


def opaque(root: SgNode) -> list[SgNode]:
    return []
