"""A document's own HTML taken apart for a page around it: what is in its head, its body, and its headings.

Only positions are taken from the parser; what comes out is the document's text, with ids put into headings that have
none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import accumulate

from claimcheck.documents import Span
from claimcheck.edit import Edit, apply
from claimcheck.rendering.templates import html_text

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NOT_IN_A_SLUG = re.compile(r"[^\w]+")
_ADDRESS_ATTRIBUTES = ("src", "href", "poster")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#|$")
LONGEST_SLUG = 40
STYLE_SHEET = "claimcheck.css"
SCRIPT = "claimcheck.js"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page: its level, its element and its text; `at` is where it stands in the body."""

    level: int
    element: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
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
    parser = _Parser(text)
    parser.feed(text)
    parser.close()
    start, end = parser.body_start, parser.body_end or len(text)
    if start is None:
        start = parser.head_end or parser.prologue_end
    edits: list[Edit] = []
    headings: list[Heading] = []
    taken = set(parser.ids)
    for heading in parser.headings:
        if not start <= heading.tag.start < end:
            continue
        at = heading.tag.start - start
        before = sum(len(edit.text) for edit in edits)
        element = heading.id
        if not element:
            element = _free(f"{key}.{_slug(heading.text)}", taken)
            edits.append(Edit(at + 3, at + 3, f' id="{html_text(element)}"'))  # behind `<h2`
        headings.append(Heading(heading.level, element, heading.text, at + before))
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


def _free(element: str, taken: set[str]) -> str:
    number, free = 1, element
    while free in taken:
        number += 1
        free = f"{element}-{number}"
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


@dataclass
class _Found:
    level: int
    tag: Span
    id: str
    text: str = ""


@dataclass
class _Open:
    """An element of the head that is left out, while it is open."""

    tag: str
    start: int


class _Parser(HTMLParser):
    """Notes where the parts of a page begin and end."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self._text = text
        self._heading: _Found | None = None
        self._dropping: _Open | None = None
        self._in_head = False
        self.head_start: int | None = None
        self.head_close: int | None = None
        self.head_end: int | None = None
        self.body_start: int | None = None
        self.body_end: int | None = None
        self.prologue_end = 0
        self.headings: list[_Found] = []
        self.ids: list[str] = []
        self.assets: list[str] = []
        self.dropped: list[Span] = []
        self.has_main = False

    def _here(self) -> int:
        line, column = self.getpos()
        return self._starts[line - 1] + column

    def handle_decl(self, decl: str) -> None:
        self.prologue_end = max(self.prologue_end, self._text.find(">", self._here()) + 1)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        here = self._here()
        end = here + len(self.get_starttag_text() or "")
        values = {name: value or "" for name, value in attrs}
        if id := values.get("id") or (values.get("name") if tag == "a" else None):
            self.ids.append(id)
        self.assets += [
            values[name] for name in _ADDRESS_ATTRIBUTES if name in values and not _SCHEME.match(values[name].strip())
        ]
        if tag == "html":
            self.prologue_end = end
        elif tag == "head" and self.head_start is None:
            self.head_start, self._in_head = end, True
        elif tag == "body" and self.body_start is None:
            self.body_start, self._in_head = end, False
        elif self._in_head:
            self._in_the_head(tag, values, Span(here, end))
        elif tag == "main":
            self.has_main = True
        elif tag in _HEADINGS:
            self._heading = _Found(int(tag[1]), Span(here, end), values.get("id", ""))
            self.headings.append(self._heading)

    def _in_the_head(self, tag: str, values: dict[str, str], span: Span) -> None:
        ours = tag == "link" and values.get("href", "").rpartition("/")[2] == STYLE_SHEET
        ours = ours or (tag == "script" and values.get("src", "").rpartition("/")[2] == SCRIPT)
        if tag == "title" or (ours and tag == "script"):
            self._dropping = _Open(tag, span.start)
        elif ours or (tag == "meta" and ("charset" in values or values.get("name", "").lower() == "viewport")):
            self.dropped.append(span)

    def handle_endtag(self, tag: str) -> None:
        here = self._here()
        end = self._text.find(">", here) + 1 or len(self._text)
        if self._dropping is not None and tag == self._dropping.tag:
            self.dropped.append(Span(self._dropping.start, end))
            self._dropping = None
        elif tag == "head":
            self.head_close, self.head_end, self._in_head = here, end, False
        elif tag == "body" or (tag == "html" and self.body_end is None):
            self.body_end = here
        elif tag in _HEADINGS:
            self._heading = None

    def handle_data(self, data: str) -> None:
        if self._heading is not None:
            self._heading.text = " ".join(f"{self._heading.text} {data}".split())
