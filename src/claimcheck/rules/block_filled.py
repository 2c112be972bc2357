"""A block is filled in a source that keeps its blocks empty."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case

INFO = RuleInfo(
    "block-filled",
    Severity.ERROR,
    "A block is filled, although `blocks: site` says that sources keep them empty.",
    help="With `documents: {blocks: site}` pages are built elsewhere (`claimcheck render --output DIR`), and what stands in "
    "a source's block is stale from the day on which it got there. Empty the block, or write `blocks: in-place`.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    if corpus.registry.documents.blocks != "site":
        return
    for document in corpus.documents:
        for block in document.blocks:
            if block.content.strip() or block.digest:
                yield Finding(
                    INFO,
                    document.path,
                    block.place,
                    f"the block `{' '.join((block.kind, *block.ids))}` is filled in a source",
                    help="remove what stands between its markers, or write blocks: in-place in anchors.yaml",
                )


SITE = {**GOOD, "anchors.yaml": "documents: {blocks: site}\n" + GOOD["anchors.yaml"]}
BLOCK = "<!-- claimcheck: excerpt L-TAKE -->\n%s<!-- claimcheck: end -->\n"
PASSES = (
    Case("empty", {**SITE, "lessons/one.html": BLOCK % ""}),
    Case("blocks in place", {**GOOD, "lessons/one.html": BLOCK % "<p>x\n"}),
)
FAILS = (
    Case(
        "filled",
        {**SITE, "lessons/one.html": BLOCK % "<p>x\n"},
        finds=(
            "lessons/one.html:1:1: error: lessons/one.html: the block `excerpt L-TAKE` is filled in a source "
            "[block-filled]",
        ),
    ),
)
