"""What `claimcheck bump` says: the plan, what was refused or written, and the next command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from claimcheck.bump import Bump
from claimcheck.differences import stretches
from claimcheck.drift import AnchorDrift
from claimcheck.edit import FileChange
from claimcheck.model import Pin, Revision
from claimcheck.phrases import counted
from claimcheck.reports.drift_words import change, headline, lost_strings, revision, word
from claimcheck.terminal import visible


def refused(bump: Bump) -> str:
    """Why nothing was written, and the two ways on."""
    drift = bump.drift
    carried = f"{len(bump.carried)} of {counted(len(drift.anchors), 'anchor')} carry over"
    stay = f"the {len(bump.held)} {_s(bump, 'stay')} at {_version(drift.origin)} until you review them"
    ways = (
        (f"claimcheck bump {drift.vendor} {revision(drift.target)} --hold", f"carries the {len(bump.carried)}; {stay}"),
        (
            f"claimcheck drift {drift.vendor} {revision(drift.target)}",
            "shows what changed and which sentences rest on it",
        ),
    )
    length = max(len(way) for way, _ in ways)
    out = [headline(drift), f"{carried}; {len(bump.held)} {_s(bump, 'need')} a person:", *_reasons(bump), ""]
    return "\n".join([*out, "Refused, nothing written.", *(f"  {way:<{length}}    {what}" for way, what in ways), ""])


def _s(bump: Bump, verb: str) -> str:
    """The verb for the held anchors: one stays, two stay."""
    return f"{verb}s" if len(bump.held) == 1 else verb


def _reasons(bump: Bump) -> list[str]:
    """A row for each held anchor, by risk: the outcome, the size of the change, and the place before and after."""
    ids = max(len(one.id) for one in bump.held)
    changed = {one.id: _changed(one) for one in bump.held if not one.lost}
    widths = [max((len(cells[column]) for cells in changed.values()), default=0) for column in (0, 1)]
    rows = []
    for one in bump.held:
        if one.lost:
            told = f"carries, but {visible(lost_strings(one))}"
        else:
            name, said, place = changed[one.id]
            told = f"{name:<{widths[0]}}  " + (f"{said:<{widths[1]}}  " if widths[1] else "") + place
            broke = [change.id for change in one.claims if change.broke]
            told += f"  ({', '.join(broke)} held and {'fails' if len(broke) == 1 else 'fail'} now)" if broke else ""
        rows.append(f"  {one.id:<{ids}}  {told}")
    return rows


def _changed(one: AnchorDrift) -> tuple[str, str, str]:
    region = next((region for region in one.regions if not region.carries), one.regions[0])
    place = f"{_file(region.path)} {region.lines}"
    spot = region.spot
    if spot is not None and spot.path != region.path:
        place += f" -> {_file(spot.path)} {spot.lines}"
    elif spot is not None and spot.lines != region.lines:
        place += f" -> {spot.lines}"
    return word(region.outcome), change(region).removesuffix(" code"), place


def _file(path: str) -> str:
    return visible(path.rpartition("/")[2])


def _version(origin: Revision | Pin) -> str:
    """The tag or version by which people know a revision, else the beginning of its id."""
    return origin.short if isinstance(origin, Pin) else origin.tag or origin.label


def written(bump: Bump, to_follow: Sequence[str]) -> str:
    """What was written, and the commands by which a clone of one's own follows, if there is one."""
    drift = bump.drift
    counts = Counter(word(one.outcome) for one in bump.carried)
    parts = [f"{counts[name]} {name}" for name in ("unchanged", "moved", "cosmetic") if counts[name]]
    rewritten = f" ({counted(bump.ranges_rewritten, 'range')} rewritten)" if bump.ranges_rewritten else ""
    out = [headline(drift), f"carried {len(bump.carried):>3}   {', '.join(parts) or 'none'}{rewritten}"]
    if bump.held:
        ids = " ".join(one.id for one in bump.held)
        commits = dict.fromkeys(one.anchor.commit.short if one.anchor.commit else _pin(bump) for one in bump.held)
        out.append(f"held    {len(bump.held):>3}   {ids} {_s(bump, 'keep')} commit {', '.join(commits)}")
    out.append(f"Wrote {_files(bump)}.")
    if to_follow:
        out += ["", f"vendor/{drift.vendor} itself is not moved; to follow:", *(f"  {line}" for line in to_follow)]
    out.append("Next: claimcheck review --held" if bump.held else "Next: claimcheck verify")
    return "\n".join(out) + "\n"


def _pin(bump: Bump) -> str:
    origin = bump.drift.origin
    return origin.short if isinstance(origin, Pin) else Pin(origin.public).short


def _files(bump: Bump) -> str:
    """`anchors.yaml (15 lines changed: 1 pin, 10 ranges, 4 commits), anchors.lock`."""
    changed = [file for file in bump.changes if file.changes]
    registry = [file for file in changed if not file.path.endswith(".lock")]
    kinds = ((bump.pins, "pin"), (bump.ranges, "range"), (bump.paths, "path"), (bump.commits, "commit"))
    lines = counted(sum(map(_lines_changed, registry)), "line")
    what = f"{lines} changed: {', '.join(counted(number, noun) for number, noun in kinds if number)}"
    names = ", ".join(file.path for file in registry)
    locks = [file.path for file in changed if file not in registry]
    return ", ".join([f"{names} ({what})", *locks]) if registry else ", ".join(locks)


def _lines_changed(file: FileChange) -> int:
    before, after = ((text or b"").decode("utf-8", "replace").split("\n") for text in (file.before, file.after))
    changed = (one for one in stretches(before, after) if not one.equal)
    return sum(max(one.old_end - one.old_start, one.new_end - one.new_start) for one in changed)


def nothing_to_do(bump: Bump) -> str:
    """The vendor is there already."""
    drift = bump.drift
    places = dict.fromkeys(
        one.origin.label if isinstance(one.origin, Revision) else one.origin.short for one in bump.held
    )
    held = f" {counted(len(bump.held), 'anchor')} held at {', '.join(places)}." if bump.held else ""
    return f"{drift.vendor} is at {drift.target.label}.{held} Nothing to do.\n"
