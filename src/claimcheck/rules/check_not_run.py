"""A claim has checks that this version does not run."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, FindingClass, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case, project

INFO = RuleInfo(
    "check-not-run",
    Severity.WARNING,
    "A claim has checks, and this version of claimcheck runs none.",
    FindingClass.ENVIRONMENT,
    "The registry's format has room for checks; they are kept and not evaluated yet. A claim with checks is therefore "
    "unverified here: what could not be checked is never green.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for id in corpus.selection.claims:
        claim = corpus.registry.claims[id]
        count = len(claim.checks) + sum(len(caveat.checks) for caveat in claim.caveats)
        if count:
            checks = "1 check was" if count == 1 else f"{count} checks were"
            yield Finding(INFO, id, claim.places["checks"], f"{checks} not run", effect=Effect.UNVERIFIES)


PASSES = (Case("no checks", GOOD),)
FAILS = (
    Case(
        "one check",
        project(
            "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n",
            claims="claims:\n  C1.1:\n    text: One.\n    cites: [L-TAKE]\n    basis: code\n"
            "    checks:\n      - exists: {name: take}\n",
        ),
        finds=("claims/one.yaml:7:7: warning: C1.1: 1 check was not run [check-not-run]",),
    ),
)
