"""The JSON Schema of the registry's files, and the validator for each kind of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator


@cache
def schema() -> str:
    """The JSON Schema of the registry's files, as `claimcheck schema` prints it."""
    return Path(__file__).with_name("schema.json").read_text(encoding="utf-8")


@cache
def _definitions() -> dict[str, Any]:
    return cast(dict[str, Any], json.loads(schema()))


@cache
def validator(definition: str) -> Draft202012Validator:
    """A validator for one definition of the schema, without its names."""
    from jsonschema_rs import Draft202012Validator

    definitions = _without_names(_definitions()["$defs"])
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": definitions}, offline=True)


def _without_names(schema: Any) -> Any:
    """A schema without `propertyNames`: the validator copies the whole mapping into each such error.

    Thousands of bad IDs would take minutes and all memory, so names are looked at with `fits`, by the same schema.
    """
    if isinstance(schema, dict):
        return {key: _without_names(below) for key, below in schema.items() if key != "propertyNames"}
    return [_without_names(item) for item in schema] if isinstance(schema, list) else schema


def part_at(schema_path: Iterable[str | int]) -> Mapping[str, Any]:
    """The part of the schema that a path leads to."""
    here: Any = _definitions()
    for part in schema_path:
        here = here[part]
    return cast(Mapping[str, Any], here)


def name_rule(schema: Mapping[str, Any]) -> str | None:
    """The definition that a mapping's keys must fit, if there is one."""
    if "$ref" in schema:
        schema = part_at(("$defs", schema["$ref"].rpartition("/")[2]))
    names = schema.get("propertyNames")
    return str(names["$ref"].rpartition("/")[2]) if names else None


class _Shape(NamedTuple):
    """What the schema says of a text: the pattern that it has, one that it must not have, and a length."""

    wanted: re.Pattern[str]
    refused: re.Pattern[str] | None
    longest: int | None


@cache
def _shape(definition: str) -> _Shape:
    schema = part_at(("$defs", definition))
    refused = re.compile(schema["not"]["pattern"]) if "not" in schema else None
    return _Shape(re.compile(schema["pattern"]), refused, schema.get("maxLength"))


def fits(definition: str, text: str) -> bool:
    """Whether a text fits a definition of the schema, such as `anchor-id`, `prefix`, `vendor-name` or `version`."""
    shape = _shape(definition)
    # `$` is the end in JSON Schema; in Python a line end may follow.
    if (shape.longest is not None and len(text) > shape.longest) or text.endswith("\n"):
        return False
    return bool(shape.wanted.search(text)) and not (shape.refused and shape.refused.search(text))


def definition_name(schema_path: Iterable[str | int]) -> str:
    """The innermost named definition that an error arose in."""
    parts = list(schema_path)
    names = [parts[n + 1] for n, part in enumerate(parts[:-1]) if part in ("$defs", "$ref")]
    return str(names[-1]) if names else ""
