"""A document's own HTML taken apart for a page around it: what is in its head, its body, and its headings.

Only positions are taken from the parser; what comes out is the document's text, with ids put into headings that have
none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape

from claimcheck.documents import Citable, Span
from claimcheck.documents.blocks import Markers
from claimcheck.documents.document import LineStarts
from claimcheck.documents.html import HEADINGS, RAW, Attributes, Scanner
from claimcheck.documents.running import Running
from claimcheck.edit import Edit, apply
from claimcheck.rendering.templates import html_text
from claimcheck.values import frozen

_NOT_IN_A_SLUG = re.compile(r"[^\w]+")
_ADDRESS_ATTRIBUTES = ("src", "href", "poster")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#|$")
LONGEST_SLUG = 40
STYLE_SHEET = "claimcheck.css"
SCRIPT = "claimcheck.js"


@frozen
class Heading:
    """A heading of a page: its level, its element and its text; `at` is where it stands in the body."""

    level: int
    element: str
    text: str
    at: int


@frozen
class Skeleton:
    """The parts of a document's HTML. `assets` are the relative addresses that it needs or leads to."""

    head: str
    body: str
    headings: tuple[Heading, ...]
    assets: tuple[str, ...]
    has_main: bool
    has_title: bool


def take_apart(text: str, key: str) -> Skeleton:
    """The parts of a text of HTML, whole page or fragment; ids that are made begin with the page's key."""
    parser = _Reader.of(text)
    parser.scan(0, len(text))
    start, end = parser.body_start, parser.body_end or len(text)
    if start is None:
        start = parser.head_end or parser.prologue_end
    edits: list[Edit] = []
    headings: list[Heading] = []
    taken = set(parser.ids)
    made: dict[str, int] = {}
    before = 0
    for heading in parser.headings:
        if not start <= heading.tag.start < end:
            continue
        at = heading.tag.start - start
        text_of = heading.text.strip()
        element = heading.id or _free(f"{key}.{_slug(text_of)}", taken, made)
        headings.append(Heading(heading.level, element, text_of, at + before))
        if not heading.id:
            edits.append(Edit(at + 3, at + 3, f' id="{html_text(element)}"'))  # behind `<h2`
            before += len(edits[-1].text)
    body = apply(text[start:end], edits)
    return Skeleton(
        _without(text, Span(parser.head_start or 0, parser.head_close or 0), parser.dropped),
        body,
        tuple(headings),
        tuple(dict.fromkeys(parser.assets)),
        parser.has_main,
        any(heading.level == 1 for heading in headings),
    )


def _slug(text: str) -> str:
    return _NOT_IN_A_SLUG.sub("-", text).strip("-")[:LONGEST_SLUG] or "section"


def _free(element: str, taken: set[str], made: dict[str, int]) -> str:
    """The element, with a number where the page has it already; `made` counts how often it was asked for."""
    free = element
    while free in taken:
        made[element] = made.get(element, 1) + 1
        free = f"{element}-{made[element]}"
    taken.add(free)
    return free


def _without(text: str, within: Span, dropped: Sequence[Span]) -> str:
    """A part of a text without the spans in it, and without the blank lines that they leave."""
    pieces, at = [], within.start
    for span in sorted(dropped):
        if within.start <= span.start and span.end <= within.end and span.start >= at:
            pieces.append(text[at : span.start])
            at = span.end
    kept = "".join((*pieces, text[at : within.end]))
    return "\n".join(line for line in kept.split("\n") if line.strip())


@dataclass(slots=True)
class _Found:
    level: int
    tag: Span
    id: str
    text: str = ""


@dataclass(slots=True)
class _Reader(Scanner):
    """Notes where the parts of a page begin and end, where the reader of documents sees tags."""

    heading: _Found | None = None
    in_head: bool = False
    head_start: int | None = None
    head_close: int | None = None
    head_end: int | None = None
    body_start: int | None = None
    body_end: int | None = None
    prologue_end: int = 0
    headings: list[_Found] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    assets: list[str] = field(default_factory=list)
    dropped: list[Span] = field(default_factory=list)
    has_main: bool = False

    @classmethod
    def of(cls, text: str) -> _Reader:
        lines = LineStarts("", text)
        return cls(text, Running(text, lines, Citable(frozenset(), frozenset(), frozenset())), Markers.of(text, lines))

    def characters(self, start: int, end: int) -> None:
        if self.heading is not None:
            seen = unescape(self.text[start:end])
            self.heading.text = " ".join(f"{self.heading.text}{seen}".split()) + " " * seen[-1:].isspace()

    def comment(self, span: Span) -> int:
        return span.end

    def declaration(self, at: int, end: int) -> int:
        after = super(_Reader, self).declaration(at, end)
        if self.text[at + 2 : at + 9].lower() == "doctype":
            self.prologue_end = after
        return after

    def tag(self, name: str, closing: bool, attributes: Attributes, span: Span, end: int) -> int:
        after = self.raw(name, span, end) if name in RAW and not closing else span.end
        if closing:
            self._ends(name, span)
            return after
        values = {key: self.value(at) for key, at in attributes.items()}
        if id := values.get("id") or (values.get("name", "") if name == "a" else ""):
            self.ids.append(id)
        self.assets += [
            values[key] for key in _ADDRESS_ATTRIBUTES if key in values and not _SCHEME.match(values[key].strip())
        ]
        self._starts(name, values, span, after)
        return after

    def _starts(self, name: str, values: Mapping[str, str], span: Span, after: int) -> None:
        if name == "html":
            self.prologue_end = span.end
        elif name == "head" and self.head_start is None:
            self.head_start, self.in_head = span.end, True
        elif name == "body" and self.body_start is None:
            self.body_start, self.in_head = span.end, False
        elif self.in_head:
            self._in_the_head(name, values, Span(span.start, after))
        elif name == "main":
            self.has_main = True
        elif name in HEADINGS:
            self.heading = _Found(int(name[1]), span, values.get("id", ""))
            self.headings.append(self.heading)

    def _in_the_head(self, name: str, values: Mapping[str, str], span: Span) -> None:
        ours = name == "link" and values.get("href", "").rpartition("/")[2] == STYLE_SHEET
        ours = ours or (name == "script" and values.get("src", "").rpartition("/")[2] == SCRIPT)
        meta = name == "meta" and ("charset" in values or values.get("name", "").lower() == "viewport")
        if ours or meta or name == "title":
            self.dropped.append(span)

    def _ends(self, name: str, span: Span) -> None:
        if name == "head":
            self.head_close, self.head_end, self.in_head = span.start, span.end, False
        elif name == "body" or (name == "html" and self.body_end is None):
            self.body_end = span.start
        elif name in HEADINGS:
            self.heading = None
