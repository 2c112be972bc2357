"""Something of a name is defined; in files without a grammar, a text stands there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from claimcheck.checks.code import Part
from claimcheck.checks.dialects import Definition, Kind
from claimcheck.checks.form import FLAG, LINE, WORDS, BadArguments, Example, FormInfo, Strength, fails, holds, mapping
from claimcheck.checks.looking import Look
from claimcheck.checks.result import Answer, CannotSay, Hit, Result
from claimcheck.checks.saying import KINDS, lines_said, near_names, quoted
from claimcheck.checks.texts import found_in
from claimcheck.model import Lines
from claimcheck.values import frozen

CHOICES = ("function", "class", "parameter", "field", "constant", "member", "macro", "variable")

INFO = FormInfo(
    "exists",
    "Something of a name is defined: a function, a class, a parameter, a field, a constant, a variable, a macro.",
    mapping({"name": LINE, "text": LINE, "as": {"enum": list(CHOICES)}, "absent": FLAG}, or_="string", also=WORDS),
    "`as:` narrows it; an attribute is a field, an enumerator a member. With `absent: true` nothing of the name may be "
    "defined, and all of the scope has to have parsed. `text:` is for files without a grammar, such as Markdown: white "
    "space counts as one blank. That something exists says little of what the code does: a claim about code that rests on "
    "nothing else is reported by the rule `weak-check`.",
    Strength.EXISTENCE,
    needs_code=False,
)


@frozen
class Exists:
    name: str
    kind: Kind | None = None
    absent: bool = False
    text: bool = False

    @property
    def strength(self) -> Strength:
        return Strength.TESTS if self.absent else Strength.EXISTENCE


def read(data: Any) -> Exists:
    if isinstance(data, str):
        return Exists(data)
    if ("name" in data) == ("text" in data):
        raise BadArguments("one of `name` and `text` is needed")
    if "text" in data and "as" in data:
        raise BadArguments("`as` stands beside `name`", ("as",))
    kind = Kind(data["as"]) if "as" in data else None
    return Exists(data.get("name") or data["text"], kind, "absent" in data, "text" in data)


def check(arguments: Exists, look: Look) -> Result:
    if arguments.text:
        return _text(arguments, look)
    found = [(part, one) for part in look.parts for one in _defined(arguments, part)]
    hits = [part.hit(one.node) for part, one in found]
    subject = quoted(arguments.name)
    if found and not arguments.absent:
        kind = KINDS[found[0][1].kind]
        return holds(f"{subject} is {kind} in {look.name}, {lines_said(hits)}", *hits)
    if found:
        return fails(f"{subject} is {KINDS[found[0][1].kind]} in {look.name}, {lines_said(hits)}", *hits[:3])
    for part in look.parts:
        part.make_sure_it_parsed()
    if arguments.absent:
        _make_sure_no_macro_has_it(arguments, look)
        return holds(f"nothing in {look.name} is called {subject}")
    near, hit = _near(arguments, look)
    what = f"no {arguments.kind.value} {subject}" if arguments.kind else f"{subject} not found"
    return fails(f"{what} in {look.name}", *hit, nearest=near)


def _defined(arguments: Exists, part: Part) -> Iterator[Definition]:
    """What has the name, each place once; an import only names what is defined elsewhere."""
    seen: set[int] = set()
    for one in part.definitions:
        start = one.node.range().start.index
        meant = one.kind is not Kind.IMPORT and arguments.kind in (None, one.kind)
        if meant and one.name == arguments.name and start not in seen:
            seen.add(start)
            yield one


def _make_sure_no_macro_has_it(arguments: Exists, look: Look) -> None:
    for part in look.parts:
        for macro in part.opaque():
            if arguments.name in macro.text():
                raise CannotSay(
                    f"{quoted(arguments.name)} stands in a macro, which is not read", hits=(part.hit(macro),)
                )


def _near(arguments: Exists, look: Look) -> tuple[str | None, tuple[Hit, ...]]:
    """What has a similar name, and what has this name as something else."""
    for part in look.parts:
        other = next((one for one in part.definitions if one.name == arguments.name), None)
        near = [other] if other else near_names(arguments.name, part.definitions)
        if near:
            hit = part.hit(near[0].node)
            around = part.parsed.outline.innermost(Lines(hit.line, hit.line))
            where = f" in {around.name}" if around else ""
            if near[0].kind is Kind.VARIABLE and not other and not arguments.kind:
                return f"{_local(near[0])}{where}; no parameter or attribute has the name", (hit,)
            return f"{KINDS[near[0].kind]} `{near[0].name}`{where}", (hit,)
    return None, ()


def _local(definition: Definition) -> str:
    value = definition.value.kind() if definition.value is not None else ""
    return f"a local {'list' if value == 'list' else 'dictionary' if value == 'dictionary' else 'variable'}"


def _text(arguments: Exists, look: Look) -> Result:
    hits: list[Hit] = []
    for part in look.parts:
        if part.code is not None:
            raise CannotSay(f"{part.path} is {part.dialect.title}, in which comments and strings are no code")
        hits += [part.hit(line) for line in found_in(part, arguments.name)]
    subject = quoted(arguments.name)
    if hits:
        said = f"{subject} stands in {look.name}, {lines_said(hits)}"
        return fails(said, *hits[:3]) if arguments.absent else holds(said, *hits)
    message = f"{subject} does not stand in {look.name}"
    return holds(message) if arguments.absent else fails(message)


EXAMPLES = (
    Example("a function", ".py", "class Pool:\n    def touch(self):\n        pass\n", "{exists: touch, symbol: Pool}"),
    Example("a field", ".cpp", "struct Pool {\n  int free_;\n};\n", "exists: {name: free_, as: field}"),
    Example(
        "nothing of that name",
        ".py",
        "class Pool:\n    # evict_first\n    pass\n",
        "{exists: {name: evict_first, absent: true}, symbol: Pool}",
    ),
    Example(
        "a text",
        ".md",
        "# Sampling\n\nIt is deterministic\nwith a seed.\n",
        "exists: {text: deterministic with a seed}",
    ),
    Example(
        "something of a similar name",
        ".py",
        "class Pool:\n    def free(self):\n        blocks_to_evict_first = []\n",
        "{exists: {name: evict_first}, symbol: Pool}",
        Answer.FAILS,
        "`evict_first` not found in class Pool",
        "a local list in Pool.free; no parameter or attribute has the name",
    ),
    Example(
        "something else of that name",
        ".cpp",
        "void f() {\n  int first = 0;\n}\n",
        "exists: {name: first, as: parameter}",
        Answer.FAILS,
        "no parameter `first` in f",
        "a variable `first` in f",
    ),
    Example(
        "it is there after all",
        ".py",
        "def f(evict_first=False):\n    pass\n",
        "exists: {name: evict_first, absent: true}",
        Answer.FAILS,
        "`evict_first` is a parameter in f, line 1",
    ),
)
