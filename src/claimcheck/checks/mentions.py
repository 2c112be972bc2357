"""Where a name stands without being called: what is passed on there may be called elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimcheck.checks.code import Part, in_order, matches, of_kinds
from claimcheck.checks.dialects import Kind
from claimcheck.checks.pattern import call_rule

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_INDIRECT = ("getattr", "methodcaller", "attrgetter")
_STRINGS = {"python": "string", "cpp": "string_literal"}

_FUNCTIONS = ("function_definition", "lambda", "lambda_expression")
_LOCAL = (Kind.PARAMETER, Kind.VARIABLE)

# Kinds of nodes in which a name is only given, imported or declared.
_GIVING = frozenset(
    {
        "function_declarator",
        "destructor_name",
        "dotted_name",
        "aliased_import",
        "using_declaration",
        "parameters",
        "lambda_parameters",
        "typed_parameter",
    }
)
_FIELDS_THAT_GIVE = {
    "function_definition": "name",
    "class_definition": "name",
    "class_specifier": "name",
    "struct_specifier": "name",
    "keyword_argument": "name",
    "default_parameter": "name",
    "typed_default_parameter": "name",
    "assignment": "left",
    "declaration": "declarator",
    "field_declaration": "declarator",
    "init_declarator": "declarator",
    "parameter_declaration": "declarator",
    "optional_parameter_declaration": "declarator",
}


def mentions(name: str, part: Part) -> Iterator[tuple[SgNode, str]]:
    """The places, each with what is done with the name there; its calls, its definition and its imports are none."""
    if not part.mentions(name):
        return
    for macro in part.opaque():
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", macro.text()):
            yield macro, "it stands in a macro"
    calls = part.find(call_rule(name, part.dialect))
    called = {end for call in calls if (end := _end_of_callee(call)) is not None}
    word = {"any": [{"kind": kind, "regex": f"^{re.escape(name)}$"} for kind in sorted(part.dialect.names)]}
    for node in part.find(word):
        if node.range().end.index not in called and not _is_given(node) and not _is_local(node, name, part):
            yield node, "its name is used"
    for node in part.find({"kind": _STRINGS[part.dialect.name], "inside": {"kind": "argument_list"}}):
        if node.text()[1:-1] == name and _asked_by(node) in _INDIRECT:
            yield node, "it is looked up by its name"


def _end_of_callee(call: SgNode) -> int | None:
    """Where the name ends by which something is called, before template arguments."""
    called = call.field("function") or call.field("type")
    while called is not None and called.kind() in (
        "template_function",
        "template_method",
        "template_type",
        "qualified_identifier",
        "dependent_name",
        "field_expression",
        "subscript",
    ):
        called = called.field("name") or called.field("field") or called.field("value") or called.named_children()[-1]
    return called.range().end.index if called is not None else None


def _is_given(node: SgNode) -> bool:
    """Whether a name is given to something here rather than used for what it stands for."""
    parent = node.parent()
    if parent is None:
        return False
    if parent.kind() in _GIVING:
        return True
    field = _FIELDS_THAT_GIVE.get(parent.kind())
    if field is not None:
        return node in parent.field_children(field)
    return parent.kind() == "qualified_identifier" and _is_given(parent)


def _is_local(node: SgNode, name: str, part: Part) -> bool:
    """Whether a bare name is that of a parameter or a variable of the function around it, so that it means that one."""
    parent = node.parent()
    if node.kind() != "identifier" or parent is None or parent.kind() in ("attribute", "qualified_identifier"):
        whole = parent is not None and parent.kind() == "attribute" and parent.field("object") == node
        if not whole:
            return False
    child = node
    for around in node.ancestors():
        defaults = child.kind() in ("parameters", "parameter_list", "lambda_parameters")
        if around.kind() in _FUNCTIONS and not defaults:
            inner = in_order(matches(around, {"rule": of_kinds(part.dialect.defining)}))
            if any(one.name == name and one.kind in _LOCAL for one in part.dialect.definitions(inner)):
                return True
        child = around
    return False


def _asked_by(node: SgNode) -> str:
    """The last component of what is called with a node as its argument."""
    call = next((one for one in node.ancestors() if one.kind() in ("call", "call_expression")), None)
    called = call.field("function") if call is not None else None
    return called.text().rpartition(".")[2] if called is not None else ""
