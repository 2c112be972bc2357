"""The sentences that rest on an anchor, and the documents that have them, as the page of a drift shows them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import assert_never

from claimcheck.drift import AnchorDrift
from claimcheck.library import Sentence as Quoted
from claimcheck.model import Citing, Claim, Erratum, Example
from claimcheck.values import frozen

UNCITED = "cited by nothing"
EXAMPLE = "example"

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")


@frozen
class Sentence:
    """A claim, example, correction or sentence of a document that cites the anchor."""

    id: str
    what: str
    text: str
    language: str | None
    document: str
    basis: str = ""
    status: str = ""
    remarks: tuple[tuple[str, str | None], ...] = ()


def sentences_of(one: AnchorDrift, lessons: Mapping[str, str]) -> tuple[Sentence, ...]:
    """What the page shows of all that cites an anchor; `lessons` has the documents of lessons."""
    said = {change.id: change.said for change in one.claims}
    entries = (_entry(entry, said.get(entry.id, ""), _document(entry, lessons)) for entry in one.cited_by)
    return (*entries, *map(_quoted, one.sentences))


def documents_of(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """The documents that have these sentences.

    Examples are shown in documents of others, so they count only where there is nothing else.
    """
    counting = [each for each in sentences if each.what != EXAMPLE] or sentences
    return tuple(sorted({each.document for each in counting}, key=natural)) or (UNCITED,)


def _document(entry: Citing, lessons: Mapping[str, str]) -> str:
    """The document that has the entry's sentence: its lesson's, and without a lesson the file that it is written in."""
    lesson = None if isinstance(entry, Example) else entry.lesson
    return lessons.get(lesson, lesson) if lesson else entry.places[""].path


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key by which names are sorted as people do: `V9` before `V10`."""
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in re.split(r"([0-9]+)", name) if p]


def _quoted(sentence: Quoted) -> Sentence:
    place = sentence.place
    text = " ".join(sentence.text.split())
    return Sentence(f"{place.path}:{place.line}", "sentence", text, _language(text), place.path)


def _entry(entry: Citing, said: str, document: str) -> Sentence:
    match entry:
        case Claim():
            remarks = [entry.note] if entry.note else []
            remarks += [f"condition: {caveat.text}" for caveat in entry.caveats]
            remarks = [" ".join(remark.split()) for remark in remarks]
            text = " ".join(entry.text.split())
            told = tuple((remark, _language(remark)) for remark in remarks)
            return Sentence(entry.id, "claim", text, _language(text), document, entry.basis.value, said, told)
        case Example():
            text = " ".join(entry.title.split())
            return Sentence(entry.id, EXAMPLE, text, _language(text), document)
        case Erratum():
            text = " ".join(entry.wrong.split())
            instead = "instead: " + " ".join(entry.instead.split())
            told = ((instead, _language(instead)),)
            return Sentence(entry.id, "erratum", text, _language(text), document, remarks=told)
    assert_never(entry)


def of_document(said: Quoted) -> Sentence:
    """What the page shows of a sentence of a document that cites an anchor."""
    path = said.place.path
    return Sentence(f"{path}:{said.place.line}", "document", said.text, _language(said.text), path)


def _language(text: str) -> str | None:
    """The language by which a browser chooses the shapes of characters, where the script tells it."""
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    return "zh" if _HAN.search(text) else None
