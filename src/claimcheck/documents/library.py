"""The documents of a project: which files they are, what they say, and where they cite an ID."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from claimcheck.documents.document import Document, Problem
from claimcheck.model import Place, Registry
from claimcheck.project import Project


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document that cites an ID, as plain text, and where the ID stands in it."""

    place: Place
    text: str


class Library:
    """The project's documents (`documents:` of anchors.yaml). They are read when somebody first asks."""

    def __init__(self, project: Project, registry: Registry) -> None:
        self._project = project
        self._registry = registry

    @cached_property
    def documents(self) -> Mapping[str, Document]:
        """Every document that could be read, by its path, sorted."""
        raise NotImplementedError

    @cached_property
    def unread(self) -> tuple[Problem, ...]:
        """Why the others could not be read, one problem a file; such a file is never written."""
        raise NotImplementedError

    def sentences(self, id: str) -> list[Sentence]:
        """The sentences that cite an ID, in the order of files and of their text."""
        raise NotImplementedError

    def of_lesson(self, lesson: str) -> list[Document]:
        """The documents that belong to a lesson, by their file's name: `V1.html`, `V1-scheduling.md`, `V1.en.md`."""
        raise NotImplementedError
