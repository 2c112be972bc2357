"""The text behind the citations of a paragraph, for the rules that compare what it says with it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from claimcheck.corpus import Corpus
from claimcheck.documents import Document, Paragraph
from claimcheck.finding import Quote
from claimcheck.model import Anchor
from claimcheck.quoting import Tokens, tokens
from claimcheck.rules.evidence import quote
from claimcheck.rules.in_documents import cited_anchors
from claimcheck.sighting import Sighting
from claimcheck.texts import SourceText
from claimcheck.values import frozen


@frozen(slots=False)
class _Seen:
    """An anchor's lines where it was seen, as tokens, and the names that it is known by."""

    sighting: Sighting
    source: SourceText
    regions: tuple[Tokens, ...]
    names: frozenset[str]

    @cached_property
    def file(self) -> Tokens:
        return Tokens.of(self.source.text)

    def line(self, code: str) -> int | None:
        """The line of the file in which code begins."""
        index = self.file.first(code)
        if index is None:
            return None
        for number, line in enumerate(self.source.lines, 1):
            index -= len(tokens(line))
            if index < 0:
                return number
        return None


@frozen
class CitedText:
    """What a paragraph cites: every anchor of it was read."""

    corpus: Corpus
    seen: tuple[_Seen, ...]

    @property
    def ids(self) -> list[str]:
        return [one.sighting.anchor.id for one in self.seen]

    @property
    def paths(self) -> list[str]:
        return [one.sighting.path for one in self.seen]

    @property
    def quotes(self) -> Iterator[Quote]:
        """Where each anchor was looked at, without lines."""
        yield from (quote(self.corpus, one.sighting) for one in self.seen[:3])

    def has(self, code: str) -> bool:
        return any(region.has(code) for one in self.seen for region in one.regions)

    def has_word(self, word: str) -> bool:
        return any(word in one.names or any(region.has_word(word) for region in one.regions) for one in self.seen)

    def file_has_word(self, word: str) -> bool:
        return self.has_word(word) or any(one.file.has_word(word) for one in self.seen)

    def where(self, code: str) -> str:
        """`, but in line 9 of pool.py`, where one of the files has the code elsewhere; or that none of them has it."""
        for one in self.seen:
            if line := one.line(code):
                return f", but in line {line} of {one.sighting.path}"
        return ", nor elsewhere in its file" if len(self.seen) == 1 else ", nor elsewhere in their files"


def citing_paragraphs(corpus: Corpus) -> Iterator[tuple[Document, Paragraph, CitedText]]:
    """The paragraphs with code that cite anchors, where all of these were read.

    Where one was not, nothing is said: what is looked for may stand there, and the anchor has its own finding.
    """
    known: dict[str, _Seen | None] = {}
    for document in corpus.documents:
        for paragraph in document.paragraphs:
            if not paragraph.code or not paragraph.citations:
                continue
            anchors = cited_anchors(corpus, paragraph)
            for anchor in anchors:
                if anchor.id not in known:
                    known[anchor.id] = _see(corpus, anchor)
            seen = [one for anchor in anchors if (one := known[anchor.id]) is not None]
            if seen and len(seen) == len(anchors):
                yield document, paragraph, CitedText(corpus, tuple(seen))


def _see(corpus: Corpus, anchor: Anchor) -> _Seen | None:
    sighting = corpus.sightings.get(anchor.id)
    if sighting is None or sighting.revision is None or not sighting.spots:
        return None
    source = corpus.read(sighting)
    if source is None or any(spot.path != sighting.path or spot.lines.last > len(source) for spot in sighting.spots):
        return None
    regions = tuple(Tokens.of(source.cut(spot.lines)) for spot in sighting.spots if len(spot.lines))
    entry = corpus.registry.lock_of(anchor)
    locked = [region.symbol for region in entry.regions] if entry else []
    symbols = [*(spot.symbol for spot in sighting.spots), *locked, anchor.symbol]
    names = [symbol for symbol in symbols if symbol]
    words = {word for name in names for word in name.replace("::", ".").split(".")}
    return _Seen(sighting, source, regions, frozenset(words))
