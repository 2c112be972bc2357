"""Excerpts as JSON, `claimcheck.excerpt/1`: the text exactly, hidden characters as JSON's own escapes."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.excerpts import Excerpt, ExcerptRegion, Seen
from claimcheck.reports.json_values import Json, dumps, lines_json
from claimcheck.terminal import PLAIN, Paint

SCHEMA = "claimcheck.excerpt/1"


def render(excerpts: Sequence[Excerpt], *, paint: Paint = PLAIN) -> str:
    """One object with all excerpts."""
    return dumps({"schema": SCHEMA, "excerpts": [_excerpt(excerpt) for excerpt in excerpts]})


def seen_fields(seen: Seen) -> Json:
    """What was looked at. A release has no `commit`, since only this machine's copy of it has one."""
    release = seen.revision.release
    return {
        "id": seen.id,
        "vendor": seen.vendor,
        "commit": None if release else seen.revision.commit,
        "tag": seen.revision.tag,
        "release": {"version": release.version, "sha256": release.sha256} if release else None,
        "pin": seen.pin.text,
        "at_pin": seen.at_pin,
        "stand_in": seen.stand_in,
        "path": seen.path,
        "recorded_path": seen.recorded_path,
    }


def _excerpt(excerpt: Excerpt) -> Json:
    fields = seen_fields(excerpt.seen) | {
        "review": excerpt.review.value,
        "blob": excerpt.blob,
        "note": excerpt.note,
        "regions": [_region(region) for region in excerpt.regions],
    }
    if excerpt.cited_by is not None:
        fields["cited_by"] = [{"id": entry.id, "text": entry.text} for entry in excerpt.cited_by]
    return fields


def _region(region: ExcerptRegion) -> Json:
    return {
        "lines": lines_json(region.lines),
        "recorded": lines_json(region.recorded),
        "symbol": region.symbols[0] if len(region.symbols) == 1 else None,
        "symbols": list(region.symbols),
        "outcome": region.outcome,
        "extent": region.extent.value,
        "text": list(region.text),
        "before": list(region.before),
        "after": list(region.after),
        "permalink": region.link if isinstance(region.link, str) else None,
        "swhid": region.swhid,
    }
