"""The cited path is no text: a directory, a symbolic link, a submodule, or a binary file."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.rules.cases import SOURCE, Case, project
from claimcheck.rules.evidence import problems, revision_of
from claimcheck.sighting import Unreadable
from claimcheck.texts import Why

INFO = RuleInfo(
    "not-text",
    Severity.ERROR,
    "The cited path is not a text file.",
    help="Only the text of a file can be cited by lines. A symbolic link is never followed: cite the file that it "
    "names. A directory or a submodule entry has no lines, and a file with NUL bytes is taken for binary.",
)
KINDS = (Why.DIRECTORY, Why.SYMLINK, Why.SUBMODULE, Why.BINARY)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, Unreadable):
        if problem.source.why in KINDS and sighting.revision is not None:
            anchor = sighting.anchor
            yield Finding(
                INFO,
                anchor.id,
                anchor.places["path"],
                f"{anchor.path} at {revision_of(sighting)} {problem.source.message}",
                help=problem.source.help,
                effect=Effect.FAILS,
            )


PASSES = (Case("a text file", project("  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n")),)
FAILS = (
    Case(
        "a directory",
        project("  L-TAKE: {path: src, lines: 5-6, find: def take}\n"),
        commits=({"src/pool.py": SOURCE},),
        finds=("anchors.yaml:7:18: error: L-TAKE: src at lib {c1:.8} is a directory [not-text]",),
    ),
    Case(
        "a binary file",
        project("  L-TAKE: {path: pool.bin, lines: 5-6, find: def take}\n"),
        commits=({"pool.bin": "def take\0\n"},),
        finds=("anchors.yaml:7:18: error: L-TAKE: pool.bin at lib {c1:.8} is a binary file [not-text]",),
    ),
)
