"""How little of a text has to be parsed for a part of it: with other definitions taken out, the part means the same.

ast-grep parses a text that tree-sitter has parsed already. In Python a function or class stands on lines of its own, and
its body means nothing to what is beside it; so it can give way to a `pass`, line for line. Nothing is taken out of a
function that a part has to do with, nor of a text in which the parser did not understand something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimcheck.model import Lines
from claimcheck.syntax import Outline

# What stands for a definition that is taken out, in the languages in which one can be.
PLACEHOLDERS = {"python": "pass"}
_TAKEN_OUT = ("function", "class")


def window(structure: Outline, rows: Sequence[str], lines: Lines) -> str | None:
    """A text of as many lines with less in it, in which the given lines and what is around them are as they were.

    `rows` are the lines of the text, parted by LF. None where nothing can be taken out.
    """
    placeholder = PLACEHOLDERS.get(structure.grammar.name)
    if placeholder is None or structure.errors or structure.problem:
        return None
    left = list(rows)
    for apart in _others(structure, lines):
        header = rows[apart.first - 1]
        indent = header[: len(header) - len(header.lstrip())]
        left[apart.first - 1 : apart.last] = [indent + placeholder, *[""] * (len(apart) - 1)]
    return "\n".join(left)


def _others(structure: Outline, lines: Lines) -> Iterator[Lines]:
    """The outermost definitions that have no line in common with some, nor stand in a function that has."""
    done = 0
    for symbol in structure.symbols:
        if symbol.lines.first <= done or symbol.kind not in _TAKEN_OUT:
            continue
        if not symbol.lines.overlaps(lines):
            yield symbol.lines
        if symbol.kind == "function" or not symbol.lines.overlaps(lines):
            done = symbol.lines.last
