"""Markup of a document never ends."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Trouble
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, LESSON, Case
from claimcheck.rules.in_documents import document_problems

INFO = RuleInfo(
    "markup-unclosed",
    Severity.ERROR,
    "A comment, tag or element of a document never ends and so hides the rest.",
    help="A browser shows nothing of what follows an unclosed comment or `<script>`, and takes all that follows an "
    "unclosed `<code>` or `<pre>` for code. So no citation there is one, and nothing there was checked.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    yield from document_problems(corpus, INFO, Trouble.UNCLOSED)


PASSES = (
    Case("a whole page", {**GOOD, "lessons/one.html": LESSON}),
    Case("end tags that nobody needs", {**GOOD, "lessons/one.html": "<ul><li>One [L-TAKE]<li>Two\n<p>Three"}),
)
FAILS = (
    Case(
        "a comment",
        {**GOOD, "lessons/one.html": "<p>One [L-TAKE].</p>\n<!-- later ->\n<p>Two [L-TAK].</p>\n"},
        finds=(
            "lessons/one.html:2:1: error: lessons/one.html: a comment never ends, so that nothing behind it is shown "
            "[markup-unclosed]",
        ),
    ),
    Case(
        "code",
        {**GOOD, "lessons/one.html": "<p>One <code>take() [L-TAKE].</p>\n<p>Two [L-TAK].</p>\n"},
        finds=(
            "lessons/one.html:1:8: error: lessons/one.html: <code> never ends, so that all that follows is code "
            "[markup-unclosed]",
        ),
    ),
)
