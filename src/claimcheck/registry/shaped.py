"""A registry file as plain data, with its nodes beside it and with what is known to be wrong in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from claimcheck.finding import Finding
from claimcheck.registry.problems import Trouble
from claimcheck.registry.wording import Written
from claimcheck.registry.yaml_nodes import Node, Path, Scalar, Tree
from claimcheck.registry.yaml_text import YamlText
from claimcheck.terminal import shown

# Sections whose keys are IDs or names, so that a key that stands twice is a thing defined twice.
DEFINING = frozenset({"vendors", "anchors", "claims", "examples", "errata"})


@dataclass(slots=True)
class Shaped:
    """A file as plain data, with what was found wrong.

    `wrong` has the paths of values that are wrong themselves, so that nothing more is said about them; `broken`
    those and the paths whose key is wrong or that lack one, so that nothing is built from them.
    """

    text: YamlText
    tree: Tree
    data: Any
    findings: list[Finding] = field(default_factory=list)
    wrong: set[Path] = field(default_factory=set)
    broken: set[Path] = field(default_factory=set)
    _touched: set[Path] = field(default_factory=set)

    def report(self, path: Path, trouble: Trouble, *, on_key: bool = False) -> None:
        """Add a finding about the value at a path, or about its key."""
        node = self.node(path, on_key=on_key)
        finding = self.text.finding(
            trouble.rule, subject(self.text.path, path), node.start, node.end, trouble.message, trouble.help
        )
        self.findings.append(finding)
        self.spoil(path, value=not on_key)

    def spoil(self, path: Path, *, value: bool) -> None:
        """Note that nothing is to be built from what stands at a path; `value` says that it is wrong itself."""
        self.broken.add(path)
        self._touched.update(path[:length] for length in range(len(path) + 1))
        if value:
            self.wrong.add(path)

    def node(self, path: Path, *, on_key: bool = False) -> Node:
        """The node at a path, or its key's; of what is not there, the nearest above."""
        while path:
            found = (self.tree.key(path) if on_key else None) or self.tree.at(path)
            if found is not None:
                return found
            path, on_key = path[:-1], True
        return self.tree.root

    def is_broken(self, *path: str | int) -> bool:
        """Whether anything at, below or above a path was found wrong."""
        if not self.broken:
            return False
        return path in self._touched or any(path[:length] in self.broken for length in range(len(path)))


def subject(file: str, path: Path) -> str:
    """What a finding at a path is about: an ID, a vendor's name, or a section."""
    if len(path) > 1 and path[0] in DEFINING:
        return shown(str(path[1]))
    return shown(str(path[0])) if path else file


def key_of(path: Path) -> str:
    """The key that a value belongs to; of a list's item the list's."""
    return shown(str(next((part for part in reversed(path) if isinstance(part, str)), "the file")))


def written(node: Node, path: Path) -> Written:
    text = node.value if isinstance(node, Scalar) else ""
    vendor = str(path[1]) if len(path) > 2 and path[0] == "vendors" else None
    return Written(key_of(path), text, bool(path) and isinstance(path[-1], int), vendor)
