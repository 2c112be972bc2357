"""A waiver in force accepts nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.model import Waiver
from claimcheck.rules.cases import CLAIMS, GOOD, HEAD, Case

INFO = RuleInfo(
    "waiver-unmatched",
    Severity.ERROR,
    "A waiver in force matches no finding.",
    help="What it accepted is no longer there, so it would silently accept the next one of its kind. Remove it. A waiver "
    "with `until: release` is in force only while a release is looked at, one with a commit only at that pin.",
)


def check_waivers(corpus: Corpus, unused: Sequence[Waiver]) -> Iterator[Finding]:
    """The findings about waivers in force that accepted nothing, as far as their subject was looked at."""
    for waiver in unused:
        registry = corpus.registry
        known = waiver.subject in corpus.selection or waiver.subject in corpus.looked_at
        if known or (corpus.selection.everything and waiver.subject not in {**registry.anchors, **registry.claims}):
            yield Finding(
                INFO,
                waiver.subject,
                waiver.places[""],
                f"the waiver of {waiver.rule} matches nothing",
                help="remove it",
            )


ANCHORS = "anchors:\n  L-TAKE: {path: pool.py, lines: 5-6%s}\n"
WAIVER = "waivers:\n  - {rule: region-unfindable, subject: L-TAKE, reason: to be mended%s}\n"
PASSES = (
    Case("no waivers", GOOD),
    Case("what it accepts is there", {"anchors.yaml": HEAD + WAIVER % "" + ANCHORS % "", "claims/one.yaml": CLAIMS}),
    Case(
        "not in force, since the pin is looked at",
        {
            "anchors.yaml": HEAD + WAIVER % ", until: release" + ANCHORS % ", find: def take",
            "claims/one.yaml": CLAIMS,
        },
    ),
)
FAILS = (
    Case(
        "what it accepted has been mended",
        {"anchors.yaml": HEAD + WAIVER % "" + ANCHORS % ", find: def take", "claims/one.yaml": CLAIMS},
        finds=("anchors.yaml:7:5: error: L-TAKE: the waiver of region-unfindable matches nothing [waiver-unmatched]",),
    ),
)
