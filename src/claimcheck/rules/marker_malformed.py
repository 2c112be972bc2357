"""A comment that is meant for claimcheck cannot be understood."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Trouble
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case
from claimcheck.rules.in_documents import document_problems

INFO = RuleInfo(
    "marker-malformed",
    Severity.ERROR,
    "A `claimcheck:` comment cannot be understood, or has no partner.",
    help="Markers stand on a line of their own. A block ends with `<!-- claimcheck: end -->` in the same list or quote; "
    "`<!-- claimcheck: ignore -->` covers its line, or the next one if it stands alone; `ignore-start` and `ignore-end` "
    "cover what is between them. docs/documents.md has the kinds of blocks and their keys.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    yield from document_problems(corpus, INFO, Trouble.MARKER)


END = "<!-- claimcheck: end -->\n"
PASSES = (
    Case("a block", {**GOOD, "lessons/one.html": f'<!-- claimcheck: excerpt L-TAKE lines=4 caption="so" -->\n{END}'}),
    Case("shown in code", {**GOOD, "lessons/one.md": "One [L-TAKE].\n\n    <!-- claimcheck: exerpt L-TAKE -->\n"}),
    Case(
        "in a part that is ignored",
        {
            **GOOD,
            "lessons/one.html": "<!-- claimcheck: ignore-start -->\n<!-- claimcheck: exerpt L-TAKE -->\n"
            "<!-- claimcheck: ignore-end -->\n",
        },
    ),
)
FAILS = (
    Case(
        "a kind that does not exist",
        {**GOOD, "lessons/one.html": f"<!-- claimcheck: exerpt L-TAKE -->\n{END}"},
        finds=(
            "lessons/one.html:1:1: error: lessons/one.html: no block is called exerpt; did you mean excerpt? "
            "[marker-malformed]",
        ),
    ),
    Case(
        "a key that does not exist",
        {**GOOD, "lessons/one.html": f"<!-- claimcheck: excerpt L-TAKE regoin=1 -->\n{END}"},
        finds=(
            "lessons/one.html:1:1: error: lessons/one.html: `excerpt` has no key regoin; did you mean region? "
            "[marker-malformed]",
        ),
    ),
    Case(
        "no end",
        {**GOOD, "lessons/one.html": "<!-- claimcheck: excerpt L-TAKE -->\n<p>One.\n"},
        finds=(
            "lessons/one.html:1:1: error: lessons/one.html: the block `excerpt` has no end marker [marker-malformed]",
        ),
    ),
    Case(
        "an end in another list",
        {**GOOD, "lessons/one.md": f"- One\n\n  <!-- claimcheck: excerpt L-TAKE -->\n\n{END}"},
        finds=(
            "lessons/one.md:5:1: error: lessons/one.md: the end marker stands in another list or quote than the marker "
            "that it ends [marker-malformed]",
        ),
    ),
)
