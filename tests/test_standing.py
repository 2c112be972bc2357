"""What `vendor status` says: which vendors it lists, in which words, and how it counts."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from claimcheck.model import Anchor, Pin, Registry, Release, Vendor
from claimcheck.reports import standings
from claimcheck.standing import Standing, Verdict
from claimcheck.upstream import Upstream
from claimcheck.vendors import Vendors
from conftest import MakeRepo, git

ABSENT = "4" * 40


def vendor(name: str, pin: str, *versions: str) -> Vendor:
    return Vendor(name, Pin(pin), (), releases=tuple(Release(version, "0" * 64) for version in versions))


def test_stand_ins_are_listed_with_what_is_here_of_them() -> None:
    six = tuple(f"0.{n}.0" for n in range(28, 34))
    found = [
        Standing(
            vendor("vllm", "ef9339e64d458b10ab49b2c9af35645eff6388fd", *six),
            Verdict.MISSING,
            present=False,
            remark="not in vendor/vllm.git",
            stand_in="0.33.0",
            releases=six,
            size=145_900_000,
        ),
        Standing(
            vendor("deepinfer", "a679bb86" + "0" * 32, "0.1.0"),
            Verdict.MISSING,
            present=False,
            remark="not in vendor/deepinfer.git",
            stand_in="0.1.0",
            releases=("0.1.0",),
            size=3_100_000,
        ),
    ]
    assert standings.text(found) == (
        "vllm       pin ef9339e6  MISSING   stand-in 0.33.0   vendor/vllm.git       6 releases, 146 MB\n"
        "deepinfer  pin a679bb86  MISSING   stand-in 0.1.0    vendor/deepinfer.git  1 release, 3 MB\n"
        "2 vendors, 2 pins missing. (claimcheck vendor sync, or look at the stand-ins: --at release)\n"
    )


def test_of_many_only_those_that_need_a_hand_are_listed() -> None:
    fine = [Standing(vendor(f"fine{n}", "1" * 40), Verdict.FINE, True, f"in vendor/fine{n}") for n in range(27)]
    found = [
        *fine[:10],
        Standing(
            vendor("grpc", "9f8e7d6c" + "0" * 32),
            Verdict.DIFFERS,
            True,
            "submodule is at 1a2b3c4d",
            "claimcheck bump grpc HEAD",
        ),
        Standing(
            vendor("zookeeper", "77aa01be" + "0" * 32),
            Verdict.MISSING,
            False,
            "shallow clone at 5d10c2f9",
            "claimcheck vendor sync zookeeper",
        ),
        *fine[10:],
        Standing(
            vendor("folly", "00c4e1aa" + "0" * 32),
            Verdict.CHANGED,
            True,
            "work tree has changes",
            "no matter: files are read at the pin",
        ),
    ]
    assert standings.text(found) == (
        "grpc       pin 9f8e7d6c  present  submodule is at 1a2b3c4d   (claimcheck bump grpc HEAD)\n"
        "zookeeper  pin 77aa01be  MISSING  shallow clone at 5d10c2f9  (claimcheck vendor sync zookeeper)\n"
        "folly      pin 00c4e1aa  present  work tree has changes      (no matter: files are read at the pin)\n"
        "30 vendors: 27 fine, 1 differs, 1 missing, 1 changed on disk.\n"
    )
    listed = standings.text(found, everything=True).split("\n")
    assert len(listed) == 32
    assert listed[0] == "fine0      pin 11111111  present  in vendor/fine0"


@pytest.mark.parametrize(
    ("found", "last"),
    [
        ([], "No vendors are declared. (claimcheck vendor add URL or PATH)"),
        ([Verdict.FINE], "1 vendor, the pin present."),
        ([Verdict.FINE] * 2, "2 vendors, all pins present."),
        ([Verdict.FINE, Verdict.MISSING], "2 vendors, 1 pin missing. (claimcheck vendor sync)"),
        ([Verdict.DIFFERS] * 2, "2 vendors: 2 differ."),
        ([Verdict.CHANGED, Verdict.FINE], "2 vendors: 1 fine, 1 changed on disk."),
    ],
)
def test_the_last_line_counts_every_vendor(found: list[Verdict], last: str) -> None:
    each = [Standing(vendor("lib", ABSENT), verdict, verdict is not Verdict.MISSING, "") for verdict in found]
    assert standings.text(each).split("\n")[-2] == last


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def standing(root: Path, pin: str, anchors: Mapping[str, Anchor] | None = None) -> Standing:
    registry = Registry({"lib": Vendor("lib", Pin(pin), ("L",))}, anchors or {})
    return Vendors(root, registry, Upstream()).standing("lib")


def said(found: Standing) -> tuple[Verdict, str, str | None]:
    return found.verdict, found.remark, found.way_out


def test_a_clone_at_the_pin_is_fine(root: Path, make_repo: MakeRepo) -> None:
    [first] = make_repo(root / "vendor/lib", {"a": "1"})
    assert said(standing(root, first)) == (Verdict.FINE, "in vendor/lib", None)


def test_nothing_here_is_missing(root: Path) -> None:
    sync = "claimcheck vendor sync lib"
    assert said(standing(root, ABSENT)) == (Verdict.MISSING, "nothing here", sync)
    (root / "vendor/lib").mkdir(parents=True)
    verdict, remark, way_out = said(standing(root, ABSENT))
    assert verdict is Verdict.MISSING and remark.startswith("is an empty folder") and way_out == sync


def test_a_shallow_clone_without_the_pin_is_missing(root: Path, tmp_path: Path, make_repo: MakeRepo) -> None:
    [first, second] = make_repo(tmp_path / "up", {"a": "1"}, {"a": "2"})
    (root / "vendor").mkdir()
    git(root / "vendor", "clone", "--quiet", "--depth=1", f"file://{tmp_path}/up", "lib")
    remark = f"shallow clone at {second[:8]}"
    assert said(standing(root, first)) == (Verdict.MISSING, remark, "claimcheck vendor sync lib")
    assert standing(root, second).verdict is Verdict.FINE


def test_a_clone_that_is_elsewhere_differs(root: Path, make_repo: MakeRepo) -> None:
    [first, second] = make_repo(root / "vendor/lib", {"a": "1"}, {"a": "2"})
    assert said(standing(root, first)) == (
        Verdict.DIFFERS,
        f"clone is at {second[:8]}",
        "claimcheck bump lib HEAD",
    )


def test_a_submodule_differs_by_what_the_project_records(root: Path, tmp_path: Path, make_repo: MakeRepo) -> None:
    [first, second] = make_repo(tmp_path / "up", {"a": "1"}, {"a": "2"})
    make_repo(root, {"README": "x"})
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "up"), "vendor/lib")
    git(root, "commit", "--quiet", "--message", "a submodule")
    assert standing(root, second).verdict is Verdict.FINE
    assert said(standing(root, first))[:2] == (Verdict.DIFFERS, f"submodule is at {second[:8]}")


def test_changes_in_the_work_tree_are_told_and_a_newer_time_is_none(
    root: Path, tmp_path: Path, make_repo: MakeRepo
) -> None:
    clone = root / "vendor/lib"
    [first] = make_repo(clone, {"a": "1\n", "b": "2\n"})
    index = (clone / ".git/index").read_bytes()
    os.utime(clone / "a", (1_000_000_000, 1_000_000_000))
    assert standing(root, first).verdict is Verdict.FINE
    (clone / "a").write_text("changed\n")
    assert said(standing(root, first)) == (
        Verdict.CHANGED,
        "work tree has changes",
        "no matter: files are read at the pin",
    )
    (clone / "a").write_text("1\n")
    (clone / "new").write_text("untracked files are no changes\n")
    assert standing(root, first).verdict is Verdict.FINE
    (clone / "b").unlink()
    assert standing(root, first).verdict is Verdict.CHANGED
    assert (clone / ".git/index").read_bytes() == index


def test_looking_at_a_work_tree_runs_nothing(root: Path, tmp_path: Path, make_repo: MakeRepo) -> None:
    clone = root / "vendor/lib"
    [first] = make_repo(clone, {"a": "1\n", ".gitattributes": "* filter=bad diff=bad\n"})
    canary = tmp_path / "canary"
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {canary}\ncat\n")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "filter.bad.clean", "filter.bad.smudge", "diff.bad.textconv", "diff.external"):
        git(clone, "config", key, str(script))
    (clone / "a").write_text("changed\n")
    assert standing(root, first).verdict is Verdict.CHANGED
    assert not canary.exists()


def test_a_commit_that_anchors_keep_and_that_is_not_here_is_missing(root: Path, make_repo: MakeRepo) -> None:
    [first] = make_repo(root / "vendor/lib", {"a": "1"})
    anchors = {"L-A": Anchor("L-A", "lib", "a", commit=Pin(ABSENT))}
    found = standing(root, first, anchors)
    assert said(found)[:2] == (Verdict.MISSING, "without 44444444 (held by L-A)")
    assert found.present


def test_json_has_every_vendor(root: Path, make_repo: MakeRepo) -> None:
    [first] = make_repo(root / "vendor/lib", {"a": "1"})
    document = json.loads(standings.json([standing(root, first)]))
    assert document == {
        "schema": "claimcheck.vendor-status/1",
        "summary": {"vendors": 1, "missing": 0, "differs": 0, "changed": 0, "fine": 1},
        "vendors": [
            {
                "name": "lib",
                "pin": first,
                "state": "fine",
                "present": True,
                "places": ["vendor/lib"],
                "head": first,
                "gitlink": None,
                "shallow": False,
                "releases": [],
                "stand_in": None,
                "bytes": None,
                "remark": "in vendor/lib",
                "help": None,
            }
        ],
    }
