"""Any ast-grep rule, with what is expected of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from claimcheck.checks.code import Part, finds, parsed
from claimcheck.checks.dialects import Dialect
from claimcheck.checks.dialects.values import below
from claimcheck.checks.form import CODE, BadArguments, Example, FormInfo, fails, holds, mapping
from claimcheck.checks.literal import Literal, NotLiteral, literal, same_value
from claimcheck.checks.looking import Look
from claimcheck.checks.pattern import BadPattern, Pattern, Piece
from claimcheck.checks.result import Answer, CannotSay, Hit, Result
from claimcheck.checks.saying import MOST_HITS, lines_said, quoted
from claimcheck.checks.shape import SIGIL, shape_of
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode

RULE = {"$ref": "#/$defs/ast-grep-rule"}
RULES = {"type": "object", "additionalProperties": RULE}
LITERAL = {"type": ["string", "number", "boolean", "null"]}

INFO = FormInfo(
    "rule",
    "An ast-grep rule matches, does not, or does so often.",
    mapping(
        {
            "rule": RULE,
            "constraints": RULES,
            "utils": RULES,
            "expect": {"type": ["string", "integer"], "$ref": "#/$defs/expectation"},
            "where": {"type": "object", "additionalProperties": LITERAL, "minProperties": 1},
            "control": CODE,
        },
        ("rule",),
    ),
    "The rule is ast-grep's own, as its documentation has it. `expect:` is `present` (the default), `absent` or a number. "
    "`where:` gives values that metavariables have in every match. A rule that expects nothing needs a `control:`, code that "
    "it matches; otherwise nothing shows that it can match anything, and the check is unverified.",
    tree=True,
)


@frozen
class RuleText(Piece):
    """A rule as ast-grep takes it, written as JSON so that it can be compared and kept."""

    text: str
    part: tuple[str | int, ...] = ()

    @property
    def config(self) -> dict[str, Any]:
        config: dict[str, Any] = json.loads(self.text)
        return config

    def compiled(self, dialect: Dialect) -> dict[str, Any]:
        """The rule; raises BadPattern for what ast-grep cannot compile, or what would match nothing without a word."""
        return _compiled(self.text, dialect)


@lru_cache(maxsize=256)
def _compiled(text: str, dialect: Dialect) -> dict[str, Any]:
    config: dict[str, Any] = json.loads(text)
    for pattern in _patterns(config):
        if isinstance(pattern, str):
            Pattern(pattern).compiled(dialect)
            continue
        written = pattern["context"].replace("$", SIGIL)
        if any(node.kind() == "ERROR" for node in below(parsed(written, dialect.name))):
            raise BadPattern(f"{quoted(pattern['context'])} is no complete {dialect.title}")
    try:
        finds(parsed("", dialect.name), config)
    except (RuntimeError, TypeError, ValueError) as error:
        raise BadPattern(f"ast-grep cannot compile the rule: {_reason(str(error))}") from None
    return config


def _patterns(config: object) -> Iterator[str | dict[str, Any]]:
    waiting: list[object] = [config]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if isinstance(one.get("pattern"), str | dict):
                yield one["pattern"]
            waiting += [value for key, value in one.items() if key != "pattern"]
        elif isinstance(one, list):
            waiting += one


def _reason(message: str) -> str:
    """The innermost cause, on one line; with RUST_BACKTRACE a trace follows."""
    causes = message.partition("\n\nStack")[0].split("\n")
    last = next((line for line in reversed(causes) if line.strip()), message)
    return last.strip().lstrip("0123456789: ")


@frozen
class RuleCheck:
    rule: RuleText
    expected: str | int = "present"
    where: tuple[tuple[str, Literal], ...] = ()
    control: str | None = None

    @property
    def nothing(self) -> bool:
        return self.expected in ("absent", 0)


def read(data: Mapping[str, Any]) -> RuleCheck:
    config = {key: data[key] for key in ("rule", "constraints", "utils") if key in data}
    if not data["rule"]:
        raise BadArguments("the rule says nothing", ("rule",))
    expected = data.get("expect", "present")
    if "where" in data and expected in ("absent", 0):
        raise BadArguments("`where` is about matches, and none is expected", ("where",))
    where = tuple((str(key), value) for key, value in data.get("where", {}).items())
    return RuleCheck(RuleText(json.dumps(config), ("rule",)), expected, where, data.get("control"))


def check(arguments: RuleCheck, look: Look) -> Result:
    hits: list[Hit] = []
    for part in look.parts_with(None):
        found = part.matches(arguments.rule.compiled(part.dialect))
        if not found or arguments.expected != "present":
            part.make_sure_it_parsed()
        if arguments.nothing:
            _make_sure_it_can_match(arguments, part.dialect)
        for node in found:
            hits.append(part.hit(node))
            wrong = _wrong(arguments, node, part)
            if wrong:
                return fails(f"{wrong} in {look.name}, line {hits[-1].line}", hits[-1])
    number = "nothing" if not hits else "once" if len(hits) == 1 else f"{len(hits)} times"
    where = f", {lines_said(hits)}" if hits else ""
    message = f"the rule matches {number} in {look.name}{where}"
    as_expected = (
        bool(hits) if arguments.expected == "present" else len(hits) == (0 if arguments.nothing else arguments.expected)
    )
    if as_expected:
        return holds(message, *hits[:MOST_HITS])
    return fails(f"{message}, expected {arguments.expected}", *hits[:MOST_HITS])


def _make_sure_it_can_match(arguments: RuleCheck, dialect: Dialect) -> None:
    if arguments.control is None:
        raise CannotSay("a rule that expects nothing needs a `control:`, code that it matches")
    config = arguments.rule.compiled(dialect)
    for before, after in dialect.contexts[::-1]:
        root = parsed(f"{before}{arguments.control}{after}", dialect.name)
        if finds(root, config):
            return
    raise CannotSay(f"the rule does not match its control {quoted(arguments.control)}")


def _wrong(arguments: RuleCheck, node: SgNode, part: Part) -> str | None:
    """What a match says of a metavariable's value that is not as expected."""
    for name, wanted in arguments.where:
        bound = node.get_match(name)
        if bound is None:
            raise CannotSay(f"the rule binds no ${name}")
        try:
            there = literal(shape_of(bound, part.dialect))
        except NotLiteral:
            if bound.text() != wanted:
                raise CannotSay(f"${name} is {quoted(bound.text())}, which is computed") from None
            continue
        if not same_value(wanted, there):
            return f"${name} is {quoted(bound.text())}, expected {quoted(str(wanted))}"
    return None


EXAMPLES = (
    Example(
        "it matches",
        ".py",
        "def f():\n    with a:\n        g(1)\n",
        "rule: {rule: {pattern: g($A), inside: {kind: with_statement, stopBy: end}}}",
    ),
    Example(
        "the value of a metavariable",
        ".cpp",
        "void f() {\n  g(0.9f);\n}\n",
        "rule: {rule: {pattern: g($A)}, where: {A: 0.9}}",
    ),
    Example(
        "nothing, and it could",
        ".py",
        "def f():\n    return 1\n",
        "rule: {rule: {pattern: g($A)}, expect: absent, control: g(1)}",
    ),
    Example("so often", ".cpp", "void f() {\n  g(1); g(2);\n}\n", "rule: {rule: {pattern: g($A)}, expect: 2}"),
    Example(
        "it does not match",
        ".py",
        "def f():\n    # g(1)\n    return 1\n",
        "rule: {rule: {pattern: g($A)}}",
        Answer.FAILS,
        "the rule matches nothing in f, expected present",
    ),
    Example(
        "another value",
        ".cpp",
        "void f() {\n  g(0.8f);\n}\n",
        "rule: {rule: {pattern: g($A)}, where: {A: 0.9}}",
        Answer.FAILS,
        "$A is `0.8f`, expected `0.9` in f, line 2",
    ),
    Example(
        "nothing shows that it can match",
        ".py",
        "def f():\n    return 1\n",
        "rule: {rule: {pattern: g($A)}, expect: absent}",
        Answer.UNVERIFIED,
        "a rule that expects nothing needs a `control:`, code that it matches",
    ),
    Example(
        "the control does not match",
        ".py",
        "def f():\n    return 1\n",
        "rule: {rule: {pattern: g($A)}, expect: absent, control: h(1)}",
        Answer.UNVERIFIED,
        "the rule does not match its control `h(1)`",
    ),
)
