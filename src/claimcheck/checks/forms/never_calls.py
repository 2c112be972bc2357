"""No call of something, in a definition, a file or a tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from claimcheck.checks.code import Part, finds, parsed
from claimcheck.checks.form import Example, FormInfo, fails, holds
from claimcheck.checks.forms import calls
from claimcheck.checks.forms.calls import Calls, ends_in, has, of_that_name, said
from claimcheck.checks.looking import Look
from claimcheck.checks.pattern import call_rule
from claimcheck.checks.result import Answer, CannotSay, Hit, Result
from claimcheck.checks.saying import lines_said, quoted
from claimcheck.checks.shape import same_list, shape_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode

INFO = FormInfo(
    "never-calls",
    "Something is not called.",
    calls.SCHEMA,
    "A plain name is looked for whatever it is called on, also where parentheses follow it. It is unverified, not true, "
    "where the parser did not understand something, where the name stands in the body of a macro, and where it is "
    "mentioned without being called: it may be passed on and called elsewhere.",
    tree=True,
)

_INDIRECT = ("getattr", "methodcaller", "attrgetter")


def read(data: Any) -> Calls:
    return calls.read(data)


def check(arguments: Calls, look: Look) -> Result:
    found: list[Hit] = []
    parts = list(look.parts_with(arguments.call.word))
    for part in parts:
        found += [part.hit(node) for node in of_that_name(arguments.call, part) if _is_meant(arguments, node, part)]
    if found:
        return fails(f"{said(arguments)} is called in {look.name}, {lines_said(found)}", *found)
    for part in parts:
        part.make_sure_it_parsed()
        _make_sure_it_can_be_found(arguments, part)
        for mention, what in _mentions(arguments, part):
            raise CannotSay(
                f"{said(arguments)} is not called in {look.name}, but {what} in line {part.hit(mention).line}",
                hits=(part.hit(mention),),
            )
    return holds(f"{said(arguments)} is not called in {look.name}")


def _is_meant(arguments: Calls, node: SgNode, part: Part) -> bool:
    text, _, wanted = arguments.call.compiled(part.dialect)
    called = part.dialect.callee(node)
    if called is None or not ends_in(called.text(), re.sub(r"<.*>", "", re.sub(r"\$\w+[.>:-]+", "", text))):
        return False
    given = [shape_of(argument, part.dialect) for argument in part.dialect.arguments(node)]
    return (wanted is None or same_list(wanted, given)) and has(arguments.arguments, node, part)


def _make_sure_it_can_be_found(arguments: Calls, part: Part) -> None:
    """The control: the rule finds a call that was written for it."""
    name = arguments.call.last_name(part.dialect)
    before, after = part.dialect.contexts[0]
    root = parsed(f"{before}{name}(){after}", part.dialect.name)
    if not finds(root, {"rule": call_rule(name, part.dialect)}):
        raise CannotSay(f"a call of {quoted(name)} would not be found")


def _mentions(arguments: Calls, part: Part) -> Iterator[tuple[SgNode, str]]:
    """Where the name stands without being called, so that it may be called elsewhere."""
    if arguments.arguments or arguments.call.compiled(part.dialect)[2] is not None:
        return
    name = arguments.call.last_name(part.dialect)
    for macro in part.opaque():
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", macro.text()):
            yield macro, "it stands in a macro"
    word = {"any": [{"kind": kind, "regex": f"^{re.escape(name)}$"} for kind in sorted(part.dialect.names)]}
    called = of_that_name(arguments.call, part)
    for node in part.find(word):
        if not _names_itself(node) and not any(_within(node, one) for one in called):
            yield node, "its name is used"
    for kind in ("string", "string_literal"):
        if kind == ("string" if part.dialect.name == "python" else "string_literal"):
            for node in part.find({"kind": kind, "inside": {"kind": "argument_list"}}):
                if node.text()[1:-1] == name and _called_by(node) in _INDIRECT:
                    yield node, "it is looked up by its name"


def _within(node: SgNode, call: SgNode) -> bool:
    """Whether a name is the last component of what is called."""
    called = call.field("function") or call.field("type")
    return called is not None and node.range().end.index == _end(called)


def _end(called: SgNode) -> int:
    while called.kind() in ("template_function", "template_method", "qualified_identifier", "dependent_name"):
        inner = called.field("name") or called.named_children()[-1]
        if inner == called:
            break
        called = inner
    return called.range().end.index


def _names_itself(node: SgNode) -> bool:
    """Whether a name is that of a definition, an import, a parameter or a keyword rather than what it stands for."""
    parent = node.parent()
    if parent is None:
        return False
    kind = parent.kind()
    if kind in ("function_declarator", "destructor_name", "dotted_name", "aliased_import", "using_declaration"):
        return True
    if kind in ("function_definition", "class_definition", "keyword_argument", "class_specifier", "struct_specifier"):
        return parent.field("name") == node
    if kind == "qualified_identifier":
        return _names_itself(parent)
    return False


def _called_by(node: SgNode) -> str:
    call = next((one for one in node.ancestors() if one.kind() in ("call", "call_expression")), None)
    called = call.field("function") if call is not None else None
    return called.text().rpartition(".")[2] if called is not None else ""


EXAMPLES = (
    Example("by name", ".py", "def f(self):\n    self.take()\n    # free()\n", "never-calls: free"),
    Example("in a file", ".cpp", "void free(int x);\nvoid f() {\n  take();\n}\n", "{never-calls: free, scope: file}"),
    Example("with an argument", ".py", "def f(e):\n    e.run(x)\n", "never-calls: {call: run, with: [non_block=True]}"),
    Example(
        "on another object",
        ".cpp",
        "void f(Pool* p) {\n  p->free(3);\n}\n",
        "never-calls: free",
        Answer.FAILS,
        "`free` is called in f, line 2",
    ),
    Example(
        "also where a call is given",
        ".py",
        "def f(self):\n    return self.pool.free(3)\n",
        "never-calls: {call: 'free($$$)'}",
        Answer.FAILS,
        "`free($$$)` is called in f, line 2",
    ),
    Example(
        "it may be passed on",
        ".py",
        "def f(self):\n    self.later(self.free)\n",
        "never-calls: free",
        Answer.UNVERIFIED,
        "`free` is not called in f, but its name is used in line 2",
    ),
    Example(
        "a macro may call it",
        ".cpp",
        "#define DROP(x) free(x)\nvoid f() {}\n",
        "{never-calls: free, scope: file}",
        Answer.UNVERIFIED,
        "`free` is not called in example.cpp, but it stands in a macro in line 1",
    ),
    Example(
        "what did not parse may call it",
        ".py",
        "def f():\n    x = = free\n",
        "{never-calls: free, scope: file}",
        Answer.UNVERIFIED,
        "example.py has parse errors in example.py, line 2",
    ),
)
