"""One check to its result."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.checks.context import Cited, Context
from claimcheck.checks.form import BadArguments
from claimcheck.checks.forms import FORMS
from claimcheck.checks.looking import look
from claimcheck.checks.pattern import BadPattern
from claimcheck.checks.result import Answer, CannotSay, Refuted, Result
from claimcheck.model import Check


def run(check: Check, context: Context) -> Result:
    """What a check says of the texts in a context: a function of both, which reads nothing else and keeps nothing."""
    return answer(check, tuple(context.anchors.values()))


def answer(check: Check, anchors: Sequence[Cited]) -> Result:
    """What a check says of some anchors."""
    try:
        return FORMS[check.form].check(check.arguments, look(check, Context({cited.id: cited for cited in anchors})))
    except Refuted as reason:
        return Result(Answer.FAILS, reason.reason)
    except CannotSay as reason:
        return Result(Answer.UNVERIFIED, reason.reason, reason.hits, anchor=reason.anchor)
    except (BadPattern, BadArguments) as problem:
        # It was well formed in the language that the file had when the registry was loaded.
        return Result(Answer.UNVERIFIED, str(problem))
