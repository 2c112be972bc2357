"""A record's Markdown: blocks from markdown-it-py, and what stands in their lines with its columns.

The parser's inline tokens carry no columns, and it swallows link definitions without a trace. So it is asked for
blocks only, and code spans, citations and cells are found here, in the lines as they are written.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from functools import cached_property

from markdown_it import MarkdownIt
from markdown_it.token import Token

from claimcheck.documents.cells import cells
from claimcheck.model import Place
from claimcheck.registry import fits
from claimcheck.texts import split_lines
from claimcheck.values import frozen

MAX_ID = 80
DEFINITION = re.compile(r"[ >]*\[(?P<label>[^\[\]]{1,200})\]:[ \t]*(?:<(?P<bracketed>[^<>]*)>|(?P<plain>\S+))")

_CONFLICT = re.compile(r"(?:<{7}|>{7})(?: |$)")
_BRACKET = re.compile(r"\[([^\[\]]{1,400})\]")
_LIST_IN_BRACKET = re.compile(r"\s*[,，、;；/\s]\s*")
_BACKTICKS = re.compile(r"`+")
_HEADING = re.compile(r"[ >]*#{1,6}(?:[ \t]+|$)|[ \t]+#+[ \t]*$")


@frozen
class Cell:
    """A table cell's text without the blanks around it; `column` is the column of its first character."""

    text: str
    line: int
    column: int


@frozen
class Table:
    """A table's header and rows; a row has as many cells as were written."""

    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]


@frozen
class Block:
    """Lines of running text: a paragraph, a heading, the row of a table."""

    first: int
    last: int


@frozen
class Heading:
    line: int
    level: int
    text: str


@frozen
class Item:
    """An item of a numbered list; `simple` when it is one paragraph and nothing else."""

    number: int
    first: int
    last: int
    simple: bool


@frozen
class NumberedList:
    """A numbered list that stands in no other list or quotation."""

    first: int
    items: tuple[Item, ...]


@frozen
class Citation:
    """An ID in square brackets."""

    id: str
    line: int
    column: int


@frozen
class CodeSpan:
    """A code span by its offsets in a text; `code` is what it shows."""

    start: int
    end: int
    code: str


@frozen(slots=False)
class Page:
    """A Markdown file: its lines, and its blocks in their order."""

    path: str
    lines: tuple[str, ...]
    headings: tuple[Heading, ...]
    paragraphs: tuple[Block, ...]
    tables: tuple[Table, ...]
    lists: tuple[NumberedList, ...]
    literal: frozenset[int]

    def place(self, line: int, column: int = 1) -> Place:
        return Place(self.path, line, column)

    def text(self, block: Block) -> str:
        return "\n".join(self.lines[block.first - 1 : block.last])

    @cached_property
    def conflicts(self) -> tuple[int, ...]:
        """The lines of merge conflict markers outside code."""
        return tuple(n for n, line in enumerate(self.lines, 1) if _CONFLICT.match(line) and n not in self.literal)

    @cached_property
    def rows(self) -> frozenset[int]:
        """The lines that are rows of a table."""
        return frozenset(cell.line for table in self.tables for row in (table.header, *table.rows) for cell in row[:1])

    def citations(self, defined: Container[str]) -> Iterator[Citation]:
        """Every ID that running text cites, in the order of the file.

        A bracket right behind a letter or digit (`a[I-1]`) is an index, unless the ID is defined.
        """
        rows = (Block(line, line) for line in self.rows)
        for block in sorted((*self.paragraphs, *rows), key=lambda block: block.first):
            for number, line in enumerate(masked(self.text(block)).split("\n"), block.first):
                for start, _, ids in brackets(line, defined):
                    yield from (Citation(id, number, start + 1) for id in ids)


def read_page(path: str, text: str) -> Page:
    """The blocks of a Markdown text; lines are counted by LF."""
    lines = tuple(line.removesuffix("\r") for line in split_lines(text))
    parser = MarkdownIt("commonmark").enable("table").disable(["reference", "inline"])
    # A lone CR is a line end for the parser and for nobody else here.
    tokens = parser.parse("\n".join(lines).replace("\r", " "))
    return Page(
        path,
        lines,
        tuple(_headings(tokens, lines)),
        tuple(Block(*_span(token)) for token in tokens if token.type in ("paragraph_open", "heading_open")),
        tuple(_tables(tokens, lines)),
        tuple(_lists(tokens)),
        frozenset(
            n
            for token in tokens
            if token.type in ("fence", "code_block", "html_block")
            for n in range(_span(token)[0], _span(token)[1] + 1)
        ),
    )


def brackets(line: str, defined: Container[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The citations of one line whose code is masked: where each bracket starts and ends, and its IDs."""
    if line.lstrip(" >").startswith("[") and DEFINITION.match(line):
        return
    for match in _BRACKET.finditer(line):
        ids = tuple(_LIST_IN_BRACKET.split(match[1].strip()))
        before = line[match.start() - 1] if match.start() else ""
        if before in ("\\", "!"):
            continue
        if not all(fits("anchor-id", id) or fits("example-id", id) or id in defined for id in ids):
            continue
        if before.isascii() and (before.isalnum() or before == "_") and not all(id in defined for id in ids):
            continue
        yield match.start(), match.end(), ids


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
        if _escaped(text, start):
            start += 1
        closing = later[end - start] if end > start else []
        while closing and closing[-1] <= index:
            closing.pop()
        if not closing:
            index += 1
            continue
        partner = closing[-1]
        spans.append(CodeSpan(start, runs[partner][1], _shown(text[end : runs[partner][0]])))
        index = partner + 1
    return spans


def _shown(code: str) -> str:
    code = code.replace("\n", " ")
    if code.startswith(" ") and code.endswith(" ") and code.strip(" "):
        code = code[1:-1]
    return code


def _escaped(text: str, at: int) -> bool:
    backslashes = 0
    while at - backslashes > 0 and text[at - backslashes - 1] == "\\":
        backslashes += 1
    return backslashes % 2 == 1


def masked(text: str) -> str:
    """A text of the same length in which code spans and HTML comments are blanks."""
    pieces: list[str] = []
    done = 0
    for span in code_spans(text):
        pieces += (text[done : span.start], _blank(text[span.start : span.end]))
        done = span.end
    return _without_comments("".join(pieces) + text[done:])


def _without_comments(text: str) -> str:
    pieces: list[str] = []
    done = 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        pieces += (text[done:start], _blank(text[start : end + 3]))
        done = end + 3
    return "".join(pieces) + text[done:]


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _span(token: Token) -> tuple[int, int]:
    assert token.map is not None
    return token.map[0] + 1, token.map[1]


def _headings(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[Heading]:
    for token in tokens:
        if token.type == "heading_open":
            line = _span(token)[0]
            yield Heading(line, int(token.tag[1:]), _HEADING.sub("", lines[line - 1]).strip())


def _tables(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[Table]:
    rows: list[tuple[Cell, ...]] = []
    for token in tokens:
        if token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            number = _span(token)[0]
            rows.append(tuple(_cells(lines[number - 1], number)))
        elif token.type == "table_close":
            yield Table(rows[0], tuple(rows[1:]))


def _cells(line: str, number: int) -> Iterator[Cell]:
    """The cells of a row: a pipe ends a cell unless a backslash stands before it, in code too."""
    for first, last in cells(line):
        yield Cell(line[first:last], number, first + 1)


def _lists(tokens: Sequence[Token]) -> Iterator[NumberedList]:
    for index, token in enumerate(tokens):
        if token.type == "ordered_list_open" and token.level == 0:
            yield NumberedList(_span(token)[0], tuple(_items(tokens, index + 1)))


def _items(tokens: Sequence[Token], index: int) -> Iterator[Item]:
    while tokens[index].type != "ordered_list_close" or tokens[index].level != 0:
        if tokens[index].type == "list_item_open" and tokens[index].level == 1:
            opening = tokens[index]
            blocks: list[str] = []
            while tokens[index].type != "list_item_close" or tokens[index].level != 1:
                if tokens[index].level == 2 and tokens[index].nesting >= 0:
                    blocks.append(tokens[index].type)
                index += 1
            yield Item(int(opening.info), *_span(opening), simple=blocks == ["paragraph_open"])
        index += 1
