"""Citations as JSON, `claimcheck.cite/1`."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.footnotes import Citation, CitedRegion
from claimcheck.reports.excerpts_json import json_text, pair, seen_fields

SCHEMA = "claimcheck.cite/1"


def render(citations: Sequence[Citation]) -> str:
    """One object with all citations."""
    return json_text({"schema": SCHEMA, "citations": [_citation(citation) for citation in citations]})


def _citation(citation: Citation) -> dict[str, object]:
    return seen_fields(citation.seen) | {
        "looked_at": citation.unseen is None,
        "reason": citation.unseen,
        "caption": citation.caption,
        "blob": citation.blob,
        "no_permalink": citation.no_link,
        "regions": [_region(region) for region in citation.regions],
    }


def _region(region: CitedRegion) -> dict[str, object]:
    return {
        "lines": pair(region.lines),
        "recorded": pair(region.recorded),
        "permalink": region.link if isinstance(region.link, str) else None,
        "swhid": region.swhid,
    }
