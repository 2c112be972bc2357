"""Cited lines hold characters that make the code look other than it is."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.outcome import spot_of
from claimcheck.rules.cases import Case, project
from claimcheck.rules.evidence import quote, seen
from claimcheck.terminal import hidden

INFO = RuleInfo(
    "invisible-characters",
    Severity.WARNING,
    "Cited lines hold bidirectional controls or invisible characters.",
    help="Such characters change the order in which code is shown, or hide in names (CVE-2021-42574). Excerpts show "
    "them escaped; what a reader copies from the source keeps them.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting in seen(corpus):
        source = corpus.read(sighting) if sighting.outcomes else None
        if source is None or source.text.isascii():
            continue
        for index, outcome in enumerate(sighting.outcomes):
            spot = spot_of(outcome)
            if spot is None or spot.path != sighting.anchor.path:
                continue
            for number in range(spot.lines.first, spot.lines.last + 1):
                deceiving = [found for found in hidden(source.lines[number - 1]) if found.deceives]
                for found in deceiving[:1]:
                    yield Finding(
                        INFO,
                        sighting.anchor.id,
                        sighting.anchor.places[f"lines.{index}"],
                        f"line {number} has {found.label} at column {found.column}",
                        evidence=(quote(corpus, sighting, [number]),),
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
