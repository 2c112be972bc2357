"""What `claimcheck bump` says: the plan, what was refused or written, and the next command."""

from __future__ import annotations

from collections import Counter

from claimcheck.bump import Bump
from claimcheck.drift import AnchorDrift
from claimcheck.model import Pin
from claimcheck.phrases import counted
from claimcheck.reports.drift_text import change, headline, revision, word
from claimcheck.terminal import visible


def refused(bump: Bump) -> str:
    """Why nothing was written, and the two ways on."""
    drift = bump.drift
    command = f"claimcheck {{}} {drift.vendor} {revision(drift.target)}"
    carried = (
        f"{len(bump.carried)} of {len(drift.anchors)} anchors carry over; {len(bump.held)} {_s(bump, 'need')} a person:"
    )
    width = max(len(one.id) for one in bump.held)
    rows = [f"  {one.id:<{width}}  {_why(bump, one)}" for one in _by_risk(bump)]
    hold = f"{command.format('bump')} --hold"
    ways = [
        (
            hold,
            f"carries the {len(bump.carried)}; the {len(bump.held)} {_s(bump, 'stay')} at {_short(bump)} until you review them",
        ),
        (command.format("drift"), "shows what changed and which claims rest on it"),
    ]
    length = max(len(way) for way, _ in ways)
    out = [headline(drift), carried, *rows, "", "Refused, nothing written."]
    return "\n".join([*out, *(f"  {way:<{length}}    {what}" for way, what in ways)]) + "\n"


def _s(bump: Bump, verb: str) -> str:
    """The verb for the held anchors: one stays, two stay."""
    return f"{verb}s" if len(bump.held) == 1 else verb


def _by_risk(bump: Bump) -> list[AnchorDrift]:
    order = {one.id: position for position, one in enumerate((*bump.drift.to_read, *bump.drift.carried))}
    return sorted(bump.held, key=lambda one: order[one.id])


def _short(bump: Bump) -> str:
    origin = bump.drift.origin
    return origin.short if isinstance(origin, Pin) else origin.tag or origin.label


def _why(bump: Bump, one: AnchorDrift) -> str:
    if one.id in bump.lost:
        strings = ", ".join(f"`{visible(lost.string)}`" for lost in bump.lost[one.id])
        return f"carries, but {strings} does not stand there any more (claimcheck review --held)"
    region = next((region for region in one.regions if not region.carries), one.regions[0])
    name = region.path.rpartition("/")[2]
    place = f"{visible(name)} {region.lines}"
    if region.spot is not None:
        file = visible(region.spot.path.rpartition("/")[2]) + " " if region.spot.path != region.path else ""
        place += f" -> {file}{region.spot.lines}"
    said = change(region).removesuffix(" code")
    return f"{word(region.outcome):<7} {said:<8} {place}".rstrip()


def written(bump: Bump, clone: str | None) -> str:
    """What was written, and how to follow with a clone of one's own."""
    drift = bump.drift
    counts = Counter(word(one.outcome) for one in bump.carried)
    parts = [f"{counts[name]} {name}" for name in ("unchanged", "moved", "cosmetic") if counts[name]]
    rewritten = f" ({counted(bump.ranges_rewritten, 'range')} rewritten)" if bump.ranges_rewritten else ""
    out = [headline(drift), f"carried {len(bump.carried):>3}   {', '.join(parts) or 'none'}{rewritten}"]
    if bump.held:
        ids = " ".join(one.id for one in bump.held)
        out.append(f"held    {len(bump.held):>3}   {ids} {_s(bump, 'keep')} commit {_pin(bump)}")
    kinds = (
        (bump.pins, "pin"),
        (bump.ranges, "range"),
        (bump.paths, "path"),
        (bump.commits, "commit"),
    )
    lines = ", ".join(counted(number, noun) for number, noun in kinds if number)
    files = [change.path for change in bump.changes if change.changes]
    out.append(f"Wrote {', '.join(files)} ({lines}).")
    if clone is not None:
        out += ["", f"{clone} itself is not moved; to follow:", f"  git -C {clone} checkout {drift.target.commit}"]
    out.append("Next: claimcheck review --held" if bump.held else "Next: claimcheck verify")
    return "\n".join(out) + "\n"


def _pin(bump: Bump) -> str:
    pins = {one.anchor.commit.short if one.anchor.commit else _origin(bump) for one in bump.held}
    return ", ".join(sorted(pins))


def _origin(bump: Bump) -> str:
    origin = bump.drift.origin
    return origin.short if isinstance(origin, Pin) else Pin(origin.public).short


def nothing_to_do(bump: Bump) -> str:
    """The vendor is there already."""
    drift = bump.drift
    held = f" {counted(len(bump.held), 'anchor')} held at {_pin(bump)}." if bump.held else ""
    return f"{drift.vendor} is at {drift.target.label}.{held} Nothing to do.\n"
