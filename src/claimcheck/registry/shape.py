"""A file's nodes against the JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable

from claimcheck.finding import Finding
from claimcheck.registry import wording
from claimcheck.registry.conversion import Converter
from claimcheck.registry.explaining import Explainer
from claimcheck.registry.schema import fits, name_rule, part_at, validator
from claimcheck.registry.shaped import Shaped, key_of
from claimcheck.registry.wording import Written
from claimcheck.registry.yaml_nodes import MapNode, Path, Tree
from claimcheck.registry.yaml_parse import Parsed
from claimcheck.registry.yaml_text import YamlText


def shape(text: YamlText, parsed: Parsed, definition: str, findings: list[Finding]) -> Shaped:
    """The file's data, checked against one definition of the schema; errors join `findings`."""
    root = parsed.root or MapNode((), 0, 0, False)
    shaped = Shaped(text, Tree(root), None, findings)
    shaped.data = Converter(shaped, parsed.refused).convert(root, ())
    errors = list(validator(definition).iter_errors(shaped.data))
    if errors:
        Explainer(shaped).explain(errors)
    if isinstance(shaped.data, dict):
        _check_names(shaped, definition)
    return shaped


def _check_names(shaped: Shaped, definition: str) -> None:
    """Report keys that are no ID or name of their kind."""
    for section, schema in part_at(("$defs", definition))["properties"].items():
        rule = name_rule(schema)
        if rule is not None:
            _check_keys(shaped, (section,), rule)
    rule = name_rule(part_at(("$defs", "releases"))["properties"]["versions"])
    vendors = shaped.data.get("vendors")
    for vendor in vendors if isinstance(vendors, dict) else ():
        _check_keys(shaped, ("vendors", vendor, "releases", "versions"), str(rule))


def _check_keys(shaped: Shaped, path: Path, rule: str) -> None:
    for key in _keys_at(shaped.data, path):
        if not fits(rule, key) and (*path, key) not in shaped.broken:
            shaped.report((*path, key), wording.WORDINGS[rule](Written(key_of(path), key)), on_key=True)


def _keys_at(data: object, path: Path) -> Iterable[str]:
    for part in path:
        data = data.get(part) if isinstance(data, dict) else None
    return list(data) if isinstance(data, dict) else []
