"""No call of something, in a definition, a file or a tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from claimcheck.checks.code import Part, finds, parsed
from claimcheck.checks.form import Example, FormInfo, fails, holds
from claimcheck.checks.forms import calls
from claimcheck.checks.forms.calls import Calls, ends_in, has, of_that_name, said
from claimcheck.checks.looking import Look
from claimcheck.checks.mentions import mentions
from claimcheck.checks.pattern import call_rule
from claimcheck.checks.result import Answer, CannotSay, Hit, Result
from claimcheck.checks.saying import lines_said, place_said, quoted
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


def read(data: Any) -> Calls:
    return calls.read(data)


def check(arguments: Calls, look: Look) -> Result:
    found: list[Hit] = []
    parts: list[Part] = []
    for part in look.parts_with(arguments.call.word):
        parts.append(part)
        found += [part.hit(node) for node in of_that_name(arguments.call, part) if _is_meant(arguments, node, part)]
        if look.enough(found):
            break
    if found:
        return fails(f"{said(arguments)} is called in {look.name}, {lines_said(found)}", *found)
    for part in parts:
        part.make_sure_it_parsed()
        _make_sure_it_can_be_found(arguments, part)
        for mention, what in mentions(arguments.call.last_name(part.dialect), part) if _any_call(arguments) else ():
            hit = part.hit(mention)
            where = place_said(hit, look.several_files)
            raise CannotSay(f"{said(arguments)} is not called in {look.name}, but {what} in {where}", hits=(hit,))
    return holds(f"{said(arguments)} is not called in {look.name}")


def _is_meant(arguments: Calls, node: SgNode, part: Part) -> bool:
    text, _, wanted = arguments.call.compiled(part.dialect)
    called = part.dialect.callee(node)
    if called is None or not ends_in(called.text(), re.sub(r"<.*>", "", re.sub(r"\$\w+[.>:-]+", "", text))):
        return False
    if wanted is not None:
        given = [shape_of(argument, part.dialect) for argument in part.dialect.arguments(node)]
        return same_list(wanted, given) and has(arguments.arguments, node, part)
    return has(arguments.arguments, node, part)


def _any_call(arguments: Calls) -> bool:
    """Whether any call of the name is meant, with whatever arguments."""
    return arguments.call.named_only and not arguments.arguments


def _make_sure_it_can_be_found(arguments: Calls, part: Part) -> None:
    """The control: the rule finds a call that was written for it."""
    name = arguments.call.last_name(part.dialect)
    before, after = part.dialect.contexts[0]
    root = parsed(f"{before}{name}(){after}", part.dialect.name)
    if not finds(root, {"rule": call_rule(name, part.dialect)}):
        raise CannotSay(f"a call of {quoted(name)} would not be found")


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
