"""What a constant, a default, an enumerator, a field, a macro or an environment variable's default is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from claimcheck.checks.code import Code, Part
from claimcheck.checks.dialects import Definition, Kind
from claimcheck.checks.form import LINE, BadArguments, Example, FormInfo, fails, holds, mapping
from claimcheck.checks.literal import Literal, Names, NotLiteral, converted, literal, same_value
from claimcheck.checks.looking import Look, symbol_name
from claimcheck.checks.pattern import BadPattern, shape
from claimcheck.checks.result import Answer, CannotSay, Refuted, Result
from claimcheck.checks.saying import KINDS, near_names, quoted
from claimcheck.checks.shape import Shape, shape_of
from claimcheck.phrases import listed
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode

LITERAL = {
    "type": ["string", "number", "boolean", "null", "array"],
    "items": {"type": ["string", "number", "boolean", "null"]},
}
CHOICES = ("parameter", "field", "constant", "member", "macro", "variable")

INFO = FormInfo(
    "value",
    "A constant, default, enumerator, field, macro or environment variable has a value.",
    mapping({"of": LINE, "env": LINE, "is": LITERAL, "as": {"enum": list(CHOICES)}}, ("is",)),
    "Numbers compare as numbers, however they are written: `0.9f` is 0.9, `1 << 20` is 1048576, `0x10` is 16. Text is "
    'compared with what a string says; text that is a number, such as `"1e-5"`, also with numbers. `null` is None or '
    "nullptr. A name that stands for another constant of the file is followed. `of:` may begin with a class or a "
    "function, `Mode.FULL`; `as:` says which kind of thing is meant where several have the name. `env:` is the default "
    "that a variable of the environment has where it is read.",
    tree=False,
)


@frozen
class Value:
    name: str
    wanted: Literal
    kind: Kind | None = None
    environment: bool = False


def read(data: Mapping[str, Any]) -> Value:
    if ("of" in data) == ("env" in data):
        raise BadArguments("whose value? one of `of` and `env` is needed")
    if "env" in data and "as" in data:
        raise BadArguments("`as` stands beside `of`, not beside `env`", ("as",))
    wanted = tuple(data["is"]) if isinstance(data["is"], list) else data["is"]
    kind = Kind(data["as"]) if "as" in data else None
    return Value(data.get("of") or data["env"], wanted, kind, "env" in data)


@frozen
class _Found:
    """A thing of that name: where, and what it is worth (`known` is false where that is computed)."""

    part: Part
    definition: Definition
    value: Literal = None
    known: bool = True


def check(arguments: Value, look: Look) -> Result:
    found = list(_defaults(arguments, look) if arguments.environment else _values(arguments, look))
    subject = quoted(arguments.name)
    if not found:
        for part in look.parts:
            part.make_sure_it_parsed()
        return _not_there(arguments, look)
    unknown = [one for one in found if not one.known]
    if unknown:
        one = unknown[0]
        there = one.definition.value.text() if one.definition.value is not None else one.definition.text or ""
        raise CannotSay(f"{subject} is {quoted(there)}, which is computed", hits=(one.part.hit(one.definition.node),))
    hits = tuple(one.part.hit(one.definition.node) for one in found)
    if all(_is(arguments.wanted, one) for one in found):
        return holds(f"{subject} is {_said(arguments.wanted)}", *hits)
    values = list(dict.fromkeys(_said(one.value) for one in found))
    several = "; `as:` or `symbol:` chooses among several" if len(values) > 1 else ""
    return fails(f"{subject} is {listed(values)}, expected {_said(arguments.wanted)}{several}", *hits)


def _not_there(arguments: Value, look: Look) -> Result:
    name = arguments.name
    if arguments.environment:
        return fails(f"no default of the environment variable {name} in {look.name}")
    last = name.split(".")[-1].split("::")[-1]
    bare = [(part, one) for part in look.parts for one in part.definitions if one.name == last]
    if bare:
        part, one = bare[0]
        return fails(f"{quoted(name)} is {KINDS[one.kind]} without a value", part.hit(one.node))
    near = near_names(last, (one for part in look.parts for one in part.definitions))
    nearest = f"{KINDS[near[0].kind]} `{near[0].name}`, line {near[0].node.range().start.line + 1}" if near else None
    return fails(f"{quoted(name)} has no value in {look.name}", nearest=nearest)


def _is(wanted: Literal, found: _Found) -> bool:
    if isinstance(wanted, str) and isinstance(found.value, int | float) and not isinstance(found.value, bool):
        try:
            return same_value(literal(shape(wanted, found.part.dialect)), found.value)
        except (BadPattern, NotLiteral):
            return False
    return same_value(wanted, found.value)


def _said(value: Literal) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _values(arguments: Value, look: Look) -> Iterator[_Found]:
    """The definitions of the name that have a value, without those that only hand a parameter on."""
    found: list[tuple[Part, Definition]] = []
    for part in look.parts:
        owner, name = _split(arguments.name, part)
        for inner in _owned(part, owner):
            if not inner.mentions(name):
                continue
            found += [
                (inner, one)
                for one in inner.definitions
                if one.name == name and arguments.kind in (None, one.kind) and _has_value(one)
            ]
    own = [(part, one) for part, one in found if one.value is None or one.value.text() != one.name]
    for part, one in own or found:
        try:
            yield _Found(part, one, _value_of(part, one))
        except NotLiteral:
            yield _Found(part, one, known=False)


def _split(name: str, part: Part) -> tuple[str, str]:
    for separator in (part.dialect.separator, "."):
        owner, found, last = name.rpartition(separator)
        if found:
            return owner, last
    return "", name


def _owned(part: Part, owner: str) -> Iterator[Part]:
    """The definitions of a file that the first components of a name name."""
    if not owner:
        yield part
        return
    named = part.parsed.outline.named(owner)
    if not named:
        raise Refuted(f"`{owner}` is not defined in {part.path}")
    for symbol in named:
        yield replace(part, lines=symbol.lines, name=symbol_name(symbol))


def _has_value(one: Definition) -> bool:
    return (
        one.value is not None or one.text is not None or (one.kind is Kind.MEMBER and one.node.kind() == "enumerator")
    )


def _value_of(part: Part, one: Definition) -> Literal:
    code = part.parsed
    names = _constants(code)
    if one.text is not None:
        try:
            return literal(shape(one.text, code.dialect), names, whole_division=True)
        except BadPattern:
            raise NotLiteral from None
    if one.kind is Kind.MEMBER and one.value is None:
        before = 0 if one.previous is None else literal(shape_of(one.previous, code.dialect), names)
        if not isinstance(before, int):
            raise NotLiteral
        return before + one.position
    assert one.value is not None
    if one.position:
        return one.position
    return literal(shape_of(one.value, code.dialect), names, whole_division=code.dialect.name != "python")


def _constants(code: Code) -> Names:
    """What the names of a file's own constants stand for; of a name that is also something else nothing is known."""

    def named(name: str) -> Shape | None:
        found = code.names.get(name, ())
        if len(found) != 1 or found[0].kind not in (Kind.CONSTANT, Kind.MEMBER, Kind.MACRO):
            return None
        if found[0].text is not None:
            try:
                return shape(found[0].text, code.dialect)
            except BadPattern:
                return None
        return shape_of(found[0].value, code.dialect) if found[0].value is not None else None

    return named


def _defaults(arguments: Value, look: Look) -> Iterator[_Found]:
    """What the environment variable is where it is read and not set."""
    for part in look.parts:
        for node in part.of_kinds(part.dialect.calls) if part.mentions(arguments.name) else ():
            given = part.dialect.arguments(node)
            if not given or shape_of(given[0], part.dialect) != Shape("string", arguments.name):
                continue
            callee = part.dialect.callee(node)
            if callee is None or not any(word in callee.text().lower() for word in ("env", "flag")):
                continue
            definition = Definition(arguments.name, Kind.VARIABLE, node, node)
            try:
                yield _Found(part, definition, _converted(node, part, _default(given, part)))
            except NotLiteral:
                yield _Found(part, definition, known=False)


def _default(given: list[SgNode], part: Part) -> Literal:
    for argument in given[1:]:
        if argument.kind() == "keyword_argument":
            named, value = argument.field("name"), argument.field("value")
            if named is not None and named.text() == "default" and value is not None:
                return literal(shape_of(value, part.dialect), _constants(part.parsed))
        else:
            return literal(shape_of(argument, part.dialect), _constants(part.parsed))
    return None


def _converted(call: SgNode, part: Part, value: Literal) -> Literal:
    """The value after the conversions around the place where it is read, as in `bool(int(os.getenv(…)))`."""
    for around in call.ancestors():
        if around.kind() == "argument_list":
            if len(around.named_children()) != 1:
                return value
        elif around.kind() in part.dialect.calls:
            callee = part.dialect.callee(around)
            if callee is None or callee.text() not in ("int", "float", "bool", "str"):
                return value
            value = converted(callee.text(), value) if value is not None else value
        elif around.kind() != "parenthesized_expression":
            return value
    return value


EXAMPLES = (
    Example("a field of a dataclass", ".py", "class Config:\n    ratio: float = 0.9\n", "value: {of: ratio, is: 0.9}"),
    Example("a parameter's default", ".py", "def f(a, n=1 << 20):\n    pass\n", "value: {of: n, is: 1048576}"),
    Example("through another constant", ".py", "BASE = 1_000\nLIMIT = 2 * BASE\n", "value: {of: LIMIT, is: 2000}"),
    Example(
        "an enumerator",
        ".py",
        "import enum\n\nclass Mode(enum.Enum):\n    NONE = 0\n    FULL = 2\n",
        "value: {of: Mode.FULL, is: 2}",
    ),
    Example(
        "a variable of the environment",
        ".py",
        'import os\n\nLOG = bool(int(os.getenv("APP_LOG", "0")))\n',
        "value: {env: APP_LOG, is: false}",
    ),
    Example("nothing", ".py", "def f(block=None):\n    pass\n", "value: {of: block, is: null, as: parameter}"),
    Example(
        "a member of a class", ".cpp", "class Pool {\n  float ratio_ = 0.9f;\n};\n", "value: {of: ratio_, is: 0.9}"
    ),
    Example("a constructor's initialiser", ".cpp", "Pool::Pool() : size_{0x10} {}\n", "value: {of: size_, is: 16}"),
    Example("a macro", ".cpp", "#define LIMIT (1 << 20)\n", "value: {of: LIMIT, is: 1048576}"),
    Example(
        "an enumerator that counts on",
        ".cpp",
        "enum class Mode { kNone = 3, kFull };\n",
        "value: {of: Mode::kFull, is: 4}",
    ),
    Example(
        "another number",
        ".py",
        "class Config:\n    ratio: float = 0.8\n",
        "value: {of: ratio, is: 0.9}",
        Answer.FAILS,
        "`ratio` is 0.8, expected 0.9",
    ),
    Example(
        "no such name",
        ".cpp",
        "constexpr int kBlockSize = 16;\n",
        "value: {of: kBlockSizes, is: 16}",
        Answer.FAILS,
        "`kBlockSizes` has no value in line 1",
        "a constant `kBlockSize`, line 1",
    ),
    Example(
        "a comment is no value",
        ".py",
        "class Config:\n    # ratio = 0.9\n    ratio: float\n",
        "value: {of: ratio, is: 0.9}",
        Answer.FAILS,
        "`ratio` is a field without a value",
    ),
    Example(
        "a text is no number",
        ".py",
        'SIZE = "16"\n',
        "value: {of: SIZE, is: 16}",
        Answer.FAILS,
        '`SIZE` is "16", expected 16',
    ),
    Example(
        "what is computed is not guessed",
        ".py",
        "SIZE = compute()\n",
        "value: {of: SIZE, is: 16}",
        Answer.UNVERIFIED,
        "`SIZE` is `compute()`, which is computed",
    ),
)
