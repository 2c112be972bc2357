"""A region's recorded lines never held its code, as far back as revisions are here."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.model import Revision
from claimcheck.outcome import Located
from claimcheck.rules.cases import RELEASED, SOURCE, Case, project
from claimcheck.rules.evidence import definition_around, quote, region_has, seen
from claimcheck.sighting import Sighting
from claimcheck.texts import SourceText

INFO = RuleInfo(
    "lines-never-there",
    Severity.WARNING,
    "The recorded lines never held the code, in any revision at hand.",
    help="Said only at a stand-in, and only where at least three releases are here: the code stands at other lines, the "
    "same text at the same lines in all of them. So it did not move away from the recorded lines; they were most "
    "likely wrong when they were written.",
)
ENOUGH = 3


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting in seen(corpus):
        releases = corpus.sources.state(sighting.anchor.vendor).releases
        if not sighting.stand_in or len(releases) < ENOUGH:
            continue
        for index, (region, outcome) in enumerate(zip(sighting.anchor.regions, sighting.outcomes, strict=False)):
            moved = isinstance(outcome, Located) and outcome.singled_out and outcome.to.lines != region.lines
            if isinstance(outcome, Located) and moved and _stands_still(corpus, sighting, outcome, releases):
                yield _finding(corpus, sighting, index, outcome, releases)


def _stands_still(corpus: Corpus, sighting: Sighting, outcome: Located, releases: tuple[str, ...]) -> bool:
    """Whether the same text is at the same lines in every release that is here."""
    texts = set()
    for version in releases:
        revision = corpus.sources.resolve(sighting.anchor.vendor, f"release/{version}")
        if not isinstance(revision, Revision):
            return False
        source = corpus.sources.read(sighting.anchor.vendor, revision.commit, outcome.to.path)
        if not isinstance(source, SourceText) or outcome.to.lines.last > len(source):
            return False
        texts.add(source.cut(outcome.to.lines))
    return len(texts) == 1


def _finding(corpus: Corpus, sighting: Sighting, index: int, outcome: Located, releases: tuple[str, ...]) -> Finding:
    anchor = sighting.anchor
    lines = anchor.regions[index].lines
    there = outcome.to.lines
    around = definition_around(corpus, sighting, lines)
    many = "line" if len(there) == 1 else "lines"
    ranges = [there if n == index else region.lines for n, region in enumerate(anchor.regions)]
    return Finding(
        INFO,
        anchor.id,
        anchor.places[f"lines.{index}"],
        f"{region_has(anchor, index)} never held this code",
        evidence=(
            quote(corpus, sighting, [there.first]),
            f"the same {len(there)} {many} at {there} in all {len(releases)} releases here "
            f"({releases[-1]} to {releases[0]})",
            *([f"{lines} lies in {around.kind} {around.name}"] if around else []),
        ),
        help="lines: " + (str(ranges[0]) if len(ranges) == 1 else f"[{', '.join(map(str, ranges))}]"),
    )


ANCHOR = project("  L-TAKE: {path: pool.py, lines: 2-3, find: def take}\n", head=RELEASED)
SAME = {"pool.py": SOURCE}
PASSES = (
    Case("at the pin", project("  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n")),
    Case("two releases only", ANCHOR, commits=(), releases={"1.2": SAME, "1.1": SAME}, at="release"),
    Case(
        "it was at the recorded lines once, or moved at least",
        ANCHOR,
        commits=(),
        releases={"1.2": SAME, "1.1": SAME, "1.0": {"pool.py": SOURCE.replace("import queue\n\n\n", "")}},
        at="release",
    ),
)
FAILS = (
    Case(
        "the same lines in three releases",
        ANCHOR,
        commits=(),
        releases={"1.2": SAME, "1.1": SAME, "1.0": SAME},
        at="release",
        finds=("anchors.yaml:8:34: warning: L-TAKE: lines 2-3 have never held this code [lines-never-there]",),
    ),
)
