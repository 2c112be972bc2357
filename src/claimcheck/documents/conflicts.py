"""Unresolved merges: a parser that forgives everything reads both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claimcheck.documents.document import Covered, LineStarts, Problem, Span, Trouble

_MARKER = re.compile(r"^(?:<{7}|>{7})(?=[ \r\n]|\Z)", re.MULTILINE)


def conflicts(text: str, lines: LineStarts, literal: Sequence[Span]) -> Iterator[Problem]:
    """Each pair of markers that stands in no code or comment; a lesson may well show one."""
    if "<<<<<<<" not in text:
        return
    covered = Covered(literal)
    opened: int | None = None
    for marker in _MARKER.finditer(text):
        if covered.has(marker.start()):
            continue
        if marker[0][0] == "<":
            opened = marker.start() if opened is None else opened
        elif opened is not None:
            message = f"an unresolved merge conflict, down to line {lines.place(marker.start()).line}"
            yield Problem(Trouble.CONFLICT, lines.place(opened), message)
            opened = None
