"""Finding a quoted passage in a document: by what the reader sees, whatever the markup and the line breaks are."""

from __future__ import annotations

import html
from collections.abc import Iterator

from claimcheck.documents import Document, Paragraph
from claimcheck.values import frozen


@frozen
class Passage:
    """Where a quote stands: offsets of its first and behind its last character, and its first line.

    `plain` says that the document has exactly the quoted characters there, so that no markup stands between them.
    """

    start: int
    end: int
    line: int
    plain: bool


def passages(document: Document, quote: str) -> list[Passage]:
    """Every place where a document says what is quoted, in the order of its text.

    White space is not compared: lines are broken anywhere, and between Chinese characters none is meant.
    """
    wanted = squeezed(quote)[0]
    return [found for paragraph in document.paragraphs for found in _in_paragraph(document, paragraph, wanted, quote)]


def says(document: Document, quote: str) -> bool:
    """Whether a document says what is quoted."""
    return bool(passages(document, quote))


def squeezed(text: str) -> tuple[str, list[int]]:
    """A text without its white space, and where each character that is left stood."""
    kept = [(at, character) for at, character in enumerate(text) if not character.isspace()]
    return "".join(character for _, character in kept), [at for at, _ in kept]


def _in_paragraph(document: Document, paragraph: Paragraph, wanted: str, quote: str) -> Iterator[Passage]:
    text, at = squeezed(paragraph.text)
    found = text.find(wanted) if wanted else -1
    while found >= 0:
        start = paragraph.offset(at[found])
        end = paragraph.offset(at[found + len(wanted) - 1])
        end += _length_at(document, end, text[found + len(wanted) - 1])
        between = document.text[start:end]
        line = document.place(start).line
        assert line is not None
        yield Passage(start, end, line, squeezed(html.unescape(between))[0] == wanted or between == quote)
        found = text.find(wanted, found + len(wanted))


def _length_at(document: Document, offset: int, character: str) -> int:
    """How many characters of the document stand for one that the reader sees: an entity has several."""
    if document.text.startswith(character, offset):
        return 1
    end = document.text.find(";", offset, offset + 40)
    return end + 1 - offset if end >= 0 else 1
