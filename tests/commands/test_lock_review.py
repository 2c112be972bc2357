"""`claimcheck lock` and `review`: what is recorded, what stays, and what is refused."""

from __future__ import annotations

from dataclasses import replace

from claimcheck import locks, registry
from claimcheck.model import ReviewState
from claimcheck.project import Project
from conftest import Claimcheck, MakeProject
from small import COMMITS, FILES, SOURCE, entries, talk


def test_lock_records_every_anchor_and_a_second_run_writes_nothing(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, *COMMITS)
    assert claimcheck("lock", "--check", cwd=project.root).code == 1
    assert claimcheck("lock", cwd=project.root).code == 0
    assert sorted(entries(project)) == ["L-GIVE", "L-TAKE"]
    assert "def take" in project.read("anchors.lock") and "self.free.get" not in project.read("anchors.lock")
    stamp = (project.root / "anchors.lock").stat().st_mtime_ns
    again = claimcheck("lock", cwd=project.root)
    assert again.code == 0 and "Nothing written." in again.out
    assert (project.root / "anchors.lock").stat().st_mtime_ns == stamp
    assert claimcheck("lock", "--check", cwd=project.root).code == 0


def test_a_lock_makes_bare_lines_verified(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = {**FILES, "anchors.yaml": FILES["anchors.yaml"].replace("    find: def take\n", "")}
    project = make_project(files, *COMMITS)
    assert claimcheck("verify", "L-TAKE", cwd=project.root).code == 1
    assert claimcheck("lock", cwd=project.root).code == 0
    assert claimcheck("verify", "L-TAKE", cwd=project.root).code == 0


def test_a_changed_range_makes_the_entry_stale_and_the_review_void(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, *COMMITS)
    assert claimcheck("review", "L-TAKE", "--accept", cwd=project.root).code == 0
    project.write("anchors.yaml", project.read("anchors.yaml").replace("lines: 5-6", "lines: 4-6"))
    ran = claimcheck("verify", "L-TAKE", cwd=project.root)
    assert ran.code == 0
    assert "[lock-stale]" in ran.out and "it was reviewed" in ran.out
    assert "review     1   0 reviewed, 0 carried, 1 unreviewed" in ran.out
    claimcheck("lock", cwd=project.root)
    assert entries(project)["L-TAKE"]["review"] == "unreviewed"
    assert "lock-stale" not in claimcheck("verify", cwd=project.root).out


def test_lock_keeps_a_review_that_still_stands(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    claimcheck("review", "L-TAKE", "--accept", cwd=project.root)
    claimcheck("lock", cwd=project.root)
    assert entries(project)["L-TAKE"]["review"] == "reviewed"
    assert entries(project)["L-GIVE"]["review"] == "unreviewed"


def test_a_lock_that_was_tampered_with_fails(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    claimcheck("lock", cwd=project.root)
    digest = entries(project)["L-TAKE"]["regions"][0]["digest"]  # type: ignore[index]
    project.write("anchors.lock", project.read("anchors.lock").replace(digest, "sha256:" + "0" * 64))
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert "[lock-differs]" in ran.out


def test_require_reviewed(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    assert claimcheck("verify", "--require-reviewed", cwd=project.root).code == 1
    assert claimcheck("review", "L-TAKE", "L-GIVE", "--accept", cwd=project.root).code == 0
    assert claimcheck("verify", "--require-reviewed", cwd=project.root).code == 0
    assert claimcheck("review", cwd=project.root).out == "All anchors are reviewed.\n"


def test_review_without_a_terminal_only_shows(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("review", "L-TAKE", cwd=project.root)
    assert ran.code == 1
    assert "def take" in ran.out and "C1.1  Blocks are taken from a queue." in ran.out
    assert not (project.root / "anchors.lock").exists()


def test_review_refuses_what_does_not_hold(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project({**FILES, "anchors.yaml": FILES["anchors.yaml"].replace("5-6", "2-3")}, *COMMITS)
    ran = claimcheck("review", "L-TAKE", "--accept", cwd=project.root)
    assert ran.code == 1
    assert "[find-elsewhere]" in ran.err
    assert not (project.root / "anchors.lock").exists()


def test_on_a_terminal_each_answer_is_saved_at_once(make_project: MakeProject) -> None:
    project = make_project(FILES, *COMMITS)
    code, shown = talk(project, ["review"], "a\nq\n")
    assert code == 1
    assert "1 of 2" in shown and "lines 5-6, reviewed." in shown
    assert {id: row["review"] for id, row in entries(project).items()} == {"L-TAKE": "reviewed"}
    code, shown = talk(project, ["review"], "a\n")
    assert code == 0
    assert {row["review"] for row in entries(project).values()} == {"reviewed"}


def test_lines_can_be_edited_while_reviewing(make_project: MakeProject) -> None:
    project = make_project({**FILES, "anchors.yaml": FILES["anchors.yaml"].replace("8-9", "7-9")}, *COMMITS)
    code, shown = talk(project, ["review", "L-GIVE"], "e\n9-8\nx\n8-9\n")
    assert code == 0, shown
    assert "lines: 8-9, find: [def give" in project.read("anchors.yaml")
    assert entries(project)["L-GIVE"]["review"] == "reviewed"


def test_a_commit_that_is_not_here_keeps_its_entries(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    claimcheck("lock", cwd=project.root)
    locked = project.read("anchors.lock")
    (project.root / "vendor" / "lib").rename(project.root / "vendor" / "elsewhere")
    ran = claimcheck("lock", cwd=project.root)
    assert ran.code == 2
    assert project.read("anchors.lock") == locked
    assert SOURCE


def test_what_another_run_has_written_meanwhile_stays(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    made = make_project(FILES, *COMMITS)
    assert claimcheck("lock", cwd=made.root).code == 0
    project = Project.find(made.root)
    read_before = registry.load(project)
    assert claimcheck("review", "L-GIVE", "--accept", cwd=made.root).code == 0
    taken = replace(read_before.lock["L-TAKE"], review=ReviewState.REVIEWED, reviewed_at=made.commits[0])
    project.write([locks.update(project, {"L-TAKE": taken})])
    assert {id: row["review"] for id, row in entries(made).items()} == {"L-GIVE": "reviewed", "L-TAKE": "reviewed"}
