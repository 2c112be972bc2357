"""A YAML file's bytes as text with places: decoded strictly, and refused where its characters would mislead.

Places are of the text without its byte order mark: lines by LF from 1, columns in code points from 1.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import cached_property

from claimcheck.finding import Finding, Frame, RuleInfo
from claimcheck.model import Place
from claimcheck.registry import problems
from claimcheck.texts import place_in, split_lines
from claimcheck.values import frozen

BOM = "\ufeff"
FRAME_LINES_ABOVE = 2
FRAME_WIDTH = 160

# All that YAML 1.1 or 1.2 forbids, and what the two read differently: NEL, U+2028 and U+2029 end a line in 1.1
# only. A CR that no LF follows ends a line for YAML but not for git, so line numbers would part.
_MISLEADING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)")
_CONFLICT_MARKER = re.compile(r"^(?:<{7}|>{7})(?=[ \r\n]|\Z)", re.MULTILINE)


@frozen(slots=False)
class YamlText:
    """A registry file's text; `bom` says whether a byte order mark stood before it."""

    path: str
    text: str
    bom: bool = False

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        starts.extend(match.end() for match in re.finditer("\n", self.text))
        return starts

    @cached_property
    def _lines(self) -> list[str]:
        return split_lines(self.text)

    def place(self, index: int) -> Place:
        line = bisect_right(self._starts, index)
        return Place(self.path, line, index - self._starts[line - 1] + 1)

    def frame(self, start: int, end: int) -> Frame:
        """The line of a place with two above it; what is underlined ends with the line."""
        place = self.place(start)
        assert place.line is not None and place.column is not None
        lines = self._lines
        first = max(1, place.line - FRAME_LINES_ABOVE)
        numbers = range(first, min(place.line, len(lines)) + 1)
        shown = tuple((n, lines[n - 1].removesuffix("\r")[:FRAME_WIDTH]) for n in numbers)
        rest = len(shown[-1][1]) - place.column + 1 if shown and shown[-1][0] == place.line else 0
        return Frame(shown, place, max(1, min(end - start, rest)))

    def finding(
        self, rule: RuleInfo, subject: str, start: int, end: int, message: str, help: str | None = None
    ) -> Finding:
        """A problem at a place of this file: with a line to paste, or else with the lines around it."""
        evidence = () if help is not None else (self.frame(start, end),)
        return Finding(rule, subject, self.place(start), message, evidence, help)


def decode(path: str, content: bytes) -> YamlText | list[Finding]:
    """The text of a file, or why it cannot be taken as YAML at all."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return [_not_utf8(path, content, error)]
    bom = text.startswith(BOM)
    yaml = YamlText(path, text.removeprefix(BOM), bom)
    return [*_misleading(yaml), *_conflicts(yaml)] or yaml


def _not_utf8(path: str, content: bytes, error: UnicodeDecodeError) -> Finding:
    line, column = place_in(content, error.start)
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        message = "the file is UTF-16; a registry file is UTF-8"
    else:
        message = f"byte 0x{content[error.start]:02x} at offset {error.start} is not UTF-8"
    return Finding(problems.NOT_UTF8, path, Place(path, line, column), message)


def _misleading(yaml: YamlText) -> list[Finding]:
    """The first such character: a file that has one tends to have many."""
    match = _MISLEADING.search(yaml.text)
    if match is None:
        return []
    char = match[0]
    name = "a carriage return alone" if char == "\r" else unicodedata.name(char, "a control character").lower()
    message = f"U+{ord(char):04X} ({name}) cannot stand in a YAML file as it is"
    help = "end lines with LF or CRLF" if char == "\r" else f'in double quotes it is written "\\u{ord(char):04x}"'
    return [yaml.finding(problems.CONTROL_CHARACTER, yaml.path, match.start(), match.end(), message, help)]


def _conflicts(yaml: YamlText) -> list[Finding]:
    """Each pair of markers at the margin; text that shows such a marker is indented or quoted in YAML."""
    found: list[Finding] = []
    opened: re.Match[str] | None = None
    for marker in _CONFLICT_MARKER.finditer(yaml.text):
        if marker[0][0] == "<":
            opened = opened or marker
        elif opened:
            message = f"an unresolved merge conflict, down to line {yaml.place(marker.start()).line}"
            found.append(yaml.finding(problems.MERGE_CONFLICT, yaml.path, *opened.span(), message))
            opened = None
    return found
