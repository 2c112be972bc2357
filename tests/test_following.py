"""Following a path through history: real repositories, both directions, and what is missing on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimcheck.clones import Clones
from conftest import MakeRepo, git

TEXT = "".join(f"line {n} of a text that is long enough\n" for n in range(12))
OTHER = "".join(f"another text altogether, {n}\n" for n in range(12))


def changed(step: int) -> str:
    """The text with so many of its lines replaced, a third at each step."""
    lines = TEXT.splitlines(keepends=True)
    return "".join(
        f"other words, number {n}, that nobody had\n" if n < 4 * step else line for n, line in enumerate(lines)
    )


@pytest.fixture
def history(tmp_path: Path, make_repo: MakeRepo) -> tuple[str, list[str]]:
    """A file that is renamed and changed three times, so that its first and its last text have nothing in common."""
    where = tmp_path / "lib"
    commits = make_repo(
        where,
        {"a.txt": changed(0), "keep.txt": OTHER},
        {"b.txt": changed(1), "keep.txt": OTHER},
        {"b.txt": changed(1), "keep.txt": OTHER + "more\n"},
        {"d/c.txt": changed(2), "keep.txt": OTHER},
        {"d/e.txt": changed(3), "keep.txt": OTHER},
    )
    return str(where), commits


def test_renames_are_followed_commit_by_commit_in_both_directions(history: tuple[str, list[str]]) -> None:
    where, commits = history
    with Clones() as clones:
        assert clones.hints(where).between(commits[0], commits[-1]).renames == {}
        forward = clones.hints(where).follow(commits[0], commits[-1], "a.txt")
        assert (forward.path, forward.notes) == ("d/e.txt", ())
        assert forward.renamed_in == (commits[1], commits[3], commits[4])
        back = clones.hints(where).follow(commits[-1], commits[0], "d/e.txt")
        assert (back.path, back.notes) == ("a.txt", ())
        assert clones.hints(where).follow(commits[1], commits[3], "b.txt").path == "d/c.txt"


def test_a_path_that_was_deleted_leads_nowhere(tmp_path: Path, make_repo: MakeRepo) -> None:
    where = tmp_path / "lib"
    commits = make_repo(where, {"a.txt": TEXT, "b.txt": OTHER}, {"b.txt": OTHER}, {"c.txt": OTHER})
    with Clones() as clones:
        assert clones.hints(str(where)).follow(commits[0], commits[2], "a.txt").path is None
        assert clones.hints(str(where)).follow(commits[0], commits[2], "b.txt").path == "c.txt"
        assert clones.hints(str(where)).follow(commits[0], commits[0], "a.txt").path is None


def test_over_a_fork_it_goes_back_and_then_forward(tmp_path: Path, make_repo: MakeRepo) -> None:
    where = tmp_path / "lib"
    make_repo(where, {"a.txt": TEXT})
    git(where, "checkout", "-q", "-b", "other")
    git(where, "mv", "a.txt", "left.txt")
    git(where, "commit", "-q", "-m", "left")
    left = git(where, "rev-parse", "HEAD")
    git(where, "checkout", "-q", "main")
    git(where, "mv", "a.txt", "right.txt")
    git(where, "commit", "-q", "-m", "right")
    right = git(where, "rev-parse", "HEAD")
    with Clones() as clones:
        assert clones.hints(str(where)).follow(left, right, "left.txt").path == "right.txt"
        assert clones.hints(str(where)).follow(right, left, "right.txt").path == "left.txt"


def test_commits_without_a_common_history_are_no_obstacle(tmp_path: Path, make_repo: MakeRepo) -> None:
    """As the commits of two releases are."""
    where = tmp_path / "lib"
    (one,) = make_repo(where, {"a.txt": TEXT})
    git(where, "checkout", "-q", "--orphan", "other")
    git(where, "mv", "a.txt", "b.txt")
    git(where, "commit", "-q", "-m", "other")
    other = git(where, "rev-parse", "HEAD")
    with Clones() as clones:
        assert clones.hints(str(where)).follow(one, other, "a.txt").path is None
        assert clones.hints(str(where)).between(one, other).renames == {"a.txt": "b.txt"}


def test_absent_objects_are_survived_and_said(tmp_path: Path, make_repo: MakeRepo) -> None:
    """A file of the same commit is missing, as in a partial clone: git stops, and the file name has to do."""
    where = tmp_path / "lib"
    first, second = make_repo(
        where,
        {"x/a.txt": TEXT, "big.txt": OTHER},
        {"y/a.txt": TEXT.replace("line 3", "line three"), "large.txt": OTHER.replace("another text", "any text")},
    )
    for commit, path in ((first, "big.txt"), (second, "large.txt")):
        blob = git(where, "rev-parse", f"{commit}:{path}")
        (where / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with Clones() as clones:
        followed = clones.hints(str(where)).follow(first, second, "x/a.txt")
        assert followed.path == "y/a.txt"
        assert len(followed.notes) == 1 and second[:8] in followed.notes[0]
        assert clones.hints(str(where)).follow(first, second, "big.txt").path is None


def test_a_path_with_wildcards_is_meant_as_it_is(tmp_path: Path, make_repo: MakeRepo) -> None:
    where = tmp_path / "lib"
    commits = make_repo(where, {"[a]*.txt": TEXT, "a.txt": OTHER}, {"b.txt": TEXT, "c.txt": OTHER})
    with Clones() as clones:
        assert clones.hints(str(where)).follow(commits[0], commits[1], "[a]*.txt").path == "b.txt"
        assert clones.hints(str(where)).follow(commits[0], commits[1], "a.txt").path == "c.txt"
