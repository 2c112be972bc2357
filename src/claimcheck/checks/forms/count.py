"""How many there are of something: pieces of code, fields, enumerators, parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from claimcheck.checks.code import Part
from claimcheck.checks.dialects import Kind
from claimcheck.checks.form import (
    CODE,
    FLAG,
    LINE,
    RANGE,
    BadArguments,
    Example,
    FormInfo,
    Range,
    fails,
    holds,
    mapping,
)
from claimcheck.checks.looking import Look
from claimcheck.checks.pattern import Pattern
from claimcheck.checks.result import Answer, CannotSay, Hit, Result
from claimcheck.checks.saying import MOST_HITS, lines_said, quoted
from claimcheck.checks.texts import found_in
from claimcheck.phrases import counted
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode

NOUNS = {"fields": "field", "enumerators": "enumerator", "parameters": "parameter", "methods": "method"}

INFO = FormInfo(
    "count",
    "There are so many of something: exactly, or within a range.",
    mapping({"node": CODE, "text": LINE, **dict.fromkeys(NOUNS, FLAG), **RANGE}),
    "`node:` is code, or a name whose calls are counted. `fields: true`, `enumerators: true` and `methods: true` count in the "
    "class that the scope is or begins with, `parameters: true` in its function, without `self`. `text:` is for files "
    "without a grammar. All of the scope has to have parsed.",
    needs_code=False,
    tree=True,
)


@frozen
class Count:
    range: Range
    node: Pattern | None = None
    text: str | None = None
    what: str = ""


def read(data: Mapping[str, Any]) -> Count:
    given = [key for key in ("node", "text", *NOUNS) if key in data]
    if len(given) != 1:
        raise BadArguments(f"one of {', '.join(('node', 'text', *NOUNS))} says of what")
    numbers = Range.read(data)
    if given[0] == "node":
        return Count(numbers, Pattern(data["node"], ("node",)))
    return Count(numbers, text=data["text"]) if given[0] == "text" else Count(numbers, what=given[0])


def check(arguments: Count, look: Look) -> Result:
    hits: list[Hit] = []
    seen: set[tuple[str, int, int, int, int]] = set()
    for part in look.parts_with(arguments.node.word if arguments.node else None):
        if arguments.text is not None:
            if part.code is not None:
                raise CannotSay(f"{part.path} is {part.dialect.title}, in which comments and strings are no code")
            hits += [part.hit(line) for line in found_in(part, arguments.text)]
            continue
        part.make_sure_it_parsed()
        if arguments.node:
            if not arguments.range.least and not arguments.node.can_match(part.dialect):
                raise CannotSay(f"{quoted(arguments.node.text)} would not be found")
            for node in arguments.node.find(part):  # a class and a method of it, both cited, have some in common
                extent = node.range()
                place = (part.path, extent.start.line, extent.start.column, extent.end.line, extent.end.column)
                hits += [] if place in seen else [part.hit(node)]
                seen.add(place)
        else:
            hits += [part.hit(node) for node in _counted(arguments.what, part)]
    if arguments.what:
        said = counted(len(hits), NOUNS[arguments.what])
        message = f"{look.name} has {said}"
    else:
        subject = quoted(arguments.node.text if arguments.node else arguments.text or "")
        said = "not once" if not hits else "once" if len(hits) == 1 else f"{len(hits)} times"
        where = f", {lines_said(hits)}" if hits else ""
        message = f"{subject} stands {said} in {look.name}{where}"
    if len(hits) in arguments.range:
        return holds(message, *hits[:MOST_HITS])
    return fails(f"{message}, expected {arguments.range}", *hits[:MOST_HITS])


def _counted(what: str, part: Part) -> list[SgNode]:
    dialect = part.dialect
    wanted = dialect.functions if what == "parameters" else dialect.classes
    holder = next(iter(part.of_kinds(wanted)), None)
    if holder is None:
        noun = "function" if what == "parameters" else "class"
        raise CannotSay(f"there is no {noun} in {part.name} whose {what} could be counted")
    if what == "parameters":
        return [parameter.node for parameter in dialect.parameters(holder)]
    kinds = {"fields": (Kind.FIELD,), "enumerators": (Kind.MEMBER,), "methods": (Kind.FUNCTION,)}[what]
    body = holder.field("body")
    named: dict[str, SgNode] = {}
    for one in part.definitions:
        if one.kind in kinds and _directly_in(one.node, body):
            named.setdefault(one.name if what != "methods" else str(one.node.range().start.index), one.node)
    return list(named.values())


def _directly_in(node: SgNode, body: SgNode | None) -> bool:
    """Whether a node stands in a class's body and in no function or other class of it."""
    for around in node.ancestors():
        if around == body:
            return True
        if around.kind() in ("block", "compound_statement", "field_declaration_list", "parameter_list", "parameters"):
            return False
    return False


EXAMPLES = (
    Example(
        "enumerators",
        ".py",
        "import enum\n\nclass Mode(enum.Enum):\n    A = 1\n    B = 2\n",
        "{count: {enumerators: true, is: 2}, symbol: Mode}",
    ),
    Example(
        "fields",
        ".cpp",
        "struct Pool {\n  int a, b;\n  void f();\n  float c = 0;\n};\n",
        "count: {fields: true, is: 3}",
    ),
    Example("calls", ".py", "def f():\n    g(1)\n    g(g(2))\n", "count: {node: g, is: 3}"),
    Example("a range", ".cpp", "void f() {\n  throw A();\n}\n", "count: {node: throw $E;, at-least: 1, at-most: 2}"),
    Example("none", ".py", "def f():\n    # g(1)\n    return 'g(1)'\n", "count: {node: g, is: 0}"),
    Example(
        "parameters",
        ".py",
        "class P:\n    def f(self, a, *, b=1):\n        pass\n",
        "{count: {parameters: true, is: 2}, symbol: P.f}",
    ),
    Example("in a text", ".md", "one two\none\n", "count: {text: one, is: 2}"),
    Example(
        "one more",
        ".cpp",
        "enum class Mode { A, B, C };\n",
        "{count: {enumerators: true, is: 2}, symbol: Mode}",
        Answer.FAILS,
        "enum Mode has 3 enumerators, expected 2",
    ),
    Example(
        "too few",
        ".py",
        "def f():\n    g(1)\n",
        "count: {node: g, at-least: 2}",
        Answer.FAILS,
        "`g` stands once in f, line 2, expected at least 2",
    ),
    Example(
        "not among what did not parse",
        ".cpp",
        "void f() {\n  x = = ;\n}\n",
        "count: {node: g, is: 0}",
        Answer.UNVERIFIED,
        "example.cpp has parse errors in f, line 2",
    ),
)
