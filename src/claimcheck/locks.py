"""Bringing anchors.lock up to date: which entries the registry asks for, and the change of the file."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from claimcheck.corpus import Corpus
from claimcheck.edit import FileChange
from claimcheck.locking import lock_anchor
from claimcheck.model import LockEntry, Registry, ReviewState
from claimcheck.project import Project
from claimcheck.registry import LOCK
from claimcheck.registry import lock as lock_file
from claimcheck.sighting import Deceptive, LockDiffers, Sighting, Unfindable


def is_lockable(sighting: Sighting) -> bool:
    """Whether an anchor's text was read where it is cited, and is what the registry says; a stand-in never is."""
    harmless = (Unfindable, Deceptive, LockDiffers)
    wrong = [problem for problem in sighting.problems if not isinstance(problem, harmless)]
    return sighting.revision is not None and not sighting.elsewhere and not wrong


def entry_of(corpus: Corpus, sighting: Sighting, review: ReviewState, reviewed_at: str | None) -> LockEntry:
    """The lock entry of an anchor as it was seen where it is cited."""
    source = corpus.read(sighting)
    assert source is not None, sighting.anchor.id
    pin = corpus.registry.pin_of(sighting.anchor)
    return lock_anchor(sighting.anchor, pin.text, source, review, reviewed_at)


def refreshed(corpus: Corpus) -> dict[str, LockEntry]:
    """The entries that are not yet as they should be, for what was seen and asked for.

    A review stands as long as the entry still fits its anchor and the text is the one that was reviewed.
    Anchors are taken file by file, so that each file is read and parsed once.
    """
    registry = corpus.registry
    entries: dict[str, LockEntry] = {}
    for id in sorted(corpus.selection.anchors, key=lambda id: _file(registry, id)):
        sighting = corpus.sightings[id]
        if not is_lockable(sighting):
            continue
        old = registry.lock_of(sighting.anchor)
        same = not any(isinstance(problem, LockDiffers) for problem in sighting.problems)
        keeps = same and old is not None and old.review is not ReviewState.UNREVIEWED
        review, reviewed_at = (old.review, old.reviewed_at) if old and keeps else (ReviewState.UNREVIEWED, None)
        entry = entry_of(corpus, sighting, review, reviewed_at)
        if registry.lock.get(id) != entry:
            entries[id] = entry
    return entries


def _file(registry: Registry, id: str) -> tuple[str, str, str]:
    anchor = registry.anchors[id]
    return anchor.vendor, registry.pin_of(anchor).text, anchor.path


def gone(registry: Registry) -> list[str]:
    """The IDs of entries whose anchors the registry does not have any more."""
    return [id for id in registry.lock if id not in registry.anchors]


def update(project: Project, new: Mapping[str, LockEntry], without: Collection[str] = ()) -> FileChange:
    """The change of anchors.lock that puts in new entries and takes others out.

    The lines of all others stay as they are on disk now, so that what another run has written meanwhile is kept.
    """
    content = project.read(LOCK)
    there = lock_file.parse(content) if content is not None else {}
    return FileChange(LOCK, content, lock_file.updated(there, new, without))
