"""At the revision looked at, several places could be the region."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.outcome import Ambiguous
from claimcheck.phrases import listed
from claimcheck.rules.cases import RELEASED, SOURCE, Case, project
from claimcheck.rules.evidence import problems, region_name, revision_of
from claimcheck.sighting import NotCarried

INFO = RuleInfo(
    "region-ambiguous",
    Severity.ERROR,
    "Several places at the revision looked at are equally good.",
    help="Said only with `--at`. claimcheck does not choose among equals: a string or a symbol that only one of them "
    "has makes the region unique.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, NotCarried):
        outcome = problem.outcome
        if not isinstance(outcome, Ambiguous):
            continue
        anchor = sighting.anchor
        places = listed([f"{near.path}:{near.lines}" for near in outcome.candidates])
        yield Finding(
            INFO,
            anchor.id,
            anchor.places[f"lines.{problem.region}"],
            f"{region_name(anchor, problem.region)} could be any of {len(outcome.candidates)} places "
            f"at {revision_of(sighting)}",
            evidence=(places, *([outcome.evidence] if outcome.evidence else [])),
            help=outcome.remedy or None,
            effect=Effect.UNVERIFIES if sighting.stand_in and not sighting.compared else Effect.FAILS,
        )


SETTINGS = "[first]\nretries = 3\ntimeout = 10\nlevel = 1\n"
PASSES = (
    Case(
        "the text stands there once",
        project("  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"),
        commits=({"pool.py": SOURCE}, {"pool.py": "# more\n\n" + SOURCE}),
        at="{c2}",
    ),
)
FAILS = (
    Case(
        "the same text twice, and nothing beside it stayed",
        project("  L-RETRY: {path: a.cfg, lines: 2-3, find: retries}\n", claims="claims: {}\n"),
        commits=(
            {"a.cfg": SETTINGS},
            {"a.cfg": "[one]\nretries = 3\ntimeout = 10\n[two]\nretries = 3\ntimeout = 10\n"},
        ),
        at="{c2}",
        finds=(
            "anchors.yaml:7:33: error: L-RETRY: lines 2-3 could be any of 2 places at lib {c2:.8} [region-ambiguous]",
        ),
    ),
    Case(
        "a string that stands twice in a release that stands in",
        project("  L-TAKE: {path: pool.py, lines: 5-6, find: self.free}\n", head=RELEASED),
        commits=(),
        releases={"1.2": {"pool.py": SOURCE}},
        at="release",
        finds=("anchors.yaml:8:34: error: L-TAKE: lines 5-6 could be any of 2 places at lib 1.2 [region-ambiguous]",),
    ),
)
