"""Nothing cites an anchor."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case, project

INFO = RuleInfo(
    "uncited-anchor",
    Severity.NOTE,
    "No claim, example or correction cites the anchor.",
    help="Harmless: an anchor may be there for a text that is still to be written. Cite it, or remove it with "
    "`claimcheck rm ID`.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    registry = corpus.registry
    if not registry.citing:
        return  # a project without claims cites in its documents, which are not read yet
    cited = {id for entry in registry.citing for id in entry.cites}
    for id in corpus.selection.anchors:
        if id not in cited:
            yield Finding(INFO, id, registry.anchors[id].places[""], "nothing cites it")


PASSES = (
    Case("a claim cites it", GOOD),
    Case(
        "a project without claims",
        project("  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n", claims="claims: {}\n"),
    ),
)
FAILS = (
    Case(
        "cited by none of the claims",
        project(
            "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"
            "  L-GIVE: {path: pool.py, lines: 8-9, find: def give}\n"
        ),
        finds=("anchors.yaml:8:3: note: L-GIVE: nothing cites it [uncited-anchor]",),
    ),
)
