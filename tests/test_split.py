"""A file that was torn apart: what left it is followed into the other file function by function, or said to be gone."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from conftest import Claimcheck, MakeProject, link_copy, write_files

ROOT = Path(__file__).parent.parent
UTILS, PLANNING = "vllm/v1/core/kv_cache_utils.py", "vllm/v1/core/kv_cache_planning.py"
# A string of a function that is gone, and where that stands now, once: in the code that took its place.
GONE, STRING, TRAIL = "_annotate_eagle_groups", "spec_config.use_eagle_block_drop()", (PLANNING, [1650, 1650])


def table() -> list[list[str]]:
    text = (Path(__file__).parent / "cases" / "split-file.txt").read_text("utf-8")
    return [line.split("|") for line in text.splitlines() if not line.startswith("#")]


def told(region: dict, home: str) -> str:
    """An outcome in the words of the table, with the place where one is given."""
    to = region["to"]
    there = " there" if to and to["path"] != home and region["outcome"] != "renamed" else ""
    return f"{region['outcome']}{there}|" + ("-".join(map(str, to["lines"])) if to else "")


def test_vllm_tore_a_file_apart(claimcheck: Claimcheck, six_releases: Path, tmp_path: Path) -> None:
    link_copy(six_releases, tmp_path)
    rows = table()
    head = (ROOT / "anchors.yaml").read_text("utf-8").partition("  deepinfer:")[0]
    anchors = "".join(
        f"  V-{n}: {{path: {UTILS}, lines: {lines}, find: {json.dumps(string_of(name))}}}\n"
        for n, (name, lines, *_) in enumerate(rows)
    )
    write_files(
        tmp_path, {"anchors.yaml": re.sub(r"commit: \w+", "commit: release/0.32.0", head) + f"anchors:\n{anchors}"}
    )
    ran = claimcheck("drift", "vllm", "release/0.33.0", "--format", "json", cwd=tmp_path)
    assert (ran.code, ran.err) == (1, "")
    regions = [anchor["regions"][0] for anchor in json.loads(ran.out)["anchors"]]
    assert [told(region, UTILS) for region in regions] == [f"{what}|{now}" for _, _, what, now in rows]
    left = [row for row in rows if row[2] in ("renamed", "edited there", "deleted") and "." not in row[0]]
    assert Counter(row[2] for row in left) == {"renamed": 27, "edited there": 8, "deleted": 3}
    for region, (name, _, what, _) in zip(regions, rows, strict=True):
        if what in ("renamed", "edited there"):
            assert region["to"]["path"] == PLANNING
        if what == "deleted":
            trail = [(one["path"], one["lines"]) for one in region["candidates"]]
            assert trail == ([TRAIL] if name == GONE else [])


def string_of(name: str) -> str:
    return STRING if name == GONE else f"def {name.split('.')[-1]}"


HEAD = """\
import math


def width(blocks):
    return max(len(row) for row in blocks)


"""
AREA = """\
def area(rows, columns):
    return sum(row.height for row in rows) * sum(column.width for column in columns)
"""
AREA_BROKEN = """\
def area(rows, columns):
    return sum(row.height for row in rows) * sum(
        column.width for column in columns
    )
"""
PAGES = """\
def pages(blocks, size):
    count = sum(block.tokens for block in blocks)
    return math.ceil(count / size)


"""
PLANNER = """\
class Planner:
    def __init__(self, limit):
        self.limit = limit

    def fits(self, blocks, size):
        needed = pages(blocks, size)
        return needed <= self.limit


"""
OLDEST = """\
def oldest(blocks):
    stamps = [(block.used, block.number) for block in blocks]
    stamps.sort(key=lambda stamp: stamp[0])
    return stamps[0][1]
"""
NEWEST = """\
def newest(blocks):
    stamps = [(block.used, block.number) for block in blocks]
    stamps.sort(key=lambda stamp: stamp[0])
    return stamps[-1][1]
"""
REGISTRY = """\
vendors:
  lib: {url: https://github.com/o/lib, commit: "{c1}", prefix: L}
anchors:
  L-WIDTH: {path: blocks/utils.py, lines: 4-5}
  L-PAGES: {path: blocks/utils.py, lines: 8-10}
  L-CEIL: {path: blocks/utils.py, lines: 9-10}
  L-RETURN: {path: blocks/utils.py, lines: 10}
  L-PLANNER: {path: blocks/utils.py, lines: 13-19}
  L-INIT: {path: blocks/utils.py, lines: 14-15}
  L-FITS: {path: blocks/utils.py, lines: 17-19}
  L-OLDEST: {path: blocks/utils.py, lines: 22-25, find: block.number}
  L-AREA: {path: blocks/utils.py, lines: 28-29}
"""


def test_a_small_file_is_torn_apart(claimcheck: Claimcheck, make_project: MakeProject) -> None:
    planner = PLANNER.replace("needed <= self.limit", "needed < self.limit")
    project = make_project(
        {"anchors.yaml": REGISTRY},
        {"blocks/utils.py": HEAD + PAGES + PLANNER + OLDEST + "\n\n" + AREA, "blocks/rows.py": "import math\n"},
        {
            "blocks/utils.py": HEAD.rstrip("\n") + "\n",
            "blocks/planning.py": '"""Planning."""\n\nimport math\n\n\n'
            + PAGES
            + NEWEST
            + "\n\n"
            + planner
            + AREA_BROKEN,
            "blocks/rows.py": "import math\n\nTAU = 2 * math.pi\n",
        },
    )
    ran = claimcheck("drift", "lib", project.commits[1], "--format", "json", cwd=project.root)
    regions = {anchor["id"]: anchor["regions"][0] for anchor in json.loads(ran.out)["anchors"]}
    assert {id: told(region, "blocks/utils.py") for id, region in regions.items()} == {
        "L-WIDTH": "unchanged|4-5",
        "L-PAGES": "renamed|6-8",
        "L-CEIL": "renamed|7-8",
        "L-RETURN": "deleted|",
        "L-PLANNER": "edited there|17-23",
        "L-INIT": "renamed|18-19",
        "L-FITS": "edited there|21-23",
        "L-OLDEST": "deleted|",
        "L-AREA": "cosmetic there|26-29",
    }
    assert regions["L-RETURN"]["candidates"] == [{"path": "blocks/planning.py", "lines": [8, 8], "confidence": 0.4}]
    assert regions["L-OLDEST"]["candidates"] == [{"path": "blocks/planning.py", "lines": [12, 12], "confidence": 0.1}]
