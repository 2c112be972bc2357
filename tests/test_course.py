"""The real course on the real releases: the main job, as far as this machine has the material.

The releases are those that `claimcheck vendor sync` brings into this repository's vendor/; the research record is
looked for in the folder that CLAIMCHECK_SEEDS names. Tests that lack their material are skipped and say so. What is
compared are facts (places, numbers), no source text.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from claimcheck import registry
from claimcheck.library import Library
from claimcheck.locate import locate
from claimcheck.model import Anchor, Basis, Lines, Region, prefix_of
from claimcheck.outcome import Located, spot_of
from claimcheck.project import Project
from claimcheck.sources import Sources
from claimcheck.syntax import outline
from claimcheck.texts import SourceText
from conftest import Claimcheck

ROOT = Path(__file__).parent.parent
SEEDS = os.environ.get("CLAIMCHECK_SEEDS")
LOCATED = [
    row
    for row in (Path(__file__).parent / "cases" / "located.txt").read_text("utf-8").split("\n")
    if row and not row.startswith("#")
]
ARTICLE = "A"  # the lesson, and the prefix of the anchors, that the claims of claims/article.yaml have
CORRECTIONS, WORKED = "E", "X"  # the lessons of claims/corrections.yaml and claims/worked.yaml
WITHOUT_CLAIM = {"E08-2"}  # takes a figure back; there is no place in the code that it could cite
LESSONS = sorted((ROOT / "lessons").glob("*.html"))
VENDORS = {"V": ("vllm", "release/0.33.0"), "D": ("deepinfer", "release/0.1.0")}


def releases_are_here() -> bool:
    project = Project.find(ROOT)
    vendors = registry.load(project).vendors
    with Sources(project.root, vendors) as sources:
        return all(sources.state(name).stand_in_present for name in vendors)


def pins_are_here() -> bool:
    project = Project.find(ROOT)
    vendors = registry.load(project).vendors
    with Sources(project.root, vendors) as sources:
        return any(sources.state(name).pin_present for name in vendors)


needs_releases = pytest.mark.skipif(
    not releases_are_here(), reason="the releases are not here: `claimcheck vendor sync` in this repository brings them"
)
without_pins = pytest.mark.skipif(pins_are_here(), reason="the pins are here, so that nothing stands in for them")
needs_article = pytest.mark.skipif(SEEDS is None, reason="CLAIMCHECK_SEEDS names no folder with the article")
needs_record = pytest.mark.skipif(
    SEEDS is None, reason="CLAIMCHECK_SEEDS names no folder with the research record of the course"
)


@needs_releases
@pytest.mark.parametrize("row", LOCATED, ids=lambda row: row.partition("|")[0])
def test_an_anchor_is_located_where_a_reader_finds_it(row: str) -> None:
    id, path, recorded, find, wanted = row.split("|")
    regions = []
    for lines in recorded.split():
        first, _, last = lines.partition("-")
        regions.append(Region(Lines(int(first), int(last or first))))
    vendor, release = VENDORS[id[0]]
    project = Project.find(ROOT)
    with Sources(project.root, registry.load(project).vendors) as sources:
        revision = sources.resolve(vendor, release)
        source = sources.read(vendor, revision.commit, path)  # type: ignore[union-attr]
    assert isinstance(source, SourceText)
    outcomes = locate(
        Anchor(id, vendor, path, tuple(regions), tuple(find.split("/"))), source, outline(source.text, path)
    )
    shown = [
        ("=" if spot.extent.value == "definition" else "") + str(spot.lines) if (spot := spot_of(outcome)) else "-"
        for outcome in outcomes
    ]
    assert shown == wanted.replace("~", "").split()
    assert all(outcome.singled_out for outcome in outcomes if isinstance(outcome, Located))


@needs_releases
@without_pins
def test_the_course_is_verified_at_the_releases(claimcheck: Claimcheck) -> None:
    ran = claimcheck("verify", "--at", "release", "--format", "json", cwd=ROOT)
    document = json.loads(ran.out)
    assert ran.code == 0
    summary = document["summary"]
    assert (summary["anchors"], summary["claims"], summary["examples"], summary["errata"]) == (107, 188, 6, 29)
    assert (summary["verified"], summary["untested"], summary["waived"]) == (272, 32, 26)
    assert (summary["failed"], summary["unverified"], summary["errors"], summary["located"]) == (0, 0, 0, 39)
    waived = [finding["subject"] for finding in document["findings"] if finding["waived"]]
    assert waived == ["V-REQUEST", "V-ORDER", "V-META", "D-REBALANCE", "D-MTP", "D-SWA"]
    assert [vendor["state"] for vendor in document["vendors"]] == ["stand-in", "stand-in"]
    assert not re.search(r'"commit": "(?!ef9339e6|a679bb86|release/)', ran.out)


@needs_releases
@without_pins
def test_without_the_waivers_it_is_not_green(claimcheck: Claimcheck) -> None:
    ran = claimcheck("verify", "--at", "release", "--no-waivers", "--format", "concise", cwd=ROOT)
    assert ran.code == 1
    assert "D-SWA: doc/inference_deployment_qa.md cannot be looked at [path-missing]" in ran.out


@needs_releases
@without_pins
def test_verify_at_the_pins_learns_nothing_of_the_lessons_and_says_so(claimcheck: Claimcheck) -> None:
    ran = claimcheck("verify", cwd=ROOT)
    assert ran.code == 1, "the article's anchors have a pin that is here"
    assert ran.out.count("[pin-missing]") == 2
    assert "--at release" in ran.out
    ran = claimcheck("verify", "lessons", cwd=ROOT)
    assert ran.code == 2


@needs_releases
@without_pins
def test_the_code_behind_v_pool_is_shown_whole(claimcheck: Claimcheck) -> None:
    ran = claimcheck("excerpt", "V-POOL", "--at", "release", cwd=ROOT)
    assert ran.code == 0
    lines = ran.out.split("\n")
    assert lines[0] == (
        "V-POOL  vllm 0.33.0 (source archive, sha256 f4c3…), stand-in for ef9339e6  vllm/v1/core/block_pool.py "
        "(lines 706-740, 792-849; registry 681-714, 744-830)"
    )
    assert lines[2] == "BlockPool.get_new_blocks  706-740"
    assert "BlockPool.touch, BlockPool.is_block_writable, BlockPool.free_blocks  792-849" in lines
    numbers = [int(found[1]) for line in lines if (found := re.match(r" (\d+) \|", line))]
    assert numbers == [*range(706, 741), *range(792, 850)]
    assert "   ...   51 lines" in lines
    assert lines[-2] == "swh:1:cnt:f735a7575a509d31ad78a9fd877d2168ea361b08"


@needs_record
def test_the_record_is_imported_whole(claimcheck: Claimcheck, tmp_path: Path) -> None:
    record = Path(SEEDS or "") / "research-record.zh.md"
    (tmp_path / record.name).write_bytes(record.read_bytes())
    ran = claimcheck("import", record.name, "--write", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert "  anchors  45   67 regions, 89 search strings\n" in ran.out
    assert "  claims   42   V1 V2 V3 D1 D2 D3, seven each; 68 citations\n" in ran.out
    assert "27 show exactly the regions, 16 show one span over several regions, 2 miss a region\n" in ran.out
    again = claimcheck("import", record.name, "--write", cwd=tmp_path)
    assert again.out.endswith("anchors.yaml exists; 45 of 45 anchors are already there, 0 differ. Nothing written.\n")
    ours, theirs = registry.load(Project.find(ROOT)), registry.load(Project.find(tmp_path))
    anchors = [facts(anchor) for anchor in ours.anchors.values() if prefix_of(anchor.id) != ARTICLE]
    assert anchors == [facts(anchor) for anchor in theirs.anchors.values()]
    claims = {id: claim for id, claim in ours.claims.items() if claim.lesson not in (ARTICLE, CORRECTIONS, WORKED)}
    assert [(claim.id, claim.cites) for claim in claims.values()] == [
        (claim.id, claim.cites) for claim in theirs.claims.values()
    ]
    for id, claim in claims.items():
        assert len(claim.text) < len(theirs.claims[id].text), f"{id} is not shorter than the record's"
        assert longest_run(claim.text, theirs.claims[id].text) <= 8, f"{id} has words of the record"


def test_the_article_is_taken_apart_into_claims_at_the_release() -> None:
    ours = registry.load(Project.find(ROOT))
    claims = [claim for claim in ours.claims.values() if claim.lesson == ARTICLE]
    anchors = {id: anchor for id, anchor in ours.anchors.items() if prefix_of(id) == ARTICLE}
    assert len(claims) >= 60
    assert [claim.id for claim in claims if claim.basis is Basis.CODE and not claim.checks] == []
    assert [claim.id for claim in claims if claim.basis is not Basis.CODE and claim.note is None] == []
    assert [
        id for id, anchor in anchors.items() if anchor.commit is None or anchor.commit.text != "release/0.1.0"
    ] == []
    assert {id for claim in claims for id in claim.cites} == set(anchors)


def test_what_corrections_and_examples_say_is_claims_with_checks() -> None:
    ours = registry.load(Project.find(ROOT))
    corrected = [claim for claim in ours.claims.values() if claim.lesson == CORRECTIONS]
    worked = [claim for claim in ours.claims.values() if claim.lesson == WORKED]
    assert {claim.id for claim in corrected} == {id.replace("-", ".") for id in ours.errata.keys() - WITHOUT_CLAIM}
    assert {claim.id.partition(".")[0] for claim in worked} == {f"X{n}" for n in range(1, len(ours.examples) + 1)}
    claims = corrected + worked
    assert [claim.id for claim in claims if claim.basis is Basis.CODE and not claim.checks] == []
    assert [claim.id for claim in claims if claim.basis is not Basis.CODE and claim.note is None] == []


@needs_releases
def test_the_article_is_verified_at_its_own_pin(claimcheck: Claimcheck) -> None:
    ran = claimcheck("verify", "claims/article.yaml", "--format", "json", cwd=ROOT)
    document = json.loads(ran.out)
    assert [one["rule"] for one in document["findings"] if one["rule"] != "pin-missing"] == []
    summary = document["summary"]
    assert (summary["claims"], summary["failed"], summary["unverified"]) == (96, 0, 0)


@needs_article
def test_the_claims_of_the_article_are_in_words_of_their_own() -> None:
    article = (Path(SEEDS or "") / "deepinfer-article.zh.txt").read_text("utf-8")
    ours = registry.load(Project.find(ROOT))
    for claim in ours.claims.values():
        if claim.lesson == ARTICLE:
            assert longest_run(f"{claim.text}\n{claim.note}", article) < 12, f"{claim.id} has words of the article"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_shows_what_it_cites(path: Path) -> None:
    project = Project.find(ROOT)
    ours = registry.load(project)
    (document,) = Library.of(project, ours).of_lesson(path.stem)
    kinds = [block.kind for block in document.blocks]
    assert (document.path, document.language, document.problems) == (f"lessons/{path.name}", "zh", ())
    assert [kinds.count(kind) for kind in ("pins", "claims", "example", "errata", "footnotes")] == [1] * 5
    assert all(block.content == "" for block in document.blocks)
    cited = {citation.id for citation in document.citations}
    shown = {id for block in document.blocks if block.kind == "excerpt" for id in block.ids}
    (example,) = (id for block in document.blocks if block.kind == "example" for id in block.ids)
    assert cited == shown | {example}
    points = [claim for claim in ours.claims.values() if claim.lesson == path.stem]
    assert len(points) == 7
    assert {id for claim in points for id in claim.cites} <= cited


@needs_record
def test_lessons_examples_and_corrections_are_in_words_of_their_own() -> None:
    record = (Path(SEEDS or "") / "research-record.zh.md").read_text("utf-8")
    ours = registry.load(Project.find(ROOT))
    texts = {path.name: re.sub(r"<[^>]*>", "", path.read_text("utf-8")) for path in LESSONS}
    texts |= {example.id: "\n".join((example.title, *example.assumptions)) for example in ours.examples.values()}
    texts |= {erratum.id: f"{erratum.wrong}\n{erratum.instead}" for erratum in ours.errata.values()}
    assert len(texts) == 6 + 6 + 29
    texts |= {
        claim.id: f"{claim.text}\n{claim.note}"
        for claim in ours.claims.values()
        if claim.lesson in (CORRECTIONS, WORKED)
    }
    assert {name: run for name, text in texts.items() if (run := longest_run(text, record)) >= 12} == {}


def facts(anchor: Anchor) -> tuple[object, ...]:
    return anchor.id, anchor.vendor, anchor.path, anchor.regions, anchor.find


def longest_run(one: str, other: str) -> int:
    """The longest run of Chinese characters that two texts share."""
    runs = re.findall(r"[\u4e00-\u9fff]+", one)
    return max(
        (end - start for run in runs for start in range(len(run)) for end in range(start, len(run) + 1)
         if run[start:end] in other),
        default=0,
    )  # fmt: skip
