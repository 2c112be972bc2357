"""A claim, an example or a correction cites an ID that nothing has."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.rules.cases import Case, project

INFO = RuleInfo(
    "unknown-id",
    Severity.ERROR,
    "An ID is cited that nothing has.",
    help="Most often a slip of the pen, or an anchor that was renamed by hand; `claimcheck mv` renames everywhere.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    registry = corpus.registry
    known = registry.entries
    for entry in registry.citing:
        if entry.id not in corpus.selection:
            continue
        for number, cited in enumerate(entry.cites):
            if cited not in known:
                near = difflib.get_close_matches(cited, known, n=1, cutoff=0.6)
                hint = f"; did you mean {near[0]}?" if near else ""
                yield Finding(
                    INFO,
                    entry.id,
                    entry.places[f"cites.{number}"],
                    f"cites {cited}, which nothing defines{hint}",
                    effect=Effect.FAILS,
                )


ANCHORS = "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"
PASSES = (Case("defined", project(ANCHORS)),)
FAILS = (
    Case(
        "a letter missing",
        project(ANCHORS, claims="claims:\n  C1.1: {text: One., cites: [L-TAK], basis: code}\n"),
        finds=(
            "claims/one.yaml:2:30: error: C1.1: cites L-TAK, which nothing defines; did you mean L-TAKE? [unknown-id]",
        ),
    ),
)
