"""Files of any git directory on this machine, for questions that name a folder instead of a vendor.

The folder is taken on trust: whoever asks names it, and alternates are read wherever they are. Objects are read and
hashed as those of vendors are.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple, Self

from claimcheck.decoding import decode
from claimcheck.errors import EnvironmentProblem
from claimcheck.git import places
from claimcheck.git.hints import GitHints
from claimcheck.git.places import Unusable
from claimcheck.git.reader import Entry, Kind, NoEntry, ObjectProblem, ObjectTooLarge, Reader
from claimcheck.path_problems import no_file
from claimcheck.sources import CommitTree, Texts
from claimcheck.texts import NoSource, SourceText, Why

MOST_OPEN = 16
MOST_ENTRIES_CACHED = 20_000


class _Open(NamedTuple):
    reader: Reader
    hints: GitHints


class Clones:
    """The clones that were asked last, each with one child of git, and the texts that were read last."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}
        self._texts = Texts()
        self._entries: dict[tuple[str, str, str], Entry | NoEntry] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for opened in self._open.values():
            opened.reader.close()
        self._open.clear()

    def tree(self, folder: str, commit: str, before: str) -> CommitTree:
        """The files of a commit; `before` is the commit from which git is asked for renames and differences."""
        return CommitTree(self, folder, commit, before)

    def read(self, folder: str, commit: str, path: str) -> SourceText | NoSource:
        """The text of a file at a commit, or a reason that continues a sentence with the path."""
        reader = self.reader(folder)
        try:
            found = self._look_up(folder, commit, path)
            if not isinstance(found, Entry) or found.kind is not Kind.FILE:
                return no_file(reader, commit, path, found, None)
            text = self._texts.get((folder, found.id))
            if text is None:
                text = decode(reader.blob(found.id), found.id)
                self._texts.put((folder, found.id), text)
            return text
        except ObjectTooLarge as problem:
            return NoSource(Why.TOO_LARGE, f"is too large to be read: {problem.message}")
        except ObjectProblem as problem:
            return NoSource(Why.OBJECT_MISSING, f"cannot be read: {problem.message}")

    def blob_id(self, folder: str, commit: str, path: str) -> str | None:
        """The id of a file's content, None if there is no such file or it cannot be looked up."""
        try:
            found = self._look_up(folder, commit, path)
        except ObjectProblem:
            return None
        return found.id if isinstance(found, Entry) and found.kind is Kind.FILE else None

    def _look_up(self, folder: str, commit: str, path: str) -> Entry | NoEntry:
        # The files in which a region may be now are asked for once for each region that is not in its own.
        key = folder, commit, path
        if key not in self._entries:
            if len(self._entries) >= MOST_ENTRIES_CACHED:
                self._entries.clear()
            self._entries[key] = self.reader(folder).look_up(commit, path)
        return self._entries[key]

    def hints(self, folder: str) -> GitHints:
        """What git says of the commits of a folder."""
        return self._opened(folder).hints

    def reader(self, folder: str) -> Reader:
        """The reader of a folder's objects; raises EnvironmentProblem if there is no repository that can be read."""
        return self._opened(folder).reader

    def _opened(self, folder: str) -> _Open:
        opened = self._open.pop(folder, None)
        if opened is None:
            place = Path(folder).absolute()
            everywhere = [Path(os.path.realpath(place)).anchor or os.sep]
            found = places.object_directory(place, root=place, allow_alternates=[Path(each) for each in everywhere])
            if isinstance(found, Unusable):
                raise EnvironmentProblem(f"{folder}: {found.message}", help=found.help)
            reader = Reader([found])
            opened = _Open(reader, GitHints(reader))
        self._open[folder] = opened
        while len(self._open) > MOST_OPEN:
            self._open.pop(next(iter(self._open))).reader.close()
        return opened
