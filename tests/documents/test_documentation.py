"""docs/documents.md names every kind of block with its keys, every ending, and every rule about documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimcheck.documents import FORMATS, KINDS, Kind
from claimcheck.documents.html import CODE, HIDDEN, RAW
from claimcheck.rules import RULES

PAGE = (Path(__file__).parents[2] / "docs/documents.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_kinds_of_blocks(kind: Kind) -> None:
    row = next(line for line in PAGE.split("\n") if line.startswith(f"| `{kind.name}` |"))
    assert all(f"`{key}`" in row for key in kind.keys)


def test_endings_and_elements() -> None:
    assert all(f"`{ending}`" in PAGE for ending in FORMATS)
    assert all(f"`<{name}>`" in PAGE for name in (CODE | HIDDEN | RAW) - {"xmp", "noembed", "noframes"})


def test_rules_whose_examples_have_documents() -> None:
    about = [
        rule.INFO.name
        for rule in RULES
        if any(line.startswith("lessons/") for case in rule.FAILS for line in case.finds)
    ]
    assert len(about) > 15 and [name for name in about if f"`{name}`" not in PAGE] == []
