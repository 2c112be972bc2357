"""The course's vLLM anchors through the six releases, there and back, as a person finds them who reads both texts.

What is compared are facts (places, outcomes), no source text. The releases are in vendor/ or are brought from the
package index; where neither works, the tests are skipped and say why.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pytest

from claimcheck import registry
from claimcheck.project import Project
from conftest import Claimcheck, link_copy

ROOT = Path(__file__).parent.parent
PIN = "0.33.0"
BEFORE = ("0.28.0", "0.29.0", "0.30.0", "0.31.0", "0.32.0")
ANCHORS = registry.load(Project.find(ROOT)).anchors
HEAD = (ROOT / "anchors.yaml").read_text("utf-8").partition("  deepinfer:")[0]
CELL = re.compile(r"(\w+) ([\d-]+)(?: <([\d-]+))?")


@dataclass(frozen=True)
class Row:
    """A region at 0.33.0 and what it was at another release; `back` has the lines that those lead back to."""

    id: str
    lines: str
    outcome: str
    there: str
    back: str


def table(version: str) -> Iterator[Row]:
    for line in (Path(__file__).parent / "cases" / "drift-releases.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            id, lines, *cells = line.split("|")
            found = CELL.fullmatch(cells[BEFORE.index(version)])
            assert found, line
            yield Row(id, lines, found[1], found[2], found[3] or lines)


def drifted(claimcheck: Claimcheck, root: Path, pin: str, to: str, rows: list[Row], at: str) -> list[tuple[str, str]]:
    """The outcome and the lines of each region, in order, by `drift` in a project that is pinned to a release."""
    anchors = [
        f"  {id}: {{path: {ANCHORS[id].path}, lines: [{', '.join(getattr(row, at) for row in mine)}]}}\n"
        for id, mine in groupby(rows, key=lambda row: row.id)
    ]
    head = re.sub(r"commit: \w+", f"commit: release/{pin}", HEAD)
    (root / "anchors.yaml").write_text(f"{head}anchors:\n{''.join(anchors)}", "utf-8")
    ran = claimcheck("drift", "vllm", f"release/{to}", "--format", "json", cwd=root)
    assert (ran.code, ran.err) == (1, "")
    return [told(region) for anchor in json.loads(ran.out)["anchors"] for region in anchor["regions"]]


def told(region: dict) -> tuple[str, str]:
    outcome = region["change"] if region["outcome"] == "cosmetic" else region["outcome"]
    assert region["to"] is None or region["to"]["path"] == region["from"]["path"]
    return outcome, "-".join(map(str, region["to"]["lines"])) if region["to"] else ""


def test_the_table_has_what_is_located_at_the_pin() -> None:
    located: dict[str, list[str]] = {}
    for line in (Path(__file__).parent / "cases" / "located.txt").read_text("utf-8").splitlines():
        if line.startswith("V-"):
            id, *_, places = line.split("|")
            located[id] = [place.lstrip("=~") for place in places.split() if place != "-"]
    rows = list(table(BEFORE[-1]))
    assert {id: [row.lines for row in mine] for id, mine in groupby(rows, key=lambda row: row.id)} == located
    assert len(located) == 19
    assert len(rows) == 28


@pytest.mark.parametrize("version", BEFORE)
def test_drift_says_what_a_reader_says(
    claimcheck: Claimcheck, six_releases: Path, tmp_path: Path, version: str
) -> None:
    link_copy(six_releases, tmp_path)
    rows = list(table(version))
    found = drifted(claimcheck, tmp_path, PIN, version, rows, "lines")
    assert {(row.id, row.lines): (row.outcome, row.there) for row in rows} == {
        (row.id, row.lines): one for row, one in zip(rows, found, strict=True)
    }


@pytest.mark.parametrize("version", BEFORE)
def test_round_trips_come_home(claimcheck: Claimcheck, six_releases: Path, tmp_path: Path, version: str) -> None:
    link_copy(six_releases, tmp_path)
    rows = list(table(version))
    found = drifted(claimcheck, tmp_path, version, PIN, rows, "there")
    assert {(row.id, row.there): (row.outcome, row.back) for row in rows} == {
        (row.id, row.there): one for row, one in zip(rows, found, strict=True)
    }


def test_lines_that_never_held_their_code_in_six_releases(
    claimcheck: Claimcheck, six_releases: Path, tmp_path: Path
) -> None:
    link_copy(six_releases, tmp_path)
    shutil.copy(ROOT / "anchors.yaml", tmp_path)
    shutil.copytree(ROOT / "claims", tmp_path / "claims")
    ran = claimcheck("verify", "--at", "release", "--format", "json", cwd=tmp_path)
    never = [one for one in json.loads(ran.out)["findings"] if one["rule"] == "lines-never-there"]
    assert [(one["subject"], one["severity"], one["help"]) for one in never] == [
        ("V-GRAPH-ENUM", "warning", "lines: 53-69")
    ]
    assert never[0]["message"] == "lines 130-146 have never held this code"
    said = claimcheck("verify", "V-GRAPH-ENUM", "--at", "release", cwd=tmp_path)
    assert "    the same 17 lines at 53-69 in all 6 releases here (0.28.0 to 0.33.0)\n" in said.out
    assert "    130-146 lies in class PassConfig\n" in said.out
