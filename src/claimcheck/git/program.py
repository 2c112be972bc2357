"""The git program: where it is, the environment that it runs in, and the one place that starts it.

Repositories and environment variables can make git run other programs, read other files and give other answers.
So every git that we start has an environment from which all of git's own variables were taken and in which ours
stand. GitPython copies `os.environ`, therefore it is `os.environ` itself that is cleaned.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Self

from claimcheck.errors import EnvironmentProblem
from claimcheck.terminal import printable
from claimcheck.values import frozen

MINIMUM = (2, 39)
VERSION_SECONDS = 10.0
EMPTY_REPOSITORY = Path(__file__).resolve().parent / "empty.git"

# The memory that a git which reads foreign objects may use for data (mapped packs are not counted): a small
# object can be stored as a difference from one of gigabytes.
READING_MEMORY = 1 << 30
# A git that compares files reads them whole, however large they are: there is room for its caches and for several of
# the largest files that we would read.
COMPARING_MEMORY = 256 << 20

_CONFIG = (
    # A vendor's commit-graph is not covered by object ids; a forged one changes what `log` answers.
    ("core.commitGraph", "false"),
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.untrackedCache", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("transfer.bundleURI", "false"),
    ("safe.bareRepository", "explicit"),
    ("log.showSignature", "false"),
)

_HARDENED = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # Empty, not absent: an absent one lets `core.askPass` and SSH_ASKPASS open a window.
    "GIT_ASKPASS": "",
    "GIT_PAGER": "cat",
    "GIT_PYTHON_REFRESH": "quiet",
    "GIT_CONFIG_COUNT": str(len(_CONFIG)),
    **{f"GIT_CONFIG_KEY_{n}": key for n, (key, _) in enumerate(_CONFIG)},
    **{f"GIT_CONFIG_VALUE_{n}": value for n, (_, value) in enumerate(_CONFIG)},
}

# Overrides every `protocol.*.allow` of a repository, `ext::` included.
_READING = {**_HARDENED, "GIT_ALLOW_PROTOCOL": "none"}

# What a user sets so that fetching works where they are. None of it is looked at when reading.
_FOR_FETCHING = (
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSL_CERT",
    "GIT_SSL_KEY",
    "GIT_SSL_CERT_PASSWORD_PROTECTED",
    "GIT_PROXY_SSL_CAINFO",
    "GIT_PROXY_SSL_CERT",
    "GIT_PROXY_SSL_KEY",
    "GIT_HTTP_PROXY_AUTHMETHOD",
    "GIT_HTTP_USER_AGENT",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
)

_OURS = {*_READING, "GIT_PYTHON_GIT_EXECUTABLE"}
_ASKING = ("SSH_ASKPASS", "SSH_ASKPASS_REQUIRE")
_removed: dict[str, str] = {}


class GitFailed(EnvironmentProblem):
    """Git ended with an error. `reason` is one line of what it said, fit for a terminal; `status` its exit code."""

    def __init__(self, command: str, status: int, reason: str) -> None:
        super().__init__(f"git {command} failed: {reason}")
        self.status = status
        self.reason = reason


@frozen
class GitProgram:
    """The git that is used: an absolute path, and its version."""

    path: str
    version: tuple[int, ...]


@frozen
class GitOutput:
    """What git printed: stdout whole, and the end of stderr as text."""

    stdout: bytes
    stderr: str


def scrub_environment() -> None:
    """Leave in `os.environ` no variable that steers git except our own; what the user had set is kept aside."""
    foreign = [name for name in os.environ if _steers_git(name) and os.environ[name] != _READING.get(name)]
    for name in foreign:
        value = os.environ.pop(name)
        if name not in _OURS:
            _removed[name] = value
    os.environ.update(_READING)


def _steers_git(name: str) -> bool:
    return name.startswith("GIT_") or name in _ASKING


def reading_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for reading: no transport, no configuration but ours, messages in English."""
    scrub_environment()
    return {**_without_git(), **_READING, "LC_ALL": "C", "LANGUAGE": "C", **(extra or {})}


def fetching_environment(protocols: Sequence[str] = ("https", "ssh")) -> dict[str, str]:
    """The environment for `vendor sync` and `vendor fetch`: the reading one with the user's way to the network.

    The named protocols are allowed and no other. The user's own git configuration (`~/.gitconfig`, the system's)
    is read, since proxies, certificates, credential helpers and `insteadOf` stand there. Of the user's variables
    the certificate and proxy ones work, and so do `GIT_SSH_COMMAND` and `GIT_SSH`: like PATH they belong to
    whoever starts us, and without them many people reach no forge. `GIT_SSL_NO_VERIFY`, `GIT_ASKPASS` and
    everything that says where objects or configuration lie stay out. Nothing may ask questions: without a
    command of the user's, ssh runs in batch mode.
    """
    scrub_environment()
    environment = {**_without_git(), **_HARDENED, "GIT_ALLOW_PROTOCOL": ":".join(protocols), "LC_ALL": "C"}
    del environment["GIT_CONFIG_GLOBAL"], environment["GIT_CONFIG_NOSYSTEM"]
    kept = {name: _removed[name] for name in _FOR_FETCHING if name in _removed}
    if "GIT_SSH" not in kept and "GIT_SSH_COMMAND" not in kept:
        kept["GIT_SSH_COMMAND"] = "ssh -o BatchMode=yes"
    return environment | kept


def _without_git() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not _steers_git(name)}


def git_program() -> GitProgram:
    """The git on PATH, once it has shown that it is git and new enough; raises EnvironmentProblem otherwise."""
    scrub_environment()
    return _examined(_git_on_path())


def _git_on_path() -> str:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        # A relative entry, or an empty one, means the current directory: there, anybody's `git` may lie.
        if not os.path.isabs(folder) or _is_current_directory(folder):
            continue
        path = os.path.join(folder, "git")
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise EnvironmentProblem(
        "git is not on PATH", help="install git, 2.39 or newer; relative entries of PATH are not searched"
    )


def _is_current_directory(folder: str) -> bool:
    try:
        return os.path.samefile(folder, os.curdir)
    except OSError:
        return False


@functools.cache
def _examined(path: str) -> GitProgram:
    said = _version_line(path)
    found = re.match(r"git version (\d+)\.(\d+)(?:\.(\d+))?", said)
    if not found:
        raise EnvironmentProblem(
            f"{path} is not git: `git --version` printed {printable(said[:60]) or 'nothing'}",
            help="put the real git first on PATH",
        )
    version = tuple(int(part) for part in found.groups() if part is not None)
    if version < MINIMUM:
        raise EnvironmentProblem(
            f"git {'.'.join(map(str, version))} is too old; 2.39 or newer is needed", help="install a newer git"
        )
    return GitProgram(path, version)


def _version_line(path: str) -> str:
    """The first line that `git --version` prints; whatever stands at that path gets ten seconds and a few bytes."""
    try:
        child = subprocess.Popen(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=reading_environment(),
            cwd=EMPTY_REPOSITORY,
            start_new_session=True,
        )
    except OSError as error:
        raise EnvironmentProblem(
            f"{path} cannot be run: {error.strerror}", help="put the real git first on PATH"
        ) from error
    late = threading.Event()

    def stop() -> None:
        late.set()
        _kill_group(child)

    timer = threading.Timer(VERSION_SECONDS, stop)
    timer.start()
    with child:
        assert child.stdout is not None
        said = child.stdout.read(1000)
        timer.cancel()
        _kill_group(child)
    if late.is_set():
        raise EnvironmentProblem(
            f"{path} gave no version within {VERSION_SECONDS:.0f} seconds", help="put the real git first on PATH"
        )
    return said.decode("utf-8", "replace").partition("\n")[0]


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)


@contextlib.contextmanager
def start_git(
    git_dir: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    stdout: int | IO[bytes] = subprocess.PIPE,
    stderr: int | IO[bytes] = subprocess.PIPE,
) -> Iterator[subprocess.Popen[bytes]]:
    """A running git with an explicit GIT_DIR; it is dead when the block is left, however that happens.

    `environment` is the whole environment, by default `reading_environment()`.
    """
    program = git_program()
    base = reading_environment() if environment is None else environment
    child = subprocess.Popen(
        [program.path, *arguments],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env={**base, "GIT_DIR": str(git_dir)},
        cwd=git_dir if git_dir.is_dir() else git_dir.parent,
    )
    try:
        yield child
    finally:
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        if child.poll() is None:
            child.kill()
        child.wait()
        if child.stderr is not None:
            child.stderr.close()


def run_git(
    git_dir: Path,
    *arguments: str,
    input: bytes | None = None,
    environment: Mapping[str, str] | None = None,
    seconds: float | None = None,
    limit: int | None = None,
) -> bytes:
    """What git prints; raises GitFailed. `limit` is in bytes of output."""
    return git_output(git_dir, *arguments, input=input, environment=environment, seconds=seconds, limit=limit).stdout


def git_output(
    git_dir: Path,
    *arguments: str,
    input: bytes | None = None,
    environment: Mapping[str, str] | None = None,
    seconds: float | None = None,
    limit: int | None = None,
    memory: int | None = None,
) -> GitOutput:
    """What git prints, with what it says beside it; raises GitFailed when it fails, takes too long or prints too much.

    With a `limit` the objects read are not ours, and git's memory is bounded too, by READING_MEMORY or less.
    """
    stdin = subprocess.PIPE if input is not None else subprocess.DEVNULL
    with start_git(git_dir, *arguments, environment=environment, stdin=stdin) as child:
        assert child.stdout is not None and child.stderr is not None
        if limit is not None:
            bound_memory(child.pid, memory)
        with Tail(child.stderr) as tail, _Deadline(child, seconds) as deadline:
            feeder = _feed(child, input)
            try:
                stdout = _read_up_to(child.stdout, limit)
                if limit is None or len(stdout) <= limit:
                    child.wait()
            finally:
                # Also when we are interrupted: the tail ends only with the child.
                child.kill()
            status = child.wait()
            if feeder:
                feeder.join()
        if limit is not None and len(stdout) > limit:
            raise GitFailed(arguments[0], status, f"it printed more than {limit} bytes")
        if deadline.passed:
            raise GitFailed(arguments[0], status, f"it took longer than {seconds:.0f} seconds")
        if status:
            raise GitFailed(arguments[0], status, one_line(tail.text) or f"exit code {status}")
        return GitOutput(stdout, tail.text)


class _Deadline:
    """Kills a child that is still there after some seconds; with None it never does."""

    def __init__(self, child: subprocess.Popen[bytes], seconds: float | None) -> None:
        self.passed = False
        self._child = child
        self._timer = threading.Timer(seconds, self._stop) if seconds is not None else None

    def _stop(self) -> None:
        self.passed = True
        self._child.kill()

    def __enter__(self) -> Self:
        if self._timer:
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer:
            self._timer.cancel()


def _feed(child: subprocess.Popen[bytes], input: bytes | None) -> threading.Thread | None:
    if input is None:
        return None

    def write() -> None:
        assert child.stdin is not None
        # A git that has failed does not read on; its exit code says so.
        with contextlib.suppress(BrokenPipeError, ValueError):
            child.stdin.write(input)
            child.stdin.close()

    feeder = threading.Thread(target=write, daemon=True)
    feeder.start()
    return feeder


def _read_up_to(stream: IO[bytes], limit: int | None) -> bytes:
    if limit is None:
        return stream.read()
    chunks: list[bytes] = []
    total = 0
    while total <= limit and (chunk := stream.read(1 << 16)):
        chunks.append(chunk)
        total += len(chunk)
    return b"".join(chunks)


class Tail:
    """The last few kilobytes of a stream, read in the background so that whoever writes to it never waits."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._chunks: collections.deque[bytes] = collections.deque(maxlen=16)
        self._thread = threading.Thread(target=self._drain, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(timeout=5)

    def _drain(self) -> None:
        read = getattr(self._stream, "read1", self._stream.read)
        # The stream is closed under us when git is stopped.
        with contextlib.suppress(ValueError, OSError):
            while chunk := read(4096):
                self._chunks.append(chunk)

    def last_words(self, seconds: float = 1.0) -> str:
        """What a stream held when whoever wrote to it has ended; what a dying git says comes after its last answer."""
        self._thread.join(timeout=seconds)
        return self.text

    @property
    def text(self) -> str:
        return b"".join(self._chunks).decode("utf-8", "replace")


def bound_memory(pid: int, most: int | None = None) -> None:
    """Bound a git's memory for data, where the system lets us."""
    if sys.platform == "linux":
        import resource

        with contextlib.suppress(ProcessLookupError, PermissionError, ValueError):
            resource.prlimit(pid, resource.RLIMIT_DATA, (most or READING_MEMORY,) * 2)


def one_line(stderr: str) -> str:
    """The telling line of what git said: printable, without credentials and home folders, of bounded length."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", stderr) if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:", "ERROR:", "remote:"))] or lines[-1:]
    line = re.sub(r"//[^/@\s]+@", "//", telling[0]) if telling else ""
    home = os.path.expanduser("~")
    if len(home) > 1:
        line = line.replace(home, "~")
    return printable(line.removeprefix("fatal: ").removeprefix("error: "))[:300]
