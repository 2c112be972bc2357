"""Markdown documents: blocks from markdown-it-py, and what stands in their lines with its columns from `inline`.

The parser's inline tokens carry no columns, and it swallows link definitions without a trace. So it is asked only for
where paragraphs, code and HTML are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from claimcheck.documents.blocks import END, SIGN, Marker, Markers
from claimcheck.documents.cells import cells
from claimcheck.documents.citable import Citable
from claimcheck.documents.conflicts import conflicts
from claimcheck.documents.document import BOM, Covered, Document, LineStarts, Link, Span
from claimcheck.documents.html import Scanner
from claimcheck.documents.inline import Lines, definitions_of, read_inline
from claimcheck.documents.running import Running, label_of, without_ignored

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT = re.compile(r"---[ \t]*\r?\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_FRONT_KEY = re.compile(r"^([A-Za-z][\w-]*)[ \t]*:[ \t]*([^\s\[{&*!|>#][^\r\n#]*)", re.MULTILINE)
_BEFORE_A_MARKER = re.compile(r"[ \t>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t>]+)*\Z")
_ONLY_PREFIX = re.compile(r"[ \t>]*\Z")
_CONTAINERS = ("blockquote", "list_item")


@dataclass(slots=True)
class _Reading:
    """One Markdown file while it is read. `within` has for each token the lists and quotes that it stands in."""

    text: str
    lines: LineStarts
    running: Running
    markers: Markers
    scanner: Scanner
    tokens: Sequence[Token]
    source: Sequence[str]
    within: list[tuple[int, ...]] = field(default_factory=list)
    ends: dict[int, int] = field(default_factory=dict)
    read_markers: set[int] = field(default_factory=set)
    definitions: dict[str, Link] = field(default_factory=dict)
    literal: list[Span] = field(default_factory=list)

    def read(self) -> None:
        self.note_containers()
        self.pair_markers()
        self.read_definitions()
        index = 0
        while index < len(self.tokens):
            if index in self.ends:
                self.running.finish()
                index = self.ends[index]
            else:
                self.read_token(index)
            index += 1
        self.scanner.finish()

    def note_containers(self) -> None:
        stack: list[int] = []
        for index, token in enumerate(self.tokens):
            name = token.type.removesuffix("_open").removesuffix("_close")
            if name in _CONTAINERS and token.nesting < 0:
                stack.pop()
            self.within.append(tuple(stack))
            if name in _CONTAINERS and token.nesting > 0:
                stack.append(index)

    # Markers

    def pair_markers(self) -> None:
        """Find the blocks and the ignored parts; `ends` says which tokens are inside a block."""
        opened: tuple[int, Marker] | None = None
        for index, token in enumerate(self.tokens):
            if token.type != "html_block" or not (span := self.marker_span(token)):
                continue
            self.read_markers.add(index)
            if (marker := self.marker(span)) is None:
                continue
            if marker.word == END:
                self.end_block(opened, index, marker)
                opened = None
                continue
            if opened is not None:
                self.markers.without_end(opened[1])
                opened = None
            if marker.opens:
                opened = (index, marker)
            else:
                self.markers.ignore(marker)
        if opened is not None:
            self.markers.without_end(opened[1])

    def marker_span(self, token: Token) -> Span | None:
        """The comment that an HTML block is, if it is one of ours."""
        if "claimcheck" not in token.content:
            return None
        span = self.span(token)
        at = self.text.find("<!--", span.start, span.end)
        stop = self.text.find("-->", at, span.end)
        return Span(at, stop + 3) if 0 <= at < stop and SIGN.match(self.text, at) else None

    def marker(self, span: Span) -> Marker | None:
        marker = self.markers.read(span)
        if marker is None:
            return None
        before, after = self.text[marker.line.start : span.start], self.text[span.end : marker.line.end]
        if not _BEFORE_A_MARKER.match(before.removeprefix(BOM)) or after.strip():
            self.markers.report(span.start, "a marker stands on a line of its own")
            return None
        return marker

    def end_block(self, opened: tuple[int, Marker] | None, index: int, closing: Marker) -> None:
        if opened is None:
            self.markers.report(closing.span.start, "an end marker without a block that it could end")
            return
        first, opening = opened
        self.ends[first] = index
        prefix = self.text[closing.line.start : closing.span.start]
        if self.within[first] != self.within[index] or not _ONLY_PREFIX.match(prefix):
            message = "the end marker stands in another list or quote than the marker that it ends"
            self.markers.report(closing.span.start, message)
            return
        self.markers.pair(opening, closing, prefix)
        self.literal.append(Span(opening.span.start, closing.span.end))

    # Definitions

    def read_definitions(self) -> None:
        inside = -1
        for index, token in enumerate(self.tokens):
            inside = max(inside, self.ends.get(index, -1))
            if token.type == "inline" and self.tokens[index - 1].type == "paragraph_open" and "]:" in token.content:
                lines = self.content(token)
                for label, link in definitions_of(lines, self.lines, ours=index < inside):
                    self.definitions.setdefault(label_of(label), link)

    # Paragraphs, code, HTML

    def read_token(self, index: int) -> None:
        token = self.tokens[index]
        match token.type:
            case "inline" if self.tokens[index - 1].type in ("paragraph_open", "heading_open"):
                self.running.heading = self.tokens[index - 1].type == "heading_open"
                read_inline(self.content(token), self.scanner, self.definitions)
                self.end_paragraph(token)
                self.running.heading = False
            case "tr_open":
                self.read_row(token)
            case "fence" | "code_block":
                self.read_code(token)
            case "html_block" if index not in self.read_markers:
                span = self.span(token)
                self.scanner.scan(*span)
                self.literal.append(span)
            case _:
                pass

    def read_row(self, token: Token) -> None:
        assert token.map is not None
        number = token.map[0]
        start = self.start(number)
        for first, last in cells(self.source[number]):
            if not self.running.is_blank:
                self.running.shown(start + first, " | ")
            piece = Lines(((start + first, self.source[number][first:last]),))
            read_inline(piece, self.scanner, self.definitions)
        self.end_paragraph(token)

    def end_paragraph(self, token: Token) -> None:
        self.scanner.end_inline(self.span(token).end)

    def read_code(self, token: Token) -> None:
        span = self.span(token)
        self.literal.append(span)
        if self.scanner.hidden:
            return
        start, end = span
        if token.type == "fence":
            start = min(self.text.find("\n", start, end) + 1 or end, end)
            inner = self.text.rfind("\n", start, end - 1) + 1
            end = max(start, inner if inner and token.map and self.is_fence_end(inner, token) else end)
        language = token.info.split()[0].strip("{}.,") if token.info.split() else None
        self.running.code_block(start, end, token.content, language or None)

    def is_fence_end(self, at: int, token: Token) -> bool:
        return self.text[at:].lstrip(" \t>").startswith(token.markup)

    # Lines

    def start(self, number: int) -> int:
        """Where a line begins, behind the encoding mark."""
        return self.lines.starts[number] + (number == 0 and self.text.startswith(BOM))

    def span(self, token: Token) -> Span:
        """The lines of a token, with their ends."""
        assert token.map is not None
        first, last = token.map
        starts = self.lines.starts
        return Span(self.start(first), starts[last] if last < len(starts) else len(self.text))

    def content(self, token: Token) -> Lines:
        """The lines of a paragraph without what stands before them in lists and quotes, each with its offset."""
        assert token.map is not None
        found = []
        for number, line in enumerate(token.content.split("\n"), token.map[0]):
            if number >= len(self.source):
                break
            wanted, written = line.strip(), self.source[number]
            at = len(written.rstrip()) - len(wanted)
            if at < 0 or not written.startswith(wanted, at):
                at = max(0, written.find(wanted))
            found.append((self.start(number) + at, written[at : at + len(wanted)]))
        return Lines(tuple(found))


def read(path: str, text: str, citable: Citable) -> Document:
    """A Markdown file."""
    from markdown_it import MarkdownIt  # late, since most projects have pages in one format only

    lines = LineStarts(path, text)
    front, length = _front_matter(text)
    source = _source_lines(text, length)
    parser = MarkdownIt("commonmark").enable("table").disable(["reference", "inline"])
    definitions: dict[str, Link] = {}
    running = Running(text, lines, citable, definitions)
    markers = Markers.of(text, lines)
    scanner = Scanner(text, running, markers, in_markdown=True)
    tokens = parser.parse("\n".join(source))
    reading = _Reading(text, lines, running, markers, scanner, tokens, source, definitions=definitions)
    reading.read()
    markers.finish()
    problems = [*markers.problems, *scanner.problems, *conflicts(text, lines, reading.literal)]
    ignored, covered = tuple(markers.ignored), Covered(markers.ignored)
    return Document(
        path,
        text,
        "markdown",
        front.get("lang") or front.get("language"),
        tuple(without_ignored(running.paragraphs, ignored)),
        tuple(link for link in definitions.values() if not link.ours and not covered.has(link.start)),
        tuple(markers.blocks),
        tuple(dict.fromkeys(problems)),
        ignored,
        front.get("title") or next((" ".join(one.text.split()) for one in running.paragraphs if one.heading), None),
        front,
    )


def _source_lines(text: str, front: int) -> list[str]:
    """The lines as the parser gets them: without the encoding mark and front matter, each as long as it is.

    A lone CR is a line end for the parser and for nobody else here.
    """
    lines = [line.removesuffix("\r").replace("\r", " ") for line in text.split("\n")]
    lines[0] = lines[0].removeprefix(BOM)
    return ["" if number < front else line for number, line in enumerate(lines)]


def _front_matter(text: str) -> tuple[Mapping[str, str], int]:
    """The keys of the front matter that are plain texts, and how many lines it has."""
    found = _FRONT.match(text, text.startswith(BOM))
    if found is None:
        return {}, 0
    keys: dict[str, str] = {}
    for match in _FRONT_KEY.finditer(found[0]):
        keys.setdefault(match[1].lower(), match[2].strip().strip("\"'"))
    return keys, found[0].count("\n") + (not found[0].endswith("\n"))
