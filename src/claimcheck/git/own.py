"""The repository that the project itself is in: which of its files differ from a revision. Nothing is run there."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from claimcheck.errors import EnvironmentProblem, UsageError
from claimcheck.git import places
from claimcheck.git.places import ObjectDirectory, Unusable
from claimcheck.git.reader import Entry, Kind, ObjectProblem, Reader
from claimcheck.model import FULL_ID
from claimcheck.terminal import shown

MOST_STEPS = 10_000

_STEPS = re.compile(r"(?P<name>.+?)(?P<steps>(?:\^|~[0-9]{0,5})*)\Z")


class OwnRepository:
    """The files of the project's own repository at one commit. `folder` is where the project is in it."""

    def __init__(self, reader: Reader, folder: str, commit: str) -> None:
        self._reader = reader
        self._folder = folder
        self.commit = commit

    @classmethod
    def of(cls, root: Path, rev: str) -> OwnRepository:
        """The repository that a project is in; raises UsageError if it is in none, or for an unknown revision."""
        root = root.resolve()
        top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
        if top is None:
            raise UsageError(
                "the project is in no git repository, so that it is not known what changed",
                help="claimcheck verify FILE...    names what is to be looked at",
            )
        # It is the user's own: where its objects lie is not a vendor's doing.
        found = places.object_directory(top, root=top, allow_alternates=[Path(top.anchor or "/")])
        if isinstance(found, Unusable):
            raise EnvironmentProblem(f"the project's own repository: {found.message}", help=found.help)
        folder = root.relative_to(top).as_posix()
        reader = Reader([found])
        try:
            return cls(reader, "" if folder == "." else f"{folder}/", _resolve(reader, found, rev))
        except ObjectProblem as problem:
            reader.close()
            raise _unreadable(problem) from None
        except UsageError:
            reader.close()
            raise

    def __enter__(self) -> OwnRepository:
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.close()

    def differs(self, path: str, content: bytes) -> bool:
        """Whether a file of the project has another content at the revision, or is not there; line ends do not count.

        Raises EnvironmentProblem if the revision's objects are not all here.
        """
        try:
            entry = self._reader.entry(self.commit, self._folder + path)
        except ObjectProblem as problem:
            raise _unreadable(problem) from None
        if not isinstance(entry, Entry) or entry.kind is not Kind.FILE:
            return True
        # A checkout may have turned LF into CRLF.
        return entry.id not in (_blob_id(content), _blob_id(content.replace(b"\r\n", b"\n")))


def _blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _resolve(reader: Reader, place: ObjectDirectory, rev: str) -> str:
    """The commit of a revision: an id, a short one, `HEAD`, a branch, a tag; with `~2` and `^` behind it."""
    match = _STEPS.match(rev)
    id = _named(reader, place, match["name"]) if match else None
    if match is None or id is None:
        raise UsageError(
            f"no revision {shown(rev)} in the project's own repository",
            help="a commit's id, a branch, a tag, HEAD, or one of these with ~2 behind it",
        )
    commit = reader.peel(id)
    for step in re.findall(r"\^|~[0-9]*", match["steps"]):
        for _ in range(min(int(step[1:] or 1), MOST_STEPS)):
            parents = reader.commit(commit).parents
            if not parents:
                raise UsageError(f"{shown(rev)} is before the first commit")
            commit = parents[0]
    return commit


def _named(reader: Reader, place: ObjectDirectory, name: str) -> str | None:
    if FULL_ID.match(name.lower()):
        return name.lower()
    if name in ("HEAD", "@"):
        at = places.head(place)
        return at.commit if at else None
    for kind in ("", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"):
        if id := places.ref(place, kind + name):
            return id
    return reader.expand(name.lower())


def _unreadable(problem: ObjectProblem) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"the project's own repository: {problem}", help="a shallow clone lacks history: git fetch --unshallow"
    )
