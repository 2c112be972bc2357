"""Whether the anchor's symbol is defined in the file cannot be told."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, FindingClass, RuleInfo, Severity
from claimcheck.rules.cases import Case, project
from claimcheck.rules.evidence import problems
from claimcheck.sighting import SymbolUnclear

INFO = RuleInfo(
    "symbol-unresolved",
    Severity.ERROR,
    "The anchor's symbol cannot be looked up in the file.",
    FindingClass.ENVIRONMENT,
    "No grammar reads the file, its grammar is not installed or does not fit, the file is too large to be parsed, or the "
    "parser did not understand the place where the name stands (`#if` branches with braces of their own are the usual "
    "cause). That does not say that the symbol is missing; nothing was learned. Cite lines with a string in `find` and "
    "leave `symbol` out.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, SymbolUnclear):
        anchor = sighting.anchor
        yield Finding(
            INFO,
            anchor.id,
            anchor.places["symbol"],
            f"{problem.symbol} cannot be looked up: {problem.reason}",
            help="leave `symbol` out; `lines` and `find` do without a parser",
            effect=Effect.UNVERIFIES,
        )


ANCHOR = "  L-TAKE: {path: notes.txt, lines: 1, symbol: take%s}\n"
PASSES = (Case("a file with a grammar", project("  L-TAKE: {path: pool.py, lines: 5-6, symbol: Pool.take}\n")),)
FAILS = (
    Case(
        "a file without one",
        project(ANCHOR % ", find: to take"),
        commits=({"notes.txt": "how to take\n"},),
        finds=(
            "anchors.yaml:7:47: error: L-TAKE: take cannot be looked up: there is no grammar for notes.txt "
            "[symbol-unresolved]",
        ),
    ),
    Case(
        "a definition that the parser did not understand",
        project("  L-TAKE: {path: a.cpp, lines: 10, symbol: b, find: void b()}\n"),
        commits=(
            {"a.cpp": "void a() {\n#if X\n  if (p) {\n#else\n  if (q) {\n#endif\n    z();\n  }\n}\nvoid b() { }\n"},
        ),
        finds=(
            "anchors.yaml:7:44: error: L-TAKE: b cannot be looked up: a.cpp has parse errors where it is named, in line "
            "10 [symbol-unresolved]",
        ),
    ),
)
