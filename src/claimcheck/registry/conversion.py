"""Nodes to plain data, with all that YAML would convert or drop without a word reported."""

from __future__ import annotations

from collections.abc import Mapping

from claimcheck.registry import problems, wording
from claimcheck.registry.problems import Trouble
from claimcheck.registry.shaped import DEFINING, Shaped, key_of, subject, written
from claimcheck.registry.wording import Written
from claimcheck.registry.yaml_nodes import (
    ListNode,
    MapNode,
    Node,
    Path,
    Scalar,
    canonical_value,
    is_canonical,
    reading,
    resolved,
)
from claimcheck.registry.yaml_parse import Refused
from claimcheck.terminal import shown
from claimcheck.values import frozen


@frozen
class Converter:
    """Nodes to plain data. What YAML would convert silently is reported and its value marked as broken."""

    shaped: Shaped
    refused: Mapping[int, Refused]

    def convert(self, node: Node, path: Path) -> object:
        if node.start in self.refused and not _begins_with_key(node):
            self._refuse(node, path)
            return ""
        if isinstance(node, Scalar):
            if not node.plain:
                return node.value
            kind = resolved(node)
            if kind == "str":
                return node.value
            if is_canonical(node, kind):
                return canonical_value(node, kind)
            self._report(node, kind, path)
            return node.value
        if isinstance(node, ListNode):
            return [self.convert(item, (*path, n)) for n, item in enumerate(node.items)]
        return self._mapping(node, path)

    def _mapping(self, node: MapNode, path: Path) -> dict[str, object]:
        data: dict[str, object] = {}
        places: dict[str, Scalar] = {}
        for key, value in node.entries:
            name = key.value
            kind = resolved(key)
            if key.start in self.refused:
                self._refuse(key, (*path, name))
            elif kind != "str":
                self._key_is_no_text(key, kind, path)
            if name in data:
                self._twice(key, places[name], path)
                continue
            places[name] = key
            data[name] = self.convert(value, (*path, name))
        return data

    def _refuse(self, node: Node, path: Path) -> None:
        """Report an alias, an anchor or a tag, and let nothing follow from it."""
        refused = self.refused[node.start]
        text = self.shaped.text
        about = subject(text.path, path)
        self.shaped.findings.append(text.finding(refused.rule, about, node.start, refused.end, refused.message))
        self.shaped.spoil(path, value=True)

    def _report(self, node: Scalar, kind: str, path: Path) -> None:
        said = f"{key_of(path)} `{shown(node.value)}` is read by YAML as {reading(node, kind)}"
        self.shaped.report(path, conversion(said, written(node, path)))

    def _key_is_no_text(self, key: Scalar, kind: str, path: Path) -> None:
        rule = problems.YAML_ALIAS if kind == "merge" else problems.YAML_CONVERSION
        message = f"the key `{shown(key.value)}` is read by YAML as {reading(key, kind)}"
        if kind == "merge":
            message = "merge keys are not used in a registry; write the values out"
        whole = (*path, key.value)
        text = self.shaped.text
        help = None if kind == "merge" else f'"{shown(key.value)}":'
        self.shaped.findings.append(
            text.finding(rule, subject(text.path, whole), key.start, max(key.end, key.start + 1), message, help)
        )
        self.shaped.spoil(whole, value=False)

    def _twice(self, key: Scalar, first: Scalar, path: Path) -> None:
        text = self.shaped.text
        whole = (*path, key.value)
        defines = len(path) == 1 and path[0] in DEFINING
        rule = problems.DUPLICATE_ID if defines else problems.DUPLICATE_KEY
        what = "defined twice" if defines else f"the key `{shown(key.value)}` stands twice"
        message = f"{what}; first in {text.place(first.start)}"
        self.shaped.findings.append(text.finding(rule, subject(text.path, whole), key.start, key.end, message))


def _begins_with_key(node: Node) -> bool:
    """Whether what stands before a block mapping belongs to its first key, which begins at the same place."""
    return isinstance(node, MapNode) and bool(node.entries) and node.entries[0][0].start == node.start


def conversion(said: str, value: Written) -> Trouble:
    """The help for a value that YAML converts: the range that was meant, or the value in quotes."""
    if value.key == "lines":
        return Trouble(problems.YAML_CONVERSION, said, wording.range_trouble(value).help)
    if value.key == "commit" and len(value.text) not in (40, 64):
        # Both at once: the quotes alone would only bring the next error.
        return Trouble(problems.YAML_CONVERSION, f"{said}; a commit stands in quotes, with all its 40 digits")
    help = value.paste(f'"{shown(value.text)}"') if value.text else None
    return Trouble(problems.YAML_CONVERSION, said, help)
