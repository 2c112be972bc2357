"""The sentences that rest on an anchor, and the documents that have them, as the page of a drift shows them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import assert_never

from claimcheck.documents import Sentence as Quoted
from claimcheck.drift import AnchorDrift
from claimcheck.model import Citing, Claim, Erratum, Example

UNCITED = "cited by nothing"

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A claim, example or erratum that cites the anchor, or a sentence of a document by its place."""

    id: str
    what: str
    text: str
    language: str | None
    document: str
    basis: str = ""
    status: str = ""
    remarks: tuple[tuple[str, str | None], ...] = ()


def documents_of(one: AnchorDrift) -> tuple[str, ...]:
    """The documents that cite an anchor.

    Examples are shown in documents of others, so they count only where nothing else cites the anchor.
    """
    sentences = [entry for entry in one.cited_by if not isinstance(entry, Example)] or one.cited_by
    names = {*map(_document, sentences), *(sentence.place.path for sentence in one.sentences)}
    return tuple(sorted(names, key=natural)) or (UNCITED,)


def _document(entry: Citing) -> str:
    """The document that has the entry's sentence: its lesson, and without one the file that it is written in."""
    lesson = None if isinstance(entry, Example) else entry.lesson
    return lesson or entry.places[""].path


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key by which names are sorted as people do: `V9` before `V10`."""
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in re.split(r"([0-9]+)", name) if p]


def sentence(entry: Citing, said: str) -> Sentence:
    """What the page shows of an entry that cites an anchor; `said` is what its checks say, of a claim."""
    match entry:
        case Claim():
            remarks = [entry.note] if entry.note else []
            remarks += [f"condition: {caveat.text}" for caveat in entry.caveats]
            remarks = [" ".join(remark.split()) for remark in remarks]
            text = " ".join(entry.text.split())
            told = tuple((remark, _language(remark)) for remark in remarks)
            return Sentence(entry.id, "claim", text, _language(text), _document(entry), entry.basis.value, said, told)
        case Example():
            text = " ".join(entry.title.split())
            return Sentence(entry.id, "example", text, _language(text), _document(entry))
        case Erratum():
            text = " ".join(entry.wrong.split())
            instead = "instead: " + " ".join(entry.instead.split())
            told = ((instead, _language(instead)),)
            return Sentence(entry.id, "erratum", text, _language(text), _document(entry), remarks=told)
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
