"""The cells of a Markdown table's row: the parser says where rows are, not where in a row a cell stands."""

from __future__ import annotations

from collections.abc import Iterator


def cells(line: str) -> Iterator[tuple[int, int]]:
    """The cells of a table's row, by their columns without the blanks around them.

    A pipe ends a cell unless a backslash stands before it, in code too.
    """
    start = len(line) - len(line.lstrip(" \t>"))
    end = len(line.rstrip())
    if line[start : start + 1] == "|":
        start += 1
    if end > start and line[end - 1] == "|" and line[end - 2 : end - 1] != "\\":
        end -= 1
    pipes = [at for at in range(start, end) if line[at] == "|" and line[at - 1] != "\\"]
    for first, last in zip([start, *(at + 1 for at in pipes)], [*pipes, end], strict=True):
        text = line[first:last]
        blanks = len(text) - len(text.lstrip())
        yield first + blanks, first + blanks + len(text.strip())
