"""How good the checks of claims are: which small wrong changes of the cited source they notice.

A change is made in what a check rests on: the lines that show that it holds, whole statements where the form compares
them, and of `inside` also the head around them. A claim that stays green although the code was changed is one that its
checks do not hold to its word.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace

from claimcheck.checks import Cited, Context, Files, Overlay, Strength
from claimcheck.checks.code import Code, code_of
from claimcheck.checks.mutants import Kind, Mutant, heads_around, mutants_of, statements_at
from claimcheck.checks.result import CannotSay
from claimcheck.claim_tests import ClaimTest, Run, context_of, test
from claimcheck.model import Claim, Lines
from claimcheck.texts import SourceText
from claimcheck.values import frozen

# Forms whose answer rests on the whole statement that shows it, not only on the line where it begins.
_WHOLE = frozenset({"formula", "value", "rule", "signature", "bases"})
# Forms whose answer rests on what is around the lines that show it.
_AROUND = frozenset({"inside"})


@frozen
class Score:
    """One claim: how many changes were tried and which of them its checks did not notice.

    `statements` counts the statements of code in which changes were made; `left_out` says why nothing was changed.
    """

    claim: str
    tried: int = 0
    survivors: tuple[Mutant, ...] = ()
    statements: int = 0
    left_out: str = ""

    @property
    def noticed(self) -> int:
        return self.tried - len(self.survivors)


@frozen
class Total:
    """Some claims together."""

    scores: tuple[Score, ...]

    @property
    def tried(self) -> int:
        return sum(score.tried for score in self.scores)

    @property
    def noticed(self) -> int:
        return sum(score.noticed for score in self.scores)

    @property
    def share(self) -> float | None:
        """The share of changes that were noticed; None where none was made."""
        return self.noticed / self.tried if self.tried else None

    def by_kind(self) -> dict[Kind, int]:
        """How many changes of each kind were not noticed."""
        survivors = [mutant.kind for score in self.scores for mutant in score.survivors]
        return {kind: survivors.count(kind) for kind in Kind if kind in survivors}


def score_of(claim: Claim, cited: Mapping[str, Cited], seed: int, most: int) -> Score:
    """Change the source behind a claim that holds, one change at a time, and run its checks on each.

    Of many changes `most` are tried, chosen by the seed and the claim's ID, so that a run can be repeated.
    """
    context = context_of(claim, cited)
    before = test(claim, context)
    if not before.runs:
        return Score(claim.id, left_out="it has no checks")
    if not before.holds:
        return Score(claim.id, left_out=f"it does not hold: {before.verdict.value}")
    codes = _codes(before, context)
    statements = _statements(before, codes)
    found = [mutant for path, ranges in statements.items() for mutant in mutants_of(codes[path], ranges)]
    count = sum(len(ranges) for ranges in statements.values())
    if not found:
        return Score(claim.id, statements=count, left_out="its checks rest on nothing that is Python or C++")
    tried = found if len(found) <= most else random.Random(f"{seed} {claim.id}").sample(found, most)
    survivors = [mutant for mutant in tried if test(claim, _changed(context, mutant, codes)).holds]
    return Score(claim.id, len(tried), tuple(sorted(survivors)), count)


def _codes(before: ClaimTest, context: Context) -> dict[str, Code]:
    codes: dict[str, Code] = {}
    for path in dict.fromkeys(hit.path for run in before.runs for hit in run.result.hits):
        source = _read(context, path)
        try:
            code = code_of(path, source) if source else None
        except CannotSay:
            continue
        if code is not None:
            codes[path] = code
    return codes


def _read(context: Context, path: str) -> SourceText | None:
    for files in _files(context.anchors.values()):
        source = files.read(path)
        if isinstance(source, SourceText):
            return source
    return None


def _files(anchors: Iterable[Cited]) -> list[Files]:
    return [cited.files for cited in anchors if cited.files is not None]


def _statements(before: ClaimTest, codes: Mapping[str, Code]) -> dict[str, list[Lines]]:
    """The statements that the checks rest on, by file."""
    found: dict[str, dict[Lines, None]] = {}
    for run in before.runs:
        for path, lines in _of_run(run, codes):
            found.setdefault(path, {})[lines] = None
    return {path: sorted(ranges) for path, ranges in found.items()}


def _of_run(run: Run, codes: Mapping[str, Code]) -> Iterable[tuple[str, Lines]]:
    if run.strength is Strength.COMMENT:
        return
    for hit in run.result.hits:
        code = codes.get(hit.path)
        if code is None:
            continue
        own = statements_at(code, hit.line)
        yield hit.path, own if run.check.form in _WHOLE else Lines(hit.line, hit.line)
        if run.check.form in _AROUND:
            head = next((lines for lines in heads_around(code, hit.line) if lines != own), None)
            if head is not None:
                yield hit.path, head


def _changed(context: Context, mutant: Mutant, codes: Mapping[str, Code]) -> Context:
    """The same context with one file changed."""
    texts = {mutant.path: mutant.applied(codes[mutant.path].source)}
    return Context(
        {
            id: replace(cited, files=Overlay(cited.files, texts)) if cited.files is not None else cited
            for id, cited in context.anchors.items()
        }
    )
