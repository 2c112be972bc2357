"""A document as a page of a site: its blocks filled, its citations linked, its text untouched, and a frame around it.

Markdown becomes HTML here. Blocks stand as comments while the text is converted and taken apart, so that nothing in
them is read as the document's own markup.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from markupsafe import Markup

from claimcheck.documents import Document
from claimcheck.documents.document import BOM
from claimcheck.edit import Edit, apply
from claimcheck.rendering.composing import Failed, Job, failed_by, linkable, linked, pieces_for, target_of
from claimcheck.rendering.contents import (
    Around,
    ClaimsContent,
    Content,
    ErrataContent,
    FootnotesContent,
    PinsContent,
    TocEntry,
)
from claimcheck.rendering.skeleton import SCRIPT, STYLE_SHEET, Skeleton, take_apart
from claimcheck.rendering.templates import HTML, TemplateFailed, Templates
from claimcheck.values import frozen

_FRONT_MATTER = re.compile(r"---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)


@frozen
class PageJob:
    """A page to be made. `notes` and `pins` are for the frame, where the document has no block of its own for them.

    `pages` says which page of the site stands for which document.
    """

    job: Job
    path: str
    title: str
    around: Around
    notes: FootnotesContent | None
    pins: PinsContent | None
    pages: Mapping[str, str]


@frozen
class Page:
    """A page, and the relative addresses of what it needs."""

    path: str
    content: bytes
    assets: tuple[str, ...] = ()


def make_page(page: PageJob, templates: Templates) -> Page | Failed:
    """The page, whole, or what kept it from being made."""
    job = page.job
    document = job.document
    mark = hashlib.sha256(document.text.encode("utf-8")).hexdigest()[:16]
    text = _with_marks(job, mark)
    if target_of(document) != HTML:
        text = _markdown(text, document, page)
    skeleton = take_apart(text, job.plan.key)
    try:
        pieces = pieces_for(templates, HTML, job.language)
        blocks = [pieces.block(filling.content) for filling in job.fillings]
        html = pieces.page(
            "page.html.jinja",
            title=page.title,
            language=job.language,
            head=Markup(skeleton.head),
            body=Markup(_with_blocks(skeleton.body, blocks, mark)),
            has_main=skeleton.has_main,
            has_title=skeleton.has_title,
            contents=_contents(page, skeleton, mark),
            around=page.around,
            notes=Markup(pieces.block(page.notes)) if page.notes else "",
            pins=Markup(pieces.block(page.pins)) if page.pins else "",
        )
    except TemplateFailed as failed:
        return failed_by(failed)
    ours = (STYLE_SHEET, SCRIPT)
    assets = tuple(each for each in skeleton.assets if each.rpartition("/")[2] not in ours)
    return Page(page.path, html.encode("utf-8"), assets)


def _with_marks(job: Job, mark: str) -> str:
    """The document's text with linked citations, and a comment in place of each block."""
    document = job.document
    edits = [
        Edit(filling.block.opening.start, filling.block.closing.end, _mark(mark, number))
        for number, filling in enumerate(job.fillings)
    ]
    for citation, span, text in linkable(document.citations, document.text):
        target = job.plan.target(citation.id, has_notes=True)
        if target:
            text = text.replace("[^", "[", 1)  # what other programs make a note of
            edits.append(Edit(span.start, span.end, linked(text, target, job.plan.citations[citation.start])))
    return apply(document.text, edits).removeprefix(BOM).replace("\r\n", "\n")


def _mark(mark: str, number: int) -> str:
    return f"<!--{mark}:{number}-->"


def _with_blocks(body: str, blocks: list[str], mark: str) -> str:
    """The body with the blocks in the place of their comments, each where it stands once."""
    return re.sub(rf"<!--{mark}:(\d+)-->", lambda match: blocks[int(match[1])], body)


def _contents(page: PageJob, skeleton: Skeleton, mark: str) -> tuple[TocEntry, ...]:
    """The headings below the title, those of blocks included, in the order of the page."""
    found = [
        (heading.at, TocEntry(heading.level, f"#{heading.element}", heading.text)) for heading in skeleton.headings
    ]
    for number, filling in enumerate(page.job.fillings):
        if entry := _entry(filling.content):
            found.append((skeleton.body.find(_mark(mark, number)), entry))
    if page.notes and (entry := _entry(page.notes)):
        found.append((len(skeleton.body), entry))
    found.sort(key=lambda pair: pair[0])
    return tuple(entry for _, entry in found if entry.level in (2, 3))


def _entry(content: Content) -> TocEntry | None:
    """The line of the contents for a block that begins with a heading."""
    match content:
        case FootnotesContent() | ClaimsContent() | ErrataContent() if content.title:
            return TocEntry(2, f"#{content.heading}", content.title)
        case _:
            return None


def _markdown(text: str, document: Document, page: PageJob) -> str:
    """The HTML of a Markdown text; links to other documents lead to their pages."""
    from markdown_it import MarkdownIt

    if document.front:
        text = _FRONT_MATTER.sub("", text, count=1)
    engine = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    tokens = engine.parse(text)
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("href", _page_href(str(child.attrGet("href") or ""), document, page))
    return str(engine.renderer.render(tokens, engine.options, {}))


def _page_href(href: str, document: Document, page: PageJob) -> str:
    address, sharp, fragment = href.partition("#")
    folder = PurePosixPath(document.path).parent.as_posix()
    there = page.pages.get(posixpath.normpath(posixpath.join(folder, address))) if address else None
    if there is None:
        return href
    return posixpath.relpath(there, PurePosixPath(page.path).parent.as_posix()) + sharp + fragment
