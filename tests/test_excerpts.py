"""Excerpts: the right lines with their true numbers, in every format, whatever the source has in it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from claimcheck.errors import UsageError
from claimcheck.excerpts import LANGUAGES, CitedBy, Excerpt, NotInFile, citing, cut, symbols_in
from claimcheck.model import (
    Anchor,
    Basis,
    Claim,
    Erratum,
    Example,
    Lines,
    Pin,
    Place,
    Places,
    Region,
    Release,
    ReviewState,
    Revision,
    Vendor,
)
from claimcheck.outcome import Extent, Spot
from claimcheck.reports import excerpts_html, excerpts_json, excerpts_markdown, excerpts_text
from claimcheck.reports.excerpts import EXCERPT_FORMATS
from claimcheck.reports.json_values import dumps
from claimcheck.syntax import outline
from claimcheck.terminal import HIDDEN, Paint
from claimcheck.texts import SourceText

GOLDEN = Path(__file__).parent / "golden"

COMMIT = "5e0d1c2b3a49586776859403a2b1c0d9e8f7a6b5"
ELSEWHERE = "00112233445566778899aabbccddeeff00112233"
OURS = "cafe" * 10
BLOB = "b10bb10bb10bb10bb10bb10bb10bb10bb10bb10b"
RELEASE = Release("2.1.0", "9a7c" + "0" * 60)
FERRY = Vendor("ferry", Pin(COMMIT), ("F",), url="https://github.com/harbour/ferry.git", releases=(RELEASE,))
AT_PIN = Revision(COMMIT, tag="v2.2.0")
AT_RELEASE = Revision(OURS, RELEASE)

DOCK = '''\
"""Berths of a harbour, lent to ships."""

from collections import deque


class Dock:
    def __init__(self, size: int) -> None:
        self.free = deque(range(size))
        self.taken: dict[str, int] = {}

    def moor(self, ship: str) -> int:
        """Give a ship the berth that was left longest ago."""
        if not self.free:
            raise LookupError(f"no berth for {ship}")

        berth = self.free.popleft()
        self.taken[ship] = berth
        return berth

    def __len__(self) -> int:
        return len(self.taken)

    def __contains__(self, ship: str) -> bool:
        return ship in self.taken

    def extend(self, by: int) -> None:
        size = len(self.free) + len(self.taken)
        self.free.extend(range(size, size + by))

    def leave(self, ship: str) -> None:
        """Take a ship's berth back."""
        self.free.append(self.taken.pop(ship))

    def is_full(self) -> bool:
        return not self.free

    def swap(self, one: str, other: str) -> None:
        """Two ships change places."""
        taken = self.taken

        taken[one], taken[other] = taken[other], taken[one]
'''

DEFINITIONS = {
    "Dock.moor": Lines(11, 18),
    "Dock.leave": Lines(30, 32),
    "Dock.is_full": Lines(34, 35),
    "Dock.swap": Lines(37, 41),
}


def definitions(lines: Lines) -> Sequence[str]:
    return [name for name, extent in DEFINITIONS.items() if lines.covers(extent)]


def anchor(*ranges: Lines, id: str = "F-BERTH", path: str = "ferry/dock.py") -> Anchor:
    return Anchor(id, "ferry", path, tuple(Region(lines) for lines in ranges))


def source(text: str, note: str | None = None) -> SourceText:
    return SourceText(text, BLOB, note)


def excerpt_of(
    text: str,
    *ranges: Lines,
    path: str = "ferry/dock.py",
    vendor: Vendor = FERRY,
    symbol: str | None = None,
    note: str | None = None,
    context: int = 0,
    region: int | None = None,
    cited_by: Sequence[CitedBy] | None = None,
) -> Excerpt:
    """The excerpt of ranges, at the pin; without ranges, of the whole file."""
    text_of = source(text, note)
    spots = [Spot(path, lines, symbol) for lines in ranges or (text_of.whole,)]
    return cut(
        anchor(*ranges, path=path),
        vendor,
        AT_PIN,
        vendor.pin,
        text_of,
        spots,
        ranges,
        ReviewState.UNREVIEWED,
        context=context,
        region=region,
        cited_by=cited_by,
    )


def of_the_dock(**more: object) -> Excerpt:
    """Two regions at the pin: one method, and three together."""
    ranges = (Lines(11, 18), Lines(30, 41))
    spots = [Spot("ferry/dock.py", lines, "Dock") for lines in ranges]
    arguments = {"symbols_of": definitions, **more}
    return cut(
        anchor(*ranges), FERRY, AT_PIN, FERRY.pin, source(DOCK), spots, ranges, ReviewState.REVIEWED, **arguments
    )


def at_the_release() -> Excerpt:
    """The same code where a release stands in, with lines that the registry has elsewhere."""
    recorded = (Lines(9, 16), Lines(26, 37))
    spots = [
        Spot("ferry/dock.py", Lines(11, 18), "Dock.moor", Extent.DEFINITION),
        Spot("ferry/dock.py", Lines(30, 41), "Dock", Extent.GUESSED),
    ]
    return cut(
        anchor(*recorded),
        FERRY,
        AT_RELEASE,
        FERRY.pin,
        source(DOCK),
        spots,
        recorded,
        ReviewState.REVIEWED,
        symbols_of=definitions,
    )


def text_of(excerpt: Excerpt) -> str:
    return excerpts_text.render([excerpt])


def check_golden(name: str, output: str) -> None:
    """Compare with a golden file; with CLAIMCHECK_ACCEPT in the environment, accept the output instead."""
    path = GOLDEN / name
    if os.environ.get("CLAIMCHECK_ACCEPT"):
        path.write_text(output, encoding="utf-8", newline="")
    assert output == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", EXCERPT_FORMATS)
def test_each_format_prints_what_its_golden_file_has(name: str) -> None:
    cited = [CitedBy("F1.2", "A ship gets the berth\nthat was left longest ago."), CitedBy("F-E1", "三艘船，两个泊位")]
    output = EXCERPT_FORMATS[name].render([of_the_dock(context=1, cited_by=cited), at_the_release()])
    output = re.sub(r'<span class="[kscmf]">([^<]*)</span>', r"\1", output)  # another Pygments colours otherwise
    check_golden(f"excerpt.{name}", output)


# The layout that is promised, character by character.


def test_at_the_pin_the_layout_is_header_regions_gap_and_links() -> None:
    assert text_of(of_the_dock()) == (
        "F-BERTH  ferry 5e0d1c2b (v2.2.0)  ferry/dock.py  reviewed\n"
        "\n"
        "Dock.moor  11-18\n"
        " 11 |     def moor(self, ship: str) -> int:\n"
        ' 12 |         """Give a ship the berth that was left longest ago."""\n'
        " 13 |         if not self.free:\n"
        ' 14 |             raise LookupError(f"no berth for {ship}")\n'
        " 15 |\n"
        " 16 |         berth = self.free.popleft()\n"
        " 17 |         self.taken[ship] = berth\n"
        " 18 |         return berth\n"
        "   ...   11 lines\n"
        "\n"
        "Dock.leave, Dock.is_full, Dock.swap  30-41\n"
        " 30 |     def leave(self, ship: str) -> None:\n"
        ' 31 |         """Take a ship\'s berth back."""\n'
        " 32 |         self.free.append(self.taken.pop(ship))\n"
        " 33 |\n"
        " 34 |     def is_full(self) -> bool:\n"
        " 35 |         return not self.free\n"
        " 36 |\n"
        " 37 |     def swap(self, one: str, other: str) -> None:\n"
        ' 38 |         """Two ships change places."""\n'
        " 39 |         taken = self.taken\n"
        " 40 |\n"
        " 41 |         taken[one], taken[other] = taken[other], taken[one]\n"
        "\n"
        f"https://github.com/harbour/ferry/blob/{COMMIT}/ferry/dock.py#L11-L18\n"
        f"https://github.com/harbour/ferry/blob/{COMMIT}/ferry/dock.py#L30-L41\n"
    )


def test_a_stand_in_is_called_one_and_has_a_content_id_for_its_links() -> None:
    first, *_, last = text_of(at_the_release()).splitlines()
    assert first == (
        "F-BERTH  ferry 2.1.0 (source archive, sha256 9a7c…), stand-in for 5e0d1c2b  "
        "ferry/dock.py (lines 11-18, 30-41; registry 9-16, 26-37)"
    )
    assert last == f"swh:1:cnt:{BLOB}"


@pytest.mark.parametrize("name", EXCERPT_FORMATS)
def test_the_commit_of_a_release_is_in_no_output(name: str) -> None:
    output = EXCERPT_FORMATS[name].render([at_the_release()])
    assert OURS not in output and OURS[:8] not in output
    assert "swh:1:rev" not in output and "github.com" not in output
    assert "2.1.0" in output


def test_a_release_that_is_the_pin_stands_in_for_nothing() -> None:
    vendor = Vendor("ferry", Pin("release/2.1.0"), ("F",), url=FERRY.url, releases=(RELEASE,))
    spots = [Spot("ferry/dock.py", Lines(11, 18))]
    shown = cut(
        anchor(Lines(11, 18)), vendor, AT_RELEASE, vendor.pin, source(DOCK), spots, [Lines(11, 18)], ReviewState.CARRIED
    )
    first, *_, last = text_of(shown).splitlines()
    assert first == "F-BERTH  ferry 2.1.0 (source archive, sha256 9a7c…)  ferry/dock.py  carried"
    assert last == f"swh:1:cnt:{BLOB};lines=11-18"


def test_at_another_commit_the_pin_is_named_and_the_change_too() -> None:
    spots = [Spot("ferry/quay.py", Lines(12, 18), "Dock.moor")]
    shown = cut(
        anchor(Lines(11, 18)),
        FERRY,
        Revision(ELSEWHERE, tag="v3.0.0"),
        FERRY.pin,
        source(DOCK),
        spots,
        [Lines(11, 18)],
        ReviewState.REVIEWED,
        outcomes=["edited"],
    )
    lines = text_of(shown).splitlines()
    assert lines[0] == (
        "F-BERTH  ferry 00112233 (v3.0.0), pinned at 5e0d1c2b  "
        "ferry/quay.py (lines 12-18; registry ferry/dock.py 11-18)"
    )
    assert lines[2] == "Dock.moor  12-18  (edited)"
    assert lines[-1] == f"https://github.com/harbour/ferry/blob/{ELSEWHERE}/ferry/quay.py#L12-L18"


def test_guessed_ends_are_called_guessed_and_others_are_not() -> None:
    headings = [line for line in text_of(at_the_release()).splitlines() if line.startswith("Dock")]
    assert headings == [
        "Dock.moor  11-18",
        "Dock.leave, Dock.is_full, Dock.swap  30-41  (ends guessed: as many lines as the registry has)",
    ]


def test_without_a_definition_in_it_a_region_is_named_by_the_one_around_it() -> None:
    assert "\nDock.moor  13-14\n" in text_of(excerpt_of(DOCK, Lines(13, 14), symbol="Dock.moor"))
    assert "\nlines 3-5\n" in text_of(excerpt_of(DOCK, Lines(3, 5)))
    assert "\nline 3\n" in text_of(excerpt_of(DOCK, Lines(3, 3)))


def test_a_range_names_each_definition_that_it_is_or_the_one_around_it() -> None:
    source = "class Dock:\n    def moor(self):\n        return 1\n\n    def sail(self):\n        return 2\n"
    names = symbols_in(outline(source, "dock.py"))
    assert names(Lines(2, 6)) == ("Dock.moor", "Dock.sail")
    assert names(Lines(5, 6)) == ("Dock.sail",)
    assert names(Lines(6, 6)) == ("Dock.sail",)
    assert symbols_in(outline(source, "dock.txt"))(Lines(2, 6)) == ()


def test_many_definitions_are_named_by_the_first_few() -> None:
    many = of_the_dock(symbols_of=lambda lines: [f"f{n}" for n in range(30)], region=1)
    assert "\nf0, f1, f2, f3, f4, f5, f6, f7 and 22 more  11-18\n" in text_of(many)
    assert json.loads(excerpts_json.render([many]))["excerpts"][0]["regions"][0]["symbols"][29] == "f29"


def test_one_line_is_one_line() -> None:
    lines = text_of(excerpt_of(DOCK, Lines(18, 18), symbol="Dock.moor")).splitlines()
    assert lines[2:4] == ["Dock.moor  18", " 18 |         return berth"]
    assert lines[-1].endswith("/ferry/dock.py#L18")


def test_a_whole_file_has_no_range_in_its_link() -> None:
    lines = text_of(excerpt_of("a\nb\n")).splitlines()
    assert lines[2:] == [
        "whole file  1-2",
        " 1 | a",
        " 2 | b",
        "",
        f"https://github.com/harbour/ferry/blob/{COMMIT}/ferry/dock.py",
    ]


def test_an_empty_file_is_said_to_be_empty() -> None:
    lines = text_of(excerpt_of("")).splitlines()
    assert lines[2:4] == ["whole file, empty", ""]
    for name, report in EXCERPT_FORMATS.items():
        assert report.render([excerpt_of("")]), name


def test_several_excerpts_follow_each_other() -> None:
    both = excerpts_text.render([excerpt_of("a\n"), excerpt_of("b\n")])
    assert both == text_of(excerpt_of("a\n")) + "\n" + text_of(excerpt_of("b\n"))


def test_numbers_share_one_width() -> None:
    text = "".join(f"line {n}\n" for n in range(1, 1201))
    shown = text_of(excerpt_of(text, Lines(9, 10), Lines(999, 1000)))
    assert "    9 | line 9\n   10 | line 10\n   ...   988 lines\n" in shown
    assert "  999 | line 999\n 1000 | line 1000\n" in shown


def test_no_gap_is_printed_where_nothing_is_left_out() -> None:
    assert "..." not in text_of(excerpt_of("a\nb\nc\n", Lines(1, 1), Lines(2, 3)))
    assert "   ...   1 line\n" in text_of(excerpt_of("a\nb\nc\n", Lines(1, 1), Lines(3, 3)))


def test_one_region_can_be_asked_for() -> None:
    second = of_the_dock(region=2)
    assert [region.lines for region in second.regions] == [Lines(30, 41)]
    shown = text_of(second)
    assert "..." not in shown and "#L11" not in shown and "#L30-L41" in shown


@pytest.mark.parametrize(("region", "count"), [(0, "2 regions"), (3, "2 regions"), (-1, "2 regions")])
def test_a_region_that_is_not_there_is_a_usage_error(region: int, count: str) -> None:
    with pytest.raises(UsageError, match=f"F-BERTH has {count}; there is no region {region}"):
        of_the_dock(region=region)
    with pytest.raises(UsageError, match="F-BERTH has one region; there is no region 2"):
        excerpt_of("a\n", region=2)


# Context.


def test_context_is_marked_and_never_counted_as_cited() -> None:
    shown = excerpt_of("a\nb\nc\nd\ne\n", Lines(3, 3), context=1)
    assert " 2 : b\n 3 | c\n 4 : d\n" in text_of(shown)
    assert shown.regions[0].text == ("c",)
    assert str(shown.regions[0].link).endswith("#L3")


def test_context_ends_with_the_file_and_does_not_cover_the_next_region() -> None:
    shown = excerpt_of("a\nb\n\nd\ne\n", Lines(2, 2), Lines(4, 4), context=9)
    body = text_of(shown).split("\n\n")
    assert body[1] == "line 2\n 1 : a\n 2 | b\n 3 :"
    assert body[2] == "line 4\n 4 | d\n 5 : e"


def test_no_context_is_the_default() -> None:
    assert all(not region.before and not region.after for region in of_the_dock().regions)


# Nothing is ever clamped.


@pytest.mark.parametrize(
    ("text", "lines", "said"),
    [
        ("a\nb\nc\n", Lines(10, 20), "lines 10-20 of ferry/dock.py at ferry 5e0d1c2b (v2.2.0): the file has 3 lines"),
        ("a\nb\nc\n", Lines(2, 10_000_000), "the file has 3 lines"),
        ("a\nb\nc\n", Lines(2, 4), "the file has 3 lines"),
        ("a\nb", Lines(3, 3), "the file has 2 lines"),
        ("a", Lines(2, 2), "the file has 1 line"),
        ("", Lines(1, 1), "the file has 0 lines"),
        ("a\nb\n", Lines(0, 1), "the file has 2 lines"),
        (
            "x=1\rdef f():\r    pass\r",
            Lines(2, 3),
            "the file has 1 line (CR-only line ends; git and GitHub do not split them)",
        ),
    ],
)
def test_lines_that_the_file_does_not_have_are_an_error(text: str, lines: Lines, said: str) -> None:
    with pytest.raises(NotInFile, match=re.escape(said)) as caught:
        excerpt_of(text, lines)
    assert caught.value.message.startswith("F-BERTH: ")
    assert caught.value.exit_code == 1 and caught.value.help


def test_the_error_stands_where_the_range_is_written() -> None:
    places = Places({"": Place("anchors.yaml", 4), "lines.1": Place("anchors.yaml", 6, 22)})
    broken = Anchor("F-X", "ferry", "a.py", (Region(Lines(1, 1)), Region(Lines(5, 6))), places=places)
    spots = [Spot("a.py", region.lines) for region in broken.regions]
    with pytest.raises(NotInFile) as caught:
        cut(broken, FERRY, AT_PIN, FERRY.pin, source("a\n"), spots, [], ReviewState.UNREVIEWED)
    assert str(caught.value.place) == "anchors.yaml:6:22"


def test_a_region_not_asked_for_may_be_beyond_the_file() -> None:
    spots = [Spot("ferry/dock.py", Lines(1, 1)), Spot("ferry/dock.py", Lines(5, 6))]
    two = anchor(Lines(1, 1), Lines(5, 6))
    shown = cut(two, FERRY, AT_PIN, FERRY.pin, source("a\n"), spots, [], ReviewState.UNREVIEWED, region=1)
    assert shown.regions[0].text == ("a",)


def test_regions_in_two_files_are_not_shown_as_one_excerpt() -> None:
    spots = [Spot("a.py", Lines(1, 1)), Spot("b.py", Lines(2, 2))]
    with pytest.raises(NotInFile, match=r"its regions are in 2 files at ferry 5e0d1c2b \(v2\.2\.0\): a\.py, b\.py"):
        cut(
            anchor(Lines(1, 1), Lines(2, 2)),
            FERRY,
            AT_PIN,
            FERRY.pin,
            source("a\nb\n"),
            spots,
            [],
            ReviewState.REVIEWED,
        )


# Line ends, encodings, odd characters.


@pytest.mark.parametrize("text", ["x = 1\ny = 2\nz = 3\n", "x = 1\r\ny = 2\r\nz = 3\r\n", "x = 1\ny = 2\nz = 3"])
@pytest.mark.parametrize("name", EXCERPT_FORMATS)
def test_line_ends_make_no_difference(name: str, text: str) -> None:
    report = EXCERPT_FORMATS[name]
    assert report.render([excerpt_of(text, Lines(1, 3))]) == report.render(
        [excerpt_of("x = 1\ny = 2\nz = 3\n", Lines(1, 3))]
    )


def test_a_range_from_line_one_begins_with_the_first_line() -> None:
    assert "\n 1 | def f():\n 2 |     pass\n" in text_of(excerpt_of("def f():\n    pass\n", Lines(1, 2)))


def test_only_line_feeds_count() -> None:
    text = 'x = "a\u2028b"\n\x0c\n# \x85 \x0b \x1c\ndef f():\n    pass\n'
    shown = text_of(excerpt_of(text, Lines(1, 5)))
    assert ' 1 | x = "a\\u2028b"\n 2 | \\x0c\n 3 | # \\x85 \\x0b \\x1c\n 4 | def f():\n' in shown


def test_characters_before_a_line_do_not_shift_it() -> None:
    text = "# 変数 — café 🚢\ndef f():\n    return '船'\n"
    assert " 2 | def f():\n 3 |     return '船'\n" in text_of(excerpt_of(text, Lines(2, 3)))


def test_how_a_file_was_decoded_is_said_in_every_format() -> None:
    for name, report in EXCERPT_FORMATS.items():
        assert "read as Latin-1" in report.render([excerpt_of("café\n", Lines(1, 1), note="read as Latin-1")]), name
    assert "note:" not in text_of(excerpt_of("café\n", Lines(1, 1)))


def test_hidden_characters_are_shown_escaped_and_named_with_their_place() -> None:
    shown = text_of(excerpt_of("ok\nif a\u202e == b\u2066: # \u200b\n\tx = '\x1b[2J'\r!\n", Lines(1, 3)))
    assert " 2 | if a\\u202e == b\\u2066: # \\u200b\n 3 | \tx = '\\x1b[2J'\\r!\n" in shown
    assert "note: U+202E RIGHT-TO-LEFT OVERRIDE at 2:5: shown escaped\n" in shown
    assert "note: U+001B ESCAPE at 3:7: shown escaped\n" in shown


def test_many_hidden_characters_are_counted() -> None:
    shown = text_of(excerpt_of("\x0c\x0c\x0c\x0c\x0c\n\x01\x02\x03\x04\x05\x06\n", Lines(1, 2)))
    assert "note: U+000C FORM FEED at 1:1, 1:2, 1:3 and 2 more: shown escaped\n" in shown
    assert "note: 2 more kinds of hidden characters: shown escaped\n" in shown


def test_a_huge_line_is_cut_with_a_note_of_how_much() -> None:
    huge = excerpt_of("short\n" + "x" * 5_000_000 + "\n", Lines(1, 2))
    for name in ("text", "markdown", "html"):
        output = EXCERPT_FORMATS[name].render([huge])
        assert "[… 4,998,000 more characters]" in output
        assert len(output) < 20_000
    document = json.loads(excerpts_json.render([huge]))
    assert len(document["excerpts"][0]["regions"][0]["text"][1]) == 5_000_000


def test_a_long_line_within_the_limit_is_whole() -> None:
    line = "x" * 2000
    assert f" 1 | {line}\n" in text_of(excerpt_of(line, Lines(1, 1)))


# Who cites it.


def test_who_cites_it_is_shown_only_when_asked_for() -> None:
    assert text_of(of_the_dock()) in text_of(of_the_dock(cited_by=[CitedBy("F1.1", "x")]))
    assert text_of(of_the_dock(cited_by=[CitedBy("F1.1", "one\n  sentence")])).endswith("\n\nF1.1  one sentence\n")
    assert text_of(of_the_dock(cited_by=[])).endswith("\n\ncited by nothing\n")
    assert "cited_by" not in json.loads(excerpts_json.render([of_the_dock()]))["excerpts"][0]


def test_claims_examples_and_errata_say_what_they_say() -> None:
    entries = [
        Claim("F1.1", "a claim", ("F-BERTH",), Basis.CODE),
        Example("F-E1", "an example", ("F-BERTH",)),
        Erratum("E1-1", "one.html", (), "quote", "wrong", "right"),
    ]
    assert citing(entries) == (CitedBy("F1.1", "a claim"), CitedBy("F-E1", "an example"), CitedBy("E1-1", "right"))


# Links.


def test_a_region_without_a_forge_has_its_content_id_and_the_reason_once() -> None:
    vendor = Vendor("ferry", Pin(COMMIT), ("F",), url="https://me:tok3n@git.example.org/harbour/ferry")
    shown = text_of(excerpt_of(DOCK, Lines(1, 2), Lines(4, 5), vendor=vendor))
    assert shown.count("no permalink: git.example.org is no forge known here") == 1
    assert f"swh:1:cnt:{BLOB};origin=https://git.example.org/harbour/ferry;anchor=swh:1:rev:{COMMIT}" in shown
    assert ";path=/ferry/dock.py;lines=4-5\n" in shown


@pytest.mark.parametrize("name", EXCERPT_FORMATS)
@pytest.mark.parametrize(
    "url", ["https://me:tok3n@github.com/harbour/ferry", "https://me:tok3n@git.example.org/x", "/home/tok3n/x"]
)
def test_secrets_of_an_address_are_in_no_output(name: str, url: str) -> None:
    vendor = Vendor("ferry", Pin(COMMIT), ("F",), url=url)
    assert "tok3n" not in EXCERPT_FORMATS[name].render([excerpt_of("a\n", Lines(1, 1), vendor=vendor)])


# Terminals and CI logs.


def test_colour_changes_nothing_but_the_colour() -> None:
    plain = excerpts_text.render([of_the_dock(context=1), at_the_release()])
    coloured = excerpts_text.render([of_the_dock(context=1), at_the_release()], paint=Paint(on=True))
    assert coloured != plain
    assert re.sub(r"\x1b\[\d*m", "", coloured) == plain


def runner_commands(log: str) -> list[str]:
    """What a CI runner would act on: a small model of GitHub, Azure, TeamCity, GitLab and Buildkite."""
    found = re.findall(r"section_(?:start|end):[0-9]+:[^\r\n]*\r\x1b\[0K", log)
    for line in re.split(r"[\r\n]", log):
        github = line.lstrip().startswith("::") or re.search(r"##\[[A-Za-z-]{4,}[\] ]", line)
        others = "##vso[" in line or "##teamcity[" in line or line.startswith(("---", "+++", "~~~", "^^^"))
        if github or others:
            found.append(line)
    return found


ATTACKS = [
    "::error file=a,line=1::forged",
    "  ::add-mask::e",
    "##[error]forged",
    "##vso[task.setvariable variable=X]y",
    "##teamcity[buildStatus status='SUCCESS']",
    "section_start:1700000000:x\r\x1b[0Kforged",
    "--- forged",
    "+++ forged",
    "x\n::error::after a line feed",
    "x\r::error::after a carriage return",
]


def test_the_model_of_the_runners_sees_the_attacks() -> None:
    assert all(runner_commands(attack) for attack in ATTACKS)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("name", ["text", "html", "json"])
def test_untrusted_text_gives_no_command_to_a_ci_runner(name: str, attack: str) -> None:
    one = Revision(COMMIT, tag=attack)
    vendor = Vendor("ferry", Pin(COMMIT), ("F",), url="https://git.example.org/x")
    lines = attack.split("\n")
    shown = cut(
        anchor(Lines(1, len(lines)), path=attack),
        vendor,
        one,
        vendor.pin,
        source(attack, attack),
        [Spot(attack, Lines(1, len(lines)), attack)],
        [],
        ReviewState.REVIEWED,
        cited_by=[CitedBy("F1.1", attack)],
    )
    assert runner_commands(EXCERPT_FORMATS[name].render([shown])) == []


@pytest.mark.parametrize("name", EXCERPT_FORMATS)
def test_no_format_lets_a_hidden_character_out(name: str) -> None:
    every = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0), *range(0x2000, 0x2070), 0xFEFF])).replace("\n", "")
    shown = excerpt_of(
        f"{every}\n", Lines(1, 1), path=f"a{every}.py", symbol=every, note=every, cited_by=[CitedBy("F1.1", every)]
    )
    output = EXCERPT_FORMATS[name].render([shown])
    assert {match.group() for match in HIDDEN.finditer(output)} == {"\n"}


# Markdown.


HOSTILE = [
    "x = '</script><script>alert(1)</script>'",
    "<!-- comment --> --> <!--",
    "</pre></code></section></article><h1>out</h1>",
    "<img src=x onerror=alert(1)> <svg onload=x> <b>",
    "a && b || c < d > e ]]> \"quoted\" 'single'",
    'x = "&lt;b&gt;" && a<b>c  # &nbsp; &amp;lt; &#60;',
    "{{ title }} {% Vimeo ID %} {% raw %} {% endraw %} ${{ secrets.X }} {{ ''.__class__ }}",
    "``` inner fence",
    "````python",
    "~~~",
    "    ```",
    "`code` ``code`` [V-OTHER] [link](javascript:x) ![i](x) | cell | # no heading",
    "- not a list",
    "> not a quote",
    "\ttab\tand trailing blanks  ",
    "",
    "</textarea></style></title>",
]


def markdown(excerpt: Excerpt) -> str:
    return excerpts_markdown.render([excerpt])


def test_a_fence_holds_whatever_the_code_has() -> None:
    text = "\n".join(HOSTILE) + "\n"
    tokens = MarkdownIt("commonmark").parse(markdown(excerpt_of(text, Lines(1, len(HOSTILE)))))
    assert [token.type for token in tokens if token.level == 0 and token.nesting >= 0] == [
        "fence",
        "paragraph_open",
        "paragraph_open",
    ]
    assert tokens[0].content == text
    assert tokens[0].info == "python"


@given(st.lists(st.text(st.sampled_from("`~ab \t<>&[]#\\-_"), max_size=9), min_size=1, max_size=6))
def test_any_lines_come_out_of_markdown_as_they_are(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    tokens = MarkdownIt("commonmark").parse(markdown(excerpt_of(text, Lines(1, len(lines)))))
    assert [token.content for token in tokens if token.type == "fence"] == [text]


def test_the_fence_is_as_short_as_it_may_be() -> None:
    assert markdown(excerpt_of("a\n", Lines(1, 1))).startswith("```python\na\n```\n")
    assert markdown(excerpt_of("a ``` b\n", Lines(1, 1))).startswith("````python\n")


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("csrc/a.cu", "cuda"),
        ("csrc/a.cuh", "cuda"),
        ("a.hpp", "cpp"),
        ("A.CPP", "cpp"),
        ("Makefile", "make"),
        ("x/CMakeLists.txt", "cmake"),
        ("a.unknown", ""),
        ("LICENSE", ""),
    ],
)
def test_the_language_comes_from_the_name(path: str, language: str) -> None:
    assert markdown(excerpt_of("a\n", Lines(1, 1), path=path)).startswith(f"```{language}\n")


def test_pygments_knows_every_language() -> None:
    from pygments.lexers import get_lexer_by_name

    for language in {*LANGUAGES.values(), "cmake", "docker", "make"}:
        get_lexer_by_name(language)


@pytest.mark.parametrize("name", ["`", "a`b", "``", " a", "*x* _y_ [z](u) <b>", "a | b", "\\`"])
def test_names_around_the_code_are_shown_as_they_are(name: str) -> None:
    path = f"d/{name}.py"
    tokens = MarkdownIt("commonmark").parse(
        markdown(excerpt_of("a\n", Lines(1, 1), path=path, symbol=name.strip(), cited_by=[CitedBy("F1.1", name)]))
    )
    spans = [child.content for token in tokens for child in token.children or () if child.type == "code_inline"]
    assert spans == [path, name.strip()]
    said = next(token for token in tokens if token.type == "inline" and token.content.startswith("F1.1"))
    assert [child.type for child in said.children or ()] == ["text"]
    assert said.children is not None and said.children[0].content == f"F1.1: {name.strip()}"


# HTML.


COLOURS = {"k", "s", "c", "m", "f"}


class Tree(HTMLParser):
    """The elements of a page with their attributes, and the texts of its `pre`s; colours are left out."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[int, str, tuple[tuple[str, str | None], ...]]] = []
        self.code: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        colour = tag == "span" and dict(attrs).get("class") in COLOURS
        if not colour:
            self.elements.append((sum(not one for _, one in self._open), tag, tuple(attrs)))
        if tag == "pre":
            self.code.append("")
        if tag != "meta":
            self._open.append((tag, colour))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_data(self, data: str) -> None:
        if any(tag == "pre" for tag, _ in self._open):
            self.code[-1] += data


def page(text: str, path: str = "ferry/dock.py") -> Tree:
    return Tree(excerpts_html.render([excerpt_of(text, Lines(1, len(text.splitlines())), path=path)]))


@pytest.mark.parametrize("path", ["a.py", "a.cu", "a.html", "a.md", "a.js", "a.yaml", "a.unknown"])
def test_hostile_code_makes_no_element_and_reads_back_as_it_is(path: str) -> None:
    text = "\n".join(HOSTILE)
    tree = page(text, path)
    assert tree.code == [text]
    assert tree.elements == page("\n".join("x" * len(HOSTILE)), path).elements
    for line in HOSTILE:
        alone = page(line or "x", path)
        assert alone.code == [line or "x"]
        assert alone.elements == page("x", path).elements


@given(st.text(st.sampled_from("<>&\"'!-/=abx \t;#`{}%\u2029\xa0块"), min_size=1, max_size=40).filter(str.strip))
def test_any_line_reads_back_from_the_page(line: str) -> None:
    tree = page(line.replace("\u2029", "\u3000"), "a.cu")
    assert tree.code == [line.replace("\u2029", "\u3000")]
    assert tree.elements == page("x", "a.cu").elements


def test_control_characters_are_made_visible_in_the_page() -> None:
    tree = page("a\x00b\x1b[31m\u202ec")
    assert tree.code == ["a\\x00b\\x1b[31m\\u202ec"]


def test_hostile_names_make_no_element() -> None:
    def elements(name: str) -> list[str]:
        shown = excerpt_of(
            "a\n", Lines(1, 1), path=f"{name}.py", symbol=name, note=name, cited_by=[CitedBy("F1.1", name)]
        )
        return [tag for _, tag, _ in Tree(excerpts_html.render([shown])).elements]

    for line in HOSTILE:
        assert elements(line or "x") == elements("x")


def test_the_page_stands_alone() -> None:
    output = excerpts_html.render([of_the_dock(), at_the_release()])
    elements = Tree(output).elements
    tags = {tag for _, tag, _ in elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "base", "form"}
    assert "url(" not in output and "@import" not in output and "@font-face" not in output
    assert dict(next(attrs for _, tag, attrs in elements if tag == "html"))["lang"] == "en"
    assert "prefers-color-scheme: dark" in output
    for _, tag, attrs in elements:
        if tag == "a":
            assert dict(attrs)["rel"] == "noopener noreferrer"
            assert str(dict(attrs)["href"]).startswith("https://github.com/")
        assert not any(name.startswith("on") or name in ("src", "style") for name, _ in attrs)


def test_line_numbers_are_attributes_and_not_text() -> None:
    tree = Tree(excerpts_html.render([of_the_dock(context=1)]))
    numbers = [dict(attrs)["data-n"] for _, tag, attrs in tree.elements if tag == "span" and "data-n" in dict(attrs)]
    assert numbers == [str(n) for n in [*range(10, 20), *range(29, 42)]]
    assert tree.code[0].split("\n")[1:-1] == DOCK.split("\n")[10:18]


def test_code_is_coloured_where_there_is_a_lexer_and_plain_where_not() -> None:
    assert '<span class="k">def</span>' in excerpts_html.render([of_the_dock()])
    assert 'class="k"' not in excerpts_html.render([excerpt_of(DOCK, Lines(1, 9), path="a.unknown")])


def test_a_very_long_excerpt_is_not_coloured() -> None:
    text = "def f(): pass\n" * 20_000
    output = excerpts_html.render([excerpt_of(text, Lines(1, 20_000))])
    assert 'class="k"' not in output
    assert output.count("data-n=") == 20_000


# JSON.


def test_json_has_the_exact_text_and_the_true_places() -> None:
    lines = ["\tx = '\x1b[2J' \u202e\u2028 ##vso[x]", "# 块 … café"]
    document = json.loads(excerpts_json.render([excerpt_of("\n".join(lines), Lines(1, 2), symbol="f")]))
    assert document["schema"] == "claimcheck.excerpt/1"
    (found,) = document["excerpts"]
    assert found["commit"] == COMMIT and found["at_pin"] is True and found["stand_in"] is False
    (region,) = found["regions"]
    assert region["text"] == lines
    assert (region["lines"], region["recorded"], region["symbol"]) == ([1, 2], [1, 2], "f")
    assert (region["outcome"], region["extent"]) == ("unchanged", "exact")


def test_json_says_what_a_stand_in_is() -> None:
    (found,) = json.loads(excerpts_json.render([at_the_release()]))["excerpts"]
    assert found["commit"] is None and found["stand_in"] is True
    assert found["release"] == {"version": "2.1.0", "sha256": RELEASE.sha256}
    assert found["pin"] == COMMIT
    assert [region["recorded"] for region in found["regions"]] == [[9, 16], [26, 37]]
    assert [region["extent"] for region in found["regions"]] == ["definition", "guessed"]
    assert [region["outcome"] for region in found["regions"]] == ["located", "located"]
    assert [region["permalink"] for region in found["regions"]] == [None, None]


@given(st.lists(st.text(max_size=30), max_size=5))
def test_any_text_comes_back_from_json(texts: list[str]) -> None:
    output = dumps({"texts": texts})
    assert json.loads(output) == {"texts": texts}
    assert {match.group() for match in HIDDEN.finditer(output)} == {"\n"}


@given(st.text(st.characters(codec=None), max_size=20))
def test_json_has_no_lone_surrogates(text: str) -> None:
    output = dumps([text])
    output.encode("utf-8")
    json.loads(output)[0].encode("utf-8")


# The law: what is shown is what the file has at these numbers.


@given(
    st.lists(
        st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), max_size=12),
        min_size=1,
        max_size=30,
    ),
    st.data(),
)
def test_what_is_shown_is_what_the_file_has(lines: list[str], data: st.DataObject) -> None:
    text = "".join(f"{line}\n" for line in lines)
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    context = data.draw(st.integers(0, 4))
    shown = excerpt_of(text, Lines(first, last), context=context)
    region = shown.regions[0]
    assert list(region.text) == [line.removesuffix("\r") for line in lines[first - 1 : last]]
    assert region.shown == Lines(max(1, first - context), min(len(lines), last + context))
    printed = [re.match(r" *(\d+) [|:]", line) for line in text_of(shown).split("\n\n")[1].split("\n")[1:]]
    assert [int(match[1]) for match in printed if match] == list(range(region.shown.first, region.shown.last + 1))
