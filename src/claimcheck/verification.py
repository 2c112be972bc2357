"""What a run of `verify` comes to: the status of every entry that was asked for, and counts that add up."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, Severity
from claimcheck.model import ReviewState
from claimcheck.sighting import Sighting
from claimcheck.values import frozen

if TYPE_CHECKING:
    from claimcheck.claim_tests import ClaimTest


class Status(enum.Enum):
    """The status of an anchor; of claims, examples and errata as far as it goes for them."""

    VERIFIED = "verified"
    FAILED = "failed"
    UNVERIFIED = "unverified"
    UNTESTED = "untested"
    WAIVED = "waived"


@frozen
class Counts:
    """How many entries of one kind have which status; they add up to `total`."""

    total: int
    verified: int
    failed: int
    unverified: int
    untested: int
    waived: int

    @classmethod
    def of(cls, statuses: Iterable[Status]) -> Counts:
        found = list(statuses)
        return cls(len(found), *(found.count(status) for status in Status))


@frozen
class Verification:
    """The findings of one run, and what follows from them for each entry that was asked for."""

    corpus: Corpus
    findings: tuple[Finding, ...]
    anchors: Mapping[str, Status]
    claims: Mapping[str, Status]
    examples: Mapping[str, Status]
    errata: Mapping[str, Status]

    @property
    def tests(self) -> Mapping[str, ClaimTest]:
        """What the checks of the claims said."""
        return self.corpus.tests

    @property
    def checks(self) -> int:
        """How many checks were run, those of caveats included."""
        return sum(len(test.runs) for test in self.tests.values())

    @property
    def deciding_checks(self) -> int:
        """How many of them verify the claims that are verified."""
        verified = [test for id, test in self.tests.items() if self.claims[id] is Status.VERIFIED]
        return sum(len(test.runs) for test in verified)

    @property
    def with_caveats(self) -> tuple[str, ...]:
        """The claims that hold under conditions."""
        verified = [id for id, status in self.claims.items() if status is Status.VERIFIED]
        return tuple(id for id in verified if self.corpus.registry.claims[id].caveats)

    @property
    def sightings(self) -> list[Sighting]:
        """The sightings of the anchors that were asked for."""
        return [self.corpus.sightings[id] for id in self.anchors]

    @property
    def located(self) -> list[Sighting]:
        """The sightings that found every region at another revision without a text to compare with."""
        return [
            sighting
            for sighting in self.sightings
            if sighting.elsewhere and not sighting.compared and self.anchors[sighting.anchor.id] is Status.VERIFIED
        ]

    @property
    def everything(self) -> Counts:
        return Counts.of(
            [*self.anchors.values(), *self.claims.values(), *self.examples.values(), *self.errata.values()]
        )

    def severity_count(self, severity: Severity) -> int:
        """How many findings of a severity are not waived."""
        return sum(finding.severity is severity and finding.waiver is None for finding in self.findings)

    def reviews(self) -> dict[ReviewState, int]:
        """How many of the anchors asked for are in which state of review."""
        registry = self.corpus.registry
        states = [registry.review_of(registry.anchors[id]) for id in self.anchors]
        return {state: states.count(state) for state in ReviewState}

    @property
    def nothing_looked_at(self) -> bool:
        """Whether not one source could be read, so that nothing at all was learned."""
        seen = self.corpus.sightings.values()
        return bool(seen) and all(sighting.revision is None for sighting in seen)

    @property
    def exit_code(self) -> int:
        """2 when nothing could be checked, 1 when something is wrong or unverified, else 0."""
        if self.nothing_looked_at:
            return 2
        counts = self.everything
        bad = any(finding.counts for finding in self.findings)
        return 1 if bad or counts.failed or counts.unverified else 0


def judge(corpus: Corpus, findings: tuple[Finding, ...]) -> Verification:
    """Settle the status of every selected entry.

    An anchor fails, or is unverified, by the findings about it; accepted findings leave it waived. A claim fails by a
    check; it is unverified if an anchor that it cites is not verified or a check could not be answered, waived if only
    waived ones stand in its way, verified if its checks hold, and otherwise untested, since a citation alone tests
    nothing.
    """
    about: dict[str, list[Finding]] = {}
    for finding in findings:
        about.setdefault(finding.subject, []).append(finding)
    anchors = {id: _anchor_status(sighting, about) for id, sighting in corpus.sightings.items()}
    registry, selection = corpus.registry, corpus.selection
    return Verification(
        corpus,
        findings,
        {id: anchors[id] for id in selection.anchors},
        {
            id: _entry_status(id, registry.claims[id].cites, anchors, about, corpus.tests.get(id))
            for id in selection.claims
        },
        {id: _entry_status(id, registry.examples[id].cites, anchors, about) for id in selection.examples},
        {id: _entry_status(id, registry.errata[id].cites, anchors, about) for id in selection.errata},
    )


def _anchor_status(sighting: Sighting, about: Mapping[str, list[Finding]]) -> Status:
    anchor = sighting.anchor
    own = about.get(anchor.id, [])
    if sighting.revision is None and not any(finding.effect is not Effect.NONE for finding in own):
        own = [finding for finding in about.get(anchor.vendor, []) if finding.effect is not Effect.NONE]
        if not own:
            return Status.UNVERIFIED
    return _by_effects(own) or Status.VERIFIED


def _by_effects(findings: Iterable[Finding]) -> Status | None:
    effective = [finding for finding in findings if finding.effect is not Effect.NONE]
    open_effects = {finding.effect for finding in effective if finding.waiver is None}
    if Effect.FAILS in open_effects:
        return Status.FAILED
    if Effect.UNVERIFIES in open_effects:
        return Status.UNVERIFIED
    return Status.WAIVED if effective else None


def _entry_status(
    id: str,
    cites: tuple[str, ...],
    anchors: Mapping[str, Status],
    about: Mapping[str, list[Finding]],
    test: ClaimTest | None = None,
) -> Status:
    own = _by_effects(about.get(id, []))
    if own in (Status.FAILED, Status.UNVERIFIED):
        return own
    cited_anchors = {anchors[cited] for cited in cites if cited in anchors}
    if cited_anchors & {Status.FAILED, Status.UNVERIFIED}:
        return Status.UNVERIFIED
    if own is Status.WAIVED or Status.WAIVED in cited_anchors:
        return Status.WAIVED
    if test is None:
        return Status.UNTESTED
    return Status.UNVERIFIED if test.unverified else Status.VERIFIED if test.holds else Status.UNTESTED
