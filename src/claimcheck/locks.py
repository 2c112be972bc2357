"""Bringing anchors.lock up to date: which entries the registry asks for, and the change of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from claimcheck.corpus import Corpus
from claimcheck.edit import FileChange
from claimcheck.locking import lock_anchor
from claimcheck.model import LockEntry, Registry, ReviewState
from claimcheck.project import Project
from claimcheck.registry import lock as lock_file
from claimcheck.sighting import Sighting, Unfindable

LOCK = "anchors.lock"


def is_lockable(sighting: Sighting) -> bool:
    """Whether an anchor's text was read where it is cited, and is what the registry says; a stand-in never is."""
    wrong = [problem for problem in sighting.problems if not isinstance(problem, Unfindable)]
    return sighting.revision is not None and not sighting.elsewhere and not wrong


def entry_of(corpus: Corpus, sighting: Sighting, review: ReviewState, reviewed_at: str | None) -> LockEntry:
    """The lock entry of an anchor as it was seen where it is cited."""
    source = corpus.read(sighting)
    assert source is not None, sighting.anchor.id
    pin = corpus.registry.pin_of(sighting.anchor)
    return lock_anchor(sighting.anchor, pin.text, source, review, reviewed_at)


def refreshed(corpus: Corpus) -> dict[str, LockEntry]:
    """The entries as they should be: new for what was seen, kept for what was not, none for anchors that are gone.

    A review stands as long as the entry still fits its anchor and the text is the one that was reviewed.
    """
    registry = corpus.registry
    entries = {id: entry for id, entry in registry.lock.items() if id in registry.anchors}
    for id in corpus.selection.anchors:
        sighting = corpus.sightings[id]
        if not is_lockable(sighting):
            continue
        old = registry.lock_of(sighting.anchor)
        keeps = old is not None and old.review is not ReviewState.UNREVIEWED
        review, reviewed_at = (old.review, old.reviewed_at) if old and keeps else (ReviewState.UNREVIEWED, None)
        entries[id] = entry_of(corpus, sighting, review, reviewed_at)
    return entries


def differing(before: Mapping[str, LockEntry], after: Mapping[str, LockEntry]) -> list[str]:
    """The IDs whose entries are not the same."""
    return sorted(id for id in {*before, *after} if before.get(id) != after.get(id))


def change(project: Project, entries: Mapping[str, LockEntry]) -> FileChange:
    """The change of anchors.lock that makes it hold exactly these entries."""
    return FileChange(LOCK, project.read(LOCK), lock_file.dump(entries))


def moved(registry: Registry, old: str, new: str) -> dict[str, LockEntry]:
    """The entries with one ID renamed."""
    renamed = (replace(entry, id=new) if id == old else entry for id, entry in registry.lock.items())
    return {entry.id: entry for entry in renamed}
