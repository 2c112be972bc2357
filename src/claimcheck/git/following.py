"""Following one path through history, commit by commit, from one commit to another.

A rename of many small steps is seen by git one step at a time and lost over the whole distance. So the commits that
added or removed the path are asked for first, which needs no file's content, and only those are looked into. What is
found is a hint: whoever uses it reads and hashes what it leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from claimcheck.git.program import GitFailed, GitOutput

MOST_STEPS = 12
MOST_FILES_COMPARED = 3000


class Git(Protocol):
    """Runs a git command that only reads."""

    def __call__(self, *arguments: str) -> GitOutput: ...


@dataclass(frozen=True, slots=True)
class Followed:
    """The name that a file has at the target, None if that is not known; the commits that renamed it; what git
    could not say."""

    path: str | None
    renamed_in: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def renamed(self, path: str | None, commit: str) -> Followed:
        return replace(self, path=path, renamed_in=(*self.renamed_in, commit) if path else self.renamed_in)


def follow(git: Git, old: str, new: str, path: str, there: Callable[[str], bool]) -> Followed:
    """The name at `new` of what is `path` at `old`: first back to where the two histories meet, then forward.

    `there` says whether a path exists at `new`.
    """
    state = Followed(path)
    for leg in (_Leg(git, new, old, "A"), _Leg(git, old, new, "D")):
        for _ in range(MOST_STEPS):
            if state.path is None or (state.path != path and there(state.path)):
                return state
            step = leg.step(state)
            if step is None:
                break
            state = step
    return state if state.path is not None and there(state.path) else replace(state, path=None)


class _Leg:
    """One direction: commits that `end` has and `start` has not, in which a path was added (back) or removed."""

    def __init__(self, git: Git, start: str, end: str, status: str) -> None:
        self.git = git
        self.back = status == "A"
        self.status = status
        self.start, self.end = start, end

    def step(self, state: Followed) -> Followed | None:
        """The state before (or after) the next commit that renamed the path; None if there is no such commit."""
        assert state.path is not None
        try:
            commits = self._commits(state.path)
        except GitFailed as failed:
            return replace(state, path=None, notes=(*state.notes, f"history is not known: {failed.reason}"))
        if not commits:
            return None
        commit = commits[0] if self.back else commits[-1]
        name, notes = self._other_name(commit, state.path)
        state = replace(state, notes=(*state.notes, *notes))
        if name is None:
            return replace(state, path=None)
        if self.back:
            self.end = f"{commit}^"
        else:
            self.start = commit
        return state.renamed(name, commit)

    def _commits(self, path: str) -> list[str]:
        arguments = ("log", "--format=%H", f"--diff-filter={self.status}", "--no-renames", f"{self.start}..{self.end}")
        return self.git("--literal-pathspecs", *arguments, "--", path).stdout.decode("ascii", "replace").split()

    def _other_name(self, commit: str, path: str) -> tuple[str | None, tuple[str, ...]]:
        """The name before the commit (or after it), by similarity, or by equal content where objects are missing."""
        arguments = ("diff-tree", "-r", "-z", "--no-commit-id", "--no-ext-diff", "--no-textconv", "--raw", "--root")
        notes: tuple[str, ...] = ()
        for how in ("-M50%", "-M100%"):
            try:
                said = self.git(*arguments, how, f"-l{MOST_FILES_COMPARED}", "--diff-filter=R", commit)
            except GitFailed as failed:
                notes = (f"the renames of {commit[:8]} are known only for equal content: {failed.reason}",)
                continue
            for before, after in renamed_pairs(said.stdout):
                if (after if self.back else before) == path:
                    return (before if self.back else after), notes
            break
        return None, notes


def renamed_pairs(output: bytes) -> Iterator[tuple[str, str]]:
    """The pairs of `diff-tree --raw -z`: `:modes ids R100`, the old path, the new path."""
    fields = output.split(b"\0")
    for meta, old, new in zip(fields[0::3], fields[1::3], fields[2::3], strict=False):
        if meta.startswith(b":"):
            yield old.decode("utf-8", "surrogateescape"), new.decode("utf-8", "surrogateescape")
