"""`claimcheck.drift/1`, the machine output of `drift`.

History: 1, the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from claimcheck.drift import AnchorDrift, Drift, RegionDrift, watched
from claimcheck.drift_details import AnchorDetail, Upstream
from claimcheck.model import Lines, Pin, Revision
from claimcheck.outcome import Ambiguous, Candidate, Cosmetic, Deleted, Edited, Spot
from claimcheck.reports.json_values import Json, dumps, place_json

SCHEMA = "claimcheck.drift/1"


def render(drift: Drift, found: Sequence[AnchorDetail]) -> str:
    """`found` has the details of every anchor to read."""
    return dumps({"schema": SCHEMA, **vendor(drift, found)})


def vendor(drift: Drift, found: Sequence[AnchorDetail]) -> Json:
    """One vendor's part of a document."""
    upstream = {(detail.one.id, part.region.number): part.upstream for detail in found for part in detail.regions}
    return {
        "vendor": drift.vendor,
        "to": drift.target.public,
        "summary": dict(Counter(one.outcome.name for one in drift.anchors)),
        "regions_summary": dict(Counter(region.outcome.name for one in drift.anchors for region in one.regions)),
        "anchors": [_anchor(one, upstream) for one in drift.anchors],
    }


def _anchor(one: AnchorDrift, upstream: Mapping[tuple[str, int], Upstream | None]) -> Json:
    return {
        "id": one.id,
        "from": _origin(one.origin),
        "outcome": one.outcome.name,
        "watch": watched(one.anchor),
        "compared": one.compared,
        "lost": list(one.lost),
        "claims": [
            {"id": change.id, "before": change.before.value, "after": change.after.value} for change in one.claims
        ],
        "sentences": [{"place": place_json(sentence.place), "text": sentence.text} for sentence in one.sentences],
        "regions": [_region(region, upstream.get((one.id, region.number))) for region in one.regions],
    }


def _origin(origin: Revision | Pin) -> str:
    return origin.public if isinstance(origin, Revision) else origin.text


def _region(region: RegionDrift, upstream: Upstream | None) -> Json:
    outcome = region.outcome
    candidates = outcome.candidates if isinstance(outcome, Ambiguous) else ()
    candidates = outcome.trail if isinstance(outcome, Deleted) else candidates
    return {
        "outcome": outcome.name,
        "from": {"path": region.path, "lines": _lines(region.lines)},
        "to": _spot(region.spot),
        "symbol": region.spot.symbol if region.spot else None,
        "change": outcome.change.value if isinstance(outcome, Edited | Cosmetic) else None,
        "confidence": outcome.confidence,
        "evidence": outcome.evidence,
        "candidates": [_candidate(candidate) for candidate in candidates],
        "upstream": _upstream(upstream),
    }


def _upstream(found: Upstream | None) -> Json | None:
    if found is None:
        return None
    commits = [{"id": commit.id, "date": commit.date, "subject": commit.subject} for commit in found.commits]
    return {
        "commits": commits,
        "what": found.what if commits else None,
        "more": found.more,
        "reason": found.why,
        "help": found.command,
    }


def _lines(lines: Lines) -> list[int]:
    return [lines.first, lines.last]


def _spot(spot: Spot | None) -> Json | None:
    return {"path": spot.path, "lines": _lines(spot.lines)} if spot else None


def _candidate(candidate: Candidate) -> Json:
    return {"path": candidate.path, "lines": _lines(candidate.lines), "confidence": candidate.confidence}
