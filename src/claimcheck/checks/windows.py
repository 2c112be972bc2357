"""How little of a text has to be parsed for a part of it: with other definitions taken out, the part means the same.

ast-grep parses a text that tree-sitter has parsed already. In Python a function or class stands on lines of its own, and
its body means nothing to what is beside it; so it can give way to a `pass`, line for line. Nothing is taken out of a
function or statement that a part has to do with, nor of a text in which the parser did not understand something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from claimcheck.model import Lines
from claimcheck.syntax import Outline, Symbol
from claimcheck.values import frozen

# What stands for a definition that is taken out, in the languages in which one can be.
PLACEHOLDERS = {"python": "pass"}


@frozen
class Taken:
    """The lines of a definition that is taken out; of those of one body the `first` one leaves something in its place."""

    lines: Lines
    first: bool


def taken_out(structure: Outline, lines: Lines) -> tuple[Taken, ...]:
    """The definitions that can be taken out of a text for some of its lines; none where it is not known what that does."""
    if structure.grammar.name not in PLACEHOLDERS or structure.errors or structure.problem:
        return ()
    return tuple(_others(structure, lines))


def without(structure: Outline, rows: Sequence[str], definitions: Iterable[Taken]) -> str:
    """A text, given by its lines as LF parts them, without some of its definitions."""
    left = list(rows)
    for taken in definitions:
        header = rows[taken.lines.first - 1]
        indent = header[: len(header) - len(header.lstrip())]
        # So that a body does not end up empty, and a string in it does not become the first thing there.
        line = indent + PLACEHOLDERS[structure.grammar.name] if taken.first else ""
        left[taken.lines.first - 1 : taken.lines.last] = [line, *[""] * (len(taken.lines) - 1)]
    return "\n".join(left)


def _others(structure: Outline, lines: Lines) -> Iterator[Taken]:
    """The members of the text, and of the classes that the lines stand in, that have no line in common with them.

    What begins in the lines stays as it is to its end.
    """
    done = 0
    bodies: list[tuple[int, bool]] = [(len(structure.text), False)]  # where each ends, and whether anything left it
    for symbol in structure.symbols:
        if symbol.lines.first <= done or symbol.lines.first not in structure.members:
            continue
        while bodies[-1][0] < symbol.lines.first:
            bodies.pop()
        apart = not symbol.lines.overlaps(lines)
        if apart:
            yield Taken(symbol.lines, first=not bodies[-1][1])
            bodies[-1] = bodies[-1][0], True
        if apart or symbol.kind != "class" or _head(structure, symbol).overlaps(lines):
            done = symbol.lines.last
        else:
            bodies.append((symbol.lines.last, False))


def _head(structure: Outline, symbol: Symbol) -> Lines:
    """The lines of a class up to where its body begins."""
    first = min((line for line in structure.members if line > symbol.name_line), default=symbol.name_line)
    return Lines(symbol.lines.first, min(first, symbol.lines.last))
