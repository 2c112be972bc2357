"""What rendering comes to: changes to documents or the files of a site, and what was left as it was and why."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from claimcheck.documents import Block, Document
from claimcheck.edit import FileChange
from claimcheck.errors import ReadRefused
from claimcheck.rendering.composing import Failed, Job
from claimcheck.rendering.making import LongLines, Refused, job_of, language_of, long_lines
from claimcheck.rendering.material import Material
from claimcheck.rendering.pages import Page
from claimcheck.rendering.press import fill_all, make_all
from claimcheck.rendering.site import Layout, index_jobs, page_jobs, style_and_script
from claimcheck.rendering.templates import Templates


@dataclass(slots=True)
class Rendered:
    """The outcome of one run. `changes` are those of documents, `files` those of a site, by name.

    `stale` has the blocks that held something else than what was made now, `unread` the documents that have no readable
    text, `not_copied` the relative addresses that a page has and the site cannot have, with the page's document.
    """

    documents: int = 0
    changes: list[FileChange] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)
    stale: list[tuple[Document, Block]] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    failed: list[Failed] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    long: list[LongLines] = field(default_factory=list)
    not_copied: list[tuple[str, str]] = field(default_factory=list)

    @property
    def left(self) -> int:
        """How many documents stay as they were because something is wrong."""
        return len(self.refused) + len(self.failed) + len(self.unread)


def in_place(
    documents: Sequence[Document],
    material: Material,
    keys: Mapping[str, str],
    templates: Templates,
    *,
    force: bool = False,
    width: Callable[[str], int] = len,
) -> Rendered:
    """Fill the documents as they are."""
    made = Rendered()
    jobs = _jobs(documents, material, keys, made, site=False, force=force, width=width)
    for filled in fill_all(jobs, templates):
        if isinstance(filled, Failed):
            made.failed.append(filled)
            continue
        made.documents += 1
        before = filled.document.text.encode("utf-8")
        change = FileChange(filled.document.path, before, filled.content)
        if change.changes:
            made.changes.append(change)
        made.stale += [(filled.document, block) for block in filled.stale]
    return made


def site_of(
    documents: Sequence[Document],
    chosen: Sequence[str],
    material: Material,
    keys: Mapping[str, str],
    templates: Templates,
    layout: Layout,
    read: Callable[[str], bytes | None],
) -> Rendered:
    """The files of a site: the pages of the chosen documents, what these need, and with all of them the indexes.

    What is left out because it is wrong, or was not chosen, keeps the page that an earlier run made.
    """
    made = Rendered()
    jobs = _jobs([document for document in documents if document.path in chosen], material, keys, made, site=True)
    whole = len(chosen) == len(documents)
    pages = page_jobs(jobs, material, layout)
    indexes = index_jobs(jobs, material, layout, language_of(documents)) if whole else []
    for job, page in zip([*pages, *indexes], make_all([*pages, *indexes], templates), strict=True):
        if isinstance(page, Failed):
            made.failed.append(page)
            continue
        made.files[page.path] = page.content
        document = next((each.job.document for each in pages if each is job), None)
        if document is not None:
            made.documents += 1
            _copy(document, page, made, layout, read)
    made.files |= style_and_script(templates)
    made.kept = set(layout.pages.values()) | {layout.lessons, layout.anchors}
    return made


def _jobs(
    documents: Sequence[Document],
    material: Material,
    keys: Mapping[str, str],
    made: Rendered,
    *,
    site: bool,
    force: bool = False,
    width: Callable[[str], int] = len,
) -> list[Job]:
    jobs = []
    for document in documents:
        job = job_of(document, material, keys[document.path], site=site, force=force)
        if isinstance(job, Refused):
            made.refused.append(job)
        else:
            jobs.append(job)
            made.long += long_lines(job, width)
    return jobs


def _copy(document: Document, page: Page, made: Rendered, layout: Layout, read: Callable[[str], bytes | None]) -> None:
    """Put what a page needs beside it: files of the project below the folder that the documents share."""
    folder = posixpath.dirname(document.path)
    for address in page.assets:
        path = posixpath.normpath(posixpath.join(folder, address.partition("#")[0].partition("?")[0]))
        if path in layout.pages or path == ".":
            continue
        name = posixpath.relpath(path, layout.base) if layout.base else path
        if name in made.files or name in layout.pages.values():
            continue
        if name.startswith("../"):
            made.not_copied.append((document.path, address))
            continue
        try:
            content = read(path)
        except ReadRefused:
            content = None
        if content is None:
            made.not_copied.append((document.path, address))
        else:
            made.files[name] = content
