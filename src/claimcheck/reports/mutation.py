"""The formats of `claimcheck mutate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from claimcheck.mutation import Score, Total
from claimcheck.phrases import counted
from claimcheck.reports.json_values import Json, dumps
from claimcheck.terminal import visible
from claimcheck.values import frozen


@frozen
class Shown:
    """What is shown: the scores, and what it takes to have them again."""

    total: Total
    seed: int
    most: int
    verbose: bool = False


def text(shown: Shown) -> str:
    """A row a claim that is not perfect with what it did not notice, and the score of all."""
    total = shown.total
    scored = [score for score in total.scores if score.tried]
    imperfect = [score for score in scored if score.survivors]
    lines: list[str] = []
    width = max((len(score.claim) for score in scored), default=0)
    for score in sorted(imperfect, key=lambda score: score.noticed / score.tried):
        lines.append(f"{score.claim:<{width}}  {_percent(score.noticed, score.tried):>4}  {_of(score)}")
        lines += [f"    {visible(str(mutant))}  ({mutant.kind.value})" for mutant in score.survivors]
    if lines:
        lines.append("")
    perfect = [score.claim for score in scored if not score.survivors]
    if perfect:
        lines.append(f"everything noticed: {' '.join(perfect)}")
    lines += _left_out(shown)
    return "\n".join([*lines, _verdict(shown)]) + "\n"


def _of(score: Score) -> str:
    return f"{score.noticed} of {counted(score.tried, 'change')} noticed"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part // whole}%"


def _left_out(shown: Shown) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for score in shown.total.scores:
        if not score.tried:
            reasons.setdefault(score.left_out or "no change was possible", []).append(score.claim)
    if shown.verbose:
        return [f"not tried: {' '.join(claims)}: {reason}" for reason, claims in reasons.items()]
    return [f"not tried: {counted(len(claims), 'claim')}: {reason}" for reason, claims in reasons.items()]


def _verdict(shown: Shown) -> str:
    total = shown.total
    if not total.tried:
        return "Nothing was changed: no claim here has checks that rest on code and hold."
    scored = sum(bool(score.tried) for score in total.scores)
    share = _percent(total.noticed, total.tried)
    again = f"seed {shown.seed}, at most {shown.most} a claim"
    return f"Score {share}: {total.noticed} of {counted(total.tried, 'change')} noticed, {counted(scored, 'claim')} ({again})."


def json(shown: Shown) -> str:
    """`claimcheck.mutate/1`."""
    total = shown.total
    return dumps(
        {
            "schema": "claimcheck.mutate/1",
            "seed": shown.seed,
            "most": shown.most,
            "summary": {
                "claims": sum(bool(score.tried) for score in total.scores),
                "changes": total.tried,
                "noticed": total.noticed,
                "score": round(total.share, 4) if total.share is not None else None,
                "survivors": {kind.value: count for kind, count in total.by_kind().items()},
            },
            "claims": [_claim(score) for score in total.scores],
        }
    )


def _claim(score: Score) -> Json:
    return {
        "id": score.claim,
        "changes": score.tried,
        "noticed": score.noticed,
        "statements": score.statements,
        "left_out": score.left_out or None,
        "survivors": [
            {
                "kind": mutant.kind.value,
                "path": mutant.path,
                "line": mutant.line,
                "before": mutant.before,
                "after": mutant.after,
            }
            for mutant in score.survivors
        ],
    }


FORMATS: Mapping[str, Callable[[Shown], str]] = {"text": text, "json": json}
