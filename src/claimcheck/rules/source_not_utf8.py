"""A cited file is not UTF-8."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import Case, project
from claimcheck.rules.evidence import revision_of, seen

INFO = RuleInfo(
    "source-not-utf8",
    Severity.NOTE,
    "A cited file was not read as UTF-8.",
    help="Text is read as UTF-8, or as UTF-16 where a byte order mark says so, otherwise byte by byte as Latin-1. "
    "Lines, ASCII strings and digests are right all the same; letters beyond ASCII may be shown wrongly.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting in seen(corpus):
        if sighting.note:
            anchor = sighting.anchor
            where = f"{sighting.path} at {revision_of(sighting)}"
            yield Finding(INFO, anchor.id, anchor.places["path"], f"{where} is {sighting.note}")


ANCHOR = project("  L-TAKE: {path: pool.py, lines: 2, find: x = 1}\n")
PASSES = (Case("UTF-8", ANCHOR, commits=({"pool.py": "# caf\u00e9\nx = 1\n"},)),)
FAILS = (
    Case(
        "Latin-1",
        ANCHOR,
        commits=({"pool.py": b"# caf\xe9\nx = 1\n"},),
        finds=(
            "anchors.yaml:7:18: note: L-TAKE: pool.py at lib {c1:.8} is not UTF-8; read as Latin-1 [source-not-utf8]",
        ),
    ),
)
