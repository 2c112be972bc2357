"""Which anchors a document cites, for commands that walk through one document.

Each function of `WAYS` knows one kind of document and answers None for a name that is none of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from claimcheck.errors import UsageError
from claimcheck.library import Library
from claimcheck.model import Anchor, Citing, Example, Registry

Way = Callable[[Registry, Library, str], Sequence[str] | None]


def of_document(registry: Registry, library: Library, name: str) -> Sequence[str] | None:
    """The IDs that a document's text cites, then those that the claims of its lesson do."""
    document = library.documents.get(name)
    if document is None:
        return None
    in_text = [id for citation in document.citations for id in _with_its_own(registry, citation.id)]
    lessons = {lesson for entry in registry.citing if (lesson := _lesson(entry))}
    own = {lesson for lesson in lessons if document in library.of_lesson(lesson)}
    return in_text + [id for entry in registry.citing if _lesson(entry) in own for id in entry.cites]


def of_claims_file(registry: Registry, library: Library, name: str) -> Sequence[str] | None:
    """The IDs that the entries of a file below claims/ cite."""
    return _cited(entry for entry in registry.citing if entry.places[""].path == name)


def of_lesson(registry: Registry, library: Library, name: str) -> Sequence[str] | None:
    """The IDs that the claims and corrections of a lesson cite, the lesson as they name it."""
    return _cited(entry for entry in registry.citing if _lesson(entry) == name)


WAYS: tuple[Way, ...] = (of_document, of_claims_file, of_lesson)


def anchors_cited_in(registry: Registry, library: Library, document: str) -> tuple[str, ...]:
    """The anchors that a document cites, in its order; raises UsageError for a name that no document has."""
    name = document.removeprefix("./")
    for way in WAYS:
        cited = way(registry, library, name)
        if cited is not None:
            return tuple(id for id in dict.fromkeys(cited) if id in registry.anchors)
    known = sorted({*library.paths, *(_lesson(entry) or entry.places[""].path for entry in registry.citing)})
    raise UsageError.unknown("document", document, known, None if known else "nothing cites an anchor yet")


def _with_its_own(registry: Registry, id: str) -> Sequence[str]:
    entry = registry.entries.get(id)
    return [id] if entry is None or isinstance(entry, Anchor) else entry.cites


def _cited(entries: Iterable[Citing]) -> Sequence[str] | None:
    found = list(entries)
    return [id for entry in found for id in entry.cites] if found else None


def _lesson(entry: Citing) -> str | None:
    return None if isinstance(entry, Example) else entry.lesson
