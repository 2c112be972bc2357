"""A claim rests on nothing."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.model import Basis
from claimcheck.rules.cases import GOOD, Case, project

INFO = RuleInfo(
    "cites-nothing",
    Severity.ERROR,
    "A claim cites no anchor.",
    help="A claim without citations cannot be checked against anything, so it is unverified. Advice (`basis: advice`) "
    "may stand alone, since no source decides it.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for id in corpus.selection.claims:
        claim = corpus.registry.claims[id]
        if not claim.cites and claim.basis is not Basis.ADVICE:
            yield Finding(
                INFO,
                id,
                claim.places["cites"],
                f"cites nothing, though it rests on {claim.basis.value}",
                help="cites: [ID]    or basis: advice",
                effect=Effect.UNVERIFIES,
            )


ANCHORS = "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"
PASSES = (
    Case("an anchor", GOOD),
    Case("advice", project(ANCHORS, claims="claims:\n  C1.1: {text: Measure it., cites: [], basis: advice}\n")),
)
FAILS = (
    Case(
        "no anchor",
        project(ANCHORS, claims="claims:\n  C1.1: {text: One., cites: [], basis: code}\n"),
        finds=("claims/one.yaml:2:29: error: C1.1: cites nothing, though it rests on code [cites-nothing]",),
    ),
)
