"""What the rules about documents have in common: the links that lead to a vendor's files, and what is cited beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Document, Link, Paragraph, Problem, Trouble
from claimcheck.finding import Finding, Quote, RuleInfo
from claimcheck.forges import Remote, parse_remote, permalink
from claimcheck.model import Anchor, Lines, Pin, Revision, Vendor
from claimcheck.permalinks import FileLink, read_by_template, read_file_link, same_repository
from claimcheck.terminal import shown
from claimcheck.texts import SourceText
from claimcheck.values import frozen

MOST_QUOTED = 3


@frozen
class VendorLink:
    """A link of a document to a file of a vendor.

    `tied` are the anchors whose citation the link is, or whose label it defines; `near` those that its paragraph cites
    in the same file.
    """

    document: Document
    link: Link
    vendor: Vendor
    file: FileLink
    tied: tuple[Anchor, ...]
    near: tuple[Anchor, ...]

    @property
    def shown(self) -> str:
        """The path as messages have it."""
        return shown(self.file.path, 200)

    def finding(self, rule: RuleInfo, message: str, *evidence: Quote, help: str | None = None) -> Finding:
        return Finding(rule, self.document.path, self.link.place, message, evidence, help)

    def pin(self, corpus: Corpus) -> Pin:
        """The commit that the link should be at: that of the anchor that it shows, else the vendor's pin."""
        held = next((anchor for anchor in (*self.tied, *self.near) if anchor.commit), None)
        return corpus.registry.pin_of(held) if held else self.vendor.pin


def vendor_links(corpus: Corpus) -> Iterator[VendorLink]:
    """Every link of the documents that the run is about that leads to a file of a vendor, in their order."""
    for document in corpus.documents:
        if not document.links:
            continue
        tied: dict[int, tuple[Anchor, ...]] = {}
        for link, anchor in tied_links(corpus, document):
            tied[link.start] = (*tied.get(link.start, ()), anchor)
        around = {id(link): paragraph for paragraph in document.paragraphs for link in paragraph.links}
        for link in document.links:
            file = read_file_link(link.target)
            vendor, file = _vendor(corpus, link.target, file)
            if vendor is None or file is None:
                continue
            near = _anchors_of(corpus, around.get(id(link)))
            same_file = tuple(a for a in near if a.vendor == vendor.name and a.path == file.path)
            yield VendorLink(document, link, vendor, file, tied.get(link.start, ()), same_file)


def _vendor(corpus: Corpus, target: str, file: FileLink | None) -> tuple[Vendor | None, FileLink | None]:
    for vendor in corpus.registry.vendors.values():
        if vendor.permalink is not None and (own := read_by_template(target, vendor.permalink)):
            return vendor, own
        remote = parse_remote(vendor.url) if vendor.url else None
        repository = file.repository if file is not None else None
        if repository and isinstance(remote, Remote) and same_repository(repository, remote.url):
            return vendor, file
    return None, None


def tied_links(corpus: Corpus, document: Document) -> Iterator[tuple[Link, Anchor]]:
    """The links that are a citation's own, or that define an anchor's ID as a label, each with the anchor, once."""
    anchors = corpus.registry.anchors
    seen: set[tuple[int, str]] = set()
    cited = [(citation.link, citation.id) for citation in document.citations if citation.link is not None]
    defined = [(link, link.text) for link in document.definitions]
    for link, id in (*cited, *defined):
        if id in anchors and (link.start, id) not in seen:
            seen.add((link.start, id))
            yield link, anchors[id]


def _anchors_of(corpus: Corpus, paragraph: Paragraph | None) -> Iterable[Anchor]:
    return cited_anchors(corpus, paragraph) if paragraph else ()


def cited_anchors(corpus: Corpus, paragraph: Paragraph) -> list[Anchor]:
    """The anchors that a paragraph cites, by their own IDs or by claims, examples and corrections that rest on them."""
    registry = corpus.registry
    found: dict[str, Anchor] = {}
    for citation in paragraph.citations:
        entry = registry.entries.get(citation.id)
        if isinstance(entry, Anchor):
            found[entry.id] = entry
        elif entry is not None:
            found.update((id, registry.anchors[id]) for id in entry.cites if id in registry.anchors)
    return list(found.values())


def address(vendor: Vendor, pin: Pin, path: str, lines: Lines | None) -> str | None:
    """The permalink of some lines at a pin, if it can be written."""
    if pin.version is not None:
        return None
    made = permalink(vendor, Revision(pin.text), path, lines)
    return made if isinstance(made, str) else None


def right_address(corpus: Corpus, anchor: Anchor) -> str | None:
    """The permalink of an anchor, over all of its regions."""
    vendor, pin = corpus.registry.vendors[anchor.vendor], corpus.registry.pin_of(anchor)
    regions = [region.lines for region in anchor.regions]
    return address(vendor, pin, anchor.path, Lines(regions[0].first, regions[-1].last) if regions else None)


def text_at(corpus: Corpus, vendor: Vendor, rev: str, path: str) -> tuple[Revision, SourceText] | None:
    """A file at a revision, if both are here."""
    revision = corpus.sources.resolve(vendor.name, rev)
    if not isinstance(revision, Revision):
        return None
    source = corpus.sources.read(vendor.name, revision.commit, path)
    return (revision, source) if isinstance(source, SourceText) else None


def text_looked_at(corpus: Corpus, vendor: str, path: str) -> SourceText | None:
    """A file of a vendor at the revision that the run looks at, if both are here."""
    revision = corpus.looked_at.get(vendor)
    source = corpus.sources.read(vendor, revision.commit, path) if isinstance(revision, Revision) else None
    return source if isinstance(source, SourceText) else None


def quoted(vendor: Vendor, revision: Revision, path: str, source: SourceText, lines: Lines) -> Quote:
    """The first of some lines, as evidence."""
    numbers = range(lines.first, min(lines.last, lines.first + MOST_QUOTED - 1, len(source)) + 1)
    shown = tuple((number, source.lines[number - 1]) for number in numbers)
    return Quote(vendor.name, f"{vendor.name} {revision.label}", revision.public, path, shown)


def document_problems(corpus: Corpus, rule: RuleInfo, trouble: Trouble) -> Iterator[Finding]:
    """The findings about what is wrong with documents themselves, one kind of them."""
    for problem in _problems(corpus):
        if problem.trouble is trouble:
            yield Finding(rule, problem.place.path, problem.place, problem.message, help=problem.help)


def _problems(corpus: Corpus) -> Iterator[Problem]:
    yield from corpus.unread
    for document in corpus.documents:
        yield from document.problems
