"""Changes to a registry file by source position: what is not meant to change keeps its bytes.

An Editor reads a file's text once, gathers changes, and gives the new content. Values keep their quotes, lists
their layout, lines their comments and line ends; nothing is loaded and dumped. The result is parsed again and
compared with what was intended before anybody gets it.

What belongs to an entry, when one is removed or put beside another: its key and value, the comment behind them,
comment lines below it that are indented deeper than its key, and the comment lines right above its key that are
indented like it, up to the first blank line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from claimcheck.edit import Edit, FileChange, apply
from claimcheck.errors import RegistryError, UsageError, WriteRefused
from claimcheck.model import Anchor, Lines, Place, Region, Vendor
from claimcheck.registry import render, yaml_write
from claimcheck.registry.shape import DEFINING
from claimcheck.registry.yaml_nodes import (
    ListNode,
    MapNode,
    Node,
    Path,
    Scalar,
    Unreadable,
    canonical_value,
    is_canonical,
    parse,
    resolved,
)
from claimcheck.registry.yaml_text import BOM, YamlText, decode

# Values of these keys may be one text or a list; both mean the same.
LIST_KEYS = frozenset({"lines", "find", "cites", "prefix", "assumptions", "include", "exclude"})
VERSION_COMMENT = r"#\s*v?[0-9][\w.+-]*\s*"

ANCHOR_KEYS = ("vendor", "path", "commit", "lines", "find", "regions", "symbol", "watch")
VENDOR_KEYS = ("url", "commit", "prefix", "releases", "permalink")


class Editor:
    """One registry file that is being changed. Methods may be called in any order; each is about the file as read."""

    def __init__(self, path: str, content: bytes | None) -> None:
        self.path = path
        self._before = content
        text = decode(path, content or b"")
        if not isinstance(text, YamlText):
            raise RegistryError(text)
        self._text = text
        self._source = text.text
        try:
            self._root = parse(text).root or MapNode((), 0, 0, False)
        except Unreadable as error:
            raise RegistryError([error.finding]) from None
        self._expected: dict[str, Any] = _data(self._root)
        self._replaced: dict[tuple[int, int], str] = {}
        self._inserted: dict[int, str] = {}
