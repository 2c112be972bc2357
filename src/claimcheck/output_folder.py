"""A folder of generated files, as `render --output` makes one: only what an earlier run has made is replaced or removed.

A file of ours in the folder lists what is ours. A folder that has something in it and no such list is somebody else's
and stays as it is.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from claimcheck.edit import FileChange
from claimcheck.errors import EnvironmentProblem, UsageError
from claimcheck.project import NEVER_WRITTEN, TEMPORARY, Project
from claimcheck.values import frozen

LIST = ".claimcheck-made"
_FIRST_LINE = "Made by claimcheck; it replaces and removes these files:"


@frozen
class OutputFolder:
    """The folder and the names of the files in it that are ours, with `/` between folders."""

    path: Path
    names: frozenset[str]

    @classmethod
    def open(cls, path: Path, project: Project) -> OutputFolder:
        """The folder as it is now, or as it will be made; raises UsageError for one that may not be written to."""
        try:
            real = Path(os.path.realpath(path))
            if real.exists() and not real.is_dir():
                raise UsageError(f"{path} is no folder", help="--output DIR")
            root = Path(os.path.realpath(project.root))
            if root.is_relative_to(real):
                raise UsageError(f"{path} holds the project itself", help="--output build/site")
            if real.is_relative_to(root) and real.relative_to(root).parts[0].casefold() in NEVER_WRITTEN:
                raise UsageError(f"claimcheck writes no pages into {real.relative_to(root).parts[0]}/")
            names = _listed(real)
            if names is None:
                if real.exists() and any(real.iterdir()):
                    raise UsageError(
                        f"{path} has files in it that are not claimcheck's; nothing was written",
                        help="--output DIR of a new or empty folder",
                    )
                names = frozenset()
        except OSError as error:
            raise EnvironmentProblem(f"{path} cannot be read: {_reason(error)}") from None
        return cls(real, names)

    def changes(self, files: Mapping[str, bytes]) -> list[FileChange]:
        """What writing the files would change in those that are there."""
        changes = [FileChange(name, self._read(name), content) for name, content in files.items()]
        return [change for change in changes if change.changes]

    def obsolete(self, files: Iterable[str]) -> list[str]:
        """The files of ours that are not among these."""
        return sorted(self.names - set(files))

    def write(self, files: Mapping[str, bytes], keep: Iterable[str] = ()) -> list[str]:
        """Write the files, each whole or not at all, remove what is obsolete but for `keep`, and say what was written.

        A name that is there and not ours is not touched: UsageError, before anything is written.
        """
        for name in files:
            if name not in self.names and os.path.lexists(self.path / name):
                raise UsageError(f"{self.path / name} is not claimcheck's; nothing was written")
        changes = self.changes(files)
        kept = self.names & set(keep)
        try:
            if changes or self.obsolete([*files, *kept]):
                self.path.mkdir(parents=True, exist_ok=True)
                # While files come and go, the list has all of them, so that nothing is left behind by an interruption.
                _put(self.path / LIST, _list({*self.names, *files}))
                for change in changes:
                    self._inside(change.path).parent.mkdir(parents=True, exist_ok=True)
                    _put(self._inside(change.path), change.after)
                for name in self.obsolete([*files, *kept]):
                    self._remove(name)
                _put(self.path / LIST, _list({*files, *kept}))
        except OSError as error:
            raise EnvironmentProblem(f"{self.path} cannot be written: {_reason(error)}") from None
        return [change.path for change in changes]

    def _read(self, name: str) -> bytes | None:
        if name not in self.names:
            return None
        try:
            return self._inside(name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise EnvironmentProblem(f"{self.path / name} cannot be read: {_reason(error)}") from None

    def _remove(self, name: str) -> None:
        path = self._inside(name)
        path.unlink(missing_ok=True)
        for folder in path.parents:
            if folder == self.path:
                break
            with suppress(OSError):  # it has something else in it
                folder.rmdir()

    def _inside(self, name: str) -> Path:
        """The path of a file; raises UsageError where a link would lead out of the folder."""
        path = self.path / name
        if Path(os.path.realpath(path.parent)) != path.parent or path.is_symlink():
            raise UsageError(f"{path} is reached by a link; nothing is written there")
        return path


def _listed(folder: Path) -> frozenset[str] | None:
    """What is ours in a folder; None for one that has no list."""
    try:
        first, *names = (folder / LIST).read_text("utf-8").split("\n")
    except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
        return None
    if first != _FIRST_LINE:
        return None
    return frozenset(name for name in names if name and _is_a_name(name))


def _is_a_name(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and str(path) == name


def _list(names: Iterable[str]) -> bytes:
    return "\n".join([_FIRST_LINE, *sorted(names), ""]).encode("utf-8")


def _put(path: Path, content: bytes) -> None:
    """A file in place of the one that is there, whole or not at all."""
    staged = path.with_name(TEMPORARY.format(secrets.token_hex(8)))
    try:
        staged.write_bytes(content)
        os.replace(staged, path)
    finally:
        staged.unlink(missing_ok=True)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
