"""Which parts of a project changed since a revision of its own repository."""

from __future__ import annotations

from claimcheck.corpus import NOTHING, Selection, select
from claimcheck.git.own import OwnRepository
from claimcheck.library import Library
from claimcheck.model import Registry
from claimcheck.project import Project
from claimcheck.registry import ANCHORS, CLAIMS, LOCK, MORE_ANCHORS


def changed_files(project: Project, library: Library, rev: str) -> list[str]:
    """The project's documents and registry files that are not as they were at a revision, or are new.

    Raises UsageError where the project is in no repository, or the revision is not known there.
    """
    looked_at = [*project.files(ANCHORS, MORE_ANCHORS, CLAIMS, LOCK), *library.paths]
    with OwnRepository.of(project.root, rev) as own:
        return [
            path
            for path in dict.fromkeys(looked_at)
            if (content := project.read(path)) is not None and own.differs(path, content)
        ]


def changed_since(project: Project, registry: Registry, library: Library, rev: str) -> tuple[Selection, list[str]]:
    """What to look at when these files changed: what they cite and what they define; and the files.

    A changed lock says something of every anchor, and so does a changed `anchors.yaml`, where vendors and waivers stand.
    """
    files = changed_files(project, library, rev)
    names = [path for path in files if path in library.paths]
    names += [path for path in files if any(entry.places[""].path == path for entry in registry.entries.values())]
    if ANCHORS in files or LOCK in files:
        names += registry.anchors
    return (select(registry, names, library) if names else NOTHING), files
