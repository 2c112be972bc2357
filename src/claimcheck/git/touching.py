"""Which commits between two others touched some lines of a file: a hint for people, never read from again.

`git log -L` follows lines back from the later commit. Where they are gone there is nothing to follow; then the
commits in which the lines' longest one came or went are named, and if there is none those that touched the file.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

from claimcheck.git.following import Git
from claimcheck.git.program import GitFailed
from claimcheck.model import Lines
from claimcheck.values import frozen

MOST_COMMITS = 10
NO_ANCESTOR = 1
SHORTEST_TELLING_LINE = 12
LONGEST_TELLING_LINE = 2000


@frozen
class UpstreamCommit:
    """A commit of a vendor: full id, the committer's date as `2026-01-31`, and the subject, undecodable bytes kept."""

    id: str
    date: str
    subject: str


class Touched(enum.Enum):
    """What the commits have done."""

    LINES = "touched these lines"
    GONE = "added or removed the longest of these lines"
    FILE = "touched the file"


@frozen
class Touching:
    """Commits, newest first, at most ten; `more` if there are others.

    `connected` is false where no history leads from one commit to the other, so that nothing could be asked;
    `undone` is true where the later of the two is the one that was left. `note` is what git could not say.
    """

    commits: tuple[UpstreamCommit, ...] = ()
    touched: Touched = Touched.LINES
    more: bool = False
    connected: bool = True
    undone: bool = False
    note: str | None = None


@frozen
class Stretch:
    """Lines of a file at one of the commits, with their texts where these are known."""

    path: str
    lines: Lines
    texts: tuple[str, ...] = ()


def common_ancestor(git: Git, old: str, new: str) -> str | None:
    """The best common ancestor of two commits, None if there is none here; raises GitFailed if git cannot say."""
    try:
        return git("merge-base", old, new).stdout.decode("ascii", "replace").split()[0]
    except GitFailed as failed:
        if failed.status == NO_ANCESTOR:
            return None
        raise


def touching(git: Git, old: str, new: str, base: str | None, before: Stretch, after: Stretch | None) -> Touching:
    """The commits that made the difference; `base` is the common ancestor, `after` None where the lines are gone."""
    if base is None:
        return Touching(connected=False)
    undone = base == new
    here, there = (new, old) if undone else (old, new)
    followed = before if undone else after
    span = [there, f"^{here}"]
    try:
        if followed is not None and len(followed.lines):
            where = f"-L{followed.lines.first},{followed.lines.last}:{followed.path}"
            return _found(git, Touched.LINES, undone, "log", "--no-patch", where, *span)
        path = ["--", before.path]
        if line := _telling(before.texts):
            gone = _found(git, Touched.GONE, undone, "--literal-pathspecs", "log", f"-S{line}", *span, *path)
            if gone.commits:
                return gone
        return _found(git, Touched.FILE, undone, "--literal-pathspecs", "log", *span, *path)
    except GitFailed as failed:
        return Touching(undone=undone, note=failed.reason)


def _found(git: Git, touched: Touched, undone: bool, *arguments: str) -> Touching:
    at = arguments.index("log") + 1
    options = (
        "--format=%H%x00%cs%x00%s",
        f"--max-count={MOST_COMMITS + 1}",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--no-show-signature",
    )
    said = git(*arguments[:at], *options, *arguments[at:]).stdout
    commits = [
        UpstreamCommit(*(field.decode("utf-8", "surrogateescape") for field in fields))
        for record in said.split(b"\n")
        if len(fields := record.split(b"\0")) == 3
    ]
    return Touching(tuple(commits[:MOST_COMMITS]), touched, len(commits) > MOST_COMMITS, undone=undone)


def _telling(texts: Iterable[str]) -> str | None:
    """The longest line, if it is one by which code can be told."""
    longest = max((text.strip() for text in texts), key=len, default="")
    fits = SHORTEST_TELLING_LINE <= len(longest) <= LONGEST_TELLING_LINE and "\0" not in longest
    return longest if fits else None
