"""A block asks for something that the registry does not have."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case

INFO = RuleInfo(
    "block-unfillable",
    Severity.ERROR,
    "A block asks for a region, lesson, vendor or correction that is not there.",
    help="Nothing can be rendered in its place. An ID that nothing defines is `unknown-id`.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    from claimcheck.rendering.plan import unfillable

    for document in corpus.documents:
        for block in document.blocks:
            if message := unfillable(block, corpus.registry):
                yield Finding(INFO, document.path, block.place, message)


def _block(marker: str) -> str:
    return f"<!-- claimcheck: {marker} -->\n<!-- claimcheck: end -->\n"


PASSES = (
    Case("a region that is there", {**GOOD, "lessons/one.html": _block("excerpt L-TAKE region=1")}),
    Case("a lesson with claims", {**GOOD, "lessons/one.html": _block("claims one")}),
    Case("a vendor", {**GOOD, "lessons/one.html": _block("pins lib")}),
)
FAILS = (
    Case(
        "a region too far",
        {**GOOD, "lessons/one.html": _block("excerpt L-TAKE region=2")},
        finds=(
            "lessons/one.html:1:1: error: lessons/one.html: L-TAKE has one region; there is no region 2 "
            "[block-unfillable]",
        ),
    ),
    Case(
        "a lesson without claims",
        {**GOOD, "lessons/one.html": _block("claims two")},
        finds=("lessons/one.html:1:1: error: lessons/one.html: no claim is of a lesson two [block-unfillable]",),
    ),
    Case(
        "a claim where an anchor is wanted",
        {**GOOD, "lessons/one.html": _block("excerpt C1.1")},
        finds=("lessons/one.html:1:1: error: lessons/one.html: C1.1 is no anchor [block-unfillable]",),
    ),
)
