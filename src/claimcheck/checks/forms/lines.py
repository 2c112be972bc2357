"""How many lines a file has."""

from __future__ import annotations

from typing import Any

from claimcheck.checks.form import NUMBER, RANGE, Example, FormInfo, Range, Strength, fails, holds, mapping
from claimcheck.checks.looking import Look, text_of
from claimcheck.checks.result import Answer, Result
from claimcheck.phrases import counted
from claimcheck.values import frozen

INFO = FormInfo(
    "lines",
    "A file has so many lines.",
    mapping({**RANGE}, or_="integer", also=NUMBER),
    "Lines are counted by LF. A number is meant exactly; `at-least` and `at-most` make a range. It is the file of the cited "
    "regions, or `path:`.",
    Strength.TESTS,
    needs_code=False,
)


@frozen
class LineCount:
    range: Range


def read(data: Any) -> LineCount:
    return LineCount(Range(data, data) if isinstance(data, int) else Range.read(data))


def check(arguments: LineCount, look: Look) -> Result:
    counts: list[str] = []
    for cited in look.anchors:
        path = look.check.path or cited.path
        there = len(text_of(cited, path))
        if there not in arguments.range:
            return fails(f"{path} has {counted(there, 'line')}, expected {arguments.range}")
        counts.append(f"{path} has {counted(there, 'line')}")
    return holds(", ".join(dict.fromkeys(counts)))


EXAMPLES = (
    Example("exactly", ".py", "a = 1\nb = 2\n", "lines: 2"),
    Example("a range", ".cpp", "int a;\nint b;\nint c;\n", "lines: {at-least: 2}"),
    Example("more", ".md", "a\nb\nc\n", "lines: 2", Answer.FAILS, "example.md has 3 lines, expected 2"),
    Example(
        "fewer",
        ".cpp",
        "int a;\n",
        "lines: {at-least: 2, at-most: 9}",
        Answer.FAILS,
        "example.cpp has 1 line, expected 2 to 9",
    ),
)
