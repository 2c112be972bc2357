"""The cited file exists, but its content could not be read."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, FindingClass, RuleInfo, Severity
from claimcheck.rules.cases import Case, project
from claimcheck.rules.evidence import problems
from claimcheck.sighting import Unreadable

INFO = RuleInfo(
    "source-unavailable",
    Severity.ERROR,
    "The cited file's content is not here, too large, or damaged.",
    FindingClass.ENVIRONMENT,
    "A partial clone lacks the object, the object is damaged (its bytes do not have the id by which the commit names "
    "it), the blob is a Git LFS pointer whose content lies elsewhere, or the file is larger than the limit. Nothing "
    "was learned: the anchor is unverified.",
)
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "a" * 64 + "\nsize 90405214\n"


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, Unreadable):
        if problem.source.environment:
            anchor = sighting.anchor
            part = "commit" if sighting.revision is None else "path"
            yield Finding(
                INFO,
                anchor.id,
                anchor.places[part],
                problem.source.message if part == "commit" else f"{anchor.path} {problem.source.message}",
                help=problem.source.help,
                effect=Effect.UNVERIFIES,
            )


PASSES = (
    Case(
        "a source that only quotes a Git LFS pointer",
        project("  L-TAKE: {path: pool.py, lines: 1-3, find: git-lfs}\n"),
        commits=({"pool.py": '"""\n' + POINTER + '"""\nx = 1\n'},),
    ),
)
FAILS = (
    Case(
        "a Git LFS pointer",
        project("  L-TAKE: {path: pool.py, lines: 1-3, find: git-lfs}\n"),
        commits=({"pool.py": POINTER},),
        finds=(
            "anchors.yaml:7:18: error: L-TAKE: pool.py is a Git LFS pointer; its content is not in this repository "
            "[source-unavailable]",
        ),
    ),
)
