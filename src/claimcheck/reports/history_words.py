"""What the formats of `claimcheck history` say in the same words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from claimcheck.history import Answer, Cell, Column, History, Stretch, Turn, differs
from claimcheck.model import Revision
from claimcheck.terminal import visible
from claimcheck.values import frozen
from claimcheck.verdict import Verdict

MARK = "* the text differs from the revision before it"

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@frozen
class Sentence:
    """What the matrix says of one claim, or of several that have the same to say.

    `since` is the revision at which the last answer began, empty where there is only one; `parts` belong together.
    """

    claims: tuple[str, ...]
    since: str
    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it, without the IDs."""
        return f"{self.since} {'; '.join(self.parts)}".strip()


def heads(history: History) -> list[str]:
    """The columns' names; the one at which the anchors are cited says so."""
    role = "stand-in" if history.stand_in else "pin"
    return [
        f"{_name(column.revision)} {role}"
        if column.revision.commit == history.origin.commit
        else _name(column.revision)
        for column in history.columns
    ]


def _name(revision: Revision) -> str:
    """A tag or a version where there is one, since columns are narrow."""
    return visible(revision.tag) if revision.tag else revision.label


def cell_words(row: Sequence[Cell]) -> list[str]:
    """The cells of a region: its lines, with a mark where the text differs from the revision before it, or a word."""
    words: list[str] = []
    known: Cell | None = None
    for cell in row:
        mark = "*" if known is not None and differs(known, cell) else ""
        words.append(f"{cell.lines}{mark}" if cell.lines else (cell.word.value if cell.word else ""))
        known = cell if cell.digest else known
    return words


def other_paths(history: History) -> Iterator[tuple[str, str]]:
    """For each anchor that stands in another file than at the end: its ID, and in which file it was until when."""
    for id in history.anchors:
        for row in history.rows(id):
            named = [(cell.path, name) for cell, name in zip(row, names(history), strict=True) if cell.path]
            for (path, name), (after, _) in pairwise(named):
                if path != after:
                    yield id, f"in {visible(path)} until {name}, then in {visible(after)}"


def names(history: History) -> list[str]:
    return [_name(column.revision) for column in history.columns]


def sentences(history: History) -> list[Sentence]:
    """A sentence a claim, in registry order; claims whose answer is the same everywhere share one for each answer."""
    steady: dict[Verdict, list[str]] = {}
    found: list[Sentence] = []
    for id in history.claims:
        stretches = history.stretches(id)
        if len(stretches) == 1:
            steady.setdefault(stretches[0].verdict, []).append(id)
        else:
            found.append(_turning(history, id, stretches))
    scope = _everywhere(history)
    for verdict, ids in steady.items():
        verb = "" if verdict is Verdict.HOLDS else f"{word(verdict)} "
        found.append(Sentence(tuple(ids), "", (f"{verb}{scope}",)))
    return found


def _everywhere(history: History) -> str:
    count = len(history.columns)
    if count == 1:
        return f"at {names(history)[0]}; nothing else was looked at"
    return f"in all {number(count)}; not looked at before {names(history)[0]}"


def number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def word(verdict: Verdict) -> str:
    """What a column says of a claim."""
    return "not known" if verdict is Verdict.UNVERIFIED else verdict.value


def _turning(history: History, id: str, stretches: Sequence[Stretch]) -> Sentence:
    """The last answer first, `since 0.33.0`, then the ones before it, `until 0.32.0`."""
    answers, labels = history.answers(id), names(history)
    *before, last = stretches
    parts = [said_of(answers[last.columns[0]], answers[before[-1].columns[-1]])]
    for stretch in reversed(before):
        first, end = labels[stretch.columns[0]], labels[stretch.columns[-1]]
        when = f"until {end}" if stretch is before[0] else f"{first} to {end}" if first != end else f"at {end}"
        after = answers[stretch.columns[-1] + 1]
        parts.append(f"{when} {said_of(answers[stretch.columns[-1]], after)}")
    return Sentence((id,), f"since {labels[last.columns[0]]}", tuple(parts))


def said_of(answer: Answer, other: Answer) -> str:
    """An answer by the checks that fail; where none does, by those that fail at the neighbour with another answer."""
    failing = [reason for reason in answer.reasons if reason.fails]
    there = {reason.check for reason in other.reasons if reason.fails}
    told = failing or [reason for reason in answer.reasons if reason.check in there]
    said = "; ".join(visible(reason.message) for reason in told)
    return said or word(answer.verdict)


def turn_sentence(turn: Turn | None, claim: str, count: int, *, order: str) -> str:
    """What bisection found."""
    if turn is None:
        return f"{claim} has the same answer at both ends; nothing between was looked at."
    before, after = turn.before.claims[claim], turn.after.claims[claim]
    return (
        f"{claim}  {word(after.verdict)} since {_where(turn.after)}   {said_of(after, before)}\n"
        f"{' ' * len(claim)}  {word(before.verdict)} at {_where(turn.before)}   {said_of(before, after)}\n"
        f"{turn.steps} of {count} {order} looked at; one change is assumed."
    )


def _where(column: Column) -> str:
    return visible(column.revision.label)
