"""What a check says: an answer, a sentence, and what is there."""

from __future__ import annotations

import enum

from claimcheck.values import frozen


class Answer(enum.Enum):
    """Whether the source is as the check says; `UNVERIFIED` when that could not be looked at."""

    HOLDS = "holds"
    FAILS = "fails"
    UNVERIFIED = "unverified"


@frozen(order=True)
class Hit:
    """A line of a vendor's file that a result speaks of."""

    path: str
    line: int
    text: str = ""


@frozen
class Result:
    """One check's answer. `message` is a sentence: of what was expected where it fails, of the reason where it could
    not be looked at. `hits` are the lines that show it, `nearest` says what comes near.

    `anchor` is the cited anchor because of which it could not be looked at; what is wrong with that is told elsewhere.
    """

    answer: Answer
    message: str
    hits: tuple[Hit, ...] = ()
    nearest: str | None = None
    anchor: str | None = None

    @property
    def holds(self) -> bool:
        return self.answer is Answer.HOLDS


class CannotSay(Exception):
    """A check cannot be answered, for a reason; `anchor` is the one that has no place, if that is the reason."""

    def __init__(self, reason: str, *, hits: tuple[Hit, ...] = (), anchor: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.hits = hits
        self.anchor = anchor


class Refuted(Exception):
    """What a check is about is not there, so the check fails whatever its form is."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
