"""`claimcheck add`: by lines, by symbol, by text; what it proposes, and that nothing else changes."""

from __future__ import annotations

import json

import pytest

from conftest import Claimcheck, MakeProject, fill, git
from small import COMMITS, FILES, SOURCE


def test_a_method_by_its_lines(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    before = project.read("anchors.yaml")
    ran = claimcheck("add", "L-SIZE", "lib:pool.py:11-12", cwd=project.root)
    assert ran.code == 0, ran.err
    assert ran.out == fill(
        "L-SIZE  lib {c1:.8}  pool.py\n"
        "Pool.size, whole method  11-12\n"
        " 11 |     def size(self):\n"
        " 12 |         return self.free.qsize()\n"
        "\n"
        "find: def size      once in the file, line 11\n"
        "Wrote anchors.yaml:13 (after L-GIVE) and anchors.lock. Cite it as [L-SIZE].\n"
        "Reviewed, since you have just seen it (--unreviewed if not).\n",
        project.commits,
    )
    after = project.read("anchors.yaml")
    added = [line for line in after.split("\n") if line not in before.split("\n")]
    assert after.replace("\n".join(added) + "\n", "") == before
    entries = [json.loads(line) for line in project.read("anchors.lock").split("\n")[1:] if line]
    assert [(entry["id"], entry["review"]) for entry in entries] == [("L-SIZE", "reviewed")]
    assert claimcheck("verify", "L-SIZE", cwd=project.root).code == 0


@pytest.mark.parametrize("where", ["Pool.size", '"def size"', "size"])
def test_the_same_method_by_symbol_or_text(where: str, make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("add", "L-SIZE", f"lib:pool.py:{where}", "--unreviewed", cwd=project.root)
    assert ran.code == 0, ran.err
    assert "Pool.size, whole method  11-12\n" in ran.out
    assert "Reviewed" not in ran.out
    assert '"review":"unreviewed"' in project.read("anchors.lock").replace(": ", ":")


def test_lines_that_end_inside_a_method_are_taken_as_written(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("add", "L-PART", "lib:pool.py:8", "--diff", cwd=project.root)
    assert ran.code == 1
    assert "--whole takes the method." in ran.out
    assert "+" in ran.out and project.read("anchors.yaml") == fill(FILES["anchors.yaml"], project.commits)
    whole = claimcheck("add", "L-PART", "lib:pool.py:8", "--whole", cwd=project.root)
    assert "whole method  8-9" in whole.out


@pytest.mark.parametrize(
    ("id", "target", "message"),
    [
        ("L-TAKE", "lib:pool.py:11-12", "L-TAKE is taken"),
        ("X-TAKE", "lib:pool.py:11-12", "no vendor has the prefix X"),
        ("L-take", "lib:pool.py:11-12", "is no ID for an anchor"),
        ("L-E1", "lib:pool.py:11-12", "is no ID for an anchor"),
        ("L-NEW", "lib:pool.py:11-99", "pool.py has 12 lines, not 99"),
        ("L-NEW", "lib:pool.py:12-11", "ranges ascend"),
        ("L-NEW", "lib:pool.py:Pool.sise", "did you mean Pool.size?"),
        ("L-NEW", "lib:gone.py:1-2", "gone.py"),
        ("L-NEW", 'lib:pool.py:"self.free"', "is in 3 lines: 6, 9, 12"),
        ("L-NEW", "lib:pool.py", "has no lines, symbol or text"),
        ("L-NEW", "other:pool.py:1", "no vendor other"),
    ],
)
def test_what_cannot_be_added(
    id: str, target: str, message: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("add", id, target, cwd=project.root)
    assert ran.code == 2
    assert ran.out == ""
    assert message in ran.err
    assert project.read("anchors.yaml") == fill(FILES["anchors.yaml"], project.commits)
    assert not (project.root / "anchors.lock").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--find", "n("), ": error: L-SIZE: find `n(` has fewer than three characters"),
        (("--commit", "v1"), ": error: L-SIZE: commit `v1` can come to mean another commit"),
    ],
)
def test_nothing_is_added_that_the_registry_would_not_load_with(
    options: tuple[str, ...], message: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    source = SOURCE.replace("size(self)", "n(self)")
    project = make_project(FILES, {"pool.py": source})
    git(project.root / "vendor" / "lib", "tag", "v1")
    ran = claimcheck("add", "L-SIZE", "lib:pool.py:11-12", *options, cwd=project.root)
    assert ran.code == 2
    assert message in ran.err and "nothing was written" in ran.err
    assert ran.out == ""
    assert project.read("anchors.yaml") == fill(FILES["anchors.yaml"], project.commits)
    assert not (project.root / "anchors.lock").exists()


@pytest.mark.parametrize("where", ["99999999", "9" * 5000])
def test_lines_beyond_all_files_are_refused(where: str, make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("add", "L-SIZE", f"lib:pool.py:{where}", cwd=project.root)
    assert ran.code == 2 and ran.out == ""


def test_a_path_with_a_colon(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, {"pool.py": SOURCE, "a:b.py": "def f():\n    return 1\n"})
    ran = claimcheck("add", "L-COLON", "lib:a:b.py:f", cwd=project.root)
    assert ran.code == 0, ran.err
    assert "f, whole function  1-2" in ran.out


def test_without_the_pin_nothing_is_added(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project({**FILES, "anchors.yaml": FILES["anchors.yaml"].replace("{c1}", "2" * 40)}, *COMMITS)
    ran = claimcheck("add", "L-SIZE", "lib:pool.py:11-12", cwd=project.root)
    assert ran.code == 2
    assert "22222222" in ran.err and "claimcheck vendor sync lib" in ran.err
