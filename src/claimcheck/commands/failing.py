"""Why an anchor cannot be reviewed: a claim that rests on it has a check that fails there."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from claimcheck.commands.session import Session
from claimcheck.corpus import build
from claimcheck.model import Registry, Revision
from claimcheck.outcome import Moved, Spot
from claimcheck.sighting import Sighting

Places = Mapping[str, Sequence[Spot]]


def failing_claims(
    session: Session, registry: Registry, ids: Collection[str], places: Places | None = None
) -> dict[str, str]:
    """For each of these anchors that a failing claim rests on, what fails, as a sentence; a waived failure is none.

    An anchor is looked at where it is cited, or in the `places` given for it at the pin of its vendor.
    """
    claims = [one for one in registry.claims.values() if one.has_checks and not set(ids).isdisjoint(one.cites)]
    if not claims:
        return {}
    from claimcheck.claim_tests import run
    from claimcheck.rules import is_in_force
    from claimcheck.rules.check_failed import INFO

    corpus = build(registry, session.sources, [claim.id for claim in claims])
    sightings = dict(corpus.sightings)
    for id, spots in (places or {}).items():
        anchor = registry.anchors[id]
        target = session.sources.pinned(anchor.vendor)
        if isinstance(target, Revision):
            placed = tuple(Moved(spot, "a person says so", 1.0) for spot in spots)
            sightings[id] = Sighting(anchor, target, True, placed, compared=True)
    waivers = [waiver for waiver in registry.waivers if waiver.rule == INFO.name and is_in_force(waiver, corpus)]
    accepted = {waiver.subject for waiver in waivers}
    failing: dict[str, str] = {}
    for claim, test in run(claims, registry, session.sources, sightings).items():
        if test.failing and claim not in accepted:
            said = f"{claim} rests on it and fails: {test.failing[0].result.message}"
            failing.update({id: said for id in test.claim.cites if id in ids and id not in failing})
    return failing
