"""A check of a claim could not be answered."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, FindingClass, RuleInfo, Severity
from claimcheck.rules.cases import Case, project
from claimcheck.rules.evidence import quote_hits

INFO = RuleInfo(
    "check-not-run",
    Severity.WARNING,
    "A check of a claim could not be answered, so the claim is unverified.",
    FindingClass.ENVIRONMENT,
    "What could not be checked is never green: a text that is too large or that the parser did not understand, a value that is "
    "computed when the program runs, a file that a source archive leaves out, a rule that expects nothing and has no "
    "control. A check about an anchor that was not found is not reported here; the anchor is.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for id, test in corpus.tests.items():
        for run in test.unverified:
            if run.result.anchor is None:
                evidence = tuple(quote_hits(corpus, test.claim, run.check, run.result.hits))
                place = test.claim.places[run.part]
                yield Finding(INFO, id, place, run.result.message, evidence, effect=Effect.UNVERIFIES)


_CLAIMS = "claims:\n  C1.1:\n    text: One.\n    cites: [L-TAKE]\n    basis: code\n    checks:\n"
_ANCHOR = "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"

PASSES = (
    Case("no checks", project(_ANCHOR)),
    Case("an answer", project(_ANCHOR, claims=_CLAIMS + "      - never-calls: put\n")),
    Case(
        "an anchor that was not found is its own finding",
        project(
            "  L-TAKE: {path: pool.py, lines: 5-6, find: def tale}\n", claims=_CLAIMS + "      - never-calls: put\n"
        ),
    ),
)
FAILS = (
    Case(
        "a rule that expects nothing and shows nothing",
        project(_ANCHOR, claims=_CLAIMS + "      - rule: {rule: {pattern: put($A)}, expect: absent}\n"),
        finds=(
            "claims/one.yaml:7:9: warning: C1.1: a rule that expects nothing needs a `control:`, code that it matches "
            "[check-not-run]",
        ),
    ),
)
