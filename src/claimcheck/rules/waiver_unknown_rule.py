"""A waiver names a rule that does not exist."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, FindingClass, RuleInfo, Severity
from claimcheck.rules.cases import CLAIMS, GOOD, HEAD, Case

INFO = RuleInfo(
    "waiver-unknown-rule",
    Severity.ERROR,
    "A waiver names a rule that does not exist.",
    FindingClass.INPUT,
    "It would accept nothing for ever. `claimcheck explain` lists the rules.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    from claimcheck.rules import catalogue

    names = catalogue()
    for waiver in corpus.registry.waivers:
        if waiver.rule not in names:
            near = difflib.get_close_matches(waiver.rule, names, n=1, cutoff=0.6)
            yield Finding(
                INFO,
                waiver.subject,
                waiver.places["rule"],
                f"no rule {waiver.rule}" + (f"; did you mean {near[0]}?" if near else ""),
            )


ANCHORS = "anchors:\n  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"
PASSES = (Case("no waivers", GOOD),)
FAILS = (
    Case(
        "a slip",
        {
            "anchors.yaml": HEAD + "waivers:\n  - {rule: path-misssing, subject: L-TAKE, reason: known}\n" + ANCHORS,
            "claims/one.yaml": CLAIMS,
        },
        finds=(
            "anchors.yaml:7:12: error: L-TAKE: no rule path-misssing; did you mean path-missing? [waiver-unknown-rule]",
        ),
    ),
)
