"""Something stands only in the branch that is taken when a condition holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from claimcheck.checks.code import Part
from claimcheck.checks.dialects import Guard
from claimcheck.checks.form import CODE, BadArguments, Example, FormInfo, fails, holds, mapping
from claimcheck.checks.looking import Look
from claimcheck.checks.mentions import mentions
from claimcheck.checks.pattern import Expression, Pattern, may_be
from claimcheck.checks.result import Answer, CannotSay, Hit, Result
from claimcheck.checks.saying import lines_said, place_said, quoted
from claimcheck.checks.shape import denied, same, shape_of
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode

KINDS = ("if", "case", "with", "try")
CONDITION = {"type": ["string", "array"], "$ref": "#/$defs/code", "items": CODE, "minItems": 1, "maxItems": 20}

INFO = FormInfo(
    "inside",
    "Something stands in the branch that is taken when a condition holds, and nowhere else.",
    mapping(
        {
            "node": CODE,
            "if": CODE,
            "case": CONDITION,
            "with": CODE,
            "try": CODE,
            "branch": {"enum": ["then", "else", "except", "finally"]},
            "guards": {"enum": ["early-return"]},
            "at-least": {"enum": ["once"]},
        },
        ("node",),
    ),
    "Every occurrence in the scope has to stand there, and there has to be one; with `at-least: once` one is enough. The "
    "condition is equal to the given one up to parentheses and white space: `a and b` is not `a`. The else branch counts "
    "only with `branch: else`, and never for the negated condition. An `if` that leaves (return, raise, continue, break) "
    "when the condition does not hold guards what follows it only with `guards: early-return`. `case:` has all labels "
    "that may lead there, those that fall through included; `with:` a context manager; `try:` an exception that is "
    "handled (`branch: except` for its handler). A name that is used elsewhere without being called, and may be called in the "
    "end, leaves it unverified.",
    tree=True,
)


@frozen
class Inside:
    node: Pattern
    kind: str
    conditions: tuple[Expression, ...]
    branch: str = "then"
    early: bool = False
    once: bool = False


def read(data: Mapping[str, Any]) -> Inside:
    given = [kind for kind in KINDS if kind in data]
    if len(given) != 1:
        has = " and ".join(f"`{kind}`" for kind in given) or "none"
        raise BadArguments(f"one of `if`, `case`, `with`, `try` says the condition; this one has {has}")
    kind = given[0]
    branch = data.get("branch", "then")
    allowed = {"if": ("then", "else"), "try": ("then", "else", "except", "finally")}.get(kind, ("then",))
    if branch not in allowed:
        raise BadArguments(f"`{kind}` has no branch `{branch}`", ("branch",))
    if "guards" in data and kind != "if":
        raise BadArguments("`guards` stands beside `if`", ("guards",))
    written = data[kind] if isinstance(data[kind], list) else [data[kind]]
    parts = [(kind, n) for n in range(len(written))] if isinstance(data[kind], list) else [(kind,)]
    conditions = tuple(Expression(text, part) for text, part in zip(written, parts, strict=True))
    return Inside(Pattern(data["node"], ("node",)), kind, conditions, branch, "guards" in data, "at-least" in data)


def check(arguments: Inside, look: Look) -> Result:
    inside: list[Hit] = []
    outside: list[Hit] = []
    nearest: str | None = None
    parts: list[Part] = []
    for part in look.parts_with(arguments.node.word):
        parts.append(part)
        if look.enough(outside):
            break
        for node in arguments.node.find(part):
            guards = list(part.dialect.guards(node))
            guarded = any(_is_meant(arguments, guard, part) for guard in guards)
            if guarded:
                inside.append(part.hit(node))
            else:
                outside.append(part.hit(node))
                nearest = nearest or _nearest(place_said(outside[0], look.several_files), guards, part)
    subject, place = quoted(arguments.node.text), _place(arguments)
    if inside and arguments.once:
        return holds(f"{subject} stands {place} in {look.name}, {lines_said(inside)}", *inside)
    also = "stands also elsewhere than" if inside else "does not stand"
    elsewhere = f"{subject} {also} {place} in {look.name}, {lines_said(outside)}" if outside else ""
    if outside and not arguments.once:
        return fails(elsewhere, *outside[:3], nearest=nearest)
    for part in parts:
        part.make_sure_it_parsed()
        if arguments.node.bare and not arguments.once:
            _make_sure_it_is_not_passed_on(arguments, part, look)
    if inside:
        return holds(f"{subject} stands only {place} in {look.name}, {lines_said(inside)}", *inside)
    return fails(elsewhere or f"{subject} is not in {look.name}", *outside[:3], nearest=nearest)


def _make_sure_it_is_not_passed_on(arguments: Inside, part: Part, look: Look) -> None:
    """Raise CannotSay where a name is used elsewhere without being called: it may be called there in the end."""
    name = arguments.node.text
    for mention, what in mentions(name, part):
        if not any(_is_meant(arguments, guard, part) for guard in part.dialect.guards(mention)):
            hit = part.hit(mention)
            where = place_said(hit, look.several_files)
            raise CannotSay(f"calls of {quoted(name)} may stand elsewhere: {what} in {where}", hits=(hit,))


def _place(arguments: Inside) -> str:
    conditions = " or ".join(quoted(one.text) for one in arguments.conditions)
    if arguments.branch == "then":
        return f"under {arguments.kind} {conditions}"
    return f"in the {arguments.branch} branch of {arguments.kind} {conditions}"


def _nearest(place: str, guards: list[Guard], part: Part) -> str:
    """Under what it stands."""
    for guard in guards:
        if not guard.early:
            written = [part.dialect.within_parentheses(condition) or condition for condition in guard.conditions]
            conditions = ", ".join(quoted(condition.text()) for condition in written) or "anything"
            branch = "under" if guard.branch == "then" else f"in the {guard.branch} branch of"
            return f"{place} stands {branch} {guard.kind} {conditions}"
    return f"{place} stands under no condition"


def _is_meant(arguments: Inside, guard: Guard, part: Part) -> bool:
    if guard.kind != arguments.kind or (guard.early and not arguments.early):
        return False
    if arguments.kind == "case":
        return all(any(_same_label(one, label, part) for one in arguments.conditions) for label in guard.conditions)
    if guard.branch == arguments.branch:
        return any(_same(one, condition, part) for one in arguments.conditions for condition in guard.conditions)
    if guard.early and arguments.branch == "then":
        return any(_denies(one, condition, part) for one in arguments.conditions for condition in guard.conditions)
    return False


def _same(wanted: Expression, there: SgNode, part: Part) -> bool:
    return wanted.is_(there, part.dialect)


def _denies(wanted: Expression, there: SgNode, part: Part) -> bool:
    """Whether one condition is the opposite of the other."""
    if not may_be(wanted.text, there):
        return False
    ours, theirs = wanted.compiled(part.dialect), shape_of(there, part.dialect)
    return (
        any(same(opposite, theirs) for opposite in denied(ours))
        or any(same(ours, opposite) for opposite in denied(theirs))
        or same(part.dialect.negated(ours), theirs)
    )


def _same_label(wanted: Expression, label: SgNode, part: Part) -> bool:
    """Labels are compared by their text: in a pattern `A.b` is a name, not the access of an attribute."""
    return "".join(wanted.text.split()) == "".join(label.text().split()) or _same(wanted, label, part)


EXAMPLES = (
    Example(
        "under an if",
        ".py",
        "def f(self):\n    if (self.log):\n        flops(1)\n",
        "inside: {node: flops, if: self.log}",
    ),
    Example(
        "in the else branch, which was asked for",
        ".cpp",
        "void f() {\n  if (fast) {\n    a();\n  } else {\n    b();\n  }\n}\n",
        "inside: {node: b, if: fast, branch: else}",
    ),
    Example(
        "after an early return, which was asked for",
        ".cpp",
        "void f() {\n  if (!log) return;\n  flops(1);\n}\n",
        "inside: {node: flops, if: log, guards: early-return}",
    ),
    Example(
        "in a case",
        ".cpp",
        "void f(int m) {\n  switch (m) {\n    case A: run(); break;\n    case B: stop();\n  }\n}\n",
        "inside: {node: run, case: A}",
    ),
    Example(
        "in a with statement",
        ".py",
        "def f(x):\n    with context(x, y):\n        run(x)\n",
        "inside: {node: run, with: 'context($$$)'}",
    ),
    Example(
        "in a try that handles it",
        ".py",
        "def f(x):\n    try:\n        run(x)\n    except (KeyError, ValueError) as e:\n        pass\n",
        "inside: {node: run, try: ValueError}",
    ),
    Example(
        "in a conditional expression",
        ".py",
        "def f(a):\n    return run() if a else None\n",
        "inside: {node: run, if: a}",
    ),
    Example(
        "the else branch does not count",
        ".py",
        "def f(self):\n    if self.log:\n        pass\n    else:\n        flops(1)\n",
        "inside: {node: flops, if: self.log}",
        Answer.FAILS,
        "`flops` does not stand under if `self.log` in f, line 5",
        "line 5 stands in the else branch of if `self.log`",
    ),
    Example(
        "the negated condition is another",
        ".cpp",
        "void f() {\n  if (!log) {\n    flops(1);\n  }\n}\n",
        "inside: {node: flops, if: log}",
        Answer.FAILS,
        "`flops` does not stand under if `log` in f, line 3",
        "line 3 stands under if `!log`",
    ),
    Example(
        "an early return does not count unasked",
        ".py",
        "def f(log):\n    if not log:\n        return\n    flops(1)\n",
        "inside: {node: flops, if: log}",
        Answer.FAILS,
        "`flops` does not stand under if `log` in f, line 4",
        "line 4 stands under no condition",
    ),
    Example(
        "and nowhere else",
        ".py",
        "def f(log):\n    if log:\n        flops(1)\n    flops(2)\n",
        "inside: {node: flops, if: log}",
        Answer.FAILS,
        "`flops` stands also elsewhere than under if `log` in f, line 4",
        "line 4 stands under no condition",
    ),
    Example(
        "a label that falls through",
        ".cpp",
        "void f(int m) {\n  switch (m) {\n    case A: a();\n    case B: run(); break;\n  }\n}\n",
        "inside: {node: run, case: B}",
        Answer.FAILS,
        "`run` does not stand under case `B` in f, line 4",
        "line 4 stands under case `B`, `A`",
    ),
)
