"""Following one path through history, commit by commit, from one commit to another.

A rename of many small steps is seen by git one step at a time and lost over the whole distance. So the commits that
added or removed the path are asked for first, which needs no file's content, and only those are looked into. What is
found is a hint: whoever uses it reads and hashes what it leads to.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

from claimcheck.git.program import GitFailed, GitOutput
from claimcheck.values import frozen

MOST_STEPS = 12
MOST_FILES_COMPARED = 3000


class Git(Protocol):
    """Runs a git command that only reads."""

    def __call__(self, *arguments: str) -> GitOutput: ...


@frozen
class Followed:
    """The name that a file has at the target, None if that is not known.

    Beside it the commits that renamed it, and what git could not say.
    """

    path: str | None
    renamed_in: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def follow(git: Git, old: str, new: str, path: str, there: Callable[[str], bool]) -> Followed:
    """The name at `new` of what is `path` at `old`.

    Back through the commits that `new` has not, down to where the two histories meet, then forward to `new`. `there`
    says whether a path exists at `new`.
    """
    state = Followed(path)
    try:
        for leg in _legs(git, old, new):
            for _ in range(MOST_STEPS):
                step = leg.step(state)
                if step is None:
                    break
                state = step
                if state.path is None or there(state.path):
                    return state
    except GitFailed as failed:
        return replace(state, path=None, notes=(*state.notes, f"history is not known: {failed.reason}"))
    return replace(state, path=None)


def _legs(git: Git, old: str, new: str) -> tuple[_Leg, _Leg]:
    times = [int(time) for time in git("log", "--no-walk=unsorted", "--format=%ct", old, new).stdout.split()]
    if len(times) == 2 and times[0] > times[1]:
        return _Recent(git, old, times[1]), _Forward(git, old, new)
    return _Back(git, old, new), _Forward(git, old, new)


class _Leg(abc.ABC):
    """One direction: from commit to commit in which the path was added (going back) or removed."""

    status = "A"

    def __init__(self, git: Git, start: str) -> None:
        self.git = git
        self.start = start

    @abc.abstractmethod
    def nearest(self, path: str) -> str | None:
        """The next commit in which the path was added, or removed."""

    def behind(self, commit: str) -> str:
        """Where to go on from."""
        return f"{commit}^"

    def step(self, state: Followed) -> Followed | None:
        """The state behind the next commit that renamed the path; None if there is no such commit."""
        assert state.path is not None
        commit = self.nearest(state.path)
        if commit is None:
            return None
        name, notes = self._other_name(commit, state.path)
        self.start = self.behind(commit)
        renamed_in = (*state.renamed_in, commit) if name else state.renamed_in
        return Followed(name, renamed_in, (*state.notes, *notes))

    def log(self, path: str, *arguments: str) -> list[str]:
        filters = ("--format=%H", f"--diff-filter={self.status}", "--no-renames")
        said = self.git("--literal-pathspecs", "log", *filters, *arguments, "--", path)
        return said.stdout.decode("ascii", "replace").split()

    def _other_name(self, commit: str, path: str) -> tuple[str | None, tuple[str, ...]]:
        """The name before the commit (or after it): by equal content, by similarity, else by the same file name."""
        back = self.status == "A"
        arguments = ("diff-tree", "-r", "-z", "--no-commit-id", "--no-ext-diff", "--no-textconv", "--raw", "--root")
        for how in ("-M100%", "-M50%"):
            try:
                said = self.git(*arguments, how, f"-l{MOST_FILES_COMPARED}", "--diff-filter=R", commit)
            except GitFailed as failed:
                note = f"in {commit[:8]} files could only be compared by their names: {failed.reason}"
                return self._of_the_same_name(commit, path), (note,)
            for before, after in renamed_pairs(said.stdout):
                if (after if back else before) == path:
                    return (before if back else after), ()
        return None, ()

    def _of_the_same_name(self, commit: str, path: str) -> str | None:
        """The one file of the same name that the commit removed where it added this one, or the other way round."""
        wanted = "D" if self.status == "A" else "A"
        arguments = (
            "diff-tree",
            "-r",
            "-z",
            "--no-commit-id",
            "--no-renames",
            "--name-only",
            f"--diff-filter={wanted}",
        )
        names = self.git(*arguments, commit).stdout.decode("utf-8", "surrogateescape").split("\0")
        same = [name for name in names if name.rpartition("/")[2] == path.rpartition("/")[2] and name != path]
        return same[0] if len(same) == 1 else None


class _Recent(_Leg):
    """Back from a commit to an older one; only the commits up to the wanted one are walked."""

    def __init__(self, git: Git, start: str, since: int) -> None:
        super().__init__(git, start)
        self.since = since

    def nearest(self, path: str) -> str | None:
        return next(iter(self.log(path, "-1", f"--since={self.since}", self.start)), None)


class _Back(_Leg):
    """Back through the commits that the target has not."""

    def __init__(self, git: Git, start: str, target: str) -> None:
        super().__init__(git, start)
        self.target = target

    def nearest(self, path: str) -> str | None:
        return next(iter(self.log(path, f"{self.target}..{self.start}")), None)


class _Forward(_Back):
    """Forward through the commits that only the target has."""

    status = "D"

    def nearest(self, path: str) -> str | None:
        return next(iter(self.log(path, f"{self.start}..{self.target}")[::-1]), None)

    def behind(self, commit: str) -> str:
        return commit


def renamed_pairs(output: bytes) -> Iterator[tuple[str, str]]:
    """The pairs of `diff-tree --raw -z`: `:modes ids R100`, the old path, the new path."""
    fields = output.split(b"\0")
    for meta, old, new in zip(fields[0::3], fields[1::3], fields[2::3], strict=False):
        if meta.startswith(b":"):
            yield old.decode("utf-8", "surrogateescape"), new.decode("utf-8", "surrogateescape")
