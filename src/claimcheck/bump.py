"""Moving a vendor's pin: what drift says, written. Pins, ranges, paths and the lock change together or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from claimcheck import locks
from claimcheck.corpus import Corpus
from claimcheck.drift import AnchorDrift, Drift, RegionDrift
from claimcheck.edit import FileChange
from claimcheck.locking import lock_anchor
from claimcheck.model import Anchor, Lines, LockEntry, Pin, Region, Registry, ReviewState, Revision
from claimcheck.outcome import Spot, Unchanged
from claimcheck.project import Project
from claimcheck.registry import edits, make_sure_it_loads
from claimcheck.sources import Sources
from claimcheck.texts import SourceText, line_digest
from claimcheck.values import frozen


@frozen
class Bump:
    """A planned bump: who carries, who needs a person (by risk), and the changes of files.

    `changes` is empty where nothing is to be written.
    """

    drift: Drift
    carried: tuple[AnchorDrift, ...]
    held: tuple[AnchorDrift, ...]
    changes: tuple[FileChange, ...]
    pins: int
    ranges: int
    paths: int
    commits: int
    ranges_rewritten: int

    @property
    def nothing_to_do(self) -> bool:
        return not any(change.changes for change in self.changes)


def plan(project: Project, corpus: Corpus, drift: Drift) -> Bump:
    """What a bump with `--hold` would write: who carries moves along, who does not keeps the commit that they have."""
    registry, sources = corpus.registry, corpus.sources
    drift = replace(drift, anchors=tuple(_as_written(registry, sources, one, drift.target) for one in drift.anchors))
    carried, held = drift.carried, drift.to_read
    vendor = registry.vendors[drift.vendor]
    target = Pin(drift.target.public)
    paths = {vendor.places[""].path, *(one.anchor.places[""].path for one in drift.anchors)}
    editing = edits.editors(project, sorted(paths))
    pins = int(vendor.pin != target)
    if pins:
        editing[vendor.places[""].path].set_pin(vendor.name, target, comment=_comment(drift.target))
    ranges = files = commits = rewritten = 0
    for one in carried:
        editor = editing[one.anchor.places[""].path]
        moved = sum(region.spot is not None and region.spot.lines != region.lines for region in one.regions)
        if moved and one.anchor.regions:
            editor.set_lines(one.id, [region.spot.lines for region in one.regions if region.spot])
            ranges, rewritten = ranges + 1, rewritten + moved
        path = next(iter(one.paths))
        if path != one.anchor.path:
            editor.set_value(one.id, "path", path)
            files += 1
        if one.anchor.commit is not None:
            editor.remove_key(one.id, "commit")
            commits += 1
    if pins:
        for one in held:
            if one.anchor.commit is None:
                comment = _comment(one.origin) if isinstance(one.origin, Revision) else None
                editing[one.anchor.places[""].path].set_commit(one.id, vendor.pin, comment=comment)
                commits += 1
    changes = edits.changes(editing)
    if changes:
        entries = {one.id: _carried_entry(registry, sources, one, target) for one in carried}
        # The lock first and the pin last: what an interrupted bump has written can be told from what it has not.
        changes.sort(key=lambda change: change.path == vendor.places[""].path)
        changes.insert(0, locks.update(project, entries, locks.gone(registry)))
        make_sure_it_loads(project, changes)
    return Bump(drift, carried, held, tuple(changes), pins, ranges, files, commits, rewritten)


def _as_written(registry: Registry, sources: Sources, one: AnchorDrift, target: Revision) -> AnchorDrift:
    """An anchor that an interrupted bump to this revision has moved is unchanged there; any other is as drift says.

    Such an anchor has no commit of its own, the pin is still the old one, and the lock has these very lines, with this
    text, at the target. If its strings stand in these lines of the old text too, then the lines are of the old text.
    """
    anchor, entry = one.anchor, registry.lock.get(one.id)
    pin = Pin(target.public)
    if entry is None or entry.commit != pin.text or anchor.commit is not None or registry.pin_of(anchor) == pin:
        return one
    if not registry.is_fresh(replace(anchor, commit=pin), entry):
        return one
    new = sources.read(anchor.vendor, target.commit, anchor.path)
    if not isinstance(new, SourceText) or not anchor.regions:
        return one
    spots = [Spot(anchor.path, region.lines, region.symbol) for region in entry.regions]
    if any(spot.lines.last > len(new) for spot in spots):
        return one
    if any(line_digest(new.cut(region.lines)) != region.digest for region in entry.regions):
        return one
    home = sources.resolve(anchor.vendor, registry.pin_of(anchor).text)
    if anchor.strings and isinstance(home, Revision) and not missing_strings(sources, anchor, spots, home):
        return one
    regions = (RegionDrift(n, anchor.path, spot.lines, Unchanged(spot)) for n, spot in enumerate(spots, 1))
    return replace(one, regions=tuple(regions), lost=())


def _comment(revision: Revision) -> str | None:
    """What stands behind a full id in the file, so that people see the version."""
    return revision.tag


def _carried_entry(registry: Registry, sources: Sources, one: AnchorDrift, target: Pin) -> LockEntry:
    """The lock entry at the new pin; a review is carried along, since the text is the same."""
    written = registry.lock.get(one.id)
    if written is not None and written.commit == target.text and written.review is not ReviewState.UNREVIEWED:
        entry = _entry(sources, one.anchor, _spots(one), target, written.review, written.reviewed_at)
        if entry == written:  # by a bump that was interrupted
            return written
    before = registry.review_of(one.anchor)
    state = ReviewState.UNREVIEWED if before is ReviewState.UNREVIEWED else ReviewState.CARRIED
    old = registry.lock_of(one.anchor)
    reviewed_at = old.reviewed_at if old and state is ReviewState.CARRIED else None
    return _entry(sources, one.anchor, _spots(one), target, state, reviewed_at)


def _spots(one: AnchorDrift) -> list[Spot]:
    return [region.spot for region in one.regions if region.spot]


def _entry(
    sources: Sources, anchor: Anchor, spots: Sequence[Spot], pin: Pin, state: ReviewState, reviewed_at: str | None
) -> LockEntry:
    moved = at(anchor, spots)
    revision = sources.resolve(anchor.vendor, pin.text)
    assert isinstance(revision, Revision), anchor.id
    source = sources.read(anchor.vendor, revision.commit, moved.path)
    assert isinstance(source, SourceText), anchor.id
    return lock_anchor(moved, pin.text, source, state, reviewed_at)


def at(anchor: Anchor, spots: Sequence[Spot]) -> Anchor:
    """The anchor as it is recorded when its regions stand in these places."""
    if not anchor.regions:
        return replace(anchor, path=spots[0].path if spots else anchor.path, commit=None)
    regions = tuple(Region(spot.lines, region.find) for spot, region in zip(spots, anchor.regions, strict=True))
    return replace(anchor, path=spots[0].path, regions=regions, commit=None)


def settle(
    project: Project,
    registry: Registry,
    sources: Sources,
    anchor: Anchor,
    spots: Sequence[Spot],
    find: Sequence[str] | None = None,
) -> list[FileChange]:
    """The changes by which a held anchor follows its vendor's pin to these places, reviewed there by a person.

    `find` has other search strings, for an anchor in the short form.
    """
    pin = registry.vendors[anchor.vendor].pin
    path = anchor.places[""].path
    editing = edits.editors(project, [path])
    editor = editing[path]
    if anchor.regions and [spot.lines for spot in spots] != [region.lines for region in anchor.regions]:
        editor.set_lines(anchor.id, [spot.lines for spot in spots])
    if spots and spots[0].path != anchor.path:
        editor.set_value(anchor.id, "path", spots[0].path)
    if find is not None:
        editor.set_find(anchor.id, find)
        anchor = replace(anchor, find=tuple(find))
    editor.remove_key(anchor.id, "commit")
    entry = _entry(sources, anchor, spots, pin, ReviewState.REVIEWED, pin.text)
    changes = [locks.update(project, {anchor.id: entry}, locks.gone(registry)), *edits.changes(editing)]
    make_sure_it_loads(project, changes)
    return changes


def missing_strings(sources: Sources, anchor: Anchor, spots: Sequence[Spot], target: Revision) -> list[str]:
    """The anchor's strings that do not stand in the text at these places, so that they have to be changed too."""
    source = sources.read(anchor.vendor, target.commit, spots[0].path)
    if not isinstance(source, SourceText):
        return list(anchor.strings)
    return [string for string in anchor.strings if not _stands(source, string, (spot.lines for spot in spots))]


def _stands(source: SourceText, string: str, ranges: Iterable[Lines]) -> bool:
    return any(lines.last <= len(source) and source.hits(string, lines) for lines in ranges)
