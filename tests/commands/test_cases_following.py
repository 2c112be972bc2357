"""Ranges and search strings followed to another commit: what drift says, bump writes, and verify makes of it then."""

from __future__ import annotations

import json

import pytest

from conftest import Claimcheck, MakeProject, git
from following import followed
from small import findings

NUMBERED = [f"value_{n} = compute({n})\n" for n in range(1, 60)]
FUNCTION = "def alpha():\n    first = load()\n    return first.second()\n"


def test_lines_put_above_are_told_in_one_row_and_bump_changes_exactly_the_pin_and_the_range(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    old = (
        "".join(f"x{n} = {n}\n" for n in range(1, 100))
        + "def target():\n    a = 1\n    b = 2\n    c = 3\n    return a\n"
    )
    case = followed(
        make_project,
        claimcheck,
        ['L-A: {path: src/a.py, lines: "100-104", find: "def target():"}  # the target'],
        {"src/a.py": old},
        {"src/a.py": "# new\n" * 10 + old},
    )
    assert case.verifies()
    before = case.project.read("anchors.yaml")
    text = claimcheck("drift", "lib", case.id(2), cwd=case.project.root)
    assert (text.code, text.err) == (0, "")
    assert [line for line in text.out.split("\n") if "L-A" in line] == ["  L-A  moved  a.py 100-104 -> 110-114"]
    assert case.project.read("anchors.yaml") == before
    assert case.bump()
    after = before.replace(case.id(1), case.id(2)).replace('"100-104"', '"110-114"')
    assert case.project.read("anchors.yaml") == after
    assert case.verifies()
    assert case.bump() and case.project.read("anchors.yaml") == after


def test_of_two_ranges_only_the_one_below_the_insertion_moves_with_both_ends(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    case = followed(
        make_project,
        claimcheck,
        ["L-A: {path: a.py, lines: [10-12, 40-44], find: [value_10 =, value_40 =]}"],
        {"a.py": "".join(NUMBERED)},
        {"a.py": "".join([*NUMBERED[:20], *["new = 1\n"] * 5, *NUMBERED[20:]])},
    )
    assert case.drift() == {"L-A": "unchanged 10-12 + moved 45-49"}
    assert case.bump() and case.lines() == {"L-A": "[10-12, 45-49]"}
    assert case.verifies()
    shown = claimcheck("excerpt", "L-A", cwd=case.project.root).out
    assert "lines 10-12\n 10 | value_10" in shown and "  ...   32 lines\n\nlines 45-49\n 45 | value_40" in shown


@pytest.mark.parametrize("words", [("x", "y"), ("red", "blue")])
def test_a_look_alike_beside_what_was_deleted_is_a_trail_at_most(
    words: tuple[str, str], make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    alpha, beta = (
        f'def {name}():\n    a = load("{word}")\n    b = a.first()\n    return b.second()\n\n\n'
        for name, word in zip(("alpha", "beta"), words, strict=True)
    )
    case = followed(
        make_project,
        claimcheck,
        ["L-A: {path: a.py, lines: 1-4, find: def alpha}", "L-B: {path: a.py, lines: 7-10, find: def beta}"],
        {"a.py": alpha + beta},
        {"a.py": beta},
    )
    assert case.drift() == {"L-A": "deleted", "L-B": "moved 1-4"}
    entry = case.project.read("anchors.yaml").split("\n")[6]
    assert not case.bump()
    assert case.bump(2, "--hold")
    held = case.project.read("anchors.yaml").split("\n")[6]
    assert held == entry.replace("path: a.py,", f"path: a.py, commit: {case.id(1)},")
    assert case.lines()["L-B"] == "1-4" and case.verifies()
    shown = claimcheck("excerpt", "L-A", cwd=case.project.root)
    assert "def alpha" in shown.out and "beta" not in shown.out
    assert claimcheck("review", "--held", "--accept", cwd=case.project.root).code == 1


def block(name: str, own: str = "") -> str:
    return f"    def {name}(self):\n{own}        log(1)\n        done()\n\n"


@pytest.mark.parametrize("order", ["one two three", "two one three", "three two one"])
@pytest.mark.parametrize(
    "own", ["", "        {name}_first()\n"], ids=["the same bodies", "bodies with a line of their own"]
)
def test_one_of_three_equal_blocks_follows_its_method_and_not_its_number(
    order: str, own: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    def text(names: str) -> str:
        return "class A:\n" + "".join(block(name, own.format(name=name)) for name in names.split())

    old, new = text("one two three"), "# new\n# new\n# new\n" + text(order)
    first, wanted = (
        next(n for n, line in enumerate(one.split("\n"), 1) if "def two" in line) + (2 if own else 1)
        for one in (old, new)
    )
    anchors = [f"L-A: {{path: a.py, lines: {first}-{first + 1}, find: log(1)}}"]
    case = followed(make_project, claimcheck, anchors, {"a.py": old}, {"a.py": new})
    assert case.drift() == {"L-A": f"moved {wanted}-{wanted + 1}"}
    assert case.bump() and case.lines() == {"L-A": f"{wanted}-{wanted + 1}"} and case.verifies()


def test_equal_blocks_of_a_text_without_structure_are_told_apart_by_their_neighbours_or_not_at_all(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    pair = "do(1)\nlog(1)\n"
    case = followed(
        make_project,
        claimcheck,
        ["L-A: {path: a.txt, lines: 5-6, find: log(1)}"],
        {"a.txt": f"a\n{pair}b\n{pair}c\n{pair}d\n"},
        {"a.txt": f"n\nn\nn\na\n{pair}b\n{pair}c\n{pair}d\n"},
        {"a.txt": f"x\n{pair}y\n{pair}z\n{pair}w\n"},
    )
    assert case.drift() == {"L-A": "moved 8-9"}
    assert case.drift(3) == {"L-A": "ambiguous"}
    ran = claimcheck("drift", "lib", case.id(3), cwd=case.project.root)
    assert "any of a.txt:5-6\n" in ran.out
    assert not case.bump(3)


MARKED = "a = 1\n# BEGIN x\nfoo()\nbar()\n# END x\nb = 1\nc = 1\n"


@pytest.mark.parametrize("watch", ["code", "all"])
def test_a_region_whose_end_marker_is_gone_does_not_grow_and_needs_a_person(
    watch: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    anchors = [f'L-A: {{path: a.py, lines: 2-5, find: ["# BEGIN x", "# END x"], watch: {watch}}}']
    case = followed(make_project, claimcheck, anchors, {"a.py": MARKED}, {"a.py": MARKED.replace("# END x\n", "")})
    assert case.verifies()
    assert case.drift() == {"L-A": "cosmetic 2-4" if watch == "code" else "edited 2-4"}
    ran = claimcheck("drift", "lib", case.id(2), cwd=case.project.root)
    assert ran.code == 1 and ran.out.endswith("1 anchor to read.\n")
    assert ("`# END x` does not stand there any more" in ran.out) is (watch == "code")
    assert not case.bump()
    assert "find-nowhere" in claimcheck("verify", "--at", case.id(2), cwd=case.project.root).out or watch == "all"
    assert case.bump(2, "--hold") and case.lines() == {"L-A": "2-5"}


def test_a_second_begin_marker_inside_is_a_change_of_a_comment(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    anchors = ['L-A: {path: a.py, lines: 2-5, find: ["# BEGIN x", "# END x"]}']
    twice = MARKED.replace("foo()\n", "foo()\n# BEGIN x\n")
    case = followed(make_project, claimcheck, anchors, {"a.py": MARKED}, {"a.py": twice})
    assert case.drift() == {"L-A": "cosmetic 2-6"}
    assert case.bump() and case.lines() == {"L-A": "2-6"} and case.verifies()


def test_a_string_that_was_never_in_its_lines_does_not_carry(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    text = "x = 1\n" * 53 + "needle\n" + "z = 1\n" * 20
    case = followed(
        make_project,
        claimcheck,
        [
            "L-OFF: {path: a.py, lines: 53-53, find: needle}",
            "L-IN: {path: a.py, lines: 53-60, find: needle}",
            "L-TYPO: {path: a.py, lines: 53-60, find: noodle}",
        ],
        {"a.py": text},
        {"a.py": "y = 1\n" + text},
    )
    assert case.drift()["L-IN"] == "moved 54-61"
    ran = claimcheck("drift", "lib", case.id(2), cwd=case.project.root)
    assert ran.code == 1 and ran.out.endswith("2 anchors to read.\n")
    assert "`needle` does not stand there any more" in ran.out and "`noodle` does not stand there any more" in ran.out
    assert not case.bump()
    assert case.bump(2, "--hold") and case.lines() == {"L-OFF": "53-53", "L-IN": "54-61", "L-TYPO": "53-60"}


def test_the_last_line_with_and_without_its_line_feed_is_the_same_line(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    anchors = ["L-A: {path: a.py, lines: 2-2, find: y = 2}", "L-EMPTY: {path: empty.py}"]
    ends = ["x = 1\ny = 2", "x = 1\ny = 2\n", "x = 1\ny = 2\nz = 3"]
    files = [{"a.py": text, "empty.py": content} for text, content in zip(ends, ["", "", "x\n"], strict=True)]
    case = followed(make_project, claimcheck, anchors, *files)
    assert case.drift() == {"L-A": "unchanged 2", "L-EMPTY": "unchanged 1-0"}
    assert case.drift(3) == {"L-A": "unchanged 2", "L-EMPTY": "edited 1"}


def test_ranges_beyond_the_recorded_file_are_not_followed(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    text = "x = 1\ny = 2\nz = 3\n"
    ranges = ["10-20", "2-10000000", "2-4"]
    anchors = [
        f"L-{name}: {{path: a.py, lines: {lines}, find: y = 2}}" for name, lines in zip("ABC", ranges, strict=True)
    ]
    case = followed(make_project, claimcheck, anchors, {"a.py": text}, {"a.py": "\n" + text})
    assert case.drift() == dict.fromkeys(["L-A", "L-B", "L-C"], "unavailable")
    ran = claimcheck("drift", "lib", case.id(2), cwd=case.project.root)
    assert "lines 2-10000000 were recorded, but a.py has 3 lines there\n" in ran.out
    assert not case.bump()


def test_a_byte_order_mark_that_comes_or_goes_moves_nothing(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    mark, text = b"\xef\xbb\xbf", b"first = 1\nsecond = 2\nthird = 3\nfourth = 4\n"
    anchors = ["L-A: {path: a.py, lines: 1-1, find: first = 1}", "L-B: {path: a.py, lines: 1-3, find: first = 1}"]
    case = followed(
        make_project, claimcheck, anchors, {"a.py": text}, {"a.py": mark + text}, {"a.py": mark + b"# n\n" + text}
    )
    assert case.drift() == {"L-A": "unchanged 1", "L-B": "unchanged 1-3"}
    assert case.bump() and case.verifies()
    assert case.drift(3) == {"L-A": "moved 2", "L-B": "moved 2-4"}
    assert case.bump(3) and case.verifies() and case.lines() == {"L-A": "2", "L-B": "2-4"}


@pytest.mark.parametrize(
    ("there", "said", "path"),
    [
        ({"src/b.py": FUNCTION}, "renamed src/b.py:1-3", "src/b.py"),
        ({"src/b.py": "# n\n" + FUNCTION}, "renamed src/b.py:2-4", "src/b.py"),
        ({"src/b.py": FUNCTION.replace("load()", "load(1)") + "# n\n" * 3}, "edited src/b.py:1-3", None),
        ({"lib/x.py": FUNCTION, "lib/y.py": FUNCTION}, "ambiguous", None),
        ({"src/z.py": "nothing = 1\n"}, "deleted", None),
    ],
    ids=["renamed", "renamed and longer", "renamed and changed", "two files of the same content", "gone"],
)
def test_a_file_that_has_another_path(
    there: dict[str, str], said: str, path: str | None, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    anchors = ["L-A: {path: src/a.py, lines: 1-3, find: def alpha}"]
    case = followed(make_project, claimcheck, anchors, {"src/a.py": FUNCTION + "x = 1\n" * 0}, there)
    assert case.drift() == {"L-A": said}
    assert case.bump() is (path is not None)
    assert case.verifies()
    assert f"path: {path or 'src/a.py'}," in case.project.read("anchors.yaml")


def test_what_only_the_target_has_is_found_by_its_strings_and_never_carried(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    case = followed(
        make_project,
        claimcheck,
        ["L-NEW: {path: new.py, lines: 1, find: y = 2}", "L-A: {path: a.py, lines: 1, find: x = 1}"],
        {"a.py": "x = 1\n"},
        {"a.py": "x = 1\n", "new.py": "y = 2\n"},
    )
    case.project.write("vendor/lib/disk.py", "z = 3\n")
    assert case.drift() == {"L-NEW": "located 1", "L-A": "unchanged 1"}
    assert not case.bump()
    document = json.loads(claimcheck("drift", "lib", case.id(2), "--format", "json", cwd=case.project.root).out)
    assert [one["compared"] for one in document["anchors"]] == [False, True]


def test_what_cannot_be_read_is_unavailable_also_where_nothing_moved(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    case = followed(
        make_project,
        claimcheck,
        [
            "L-BINARY: {path: img.bin, lines: 1, find: abc}",
            "L-NONE: {path: none.py, lines: 1, find: x = 1}",
            "L-A: {path: a.py, lines: 1, find: x = 1}",
        ],
        {"a.py": "x = 1\n", "img.bin": b"abc\0\n"},
        {"a.py": "x = 1\n", "img.bin": b"abc\0\n", "b.py": "y = 1\n"},
    )
    wanted = {"L-BINARY": "unavailable", "L-NONE": "unavailable", "L-A": "unchanged 1"}
    assert case.drift(1) == wanted
    assert "img.bin is a binary file\n" in claimcheck("drift", "lib", case.id(1), cwd=case.project.root).out
    assert case.drift(2) == wanted
    assert not case.bump()


@pytest.mark.parametrize(
    "rev", ["main", "HEAD~1", ":/commit", "HEAD^{}", "v1~0", "0" * 40, "-q", "--output=x", "{short}"]
)
def test_a_revision_that_moves_or_is_none_is_refused_by_drift_and_bump(
    rev: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    case = followed(
        make_project,
        claimcheck,
        ["L-A: {path: a.py, lines: 1, find: x = 1}"],
        {"a.py": "x = 1\n"},
        {"a.py": "\nx = 1\n"},
    )
    git(case.project.root / "vendor/lib", "tag", "v1")
    before = case.project.read("anchors.yaml")
    rev = rev.replace("{short}", case.id(2)[:8])
    for command in ("drift", "bump"):
        ran = claimcheck(command, "lib", rev, cwd=case.project.root)
        assert (ran.code, ran.out) == (2, ""), command
        if rev in ("main", case.id(2)[:8]):
            assert f"help: {case.id(2)}    ({rev} in vendor/lib, today)\n" in ran.err
    assert case.project.read("anchors.yaml") == before
    assert case.drift() == {"L-A": "moved 2"}


@pytest.mark.parametrize("pin", ["main", "v1", "HEAD~1", '":/commit"', "refs/heads/main", "{short}"])
def test_a_pin_that_moves_stops_every_command_with_what_prints_the_full_id(
    pin: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    case = followed(make_project, claimcheck, ["L-A: {path: a.py, lines: 1, find: x = 1}"], {"a.py": "x = 1\n"})
    pin = pin.replace("{short}", case.id(1)[:8])
    case.project.write("anchors.yaml", case.project.read("anchors.yaml").replace(f'"{case.id(1)}"', pin))
    for command in (("verify",), ("drift", "lib", case.id(1)), ("bump", "lib", case.id(1)), ("excerpt", "L-A")):
        ran = claimcheck(*command, cwd=case.project.root)
        assert ran.code == 2, command
        said = ran.out + ran.err
        assert "[floating-pin]" in said or "[short-pin]" in said
        assert f"rev-parse {pin}    prints the full id" in said or pin.startswith('"') or "~" in pin


def test_a_bare_line_is_carried_by_its_text_and_stays_unverified(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    text = "int f() {\n  return 1;\n}\n\nint g() {\n  return 1;\n}\n"
    case = followed(
        make_project,
        claimcheck,
        ["L-BRACE: {path: a.c, lines: 3-3}", "L-SAME: {path: a.c, lines: 6}"],
        {"a.c": text},
        {"a.c": "// n\n" + text},
        {"a.c": "// n\nint f() {\n  return 2;\n}\n"},
    )
    assert case.drift() == {"L-BRACE": "moved 4", "L-SAME": "moved 7"}
    assert case.drift(3) == {"L-BRACE": "deleted", "L-SAME": "deleted"}
    assert case.bump() and case.lines() == {"L-BRACE": "4", "L-SAME": "7"}
    ran = claimcheck("verify", "L-BRACE", cwd=case.project.root)
    assert [line.partition("L-BRACE: ")[2] for line in findings(ran) if "L-BRACE" in line] == []


def test_of_ten_anchors_one_that_is_lost_refuses_all_or_keeps_its_commit(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    functions = [f"def f{n}():\n    value = load({n})\n    return value.part_{n}\n\n\n" for n in range(10)]
    anchors = [f"L-F{n}: {{path: a.py, lines: {5 * n + 1}-{5 * n + 3}, find: def f{n}}}" for n in range(10)]
    case = followed(
        make_project,
        claimcheck,
        anchors,
        {"a.py": "".join(functions)},
        {"a.py": "".join(["import x\n\n", *functions[:4], *functions[5:]])},
    )
    assert [said.split()[0] for said in case.drift().values()].count("moved") == 9
    assert case.drift()["L-F4"] == "deleted"
    assert not case.bump()
    ran = claimcheck("bump", "lib", case.id(2), "--hold", cwd=case.project.root)
    assert ran.code == 0 and "carried   9   9 moved" in ran.out and "held      1   L-F4 keeps commit" in ran.out
    text = case.project.read("anchors.yaml")
    assert text.count(case.id(1)) == 1 and f"L-F4: {{path: a.py, commit: {case.id(1)}, lines: 21-23" in text
    assert case.verifies()
