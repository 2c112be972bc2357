"""The formats of `claimcheck list`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from claimcheck.model import Anchor, Registry
from claimcheck.reports.json_values import dumps, lines_json, place_json
from claimcheck.terminal import visible


def cited_by(registry: Registry) -> Mapping[str, list[str]]:
    """For each cited ID the claims, examples and corrections that cite it, in registry order."""
    citing: dict[str, list[str]] = {}
    for entry in registry.citing:
        for id in entry.cites:
            citing.setdefault(id, []).append(entry.id)
    return citing


def text(registry: Registry, anchors: Sequence[Anchor]) -> str:
    """One row an anchor, IDs first, and a last line that counts."""
    citing = cited_by(registry)
    rows = [
        (
            anchor.id,
            f"{anchor.vendor} {registry.pin_of(anchor).short}",
            visible(f"{anchor.path}:{_where(anchor)}"),
            registry.review_of(anchor).value,
            f"cited by {len(citing.get(anchor.id, []))}",
        )
        for anchor in anchors
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(5)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    count = "1 anchor" if len(rows) == 1 else f"{len(rows)} anchors"
    whole = "" if len(rows) == len(registry.anchors) else f" of {len(registry.anchors)}"
    return "".join(line + "\n" for line in [*lines, f"{count}{whole}."])


def _where(anchor: Anchor) -> str:
    return ",".join(str(region.lines) for region in anchor.regions) or anchor.symbol or "whole file"


def json(registry: Registry, anchors: Sequence[Anchor]) -> str:
    """`claimcheck.list/1`."""
    citing = cited_by(registry)
    rows = []
    for anchor in anchors:
        entry = registry.lock_of(anchor)
        symbols = [region.symbol for region in entry.regions] if entry else []
        rows.append(
            {
                "id": anchor.id,
                "vendor": anchor.vendor,
                "commit": registry.pin_of(anchor).text,
                "path": anchor.path,
                "regions": [
                    {
                        "lines": lines_json(region.lines),
                        "symbol": symbols[index] if index < len(symbols) else None,
                    }
                    for index, region in enumerate(anchor.regions)
                ],
                "find": list(anchor.strings),
                "review": registry.review_of(anchor).value,
                "cited_by": citing.get(anchor.id, []),
                "place": place_json(anchor.places[""]),
            }
        )
    return dumps({"schema": "claimcheck.list/1", "anchors": rows})


FORMATS: Mapping[str, Callable[[Registry, Sequence[Anchor]], str]] = {"text": text, "json": json}
