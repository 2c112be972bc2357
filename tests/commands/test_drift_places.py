"""`claimcheck drift` for what has no anchor (places), and for every vendor at once."""

from __future__ import annotations

import json

import pytest

from conftest import Claimcheck, MakeProject, MakeRepo, SmallProject, check_golden, commit_files, git, make_release
from drifting import COMMITS, FILES, REGISTRY, drifted, named

PLACES = ("pool.py:11-14", "pool.py:7-9", "evict.py:1-5", "limits.cfg:3-5", "naming.py:1-3", "pool.py:11-14, 22-23")


def test_places_are_answered_as_anchors_are(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = drifted(make_project)
    ran = claimcheck("drift", "lib", "v3", *PLACES, cwd=project.root)
    assert (ran.code, ran.err) == (1, "")
    check_golden("drift-places.text", named(ran.out, project))


def test_places_as_machines_read_them(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = drifted(make_project)
    ran = claimcheck("drift", "lib", "v3", *PLACES, "--format", "json", cwd=project.root)
    document = json.loads(ran.out)
    found = {one["id"]: one for one in document["anchors"]}
    assert {id: one["outcome"] for id, one in found.items()} == {
        "pool.py:11-14": "edited",
        "pool.py:7-9": "moved",
        "evict.py:1-5": "deleted",
        "limits.cfg:3-5": "ambiguous",
        "naming.py:1-3": "renamed",
        "pool.py:11-14,22-23": "edited",
    }
    assert found["pool.py:7-9"]["regions"][0]["to"] == {"path": "pool.py", "lines": [8, 10]}
    assert all(one["from"] == project.commits[1] and one["compared"] for one in found.values())
    for form in ("markdown", "html"):
        assert "pool.py:11-14" in claimcheck("drift", "lib", "v3", *PLACES, "--format", form, cwd=project.root).out


def test_a_place_that_carries_is_no_failure_and_ids_may_stand_beside_it(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = drifted(make_project)
    ran = claimcheck("drift", "lib", "v3", "L-INIT", "pool.py:7-9", "lib:pool.py:Pool.size", cwd=project.root)
    assert (ran.code, ran.err) == (0, "")
    assert [line for line in ran.out.split("\n") if line and not line.startswith(" ")] == [
        "L-INIT  moved  pool.py  7-9 -> 8-10  Pool.__init__",
        "pool.py:7-9  moved  -> pool.py:8-10  Pool.__init__",
        "pool.py:22-23  moved  -> pool.py:24-25  Pool.size",
    ]
    assert "  confidence 0.98: the line map of the diff, same text\n" in ran.out
    before = {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()}
    claimcheck("drift", "lib", "v3", "pool.py:11-14", cwd=project.root)
    assert {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("pool.py:11-99", "pool.py has 23 lines, not 99"),
        ("pol.py:11-14", "lib {c2:.8} has no file pol.py; did you mean pool.py?"),
        ("pool.py:14-11", "lines 14-11: ranges ascend and do not overlap"),
        ("pool.py:0-3", "0-3 is no range of lines, which count from 1"),
        ("pool.py:Pool.tak", "pool.py defines no Pool.tak; did you mean Pool.take?"),
        ("pool.py:", "pool.py: has no lines, symbol or text after the path"),
        ("L-TAK", "no anchor L-TAK; did you mean L-TAKE?"),
        ("pool.py", "no anchor pool.py"),
        ("M1.1", "M1.1 is no anchor: only anchors have lines"),
        ("vendor/lib/pool.py:11-14", "lib {c2:.8} has no folder vendor"),
    ],
)
def test_what_is_neither_an_id_nor_a_place(
    make_project: MakeProject, claimcheck: Claimcheck, asked: str, said: str
) -> None:
    project = drifted(make_project)
    ran = claimcheck("drift", "lib", "v3", "L-INIT", asked, cwd=project.root)
    assert (ran.code, ran.out) == (2, "")
    assert said in named(ran.err, project)


def test_the_lines_may_be_of_another_revision_than_the_pin(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = drifted(make_project)
    first = project.commits[0]
    ran = claimcheck("drift", "lib", "v3", "matching.py:1-2", "--from", first, cwd=project.root)
    assert ran.code == 1 and ran.out.startswith("matching.py:1-2  edited  -> matching.py:3-4  matches  +1 -1 code\n")
    ran = claimcheck("drift", "lib", project.commits[1], "matching.py:1-2", "--from", first, cwd=project.root)
    assert ran.code == 0 and ran.out.startswith("matching.py:1-2  moved  -> matching.py:3-4  matches\n")
    for arguments in (["L-TAKE", "--from", first], ["--from", first], ["pool.py:1-2", "--from", "v9"]):
        assert claimcheck("drift", "lib", "v3", *arguments, cwd=project.root).code == 2


def test_without_the_pin_the_lines_mean_nothing(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = drifted(make_project)
    project.write("anchors.yaml", REGISTRY.replace("{c2}", "00000000000000000000000000000000000000aa"))
    ran = claimcheck("drift", "lib", "v3", "pool.py:11-14", cwd=project.root)
    assert (ran.code, ran.out) == (2, "")
    assert "lib: the pin 00000000 is not in vendor/lib\n    help: claimcheck vendor sync lib, or --from REV" in ran.err


def test_all_lists_what_is_unchanged_too(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS[:2], {**COMMITS[1], "naming.py": "\n" + COMMITS[1]["naming.py"]})
    short = claimcheck("drift", "lib", project.commits[2], cwd=project.root)
    everything = claimcheck("drift", "lib", project.commits[2], "--all", cwd=project.root)
    assert "  6 unchanged: L-TAKE L-GIVE L-INIT L-EVICT L-LARGEST L-LIMITS\n" in short.out
    assert "  L-TAKE     unchanged  pool.py     11-14 22-23\n" in everything.out
    assert "  L-NAME     moved      naming.py   1-3 -> 2-4\n" in everything.out
    assert "unchanged: " not in everything.out and everything.code == short.code == 1


def three(make_project: MakeProject, make_repo: MakeRepo) -> SmallProject:
    """Beside the vendor that drifted: one that stands at its pin, one of which nothing is here, one without anchors."""
    extra = (
        '  still: {url: https://github.com/o/still, commit: "{s}", prefix: S}\n'
        '  away: {url: https://github.com/o/away, commit: "00000000000000000000000000000000000000bb", prefix: A}\n'
        '  idle: {url: https://github.com/o/idle, commit: "00000000000000000000000000000000000000cc", prefix: I}\n'
    )
    anchors = "  S-ONE: {path: a.py, lines: 1, find: first}\n  A-ONE: {path: a.py, lines: 1, find: first}\n"
    project = make_project(FILES, *COMMITS)
    [still] = make_repo(project.root / "vendor/still", {"a.py": "first = 1\n"})
    head, tail = REGISTRY.split("anchors:\n")
    project.write("anchors.yaml", head + extra.replace("{s}", still) + "anchors:\n" + tail + anchors)
    return project


def test_every_vendor(make_project: MakeProject, make_repo: MakeRepo, claimcheck: Claimcheck) -> None:
    project = three(make_project, make_repo)
    ran = claimcheck("drift", "--all", cwd=project.root)
    assert (ran.code, ran.err) == (1, "")
    check_golden("drift-all.text", named(ran.out, project))
    document = json.loads(claimcheck("drift", "--all", "--format", "json", cwd=project.root).out)
    assert document["schema"] == "claimcheck.drift-all/1"
    assert [(one["vendor"], one["summary"]) for one in document["vendors"]][1] == ("still", {"unchanged": 1})
    assert [one["vendor"] for one in document["not_compared"]] == ["away"]
    text = claimcheck("drift", "--all", "--format", "markdown", cwd=project.root).out
    assert text.startswith("**lib** ") and "away was not compared" in text
    assert claimcheck("drift", "--all", "--exit-zero", cwd=project.root).code == 0


def test_a_vendor_without_a_clone_is_compared_with_its_newest_release(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    releases = "    releases: {pypi: lib, versions: {'1.9': SUM, '1.10': SUM, '1.2': SUM}}\n".replace("SUM", "ab" * 32)
    registry = (
        "vendors:\n  lib:\n    url: https://github.com/o/lib\n    commit: release/1.9\n    prefix: L\n"
        + releases
        + "anchors:\n  L-ONE: {path: a.py, lines: 1, find: first}\n"
    )
    project = make_project({"anchors.yaml": registry})
    for version in ("1.2", "1.9"):
        make_release(project.root, version, {"a.py": "first = 1\n"})
    assert claimcheck("drift", "--all", cwd=project.root).out == "1 vendor: 1 at the pin.\n"
    make_release(project.root, "1.10", {"a.py": "\nfirst = 1\n"})
    ran = claimcheck("drift", "--all", cwd=project.root)
    assert (ran.code, ran.out) == (0, "1 vendor: 1 moved on with nothing to read.\n")


def test_a_submodule_is_compared_with_what_the_project_records(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = drifted(make_project)
    git(project.root, "init", "--quiet")
    git(project.root, "update-index", "--add", "--cacheinfo", f"160000,{project.commits[2]},vendor/lib")
    (project.root / ".gitmodules").write_text("[submodule]\n")
    git(project.root, "commit", "--quiet", "--message", "record")
    git(project.root / "vendor/lib", "checkout", "--quiet", project.commits[1])
    ran = claimcheck("drift", "--all", cwd=project.root)
    assert named(ran.out, project).startswith("lib  {c2:.8} -> {c3:.8} (v3)\n")


def test_which_arguments_go_together(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = drifted(make_project)
    for arguments, said in (
        ([], "which vendor, and compared with what?"),
        (["lib"], "drift lib needs a revision"),
        (["--all", "--format", "html"], "a page is about one vendor"),
        (["lib", "v3", "L-TAKE", "--all"], "--all goes with no IDs or places"),
        (["lob", "v3"], "no vendor lob; did you mean lib?"),
        (["lob", "v3", "pool.py:1-2"], "no vendor lob; did you mean lib?"),
    ):
        ran = claimcheck("drift", *arguments, cwd=project.root)
        assert ran.code == 2 and said in ran.err, ran.err
    empty = commit_files(project.root / "vendor/lib", {"other.py": "x = 1\n"})
    assert claimcheck("drift", "lib", empty, "pool.py:11-14", cwd=project.root).code == 1
