"""Drift of single anchors and places for people: where each region is, and the changed lines with both numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimcheck.drift import AnchorDrift, DiffLine, RegionDrift
from claimcheck.drift_details import AnchorDetail, RegionDetail
from claimcheck.excerpts import shortened
from claimcheck.model import Claim, is_place
from claimcheck.outcome import Edited, Located
from claimcheck.reports.drift_words import (
    change,
    places,
    quotations,
    short_names,
    sign,
    told,
    upstream_rows,
    without_history,
    word,
)
from claimcheck.terminal import PLAIN, Paint, visible


def render_anchors(found: Sequence[AnchorDetail], *, evidence: bool = False, paint: Paint = PLAIN) -> str:
    """Some anchors or places with their lines; with `evidence` it is said of anchors too how they were found."""
    blocks = [_block(detail, evidence or is_place(detail.one.id), paint) for detail in found]
    missing = without_history(found)
    return "\n".join([*blocks, *(["\n".join([*missing, ""])] if missing else [])])


def _block(detail: AnchorDetail, evidence: bool, paint: Paint) -> str:
    """One anchor: where each region is, and the lines of those that have to be read, old and new numbers beside them."""
    one = detail.one
    out = list(_regions(detail, evidence, paint))
    read = [part for part in detail.regions if not part.region.carries]
    for part in read:
        heading = [f"region {part.region.number}", ""] if len(read) > 1 else []
        rows = [_row(row, part.region, paint) for row in part.comparison.rows]
        out += ["", *heading, *rows] if rows else []
        upstream = upstream_rows(part.upstream)
        out += ["", *upstream] if upstream else []
    said = {change.id: change.said for change in one.claims}
    cited = [entry for entry in one.cited_by if isinstance(entry, Claim)]
    claims = [f"{paint.strong(entry.id)}  {visible(' '.join(entry.text.split()))}  {said[entry.id]}" for entry in cited]
    out += ["", *claims] if claims else []
    sentences = list(quotations(one))
    out += ["", *sentences] if sentences else []
    return "\n".join(out) + "\n"


def _regions(detail: AnchorDetail, evidence: bool, paint: Paint) -> Iterator[str]:
    """The head of an anchor, and a row for each of its regions if it has several."""
    one = detail.one
    several = len(one.regions) > 1
    head = f"{paint.strong(visible(one.id))}  {word(one.outcome)}"
    if is_place(one.id):
        spot = one.regions[0].spot
        new = "" if several or spot is None else f"  -> {visible(spot.path)}:{spot.lines}"
        yield head + new + ("" if several else _what(detail.regions[0]))
    else:
        yield f"{head}  {_files(one) if several else places(one.regions[0]) + _what(detail.regions[0])}"
    width = max(len(word(region.outcome)) for region in one.regions)
    for part in detail.regions:
        region = part.region
        if several:
            place = places(region, file=region.spot is not None and region.spot.path != region.path)
            yield f"region {region.number}  {word(region.outcome):<{width}}  {place}{_what(part)}"
        said = _unanswered(part)
        if evidence:
            found = _found(region)
            said = [found, *(line for line in said if line not in found)]
        yield from (f"  {line}" for line in said)


def _files(one: AnchorDrift) -> str:
    return ", ".join(visible(path) for path in dict.fromkeys(region.path for region in one.regions))


def _what(part: RegionDetail) -> str:
    """`  Pool.take, give  +6 -2 code`, as it follows a place."""
    names = (part.region.spot.symbol or "").split(", ") if part.region.spot else []
    said = (visible(", ".join(short_names(names))), change(part.region, part.changes))
    return "".join(f"  {each}" for each in said if each)


def _unanswered(part: RegionDetail) -> list[str]:
    """Why a region has no place of its own, or one that was not compared; what its definition was called."""
    if isinstance(part.region.outcome, Edited):
        notes = [f"{visible(part.changes.was)} before"] if part.changes.was else []
        return notes + ([part.changes.head] if part.changes.head else [])
    if part.region.spot is not None and not isinstance(part.region.outcome, Located):
        return []
    said = list(told(part))
    return said[1:] if isinstance(part.region.outcome, Located) and part.changes.symbols else said


def _found(region: RegionDrift) -> str:
    outcome = region.outcome
    evidence = outcome.evidence or getattr(outcome, "reason", "")
    sure = f"confidence {outcome.confidence:.2f}" if outcome.confidence else "no answer"
    return f"{sure}: {visible(evidence)}" if evidence else sure


def _row(row: DiffLine | int, region: RegionDrift, paint: Paint) -> str:
    if isinstance(row, int):
        return paint.faint(" " * 18 + f"[{row} lines]")
    mark = sign(row, region)
    beginning, more = shortened(row.text)
    return paint.change(mark, f"{row.old or '':>6}{row.new or '':>5}  {mark}{visible(beginning)}{more}".rstrip())
