"""Two IDs differ only by look."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case, project

INFO = RuleInfo(
    "look-alike-ids",
    Severity.WARNING,
    "Two IDs differ only in letters that look alike.",
    help="A reader cannot tell `V-P00L` from `V-POOL`, so one of them will be cited for the other. Rename one: "
    "`claimcheck mv OLD NEW` changes it everywhere.",
)
ALIKE = str.maketrans("01582", "OISBZ")


def check(corpus: Corpus) -> Iterator[Finding]:
    registry = corpus.registry
    first: dict[str, str] = {}
    for id, entry in registry.entries.items():
        look = id.translate(ALIKE).replace("L", "I") if id[0].isalpha() and "." not in id else id
        twin = first.setdefault(look, id)
        if twin != id and (id in corpus.selection or twin in corpus.selection):
            yield Finding(INFO, id, entry.places[""], f"looks like {twin}", help=f"claimcheck mv {id} NEW")


PASSES = (
    Case("different letters", GOOD),
    Case(
        "numbers that count",
        project(
            "  L-TAKE-1: {path: pool.py, lines: 5-6, find: def take}\n"
            "  L-TAKE-2: {path: pool.py, lines: 8-9, find: def give}\n",
            claims="claims:\n  C1.1: {text: One., cites: [L-TAKE-1, L-TAKE-2], basis: code}\n",
        ),
    ),
)
FAILS = (
    Case(
        "O and 0",
        project(
            "  L-POOL: {path: pool.py, lines: 5-6, find: def take}\n"
            "  L-P0OL: {path: pool.py, lines: 8-9, find: def give}\n",
            claims="claims:\n  C1.1: {text: One., cites: [L-POOL, L-P0OL], basis: code}\n",
        ),
        finds=("anchors.yaml:8:3: warning: L-P0OL: looks like L-POOL [look-alike-ids]",),
    ),
)
