"""A site of all documents: which page is where, and the two indexes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from markupsafe import Markup

from claimcheck.documents import Document
from claimcheck.rendering.composing import Failed, Job, failed_by, pieces_for
from claimcheck.rendering.contents import AnchorEntry, Around, Lead, LessonEntry, PinsContent
from claimcheck.rendering.labels import say
from claimcheck.rendering.material import Material
from claimcheck.rendering.pages import Page, PageJob
from claimcheck.rendering.plan import lessons_of
from claimcheck.rendering.skeleton import SCRIPT, STYLE_SHEET
from claimcheck.rendering.templates import HTML, TemplateFailed, Templates
from claimcheck.values import frozen

MORE_STYLE = "extra.css"


@frozen
class Layout:
    """Where the pages of the documents are, and the names of the two indexes."""

    base: str
    pages: Mapping[str, str]
    lessons: str
    anchors: str


def layout(paths: Sequence[str]) -> Layout:
    """A page for each document, below the folder that all of them share; the indexes take names that no page has."""
    base = posixpath.commonpath([posixpath.dirname(path) for path in paths]) if paths else ""
    pages: dict[str, str] = {}
    taken: set[str] = set()
    for path in paths:
        inner = posixpath.relpath(path, base) if base else path
        page = str(PurePosixPath(inner).with_suffix(".html"))
        if page.lower() in taken:  # one.md beside one.html
            page = f"{inner}.html"
        taken.add(page.lower())
        pages[path] = page
    return Layout(base, pages, _free("index", taken), _free("anchors", taken))


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, f"{name}.html"
    while free in taken:
        number += 1
        free = f"{name}-{number}.html"
    taken.add(free)
    return free


def in_order(documents: Iterable[Document], includes: Sequence[Sequence[str]]) -> list[Document]:
    """The documents in the order of the patterns that name them; `includes` has the paths of each pattern."""
    rank: dict[str, int] = {}
    for number, paths in enumerate(includes):
        for path in paths:
            rank.setdefault(path, number)
    return sorted(documents, key=lambda document: (rank.get(document.path, len(rank)), document.path))


def title_of(document: Document) -> str:
    return document.title or PurePosixPath(document.path).stem


def page_jobs(jobs: Sequence[Job], material: Material, site: Layout) -> list[PageJob]:
    """The pages of a site, in the order of the jobs."""
    titles = [title_of(job.document) for job in jobs]
    hrefs = [site.pages[job.document.path] for job in jobs]
    made = []
    for number, job in enumerate(jobs):
        own = hrefs[number]
        kinds = {filling.block.kind for filling in job.fillings}
        previous = Lead(titles[number - 1], _relative(own, hrefs[number - 1])) if number else None
        following = Lead(titles[number + 1], _relative(own, hrefs[number + 1])) if number + 1 < len(jobs) else None
        notes = None
        if "footnotes" not in kinds and job.plan.notes:
            heading = f"{job.plan.key}.title.0"
            notes = material.footnotes(say(job.language, "footnotes"), heading, job.plan)
        pins = material.pins(None, job.plan, lessons_of(job.document, material.registry))
        made.append(
            PageJob(
                job,
                own,
                titles[number],
                Around(_root(own), site.lessons, site.anchors, previous, following),
                notes,
                pins if "pins" not in kinds and pins.cited else None,
                site.pages,
            )
        )
    return made


def _root(page: str) -> str:
    return "../" * page.count("/")


def _relative(page: str, other: str) -> str:
    return posixpath.relpath(other, posixpath.dirname(page) or ".")


@frozen
class IndexJob:
    """An index page: its template and what it lists."""

    template: str
    path: str
    title: str
    language: str
    around: Around
    pins: PinsContent
    lessons: tuple[LessonEntry, ...] = ()
    anchors: tuple[AnchorEntry, ...] = ()


def index_jobs(jobs: Sequence[Job], material: Material, site: Layout, language: str) -> list[IndexJob]:
    """The index of lessons and the index of anchors with where each is cited."""
    around = Around("", site.lessons, site.anchors)
    pins = _all_pins(jobs, material)
    lessons = tuple(_lesson(job, material, site) for job in jobs)
    anchors = tuple(_anchors(jobs, material, site))
    return [
        IndexJob("index.html.jinja", site.lessons, say(language, "lessons"), language, around, pins, lessons=lessons),
        IndexJob("anchors.html.jinja", site.anchors, say(language, "anchors"), language, around, pins, anchors=anchors),
    ]


def make_index(job: IndexJob, templates: Templates) -> Page | Failed:
    """An index page, whole, or what kept it from being made."""
    try:
        pieces = pieces_for(templates, HTML, job.language)
        html = pieces.page(
            job.template,
            title=job.title,
            language=job.language,
            around=job.around,
            lessons=job.lessons,
            anchors=job.anchors,
            pins=Markup(pieces.block(job.pins)) if job.pins.cited else "",
        )
    except TemplateFailed as failed:
        return failed_by(failed)
    return Page(job.path, html.encode("utf-8"))


def _all_pins(jobs: Sequence[Job], material: Material) -> PinsContent:
    each = [material.pins(None, job.plan, ()) for job in jobs]
    origins = tuple(dict.fromkeys(origin for pins in each for origin in pins.origins))
    cited = {id for job in jobs for id in job.plan.notes if id in material.registry.anchors}
    return PinsContent(origins, len(cited), 0)


def _lesson(job: Job, material: Material, site: Layout) -> LessonEntry:
    lessons = lessons_of(job.document, material.registry)
    pins = material.pins(None, job.plan, lessons)
    page = site.pages[job.document.path]
    return LessonEntry(title_of(job.document), page, job.language, pins.cited, pins.claims, lessons)


def _anchors(jobs: Sequence[Job], material: Material, site: Layout) -> Iterator[AnchorEntry]:
    cited: dict[str, list[Lead]] = {}
    for job in jobs:
        page = site.pages[job.document.path]
        for id in job.plan.notes:
            cited.setdefault(id, []).append(Lead(title_of(job.document), f"{page}#{job.plan.note(id)}", job.plan.key))
    for id in material.registry.anchors:
        if id in cited:
            yield material.anchor(id, tuple(cited[id]))


def style_and_script(templates: Templates) -> dict[str, bytes]:
    """The style sheet and the script of a site; the project's `extra.css` comes after either style sheet."""
    style = templates.source(STYLE_SHEET)
    if MORE_STYLE in templates:
        style += templates.source(MORE_STYLE)
    return {STYLE_SHEET: style.encode("utf-8"), SCRIPT: templates.source(SCRIPT).encode("utf-8")}
