"""The link of a citation shows something else than the anchor."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Link
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.model import Anchor, Lines
from claimcheck.phrases import listed
from claimcheck.rules.cases import GOOD, Case
from claimcheck.rules.in_documents import right_address, tied_links, vendor_links

INFO = RuleInfo(
    "citation-link-differs",
    Severity.ERROR,
    "A citation is a link, and the link shows another file or other lines than the anchor.",
    help="`[L-TAKE](https://…)`, `<a href=…>[L-TAKE]</a>` or a definition `[L-TAKE]: https://…` says where the reader is "
    "led. A link is right if it shows one of the anchor's regions, or one span over all of them, or the whole file. "
    "A link to another commit is `link-commit`.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    leads = {}
    for found in vendor_links(corpus):
        leads[found.document.path, found.link.start] = found.file
        for anchor in found.tied:
            elsewhere = anchor.vendor != found.vendor.name or anchor.path != found.file.path
            if elsewhere:
                message = f"the link of {anchor.id} shows {found.shown}; the anchor is in {anchor.path}"
            elif found.file.commit != found.pin(corpus).text or shows(found.file.lines, anchor):
                continue
            else:
                has = listed([str(region.lines) for region in anchor.regions])
                message = f"the link of {anchor.id} shows lines {found.file.lines}; the anchor has {has}"
            yield found.finding(INFO, message, help=right_address(corpus, anchor))
    for document in corpus.documents:
        for link, anchor in tied_links(corpus, document):
            if (document.path, link.start) not in leads and _is_address(link):
                message = f"the link of {anchor.id} does not lead to a file of {anchor.vendor}"
                yield Finding(INFO, document.path, link.place, message, help=right_address(corpus, anchor))


def _is_address(link: Link) -> bool:
    return "://" in link.target and not link.ours


def shows(lines: Lines | None, anchor: Anchor) -> bool:
    """Whether a link to some lines shows an anchor: the whole file, a region of it, or one span over all of them."""
    regions = [region.lines for region in anchor.regions]
    if lines is None or not regions:
        return lines is None or anchor.symbol is not None
    return lines in regions or lines == Lines(regions[0].first, regions[-1].last)


def _definition(target: str) -> dict[str, str]:
    return {**GOOD, "lessons/one.md": f"Taken from a queue [L-TAKE].\n\n[L-TAKE]: {target}\n"}


POOL = "https://github.com/o/lib/blob/{c1}/pool.py"
TWO_FILES = ({"pool.py": "import queue\n\n\nclass Pool:\n    def take(self):\n        pass\n", "other.py": "x = 1\n"},)
PASSES = (
    Case("the anchor's lines", _definition(f"{POOL}#L5-L6")),
    Case("the whole file", _definition(POOL)),
    Case("a link to its footnote", {**GOOD, "lessons/one.html": "<p>x <a href='#note-1'>[L-TAKE]</a></p>\n"}),
    Case(
        "a link beside it",
        {**GOOD, "lessons/one.md": f"Taken [L-TAKE]; given back [there]({POOL}#L8-L9).\n"},
    ),
)
FAILS = (
    Case(
        "other lines",
        _definition(f"{POOL}#L8-L9"),
        finds=(
            "lessons/one.md:3:11: error: lessons/one.md: the link of L-TAKE shows lines 8-9; the anchor has 5-6 "
            "[citation-link-differs]",
        ),
    ),
    Case(
        "another file",
        {**GOOD, "lessons/one.md": "Taken [L-TAKE](https://github.com/o/lib/blob/{c1}/other.py#L1).\n"},
        TWO_FILES,
        finds=(
            "lessons/one.md:1:16: error: lessons/one.md: the link of L-TAKE shows other.py; the anchor is in pool.py "
            "[citation-link-differs]",
        ),
    ),
    Case(
        "something that is no file of the vendor",
        {**GOOD, "lessons/one.html": "<p>Taken <a href='https://example.org/pool'>[L-TAKE]</a>.</p>\n"},
        finds=(
            "lessons/one.html:1:19: error: lessons/one.html: the link of L-TAKE does not lead to a file of lib "
            "[citation-link-differs]",
        ),
    ),
)
