"""`claimcheck review --held`: walking through the anchors that a bump left behind, one at a time."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from claimcheck import bump
from claimcheck import registry as registry_files
from claimcheck.commands.drift import corpus_at
from claimcheck.commands.failing import failing_claims
from claimcheck.commands.options import echo, prompt, show_error
from claimcheck.commands.session import Session
from claimcheck.corpus import Corpus
from claimcheck.drift import AnchorDrift, Drift, drift_of
from claimcheck.drift_details import CONTEXT, details
from claimcheck.errors import UsageError, WriteRefused
from claimcheck.model import Anchor, Revision
from claimcheck.outcome import Edited, Located, Spot
from claimcheck.proposals import parse_ranges, propose_strings
from claimcheck.reports.drift_anchor_text import render_anchors
from claimcheck.syntax import outline
from claimcheck.terminal import PLAIN, Paint, visible
from claimcheck.texts import NoSource, SourceText

Places = Mapping[str, tuple[Spot, ...]]


def held_anchors(session: Session, ids: Sequence[str]) -> list[Anchor]:
    """The anchors that keep a commit of their own, in registry order; of these IDs only, if any are given.

    Raises UsageError for an ID that is not held.
    """
    anchors = session.registry.anchors
    for id in ids:
        if anchors[id].commit is None:
            raise UsageError(f"{id} is not held: it follows the pin of its vendor", help=f"claimcheck review {id}")
    return [anchor for anchor in anchors.values() if anchor.commit is not None and (not ids or anchor.id in ids)]


def held_among(session: Session, ids: Sequence[str]) -> list[Anchor]:
    """Those of some anchors that are held, in the order of the IDs."""
    return [anchor for id in ids if (anchor := session.registry.anchors[id]).commit is not None]


def parse_places(items: Sequence[str]) -> dict[str, tuple[Spot, ...]]:
    """What `--place ID=PATH:LINES` says for each anchor."""
    places: dict[str, tuple[Spot, ...]] = {}
    for item in items:
        id, equals, place = item.partition("=")
        path, _, lines = place.rpartition(":")
        ranges = parse_ranges(lines)
        if not equals or not path or ranges is None:
            raise UsageError(f"--place {item}", help="--place ID=PATH:681-714,744-830")
        places[id] = tuple(Spot(path, one) for one in ranges)
    return places


def review_held(
    session: Session,
    wanted: Sequence[Anchor],
    *,
    accept: bool,
    places: Places,
    found_by_name: bool,
    as_given: bool = False,
    paint: Paint = PLAIN,
) -> int:
    """Review held anchors at their vendor's pin, most affected first or in the given order; 1 while some are held."""
    if not wanted:
        echo("No anchors are held.")
        return 0
    asking = sys.stdin.isatty() and sys.stdout.isatty() and not (accept or places or found_by_name)
    queue, left = _queue(session, wanted, as_given)
    for number, (corpus, drift, one) in enumerate(queue, 1):
        spots = places.get(one.id) or _proposed(one, accept=accept or asking, found_by_name=found_by_name)
        if accept or places or found_by_name:
            left += not (spots and _settle(session, one.anchor, spots, drift.target, find=None))
            continue
        echo(f"{number} of {len(queue)}  {paint.strong(one.id)}  {_from(one)} -> {drift.target.label}")
        echo(
            render_anchors(list(details(corpus, drift, [one], context=CONTEXT)), paint=paint),
            end="" if asking else "\n",
        )
        answer = _ask(session, one, spots, drift.target) if asking else False
        if answer is None:
            return 1
        left += not answer
    if left and not asking:
        noun = "anchor is" if left == 1 else "anchors are"
        echo(f"{left} {noun} still held. (claimcheck review --held ID --accept, or --place ID=PATH:LINES)", err=True)
    return 1 if left else 0


def _queue(
    session: Session, wanted: Sequence[Anchor], as_given: bool
) -> tuple[list[tuple[Corpus, Drift, AnchorDrift]], int]:
    """What became of each anchor, and how many there are of whose vendor the pin is not here, which is said."""
    queue: list[tuple[Corpus, Drift, AnchorDrift]] = []
    missing = 0
    for vendor in dict.fromkeys(anchor.vendor for anchor in wanted):
        own = [anchor for anchor in wanted if anchor.vendor == vendor]
        target = session.sources.pinned(vendor)
        if isinstance(target, NoSource):
            reason = UsageError(f"{vendor}: {target.message}", place=own[0].places[""], help=target.help)
            show_error(reason)
            missing += len(own)
            continue
        ids = tuple(anchor.id for anchor in own)
        corpus = corpus_at(session, vendor, session.registry.vendors[vendor].pin.text, ids)
        drift = drift_of(corpus, vendor, ids)
        queue += [(corpus, drift, one) for one in (*drift.to_read, *drift.carried)]
    if as_given:
        order = [anchor.id for anchor in wanted]
        queue.sort(key=lambda each: order.index(each[2].id))
    return queue, missing


def _from(one: AnchorDrift) -> str:
    return one.origin.label if isinstance(one.origin, Revision) else one.origin.short


def _proposed(one: AnchorDrift, *, accept: bool, found_by_name: bool) -> tuple[Spot, ...]:
    """The places that drift proposes, if each region has one that may be taken this way; else none."""
    spots = []
    for region in one.regions:
        match region.outcome:
            case Located(to=to, singled_out=True) if found_by_name and len(to.lines) == len(region.lines):
                spots.append(to)
            case Edited(to=to) if accept:
                spots.append(to)
            case Located():
                return ()
            case _ if region.carries and region.spot is not None:
                spots.append(region.spot)
            case _:
                return ()
    return tuple(spots) if len({spot.path for spot in spots}) == 1 else ()


def _ask(session: Session, one: AnchorDrift, spots: tuple[Spot, ...], target: Revision) -> bool | None:
    """Ask until it is settled (true), left (false), or the walk is to end (None)."""
    anchor = one.anchor
    changed = [spot for spot, region in zip(spots, one.regions, strict=False) if not region.carries]
    accept = f"[a]ccept {' '.join(str(spot.lines) for spot in changed or spots)}  " if spots else ""
    choices = (["a"] if spots else []) + ["e", "n", "q"]
    while True:
        answer = prompt(f"{accept}[e]dit  [n]ext  [q]uit", choices)
        if answer == "q":
            return None
        if answer == "n":
            echo()
            return False
        chosen = spots if answer == "a" else _typed(anchor, spots)
        if chosen:
            find = _other_strings(session, anchor, chosen, target)
            if _settle(session, anchor, chosen, target, find=find):
                echo()
                return True


def _typed(anchor: Anchor, spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """The places that a person types; none if they cannot be places."""
    path = click.prompt("path", default=spots[0].path if spots else anchor.path)
    lines = click.prompt("lines", default=", ".join(str(spot.lines) for spot in spots) or None)
    try:
        ranges = parse_ranges(lines)
    except UsageError as error:
        echo(error.message)
        return ()
    if ranges is None:
        echo("lines such as 681-714, 744-830 are needed")
        return ()
    return tuple(Spot(path, one_range) for one_range in ranges)


def _other_strings(session: Session, anchor: Anchor, spots: tuple[Spot, ...], target: Revision) -> list[str] | None:
    """Other search strings, if some of the anchor's do not stand there; proposed, and the person decides."""
    missing = bump.missing_strings(session.sources, anchor, spots, target)
    source = session.sources.read(anchor.vendor, target.commit, spots[0].path)
    if not missing or anchor.long_form or not isinstance(source, SourceText):
        return None
    structure = outline(source.text, spots[0].path)
    kept = [string for string in anchor.find if string not in missing]
    proposed = [s for s in propose_strings(source, [spot.lines for spot in spots], structure) if s not in kept]
    echo(f"not there any more: {visible(', '.join(missing))}")
    answer = click.prompt("find (strings, separated by |)", default="|".join([*kept, *proposed]))
    return [string.strip() for string in answer.split("|") if string.strip()]


def _settle(
    session: Session,
    anchor: Anchor,
    spots: tuple[Spot, ...],
    target: Revision,
    *,
    find: Sequence[str] | None,
) -> bool:
    """Write an anchor at its new place, unless the place cannot be what it says; whether it was written."""
    problem = _impossible(session, replace(anchor, find=tuple(find)) if find else anchor, spots, target)
    if problem:
        echo(f"{anchor.places['']}: error: {anchor.id}: {visible(problem)}", err=True)
        return False
    registry = registry_files.load(session.project)
    failing = failing_claims(session, registry, [anchor.id], {anchor.id: spots}).get(anchor.id)
    if failing:
        show_error(
            UsageError(f"{anchor.id} stays held: {failing}", place=anchor.places[""], help=_at_pin(session, anchor))
        )
        return False
    try:
        session.project.write(bump.settle(session.project, registry, session.sources, anchor, spots, find))
    except WriteRefused as refused:
        show_error(refused)
        return False
    lines = " ".join(str(spot.lines) for spot in spots)
    echo(f"{anchor.id} is at {target.label}, lines {lines}, reviewed.")
    return True


def _at_pin(session: Session, anchor: Anchor) -> str:
    return f"claimcheck verify --at {anchor.vendor}={session.registry.vendors[anchor.vendor].pin}"


def _impossible(session: Session, anchor: Anchor, spots: tuple[Spot, ...], target: Revision) -> str | None:
    """Why an anchor cannot stand in these places: another number of regions, lines beyond the file, strings elsewhere."""
    count = max(1, len(anchor.regions))
    if len(spots) != count:
        return f"{count} ranges are needed, {len(spots)} were given"
    source = session.sources.read(anchor.vendor, target.commit, spots[0].path)
    if isinstance(source, NoSource):
        return f"{spots[0].path} {source.message}"
    beyond = [spot.lines for spot in spots if spot.lines.last > len(source)]
    if beyond:
        return f"{spots[0].path} has {len(source)} lines, not {beyond[0].last}"
    missing = bump.missing_strings(session.sources, anchor, spots, target)
    if missing:
        strings = propose_strings(source, [spot.lines for spot in spots], outline(source.text, spots[0].path))
        hint = f"; these would: find: [{', '.join(strings)}]" if strings else ""
        return f"`{missing[0]}` does not stand in {', '.join(str(spot.lines) for spot in spots)}{hint}"
    return None
