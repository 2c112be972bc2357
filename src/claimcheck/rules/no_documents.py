"""A pattern of `documents:` matches nothing."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, LESSON, Case

INFO = RuleInfo(
    "no-documents",
    Severity.WARNING,
    "A pattern of `documents:` matches no file.",
    help="Nothing is checked where nothing is found. Hidden folders, `vendor/`, linked folders and the output of other "
    "tools (`node_modules`, `_build`, `_site`) are not searched; a pattern without `*` names one file.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    places = corpus.registry.documents.places
    if places is None or not corpus.selection.everything:
        return
    for pattern in corpus.library.unmatched:
        number = corpus.registry.documents.include.index(pattern)
        yield Finding(INFO, "documents", places[f"include.{number}"], f"`{pattern}` matches no file")


def _project(documents: str) -> dict[str, str | bytes]:
    return {**GOOD, "anchors.yaml": f"documents: {documents}\n{GOOD['anchors.yaml']}", "lessons/one.html": LESSON}


PASSES = (
    Case("a file is there", _project('{include: "lessons/*.html"}')),
    Case("nothing is said of documents", GOOD),
)
FAILS = (
    Case(
        "a folder of another name",
        _project('{include: ["lessons/*.html", "chapters/*.md"]}'),
        finds=("anchors.yaml:1:41: warning: documents: `chapters/*.md` matches no file [no-documents]",),
    ),
)
