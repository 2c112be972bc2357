"""The files of a source archive (`.tar.gz`), read one after another without unpacking it."""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from claimcheck.errors import ClaimcheckError
from claimcheck.git.copy import TreeFile

MAX_MEMBERS = 200_000
MAX_UNPACKED = 2 * 1024**3
CHUNK = 1 << 20
# Extended headers are read whole by tarfile; a real one has a few hundred bytes.
MAX_HEADER = 1 << 20


class ArchiveRefused(ClaimcheckError):
    """A source archive that cannot be read, or that holds what a source archive may not hold."""


def archived_files(archive: BinaryIO, name: str) -> Iterator[TreeFile]:
    """The files of an opened `.tar.gz` in its order, each without the archive's top folder.

    A file's content must be taken before the next file is asked for. Raises ArchiveRefused as soon as something is
    met that has no place in a source archive, so what was taken until then must be thrown away.
    """
    with _readable(name):
        yield from _files(archive, name)


@contextmanager
def _readable(name: str) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as problem:
        raise ArchiveRefused(f"{name} cannot be read as a .tar.gz archive: {problem}") from problem


def _files(archive: BinaryIO, name: str) -> Iterator[TreeFile]:
    # Not `r|gz`: its buffer is slow with large blocks and small ones alike, and reads headers of any size.
    unpacked = _Unpacked(archive, name)
    tar = tarfile.TarFile(fileobj=unpacked, encoding="utf-8", errors="surrogateescape")
    top: bytes | None = None
    members = 0
    while (member := tar.next()) is not None:
        tar.members = []  # type: ignore[attr-defined]  # it keeps every member that it has shown
        members += 1
        if members > MAX_MEMBERS:
            raise ArchiveRefused(f"{name} has more than {MAX_MEMBERS:,} members")
        folder, path = _split(member, name)
        if top is not None and folder != top:
            raise ArchiveRefused(f"{name} has two top folders, {_shown(top)} and {_shown(folder)}")
        top = folder
        if member.isdir():
            continue
        if not path:
            raise ArchiveRefused(f"{name}: {_shown(folder)} lies in no top folder")
        yield _file(member, path, unpacked, name)
    # tarfile takes a damaged header for the end of the archive.
    if unpacked.last_block.strip(b"\0"):
        raise ArchiveRefused(f"{name} is damaged after {members:,} members")


def _split(member: tarfile.TarInfo, archive: str) -> tuple[bytes, bytes]:
    """The top folder of a member's name and the rest, both as the bytes in the archive."""
    whole = member.name.encode("utf-8", "surrogateescape")
    parts = whole.split(b"/")
    if b"\0" in whole or any(part in (b"", b".", b"..") or part.lower() == b".git" for part in parts):
        raise ArchiveRefused(f"{archive} has the name {_shown(whole)}, which a source archive may not have")
    return parts[0], b"/".join(parts[1:])


def _file(member: tarfile.TarInfo, path: bytes, unpacked: _Unpacked, archive: str) -> TreeFile:
    if member.issym():
        target = member.linkname.encode("utf-8", "surrogateescape")
        return TreeFile(path, "120000", len(target), iter((target,)))
    if not member.isreg() or member.issparse():
        kind = "a hard link" if member.islnk() else "a sparse file" if member.issparse() else "a device"
        raise ArchiveRefused(f"{archive}: {_shown(path)} is {kind}, which a source archive may not have")
    mode = "100755" if member.mode & 0o100 else "100644"
    return TreeFile(path, mode, member.size, _content(unpacked, member.size))


def _content(unpacked: _Unpacked, size: int) -> Iterator[bytes]:
    while size:
        chunk = unpacked.read(min(size, CHUNK))
        if not chunk:
            raise EOFError("it ends inside a file")
        size -= len(chunk)
        yield chunk


def _shown(name: bytes) -> str:
    return repr(name[:200].decode("utf-8", "backslashreplace"))


class _Unpacked(io.BufferedIOBase):
    """What a gzip stream unpacks to, read forwards only, within the limit."""

    def __init__(self, archive: BinaryIO, name: str) -> None:
        super().__init__()
        self._gzip = gzip.GzipFile(fileobj=archive)
        self._name = name
        self.last_block = b""

    def read(self, size: int | None = -1) -> bytes:
        if size is None or not 0 <= size <= MAX_HEADER:
            raise ArchiveRefused(f"{self._name} is damaged: it has a header of {size} bytes")
        with _readable(self._name):
            self.last_block = self._gzip.read(size)
        self._check()
        return self.last_block

    def tell(self) -> int:
        return self._gzip.tell()

    def seek(self, position: int, whence: int = io.SEEK_SET) -> int:
        # Only a member of negative size leads back, and then for ever.
        if whence != io.SEEK_SET or position < self._gzip.tell():
            raise ArchiveRefused(f"{self._name} is damaged: it leads back to what was read")
        position = self._gzip.seek(min(position, MAX_UNPACKED + 1))
        self._check()
        return position

    def _check(self) -> None:
        if self._gzip.tell() > MAX_UNPACKED:
            raise ArchiveRefused(f"{self._name} unpacks to more than {MAX_UNPACKED // 1024**3} GiB")
