"""A call, by name or as it is written, in a definition, a file or a tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from claimcheck.checks.code import Part
from claimcheck.checks.form import CODE, CODES, Example, FormInfo, fails, holds, mapping
from claimcheck.checks.looking import Look
from claimcheck.checks.pattern import CallPattern, Expression, call_rule, may_be
from claimcheck.checks.result import Answer, Hit, Result
from claimcheck.checks.saying import lines_said, quoted
from claimcheck.checks.shape import same, same_list, shape_of
from claimcheck.model import Lines
from claimcheck.phrases import listed
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode

SCHEMA = mapping({"call": CODE, "with": CODES}, ("call",), or_="string", also=CODE)

INFO = FormInfo(
    "calls",
    "Something is called.",
    SCHEMA,
    "A name finds every call of it, whatever it is called on: `free` finds `free(x)`, `self.pool.free(x)` and "
    "`pool->free(x)`; with components before it, `pool.free`, it has to end so. A call with parentheses is compared as it "
    "stands: `max($$$)` is a call of `max` itself. `with:` lists arguments that it has among others, in any order.",
    tree=True,
)


_ARGUMENTS = re.compile(r"<[^<>]*>")


@frozen
class Calls:
    call: CallPattern
    arguments: tuple[Expression, ...] = ()


def read(data: Any) -> Calls:
    if isinstance(data, str):
        return Calls(CallPattern(data))
    wanted = tuple(Expression(text, ("with", n)) for n, text in enumerate(data.get("with", ())))
    return Calls(CallPattern(data["call"], ("call",)), wanted)


def check(arguments: Calls, look: Look) -> Result:
    found: list[Hit] = []
    others: list[Hit] = []
    parts: list[Part] = []
    for part in look.parts_with(arguments.call.word):
        parts.append(part)
        if look.enough(found):
            break
        for node in of_that_name(arguments.call, part):
            exact = is_called(arguments.call, node, part)
            (found if exact and has(arguments.arguments, node, part) else others).append(part.hit(node))
    if found:
        return holds(f"{said(arguments)} is called in {look.name}, {lines_said(found)}", *found)
    for part in parts:
        part.make_sure_it_parsed()
    nearest = f"{lines_said(others)} has another call of that name" if others else nearest_call(arguments.call, parts)
    return fails(f"{said(arguments)} is not called in {look.name}", *others[:3], nearest=nearest)


def said(arguments: Calls) -> str:
    given = [quoted(one.text) for one in arguments.arguments]
    return quoted(arguments.call.text) + (f" with {listed(given)}" if given else "")


def of_that_name(call: CallPattern, part: Part) -> list[SgNode]:
    """Every call whose callee ends in the pattern's last name."""
    name = call.last_name(part.dialect)
    return part.find(call_rule(name, part.dialect)) if part.mentions(name) else []


def is_called(call: CallPattern, node: SgNode, part: Part) -> bool:
    """Whether a call is the one that is meant."""
    text, callee, arguments = call.compiled(part.dialect)
    called = part.dialect.callee(node)
    if called is None:
        return False
    if arguments is None:
        return ends_in(called.text(), text)
    if not may_be(call.text, node) or not same(callee, shape_of(called, part.dialect)):
        return False
    return same_list(arguments, [shape_of(argument, part.dialect) for argument in part.dialect.arguments(node)])


def ends_in(called: str, name: str) -> bool:
    """Whether what is called ends in these components."""
    plain = "".join(called.split()).replace("->", ".").replace("::", ".")
    wanted = "".join(name.split()).replace("->", ".").replace("::", ".")
    while "<" not in wanted and (shorter := _ARGUMENTS.sub("", plain)) != plain:
        plain = shorter
    return plain == wanted or plain.endswith("." + wanted)


def has(wanted: tuple[Expression, ...], node: SgNode, part: Part) -> bool:
    """Whether a call has all these arguments."""
    given = part.dialect.arguments(node)
    return all(any(one.is_(there, part.dialect) for there in given) for one in wanted)


def nearest_call(call: CallPattern, parts: Sequence[Part]) -> str | None:
    """Where the name stands in the first file all the same."""
    for part in parts[:1]:
        lines = part.source.hits(call.word or "")
        if lines:
            near = min(lines, key=lambda line: (line not in part.lines, line))
            around = part.parsed.outline.innermost(Lines(near, near))
            return f"the name stands in line {near} of {part.path}{f', in {around.name}' if around else ''}"
    return None


EXAMPLES = (
    Example("by name", ".py", "def f(self):\n    self.pool.free(1)\n", "calls: free"),
    Example("as it stands", ".py", "def f(a):\n    return max(a, 0)\n", "calls: {call: 'max($$$)'}"),
    Example(
        "with an argument",
        ".py",
        "def f(e, x):\n    e.run(x, non_block=True)\n",
        "calls: {call: run, with: [non_block=True]}",
    ),
    Example("a method of a template", ".cpp", "void f(Pool* p) {\n  p->get<int>(3);\n}\n", "calls: get"),
    Example(
        "a macro",
        ".cpp",
        'void f(int x) {\n  TORCH_CHECK(x > 0, "x");\n}\n',
        "calls: {call: TORCH_CHECK, with: [x > 0]}",
    ),
    Example("in a lambda", ".cpp", "void f() {\n  auto g = [&] { std::sort(a, b); };\n}\n", "calls: 'std::sort'"),
    Example(
        "not called",
        ".py",
        "def f(self):\n    self.pool.take(1)\n    # free(1)\n    x = 'free(1)'\n",
        "calls: free",
        Answer.FAILS,
        "`free` is not called in f",
        "the name stands in line 3 of example.py, in f",
    ),
    Example(
        "with another argument",
        ".cpp",
        "void f() {\n  run(x, false);\n}\n",
        "calls: {call: run, with: ['true']}",
        Answer.FAILS,
        "`run` with `true` is not called in f",
        "line 2 has another call of that name",
    ),
    Example(
        "under #if 0",
        ".cpp",
        "void f() {\n#if 0\n  run();\n#endif\n}\n",
        "calls: run",
        Answer.FAILS,
        "`run` is not called in f",
        "the name stands in line 3 of example.cpp, in f",
    ),
)
