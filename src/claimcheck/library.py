"""The documents of a project: which files they are, what they say, and where they cite an ID.

Most runs are about anchors and read no document, so nothing of `documents` is loaded until somebody asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Self

from claimcheck.errors import EnvironmentProblem, ReadRefused
from claimcheck.model import Documents, Place, Registry
from claimcheck.project import Project
from claimcheck.values import frozen

if TYPE_CHECKING:
    from claimcheck.documents import Citable, Citation, Document, Problem

TEMPLATES = "templates"
TEMPLATE_ENDINGS = (".jinja", ".css", ".js")
MOST_TEMPLATE = 1_000_000
_GLOB = re.compile(r"[*?\[]")


@frozen
class Sentence:
    """A sentence of a document that cites an ID, as plain text, and where the ID stands in it."""

    place: Place
    text: str


class Library:
    """The project's documents (`documents:` of anchors.yaml). They are read when somebody first asks."""

    def __init__(
        self,
        load: Callable[[], Iterable[Document | Problem]],
        unmatched: Callable[[], Iterable[str]],
        templates: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._load = load
        self._unmatched = unmatched
        self._templates = templates

    @classmethod
    def of(cls, project: Project, registry: Registry) -> Self:
        """The documents that a registry names."""
        included = registry.documents.include
        return cls(
            lambda: _read_all(project, registry),
            lambda: (pattern for pattern in included if not project.files(pattern)),
            lambda: template_files(project),
        )

    @classmethod
    def empty(cls) -> Self:
        return cls(tuple, tuple)

    @cached_property
    def _read(self) -> list[Document | Problem]:
        return list(self._load())

    @cached_property
    def documents(self) -> Mapping[str, Document]:
        """Every document that could be read, by its path, sorted."""
        from claimcheck.documents import Document

        return {found.path: found for found in self._read if isinstance(found, Document)}

    @cached_property
    def unread(self) -> tuple[Problem, ...]:
        """Why the others could not be read, one problem a file; such a file is never written."""
        from claimcheck.documents import Problem

        return tuple(found for found in self._read if isinstance(found, Problem))

    @cached_property
    def unmatched(self) -> tuple[str, ...]:
        """The patterns of `include` that match no file."""
        return tuple(self._unmatched())

    @cached_property
    def templates(self) -> Mapping[str, str]:
        """The project's own templates by their name below `templates/`; raises ReadRefused for one that is no text."""
        return self._templates()

    @property
    def paths(self) -> list[str]:
        """Every file that was looked at, also those that could not be read."""
        return [*self.documents, *(problem.place.path for problem in self.unread)]

    @cached_property
    def citations(self) -> Mapping[str, tuple[Citation, ...]]:
        """For each cited ID its citations, in the order of files and of their text."""
        found: dict[str, list[Citation]] = {}
        for document in self.documents.values():
            for citation in document.citations:
                found.setdefault(citation.id, []).append(citation)
        return {id: tuple(citations) for id, citations in found.items()}

    @cached_property
    def cited(self) -> frozenset[str]:
        """Every ID that a document names, in its text or in the marker of a block."""
        return frozenset(id for document in self.documents.values() for id in document.cited)

    def sentences(self, id: str) -> list[Sentence]:
        """The sentences that cite an ID, in the order of files and of their text; one that cites it twice is one."""
        found: dict[tuple[str, str], Sentence] = {}
        for citation in self.citations.get(id, ()):
            key = (citation.place.path, citation.sentence)
            found.setdefault(key, Sentence(citation.place, citation.sentence))
        return list(found.values())

    def naming(self, id: str) -> list[str]:
        """The documents that name an ID."""
        return [path for path, document in self.documents.items() if id in document.cited]

    def of_lesson(self, lesson: str) -> list[Document]:
        """The documents that belong to a lesson: by `lesson` in what stands before their text, by the claims that they
        show, or by their name: `V1.html`, `V1-scheduling.md`, `V1.en.md`.
        """
        return [document for document in self.documents.values() if belongs(document, lesson)]


def belongs(document: Document, lesson: str) -> bool:
    """Whether a document is, or is one of, those of a lesson."""
    if document.path == lesson:
        return True
    said = document.front.get("lesson")
    if said is not None:
        return said.casefold() == lesson.casefold()
    if any(block.kind == "claims" and lesson in block.ids for block in document.blocks):
        return True
    name, wanted = document.path.rpartition("/")[2].casefold(), lesson.casefold()
    return name.startswith(wanted) and not name[len(wanted) : len(wanted) + 1].isalnum()


def files(project: Project, documents: Documents) -> list[str]:
    """The files that are documents: what `include` matches and `exclude` does not.

    A pattern with `*` takes only files whose ending is one of a format's; a file that is named is taken as it is.
    """
    from claimcheck.documents import is_document

    excluded = set(project.files(*documents.exclude)) if documents.exclude else set()
    named = {pattern for pattern in documents.include if not _GLOB.search(pattern)}
    found = project.files(*documents.include)
    return [path for path in found if path not in excluded and (path in named or is_document(path))]


def template_files(project: Project) -> dict[str, str]:
    """The files of `templates/`, those of its folders with `/` in their names; none is reached from outside by a link."""
    found: dict[str, str] = {}
    for path in project.files(*(f"{TEMPLATES}/**/*{ending}" for ending in TEMPLATE_ENDINGS)):
        if not project.real_path(path).startswith(f"{TEMPLATES}/"):
            raise ReadRefused(f"a link that leaves {TEMPLATES}/", place=Place(path))
        content = project.read(path, limit=MOST_TEMPLATE)
        if content is None:
            continue
        try:
            found[path.removeprefix(f"{TEMPLATES}/")] = content.decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise ReadRefused("a template is UTF-8", place=Place(path)) from None
    return found


def _read_all(project: Project, registry: Registry) -> Iterator[Document | Problem]:
    from claimcheck.documents import Citable

    citable = Citable.of(registry)
    return (_read(project, path, citable) for path in files(project, registry.documents))


def _read(project: Project, path: str, citable: Citable) -> Document | Problem:
    from claimcheck.documents import Problem, Trouble, read

    try:
        content = project.read(path)
    except (ReadRefused, EnvironmentProblem) as error:
        return Problem(Trouble.UNREADABLE, Place(path), error.message, error.help)
    if content is None:
        return Problem(Trouble.UNREADABLE, Place(path), "the file is not there any more")
    return read(path, content, citable)
