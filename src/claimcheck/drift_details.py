"""What a person who reads a drift wants to see beside it: the lines, what changed in them, candidates, and commits.

Texts and history are asked for here, so that the reports need values only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from claimcheck.corpus import Corpus
from claimcheck.drift import AnchorDrift, Comparison, Drift, RegionDrift, compare, old_text
from claimcheck.drift_changes import NO_CHANGES, Changes, changes_in
from claimcheck.git.touching import Stretch, Touched, Touching, UpstreamCommit
from claimcheck.model import Pin, Revision
from claimcheck.outcome import Ambiguous, Candidate, Deleted
from claimcheck.syntax import outline
from claimcheck.texts import SourceText
from claimcheck.values import frozen

WHOLE = 1 << 30
CONTEXT = 1  # equal lines on each side of a change, where only changes are shown
MOST_CANDIDATES = 5
AROUND = 3


@frozen
class Near:
    """A place that might be meant, or that has a part of what is gone; its lines and some around it, from `first`.

    `symbol` is the definition around it, `string` the search string of the anchor that stands there.
    """

    place: Candidate
    first: int
    lines: tuple[str, ...]
    symbol: str | None = None
    string: str | None = None


@frozen
class Upstream:
    """The commits that made the difference, newest first, and what they have done.

    Where there are none to be named `why` says why, and `command` is the one that brings the history, if one does.
    """

    commits: tuple[UpstreamCommit, ...] = ()
    what: str = Touched.LINES.value
    more: bool = False
    why: str | None = None
    command: str | None = None


@frozen
class RegionDetail:
    """One region with its lines; those that carry have neither changes, candidates nor commits."""

    region: RegionDrift
    comparison: Comparison
    changes: Changes = NO_CHANGES
    near: tuple[Near, ...] = ()
    upstream: Upstream | None = None


@frozen
class AnchorDetail:
    """One anchor with the details of its regions."""

    one: AnchorDrift
    regions: tuple[RegionDetail, ...]


def details(
    corpus: Corpus, drift: Drift, anchors: Iterable[AnchorDrift], *, context: int = WHOLE, history: bool = True
) -> Iterator[AnchorDetail]:
    """The details of some anchors, in this order: `context` equal lines around each change, by default all of them.

    Without `history` git is not asked for commits.
    """
    for one in anchors:
        regions = tuple(_region(corpus, drift, one, region, context, history) for region in one.regions)
        yield AnchorDetail(one, regions)


def _region(
    corpus: Corpus, drift: Drift, one: AnchorDrift, region: RegionDrift, context: int, history: bool
) -> RegionDetail:
    comparison = compare(corpus, one, region, drift.target, context)
    if region.carries:
        return RegionDetail(region, comparison)
    return RegionDetail(
        region,
        comparison,
        changes_in(corpus, one, region, drift.target),
        tuple(_near(corpus, drift, one, region)),
        upstream_of(corpus, drift, one, region) if history else None,
    )


def _near(corpus: Corpus, drift: Drift, one: AnchorDrift, region: RegionDrift) -> Iterator[Near]:
    outcome = region.outcome
    places: tuple[Candidate, ...] = ()
    if isinstance(outcome, Ambiguous):
        places = outcome.candidates
    elif isinstance(outcome, Deleted):
        places = outcome.trail
    for place in places[:MOST_CANDIDATES]:
        source = corpus.sources.read(drift.vendor, drift.target.commit, place.path)
        first = max(1, place.lines.first - AROUND)
        if not isinstance(source, SourceText):
            yield Near(place, first, ())
            continue
        structure = outline(source.text, place.path)
        around = structure.innermost(place.lines) if structure else None
        string = next((string for string in one.anchor.strings if source.hits(string, place.lines)), None)
        lines = source.lines[first - 1 : place.lines.last + AROUND]
        yield Near(place, first, tuple(lines), around.name if around else None, string)


def upstream_of(corpus: Corpus, drift: Drift, one: AnchorDrift, region: RegionDrift) -> Upstream | None:
    """The commits that touched a region that has to be read; None where nothing was compared."""
    origin, target, outcome = one.origin, drift.target, region.outcome
    if region.spot is None and not isinstance(outcome, Deleted):
        return None
    if isinstance(origin, Pin) or origin.release or target.release:
        return _without_history(corpus, drift, origin)
    old, spot = old_text(corpus, one.anchor), region.spot
    texts = old.lines[region.lines.first - 1 : region.lines.last] if old else ()
    before = Stretch(region.path, region.lines, tuple(texts))
    after = Stretch(spot.path, spot.lines) if spot else None
    hints = corpus.sources.hints(drift.vendor)
    if hints is None:
        return None
    found = hints.touching(origin.commit, target.commit, before, after)
    return _said(corpus, drift, origin, found)


def _said(corpus: Corpus, drift: Drift, origin: Revision, found: Touching) -> Upstream:
    if not found.connected:
        return _without_history(corpus, drift, origin)
    what = found.touched.value + (", and which the other revision has not" if found.undone else "")
    if found.note:
        return Upstream(why=f"git could not say which commits touched it: {found.note}")
    if not found.commits:
        return Upstream(why="no commit between the two is known to have touched it")
    return Upstream(found.commits, what, found.more)


def _without_history(corpus: Corpus, drift: Drift, origin: Revision | Pin) -> Upstream:
    target, vendor = drift.target, drift.vendor
    releases = [
        label for label in (_version(origin), target.release.version if target.release else None) if label is not None
    ]
    if releases:
        are = "are source archives, which have" if len(releases) > 1 else "is a source archive, which has"
        return Upstream(
            why=f"{' and '.join(releases)} {are} no history; commits or tags of the same versions have it",
            command=f"claimcheck vendor fetch {vendor} NEW --history --since OLD",
        )
    pinned = corpus.registry.vendors[vendor].pin.text
    since = origin.commit if isinstance(origin, Revision) else origin.text
    also = "" if since == pinned else f" --since {since}"
    return Upstream(
        why="the history between the two is not here",
        command=f"claimcheck vendor fetch {vendor} {target.tag or target.commit} --history{also}",
    )


def _version(origin: Revision | Pin) -> str | None:
    if isinstance(origin, Pin):
        return origin.version
    return origin.release.version if origin.release else None
