"""At the revision looked at, a region's code is gone."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.outcome import Deleted
from claimcheck.rules.cases import SOURCE, Case, project
from claimcheck.rules.evidence import problems, region_name, resting_on, revision_of
from claimcheck.sighting import NotCarried

INFO = RuleInfo(
    "region-gone",
    Severity.ERROR,
    "Nothing at the revision looked at is the cited code.",
    help="Said only with `--at`. A place that has a part of the old text may be named as a trail; it is never taken for "
    "the answer, since the neighbour of deleted code often looks like it.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, NotCarried):
        outcome = problem.outcome
        if not isinstance(outcome, Deleted):
            continue
        anchor = sighting.anchor
        trail = [f"a trail, not an answer: {near.path}:{near.lines}" for near in outcome.trail[:3]]
        rests = resting_on(corpus, anchor.id)
        yield Finding(
            INFO,
            anchor.id,
            anchor.places[f"lines.{problem.region}"],
            f"{region_name(anchor, problem.region)} of {anchor.path}: nothing like it at {revision_of(sighting)}",
            evidence=(outcome.evidence, *trail, *([rests] if rests else [])),
            effect=Effect.FAILS,
        )


OTHER = SOURCE.replace("    def take(self):\n        return self.free.get()\n\n", "")
ANCHOR = project("  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n")
PASSES = (
    Case(
        "moved down",
        ANCHOR,
        commits=({"pool.py": SOURCE}, {"pool.py": "# one more line\n" + SOURCE}),
        at="{c2}",
    ),
)
FAILS = (
    Case(
        "the method was removed",
        ANCHOR,
        commits=({"pool.py": SOURCE}, {"pool.py": OTHER}),
        at="{c2}",
        finds=("anchors.yaml:7:34: error: L-TAKE: lines 5-6 of pool.py: nothing like it at lib {c2:.8} [region-gone]",),
    ),
)
