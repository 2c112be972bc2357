"""A vendor's repository is there but is not read."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, FindingClass, RuleInfo, Severity
from claimcheck.rules.cases import ELSEWHERE, GOOD, SOURCE, Case, project
from claimcheck.texts import NoSource, Why

INFO = RuleInfo(
    "vendor-unusable",
    Severity.ERROR,
    "A vendor's repository is here but cannot be read safely, or at all.",
    FindingClass.ENVIRONMENT,
    "The folder is not a git repository, keeps its objects outside the project, uses a format that is not supported "
    "(SHA-256, reftable for names), or is damaged. The message says which, and what to do. Objects that are borrowed "
    "from elsewhere are read only where `--allow-alternates DIR` or `CLAIMCHECK_ALTERNATES` covers the place.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for name, looked_at in corpus.looked_at.items():
        unusable = isinstance(looked_at, NoSource) and looked_at.why is Why.REPOSITORY
        state = corpus.sources.state(name)
        if isinstance(looked_at, NoSource) and unusable and state.present:
            yield Finding(
                INFO,
                name,
                corpus.registry.vendors[name].places[""],
                looked_at.message,
                help=looked_at.help or (f"claimcheck vendor sync {name}" if state.problems else None),
                effect=Effect.UNVERIFIES,
            )


PASSES = (Case("a clone in vendor/lib", GOOD),)
FAILS = (
    Case(
        "a folder without a repository in it",
        {
            **project("  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n", head=ELSEWHERE),
            "vendor/lib/pool.py": SOURCE,
        },
        commits=(),
        finds=("anchors.yaml:2:3: error: lib: vendor/lib is not a git repository: it has no .git [vendor-unusable]",),
    ),
)
