"""A recorded range ends after the file does."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.rules.cases import SOURCE, Case, project
from claimcheck.rules.evidence import problems, revision_of
from claimcheck.sighting import RangeBeyond

INFO = RuleInfo(
    "range-beyond-file",
    Severity.ERROR,
    "A range ends after the last line of the file.",
    help="Lines are counted by line feeds, as git and GitHub do; a final line feed starts no further line. A range is "
    "never clamped to the file: a part of what was meant is not what was meant.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, RangeBeyond):
        anchor = sighting.anchor
        lines = "1 line" if problem.count == 1 else f"{problem.count} lines"
        source = corpus.read(sighting)
        old_mac = source is not None and problem.count <= 1 and source.text.count("\r") > 1
        yield Finding(
            INFO,
            anchor.id,
            anchor.places[f"lines.{problem.region}"],
            f"{anchor.path} at {revision_of(sighting)} has {lines}, not {problem.lines.last}",
            evidence=("its line ends are lone CR characters; git and GitHub do not split there",) if old_mac else (),
            effect=Effect.FAILS,
        )


PASSES = (
    Case(
        "the last line, without a final line feed",
        project("  L-TAKE: {path: pool.py, lines: 2, find: y = 2}\n"),
        commits=({"pool.py": "x = 1\ny = 2"},),
    ),
)
FAILS = (
    Case(
        "one line too many",
        project("  L-TAKE: {path: pool.py, lines: 3, find: y = 2}\n"),
        commits=({"pool.py": "x = 1\ny = 2\n"},),
        finds=("anchors.yaml:7:34: error: L-TAKE: pool.py at lib {c1:.8} has 2 lines, not 3 [range-beyond-file]",),
    ),
    Case(
        "an empty file",
        project("  L-TAKE: {path: pool.py, lines: 1, find: y = 2}\n"),
        commits=({"pool.py": "", "other.py": SOURCE},),
        finds=("anchors.yaml:7:34: error: L-TAKE: pool.py at lib {c1:.8} has 0 lines, not 1 [range-beyond-file]",),
    ),
)
