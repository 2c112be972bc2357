"""The project's folder: finding it, reading its files, and the only place that writes them.

A file is reached through handles of the folders above it, opened one below the other without following links,
after the whole path was resolved once and found to stay inside the project. So a link that leaves the project
is refused for reading and for writing, also when it is put there between looking and opening.

Writers wait for each other by `flock` on the project's root folder itself: the kernel releases it when a
process dies, and no lock file is left anywhere. Where a file system has no such locks (some network ones),
comparing with what was read is the protection that remains. Readers never lock.
"""

from __future__ import annotations

import errno
import fnmatch
import os
import stat
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import TYPE_CHECKING

from claimcheck.errors import EnvironmentProblem, ReadRefused, UsageError, WriteRefused
from claimcheck.flock import try_lock
from claimcheck.model import Place
from claimcheck.values import frozen

if TYPE_CHECKING:
    from claimcheck.edit import FileChange

MEBIBYTE = 1024 * 1024
READ_LIMIT = 10 * MEBIBYTE
LOCK_LIMIT = 256 * MEBIBYTE
LOCK_WAIT = 10.0
NEVER_WRITTEN = ("vendor", ".git")
TEMPORARY = ".claimcheck-{}.tmp"

# A file of this name says that a folder is what `render --output` wrote, so that nothing is read from there.
OUTPUT_MARK = ".claimcheck-output"
NEVER_GLOBBED = frozenset({"node_modules", "_build", "_site", "__pycache__"})

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class TooLarge(ReadRefused):
    """A file is larger than the caller takes."""


@frozen
class Project:
    """A folder with an `anchors.yaml` (or `anchors/*.yaml`), and everything below it."""

    root: Path

    @classmethod
    def find(cls, start: Path) -> Project:
        """The project that a folder belongs to: the nearest one at or above it; raises UsageError if there is none."""
        try:
            start = start.resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise UsageError(f"{start}: {_reason(error)}") from None
        for folder in (start, *start.parents):
            if _is_root(folder):
                return cls(folder)
        raise UsageError(
            "no anchors.yaml in this folder or in any folder above it",
            help="claimcheck import RECORD.md --write    makes one from a research record; -C DIR looks elsewhere",
        )

    def read(self, path: str, *, limit: int | None = None) -> bytes | None:
        """A file's bytes, or None if there is no such file.

        Raises ReadRefused for what is not a regular file of the project, its subclass TooLarge for more than
        `limit` bytes (10 MiB; 256 MiB for a `.lock` file), and EnvironmentProblem for what cannot be read.
        """
        if limit is None:
            limit = LOCK_LIMIT if path.endswith(".lock") else READ_LIMIT
        inner = self._inside(path, ReadRefused)
        try:
            with self._folder(inner.parent) as folder:
                return _read_at(folder, inner.name, path, limit)
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            return None
        except OSError as error:
            raise EnvironmentProblem(f"cannot be read: {_reason(error)}", place=Place(path)) from None

    def files(self, *patterns: str) -> list[str]:
        """The paths of the files that match any of the patterns, sorted.

        `*` and `?` stay within one name, `**` stands for any folders. Hidden names, `vendor/`, linked folders and
        what claimcheck has put out are not searched, nor are other tools' output folders (`NEVER_GLOBBED`) unless
        the pattern spells their name; a linked file is listed, and `read` decides about it.
        """
        found: set[str] = set()
        for pattern in patterns:
            found.update(_matches(self.root, "", PurePosixPath(pattern).parts))
        return sorted(found)

    def real_path(self, path: str) -> str:
        """The path below the root that a path leads to when links are followed; raises ReadRefused if it leaves."""
        return self._inside(path, ReadRefused).as_posix()

    def write(self, changes: Sequence[FileChange], *, wait: float = LOCK_WAIT) -> list[str]:
        """Write the changes, each file whole or not at all, and say which paths were written.

        Nothing is touched when nothing changes. Raises WriteRefused, with every file as it was, when a file is
        no longer what the change was made for or may not be written, and EnvironmentProblem when the disk
        refuses; if that happens after some files are in place, the message says which.
        """
        wanted = [change for change in changes if change.changes]
        if not wanted:
            return []
        with self._locked(wait) as alone:
            targets = [self._target(change) for change in wanted]
            _refuse_twins(self.root, targets)
            for target in targets:
                self._compare(target, "; nothing was written")
            with _Batch(self, targets, sweep=alone) as batch:
                batch.stage()
                batch.put_in_place()
        return [change.path for change in wanted]

    def _inside(self, path: str, refusal: type[ReadRefused] | type[WriteRefused]) -> PurePosixPath:
        """The path below the root that a path leads to when links are followed, with no link left in it."""
        if "\0" in path or PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
            raise refusal("not a path inside the project", place=Place(path))
        root = os.path.realpath(self.root)
        try:
            real = os.path.realpath(os.path.join(root, path), strict=False)
        except OSError as error:
            raise refusal(f"cannot be followed: {_reason(error)}", place=Place(path)) from None
        try:
            inner = PurePosixPath(real).relative_to(root)
        except ValueError:
            raise refusal("a link that leaves the project", place=Place(path)) from None
        if not inner.parts:
            raise refusal("the project's folder, not a file", place=Place(path))
        if any(os.path.islink(os.path.join(root, part)) for part in (inner, *inner.parents)):
            raise refusal("a link that leads to itself", place=Place(path))
        return inner

    @contextmanager
    def _folder(self, inner: PurePosixPath, *, create: list[PurePosixPath] | None = None) -> Iterator[int]:
        """A handle of a folder below the root, reached without following links; made where `create` collects it."""
        handle = os.open(os.path.realpath(self.root), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for depth, name in enumerate(inner.parts, 1):
                if create is not None:
                    with suppress(FileExistsError):
                        os.mkdir(name, dir_fd=handle)
                        create.append(PurePosixPath(*inner.parts[:depth]))
                below = os.open(name, _FOLDER, dir_fd=handle)
                os.close(handle)
                handle = below
            yield handle
        finally:
            os.close(handle)

    def _target(self, change: FileChange) -> _Target:
        inner = self._inside(change.path, WriteRefused)
        lowered = [part.casefold() for part in inner.parts]
        if lowered[0] in NEVER_WRITTEN or ".git" in lowered:
            raise WriteRefused(f"claimcheck writes nothing into {inner.parts[0]}/", place=Place(change.path))
        return _Target(change, inner)

    def _compare(self, target: _Target, so_far: str = "") -> None:
        """Raise WriteRefused, with a word about what was written so far, unless the file still is as it was read."""
        path, before = target.change.path, target.change.before
        limit = max(READ_LIMIT, len(before or b"") + 1)
        try:
            now = self.read(target.inner.as_posix(), limit=limit)
        except ReadRefused as error:
            raise WriteRefused(error.message + so_far, place=Place(path)) from None
        if now != before:
            what = "made" if before is None else "removed" if now is None else "changed"
            raise WriteRefused(
                f"it was {what} since it was read{so_far}",
                place=Place(path),
                help="run the command again",
            )
        if now is not None and not os.access(self.root / target.inner, os.W_OK):
            raise WriteRefused(f"the file is write-protected{so_far}", place=Place(path))

    @contextmanager
    def _locked(self, wait: float) -> Iterator[bool]:
        """Hold the writers' lock; gives False where the file system has none."""
        try:
            handle = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise EnvironmentProblem(f"the project's folder cannot be opened: {_reason(error)}") from None
        try:
            yield _lock(handle, wait)
        finally:
            os.close(handle)


@dataclass(slots=True)
class _Target:
    """A change, the path below the root that it really goes to, and its temporary file while there is one."""

    change: FileChange
    inner: PurePosixPath
    temporary: str | None = None


@dataclass(slots=True)
class _Batch:
    """The files of one write: first all are staged beside their targets, then all are put in place.

    Leaving it removes what is still staged, whatever happened, and notes on an interruption how far it came.
    """

    project: Project
    targets: Sequence[_Target]
    sweep: bool
    made: list[PurePosixPath] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    putting: _Target | None = None

    def __enter__(self) -> _Batch:
        return self

    def stage(self) -> None:
        for target in self.targets:
            try:
                self._stage(target)
            except OSError as error:
                raise EnvironmentProblem(
                    f"cannot be written: {_reason(error)}; nothing was written", place=Place(target.change.path)
                ) from None

    def _stage(self, target: _Target) -> None:
        create = self.made if target.change.before is None else None
        with self.project._folder(target.inner.parent, create=create) as folder:
            if self.sweep:
                _sweep(folder, keep={other.temporary for other in self.targets})
            # Named before it exists, so that an interruption in between leaves nothing behind.
            target.temporary = _temporary_name()
            handle = os.open(target.temporary, _NEW, 0o666, dir_fd=folder)
            try:
                _keep_owner_and_mode(folder, target.inner.name, handle)
                _write_all(handle, target.change.after)
            finally:
                os.close(handle)

    def put_in_place(self) -> None:
        for target in self.targets:
            try:
                self.project._compare(target)
                self._put(target)
            except (WriteRefused, EnvironmentProblem) as error:
                raise type(error)(error.message + self._so_far(), place=error.place, help=error.help) from None
            except OSError as error:
                raise EnvironmentProblem(
                    f"cannot be written: {_reason(error)}{self._so_far()}", place=Place(target.change.path)
                ) from None

    def _put(self, target: _Target) -> None:
        assert target.temporary is not None
        self.putting = target
        with self.project._folder(target.inner.parent) as folder:
            os.replace(target.temporary, target.inner.name, src_dir_fd=folder, dst_dir_fd=folder)
            target.temporary = None
            self.written.append(target.change.path)
            _sync_folder(folder)

    def _so_far(self) -> str:
        left = [target.change.path for target in self.targets if target.change.path not in self.written]
        if not self.written:
            return "; nothing was written"
        return f"; written: {', '.join(self.written)}; not written: {', '.join(left)}"

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for target in self.targets:
            staged = target.temporary is not None and self._remove_staged(target.inner.parent, target.temporary)
            # Interrupted between putting it in place and noting so.
            if target is self.putting and not staged and target.change.path not in self.written:
                self.written.append(target.change.path)
        if value is None:
            return
        if not isinstance(value, (WriteRefused, EnvironmentProblem)):
            value.add_note(self._so_far().removeprefix("; "))
        if not self.written:
            for folder in reversed(self.made):
                with suppress(OSError):
                    os.rmdir(self.project.root / folder)

    def _remove_staged(self, folder: PurePosixPath, name: str) -> bool:
        """Remove a staged file; False if it is not there any more."""
        try:
            with self.project._folder(folder) as handle:
                os.unlink(name, dir_fd=handle)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        return True


def write_output(path: Path, content: bytes) -> None:
    """Write what `--output` asked for, whole or not at all; the file may lie anywhere, for the user named it.

    A link is followed; a device, a pipe or `/dev/stdout` is written to as it is. A file that looks like one of a registry
    is not overwritten. Raises UsageError for such a file, EnvironmentProblem when it cannot be written.
    """
    if path.suffix in (".yaml", ".lock") and path.exists():
        raise UsageError(f"{path} is there and no report; nothing was written", help="--output FILE of another name")
    try:
        if _is_written_as_it_is(path):
            path.write_bytes(content)
            return
        target = Path(os.path.realpath(path))
        staged = target.with_name(_temporary_name())
        try:
            staged.write_bytes(content)
            with suppress(FileNotFoundError):
                staged.chmod(stat.S_IMODE(target.stat().st_mode))
            os.replace(staged, target)
        finally:
            staged.unlink(missing_ok=True)
    except (OSError, RuntimeError) as error:
        raise EnvironmentProblem(f"{path} cannot be written: {_reason(error)}") from None


def _is_written_as_it_is(path: Path) -> bool:
    # What stands in these folders is never replaced, even if it leads to a file, as /dev/stdout does.
    special = any(path.absolute().is_relative_to(folder) for folder in ("/dev", "/proc"))
    return special or (path.exists() and not path.is_file())


def _is_root(folder: Path) -> bool:
    if os.path.lexists(folder / "anchors.yaml"):
        return True
    try:
        return any(name.endswith(".yaml") for name in os.listdir(folder / "anchors"))
    except OSError:
        return False


def _read_at(folder: int, name: str, path: str, limit: int) -> bytes:
    try:
        handle = os.open(name, _READ, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ReadRefused("it became a link while it was read", place=Place(path)) from None
        if error.errno == errno.ENXIO:
            raise ReadRefused("a socket, not a file", place=Place(path)) from None
        raise
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise ReadRefused(f"a {_kind(mode)}, not a file", place=Place(path))
        with os.fdopen(os.dup(handle), "rb") as file:
            content = file.read(limit + 1)
    finally:
        os.close(handle)
    if len(content) > limit:
        raise TooLarge(f"larger than {limit // MEBIBYTE} MiB", place=Place(path))
    return content


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "folder"
    if stat.S_ISFIFO(mode):
        return "named pipe"
    return "socket" if stat.S_ISSOCK(mode) else "device"


def _matches(root: Path, below: str, segments: tuple[str, ...]) -> Iterator[str]:
    """The files below a folder of the project that match a pattern's remaining segments."""
    if not segments:
        return
    head, rest = segments[0], segments[1:]
    if head == "**":
        yield from _matches(root, below, rest)
    for entry in _entries(root, below):
        path = f"{below}/{entry.name}" if below else entry.name
        if head == "**":
            if entry.name not in NEVER_GLOBBED and _searched(root, entry, path):
                yield from _matches(root, path, segments)
        elif not fnmatch.fnmatchcase(entry.name, head):
            continue
        elif not rest:
            if not entry.is_dir(follow_symlinks=False) or entry.name.endswith(".yaml"):
                yield path
        elif (head == entry.name or entry.name not in NEVER_GLOBBED) and _searched(root, entry, path):
            yield from _matches(root, path, rest)


def _entries(root: Path, below: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(root / below) as entries:
            return [entry for entry in entries if not entry.name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise EnvironmentProblem(f"cannot be listed: {_reason(error)}", place=Place(below or ".")) from None


def _searched(root: Path, entry: os.DirEntry[str], path: str) -> bool:
    if path == "vendor" or not entry.is_dir(follow_symlinks=False):
        return False
    return not os.path.lexists(root / path / OUTPUT_MARK)


def _lock(handle: int, wait: float) -> bool:
    """Wait for the lock; False where the file system has none."""
    end = time.monotonic() + wait
    while (ours := try_lock(handle)) is False:
        if time.monotonic() >= end:
            raise WriteRefused(
                "another claimcheck is writing in this project; nothing was written", help="run the command again"
            )
        time.sleep(0.02)
    return ours is not None


def _refuse_twins(root: Path, targets: Sequence[_Target]) -> None:
    """Raise WriteRefused when two changes would meet in one file, also on a disk that folds names."""
    seen: dict[str, _Target] = {}
    for target in targets:
        key = unicodedata.normalize("NFC", target.inner.as_posix()).casefold()
        other = seen.setdefault(key, target)
        if other is not target and not _apart(root / other.inner, root / target.inner):
            raise WriteRefused(
                f"this and {other.change.path} are one file on some disks; nothing was written",
                place=Place(target.change.path),
            )


def _apart(one: Path, other: Path) -> bool:
    """Whether two names are known to be two files here."""
    try:
        return not os.path.samefile(one, other)
    except OSError:
        return False


def _temporary_name() -> str:
    import secrets

    return TEMPORARY.format(secrets.token_hex(8))


def _sweep(folder: int, keep: set[str | None]) -> None:
    """Remove what a killed writer left in a folder; only under the lock, when nobody else can be writing."""
    for name in os.listdir(folder):
        if name not in keep and fnmatch.fnmatchcase(name, TEMPORARY.format("[0-9a-f]" * 16)):
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)


def _keep_owner_and_mode(folder: int, name: str, handle: int) -> None:
    try:
        old = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    new = os.fstat(handle)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        with suppress(PermissionError):
            os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, stat.S_IMODE(old.st_mode))


def _write_all(handle: int, content: bytes) -> None:
    """Write, flush to the disk, and read back; raises OSError when what is there is not what was written."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.fsync(handle)
    os.lseek(handle, 0, os.SEEK_SET)
    with os.fdopen(os.dup(handle), "rb") as again:
        if again.read() != content:
            raise OSError(errno.EIO, "what was written does not read back")


def _sync_folder(folder: int) -> None:
    # Some file systems cannot flush a folder; the file itself is flushed already.
    with suppress(OSError):
        os.fsync(folder)


def _reason(error: OSError | RuntimeError) -> str:
    """The system's words without the path, which is shown beside them."""
    words = error.strerror if isinstance(error, OSError) else None
    return (words or str(error)).lower()
