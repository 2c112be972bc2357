"""An assignment, a return value or an argument is an expression."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from claimcheck.checks.code import Part
from claimcheck.checks.form import CODE, FLAG, BadArguments, Example, FormInfo, fails, holds, mapping
from claimcheck.checks.forms.calls import ends_in, is_called, of_that_name
from claimcheck.checks.looking import Look
from claimcheck.checks.pattern import CallPattern, Expression
from claimcheck.checks.result import Answer, Hit, Result
from claimcheck.checks.saying import lines_said, quoted
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode

OPERATORS = ("+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=", "@=", "=")

INFO = FormInfo(
    "formula",
    "An assignment, a return value or an argument of a call is an expression.",
    mapping({"assign": CODE, "return": CODE, "argument": CODE, "is": CODE, "commute": FLAG, "every": FLAG}),
    "They are equal up to white space, parentheses, line breaks, comments, the quotes of strings and the spelling of "
    "numbers; with `commute: true` the operands of `+` and `*` may stand in another order. `$X` is any one expression, the "
    "same wherever it is repeated, `$_` any. `assign:` is the target, with its operator where that is not `=` "
    "(`assign: total +=`); initialisations and constructors' initialisers are assignments, a keyword argument is none. "
    "One such place is enough, unless `every: true` asks for all.",
)


@frozen
class Formula:
    wanted: Expression
    target: Expression | None = None
    operator: str = "="
    call: CallPattern | None = None
    commute: bool = False
    every: bool = False


def read(data: Mapping[str, Any]) -> Formula:
    given = [key for key in ("assign", "return", "argument") if key in data]
    if len(given) != 1:
        raise BadArguments("one of `assign`, `return`, `argument` says of what")
    commute, every = "commute" in data, "every" in data
    if "return" in data:
        if "is" in data:
            raise BadArguments(
                "`return` has the expression itself; `is` stands beside `assign` and `argument`", ("is",)
            )
        return Formula(Expression(data["return"], ("return",)), commute=commute, every=every)
    if "is" not in data:
        raise BadArguments("`is` is missing")
    wanted = Expression(data["is"], ("is",))
    if "argument" in data:
        return Formula(wanted, call=CallPattern(data["argument"], ("argument",)), commute=commute, every=every)
    target = data["assign"].strip()
    operator = next((one for one in OPERATORS if target.endswith(one)), "")
    target = target.removesuffix(operator).strip()
    return Formula(wanted, Expression(target, ("assign",)), operator or "=", commute=commute, every=every)


def check(arguments: Formula, look: Look) -> Result:
    equal: list[Hit] = []
    others: list[tuple[Hit, str]] = []
    for part in look.parts:
        for where, value in _values(arguments, part):
            if arguments.wanted.is_(value, part.dialect, commute=arguments.commute):
                equal.append(part.hit(where))
            else:
                others.append((part.hit(where), value.text()))
    subject, wanted_text = _said(arguments), quoted(arguments.wanted.text)
    if not equal or arguments.every:
        for part in look.parts:
            part.make_sure_it_parsed()
    if equal and not (arguments.every and others):
        return holds(f"{subject} is {wanted_text} in {look.name}, {lines_said(equal)}", *equal)
    if not others:
        return fails(f"{subject} is nowhere in {look.name}, expected {wanted_text}")
    there = quoted(others[0][1])
    hits = [hit for hit, _ in others]
    also = "also " if equal else ""
    return fails(f"{subject} is {also}{there} in {look.name}, {lines_said(hits)}, expected {wanted_text}", *hits[:3])


def _said(arguments: Formula) -> str:
    if arguments.target:
        operator = "" if arguments.operator == "=" else f" {arguments.operator}"
        return quoted(arguments.target.text + operator)
    return f"an argument of {quoted(arguments.call.text)}" if arguments.call else "the value returned"


def _values(arguments: Formula, part: Part) -> Iterator[tuple[SgNode, SgNode]]:
    """The expressions that it is about, each with where it stands."""
    dialect = part.dialect
    if arguments.call:
        for call in of_that_name(arguments.call, part):
            text, _, given = arguments.call.compiled(dialect)
            called = dialect.callee(call)
            meant = (
                is_called(arguments.call, call, part) if given is not None else called and ends_in(called.text(), text)
            )
            if meant:
                for argument in dialect.arguments(call):
                    yield argument, argument.field("value") or argument
    elif arguments.target:
        for one in part.assignments:
            if one.operator == arguments.operator and arguments.target.is_(one.target, dialect):
                yield one.node, one.value
    else:
        for node in part.of_kinds(dialect.returns):
            value = [child for child in node.named_children() if child.kind() not in dialect.unsaid]
            if value:
                yield node, value[0]


EXAMPLES = (
    Example(
        "an assignment",
        ".py",
        "def f(r):\n    n = (r.total +\n         r.spec) - r.done\n",
        "formula: {assign: n, is: r.total + r.spec - r.done}",
    ),
    Example(
        "another order",
        ".cpp",
        "int f(int a, int b) {\n  int n = b * 2 + a;\n  return n;\n}\n",
        "formula: {assign: n, is: a + 2 * b, commute: true}",
    ),
    Example(
        "an augmented assignment",
        ".py",
        "def f(self, n):\n    self.used += n\n",
        "formula: {assign: self.used +=, is: n}",
    ),
    Example(
        "a constructor's initialiser",
        ".cpp",
        "Pool::Pool(int n) : size_(n + 1) {}\n",
        "formula: {assign: size_, is: n + 1}",
    ),
    Example("a return value", ".cpp", "int f() {\n  return (a - 1);\n}\n", "formula: {return: a - 1}"),
    Example("an argument", ".py", "def f(a, b):\n    return min(a, b - 1)\n", "formula: {argument: min, is: b - 1}"),
    Example(
        "any expression", ".py", "def f(r):\n    n = r.total - r.done\n", "formula: {assign: n, is: $R.total - $R.done}"
    ),
    Example(
        "another operator",
        ".py",
        "def f(r):\n    n = r.total + r.done\n",
        "formula: {assign: n, is: r.total - r.done}",
        Answer.FAILS,
        "`n` is `r.total + r.done` in f, line 2, expected `r.total - r.done`",
    ),
    Example(
        "parentheses that matter",
        ".cpp",
        "int f() {\n  int n = (a + b) * c;\n  return n;\n}\n",
        "formula: {assign: n, is: a + b * c}",
        Answer.FAILS,
        "`n` is `(a + b) * c` in f, line 2, expected `a + b * c`",
    ),
    Example(
        "another order that was not allowed",
        ".py",
        "def f(a, b):\n    return b + a\n",
        "formula: {return: a + b}",
        Answer.FAILS,
        "the value returned is `b + a` in f, line 2, expected `a + b`",
    ),
    Example(
        "not assigned at all",
        ".py",
        "def f(a):\n    g(n=a)\n",
        "formula: {assign: n, is: a}",
        Answer.FAILS,
        "`n` is nowhere in f, expected `a`",
    ),
)
