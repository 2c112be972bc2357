"""A document cannot be read as text."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Trouble
from claimcheck.finding import Finding, FindingClass, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, LESSON, Case
from claimcheck.rules.in_documents import document_problems

INFO = RuleInfo(
    "document-unreadable",
    Severity.ERROR,
    "A document is not UTF-8, too large, or no file.",
    FindingClass.INPUT,
    help="The other documents are looked at all the same. Such a file is never written, since what was read of it could "
    "not be written back.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    yield from document_problems(corpus, INFO, Trouble.UNREADABLE)


PASSES = (Case("UTF-8", {**GOOD, "lessons/one.html": LESSON}),)
FAILS = (
    Case(
        "a page saved in another encoding",
        {**GOOD, "lessons/one.html": b"<p>It\x92s a queue [L-TAKE].</p>\n", "lessons/two.html": LESSON},
        finds=(
            "lessons/one.html:1:6: error: lessons/one.html: byte 0x92 at offset 5 is not UTF-8 [document-unreadable]",
        ),
    ),
)
