"""A problem, as data: what rule saw it, about what, where, with which evidence and which way out."""

from __future__ import annotations

import enum

from claimcheck.model import Place, Waiver
from claimcheck.values import frozen


class Severity(enum.Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class FindingClass(enum.Enum):
    """Whose matter it is: something is false, what was given is not acceptable, or it could not be looked at."""

    FINDING = "finding"
    INPUT = "input"
    ENVIRONMENT = "environment"


class Effect(enum.Enum):
    """What a finding does to its subject: it is false, nothing was learned about it, or neither."""

    FAILS = "fails"
    UNVERIFIES = "unverifies"
    NONE = "none"


@frozen
class RuleInfo:
    """What a rule is called and what it is for. `help` is a paragraph for `claimcheck explain`."""

    name: str
    severity: Severity
    summary: str
    kind: FindingClass = FindingClass.FINDING
    help: str = ""


@frozen
class Quote:
    """Lines of a vendor's source that show the problem. `revision` is what people read: `vllm 0.33.0`."""

    vendor: str
    revision: str
    commit: str
    path: str
    lines: tuple[tuple[int, str], ...] = ()


@frozen
class Frame:
    """Lines of a project file around a place; `length` code points are underlined."""

    lines: tuple[tuple[int, str], ...]
    place: Place
    length: int


Evidence = Quote | Frame | str


@frozen
class Finding:
    """One problem. `message` is one sentence without the subject; `help` one thing to paste.

    `kind` is given where one rule sees matters of two classes, as when a path cannot be looked at.
    """

    rule: RuleInfo
    subject: str
    place: Place
    message: str
    evidence: tuple[Evidence, ...] = ()
    help: str | None = None
    effect: Effect = Effect.NONE
    kind: FindingClass | None = None
    waiver: Waiver | None = None

    @property
    def severity(self) -> Severity:
        return self.rule.severity

    @property
    def category(self) -> FindingClass:
        """The finding's own class, or its rule's."""
        return self.kind or self.rule.kind

    @property
    def counts(self) -> bool:
        """Whether this finding decides the exit code."""
        return self.waiver is None and self.severity is Severity.ERROR
