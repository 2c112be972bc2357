"""The words that all reports of a drift for people have in common: revisions, outcomes, places, changes, and why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from claimcheck.drift import AnchorDrift, DiffLine, Drift, RegionDrift
from claimcheck.drift_changes import NO_CHANGES, Changes
from claimcheck.drift_details import AnchorDetail, Near, RegionDetail, Upstream
from claimcheck.model import Claim, Erratum, Example, Pin, Revision
from claimcheck.outcome import Ambiguous, Cosmetic, Deleted, Edited, Located, Outcome, Renamed, Unavailable
from claimcheck.phrases import counted
from claimcheck.terminal import visible

ORDER = ("unchanged", "moved", "renamed", "cosmetic", "edited", "located", "ambiguous", "deleted", "unavailable")
SHOWN_CANDIDATES = 5
SHOWN_TRAIL = 3
SHOWN_SENTENCES = 5
LONGEST_SENTENCE = 300


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


def lost_strings(one: AnchorDrift) -> str:
    """`` `free.put` does not stand there any more``."""
    names = ", ".join(f"`{text}`" for text in one.lost)
    return f"{names} {'does' if len(one.lost) == 1 else 'do'} not stand there any more"


def short_names(names: Sequence[str]) -> list[str]:
    """Qualified names of which those after the first lack what they have in common with it: `Pool.take`, `give`."""
    short: list[str] = []
    for name in names:
        head, separator, last = name.rpartition("::" if "::" in name else ".")
        same = bool(short) and head and names[0].startswith(head + separator)
        short.append(last if same else name)
    return short


def told(part: RegionDetail) -> Iterator[str]:
    """What is said below a region's row: the definitions, and why there is no answer."""
    if name := _definitions(part):
        yield name
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


def without_history(found: Iterable[AnchorDetail]) -> list[str]:
    """What is said of history that is not here, once, with the command that brings it."""
    upstream = (part.upstream for detail in found for part in detail.regions)
    missing = {(one.why or "", one.command): None for one in upstream if one and one.command}
    return [line for why, command in missing for line in (f"Upstream commits: {visible(why)}", f"  {command}")]


def upstream_rows(found: Upstream | None) -> list[str]:
    """The commits that touched a region, or why none are named; nothing where a command would bring them."""
    if found is None:
        return []
    if not found.commits:
        return [] if found.command else [f"upstream: {visible(found.why or '')}"]
    newest = ", the newest of them" if found.more else ""
    rows = [f"  {commit.id[:8]}  {commit.date}  {visible(commit.subject)}" for commit in found.commits]
    return [f"upstream commits that {found.what}{newest}:", *rows]


def cited_by(one: AnchorDrift) -> str:
    """`V2.5 holds, V2.6 not tested; example V-E2; errata E08-1 E09-2; lesson V2`."""
    entries = one.cited_by
    claims = [entry for entry in entries if isinstance(entry, Claim)]
    lists = (
        ("example", "examples", [entry.id for entry in entries if isinstance(entry, Example)]),
        ("erratum", "errata", [entry.id for entry in entries if isinstance(entry, Erratum)]),
        ("lesson", "lessons", list(dict.fromkeys(visible(claim.lesson) for claim in claims if claim.lesson))),
    )
    parts = [", ".join(f"{change.id} {change.said}" for change in one.claims)] if one.claims else []
    parts += [f"{one if len(names) == 1 else several} {' '.join(names)}" for one, several, names in lists if names]
    return "; ".join(parts)


def quotations(one: AnchorDrift) -> Iterator[str]:
    """The sentences of documents that cite an anchor, each after the place where it stands."""
    for sentence in one.sentences[:SHOWN_SENTENCES]:
        yield f"{visible(sentence.place.path)}:{sentence.place.line}"
        yield f'"{visible(_short(sentence.text))}"'
    if (more := len(one.sentences) - SHOWN_SENTENCES) > 0:
        yield f"and {more} more {'sentence' if more == 1 else 'sentences'}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_SENTENCE else f"{text[:LONGEST_SENTENCE]}…"


def sign(row: DiffLine, region: RegionDrift) -> str:
    """`-` for what is not there any more, `+` for what is new: only where old and new were compared."""
    compared = not isinstance(region.outcome, Ambiguous | Located | Unavailable)
    return " " if not compared or (row.old and row.new) else "-" if row.old else "+"
