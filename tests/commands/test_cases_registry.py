"""Registries, locks and arguments as people and pull requests bring them, and what a run makes of them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from conftest import Claimcheck, MakeProject, MakeRepo, git, write_files
from small import COMMITS, FILES, POINTER, findings, registry


def test_duplicates_are_told_with_both_places_and_nothing_is_checked(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        {
            **registry(
                "L-TWICE: {path: pool.py, lines: 5-6, find: def take}",
                "L-TWICE: {path: pool.py, lines: 8-9, find: def give}",
                "L-LINES: {path: pool.py, lines: 5-6, lines: 8-9, find: def take}",
            ),
            "anchors/more.yaml": "anchors:\n  L-LINES: {path: pool.py, lines: 5-6, find: def take}\n",
            "claims/a.yaml": "claims:\n  C1.1: {text: One., cites: [L-TWICE]}\n",
            "claims/b.yaml": "claims:\n  C1.1: {text: Two., cites: [L-TWICE]}\n",
        },
        *COMMITS,
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 2
    assert [line.partition(": error: ")[0::2] for line in findings(ran)] == [
        ("anchors.yaml:8:3", "L-TWICE: defined twice; first in anchors.yaml:7:3 [duplicate-id]"),
        ("anchors.yaml:9:40", "L-LINES: the key `lines` stands twice; first in anchors.yaml:9:28 [duplicate-key]"),
        ("anchors/more.yaml:2:3", "L-LINES: defined twice; first in anchors.yaml:9:3 [duplicate-id]"),
        ("claims/b.yaml:2:3", "C1.1: defined twice; first in claims/a.yaml:2:3 [duplicate-id]"),
    ]
    assert ran.out.endswith("Nothing checked: 4 errors in 3 files.\n")


def test_look_alikes_are_warned_of(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(
        registry(
            "L-POOL: {path: pool.py, lines: 5-6, find: def take}", "L-P0OL: {path: pool.py, lines: 5-6, find: def take}"
        ),
        *COMMITS,
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 0
    assert findings(ran) == ["anchors.yaml:8:3: warning: L-P0OL: looks like L-POOL [look-alike-ids]"]


def test_cited_but_undefined_and_defined_but_uncited(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = {
        **registry(
            "L-TAKE: {path: pool.py, lines: 5-6, find: def take}",
            "L-UNUSED: {path: pool.py, lines: 8-9, find: def give}",
        ),
        "claims/one.yaml": "claims:\n  C1.1: {text: One., cites: [L-TYPO, L-TAKE]}\n  C1.2: {text: Two.}\n",
    }
    project = make_project(files, *COMMITS)
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert findings(ran) == [
        "anchors.yaml:8:3: note: L-UNUSED: nothing cites it [uncited-anchor]",
        "claims/one.yaml:2:30: error: C1.1: cites L-TYPO, which nothing defines [unknown-id]",
        "claims/one.yaml:3:3: error: C1.2: cites nothing, though it rests on code [cites-nothing]",
    ]


@pytest.mark.parametrize("file", ["anchors.yaml", "claims/one.yaml", "anchors.lock"])
def test_a_merge_conflict_is_told_with_its_line_and_its_way_out(
    file: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, *COMMITS)
    claimcheck("lock", cwd=project.root)
    lines = project.read(file).split("\n")
    project.write(file, "\n".join([lines[0], "<<<<<<< HEAD", lines[1], "=======", lines[1], ">>>>>>> x", *lines[2:]]))
    for arguments in (["verify"], ["lock"], ["excerpt", "L-TAKE"], ["mv", "L-TAKE", "L-TOOK"], ["list"], []):
        ran = claimcheck(*arguments, cwd=project.root)
        assert ran.code == 2
        told = (ran.out + ran.err).split("\n")
        assert told[0].startswith(f"{file}:2:1: error: {file}: ") and told[0].endswith("[merge-conflict]")
        assert told[-2] == f"Nothing checked: 1 error in {file}."


@pytest.mark.parametrize(
    ("content", "rule", "way_out"),
    [
        (b"", "lock-damaged", "git checkout -- anchors.lock"),
        (b"\xff\xfe", "not-utf8", "git checkout -- anchors.lock"),
        (b"null\n", "lock-damaged", "git checkout -- anchors.lock"),
        (b'{"format": "claimcheck.lock", "version": 2}\n', "lock-version", "pip install --upgrade"),
        (b'{"format": "claimcheck.lock", "version": 1}\n{"id": 1}\n', "lock-damaged", "git checkout -- anchors.lock"),
    ],
)
def test_a_damaged_lock_stops_every_command_with_a_way_out_and_stays_as_it_is(
    content: bytes, rule: str, way_out: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, *COMMITS)
    (project.root / "anchors.lock").write_bytes(content)
    for arguments in (["verify"], ["lock"], ["add", "L-X", "lib:pool.py:1"], ["review", "L-TAKE", "--accept"]):
        ran = claimcheck(*arguments, cwd=project.root)
        assert ran.code == 2
        assert f"[{rule}]\n    help: " in ran.out + ran.err
        assert way_out in ran.out + ran.err
    assert (project.root / "anchors.lock").read_bytes() == content


def test_a_digest_that_is_not_the_texts_is_mended_by_lock_and_the_review_is_void(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, *COMMITS)
    assert claimcheck("review", "L-TAKE", "L-GIVE", "--accept", cwd=project.root).code == 0
    entry = json.loads(project.read("anchors.lock").split("\n")[2])
    assert entry["id"] == "L-TAKE"
    digest = entry["regions"][0]["digest"]
    project.write("anchors.lock", project.read("anchors.lock").replace(digest, "sha256:" + "0" * 64))
    assert claimcheck("verify", cwd=project.root).code == 1
    ran = claimcheck("lock", cwd=project.root)
    assert (ran.code, ran.out) == (0, "Wrote anchors.lock: 1 entry changed, 2 of 2 anchors locked.\n")
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 0
    assert "review     2   1 reviewed, 0 carried, 1 unreviewed\n" in ran.out


def test_lock_does_not_call_up_to_date_what_it_could_not_lock(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(registry("L-A: {path: gone.py, lines: 1, find: abc}"), *COMMITS)
    ran = claimcheck("lock", cwd=project.root)
    assert (ran.code, ran.out) == (2, "0 of 1 anchors locked. Nothing written.\n")
    assert "[path-missing]" in ran.err
    ran = claimcheck("lock", "--check", cwd=project.root)
    assert (ran.code, ran.out) == (1, "")


@pytest.mark.parametrize("what", ["named pipe", "folder", "device", "link outside", "link to itself"])
@pytest.mark.parametrize("file", ["anchors.yaml", "claims/one.yaml", "anchors.lock"])
def test_what_is_no_file_of_the_project_is_refused_at_once(
    what: str, file: str, make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path
) -> None:
    project = make_project(FILES, *COMMITS)
    claimcheck("lock", cwd=project.root)
    path = project.root / file
    outside = tmp_path / "outside"
    path.rename(outside)
    content = outside.read_bytes()
    match what:
        case "named pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "device":
            path.symlink_to("/dev/zero")
        case "link outside":
            path.symlink_to(outside)
        case _:
            path.symlink_to(path.name)
    for arguments in (["verify"], ["lock"], ["mv", "L-TAKE", "L-TOOK"], ["excerpt", "L-TAKE"]):
        ran = claimcheck(*arguments, cwd=project.root)
        assert ran.code == 2
        assert (ran.out + ran.err).startswith(f"{file}: error: {file}: ")
        assert "[not-a-file]" in ran.out + ran.err
        assert "secret" not in ran.out + ran.err
    assert outside.read_bytes() == content


def test_a_link_inside_the_project_is_kept_and_its_target_written_with_its_mode(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, *COMMITS)
    target = project.root / "kept/one.yaml"
    target.parent.mkdir()
    (project.root / "claims/one.yaml").rename(target)
    target.chmod(0o640)
    (project.root / "claims/one.yaml").symlink_to("../kept/one.yaml")
    assert claimcheck("mv", "L-TAKE", "L-TOOK", cwd=project.root).code == 0
    assert (project.root / "claims/one.yaml").is_symlink()
    assert "cites: [L-TOOK]" in target.read_text() and target.stat().st_mode & 0o777 == 0o640
    assert claimcheck("verify", cwd=project.root).code == 0


def test_nothing_to_verify_is_never_green(make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert claimcheck("verify", cwd=tmp_path / "empty").code == 2
    for text in ("", "# only a comment\n", "anchors: {}\n"):
        write_files(tmp_path / "nothing", {"anchors.yaml": text})
        ran = claimcheck("verify", cwd=tmp_path / "nothing")
        assert ran.code == 2
        assert ran.err.startswith("error: nothing to verify: ")
    project = make_project(FILES, *COMMITS)
    for name in ("L-NOPE", "claims/nope.yaml", "", "*"):
        ran = claimcheck("verify", name, cwd=project.root)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("error: no ID ")
    write_files(project.root, {"claims/empty.yaml": "claims: {}\n"})
    assert claimcheck("verify", "claims/empty.yaml", cwd=project.root).code == 2
    assert claimcheck("verify", "--at", "lib=", cwd=project.root).code == 2
    assert claimcheck("verify", "--at", "", cwd=project.root).code == 2


def test_every_class_of_failure_in_one_run(
    make_repo: MakeRepo, make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path
) -> None:
    """Fourteen good anchors among two that drifted, one of a shallow clone, a pointer, and a file made to break parsers."""
    old, _ = make_repo(tmp_path / "upstream", {"a.py": "x = 1\n"}, {"a.py": "x = 2\n"})
    good = {f"good{n}.py": f"value_{n} = 1\n" for n in range(14)}
    deep = "x=" + "(" * 900_000 + "1" + ")" * 900_000 + "\n# the end\n"
    rows = [f"L-G{n}: {{path: good{n}.py, lines: 1, find: value_{n}}}" for n in range(14)]
    rows[3:3] = ["L-OFF: {path: good0.py, lines: 1, find: value_9}"]
    rows[6:6] = ["O-SHALLOW: {path: a.py, lines: 1, find: x = 1}"]
    rows[9:9] = ["L-POINTER: {path: big.bin, lines: 1, find: version}"]
    rows[12:12] = ["L-GONE: {path: gone.py, lines: 1, find: value}"]
    rows[15:15] = ["L-DEEP: {path: deep.py, lines: 2, find: the end, symbol: f}"]
    files = registry(*rows)
    second = f"  other:\n    url: https://github.com/o/other\n    commit: {old}\n    prefix: O\nanchors:\n"
    files["anchors.yaml"] = files["anchors.yaml"].replace("anchors:\n", second)
    project = make_project(files, {**good, "big.bin": POINTER, "deep.py": deep})
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{tmp_path}/upstream", str(project.root / "vendor/other"))

    ran = claimcheck("verify", "--format", "json", cwd=project.root)
    assert ran.code == 1
    document = json.loads(ran.out)
    ids = [row.partition(":")[0] for row in rows]
    assert [anchor["id"] for anchor in document["anchors"]] == ids
    statuses = {anchor["id"]: anchor["status"] for anchor in document["anchors"] if anchor["status"] != "verified"}
    assert {id: status for id, status in statuses.items() if id != "L-DEEP"} == {
        "L-OFF": "failed",
        "O-SHALLOW": "unverified",
        "L-POINTER": "unverified",
        "L-GONE": "failed",
    }
    assert statuses["L-DEEP"] in ("failed", "unverified")
    classes = {finding["subject"]: finding["class"] for finding in document["findings"]}
    assert classes["other"] == classes["L-POINTER"] == "environment"
    assert classes["L-OFF"] == classes["L-GONE"] == "finding"
    summary = document["summary"]
    parts = ("verified", "failed", "unverified", "untested", "waived")
    assert sum(summary[part] for part in parts) == summary["anchors"] == 19
    assert summary["verified"] == 14
    assert claimcheck("verify", "--format", "json", cwd=project.root).out == ran.out

    # The twentieth has a bad field; then nothing is checked, and only that is told.
    project.write("anchors.yaml", project.read("anchors.yaml") + "  L-BAD: {path: good0.py, line: 1}\n")
    ran = claimcheck("verify", "--format", "json", cwd=project.root)
    assert ran.code == 2
    assert [(f["subject"], f["rule"], f["class"]) for f in json.loads(ran.out)["findings"]] == [
        ("L-BAD", "unknown-key", "input")
    ]


ODD = [
    "L-X\n::error::x",
    "\x1b[31mL",
    "a\rb",
    "##vso[task.x]",
    "../../etc/passwd",
    "L-TAKE ",
    "%s%n",
    "变量",
    "",
    "-",
    "\udcff\udcfe",
    "A" * 3000,
]


@pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text[:12]))
def test_odd_arguments_are_told_on_one_plain_line(text: str, make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS)
    before = {path: path.read_bytes() for path in project.root.rglob("*.yaml")}
    for arguments in (
        ["verify", text],
        ["verify", "--at", text],
        ["verify", "--at", f"lib={text}"],
        ["excerpt", text],
        ["cite", text],
        ["explain", text],
        ["list", "--vendor", text],
        ["lock", text],
        ["mv", "L-TAKE", text],
        ["mv", text, "L-TOOK"],
        ["rm", text],
        ["add", text, "lib:pool.py:11-12"],
        ["add", "L-X", text],
        ["add", "L-X", f"lib:{text}:1"],
        ["add", "L-X", f"lib:pool.py:{text}"],
        ["verify", "--format", text],
        [text],
        ["verify", "--output", f"{text}/x"],
    ):
        ran = claimcheck(*arguments, cwd=project.root)
        if arguments == ["explain", ""] or ran.code == 0:
            continue
        assert ran.code in (1, 2), (arguments, ran)
        shown = ran.out + ran.err
        assert not set("\x1b\r") & set(shown), arguments
        assert not any(line.startswith(("::", "##")) or "##vso[" in line for line in shown.split("\n")), arguments
        assert "Traceback" not in shown
    assert {path: path.read_bytes() for path in project.root.rglob("*.yaml")} == before


def test_output_never_replaces_a_registry_file_a_link_or_a_device(
    make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path
) -> None:
    project = make_project(FILES, *COMMITS)
    text = project.read("anchors.yaml")
    ran = claimcheck("verify", "--output", "anchors.yaml", cwd=project.root)
    assert ran.code == 2
    assert ran.err.startswith("error: anchors.yaml is there and no report; nothing was written\n")
    assert project.read("anchors.yaml") == text
    report, link = tmp_path / "report.txt", tmp_path / "link.txt"
    report.write_text("old\n")
    report.chmod(0o600)
    link.symlink_to("report.txt")
    assert claimcheck("verify", "--output", str(link), cwd=project.root).code == 0
    assert link.is_symlink() and report.read_text().startswith("anchors ")
    assert report.stat().st_mode & 0o777 == 0o600
    assert claimcheck("verify", "--output", os.devnull, cwd=project.root).code == 0
    assert not Path(os.devnull).is_file()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_values_are_shown_short_and_no_variable_is_expanded(
    make_project: MakeProject, claimcheck: Claimcheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_hunter2")
    project = make_project(
        registry(
            "L-A: {path: $GITHUB_TOKEN/${HOME}.py, lines: 1, find: '%GITHUB_TOKEN% ${GITHUB_TOKEN}'}",
            f"L-B: {{path: pool.py, lines: {'9' * 5000}}}",
        ),
        *COMMITS,
    )
    ran = claimcheck("verify", "--debug", cwd=project.root)
    assert ran.code == 2
    assert "hunter2" not in ran.out + ran.err
    assert all(len(line) < 6000 for line in ran.out.split("\n"))
    assert all(len(line) < 300 for line in findings(ran))


def test_secrets_and_places_of_this_machine_are_in_no_output(
    make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_hunter2")
    project = make_project(FILES, *COMMITS)
    config = project.root / "vendor/lib/.git/config"
    config.write_text(config.read_text() + '[remote "origin"]\n\turl = https://me:hunter2@github.com/o/lib\n')
    for arguments in (
        ["verify", "--verbose"],
        ["verify", "--format", "json"],
        ["verify", "--at", "0" * 39 + "1"],
        ["excerpt", "L-TAKE", "--format", "html"],
        ["cite", "L-TAKE"],
        ["list", "--format", "json"],
        ["vendor", "status"],
        ["lock"],
        ["vendor", "fetch", "lib", "v9.9", "--from", "vendor/lib"],
        [],
    ):
        ran = claimcheck(*arguments, cwd=project.root)
        assert "hunter2" not in ran.out + ran.err, arguments
        assert str(tmp_path) not in ran.out + ran.err, arguments
