"""At the revision looked at, the cited code is another."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.outcome import Edited
from claimcheck.rules.cases import SOURCE, Case, project
from claimcheck.rules.evidence import problems, region_name, resting_on, revision_of
from claimcheck.sighting import NotCarried

INFO = RuleInfo(
    "region-changed",
    Severity.ERROR,
    "The cited code was changed upstream.",
    help="Said only with `--at`. The place was found, but the text differs in what the anchor watches, so a person has "
    "to read what rests on it. A change of white space or comments alone is not one, unless `watch: all` says so.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, NotCarried):
        outcome = problem.outcome
        if not isinstance(outcome, Edited):
            continue
        anchor = sighting.anchor
        rests = resting_on(corpus, anchor.id)
        there = outcome.to
        yield Finding(
            INFO,
            anchor.id,
            anchor.places[f"lines.{problem.region}"],
            f"{region_name(anchor, problem.region)} changed upstream: {there.path}:{there.lines} "
            f"at {revision_of(sighting)}, {outcome.change.value}",
            evidence=(outcome.evidence, *([rests] if rests else [])),
            effect=Effect.FAILS,
        )


ANCHOR = project("  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n")
PASSES = (
    Case(
        "a comment above",
        ANCHOR,
        commits=({"pool.py": SOURCE}, {"pool.py": "# a comment\n" + SOURCE}),
        at="{c2}",
    ),
)
FAILS = (
    Case(
        "another call",
        ANCHOR,
        commits=({"pool.py": SOURCE}, {"pool.py": SOURCE.replace("free.get()", "free.get(False)")}),
        at="{c2}",
        finds=(
            "anchors.yaml:7:34: error: L-TAKE: lines 5-6 changed upstream: pool.py:5-6 at lib {c2:.8}, code "
            "[region-changed]",
        ),
    ),
)
