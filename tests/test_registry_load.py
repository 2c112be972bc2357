"""Registry files to a Registry, or to every located reason why not."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from claimcheck import registry
from claimcheck.checks.dialects import Kind
from claimcheck.checks.forms.calls import Calls
from claimcheck.checks.forms.exists import Exists
from claimcheck.checks.pattern import CallPattern
from claimcheck.errors import RegistryError
from claimcheck.finding import Finding, FindingClass, Frame
from claimcheck.forges import template_problem
from claimcheck.model import (
    Anchor,
    Basis,
    Caveat,
    Check,
    Claim,
    Documents,
    Erratum,
    Example,
    Lines,
    Pin,
    Place,
    Region,
    Registry,
    Release,
    Table,
    Vendor,
    Waiver,
    Watch,
)
from claimcheck.project import Project
from claimcheck.registry.yaml_parse import Parsed, Unreadable, parse
from claimcheck.registry.yaml_text import YamlText, decode

PIN = "1f0c94c2a7d14b6f8f3b5d0f6a2f9f0c4be7a811"
SHA256 = "5e884898da28047151d0e56f8dc6292773603d0d6aabbd62a11ef721d1542d8a"
HEAD = f'vendors:\n  lib:\n    commit: "{PIN}"\n    prefix: L\n'

Files = Mapping[str, str | bytes]


@pytest.fixture
def project(tmp_path: Path):
    def make(files: Files | str) -> Project:
        for name, content in ({"anchors.yaml": files} if isinstance(files, str) else files).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return Project(tmp_path)

    return make


@pytest.fixture
def load(project):
    return lambda files: registry.load(project(files))


@pytest.fixture
def findings(project):
    def find(files: Files | str) -> tuple[Finding, ...]:
        with pytest.raises(RegistryError) as caught:
            registry.load(project(files))
        return caught.value.findings

    return find


@pytest.fixture
def told(findings):
    """The findings as the lines that a person reads, without frames."""
    return lambda files: [told_line(finding) for finding in findings(files)]


def told_line(finding: Finding) -> str:
    help = f" -> {finding.help}" if finding.help else ""
    return f"{finding.place}: {finding.subject}: {finding.message} [{finding.rule.name}]{help}"


def anchor(lines: str) -> str:
    """A registry with one anchor `L-A` whose keys are these; a line that begins with a key stands at column 5."""
    return f"{HEAD}anchors:\n  L-A:\n" + "".join(f"    {line}\n" for line in lines.split("\n"))


# The input rules


@pytest.mark.parametrize("rule", registry.RULES, ids=lambda rule: rule.name)
def test_each_rule_has_a_registry_that_passes_it(rule, load):
    assert load(registry.EXAMPLES[rule.name].passes).vendors


@pytest.mark.parametrize(
    "rule", [rule for rule in registry.RULES if registry.EXAMPLES[rule.name].fails], ids=lambda rule: rule.name
)
def test_each_rule_has_a_registry_with_this_one_problem_and_no_other(rule, findings):
    (finding,) = findings(registry.EXAMPLES[rule.name].fails)
    assert finding.rule is rule
    assert finding.rule.kind is FindingClass.INPUT


def test_rules_have_distinct_names_a_summary_and_a_paragraph():
    names = [rule.name for rule in registry.RULES]
    assert len(set(names)) == len(names)
    assert set(names) == set(registry.EXAMPLES)
    assert all(rule.summary.endswith(".") and len(rule.help) > 40 for rule in registry.RULES)


def test_only_what_no_dictionary_of_files_can_show_has_no_failing_example():
    assert [name for name, example in registry.EXAMPLES.items() if not example.fails] == ["unreadable", "too-large"]


# What a whole registry comes to

WHOLE = {
    "anchors.yaml": f"""\
# the course
vendors:
  lib:
    url: https://git.example.org/o/lib
    commit: "{PIN}"
    prefix: [L, LX]
    releases:
      pypi: lib
      versions: {{"0.33.0": {SHA256}, "0.32.0": {SHA256}}}
    permalink: https://code.example.org/lib/{{commit}}/{{path}}#{{first}}-{{last}}
  tool: {{commit: release/1.0, releases: {{versions: {{"1.0": {SHA256}}}}}}}
documents:
  include: lessons/**/*.html
  exclude: [lessons/drafts/*.html]
  pairs: [[lessons/a.html, lessons/en/a.html]]
  blocks: site
waivers:
  - {{rule: path-missing, subject: L-DOC, reason: "no doc folder", until: release}}
anchors:
  L-LOOP:
    path: src/loop.c
    lines: 710-740
    find: def step(self)
  L-POOL:
    path: src/pool.c
    lines: [681-714, 744, "800-830"]
    find: [get_new_blocks, 'touch', "free_blocks"]
    symbol: Pool.get
    watch: docs
  LX-LONG:
    path: src/pool.c
    commit: release/0.33.0
    regions: [{{lines: 6-7, find: get_new_blocks}}, {{lines: 40}}, {{lines: 44-50, find: [touch, free]}}]
  L-DOC: {{path: doc/read me.md}}
""",
    "anchors/tool.yaml": "anchors:\n  T-MAIN: {vendor: tool, path: main.c, lines: 1}\n",
    "claims/ONE.yaml": """\
lesson: ONE
title: 调度
lang: zh
written-at: v0.33.0
claims:
  ONE.1:
    text: 块从队首取出
    cites: [L-LOOP, L-POOL]
    basis: comment
    checks:
      - calls: {in: L-POOL, call: max($$$)}
        scope: file
      - {exists: {name: evict, as: field}, symbol: Pool, path: src/pool.c}
    caveats: [{text: 单卡, checks: [never-calls: fork]}]
    quote: 从队首
    note: the article said otherwise
  ONE.2b: {text: nothing cited}
""",
    "claims/rest.yaml": """\
examples:
  L-E1:
    title: Three blocks
    cites: L-POOL
    assumptions: [one card, no cache]
    inputs: {blocks: 3, sizes: [1, 2.5]}
    tables: [{caption: steps, columns: [step, queue], rows: [[1, "[a]"], [2, true]]}]
errata:
  E08-1: {lesson: ONE, lines: [119, 121-122], quote: q, wrong: w, instead: i, cites: L-POOL, expected: missing}
""",
}


def test_a_whole_registry_comes_out_as_it_is_written(load):
    assert load(WHOLE) == Registry(
        vendors={
            "lib": Vendor(
                "lib",
                Pin(PIN),
                ("L", "LX"),
                "https://git.example.org/o/lib",
                "lib",
                (Release("0.33.0", SHA256), Release("0.32.0", SHA256)),
                "https://code.example.org/lib/{commit}/{path}#{first}-{last}",
            ),
            "tool": Vendor("tool", Pin("release/1.0"), (), releases=(Release("1.0", SHA256),)),
        },
        anchors={
            "L-LOOP": Anchor("L-LOOP", "lib", "src/loop.c", (Region(Lines(710, 740)),), ("def step(self)",)),
            "L-POOL": Anchor(
                "L-POOL",
                "lib",
                "src/pool.c",
                (Region(Lines(681, 714)), Region(Lines(744, 744)), Region(Lines(800, 830))),
                ("get_new_blocks", "touch", "free_blocks"),
                symbol="Pool.get",
                watch=Watch.DOCS,
            ),
            "LX-LONG": Anchor(
                "LX-LONG",
                "lib",
                "src/pool.c",
                (
                    Region(Lines(6, 7), ("get_new_blocks",)),
                    Region(Lines(40, 40)),
                    Region(Lines(44, 50), ("touch", "free")),
                ),
                commit=Pin("release/0.33.0"),
            ),
            "L-DOC": Anchor("L-DOC", "lib", "doc/read me.md"),
            "T-MAIN": Anchor("T-MAIN", "tool", "main.c", (Region(Lines(1, 1)),)),
        },
        claims={
            "ONE.1": Claim(
                "ONE.1",
                "块从队首取出",
                ("L-LOOP", "L-POOL"),
                Basis.COMMENT,
                "ONE",
                (
                    Check("calls", Calls(CallPattern("max($$$)", ("call",))), scope="file", anchor="L-POOL"),
                    Check("exists", Exists("evict", Kind.FIELD), symbol="Pool", path="src/pool.c"),
                ),
                (Caveat("单卡", (Check("never-calls", Calls(CallPattern("fork"))),)),),
                "从队首",
                "the article said otherwise",
            ),
            "ONE.2b": Claim("ONE.2b", "nothing cited", (), Basis.CODE, "ONE"),
        },
        examples={
            "L-E1": Example(
                "L-E1",
                "Three blocks",
                ("L-POOL",),
                ("one card", "no cache"),
                {"blocks": 3, "sizes": [1, 2.5]},
                (Table("steps", ("step", "queue"), ((1, "[a]"), (2, True))),),
            )
        },
        errata={
            "E08-1": Erratum(
                "E08-1",
                "ONE",
                (Lines(119, 119), Lines(121, 122)),
                "q",
                "w",
                "i",
                ("L-POOL",),
                expected_missing=True,
            )
        },
        waivers=(Waiver("path-missing", "L-DOC", "no doc folder", "release"),),
        documents=Documents(
            ("lessons/**/*.html",), ("lessons/drafts/*.html",), (("lessons/a.html", "lessons/en/a.html"),), "site"
        ),
    )


def spot(name: str, needle: str) -> str:
    """Where a text first stands in a file of the whole registry, counted without the loader."""
    before = WHOLE[name][: WHOLE[name].index(needle)]
    return f"{name}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def test_the_parts_of_an_entry_have_places_in_code_points_from_one(load):
    places = load(WHOLE).anchors["L-POOL"].places
    assert [str(places[part]) for part in ("", "path", "lines", "lines.2", "find.1", "symbol")] == [
        "anchors.yaml:24:3",
        spot("anchors.yaml", "src/pool.c"),
        spot("anchors.yaml", "[681-714"),
        spot("anchors.yaml", '"800-830"'),
        spot("anchors.yaml", "'touch'"),
        spot("anchors.yaml", "Pool.get"),
    ]


def test_a_part_that_is_not_written_has_the_place_of_the_nearest_above(load):
    loaded = load(WHOLE)
    assert str(loaded.anchors["L-LOOP"].places["lines.0"]) == spot("anchors.yaml", "710-740")
    assert str(loaded.anchors["L-DOC"].places["find"]) == spot("anchors.yaml", "L-DOC: {")
    assert str(loaded.anchors["LX-LONG"].places["regions.2.find.1"]) == spot("anchors.yaml", "free]}]")
    assert str(loaded.vendors["lib"].places["commit"]) == spot("anchors.yaml", f'"{PIN}"')
    assert str(loaded.claims["ONE.1"].places["checks.1"]) == spot("claims/ONE.yaml", "{exists")
    assert str(loaded.waivers[0].places["subject"]) == spot("anchors.yaml", "L-DOC, reason")


def test_crlf_byte_order_mark_and_wide_characters_do_not_shift_places(load):
    text = f"# 🐍 文\n{HEAD}anchors:\n  L-A: {{symbol: 🐍, path: a.c}}\n"
    plain = load(text).anchors["L-A"].places["path"]
    assert plain == Place("anchors.yaml", 7, 26)
    assert load(text.replace("\n", "\r\n")).anchors["L-A"].places["path"] == plain
    assert load({"anchors.yaml": b"\xef\xbb\xbf" + text.encode()}).anchors["L-A"].places["path"] == plain


def test_an_escaped_line_separator_in_a_text_moves_no_later_place(load):
    loaded = load(anchor('path: a.c\nfind: "one\\u2028two\\x85"\nsymbol: S'))
    assert loaded.anchors["L-A"].strings == ("one\u2028two\x85",)
    assert loaded.anchors["L-A"].places["symbol"] == Place("anchors.yaml", 9, 13)


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "anchors:\nvendors:\n", "{}\n"])
def test_a_file_without_content_is_an_empty_registry(text, load):
    assert load(text) == Registry()


def test_a_document_marker_at_the_start_is_fine(load):
    assert "L-A" in load("---\n" + anchor("path: a.c")).anchors


# Wording of the most common mistakes


def test_a_misspelt_key_is_one_error_with_the_lines_around_it(findings):
    (finding,) = findings(anchor("path: src/pool.c\nline: [681-714, 744-830]"))
    assert told_line(finding) == "anchors.yaml:8:5: L-A: unknown key `line`; did you mean `lines`? [unknown-key]"
    assert finding.evidence == (
        Frame(
            ((6, "  L-A:"), (7, "    path: src/pool.c"), (8, "    line: [681-714, 744-830]")),
            Place("anchors.yaml", 8, 5),
            4,
        ),
    )


def test_a_required_key_that_is_misspelt_is_not_missing_as_well(told):
    assert told(anchor("pth: src/pool.c")) == [
        "anchors.yaml:7:5: L-A: unknown key `pth`; did you mean `path`? [unknown-key]"
    ]


def test_a_key_that_resembles_none_gets_the_list(told):
    assert told(anchor("path: a.c\ncolour: red")) == [
        (
            "anchors.yaml:8:5: L-A: unknown key `colour`; known are vendor, path, lines, find, regions, commit, symbol,"
            " watch [unknown-key]"
        )
    ]


def test_a_base_60_number_as_a_range(told):
    assert told(anchor("path: a.c\nlines: 10:20")) == [
        "anchors.yaml:8:12: L-A: lines `10:20` is read by YAML as the number 620 [yaml-conversion] -> lines: 10-20"
    ]


def test_a_short_pin_in_quotes(told):
    assert told(HEAD.replace(PIN, "12345678")) == [
        (
            "anchors.yaml:3:13: lib: commit `12345678` has 8 digits; a pin has 40 [short-pin]"
            " -> git -C vendor/lib rev-parse 12345678    prints the full id, as it is today"
        )
    ]


CONVERTED = [
    ("on", "true"),
    ("NO", "false"),
    ("~", "nothing (null)"),
    ("1234567", "the number 1234567"),
    ("01234567", "the number 342391"),
    ("0x1f", "the number 31"),
    ("0b11", "the number 3"),
    ("1_000", "the number 1000"),
    ("1.2e+5", "the number 120000.0"),
    (".inf", "the number inf"),
    ("-.inf", "the number -inf"),
    ("10:20", "the number 620"),
    ("10:20.5", "the number 10:20.5"),
    ("2024-01-02", "a date"),
    ("2024-13-02", "a date"),
    ("yes", "true"),
    ("null", "nothing (null)"),
    ("=", "something else than text"),
]


@pytest.mark.parametrize("key", ["path", "find", "symbol"])
@pytest.mark.parametrize(("source", "read_as"), CONVERTED)
def test_what_yaml_converts_is_no_text_and_the_source_is_shown(key, source, read_as, told):
    lines = f"{key}: {source}" if key == "path" else f"path: a.c\n{key}: {source}"
    line, column = (7 if key == "path" else 8), len(key) + 7
    assert told(anchor(lines)) == [
        (
            f"anchors.yaml:{line}:{column}: L-A: {key} `{source}` is read by YAML as {read_as} [yaml-conversion]"
            f' -> {key}: "{source}"'
        )
    ]


@pytest.mark.parametrize(("source", "read_as"), CONVERTED)
def test_in_quotes_it_is_text(source, read_as, load):
    assert load(anchor(f"path: a.c\nsymbol: '{source}'")).anchors["L-A"].symbol == source


@pytest.mark.parametrize("source", ["NO", "on", "123", "2024-01-02", "~", "1.5"])
def test_a_key_that_yaml_converts(source, told):
    (line,) = told(f"{HEAD}anchors:\n  {source}: {{path: a.c}}\n")
    assert line.startswith(f"anchors.yaml:6:3: {source}: the key `{source}` is read by YAML as ")
    assert line.endswith(f'[yaml-conversion] -> "{source}":')


def test_an_unquoted_version_is_a_number(told):
    text = HEAD + f"    releases: {{versions: {{0.33: {SHA256}}}}}\n"
    assert told(text) == [
        'anchors.yaml:5:27: lib: the key `0.33` is read by YAML as the number 0.33 [yaml-conversion] -> "0.33":'
    ]


@pytest.mark.parametrize(
    "commit", ["1234567", "01234567", "1.2e+5", "0x1234567", "1_234_567", "1" * 40, "0123456701234567" * 2 + "01234567"]
)
def test_an_unquoted_commit_of_digits_is_told_to_be_quoted(commit, told):
    (line,) = told(HEAD.replace(f'"{PIN}"', commit))
    assert line.startswith(f"anchors.yaml:3:13: lib: commit `{commit}` is read by YAML as the number ")
    assert "in quotes" in line or line.endswith(f'-> commit: "{commit}"')


def test_a_sha256_id_is_a_pin(load):
    assert load(HEAD.replace(PIN, "ab" * 32)).vendors["lib"].pin.text == "ab" * 32


def test_a_commit_that_other_readers_take_for_a_number_is_text_here(load):
    commit = "1" * 20 + "e" + "5" * 19
    assert load(HEAD.replace(f'"{PIN}"', commit)).vendors["lib"].pin.text == commit


@pytest.mark.parametrize(
    ("commit", "line"),
    [
        ("main", "commit `main` can come to mean another commit; a pin is a full commit id or release/VERSION"),
        ("v1.0", "commit `v1.0` can come to mean another commit; a pin is a full commit id or release/VERSION"),
        ("HEAD~1", "commit `HEAD~1` can come to mean another commit; a pin is a full commit id or release/VERSION"),
        ('":/fix"', "commit `:/fix` can come to mean another commit; a pin is a full commit id or release/VERSION"),
        (f'"{PIN[:39]}"', f"commit `{PIN[:39]}` has 39 digits; a pin has 40"),
        (f'"{PIN}0"', f"commit `{PIN}0` has 41 digits; a pin has 40"),
        ("a", "commit `a` has 1 digit; a pin has 40"),
        (PIN.upper(), f"commit `{PIN.upper()}` has capital letters; git writes small ones"),
        (f'" {PIN}"', f"commit ` {PIN}` has blanks around it"),
        ("release/9.9", "release 9.9 is not declared; lib declares none"),
        ("release/", "commit `release/` names no version; a release is release/VERSION"),
        ("''", "commit is empty; a pin is a full commit id or release/VERSION"),
        (f'"{"AB" * 32}"', f"commit `{('AB' * 32)[:60]}…` has capital letters; git writes small ones"),
        (
            '"--upload-pack=x"',
            "commit `--upload-pack=x` can come to mean another commit; a pin is a full commit id or release/VERSION",
        ),
    ],
)
def test_a_pin_is_a_full_id_or_a_declared_release(commit, line, findings):
    (finding,) = findings(HEAD.replace(f'"{PIN}"', commit))
    assert (finding.message, finding.subject, str(finding.place)) == (line, "lib", "anchors.yaml:3:13")


def test_nothing_is_proposed_for_a_shell_that_a_shell_could_obey(findings):
    for name in ("--upload-pack=x", "$(touch x)", "a;b", "a b", "`x`"):
        (finding,) = findings(HEAD.replace(f'"{PIN}"', f"'{name}'"))
        assert finding.help is None


def test_the_pin_of_an_anchor_is_looked_at_alike(told):
    assert told(anchor("path: a.c\ncommit: release/2.0")) == [
        "anchors.yaml:8:13: L-A: release 2.0 is not declared; lib declares none [unknown-release]"
    ]


@pytest.mark.parametrize(
    ("source", "message", "help"),
    [
        ('"3-1"', "lines `3-1` runs backwards", "lines: 1-3"),
        ('"0-2"', "lines `0-2`: lines are counted from 1", None),
        ('"-1"', "lines `-1`: lines are counted from 1", None),
        ('"-"', "lines `-` is not a range; a range is FIRST-LAST or LINE", None),
        ('"1-2-3"', "lines `1-2-3` is not a range; a range is FIRST-LAST or LINE", None),
        ('"a-b"', "lines `a-b` is not a range; a range is FIRST-LAST or LINE", None),
        ('"1_0"', "lines `1_0` is not a range; a range is FIRST-LAST or LINE", None),
        ('"+5"', "lines `+5` is not a range; a range is FIRST-LAST or LINE", None),
        ('"٣-٤"', "lines `٣-٤` has other digits than 0 to 9", "lines: 3-4"),
        ('""', "lines is empty; a range is FIRST-LAST or LINE", None),
        ("[]", "lines is an empty list; leave `lines` out if the whole file is meant", None),
        ("710–740", "lines `710–740` is not a range; a range is FIRST-LAST or LINE", "lines: 710-740"),
        ("1 - 2", "lines `1 - 2` is not a range; a range is FIRST-LAST or LINE", "lines: 1-2"),
        ("01-5", "lines `01-5` has a leading zero", "lines: 1-5"),
        ("007", "lines `007` is read by YAML as the number 7", "lines: 7"),
        ("0", "lines `0`: lines are counted from 1", None),
        ("1-99999999999", "lines `1-99999999999` goes beyond line 10,000,000, the last that claimcheck counts", None),
        ("10000001", "lines `10000001` is beyond line 10,000,000, the last that claimcheck counts", None),
        ("9" * 300, f"lines `{'9' * 60}…` is beyond line 10,000,000, the last that claimcheck counts", None),
        ("1-10000001", "lines `1-10000001` goes beyond line 10,000,000, the last that claimcheck counts", None),
        ("{a: 1}", "lines is a mapping, expected a range such as 710-740, or a list of ranges", None),
        ("1.5", "lines `1.5` is read by YAML as the number 1.5", None),
        ("[3-4, 2-1]", "lines `2-1` runs backwards", "1-2"),
        ("[5-6, 1-2]", "lines 1-2 stand after 5-6; regions stand in the order of the file", None),
        ('["1-5", "3-8"]', "lines 3-8 overlap 1-5", None),
        ("[1-5, 5-8]", "lines 5-8 overlap 1-5", None),
    ],
)
def test_a_bad_range_is_one_error_that_shows_its_text(source, message, help, findings):
    (finding,) = findings(anchor(f"path: a.c\nlines: {source}"))
    assert (finding.message, finding.help, finding.subject) == (message, help, "L-A")
    assert finding.place.line == 8


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ('"7-7"', [Lines(7, 7)]),
        ("40", [Lines(40, 40)]),
        ("'40'", [Lines(40, 40)]),
        ("1-10000000", [Lines(1, 10_000_000)]),
        ("[1-5, 6-8]", [Lines(1, 5), Lines(6, 8)]),
        ("\n      - 1\n      - '2-3'", [Lines(1, 1), Lines(2, 3)]),
    ],
)
def test_a_good_range_is_taken(source, lines, load):
    assert [region.lines for region in load(anchor(f"path: a.c\nlines: {source}")).anchors["L-A"].regions] == lines


def test_ranges_of_the_long_form_are_looked_at_alike(told):
    text = anchor("path: a.c\nregions: [{lines: 5-9}, {lines: 7-8, find: ab}]")
    assert told(text) == [
        "anchors.yaml:8:37: L-A: lines 7-8 overlap 5-9 [range-order]",
        "anchors.yaml:8:48: L-A: find `ab` has fewer than three characters that are not blanks [bad-find]",
    ]


def test_short_and_long_form_do_not_mix(told):
    assert told(anchor("path: a.c\nlines: 1-2\nregions: [{lines: 1-2}]")) == [
        "anchors.yaml:8:12: L-A: `lines` beside `regions`; each region has its own [bad-value]"
    ]


@pytest.mark.parametrize(
    ("path", "message", "help"),
    [
        ("./f.txt", "path `./f.txt` has `.` in it", "path: f.txt"),
        ("d//x", "path `d//x` has two slashes in a row", "path: d/x"),
        ("d/../f.txt", "path `d/../f.txt` has `..` in it", "path: f.txt"),
        ("../secret", "path `../secret` has `..` in it", None),
        ("/f.txt", "path `/f.txt` is absolute; paths are relative to the root", "path: f.txt"),
        ("d\\x", "path `d\\x` has a backslash; git separates folders by /", "path: d/x"),
        ("\\\\host\\x", "path `\\\\host\\x` has a backslash; git separates folders by /", "path: host/x"),
        ("d/", "path `d/` ends with a slash; a file is meant, not a folder", "path: d"),
        ('""', "path is empty; it names a file below the vendor's root", None),
        (".", "path `.` has `.` in it", None),
        ("C:f.txt", "path `C:f.txt` has a drive letter; paths are relative to the root", "path: f.txt"),
        ("c:/f.txt", "path `c:/f.txt` has a drive letter; paths are relative to the root", "path: f.txt"),
        ('"f.txt "', "path `f.txt ` has a blank at an end", "path: f.txt"),
        ("~/x", "path `~/x` begins with ~, which is not expanded; paths are relative to the root", None),
        ('"a\\0b"', "path `a\\x00b` has a control character, U+0000", None),
        ('"a\\nb"', "path `a\\nb` has a control character, U+000A", None),
    ],
)
def test_a_path_has_one_spelling(path, message, help, findings):
    (finding,) = findings(anchor(f"path: {path}"))
    assert (finding.rule.name, finding.message, finding.help) == ("bad-path", message, help)


@pytest.mark.parametrize(
    "path", ["-p", "a:b", "*.py", "a b#c?d%[x].py", 'h"q.py', "文件.py", "$HOME/x", ".github/x", "a..b/.c", "d/...x"]
)
def test_unusual_names_are_paths(path, load):
    assert load(anchor(f"path: {json.dumps(path)}")).anchors["L-A"].path == path


@pytest.mark.parametrize(
    ("source", "message", "rule"),
    [
        ("#include <x>", "find is empty, since ` #` begins a comment", "yaml-conversion"),
        ("@overload", "text that begins with @ needs quotes", "yaml-syntax"),
        ("*p = 1;", "text that begins with * needs quotes", "yaml-syntax"),
        ("*ptr", "`*ptr` is a YAML alias; text that begins with * needs quotes", "yaml-alias"),
        ("&x", "`&x` is a YAML anchor; text that begins with & needs quotes", "yaml-alias"),
        ("%d", "text that begins with % needs quotes", "yaml-syntax"),
        ("`x`", "text that begins with ` needs quotes", "yaml-syntax"),
        ("- a", "text that begins with - needs quotes", "yaml-syntax"),
        ("!flag", "`!flag` is a YAML tag; text that begins with ! needs quotes", "yaml-tag"),
        ("foo: bar", "a second `:` in one line; text with a colon and a space in it needs quotes", "yaml-syntax"),
        (
            "{x}",
            "find is a mapping, expected text or a list; code that begins with [ or { or has `: ` in it needs quotes",
            "wrong-type",
        ),
        (
            "[[x]]",
            "find is a list, expected text; code that begins with [ or { or has `: ` in it needs quotes",
            "wrong-type",
        ),
        ("|", "find is empty; it would be found everywhere", "bad-find"),
        ("", "find is empty, expected text or a list", "wrong-type"),
        ("''", "find is empty; it would be found everywhere", "bad-find"),
        ('"   "', "find has only blanks; it would be found everywhere", "bad-find"),
        ("'a b'", "find `a b` has fewer than three characters that are not blanks", "bad-find"),
        ('"}"', "find `}` has fewer than three characters that are not blanks", "bad-find"),
        (
            "变",
            "find `变` has fewer than three characters that are not blanks; Chinese, Japanese and Korean ones count double",
            "bad-find",
        ),
        (
            '"\\u3000x"',
            "find `\\u3000x` has fewer than three characters that are not blanks; Chinese, Japanese and Korean ones count "
            "double",
            "bad-find",
        ),
        (
            "éé",
            "find `éé` has fewer than three characters that are not blanks; Chinese, Japanese and Korean ones "
            "count double",
            "bad-find",
        ),
        ('"one\\ntwo"', "find `one\\ntwo` has several lines; a search string is one line", "bad-find"),
        (
            "|\n      def f():",
            "find `def f():\\n` ends with a line break, which no line has; a block text is written with |-",
            "bad-find",
        ),
        ("'abc", "a quoted text that is not closed", "yaml-syntax"),
        ('"a\\qb"', "an escape that YAML does not know; a backslash in double quotes is written \\\\", "yaml-syntax"),
        ('"\\uD800abc"', "an escape that is no character", "yaml-syntax"),
        ("a\tbc", "a tab; YAML is indented and separated with spaces", "yaml-syntax"),
        ("[abc, def", "a list that is not closed by ], or not separated by commas, up to line 9", "yaml-syntax"),
        ("[]", "find is an empty list", "bad-find"),
    ],
)
def test_code_pasted_as_a_search_string_needs_quotes_and_says_so(source, message, rule, findings):
    (finding,) = findings(anchor(f"path: a.c\nfind: {source}\nsymbol: S"))
    assert (finding.message, finding.rule.name) == (message, rule)
    assert finding.place.line == 8


@pytest.mark.parametrize(
    "string",
    [
        "#include <x>",
        "@overload",
        "*p = 1;",
        "&x;",
        "%d%d",
        "foo: bar",
        "{x}",
        "[V-POOL]",
        "!flag",
        "- a b",
        "a\tbc",
        "a#b",
        "'''",
        '"""',
        "变量名",
        "变量",
        "变 量",
        "x变",
        "\u3042x",
        "\ub098\ub2e4",
        "  ab  c",
    ],
)
def test_in_quotes_any_line_of_code_is_a_search_string(string, load):
    assert load(anchor(f"path: a.c\nfind: {json.dumps(string)}")).anchors["L-A"].strings == (string,)
    single = "'" + string.replace("'", "''") + "'"
    assert load(anchor(f"path: a.c\nfind: [{single}]")).anchors["L-A"].strings == (string,)


def test_two_rare_ideographs_are_a_search_string_for_both_validators(load):
    assert load(anchor("path: a.c\nfind: \U00020000\U00020001")).anchors["L-A"].strings == ("\U00020000\U00020001",)
    string = json.loads(registry.schema())["$defs"]["string"]
    assert jsonschema.Draft202012Validator(string).is_valid("\U00020000\U00020001")
    assert not jsonschema.Draft202012Validator(string).is_valid("\U00020000")


def test_a_block_text_without_final_line_break_is_a_search_string(load):
    assert load(anchor("path: a.c\nfind: |-\n      #include <x>: y")).anchors["L-A"].strings == ("#include <x>: y",)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://me:hunter2@git.example.org/o/r", "has a user name or a password in it"),
        ("https://hunter2@git.example.org/o/r", "has a user name or a password in it"),
        ("ssh://me:hunter2@git.example.org/o/r", "has a user name or a password in it"),
        ("ftp://me:hunter2@git.example.org/o/r", "has an @ where a host is expected"),
        ("ext::sh -c hunter2", "can name a program to run"),
        ("--upload-pack=hunter2", "begins with -, like an option"),
        ("http://git.example.org/o/r", "is not encrypted"),
        ("/srv/git/r", "is a place on this machine"),
        ("file:///srv/git/r", "is a place on this machine"),
        ("javascript:x", "is not https://HOST/PATH"),
        ("https://", "is not https://HOST/PATH"),
        ("ssh://-oProxyCommand=x/y", "is not https://HOST/PATH"),
        ("git@-host:x", "is not https://HOST/PATH"),
    ],
)
def test_a_url_is_https_or_ssh_without_secrets(url, said, findings):
    (finding,) = findings(f"{HEAD}    url: {json.dumps(url)}\n")
    assert finding.rule.name == "bad-url"
    assert said in finding.message
    if "@" in url:
        assert "hunter2" not in f"{finding.message} {finding.help}"


@pytest.mark.parametrize(
    "url",
    [
        "https://git.example.org/o/r.git",
        "https://git.example.org:8443/o/r",
        "ssh://git@git.example.org:22/o/r",
        "ssh://git.example.org/o/r",
        "git@git.example.org:o/r.git",
    ],
)
def test_usual_urls_are_taken(url, load):
    assert load(f"{HEAD}    url: {url}\n").vendors["lib"].url == url


@pytest.mark.parametrize(
    ("template", "good"),
    [
        ("https://x.example.org/{commit}/{path}#L{first}-L{last}", True),
        ("https://x.example.org:8000/b?c={commit}&p={path}", True),
        ("https://x.example.org/{path}?at={commit}", True),
        ("https://x.example.org/b?c={commit}", False),
        ("https://x.example.org/{path}#L{first}", False),
        ("https://x.example.org/lib", False),
        ("https://x.example.org/", False),
        ("", False),
        ("http://x.example.org/{commit}/{path}", False),
        ("https://{commit}.example.org/{path}", False),
        ("https://x@y.example.org/{commit}/{path}", False),
        ("https://x.example.org/{commit}/{path", False),
        ("https://x.example.org/{commit}/{path}{path!r}", False),
        ("https://x.example.org/{commit}/{path}{path.__class__}", False),
        ("https://x.example.org/{commit}/ {path}", False),
        ("https://x.example.org/{commit}/{path}<b>", False),
        ("https://x.example.org/{commit}/{path}\\n", False),
        ("https://x.example.org/{commit}/{path}\u53d8", False),
        ("https://x..example.org/{commit}/{path}", False),
        ("https://-x.example.org/{commit}/{path}", False),
    ],
)
def test_a_permalink_template_is_https_with_commit_and_path_and_known_fields_only(template, good, project):
    there = project(f"{HEAD}    permalink: {json.dumps(template)}\n")
    if good:
        assert registry.load(there).vendors["lib"].permalink == template
    else:
        with pytest.raises(RegistryError) as caught:
            registry.load(there)
        assert [finding.rule.name for finding in caught.value.findings] == ["bad-permalink"]
    # What loads can be used.
    assert (template_problem(template) is None) is good


@pytest.mark.parametrize("name", ["Lib", "lib.git", "a/b", "..", "-x", ".x", "a b", "$HOME", "~"])
def test_a_vendor_name_is_a_plain_folder_name(name, findings):
    (finding,) = findings(HEAD.replace("  lib:", f"  {json.dumps(name)}:"))
    assert finding.rule.name == "bad-name"


@pytest.mark.parametrize(
    "id",
    [
        "V-pool",
        "v-POOL",
        "POOL",
        "V_POOL",
        "V-",
        "-POOL",
        "TOOLONGPREFIX-A",
        "V-А",
        "V-A B",
        "../../x",
        "a/b",
        "V--A",
        "V-\u202eA",
    ],
)
def test_an_anchor_id_has_the_form_of_one(id, findings):
    (finding,) = findings(f"{HEAD}anchors:\n  {json.dumps(id)}: {{path: a.c}}\n")
    assert finding.rule.name == "bad-id"
    assert "\u202e" not in finding.message + finding.subject


@pytest.mark.parametrize("id", ["L-A", "L-SWA-CONFIG", "L-1", "L-E", "L-EDGE", "L-E1A", "L-X-E1"])
def test_ids_of_the_form_are_taken(id, load):
    assert id in load(f"{HEAD}anchors:\n  {id}: {{path: a.c}}\n").anchors


@pytest.mark.parametrize("section", ["claims", "examples", "errata"])
def test_ids_of_claims_examples_and_errata_have_their_forms(section, told):
    body = {
        "claims": "{text: t}",
        "examples": "{title: t}",
        "errata": "{lesson: l, quote: q, wrong: w, instead: i}",
    }[section]
    (line,) = told({"anchors.yaml": HEAD, "claims/x.yaml": f"{section}:\n  x-1: {body}\n"})
    assert line.endswith("[bad-id]")


# Files that are no YAML mapping, or no file


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (
            "a: 1\n---\nb: 2\n",
            "anchors.yaml:2:1: anchors.yaml: a second document begins here; a registry file has one [yaml-documents]",
        ),
        ("- a\n- b\n", "anchors.yaml:1:1: anchors.yaml: the file is a list, expected a mapping [wrong-type]"),
        ("just text\n", "anchors.yaml:1:1: anchors.yaml: the file is text, expected a mapping [wrong-type]"),
        (
            "%YAML 1.2\n---\na: 1\n",
            "anchors.yaml:1:1: anchors.yaml: a YAML directive; a registry file has none [yaml-syntax]",
        ),
        (
            "vendors:\tx\n",
            "anchors.yaml:1:9: anchors.yaml: a tab; YAML is indented and separated with spaces [yaml-syntax]",
        ),
        (
            "vendors:\n\tlib: x\n",
            "anchors.yaml:2:1: anchors.yaml: a tab; YAML is indented and separated with spaces [yaml-syntax]",
        ),
        (
            "a: \x07b\n",
            (
                "anchors.yaml:1:4: anchors.yaml: U+0007 (a control character) cannot stand in a YAML file as it"
                ' is [control-character] -> in double quotes it is written "\\u0007"'
            ),
        ),
        (
            "a: b\rc\n",
            (
                "anchors.yaml:1:5: anchors.yaml: U+000D (a carriage return alone) cannot stand in a YAML file as"
                " it is [control-character] -> end lines with LF or CRLF"
            ),
        ),
        (
            "a: \ufeffb\n",
            (
                "anchors.yaml:1:4: anchors.yaml: U+FEFF (zero width no-break space) cannot stand in a YAML"
                ' file as it is [control-character] -> in double quotes it is written "\\ufeff"'
            ),
        ),
        (
            "[a]: b\n",
            "anchors.yaml:1:1: anchors.yaml: a list as a key; text that begins with [ needs quotes [yaml-syntax]",
        ),
        (b"vendors: {}\n# caf\xe9\n", "anchors.yaml:2:6: anchors.yaml: byte 0xe9 at offset 17 is not UTF-8 [not-utf8]"),
        (
            "anchors: {}\n".encode("utf-16"),
            "anchors.yaml:1:1: anchors.yaml: the file is UTF-16; a registry file is UTF-8 [not-utf8]",
        ),
        (b"a: \xed\xa0\x80\n", "anchors.yaml:1:4: anchors.yaml: byte 0xed at offset 3 is not UTF-8 [not-utf8]"),
    ],
)
def test_odd_files_are_one_located_error(content, line, told):
    assert told({"anchors.yaml": content}) == [line]


def test_deep_nesting_is_refused_without_recursion(told):
    for content in ("[" * 5000, "[" * 200_000 + "]" * 200_000, "{a: " * 5000, "- " * 5000 + "a", "? " * 5000 + "a"):
        (line,) = told(content)
        assert "[yaml-depth]" in line or "[yaml-syntax]" in line


def test_fifty_levels_are_read(load):
    inner = "[" * 40 + "]" * 40
    text = f"examples:\n  L-E1: {{title: t, inputs: {{x: {inner}}}}}\n"
    assert "L-E1" in load({"anchors.yaml": "", "claims/a.yaml": text}).examples


def test_an_alias_bomb_is_refused_at_its_first_anchor_without_being_expanded(findings):
    levels = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    levels += [f"{n}: &{n} [{', '.join(['*' + p] * 9)}]" for p, n in zip("abcdefgh", "bcdefghi", strict=True)]
    found = findings("\n".join(levels) + "\nanchors: *i\n")
    assert {finding.rule.name for finding in found} <= {"yaml-alias", "unknown-key"}
    assert all(len(finding.message) < 300 for finding in found)


@pytest.mark.parametrize(
    "text", ["anchors: &x [*x]\n", "a: &a {b: 1}\nanchors:\n  <<: *a\n", "anchors: {<<: {a: 1}}\n"]
)
def test_self_reference_and_merge_keys_are_refused(text, findings):
    assert "yaml-alias" in {finding.rule.name for finding in findings(text)}


def test_tags_construct_nothing(findings, tmp_path):
    canary = tmp_path / "canary"
    (finding,) = findings(f"anchors: !!python/object/apply:os.mkdir ['{canary}']\n")
    assert finding.rule.name == "yaml-tag"
    assert not canary.exists()


def test_conflict_markers_are_one_error_for_each_conflict(told):
    text = f"{HEAD}anchors:\n<<<<<<< HEAD\n  L-A: {{path: a.c}}\n=======\n  L-B: {{path: b.c}}\n>>>>>>> other\n"
    assert told(text) == [
        "anchors.yaml:6:1: anchors.yaml: an unresolved merge conflict, down to line 10 [merge-conflict]"
    ]


def test_conflict_markers_inside_a_text_are_text(load):
    text = "claims:\n  ONE.1:\n    text: |\n      <<<<<<< HEAD\n      =======\n      >>>>>>> other\n"
    assert load({"anchors.yaml": "", "claims/a.yaml": text}).claims["ONE.1"].text.startswith("<<<<<<<")


def test_duplicates_are_errors_with_both_places_at_every_depth_and_across_files(told):
    files = {
        "anchors.yaml": f"{HEAD}anchors:\n  L-A: {{path: a.c}}\n  L-A: {{path: b.c}}\n  L-B:\n    path: a.c\n"
        "    lines: 1-2\n    lines: 3-4\n",
        "anchors/b.yaml": "anchors:\n  L-B: {path: c.c}\n",
        "claims/a.yaml": "claims:\n  ONE.1: {text: t, cites: L-A, checks: [{lines: {is: 1, is: 2}}]}\n",
        "claims/b.yaml": "claims:\n  ONE.1: {text: t}\nerrata:\n  E08-1: {lesson: l, quote: q, wrong: w, instead: i}\n",
        "claims/c.yaml": "claims:\nclaims:\n",
    }
    assert told(files) == [
        "anchors.yaml:7:3: L-A: defined twice; first in anchors.yaml:6:3 [duplicate-id]",
        "anchors.yaml:11:5: L-B: the key `lines` stands twice; first in anchors.yaml:10:5 [duplicate-key]",
        "anchors/b.yaml:2:3: L-B: defined twice; first in anchors.yaml:8:3 [duplicate-id]",
        "claims/a.yaml:2:57: ONE.1: the key `is` stands twice; first in claims/a.yaml:2:50 [duplicate-key]",
        "claims/b.yaml:2:3: ONE.1: defined twice; first in claims/a.yaml:2:3 [duplicate-id]",
        "claims/c.yaml:2:1: claims: the key `claims` stands twice; first in claims/c.yaml:1:1 [duplicate-key]",
    ]


def test_an_anchor_and_an_erratum_share_one_name_space(told):
    files = {
        "anchors.yaml": HEAD.replace("prefix: L", "prefix: E08") + "anchors:\n  E08-1: {path: a.c}\n",
        "claims/a.yaml": "errata:\n  E08-1: {lesson: l, quote: q, wrong: w, instead: i}\n",
    }
    assert told(files) == ["claims/a.yaml:2:3: E08-1: defined twice; first in anchors.yaml:6:3 [duplicate-id]"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("claims/x.yml", "not read, since its name does not end in .yaml"),
        ("anchors/x.YAML", "not read, since its name does not end in .yaml"),
        ("anchors.yml", "not read, since its name does not end in .yaml"),
        ("claims/sub/x.yaml", "not read, since folders below anchors/ and claims/ are not searched"),
    ],
)
def test_a_file_that_would_be_left_out_is_an_error(name, said, findings):
    (finding,) = findings({"anchors.yaml": HEAD, name: "claims: {}\n"})
    assert (str(finding.place), finding.message, finding.rule.name) == (name, said, "not-read")


def test_other_files_beside_the_registry_are_nobodys_business(load):
    assert load({"anchors.yaml": HEAD, "claims/README.md": "x", "claims/.x.yaml": "x", "claims/x.yaml~": "x"}).vendors


def test_a_file_beyond_the_limit_is_not_read(findings):
    (finding,) = findings({"anchors.yaml": HEAD, "claims/a.yaml": b"#" * (10 * 1024 * 1024 + 1)})
    assert (finding.rule.name, finding.message) == ("too-large", "larger than 10 MiB")


def test_a_named_pipe_is_an_error_at_once(project, tmp_path):
    there = project(HEAD)
    (tmp_path / "claims").mkdir()
    os.mkfifo(tmp_path / "claims" / "a.yaml")
    with pytest.raises(RegistryError) as caught:
        registry.load(there)
    assert [told_line(finding) for finding in caught.value.findings] == [
        "claims/a.yaml: claims/a.yaml: a named pipe, not a file [not-a-file]"
    ]


def test_a_file_that_cannot_be_read_is_a_matter_of_the_environment(project, tmp_path, monkeypatch):
    there = project({"anchors.yaml": HEAD, "claims/a.yaml": "claims: {}\n"})
    really = os.open

    def refusing(path, *rest, **more):
        if path == "a.yaml":
            raise PermissionError(13, "Permission denied")
        return really(path, *rest, **more)

    monkeypatch.setattr(os, "open", refusing)
    with pytest.raises(RegistryError) as caught:
        registry.load(there)
    (finding,) = caught.value.findings
    assert told_line(finding) == "claims/a.yaml: claims/a.yaml: cannot be read: permission denied [unreadable]"
    assert finding.rule.kind is FindingClass.ENVIRONMENT


# One cause, one error; and all errors of all files


def test_all_errors_of_all_files_are_told_in_the_order_of_the_files(told):
    files = {
        "anchors.yaml": f"{HEAD}anchors:\n  L-B: {{path: b.c, lines: 5-1}}\n  L-A: {{path: ./a.c, find: on}}\n",
        "anchors/b.yaml": "anchors:\n  L-C: {path: c.c, line: 1}\n",
        "claims/a.yaml": "claims: [\n",
        "claims/b.yaml": "claims:\n  ONE.1: {cites: L-A}\n",
    }
    assert [line.split(": ")[0] + " " + line.rsplit("[", 1)[1] for line in told(files)] == [
        "anchors.yaml:6:27 bad-range] -> lines: 1-5",
        "anchors.yaml:7:15 bad-path] -> path: a.c",
        'anchors.yaml:7:28 yaml-conversion] -> find: "on"',
        "anchors/b.yaml:2:20 unknown-key]",
        "claims/a.yaml:1:9 yaml-syntax]",
        "claims/b.yaml:2:3 missing-key]",
    ]


def test_a_vendor_that_is_wrong_does_not_make_its_anchors_wrong(told):
    text = HEAD.replace(PIN, "abc") + "anchors:\n  L-A: {path: a.c}\n  L-B: {path: b.c}\n"
    assert [line.rsplit("[", 1)[1] for line in told(text)] == [
        "short-pin] -> git -C vendor/lib rev-parse abc    prints the full id, as it is today"
    ]


def test_a_prefix_that_is_wrong_does_not_make_its_anchors_wrong(told):
    text = HEAD.replace("prefix: L", "prefix: l") + "anchors:\n  L-A: {path: a.c}\n"
    assert told(text) == [
        (
            "anchors.yaml:4:13: lib: prefix `l` is not a capital letter and at most seven more capital letters or"
            " digits [bad-name] -> prefix: L"
        )
    ]


def test_a_file_of_vendors_that_is_no_yaml_does_not_make_other_files_wrong(told):
    lines = told({"anchors.yaml": "vendors: [\n", "anchors/a.yaml": "anchors:\n  L-A: {path: a.c, vendor: lib}\n"})
    assert [line.split(": ")[0] for line in lines] == ["anchors.yaml:1:10"]


def test_a_prefix_without_vendor_is_one_error_for_all_its_anchors(told):
    text = f"{HEAD}anchors:\n" + "".join(f"  X-A{n}: {{path: a.c}}\n" for n in range(5)) + "  Y-A: {path: a.c}\n"
    assert told(text) == [
        (
            "anchors.yaml:6:3: X-A0: no vendor has the prefix X, which 5 anchors have; declared: L (lib)"
            " [unknown-prefix]"
        ),
        "anchors.yaml:11:3: Y-A: no vendor has the prefix Y; declared: L (lib) [unknown-prefix]",
    ]


def test_an_unknown_vendor_is_one_error_with_the_nearest_name(told):
    text = f"{HEAD}anchors:\n  X-A: {{path: a.c, vendor: lob}}\n  X-B: {{path: a.c, vendor: lob}}\n"
    assert told(text) == [
        (
            "anchors.yaml:6:28: X-A: no vendor is called lob, which 2 anchors name; declared: lib [unknown-vendor]"
            " -> vendor: lib"
        )
    ]


def test_a_vendor_that_contradicts_the_prefix_is_an_error(told):
    text = HEAD + f'  other:\n    commit: "{PIN}"\nanchors:\n  L-A: {{path: a.c, vendor: other}}\n'
    assert told(text) == [
        (
            "anchors.yaml:8:28: L-A: the prefix L is lib's, not other's [unknown-vendor]"
            " -> vendor: lib    or leave `vendor` out"
        )
    ]


def test_a_vendor_that_agrees_with_the_prefix_is_fine(load):
    assert load(anchor("path: a.c\nvendor: lib")).anchors["L-A"].vendor == "lib"


def test_two_vendors_cannot_have_one_prefix(told):
    text = HEAD + f'  other:\n    commit: "{PIN}"\n    prefix: [O, L]\nanchors:\n  L-A: {{path: a.c}}\n'
    assert told(text) == ["anchors.yaml:7:17: other: the prefix L is lib's already (anchors.yaml:2:3) [prefix-taken]"]


def test_a_check_has_exactly_one_form(told):
    text = (
        "claims:\n  ONE.1:\n    text: t\n    checks: [{lines: 1, calls: b}, {scope: file}, {calls: c, symbol: S}]\n"
        "    caveats: [{text: t, checks: [{symbol: a}]}]\n"
    )
    assert told({"anchors.yaml": HEAD, "claims/a.yaml": text}) == [
        "claims/a.yaml:4:14: ONE.1: a check has one form; this one has lines and calls [bad-check]",
        "claims/a.yaml:4:36: ONE.1: a check has one form; this one has none [bad-check]",
        "claims/a.yaml:5:34: ONE.1: a check has one form; this one has none [bad-check]",
    ]


def test_numbers_in_tables_are_numbers_but_conversions_are_errors(told):
    text = "examples:\n  L-E1:\n    title: t\n    tables: [{columns: [a], rows: [[1], [2.5], [10:20], [on], [012]]}]\n"
    assert [
        line.rsplit("] ", 1)[0].split(": ", 2)[2] for line in told({"anchors.yaml": HEAD, "claims/a.yaml": text})
    ] == [
        "rows `10:20` is read by YAML as the number 620 [yaml-conversion",
        "rows `on` is read by YAML as true [yaml-conversion",
        "rows `012` is read by YAML as the number 10 [yaml-conversion",
    ]


def test_messages_are_short_and_hold_nothing_that_a_terminal_obeys(findings):
    evil = "\x1b[2J\u202e\u200b" + "x" * 5000
    (finding,) = findings(anchor(f"path: {json.dumps(evil)}"))
    assert len(finding.message) < 300
    assert finding.message.isprintable() or all(char.isprintable() or char == " " for char in finding.message)


def test_environment_variables_are_not_expanded(load, monkeypatch):
    monkeypatch.setenv("SECRET", "hunter2")
    assert load(anchor("path: a/$SECRET/${SECRET}.c")).anchors["L-A"].path == "a/$SECRET/${SECRET}.c"


def test_a_registry_does_not_change_the_files_it_is_read_from(load, tmp_path):
    load(WHOLE)
    assert {str(path.relative_to(tmp_path)): path.read_text() for path in tmp_path.rglob("*.yaml")} == WHOLE


# The schema


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(json.loads(registry.schema()))


@pytest.mark.parametrize(
    ("definition", "name"),
    [
        ("anchors-file", "anchors.yaml"),
        ("claims-file", "claims/ONE.yaml"),
        ("claims-file", "claims/rest.yaml"),
        ("more-anchors-file", "anchors/tool.yaml"),
    ],
)
def test_a_second_validator_takes_the_whole_registry(definition, name):
    schema = json.loads(registry.schema())
    validator = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": schema["$defs"]})
    assert [error.message for error in validator.iter_errors(yaml.safe_load(WHOLE[name]))] == []


@pytest.mark.parametrize(
    "name",
    [
        "unknown-key",
        "missing-key",
        "wrong-type",
        "bad-value",
        "bad-id",
        "reserved-id",
        "bad-name",
        "bad-find",
        "bad-path",
        "short-pin",
        "floating-pin",
        "bad-pin",
        "bad-sha256",
        "bad-url",
        "bad-permalink",
    ],
)
def test_a_second_validator_refuses_what_the_schema_can_say(name):
    schema = json.loads(registry.schema())
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/anchors-file", "$defs": schema["$defs"]})
    example = registry.EXAMPLES[name]
    assert validator.is_valid(yaml.safe_load(example.passes["anchors.yaml"]))
    assert not validator.is_valid(yaml.safe_load(example.fails["anchors.yaml"]))


# The two parsers

FRAGMENTS = [
    "a",
    "b:",
    " ",
    "  ",
    "\n",
    "\n  ",
    "\n    ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    ": ",
    "'",
    '"',
    "#",
    " # c",
    "|",
    "|-",
    ">",
    "&x",
    "*x",
    "? ",
    "---",
    "@",
    "`",
    "\\n",
    "\\u2028",
    "é",
    "文",
    "😀",
    "\r\n",
    "10:20",
    "on",
    "~",
    "null",
    "1-2",
    "<<: ",
    "key: v",
    "\n  - x",
    "''",
    '""',
    "=",
    "-",
    "\t",
]


def parsed(text: YamlText, parser: object) -> Parsed | None:
    try:
        result = parse(text, parser)
    except Unreadable:
        return None
    return None if result.refused else result


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
def test_the_c_parser_and_the_python_parser_give_the_same_nodes(source):
    text = decode("x.yaml", source.encode())
    if isinstance(text, YamlText):
        assert parsed(text, yaml.CSafeLoader) == parsed(text, yaml.SafeLoader)


@pytest.mark.parametrize("name", list(WHOLE))
def test_the_two_parsers_agree_on_a_whole_registry(name):
    text = decode(name, WHOLE[name].encode())
    assert isinstance(text, YamlText)
    both = [parsed(text, yaml.CSafeLoader), parsed(text, yaml.SafeLoader)]
    assert both[0] is not None
    assert both[0] == both[1]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_in_quotes_comes_back_or_is_refused_with_a_place(text):
    source = f"a: {json.dumps(text, ensure_ascii=False)}\n"
    decoded = decode("x.yaml", source.encode())
    if isinstance(decoded, YamlText):
        result = parsed(decoded, yaml.CSafeLoader)
        assert result is not None
        assert result.root.entries[0][1].value == text
    else:
        assert all(finding.place.line for finding in decoded)
