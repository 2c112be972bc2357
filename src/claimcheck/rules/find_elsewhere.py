"""A search string is in the file, but not in its region."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.model import Anchor
from claimcheck.outcome import Located
from claimcheck.phrases import listed, span
from claimcheck.rules.cases import Case, project
from claimcheck.rules.evidence import MOST_EXPLAINED, in_symbol, problems, quote
from claimcheck.sighting import Sighting, StringElsewhere

INFO = RuleInfo(
    "find-elsewhere",
    Severity.ERROR,
    "A search string is not in its region, but elsewhere in the file.",
    help="The lines and the strings of an anchor contradict each other at this commit: most often the range is off by "
    "a few lines, or was written for another version. The message says where the string is; the help line has the "
    "range that would hold it, where that is unmistakable.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for number, (sighting, problem) in enumerate(problems(corpus, StringElsewhere)):
        anchor = sighting.anchor
        explained = number < MOST_EXPLAINED
        shown = [in_symbol(corpus, sighting, hit) if explained else str(hit) for hit in problem.hits[:3]]
        hits = listed([*shown, *problem.hits[3:]], most=3)
        yield Finding(
            INFO,
            anchor.id,
            anchor.places[string_place(anchor, problem.string)],
            f"`{problem.text}` is not in {span(problem.ranges)}, but at line {hits}{_distance(problem)}",
            evidence=(quote(corpus, sighting, problem.hits),),
            # At another revision the registry's lines are right as they are.
            help=_proposal(corpus, sighting) if explained and not sighting.elsewhere else None,
            effect=Effect.FAILS,
        )


def string_place(anchor: Anchor, number: int) -> str:
    """The part of an anchor where its search string of that number is written."""
    if anchor.find:
        return f"find.{number}" if number < len(anchor.find) else "find"
    for index, region in enumerate(anchor.regions):
        if number < len(region.find):
            return f"regions.{index}.find.{number}"
        number -= len(region.find)
    return ""


def _distance(problem: StringElsewhere) -> str:
    """` (+1)`: how far a single hit is from the nearest range."""
    if len(problem.hits) != 1:
        return ""
    line = problem.hits[0]
    beyond = [line - lines.last if line > lines.last else line - lines.first for lines in problem.ranges]
    return f" ({min(beyond, key=abs):+d})"


def _proposal(corpus: Corpus, sighting: Sighting) -> str | None:
    """The ranges that hold the strings, if each region is found in exactly one place."""
    from claimcheck.locate import locate
    from claimcheck.syntax import outline

    source = corpus.read(sighting)
    if source is None or not sighting.anchor.regions:
        return None
    found = locate(sighting.anchor, source, outline(source.text, sighting.anchor.path))
    spots = [outcome.to.lines for outcome in found if isinstance(outcome, Located) and outcome.singled_out]
    if len(spots) != len(found):
        return None
    return f"lines: {spots[0]}" if len(spots) == 1 else f"lines: [{', '.join(map(str, spots))}]"


PASSES = (
    Case("inside, not on the first line", project("  L-TAKE: {path: pool.py, lines: 4-6, find: def take}\n")),
    Case(
        "each string in one of the regions",
        project("  L-TAKE: {path: pool.py, lines: [5-6, 8-9], find: [def take, def give]}\n"),
    ),
)
FAILS = (
    Case(
        "one line above",
        project("  L-TAKE: {path: pool.py, lines: 3-4, find: def take}\n"),
        finds=(
            "anchors.yaml:7:45: error: L-TAKE: `def take` is not in lines 3-4, but at line 5, in Pool.take (+1) "
            "[find-elsewhere]",
        ),
    ),
    Case(
        "in the other region, where the long form ties it to one",
        project(
            "  L-TAKE:\n    path: pool.py\n    regions:\n"
            "      - {lines: 5-6, find: def give}\n      - {lines: 8-9, find: self.free.put}\n"
        ),
        finds=(
            "anchors.yaml:10:28: error: L-TAKE: `def give` is not in lines 5-6, but at line 8, in Pool.give "
            "(+2) [find-elsewhere]",
        ),
    ),
)
