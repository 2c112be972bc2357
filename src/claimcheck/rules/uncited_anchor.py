"""Nothing cites an anchor."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, LESSON, Case, project

INFO = RuleInfo(
    "uncited-anchor",
    Severity.NOTE,
    "No claim, example or correction cites the anchor, and no document.",
    help="Harmless: an anchor may be there for a text that is still to be written. Cite it, or remove it with "
    "`claimcheck rm ID`. Said only in a project where something is cited.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    registry = corpus.registry
    if not corpus.selection.anchors:
        return
    cited = {id for entry in registry.citing for id in entry.cites}
    left = [id for id in corpus.selection.anchors if id not in cited]
    # Documents are opened only where they decide something.
    if not left or not (registry.citing or corpus.library.cited):
        return
    for id in left:
        if id not in corpus.library.cited:
            yield Finding(INFO, id, registry.anchors[id].places[""], "nothing cites it")


TAKE, GIVE = (
    "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n",
    "  L-GIVE: {path: pool.py, lines: 8-9, find: def give}\n",
)
PASSES = (
    Case("a claim cites it", GOOD),
    Case("nothing is cited at all", project(TAKE, claims="claims: {}\n")),
    Case("a document cites it", {**project(TAKE, claims="claims: {}\n"), "lessons/one.html": LESSON}),
    Case(
        "a block shows it",
        {
            **project(TAKE, claims="claims: {}\n"),
            "lessons/one.md": "<!-- claimcheck: excerpt L-TAKE -->\n<!-- claimcheck: end -->\n",
        },
    ),
)
FAILS = (
    Case(
        "cited by none of the claims",
        project(TAKE + GIVE),
        finds=("anchors.yaml:8:3: note: L-GIVE: nothing cites it [uncited-anchor]",),
    ),
    Case(
        "cited in code only",
        {**project(TAKE + GIVE), "lessons/one.html": "<p><code>[L-GIVE]</code> is how one cites.\n"},
        finds=("anchors.yaml:8:3: note: L-GIVE: nothing cites it [uncited-anchor]",),
    ),
)
