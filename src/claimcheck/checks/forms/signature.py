"""A function has these parameters, or returns this type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from claimcheck.checks.code import Part
from claimcheck.checks.dialects import Parameter
from claimcheck.checks.form import LINE, LINES, BadArguments, Example, FormInfo, fails, holds, mapping
from claimcheck.checks.looking import Look
from claimcheck.checks.pattern import BadPattern, shape
from claimcheck.checks.result import Answer, Refuted, Result
from claimcheck.checks.saying import quoted
from claimcheck.checks.shape import same, shape_of
from claimcheck.phrases import listed
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode

PARAMETERS = {**LINES, "minItems": 0}

INFO = FormInfo(
    "signature",
    "A function has these parameters, or returns this type.",
    mapping({"parameters": PARAMETERS, "has": LINES, "lacks": LINES, "returns": LINE}),
    "`parameters:` are all of them in their order, without `self`; `has:` are some, in any order, `lacks:` are none. Each is "
    "a name, and what else is written is compared: `n`, `n=0`, `n: int = 0`, `int n`. With several definitions of the name "
    "each has to fit; overload stubs do not count.",
)


@frozen
class Signature:
    parameters: tuple[str, ...] | None = None
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    returns: str | None = None


def read(data: Mapping[str, Any]) -> Signature:
    if not set(data) & {"parameters", "has", "lacks", "returns"}:
        raise BadArguments("one of `parameters`, `has`, `lacks`, `returns` is needed")
    parameters = tuple(data["parameters"]) if "parameters" in data else None
    return Signature(parameters, tuple(data.get("has", ())), tuple(data.get("lacks", ())), data.get("returns"))


def check(arguments: Signature, look: Look) -> Result:
    found = [(part, function) for part in look.parts for function in _functions(part)]
    if not found:
        for part in look.parts:
            part.make_sure_it_parsed()
        raise Refuted(f"{look.name} is no function")
    for part, function in found:
        part.make_sure_it_parsed()
        wrong = next(_wrong(arguments, part, function), None)
        if wrong:
            there = ", ".join(parameter.name for parameter in part.dialect.parameters(function))
            return fails(f"{part.name} {wrong}", part.hit(function), nearest=f"it has ({there})")
    return holds(f"{look.name} has the signature", *(part.hit(function) for part, function in found))


_DECLARATIONS = frozenset({"declaration", "field_declaration"})


def _functions(part: Part) -> Iterator[SgNode]:
    """The outermost functions of the part, which are what it is."""
    last = -1
    for node in part.of_kinds((part.dialect.functions | _DECLARATIONS) & part.dialect.defining):
        if node.kind() in _DECLARATIONS and not part.dialect.parameters(node):
            continue
        extent = node.range()
        if extent.start.index < last:
            continue
        last = extent.end.index
        if not _is_stub(node):
            yield node


def _is_stub(function: SgNode) -> bool:
    around = function.parent()
    if around is None or around.kind() != "decorated_definition":
        return False
    return any(re.search(r"\boverload\b", one.text()) for one in around.children() if one.kind() == "decorator")


def _wrong(arguments: Signature, part: Part, function: SgNode) -> Iterator[str]:
    there = part.dialect.parameters(function)
    if arguments.parameters is not None:
        names = [_name_of(one) for one in arguments.parameters]
        if names != [parameter.name for parameter in there]:
            yield f"has other parameters, expected ({', '.join(arguments.parameters)})"
    for wanted in (*(arguments.parameters or ()), *arguments.has):
        named = [parameter for parameter in there if parameter.name == _name_of(wanted)]
        if not named:
            yield f"has no parameter {quoted(wanted)}"
        elif not any(_fits(wanted, parameter, part) for parameter in named):
            yield f"has {quoted(named[0].node.text())}, expected {quoted(wanted)}"
    for unwanted in arguments.lacks:
        if any(parameter.name == _name_of(unwanted) for parameter in there):
            yield f"has a parameter {quoted(unwanted)}"
    if arguments.returns is not None:
        type_ = part.dialect.return_type(function)
        if type_ is None or not _same_text(arguments.returns, type_.text(), part):
            yield f"returns {quoted(type_.text()) if type_ else 'no stated type'}, expected {quoted(arguments.returns)}"


def _name_of(written: str) -> str:
    """The name in `n`, `n: int = 0`, `const Block& b = {}`."""
    before = re.split(r"=|:(?!:)", written, maxsplit=1)[0]
    words = re.findall(r"[^\W\d]\w*", before)
    return words[-1] if words else written


def _fits(written: str, parameter: Parameter, part: Part) -> bool:
    """Whether a parameter has the default and the type that are written, if any are."""
    before, equals, default = written.partition("=")
    if equals and (parameter.default is None or not _same_expression(default, parameter.default, part)):
        return False
    if part.dialect.name == "python":
        _, colon, type_ = before.partition(":")
        return not colon or (parameter.annotation is not None and _same_text(type_, parameter.annotation.text(), part))
    type_ = before.strip().removesuffix(parameter.name).strip()
    declared = parameter.node.text().partition("=")[0].strip().removesuffix(parameter.name)
    return not type_ or "".join(type_.split()) == "".join(declared.split())


def _same_expression(written: str, there: SgNode, part: Part) -> bool:
    try:
        return same(shape(written, part.dialect), shape_of(there, part.dialect))
    except BadPattern:
        return "".join(written.split()) == "".join(there.text().split())


def _same_text(written: str, there: str, part: Part) -> bool:
    return listed(written.split()) == listed(there.split()) or "".join(written.split()) == "".join(there.split())


EXAMPLES = (
    Example(
        "all parameters",
        ".py",
        "class P:\n    def f(self, a, b: int = 3):\n        pass\n",
        "{signature: {parameters: [a, b=3]}, symbol: P.f}",
    ),
    Example(
        "some of them",
        ".cpp",
        "int P::f(const Block& b, int n = 0) const {\n  return n;\n}\n",
        "signature: {has: ['int n'], lacks: [evict]}",
    ),
    Example("what it returns", ".py", "def f(a) -> int | None:\n    pass\n", "signature: {returns: int | None}"),
    Example(
        "another default",
        ".py",
        "def f(a, b=4):\n    pass\n",
        "signature: {has: [b=3]}",
        Answer.FAILS,
        "f has `b=4`, expected `b=3`",
        "it has (a, b)",
    ),
    Example(
        "one that it should lack",
        ".cpp",
        "void f(int a, bool evict) {}\n",
        "signature: {lacks: [evict]}",
        Answer.FAILS,
        "f has a parameter `evict`",
        "it has (a, evict)",
    ),
    Example(
        "another order",
        ".py",
        "def f(b, a):\n    pass\n",
        "signature: {parameters: [a, b]}",
        Answer.FAILS,
        "f has other parameters, expected (a, b)",
        "it has (b, a)",
    ),
)
