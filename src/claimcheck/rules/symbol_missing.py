"""An anchor names a symbol that its file does not define, or that its regions do not lie in."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.phrases import listed, span
from claimcheck.rules.cases import Case, project
from claimcheck.rules.evidence import problems, quote, revision_of
from claimcheck.sighting import SymbolProblem

INFO = RuleInfo(
    "symbol-missing",
    Severity.ERROR,
    "The anchor's symbol is not defined in the file, or not around its lines.",
    help="`symbol:` names a definition by its qualified name (`Pool.take`); the anchor's regions have to lie inside it. "
    "Names in comments, strings and uses are not definitions. Without `lines` the definition is the region, so there has "
    "to be one, or one that holds a string of `find`.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, SymbolProblem):
        anchor = sighting.anchor
        if problem.defined and not anchor.regions:
            message = f"{problem.symbol} is defined {len(problem.defined)} times, at {listed(problem.defined)}"
        elif problem.defined:
            cited = span([region.lines for region in anchor.regions])
            message = f"{problem.symbol} is at {listed(problem.defined)}, not around {cited}"
        else:
            message = f"{anchor.path} at {revision_of(sighting)} defines no {problem.symbol}"
        yield Finding(
            INFO,
            anchor.id,
            anchor.places["symbol"],
            message,
            evidence=(quote(corpus, sighting, [lines.first for lines in problem.defined]),),
            help=None
            if anchor.regions or not problem.defined
            else f"lines: {problem.defined[0]}    if that one is meant",
            effect=Effect.FAILS,
        )


PASSES = (
    Case("around the lines", project("  L-TAKE: {path: pool.py, lines: 6, symbol: Pool.take, find: self.free.get}\n")),
    Case("without lines the definition itself", project("  L-TAKE: {path: pool.py, symbol: Pool.take}\n")),
)
FAILS = (
    Case(
        "not defined there",
        project("  L-TAKE: {path: pool.py, lines: 5-6, symbol: Pool.drop, find: def take}\n"),
        finds=("anchors.yaml:7:47: error: L-TAKE: pool.py at lib {c1:.8} defines no Pool.drop [symbol-missing]",),
    ),
    Case(
        "somewhere else",
        project("  L-TAKE: {path: pool.py, lines: 5-6, symbol: Pool.give, find: def take}\n"),
        finds=("anchors.yaml:7:47: error: L-TAKE: Pool.give is at 8-9, not around lines 5-6 [symbol-missing]",),
    ),
)
