"""Text as people read it: in files without a grammar, and in the comments and docstrings of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimcheck.checks.code import Part, lines_of, matches
from claimcheck.model import Lines
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_MARKS = re.compile(r"^\s*(#+:?|//+[/!<]*|/\*+[!<]*|\*+/|\*+(?!/))\s?|\s*\*+/\s*$")
_QUOTES = re.compile(r"^[rRbBuUfF]*(\"\"\"|'''|\"|')|(\"\"\"|'''|\"|')$")


@frozen
class Passage:
    """Some running text: its words, and the line of each."""

    words: tuple[str, ...]
    lines: tuple[int, ...]

    def find(self, wanted: str) -> Iterator[int]:
        """The lines on which a text begins; white space counts as one blank."""
        text = " ".join(self.words)
        target = " ".join(wanted.split())
        starts, position = [], 0
        for word in self.words:
            starts.append(position)
            position += len(word) + 1
        at = text.find(target)
        while at >= 0:
            yield self.lines[max(n for n, start in enumerate(starts) if start <= at)]
            at = text.find(target, at + 1)


def _passage(numbered: Iterator[tuple[int, str]]) -> Passage:
    pairs = [(word, line) for line, text in numbered for word in text.split()]
    return Passage(tuple(word for word, _ in pairs), tuple(line for _, line in pairs))


def found_in(part: Part, wanted: str) -> list[int]:
    """The lines of a part on which a text begins."""
    lines = range(part.lines.first, part.lines.last + 1)
    passage = _passage((n, part.source.lines[n - 1]) for n in lines)
    return list(passage.find(wanted))


def comments(part: Part) -> list[Passage]:
    """The comments and docstrings of a part, those on neighbouring lines as one; what stands right above it counts."""
    code = part.parsed
    first = part.lines.first
    while first > 1 and first - 1 in code.outline.comment_lines:
        first -= 1
    within = Lines(first, part.lines.last)
    kinds = [*sorted(code.dialect.unsaid), "string", "concatenated_string"]
    rule = {"any": [{"kind": kind} for kind in kinds if kind in _kinds_of(code.dialect.name)]}
    passages: list[Passage] = []
    run: list[tuple[int, str]] = []
    for node in matches(part.tree.root, {"rule": rule}):
        lines = lines_of(node)
        if lines.first not in within:
            continue
        if node.kind() != "comment":
            if code.dialect.docstring(node):
                passages.append(_passage(_docstring(node)))
            continue
        if run and lines.first > run[-1][0] + 1:
            passages.append(_passage(iter(run)))
            run = []
        run += [(lines.first + n, _MARKS.sub("", text)) for n, text in enumerate(node.text().split("\n"))]
    return passages + ([_passage(iter(run))] if run else [])


def _kinds_of(language: str) -> frozenset[str]:
    return frozenset({"comment", "string", "concatenated_string"} if language == "python" else {"comment"})


def _docstring(node: SgNode) -> Iterator[tuple[int, str]]:
    first = node.range().start.line + 1
    return ((first + n, line) for n, line in enumerate(_QUOTES.sub("", node.text()).split("\n")))
