"""A document names a place in a vendor's code and cites nothing for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from claimcheck.corpus import Corpus
from claimcheck.documents import Document, Paragraph
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.model import Anchor, Lines, Vendor
from claimcheck.rules.cases import GOOD, Case
from claimcheck.rules.in_documents import text_looked_at
from claimcheck.values import frozen

INFO = RuleInfo(
    "place-uncited",
    Severity.NOTE,
    "A document names a line or a symbol of a vendor's file, in a paragraph that cites nothing.",
    help="`pool.py:5` is right until the file changes, and nobody will know. The note says which file it would be, and the "
    "anchor that has these lines or the command that makes one. Only what resolves is reported: a path of the vendor at its "
    "pin, the end of a path that an anchor has, or a qualified name (`Pool.take`, `Pool::take`) that a cited file "
    "defines.",
)

_LINE = re.compile(r"(?<![\w/.-])((?:[\w.-]+/)*[\w-]+(?:\.[\w-]+)+):([1-9][0-9]{0,6})(?:-([1-9][0-9]{0,6}))?(?![\w:])")
_SYMBOL = re.compile(r"(?<![\w.:/-])([A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+)(?![\w/:]|\.\w)")
_LONGEST = 200


@frozen(slots=False)
class _Places:
    """Where a name that documents use may lead."""

    corpus: Corpus

    @cached_property
    def by_path(self) -> dict[str, list[Anchor]]:
        """The anchors of each cited path."""
        found: dict[str, list[Anchor]] = {}
        for anchor in self.corpus.registry.anchors.values():
            found.setdefault(anchor.path, []).append(anchor)
        return found

    def file(self, written: str) -> tuple[Vendor, str] | None:
        """The vendor's file that a path means: one that an anchor has, by its end, or one that the pin has."""
        ends = [anchors[0] for path, anchors in self.by_path.items() if f"/{path}".endswith(f"/{written}")]
        if len(ends) == 1:
            return self.corpus.registry.vendors[ends[0].vendor], ends[0].path
        if ends or "/" not in written:
            return None
        for vendor in self.corpus.registry.vendors.values():
            if text_looked_at(self.corpus, vendor.name, written):
                return vendor, written
        return None

    def symbol(self, name: str) -> tuple[Anchor, Lines, str] | None:
        """The definition that a qualified name means in a cited file; none if several have it."""
        from claimcheck.syntax import outline

        last = re.split(r"\.|::", name)[-1]
        found: dict[tuple[str, str], tuple[Anchor, Lines, str]] = {}
        for path, anchors in self.by_path.items():
            anchor = anchors[0]
            source = text_looked_at(self.corpus, anchor.vendor, path)
            if source is None or last not in source.text:
                continue
            structure = outline(source.text, path)
            for symbol in structure.named(name) if structure else ():
                found[path, symbol.name] = (anchor, symbol.lines, path)
        return next(iter(found.values())) if len(found) == 1 else None

    def having(self, path: str, lines: Lines) -> Anchor | None:
        """The anchor that has some lines of a file."""
        for anchor in self.by_path.get(path, ()):
            if any(region.lines.covers(lines) for region in anchor.regions):
                return anchor
        return None


def check(corpus: Corpus) -> Iterator[Finding]:
    places = _Places(corpus)
    for document in corpus.documents:
        for paragraph in document.paragraphs:
            if not paragraph.citations and not paragraph.heading:
                yield from _in_paragraph(places, document, paragraph)


def _in_paragraph(places: _Places, document: Document, paragraph: Paragraph) -> Iterator[Finding]:
    text = paragraph.text
    linked = [(link.whole.start, link.whole.end) for link in paragraph.links]
    for pattern, resolve in ((_LINE, _line), (_SYMBOL, _symbol)):
        for match in pattern.finditer(text):
            at = paragraph.offset(match.start())
            if len(match[0]) > _LONGEST or document.is_ignored(at) or any(a <= at < b for a, b in linked):
                continue
            if resolved := resolve(places, match):
                message, help = resolved
                yield Finding(INFO, document.path, document.place(at), message, help=help)


def _line(places: _Places, match: re.Match[str]) -> tuple[str, str] | None:
    file = places.file(match[1])
    lines = Lines(int(match[2]), int(match[3] or match[2]))
    if file is None or lines.last < lines.first:
        return None
    vendor, path = file
    source = text_looked_at(places.corpus, vendor.name, path)
    beyond = "" if source is None or lines.last <= len(source) else f", which has {len(source)} lines"
    message = f"`{match[0]}` is a place in {vendor.name} {path}{beyond}, and nothing is cited for it"
    return message, _help(places, vendor.name, path, lines)


def _symbol(places: _Places, match: re.Match[str]) -> tuple[str, str] | None:
    found = places.symbol(match[1])
    if found is None:
        return None
    anchor, lines, path = found
    message = f"`{match[1]}` is {anchor.vendor} {path}:{lines}, and nothing is cited for it"
    return message, _help(places, anchor.vendor, path, lines)


def _help(places: _Places, vendor: str, path: str, lines: Lines) -> str:
    anchor = places.having(path, lines)
    return f"cite [{anchor.id}], which has these lines" if anchor else f"claimcheck add ID {vendor}:{path}:{lines}"


PASSES = (
    Case("cited beside it", {**GOOD, "lessons/one.md": "Taken in pool.py:5 by `Pool.take` [L-TAKE].\n"}),
    Case("nobody's file", {**GOOD, "lessons/one.md": "At 10:20 main.py:5 says so; see os.path and Tree.take.\n"}),
    Case("in a link", {**GOOD, "lessons/one.md": "See [pool.py:5](https://example.org/pool.py:5).\n"}),
    Case("in a block of code", {**GOOD, "lessons/one.md": "A trace:\n\n    pool.py:5: in Pool.take\n"}),
)
FAILS = (
    Case(
        "a line",
        {**GOOD, "lessons/one.md": "Taken in `pool.py:5-6`, put back in pool.py:9.\n"},
        finds=(
            "lessons/one.md:1:11: note: lessons/one.md: `pool.py:5-6` is a place in lib pool.py, and nothing is cited for it "
            "[place-uncited]",
            "lessons/one.md:1:37: note: lessons/one.md: `pool.py:9` is a place in lib pool.py, and nothing is cited for it "
            "[place-uncited]",
        ),
    ),
    Case(
        "a symbol",
        {**GOOD, "lessons/one.html": "<p>由 <code>Pool.give</code> 放回。\n"},
        finds=(
            "lessons/one.html:1:12: note: lessons/one.html: `Pool.give` is lib pool.py:8-9, and nothing is cited for it "
            "[place-uncited]",
        ),
    ),
)
