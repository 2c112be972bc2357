"""What a research record says: tables, links, vendors, knowledge points; and what is said of what cannot be read."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from claimcheck.model import Anchor, Basis, Lines, Pin, Region, Registry, Vendor
from claimcheck.permalinks import NoPermalink, Permalink, read_permalink, read_repository, same_repository
from claimcheck.records import RULES
from claimcheck.records.cells import Misread, read_id, read_lines, read_path, read_strings
from claimcheck.records.links import number_word
from claimcheck.records.markdown import code_spans, masked, read_page
from claimcheck.records.reading import read_record
from claimcheck.records.record import Record, Shows

ENGLISH = Path(__file__).parent / "data" / "record.en.md"
ONE = "1" * 40
TWO = "2" * 40

HEAD = f"""\
`vendor/kettle`, HEAD = {ONE}, origin = hot/kettle

| ID | File | Lines | Find |
|---|---|---|---|
"""


def read(text: str, registry: Registry | None = None) -> Record:
    return read_record("record.md", dedent(text), registry)


def rows(*lines: str) -> Record:
    """A record with a vendor and these rows of its table."""
    return read_record("record.md", HEAD + "".join(f"{line}\n" for line in lines))


def found(record: Record) -> list[str]:
    """Each finding in one line, as `LINE:COLUMN severity SUBJECT: message [rule] help`."""
    return [
        f"{finding.place.line}:{finding.place.column} {finding.severity.value} {finding.subject}: {finding.message} "
        f"[{finding.rule.name}]" + (f" {finding.help}" if finding.help else "")
        for finding in record.findings
    ]


def told(anchor: Anchor) -> tuple[str, str, list[str], tuple[str, ...]]:
    return anchor.vendor, anchor.path, [str(region.lines) for region in anchor.regions], anchor.find


def points(text: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The claims of a record with the anchors K-ONE, K-TWO and K-THREE, by ID."""
    record = read_record("record.md", WITH_THREE + dedent(text))
    return {claim.id: (claim.text, claim.cites) for claim in record.claims}


WITH_THREE = (
    HEAD + "".join(f"| K-{name} | a.c | {n} | abc |\n" for n, name in enumerate(("ONE", "TWO", "THREE"), 1)) + "\n"
)


class TestEnglishRecord:
    """The made-up record shows every way of writing that is understood."""

    record = read_record("record.en.md", ENGLISH.read_text(encoding="utf-8"))

    def test_has_the_vendors_of_its_text_and_links_without_credentials(self) -> None:
        assert [(v.name, v.commit, v.url, v.prefixes) for v in self.record.vendors] == [
            ("kettle", ONE, "https://git.example.org/hot/kettle", ("K",)),
            ("spout", TWO, "https://code.example.org/cold/spout", ("S",)),
        ]

    def test_has_every_anchor_of_both_tables(self) -> None:
        assert {anchor.id: told(anchor) for anchor in self.record.anchors} == {
            "K-LOOP": ("kettle", "src/boil.c", ["10-20"], ("while (cold(k))",)),
            "K-DRY": ("kettle", "src/boil.c", ["30-34", "40"], ("if (!k->water)", "return DRY;")),
            "K-LIMITS": (
                "kettle",
                "src/boil.c",
                ["50-52", "60-64", "70"],
                ("MAX `COIL`", "MAX_LID", "lid | coil"),
            ),
            "K-TABLE": ("kettle", "data/table.h", [], ()),
            "K-SPARE": ("kettle", "data/table.h", ["7"], ("温度 = 100",)),
            "S-FLOW": ("spout", "src/tap.py", ["5-9"], ("def flow", "self._open = True")),
            "S-LID": ("spout", "src/tap.py", ["12-14"], ()),
            "S-QUOTES": ("spout", "src/names.py", ["1-3"], ('say("hot")', "a < b")),
        }

    def test_has_the_knowledge_points_without_the_citations_at_their_end(self) -> None:
        assert [(lesson.id, lesson.title, len(lesson.claims)) for lesson in self.record.lessons] == [
            ("K1", "How water is heated", 3),
            ("K2", "How it is poured", 3),
        ]
        assert {claim.id: (claim.text, claim.cites) for claim in self.record.claims} == {
            "K1.1": ("The loop asks the sensor before it switches the coil on.", ("K-LOOP",)),
            "K1.2": (
                (
                    "A dry kettle never gets power; `a[K-1]` in the sources is an index and no citation, and "
                    "neither is `[K-NOPE]` in code."
                ),
                ("K-DRY", "K-LOOP"),
            ),
            "K1.3": (
                (
                    "Two limits hold at once:\n- one for the coil [K-LIMITS],\n- one for the lid.\n\n"
                    "Neither is read from the configuration."
                ),
                ("K-LIMITS", "S-FLOW"),
            ),
            "K2.1": ("The tap opens only when the lid is shut.", ("S-FLOW", "S-LID")),
            "K2.2": ("A quoted name and a pipe are searched for as they are written.", ("S-QUOTES",)),
            "K2.3": ("**The whole file** is one table of constants. [K-TABLE] Nothing else reads it.", ("K-TABLE",)),
        }
        assert {(claim.basis, claim.lesson) for claim in self.record.claims} == {
            (Basis.CODE, "K1"),
            (Basis.CODE, "K2"),
        }

    def test_knows_where_everything_stands(self) -> None:
        dry = next(anchor for anchor in self.record.anchors if anchor.id == "K-DRY")
        assert [str(dry.places[part]) for part in ("", "path", "lines.1", "find.0")] == [
            "record.en.md:54:3",
            "record.en.md:54:13",
            "record.en.md:54:20",
            "record.en.md:54:35",
        ]
        flow = next(claim for claim in self.record.claims if claim.id == "K2.1")
        assert [str(flow.places[f"cites.{n}"]) for n in (0, 1)] == ["record.en.md:28:44", "record.en.md:28:52"]

    def test_says_what_its_links_show(self) -> None:
        assert found(self.record) == [
            "71:1 warning K-LIMITS: its link shows lines 50-64 only; the table has 70 too [link-misses-region]",
            "70:1 note K-DRY: its link spans 11 lines for two regions of 6 [link-spans-regions]",
            "73:1 note S-FLOW: its link spans 9 lines for one region of 5 [link-spans-regions]",
            "74:1 note S-QUOTES: its link shows the whole file; the table has 1-3 [link-spans-regions]",
        ]
        assert self.record.shows == (
            Shows.EXACTLY,
            Shows.SPAN,
            Shows.LESS,
            Shows.EXACTLY,
            Shows.MORE,
            Shows.MORE,
        )

    def test_says_what_only_an_example_cites(self) -> None:
        assert [(uncited.ids, uncited.by) for uncited in self.record.uncited] == [(("K-SPARE",), "the examples do")]

    def test_counts_its_lines_and_the_tables_that_have_anchors(self) -> None:
        assert (self.record.lines, self.record.tables) == (75, 2)

    def test_reads_the_same_with_other_line_ends_and_a_byte_order_mark_taken_off(self) -> None:
        other = read_record("record.en.md", ENGLISH.read_text(encoding="utf-8").replace("\n", "\r\n"))
        assert (other.anchors, list(other.claims), other.findings) == (
            self.record.anchors,
            list(self.record.claims),
            self.record.findings,
        )


def test_a_chinese_record_is_read_like_an_english_one() -> None:
    record = read(
        f"""\
        - 本地 Kettle：`vendor/kettle`，`git rev-parse HEAD` = `{ONE}`，origin = `hot/kettle`。

        ### K1：加热

        1. 先问传感器，
           再通电。[K-LOOP]

        | ID | 本地文件 | 行范围 | 搜索锚点 |
        |---|---|---|---|
        | K-LOOP | `vendor/kettle/boil.c` | 10–20；30—34 | `确定加热` / `` `FULL` — `` / `.def("loop"` |
        | K-DRY | 同上 | 第 40–44 行 | 同上 |
        """
    )
    assert [told(anchor) for anchor in record.anchors] == [
        ("kettle", "boil.c", ["10-20", "30-34"], ("确定加热", "`FULL` —", '.def("loop"')),
        ("kettle", "boil.c", ["40-44"], ("确定加热", "`FULL` —", '.def("loop"')),
    ]
    assert [(claim.id, claim.text, claim.cites) for claim in record.claims] == [
        ("K1.1", "先问传感器，再通电。", ("K-LOOP",))
    ]
    assert record.lessons[0].title == "加热"
    assert [vendor.url for vendor in record.vendors] == ["https://github.com/hot/kettle"]
    assert not record.findings


class TestLines:
    @pytest.mark.parametrize(
        ("cell", "ranges"),
        [
            ("7", ["7"]),
            ("7-7", ["7"]),
            ("10-20", ["10-20"]),
            ("10–20", ["10-20"]),
            ("10 — 20", ["10-20"]),
            ("10\u221220", ["10-20"]),
            ("10~20", ["10-20"]),
            ("L10-L20", ["10-20"]),
            ("#L10-L20", ["10-20"]),
            ("L10-20", ["10-20"]),
            ("lines 10 to 20", ["10-20"]),
            ("10..20", ["10-20"]),
            ("10 至 20", ["10-20"]),
            ("第 10–20 行", ["10-20"]),
            ("`10-20`", ["10-20"]),
            ("10-20;30-40", ["10-20", "30-40"]),
            ("10-20；30-40", ["10-20", "30-40"]),
            ("10-20, 30-40 and 50", ["10-20", "30-40", "50"]),
            ("10-20，30-40、50", ["10-20", "30-40", "50"]),
            ("10-20<br>30-40", ["10-20", "30-40"]),
            ("10-20; 30-40;", ["10-20", "30-40"]),
            ("10-20; 21-30", ["10-20", "21-30"]),
            ("all", []),
            ("Whole file", []),
            ("全文", []),
            ("10000000", ["10000000"]),
        ],
    )
    def test_are_ranges_in_any_hand(self, cell: str, ranges: list[str]) -> None:
        assert [str(lines) for lines in read_lines(cell)] == ranges

    @pytest.mark.parametrize(
        ("cell", "offset", "message"),
        [
            ("", 0, "the row has no lines"),
            ("—", 0, "the row has no lines"),
            ("3-1", 0, "`3-1` ends before it begins"),
            ("0-2", 0, "`0-2` has a number that starts with 0; lines count from 1"),
            ("007", 0, "`007` has a number that starts with 0; lines count from 1"),
            ("-1", 0, "`-1` is not a range of lines"),
            ("-", 0, "the row has no lines"),
            ("1-2-3", 0, "`1-2-3` is not a range of lines"),
            ("a-b", 0, "`a-b` is not a range of lines"),
            ("1_0", 0, "`1_0` is not a range of lines"),
            ("+5", 0, "`+5` is not a range of lines"),
            ("１０-２０", 0, "`１０-２０` is not a range of lines"),
            ("\u0661-\u0665", 0, "`\u0661-\u0665` is not a range of lines"),
            ("10-20 30-40", 0, "`10-20 30-40` is not a range of lines"),
            ("10-20;; 30-40", 6, "`` is not a range of lines"),
            ("10-20; about 30", 7, "`about 30` is not a range of lines"),
            ("1-5; 3-8", 5, "3-8 overlaps 1-5"),
            ("30-40; 10-20", 7, "10-20 stands after 30-40; ranges ascend"),
            ("2-99999999999", 0, "`2-99999999999` is beyond line 10000000"),
            ("10000001", 0, "`10000001` is beyond line 10000000"),
            ("9" * 100_000, 0, f"`{'9' * 60}…` is beyond line 10000000"),
        ],
    )
    def test_that_cannot_be_are_said_to_be_so(self, cell: str, offset: int, message: str) -> None:
        with pytest.raises(Misread) as misread:
            read_lines(cell)
        assert (misread.value.offset, misread.value.message) == (offset, message)

    def test_in_other_digits_come_with_what_to_write(self) -> None:
        with pytest.raises(Misread) as misread:
            read_lines("１０-２０")
        assert misread.value.help == "10-20"

    def test_are_at_most_a_thousand_ranges(self) -> None:
        many = [str(n) for n in range(1, 2002, 2)]
        assert len(read_lines("; ".join(many[:1000]))) == 1000
        with pytest.raises(Misread, match="more than 1,000 ranges"):
            read_lines("; ".join(many))


class TestStrings:
    @pytest.mark.parametrize(
        ("cell", "strings"),
        [
            ("`def step(self)`", ["def step(self)"]),
            ("`one` / `two`", ["one", "two"]),
            ("`one`; `two`, `two`", ["one", "two"]),
            ("`one` and `two`", ["one", "two"]),
            ("`a / b`", ["a / b"]),
            ("`` `FULL` — ``", ["`FULL` —"]),
            ("``x `y` ``", ["x `y`"]),
            ('`.def("add"` / `it\'s`', ['.def("add"', "it's"]),
            (r"`a \| b`", ["a | b"]),
            (r"`a\b\c`", [r"a\b\c"]),
            ("`确定调度`", ["确定调度"]),
            ("`one`.", ["one"]),
            ("def step(self)", ["def step(self)"]),
            ("def one / def two", ["def one", "def two"]),
            ("a/b/c", ["a/b/c"]),
            ("one<br>two", ["one", "two"]),
            (r"self.\_open", ["self._open"]),
            ("a &lt; b &amp;&amp; c", ["a < b && c"]),
            ("&nosuch; x", ["&nosuch; x"]),
            (r"\`quoted\`", ["`quoted`"]),
            ("", []),
            ("—", []),
        ],
    )
    def test_are_taken_letter_by_letter(self, cell: str, strings: list[str]) -> None:
        assert list(read_strings(cell)) == strings

    @pytest.mark.parametrize(
        ("cell", "offset", "message"),
        [
            ("`one", 0, "a backtick has no partner in this cell"),
            ("`one` / `two", 8, "a backtick has no partner in this cell"),
            ("`one` / two", 6, "`/ two` stands outside the code spans"),
            ("see `one`", 0, "`see` stands outside the code spans"),
            ("`one` but not `two`", 6, "`but not` stands outside the code spans"),
            ("`ab`", 0, "the search string `ab` is too short; it has at least 3 characters"),
            ("`one` / `a b`", 8, "the search string `a b` is too short; it has at least 3 characters"),
            ("one / x", 6, "the search string `x` is too short; it has at least 3 characters"),
            ("`a\x07bc`", 0, "a search string has a control character in it"),
            (f"`{'x' * 1001}`", 0, "a search string is longer than 1,000 characters"),
        ],
    )
    def test_that_cannot_be_are_said_to_be_so(self, cell: str, offset: int, message: str) -> None:
        with pytest.raises(Misread) as misread:
            read_strings(cell)
        assert (misread.value.offset, misread.value.message) == (offset, message)

    def test_are_at_most_a_thousand(self) -> None:
        with pytest.raises(Misread, match="more than 1,000 search strings"):
            read_strings(" / ".join(f"`s{n:04}`" for n in range(1001)))


class TestPaths:
    @pytest.mark.parametrize(
        ("cell", "path"),
        [
            ("`src/a.c`", "src/a.c"),
            ("src/a.c", "src/a.c"),
            ("[src/a.c](https://example.org)", "src/a.c"),
            ("[`src/a.c`](https://example.org)", "src/a.c"),
            (r"src/\_\_init\_\_.py", "src/__init__.py"),
            ("`a b/文.c`", "a b/文.c"),
            (r"`a\|b.c`", "a|b.c"),
        ],
    )
    def test_are_files(self, cell: str, path: str) -> None:
        assert read_path(cell) == path

    @pytest.mark.parametrize(
        ("cell", "message", "help"),
        [
            ("", "the row has no file", None),
            ("`a.c` / `b.c`", "two files in one cell; an anchor has one", "a row for each file"),
            ("see `a.c`", "`see `a.c`` has more than a path in it", "`a.c`"),
            ("`a.c", "a backtick has no partner in this cell", None),
            ("./a.c", "`./a.c` is not written as git writes it", "a.c"),
            ("d//x", "`d//x` is not written as git writes it", "d/x"),
            (r"`d\x`", r"`d\x` is not written as git writes it", "d/x"),
            ("d/../a.c", "`d/../a.c` is not written as git writes it", "a.c"),
            ("../a.c", "`../a.c` is not a path inside a repository", None),
            ("/etc/passwd", "`/etc/passwd` is not a path inside a repository", None),
            ("~/a.c", "`~/a.c` is not a path inside a repository", None),
            ("C:a.c", "`C:a.c` is not a path inside a repository", None),
            (".", "`.` is not a path inside a repository", None),
            ("src/", "`src/` is a folder; an anchor cites a file", None),
            ("a.c:10-20", "`a.c:10-20` has lines in it; they stand in their own column", "a.c"),
            ("a.c#L10", "`a.c#L10` has lines in it; they stand in their own column", "a.c"),
            ("`a\u200bb.c`", "the path has a character in it that is not seen", None),
            ("`a\u2028b.c`", "the path has a character in it that is not seen", None),
            (f"`{'a/' * 2100}b`", "the path is longer than 4,096 characters", None),
        ],
    )
    def test_that_cannot_be_are_said_to_be_so(self, cell: str, message: str, help: str | None) -> None:
        with pytest.raises(Misread) as misread:
            read_path(cell)
        assert (misread.value.message, misread.value.help) == (message, help)


class TestIds:
    @pytest.mark.parametrize("cell", ["V-A", "`V-A`", "**V-A**", "[V-A]", "[V-A](#a)", "[`V-A`]"])
    def test_are_taken_out_of_their_markup(self, cell: str) -> None:
        assert read_id(cell) == "V-A"

    @pytest.mark.parametrize(
        ("cell", "message", "help"),
        [
            ("", "the row has no ID", None),
            ("v-pool", "`v-pool` is not an ID such as V-POOL", "| V-POOL |"),
            ("V–POOL", "`V–POOL` is not an ID such as V-POOL", "| V-POOL |"),
            ("Ｖ-POOL", "`Ｖ-POOL` is not an ID such as V-POOL", "| V-POOL |"),
            ("V_POOL", "`V_POOL` is not an ID such as V-POOL", "| V-POOL |"),
            ("VPOOL", "`VPOOL` is not an ID such as V-POOL", None),
            ("../../x", "`../../x` is not an ID such as V-POOL", None),
            ("V-E1", "V-E1 is the ID of a worked example, not of an anchor", None),
            ("ABCDEFGHI-X", "`ABCDEFGHI-X` is not an ID such as V-POOL", None),
            ("V-" + "A" * 79, f"`V-{'A' * 58}…` is longer than 80 characters", None),
        ],
    )
    def test_that_cannot_be_are_said_to_be_so(self, cell: str, message: str, help: str | None) -> None:
        with pytest.raises(Misread) as misread:
            read_id(cell)
        assert (misread.value.message, misread.value.help) == (message, help)


class TestTables:
    def test_a_cell_that_is_not_understood_is_located_and_the_other_rows_come(self) -> None:
        record = rows(
            "| K-ONE | `a.c` | 1-2 | `abc` |",
            "| K-TWO | `a.c` | 5; 4-2 | `abc` |",
            "| K-THREE | `a.c` | 6 | `abc` |",
        )
        assert [anchor.id for anchor in record.anchors] == ["K-ONE", "K-THREE"]
        assert found(record) == [
            "6:22 error K-TWO: `4-2` ends before it begins [cell-not-understood] 2-4",
        ]
        assert record.left_out == {"K-TWO"}

    def test_every_bad_cell_of_a_row_is_said(self) -> None:
        record = rows("| K-ONE | `../a.c` | x | `ab` |")
        assert not record.anchors
        assert found(record) == [
            "5:11 error K-ONE: `../a.c` is not a path inside a repository [cell-not-understood]",
            "5:22 error K-ONE: `x` is not a range of lines [cell-not-understood] 10-20; 30-40",
            "5:26 error K-ONE: the search string `ab` is too short; it has at least 3 characters [cell-not-understood]",
        ]

    def test_rows_that_repeat_a_bad_cell_are_one_finding_with_it(self) -> None:
        record = rows(
            "| K-ONE | `a/` | 1 | `abc` |",
            "| K-TWO | same | 2 | `abc` |",
            "| K-THREE | ditto | 3 | `abc` |",
            "| K-FOUR | `b.c` | 4 | `abc` |",
            "| K-FIVE | 同上 | 5 | `abc` |",
        )
        assert [(anchor.id, anchor.path) for anchor in record.anchors] == [("K-FOUR", "b.c"), ("K-FIVE", "b.c")]
        assert found(record) == [
            (
                "5:11 error K-ONE: `a/` is a folder; an anchor cites a file; K-TWO, K-THREE below say the same "
                "[cell-not-understood]"
            ),
        ]
        assert record.left_out == {"K-ONE", "K-TWO", "K-THREE"}

    def test_a_first_row_has_nothing_to_repeat(self) -> None:
        assert found(rows("| K-ONE | ditto | 1 | `abc` |")) == [
            "5:11 error K-ONE: `ditto` repeats the cell above, and there is none [cell-not-understood]",
        ]

    def test_a_pipe_that_is_not_escaped_is_noticed_and_no_string_is_cut_at_it(self) -> None:
        record = rows("| K-ONE | `a.c` | 1 | `a | b` |", r"| K-TWO | `a.c` | 2 | `a \| b` |")
        assert [told(anchor)[3] for anchor in record.anchors] == [("a | b",)]
        assert found(record) == [
            (
                "5:28 error K-ONE: the row has 5 cells, its table 4 columns [cell-not-understood] "
                r"a pipe inside a cell is written \|, in code too"
            ),
        ]

    def test_a_row_without_an_id_of_its_own_is_said(self) -> None:
        record = rows("| k-one | `a.c` | 1 | `abc` |", "|  | `a.c` | 3 | `abc` |", "| K-TWO | same | 2 | `abc` |")
        assert [anchor.id for anchor in record.anchors] == ["K-TWO"]
        assert found(record) == [
            "5:3 error row: `k-one` is not an ID such as V-POOL [record-invalid-id] | K-ONE |",
            "6:4 error row: the row has no ID [record-invalid-id]",
        ]

    def test_an_empty_row_and_a_row_that_says_the_same_again_are_nothing(self) -> None:
        record = rows("| K-ONE | `a.c` | 1 | `abc` |", "| | | | |", "| K-ONE | a.c | L1 | abc |")
        assert [anchor.id for anchor in record.anchors] == ["K-ONE"]
        assert not record.findings

    def test_rows_of_one_id_that_differ_are_both_left_out(self) -> None:
        record = rows("| K-ONE | `a.c` | 1 | `abc` |", "| K-TWO | `a.c` | 1 | `abc` |", "| K-ONE | `a.c` | 2 | `abc` |")
        assert [anchor.id for anchor in record.anchors] == ["K-TWO"]
        assert found(record) == [
            (
                "7:3 error K-ONE: stands in line 5 already and says something else there; neither is taken "
                "[record-duplicate-id]"
            ),
        ]

    def test_rows_cut_off_by_a_blank_line_are_not_lost_silently(self) -> None:
        record = rows(
            "| K-ONE | `a.c` | 1 | `abc` |", "", "| K-TWO | `a.c` | 2 | `abc` |", "| K-THREE | `a.c` | 3 | `abc` |"
        )
        assert [anchor.id for anchor in record.anchors] == ["K-ONE"]
        assert found(record) == [
            (
                "7:1 error K-TWO and 1 more: look like rows, but of no table [row-outside-table] no blank line between "
                "the rows; header and ruler with the same number of cells"
            ),
        ]

    def test_a_table_of_ids_with_an_unknown_header_is_said_unless_they_stand_elsewhere(self) -> None:
        text = HEAD + "| K-ONE | a.c | 1 | abc |\n\n| Wer | Wo |\n|---|---|\n| {} | a.c |\n"
        assert found(read_record("record.md", text.format("K-TWO"))) == [
            (
                "7:3 warning K-TWO: the table's header names no column for the ID, the file and the lines "
                "[header-not-understood] | ID | file | lines | search strings |"
            ),
        ]
        assert not read_record("record.md", text.format("K-ONE")).findings
        assert not read_record("record.md", text.format("an onion")).findings

    @pytest.mark.parametrize(
        "header",
        [
            "| ID | 本地文件 | 行范围 | 搜索锚点 |",
            "| ID | File | Lines | Search strings |",
            "| **Anchor** | `path` | Line range | find |",
            "| Identifier | Source file | lines (both ends) | Strings to search |",
            "| 编号 | 路径 | 行 | 查找 |",
        ],
    )
    def test_a_header_is_known_by_its_words(self, header: str) -> None:
        record = read_record(
            "record.md", f"vendor/k at commit {ONE}\n\n{header}\n|---|---|---|---|\n| K-A | a.c | 1 | abc |\n"
        )
        assert [told(anchor) for anchor in record.anchors] == [("k", "a.c", ["1"], ("abc",))]

    @pytest.mark.parametrize(
        "header", ["| ID | Provider | Identity | Notes |", "| Finding | Deadline | Video | File |"]
    )
    def test_a_header_of_other_words_is_none(self, header: str) -> None:
        assert read_record("record.md", f"{header}\n|---|---|---|---|\n| x | a.c | 1 | abc |\n").empty

    def test_columns_may_stand_in_any_order_and_others_between_them(self) -> None:
        record = read(
            f"""\
            | Find | Remark | Vendor | Lines | ID | File |
            |---|---|---|---|---|---|
            | `abc` | a \\| b | `kettle` | 3 | K-A | a.c |

            vendor/kettle: commit {ONE}
            """
        )
        assert [told(anchor) for anchor in record.anchors] == [("kettle", "a.c", ["3"], ("abc",))]

    def test_a_column_for_the_vendor_takes_names_only(self) -> None:
        record = read(
            f"""\
            vendor/kettle: commit {ONE}

            | ID | File | Lines | Repository |
            |---|---|---|---|
            | K-A | a.c | 1 | hot/Kettle |
            | K-B | a.c | 2 | ditto |
            | K-C | a.c | 3 | the kettle |
            | K-D | a.c | 4 | |
            """
        )
        assert [(a.id, a.vendor) for a in record.anchors] == [("K-A", "kettle"), ("K-B", "kettle"), ("K-D", "kettle")]
        assert found(record) == [
            "7:19 error K-C: `the kettle` is not the name of a vendor [cell-not-understood] vendor/NAME",
        ]

    def test_a_table_without_a_column_for_lines_is_about_whole_files(self) -> None:
        record = read(f"vendor/kettle: commit {ONE}\n\n| ID | File | Find |\n|---|---|---|\n| K-A | a.c | abc |\n")
        assert [told(anchor) for anchor in record.anchors] == [("kettle", "a.c", [], ("abc",))]

    def test_tables_in_code_and_comments_are_text(self) -> None:
        table = "| ID | File | Lines |\n|---|---|---|\n| K-A | a.c | 3 |\n"
        assert read_record("record.md", f"```\n{table}```\n\n<!--\n{table}-->\n").empty

    def test_a_quoted_table_is_a_table(self) -> None:
        record = read(
            f"> vendor/kettle: commit {ONE}\n>\n> | ID | File | Lines |\n> |---|---|---|\n> | K-A | a.c | 3 |\n"
        )
        assert [str(anchor.places[""]) for anchor in record.anchors] == ["record.md:5:5"]


RANGES = (
    st.lists(st.integers(1, 10_000_000), min_size=2, max_size=8, unique=True)
    .map(sorted)
    .map(lambda ends: tuple(Lines(*pair) for pair in zip(ends[::2], ends[1::2], strict=False)))
)
DASHES = st.sampled_from(["-", "–", "—", " to ", "~", "..", "-L"])
SEPARATORS = st.sampled_from(["；", ";", ", ", " and ", "<br>", "、"])
CODE = st.text(
    st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp"), blacklist_characters="\\"), min_size=3, max_size=30
).filter(lambda text: len("".join(text.split())) >= 3 and text == text.strip())


def code_cell(string: str) -> str:
    """A string as an author writes it into a table: in enough backticks, with pipes escaped."""
    longest = max((len(run) for run in re.findall("`+", string)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if string.startswith("`") or string.endswith("`") else ""
    return f"{ticks}{pad}{string}{pad}{ticks}".replace("|", "\\|")


@settings(deadline=None)
@given(RANGES, DASHES, SEPARATORS)
def test_ranges_in_any_hand_come_back(ranges: tuple[Lines, ...], dash: str, separator: str) -> None:
    cell = separator.join(f"{lines.first}{dash}{lines.last}" for lines in ranges)
    assert read_lines(cell) == ranges


@settings(deadline=None)
@given(st.lists(CODE, min_size=1, max_size=4, unique=True))
@example(["`FULL` —"])
@example(['.def("schedule"', "确定调度该 seq"])
@example(["a | b", "||||"])
@example(["```", "`` ` ``"])
def test_strings_rendered_into_a_cell_come_back(strings: list[str]) -> None:
    assert list(read_strings(" / ".join(map(code_cell, strings)))) == strings


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(RANGES, st.lists(CODE, max_size=3, unique=True), st.sampled_from(["src/a.c", "b.py", "文/c d.h"])),
        min_size=1,
        max_size=5,
    )
)
def test_a_table_rendered_from_anchors_gives_the_same_anchors(
    wanted: list[tuple[tuple[Lines, ...], list[str], str]],
) -> None:
    lines = [
        f"| K-A{n} | `vendor/kettle/{path}` | {'；'.join(map(str, ranges))} | {' / '.join(map(code_cell, strings))} |"
        for n, (ranges, strings, path) in enumerate(wanted)
    ]
    record = rows(*lines)
    assert not record.findings
    assert [(a.path, tuple(r.lines for r in a.regions), list(a.find)) for a in record.anchors] == [
        (path, ranges, strings) for ranges, strings, path in wanted
    ]


class TestVendors:
    def test_a_path_with_its_folder_in_front_says_the_vendor(self) -> None:
        record = rows("| K-ONE | `vendor/kettle/vendor/lib/a.c` | 1 | abc |")
        assert [told(anchor)[:2] for anchor in record.anchors] == [("kettle", "vendor/lib/a.c")]

    def test_a_repository_may_have_a_vendor_folder_itself_if_the_link_shows_it(self) -> None:
        record = rows(
            "| K-ONE | `vendor/lib/a.c` | 1 | abc |",
            "",
            f"[K-ONE]: https://github.com/hot/kettle/blob/{ONE}/vendor/lib/a.c#L1",
        )
        assert [told(anchor)[:2] for anchor in record.anchors] == [("kettle", "vendor/lib/a.c")]
        assert not record.findings

    def test_a_row_of_another_table_may_say_the_commit(self) -> None:
        record = read(
            f"""\
            | Clone | HEAD | Origin |
            |---|---|---|
            | `vendor/kettle` | {ONE} | https://git.example.org/hot/kettle.git |

            | ID | File | Lines |
            |---|---|---|
            | K-A | vendor/kettle/a.c | 3 |
            """
        )
        assert [(v.commit, v.url) for v in record.vendors] == [(ONE, "https://git.example.org/hot/kettle")]
        assert not record.findings

    def test_names_become_those_of_the_registry(self) -> None:
        record = read(
            f"""\
            vendor/Kettle.git: commit {ONE}

            | ID | File | Lines |
            |---|---|---|
            | K-A | vendor/Kettle/a.c | 3 |
            """
        )
        assert [(vendor.name, vendor.commit) for vendor in record.vendors] == [("kettle", ONE)]

    def test_two_vendors_may_stand_in_one_sentence(self) -> None:
        record = read(
            f"""\
            We read `vendor/kettle` (HEAD {ONE}, origin hot/kettle) and `vendor/spout` (HEAD {TWO}, origin cold/spout).

            | ID | File | Lines |
            |---|---|---|
            | K-A | vendor/kettle/a.c | 3 |
            | S-A | vendor/spout/a.c | 3 |
            """
        )
        assert [(v.name, v.commit, v.repository) for v in record.vendors] == [
            ("kettle", ONE, "hot/kettle"),
            ("spout", TWO, "cold/spout"),
        ]
        assert not record.findings

    def test_one_vendor_may_have_several_prefixes(self) -> None:
        record = rows("| K-ONE | vendor/kettle/a.c | 1 | abc |", "| L-ONE | vendor/kettle/a.c | 1 | abc |")
        assert [vendor.prefixes for vendor in record.vendors] == [("K", "L")]

    def test_a_prefix_is_one_vendors(self) -> None:
        record = rows("| K-ONE | vendor/kettle/a.c | 1 | abc |", "| K-TWO | vendor/spout/a.c | 1 | abc |")
        assert [anchor.id for anchor in record.anchors] == ["K-ONE"]
        assert found(record) == [
            (
                "6:11 error K-TWO: its file is in vendor/spout, but K-… stands for kettle since line 5 "
                "[prefix-conflict] another prefix for spout"
            ),
        ]

    def test_links_alone_say_repository_and_commit(self) -> None:
        record = read(
            f"""\
            | ID | File | Lines |
            |---|---|---|
            | K-ONE | a.c | 3 |
            | K-TWO | a.c | 4 |

            [K-ONE]: https://github.com/Hot/Kettle/blob/{ONE}/a.c#L3
            """
        )
        assert [(v.name, v.commit, v.url) for v in record.vendors] == [("kettle", ONE, "https://github.com/Hot/Kettle")]
        assert [(anchor.id, anchor.vendor) for anchor in record.anchors] == [("K-ONE", "kettle"), ("K-TWO", "kettle")]
        assert not record.findings

    def test_an_anchor_without_a_table_is_taken_from_its_link(self) -> None:
        record = read(f"[K-ONE]: https://github.com/hot/kettle/blob/{ONE}/src/a%20b.c#L3-L5\n")
        assert [told(anchor) for anchor in record.anchors] == [("kettle", "src/a b.c", ["3-5"], ())]
        assert found(record) == [
            (
                "1:1 warning K-ONE: stands in no table; path and lines are taken from its link, and there are no "
                "search strings [link-only]"
            ),
        ]

    def test_a_link_does_not_stand_in_for_a_row_that_is_wrong(self) -> None:
        record = rows("| K-ONE | a.c | 0 | abc |", "", f"[K-ONE]: https://github.com/hot/kettle/blob/{ONE}/a.c#L3")
        assert not record.anchors
        assert [finding.rule.name for finding in record.findings] == ["cell-not-understood"]

    def test_two_commits_in_the_text_are_a_contradiction(self) -> None:
        record = rows("| K-ONE | a.c | 1 | abc |", "", f"Later: `vendor/kettle`, HEAD = {TWO}.")
        assert [vendor.commit for vendor in record.vendors] == [None]
        assert found(record) == [
            "7:9 error kettle: commit 22222222 here, 11111111 in line 1 [vendor-contradiction]",
        ]

    def test_an_id_that_is_not_said_to_be_the_commit_contradicts_nothing(self) -> None:
        record = rows("| K-ONE | a.c | 1 | abc |", "", f"The bug came into `vendor/kettle` with {TWO}, or 12345678.")
        assert [vendor.commit for vendor in record.vendors] == [ONE]
        assert not record.findings

    def test_links_that_all_say_another_commit_are_a_contradiction(self) -> None:
        record = rows("| K-ONE | a.c | 1 | abc |", "", f"[K-ONE]: https://github.com/hot/kettle/blob/{TWO}/a.c#L1")
        assert [vendor.commit for vendor in record.vendors] == [None]
        assert found(record) == ["7:1 error kettle: commit 22222222 here, 11111111 in line 1 [vendor-contradiction]"]

    def test_one_link_among_others_that_says_another_commit_is_that_links_matter(self) -> None:
        record = rows(
            "| K-ONE | a.c | 1 | abc |",
            "| K-TWO | a.c | 1 | abc |",
            "",
            f"[K-ONE]: https://github.com/hot/kettle/blob/{ONE}/a.c#L1",
            f"[K-TWO]: https://github.com/hot/kettle/blob/{TWO}/a.c#L1",
        )
        assert [vendor.commit for vendor in record.vendors] == [ONE]
        assert found(record) == [
            "9:1 warning K-TWO: its link is at commit 22222222; kettle is at 11111111 [link-differs]"
        ]

    def test_links_that_disagree_and_no_text_are_a_contradiction(self) -> None:
        record = read(
            f"""\
            | ID | File | Lines |
            |---|---|---|
            | K-ONE | a.c | 3 |
            | K-TWO | a.c | 4 |

            [K-ONE]: https://github.com/hot/kettle/blob/{ONE}/a.c#L3
            [K-TWO]: https://github.com/hot/kettle/blob/{TWO}/a.c#L4
            """
        )
        assert [vendor.commit for vendor in record.vendors] == [None]
        assert [finding.rule.name for finding in record.findings] == ["vendor-contradiction"]

    def test_two_repositories_are_a_contradiction(self) -> None:
        record = rows("| K-ONE | a.c | 1 | abc |", "", f"[K-ONE]: https://github.com/cold/kettle/blob/{ONE}/a.c#L1")
        assert found(record) == [
            (
                "7:1 error kettle: repository https://github.com/cold/kettle here, hot/kettle in line 1 "
                "[vendor-contradiction]"
            ),
        ]

    @pytest.mark.parametrize(
        ("said", "message"),
        [
            ("HEAD = 1234567", "commit `1234567` has 7 digits; a pin has 40"),
            (f"HEAD = {'a' * 64}", "commit `aaaaaaaaaaaa…` has 64 digits; a pin has 40"),
            ("origin = hot/kettle", "nothing says at which commit"),
        ],
    )
    def test_a_vendor_without_a_full_commit_is_said(self, said: str, message: str) -> None:
        record = read(f"`vendor/kettle`, {said}\n\n| ID | File | Lines |\n|---|---|---|\n| K-A | a.c | 3 |\n")
        assert [vendor.commit for vendor in record.vendors] == [None]
        assert [(f.rule.name, f.subject, f.message) for f in record.findings] == [("vendor-unknown", "kettle", message)]

    def test_a_short_id_is_completed_by_the_links(self) -> None:
        table = "| ID | File | Lines |\n|---|---|---|\n| K-A | a.c | 3 |\n\n"
        link = f"[K-A]: https://github.com/hot/kettle/blob/{ONE}/a.c#L3\n"
        assert read_record("r.md", f"vendor/kettle, commit 1111111\n\n{table}{link}").vendors[0].commit == ONE
        contradicted = read_record("r.md", f"vendor/kettle, commit 2222222\n\n{table}{link}")
        assert [finding.rule.name for finding in contradicted.findings] == ["vendor-contradiction"]

    def test_a_file_of_which_nothing_says_the_repository_is_said(self) -> None:
        record = read("| ID | File | Lines |\n|---|---|---|\n| K-A | a.c | 3 |\n")
        assert not record.anchors
        assert found(record) == [
            "3:9 error K-A: nothing says which repository a.c is in [vendor-unknown] vendor/NAME/a.c",
        ]

    def test_the_registry_may_say_whose_a_prefix_is(self) -> None:
        registry = Registry(vendors={"kettle": Vendor("kettle", Pin(ONE), ("K",))})
        record = read("| ID | File | Lines |\n|---|---|---|\n| K-A | a.c | 3 |\n", registry)
        assert [told(anchor)[:2] for anchor in record.anchors] == [("kettle", "a.c")]

    def test_a_manual_next_to_the_vendor_is_not_its_repository(self) -> None:
        record = read(
            f"""\
            `vendor/kettle` at commit {ONE}, see https://docs.example.org/en/latest.

            | ID | File | Lines |
            |---|---|---|
            | K-A | a.c | 3 |

            [K-A]: https://github.com/hot/kettle/blob/{ONE}/a.c#L3
            """
        )
        assert [vendor.url for vendor in record.vendors] == ["https://github.com/hot/kettle"]
        assert not record.findings

    def test_one_link_among_others_to_another_repository_is_that_links_matter(self) -> None:
        record = rows(
            "| K-ONE | a.c | 1 | abc |",
            "| K-TWO | a.c | 1 | abc |",
            "",
            f"[K-ONE]: https://github.com/hot/kettle/blob/{ONE}/a.c#L1",
            f"[K-TWO]: https://github.com/cold/kettle/blob/{ONE}/a.c#L1",
        )
        assert found(record) == [
            "9:1 warning K-TWO: its link leads to https://github.com/cold/kettle; kettle is https://github.com/hot/kettle "
            "[link-differs]",
        ]

    def test_a_link_to_a_repository_whose_name_is_another_vendors_says_nothing(self) -> None:
        record = read(
            f"""\
            `vendor/kettle` HEAD {ONE} origin hot/kettle and `vendor/spout` HEAD {TWO} origin cold/spout

            | ID | File | Lines |
            |---|---|---|
            | K-A | a.c | 3 |

            [K-A]: https://github.com/other/kettle/blob/{ONE}/a.c#L3
            """
        )
        assert [finding.rule.name for finding in record.findings] == ["vendor-unknown"]

    def test_links_of_one_file_at_two_repositories_and_no_text_are_a_contradiction(self) -> None:
        record = read(
            f"""\
            | ID | File | Lines |
            |---|---|---|
            | K-ONE | vendor/kettle/a.c | 3 |
            | K-TWO | vendor/kettle/a.c | 4 |

            [K-ONE]: https://github.com/hot/kettle/blob/{ONE}/a.c#L3
            [K-TWO]: https://github.com/cold/kettle/blob/{ONE}/a.c#L4
            """
        )
        assert found(record) == [
            "7:1 error kettle: repository https://github.com/cold/kettle here, https://github.com/hot/kettle in line 6 "
            "[vendor-contradiction]",
        ]


class TestPermalinks:
    @pytest.mark.parametrize(
        ("url", "expected"),
        [
            ("https://github.com/o/r/blob/{}/a/b.c#L3-L5", ("https://github.com/o/r", "a/b.c", Lines(3, 5))),
            ("https://github.com/o/r/blob/{}/a.md?plain=1#L3", ("https://github.com/o/r", "a.md", Lines(3, 3))),
            ("https://github.com/o/r/blob/{}/a.c#L3C1-L5C9", ("https://github.com/o/r", "a.c", Lines(3, 5))),
            ("https://github.com/o/r/blob/{}/a%20b%23c.c", ("https://github.com/o/r", "a b#c.c", None)),
            (
                "https://gitlab.example.org/g/sub/r/-/blob/{}/a.c#L3-5",
                ("https://gitlab.example.org/g/sub/r", "a.c", Lines(3, 5)),
            ),
            ("https://codeberg.org/o/r/src/commit/{}/a.c#L3-L5", ("https://codeberg.org/o/r", "a.c", Lines(3, 5))),
            ("https://bitbucket.org/o/r/src/{}/a.c#lines-3:5", ("https://bitbucket.org/o/r", "a.c", Lines(3, 5))),
            ("https://git.sr.ht/~o/r/tree/{}/item/a.c#L3-5", ("https://git.sr.ht/~o/r", "a.c", Lines(3, 5))),
            (
                "http://user:token@git.example.org:8080/o/r/blob/{}/a.c",
                ("https://git.example.org:8080/o/r", "a.c", None),
            ),
        ],
    )
    def test_of_every_forge_are_read(self, url: str, expected: tuple[str, str, Lines | None]) -> None:
        repository, path, lines = expected
        assert read_permalink(url.format(ONE)) == Permalink(repository, ONE, path, lines)

    def test_take_a_commit_in_capitals(self) -> None:
        link = read_permalink(f"https://github.com/o/r/blob/{'A' * 40}/a.c")
        assert isinstance(link, Permalink)
        assert link.commit == "a" * 40

    @pytest.mark.parametrize(
        ("url", "reason"),
        [
            ("https://github.com/o/r/blob/main/a.c#L3", "leads to `main`, not to the full id of a commit"),
            ("https://github.com/o/r/blob/1234567/a.c#L3", "leads to `1234567`, not to the full id of a commit"),
            ("https://github.com/o/r/src/branch/main/a.c", "leads to `main`, not to the full id of a commit"),
            ("https://github.com/o/r/tree/" + ONE, "is no link to a file on a forge"),
            ("javascript:alert(1)", "is no link to a file on a forge"),
            (f"https://github.com@evil/o/r::x/blob/{ONE}/a.c", "is no link to a file on a forge"),
            (f"https://github.com/o/r/blob/{ONE}/a.c#readme", "ends in `#readme`, which is no range of lines"),
            (f"https://github.com/o/r/blob/{ONE}/a.c#L5-L3", "ends in `#L5-L3`, which is no range of lines"),
            (f"https://github.com/o/r/blob/{ONE}/a.c#L0", "ends in `#L0`, which is no range of lines"),
        ],
    )
    def test_are_told_from_other_links(self, url: str, reason: str) -> None:
        assert read_permalink(url) == NoPermalink(reason)

    @pytest.mark.parametrize(
        ("text", "repository"),
        [
            ("hot/kettle", "hot/kettle"),
            ("hot/kettle.git", "hot/kettle"),
            ("https://git.example.org/hot/kettle.git", "https://git.example.org/hot/kettle"),
            ("https://user:token@git.example.org/hot/kettle/", "https://git.example.org/hot/kettle"),
            ("git@git.example.org:hot/kettle.git", "https://git.example.org/hot/kettle"),
            ("ssh://git@git.example.org/hot/kettle", "https://git.example.org/hot/kettle"),
            ("https://example.org", None),
            ("ext::sh -c x", None),
            ("kettle", None),
        ],
    )
    def test_repositories_are_addresses_without_credentials(self, text: str, repository: str | None) -> None:
        assert read_repository(text) == repository

    def test_a_repository_is_the_same_in_another_case_and_without_its_host(self) -> None:
        assert same_repository("https://github.com/Hot/Kettle", "hot/kettle")
        assert not same_repository("https://github.com/shot/kettle", "hot/kettle")
        assert not same_repository("https://github.com/hot/kettle", "https://git.example.org/hot/kettle")


class TestLinks:
    @pytest.mark.parametrize(
        ("lines", "fragment", "shows", "message"),
        [
            ("3-5", "#L3-L5", Shows.EXACTLY, None),
            ("3-5; 6-9", "#L3-L9", Shows.EXACTLY, None),
            ("all", "", Shows.EXACTLY, None),
            ("3-5; 9", "#L3-L9", Shows.SPAN, "its link spans 7 lines for two regions of 4"),
            ("3-5", "#L1-L9", Shows.MORE, "its link spans 9 lines for one region of 3"),
            ("3-5; 9", "", Shows.MORE, "its link shows the whole file; the table has 3-5, 9"),
            ("3-5; 9; 12", "#L3-L5", Shows.LESS, "its link shows lines 3-5 only; the table has 9, 12 too"),
            ("3-5", "#L4-L9", Shows.LESS, "its link shows lines 4-9; the table has 3-5"),
            ("all", "#L4", Shows.LESS, "its link shows lines 4; the table has the whole file"),
        ],
    )
    def test_are_compared_with_the_ranges(self, lines: str, fragment: str, shows: Shows, message: str | None) -> None:
        record = rows(
            f"| K-ONE | a.c | {lines} | abc |", "", f"[K-ONE]: https://github.com/hot/kettle/blob/{ONE}/a.c{fragment}"
        )
        assert record.shows == (shows,)
        assert [finding.message for finding in record.findings] == ([message] if message else [])

    @pytest.mark.parametrize(
        ("url", "message", "rule"),
        [
            (
                f"https://github.com/hot/kettle/blob/{ONE}/b.c#L1",
                "its link shows b.c; the table has a.c",
                "link-differs",
            ),
            (
                "https://github.com/hot/kettle/blob/main/a.c#L1",
                "its link leads to `main`, not to the full id of a commit",
                "link-not-permalink",
            ),
        ],
    )
    def test_that_lead_elsewhere_are_said(self, url: str, message: str, rule: str) -> None:
        record = rows("| K-ONE | a.c | 1 | abc |", "", f"[K-ONE]: {url}")
        assert [(f.message, f.rule.name) for f in record.findings] == [(message, rule)]

    def test_the_first_of_two_definitions_counts(self) -> None:
        one = f"[K-ONE]: https://github.com/hot/kettle/blob/{ONE}/a.c#L1"
        record = rows("| K-ONE | a.c | 1 | abc |", "", one, one, one + "-L2")
        assert len(record.links) == 1
        assert found(record) == [
            "9:1 warning K-ONE: its link is defined in line 7 already, with another target [duplicate-link]",
        ]

    def test_labels_are_equal_in_any_case_and_other_labels_are_no_matter(self) -> None:
        record = rows(
            "| K-ONE | a.c | 1 | abc |",
            "",
            f"[k-one]: https://github.com/hot/kettle/blob/{ONE}/a.c#L1",
            "[1]: https://example.org",
            "[K-E1]: #example",
        )
        assert [link.id for link in record.links] == ["K-ONE"]
        assert not record.findings

    def test_the_widest_span_comes_first(self) -> None:
        base = f"https://github.com/hot/kettle/blob/{ONE}/a.c"
        record = rows(
            "| K-ONE | a.c | 1; 9 | abc |",
            "| K-TWO | a.c | 1; 99 | abc |",
            "",
            f"[K-ONE]: {base}#L1-L9",
            f"[K-TWO]: {base}#L1-L99",
        )
        assert [finding.subject for finding in record.findings] == ["K-TWO", "K-ONE"]


class TestPoints:
    def test_have_the_numbers_as_written(self) -> None:
        text = "### K1: t\n\n3. One. [K-ONE]\n4. Two. [K-TWO]\n7. Three. [K-THREE]\n"
        assert list(points(text)) == ["K1.3", "K1.4", "K1.7"]

    def test_that_do_not_ascend_are_numbered_as_readers_see_them(self) -> None:
        record = read_record(
            "record.md", WITH_THREE + "### K1: t\n\n1. One. [K-ONE]\n2. Two. [K-TWO]\n2. Three. [K-ONE]\n"
        )
        assert [claim.id for claim in record.claims] == ["K1.1", "K1.2", "K1.3"]
        assert found(record) == [
            "13:1 warning K1: item 2 does not follow; the points are numbered 1 to 3 [points-misnumbered]"
        ]

    @pytest.mark.parametrize(
        ("item", "text", "cites"),
        [
            ("One. [K-ONE]", "One.", ("K-ONE",)),
            ("One.[K-ONE][K-TWO]", "One.", ("K-ONE", "K-TWO")),
            ("One [K-ONE].", "One.", ("K-ONE",)),
            ("One [K-ONE], [K-TWO].", "One.", ("K-ONE", "K-TWO")),
            ("One [K-ONE, K-TWO]", "One", ("K-ONE", "K-TWO")),
            ("一。[K-ONE]", "一。", ("K-ONE",)),
            ("一[K-ONE]。", "一。", ("K-ONE",)),
            ("One [K-ONE] and two [K-TWO].", "One [K-ONE] and two.", ("K-ONE", "K-TWO")),
            ("One [K-ONE] ends.", "One [K-ONE] ends.", ("K-ONE",)),
            ("**One.**[K-ONE]", "**One.**", ("K-ONE",)),
            ("One [K-ONE] again [K-ONE]", "One [K-ONE] again", ("K-ONE",)),
            ("See [K-ONE](#one).", "See [K-ONE](#one).", ("K-ONE",)),
            ("One [text][K-ONE].", "One [text].", ("K-ONE",)),
            ("`[K-TWO]` is code. [K-ONE]", "`[K-TWO]` is code.", ("K-ONE",)),
            (r"\[K-TWO] is text. [K-ONE]", r"\[K-TWO] is text.", ("K-ONE",)),
            ("![K-TWO](a.png) is a picture. [K-ONE]", "![K-TWO](a.png) is a picture.", ("K-ONE",)),
            ("[^K-TWO] is a footnote. [K-ONE]", "[^K-TWO] is a footnote.", ("K-ONE",)),
            ("A <!-- [K-TWO] --> is hidden. [K-ONE]", "A <!-- [K-TWO] --> is hidden.", ("K-ONE",)),
            ("a[I-1] is an index. [K-ONE]", "a[I-1] is an index.", ("K-ONE",)),
        ],
    )
    def test_cite_what_stands_in_brackets(self, item: str, text: str, cites: tuple[str, ...]) -> None:
        assert points(f"### K1: t\n\n1. {item}\n") == {"K1.1": (text, cites)}

    def test_that_are_wrapped_become_one_line(self) -> None:
        text = "### K1: t\n\n1. One\n   two  \n   three. [K-ONE]\n2. 一二\n三四。[K-TWO]\n"
        assert points(text) == {"K1.1": ("One two three.", ("K-ONE",)), "K1.2": ("一二三四。", ("K-TWO",))}

    @pytest.mark.parametrize(
        "heading",
        ["### K1: t", "## K1：t", "# K1. t", "### K1 - t", "### K1 t", "### **K1**: t", "### K1: t ###", "K1: t\n---"],
    )
    def test_stand_below_a_heading_with_the_lessons_id(self, heading: str) -> None:
        record = read_record("record.md", f"{WITH_THREE}{heading}\n\n1. One. [K-ONE]\n")
        assert [(claim.id, claim.lesson) for claim in record.claims] == [("K1.1", "K1")]

    @pytest.mark.parametrize("heading", ["### 08: t", "### Kettle: t", "### K-E1: t", "### k1: t", "### KETTLE"])
    def test_do_not_stand_below_another_heading(self, heading: str) -> None:
        assert not points(f"{heading}\n\n1. One. [K-ONE]\n")

    def test_are_not_the_items_of_a_list_that_cites_nothing(self) -> None:
        assert not points("### K1: Install\n\n1. One.\n2. Two.\n")

    def test_are_not_the_items_of_a_quoted_nested_or_bulleted_list(self) -> None:
        record = read_record(
            "record.md", WITH_THREE + "### K1: t\n\n> 1. One. [K-ONE]\n\n- 1. Two. [K-TWO]\n- Three. [K-ONE]\n"
        )
        assert not record.lessons
        assert found(record) == [
            (
                "9:1 note K1: no numbered list with citations stands below this heading; no knowledge points are taken "
                "[section-without-points]"
            ),
        ]

    def test_without_citations_are_taken_and_said(self) -> None:
        record = read_record("record.md", WITH_THREE + "### K1: t\n\n1. One. [K-ONE]\n2. Two.\n")
        assert [(claim.id, claim.text, claim.cites) for claim in record.claims][1] == ("K1.2", "Two.", ())
        assert found(record) == ["12:1 warning K1.2: cites nothing [point-without-citation]"]

    def test_that_cite_what_nobody_defines_are_said_with_the_nearest(self) -> None:
        record = read_record("record.md", WITH_THREE + "### K1: t\n\n1. One. [K-ONE] [K-TOW] [W-X]\n")
        assert [claim.cites for claim in record.claims] == [("K-ONE", "K-TOW", "W-X")]
        assert found(record) == [
            (
                "11:17 error K1.1: cites K-TOW, which is defined neither here nor in the registry [citation-undefined] "
                "[K-TWO]"
            ),
            "11:25 error K1.1: cites W-X, which is defined neither here nor in the registry [citation-undefined]",
        ]

    def test_may_cite_what_the_registry_defines(self) -> None:
        registry = Registry(anchors={"W-X": Anchor("W-X", "w", "a.c", (Region(Lines(1, 1)),))})
        record = read_record("record.md", WITH_THREE + "### K1: t\n\n1. One. [W-X]\n", registry)
        assert [claim.cites for claim in record.claims] == [("W-X",)]
        assert not record.findings

    def test_that_cite_a_row_that_is_wrong_are_not_a_second_finding(self) -> None:
        record = read_record("record.md", HEAD + "| K-ONE | a.c | 0 | abc |\n\n### K1: t\n\n1. One. [K-ONE]\n")
        assert [finding.rule.name for finding in record.findings] == ["cell-not-understood"]

    def test_of_one_id_are_left_out(self) -> None:
        record = read_record(
            "record.md", WITH_THREE + "### K1: t\n\n1. One. [K-ONE]\n\nText.\n\n1. Two. [K-TWO]\n2. Three. [K-TWO]\n"
        )
        assert [claim.id for claim in record.claims] == ["K1.2"]
        assert found(record) == ["15:1 error K1.1: stands in line 11 already; neither is taken [record-duplicate-id]"]

    def test_without_words_are_left_out(self) -> None:
        record = read_record("record.md", WITH_THREE + "### K1: t\n\n1. [K-ONE]\n2. Two. [K-TWO]\n")
        assert [claim.id for claim in record.claims] == ["K1.2"]
        assert found(record) == [
            "11:1 error K1.1: has no text of 1 to 100,000 characters beside its citations [point-not-taken]",
        ]

    def test_are_told_from_what_other_sections_cite(self) -> None:
        text = WITH_THREE + "### K1: t\n\n1. One. [K-ONE]\n\n## Rest\n\nTwo. [K-TWO]\n"
        assert [(u.ids, u.by) for u in read_record("record.md", text).uncited] == [
            (("K-TWO",), "other sections do"),
            (("K-THREE",), "nothing else does"),
        ]

    def test_that_are_missing_altogether_leave_nothing_uncited(self) -> None:
        assert not read_record("record.md", WITH_THREE).uncited


class TestHostileRecords:
    def test_nothing_is_taken_from_a_record_with_a_merge_conflict(self) -> None:
        record = read_record("record.md", WITH_THREE + "<<<<<<< HEAD\nleft\n=======\nright\n>>>>>>> other\n")
        assert (record.anchors, record.refused) == ((), True)
        assert found(record) == [
            (
                "9:1 error merge conflict: two versions of these lines stand here; nothing is taken from the record "
                "[record-conflict-marker]"
            ),
        ]

    def test_a_conflict_marker_in_code_and_a_ruler_are_text(self) -> None:
        record = read_record("record.md", WITH_THREE + "```\n<<<<<<< HEAD\n=======\n>>>>>>> x\n```\n\nTitle\n=======\n")
        assert len(record.anchors) == 3
        assert not record.findings

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "\n\n",
            "# Title\n\nText.\n",
            "| a | b |\n|---|---|\n| 1 | 2 |\n",
            "[1]: https://example.org\n",
            "\0\0",
            "\r\r\r",
        ],
    )
    def test_a_text_without_a_record_is_empty(self, text: str) -> None:
        assert read_record("record.md", text).empty

    @pytest.mark.parametrize(
        "text",
        [
            "`" * 100_000,
            "`a``b```c" * 20_000,
            "\\`" * 50_000,
            "[" * 100_000,
            "[K-A]" * 30_000,
            "<!--" * 50_000,
            "|" * 100_000,
            "vendor/a " * 20_000,
            ">" * 50_000,
            "- " * 50_000,
            "1. a [K-A]\n" * 5_000,
            "# K1: t\n" * 5_000,
            "| K-A | a | b | c |\n" * 5_000,
            HEAD + "| K-A | same | same | same |\n" * 5_000,
            "[K-A]: https://github.com/o/r/blob/x/a.c\n" * 5_000,
            "https://a.example/" + "/" * 50_000,
        ],
    )
    def test_a_text_made_to_take_long_ends(self, text: str) -> None:
        record = read_record("record.md", text)
        assert record.lines == text.count("\n") + (not text.endswith("\n"))

    @settings(deadline=None)
    @given(st.text(st.sampled_from(list("|`[]()-:;1aK#>*\\\n \t\r<!é漢")), max_size=200))
    def test_any_text_is_read_without_a_mishap(self, text: str) -> None:
        record = read_record("record.md", HEAD + text)
        assert record.lines >= 4

    @settings(deadline=None)
    @given(st.text(st.sampled_from(list("`\\ a\n")), max_size=60))
    def test_masking_changes_no_length_and_no_line(self, text: str) -> None:
        other = masked(text)
        assert len(other) == len(text)
        assert [at for at, c in enumerate(other) if c == "\n"] == [at for at, c in enumerate(text) if c == "\n"]
        for span in code_spans(text):
            assert not other[span.start : span.end].strip()

    def test_a_lone_carriage_return_does_not_shift_the_lines(self) -> None:
        record = read_record("record.md", "a\rb\x0cc\u2028d\u0085e\n\n" + HEAD + "| K-A | a.c | 0 | abc |\n")
        assert [finding.place.line for finding in record.findings] == [7]


def test_code_spans_follow_markdown() -> None:
    assert [span.code for span in code_spans("a `b` ``c`d`` `e``f` `` ` `` \\`g` ` ` `h")] == [
        "b",
        "c`d",
        "e``f",
        "`",
        " ",
        " ",
    ]


def test_a_page_knows_the_lines_of_its_rows_and_code() -> None:
    page = read_page("p.md", "| a |\n|---|\n| b |\n\n```\ncode\n```\n")
    assert (page.rows, page.literal) == ({1, 3}, {5, 6, 7})


def test_numbers_are_words_up_to_twelve() -> None:
    assert [number_word(n) for n in (1, 12, 13)] == ["one", "twelve", "13"]


def test_every_rule_has_a_name_of_its_own_and_something_to_read() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)+", name) for name in names)
    assert all(rule.summary.endswith(".") and rule.help.endswith(".") for rule in RULES)


BREAKS = {
    "record-conflict-marker": "<<<<<<< HEAD\n",
    "cell-not-understood": HEAD + "| K-ONE | a.c | x | abc |\n",
    "record-invalid-id": HEAD + "| one | a.c | 1 | abc |\n",
    "record-duplicate-id": HEAD + "| K-ONE | a.c | 1 | abc |\n| K-ONE | a.c | 2 | abc |\n",
    "header-not-understood": "| a | b |\n|---|---|\n| K-ONE | a.c |\n",
    "row-outside-table": "| K-ONE | a.c | 1 | abc |\n",
    "vendor-unknown": "vendor/k\n\n| ID | File | Lines |\n|---|---|---|\n| K-A | a.c | 3 |\n",
    "vendor-contradiction": WITH_THREE + f"vendor/kettle: commit {TWO}\n",
    "prefix-conflict": HEAD + "| K-ONE | vendor/kettle/a.c | 1 | abc |\n| K-TWO | vendor/x/a.c | 1 | abc |\n",
    "link-misses-region": WITH_THREE + f"[K-ONE]: https://github.com/hot/kettle/blob/{ONE}/a.c#L9\n",
    "link-spans-regions": WITH_THREE + f"[K-ONE]: https://github.com/hot/kettle/blob/{ONE}/a.c#L1-L9\n",
    "link-differs": WITH_THREE + f"[K-ONE]: https://github.com/hot/kettle/blob/{ONE}/b.c#L1\n",
    "link-not-permalink": WITH_THREE + "[K-ONE]: https://github.com/hot/kettle/blob/main/a.c#L1\n",
    "link-only": WITH_THREE + f"[K-FOUR]: https://github.com/hot/kettle/blob/{ONE}/a.c#L4\n",
    "duplicate-link": WITH_THREE + "".join(f"[K-A]: https://github.com/o/r/blob/{n * 40}/a.c\n" for n in "12"),
    "citation-undefined": WITH_THREE + "### K1: t\n\n1. One. [K-NONE]\n",
    "point-without-citation": WITH_THREE + "### K1: t\n\n1. One. [K-ONE]\n2. Two.\n",
    "point-not-taken": WITH_THREE + "### K1: t\n\n1. [K-ONE]\n",
    "points-misnumbered": WITH_THREE + "### K1: t\n\n1. One. [K-ONE]\n3. Two. [K-ONE]\n2. Three. [K-ONE]\n",
    "section-without-points": WITH_THREE + "### K1: t\n\nOne. [K-ONE]\n",
}


@pytest.mark.parametrize("rule", [rule.name for rule in RULES if rule.name != "vendor-differs"])
def test_every_rule_has_a_record_that_breaks_it_and_one_that_does_not(rule: str) -> None:
    assert rule in {finding.rule.name for finding in read_record("record.md", BREAKS[rule]).findings}
    assert not read_record("record.md", WITH_THREE).findings
