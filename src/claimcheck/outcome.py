"""What became of a region between two commits: one small class for each outcome, and their union."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import ClassVar

from claimcheck.model import Lines
from claimcheck.values import frozen


class Change(enum.Enum):
    """The class of a change of text."""

    SPACE = "space"
    COMMENT = "comment"
    DOCSTRING = "docstring"
    CODE = "code"


class Extent(enum.Enum):
    """How well the two ends of a place are known."""

    EXACT = "exact"
    DEFINITION = "definition"
    GUESSED = "guessed"


@frozen
class Spot:
    """Where a region stands at the target, and the symbol it is or lies in."""

    path: str
    lines: Lines
    symbol: str | None = None
    extent: Extent = Extent.EXACT


@frozen
class Candidate:
    """A place that might be meant; never an answer."""

    path: str
    lines: Lines
    confidence: float


@frozen
class Unchanged:
    name: ClassVar = "unchanged"
    to: Spot
    evidence: str = "same place, same bytes"
    confidence: float = 1.0


@frozen
class Moved:
    name: ClassVar = "moved"
    to: Spot
    evidence: str
    confidence: float


@frozen
class Renamed:
    """The same bytes in another file."""

    name: ClassVar = "renamed"
    to: Spot
    evidence: str
    confidence: float


@frozen
class Cosmetic:
    """Other bytes, but a change that is not watched; `tokens_equal` says that the token digests agree."""

    name: ClassVar = "cosmetic"
    to: Spot
    change: Change
    tokens_equal: bool
    evidence: str
    confidence: float


@frozen
class Edited:
    name: ClassVar = "edited"
    to: Spot
    change: Change
    evidence: str
    confidence: float


@frozen
class Ambiguous:
    """Several places are equally good; `remedy` says what would make the region unique."""

    name: ClassVar = "ambiguous"
    candidates: tuple[Candidate, ...]
    remedy: str
    evidence: str = ""
    confidence: float = 0.0


@frozen
class Deleted:
    """Nothing above the floor; `trail` may name a place that has a part of it, never as the answer."""

    name: ClassVar = "deleted"
    evidence: str
    trail: tuple[Candidate, ...] = ()
    confidence: float = 0.0


@frozen
class Located:
    """Found by strings, symbol or fingerprint without the old text, so nothing could be compared.

    `singled_out` says that the region's own strings, symbol or fingerprint leave exactly one place.
    """

    name: ClassVar = "located"
    to: Spot
    evidence: str
    confidence: float
    singled_out: bool = True


@frozen
class Unavailable:
    """It could not be looked at, or (`nothing_to_go_by`) there is no string, symbol or fingerprint to find it by."""

    name: ClassVar = "unavailable"
    reason: str
    evidence: str = ""
    confidence: float = 0.0
    nothing_to_go_by: bool = False


Outcome = Unchanged | Moved | Renamed | Cosmetic | Edited | Ambiguous | Deleted | Located | Unavailable

WORST_FIRST: tuple[type[Outcome], ...] = (
    Unavailable,
    Deleted,
    Ambiguous,
    Edited,
    Located,
    Cosmetic,
    Renamed,
    Moved,
    Unchanged,
)


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome that stands for an anchor: its worst region's."""
    return min(outcomes, key=lambda outcome: WORST_FIRST.index(type(outcome)))


def spot_of(outcome: Outcome) -> Spot | None:
    """The place that an outcome gives as its answer, if it gives one."""
    match outcome:
        case Unchanged() | Moved() | Renamed() | Cosmetic() | Edited() | Located():
            return outcome.to
        case Ambiguous() | Deleted() | Unavailable():
            return None
