"""Ranges and search strings, as people get them wrong, from the registry to the exit code."""

from __future__ import annotations

import json

import pytest

from conftest import Claimcheck, MakeProject, SmallProject
from small import findings, registry


def move_pin(project: SmallProject, commit: int) -> None:
    """Write another commit into the registry by hand and leave the rest."""
    project.write("anchors.yaml", project.read("anchors.yaml").replace(project.commits[0], project.commits[commit]))


def test_the_last_line_needs_no_line_feed_and_a_final_one_starts_no_further(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        registry(
            "L-LAST: {path: a.py, lines: 2-2, find: y = 2}",
            "L-NONE: {path: a.py, lines: 3-3, find: y = 2}",
            "L-PHANTOM: {path: b.py, lines: 3, find: y = 2}",
            "L-EMPTY: {path: empty.py, lines: 1-1, find: y = 2}",
        ),
        {"a.py": "x = 1\ny = 2", "b.py": "x = 1\ny = 2\n", "empty.py": ""},
    )
    ran = claimcheck("verify", cwd=project.root)
    at = project.commits[0][:8]
    assert ran.code == 1
    assert findings(ran) == [
        f"anchors.yaml:8:31: error: L-NONE: a.py at lib {at} has 2 lines, not 3 [range-beyond-file]",
        f"anchors.yaml:9:34: error: L-PHANTOM: b.py at lib {at} has 2 lines, not 3 [range-beyond-file]",
        f"anchors.yaml:10:36: error: L-EMPTY: empty.py at lib {at} has 0 lines, not 1 [range-beyond-file]",
    ]
    shown = claimcheck("excerpt", "L-LAST", cwd=project.root)
    assert shown.code == 0 and "\n 2 | y = 2\n" in shown.out


def test_a_misspelt_string_is_told_with_everything_that_names_it_and_nothing_is_shown(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(registry("L-A: {path: src/a.py, lines: 1-2, find: Begin}"), {"src/a.py": "# Being\nx = 1\n"})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert findings(ran) == [
        f"anchors.yaml:7:43: error: L-A: `Begin` is nowhere in src/a.py at lib {project.commits[0][:8]} [find-nowhere]"
    ]
    for form in ("text", "markdown", "html", "json"):
        shown = claimcheck("excerpt", "L-A", "--format", form, cwd=project.root)
        assert (shown.code, shown.out) == (1, ""), form
        assert "[find-nowhere]" in shown.err


def test_ranges_beyond_the_file_are_neither_clamped_nor_slow(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(
        registry(
            "L-A: {path: a.py, lines: 10-20, find: y = 2}",
            "L-B: {path: a.py, lines: 2-10000000, find: y = 2}",
            "L-C: {path: a.py, lines: 2-4, find: y = 2}",
        ),
        {"a.py": "x = 1\ny = 2\nz = 3\n"},
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert [line.partition("has ")[2] for line in findings(ran)] == [
        "3 lines, not 20 [range-beyond-file]",
        "3 lines, not 10000000 [range-beyond-file]",
        "3 lines, not 4 [range-beyond-file]",
    ]
    assert claimcheck("excerpt", "L-A", cwd=project.root).out == ""
    huge = make_project(
        registry("L-A: {path: a.py, lines: 2-99999999999, find: y = 2}"), {"a.py": "x\n"}, root=project.root / "huge"
    )
    ran = claimcheck("verify", cwd=huge.root)
    assert ran.code == 2
    assert "`2-99999999999` goes beyond line 10,000,000" in ran.out


def test_every_malformed_range_of_a_file_is_told_with_its_place_and_text(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    bad = ["3-1", "0-2", "-1", "-", "1-2-3", "a-b", "1_0", "+5", "\u0661-\u0662", "", "01-2"]
    rows = [f'L-B{n}: {{path: a.py, lines: "{text}", find: x = 1}}' for n, text in enumerate(bad)]
    rows += ["L-EMPTY: {path: a.py, lines: [], find: x = 1}", "L-OVER: {path: a.py, lines: [1-5, 3-8], find: x = 1}"]
    rows += ['L-GOOD: {path: a.py, lines: "7-7", find: x = 7}']
    project = make_project(registry(*rows), {"a.py": "".join(f"x = {n}\n" for n in range(1, 10))})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 2
    told = findings(ran)
    assert [line.split(": ")[0].split(":")[1] for line in told] == [str(7 + n) for n in range(len(bad) + 2)]
    assert all(f"`{text}`" in line for text, line in zip(bad, told, strict=False) if text)
    assert "L-GOOD" not in ran.out
    assert ran.out.endswith(f"Nothing checked: {len(bad) + 2} errors in anchors.yaml.\n")
    good = make_project(registry(rows[-1]), {"a.py": project.read("vendor/lib/a.py")}, root=project.root / "good")
    assert claimcheck("verify", cwd=good.root).code == 0


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte order mark"])
def test_a_range_that_begins_at_line_one_has_the_first_line(
    mark: bytes, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        registry("L-A: {path: a.py, lines: 1-1, find: first = 1}", "L-B: {path: a.py, lines: 1-3, find: first = 1}"),
        {"a.py": mark + b"first = 1\nsecond = 2\nthird = 3\nfourth = 4\n"},
    )
    assert claimcheck("verify", cwd=project.root).code == 0
    document = json.loads(claimcheck("excerpt", "L-A", "L-B", "--format", "json", cwd=project.root).out)
    assert [excerpt["regions"][0]["text"] for excerpt in document["excerpts"]] == [
        ["first = 1"],
        ["first = 1", "second = 2", "third = 3"],
    ]


def test_without_a_string_only_a_line_is_cited_and_that_is_not_verified(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(registry("L-A: {path: a.c, lines: 3-3}"), {"a.c": "int f() {\n  return 1;\n}\n"})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert findings(ran) == [
        "anchors.yaml:7:27: warning: L-A: line 3 has no search string of its own; its content is not verified "
        "[region-unfindable]"
    ]
    assert "anchors    1   0 verified, 0 failed, 1 unverified\n" in ran.out


@pytest.mark.parametrize("string", ['""', "null", '"   "'])
def test_an_empty_string_is_refused_since_it_would_match_everything(
    string: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(registry(f"L-A: {{path: a.c, lines: 3-3, find: {string}}}"), {"a.c": "{\n}\n}\n"})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 2
    assert findings(ran)[0].startswith("anchors.yaml:7:38: error: L-A: find ")


def test_a_string_one_line_further_is_told_with_the_distance_and_the_range_that_would_hold_it(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        registry("L-OFF: {path: a.py, lines: 53-53, find: needle}", "L-IN: {path: a.py, lines: 53-60, find: needle}"),
        {"a.py": "x = 1\n" * 53 + "needle\n" + "z = 1\n" * 20},
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert findings(ran) == [
        "anchors.yaml:7:43: error: L-OFF: `needle` is not in line 53, but at line 54 (+1) [find-elsewhere]"
    ]
    assert "\n    help: lines: 54\n" in ran.out
    assert claimcheck("verify", "L-IN", cwd=project.root).code == 0


def test_a_file_that_only_head_and_the_disk_have_is_not_in_the_pin(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    files = registry("L-HEAD: {path: new.py, lines: 1, find: y = 2}", "L-DISK: {path: disk.py, lines: 1, find: y = 2}")
    project = make_project(files, {"a.py": "x = 1\n"}, {"a.py": "x = 1\n", "new.py": "y = 2\n"})
    project.write("vendor/lib/disk.py", "y = 2\n")
    ran = claimcheck("verify", cwd=project.root)
    at, head = (commit[:8] for commit in project.commits)
    assert ran.code == 1
    assert [line.partition("error: ")[2] for line in findings(ran) if "error" in line] == [
        f"L-HEAD: new.py is not in lib {at} [path-missing]",
        f"L-DISK: disk.py is not in lib {at} [path-missing]",
    ]
    assert f"    lib {at} has no file new.py; HEAD, at {head}, has it\n" in ran.out
    assert claimcheck("excerpt", "L-HEAD", "L-DISK", cwd=project.root).out == ""


def test_a_renamed_file_is_missing_at_the_new_pin_and_followed_from_the_old_one(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    body = "def alpha():\n    first = load()\n    return first.second()\n"
    project = make_project(
        registry("L-A: {path: src/a.py, lines: 1-3, find: def alpha}"), {"src/a.py": body}, {"src/b.py": body}
    )
    ran = claimcheck("verify", "--at", project.commits[1], cwd=project.root)
    assert ran.code == 0
    assert "1 verified (0 at their lines, 1 found elsewhere)" in ran.out
    shown = claimcheck("excerpt", "L-A", "--at", project.commits[1], cwd=project.root)
    assert "src/b.py (lines 1-3; registry src/a.py 1-3)" in shown.out
    move_pin(project, 1)
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert f"L-A: src/a.py is not in lib {project.commits[1][:8]} [path-missing]" in ran.out


MARKED = "a = 1\n# BEGIN x\nfoo()\nbar()\n# END x\nb = 1\nc = 1\n"


@pytest.mark.parametrize(
    ("then", "rule"),
    [
        (MARKED.replace("# END x\n", ""), "`# END x` is nowhere in a.py"),
        (MARKED.replace("foo()\n", "foo()\n# BEGIN x\n"), "`# END x` is not in lines 2-5, but at line 6 (+1)"),
    ],
    ids=["the end marker is gone", "the begin marker stands twice"],
)
def test_a_marker_that_is_lost_never_lets_a_region_grow(
    then: str, rule: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    files = registry('L-A: {path: a.py, lines: 2-5, find: ["# BEGIN x", "# END x"]}')
    project = make_project(files, {"a.py": MARKED}, {"a.py": then})
    assert claimcheck("verify", cwd=project.root).code == 0
    move_pin(project, 1)
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1 and rule in ran.out
    shown = claimcheck("excerpt", "L-A", cwd=project.root)
    assert (shown.code, shown.out) == (1, "")


def test_a_string_that_a_comment_took_with_it_is_a_finding_at_the_other_revision_too(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    files = registry('L-A: {path: a.py, lines: 2-5, find: ["# BEGIN x", "# END x"]}')
    project = make_project(files, {"a.py": MARKED}, {"a.py": MARKED.replace("# END x\n", "")})
    ran = claimcheck("verify", "--at", project.commits[1], cwd=project.root)
    assert ran.code == 1
    assert f"`# END x` is nowhere in a.py at lib {project.commits[1][:8]} [find-nowhere]" in ran.out
    assert claimcheck("excerpt", "L-A", "--at", project.commits[1], cwd=project.root).out == ""


def block(name: str) -> str:
    return f"    def {name}(self):\n        {name}_first()\n        log(1)\n        done()\n\n"


@pytest.mark.parametrize(
    ("order", "lines"), [(("one", "two", "three"), "12-13"), (("two", "one", "three"), "7-8")], ids=["moved", "swapped"]
)
def test_one_of_three_equal_blocks_is_followed_with_its_method(
    order: tuple[str, ...], lines: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    before = "class A:\n" + "".join(block(name) for name in ("one", "two", "three"))
    after = "# new\n# new\n# new\nclass A:\n" + "".join(block(name) for name in order)
    project = make_project(registry("L-A: {path: a.py, lines: 9-10, find: log(1)}"), {"a.py": before}, {"a.py": after})
    assert claimcheck("verify", cwd=project.root).code == 0
    ran = claimcheck("excerpt", "L-A", "--at", project.commits[1], cwd=project.root)
    if ran.code == 0:
        assert f"A.two  {lines}\n" in ran.out
    else:
        assert ran.out == ""
        assert "[region-ambiguous]" in ran.err
        assert all(str(line) in ran.err for line in (7, 12, 17))


def test_a_look_alike_is_never_shown_for_what_was_deleted(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    def function(name: str, word: str) -> str:
        return f'def {name}():\n    a = load("{word}")\n    b = a.first()\n    return b.second()\n\n\n'

    project = make_project(
        registry("L-A: {path: a.py, lines: 1-4, find: def alpha}"),
        {"a.py": function("alpha", "x") + function("beta", "y")},
        {"a.py": function("beta", "y")},
    )
    ran = claimcheck("verify", "--at", project.commits[1], cwd=project.root)
    assert ran.code == 1
    assert "[region-gone]" in ran.out
    for form in ("text", "json"):
        shown = claimcheck("excerpt", "L-A", "--at", project.commits[1], "--format", form, cwd=project.root)
        assert (shown.code, shown.out) == (1, "")


def test_each_of_two_ranges_moves_on_its_own(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    lines = [f"value_{n} = compute({n})\n" for n in range(1, 60)]
    project = make_project(
        registry("L-A: {path: a.py, lines: [10-12, 40-44], find: [value_10 =, value_40 =]}"),
        {"a.py": "".join(lines)},
        {"a.py": "".join([*lines[:20], *["new = 1\n"] * 5, *lines[20:]])},
    )
    shown = claimcheck("excerpt", "L-A", "--at", project.commits[1], cwd=project.root)
    assert shown.code == 0
    assert "lines 10-12\n 10 | value_10 = compute(10)\n" in shown.out
    assert "  ...   32 lines\n\nlines 45-49\n 45 | value_40 = compute(40)\n" in shown.out


def test_a_region_that_went_to_a_longer_file_is_looked_at_there(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    function = "def target(a, b):\n    变量 = a + b\n    return helper(变量\u200b, 12345)\n"
    project = make_project(
        registry("L-A: {path: a.py, lines: 2-4, find: def target}"),
        {"a.py": "# 变量\n" + function + "z = 1\n", "b.py": "y = 1\n" * 100},
        {"a.py": "# 变量\nz = 1\n", "b.py": "y = 1\n" * 100 + function},
    )
    ran = claimcheck("verify", "--at", project.commits[1], cwd=project.root)
    assert ran.code == 0
    assert "L-A: line 103 has U+200B ZERO WIDTH SPACE at column 21 [invisible-characters]\n" in ran.out
    assert f"    lib {project.commits[1][:8]}  b.py\n    103 |     return helper(变量\\u200b, 12345)\n" in ran.out
    document = json.loads(claimcheck("verify", "--at", project.commits[1], "--format", "json", cwd=project.root).out)
    assert document["anchors"][0]["path"] == "a.py"
    assert document["anchors"][0]["regions"][0]["path"] == "b.py"
    assert document["anchors"][0]["regions"][0]["lines"] == [101, 103]
