"""`claimcheck mv` and `rm`: everywhere at once, and not a byte more."""

from __future__ import annotations

import pytest

from conftest import Claimcheck, MakeProject, fill
from small import COMMITS, FILES


def test_an_anchor_is_renamed_everywhere(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    claimcheck("lock", cwd=project.root)
    locked = project.read("anchors.lock")
    ran = claimcheck("mv", "L-TAKE", "L-GET", cwd=project.root)
    assert (ran.code, ran.out) == (0, "L-TAKE is L-GET now; 2 entries cite it.\n")
    assert project.read("anchors.yaml") == fill(FILES["anchors.yaml"], project.commits).replace("L-TAKE", "L-GET")
    assert project.read("claims/one.yaml") == FILES["claims/one.yaml"].replace("L-TAKE", "L-GET")
    assert "L-GET" in project.read("anchors.lock") and "L-TAKE" not in project.read("anchors.lock")
    assert len(project.read("anchors.lock").split("\n")) == len(locked.split("\n"))
    assert claimcheck("verify", cwd=project.root).code == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("L-TAKE", "L-GIVE", "L-GIVE is taken"),
        ("L-TAKE", "Q-GET", "no vendor has the prefix Q"),
        ("L-TAKE", "C1.9", "is no ID for what L-TAKE is"),
        ("L-TAKE", "L-" + "X" * 79, "is no ID for what L-TAKE is"),
        ("L-TKAE", "L-GET", "did you mean L-TAKE?"),
    ],
)
def test_what_cannot_be_renamed(
    old: str, new: str, message: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("mv", old, new, cwd=project.root)
    assert ran.code == 2
    assert message in ran.err
    assert project.read("anchors.yaml") == fill(FILES["anchors.yaml"], project.commits)


def test_diff_shows_and_writes_nothing(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("mv", "L-TAKE", "L-GET", "--diff", cwd=project.root)
    assert ran.code == 1
    assert "-  L-TAKE:\n+  L-GET:\n" in ran.out
    assert project.read("claims/one.yaml") == FILES["claims/one.yaml"]


def test_what_is_cited_is_not_removed(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("rm", "L-GIVE", cwd=project.root)
    assert ran.code == 1
    assert ran.err.startswith("anchors.yaml:12:3: error: L-GIVE: still cited by C1.2\n")
    assert project.read("anchors.yaml") == fill(FILES["anchors.yaml"], project.commits)


def test_a_removed_anchor_takes_its_comment_and_its_lock_entry(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, *COMMITS)
    claimcheck("lock", cwd=project.root)
    ran = claimcheck("rm", "L-TAKE", "--force", cwd=project.root)
    assert (ran.code, ran.out) == (0, "Removed L-TAKE.\n")
    text = project.read("anchors.yaml")
    assert "L-TAKE" not in text and "# taking" not in text and "L-GIVE" in text
    assert "L-TAKE" not in project.read("anchors.lock")
    assert "unknown-id" in claimcheck("verify", cwd=project.root).out
