"""What stands in the lines of Markdown: code spans, cells of tables, link definitions, found with their columns.

The parser's inline tokens carry no columns, and it swallows link definitions without a trace.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

_BACKTICKS = re.compile(r"`+")


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """A code span by its offsets in a text; `first` and `last` are those of what is in it, `code` is what it shows."""

    start: int
    end: int
    first: int
    last: int
    code: str


def code_spans(text: str) -> list[CodeSpan]:
    """The code spans of a text, in time that grows with its length."""
    runs = [(match.start(), match.end()) for match in _BACKTICKS.finditer(text)]
    later: defaultdict[int, list[int]] = defaultdict(list)
    for index in range(len(runs) - 1, -1, -1):
        later[runs[index][1] - runs[index][0]].append(index)
    spans: list[CodeSpan] = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        if is_escaped(text, start):
            start += 1
        closing = later[end - start] if end > start else []
        while closing and closing[-1] <= index:
            closing.pop()
        if not closing:
            index += 1
            continue
        partner = closing[-1]
        last = runs[partner][0]
        spans.append(CodeSpan(start, runs[partner][1], end, last, _shown(text[end:last])))
        index = partner + 1
    return spans


def _shown(code: str) -> str:
    code = code.replace("\n", " ")
    if code.startswith(" ") and code.endswith(" ") and code.strip(" "):
        code = code[1:-1]
    return code


def is_escaped(text: str, at: int) -> bool:
    """Whether a backslash, itself not escaped, stands before a character."""
    backslashes = 0
    while at - backslashes > 0 and text[at - backslashes - 1] == "\\":
        backslashes += 1
    return backslashes % 2 == 1


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
