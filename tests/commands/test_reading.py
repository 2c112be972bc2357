"""The commands that only read: excerpt, cite, list, explain, schema, completion, and bare claimcheck."""

from __future__ import annotations

import json

import jsonschema
import pytest

from conftest import Claimcheck, MakeProject, fill
from small import COMMITS, FILES


def test_excerpt_at_the_pin(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("excerpt", "L-TAKE", cwd=project.root)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == fill(
        "L-TAKE  lib {c1:.8}  pool.py  unreviewed\n"
        "\n"
        "Pool.take  5-6\n"
        " 5 |     def take(self):\n"
        " 6 |         return self.free.get()\n"
        "\n"
        "https://github.com/o/lib/blob/{c1}/pool.py#L5-L6\n",
        project.commits,
    )


def test_several_excerpts_with_context_and_who_cites_them(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("excerpt", "L-TAKE", "L-GIVE", "--context", "1", "--cited-by", cwd=project.root)
    assert ran.code == 0
    assert " 4 : class Pool:\n 5 |     def take(self):" in ran.out
    assert "C1.2  They go back to it." in ran.out


@pytest.mark.parametrize("form", ["markdown", "html", "json"])
def test_other_formats(form: str, make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("excerpt", "L-TAKE", "--format", form, cwd=project.root)
    assert ran.code == 0
    assert "L-TAKE" in ran.out and "take" in ran.out
    if form == "json":
        assert json.loads(ran.out)["schema"] == "claimcheck.excerpt/1"


def test_an_anchor_that_does_not_hold_is_not_shown(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project({**FILES, "anchors.yaml": FILES["anchors.yaml"].replace("def take", "def tkae")}, *COMMITS)
    ran = claimcheck("excerpt", "L-TAKE", cwd=project.root)
    assert (ran.code, ran.out) == (1, "")
    assert "[find-nowhere]" in ran.err
    both = claimcheck("excerpt", "L-TAKE", "L-GIVE", cwd=project.root)
    assert both.code == 1
    assert "def give" in both.out and "tkae" not in both.out


def test_an_unknown_anchor(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("excerpt", "L-TAK", cwd=project.root)
    assert (ran.code, ran.out, ran.err) == (2, "", "error: no anchor L-TAK; did you mean L-TAKE?\n")
    assert claimcheck("excerpt", "C1.1", cwd=project.root).code == 2


def test_excerpt_at_another_revision(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    moved = {"pool.py": "# above\n" + COMMITS[0]["pool.py"]}
    project = make_project(FILES, *COMMITS, moved)
    ran = claimcheck("excerpt", "L-TAKE", "--at", project.commits[1], cwd=project.root)
    assert ran.code == 0
    assert "Pool.take  6-7\n" in ran.out


def test_cite(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("cite", "L-TAKE", "--format", "markdown", cwd=project.root)
    assert ran.code == 0
    assert fill("[L-TAKE]: https://github.com/o/lib/blob/{c1}/pool.py#L5-L6", project.commits) in ran.out
    missing = make_project(
        {**FILES, "anchors.yaml": FILES["anchors.yaml"].replace("{c1}", "3" * 40)}, root=project.root / "missing"
    )
    ran = claimcheck("cite", "L-TAKE", cwd=missing.root)
    assert ran.code == 1
    assert f"https://github.com/o/lib/blob/{'3' * 40}/pool.py#L5-L6" in ran.out
    assert "not looked at" in ran.out


def test_list(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    claimcheck("review", "L-GIVE", "--accept", cwd=project.root)
    ran = claimcheck("list", cwd=project.root)
    assert ran.code == 0
    assert ran.out == fill(
        "L-TAKE  lib {c1:.8}  pool.py:5-6  unreviewed  cited by 2\n"
        "L-GIVE  lib {c1:.8}  pool.py:8-9  reviewed    cited by 1\n"
        "2 anchors.\n",
        project.commits,
    )
    assert claimcheck("list", "--unreviewed", cwd=project.root).out.endswith("1 anchor of 2.\n")
    document = json.loads(claimcheck("list", "--format", "json", "--vendor", "lib", cwd=project.root).out)
    assert document["schema"] == "claimcheck.list/1"
    assert document["anchors"][1]["regions"] == [{"lines": [8, 9], "symbol": "Pool.give"}]
    assert claimcheck("list", "--vendor", "nobody", cwd=project.root).code == 2


def test_explain(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    table = claimcheck("explain", cwd=project.root)
    assert table.code == 0
    assert "find-elsewhere" in table.out and "unknown-key" in table.out
    page = claimcheck("explain", "find-elsewhere", cwd=project.root)
    assert page.out.startswith("find-elsewhere: error, something is false or stale\n")
    ran = claimcheck("explain", "find-elsewere", cwd=project.root)
    assert (ran.code, ran.err.split("\n")[0]) == (2, "error: no rule find-elsewere; did you mean find-elsewhere?")


def test_the_schema_is_a_schema(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    schema = json.loads(claimcheck("schema", cwd=project.root).out)
    jsonschema.Draft202012Validator.check_schema(schema)


def test_bare_claimcheck_names_the_next_command(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    assert claimcheck(cwd=project.root).out.endswith("Next: claimcheck lock\n")
    claimcheck("lock", cwd=project.root)
    assert claimcheck(cwd=project.root).out.endswith("Next: claimcheck verify\n")


def test_from_a_folder_below_and_by_directory(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    assert claimcheck("verify", cwd=project.root / "claims").code == 0
    assert claimcheck("-C", "claims", "verify", cwd=project.root).code == 0
    assert claimcheck("verify", "-C", str(project.root), cwd=project.root.parent).code == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str, make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    ran = claimcheck("completion", shell, cwd=project.root)
    assert ran.code == 0
    assert "_CLAIMCHECK_COMPLETE" in ran.out
