"""From a document and the contents of its blocks to the document as it should be: values in, a text or a reason out.

This is what workers do, so everything here can be sent to one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby

from claimcheck.documents import Block, Citation, Document, Span, fill, splice
from claimcheck.edit import Edit
from claimcheck.model import Place
from claimcheck.rendering.contents import Content
from claimcheck.rendering.pieces import Pieces
from claimcheck.rendering.plan import Plan
from claimcheck.rendering.templates import HTML, MARKDOWN, TemplateFailed, Templates, html_text
from claimcheck.values import frozen


@frozen
class Filling:
    """A block of a document and what it shows."""

    block: Block
    content: Content


@frozen
class Job:
    """A document to be filled in place. `has_notes` says whether a block of it has the notes."""

    document: Document
    language: str
    plan: Plan
    fillings: tuple[Filling, ...]
    has_notes: bool
    note_style: str = ""


@frozen
class Failed:
    """Why a text was not made: what a template does wrong, and where."""

    message: str
    place: Place


@frozen
class Filled:
    """A document filled in place, and which of its blocks had something else before."""

    document: Document
    content: bytes
    stale: tuple[Block, ...]


def fill_in_place(job: Job, templates: Templates) -> Filled | Failed:
    """The document with its blocks filled and its citations linked; every other byte is as it was."""
    document = job.document
    edits: list[Edit] = list(citation_edits(document, job.plan, job.has_notes))
    stale: list[Block] = []
    try:
        pieces = pieces_for(templates, target_of(document), job.language)
        for filling in job.fillings:
            edit = fill(document, filling.block, pieces.block(filling.content, job.note_style))
            if edit is not None:
                edits.append(edit)
                stale.append(filling.block)
    except TemplateFailed as failed:
        return failed_by(failed)
    return Filled(document, splice(document, edits).after, tuple(stale))


def failed_by(failed: TemplateFailed) -> Failed:
    return Failed(failed.message, failed.place or Place("templates"))


@lru_cache(maxsize=8)
def pieces_for(templates: Templates, target: str, language: str) -> Pieces:
    """The pieces for a target and a language, whose templates are compiled once a process."""
    return Pieces(templates, target, language)


def target_of(document: Document) -> str:
    """What a document's blocks are written in."""
    return HTML if document.format == "html" else MARKDOWN


def citation_edits(document: Document, plan: Plan, has_notes: bool) -> Iterator[Edit]:
    """What links the citations of an HTML document to their notes; nothing where they are linked already.

    Markdown has none: there a citation becomes a link by the definition that the block of notes gives.
    """
    if target_of(document) != HTML:
        return
    for citation, span, text in linkable(document.citations, document.text):
        target = plan.target(citation.id, has_notes)
        element = plan.citations[citation.start]
        wanted = linked(text, target, element) if target else text
        if document.text[span.start : span.end] != wanted:
            yield Edit(span.start, span.end, wanted)


def linkable(citations: Iterable[Citation], text: str) -> Iterator[tuple[Citation, Span, str]]:
    """The citations that are no links of the author's: each with the part of the text to replace and what is shown.

    A citation with a bracket of its own is linked with it, several in one bracket each by itself.
    """
    for bracket, group in groupby(citations, key=lambda citation: citation.bracket):
        together = list(group)
        for citation in together:
            span = bracket if len(together) == 1 else Span(citation.start, citation.end)
            shown = text[span.start : span.end]
            if citation.link is None:
                yield citation, span, shown
            elif citation.link.ours and citation.link.form.value == "element":
                yield citation, citation.link.whole, shown


def linked(text: str, target: str, element: str) -> str:
    """A citation as a link to its note; `text` is markup as it stands in the document."""
    return f'<a class="cc-cite" id="{html_text(element)}" href="#{html_text(target)}">{text}</a>'
