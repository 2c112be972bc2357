"""What hostile or huge input may do: cost itself, for a bounded time and in bounded memory, and say so."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import claimcheck as package
import claimcheck.parsing as parsing
from conftest import Claimcheck, MakeProject, Ran, SmallProject, git
from small import HEAD, registry

FOR_EVER = 120  # seconds; says only that something has no end
GOOD = "def good():\n    return 1\n"
LATE = "a<" * 400_000 + "\n// the end\n"


# By a small process, since what a process takes is counted from that of the one that it was made of.
MEASURE = (
    "import resource, subprocess, sys\n"
    "code = subprocess.call(sys.argv[2:], timeout=int(sys.argv[1]))\n"
    "open('took', 'w').write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))\n"
    "sys.exit(code)\n"
)


def child(root: Path, *arguments: str) -> tuple[Ran, int]:
    """Run a command in a process of its own, which may crash; what it printed, and the KiB that it and its gits took."""
    source = str(Path(package.__file__).parents[1])
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": source, "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-c", MEASURE, str(FOR_EVER), sys.executable, "-m", "claimcheck", *arguments]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    return Ran(done.returncode, done.stdout, done.stderr), int((root / "took").read_text())


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

    # A git that compares files has a quarter of a GiB beside its code; without a bound it takes two copies.
    ran, took = child(project.root, "drift", "lib", new, "--all")
    assert ran.code == 1 and "Traceback" not in ran.err and took < 2 * most
    assert "L-SMALL" in ran.out and "L-HUGE" in ran.out

    questions = [asked(project, "small.txt", 3, 4), asked(project, "huge.txt", 1, 1), asked(project, "good.py", 1, 2)]
    (project.root / "q").write_text("".join(json.dumps(question) + "\n" for question in questions))
    ran, took = child(project.root, "relocate", "--batch", "q")
    assert "Traceback" not in ran.err and took < 2 * most
    assert told(ran)[2]["outcome"] == "unchanged"

    ran, took = child(project.root, "lock")
    assert "Traceback" not in ran.err and took < most
    ran, took = child(project.root, "excerpt", "L-HUGE", "L-LAST")
    assert ran.code == 1 and "Traceback" not in ran.err and took < most
    assert "20 MiB" in ran.out + ran.err and "return 1" in ran.out


# Much of everything


def many(count: int) -> str:
    return "".join(f"def function_{n}(value):\n    return compute(value, {n})\n\n\n" for n in range(count))


def test_lists_of_thousands_of_places_are_cut(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    claims = (
        "lesson: one\nclaims:\n"
        "  C1.1: {text: One., cites: [L-GOOD], checks: [{never-calls: compute, scope: file}]}\n"
        "  C1.2: {text: Two., cites: [L-GOOD], checks: [{calls: compute, scope: file}]}\n"
    )
    same = "def same():\n    return compute(1)\n\n\n" * 3_000
    files = registry(
        "L-GOOD: {path: many.py, lines: 1-2, find: def same}",
        "L-STRING: {path: many.py, lines: 12001, find: return compute}",
        "L-SYMBOL: {path: many.py, lines: 12001, find: the end, symbol: same}",
        "L-ONLY: {path: many.py, symbol: same}",
    )
    text = same + "# the end\n"
    project = make_project(
        {**files, "claims/one.yaml": claims},
        {"many.py": text},
        {"many.py": text.replace("1)", "2)") + "x\n"},
    )
    for arguments in (["verify"], ["verify", "--at", project.commits[1]], ["drift", "lib", project.commits[1]]):
        ran = claimcheck(*arguments, cwd=project.root)
        assert ran.code == 1 and ran.err == ""
        assert len(ran.out) < 5_000
    ran = claimcheck("verify", cwd=project.root)
    assert "lines 2, 6, 10 and 2997 more [check-failed]" in ran.out
    assert "6, in same, 10, in same and 2997 more [find-elsewhere]" in ran.out
    assert "21-22 and 2994 more [symbol-missing]" in ran.out
    ran = claimcheck("drift", "lib", project.commits[1], "--format", "json", cwd=project.root)
    assert len(ran.out) < 20_000, ran.out[:9000]


def test_one_definition_that_became_thousands_is_shown_with_a_few_of_them(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    one = "def same(a):\n    return compute(a, 0)\n"
    new = "".join(f"def same(a):\n    return compute(a, {n})\n" for n in range(1, 2_000))
    rows = ("L-LINES: {path: a.py, lines: 1-2, find: def same}", "L-NAME: {path: a.py, symbol: same}")
    project = make_project(registry(*rows), {"a.py": one}, {"a.py": new})
    ran = claimcheck("drift", "lib", project.commits[1], "--format", "json", cwd=project.root)
    assert ran.code == 1
    for anchor in json.loads(ran.out)["anchors"]:
        (region,) = anchor["regions"]
        assert (region["outcome"], len(region["candidates"])) == ("ambiguous", 10)
        assert region["evidence"] == "1999 definitions of `same`: lines 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and 1989 more"


@pytest.mark.parametrize("kind", ["moved", "edited", "renamed", "gone", "assigned anew"])
def test_thousands_of_anchors_of_one_file_are_drifted(
    kind: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    count = 1_000
    definitions = [
        f"def function_{n}(value_{n}):\n    one = value_{n}\n    return compute(one, {n})\n\n" for n in range(count)
    ]
    old, new = "".join(definitions), "x = 1\n"
    if kind == "moved":
        random.Random(5).shuffle(definitions)
        new = "".join(definitions)
    elif kind == "edited":
        new = old.replace("    return", "    check()\n    return")
    elif kind == "renamed":
        new = old.replace("function_", "fun_")
    elif kind == "assigned anew":
        old = "".join(f"setting_{n} = {n}\nother_{n} = {n}\nthird_{n} = {n}\n\n" for n in range(count))
        new = old.replace("\nother_", "\nadded = 1\nother_")
    start = "setting" if kind == "assigned anew" else "def function"
    rows = [f"L-A{n}: {{path: a.py, lines: {4 * n + 1}-{4 * n + 3}, find: {start}_{n}}}" for n in range(count)]
    project = make_project(registry(*rows), {"a.py": old}, {"a.py": new})
    assert claimcheck("lock", "-q", cwd=project.root).code == 0
    assert claimcheck("verify", "-q", cwd=project.root).code == 0
    ran = claimcheck("drift", "lib", project.commits[1], cwd=project.root)
    outcome = {"moved": "moved", "gone": "deleted"}.get(kind, "edited")
    assert (ran.code, ran.err) == (int(kind != "moved"), "")
    assert f"{count} anchors: " in ran.out and f"{count} {outcome}" in ran.out


def test_in_twenty_thousand_functions_that_were_moved_one_is_found(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    functions = many(20_000).split("\n\n\n")[:-1]
    old = "\n\n\n".join(functions) + "\n"
    random.Random(3).shuffle(functions)
    new = "\n\n\n".join(functions) + "\n"
    project = make_project(
        registry(
            "L-A: {path: a.py, symbol: function_7777}", "L-B: {path: a.py, lines: 31113-31114, find: function_7778}"
        ),
        {"a.py": old},
        {"a.py": new},
    )
    assert claimcheck("verify", cwd=project.root).code == 0
    ran = claimcheck("drift", "lib", project.commits[1], "--format", "json", "--all", cwd=project.root)
    found = [anchor["regions"][0]["to"]["lines"][0] for anchor in json.loads(ran.out)["anchors"]]
    lines = new.split("\n")
    assert [lines[line - 1] for line in found] == ["def function_7777(value):", "def function_7778(value):"]


@pytest.mark.parametrize("kind", ["nothing in common", "one long line"])
def test_texts_that_are_hard_to_compare_are_drifted(
    kind: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    chance = random.Random(7)
    if kind == "one long line":
        old = "x = '" + "a" * 2_000_000 + "' + first_of_it\n"
        new = old.replace("aaa'", "b'")
    else:
        old, new = (
            "first_of_it\n" * (n == 0) + "".join(f"x = {chance.random()}\n" for _ in range(50_000)) for n in (0, 1)
        )
    files = registry("L-A: {path: a.py, lines: 1, find: first_of_it}", "L-GOOD: {path: good.py, symbol: good}")
    project = make_project(files, {"a.py": old, "good.py": GOOD}, {"a.py": new, "good.py": "\n" + GOOD})
    for format in ("text", "json", "markdown", "html"):
        arguments = [] if format != "html" else ["-o", "page.html"]
        ran = claimcheck("drift", "lib", project.commits[1], "--all", "--format", format, *arguments, cwd=project.root)
        assert ran.code == 1 and "Traceback" not in ran.err
    ran = claimcheck("drift", "lib", project.commits[1], "--format", "json", "--all", cwd=project.root)
    outcomes = {anchor["id"]: anchor["outcome"] for anchor in json.loads(ran.out)["anchors"]}
    assert outcomes["L-GOOD"] == "moved"
    assert outcomes["L-A"] in ("deleted", "edited", "ambiguous")


# What the parser did not understand


def test_what_stands_beside_an_error_is_marked(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    old = "def take(self):\n    a = 1\n    return a\n\n\ndef give(self):\n    b = 1\n    return b\n"
    new = old.replace("    a = 1\n", "    a = 2\n    b = = (\n")
    files = registry(
        "L-TAKE: {path: a.py, lines: 1-3, find: def take}", "L-GIVE: {path: a.py, lines: 6-8, find: def give}"
    )
    project = make_project(files, {"a.py": old}, {"a.py": new})
    ran = claimcheck("drift", "lib", project.commits[1], "--format", "json", "--all", cwd=project.root)
    regions = {anchor["id"]: anchor["regions"][0] for anchor in json.loads(ran.out)["anchors"]}
    assert regions["L-TAKE"]["outcome"] == "edited"
    assert regions["L-TAKE"]["evidence"].endswith("; the parser did not understand all of it")
    assert regions["L-TAKE"]["confidence"] <= 0.7
    assert regions["L-GIVE"]["outcome"] == "moved"
    # The place was found by the lock and the strings alone: the text has to be there as well.
    assert claimcheck("verify", cwd=project.root).code == 0


# Lessons


@pytest.mark.parametrize("name", ["lesson.html", "lesson.md"])
def test_documents_made_to_break_scanners_cost_themselves_only(
    name: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    pieces = ["<", "[", "<!--", "<!-- claimcheck: pins -->\n", "![](", "`", "[L-GOOD]("]
    files = {f"lessons/{n}-{name}": piece * (300_000 // len(piece)) for n, piece in enumerate(pieces)}
    files["lessons/huge-" + name] = "word " * 2_200_000
    files["lessons/zz-" + name] = "Taken from [L-GOOD] and [L-NOWHERE].\n"
    text = HEAD + "anchors:\n  L-GOOD: {path: good.py, symbol: good}\n"
    project = make_project({**files, "anchors.yaml": text}, {"good.py": GOOD})
    ran, _ = child(project.root, "verify", "--format", "json")
    assert ran.code == 1 and ran.err == "", ran.err
    found = json.loads(ran.out)["findings"]

    by_rule = {one["rule"]: one for one in found if one["place"]["path"].startswith("lessons/")}
    assert by_rule["document-unreadable"]["place"]["path"] == f"lessons/huge-{name}"
    assert "larger than 10 MiB" in by_rule["document-unreadable"]["message"]
    assert any(one["rule"] == "unknown-id" and one["place"]["path"] == f"lessons/zz-{name}" for one in found)
