"""A claim about code has checks that say nothing of what the code does."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.model import Basis
from claimcheck.rules.cases import Case, project

INFO = RuleInfo(
    "weak-check",
    Severity.NOTE,
    "A claim about code has checks that say nothing of what the code does.",
    help="That a name exists, or that a comment says so, stays true while the code comes to do something else. Code can be "
    "tested: by what it calls, in which order, under which condition, with which value or formula. A claim about code "
    "with comments only counts as untested; one that can only be read off a comment has `basis: comment`.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for id, test in corpus.tests.items():
        claim = test.claim
        if claim.basis is not Basis.CODE or not claim.checks or test.failing or test.unverified:
            continue
        from claimcheck.checks import Strength, strength_of

        strengths = {strength_of(one) for one in claim.checks}
        if strengths == {Strength.COMMENT}:
            message = "its checks look at comments only, so it counts as untested"
        elif Strength.TESTS not in strengths:
            forms = " and ".join(dict.fromkeys(f"`{one.form}`" for one in claim.checks))
            message = f"it rests on {forms} alone, which stays true whatever the code does"
        else:
            continue
        yield Finding(INFO, id, claim.places["checks"], message)


_CLAIMS = "claims:\n  C1.1:\n    text: One.\n    cites: [L-TAKE]\n    basis: {basis}\n    checks:\n"
_ANCHOR = "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"


def _claims(check: str, basis: str = "code") -> str:
    return _CLAIMS.format(basis=basis) + f"      - {check}\n"


PASSES = (
    Case("a call", project(_ANCHOR, claims=_claims("calls: get"))),
    Case("absence is a test", project(_ANCHOR, claims=_claims("exists: {name: put, absent: true}"))),
    Case("a document has no code", project(_ANCHOR, claims=_claims("exists: take", "document"))),
)
FAILS = (
    Case(
        "mere existence",
        project(_ANCHOR, claims=_claims("exists: take")),
        finds=(
            "claims/one.yaml:7:7: note: C1.1: it rests on `exists` alone, which stays true whatever the code does "
            "[weak-check]",
        ),
    ),
    Case(
        "a comment",
        project("  L-TAKE: {path: pool.py, lines: 1-2, find: first}\n", claims=_claims("comment: the first")),
        commits=({"pool.py": "# the first\nx = 1\n"},),
        finds=(
            "claims/one.yaml:7:7: note: C1.1: its checks look at comments only, so it counts as untested [weak-check]",
        ),
    ),
)
