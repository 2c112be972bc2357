"""Drift for people: the plan first, then what to read, most affected first, then what carried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from claimcheck.drift import AnchorDrift, Comparison, DiffLine, Drift, RegionDrift
from claimcheck.drift_details import Upstream
from claimcheck.model import Citing, Claim, Erratum, Example, Pin, Revision
from claimcheck.outcome import Ambiguous, Cosmetic, Deleted, Edited, Located, Outcome, Renamed, Unavailable, Unchanged
from claimcheck.terminal import visible

ORDER = ("unchanged", "moved", "renamed", "cosmetic", "edited", "located", "ambiguous", "deleted", "unavailable")
SHOWN_UNCHANGED = 12


def render(
    drift: Drift, *, verbose: bool = False, upstream: Mapping[str, Sequence[Upstream | None]] | None = None
) -> str:
    """The whole report; `upstream` has for an anchor to read what is known of the commits that touched its regions."""
    out = [headline(drift), f"{drift.changed_files} of the {drift.files} cited files changed", plan(drift)]
    if drift.to_read:
        out += ["", "Read again, most affected first"]
        width = max(len(one.id) for one in drift.to_read)
        for one in drift.to_read:
            out += _to_read(one, width, _wide(drift), (upstream or {}).get(one.id, ()))
    if drift.carried:
        out += ["", "Carried over", *_carried(drift, verbose)]
    out += ["", *_without_history((upstream or {}).values())]
    if drift.to_read:
        command = f"claimcheck drift {drift.vendor} {revision(drift.target)}"
        out.append(f"The changed lines: {command} {drift.to_read[0].id}")
        out.append(f"All, side by side: {command} --format html -o drift.html")
        count = len(drift.to_read)
        out.append("1 anchor to read." if count == 1 else f"{count} anchors to read.")
    else:
        out.append("Nothing to read.")
    return "\n".join(out) + "\n"


def headline(drift: Drift) -> str:
    """`vllm  308f8033 (v0.32.0) -> f08e0be3 (v0.33.0)`."""
    return f"{drift.vendor}  {label(drift.origin)} -> {drift.target.label}"


def label(origin: Revision | Pin) -> str:
    return origin.label if isinstance(origin, Revision) else f"{origin.short} (not here, so nothing was compared)"


def revision(target: Revision) -> str:
    """What a person types for a revision."""
    return target.release.ref if target.release else target.tag or target.commit


def plan(drift: Drift) -> str:
    """`19 anchors: 5 unchanged, 10 moved, 4 edited; 15 carry over, 4 to read`."""
    counts = Counter(_word(one) for one in drift.anchors)
    other_file = sum(isinstance(one.outcome, Renamed) for one in drift.anchors)
    parts = []
    for name in ORDER:
        if counts[name]:
            note = f" ({other_file} to another file)" if name == "moved" and other_file else ""
            parts.append(f"{counts[name]} {name}{note}")
    anchors = "1 anchor" if len(drift.anchors) == 1 else f"{len(drift.anchors)} anchors"
    carried = "1 carries" if len(drift.carried) == 1 else f"{len(drift.carried)} carry"
    return f"{anchors}: {', '.join(parts) or 'none'}; {carried} over, {len(drift.to_read)} to read"


def _word(one: AnchorDrift) -> str:
    return word(one.outcome)


def word(outcome: Outcome) -> str:
    """The outcome as text output calls it: what is renamed has moved, with both files given."""
    return "moved" if isinstance(outcome, Renamed) else outcome.name


def places(region: RegionDrift) -> str:
    """`752-805 -> 792-849`, or with both files where the file is another."""
    spot = region.spot
    if spot is None:
        return f"{visible(region.path)}  {region.lines}"
    if spot.path != region.path:
        return f"{visible(region.path)}  {region.lines} -> {visible(spot.path)}  {spot.lines}"
    return f"{visible(region.path)}  {region.lines} -> {spot.lines}"


def change(region: RegionDrift) -> str:
    """`+6 -2 code`, what is known of a region's change."""
    parts = []
    if region.added is not None:
        parts.append(f"+{region.added} -{region.removed}")
    if isinstance(region.outcome, Edited | Cosmetic):
        parts.append(region.outcome.change.value)
    return " ".join(parts)


def _wide(drift: Drift) -> int:
    """The width of the longest outcome among those to read."""
    return max(
        (len(word(region.outcome)) for one in drift.to_read for region in one.regions if not region.carries), default=0
    )


def _to_read(one: AnchorDrift, width: int, wide: int, upstream: Sequence[Upstream | None]) -> list[str]:
    out = []
    several = len(one.regions) > 1
    indent = " " * (width + 4)
    for position, region in enumerate(region for region in one.regions if not region.carries):
        head = f"  {one.id:<{width}}  " if position == 0 else indent
        where = f"  (region {region.number} of {len(one.regions)})" if several else ""
        said = change(region)
        out.append(
            f"{head}{word(region.outcome):<{wide}}  {places(region)}{f'  {said}' if said else ''}{where}".rstrip()
        )
        out += [f"{indent}{line}" for line in _details(region)]
        if region.number <= len(upstream):
            out += [f"{indent}{line}" for line in _upstream(upstream[region.number - 1])]
    if not out:  # every region carries, but to different files
        out.append(
            f"  {one.id:<{width}}  its regions are in {len(one.paths)} files now: {', '.join(sorted(one.paths))}"
        )
    cited = cited_by(one.cited_by)
    return out + ([f"{indent}{cited}"] if cited else [])


def _details(region: RegionDrift) -> list[str]:
    outcome = region.outcome
    out = []
    if region.spot and region.spot.symbol:
        out.append(visible(region.spot.symbol))
    match outcome:
        case Deleted():
            out.append(visible(outcome.evidence))
            out += [f"a trail, not an answer: {visible(near.path)}:{near.lines}" for near in outcome.trail[:3]]
        case Ambiguous():
            out.append("any of " + ", ".join(f"{visible(near.path)}:{near.lines}" for near in outcome.candidates[:5]))
            out.append(visible(outcome.remedy))
        case Unavailable():
            out.append(visible(outcome.reason))
        case Located():
            out.append("found by its strings, not compared: the pinned text is not here")
        case _:
            pass
    return [line for line in out if line]


def _without_history(upstream: Iterable[Sequence[Upstream | None]]) -> list[str]:
    """What is said of history that is not here, once, with the command that brings it."""
    missing = {(found.why or "", found.command): None for row in upstream for found in row if found and found.command}
    return [line for why, command in missing for line in (f"Upstream commits: {visible(why)}", f"  {command}")]


def _upstream(found: Upstream | None) -> list[str]:
    if found is None:
        return []
    if not found.commits:
        return [] if found.command else [f"upstream: {visible(found.why or '')}"]
    newest = ", the newest of them" if found.more else ""
    rows = [f"  {commit.id[:8]}  {commit.date}  {visible(commit.subject)}" for commit in found.commits]
    return [f"upstream commits that {found.what}{newest}:", *rows]


def cited_by(entries: tuple[Citing, ...]) -> str:
    """`V2.5 not tested, V2.6 not tested; example V-E2; erratum E09-2`."""
    claims = [f"{entry.id} not tested" for entry in entries if isinstance(entry, Claim)]
    examples = [entry.id for entry in entries if isinstance(entry, Example)]
    errata = [entry.id for entry in entries if isinstance(entry, Erratum)]
    parts = [", ".join(claims)] if claims else []
    parts += [f"{'example' if len(examples) == 1 else 'examples'} {' '.join(examples)}"] if examples else []
    parts += [f"{'erratum' if len(errata) == 1 else 'errata'} {' '.join(errata)}"] if errata else []
    return "; ".join(parts)


def _carried(drift: Drift, verbose: bool) -> list[str]:
    moved = [one for one in drift.carried if not isinstance(one.outcome, Unchanged)]
    unchanged = [one.id for one in drift.carried if isinstance(one.outcome, Unchanged)]
    rows = []
    for one in moved:
        old = one.regions[0].path.rpartition("/")[2]
        new = next(iter(one.paths)).rpartition("/")[2]
        before = " ".join(str(region.lines) for region in one.regions)
        after = " ".join(str(region.spot.lines) for region in one.regions if region.spot)
        same = old == new and not any(isinstance(region.outcome, Renamed) for region in one.regions)
        place = f"{before} -> {after}" if same else f"{before} -> {visible(new)} {after}"
        rows.append((one.id, _word(one), visible(old), place))
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    out = ["  " + "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[3]]) for row in rows]
    if unchanged:
        shown = unchanged if verbose or len(unchanged) <= SHOWN_UNCHANGED else [*unchanged[:SHOWN_UNCHANGED], "…"]
        out.append(f"  {len(unchanged)} unchanged: {' '.join(shown)}")
    return out


def render_hunks(one: AnchorDrift, comparisons: list[Comparison]) -> str:
    """One anchor: each region, and the lines of those that do not carry, old and new numbers beside them."""
    out = [f"{one.id}  {_word(one)}  {visible(one.regions[0].path)}"]
    for region, comparison in zip(one.regions, comparisons, strict=True):
        symbol = f"  {visible(region.spot.symbol)}" if region.spot and region.spot.symbol else ""
        said = change(region)
        name = f"region {region.number}  " if len(one.regions) > 1 else ""
        out.append(f"{name}{word(region.outcome)}  {places(region)}{symbol}{f'  {said}' if said else ''}")
        if not region.carries:
            out += ["", *(_row(row, region) for row in comparison.rows), ""]
    claims = [f"{e.id}  {visible(' '.join(e.text.split()))}  not tested" for e in one.cited_by if isinstance(e, Claim)]
    return "\n".join([*out, *claims]).rstrip("\n") + "\n"


def sign(row: DiffLine, region: RegionDrift) -> str:
    """`-` for what is not there any more, `+` for what is new: only where old and new were compared."""
    compared = not isinstance(region.outcome, Ambiguous | Located | Unavailable)
    return " " if not compared or (row.old and row.new) else "-" if row.old else "+"


def _row(row: DiffLine | int, region: RegionDrift) -> str:
    if isinstance(row, int):
        return " " * 18 + ("[1 line]" if row == 1 else f"[{row} lines]")
    return f"{row.old or '':>6}{row.new or '':>5}  {sign(row, region)}{visible(row.text)}".rstrip()
