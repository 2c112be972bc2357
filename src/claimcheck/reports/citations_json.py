"""Citations as JSON, `claimcheck.cite/1`."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.footnotes import Citation, CitedRegion
from claimcheck.reports.excerpts_json import seen_fields
from claimcheck.reports.json_values import Json, dumps, lines_json

SCHEMA = "claimcheck.cite/1"


def render(citations: Sequence[Citation]) -> str:
    """One object with all citations."""
    return dumps({"schema": SCHEMA, "citations": [_citation(citation) for citation in citations]})


def _citation(citation: Citation) -> Json:
    return seen_fields(citation.seen) | {
        "looked_at": citation.unseen is None,
        "reason": citation.unseen,
        "caption": citation.caption,
        "blob": citation.blob,
        "no_permalink": citation.no_link,
        "regions": [_region(region) for region in citation.regions],
    }


def _region(region: CitedRegion) -> Json:
    return {
        "lines": lines_json(region.lines),
        "recorded": lines_json(region.recorded),
        "permalink": region.link if isinstance(region.link, str) else None,
        "swhid": region.swhid,
    }
