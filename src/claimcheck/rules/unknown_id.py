"""A claim, an example, a correction or a document cites an ID that nothing has."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Block, Document
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.rules.cases import LESSON, Case, project

INFO = RuleInfo(
    "unknown-id",
    Severity.ERROR,
    "An ID is cited that nothing has.",
    help="Most often a slip of the pen, or an anchor that was renamed by hand; `claimcheck mv` renames everywhere. In "
    "documents a bracket cites if what is in it has the prefix of a vendor (`[L-TAKE]`), or if only its number tells it "
    "from a claim or a correction that is there; `[UTF-8]` is left alone. The marker of a block names IDs too.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    registry = corpus.registry
    known = registry.entries
    for entry in registry.citing:
        if entry.id not in corpus.selection:
            continue
        for number, cited in enumerate(entry.cites):
            if cited not in known:
                yield Finding(
                    INFO,
                    entry.id,
                    entry.places[f"cites.{number}"],
                    f"cites {cited}, which nothing defines{_near(cited, known)}",
                    effect=Effect.FAILS,
                )
    for document in corpus.documents:
        for citation in document.citations:
            if citation.id not in known:
                message = f"cites {citation.id}, which nothing defines{_near(citation.id, known)}"
                yield Finding(INFO, document.path, citation.place, message)
        for block in document.blocks:
            yield from _in_marker(document, block, known)


def _in_marker(document: Document, block: Block, known: Collection[str]) -> Iterator[Finding]:
    """The IDs in a block's marker that nothing defines; one of the wrong kind is `block-unfillable`."""
    for subject in block.subjects if block.cites else ():
        if subject.text not in known:
            message = (
                f"the block `{block.kind}` names {subject.text}, which nothing defines{_near(subject.text, known)}"
            )
            yield Finding(INFO, document.path, document.place(subject.start), message)


def _near(id: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(id, known, n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""


ANCHORS = "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"
PASSES = (
    Case("defined", project(ANCHORS)),
    Case("in a document", {**project(ANCHORS), "lessons/one.html": LESSON}),
    Case(
        "other brackets, code and comments",
        {
            **project(ANCHORS),
            "lessons/one.md": "[UTF-8], [RFC-2119] and [3.14] are nobody's; `[L-TAK]`, \\[L-TAK], <!-- [L-TAK] --> [^note].\n",
        },
    ),
    Case("an ignored line", {**project(ANCHORS), "lessons/one.md": "Like [L-TAK]. <!-- claimcheck: ignore -->\n"}),
)
FAILS = (
    Case(
        "a letter missing",
        project(ANCHORS, claims="claims:\n  C1.1: {text: One., cites: [L-TAK], basis: code}\n"),
        finds=(
            "claims/one.yaml:2:30: error: C1.1: cites L-TAK, which nothing defines; did you mean L-TAKE? [unknown-id]",
        ),
    ),
    Case(
        "in a document",
        {**project(ANCHORS), "lessons/one.html": "<p>取块从队首开始［L-TAK］，见 [C1.2]。\n"},
        finds=(
            "lessons/one.html:1:12: error: lessons/one.html: cites L-TAK, which nothing defines; did you mean L-TAKE? "
            "[unknown-id]",
            "lessons/one.html:1:22: error: lessons/one.html: cites C1.2, which nothing defines; did you mean C1.1? "
            "[unknown-id]",
        ),
    ),
    Case(
        "in the marker of a block",
        {**project(ANCHORS), "lessons/one.html": "<!-- claimcheck: excerpt L-TAK -->\n<!-- claimcheck: end -->\n"},
        finds=(
            "lessons/one.html:1:26: error: lessons/one.html: the block `excerpt` names L-TAK, which nothing defines; "
            "did you mean L-TAKE? [unknown-id]",
        ),
    ),
)
