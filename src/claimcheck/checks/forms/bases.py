"""A class derives from these classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from claimcheck.checks.code import Part
from claimcheck.checks.form import LINES, BadArguments, Example, FormInfo, fails, holds, mapping
from claimcheck.checks.looking import Look
from claimcheck.checks.result import Answer, Refuted, Result
from claimcheck.checks.saying import quoted
from claimcheck.phrases import listed
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode

ARE = {**LINES, "minItems": 0}

INFO = FormInfo(
    "bases",
    "A class derives from these classes.",
    mapping({"are": ARE, "has": LINES}, or_="array", also=ARE),
    "A list, or `are:`, has all of them in their order; `has:` has some. A name without components also stands for one with "
    "them: `Enum` for `enum.Enum`. Template arguments are compared if they are written.",
)


@frozen
class Bases:
    names: tuple[str, ...]
    all_of_them: bool


def read(data: Any) -> Bases:
    if isinstance(data, list):
        return Bases(tuple(data), True)
    if ("are" in data) == ("has" in data):
        raise BadArguments("one of `are` and `has` is needed")
    return Bases(tuple(data.get("are", data.get("has"))), "are" in data)


def check(arguments: Bases, look: Look) -> Result:
    found = [(part, one) for part in look.parts for one in _outermost(part)]
    if not found:
        for part in look.parts:
            part.make_sure_it_parsed()
        raise Refuted(f"{look.name} is no class")
    for part, defined in found:
        part.make_sure_it_parsed()
        there = [base.text() for base in part.dialect.bases(defined)]
        exact = len(there) == len(arguments.names) and all(map(_same, arguments.names, there))
        some = all(any(_same(name, base) for base in there) for name in arguments.names)
        if not (exact if arguments.all_of_them else some):
            expected = _listed(arguments.names)
            has = _listed(there)
            return fails(f"{part.name} derives from {has}, expected {expected}", part.hit(defined))
    return holds(
        f"{look.name} derives from {_listed(arguments.names)}",
        *(part.hit(one) for part, one in found),
    )


def _outermost(part: Part) -> Iterator[SgNode]:
    last = -1
    for node in part.of_kinds(part.dialect.classes):
        extent = node.range()
        if extent.start.index >= last:
            last = extent.end.index
            yield node


def _listed(names: Sequence[str]) -> str:
    return listed([quoted(name) for name in names]) if names else "nothing"


def _same(wanted: str, there: str) -> bool:
    ours, theirs = "".join(wanted.split()), "".join(there.split())
    if "<" not in ours:
        theirs = theirs.partition("<")[0]
    return ours == theirs or theirs.replace("::", ".").endswith("." + ours.replace("::", "."))


EXAMPLES = (
    Example(
        "all of them", ".py", "import enum\n\nclass Mode(enum.Enum):\n    A = 1\n", "{bases: [enum.Enum], symbol: Mode}"
    ),
    Example(
        "one of several",
        ".cpp",
        "class Pool : public Base<int>, private ns::Other {\n  int a;\n};\n",
        "bases: {has: [Base, Other]}",
    ),
    Example("none", ".py", "class Pool:\n    pass\n", "bases: []"),
    Example(
        "another one",
        ".cpp",
        "struct Pool final : Base {\n  int a;\n};\n",
        "bases: [Other]",
        Answer.FAILS,
        "struct Pool derives from `Base`, expected `Other`",
    ),
    Example(
        "one more",
        ".py",
        "class Pool(Base, Mixin):\n    pass\n",
        "bases: [Base]",
        Answer.FAILS,
        "class Pool derives from `Base` and `Mixin`, expected `Base`",
    ),
)
