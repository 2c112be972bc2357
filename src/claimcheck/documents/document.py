"""What is in a document: running text with citations, links and code, and the blocks that claimcheck owns.

Every offset counts code points of `Document.text`, which is the file as it is: with its encoding mark, its line ends
and whatever is wrong with its markup. UTF-8 has one form for each text, so a text that is changed at some offsets and
encoded again is the same file everywhere else.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import NamedTuple

from claimcheck.model import Place
from claimcheck.values import frozen

BOM = "\ufeff"
MAX_OFFSET = 1 << 40


class Span(NamedTuple):
    """A part of a document's text."""

    start: int
    end: int


class Covered:
    """Parts of a text, which may overlap, asked whether an offset is in one of them."""

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [span.start for span in ordered]
        reach = 0
        self._reach = [reach := max(reach, span.end) for span in ordered]

    def has(self, offset: int) -> bool:
        nearest = bisect_right(self._starts, offset) - 1
        return nearest >= 0 and offset < self._reach[nearest]


class LinkForm(enum.Enum):
    """How a link is written."""

    ELEMENT = "element"  # <a href="…">
    INLINE = "inline"  # [text](address)
    REFERENCE = "reference"  # [text][label] or [label], whose address a definition has
    DEFINITION = "definition"  # [label]: address
    BARE = "bare"  # an address in running text, or in <…>


@frozen
class Link:
    """A link. `start` and `end` are those of the address as written; a reference's are those of its definition.

    `whole` is all of it: from `<a` to behind `</a>`, from bracket to bracket, the definition without its line end.
    `text` is what the reader sees, or a definition's label. `ours` says that claimcheck wrote it (class `cc-cite`, or a
    definition inside a block).
    """

    target: str
    form: LinkForm
    place: Place
    start: int
    end: int
    whole: Span
    text: str
    ours: bool = False


@frozen
class Citation:
    """An ID that running text cites. `start` and `end` are those of the ID; `bracket` is the pair around it.

    In `[V-PACK, V-META]` two citations share a bracket. `sentence` is the sentence around it as plain text. `link` is
    there when the citation is a link already: around it (`<a>[V-POOL]</a>`), by `[V-POOL](…)` or by a definition.
    """

    id: str
    place: Place
    start: int
    end: int
    bracket: Span
    sentence: str
    link: Link | None = None


@frozen
class Code:
    """Code as the reader sees it: a code span or `<code>`; a fence, an indented block or `<pre>` when `block`.

    `language` is what a fence or a class says. `start` and `end` are those of the code without its marks.
    """

    text: str
    place: Place
    start: int
    end: int
    block: bool = False
    language: str | None = None


@frozen
class Paragraph:
    """Running text that belongs together: a paragraph, heading, list item or table cell, as the reader sees it.

    A code block belongs to the paragraph before it, unless a heading stands between them. `pieces` says where in the
    document which part of `text` stands.
    """

    text: str
    span: Span
    citations: tuple[Citation, ...] = ()
    links: tuple[Link, ...] = ()
    code: tuple[Code, ...] = ()
    heading: bool = False
    pieces: tuple[tuple[int, int], ...] = field(default=(), repr=False)

    def offset(self, index: int) -> int:
        """Where a character of `text` stands in the document."""
        piece = bisect_right(self.pieces, (index, MAX_OFFSET)) - 1
        start, at = self.pieces[piece]
        return at + index - start


@frozen
class Subject:
    """An ID, or a lesson, that a block's marker names."""

    text: str
    start: int
    end: int


@frozen
class Block:
    """A part of the document that claimcheck owns: `<!-- claimcheck: KIND … -->` to `<!-- claimcheck: end … -->`.

    `opening` and `closing` are the two comments, `inner` is what stands between their lines. `prefix` is what every
    line of the block begins with (indentation, `> `). `content` is the inner text as it was generated: without the
    prefix, with LF, without a final line end. `digest` is what the end marker says about it. `cites` says that the
    subjects are IDs, not lessons or vendors.
    """

    kind: str
    subjects: tuple[Subject, ...]
    options: Mapping[str, str]
    place: Place
    opening: Span
    inner: Span
    closing: Span
    prefix: str
    content: str
    digest: str | None
    cites: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(subject.text for subject in self.subjects)


class Trouble(enum.Enum):
    """What can be wrong with a document itself."""

    UNREADABLE = "unreadable"  # not UTF-8, too large, no file
    CONFLICT = "conflict"  # markers of a merge
    MARKER = "marker"  # a comment of ours that cannot be understood, or has no partner
    UNCLOSED = "unclosed"  # markup that never ends and so hides the rest


@frozen
class Problem:
    """Something that is wrong with a document itself, in a sentence, and what to paste."""

    trouble: Trouble
    place: Place
    message: str
    help: str | None = None


@frozen(slots=False)
class Document:
    """A lesson or chapter as it was read.

    What stands inside blocks is in no paragraph; of ignored parts only the text is there, and no citation, link or
    code. `front` has the keys of a Markdown file's front matter or of an HTML file's `<meta name content>`, as far as
    they are plain texts.
    """

    path: str
    text: str
    format: str
    language: str | None = None
    paragraphs: tuple[Paragraph, ...] = ()
    definitions: tuple[Link, ...] = ()
    blocks: tuple[Block, ...] = ()
    problems: tuple[Problem, ...] = ()
    ignored: tuple[Span, ...] = ()
    title: str | None = None
    front: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation in running text, in the order of the file."""
        return tuple(citation for paragraph in self.paragraphs for citation in paragraph.citations)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Every absolute address that an author wrote, each once: in text, as markup, in definitions."""
        found = [link for paragraph in self.paragraphs for link in paragraph.links]
        written = [link for link in found if link.form is not LinkForm.REFERENCE]
        absolute = [link for link in self.definitions if "://" in link.target]
        return tuple(sorted((*written, *absolute), key=lambda link: link.start))

    @cached_property
    def cited(self) -> tuple[str, ...]:
        """Every ID that the document names, in text or in the marker of a block, each once."""
        named = (subject.text for block in self.blocks for subject in block.subjects if block.cites)
        return tuple(dict.fromkeys((*(citation.id for citation in self.citations), *named)))

    def mentions(self, id: str) -> Iterator[Span]:
        """Where an ID stands that has to be renamed with it: citations, markers of blocks, labels of definitions."""
        yield from (Span(one.start, one.end) for one in self.citations if one.id == id)
        yield from (Span(one.start, one.end) for block in self.blocks for one in block.subjects if one.text == id)
        for link in self.definitions:
            if link.text == id:
                yield Span(link.whole.start + 1, link.whole.start + 1 + len(id))

    def is_ignored(self, offset: int) -> bool:
        """Whether an ignore marker covers an offset."""
        return self._ignored.has(offset)

    @cached_property
    def _ignored(self) -> Covered:
        return Covered(self.ignored)

    def place(self, offset: int) -> Place:
        """Where an offset is, in lines and columns; the encoding mark is in none of them."""
        return self._lines.place(offset)

    def line_end(self, offset: int) -> str:
        """How lines end around an offset: as its own line does, or the last one before it that has an end."""
        at = self.text.find("\n", offset)
        if at < 0:
            at = self.text.rfind("\n")
        return "\r\n" if at > 0 and self.text[at - 1] == "\r" else "\n"

    @cached_property
    def _lines(self) -> LineStarts:
        return LineStarts(self.path, self.text)


class LineStarts:
    """Where the lines of a document start: `starts` has their offsets, `place` gives lines and columns."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._mark = text.startswith(BOM)

    def place(self, offset: int) -> Place:
        """Lines are counted by LF from 1, columns in code points from 1; the encoding mark is in no column."""
        line = bisect_right(self.starts, offset)
        mark = self._mark and line == 1 and offset > 0
        return Place(self._path, line, offset - self.starts[line - 1] + 1 - mark)
