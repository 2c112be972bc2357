"""What hostile or huge input may do: cost itself, for a bounded time and in bounded memory, and say so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import claimcheck as package
import claimcheck.parsing as parsing
from conftest import Claimcheck, MakeProject, Ran, SmallProject, git
from small import registry

FOR_EVER = 120  # seconds; says only that something has no end
GOOD = "def good():\n    return 1\n"
LATE = "a<" * 400_000 + "\n// the end\n"


def child(root: Path, *arguments: str) -> tuple[Ran, int]:
    """Run a command in a process of its own, which may crash; what it printed, and the KiB that it and its gits took."""
    source = str(Path(package.__file__).parents[1])
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": source, "PYTHONSAFEPATH": "1"}
    with open(root / "out", "w+b") as out, open(root / "err", "w+b") as err:
        command = [sys.executable, "-m", "claimcheck", *arguments]
        started = subprocess.Popen(command, cwd=root, env=environment, stdout=out, stderr=err)
        watch = subprocess.Popen(["sh", "-c", f"sleep {FOR_EVER}; kill -9 {started.pid}"], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        watch.kill()
        watch.wait()
    said = ((root / name).read_bytes().decode() for name in ("out", "err"))
    return Ran(started.returncode, *said), used.ru_maxrss


def told(ran: Ran) -> list[dict[str, object]]:
    return [json.loads(line) for line in ran.out.split("\n") if line]


def asked(project: SmallProject, path: str, first: int, last: int) -> dict[str, object]:
    where = str(project.root / "vendor/lib")
    old, new = project.commits
    return {"id": path, "repo": where, "from": old, "to": new, "path": path, "lines": [first, last]}


# The stack


@pytest.mark.parametrize(
    ("path", "deep"),
    [
        ("deep.py", "x = " + "(" * 900_000 + "1" + ")" * 900_000 + "\n"),
        ("deep.cpp", "int x = " + "(" * 900_000 + "1" + ")" * 900_000 + ";\n"),
        ("blocks.cpp", "void f() " + "{" * 100_000 + "}" * 100_000 + "\n"),
        ("open.cpp", "{" * 50_000 + "\n"),
    ],
    ids=["parentheses of Python", "parentheses of C++", "blocks", "open braces"],
)
def test_nesting_crashes_no_command_and_costs_itself_only(path: str, deep: str, make_project: MakeProject) -> None:
    anchors = registry(
        "L-FIRST: {path: good.py, symbol: good}",
        f"L-LINE: {{path: {path}, lines: 1, find: '{deep[:5]}'}}",
        f"L-DEEP: {{path: {path}, lines: 2-3, find: end_of_it}}",
        "L-LAST: {path: good.py, lines: 2, find: return 1}",
    )
    old = {"good.py": GOOD, path: deep + "end_of_it\nis_here\n"}
    new = {"good.py": "import a\n\n" + GOOD, path: "\n" + deep + "end_of_it\nis_here\n"}
    project = make_project(anchors, old, new)

    ran, _ = child(project.root, "verify", "--format", "json")
    assert (ran.code, ran.err) == (0, ""), ran.out[:2000]
    assert [anchor["status"] for anchor in json.loads(ran.out)["anchors"]] == ["verified"] * 4

    ran, _ = child(project.root, "drift", "lib", project.commits[1], "--format", "json", "--all")
    assert (ran.code, ran.err) == (0, ""), ran.out[:2000]
    moved = [(anchor["id"], anchor["regions"][0]["outcome"]) for anchor in json.loads(ran.out)["anchors"]]
    assert sorted(moved) == [("L-DEEP", "moved"), ("L-FIRST", "moved"), ("L-LAST", "moved"), ("L-LINE", "moved")]

    questions = [asked(project, path, 2, 3), asked(project, "good.py", 1, 2), asked(project, path, 1, 1)]
    (project.root / "q").write_text("".join(json.dumps(question) + "\n" for question in questions))
    ran, _ = child(project.root, "relocate", "--batch", "q")
    assert (ran.code, ran.err) == (0, ""), ran.out[:2000]
    assert [(one["outcome"], one["lines"]) for one in told(ran)] == [
        ("moved", [3, 4]),
        ("moved", [3, 4]),
        ("moved", [2, 2]),
    ]

    ran, _ = child(project.root, "excerpt", "L-DEEP", "L-LAST")
    assert (ran.code, ran.err) == (0, "") and "is_here" in ran.out and "return 1" in ran.out
    ran, _ = child(project.root, "lock")
    assert (ran.code, ran.err) == (0, "") and "4 " in ran.out


# Time


def test_what_cannot_be_parsed_in_time_is_answered_by_its_text_and_says_so(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    files = registry(
        "L-SAME: {path: late.cpp, lines: 2, find: the end}",
        "L-EDITED: {path: late.cpp, lines: 4-6, find: total}",
        "L-GOOD: {path: good.py, symbol: good}",
    )
    tail = "int total = one(1)\nint again = two(2)\nint more = three(3)\n"
    edited = tail.replace("two(2)", "two(2, 3)")
    project = make_project(
        files,
        {"late.cpp": LATE + "\n" + tail, "good.py": GOOD},
        {"late.cpp": "\n" + LATE + "\n" + edited, "good.py": GOOD},
    )
    ran = claimcheck("drift", "lib", project.commits[1], "--format", "json", "--all", cwd=project.root)
    assert ran.code == 1
    outcomes = {anchor["id"]: anchor["regions"][0] for anchor in json.loads(ran.out)["anchors"]}
    assert outcomes["L-SAME"]["outcome"] == "moved"
    assert outcomes["L-EDITED"]["outcome"] == "edited"
    assert "by its text alone, since the file could not be parsed within " in outcomes["L-EDITED"]["evidence"]
    assert outcomes["L-GOOD"]["outcome"] == "unchanged"


CLAIMS = """\
lesson: one
claims:
  C1.1: {text: One., cites: [L-FIRST], checks: [calls: {in: L-FIRST, call: work}]}
  C1.2: {text: Two., cites: [L-LATE], checks: [never-calls: free]}
  C1.3: {text: Three., cites: [L-LAST], checks: [calls: {in: L-LAST, call: work}]}
"""


def test_a_claim_about_what_cannot_be_parsed_in_time_is_unverified_and_others_are_not(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    files = registry(
        "L-FIRST: {path: good.py, symbol: first}",
        "L-LATE: {path: late.cpp, lines: 2, find: the end}",
        "L-LAST: {path: good.py, symbol: last}",
    )
    good = "def first():\n    work()\n\n\ndef last():\n    work()\n"
    project = make_project({**files, "claims/one.yaml": CLAIMS}, {"good.py": good, "late.cpp": LATE})
    ran = claimcheck("verify", "--format", "json", cwd=project.root)
    document = json.loads(ran.out)
    assert ran.code == 1
    assert [anchor["status"] for anchor in document["anchors"]] == ["verified"] * 3
    assert [claim["status"] for claim in document["claims"]] == ["holds", "unverified", "holds"]
    (check,) = document["claims"][1]["checks"]
    assert "late.cpp could not be parsed within " in check["message"]


def test_a_slow_file_costs_its_budget_once(
    make_project: MakeProject, claimcheck: Claimcheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []
    parse = parsing._parse

    def counted(grammar: parsing.Grammar, source: bytes, budget: parsing._Budget) -> object:
        tries.append(len(source))
        return parse(grammar, source, budget)

    monkeypatch.setattr(parsing, "_parse", counted)
    rows = [f"L-S{n}: {{path: late.cpp, lines: 2, find: the end, symbol: s{n}}}" for n in range(40)]
    rows[20:20] = ["L-GOOD: {path: good.py, symbol: good}"]
    # Texts that no test before this one had parsed.
    late, good = LATE + "// once\n", GOOD + "# once\n"
    project = make_project(registry(*rows), {"late.cpp": late, "good.py": good})
    ran = claimcheck("verify", "--format", "json", cwd=project.root)
    assert ran.code == 1
    assert sorted(tries) == [len(good), len(late)]
    anchors = json.loads(ran.out)["anchors"]
    assert [anchor["id"] for anchor in anchors] == [row.partition(":")[0] for row in rows]
    assert {anchor["status"] for anchor in anchors if anchor["id"] != "L-GOOD"} == {"unverified"}
    assert anchors[20]["status"] == "verified"


# Memory

HUGE = 300  # MiB, of which git keeps 1.3


def commit_with(lib: Path, tree: str, *parents: str) -> str:
    above = [word for parent in parents for word in ("-p", parent)]
    return git(lib, "commit-tree", tree, *above, "-m", "commit")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory a process had")
@pytest.mark.parametrize("renamed", [False, True], ids=["in its place", "renamed and edited"])
def test_a_huge_blob_is_never_inflated(renamed: bool, tmp_path: Path, make_project: MakeProject) -> None:
    project = make_project({}, {"good.py": GOOD, "small.txt": "one line\n" * 10})
    lib = project.root / "vendor/lib"
    with open(tmp_path / "huge", "wb") as file:
        for _ in range(HUGE):
            file.write(b"A" * (1 << 20))
    ids = [git(lib, "-c", "core.compression=1", "hash-object", "-w", str(tmp_path / "huge"))]
    with open(tmp_path / "huge", "ab") as file:
        file.write(b"one more line\n")
    if renamed:
        ids.append(git(lib, "-c", "core.compression=1", "hash-object", "-w", str(tmp_path / "huge")))
    (tmp_path / "huge").unlink()
    good, small = git(lib, "rev-parse", "HEAD:good.py"), git(lib, "rev-parse", "HEAD:small.txt")

    def tree(**files: str) -> str:
        rows = "".join(f"100644 blob {id}\t{name.replace('_', '.')}\n" for name, id in sorted(files.items()))
        return git(lib, "mktree", input=rows.encode())

    old = commit_with(lib, tree(good_py=good, huge_txt=ids[0], small_txt=small))
    # What was small is huge now, and what was huge has another name.
    new = commit_with(lib, tree(good_py=good, moved_txt=ids[-1], small_txt=ids[0]), old)
    git(lib, "update-ref", "refs/heads/main", new)
    rows = (
        "L-FIRST: {path: good.py, symbol: good}",
        "L-HUGE: {path: huge.txt, lines: 1, find: AAAA}",
        "L-SMALL: {path: small.txt, lines: 3-4, find: one line}",
        "L-LAST: {path: good.py, lines: 2, find: return 1}",
    )
    text = registry(*rows)["anchors.yaml"].replace("{c1}", old)
    project = SmallProject(project.root, [old, new])
    project.write("anchors.yaml", text)

    most = HUGE * 1000  # KiB, less than one copy takes
    ran, took = child(project.root, "verify", "--format", "json")
    assert ran.code == 1 and took < most
    document = json.loads(ran.out)
    statuses = {anchor["id"]: anchor["status"] for anchor in document["anchors"]}
    assert statuses == {"L-FIRST": "verified", "L-HUGE": "unverified", "L-SMALL": "verified", "L-LAST": "verified"}
    problems = {finding["rule"]: finding for finding in document["findings"] if finding["subject"] == "L-HUGE"}
    problem = problems["source-unavailable"]
    assert (problem["class"], problem["message"]) == (
        "environment",
        "huge.txt has 300 MiB; files of up to 20 MiB are read",
    )

    ran, took = child(project.root, "drift", "lib", new, "--all")
    assert ran.code == 1 and "Traceback" not in ran.err and took < most
    assert "L-SMALL" in ran.out and "L-HUGE" in ran.out

    questions = [asked(project, "small.txt", 3, 4), asked(project, "huge.txt", 1, 1), asked(project, "good.py", 1, 2)]
    (project.root / "q").write_text("".join(json.dumps(question) + "\n" for question in questions))
    ran, took = child(project.root, "relocate", "--batch", "q")
    assert "Traceback" not in ran.err and took < most
    assert told(ran)[2]["outcome"] == "unchanged"

    ran, took = child(project.root, "lock")
    assert "Traceback" not in ran.err and took < most
    ran, took = child(project.root, "excerpt", "L-HUGE", "L-LAST")
    assert ran.code == 1 and "Traceback" not in ran.err and took < most
    assert "20 MiB" in ran.out + ran.err and "return 1" in ran.out
