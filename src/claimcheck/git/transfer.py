"""Where a fetch comes from, and the conversation with a running `git fetch`: progress, patience, and what failed."""

from __future__ import annotations

import enum
import os
import queue
import re
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from claimcheck.errors import EnvironmentProblem, UsageError
from claimcheck.git.program import one_line
from claimcheck.values import frozen

Progress = Callable[[str, int, int], None]

FIRST_ANSWER_SECONDS = 20.0
SILENCE_SECONDS = 300.0
SLOWEST = ("-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=30")

_SCP = re.compile(r"(?:[A-Za-z0-9._-]+@)?(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*):(?![:/])[^\s:]+\Z")
_PROGRESS = re.compile(r"(?:remote: )?(?P<what>[A-Z][a-z]+ [a-z]+): +\d+% \((?P<done>\d+)/(?P<total>\d+)\)")

_NOT_THERE = re.compile(r"not our ref|[Cc]ouldn't find remote ref|[Rr]epository .*not found|error: 404|bad object")
_REFUSED = re.compile(
    r"could not read (?:User|Pass)|terminal prompts disabled|Authentication failed|Permission denied|Access denied"
    r"|Host key verification|error: 40[13]\b|dubious ownership|not allowed"
)
_NO_ANSWER = re.compile(
    r"resolve|[Cc]onnect|CONNECT|timed out|unreachable|No route|too slow|proxy|error: 5\d\d|early EOF|hung up|closed by"
)


class Failure(enum.Enum):
    """Why a fetch brought nothing."""

    NO_ANSWER = "no-answer"
    NOT_THERE = "not-there"
    REFUSED = "refused"
    OTHER = "other"


@frozen
class Source:
    """Where a fetch comes from: what git is given, what people read, and the one protocol that is allowed."""

    address: str
    shown: str
    protocols: tuple[str, ...]
    patience: float

    @classmethod
    def forge(cls, url: str) -> Source:
        """The repository at an https or ssh URL; raises UsageError for any other address."""
        return cls(url, _host_of(url), ("https", "ssh"), FIRST_ANSWER_SECONDS)

    @classmethod
    def local(cls, path: Path, shown: str) -> Source:
        """A clone or a bundle on this machine."""
        return cls(str(path.absolute()), shown, ("file",), SILENCE_SECONDS)


class FetchFailed(EnvironmentProblem):
    """A fetch brought nothing: `failure` says what kind of reason, the message names the source and the reason."""

    def __init__(self, source: Source, failure: Failure, reason: str) -> None:
        super().__init__(f"{source.shown} {_WORDS[failure]}" + (f" ({reason})" if reason else ""))
        self.source = source
        self.failure = failure


_WORDS = {
    Failure.NO_ANSWER: "does not answer",
    Failure.NOT_THERE: "does not have it",
    Failure.REFUSED: "refuses",
    Failure.OTHER: "gives nothing",
}


def _host_of(url: str) -> str:
    if "::" in url or url.startswith("-") or not url.isprintable() or " " in url:
        raise UsageError(f"{without_credentials(url)} is no address that is fetched from", help=_ADDRESSES)
    if scp := _SCP.match(url):
        return scp["host"].lower()
    try:
        parts = urlsplit(url)
        host = parts.hostname
        parts.port  # noqa: B018 - raises for a port that is no number
    except ValueError:
        host = None
    if not host or host.startswith("-") or parts.scheme not in ("https", "ssh") or not parts.path.strip("/"):
        raise UsageError(f"{without_credentials(url)} is no address that is fetched from", help=_ADDRESSES)
    return host


_ADDRESSES = "https://HOST/PATH, ssh://HOST/PATH or USER@HOST:PATH; a clone on this machine goes with --from"


def without_credentials(url: str) -> str:
    """A URL as it may be shown or written: without user name and password."""
    return re.sub(r"^([A-Za-z][A-Za-z0-9+.-]*://)[^/?#]*@", r"\1", url)


def converse(child: subprocess.Popen[bytes], source: Source, progress: Progress | None) -> tuple[str, int, str | None]:
    """What a running fetch says on stderr, its exit code, and why it was stopped if it was.

    It is stopped when its first word takes longer than the source's patience, and later after a long silence: a
    network that swallows everything would keep it, and whoever waits for it, for many minutes.
    """
    assert child.stderr is not None
    pieces: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(child.stderr.fileno(), pieces), daemon=True).start()
    said = ""
    patience = source.patience
    while True:
        try:
            piece = pieces.get(timeout=patience)
        except queue.Empty:
            _stop(child)
            return said, -1, f"nothing within {patience:.0f} seconds"
        if not piece:
            return said, child.wait(), None
        patience = SILENCE_SECONDS
        said = (said + piece.decode("utf-8", "replace"))[-20_000:]
        if progress:
            _tell(said, progress)


def _listen(stderr: int, pieces: queue.SimpleQueue[bytes]) -> None:
    # Not through the buffered stream: closing that waits for a reader, and a helper of git may keep the pipe open.
    try:
        while piece := os.read(stderr, 4096):
            pieces.put(piece)
    except OSError:
        pass
    pieces.put(b"")


def _stop(child: subprocess.Popen[bytes]) -> None:
    """End git and, since it passes a friendly signal on, the helper that talks for it."""
    child.terminate()
    end = time.monotonic() + 2
    while child.poll() is None and time.monotonic() < end:
        time.sleep(0.02)


def _tell(said: str, progress: Progress) -> None:
    last = re.split(r"[\r\n]", said.rstrip("\r\n"))[-1]
    if found := _PROGRESS.match(last):
        progress(found["what"].lower(), int(found["done"]), int(found["total"]))


def what_failed(said: str, stopped: str | None, source: Source) -> tuple[Failure, str]:
    """The kind of failure that git's words tell, and one line of them; nothing where the kind says it all."""
    if stopped:
        return Failure.NO_ANSWER, stopped
    lines = [line for line in re.split(r"[\r\n]+", said) if line.strip() and not _PROGRESS.match(line)]
    everything = "\n".join(lines)
    if "lacks these prerequisite commits" in everything:
        return Failure.OTHER, "it builds on commits that are not here; a bundle made without a range does not"
    if "unadvertised object" in everything:
        return Failure.REFUSED, "it gives only what branches and tags point at; `vendor fetch` of a tag may bring it"
    fatal = [line for line in lines if line.startswith(("fatal: ", "ssh: "))] or lines[-1:]
    reason = _reason(one_line(fatal[0]) if fatal else "", source)
    if _NOT_THERE.search(everything):
        return Failure.NOT_THERE, ""
    if _REFUSED.search(everything):
        return Failure.REFUSED, reason
    return (Failure.NO_ANSWER if _NO_ANSWER.search(everything) else Failure.OTHER), reason


def _reason(line: str, source: Source) -> str:
    if found := re.match(r"unable to access '[^']*': (.+)", line):
        line = found[1]
    line = line.replace(source.address, source.shown).removesuffix(f": {source.shown}").removeprefix("ssh: ")
    return line[:1].lower() + line[1:]
