"""Cited lines hold characters that make the code look other than it is."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import Case, project
from claimcheck.rules.evidence import problems, quote
from claimcheck.sighting import Deceptive

INFO = RuleInfo(
    "invisible-characters",
    Severity.WARNING,
    "Cited lines hold bidirectional controls or invisible characters.",
    help="Such characters change the order in which code is shown, or hide in names (CVE-2021-42574). Excerpts show "
    "them escaped; what a reader copies from the source keeps them.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, Deceptive):
        yield Finding(
            INFO,
            sighting.anchor.id,
            sighting.anchor.places[f"lines.{problem.region}"],
            f"line {problem.line} has {problem.label} at column {problem.column}",
            evidence=(quote(corpus, sighting, [problem.line]),),
        )


ANCHOR = project("  L-TAKE: {path: pool.py, lines: 1-2, find: x = 1}\n")
PASSES = (
    Case("Chinese, accents, an emoji", ANCHOR, commits=({"pool.py": "# \u53d8\u91cf caf\u00e9 \U0001f600\nx = 1\n"},)),
)
FAILS = (
    Case(
        "a right-to-left override",
        ANCHOR,
        commits=({"pool.py": "# \u202e evil\nx = 1\n"},),
        finds=(
            "anchors.yaml:7:34: warning: L-TAKE: line 1 has U+202E RIGHT-TO-LEFT OVERRIDE at column 3 [invisible-characters]",
        ),
    ),
)
