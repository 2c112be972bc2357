"""Which anchors a document cites, for commands that walk through one document.

Each function of `WAYS` knows one kind of document and answers None for a name that is none of its own. What is read
of documents themselves is one more of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from claimcheck.documents import Library
from claimcheck.errors import UsageError
from claimcheck.model import Anchor, Citing, Example, Registry
from claimcheck.project import Project

Way = Callable[[Project, Registry, str], Sequence[str] | None]


def of_claims_file(project: Project, registry: Registry, name: str) -> Sequence[str] | None:
    """The IDs that the entries of a file below claims/ cite."""
    return _cited(entry for entry in registry.citing if entry.places[""].path == name)


def of_lesson(project: Project, registry: Registry, name: str) -> Sequence[str] | None:
    """The IDs that the claims and corrections of a lesson cite, the lesson as they name it."""
    return _cited(entry for entry in registry.citing if _lesson(entry) == name)


def of_document(project: Project, registry: Registry, name: str) -> Sequence[str] | None:
    """The IDs that a document cites, and those on which its claims, examples and corrections rest."""
    document = Library.of(project, registry).documents.get(name)
    if document is None:
        return None
    entries = [registry.entries[id] for id in document.cited if id in registry.entries]
    return [id for entry in entries for id in ((entry.id,) if isinstance(entry, Anchor) else entry.cites)]


WAYS: tuple[Way, ...] = (of_claims_file, of_lesson, of_document)


def anchors_cited_in(project: Project, registry: Registry, document: str) -> tuple[str, ...]:
    """The anchors that a document cites, in its order; raises UsageError for a name that no document has."""
    name = document.removeprefix("./")
    for way in WAYS:
        cited = way(project, registry, name)
        if cited is not None:
            return tuple(id for id in dict.fromkeys(cited) if id in registry.anchors)
    known = sorted({_lesson(entry) or entry.places[""].path for entry in registry.citing})
    raise UsageError.unknown("document", document, known, None if known else "nothing cites an anchor yet")


def _cited(entries: Iterable[Citing]) -> Sequence[str] | None:
    found = list(entries)
    return [id for entry in found for id in entry.cites] if found else None


def _lesson(entry: Citing) -> str | None:
    return None if isinstance(entry, Example) else entry.lesson
