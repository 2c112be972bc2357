"""The formats of `claimcheck list`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from claimcheck.excerpts import citing as what_they_say
from claimcheck.library import Library
from claimcheck.model import Anchor, Registry
from claimcheck.reports.json_values import dumps, lines_json, place_json, sentences_json
from claimcheck.terminal import visible


class Format(Protocol):
    """What a format of `list` is."""

    def __call__(
        self, registry: Registry, anchors: Sequence[Anchor], library: Library, *, citing_too: bool = False
    ) -> str: ...


def cited_by(registry: Registry) -> Mapping[str, list[str]]:
    """For each cited ID the claims, examples and corrections that cite it, in registry order."""
    citing: dict[str, list[str]] = {}
    for entry in registry.citing:
        for id in entry.cites:
            citing.setdefault(id, []).append(entry.id)
    return citing


def text(registry: Registry, anchors: Sequence[Anchor], library: Library, *, citing_too: bool = False) -> str:
    """One row an anchor, IDs first, and a last line that counts; with `citing_too` what cites each below it."""
    citing = cited_by(registry)
    rows = [
        (
            anchor.id,
            f"{anchor.vendor} {registry.pin_of(anchor).short}",
            visible(f"{anchor.path}:{_where(anchor)}"),
            registry.review_of(anchor).value,
            _counted(len(citing.get(anchor.id, [])), len(library.citations.get(anchor.id, ()))),
        )
        for anchor in anchors
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(5)]
    lines = []
    for anchor, row in zip(anchors, rows, strict=True):
        lines.append("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        if citing_too:
            lines += [f"    {line}" for line in _citing(registry, library, citing.get(anchor.id, []), anchor.id)]
    count = "1 anchor" if len(rows) == 1 else f"{len(rows)} anchors"
    whole = "" if len(rows) == len(registry.anchors) else f" of {len(registry.anchors)}"
    return "".join(line + "\n" for line in [*lines, f"{count}{whole}."])


def _counted(entries: int, places: int) -> str:
    """`cited by 3, 7 times in documents`."""
    times = f", {'once' if places == 1 else f'{places} times'} in documents" if places else ""
    return f"cited by {entries}{times}"


def _citing(registry: Registry, library: Library, entries: Sequence[str], id: str) -> Iterator[str]:
    """What cites an anchor, a row each: entries with what they say, sentences of documents with their place."""
    for said in what_they_say(entry for entry in registry.citing if entry.id in entries):
        yield f"{said.id}  {visible(' '.join(said.text.split()))}"
    for sentence in library.sentences(id):
        yield f"{visible(str(sentence.place))}  {visible(sentence.text)}"


def _where(anchor: Anchor) -> str:
    return ",".join(str(region.lines) for region in anchor.regions) or anchor.symbol or "whole file"


def json(registry: Registry, anchors: Sequence[Anchor], library: Library, *, citing_too: bool = False) -> str:
    """`claimcheck.list/1`; with `citing_too` the sentences of documents are in it."""
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
                "citations": len(library.citations.get(anchor.id, ())),
                **({"sentences": sentences_json(library.sentences(anchor.id))} if citing_too else {}),
                "place": place_json(anchor.places[""]),
            }
        )
    return dumps({"schema": "claimcheck.list/1", "anchors": rows})


FORMATS: Mapping[str, Format] = {"text": text, "json": json}
