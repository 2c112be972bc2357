"""Our own bare copy of a vendor, `vendor/NAME.git`: made, fetched into, imported into and repaired here, nowhere else.

A pull request can carry a folder of that name with a configuration that runs programs. So before git is started in
it, its `config` must be the one that we write and nothing in it may lead elsewhere; else we do not touch it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from claimcheck.errors import EnvironmentProblem
from claimcheck.flock import try_lock
from claimcheck.git.program import GitFailed, Tail, fetching_environment, one_line, run_git, start_git
from claimcheck.git.transfer import SLOWEST, FetchFailed, Progress, Source, converse, what_failed
from claimcheck.values import frozen

LOCK_SECONDS = 60.0
RELEASES = "refs/release/"
KEPT = "refs/claimcheck/"
TAGS = "refs/tags/"

# Small packs are kept as packs, so that a fetch leaves one file and not thousands.
CONFIG = b"""\
# Made by claimcheck, which writes here; for work of your own use a clone in the folder without `.git`.
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
\thooksPath = /dev/null
[transfer]
\tunpackLimit = 1
[fastimport]
\tunpackLimit = 1
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""
_SKELETON = ("objects/info", "objects/pack", "refs/heads", "refs/tags", "refs/release", "refs/claimcheck")
_HEAD = b"ref: refs/heads/none\n"
_LOCK = "claimcheck.lock"
_INCOMING = "incoming"
_NEW_CONFIG = "config.new"
_REDIRECTING = (
    "commondir",
    "config.worktree",
    "gitdir",
    "objects/info/alternates",
    "objects/info/http-alternates",
)
_LEFT_BEHIND = re.compile(r"fast_import_crash_.*|shallow_.*|.*\.lock|config\.new")


@frozen
class TreeFile:
    """A file to be imported: its path and content as bytes, its mode as git writes it."""

    path: bytes
    mode: str
    size: int
    chunks: Iterator[bytes]


@frozen
class Copy:
    """The bare copy of one vendor, whether it exists yet or not."""

    root: Path
    vendor: str

    @property
    def path(self) -> Path:
        return self.root / "vendor" / f"{self.vendor}.git"

    @property
    def label(self) -> str:
        """What people read: the path below the project."""
        return f"vendor/{self.vendor}.git"

    @property
    def incoming(self) -> Path:
        """The folder for what is being downloaded; whatever lies there is removed by the next run."""
        return self.path / _INCOMING

    def ref(self, name: str) -> str | None:
        """The id that a ref of ours holds, or None."""
        try:
            said = run_git(self.path, "rev-parse", "--verify", "--quiet", name)
        except GitFailed:
            return None
        return said.decode("ascii", "replace").strip() or None

    def size(self) -> int:
        """The bytes that it takes on the disk."""
        return sum(_file_size(Path(folder) / name) for folder, _, names in os.walk(self.path) for name in names)

    @contextlib.contextmanager
    def writing(self, *, wait: float = LOCK_SECONDS, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold the copy for writing: made if it is not there, alone, and without what an interrupted run left behind.

        `waiting` is called once if another run holds it. Raises EnvironmentProblem when the copy is not ours, is
        held for longer than `wait` seconds, or cannot be written.
        """
        try:
            self._prepare()
            with self._locked(wait, waiting):
                self._complete()
                self._inspect()
                self._sweep()
                try:
                    yield
                finally:
                    self._sweep()
        except OSError as problem:
            raise EnvironmentProblem(
                f"{self.label} cannot be written: {(problem.strerror or str(problem)).lower()}",
                help="nothing is lost: what was brought before is still there",
            ) from problem

    def fetch(
        self,
        source: Source,
        refspecs: Sequence[str],
        *,
        reach: Sequence[str] = ("--depth=1",),
        progress: Progress | None = None,
    ) -> None:
        """Fetch refspecs from a source, by default without history; raises FetchFailed. Only within `writing`."""
        arguments = (
            *("fetch", "--progress", "--no-tags", "--no-prune", "--no-recurse-submodules", "--no-write-fetch-head"),
            *("--no-auto-maintenance", "--no-write-commit-graph", *reach),
            *("--", source.address, *refspecs),
        )
        environment = fetching_environment(source.protocols)
        with start_git(self.path, *SLOWEST, *arguments, environment=environment, stdout=subprocess.DEVNULL) as child:
            said, status, stopped = converse(child, source, progress)
        if stopped or status:
            raise FetchFailed(source, *what_failed(said, stopped, source))

    def import_files(self, ref: str, message: bytes, files: Iterable[TreeFile]) -> str:
        """Make one commit of files, the same id for the same files and message everywhere, and set a ref to it last.

        Nothing is set when `files` raises or git fails. Only within `writing`.
        """
        # Deltas between neighbours in an archive save nothing and cost half of the time.
        options = ("-c", "core.compression=3", "fast-import", "--quiet", "--done", "--force", "--depth=0")
        with start_git(self.path, *options, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as child:
            assert child.stdin is not None and child.stderr is not None
            with Tail(child.stderr) as tail:
                try:
                    broken = _feed(child.stdin, ref, message, files)
                    status = child.wait()
                finally:
                    child.kill()
        if status or broken:
            raise GitFailed("fast-import", status, one_line(tail.text) or "it ended before all files were read")
        commit = self.ref(ref)
        if commit is None:
            raise GitFailed("fast-import", status, f"it set no {ref}")
        return commit

    def _prepare(self) -> None:
        vendors = self.root / "vendor"
        if not vendors.resolve().is_relative_to(self.root.resolve()):
            raise EnvironmentProblem("vendor/ is a link that leaves the project")
        if self.path.is_symlink():
            raise EnvironmentProblem(
                f"{self.label} is a link; claimcheck writes only into a folder that it made",
                help=f"mv {self.label} vendor/{self.vendor}    if it is a clone of yours: it is read there",
            )
        self.path.mkdir(parents=True, exist_ok=True)
        self._check_config()

    def _check_config(self) -> None:
        # Listed once: another run may be making the copy at this moment.
        names = set(os.listdir(self.path))
        config = self.path / "config"
        if "config" in names:
            if config.is_symlink() or not config.is_file() or config.read_bytes() != CONFIG:
                raise self._not_ours("its config is not ours")
        elif strange := sorted(names - _BEGUN):
            raise self._not_ours(f"it has {strange[0]} and no config")

    def _complete(self) -> None:
        """Bring what a new or half-made copy lacks; `config` first, since it says whose it is."""
        if not (self.path / "config").exists():
            (self.path / _NEW_CONFIG).write_bytes(CONFIG)
            os.replace(self.path / _NEW_CONFIG, self.path / "config")
        self._check_config()
        for folder in _SKELETON:
            if not os.path.lexists(self.path / folder):
                (self.path / folder).mkdir(parents=True)
        if not os.path.lexists(self.path / "HEAD"):
            (self.path / "HEAD").write_bytes(_HEAD)

    def _inspect(self) -> None:
        for name in _REDIRECTING:
            if os.path.lexists(self.path / name):
                raise self._not_ours(f"it has {name}")
        for entry in (*_entries(self.path), *_entries(self.path / "objects"), *_below(self.path / "refs")):
            kind = entry.stat(follow_symlinks=False).st_mode
            if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
                raise self._not_ours(f"{os.path.relpath(entry.path, self.path)} is a link or no file")

    def _not_ours(self, why: str) -> EnvironmentProblem:
        return EnvironmentProblem(
            f"{self.label} was not made by claimcheck ({why}); nothing was written into it",
            help=f"mv {self.label} vendor/{self.vendor}    if it is a clone of yours: it is read there",
        )

    @contextlib.contextmanager
    def _locked(self, wait: float, waiting: Callable[[], None]) -> Iterator[None]:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        handle = os.open(self.path / _LOCK, flags, 0o666)
        try:
            # Where the file system has no locks, git's own must do.
            if try_lock(handle) is False:
                waiting()
                end = time.monotonic() + wait
                while try_lock(handle) is False:
                    if time.monotonic() >= end:
                        raise EnvironmentProblem(
                            f"another claimcheck is writing {self.label}", help="run this again when it is done"
                        )
                    time.sleep(0.05)
            yield
        finally:
            os.close(handle)

    def _sweep(self) -> None:
        """Remove what an interrupted git or download left; under the lock nobody else can be using it."""
        shutil.rmtree(self.incoming, ignore_errors=True)
        for entry in _entries(self.path):
            if entry.name != _LOCK and _LEFT_BEHIND.fullmatch(entry.name):
                os.unlink(entry.path)
        for entry in _below(self.path / "refs"):
            if entry.name.endswith(".lock") and entry.is_file(follow_symlinks=False):
                os.unlink(entry.path)
        for entry in _below(self.path / "objects"):
            if entry.is_file(follow_symlinks=False) and _left_over(Path(entry.path)):
                os.unlink(entry.path)


_BEGUN = frozenset({_LOCK, _NEW_CONFIG})


def _left_over(path: Path) -> bool:
    """Whether a file below `objects` belongs to a pack or object that was never finished."""
    if path.name.startswith(("tmp_", ".tmp-")):
        return True
    if path.suffix == ".keep":
        # Git removes its own keep file when the ref is set; a person's has another text.
        return path.read_bytes()[:100].startswith((b"fast-import", b"fetch-pack "))
    return path.suffix == ".pack" and not path.with_suffix(".idx").exists()


def _feed(git: IO[bytes], ref: str, message: bytes, files: Iterable[TreeFile]) -> bool:
    """Write the commands for one commit; True if git stopped reading before the end."""
    try:
        git.write(f"commit {ref}\n".encode())
        for role in ("author", "committer"):
            git.write(f"{role} claimcheck <claimcheck@localhost> 0 +0000\n".encode())
        git.write(b"data %d\n%s\n" % (len(message), message))
        for file in files:
            git.write(b"M %s inline %s\ndata %d\n" % (file.mode.encode(), _quoted(file.path), file.size))
            for chunk in file.chunks:
                git.write(chunk)
            git.write(b"\n")
        git.write(b"done\n")
        git.close()
    except BrokenPipeError:
        return True
    return False


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []


def _below(folder: Path) -> Iterator[os.DirEntry[str]]:
    for entry in _entries(folder):
        yield entry
        if entry.is_dir(follow_symlinks=False):
            yield from _below(Path(entry.path))


def _file_size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _quoted(path: bytes) -> bytes:
    return b'"' + path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
