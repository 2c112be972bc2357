"""The sentence of a document that a claim is tied to is not there any more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Document
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.model import Claim
from claimcheck.phrases import listed
from claimcheck.rules.cases import CLAIMS, GOOD, Case, project

INFO = RuleInfo(
    "quote-gone",
    Severity.ERROR,
    "The document of a claim does not say what the claim quotes from it.",
    help="`quote:` ties a claim to a sentence of its lesson, so that what is checked is what is said. Blanks, markup, "
    "quotation marks and citations do not count. The documents of a lesson are those that say so (`lesson:` in front "
    "matter, `<meta name=lesson>`), that show its claims in a block, or that are named after it: `V1.html`, "
    "`V1-scheduling.md`, `V1.en.md`. One of them has to say it.",
)

_CITATION = re.compile(r"[\[［]{0}(?:[\s,，、;；/]+{0})*[\]］]".format(r"[A-Z0-9][A-Za-z0-9.-]*"))
_LEFT_OUT = re.compile(r"[\s`*_~\"'“”‘’「」『』]+")


def check(corpus: Corpus) -> Iterator[Finding]:
    texts: dict[str, str] = {}
    for id in corpus.selection.claims:
        claim = corpus.registry.claims[id]
        if claim.quote is None:
            continue
        documents = corpus.library.of_lesson(claim.lesson) if claim.lesson else []
        if not documents:
            yield _nowhere(claim)
            continue
        for document in documents:
            if document.path not in texts:
                texts[document.path] = _text_of(document)
        if not any(comparable(claim.quote) in texts[document.path] for document in documents):
            where = listed([document.path for document in documents])
            message = (
                f"{where} does not say what it quotes"
                if len(documents) == 1
                else f"none of {where} says what it quotes"
            )
            yield Finding(INFO, id, claim.places["quote"], message, effect=Effect.FAILS)


def _nowhere(claim: Claim) -> Finding:
    lesson = f"of lesson {claim.lesson}" if claim.lesson else "of it, since it is of no lesson"
    message = f"quotes a document, and there is none {lesson}"
    return Finding(INFO, claim.id, claim.places["quote"], message, effect=Effect.UNVERIFIES)


def _text_of(document: Document) -> str:
    return comparable("".join(paragraph.text for paragraph in document.paragraphs))


def comparable(text: str) -> str:
    """A text without what makes no difference to what it says."""
    return _LEFT_OUT.sub("", _CITATION.sub("", text)).casefold()


ANCHORS = "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"
QUOTED = CLAIMS.replace("basis: code", 'basis: code, quote: "从 `队首` 取块，不是队尾。"')
SAYS = "<p>一个池：从<b>队首</b>取块\n［L-TAKE］，不是队尾。\n"
PASSES = (
    Case("it says so, with markup and a citation", {**project(ANCHORS, QUOTED), "lessons/one.html": SAYS}),
    Case(
        "one translation does",
        {**project(ANCHORS, QUOTED), "lessons/one.zh.html": SAYS, "lessons/one.en.html": "<p>x\n"},
    ),
    Case("no quote", {**GOOD, "lessons/one.html": "<p>x\n"}),
)
FAILS = (
    Case(
        "the sentence was rewritten",
        {**project(ANCHORS, QUOTED), "lessons/one.html": SAYS.replace("不是", "而不是")},
        finds=("claims/one.yaml:3:85: error: C1.1: lessons/one.html does not say what it quotes [quote-gone]",),
    ),
    Case(
        "no document of the lesson",
        project(ANCHORS, QUOTED),
        finds=("claims/one.yaml:3:85: error: C1.1: quotes a document, and there is none of lesson one [quote-gone]",),
    ),
)
