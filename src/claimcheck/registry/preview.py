"""The registry as it would be with changes made, so that nothing is written that does not load afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from claimcheck.errors import RegistryError, WriteRefused
from claimcheck.project import Project
from claimcheck.registry.load import load
from claimcheck.values import frozen

if TYPE_CHECKING:
    from claimcheck.edit import FileChange


@frozen
class _Preview(Project):
    """A project as it would be with changes made."""

    after: Mapping[str, bytes] = field(default_factory=dict)

    def read(self, path: str, *, limit: int | None = None) -> bytes | None:
        return self.after[path] if path in self.after else Project.read(self, path, limit=limit)

    def files(self, *patterns: str) -> list[str]:
        new = (path for path in self.after if any(fnmatchcase(path, pattern) for pattern in patterns))
        return sorted({*Project.files(self, *patterns), *new})


def make_sure_it_loads(project: Project, changes: Sequence[FileChange]) -> None:
    """Raise WriteRefused, with the first reason and its place in the new text, if the changed registry does not load."""
    try:
        load(_Preview(project.root, {change.path: change.after for change in changes}))
    except RegistryError as error:
        first = error.findings[0]
        message = f"{first.subject}: {first.message}; nothing was written"
        raise WriteRefused(message, place=first.place, help=first.help) from None
