"""A place in a vendor's file that a person asks about, as an anchor that the registry does not have."""

from __future__ import annotations

from claimcheck.additions import read_target
from claimcheck.errors import EnvironmentProblem
from claimcheck.model import Anchor, Pin, Region, Registry
from claimcheck.proposals import ranges_of
from claimcheck.sources import Sources
from claimcheck.syntax import outline


def anchor_at(registry: Registry, sources: Sources, vendor: str, text: str, since: str | None = None) -> Anchor:
    """The anchor that `PATH:LINES`, `PATH:SYMBOL` or `PATH:"text"` means at the vendor's pin, or at `since`.

    Its ID is the path and the lines. Raises UsageError for a path that is not there and lines that it has not, and
    EnvironmentProblem where the revision cannot be read.
    """
    try:
        found, revision, source = read_target(registry, sources, f"{vendor}:{text.removeprefix(f'{vendor}:')}", since)
    except EnvironmentProblem as problem:
        way_out = f"{problem.help}, or --from REV if the lines are of a revision that is here"
        raise EnvironmentProblem(problem.message, place=problem.place, help=problem.help and way_out) from None
    ranges = ranges_of(found, source, outline(source.text, found.path))
    id = f"{found.path}:{','.join(map(str, ranges))}"
    own = Pin(revision.public) if since else None
    return Anchor(id, vendor, found.path, tuple(Region(lines) for lines in ranges), commit=own)
