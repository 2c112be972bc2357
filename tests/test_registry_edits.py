"""Edits of registry files: what changes is what was meant, and every other byte stays."""

from __future__ import annotations

import difflib

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from claimcheck import registry
from claimcheck.edit import FileChange
from claimcheck.errors import RegistryError, WriteRefused
from claimcheck.model import (
    Anchor,
    Basis,
    Caveat,
    Claim,
    Documents,
    Lines,
    Pin,
    Region,
    Release,
    Vendor,
    Waiver,
    Watch,
)
from claimcheck.project import Project
from claimcheck.registry.edits import Editor, anchors_file, claims_file
from claimcheck.registry.yaml_write import flow, scalar

PIN = "308f8033b6addd782bdc11032483ff74fc7d0ccf"
OTHER_PIN = "f08e0be3a38f878e7334333b279c02d0ac7deafc"
SHA256 = "5e884898da28047151d0e56f8dc6292773603d0d6aabbd62a11ef721d1542d8a"

TEXT = f"""\
# The course.
vendors:
    lib:   # the library
        url: https://git.example.org/o/lib
        commit: {PIN}   # v0.32.0
        prefix: [L, M]
        releases: {{pypi: lib, versions: {{"0.33.0": {SHA256}}}}}
    tool: {{commit: "{PIN}", prefix: T}}

anchors:
    # the loop
    L-LOOP:
        find: "def step(self)"
        path: src/engine/core.py   # moved once
        lines: 710-740             # the whole method

    # two of three methods
    L-POOL:
        path: 'src/pool.py'
        lines: [681-714, "744-830"]  # get and free
        find:
            - get_new_blocks   # first
            - 'touch'
            # a remark
            - free_blocks
        # below the list
    L-FLOW: {{path: src/flow.py, lines: 1-2, commit: {PIN}, find: [aaa, "b, b"]}}
    L-ONE:
        path: src/one.py
        lines: 40
    L-BLOCK:
        path: src/block.py
        lines:
        - '1-5'   # head
        - 9
        - 20-30
    L-LONG:
        path: src/pool.py
        regions: [{{lines: 6-7, find: get_new_blocks}}, {{lines: 40}}, {{lines: 44-50, find: [touch, free]}}]
    L-FILE:
        path: README.md
        symbol: >-
            a folded
            symbol

waivers:
    - {{rule: path-missing, subject: L-FILE, reason: "no L-FILE"}}  # known
    - rule: lock-stale
      subject: 'L-POOL'
      reason: later
# the end"""

CLAIMS = """\
lesson: ONE
claims:
  ONE.1:
    text: L-POOL is said to be a pool   # L-POOL
    cites: [L-POOL, "L-LOOP"]
    checks:
      - calls: {in: L-POOL, call: f(L-POOL)}
    caveats: [{text: L-POOL, checks: [{absent: {in: ['L-POOL', L-LOOP]}}]}]
    note: L-POOL
  ONE.2: {text: t, cites: L-POOL}
  ONE.3:
    text: t
examples:
  L-E1: {title: t, cites: L-POOL, inputs: {x: L-POOL}}
"""


def edit(text: str | bytes, do, path: str = "anchors.yaml") -> str:
    """The text after a change; the change starts from exactly what was given."""
    content = text.encode() if isinstance(text, str) else text
    editor = Editor(path, content)
    do(editor)
    change = editor.change()
    assert (change.path, change.before) == (path, content)
    return change.after.decode()


def changed(text: str, do, path: str = "anchors.yaml") -> list[str]:
    """The lines that a change takes away and puts in, in order."""
    after = edit(text, do, path)
    diff = difflib.ndiff(text.split("\n"), after.split("\n"))
    return [line.rstrip() for line in diff if line[0] in "+-"]


def test_nothing_asked_is_nothing_changed():
    assert edit(TEXT, lambda editor: None) == TEXT


def test_setting_what_is_there_changes_nothing():
    def same(editor: Editor) -> None:
        editor.set_lines("L-LOOP", [Lines(710, 740)])
        editor.set_lines("L-POOL", [Lines(681, 714), Lines(744, 830)])
        editor.set_lines("L-ONE", [Lines(40, 40)])
        editor.set_lines("L-BLOCK", [Lines(1, 5), Lines(9, 9), Lines(20, 30)])
        editor.set_lines("L-LONG", [Lines(6, 7), Lines(40, 40), Lines(44, 50)])
        editor.set_lines("L-FILE", [])
        editor.set_find("L-POOL", ["get_new_blocks", "touch", "free_blocks"])
        editor.set_find("L-FLOW", ["aaa", "b, b"])
        editor.set_value("L-FILE", "symbol", "a folded symbol")
        editor.set_value("L-POOL", "path", "src/pool.py")
        editor.set_pin("lib", Pin(PIN), comment="v0.32.0")
        editor.remove_key("L-LOOP", "commit")

    assert edit(TEXT, same) == TEXT


# Ranges


@pytest.mark.parametrize(
    ("id", "ranges", "lines"),
    [
        (
            "L-LOOP",
            [Lines(711, 741)],
            [
                "-         lines: 710-740             # the whole method",
                "+         lines: 711-741             # the whole method",
            ],
        ),
        (
            "L-LOOP",
            [Lines(7, 7), Lines(9, 12)],
            [
                "-         lines: 710-740             # the whole method",
                "+         lines: [7, 9-12]             # the whole method",
            ],
        ),
        ("L-LOOP", [], ["-         lines: 710-740             # the whole method"]),
        (
            "L-POOL",
            [Lines(681, 714), Lines(745, 831)],
            [
                '-         lines: [681-714, "744-830"]  # get and free',
                '+         lines: [681-714, "745-831"]  # get and free',
            ],
        ),
        (
            "L-POOL",
            [Lines(744, 830)],
            [
                '-         lines: [681-714, "744-830"]  # get and free',
                '+         lines: ["744-830"]  # get and free',
            ],
        ),
        (
            "L-POOL",
            [Lines(1, 2), Lines(681, 714), Lines(744, 830), Lines(900, 900)],
            [
                '-         lines: [681-714, "744-830"]  # get and free',
                '+         lines: [1-2, 681-714, "744-830", 900]  # get and free',
            ],
        ),
        (
            "L-FLOW",
            [Lines(3, 4)],
            [
                f'-     L-FLOW: {{path: src/flow.py, lines: 1-2, commit: {PIN}, find: [aaa, "b, b"]}}',
                f'+     L-FLOW: {{path: src/flow.py, lines: 3-4, commit: {PIN}, find: [aaa, "b, b"]}}',
            ],
        ),
        (
            "L-FLOW",
            [],
            [
                f'-     L-FLOW: {{path: src/flow.py, lines: 1-2, commit: {PIN}, find: [aaa, "b, b"]}}',
                f'+     L-FLOW: {{path: src/flow.py, commit: {PIN}, find: [aaa, "b, b"]}}',
            ],
        ),
        ("L-ONE", [Lines(41, 41)], ["-         lines: 40", "+         lines: 41"]),
        ("L-ONE", [Lines(41, 43)], ["-         lines: 40", "+         lines: 41-43"]),
        (
            "L-BLOCK",
            [Lines(2, 6), Lines(9, 9), Lines(20, 31)],
            [
                "-         - '1-5'   # head",
                "+         - '2-6'   # head",
                "-         - 20-30",
                "+         - 20-31",
            ],
        ),
        ("L-BLOCK", [Lines(1, 5), Lines(20, 30)], ["-         - 9"]),
        ("L-BLOCK", [Lines(1, 5), Lines(9, 9), Lines(20, 30), Lines(50, 51)], ["+         - 50-51"]),
        ("L-BLOCK", [Lines(1, 5), Lines(7, 7), Lines(9, 9), Lines(20, 30)], ["+         - 7"]),
        ("L-FILE", [Lines(3, 5)], ["+         lines: 3-5"]),
        ("L-FILE", [Lines(3, 3), Lines(5, 6)], ["+         lines: [3, 5-6]"]),
        (
            "L-LONG",
            [Lines(6, 7), Lines(41, 42), Lines(44, 50)],
            [
                (
                    "-         regions: [{lines: 6-7, find: get_new_blocks}, {lines: 40},"
                    " {lines: 44-50, find: [touch, free]}]"
                ),
                (
                    "+         regions: [{lines: 6-7, find: get_new_blocks}, {lines: 41-42},"
                    " {lines: 44-50, find: [touch, free]}]"
                ),
            ],
        ),
    ],
)
def test_a_change_of_ranges_changes_those_ranges(id, ranges, lines):
    assert changed(TEXT, lambda editor: editor.set_lines(id, ranges)) == lines


def test_one_range_of_several_can_be_set_alone():
    for id, index, old, new in [
        ("L-LOOP", 0, "710-740", "1-2"),
        ("L-POOL", 1, '"744-830"', '"1-2"'),
        ("L-BLOCK", 2, "20-30", "1-2"),
        ("L-LONG", 2, "44-50", "1-2"),
    ]:
        after = edit(TEXT, lambda editor, id=id, index=index: editor.set_range(id, index, Lines(1, 2)))
        assert after == TEXT.replace(old, new)


def test_the_long_form_refuses_another_number_of_ranges():
    with pytest.raises(ValueError, match="more regions"):
        edit(TEXT, lambda editor: editor.set_lines("L-LONG", [Lines(1, 2)]))
    with pytest.raises(WriteRefused):
        edit(TEXT, lambda editor: editor.set_lines("L-LONG", [Lines(n, n) for n in range(1, 5)]))


def test_the_long_form_can_be_written_anew():
    regions = [Region(Lines(1, 2), ("abc",)), Region(Lines(9, 9)), Region(Lines(20, 21), ("d: e", "[f]"))]
    assert changed(TEXT, lambda editor: editor.set_regions("L-ONE", regions)) == [
        "-         lines: 40",
        '+         regions: [{lines: 1-2, find: abc}, {lines: 9}, {lines: 20-21, find: ["d: e", "[f]"]}]',
    ]


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_line_ends_mark_and_final_newline_stay_as_they_are(bom, newline, end):
    text = bom + (TEXT + end).replace("\n", newline).encode()
    editor = Editor("anchors.yaml", text)
    editor.set_lines("L-LOOP", [Lines(1, 2)])
    editor.set_commit("L-LOOP", Pin(OTHER_PIN), comment="v0.33.0")
    editor.add_anchor(Anchor("L-NEW", "lib", "new.py"), after="L-FILE")
    editor.remove_entry("L-POOL")
    after = editor.change().after
    assert after.startswith(bom)
    assert after.decode("utf-8-sig").endswith("# the end" + end.replace("\n", newline))
    assert after.count(b"\n") == after.count(newline.encode())
    assert after.count(b"\r") == (after.count(b"\n") if newline == "\r\n" else 0)


def test_mixed_line_ends_stay_mixed():
    text = TEXT.replace("src/one.py\n", "src/one.py\r\n").replace("{lines: 40}", "{lines: 41}")
    assert edit(text, lambda editor: editor.set_lines("L-ONE", [Lines(1, 2)])) == text.replace(
        "lines: 40", "lines: 1-2"
    )
    held = edit(text, lambda editor: editor.set_commit("L-ONE", Pin(PIN)))
    assert held == text.replace("src/one.py\r\n", f"src/one.py\r\n        commit: {PIN}\r\n")


# Strings and other values


@pytest.mark.parametrize(
    ("id", "strings", "lines"),
    [
        (
            "L-LOOP",
            ["def run(self)"],
            ['-         find: "def step(self)"', '+         find: "def run(self)"'],
        ),
        (
            "L-POOL",
            ["touch", "free_blocks"],
            ["-             - get_new_blocks   # first"],
        ),
        ("L-POOL", ["get_new_blocks", "touch", "free_blocks", "x: y"], ['+             - "x: y"']),
        (
            "L-POOL",
            ["get_new_blocks", "don't", "free_blocks"],
            ["-             - 'touch'", "+             - 'don''t'"],
        ),
        ("L-ONE", ["#include <x>"], ['+         find: "#include <x>"']),
        ("L-ONE", ["abc", "@b"], ['+         find: [abc, "@b"]']),
    ],
)
def test_a_change_of_strings_keeps_quotes_and_remarks(id, strings, lines):
    assert changed(TEXT, lambda editor: editor.set_find(id, strings)) == lines


def test_strings_of_one_region_of_the_long_form():
    after = edit(TEXT, lambda editor: editor.set_find("L-LONG", ["x, y"], region=1))
    assert after == TEXT.replace("{lines: 40}", '{lines: 40, find: "x, y"}')
    gone = edit(TEXT, lambda editor: editor.set_find("L-LONG", [], region=2))
    assert gone == TEXT.replace("{lines: 44-50, find: [touch, free]}", "{lines: 44-50}")


@pytest.mark.parametrize(
    ("id", "key", "text", "lines"),
    [
        (
            "L-LOOP",
            "path",
            "src/core.py",
            [
                "-         path: src/engine/core.py   # moved once",
                "+         path: src/core.py   # moved once",
            ],
        ),
        ("L-POOL", "path", "it's.py", ["-         path: 'src/pool.py'", "+         path: 'it''s.py'"]),
        ("L-ONE", "symbol", "Pool.get", ["+         symbol: Pool.get"]),
        ("L-ONE", "watch", "all", ["+         watch: all"]),
        (
            "L-FILE",
            "symbol",
            "plain",
            ["-         symbol: >-", "+         symbol: plain", "-             a folded", "-             symbol"],
        ),
    ],
)
def test_a_value_is_set_or_added(id, key, text, lines):
    assert changed(TEXT, lambda editor: editor.set_value(id, key, text)) == lines


def test_a_held_anchor_gets_its_commit_behind_the_path_and_loses_it_again():
    held = edit(TEXT, lambda editor: editor.set_commit("L-LOOP", Pin(PIN), comment="v0.32.0"))
    assert held == TEXT.replace("# moved once\n", f"# moved once\n        commit: {PIN}  # v0.32.0\n")
    assert edit(held, lambda editor: editor.remove_key("L-LOOP", "commit")) == TEXT


def test_a_held_anchor_on_one_line_likewise():
    bare = TEXT.replace(f", commit: {PIN}", "")
    held = edit(bare, lambda editor: editor.set_commit("L-FLOW", Pin(PIN), comment="v0.32.0"))
    assert held == TEXT.replace(
        f"path: src/flow.py, lines: 1-2, commit: {PIN}", f"path: src/flow.py, commit: {PIN}, lines: 1-2"
    )
    assert edit(held, lambda editor: editor.remove_key("L-FLOW", "commit")) == bare


def test_a_commit_moves_and_a_comment_that_names_a_version_moves_with_it():
    after = edit(TEXT, lambda editor: editor.set_pin("lib", Pin(OTHER_PIN), comment="v0.33.0"))
    assert after == TEXT.replace(f"{PIN}   # v0.32.0", f"{OTHER_PIN}   # v0.33.0")


@pytest.mark.parametrize("comment", ["# pinned by hand, do not move", "# see v0.32.0", "#"])
def test_any_other_comment_behind_a_commit_stays(comment):
    text = TEXT.replace("# v0.32.0", comment)
    after = edit(text, lambda editor: editor.set_pin("lib", Pin(OTHER_PIN), comment="v0.33.0"))
    assert after == text.replace(f"{PIN}   {comment}", f"{OTHER_PIN}   {comment}")


@pytest.mark.parametrize(
    ("commit", "written"),
    [
        ("1" * 40, f'"{"1" * 40}"'),
        ("0" * 39 + "7", f'"{"0" * 39}7"'),
        ("12e" + "5" * 37, f'"12e{"5" * 37}"'),
        ("1" * 39 + "e", "1" * 39 + "e"),
        (OTHER_PIN, OTHER_PIN),
        ("release/0.33.0", "release/0.33.0"),
    ],
)
def test_a_commit_is_quoted_where_any_reader_would_take_it_for_a_number(commit, written):
    after = edit(TEXT, lambda editor: editor.set_pin("lib", Pin(commit)))
    assert after == TEXT.replace(f"{PIN}   # v0.32.0", f"{written}   # v0.32.0")


def test_a_quoted_commit_stays_quoted():
    after = edit(TEXT, lambda editor: editor.set_pin("tool", Pin(OTHER_PIN)))
    assert after == TEXT.replace(f'"{PIN}"', f'"{OTHER_PIN}"')


# Entries


def test_a_new_anchor_stands_behind_another_in_its_layout():
    new = Anchor(
        "L-NEW",
        "lib",
        "src/new.py",
        (Region(Lines(1, 2)), Region(Lines(9, 9))),
        ("def f(): pass", "g(x)"),
        symbol="C.f",
        watch=Watch.ALL,
    )
    block = [
        "+     L-NEW:",
        "+         path: src/new.py",
        "+         lines: [1-2, 9]",
        '+         find: ["def f(): pass", g(x)]',
        "+         symbol: C.f",
        "+         watch: all",
    ]
    assert changed(TEXT, lambda editor: editor.add_anchor(new, after="L-ONE")) == block
    assert changed(TEXT, lambda editor: editor.add_anchor(new, after="L-LOOP")) == ["+", *block]
    assert changed(TEXT, lambda editor: editor.add_anchor(new, after="L-FLOW")) == [
        '+     L-NEW: {path: src/new.py, lines: [1-2, 9], find: ["def f(): pass", g(x)], symbol: C.f, watch: all}'
    ]


def test_a_new_anchor_stands_behind_what_belongs_to_its_neighbour():
    after = edit(TEXT, lambda editor: editor.add_anchor(Anchor("L-NEW", "lib", "x.py"), after="L-POOL"))
    assert "        # below the list\n\n    L-NEW:\n        path: x.py\n    L-FLOW" in after


def test_a_new_anchor_without_neighbour_goes_behind_the_last_of_its_prefix():
    text = "anchors:\n  L-A: {path: a}\n  T-A: {path: t}\n  L-B: {path: b}\n  M-A: {path: m}\n"
    after = edit(text, lambda editor: editor.add_anchor(Anchor("L-C", "lib", "c")))
    assert after == text.replace("  L-B: {path: b}\n", "  L-B: {path: b}\n  L-C: {path: c}\n")
    after = edit(text, lambda editor: editor.add_anchor(Anchor("N-A", "lib", "c"), after="L-GONE"))
    assert after == text + "  N-A: {path: c}\n"


def test_several_new_anchors_stand_in_the_order_in_which_they_came():
    def add(editor: Editor) -> None:
        for n in range(3):
            editor.add_anchor(Anchor(f"L-N{n}", "lib", f"{n}.py"), after="L-FLOW")

    after = edit(TEXT, add)
    assert [line for line in after.split("\n") if "L-N" in line] == [
        "    L-N0: {path: 0.py}",
        "    L-N1: {path: 1.py}",
        "    L-N2: {path: 2.py}",
    ]


def test_a_vendor_that_the_prefix_does_not_say_is_written():
    anchor = Anchor("X-A", "lib", "x.py")
    after = edit("anchors: {}\n", lambda editor: editor.add_anchor(anchor, prefix_says_vendor=False))
    assert after == "anchors:\n  X-A:\n    vendor: lib\n    path: x.py\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", "anchors:\n  L-A:\n    path: a.py\n"),
        ("# nothing yet\n", "# nothing yet\nanchors:\n  L-A:\n    path: a.py\n"),
        ("# nothing yet", "# nothing yet\nanchors:\n  L-A:\n    path: a.py"),
        ("documents: {}\n\n", "documents: {}\nanchors:\n  L-A:\n    path: a.py\n\n"),
        ("anchors:\n", "anchors:\n  L-A:\n    path: a.py\n"),
        ("anchors: {}  # none yet\nvendors:\n", "anchors:  # none yet\n  L-A:\n    path: a.py\nvendors:\n"),
        ("anchors:   # none yet", "anchors:   # none yet\n  L-A:\n    path: a.py"),
        ("anchors: {L-B: {path: b}}\n", "anchors: {L-B: {path: b}, L-A: {path: a.py}}\n"),
        ("{anchors: {L-B: {path: b}}}\n", "{anchors: {L-B: {path: b}, L-A: {path: a.py}}}\n"),
    ],
)
def test_the_first_anchor_of_a_file(text, after):
    assert edit(text, lambda editor: editor.add_anchor(Anchor("L-A", "lib", "a.py"))) == after


def test_a_file_that_does_not_exist_yet():
    editor = Editor("anchors.yaml", None)
    editor.add_vendor(Vendor("lib", Pin(PIN), ("L",)))
    editor.add_anchor(Anchor("L-A", "lib", "a.py"))
    editor.add_anchor(Anchor("L-B", "lib", "b.py"))
    after = (
        f"vendors:\n  lib:\n    commit: {PIN}\n    prefix: L\n"
        "anchors:\n  L-A:\n    path: a.py\n  L-B:\n    path: b.py\n"
    )
    assert editor.change() == FileChange("anchors.yaml", None, after.encode())


def test_an_entry_goes_with_the_comments_that_belong_to_it():
    assert changed(TEXT, lambda editor: editor.remove_entry("L-POOL")) == [
        "-     # two of three methods",
        "-     L-POOL:",
        "-         path: 'src/pool.py'",
        '-         lines: [681-714, "744-830"]  # get and free',
        "-         find:",
        "-             - get_new_blocks   # first",
        "-             - 'touch'",
        "-             # a remark",
        "-             - free_blocks",
        "-         # below the list",
    ]


def test_the_first_entry_goes_with_the_blank_line_behind_it():
    after = edit(TEXT, lambda editor: editor.remove_entry("L-LOOP"))
    assert "anchors:\n    # two of three methods\n    L-POOL:\n" in after


def test_the_last_entry_goes_and_the_blank_line_before_the_next_section_stays():
    after = edit(TEXT, lambda editor: editor.remove_entry("L-FILE"))
    assert "find: [touch, free]}]\n\nwaivers:\n" in after


@pytest.mark.parametrize(
    ("text", "id", "after"),
    [
        ("anchors:\n  L-A: {path: a}\n\n  L-B: {path: b}\n", "L-B", "anchors:\n  L-A: {path: a}\n"),
        ("anchors:\n  L-A: {path: a}\n\n  L-B: {path: b}", "L-B", "anchors:\n  L-A: {path: a}"),
        ("anchors:\n  L-A: {path: a}\n", "L-A", "anchors:\n"),
        ("anchors:\n  L-A: {path: a}", "L-A", "anchors:"),
        ("anchors: {L-A: {path: a}, L-B: {path: b}, L-C: {path: c}}", "L-A", "anchors: {L-B: {path: b}, L-C: {path: c}}"),
        ("anchors: {L-A: {path: a}, L-B: {path: b}, L-C: {path: c}}", "L-B", "anchors: {L-A: {path: a}, L-C: {path: c}}"),
        ("anchors: {L-A: {path: a}, L-B: {path: b}}\n", "L-B", "anchors: {L-A: {path: a}}\n"),
        ("anchors: {L-A: {path: a}}\n", "L-A", "anchors: {}\n"),
    ],
)  # fmt: skip
def test_removing_leaves_what_stands_beside(text, id, after):
    assert edit(text, lambda editor: editor.remove_entry(id)) == after


def test_several_entries_can_go_at_once():
    text = "anchors: {L-A: {path: a}, L-B: {path: b}, L-C: {path: c}}\n"
    assert edit(text, lambda e: [e.remove_entry(id) for id in ("L-A", "L-B")]) == "anchors: {L-C: {path: c}}\n"
    assert edit(text, lambda e: [e.remove_entry(id) for id in ("L-B", "L-C")]) == "anchors: {L-A: {path: a}}\n"
    block = "anchors:\n  L-A: {path: a}\n\n  # b\n  L-B: {path: b}\n\n  L-C: {path: c}\n"
    assert edit(block, lambda e: [e.remove_entry(id) for id in ("L-A", "L-B")]) == "anchors:\n  L-C: {path: c}\n"
    assert edit(block, lambda e: [e.remove_entry(id) for id in ("L-B", "L-C")]) == "anchors:\n  L-A: {path: a}\n"
    assert edit(block, lambda e: [e.remove_entry(id) for id in ("L-A", "L-B", "L-C")]) == "anchors:\n"


def test_removing_what_is_not_there_is_a_mistake_of_the_caller():
    with pytest.raises(KeyError):
        edit(TEXT, lambda editor: editor.remove_entry("L-NONE"))


def test_claims_can_be_removed_too():
    after = edit(CLAIMS, lambda editor: editor.remove_entry("ONE.2"), "claims/ONE.yaml")
    assert after == CLAIMS.replace("  ONE.2: {text: t, cites: L-POOL}\n", "")


def test_an_id_is_renamed_where_it_is_defined_and_waived():
    assert changed(TEXT, lambda editor: editor.rename_id("L-POOL", "L-BLOCKS")) == [
        "-     L-POOL:",
        "+     L-BLOCKS:",
        "-       subject: 'L-POOL'",
        "+       subject: 'L-BLOCKS'",
    ]


def test_an_id_is_renamed_where_it_is_cited_and_checked_but_not_in_prose():
    after = edit(CLAIMS, lambda editor: editor.rename_id("L-POOL", "L-BLOCKS"), "claims/ONE.yaml")
    assert after == (
        CLAIMS.replace("cites: [L-POOL", "cites: [L-BLOCKS")
        .replace("{in: L-POOL", "{in: L-BLOCKS")
        .replace("['L-POOL'", "['L-BLOCKS'")
        .replace("cites: L-POOL", "cites: L-BLOCKS")
    )


def test_renaming_says_whether_the_file_had_the_id():
    assert Editor("claims/ONE.yaml", CLAIMS.encode()).rename_id("L-LOOP", "L-RUN") is True
    assert Editor("claims/ONE.yaml", CLAIMS.encode()).rename_id("L-NONE", "L-RUN") is False


def test_a_claim_is_renamed_in_place():
    after = edit(CLAIMS, lambda editor: editor.rename_id("ONE.2", "ONE.9"), "claims/ONE.yaml")
    assert after == CLAIMS.replace("ONE.2", "ONE.9")


# Vendors


def test_a_release_is_added_behind_the_others_or_first():
    after = edit(TEXT, lambda editor: editor.add_release("lib", "0.34.0", SHA256))
    assert after == TEXT.replace(f"{SHA256}}}}}", f'{SHA256}, "0.34.0": {SHA256}}}}}')
    after = edit(TEXT, lambda editor: editor.add_release("lib", "0.34.0", SHA256, first=True))
    assert after == TEXT.replace('{"0.33.0"', f'{{"0.34.0": {SHA256}, "0.33.0"')


def test_a_first_release_is_added_in_the_layout_of_its_vendor():
    after = edit(TEXT, lambda editor: editor.add_release("tool", "1.0", SHA256, pypi="tool"))
    assert after == TEXT.replace("prefix: T}", f'prefix: T, releases: {{pypi: tool, versions: {{"1.0": {SHA256}}}}}}}')
    text = f"vendors:\n  lib:\n    commit: {PIN}\n    prefix: L\nanchors: {{}}\n"
    assert changed(text, lambda editor: editor.add_release("lib", "1.0", SHA256)) == [
        "+     releases:",
        f'+       versions: {{"1.0": {SHA256}}}',
    ]
    text = f"vendors:\n  lib:\n    commit: {PIN}\n    releases: {{pypi: lib}}\n"
    assert changed(text, lambda editor: editor.add_release("lib", "1.0", SHA256)) == [
        "-     releases: {pypi: lib}",
        f'+     releases: {{pypi: lib, versions: {{"1.0": {SHA256}}}}}',
    ]


def test_releases_on_lines_of_their_own():
    text = f'vendors:\n  lib:\n    commit: {PIN}\n    releases:\n      versions:\n        "1.0": {SHA256}\n'
    assert changed(text, lambda editor: editor.add_release("lib", "2.0", SHA256)) == [f'+         "2.0": {SHA256}']
    after = edit(text, lambda editor: editor.add_release("lib", "2.0", SHA256, first=True))
    assert after == text.replace('        "1.0"', f'        "2.0": {SHA256}\n        "1.0"')


def test_a_vendor_is_added_in_the_layout_of_its_neighbour():
    vendor = Vendor("new", Pin("1" * 40), ("N", "NEW"), "https://h.example.org/o/new", "new", (Release("2.0", SHA256),))
    assert changed(TEXT, lambda editor: editor.add_vendor(vendor)) == [
        (
            '+     new: {url: "https://h.example.org/o/new", commit: "1111111111111111111111111111111111111111",'
            f' prefix: ["N", NEW], releases: {{pypi: new, versions: {{"2.0": {SHA256}}}}}}}'
        )
    ]


# What cannot be done is refused


@pytest.mark.parametrize(
    "text",
    [
        "anchors:\n  ? L-A\n  : path: a\n    lines: 1-2\n",
        "anchors:\n  L-A:\n    path: a\n    lines: {x: 1}\n",
        "anchors:\n  L-A:\n    path: a\n    lines: [[1]]\n",
    ],
)
def test_an_unusual_form_is_changed_rightly_or_refused(text):
    try:
        after = edit(text, lambda editor: editor.set_lines("L-A", [Lines(5, 6)]))
    except WriteRefused as error:
        assert error.place is not None
        assert "nothing was written" in error.message
    else:
        assert yaml.safe_load(after)["anchors"]["L-A"]["lines"] == "5-6"


def test_a_file_that_is_no_yaml_is_not_edited():
    with pytest.raises(RegistryError):
        Editor("anchors.yaml", b"anchors: [\n")
    with pytest.raises(RegistryError):
        Editor("anchors.yaml", b"anchors: {} # \xff\n")


def test_a_result_that_says_something_else_is_refused():
    editor = Editor("anchors.yaml", b"anchors:\n  L-A: {path: a, lines: 1-2}\n")
    editor._yaml._insert(0, "vendors: {}\n")
    with pytest.raises(WriteRefused):
        editor.change()


# Fresh files

VENDORS = (
    Vendor("lib", Pin(PIN), ("L", "LX"), "https://h.example.org/o/lib", "lib", (Release("0.33.0", SHA256),)),
    Vendor("tool", Pin("2" * 40), ("N",), permalink="https://h.example.org/{commit}/{path}#L{first}-{last}"),
)
ANCHORS = (
    Anchor("L-LOOP", "lib", "src/core.py", (Region(Lines(710, 740)),), ("def step(self)",)),
    Anchor("L-POOL", "lib", "src/pool.py", (Region(Lines(681, 714)), Region(Lines(744, 744))), ("touch", "f(a, b)")),
    Anchor("L-FILE", "lib", "a: b.md", commit=Pin("release/0.33.0"), symbol="A.b", watch=Watch.DOCS),
    Anchor("L-LONG", "lib", "x.py", (Region(Lines(1, 2), ("abc",)), Region(Lines(9, 9), ("d e f", "#g h")))),
    Anchor("X-A", "tool", "3rd/x.c"),
)
CLAIM_VALUES = (
    Claim("ONE.1", "块从队首取出：见下", ("L-LOOP", "L-POOL"), Basis.CODE, "ONE", note="a: b"),
    Claim(
        "ONE.2",
        'He said "no" \\ and # left\nthe room',
        ("L-LOOP",),
        Basis.DERIVED,
        "ONE",
        (),
        (Caveat("只有单卡"), Caveat("no")),
        "12",
    ),
    Claim("ONE.3", "on", (), Basis.ADVICE, "ONE"),
)


def test_a_fresh_registry_is_in_the_compact_style():
    text = anchors_file(VENDORS[:1], ANCHORS[:3], documents=Documents(), waivers=[Waiver("r", "L-FILE", "why: so")])
    assert (
        text
        == f"""\
vendors:
  lib:
    url: https://h.example.org/o/lib
    commit: {PIN}
    prefix: [L, LX]
    releases:
      pypi: lib
      versions: {{"0.33.0": {SHA256}}}
documents: {{include: [lessons/**/*.html, lessons/**/*.md]}}
waivers:
  - {{rule: r, subject: L-FILE, reason: "why: so"}}
anchors:
  L-LOOP:
    path: src/core.py
    lines: 710-740
    find: def step(self)
  L-POOL:
    path: src/pool.py
    lines: [681-714, 744]
    find: [touch, "f(a, b)"]
  L-FILE:
    path: "a: b.md"
    commit: release/0.33.0
    symbol: A.b
    watch: docs
"""
    )


def test_what_is_written_fresh_loads_to_the_same_values(tmp_path):
    (tmp_path / "claims").mkdir()
    documents = Documents(("a/*.md",), ("b/*.md",), (("a/x.md", "a/y.md"),), "site")
    waivers = (Waiver("r", "L-FILE", "no: reason", PIN), Waiver("s", "X-A", "yes", "release"))
    text = anchors_file(VENDORS, ANCHORS, documents=documents, waivers=waivers)
    (tmp_path / "anchors.yaml").write_text(text, encoding="utf-8")
    claims = claims_file(CLAIM_VALUES, lesson="ONE", title="调度", lang="zh", written_at="0.33")
    (tmp_path / "claims" / "ONE.yaml").write_text(claims, encoding="utf-8")
    loaded = registry.load(Project(tmp_path))
    assert tuple(loaded.vendors.values()) == VENDORS
    assert tuple(loaded.anchors.values()) == ANCHORS
    assert tuple(loaded.claims.values()) == CLAIM_VALUES
    assert (loaded.documents, loaded.waivers) == (documents, waivers)


def test_empty_fresh_files_load(tmp_path):
    (tmp_path / "claims").mkdir()
    (tmp_path / "anchors.yaml").write_text(anchors_file([], []))
    (tmp_path / "claims" / "a.yaml").write_text(claims_file([]))
    assert registry.load(Project(tmp_path)).anchors == {}


def test_anchors_are_written_once_for_any_iterable():
    assert anchors_file(iter(VENDORS), iter(ANCHORS)) == anchors_file(VENDORS, ANCHORS)


# Scalars that every reader takes for text

TAKEN_FOR_SOMETHING_ELSE = [
    "y", "N", "yes", "No", "on", "OFF", "true", "False", "null", "~", "", "12", "0o17", "017", "0x1f", "0b11", "1_000",
    "12e5678", "1e3", ".5", "5.", "-.inf", ".NaN", "+1", "10:20", "1:2:3.5", "2024-01-02", "2024-1-2 10:00", "<<", "=",
    " a", "a ", "a: b", "a #b", "#a", "@a", "`a", "%a", "&a", "*a", "!a", "|a", ">a", "'a", '"a', "[a", "{a", "]a",
    "}a", ",a", "?a", "-a", "- a", ":a", "a:", "a\nb", "a\tb", "a\u2028b", "\ufeffa", "\x85", "a\xa0", "\u3000a", "null ",
]  # fmt: skip
PLAIN = ["710-740", "def step(self)", "get_new_blocks", "src/a-b.c", "块", "a, b", "f[0]", "x = {y}", "https://x/y",
         "a#b",         "it's", 'say "x"', "0.33.0rc1", "v1", "ef93", "no way", "12ab"]  # fmt: skip


@pytest.mark.parametrize("text", TAKEN_FOR_SOMETHING_ELSE)
def test_what_any_reader_could_take_for_something_else_is_quoted(text):
    for written in (scalar(text), scalar(text, flow=True)):
        assert written[0] in "'\""
        assert yaml.safe_load(written) == text


@pytest.mark.parametrize("text", PLAIN)
def test_ordinary_text_stays_without_quotes(text):
    assert scalar(text) == text
    assert yaml.safe_load(f"k: {text}") == {"k": text}


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_written_so_that_it_is_read_back(text):
    if any(0xD800 <= ord(char) < 0xE000 for char in text):
        return
    for loader in (yaml.SafeLoader, yaml.CSafeLoader):
        assert yaml.load(f"k: {scalar(text)}\nl: {flow([text, {text: text}])}\n", loader) == {
            "k": text,
            "l": [text, {text: text}],
        }


# The law: an edit changes the data as asked, and nothing but the spots that it names

RANGE = st.tuples(st.integers(1, 3000), st.integers(0, 60)).map(lambda pair: Lines(pair[0], pair[0] + pair[1]))
QUOTES = st.sampled_from(["", "'", '"'])
COMMENT = st.sampled_from(["", "  # a remark", " # 1-2", "   #"])
STRING = st.sampled_from(["abc", "def f(x):", "a, b, c", "# note", "it's", 'a "b" c', "变量名", "x: y", "@deco"])


@st.composite
def anchor_entries(draw, n: int) -> tuple[str, list[Lines], list[str]]:
    """An anchor in any layout, with its ranges and strings."""
    ranges = draw(st.lists(RANGE, min_size=1, max_size=4))
    strings = draw(st.lists(STRING, max_size=3, unique=True))
    layout = draw(st.sampled_from(["flow", "block", "list"]))
    wrap = [draw(QUOTES) for _ in ranges]
    texts = [f"{quote}{lines}{quote}" for quote, lines in zip(wrap, ranges, strict=True)]
    find = flow(strings) if strings else ""
    above = draw(st.sampled_from(["", "  # about it\n", "\n"]))
    if layout == "flow":
        parts = [f"path: f{n}.py", f"lines: {texts[0] if len(texts) == 1 else '[' + ', '.join(texts) + ']'}"]
        parts += [f"find: {find}"] if find else []
        return f"{above}  L-A{n}: {{{', '.join(parts)}}}{draw(COMMENT)}\n", ranges, strings
    indent = " " * draw(st.sampled_from([3, 4, 6, 8]))
    lines = [f"  L-A{n}:{draw(COMMENT)}", f"{indent}path: f{n}.py{draw(COMMENT)}"]
    if layout == "list":
        lines.append(f"{indent}lines:{draw(COMMENT)}")
        lines += [f"{indent}- {text}{draw(COMMENT)}" for text in texts]
    else:
        value = texts[0] if len(texts) == 1 else "[" + ", ".join(texts) + "]"
        lines.append(f"{indent}lines: {value}{draw(COMMENT)}")
    if find:
        lines.append(f"{indent}find: {find}{draw(COMMENT)}")
    return above + "\n".join(lines) + "\n", ranges, strings


@st.composite
def files(draw) -> tuple[str, dict[str, tuple[list[Lines], list[str]]]]:
    """A registry file in any layout, and the ranges and strings of its anchors."""
    entries = [draw(anchor_entries(n)) for n in range(draw(st.integers(1, 4)))]
    text = draw(st.sampled_from(["", "# head\n", "documents: {}\n"])) + f"anchors:{draw(COMMENT)}\n"
    text += "".join(entry for entry, _, _ in entries)
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return text, {f"L-A{n}": (ranges, strings) for n, (_, ranges, strings) in enumerate(entries)}


def data_of(text: str) -> dict[str, tuple[list[str], list[str], object]]:
    """What a registry file says of each anchor, read by another loader than ours."""
    found = {}
    for id, anchor in (yaml.load(text, yaml.SafeLoader)["anchors"] or {}).items():
        lines, find = anchor.get("lines", []), anchor.get("find", [])
        found[id] = (
            [str(item) for item in (lines if isinstance(lines, list) else [lines])],
            find if isinstance(find, list) else [find],
            {key: value for key, value in anchor.items() if key not in ("lines", "find")},
        )
    return found


def in_common(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@settings(max_examples=150, deadline=None)
@given(files(), st.data())
def test_a_change_of_one_range_changes_the_bytes_of_that_range(file, data):
    text, anchors = file
    id = data.draw(st.sampled_from(sorted(anchors)))
    ranges = anchors[id][0]
    index = data.draw(st.integers(0, len(ranges) - 1))
    new = data.draw(RANGE)
    after = edit(text, lambda editor: editor.set_range(id, index, new))
    expected = data_of(text)
    expected[id][0][index] = str(new)
    assert data_of(after) == expected
    prefix = in_common(text, after)
    suffix = in_common(text[prefix:][::-1], after[prefix:][::-1])
    old_middle, new_middle = text[prefix : len(text) - suffix], after[prefix : len(after) - suffix]
    assert old_middle in str(ranges[index])
    assert new_middle in str(new)


@settings(max_examples=150, deadline=None)
@given(files(), st.data())
def test_any_ranges_can_be_set_for_all_anchors_at_once(file, data):
    text, anchors = file
    new = {id: data.draw(st.lists(RANGE, max_size=4)) for id in anchors}

    def set_all(editor: Editor) -> None:
        for id, ranges in new.items():
            editor.set_lines(id, ranges)

    after = edit(text, set_all)
    expected = {
        id: ([str(lines) for lines in new[id]], strings, rest) for id, (_, strings, rest) in data_of(text).items()
    }
    assert data_of(after) == expected
    comments = [line.partition("#")[2] for line in text.split("\n") if line.lstrip().startswith("#")]
    assert [line.partition("#")[2] for line in after.split("\n") if line.lstrip().startswith("#")] == comments
    assert after.endswith("\n") == text.endswith("\n") or not all(new.values())


@settings(max_examples=150, deadline=None)
@given(files(), st.data())
def test_any_strings_can_be_set(file, data):
    text, anchors = file
    id = data.draw(st.sampled_from(sorted(anchors)))
    strings = data.draw(st.lists(STRING, max_size=4, unique=True))
    after = edit(text, lambda editor: editor.set_find(id, strings))
    expected = data_of(text)
    expected[id] = (expected[id][0], strings, expected[id][2])
    assert data_of(after) == expected


@settings(max_examples=150, deadline=None)
@given(files(), st.data())
def test_holding_and_releasing_an_anchor_is_as_if_nothing_had_been(file, data):
    text, anchors = file
    id = data.draw(st.sampled_from(sorted(anchors)))
    held = edit(text, lambda editor: editor.set_commit(id, Pin(PIN), comment="v1.0"))
    expected = data_of(text)
    expected[id][2]["commit"] = PIN  # type: ignore[index]
    assert data_of(held) == expected
    assert edit(held, lambda editor: editor.remove_key(id, "commit")) == text


@settings(max_examples=150, deadline=None)
@given(files(), st.data())
def test_adding_and_removing_an_anchor_is_as_if_nothing_had_been(file, data):
    text, anchors = file
    after = data.draw(st.sampled_from(sorted(anchors)))
    new = Anchor("L-NEW", "lib", "new.py", (Region(Lines(3, 3)),), (data.draw(STRING),))
    added = edit(text, lambda editor: editor.add_anchor(new, after=after))
    expected = data_of(text)
    expected["L-NEW"] = (["3"], list(new.find), {"path": "new.py"})
    assert data_of(added) == expected
    removed = edit(added, lambda editor: editor.remove_entry("L-NEW"))
    assert data_of(removed) == data_of(text)
    assert [line for line in removed.split("\n") if line.strip()] == [line for line in text.split("\n") if line.strip()]


@settings(max_examples=100, deadline=None)
@given(files(), st.data())
def test_removing_anchors_keeps_the_others(file, data):
    text, anchors = file
    gone = data.draw(st.sets(st.sampled_from(sorted(anchors)), min_size=1))

    def remove(editor: Editor) -> None:
        for id in sorted(gone):
            editor.remove_entry(id)

    after = edit(text, remove)
    assert data_of(after) == {id: value for id, value in data_of(text).items() if id not in gone}


@settings(max_examples=60, deadline=None)
@given(files(), st.data())
def test_renaming_there_and_back_is_as_if_nothing_had_been(file, data):
    text, anchors = file
    id = data.draw(st.sampled_from(sorted(anchors)))
    renamed = edit(text, lambda editor: editor.rename_id(id, "L-OTHER"))
    assert list(data_of(renamed)) == ["L-OTHER" if known == id else known for known in data_of(text)]
    assert edit(renamed, lambda editor: editor.rename_id("L-OTHER", id)) == text
