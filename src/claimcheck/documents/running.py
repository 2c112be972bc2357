"""Running text, gathered piece by piece by the readers of the formats, to paragraphs with citations, links and code.

A paragraph is held twice while it is read: as the reader sees it, and as citations are looked for in it, where code
and escaped brackets are stand-ins. Both have the same length, so that one index is good for both.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from claimcheck.documents.citable import Citable
from claimcheck.documents.document import Citation, Code, Covered, LineStarts, Link, LinkForm, Paragraph, Span

STAND_IN = "\ufffc"
MOST_AROUND = 300  # characters of a sentence on each side of a citation

# `[^V-POOL]` is how books in Markdown cite a note; `[^V-POOL]: …` is the note itself.
_BRACKET = re.compile(r"(?:[\[［]|\[\^(?=[^\[\]\n]+\](?!:)))([^\[\]［］^]{1,400})[\]］]")
_ITEM = re.compile(r"[^\s,，、;；/]+")
_LOOKS_LIKE_ID = re.compile(r"[A-Z0-9]+(?:[-.][A-Za-z0-9]+)+\Z")
_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]{1,2000}")
_BRACKETS = str.maketrans("[]［］", STAND_IN * 4)

_CLOSERS = "\"'”’」』)）》]"
_SENTENCE_END = re.compile(
    rf"(?:[。！？]++|(?<![.!?])[.!?]++(?=[{re.escape(_CLOSERS)}]*+(?:\s++(?![a-z0-9])|\Z)))[{re.escape(_CLOSERS[:-1])}]*+"
    r"(?:\s*+[\[［][^\[\]［］]{1,400}[\]］])*+"
)
_WIDE = r"\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_BROKEN_LINE = re.compile(rf"(?<=[{_WIDE}])[ \t]*\r?\n\s*(?=[{_WIDE}])")


def plain(text: str) -> str:
    """A text on one line: white space as single blanks, and none where a line was broken between Chinese characters."""
    return " ".join(_BROKEN_LINE.sub("", text).split())


@dataclass(slots=True)
class _OpenLink:
    """A link of a paragraph that is being read; `first` and `last` are indexes of the paragraph's text."""

    target: str
    form: LinkForm
    start: int
    end: int
    whole: Span
    first: int
    last: int
    ours: bool = False


@dataclass(slots=True)
class Running:
    """The paragraphs of a document while it is read. `definitions` are the links that labels stand for."""

    source: str
    lines: LineStarts
    citable: Citable
    definitions: Mapping[str, Link] = field(default_factory=dict)
    paragraphs: list[Paragraph] = field(default_factory=list)
    heading: bool = False
    _seen: list[str] = field(default_factory=list)
    _matched: list[str] = field(default_factory=list)
    _pieces: list[tuple[int, int]] = field(default_factory=list)
    _length: int = 0
    _links: list[_OpenLink] = field(default_factory=list)
    _code: list[Code] = field(default_factory=list)
    _blocks: list[Code] = field(default_factory=list)

    def text(self, start: int, end: int) -> None:
        """Text that the reader sees as it is written."""
        if start < end:
            written = self.source[start:end]
            self._add(start, written, written)

    def shown(self, start: int, characters: str) -> None:
        """What is written otherwise than it is seen: an entity, an escaped character. Its brackets are no citation's."""
        self._add(start, characters, characters.translate(_BRACKETS))

    def masked(self, start: int, characters: str) -> None:
        """What is seen and cites nothing: code, and addresses."""
        self._add(start, characters, STAND_IN * len(characters))

    def code(self, start: int, end: int, text: str, language: str | None = None) -> None:
        """A code span that is seen already."""
        self._code.append(Code(text, self.lines.place(start), start, end, language=language))

    def code_block(self, start: int, end: int, text: str, language: str | None = None) -> None:
        """A block of code: it belongs to the paragraph before it, if there is one."""
        self.finish()
        code = Code(text, self.lines.place(start), start, end, block=True, language=language)
        if not self.paragraphs or self.paragraphs[-1].heading:
            self.paragraphs.append(Paragraph("", Span(start, end), pieces=((0, start),)))
        self._blocks.append(code)

    def link(
        self, target: str, form: LinkForm, address: Span, whole: Span, first: int, last: int, ours: bool = False
    ) -> None:
        """A link over a part of the text, given by indexes as `index` tells them."""
        self._links.append(_OpenLink(target, form, *address, whole, first, last, ours))

    @property
    def index(self) -> int:
        """How long the paragraph's text is by now."""
        return self._length

    @property
    def is_blank(self) -> bool:
        """Whether nothing but blanks is in the paragraph by now."""
        return not any(piece.strip() for piece in self._seen)

    def _add(self, start: int, seen: str, matched: str) -> None:
        self._pieces.append((self._length, start))
        self._seen.append(seen)
        self._matched.append(matched)
        self._length += len(seen)

    def finish(self) -> None:
        """End the paragraph."""
        if self._pieces:
            paragraph = self._paragraph()
            if paragraph.text.strip() or paragraph.links:
                self._give_blocks()
                self.paragraphs.append(paragraph)
        self._seen, self._matched, self._pieces, self._length = [], [], [], 0
        self._links, self._code = [], []

    def end(self) -> None:
        """End the document."""
        self.finish()
        self._give_blocks()

    def _give_blocks(self) -> None:
        """Give the blocks of code that were read to the paragraph before them."""
        if self._blocks:
            self.paragraphs[-1] = replace(self.paragraphs[-1], code=(*self.paragraphs[-1].code, *self._blocks))
            self._blocks = []

    def _paragraph(self) -> Paragraph:
        seen, matched = "".join(self._seen), "".join(self._matched)
        pieces = tuple(self._pieces)
        last, at = pieces[-1]
        found = Paragraph(
            seen,
            Span(pieces[0][1], at + self._length - last),
            code=tuple(self._code),
            heading=self.heading,
            pieces=pieces,
        )
        around = sorted(self._links, key=lambda link: (link.first, -link.last))
        links = [self._link(link, seen) for link in around]
        citations = tuple(self._citations(found, matched, around, links))
        if "://" in matched:
            links += self._bare(found, matched, around)
        absolute = tuple(link for link in links if "://" in link.target and not link.ours)
        return replace(found, citations=citations, links=absolute)

    def _link(self, link: _OpenLink, seen: str) -> Link:
        place = self.lines.place(link.start)
        text = plain(seen[link.first : link.last])
        return Link(link.target, link.form, place, link.start, link.end, link.whole, text, link.ours)

    def _bare(self, paragraph: Paragraph, matched: str, around: Sequence[_OpenLink]) -> Iterator[Link]:
        """Addresses in the text that are no links yet."""
        starts = [link.first for link in around]
        for match in _ADDRESS.finditer(matched):
            nearest = bisect_right(starts, match.start()) - 1
            if nearest >= 0 and match.start() < around[nearest].last:
                continue
            address = _without_trailing(match[0])
            start = paragraph.offset(match.start())
            span = Span(start, start + len(address))
            if self.source[start : span.end] == address:
                yield Link(address, LinkForm.BARE, self.lines.place(start), *span, span, address)

    def _citations(
        self, paragraph: Paragraph, matched: str, around: Sequence[_OpenLink], links: Sequence[Link]
    ) -> Iterator[Citation]:
        sentences: _Sentences | None = None
        starts = [link.first for link in around]
        for match in _BRACKET.finditer(matched):
            for start, id in self._ids(paragraph, match):
                sentences = sentences or _Sentences(paragraph.text, matched)
                nearest = bisect_right(starts, start) - 1
                link = links[nearest] if nearest >= 0 and start < around[nearest].last else None
                bracket = Span(paragraph.offset(match.start()), paragraph.offset(match.end() - 1) + 1)
                if link is None and (definition := self.definitions.get(label_of(match[1]))):
                    link = replace(definition, form=LinkForm.REFERENCE, whole=bracket, text=id)
                at = paragraph.offset(start)
                yield Citation(
                    id,
                    self.lines.place(at),
                    at,
                    at + len(id),
                    bracket,
                    sentences.around(match.start()),
                    link,
                )

    def _ids(self, paragraph: Paragraph, match: re.Match[str]) -> Iterator[tuple[int, str]]:
        """The IDs that a bracket cites, each with its index in the text; none if there is anything else in it."""
        items = [(item.start() + match.start(1), item[0]) for item in _ITEM.finditer(match[1])]
        if not all(_LOOKS_LIKE_ID.match(item) for _, item in items):
            return
        citable = [(start, item) for start, item in items if item in self.citable]
        before = match.string[match.start() - 1] if match.start() else ""
        indexes = before.isascii() and (before.isalnum() or before == "_") and not match[0].startswith("[^")
        for start, id in citable:
            at = paragraph.offset(start)
            if indexes and id not in self.citable.defined:
                continue
            if self.source[at : at + len(id)] == id:
                yield start, id


def looks_like_ids(text: str) -> bool:
    """Whether there is nothing but IDs in a text, of whatever kind and whoever's."""
    items = _ITEM.findall(text)
    return bool(items) and all(_LOOKS_LIKE_ID.match(item) for item in items)


class _Sentences:
    """The sentences of a paragraph, found by where they end."""

    def __init__(self, text: str, matched: str) -> None:
        self._text = text
        self._ends = [match.end() for match in _SENTENCE_END.finditer(matched)]

    def around(self, index: int) -> str:
        """The sentence that an index stands in; what follows the full stop in brackets belongs to it."""
        after = bisect_right(self._ends, index)
        first = self._ends[after - 1] if after else 0
        last = self._ends[after] if after < len(self._ends) else len(self._text)
        start, end = max(first, index - MOST_AROUND), min(last, index + MOST_AROUND)
        sentence = plain(self._text[start:end])
        return "…" * (first < start) + sentence + "…" * (end < last)


def label_of(text: str) -> str:
    """A label as definitions are compared by."""
    return " ".join(text.split()).casefold()


def _without_trailing(address: str) -> str:
    """An address without the punctuation of the sentence that it ends."""
    surplus = address.count(")") - address.count("(")
    end = len(address)
    while end:
        last = address[end - 1]
        if last == ")" and surplus > 0:
            surplus -= 1
        elif last not in ".,;:!?'*_~":
            break
        end -= 1
    return address[:end]


def without_ignored(paragraphs: Sequence[Paragraph], ignored: Sequence[Span]) -> Iterator[Paragraph]:
    """The paragraphs, where nothing that an ignore marker covers is a citation, a link or code."""
    if not ignored:
        yield from paragraphs
        return
    covered = Covered(ignored)
    for paragraph in paragraphs:
        yield replace(
            paragraph,
            citations=tuple(one for one in paragraph.citations if not covered.has(one.start)),
            links=tuple(one for one in paragraph.links if not covered.has(one.whole.start)),
            code=tuple(one for one in paragraph.code if not covered.has(one.start)),
        )
