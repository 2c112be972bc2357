"""`claimcheck import` in real folders: output, exit code, and the files afterwards."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimcheck import registry
from claimcheck.errors import WriteRefused
from claimcheck.model import Registry
from claimcheck.project import Project
from claimcheck.records.plan import State, make_plan
from claimcheck.records.reading import read_record
from claimcheck.records.writing import changes
from conftest import Claimcheck, check_golden, write_files

ENGLISH = (Path(__file__).parent.parent / "data" / "record.en.md").read_bytes()
ONE = "1" * 40
TWO = "2" * 40

RECORD = f"""\
`vendor/kettle`, HEAD = {ONE}, origin = hot/kettle

| ID | File | Lines | Find |
|---|---|---|---|
| K-LOOP | src/boil.c | 10-20; 30-40 | `while (1)` / `cold(k)` |
| K-DRY | same | 50 | `return DRY` |

### K1: Heat

1. The loop asks first. [K-LOOP]
2. A dry kettle gets nothing. [K-DRY] [K-LOOP]
"""
ANCHORS = f"""\
vendors:
  kettle:
    url: https://github.com/hot/kettle
    commit: "{ONE}"
    prefix: K
anchors:
  K-LOOP:
    path: src/boil.c
    lines: [10-20, 30-40]
    find: [while (1), cold(k)]
  K-DRY:
    path: src/boil.c
    lines: 50
    find: return DRY
"""
CLAIMS = """\
lesson: K1
title: Heat
claims:
  K1.1:
    text: The loop asks first.
    cites: [K-LOOP]
  K1.2:
    text: A dry kettle gets nothing.
    cites: [K-DRY, K-LOOP]
"""
CLOSING = "Taken over as written; nothing has been compared with source code yet.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a record and nothing else."""
    write_files(tmp_path, {"record.md": RECORD})
    return tmp_path


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def written(root: Path) -> dict[str, str]:
    """What is there beside the record."""
    return {name: content.decode() for name, content in files(root).items() if not name.startswith("record")}


def last_block(text: str) -> str:
    return text.rstrip("\n").rpartition("\n\n")[2] + "\n"


def test_the_english_record_is_shown_and_written(tmp_path: Path, claimcheck: Claimcheck) -> None:
    write_files(tmp_path, {"record.en.md": ENGLISH})
    shown = claimcheck("import", "record.en.md", cwd=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    check_golden("import.text", shown.out)
    assert list(written(tmp_path)) == []
    assert claimcheck("import", "record.en.md", "--write", cwd=tmp_path).code == 0
    check_golden("import.anchors.yaml", written(tmp_path)["anchors.yaml"])
    check_golden("import.claims.yaml", written(tmp_path)["claims/K1.yaml"])
    loaded = registry.load(Project(tmp_path))
    assert list(loaded.anchors) == ["K-LOOP", "K-DRY", "K-LIMITS", "K-TABLE", "K-SPARE", "S-FLOW", "S-LID", "S-QUOTES"]
    assert loaded.anchors["K-LIMITS"].find == ("MAX `COIL`", "MAX_LID", "lid | coil")
    assert list(loaded.claims) == ["K1.1", "K1.2", "K1.3", "K2.1", "K2.2", "K2.3"]


def test_json_has_everything_and_starts_with_its_schema(tmp_path: Path, claimcheck: Claimcheck) -> None:
    write_files(tmp_path, {"record.en.md": ENGLISH})
    ran = claimcheck("import", "record.en.md", "--format", "json", cwd=tmp_path)
    assert ran.code == 0
    assert ran.out.startswith('{\n  "schema": "claimcheck.import/1",\n')
    check_golden("import.json", ran.out)
    document = json.loads(ran.out)
    states = [entry["state"] for entry in document["anchors"] + document["claims"]]
    assert len(states) == document["summary"]["anchors"] + document["summary"]["claims"]
    assert states.count("new") == document["summary"]["new"] == 14


def test_without_write_nothing_is_written_and_the_command_is_said(folder: Path, claimcheck: Claimcheck) -> None:
    before = files(folder)
    ran = claimcheck("import", "record.md", cwd=folder)
    assert ran.code == 0
    assert ran.out == (
        "record.md: 11 lines, 1 table, 2 knowledge points, 0 reference links\n"
        "\n"
        "  vendors   1   kettle  11111111   hot/kettle   prefix K   2 anchors  3 regions  1 file\n"
        "  anchors   2   3 regions, 3 search strings\n"
        "  claims    2   K1; 3 citations\n"
        "\n"
        "Nothing written.\n"
        "  claimcheck import record.md --write    writes anchors.yaml (1 vendor, 2 anchors), "
        "claims/K1.yaml (2 claims)\n"
    )
    assert files(folder) == before


def test_with_write_the_registry_is_made(folder: Path, claimcheck: Claimcheck) -> None:
    ran = claimcheck("import", "record.md", "--write", cwd=folder)
    assert ran.code == 0
    assert last_block(ran.out) == (
        "Wrote anchors.yaml (1 vendor, 2 anchors), claims/K1.yaml (2 claims).\n"
        + CLOSING
        + "Next: claimcheck vendor sync\n"
    )
    assert written(folder) == {"anchors.yaml": ANCHORS, "claims/K1.yaml": CLAIMS}


@pytest.mark.parametrize("options", [(), ("--write",), ("--write", "--update")])
def test_a_second_run_changes_nothing(folder: Path, claimcheck: Claimcheck, options: tuple[str, ...]) -> None:
    claimcheck("import", "record.md", "--write", cwd=folder)
    before = {name: path.stat() for name, path in ((p.name, p) for p in folder.rglob("*"))}
    ran = claimcheck("import", "record.md", *options, cwd=folder)
    assert ran.code == 0
    assert last_block(ran.out) == "anchors.yaml exists; 2 of 2 anchors are already there, 0 differ. Nothing written.\n"
    assert {path.name: path.stat().st_mtime_ns for path in folder.rglob("*")} == {
        name: status.st_mtime_ns for name, status in before.items()
    }


def test_a_registry_of_comments_keeps_them(folder: Path, claimcheck: Claimcheck) -> None:
    write_files(folder, {"anchors.yaml": "# Ours.\n", "claims/K1.yaml": "lesson: K1\n# Ours too.\n"})
    assert claimcheck("import", "record.md", "--write", cwd=folder).code == 0
    after = written(folder)
    assert after["anchors.yaml"].startswith("# Ours.\n")
    assert "# Ours too.\n" in after["claims/K1.yaml"]
    loaded = registry.load(Project(folder))
    assert (list(loaded.anchors), list(loaded.claims)) == (["K-LOOP", "K-DRY"], ["K1.1", "K1.2"])


def test_what_is_missing_is_added_beside_what_is_there(folder: Path, claimcheck: Claimcheck) -> None:
    anchors = f"""\
# Our own words.
vendors:
  kettle: {{url: "https://github.com/hot/kettle", commit: "{ONE}", prefix: K}}   # do not touch
waivers:
  - {{rule: uncited-anchor, subject: K-OLD, reason: "kept for later"}}
anchors:
  K-OLD: {{path: old.c, lines: 1-2, find: old}}

  K-LOOP: {{path: src/boil.c, lines: [10-20, 30-40], find: [while (1), cold(k)]}}

  # the last one
  K-REST: {{path: rest.c, lines: 1-2, find: rest}}
"""
    claims = (
        "lesson: K1\nclaims:\n  K1.2:\n    text: In our own words.\n    cites: [K-LOOP, K-DRY]\n    basis: comment\n"
    )
    write_files(folder, {"anchors.yaml": anchors, "claims/heat.yaml": claims})
    ran = claimcheck("import", "record.md", "--write", cwd=folder)
    assert ran.code == 0
    assert last_block(ran.out) == (
        "anchors.yaml exists; 1 of 2 anchors are already there, 0 differ; "
        "1 of 2 claims are already there, 0 differ in what they cite.\n"
        "Wrote anchors.yaml (1 anchor added), claims/heat.yaml (1 claim added).\n" + CLOSING + "Next: claimcheck lock\n"
    )
    after = written(folder)
    assert after["anchors.yaml"] == anchors.replace(
        "cold(k)]}\n", "cold(k)]}\n\n  K-DRY: {path: src/boil.c, lines: 50, find: return DRY}\n"
    )
    assert after["claims/heat.yaml"] == claims + "  K1.1:\n    text: The loop asks first.\n    cites: [K-LOOP]\n"
    again = claimcheck("import", "record.md", cwd=folder)
    assert (
        last_block(again.out) == "anchors.yaml exists; 2 of 2 anchors are already there, 0 differ. Nothing written.\n"
    )


class TestDifferences:
    """The registry has three entries that differ from the record."""

    CHANGED = (
        ANCHORS.replace("[10-20, 30-40]", "[10-20,   31-41]  # ours")
        .replace("find: return DRY", "find: 'return DRY;'")
        .replace("src/boil.c\n    lines: 50", "src/dry.c\n    lines: 50")
    )
    CLAIMS = CLAIMS.replace("The loop asks first.", "In our own words.").replace("[K-DRY, K-LOOP]", "[K-DRY]")

    @pytest.fixture
    def project(self, folder: Path) -> Path:
        write_files(folder, {"anchors.yaml": self.CHANGED, "claims/K1.yaml": self.CLAIMS})
        return folder

    @pytest.mark.parametrize("options", [(), ("--write",)])
    def test_are_shown_and_kept(self, project: Path, claimcheck: Claimcheck, options: tuple[str, ...]) -> None:
        before = files(project)
        ran = claimcheck("import", "record.md", *options, cwd=project)
        assert ran.code == 1
        assert ran.out.partition("search strings\n")[2] == (
            "  claims    2   K1; 3 citations\n"
            "\n"
            "--- a/anchors.yaml\n"
            "+++ b/anchors.yaml\n"
            "@@ -6,9 +6,9 @@\n"
            " anchors:\n"
            "   K-LOOP:\n"
            "     path: src/boil.c\n"
            "-    lines: [10-20,   31-41]  # ours\n"
            "+    lines: [10-20,   30-40]  # ours\n"
            "     find: [while (1), cold(k)]\n"
            "   K-DRY:\n"
            "-    path: src/dry.c\n"
            "+    path: src/boil.c\n"
            "     lines: 50\n"
            "-    find: 'return DRY;'\n"
            "+    find: 'return DRY'\n"
            "--- a/claims/K1.yaml\n"
            "+++ b/claims/K1.yaml\n"
            "@@ -6,4 +6,4 @@\n"
            "     cites: [K-LOOP]\n"
            "   K1.2:\n"
            "     text: A dry kettle gets nothing.\n"
            "-    cites: [K-DRY]\n"
            "+    cites: [K-DRY, K-LOOP]\n"
            "\n"
            "anchors.yaml exists; 2 of 2 anchors are already there, 2 differ; "
            "2 of 2 claims are already there, 1 differs in what they cite. Nothing written.\n"
            "  claimcheck import record.md --write --update    takes the record's values for K-LOOP, K-DRY, K1.2\n"
        )
        assert files(project) == before

    def test_are_taken_with_update_and_nothing_else_changes(self, project: Path, claimcheck: Claimcheck) -> None:
        ran = claimcheck("import", "record.md", "--write", "--update", cwd=project)
        assert ran.code == 0
        assert last_block(ran.out) == (
            "anchors.yaml exists; 2 of 2 anchors are already there, 2 differ; "
            "2 of 2 claims are already there, 1 differs in what they cite.\n"
            "Wrote anchors.yaml (2 anchors changed), claims/K1.yaml (1 claim changed).\n"
            + CLOSING
            + "Next: claimcheck lock\n"
        )
        assert written(project) == {
            "anchors.yaml": ANCHORS.replace("[10-20, 30-40]", "[10-20,   30-40]  # ours").replace(
                "find: return DRY", "find: 'return DRY'"
            ),
            "claims/K1.yaml": CLAIMS.replace("The loop asks first.", "In our own words."),
        }
        assert claimcheck("import", "record.md", cwd=project).code == 0

    def test_with_update_alone_are_shown_with_the_whole_command(self, project: Path, claimcheck: Claimcheck) -> None:
        before = files(project)
        ran = claimcheck("import", "record.md", "--update", cwd=project)
        assert ran.code == 1
        assert ran.out.endswith(
            "Nothing written.\n  claimcheck import record.md --write --update    "
            "writes anchors.yaml (2 anchors changed), claims/K1.yaml (1 claim changed)\n"
        )
        assert files(project) == before

    def test_of_a_text_in_other_words_are_none(self, folder: Path, claimcheck: Claimcheck) -> None:
        claims = CLAIMS.replace("The loop asks first.", "In our own words.").replace(
            "[K-DRY, K-LOOP]", "[K-LOOP, K-DRY]"
        )
        write_files(folder, {"anchors.yaml": ANCHORS, "claims/K1.yaml": claims})
        ran = claimcheck("import", "record.md", "--write", "--update", cwd=folder)
        assert (ran.code, written(folder)["claims/K1.yaml"]) == (0, claims)


LONG = ANCHORS.replace(
    "    lines: [10-20, 30-40]\n    find: [while (1), cold(k)]\n",
    "    regions: [{{lines: {}, find: cold(k)}}, {{lines: {}, find: while (1)}}]\n",
)


def test_the_long_form_is_the_same_in_another_order_of_strings(folder: Path, claimcheck: Claimcheck) -> None:
    write_files(folder, {"anchors.yaml": LONG.format("10-20", "30-40"), "claims/K1.yaml": CLAIMS})
    assert claimcheck("import", "record.md", cwd=folder).code == 0


def test_the_long_form_gets_other_lines_and_keeps_its_strings(folder: Path, claimcheck: Claimcheck) -> None:
    write_files(folder, {"anchors.yaml": LONG.format("10-20", "31-41"), "claims/K1.yaml": CLAIMS})
    assert claimcheck("import", "record.md", "--write", "--update", cwd=folder).code == 0
    assert written(folder)["anchors.yaml"] == LONG.format("10-20", "30-40")


def test_strings_that_are_tied_to_regions_are_changed_by_hand(folder: Path, claimcheck: Claimcheck) -> None:
    anchors = LONG.format("10-20", "30-40").replace("cold(k)", "warm(k)")
    write_files(folder, {"anchors.yaml": anchors, "claims/K1.yaml": CLAIMS})
    ran = claimcheck("import", "record.md", "--write", "--update", cwd=folder)
    assert ran.code == 1
    assert ran.out.endswith("To be changed by hand, since their strings are tied to regions: K-LOOP\n")
    assert written(folder)["anchors.yaml"] == anchors


def test_a_vendor_that_has_moved_on_keeps_its_pin_and_new_anchors_say_their_commit(
    folder: Path, claimcheck: Claimcheck
) -> None:
    anchors = ANCHORS.replace(ONE, TWO).partition("  K-DRY")[0].replace("30-40", "33-43")
    write_files(folder, {"anchors.yaml": anchors, "claims/K1.yaml": CLAIMS})
    ran = claimcheck("import", "record.md", "--write", "--update", cwd=folder)
    assert ran.code == 0
    assert (
        "record.md:1:2: warning: kettle: is at 11111111 here and pinned at 22222222 in the registry, so anchors that "
        "are there already are not compared [vendor-differs]\n"
    ) in ran.out
    assert last_block(ran.out) == (
        "anchors.yaml exists; 1 of 2 anchors are already there, 0 differ; 1 cited at another commit and not compared.\n"
        "Wrote anchors.yaml (1 anchor added).\n" + CLOSING + "Next: claimcheck vendor sync\n"
    )
    loaded = registry.load(Project(folder))
    assert loaded.vendors["kettle"].pin.text == TWO
    assert {id: loaded.pin_of(anchor).text for id, anchor in loaded.anchors.items()} == {"K-LOOP": TWO, "K-DRY": ONE}


def test_a_vendor_is_known_by_its_repository_too(folder: Path, claimcheck: Claimcheck) -> None:
    anchors = ANCHORS.replace("  kettle:", "  boiler:").partition("  K-DRY")[0].replace("hot/kettle", "Hot/Kettle")
    write_files(folder, {"anchors.yaml": anchors})
    assert claimcheck("import", "record.md", "--write", cwd=folder).code == 0
    assert {anchor.vendor for anchor in registry.load(Project(folder)).anchors.values()} == {"boiler"}


def test_a_repository_that_differs_is_said_and_the_registrys_kept(folder: Path, claimcheck: Claimcheck) -> None:
    anchors = ANCHORS.replace("github.com/hot/kettle", "mirror.example.org/ours/kettle")
    write_files(folder, {"anchors.yaml": anchors, "claims/K1.yaml": CLAIMS})
    ran = claimcheck("import", "record.md", "--write", "--update", cwd=folder)
    assert ran.code == 0
    assert (
        "record.md:1:2: warning: kettle: is https://github.com/hot/kettle here and "
        "https://mirror.example.org/ours/kettle in the registry, which is kept [vendor-differs]\n"
    ) in ran.out
    assert written(folder)["anchors.yaml"] == anchors


def test_many_lessons_and_many_errors_are_counted(folder: Path, claimcheck: Claimcheck) -> None:
    lessons = "".join(f"### L{n}: t\n\n1. One. [K-LOOP]\n\n" for n in range(20))
    rows = "".join(f"| k-{n} | a.c | 1 | abc |\n" for n in range(60))
    write_files(folder, {"record.md": RECORD.replace("\n### K1", rows + "\n" + lessons + "### K1")})
    ran = claimcheck("import", "record.md", cwd=folder)
    assert ran.code == 1
    assert "  claims   22   L0 L1 L2 L3 L4 L5 L6 L7 L8 L9 L10 L11 and 9 more; 23 citations\n" in ran.out
    assert ran.out.count("[record-invalid-id]\n") == 50
    assert "    10 more of this kind: --verbose\n" in ran.out
    assert "writes anchors.yaml (1 vendor, 2 anchors), claims/L0.yaml to claims/K1.yaml (22 claims)\n" in ran.out
    assert claimcheck("import", "record.md", "-v", cwd=folder).out.count("[record-invalid-id]\n") == 60


def test_lessons_of_unequal_length_and_links_of_nothing_are_said(folder: Path, claimcheck: Claimcheck) -> None:
    link = f"[{{}}]: https://github.com/hot/kettle/blob/{ONE}/src/boil.c#L50\n"
    text = RECORD.replace("| 50 |", "| x |") + "\n### K2: t\n\n1. One. [K-LOOP]\n\n" + link.format("K-DRY")
    write_files(folder, {"record.md": text})
    out = claimcheck("import", "record.md", cwd=folder).out
    assert "  claims    3   K1 (2) K2 (1); 4 citations\n" in out
    assert "  links     1   1 belongs to no row that was taken, 1 anchor has none\n" in out
    write_files(folder, {"record.md": RECORD + "\n" + link.format("K-NEW")})
    out = claimcheck("import", "record.md", cwd=folder).out
    assert "  links     1   1 is all there is of an anchor, 2 anchors have none\n" in out


def test_a_name_like_an_option_or_a_runners_command_begins_no_line(tmp_path: Path, claimcheck: Claimcheck) -> None:
    write_files(tmp_path, {"::error::x.md": RECORD, "-x.md": RECORD})
    assert claimcheck("import", "::error::x.md", cwd=tmp_path).out.startswith("./::error::x.md: 11 lines")
    shown = claimcheck("import", "--", "-x.md", cwd=tmp_path).out
    assert "\n  claimcheck import ./-x.md --write    writes" in shown


def test_a_second_vendor_is_added(folder: Path, claimcheck: Claimcheck) -> None:
    anchors = ANCHORS.replace("kettle", "spout").replace("prefix: K", "prefix: S").replace("K-", "S-")
    write_files(folder, {"anchors.yaml": anchors})
    ran = claimcheck("import", "record.md", "--write", cwd=folder)
    assert "Wrote anchors.yaml (1 vendor, 2 anchors added), claims/K1.yaml (2 claims added).\n" in ran.out
    loaded = registry.load(Project(folder))
    assert list(loaded.vendors) == ["spout", "kettle"]
    assert list(loaded.anchors) == ["S-LOOP", "S-DRY", "K-LOOP", "K-DRY"]


def test_a_prefix_of_another_vendor_is_not_taken(folder: Path, claimcheck: Claimcheck) -> None:
    anchors = ANCHORS.replace("kettle", "spout").replace("K-", "K-OTHER-")
    write_files(folder, {"anchors.yaml": anchors})
    ran = claimcheck("import", "record.md", "--write", cwd=folder)
    assert ran.code == 1
    assert (
        "record.md:5:3: error: K-LOOP: is an anchor of kettle here; its prefix is spout's in the registry "
        "[prefix-conflict]\n"
    ) in ran.out
    assert "record.md:6:3: error: K-DRY: is an anchor of kettle here" in ran.out
    assert "Left out: K-DRY, K-LOOP; see above.\n" in ran.out
    assert written(folder)["anchors.yaml"] == anchors


def test_a_vendor_without_that_prefix_is_named_at_the_anchor(folder: Path, claimcheck: Claimcheck) -> None:
    anchors = ANCHORS.replace("    prefix: K\n", "    prefix: B\n").replace("K-", "B-")
    write_files(folder, {"anchors.yaml": anchors})
    assert claimcheck("import", "record.md", "--write", cwd=folder).code == 0
    loaded = registry.load(Project(folder))
    assert loaded.vendors["kettle"].prefixes == ("B",)
    assert loaded.anchors["K-DRY"].vendor == "kettle"


def test_anchors_go_where_those_of_their_vendor_stand(folder: Path, claimcheck: Claimcheck) -> None:
    head, _, body = ANCHORS.partition("anchors:\n")
    write_files(folder, {"anchors.yaml": head, "anchors/kettle.yaml": "anchors:\n" + body.partition("  K-DRY")[0]})
    ran = claimcheck("import", "record.md", "--write", cwd=folder)
    assert "Wrote anchors/kettle.yaml (1 anchor added)" in ran.out
    assert written(folder)["anchors.yaml"] == head
    assert written(folder)["anchors/kettle.yaml"] == "anchors:\n" + body


def test_a_contradicted_vendor_is_left_out_with_its_anchors(folder: Path, claimcheck: Claimcheck) -> None:
    write_files(folder, {"record.md": RECORD + f"\n`vendor/kettle`, HEAD = {TWO}\n"})
    ran = claimcheck("import", "record.md", "--write", cwd=folder)
    assert ran.code == 1
    assert "  vendors   1   kettle  no commit   hot/kettle   prefix K   2 anchors  3 regions  1 file\n" in ran.out
    assert "record.md:13:2: error: kettle: commit 22222222 here, 11111111 in line 1 [vendor-contradiction]\n" in ran.out
    assert "Left out: K-DRY, K-LOOP; see above.\n" in ran.out
    assert "anchors.yaml" not in written(folder)


def test_a_commit_that_the_record_does_not_say_is_the_registrys_pin(folder: Path, claimcheck: Claimcheck) -> None:
    write_files(
        folder, {"record.md": RECORD.replace(f", HEAD = {ONE}", ""), "anchors.yaml": ANCHORS, "claims/K1.yaml": CLAIMS}
    )
    ran = claimcheck("import", "record.md", cwd=folder)
    assert ran.code == 0
    assert "vendor-unknown" not in ran.out


def test_a_part_that_is_not_understood_makes_the_exit_code_and_the_rest_is_written(
    folder: Path, claimcheck: Claimcheck
) -> None:
    write_files(folder, {"record.md": RECORD.replace("| 50 |", "| about 50 |")})
    ran = claimcheck("import", "record.md", "--write", cwd=folder)
    assert ran.code == 1
    assert (
        "record.md:6:18: error: K-DRY: `about 50` is not a range of lines [cell-not-understood]\n"
        "    help: 10-20; 30-40\n"
    ) in ran.out
    assert (
        "Left out: K-DRY; see above.\nWrote anchors.yaml (1 vendor, 1 anchor), claims/K1.yaml (2 claims).\n" in ran.out
    )
    assert list(registry.load(Project(folder)).anchors) == ["K-LOOP"]


def test_nothing_is_written_from_a_record_with_a_merge_conflict(folder: Path, claimcheck: Claimcheck) -> None:
    write_files(folder, {"record.md": RECORD + "<<<<<<< HEAD\n=======\n>>>>>>> other\n"})
    ran = claimcheck("import", "record.md", "--write", cwd=folder)
    assert ran.code == 1
    assert ran.out.endswith("[record-conflict-marker]\n\nNothing taken, nothing written.\n")
    assert written(folder) == {}


def test_notes_of_one_kind_are_counted_and_verbose_lists_them(folder: Path, claimcheck: Claimcheck) -> None:
    link = f"[{{}}]: https://github.com/hot/kettle/blob/{ONE}/src/boil.c#L{{}}\n"
    write_files(folder, {"record.md": RECORD + "\n" + link.format("K-LOOP", "10-L40") + link.format("K-DRY", "1-L99")})
    short = claimcheck("import", "record.md", cwd=folder).out
    assert (
        "record.md:14:1: note: K-DRY: its link spans 99 lines for one region of 1 [link-spans-regions]\n"
        "    1 more of this kind: --verbose\n\n"
    ) in short
    assert "  links     2   1 shows one span over several regions, 1 shows more than the region\n" in short
    assert "more of this kind" not in claimcheck("import", "record.md", "--verbose", cwd=folder).out
    assert claimcheck("import", "record.md", "--quiet", cwd=folder).out == (
        "record.md:14:1: note: K-DRY: its link spans 99 lines for one region of 1 [link-spans-regions]\n"
        "    1 more of this kind: --verbose\n"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "record.md: error: no such file\n"),
        (
            b"# Title\n\nText.\n",
            (
                "record.md: error: no research record: it has no table of anchors, no links to files at a commit and "
                "no knowledge points\n    help: | ID | file | lines | search strings |    "
                "is the header of a table of anchors\n"
            ),
        ),
        (b"", "record.md: error: no research record"),
        (
            b"# Title\n\n\xe4\xb8\xad caf\xe9\n",
            "record.md:3:6: error: byte 0xe9 at offset 16 is not UTF-8\n    help: save the record as UTF-8\n",
        ),
        (b"x" * (2 * 1024 * 1024 + 1), "record.md: error: "),
    ],
)
def test_what_is_no_record_is_said(tmp_path: Path, claimcheck: Claimcheck, content: bytes | None, message: str) -> None:
    if content is not None:
        write_files(tmp_path, {"record.md": content})
    ran = claimcheck("import", "record.md", "--write", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(message)
    assert written(tmp_path) == {}


def test_a_folder_and_a_pipe_are_no_records(tmp_path: Path, claimcheck: Claimcheck) -> None:
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    for name, kind in (("folder.md", "folder"), ("pipe.md", "named pipe")):
        ran = claimcheck("import", name, cwd=tmp_path)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"{name}: error: ")
        assert ran.err.endswith(f"a {kind}, not a file\n")


def test_a_record_elsewhere_is_named_by_its_relative_path(tmp_path: Path, claimcheck: Claimcheck) -> None:
    write_files(tmp_path, {"notes/record.md": RECORD, "book/README": ""})
    ran = claimcheck("import", str(tmp_path / "notes" / "record.md"), "--write", cwd=tmp_path / "book")
    assert ran.out.startswith("../notes/record.md: 11 lines")
    assert str(tmp_path) not in ran.out
    assert (tmp_path / "book" / "anchors.yaml").is_file()


def test_a_link_to_a_record_is_followed(folder: Path, claimcheck: Claimcheck) -> None:
    (folder / "work").mkdir()
    (folder / "work" / "link.md").symlink_to("../record.md")
    assert claimcheck("import", "link.md", cwd=folder / "work").out.startswith("link.md: 11 lines")


def test_another_folder_is_the_project(tmp_path: Path, claimcheck: Claimcheck) -> None:
    write_files(tmp_path, {"book/record.md": RECORD})
    ran = claimcheck("-C", "book", "import", "record.md", cwd=tmp_path)
    assert "  claimcheck -C book import record.md --write    writes" in ran.out
    assert claimcheck("import", "-C", "book", "record.md", "--write", cwd=tmp_path).code == 0
    assert (tmp_path / "book" / "anchors.yaml").is_file()
    missing = claimcheck("import", "-C", "nowhere", "record.md", cwd=tmp_path)
    assert missing.code == 2
    assert missing.err.startswith("error: nowhere: ")


def test_a_registry_that_does_not_load_stops_it(folder: Path, claimcheck: Claimcheck) -> None:
    write_files(folder, {"anchors.yaml": ANCHORS.replace("lines: 50", "line: 50")})
    before = files(folder)
    ran = claimcheck("import", "record.md", "--write", cwd=folder)
    assert (ran.code, ran.out) == (2, "")
    assert "unknown key `line`" in ran.err
    assert files(folder) == before


def test_what_the_terminal_would_obey_is_shown_and_not_sent(folder: Path, claimcheck: Claimcheck) -> None:
    row = "| K-\x1b[31mX | a.c | 1 | abc |\n| K-BAD | a\u202eb.c | \x1b]0;x\x07 | `##vso[task]x` |\n### K1"
    write_files(folder, {"record.md": RECORD.replace("\n### K1", row)})
    out = claimcheck("import", "record.md", cwd=folder).out
    assert "K-\\x1b[31mX" in out
    assert not any(character in out for character in "\x1b\x07\u202e")


def test_what_would_not_load_afterwards_is_not_written(folder: Path, claimcheck: Claimcheck) -> None:
    long = f"https://git.example.org/hot/{'x' * 1000}"
    write_files(folder, {"record.md": RECORD.replace("origin = hot/kettle", f"origin = {long}")})
    ran = claimcheck("import", "record.md", "--write", cwd=folder)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("anchors.yaml:3:10: error: kettle: ")
    assert "nothing was written" in ran.err
    assert written(folder) == {}


ID = st.from_regex(r"K-[A-Z0-9]{1,6}", fullmatch=True).filter(lambda id: not id.startswith("K-E"))
STRING = st.text(
    st.characters(blacklist_categories=("Cc", "Cs"), blacklist_characters="`|\\\u2028\u2029"), min_size=3, max_size=40
).filter(lambda text: len("".join(text.split())) >= 3 and text == text.strip())
POINT = st.text(
    st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp"), blacklist_characters="[]`<\\"), min_size=1
).filter(lambda text: text == text.strip() and text[0].isalpha())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.dictionaries(ID, st.tuples(STRING, POINT), min_size=1, max_size=6))
def test_whatever_is_written_loads_and_is_the_same_the_second_time(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[str, tuple[str, str]]
) -> None:
    text = RECORD.partition("| K-LOOP")[0]
    text += "".join(
        f"| {id} | src/a.c | {n}-{n + 3} | `{string}` |\n" for n, (id, (string, _)) in enumerate(entries.items(), 1)
    )
    text += "\n### K1: Heat\n\n" + "".join(
        f"{n}. {point} [{id}]\n" for n, (id, (_, point)) in enumerate(entries.items(), 1)
    )
    project = Project(tmp_path_factory.mktemp("project"))
    plan = make_plan(read_record("record.md", text), Registry())
    project.write(changes(plan, project, Registry(), add=True, update=False))
    loaded = registry.load(project)
    assert {id: anchor.find for id, anchor in loaded.anchors.items()} == {id: (s,) for id, (s, _) in entries.items()}
    again = make_plan(read_record("record.md", text, loaded), loaded)
    assert {entry.state for entry in again.entries} == {State.SAME}
    assert changes(again, project, loaded, add=True, update=True) == []


def test_a_file_that_changed_meanwhile_is_not_overwritten(folder: Path) -> None:
    project = Project(folder)
    plan = make_plan(read_record("record.md", RECORD), Registry())
    wanted = changes(plan, project, Registry(), add=True, update=False)
    write_files(folder, {"anchors.yaml": "# somebody else's\n"})
    with pytest.raises(WriteRefused):
        project.write(wanted)
    assert written(folder) == {"anchors.yaml": "# somebody else's\n"}
