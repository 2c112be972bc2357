"""C++, as ast-grep parses it; also C, C++ headers, and CUDA as far as it goes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from claimcheck.checks.dialects.values import Assignment, Definition, Guard, Kind, Parameter, below
from claimcheck.checks.shape import Shape

if TYPE_CHECKING:
    from ast_grep_py import SgNode

name = "cpp"
title = "C++"
separator = "::"
_EXPRESSIONS = (("void f() { return ", "; }"), ("C::C() : ", " {}"))
_STATEMENTS = (("void f() { ", " }"), ("class C { ", " };"), ("", ""))
contexts: tuple[tuple[str, str], ...] = (*_EXPRESSIONS, *_STATEMENTS)
expressions: tuple[tuple[str, str], ...] = contexts
unsaid = frozenset({"comment"})
same_kinds: Mapping[str, str] = {
    "binary_expression": "binary",
    "unary_expression": "unary",
    "call_expression": "call",
    "argument_list": "arguments",
    "field_expression": "member",
}
calls = frozenset({"call_expression", "new_expression", "compound_literal_expression"})
functions = frozenset({"function_definition"})
classes = frozenset({"class_specifier", "struct_specifier", "union_specifier", "enum_specifier"})
returns = frozenset({"return_statement", "co_return_statement"})
names = frozenset({"identifier", "field_identifier", "type_identifier"})
assigning = frozenset({"assignment_expression", "init_declarator", "field_initializer", "field_declaration"})
defining = frozenset(
    {
        *classes,
        "function_definition",
        "alias_declaration",
        "concept_definition",
        "enumerator",
        "preproc_def",
        "preproc_function_def",
        "parameter_declaration",
        "optional_parameter_declaration",
        "declaration",
        "field_declaration",
        "field_initializer",
        "assignment_expression",
        "for_range_loop",
    }
)

_CONSTANTS = {"true": "True", "false": "False", "null": "None"}
_WORDS = {"and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "xor": "^", "compl": "~"}
_EXITS = frozenset(
    {
        "return_statement",
        "throw_statement",
        "continue_statement",
        "break_statement",
        "co_return_statement",
        "goto_statement",
    }
)
_FIELDS = frozenset({"field_identifier", "identifier", "qualified_identifier"})
_SUFFIX = re.compile(r"(?<=[0-9.])[fFlLuUzZ]+\Z")


def contexts_of(text: str) -> list[tuple[tuple[str, str], ...]]:
    closed = text.endswith((";", "}")) and not re.match(r"\w+\{", text)
    return [_STATEMENTS, _EXPRESSIONS] if closed else [_EXPRESSIONS, _STATEMENTS]


def leaf(node: SgNode) -> tuple[str, str] | None:
    kind = node.kind()
    if kind in _CONSTANTS:
        return "constant", _CONSTANTS[kind]
    if kind == "number_literal":
        return "number", number(node.text())
    if kind in ("string_literal", "raw_string_literal", "char_literal"):
        return string(node)
    if kind == "concatenated_string":
        parts = [string(part) for part in node.children() if part.kind() in ("string_literal", "raw_string_literal")]
        if len({kind for kind, _ in parts}) == 1:
            return parts[0][0], "".join(text for _, text in parts)
        return None
    if not node.is_named() and node.text() in _WORDS:
        return "token", _WORDS[node.text()]
    return None


def number(text: str) -> str:
    """A number without its suffix and separators, whatever base it was written in."""
    plain = text.replace("'", "").lower()
    hexadecimal = plain.startswith("0x")
    if not hexadecimal or "p" in plain:
        plain = _SUFFIX.sub("", plain)
    else:
        plain = plain.rstrip("ulz")
    try:
        if re.fullmatch(r"0[0-7]+", plain):
            return repr(int(plain, 8))
        return repr(int(plain, 0))
    except ValueError:
        pass
    try:
        return repr(float.fromhex(plain) if hexadecimal else float(plain))
    except ValueError:
        return text


def string(node: SgNode) -> tuple[str, str]:
    text = node.text()
    if node.kind() == "char_literal":
        return "char", text
    start = text.find('"')
    return f"string{text[:start]}", text[start + 1 : -1]


def within_parentheses(node: SgNode) -> SgNode | None:
    match node.kind():
        case "condition_clause":
            return node.field("value")
        case "parenthesized_expression" | "type_descriptor" | "attributed_statement":
            inner = [child for child in node.named_children() if child.kind() not in (*unsaid, "attribute_declaration")]
            return inner[0] if len(inner) == 1 else None
    return None


def callee(call: SgNode) -> SgNode | None:
    return call.field("function") or call.field("type")


def arguments(call: SgNode) -> list[SgNode]:
    listed = call.field("arguments") or call.field("value")
    named = listed.named_children() if listed is not None else []
    return [child for child in named if child.kind() not in unsaid]


def definitions(nodes: Iterable[SgNode]) -> Iterator[Definition]:
    position, previous = 0, None
    for node in nodes:
        match node.kind():
            case "function_definition":
                named = _declared(node.field("declarator"))
                if named is not None:
                    yield Definition(_last(named), Kind.FUNCTION, node)
            case "class_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier":
                named = node.field("name")
                if named is not None and node.field("body") is not None:
                    yield Definition(_last(named), Kind.CLASS, node)
                position, previous = 0, None
            case "alias_declaration" | "concept_definition":
                named = node.field("name")
                if named is not None:
                    yield Definition(named.text(), Kind.CLASS, node)
            case "enumerator":
                value, named = node.field("value"), node.field("name")
                position, previous = (0, value) if value is not None else (position, previous)
                if named is not None:
                    yield Definition(named.text(), Kind.MEMBER, node, value, position, previous)
                position += 1
            case "preproc_def" | "preproc_function_def":
                named, body = node.field("name"), node.field("value")
                if named is not None:
                    plain = node.kind() == "preproc_def" and body is not None
                    yield Definition(named.text(), Kind.MACRO, node, text=body.text() if plain and body else None)
            case "parameter_declaration" | "optional_parameter_declaration":
                named = _declared(node.field("declarator"))
                if named is not None:
                    yield Definition(_last(named), Kind.PARAMETER, node, node.field("default_value"))
            case "declaration" | "field_declaration":
                yield from _declaration(node)
            case "field_initializer":
                named = next((child for child in node.named_children() if child.kind() in _FIELDS), None)
                if named is not None:
                    yield Definition(_last(named), Kind.FIELD, node, _only(node.named_children()[-1]))
            case "assignment_expression":
                yield from _assigned(node)
            case "for_range_loop":
                for name_ in _bound(node.field("declarator")):
                    yield Definition(name_.text(), Kind.VARIABLE, node)


def _declaration(node: SgNode) -> Iterator[Definition]:
    """The names of a declaration; in a class a default stands beside each name, elsewhere around it."""
    children = node.children()
    for number_, child in enumerate(children):
        if child not in node.field_children("declarator"):
            continue
        if child.kind() == "init_declarator":
            value, declarator = _only(child.field("value")), child.field("declarator")
        else:
            value, declarator = None, child
            following = children[number_ + 1 : number_ + 3]
            if following and following[0].kind() == "=":
                value = following[1]
            elif following and following[0].kind() == "initializer_list":
                value = _only(following[0])
        function = declarator is not None and _function(declarator) is not None
        for named in _bound(declarator):
            yield Definition(_last(named), Kind.FUNCTION if function else _kind_of(node), node, value)


def _assigned(node: SgNode) -> Iterator[Definition]:
    target, operator = node.field("left"), node.field("operator")
    if target is None or operator is None or operator.text() != "=":
        return
    if target.kind() == "field_expression":
        named = target.field("field")
        if named is not None:
            yield Definition(named.text(), Kind.FIELD, node, node.field("right"))
    elif target.kind() in ("identifier", "qualified_identifier"):
        kind = Kind.FIELD if target.text().endswith("_") else Kind.VARIABLE
        yield Definition(_last(target), kind, node, node.field("right"))


def _kind_of(node: SgNode) -> Kind:
    if node.kind() == "field_declaration":
        return Kind.FIELD
    for around in node.ancestors():
        if around.kind() in ("function_definition", "lambda_expression"):
            return Kind.VARIABLE
    return Kind.CONSTANT


def _only(value: SgNode | None) -> SgNode | None:
    """What a pair of brackets initialises with, if that is one value."""
    if value is not None and value.kind() in ("initializer_list", "argument_list"):
        inner = [child for child in value.named_children() if child.kind() not in unsaid]
        return inner[0] if len(inner) == 1 else value
    return value


def _declared(declarator: SgNode | None) -> SgNode | None:
    return next(iter(_bound(declarator)), None)


def _bound(declarator: SgNode | None) -> list[SgNode]:
    """The names that a declarator gives, through pointers, references, arrays and parameters."""
    inner = declarator
    while inner is not None:
        kind = inner.kind()
        if kind in ("identifier", "field_identifier", "type_identifier", "qualified_identifier"):
            return [inner]
        if kind in ("destructor_name", "operator_name", "operator_cast", "template_function", "template_method"):
            return [inner]
        if kind == "structured_binding_declarator":
            return inner.named_children()
        deeper = inner.field("declarator")
        if deeper is None and kind in ("reference_declarator", "parenthesized_declarator", "variadic_declarator"):
            named = inner.named_children()
            deeper = named[-1] if named else None
        inner = deeper
    return []


def _function(declarator: SgNode) -> SgNode | None:
    """The part of a declarator that declares a function, if it does."""
    inner: SgNode | None = declarator
    while inner is not None and inner.kind() != "function_declarator":
        if inner.kind() == "reference_declarator":
            inner = inner.named_children()[-1] if inner.named_children() else None
        else:
            inner = inner.field("declarator")
    return inner


def _last(named: SgNode) -> str:
    """The last component of a name, without template arguments."""
    node: SgNode | None = named
    while node is not None and node.kind() in ("qualified_identifier", "template_function", "template_method"):
        named = node
        node = node.field("name")
    return "".join((node or named).text().split())


def assignments(nodes: Iterable[SgNode]) -> Iterator[Assignment]:
    for node in nodes:
        match node.kind():
            case "assignment_expression":
                target, operator, value = node.field("left"), node.field("operator"), node.field("right")
                if target is not None and operator is not None and value is not None:
                    yield Assignment(target, operator.text(), value, node)
            case "init_declarator":
                target, value = _declared(node.field("declarator")), _only(node.field("value"))
                if target is not None and value is not None:
                    yield Assignment(target, "=", value, node)
            case "field_initializer":
                named = node.named_children()
                value = _only(named[-1]) if len(named) > 1 else None
                if value is not None:
                    yield Assignment(named[0], "=", value, node)
            case "field_declaration":
                for one in _declaration(node):
                    target = next((n for n in below(node) if n.text() == one.name), None)
                    if one.value is not None and target is not None:
                        yield Assignment(target, "=", one.value, node)


def guards(node: SgNode) -> Iterator[Guard]:
    child = node
    inside_function = False
    for parent in node.ancestors():
        yield from _guards_of(parent, child)
        if parent.kind() in ("compound_statement", "case_statement") and not inside_function:
            yield from _early(parent, child)
        inside_function |= parent.kind() in ("function_definition", "lambda_expression")
        child = parent


def _guards_of(parent: SgNode, child: SgNode) -> Iterator[Guard]:
    match parent.kind():
        case "if_statement" | "conditional_expression":
            condition = parent.field("condition")
            if condition is not None and parent.field("consequence") == child:
                yield Guard("if", "then", (condition,), parent)
            elif condition is not None and parent.field("alternative") == child:
                yield Guard("if", "else", (condition,), parent)
        case "case_statement":
            if parent.field("value") != child:
                yield Guard("case", "then", tuple(_labels(parent)), parent)
        case "try_statement":
            handled = tuple(
                type_
                for clause in parent.named_children()
                if clause.kind() == "catch_clause"
                for type_ in _caught(clause)
            )
            if parent.field("body") == child:
                yield Guard("try", "then", handled, parent)
        case "catch_clause":
            if parent.field("body") == child:
                yield Guard("try", "except", tuple(_caught(parent)), parent)


def _labels(case: SgNode) -> Iterator[SgNode]:
    """Every label by which a statement is reached: its own, those stacked above it, those that fall through."""
    value = case.field("value")
    yield value if value is not None else case.children()[0]
    before = case.prev()
    while before is not None and before.kind() in ("case_statement", "comment"):
        if before.kind() == "case_statement":
            if _ends(before):
                return
            value = before.field("value")
            yield value if value is not None else before.children()[0]
        before = before.prev()


def _ends(case: SgNode) -> bool:
    """Whether the statements of a label end by leaving, so that the next label is not reached from it."""
    value = case.field("value")
    statements = [one for one in case.named_children() if one.kind() not in unsaid and one != value]
    return bool(statements) and _leaves(statements[-1])


def _caught(clause: SgNode) -> Iterator[SgNode]:
    listed = clause.field("parameters")
    for parameter in listed.named_children() if listed is not None else ():
        type_ = parameter.field("type")
        if type_ is not None:
            yield type_


def _early(block: SgNode, child: SgNode) -> Iterator[Guard]:
    for statement in block.named_children():
        if statement == child:
            return
        condition = statement.field("condition")
        if statement.kind() == "if_statement" and condition is not None and _leaves(statement.field("consequence")):
            yield Guard("if", "else", (condition,), statement, early=True)


def _leaves(body: SgNode | None) -> bool:
    """Whether a branch ends by leaving."""
    while body is not None and body.kind() in ("compound_statement", "attributed_statement"):
        statements = [one for one in body.named_children() if one.kind() not in unsaid]
        body = statements[-1] if statements else None
    return body is not None and body.kind() in _EXITS


def parameters(function: SgNode) -> list[Parameter]:
    declarator = _function(function.field("declarator") or function)
    listed = declarator.field("parameters") if declarator is not None else None
    found = []
    for node in listed.named_children() if listed is not None else ():
        if node.kind().endswith("parameter_declaration"):
            named = _declared(node.field("declarator"))
            found.append(
                Parameter(
                    _last(named) if named is not None else "", node, node.field("type"), node.field("default_value")
                )
            )
    return found


def return_type(function: SgNode) -> SgNode | None:
    declarator = _function(function.field("declarator") or function)
    for child in declarator.named_children() if declarator is not None else ():
        if child.kind() == "trailing_return_type":
            return child.named_children()[0] if child.named_children() else None
    return function.field("type")


def bases(defined: SgNode) -> list[SgNode]:
    clause = next((child for child in defined.named_children() if child.kind() == "base_class_clause"), None)
    named = clause.named_children() if clause is not None else []
    return [base for base in named if base.kind() not in ("access_specifier", "comment", "virtual")]


def docstring(node: SgNode) -> bool:
    return False


def negated(shape: Shape) -> Shape:
    return Shape("unary", "", (Shape("token", "!"), shape))


def dead(root: SgNode) -> list[tuple[int, int]]:
    """What stands under `#if 0`, up to its `#else`."""
    found = []
    for node in root.find_all(kind="preproc_if"):
        condition = node.field("condition")
        if condition is not None and condition.text() in ("0", "false"):
            other = node.field("alternative")
            last = (other.range().start.line if other is not None else node.range().end.line) - 1
            found.append((node.range().start.line + 1, last))
    return found


def opaque(root: SgNode) -> list[SgNode]:
    return list(root.find_all(kind="preproc_arg"))
