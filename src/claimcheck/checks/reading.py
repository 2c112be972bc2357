"""A check as plain data to a value, and what is wrong with it that no schema can say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from claimcheck.checks import form
from claimcheck.checks.dialects import dialect_of
from claimcheck.checks.form import Bad, BadArguments, Strength, bad_pieces
from claimcheck.checks.forms import FORMS
from claimcheck.model import Check

PLACE_KEYS = ("in", "scope", "symbol", "path")
TREE_FORMS = tuple(name for name, each in FORMS.items() if each.INFO.tree)


def strength_of(check: Check) -> Strength:
    """What a check that holds says of the code."""
    return form.strength_of(FORMS[check.form], check.arguments)


def form_of(data: Mapping[str, Any]) -> list[str]:
    """The keys of a check that are forms: one, in a sound check. `path` alone is a form, beside one it is a place."""
    forms = [key for key in data if key not in PLACE_KEYS]
    return forms or [key for key in data if key == "path"]


def read_check(data: Mapping[str, Any], part: tuple[str | int, ...] = ()) -> Check:
    """A check as a value; raises BadArguments, with its part of the data, for what makes no sense."""
    forms = form_of(data)
    if len(forms) != 1:
        has = f"this one has {' and '.join(forms)}" if forms else "this one has none"
        raise BadArguments(f"a check has one form; {has}", part)
    name = forms[0]
    written = data[name]
    anchor = data.get("in")
    if isinstance(written, dict) and "in" in written:
        if anchor is not None:
            raise BadArguments("`in` stands twice", (*part, "in"))
        anchor = written["in"]
    try:
        arguments = FORMS[name].read(written)
    except BadArguments as problem:
        raise BadArguments(problem.message, (*part, name, *problem.part)) from None
    path = data.get("path") if name != "path" else None
    check = Check(name, arguments, data.get("scope"), data.get("symbol"), path, anchor)
    _make_sure_of_the_place(check, part)
    return check


def _make_sure_of_the_place(check: Check, part: tuple[str | int, ...]) -> None:
    if check.scope == "tree":
        if check.symbol:
            raise BadArguments("`symbol` is one definition, `scope: tree` every file", (*part, "symbol"))
        if check.form not in TREE_FORMS:
            forms = ", ".join(TREE_FORMS)
            raise BadArguments(
                f"`{check.form}` looks into files that are named; into a tree look {forms}", (*part, "scope")
            )
    elif check.scope and check.symbol:
        raise BadArguments("`scope` beside `symbol`, which is the scope", (*part, "scope"))
    elif check.scope in ("region", "symbol") and check.path:
        raise BadArguments("`path` is another file; the cited regions are not in it", (*part, "scope"))
    elif check.path and any(character in check.path for character in "*?["):
        raise BadArguments("a pattern of paths needs `scope: tree`", (*part, "path"))


def bad(check: Check, path: str) -> Iterator[Bad]:
    """What is wrong with a check of a file of this name: code that does not parse, or no code at all."""
    info = FORMS[check.form].INFO
    dialect = dialect_of(path)
    for each in fields(check.arguments) if is_dataclass(check.arguments) else ():
        inner = getattr(check.arguments, each.name)
        if isinstance(inner, Check):
            yield from (replace(one, part=(check.form, each.name, *one.part)) for one in bad(inner, inner.path or path))
    if dialect is not None:
        for one in bad_pieces(check.arguments, dialect):
            yield Bad((check.form, *one.part), one.message, one.help)
    elif info.needs_code:
        yield Bad((check.form,), f"`{check.form}` needs Python or C++; {path} is neither")
    elif any(True for _ in bad_pieces(check.arguments, _python())):
        yield Bad((check.form,), f"{path} has no grammar, so only `text` can be looked for in it")


def _python() -> Any:
    from claimcheck.checks.dialects import python

    return python
