"""Excerpts as JSON, `claimcheck.excerpt/1`: the text exactly, hidden characters as JSON's own escapes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from claimcheck.excerpts import Excerpt, ExcerptRegion, Seen
from claimcheck.model import Lines
from claimcheck.terminal import CI_COMMAND, HIDDEN, escaped

SCHEMA = "claimcheck.excerpt/1"

_SURROGATE = re.compile("[\ud800-\udfff]")


def render(excerpts: Sequence[Excerpt]) -> str:
    """One object with all excerpts."""
    return json_text({"schema": SCHEMA, "excerpts": [_excerpt(excerpt) for excerpt in excerpts]})


def json_text(value: object) -> str:
    """JSON that reads back as the value and can be shown anywhere: nothing in it acts on a terminal or a CI runner.

    Only a lone surrogate, which JSON has no form for, becomes the text of its escape.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
    text = _SURROGATE.sub(lambda match: escaped(match.group()).replace("\\", "\\\\"), text)
    text = CI_COMMAND.sub(r"#\\u0023", text)
    return HIDDEN.sub(lambda match: _json_escape(match.group()), text) + "\n"


def _json_escape(character: str) -> str:
    # A line feed is never inside a string here, but between the lines of the object.
    return character if character == "\n" else json.dumps(character)[1:-1]


def seen_fields(seen: Seen) -> dict[str, object]:
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


def pair(lines: Lines | None) -> list[int] | None:
    """A range as `[first, last]`."""
    return None if lines is None else [lines.first, lines.last]


def _excerpt(excerpt: Excerpt) -> dict[str, object]:
    fields = seen_fields(excerpt.seen) | {
        "review": excerpt.review.value,
        "blob": excerpt.blob,
        "note": excerpt.note,
        "regions": [_region(region) for region in excerpt.regions],
    }
    if excerpt.cited_by is not None:
        fields["cited_by"] = [{"id": entry.id, "text": entry.text} for entry in excerpt.cited_by]
    return fields


def _region(region: ExcerptRegion) -> dict[str, object]:
    return {
        "lines": pair(region.lines),
        "recorded": pair(region.recorded),
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
