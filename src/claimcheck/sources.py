"""The texts of vendors' files at commits, and the state of what is here of each vendor. Nothing is ever written.

Objects are looked for in `vendor/NAME`, the user's own clone, then in `vendor/NAME.git`, our copy.
"""

from __future__ import annotations

import collections
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from claimcheck.decoding import decode
from claimcheck.git import places
from claimcheck.git.places import ObjectDirectory, Unusable
from claimcheck.git.reader import Entry, Kind, ObjectProblem, Reader
from claimcheck.model import Revision, Vendor
from claimcheck.repository import Repository, VendorState
from claimcheck.terminal import printable
from claimcheck.texts import NoSource, SourceText, Why

if TYPE_CHECKING:
    from claimcheck.git.following import Followed
    from claimcheck.git.hints import GitHints, Hints

Said = TypeVar("Said", "Hints", "Followed")

# All texts that are kept, in bytes of memory; a text that was thrown out is read again.
TEXTS_KEPT = 64 * 1024 * 1024


class Sources:
    """The vendors' files. One child of git is alive at a time: that of the vendor that was asked last."""

    def __init__(self, root: Path, vendors: Mapping[str, Vendor], *, allow_alternates: Sequence[Path] = ()) -> None:
        self._root = root
        self._vendors = vendors
        self._allowed = tuple(allow_alternates)
        self._repositories: dict[str, Repository] = {}
        self._active: Repository | None = None
        self._states: dict[str, VendorState] = {}
        self._texts = Texts()
        self._entries: dict[tuple[str, str, str], Entry] = {}
        self._noted: set[tuple[str, str, str]] | None = None
        self._blobs: dict[tuple[str, str], Mapping[str, str]] = {}

    @contextmanager
    def noting(self) -> Iterator[set[tuple[str, str, str]]]:
        """Note what is asked for meanwhile: vendor, commit and path; an empty path for a question about all of them."""
        before, self._noted = self._noted, set()
        try:
            yield self._noted
        finally:
            self._noted = before

    def _note(self, vendor: str, commit: str, path: str = "") -> None:
        if self._noted is not None:
            self._noted.add((vendor, commit, path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the child that is alive; what was read stays known."""
        if self._active:
            self._active.close()
            self._active = None

    def pinned(self, vendor: str) -> Revision | NoSource:
        """The vendor's pin."""
        repository = self._repository(vendor)
        return repository.resolve(repository.vendor.pin.text, "the pin ") if repository else _unknown(vendor)

    def resolve(self, vendor: str, rev: str) -> Revision | NoSource:
        """The commit that a full id, tag, `HEAD`, `release` or `release/VERSION` stands for, if it can be read."""
        repository = self._repository(vendor)
        if repository is None:
            return _unknown(vendor)
        if rev == "HEAD" and repository.clone is None and (recorded := self._gitlinks.get(vendor)):
            return repository.resolve(recorded)
        return repository.resolve(rev)

    def today(self, vendor: str, name: str) -> str | None:
        """The full id that a short id, branch or tag stands for at this moment: for people, never for reading."""
        repository = self._repository(vendor)
        return repository.today(name) if repository else None

    def tags(self, vendor: str) -> tuple[str, ...]:
        """The names of the tags that are here of a vendor, by name."""
        repository = self._repository(vendor)
        return repository.tags if repository else ()

    def chain(self, vendor: str, old: str, new: str) -> tuple[str, ...] | NoSource:
        """The commits after `old` up to `new`, oldest first, along the first parents of `new`."""
        repository = self._repository(vendor)
        return repository.chain(old, new) if repository else _unknown(vendor)

    def read(self, vendor: str, commit: str, path: str) -> SourceText | NoSource:
        """The text of a file at a commit.

        A reason continues a sentence: for a missing path one that begins with the revision, else with the path.
        """
        self._note(vendor, commit, path)
        repository = self._repository(vendor)
        if repository is None:
            return _unknown(vendor)
        if isinstance(reader := repository.reader, NoSource):
            return reader
        try:
            found = self._entries.get((vendor, commit, path)) or reader.look_up(commit, path)
            if not isinstance(found, Entry) or found.kind is not Kind.FILE:
                from claimcheck.path_problems import no_file

                return no_file(reader, commit, path, found, repository.head_commit)
            self._entries[vendor, commit, path] = found
            return self._text(repository, reader, found)
        except ObjectProblem as problem:
            return repository.unreadable(problem, commit)

    def tree(self, vendor: str, commit: str, before: str | None = None) -> CommitTree:
        """The files of a commit; `before` is the commit from which git is asked for renames and differences."""
        return CommitTree(self, vendor, commit, before, lambda: self._note(vendor, commit))

    def blob_id(self, vendor: str, commit: str, path: str) -> str | None:
        """The id of a file's content, None if there is no such file or it cannot be looked up."""
        self._note(vendor, commit, path)
        repository = self._repository(vendor)
        if repository is None or isinstance(reader := repository.reader, NoSource):
            return None
        try:
            found = reader.look_up(commit, path)
        except ObjectProblem:
            return None
        return found.id if isinstance(found, Entry) and found.kind is Kind.FILE else None

    def blobs(self, vendor: str, commit: str) -> Mapping[str, str] | NoSource:
        """Every file of a commit with the id of its content, in the order of the paths; or why that is not known."""
        self._note(vendor, commit)
        repository = self._repository(vendor)
        if repository is None:
            return _unknown(vendor)
        if isinstance(reader := repository.reader, NoSource):
            return reader
        if (vendor, commit) not in self._blobs:
            try:
                found = {entry.path: entry.id for entry in reader.files(commit)}
            except ObjectProblem as problem:
                return repository.unreadable(problem, commit)
            self._blobs[vendor, commit] = dict(sorted(found.items()))
        return self._blobs[vendor, commit]

    def hints(self, vendor: str) -> GitHints | None:
        """What git says of the vendor's commits, None if there is nothing to read of it."""
        repository = self._repository(vendor)
        return repository.hints if repository else None

    def unpublished(self, vendor: str, commits: Sequence[str]) -> tuple[str, ...]:
        """Those of some commits that nobody but the user's clone is known to have; nothing where that is not known."""
        from claimcheck.git.clone import unpublished

        repository = self._repository(vendor)
        return unpublished(repository.clone, commits) if repository and repository.clone else ()

    def state(self, vendor: str) -> VendorState:
        """What is here of a vendor, and how it stands to the pin."""
        if vendor not in self._states:
            repository = self._repository(vendor)
            if repository is None:
                raise KeyError(vendor)
            self._states[vendor] = repository.state(self.pinned(vendor), self._gitlinks.get(vendor))
        return self._states[vendor]

    def _repository(self, vendor: str) -> Repository | None:
        if vendor not in self._vendors:
            return None
        if vendor not in self._repositories:
            self._repositories[vendor] = Repository(self._root, self._vendors[vendor], self._allowed)
        repository = self._repositories[vendor]
        if self._active is not repository:
            self.close()
            self._active = repository
        return repository

    def _text(self, repository: Repository, reader: Reader, found: Entry) -> SourceText | NoSource:
        key = (repository.vendor.name, found.id)
        text = self._texts.get(key)
        if text is None:
            text = decode(reader.blob(found.id), found.id)
            self._texts.put(key, text)
        return text

    @cached_property
    def _gitlinks(self) -> Mapping[str, str]:
        """The commits that the project's own repository records for vendors that are submodules."""
        if not (self._root / ".gitmodules").is_file():
            return {}
        # The project's own repository is the user's: where its objects lie is not a vendor's doing.
        own = places.object_directory(self._root, root=self._root, allow_alternates=[Path(self._root.anchor or "/")])
        at = places.head(own) if isinstance(own, ObjectDirectory) else None
        if isinstance(own, Unusable) or at is None or at.commit is None:
            return {}
        if self._active:
            self._active.close()
        with Reader([own]) as reader:
            return dict(_recorded(reader, at.commit, self._vendors))


class Reading(Protocol):
    """What a `CommitTree` is read from, by the name of a vendor or by the folder of a clone."""

    def read(self, vendor: str, commit: str, path: str) -> SourceText | NoSource: ...

    def blob_id(self, vendor: str, commit: str, path: str) -> str | None: ...

    def hints(self, vendor: str) -> GitHints | None: ...


class CommitTree:
    """The files of a commit as `texts.Tree` wants them: read when asked for."""

    def __init__(
        self,
        sources: Reading,
        vendor: str,
        commit: str,
        before: str | None,
        note: Callable[[], None] = lambda: None,
    ) -> None:
        self._sources = sources
        self._note = note
        self._vendor = vendor
        self._commit = commit
        self._before = before
        self._notes: dict[str, None] = {}

    def text(self, path: str) -> SourceText | None:
        """The text of a file, or None if there is no readable text of that name."""
        found = self._sources.read(self._vendor, self._commit, path)
        return found if isinstance(found, SourceText) else None

    def blob_id(self, path: str) -> str | None:
        """The id of a file's content, without reading it."""
        return self._sources.blob_id(self._vendor, self._commit, path)

    def renames(self) -> Mapping[str, str]:
        """Old path to new path, as git says; a hint."""
        return self._noted(self._way[0].between(*self._way[1])).renames if self._way else {}

    def touched(self) -> Mapping[str, str]:
        """The paths that differ between the two commits and exist in this one, with their blobs; a hint."""
        return self._noted(self._way[0].differences(*self._way[1])).touched if self._way else {}

    def follow(self, path: str) -> str | None:
        """The name that a path of the old commit has here, through the commits between the two; a hint."""
        return self._noted(self._way[0].follow(*self._way[1], path)).path if self._way else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What git could not say of renames and differences, as far as it was asked."""
        return tuple(self._notes)

    @cached_property
    def _way(self) -> tuple[GitHints, tuple[str, str]] | None:
        """Whom to ask about the way from one commit to another, and the two commits."""
        self._note()  # what git says of the way depends on the whole commit
        hints = self._sources.hints(self._vendor)
        if hints is None or self._before is None or self._before == self._commit:
            return None
        return hints, (self._before, self._commit)

    def _noted(self, said: Said) -> Said:
        self._notes.update(dict.fromkeys(said.notes))
        return said


class Texts:
    """The texts that were read last, as many as fit."""

    def __init__(self) -> None:
        self._kept: collections.OrderedDict[tuple[str, str], SourceText | NoSource] = collections.OrderedDict()
        self._bytes = 0

    def get(self, key: tuple[str, str]) -> SourceText | NoSource | None:
        text = self._kept.get(key)
        if text is not None:
            self._kept.move_to_end(key)
        return text

    def put(self, key: tuple[str, str], text: SourceText | NoSource) -> None:
        self._kept[key] = text
        self._bytes += _weight(text)
        while self._bytes > TEXTS_KEPT and len(self._kept) > 1:
            self._bytes -= _weight(self._kept.popitem(last=False)[1])


def _weight(text: SourceText | NoSource) -> int:
    # A text is held twice: whole, and split into lines.
    return 3 * sys.getsizeof(text.text) if isinstance(text, SourceText) else 200


def _recorded(reader: Reader, commit: str, vendors: Iterable[str]) -> Iterator[tuple[str, str]]:
    for vendor in vendors:
        try:
            entry = reader.entry(commit, f"vendor/{vendor}")
        except ObjectProblem:
            continue
        if entry and entry.kind is Kind.SUBMODULE:
            yield vendor, entry.id


def _unknown(vendor: str) -> NoSource:
    return NoSource(Why.REPOSITORY, f"there is no vendor {printable(vendor)}")
