"""A permalink of a document leads to a file or to lines that do not exist at its commit."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, FindingClass, RuleInfo, Severity
from claimcheck.model import Revision
from claimcheck.rules.cases import GOOD, Case
from claimcheck.rules.in_documents import VendorLink, quoted, vendor_links
from claimcheck.texts import NoSource, Why

INFO = RuleInfo(
    "link-dead",
    Severity.ERROR,
    "A permalink in a document leads to a path or to lines that are not there at its commit.",
    help="Looked up in the objects that are here, without a network. A forge shows a page for lines that a file does not "
    "have, so that nobody sees that they are not there.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for found in vendor_links(corpus):
        revision = corpus.sources.resolve(found.vendor.name, found.file.commit) if found.file.commit else None
        if isinstance(revision, Revision):
            yield from _at(corpus, found, revision)


def _at(corpus: Corpus, found: VendorLink, revision: Revision) -> Iterator[Finding]:
    file = found.file
    at = f"{found.vendor.name} {revision.label}"
    source = corpus.sources.read(found.vendor.name, revision.commit, file.path)
    if isinstance(source, NoSource):
        if source.why is Why.PATH_MISSING:
            yield found.finding(INFO, f"its link leads nowhere: {at} {source.message}")
        elif source.environment:
            message = f"where its link leads cannot be looked at: {found.shown} {source.message}"
            yield Finding(
                INFO, found.document.path, found.link.place, message, kind=FindingClass.ENVIRONMENT, help=source.help
            )
        return
    if file.unread:
        yield found.finding(INFO, f"its link ends in `#{file.unread[:40]}`, which is no range of lines")
    elif file.lines is not None and file.lines.last > len(source):
        message = f"its link shows lines {file.lines} of {found.shown}, which has {len(source)} at {revision.label}"
        yield found.finding(INFO, message, quoted(found.vendor, revision, file.path, source, file.lines))


LINK = "See [the pool](https://github.com/o/lib/blob/{c1}/%s) [L-TAKE].\n"
PASSES = (
    Case("both are there", {**GOOD, "lessons/one.md": LINK % "pool.py#L5-L6"}),
    Case("a commit that is not here", {**GOOD, "lessons/one.md": LINK.replace("{c1}", "ab" * 20) % "pool.py#L99"}),
    Case("in code", {**GOOD, "lessons/one.md": f"`{(LINK % 'none.py').strip()}`\n"}),
)
FAILS = (
    Case(
        "no such file",
        {**GOOD, "lessons/one.md": LINK % "src/pool.py#L5"},
        finds=(
            "lessons/one.md:1:16: error: lessons/one.md: its link leads nowhere: lib {c1:.8} has no folder src/ [link-dead]",
        ),
    ),
    Case(
        "lines behind the end",
        {**GOOD, "lessons/one.md": "Taken [L-TAKE].\n\n[L-TAKE]: https://github.com/o/lib/blob/{c1}/pool.py#L40-L50\n"},
        finds=(
            "lessons/one.md:3:11: error: lessons/one.md: its link shows lines 40-50 of pool.py, which has 9 at {c1:.8} "
            "[link-dead]",
        ),
    ),
)
