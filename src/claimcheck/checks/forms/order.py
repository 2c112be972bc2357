"""Pieces of code in the order of the source, in one definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimcheck.checks.code import Part
from claimcheck.checks.form import CODE, BadArguments, Example, FormInfo, fails, holds, mapping
from claimcheck.checks.looking import Look
from claimcheck.checks.pattern import Pattern
from claimcheck.checks.result import Answer, Hit, Result
from claimcheck.checks.saying import quoted
from claimcheck.phrases import listed
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode

NODES = {"type": "array", "items": CODE, "minItems": 2, "maxItems": 50}

INFO = FormInfo(
    "order",
    "Two or more pieces of code stand in this order in one definition.",
    mapping({"nodes": NODES, "by": {"enum": ["first"]}}, ("nodes",), or_="array", also=NODES),
    "Every occurrence of one has to stand before every occurrence of the next; with `by: first` only the first ones are "
    "compared. The order is that of the text: branches of an `if` are not told apart. Where several definitions are "
    "cited, the one that has them all is looked at.",
)


@frozen
class Order:
    nodes: tuple[Pattern, ...]
    by_first: bool = False


def read(data: Any) -> Order:
    if isinstance(data, list):
        return Order(tuple(Pattern(text, (n,)) for n, text in enumerate(data)))
    return Order(tuple(Pattern(text, ("nodes", n)) for n, text in enumerate(data["nodes"])), "by" in data)


def check(arguments: Order, look: Look) -> Result:
    best: Result | None = None
    missing_least = len(arguments.nodes) + 1
    for part in look.parts:
        found = [node.find(part) for node in arguments.nodes]
        missing = sum(not nodes for nodes in found)
        if missing:
            part.make_sure_it_parsed()
        result = _not_all(arguments, part, found) if missing else _in_order(arguments, part, found)
        if result.holds:
            return result
        if missing < missing_least:
            best, missing_least = result, missing
    if best is None:
        raise BadArguments("there is nothing to look in")
    return best


def _not_all(arguments: Order, part: Part, found: list[list[SgNode]]) -> Result:
    absent = [quoted(node.text) for node, nodes in zip(arguments.nodes, found, strict=True) if not nodes]
    there = [part.hit(nodes[0]) for nodes in found if nodes]
    return fails(f"{listed(absent)} {'is' if len(absent) == 1 else 'are'} not in {part.name}", *there[:3])


def _in_order(arguments: Order, part: Part, found: list[list[SgNode]]) -> Result:
    hits: list[Hit] = [part.hit(nodes[0]) for nodes in found]
    for position in range(len(found) - 1):
        before, after = found[position], found[position + 1]
        last = before[0] if arguments.by_first else before[-1]
        if _start(last) >= _start(after[0]):
            names = quoted(arguments.nodes[position].text), quoted(arguments.nodes[position + 1].text)
            said = f"{names[0]} in line {part.hit(last).line} stands after {names[1]} in line {part.hit(after[0]).line}"
            first = _start(before[0]) < _start(after[0])
            nearest = "the first ones are in this order: `by: first` compares those only" if first else None
            return fails(f"{said} in {part.name}", part.hit(last), part.hit(after[0]), nearest=nearest)
    lines = listed([hit.line for hit in hits])
    names_ = listed([quoted(node.text) for node in arguments.nodes])
    return holds(f"{names_} stand in this order in {part.name}, lines {lines}", *hits)


def _start(node: SgNode) -> int:
    return node.range().start.index


EXAMPLES = (
    Example("calls", ".py", "def step(self):\n    self.plan()\n    self.run()\n", "order: [plan, run]"),
    Example("statements", ".cpp", "void f() {\n  n += k;\n  n -= r;\n}\n", "order: ['n += $X', 'n -= $X']"),
    Example(
        "the first of each",
        ".py",
        "def step(self):\n    self.plan()\n    self.run()\n    self.plan()\n",
        "order: {nodes: [plan, run], by: first}",
    ),
    Example(
        "the other way round",
        ".py",
        "def step(self):\n    self.run()\n    self.plan()\n",
        "order: [plan, run]",
        Answer.FAILS,
        "`plan` in line 3 stands after `run` in line 2 in step",
    ),
    Example(
        "one of them again",
        ".cpp",
        "void f() {\n  plan();\n  run();\n  plan();\n}\n",
        "order: [plan, run]",
        Answer.FAILS,
        "`plan` in line 4 stands after `run` in line 3 in f",
        "the first ones are in this order: `by: first` compares those only",
    ),
    Example(
        "one is missing",
        ".py",
        "def step(self):\n    self.plan()\n    # run()\n",
        "order: [plan, run]",
        Answer.FAILS,
        "`run` is not in step",
    ),
)
