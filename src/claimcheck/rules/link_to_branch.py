"""A link of a document leads to a branch, a tag or a short id instead of a commit."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, Quote, RuleInfo, Severity
from claimcheck.model import Lines
from claimcheck.rules.cases import GOOD, Case
from claimcheck.rules.in_documents import VendorLink, address, quoted, right_address, text_at, vendor_links
from claimcheck.terminal import shown

INFO = RuleInfo(
    "link-to-branch",
    Severity.WARNING,
    "A link in a document leads to a branch or tag of a vendor, not to a commit.",
    help="What a branch has at some lines is something else tomorrow, and a tag can be moved. The permalink at the pin is "
    "proposed: with the anchor's lines where the link is beside a citation of that file, else with its own, whose text "
    "at the pin is shown so that you can see whether they are meant.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for found in vendor_links(corpus):
        if found.file.commit is None:
            help, evidence = _proposal(corpus, found)
            message = f"its link to {found.shown} leads to `{shown(found.file.rev, 40)}`, not to a commit"
            yield found.finding(INFO, message, *evidence, help=help)


def _proposal(corpus: Corpus, found: VendorLink) -> tuple[str | None, tuple[Quote, ...]]:
    pin, path, lines = found.pin(corpus), found.file.path, found.file.lines
    anchors = [anchor for anchor in (*found.tied, *found.near) if anchor.path == path]
    if anchors and lines is not None:
        return right_address(corpus, anchors[0]), ()
    there = text_at(corpus, found.vendor, pin.text, path)
    if there is None:
        return None, ()
    revision, source = there
    if lines is not None and lines.last > len(source):
        return None, ()
    evidence = (quoted(found.vendor, revision, path, source, lines),) if lines else ()
    return address(found.vendor, pin, path, Lines(lines.first, lines.last) if lines else None), evidence


LINK = "Blocks are taken [from a queue](https://github.com/o/lib/blob/%s/pool.py#L5-L6) [L-TAKE].\n"
PASSES = (
    Case("a commit", {**GOOD, "lessons/one.md": LINK % "{c1}"}),
    Case("a page that shows no file", {**GOOD, "lessons/one.md": "See <https://github.com/o/lib/issues/1>.\n"}),
    Case("nobody's repository", {**GOOD, "lessons/one.md": (LINK % "main").replace("o/lib", "p/lib")}),
)
FAILS = (
    Case(
        "the main branch",
        {**GOOD, "lessons/one.md": LINK % "main"},
        finds=(
            "lessons/one.md:1:33: warning: lessons/one.md: its link to pool.py leads to `main`, not to a commit "
            "[link-to-branch]",
        ),
    ),
    Case(
        "a tag, in a definition",
        {
            **GOOD,
            "lessons/one.md": "[Taken][take] from a queue.\n\n[take]: https://github.com/o/lib/blob/v1.2/pool.py\n",
        },
        finds=(
            "lessons/one.md:3:9: warning: lessons/one.md: its link to pool.py leads to `v1.2`, not to a commit "
            "[link-to-branch]",
        ),
    ),
)
