"""A YAML document's nodes with their positions, and what YAML readers make of a plain scalar."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

import yaml

from claimcheck.terminal import shown


class Scalar(NamedTuple):
    """A single value. `plain` is one that stands without quotes and so may be taken for something else."""

    value: str
    start: int
    end: int
    plain: bool


class ListNode(NamedTuple):
    items: tuple[Node, ...]
    start: int
    end: int
    flow: bool


class MapNode(NamedTuple):
    entries: tuple[tuple[Scalar, Node], ...]
    start: int
    end: int
    flow: bool


Node: TypeAlias = Scalar | ListNode | MapNode
Path: TypeAlias = tuple[str | int, ...]


# What YAML 1.1 makes of plain text, from the parser's own table: first character to (tag, pattern).
_RESOLVERS: Mapping[str, list[tuple[str, re.Pattern[str]]]] = yaml.SafeLoader.yaml_implicit_resolvers
_CANONICAL = {
    "int": re.compile(r"-?(?:0|[1-9][0-9]*)\Z"),
    "float": re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+][0-9]+)?\Z"),
    "bool": re.compile(r"(?:true|false)\Z"),
    "null": re.compile(r"(?:null|~|)\Z"),
}
_LONGEST_NUMBER = 400


def resolved(node: Scalar) -> str:
    """What a YAML reader takes a scalar for: `str`, `int`, `float`, `bool`, `null`, `timestamp`, `merge`, `value`."""
    if not node.plain:
        return "str"
    for tag, pattern in _RESOLVERS.get(node.value[:1], ()):
        if pattern.match(node.value):
            return tag.rpartition(":")[2]
    return "str"


def is_canonical(node: Scalar, kind: str) -> bool:
    """Whether every YAML reader, and every person, takes an unquoted value for the same thing."""
    if kind == "str":
        return True
    pattern = _CANONICAL.get(kind)
    return pattern is not None and bool(pattern.match(node.value)) and len(node.value) <= _LONGEST_NUMBER


def canonical_value(node: Scalar, kind: str) -> object:
    """The value of a canonical scalar."""
    match kind:
        case "int":
            return int(node.value)
        case "float":
            return float(node.value)
        case "bool":
            return node.value == "true"
        case "null":
            return None
        case _:
            return node.value


def reading(node: Scalar, kind: str) -> str:
    """In words, what YAML makes of a scalar that was probably meant as text."""
    match kind:
        case "int":
            return f"the number {shown(str(_integer(node.value)), 24)}"
        case "float":
            return f"the number {_float(node.value)}"
        case "bool":
            return "true" if node.value.lower() in ("true", "yes", "on") else "false"
        case "null":
            return "nothing (null)"
        case "timestamp":
            return "a date"
        case "merge":
            return "a merge key"
        case _:
            return "something else than text"


def _float(written: str) -> str:
    """The number as Python shows it; of what only YAML knows, the text itself."""
    try:
        return repr(float(written.replace("_", "")))
    except ValueError:
        return shown(re.sub(r"\.(?=inf|nan)", "", written.lower()), 24)


def _integer(written: str) -> int | str:
    """The number that YAML 1.1 reads: octal, binary, hexadecimal and base 60 included."""
    text = written.replace("_", "")
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    if len(digits) > _LONGEST_NUMBER:
        return digits
    if ":" in digits:
        total = 0
        for part in digits.split(":"):
            total = total * 60 + int(part)
        return sign * total
    if digits.startswith(("0x", "0b")):
        return sign * int(digits, 0)
    return sign * int(digits, 8 if digits.startswith("0") and digits != "0" else 10)


def children(node: Node) -> Iterator[tuple[str | int, Node]]:
    """The parts of a collection by key or index; of two equal keys the first."""
    if isinstance(node, MapNode):
        seen: set[str] = set()
        for key, value in node.entries:
            if key.value not in seen:
                seen.add(key.value)
                yield key.value, value
    elif isinstance(node, ListNode):
        yield from enumerate(node.items)


class Tree:
    """A document's nodes by path; mappings are indexed once, since a registry has thousands of anchors in one."""

    __slots__ = ("_entries", "root")

    def __init__(self, root: Node) -> None:
        self.root = root
        self._entries: dict[int, dict[str, tuple[Scalar, Node]]] = {}

    def at(self, path: Path) -> Node | None:
        """The node at a path, if there is one."""
        node: Node | None = self.root
        for key in path:
            if isinstance(node, MapNode):
                entry = self._index(node).get(str(key))
                node = entry[1] if entry else None
            elif isinstance(node, ListNode) and isinstance(key, int) and key < len(node.items):
                node = node.items[key]
            else:
                return None
        return node

    def key(self, path: Path) -> Scalar | None:
        """The key's own node of the entry at a path, if there is one."""
        above = self.at(path[:-1]) if path else None
        entry = self._index(above).get(str(path[-1])) if isinstance(above, MapNode) else None
        return entry[0] if entry else None

    def _index(self, node: MapNode) -> dict[str, tuple[Scalar, Node]]:
        index = self._entries.get(id(node))
        if index is None:
            # Of two equal keys the first counts.
            index = {key.value: (key, value) for key, value in reversed(node.entries)}
            self._entries[id(node)] = index
        return index
