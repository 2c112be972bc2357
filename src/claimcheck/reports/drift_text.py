"""Drift for people: the plan first, then what to read, most affected first, then what carried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from claimcheck.documents import Sentence
from claimcheck.drift import AnchorDrift, DiffLine, Drift, RegionDrift
from claimcheck.drift_changes import NO_CHANGES, Changes
from claimcheck.drift_details import AnchorDetail, Near, RegionDetail, Upstream
from claimcheck.model import Citing, Claim, Erratum, Example, Pin, Revision, is_place
from claimcheck.outcome import Ambiguous, Cosmetic, Deleted, Edited, Located, Outcome, Renamed, Unavailable, Unchanged
from claimcheck.phrases import counted
from claimcheck.terminal import visible

ORDER = ("unchanged", "moved", "renamed", "cosmetic", "edited", "located", "ambiguous", "deleted", "unavailable")
SHOWN_UNCHANGED = 12
SHOWN_CANDIDATES = 5
SHOWN_TRAIL = 3
SHOWN_SENTENCES = 3


def render(drift: Drift, found: Sequence[AnchorDetail], *, everything: bool = False) -> str:
    """The whole report; `found` has the details of every anchor to read.

    With `everything` the unchanged anchors have a row each, as the others that carried over do.
    """
    out = [headline(drift), f"{drift.changed_files} of the {counted(drift.files, 'cited file')} changed", plan(drift)]
    listed = [one for one in drift.carried if everything or not isinstance(one.outcome, Unchanged)]
    wide = max(_widest(found), max((len(word(one.outcome)) for one in listed), default=0))
    if found:
        out += ["", "Read again, most affected first", *rows_to_read(found, wide)]
    if drift.carried:
        out += ["", "Carried over", *_carried(drift, listed, wide)]
    out += ["", *_without_history(found)]
    if found:
        command = f"claimcheck drift {drift.vendor} {revision(drift.target)}"
        out.append(f"The changed lines: {command} {found[0].one.id}")
        out.append(f"All, side by side: {command} --format html -o drift.html")
    out.append(verdict(len(found)))
    return "\n".join(out) + "\n"


def verdict(to_read: int) -> str:
    """`4 anchors to read.`"""
    return f"{counted(to_read, 'anchor')} to read." if to_read else "Nothing to read."


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
    counts = Counter(word(one.outcome) for one in drift.anchors)
    other_file = sum(isinstance(one.outcome, Renamed) for one in drift.anchors)
    parts = []
    for name in ORDER:
        if counts[name]:
            note = f" ({other_file} to another file)" if name == "moved" and other_file else ""
            parts.append(f"{counts[name]} {name}{note}")
    carried = "1 carries" if len(drift.carried) == 1 else f"{len(drift.carried)} carry"
    anchors = counted(len(drift.anchors), "anchor")
    return f"{anchors}: {', '.join(parts) or 'none'}; {carried} over, {len(drift.to_read)} to read"


def word(outcome: Outcome) -> str:
    """The outcome as text output calls it: what is renamed has moved, with both files given."""
    return "moved" if isinstance(outcome, Renamed) else outcome.name


def places(region: RegionDrift, *, file: bool = True) -> str:
    """`pool.py  752-805 -> 792-849`, with both files where the file is another; without `file` only the lines."""
    spot = region.spot
    old = f"{visible(region.path)}  {region.lines}"
    if spot is not None and spot.path != region.path:
        return f"{old} -> {visible(spot.path)}  {spot.lines}"
    lines = f"{region.lines}" if spot is None or spot.lines == region.lines else f"{region.lines} -> {spot.lines}"
    return f"{visible(region.path)}  {lines}" if file else lines


def change(region: RegionDrift, changes: Changes = NO_CHANGES) -> str:
    """`+6 -2 code and docstring`, what is known of a region's change."""
    parts = []
    if region.added is not None:
        parts.append(f"+{region.added} -{region.removed}")
    if isinstance(region.outcome, Edited | Cosmetic):
        parts.append(region.outcome.change.value + (" and docstring" if changes.docstring else ""))
    return " ".join(parts)


def short_names(names: Sequence[str]) -> list[str]:
    """Qualified names of which those after the first lack what they have in common with it: `Pool.take`, `give`."""
    short: list[str] = []
    for name in names:
        head, separator, last = name.rpartition("::" if "::" in name else ".")
        same = bool(short) and head and names[0].startswith(head + separator)
        short.append(last if same else name)
    return short


# What has to be read, in rows.


def rows_to_read(found: Sequence[AnchorDetail], wide: int = 0) -> Iterator[str]:
    """The rows of the anchors to read, each with what is known of it; outcomes are padded to `wide` at least."""
    width = max(len(visible(detail.one.id)) for detail in found)
    wide = max(wide, _widest(found))
    for detail in found:
        yield from _to_read(detail, width, wide)


def _widest(found: Sequence[AnchorDetail]) -> int:
    """The length of the longest word for what became of the regions to read."""
    read = (part.region for detail in found for part in detail.regions if not part.region.carries)
    return max((len(word(region.outcome)) for region in read), default=0)


def _to_read(detail: AnchorDetail, width: int, wide: int) -> Iterator[str]:
    one = detail.one
    indent = " " * (width + 4)
    head = f"  {visible(one.id):<{width}}  "
    read = [part for part in detail.regions if not part.region.carries]
    if not read:  # every region carries, but to different files
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
        yield from (f"{indent}{line}" for line in _told(part))
        yield from (f"{indent}{line}" for line in _upstream(part.upstream))
        head = indent
    cited = cited_by(one.cited_by)
    if cited:
        yield f"{indent}{cited}"
    yield from (f"{indent}{line}" for line in quoted(one.sentences, SHOWN_SENTENCES))


def _place_rows(region: RegionDrift) -> list[str]:
    """Where a region was and is: in one row, or where the file is another in two, the second beginning with `->`."""
    spot = region.spot
    if spot is None or spot.path == region.path:
        return [places(region)]
    old, new = visible(region.path), visible(spot.path)
    width = max(len(old), len(new))
    return [f"{old:<{width}}  {region.lines}", f"-> {new:<{width}}  {spot.lines}"]


def _told(part: RegionDetail) -> Iterator[str]:
    """What is said below a region's row: the definitions, and why there is no answer."""
    if told := _definitions(part):
        yield told
    match part.region.outcome:
        case Deleted() as outcome:
            yield visible(outcome.evidence)
            for near in part.near[:SHOWN_TRAIL]:
                yield from _trail(near)
        case Ambiguous() as outcome:
            yield f"any of {_candidates(outcome)}"
            yield visible(outcome.remedy)
        case Unavailable() as outcome:
            yield visible(outcome.reason)
        case Located():
            yield "found by its strings, not compared: the pinned text is not here"
        case _:
            pass


def _definitions(part: RegionDetail) -> str:
    changes, region = part.changes, part.region
    names = visible(", ".join(changes.symbols))
    notes = [f"called {names} now"] if changes.was else []
    if region.spot and region.spot.path != region.path and isinstance(region.outcome, Edited):
        notes.append("in another file" if changes.head else "in another file, and changed")
    notes += [changes.head] if changes.head else []
    name = visible(changes.was) if changes.was else names
    return f"{name}: {', '.join(notes)}" if name and notes else name


def _trail(near: Near) -> Iterator[str]:
    standing = f"`{visible(near.string)}` now stands in" if near.string else "a part of it may stand in"
    yield f"a trail, not an answer: {standing}"
    yield f"{visible(near.place.path)}:{near.place.lines}" + (f", {visible(near.symbol)}" if near.symbol else "")


def _candidates(outcome: Ambiguous) -> str:
    """`pool.py:5-7, 10-12`: a file is named once."""
    shown: list[str] = []
    path = None
    for near in outcome.candidates[:SHOWN_CANDIDATES]:
        shown.append(f"{near.lines}" if near.path == path else f"{visible(near.path)}:{near.lines}")
        path = near.path
    more = len(outcome.candidates) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _without_history(found: Iterable[AnchorDetail]) -> list[str]:
    """What is said of history that is not here, once, with the command that brings it."""
    upstream = (part.upstream for detail in found for part in detail.regions)
    missing = {(one.why or "", one.command): None for one in upstream if one and one.command}
    return [line for why, command in missing for line in (f"Upstream commits: {visible(why)}", f"  {command}")]


def _upstream(found: Upstream | None) -> list[str]:
    if found is None:
        return []
    if not found.commits:
        return [] if found.command else [f"upstream: {visible(found.why or '')}"]
    newest = ", the newest of them" if found.more else ""
    rows = [f"  {commit.id[:8]}  {commit.date}  {visible(commit.subject)}" for commit in found.commits]
    return [f"upstream commits that {found.what}{newest}:", *rows]


def cited_by(entries: Sequence[Citing]) -> str:
    """`V2.5 not tested, V2.6 not tested; example V-E2; errata E08-1 E09-2; lesson V2`."""
    claims = [entry for entry in entries if isinstance(entry, Claim)]
    lists = (
        ("example", "examples", [entry.id for entry in entries if isinstance(entry, Example)]),
        ("erratum", "errata", [entry.id for entry in entries if isinstance(entry, Erratum)]),
        ("lesson", "lessons", list(dict.fromkeys(visible(claim.lesson) for claim in claims if claim.lesson))),
    )
    parts = [", ".join(f"{claim.id} not tested" for claim in claims)] if claims else []
    parts += [f"{one if len(names) == 1 else several} {' '.join(names)}" for one, several, names in lists if names]
    return "; ".join(parts)


def quoted(sentences: Sequence[Sentence], most: int | None = None) -> Iterator[str]:
    """Two rows for each sentence: where it stands, and what it says; of many the first ones."""
    for sentence in sentences[:most]:
        yield visible(f"{sentence.place.path}:{sentence.place.line}")
        yield f'"{visible(sentence.text)}"'
    if most is not None and len(sentences) > most:
        yield f"and {counted(len(sentences) - most, 'more sentence')} in documents"


# What carried over.


def _carried(drift: Drift, listed: Sequence[AnchorDrift], wide: int) -> list[str]:
    unchanged = [one.id for one in drift.carried if one not in listed]
    rows = [(one.id, word(one.outcome), *_short_places(one)) for one in listed]
    ids, files = (max((len(row[column]) for row in rows), default=0) for column in (0, 2))
    out = [f"  {id:<{ids}}  {name:<{wide}}  {file:<{files}} {place}" for id, name, file, place in rows]
    if unchanged:
        shown = unchanged if len(unchanged) <= SHOWN_UNCHANGED else [*unchanged[:SHOWN_UNCHANGED], "…"]
        out.append(f"  {len(unchanged)} unchanged: {' '.join(shown)}")
    return out


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


# One anchor with its lines.


def render_anchors(found: Sequence[AnchorDetail], *, evidence: bool = False) -> str:
    """Some anchors or places with their lines; with `evidence` it is said of anchors too how they were found."""
    blocks = [_block(detail, evidence or is_place(detail.one.id)) for detail in found]
    missing = _without_history(found)
    return "\n".join([*blocks, *(["\n".join([*missing, ""])] if missing else [])])


def _block(detail: AnchorDetail, evidence: bool) -> str:
    """One anchor: where each region is, and the lines of those that have to be read, old and new numbers beside them."""
    one = detail.one
    out = list(_regions(detail, evidence))
    read = [part for part in detail.regions if not part.region.carries]
    for part in read:
        heading = [f"region {part.region.number}", ""] if len(read) > 1 else []
        rows = [_row(row, part.region) for row in part.comparison.rows]
        out += ["", *heading, *rows] if rows else []
        upstream = _upstream(part.upstream)
        out += ["", *upstream] if upstream else []
    claims = [f"{e.id}  {visible(' '.join(e.text.split()))}  not tested" for e in one.cited_by if isinstance(e, Claim)]
    said = list(quoted(one.sentences))
    out += ["", *claims] if claims else []
    out += ["", *said] if said else []
    return "\n".join(out) + "\n"


def _regions(detail: AnchorDetail, evidence: bool) -> Iterator[str]:
    """The head of an anchor, and a row for each of its regions if it has several."""
    one = detail.one
    several = len(one.regions) > 1
    head = f"{visible(one.id)}  {word(one.outcome)}"
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
    told = list(_told(part))
    return told[1:] if isinstance(part.region.outcome, Located) and part.changes.symbols else told


def _found(region: RegionDrift) -> str:
    outcome = region.outcome
    evidence = outcome.evidence or getattr(outcome, "reason", "")
    sure = f"confidence {outcome.confidence:.2f}" if outcome.confidence else "no answer"
    return f"{sure}: {visible(evidence)}" if evidence else sure


def sign(row: DiffLine, region: RegionDrift) -> str:
    """`-` for what is not there any more, `+` for what is new: only where old and new were compared."""
    compared = not isinstance(region.outcome, Ambiguous | Located | Unavailable)
    return " " if not compared or (row.old and row.new) else "-" if row.old else "+"


def _row(row: DiffLine | int, region: RegionDrift) -> str:
    if isinstance(row, int):
        return " " * 18 + f"[{row} lines]"
    return f"{row.old or '':>6}{row.new or '':>5}  {sign(row, region)}{visible(row.text)}".rstrip()
