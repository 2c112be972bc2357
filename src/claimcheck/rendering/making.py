"""From documents to jobs: what each block shows, or why a document is not to be touched."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from claimcheck.documents import Block, Document, is_edited
from claimcheck.finding import Finding, Severity
from claimcheck.model import Anchor, Registry
from claimcheck.rendering.composing import Filling, Job, target_of
from claimcheck.rendering.contents import Content, ExcerptContent
from claimcheck.rendering.folding import SHOWN_LINES
from claimcheck.rendering.labels import say
from claimcheck.rendering.material import Material
from claimcheck.rendering.plan import Plan, ids_shown, lessons_of, plan, unfillable
from claimcheck.rendering.templates import HTML
from claimcheck.values import frozen


@frozen
class Refused:
    """A document that stays as it is, and the findings that say why."""

    document: Document
    findings: tuple[Finding, ...]


@frozen
class LongLines:
    """Lines of an excerpt that are wider than its block allows: their numbers and widths."""

    document: Document
    block: Block
    lines: tuple[tuple[int, int], ...]


def needed(documents: Sequence[Document], registry: Registry) -> list[str]:
    """The IDs that have to be looked at for these documents: what they cite and what their blocks show."""
    ids: dict[str, None] = {}
    for document in documents:
        lessons = lessons_of(document, registry)
        ids |= dict.fromkeys(id for id in document.cited if id in registry.entries)
        for block in document.blocks:
            ids |= dict.fromkeys(ids_shown(block, registry, lessons))
    for id in list(ids):
        entry = registry.entries[id]
        if not isinstance(entry, Anchor):
            ids |= dict.fromkeys(cited for cited in entry.cites if cited in registry.entries)
    return list(ids)


def job_of(document: Document, material: Material, key: str, *, site: bool, force: bool = False) -> Job | Refused:
    """How a document is to be filled; refused where something that it shows is not there, or was edited by hand."""
    registry = material.registry
    lessons = lessons_of(document, registry)
    page = plan(document, registry, key, lessons)
    anchors = [id for id in page.references if id in registry.anchors]
    about = material.findings_about(anchors)
    unknown = [id for id in page.references if id not in registry.entries]
    edited = not site and not force and any(is_edited(block) for block in document.blocks)
    impossible = [block for block in document.blocks if unfillable(block, registry)]
    if about or unknown or edited or impossible or document.problems:
        return Refused(document, (*_about_document(material.findings, document), *about))
    language = document.language or "en"
    notes = next((block for block in document.blocks if block.kind == "footnotes"), None)
    making = _Making(document, material, page, language, lessons, has_notes=site or notes is not None, site=site)
    fillings = tuple(Filling(block, making.content(block, number)) for number, block in enumerate(document.blocks, 1))
    style = notes.options.get("style", "") if notes is not None else ""
    return Job(document, language, page, fillings, making.has_notes, style)


def _about_document(findings: Sequence[Finding], document: Document) -> list[Finding]:
    """The errors about a document itself that nobody accepted."""
    return [
        finding
        for finding in findings
        if finding.place.path == document.path and finding.severity is Severity.ERROR and finding.waiver is None
    ]


@frozen
class _Making:
    document: Document
    material: Material
    page: Plan
    language: str
    lessons: tuple[str, ...]
    has_notes: bool
    site: bool

    def content(self, block: Block, number: int) -> Content:
        heading = f"{self.page.key}.title.{number}"
        match block.kind:
            case "excerpt":
                most = SHOWN_LINES if self.site or target_of(self.document) == HTML else None
                return self.material.excerpt(block, self.page, has_notes=self.has_notes, most=most)
            case "claims":
                title = block.options.get("title", "")
                return self.material.claims(block, title, heading, self.page, has_notes=self.has_notes)
            case "example":
                return self.material.example(block, self.page, has_notes=self.has_notes)
            case "errata":
                title = self._title(block, "errata")
                return self.material.errata(block, title, heading, self.page, has_notes=self.has_notes)
            case "pins":
                return self.material.pins(block, self.page, self.lessons)
            case "footnotes":
                title = self._title(block, "footnotes")
                style = "" if self.site else block.options.get("style", "")
                return self.material.footnotes(title, heading, self.page, style)
            case other:
                raise AssertionError(other)

    def _title(self, block: Block, label: str) -> str:
        return block.options.get("title", say(self.language, label))


def long_lines(job: Job, width: Callable[[str], int]) -> list[LongLines]:
    """Which lines of excerpts are wider than `width=` of their blocks says."""
    found = []
    for filling in job.fillings:
        content, block = filling.content, filling.block
        if "width" not in block.options or not isinstance(content, ExcerptContent):
            continue
        most = int(block.options["width"])
        lines = [
            (number, width(text))
            for region in content.regions
            for number, text in enumerate(region.texts, region.first)
            if width(text) > most
        ]
        if lines:
            found.append(LongLines(job.document, block, tuple(lines)))
    return found


def language_of(documents: Sequence[Document]) -> str:
    """The language that most of the documents are in, for the pages about all of them."""
    counts: dict[str, int] = {}
    for document in documents:
        language = document.language or "en"
        counts[language] = counts.get(language, 0) + 1
    return max(counts, key=lambda language: counts[language], default="en")
