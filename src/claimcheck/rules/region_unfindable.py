"""A region could not be re-found without its old text."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.rules.cases import RELEASED, SOURCE, Case, project
from claimcheck.rules.evidence import problems, region_has
from claimcheck.sighting import Unfindable

INFO = RuleInfo(
    "region-unfindable",
    Severity.WARNING,
    "A region has no search string of its own, no symbol and no fingerprint.",
    help="Only its line numbers say what is meant, so its content was not verified, and without the old commit it could "
    "not be found again. Any of these mends it: a string in `find` that stands in those lines, a `symbol`, or "
    "`claimcheck lock` while the commit is here, which records a fingerprint. A string that stands elsewhere in the "
    "file too is harmless as long as the strings together single the region out.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, Unfindable):
        anchor = sighting.anchor
        at_home = not sighting.elsewhere
        yield Finding(
            INFO,
            anchor.id,
            anchor.places[f"lines.{problem.region}"],
            f"{region_has(anchor, problem.region)} no search string of its own"
            + ("; its content is not verified" if at_home else " and cannot be located"),
            help="claimcheck lock    records a fingerprint of it"
            if at_home
            else "add a string from those lines to `find`, or look at the pin",
            effect=Effect.UNVERIFIES,
        )


PASSES = (
    Case("a string", project("  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n")),
    Case("a symbol", project("  L-TAKE: {path: pool.py, lines: 5-6, symbol: Pool.take}\n")),
)
FAILS = (
    Case(
        "at a release that stands in",
        project("  L-TAKE: {path: pool.py, lines: [5-6, 8-9], find: def take}\n", head=RELEASED),
        commits=(),
        releases={"1.2": {"pool.py": SOURCE}},
        at="release",
        finds=(
            "anchors.yaml:8:40: warning: L-TAKE: region 2 (lines 8-9) has no search string of its own and cannot be "
            "located [region-unfindable]",
        ),
    ),
    Case(
        "lines only",
        project("  L-TAKE: {path: pool.py, lines: 5-6}\n"),
        finds=(
            "anchors.yaml:7:34: warning: L-TAKE: lines 5-6 have no search string of its own; its content is not "
            "verified [region-unfindable]",
        ),
    ),
    Case(
        "both strings in the first of two regions",
        project("  L-TAKE: {path: pool.py, lines: [5-6, 8-9], find: [def take, free.get]}\n"),
        finds=(
            "anchors.yaml:7:40: warning: L-TAKE: region 2 (lines 8-9) has no search string of its own; its content is "
            "not verified [region-unfindable]",
        ),
    ),
)
