"""A document has the markers of an unresolved merge."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Trouble
from claimcheck.finding import Finding, FindingClass, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case
from claimcheck.rules.in_documents import document_problems

INFO = RuleInfo(
    "document-conflict",
    Severity.ERROR,
    "A document has an unresolved merge conflict.",
    FindingClass.INPUT,
    help="Both sides are there, and both would be read. Markers in code, comments and blocks are no conflict: a lesson "
    "about git may show them.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    yield from document_problems(corpus, INFO, Trouble.CONFLICT)


CONFLICT = "<<<<<<< HEAD\nIt is a queue [L-TAKE].\n=======\nIt is a list [L-TAKE].\n>>>>>>> other\n"
PASSES = (
    Case("a page that shows one", {**GOOD, "lessons/one.html": f"<p>[L-TAKE]</p>\n<pre>\n{CONFLICT}</pre>\n"}),
    Case("in a fence", {**GOOD, "lessons/one.md": f"Text [L-TAKE].\n\n```\n{CONFLICT}```\n"}),
)
FAILS = (
    Case(
        "both sides",
        {**GOOD, "lessons/one.md": f"# One\n\n{CONFLICT}"},
        finds=(
            "lessons/one.md:3:1: error: lessons/one.md: an unresolved merge conflict, down to line 7 "
            "[document-conflict]",
        ),
    ),
)
