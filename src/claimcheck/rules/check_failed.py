"""A check of a claim fails: the source is not as the claim says."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Evidence, Finding, RuleInfo, Severity
from claimcheck.rules.cases import Case, project
from claimcheck.rules.evidence import quote_hits

INFO = RuleInfo(
    "check-failed",
    Severity.ERROR,
    "A check of a claim fails: the source is not as the claim says.",
    help="The message says what was looked for and where, the lines below it what is there. Either the claim is wrong, or it "
    "is true only under a condition (a caveat with checks of its own), or the check looks for something else than the "
    "claim says. A caveat whose checks fail fails the claim too, since it is a part of what the claim says.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for id, test in corpus.tests.items():
        for run in test.failing:
            evidence: list[Evidence] = [*quote_hits(corpus, test.claim, run.check, run.result.hits)]
            if run.result.nearest:
                evidence.append(f"nearest: {run.result.nearest}")
            caveat = "" if run.caveat is None else f"caveat {run.caveat}: "
            message = caveat + run.result.message
            help = f"claimcheck history {id}    says since when"
            place = test.claim.places[run.part]
            yield Finding(INFO, id, place, message, tuple(evidence), help, effect=Effect.FAILS)


_CLAIMS = "claims:\n  C1.1:\n    text: One.\n    cites: [L-TAKE]\n    basis: code\n    checks:\n"
_ANCHOR = "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"

PASSES = (
    Case("it holds", project(_ANCHOR, claims=_CLAIMS + "      - calls: get\n")),
    Case("no checks", project(_ANCHOR)),
)
FAILS = (
    Case(
        "something else is called",
        project(_ANCHOR, claims=_CLAIMS + "      - calls: put\n"),
        finds=("claims/one.yaml:7:9: error: C1.1: `put` is not called in Pool.take [check-failed]",),
    ),
    Case(
        "a caveat of which the source knows nothing",
        project(
            _ANCHOR,
            claims=_CLAIMS
            + "      - calls: get\n    caveats: [{text: only if on, checks: [inside: {node: get, if: self.on}]}]\n",
        ),
        finds=(
            "claims/one.yaml:8:43: error: C1.1: caveat 1: `get` does not stand under if `self.on` in Pool.take, line 6 "
            "[check-failed]",
        ),
    ),
)
