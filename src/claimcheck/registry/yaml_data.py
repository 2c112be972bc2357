"""What a YAML text says, in a form that two texts can be compared in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimcheck.registry.yaml_nodes import ListNode, MapNode, Node, canonical_value, is_canonical, resolved

# Values of these keys may be one text or a list; one text and a list of one mean the same.
LIST_KEYS = frozenset({"lines", "find", "cites", "prefix", "assumptions", "include", "exclude"})
# Stands for the key of a range in a list: it is compared as it is written, digits alone or not.
ONE_RANGE = "range"


def data_of(node: Node, key: str) -> Any:
    """Plain data in which one text and a list of one are the same where both are allowed."""
    if isinstance(node, MapNode):
        return {name.value: data_of(value, name.value) for name, value in node.entries}
    if isinstance(node, ListNode):
        return [data_of(item, ONE_RANGE if key == "lines" else "") for item in node.items]
    kind = resolved(node)
    if key in ("lines", ONE_RANGE) or kind == "str":
        value: Any = node.value
    else:
        value = canonical_value(node, kind) if is_canonical(node, kind) else (kind, node.value)
    return [value] if key in LIST_KEYS else value


def normal(value: Any, key: str | int) -> Any:
    """A value in the form that `data_of` gives it."""
    if isinstance(value, Mapping):
        return {name: normal(below, name) for name, below in value.items()}
    if isinstance(value, (list, tuple)):
        items = [normal(item, "") for item in value]
        return [str(item) for item in items] if key == "lines" else items
    if key == "lines":
        value = str(value)
    return [value] if key in LIST_KEYS else value


def same(one: Any, other: Any) -> bool:
    """Equality that minds the order of keys and tells true from 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    empty = one in (None, {}) and other in (None, {})
    return empty or (type(one) is type(other) and bool(one == other))
