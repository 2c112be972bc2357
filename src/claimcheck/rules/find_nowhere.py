"""A search string is nowhere in the cited file."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.rules.cases import Case, project
from claimcheck.rules.evidence import MOST_EXPLAINED, problems, quote, revision_of
from claimcheck.rules.find_elsewhere import string_place
from claimcheck.sighting import Sighting, StringNowhere

INFO = RuleInfo(
    "find-nowhere",
    Severity.ERROR,
    "A search string is nowhere in the cited file.",
    help="Search strings are literal and stand on one line; letters and blanks count. A line that comes near is shown, "
    "never taken for the answer.",
)
MOST_LINES = 5000
NEAR = 75.0  # per cent of the characters in common, in order


def check(corpus: Corpus) -> Iterator[Finding]:
    for number, (sighting, problem) in enumerate(problems(corpus, StringNowhere)):
        anchor = sighting.anchor
        near = _nearest(corpus, sighting, problem.text) if number < MOST_EXPLAINED else []
        yield Finding(
            INFO,
            anchor.id,
            anchor.places[string_place(anchor, problem.string)],
            f"`{problem.text}` is nowhere in {sighting.path} at {revision_of(sighting)}",
            evidence=(quote(corpus, sighting, near), "the line above comes near") if near else (),
            effect=Effect.FAILS,
        )


def _nearest(corpus: Corpus, sighting: Sighting, string: str) -> list[int]:
    """The line that comes nearest to a string, if one comes near at all."""
    source = corpus.read(sighting)
    if source is None:
        return []
    from rapidfuzz import fuzz, process

    lines = [line.strip()[:200] for line in source.lines[:MOST_LINES]]
    found = process.extractOne(string, lines, scorer=fuzz.ratio, score_cutoff=NEAR)
    return [found[2] + 1] if found else []


PASSES = (Case("the string is there", project("  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n")),)
FAILS = (
    Case(
        "letters swapped",
        project("  L-TAKE: {path: pool.py, lines: 5-6, find: def tkae}\n"),
        finds=("anchors.yaml:7:45: error: L-TAKE: `def tkae` is nowhere in pool.py at lib {c1:.8} [find-nowhere]",),
    ),
)
