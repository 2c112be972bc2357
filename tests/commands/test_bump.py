"""`claimcheck bump` and `review --held`: what moves along, what is held, and that nothing is half written."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Claimcheck, MakeProject, SmallProject, fill, git
from small import entries

SOURCE = """\
import queue


class Pool:
    def take(self):
        return self.free.get()

    def give(self, block):
        self.free.put(block)

    def size(self):
        return self.free.qsize()
"""
MOVED = "# one\n# two\n" + SOURCE
EDITED = MOVED.replace("self.free.put(block)", "self.free.put(block, block=False)")
GONE = MOVED.replace("    def give(self, block):\n        self.free.put(block)\n\n", "")
REGISTRY = """\
vendors:
  lib:
    url: https://github.com/o/lib
    commit: "{c1}"  # v1
    prefix: L
anchors:
  # taking
  L-TAKE:
    path: pool.py   # the only file
    lines: '5-6'
    find: def take
  L-GIVE: {path: pool.py, lines: 8-9, find: def give}
  L-SIZE: {path: pool.py, lines: [11-12], find: [def size]}
"""
CLAIMS = """\
claims:
  C1.1: {text: Blocks are taken., cites: [L-TAKE, L-GIVE, L-SIZE], basis: code}
"""
FILES = {"anchors.yaml": REGISTRY, "claims/one.yaml": CLAIMS}


def two(make_project: MakeProject, after: str) -> SmallProject:
    return make_project(FILES, {"pool.py": SOURCE}, {"pool.py": after})


def test_everything_moved_is_carried_and_a_second_bump_does_nothing(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = two(make_project, MOVED)
    git(project.root / "vendor/lib", "checkout", "--quiet", project.commits[0])
    claimcheck("review", "L-TAKE", "--accept", cwd=project.root)
    before = project.read("anchors.yaml")
    ran = claimcheck("bump", "lib", project.commits[1], cwd=project.root)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == fill(
        "lib  {c1:.8} -> {c2:.8}\n"
        "carried   3   3 moved (3 ranges rewritten)\n"
        "Wrote anchors.yaml (4 lines changed: 1 pin, 3 ranges), anchors.lock.\n"
        "\n"
        "vendor/lib itself is not moved; to follow:\n"
        "  git -C vendor/lib checkout {c2}\n"
        "Next: claimcheck verify\n",
        project.commits,
    )
    wanted = before.replace(project.commits[0], project.commits[1]).replace("'5-6'", "'7-8'")
    assert project.read("anchors.yaml") == wanted.replace("lines: 8-9", "lines: 10-11").replace("[11-12]", "[13-14]")
    assert entries(project)["L-TAKE"]["review"] == "carried"
    assert entries(project)["L-TAKE"]["reviewed_at"] == project.commits[0]
    assert entries(project)["L-GIVE"]["review"] == "unreviewed"
    assert claimcheck("verify", cwd=project.root).code == 0
    stamp = (project.root / "anchors.yaml").stat().st_mtime_ns
    again = claimcheck("bump", "lib", project.commits[1], cwd=project.root)
    assert again.out == fill("lib is at {c2:.8}. Nothing to do.\n", project.commits)
    assert (project.root / "anchors.yaml").stat().st_mtime_ns == stamp


@pytest.mark.parametrize("after", [EDITED, GONE], ids=["edited", "gone"])
def test_what_needs_a_person_refuses_the_whole_bump(
    after: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = two(make_project, after)
    before = project.read("anchors.yaml")
    ran = claimcheck("bump", "lib", project.commits[1], cwd=project.root)
    assert ran.code == 1
    assert "2 of 3 anchors carry over; 1 needs a person:" in ran.out
    assert "Refused, nothing written.\n" in ran.out
    assert project.read("anchors.yaml") == before
    assert not (project.root / "anchors.lock").exists()


def test_hold_carries_the_rest_and_the_next_bump_frees_what_is_mended(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, {"pool.py": SOURCE}, {"pool.py": EDITED}, {"pool.py": MOVED})
    original = project.read("anchors.yaml")
    ran = claimcheck("bump", "lib", project.commits[1], "--hold", cwd=project.root)
    assert ran.code == 0
    assert fill("held      1   L-GIVE keeps commit {c1:.8}\n", project.commits) in ran.out
    assert fill("commit: {c1}", project.commits) in project.read("anchors.yaml").split("L-GIVE")[1].split("\n")[0]
    assert claimcheck("verify", cwd=project.root).code == 0
    assert "held       1   L-GIVE at" in claimcheck("verify", cwd=project.root).out
    again = claimcheck("bump", "lib", project.commits[1], "--hold", cwd=project.root)
    assert again.code == 0 and "Nothing to do." in again.out
    third = claimcheck("bump", "lib", project.commits[2], cwd=project.root)
    assert third.code == 0
    text = project.read("anchors.yaml")
    assert project.commits[0] not in text and "lines: 10-11" in text
    assert len(text.split("\n")) == len(original.split("\n"))


def test_diff_and_dry_run_write_nothing(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = two(make_project, MOVED)
    before = project.read("anchors.yaml")
    shown = claimcheck("bump", "lib", project.commits[1], "--diff", cwd=project.root)
    assert shown.code == 1
    assert "-    lines: '5-6'\n+    lines: '7-8'\n" in shown.out
    tried = claimcheck("bump", "lib", project.commits[1], "--dry-run", cwd=project.root)
    assert tried.code == 0 and "Would write anchors.yaml" in tried.out
    assert project.read("anchors.yaml") == before


def test_a_renamed_file_is_followed(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, {"pool.py": SOURCE}, {"core/pool.py": SOURCE})
    ran = claimcheck("bump", "lib", project.commits[1], cwd=project.root)
    assert ran.code == 0, ran.out
    assert project.read("anchors.yaml").count("core/pool.py") == 3
    assert "path: core/pool.py   # the only file" in project.read("anchors.yaml")
    assert claimcheck("verify", cwd=project.root).code == 0


def test_a_string_that_white_space_broke_needs_a_person(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = {**FILES, "anchors.yaml": REGISTRY.replace("find: def give", 'find: "free.put(block)"')}
    project = make_project(
        files, {"pool.py": SOURCE}, {"pool.py": SOURCE.replace("free.put(block)", "free.put( block )")}
    )
    ran = claimcheck("bump", "lib", project.commits[1], cwd=project.root)
    assert ran.code == 1
    assert "`free.put(block)` does not stand there any more" in ran.out


def test_review_held_without_a_terminal(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = two(make_project, EDITED)
    claimcheck("bump", "lib", project.commits[1], "--hold", cwd=project.root)
    shown = claimcheck("review", "--held", cwd=project.root)
    assert shown.code == 1
    assert "+        self.free.put(block, block=False)" in shown.out
    assert "C1.1  Blocks are taken.  not tested" in shown.out
    accepted = claimcheck("review", "--held", "--accept", cwd=project.root)
    assert accepted.code == 0, accepted.err
    assert accepted.out == fill("L-GIVE is at {c2:.8}, lines 10-11, reviewed.\n", project.commits)
    assert project.commits[0] not in project.read("anchors.yaml")
    assert entries(project)["L-GIVE"]["review"] == "reviewed"
    assert claimcheck("review", "--held", cwd=project.root).out == "No anchors are held.\n"
    assert claimcheck("verify", cwd=project.root).code == 0


def test_a_deleted_region_is_placed_by_hand_or_stays_held(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = two(make_project, GONE)
    claimcheck("bump", "lib", project.commits[1], "--hold", cwd=project.root)
    held = project.read("anchors.yaml")
    assert claimcheck("review", "--held", "--accept", cwd=project.root).code == 1
    assert project.read("anchors.yaml") == held
    wrong = claimcheck("review", "--held", "--place", "L-GIVE=pool.py:10-11", cwd=project.root)
    assert wrong.code == 1
    assert "`def give` does not stand in 10-11" in wrong.err
    assert project.read("anchors.yaml") == held
    for place in ("L-GIVE", "L-GIVE=pool.py", "L-GIVE=pool.py:x"):
        assert claimcheck("review", "--held", "--place", place, cwd=project.root).code == 2


def test_usage(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = two(make_project, MOVED)
    assert "no vendor nobody" in claimcheck("bump", "nobody", "v1", cwd=project.root).err
    assert claimcheck("bump", "lib", "v9", cwd=project.root).code == 2
    assert claimcheck("drift", "lib", project.commits[1], "L-NONE", cwd=project.root).code == 2
    assert claimcheck("drift", "lib", project.commits[1], "--exit-zero", cwd=project.root).code == 0


def test_how_a_submodule_follows_is_said_and_not_done(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = two(make_project, MOVED)
    lib = project.root / "vendor/lib"
    git(project.root, "init", "--quiet")
    git(project.root, "update-index", "--add", "--cacheinfo", f"160000,{project.commits[0]},vendor/lib")
    (project.root / ".gitmodules").write_text(
        '[submodule "lib"]\n\tpath = vendor/lib\n\turl = https://github.com/o/lib\n'
    )
    git(project.root, "commit", "--quiet", "--message", "record")
    git(lib, "checkout", "--quiet", project.commits[0])
    tried = claimcheck("bump", "lib", project.commits[1], "--dry-run", cwd=project.root)
    steps = f"to follow:\n  git -C vendor/lib checkout {project.commits[1]}\n  git add vendor/lib\nNext: "
    assert steps in tried.out
    git(lib, "checkout", "--quiet", project.commits[1])
    ran = claimcheck("bump", "lib", project.commits[1], cwd=project.root)
    assert "to follow:\n  git add vendor/lib\nNext: claimcheck verify\n" in ran.out
    assert git(project.root, "ls-files", "--stage", "vendor/lib").split()[1] == project.commits[0]


def test_a_clone_that_is_there_already_needs_no_word(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = two(make_project, MOVED)
    assert "to follow" not in claimcheck("bump", "lib", project.commits[1], cwd=project.root).out


def test_whole_files_and_symbols_are_carried_or_held(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    anchors = (
        "  L-FILE: {path: notes.md}\n"
        "  L-CHANGED: {path: pool.py}\n"
        "  L-SIZE: {path: pool.py, symbol: Pool.size}\n"
        "  L-GIVE: {path: pool.py, symbol: Pool.give}\n"
    )
    files = {"anchors.yaml": REGISTRY[: REGISTRY.index("  # taking")] + anchors}
    before = {"pool.py": SOURCE, "notes.md": "# notes\n"}
    project = make_project(files, before, {"pool.py": EDITED, "docs/notes.md": "# notes\n"})
    ran = claimcheck("bump", "lib", project.commits[1], "--hold", cwd=project.root)
    assert ran.code == 0 and "held      2   L-CHANGED L-GIVE keep commit" in ran.out, ran.out
    text = project.read("anchors.yaml")
    assert "L-FILE: {path: docs/notes.md}" in text and "L-SIZE: {path: pool.py, symbol: Pool.size}" in text
    assert claimcheck("verify", cwd=project.root).code == 0
    accepted = claimcheck("review", "--held", "--accept", cwd=project.root)
    assert accepted.code == 0, accepted.err
    assert "L-GIVE: {path: pool.py, symbol: Pool.give}" in project.read("anchors.yaml")
    assert claimcheck("verify", cwd=project.root).code == 0


def test_a_tag_stands_behind_the_new_pin(make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path) -> None:
    project = two(make_project, MOVED)
    git(project.root / "vendor" / "lib", "tag", "v2")
    ran = claimcheck("bump", "lib", "v2", cwd=project.root)
    assert ran.code == 0
    assert fill('    commit: "{c2}"  # v2\n', project.commits) in project.read("anchors.yaml")
