"""Bumps in difficult cases: insertions, look-alikes, equal blocks, renamed files, what cannot be moved, interruptions."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Claimcheck, MakeProject, SmallProject, fill
from small import HEAD, entries, registry
from test_cases_interruption import STOPPED, files, run


def bump(claimcheck: Claimcheck, project: SmallProject, *arguments: str) -> tuple[int, str]:
    ran = claimcheck("bump", "lib", project.commits[-1], *arguments, cwd=project.root)
    return ran.code, ran.out


# Lines inserted above what is cited


def test_lines_inserted_above_move_the_range_and_nothing_else(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    filler = "".join(f"value_{n} = {n}\n" for n in range(1, 100))
    target = "def target():\n    first = 1\n    second = 2\n    third = 3\n    return first\n"
    made = registry("L-A: {path: src/a.py, lines: 100-104, find: 'def target():'}  # mine")
    project = make_project(made, {"src/a.py": filler + target}, {"src/a.py": "# new\n" * 10 + filler + target})
    before = project.read("anchors.yaml")
    assert claimcheck("verify", cwd=project.root).code == 0
    drift = claimcheck("drift", "lib", project.commits[1], cwd=project.root)
    assert drift.code == 0 and "  L-A  moved  a.py 100-104 -> 110-114\n" in drift.out
    assert project.read("anchors.yaml") == before
    code, said = bump(claimcheck, project)
    assert code == 0 and "(2 lines changed: 1 pin, 1 range)" in said
    after = before.replace(*project.commits).replace("100-104", "110-114")
    assert project.read("anchors.yaml") == after
    assert claimcheck("verify", cwd=project.root).code == 0
    locked = project.read("anchors.lock")
    assert bump(claimcheck, project) == (0, fill("lib is at {c2:.8}. Nothing to do.\n", project.commits))
    assert (project.read("anchors.yaml"), project.read("anchors.lock")) == (after, locked)


def test_an_insertion_between_two_ranges_moves_the_second(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    lines = [f"value_{n} = compute({n})\n" for n in range(1, 60)]
    project = make_project(
        registry("L-A: {path: a.py, lines: [10-12, 40-44], find: [value_10 =, value_40 =]}"),
        {"a.py": "".join(lines)},
        {"a.py": "".join([*lines[:20], *["new = 1\n"] * 5, *lines[20:]])},
    )
    code, said = bump(claimcheck, project)
    assert code == 0 and "1 moved (1 range rewritten)" in said
    assert "lines: [10-12, 45-49], find" in project.read("anchors.yaml")
    shown = claimcheck("excerpt", "L-A", cwd=project.root)
    assert shown.code == 0 and "lines 10-12\n" in shown.out and "lines 45-49\n" in shown.out


# What looks like it is not it


def test_deleted_text_is_not_its_neighbour(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    def function(name: str, word: str) -> str:
        return f'def {name}():\n    a = load("{word}")\n    b = a.first()\n    return b.second()\n\n\n'

    project = make_project(
        registry("L-A: {path: a.py, lines: 1-4, find: def alpha}", "L-B: {path: a.py, lines: 7-10, find: def beta}"),
        {"a.py": function("alpha", "x") + function("beta", "y")},
        {"a.py": function("beta", "y")},
    )
    before = project.read("anchors.yaml")
    drift = claimcheck("drift", "lib", project.commits[1], cwd=project.root)
    assert drift.code == 1 and "  L-A  deleted  a.py  1-4\n" in drift.out
    code, said = bump(claimcheck, project)
    assert code == 1 and "  L-A  deleted  a.py 1-4\n" in said and "Refused, nothing written.\n" in said
    assert project.read("anchors.yaml") == before
    code, said = bump(claimcheck, project, "--hold")
    assert code == 0
    entry = fill("  L-A: {path: a.py, commit: {c1}, lines: 1-4, find: def alpha}\n", project.commits)
    assert entry in project.read("anchors.yaml") and "L-B: {path: a.py, lines: 1-4" in project.read("anchors.yaml")
    shown = claimcheck("excerpt", "L-A", cwd=project.root)
    assert "def alpha" in shown.out and "def beta" not in shown.out


def block(name: str) -> str:
    return f"    def {name}(self):\n        {name}_first()\n        log(1)\n        done()\n\n"


@pytest.mark.parametrize(
    ("order", "lines"), [(("one", "two", "three"), "12-13"), (("two", "one", "three"), "7-8")], ids=["moved", "swapped"]
)
def test_one_of_three_equal_blocks_keeps_its_method(
    order: tuple[str, ...], lines: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    before = "class A:\n" + "".join(block(name) for name in ("one", "two", "three"))
    after = "# new\n# new\n# new\nclass A:\n" + "".join(block(name) for name in order)
    project = make_project(registry("L-A: {path: a.py, lines: 9-10, find: log(1)}"), {"a.py": before}, {"a.py": after})
    code, _ = bump(claimcheck, project)
    text = project.read("anchors.yaml")
    assert f"lines: {lines}," in text if code == 0 else "lines: 9-10," in text, "the first one is never taken silently"


# Renamed files


def test_a_renamed_file_is_followed_with_its_path(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    body = "def alpha():\n    first = load()\n    return first.second()\n"
    project = make_project(
        registry("L-A: {path: src/a.py, lines: 1-3, find: def alpha}"), {"src/a.py": body}, {"src/b.py": body}
    )
    drift = claimcheck("drift", "lib", project.commits[1], cwd=project.root)
    assert drift.code == 0 and "  L-A  moved  a.py 1-3 -> b.py 1-3  same text\n" in drift.out
    code, said = bump(claimcheck, project)
    assert code == 0 and "(2 lines changed: 1 pin, 1 path)" in said
    assert "L-A: {path: src/b.py, lines: 1-3, find: def alpha}" in project.read("anchors.yaml")
    assert claimcheck("verify", cwd=project.root).code == 0


def test_a_file_that_was_renamed_and_changed_needs_a_person(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    body = "def alpha():\n    first = load()\n    second = first.second()\n    return second\n"
    project = make_project(
        registry("L-A: {path: src/a.py, lines: 1-4, find: def alpha}"),
        {"src/a.py": body},
        {"src/b.py": body.replace("load()", "load(again=True)")},
    )
    code, said = bump(claimcheck, project)
    assert code == 1 and "  L-A  edited  +1 -1  a.py 1-4 -> b.py 1-4\n" in said


# Some can be moved and one cannot


def function(n: int) -> str:
    return f"def target_{n}(value):\n    taken = value.take({n})\n    return taken + {n}\n\n\n"


def test_nine_of_ten(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    anchors = [f"L-A{n}: {{path: a.py, lines: {5 * n + 1}-{5 * n + 3}, find: def target_{n}}}" for n in range(10)]
    after = "# new\n" + "".join(function(n) for n in range(10) if n != 6)
    project = make_project(registry(*anchors), {"a.py": "".join(function(n) for n in range(10))}, {"a.py": after})
    before = project.read("anchors.yaml")
    code, said = bump(claimcheck, project)
    assert code == 1 and "9 of 10 anchors carry over; 1 needs a person:\n  L-A6  deleted  a.py 31-33\n" in said
    assert project.read("anchors.yaml") == before and not (project.root / "anchors.lock").exists()
    for option in ("--dry-run", "--diff"):
        bump(claimcheck, project, "--hold", option)
        assert project.read("anchors.yaml") == before and not (project.root / "anchors.lock").exists()
    code, said = bump(claimcheck, project, "--hold")
    assert code == 0 and "carried   9   9 moved (9 ranges rewritten)\n" in said
    assert fill("held      1   L-A6 keeps commit {c1:.8}\n", project.commits) in said
    kept = fill("  L-A6: {path: a.py, commit: {c1}, lines: 31-33, find: def target_6}\n", project.commits)
    assert kept in project.read("anchors.yaml")
    verified = claimcheck("verify", cwd=project.root)
    assert verified.code == 0 and "10 verified, 0 failed, 0 unverified" in verified.out
    assert fill("held       1   L-A6 at {c1:.8}", project.commits) in verified.out


# Stopped between files


def in_many_files(make_project: MakeProject, *, strings: bool) -> SmallProject:
    """A vendor's anchors in thirty files; all move, one is gone."""
    find = ", find: def target_{n}" if strings else ""
    row = "anchors:\n  L-A{n}: {{path: a.py, lines: {first}-{last}" + find + "}}\n"
    made = {f"anchors/f{n:02}.yaml": row.format(n=n, first=5 * n + 1, last=5 * n + 3) for n in range(30)}
    after = "# new\n# new\n" + "".join(function(n) for n in range(30) if n != 13)
    return make_project(
        {"anchors.yaml": HEAD, **made}, {"a.py": "".join(function(n) for n in range(30))}, {"a.py": after}
    )


@pytest.mark.parametrize("strings", [True, False], ids=["with strings", "bare lines"])
@pytest.mark.parametrize(("number", "when"), [(signal.SIGINT, 10), (signal.SIGTERM, 1), (signal.SIGHUP, 30)])
def test_a_bump_stopped_between_files_is_completed_by_the_next_one(
    number: int, when: int, strings: bool, make_project: MakeProject, tmp_path: Path
) -> None:
    project = in_many_files(make_project, strings=strings)
    assert run(project.root, "lock").returncode == 0
    reviewed = ["L-A2", "L-A13", "L-A27"]
    assert run(project.root, "review", *reviewed, "--accept").returncode == 0
    undisturbed = tmp_path / "undisturbed"
    shutil.copytree(project.root, undisturbed)
    arguments = ("bump", "lib", project.commits[1], "--hold")
    assert run(undisturbed, *arguments).returncode == 0
    before = files(project)
    stopped = [sys.executable, "-c", STOPPED.replace("== 10", f"== {when}"), str(number), *arguments]
    child = subprocess.run(stopped, cwd=project.root, capture_output=True, check=False)
    assert child.returncode == 128 + number, child.stderr
    after = files(project)
    assert len([path for path in after if after[path] != before[path]]) == when
    assert after["anchors.yaml"] == before["anchors.yaml"], "the pin is moved at last"
    assert child.stderr.decode().strip().startswith("written: anchors.lock")
    again = run(project.root, *arguments)
    assert again.returncode == 0, again.stderr
    assert files(project) == files(SmallProject(undisturbed, project.commits))
    assert {id for id, entry in entries(project).items() if entry["review"] != "unreviewed"} == set(reviewed)


def test_lines_that_were_meant_at_the_old_pin_are_followed_from_there(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    """A lock that a bump has written, under a registry that was taken back, says nothing about the registry."""
    project = make_project(
        registry("L-A: {path: a.py, lines: 1-3, find: def target_0}"),
        {"a.py": function(0) + function(1)},
        {"a.py": function(7) + function(0) + function(1)},
    )
    before = project.read("anchors.yaml")
    assert bump(claimcheck, project)[0] == 0 and "lines: 6-8" in project.read("anchors.yaml")
    project.write("anchors.yaml", before)
    assert bump(claimcheck, project)[0] == 0 and "lines: 6-8" in project.read("anchors.yaml")
    project.write("anchors.yaml", before.replace("1-3, find: def target_0", "6-8, find: def target_1"))
    assert bump(claimcheck, project)[0] == 0 and "lines: 11-13" in project.read("anchors.yaml")
