"""Lines, encodings and files that are no text, from the repository to what is printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from conftest import Claimcheck, MakeProject
from small import POINTER, findings, registry

COMMAND = [sys.executable, "-P", "-m", "claimcheck"]  # not -I, which ignores PYTHON… variables


def test_only_line_feeds_count_in_every_command(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    text = 'x="a\u2028b"\n\x0c\n# \x85 \x0b \x1c\ndef f(): pass\n'
    project = make_project(registry("L-A: {path: a.py, lines: 4, find: def f}"), {"a.py": text})
    assert claimcheck("verify", cwd=project.root).code == 0
    assert "\nf  4\n 4 | def f(): pass\n" in claimcheck("excerpt", "L-A", cwd=project.root).out
    assert "/a.py#L4\n" in claimcheck("cite", "L-A", cwd=project.root).out
    assert claimcheck("lock", cwd=project.root).code == 0
    assert '"lines": [4, 4]' in project.read("anchors.lock")
    assert claimcheck("add", "L-B", "lib:a.py:f", cwd=project.root).code == 0
    assert "L-B: {path: a.py, lines: 4, find: def f}" in project.read("anchors.yaml")


def test_lone_carriage_returns_are_no_line_ends_and_reach_no_terminal(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        registry("L-TWO: {path: old.py, lines: 2-3, find: def f}", "L-ONE: {path: old.py, lines: 1, find: def f}"),
        {"old.py": "x=1\rdef f():\r    pass\r"},
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert [line.partition("error: ")[2] for line in findings(ran)] == [
        f"L-TWO: old.py at lib {project.commits[0][:8]} has 1 line, not 3 [range-beyond-file]"
    ]
    assert "lone CR characters; git and GitHub do not split there" in ran.out
    for form in ("text", "markdown"):
        shown = claimcheck("excerpt", "L-ONE", "--format", form, cwd=project.root)
        assert shown.code == 0 and "def f():" in shown.out and "\r" not in shown.out


def test_line_ends_of_windows_are_ignored_where_texts_are_compared(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        registry("L-A: {path: a.py, lines: 1-2, find: [def a, return 1]}"), {"a.py": "def a():\r\n    return 1\r\n"}
    )
    assert claimcheck("verify", cwd=project.root).code == 0
    shown = claimcheck("excerpt", "L-A", "--format", "markdown", cwd=project.root)
    assert "def a():\n    return 1\n" in shown.out and "\r" not in shown.out
    document = json.loads(claimcheck("excerpt", "L-A", "--format", "json", cwd=project.root).out)
    assert document["excerpts"][0]["regions"][0]["text"] == ["def a():", "    return 1"]


def test_a_byte_order_mark_is_neither_in_the_way_nor_shown(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = registry("L-A: {path: a.py, lines: 1, find: def f}")
    project = make_project(
        {"anchors.yaml": "\ufeff" + files["anchors.yaml"]}, {"a.py": b"\xef\xbb\xbfdef f():\n    pass\n"}
    )
    assert claimcheck("verify", cwd=project.root).code == 0
    shown = claimcheck("excerpt", "L-A", cwd=project.root)
    assert "\n 1 | def f():\n" in shown.out and "\ufeff" not in shown.out


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C.UTF-8"},
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii"},
    ],
    ids=str,
)
def test_findings_are_the_same_in_every_locale(environment: dict[str, str], make_project: MakeProject) -> None:
    files = registry(
        "L-GOOD: {path: a.py, lines: 1, find: 变量}",
        "L-FR: {path: a.py, lines: 2, find: français}",
        "L-BAD: {path: a.py, lines: 2, find: 变量}",
    )
    project = make_project(files, {"a.py": "变量 = 1\n# français\n"})
    wanted = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    done = subprocess.run(
        [*COMMAND, "verify", "--format", "json"],
        cwd=project.root,
        env={**wanted, **environment},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    document = json.loads(done.stdout.decode(environment.get("PYTHONIOENCODING", "utf-8")))
    assert [finding["message"] for finding in document["findings"]] == ["`变量` is not in line 2, but at line 1 (-1)"]
    text = subprocess.run(
        [*COMMAND, "verify"], cwd=project.root, env={**wanted, **environment}, capture_output=True, check=False
    )
    assert (text.returncode, text.stderr) == (1, b"")
    assert b"[find-elsewhere]" in text.stdout and b"2 verified, 1 failed" in text.stdout


def test_a_file_in_another_encoding_and_a_binary_one_leave_ten_good_ones_alone(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    good = [f"L-G{n}: {{path: good.py, lines: {n}, find: value_{n} =}}" for n in range(1, 11)]
    project = make_project(
        registry(
            *good[:5],
            "L-LATIN: {path: latin.py, lines: 1-2, find: x = 1}",
            "L-BINARY: {path: img.bin, lines: 1, find: abc}",
            *good[5:],
        ),
        {
            "good.py": "".join(f"value_{n} = {n}\n" for n in range(1, 11)),
            "latin.py": b"# caf\xe9\nx = 1\n",
            "img.bin": b"abc\0\n",
        },
    )
    ran = claimcheck("verify", cwd=project.root)
    at = project.commits[0][:8]
    assert ran.code == 1
    assert [line.partition(": ")[2] for line in findings(ran)] == [
        f"note: L-LATIN: latin.py at lib {at} is not UTF-8; read as Latin-1 [source-not-utf8]",
        f"error: L-BINARY: img.bin at lib {at} is a binary file [not-text]",
    ]
    assert "anchors   12   11 verified, 1 failed, 0 unverified\n" in ran.out
    shown = claimcheck("excerpt", "L-LATIN", cwd=project.root)
    assert shown.code == 0
    assert " 1 | # café\n" in shown.out and "note: not UTF-8; read as Latin-1\n" in shown.out
    assert claimcheck("excerpt", "L-BINARY", cwd=project.root).out == ""


def test_a_git_lfs_pointer_is_not_searched_but_a_file_that_quotes_one_is(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        registry(
            "L-POINTER: {path: big.py, lines: 1, find: version https}",
            "L-QUOTED: {path: quotes.py, lines: 2, find: version https}",
        ),
        {"big.py": POINTER, "quotes.py": f'"""\n{POINTER}"""\nx = 1\n'},
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert [line.partition("error: ")[2] for line in findings(ran)] == [
        "L-POINTER: big.py is a Git LFS pointer; its content is not in this repository [source-unavailable]"
    ]
    assert "anchors    2   1 verified, 0 failed, 1 unverified\n" in ran.out
    document = json.loads(claimcheck("verify", "--format", "json", cwd=project.root).out)
    assert [finding["class"] for finding in document["findings"]] == ["environment"]


def test_what_hides_in_a_line_is_told_with_code_point_and_column_and_shown_escaped(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        registry("L-A: {path: a.py, lines: 1-3, find: admin}", "L-B: {path: a.py, lines: 4, find: plain}"),
        {"a.py": "if admin\u202e: # \u2066x\nu\u200bser = 1\nx\ufeffy = 2\nplain = '变量 é 😀'\n"},
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 0
    assert [line.partition("warning: ")[2] for line in findings(ran)] == [
        "L-A: line 1 has U+202E RIGHT-TO-LEFT OVERRIDE at column 9 [invisible-characters]",
        "L-A: line 2 has U+200B ZERO WIDTH SPACE at column 2 [invisible-characters]",
        "L-A: line 3 has U+FEFF ZERO WIDTH NO-BREAK SPACE at column 2 [invisible-characters]",
    ]
    for form in ("text", "markdown", "html"):
        shown = claimcheck("excerpt", "L-A", "--format", form, cwd=project.root).out
        assert not set("\u202e\u2066\u200b\ufeff") & set(shown), form
    document = json.loads(claimcheck("excerpt", "L-A", "--format", "json", cwd=project.root).out)
    assert document["excerpts"][0]["regions"][0]["text"][1] == "u\u200bser = 1"
    locked = claimcheck("lock", cwd=project.root)
    assert (locked.code, locked.err) == (0, "")
    assert "2 of 2 anchors locked" in locked.out


def test_terminal_and_runner_commands_in_code_are_only_shown(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    evil = "# evil \x1b]52;c;AAAA\x07\x1b[2J\x9b31m\r::error::x\n::set-output name=a::b\n##vso[task.x]\n::add-mask::y\n"
    project = make_project(
        registry("L-A: {path: a.py, lines: 1-4, find: evil}", "L-B: {path: a.py, lines: 4, find: evil}"), {"a.py": evil}
    )
    for arguments in (["excerpt", "L-A"], ["excerpt", "L-A", "--format", "markdown"], ["verify"]):
        ran = claimcheck(*arguments, cwd=project.root)
        assert not set("\x1b\x07\x9b\r") & set(ran.out + ran.err)
        if "markdown" not in arguments:
            assert not any(line.startswith(("::", "##")) or "##vso[" in line for line in ran.out.split("\n"))


def test_a_line_of_megabytes_is_cut_wherever_it_is_shown(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(
        registry(
            "L-A: {path: min.js, lines: 1, find: tail_of_it}",
            "L-B: {path: min.js, lines: 2, find: tail_of_it}",
        ),
        {"min.js": "a" * 2_000_000 + "tail_of_it\nx\n"},
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert "L-B: `tail_of_it` is not in line 2, but at line 1 (-1) [find-elsewhere]\n" in ran.out
    assert len(ran.out) < 3000
    shown = claimcheck("excerpt", "L-A", cwd=project.root)
    assert shown.code == 0
    assert len(shown.out) < 4000 and "more characters" in shown.out


def test_a_file_of_hundreds_of_megabytes_is_not_read_and_one_of_five_is(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    long = "".join(f"value_{n:06} = compute({n:06}, 'something to fill the line')\n" for n in range(90_000))
    project = make_project(
        registry(
            "L-HUGE: {path: huge.txt, lines: 1, find: AAAA}",
            "L-LAST: {path: big.py, lines: 90001-90002, find: def last}",
        ),
        {"huge.txt": "A" * (101 << 20), "big.py": long + "def last():\n    return 1\n"},
    )
    assert len(long) > 5_000_000
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert [line.partition("error: ")[2] for line in findings(ran)] == [
        "L-HUGE: huge.txt has 101 MiB; files of up to 20 MiB are read [source-unavailable]"
    ]
    assert "anchors    2   1 verified, 0 failed, 1 unverified\n" in ran.out
