"""What is parsed for a part of a text: the part has to be the same in it as in the whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from ast_grep_py import SgNode
from hypothesis import given
from hypothesis import strategies as st

from claimcheck.checks.code import Code
from claimcheck.checks.dialects import dialect_of
from claimcheck.model import Lines
from claimcheck.syntax import outline
from claimcheck.texts import SourceText

OWN = sorted((Path(__file__).parent.parent / "src" / "claimcheck").rglob("*.py"))

TEXT = '''\
"""Pools."""

LIMIT = 4


@register
class Pool:
    """Blocks."""

    size = LIMIT

    def take(self, n: int) -> list[int]:
        if n > self.size:
            return []
        def own():
            return 1
        return [own()] * n

    @property
    async def free(self): return """
text at the margin
"""

    class Inner:
        def take(self): pass

    last = 1


if LIMIT:
    def helper():
        pass
    class Other:
        def take(self):
            pass
else:
    def helper(): return 2


class Last(Pool):
    if LIMIT:
        def take(self):
            return []

    def free(self):
        return 1


def after(): return LIMIT; pass
'''


def code(text: str, path: str = "pool.py") -> Code:
    """A text of which nothing was parsed for a check yet."""
    dialect, structure = dialect_of(path), outline(text, path)
    assert dialect is not None and structure is not None
    return Code(path, SourceText(text, "0" * 40), dialect, structure)


def everything_in(root: SgNode, lines: Lines) -> Iterator[tuple[str, int, int, int, int, str]]:
    """All that begins in some lines, but for the text as a whole: kind, place and text, in order."""
    waiting = root.children()
    while waiting:
        node = waiting.pop()
        at = node.range()
        if lines.first - 1 <= at.start.line <= lines.last - 1:
            yield node.kind(), at.start.line, at.start.column, at.end.line, at.end.column, node.text()
        waiting += node.children()


def around(root: SgNode, lines: Lines) -> list[tuple[str, int]]:
    """What some lines stand in."""
    found, here = [], root
    while True:
        inner = [child for child in here.children() if holds(child, lines)]
        if not inner:
            return found
        here = inner[0]
        found.append((here.kind(), here.range().start.line))


def holds(node: SgNode, lines: Lines) -> bool:
    at = node.range()
    return at.start.line <= lines.first - 1 and lines.last - 1 <= at.end.line


def assert_same(text: str, lines: Lines, whole: SgNode) -> None:
    window = code(text).around(lines).root
    assert list(everything_in(window, lines)) == list(everything_in(whole, lines))
    assert around(window, lines) == around(whole, lines)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_our_own_definitions_are_in_their_windows_what_they_are_in_their_files(path: Path) -> None:
    text = path.read_text("utf-8")
    whole = code(text).root
    for symbol in code(text).outline.symbols:
        assert_same(text, symbol.lines, whole)


@given(st.integers(1, TEXT.count("\n")), st.integers(0, 12))
def test_any_lines_are_in_their_window_what_they_are_in_their_file(first: int, more: int) -> None:
    assert_same(TEXT, Lines(first, min(first + more, TEXT.count("\n"))), code(TEXT).root)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_less_is_parsed(end: str) -> None:
    window = code(TEXT.replace("\n", end)).around(Lines(16, 16)).root.text()
    assert "return 1" in window and "register" in window, "all of the function and of what it stands in"
    assert "text at the margin" not in window and "after" not in window and "Last" not in window
    assert window.count("\n") == TEXT.count("\n")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (TEXT + "def broken(:\n", "pool.py"),  # nobody knows what belongs together
        ("struct A { void f() { g(); } };\nvoid h() { i(); }\n", "pool.cpp"),
        ("x = 1\ny = 2\n", "plain.py"),
    ],
)
def test_nothing_is_left_out(text: str, path: str) -> None:
    found = code(text, path)
    assert found.around(Lines(1, 1)) is found.whole


def test_a_tree_is_made_once_for_what_stands_in_it() -> None:
    found = code(TEXT)
    outer = found.around(Lines(12, 17))
    assert found.around(Lines(14, 14)) is outer
    assert found.around(Lines(19, 22)) is not outer
    assert found.around(found.source.whole) is found.whole
    assert found.around(Lines(26, 26)) is found.whole, "which is there by now"
