"""What stands before and after a place on its line, asked for many places of one text.

A line of strangers' code may have megabytes and half a million statements, so nothing here looks at a whole line twice.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

_BLANK = re.compile(rb"[ \t\r\f\v]*")
_CLOSING = re.compile(rb"[ \t\r\f\v})\];,]*")


class Margins:
    """Lines are counted from 0 here, as the parser counts its rows."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        lengths = itertools.accumulate(map(len, source.split(b"\n")))
        self.offsets: Sequence[int] = [0, *(length + row for row, length in enumerate(lengths, 1))][:-1]
        self._first: dict[int, int] = {}
        self._first_opening: dict[int, int] = {}

    def end(self, row: int) -> int:
        """The byte after a line and its end."""
        return self.offsets[row + 1] if row + 1 < len(self.offsets) else len(self._source)

    def nothing_before(self, row: int, at: int) -> bool:
        """Whether only white space stands on a line before a byte."""
        if row not in self._first:
            self._first[row] = self._after(_BLANK, self.offsets[row])
        return at <= self._first[row]

    def nothing_open_before(self, row: int, at: int) -> bool:
        """Whether only white space, closing brackets, commas and semicolons stand on a line before a byte."""
        if row not in self._first_opening:
            self._first_opening[row] = self._after(_CLOSING, self.offsets[row])
        return at <= self._first_opening[row]

    def next(self, at: int) -> bytes:
        """The next byte on the same line that is no white space; empty at the end of the line."""
        found = self._after(_BLANK, at)
        return self._source[found : found + 1].strip()

    def _after(self, pattern: re.Pattern[bytes], at: int) -> int:
        match = pattern.match(self._source, at)
        assert match is not None
        return match.end()
