"""Drift for people: the plan first, then what to read, most affected first, then what carried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimcheck.drift import AnchorDrift, Drift, RegionDrift
from claimcheck.drift_details import AnchorDetail
from claimcheck.outcome import Renamed, Unchanged
from claimcheck.phrases import counted
from claimcheck.reports.drift_words import (
    change,
    cited_by,
    headline,
    lost_strings,
    places,
    plan,
    quotations,
    revision,
    told,
    upstream_rows,
    without_history,
    word,
)
from claimcheck.terminal import PLAIN, Paint, visible

SHOWN_UNCHANGED = 12
SHOWN_SENTENCES = 3


def render(drift: Drift, found: Sequence[AnchorDetail], *, everything: bool = False, paint: Paint = PLAIN) -> str:
    """The whole report; `found` has the details of every anchor to read.

    With `everything` the unchanged anchors have a row each, as the others that carried over do.
    """
    out = [headline(drift), f"{drift.changed_files} of the {counted(drift.files, 'cited file')} changed", plan(drift)]
    listed = [one for one in drift.carried if everything or not isinstance(one.outcome, Unchanged)]
    wide = max(_widest(found), max((len(word(one.outcome)) for one in listed), default=0))
    if found:
        out += ["", "Read again, most affected first", *rows_to_read(found, wide, paint)]
    if drift.carried:
        out += ["", "Carried over", *_carried(drift, listed, wide, paint)]
    out += ["", *without_history(found)]
    if found:
        command = f"claimcheck drift {drift.vendor} {revision(drift.target)}"
        out.append(f"The changed lines: {command} {found[0].one.id}")
        out.append(f"All, side by side: {command} --format html -o drift.html")
    out.append(verdict(len(found)))
    return "\n".join(out) + "\n"


def verdict(to_read: int) -> str:
    """`4 anchors to read.`"""
    return f"{counted(to_read, 'anchor')} to read." if to_read else "Nothing to read."


# What has to be read, in rows.


def rows_to_read(found: Sequence[AnchorDetail], wide: int = 0, paint: Paint = PLAIN) -> Iterator[str]:
    """The rows of the anchors to read, each with what is known of it; outcomes are padded to `wide` at least."""
    width = max(len(visible(detail.one.id)) for detail in found)
    wide = max(wide, _widest(found))
    for detail in found:
        yield from _to_read(detail, width, wide, paint)


def _widest(found: Sequence[AnchorDetail]) -> int:
    """The length of the longest word for what became of the regions to read."""
    read = (part.region for detail in found for part in detail.regions if not part.region.carries)
    return max((len(word(region.outcome)) for region in read), default=0)


def _to_read(detail: AnchorDetail, width: int, wide: int, paint: Paint) -> Iterator[str]:
    one = detail.one
    indent = " " * (width + 4)
    head = f"  {_strong(paint, visible(one.id), width)}  "
    read = [part for part in detail.regions if not part.region.carries]
    if not read and len(one.paths) == 1:  # its text carries, and a string of it or a claim that rests on it does not
        rows = _place_rows(one.regions[0])
        yield f"{head}{word(one.outcome):<{wide}}  {rows[0]}"
        yield from (f"{indent}{' ' * (wide - 1)}{row}" for row in rows[1:])
        yield from ([f"{indent}{visible(lost_strings(one))}"] if one.lost else [])
    elif not read:  # every region carries, but to different files
        files = ", ".join(visible(path) for path in sorted(one.paths))
        yield f"{head}its regions are in {len(one.paths)} files now: {files}"
    for part in read:
        region = part.region
        said = change(region, part.changes)
        where = f"  (region {region.number} of {len(one.regions)})" if len(one.regions) > 1 else ""
        rows = _place_rows(region)
        rows[-1] += (f"  {said}" if said else "") + where
        yield f"{head}{word(region.outcome):<{wide}}  {rows[0]}"
        yield from (f"{indent}{' ' * (wide - 1)}{row}" for row in rows[1:])
        yield from (f"{indent}{line}" for line in told(part))
        yield from (f"{indent}{line}" for line in upstream_rows(part.upstream))
        head = indent
    cited = cited_by(one)
    if cited:
        yield f"{indent}{cited}"
    yield from (f"{indent}{line}" for line in quotations(one))


def _place_rows(region: RegionDrift) -> list[str]:
    """Where a region was and is: in one row, or where the file is another in two, the second beginning with `->`."""
    spot = region.spot
    if spot is None or spot.path == region.path:
        return [places(region)]
    old, new = visible(region.path), visible(spot.path)
    width = max(len(old), len(new))
    return [f"{old:<{width}}  {region.lines}", f"-> {new:<{width}}  {spot.lines}"]


# What carried over.


def _carried(drift: Drift, listed: Sequence[AnchorDrift], wide: int, paint: Paint) -> list[str]:
    rowed = {one.id for one in listed}
    unchanged = [one.id for one in drift.carried if one.id not in rowed]
    rows = [(one.id, word(one.outcome), *_short_places(one)) for one in listed]
    ids, files = (max((len(row[column]) for row in rows), default=0) for column in (0, 2))
    out = [f"  {_strong(paint, id, ids)}  {name:<{wide}}  {file:<{files}} {place}" for id, name, file, place in rows]
    if unchanged:
        shown = unchanged if len(unchanged) <= SHOWN_UNCHANGED else [*unchanged[:SHOWN_UNCHANGED], "…"]
        out.append(f"  {len(unchanged)} unchanged: {' '.join(shown)}")
    return out


def _strong(paint: Paint, text: str, width: int) -> str:
    return paint.strong(text) + " " * (width - len(text))


def _short_places(one: AnchorDrift) -> tuple[str, str]:
    """The file without its folders, and the lines before and after; another file has its name before its lines."""
    old, new = one.regions[0].path, next(iter(one.paths))
    before = " ".join(str(region.lines) for region in one.regions)
    after = " ".join(str(region.spot.lines) for region in one.regions if region.spot)
    if old != new:
        short = _file(new) if _file(new) != _file(old) else visible(new)
        same = "  same text" if isinstance(one.outcome, Renamed) else ""
        return _file(old), f"{before} -> {short} {after}{same}"
    return _file(old), before if before == after else f"{before} -> {after}"


def _file(path: str) -> str:
    return visible(path.rpartition("/")[2])
