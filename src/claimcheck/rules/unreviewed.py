"""Nobody has said that an anchor says what its claims need; asked for with `--require-reviewed`."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.model import ReviewState
from claimcheck.rules.cases import GOOD, Case

INFO = RuleInfo(
    "unreviewed",
    Severity.ERROR,
    "No person has reviewed the anchor at this commit.",
    help="Only with `verify --require-reviewed`; otherwise unreviewed anchors are counted. A digest proves that the "
    "text is the same, not that it says what the sentence needs: `claimcheck review ID` records a person's word.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for id in corpus.selection.anchors:
        anchor = corpus.registry.anchors[id]
        if corpus.registry.review_of(anchor) is ReviewState.UNREVIEWED:
            yield Finding(INFO, id, anchor.places[""], "nobody has reviewed it", help=f"claimcheck review {id}")


PASSES = (Case("not asked for", GOOD),)
FAILS = (
    Case(
        "a new anchor",
        GOOD,
        options={"require_reviewed": True},
        finds=("anchors.yaml:7:3: error: L-TAKE: nobody has reviewed it [unreviewed]",),
    ),
)
