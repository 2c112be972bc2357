"""At the revision looked at, a region could not be placed although the file is there."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, FindingClass, RuleInfo, Severity
from claimcheck.outcome import Located, Unavailable
from claimcheck.rules.cases import RELEASED, SOURCE, Case, project
from claimcheck.rules.evidence import problems, region_name, revision_of
from claimcheck.sighting import NotCarried

INFO = RuleInfo(
    "region-unlocated",
    Severity.WARNING,
    "A region was not found in exactly one place.",
    FindingClass.ENVIRONMENT,
    "Said only with `--at` where the old text is not here to compare with. A region counts as located only if strings "
    "or a symbol of its own leave one place; this one does not, so it is unverified.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, NotCarried):
        outcome = problem.outcome
        anchor = sighting.anchor
        match outcome:
            case Located():
                why = f"perhaps {outcome.to.path}:{outcome.to.lines}, but its strings do not single it out"
            case Unavailable():
                why = outcome.reason
            case _:
                continue
        yield Finding(
            INFO,
            anchor.id,
            anchor.places[f"lines.{problem.region}"],
            f"{region_name(anchor, problem.region)} was not located at {revision_of(sighting)}: {why}",
            effect=Effect.UNVERIFIES,
        )


PASSES = (
    Case(
        "a definition that only the file's grammar can find",
        project("  L-TAKE: {path: pool.py, lines: 5-6, symbol: Pool.take}\n", head=RELEASED),
        commits=(),
        releases={"1.2": {"pool.py": SOURCE}},
        at="release",
    ),
)
FAILS = (
    Case(
        "a symbol in a file without a grammar",
        project("  L-TAKE: {path: pool.txt, lines: 5-6, symbol: Pool.take}\n", head=RELEASED),
        commits=(),
        releases={"1.2": {"pool.txt": SOURCE}},
        at="release",
        finds=(
            "anchors.yaml:8:35: warning: L-TAKE: lines 5-6 was not located at lib 1.2: `Pool.take` cannot be resolved: "
            "there is no grammar for pool.txt; add a search string [region-unlocated]",
        ),
    ),
)
