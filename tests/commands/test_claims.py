"""Claims with checks through the commands: verify, drift, bump and review."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conftest import Claimcheck, MakeProject, SmallProject, make_release
from small import entries

SOURCE = """\
import queue

LIMIT = 16


class Pool:
    def take(self):
        if self.log:
            self.count(1)
        return self.free.get()

    def give(self, block):
        self.free.put(block)

    def full(self):
        return self.free.qsize() >= LIMIT
"""
ANCHORS = """\
vendors:
  lib:
    url: https://github.com/o/lib
    commit: "{c1}"
    prefix: L
anchors:
  L-TAKE: {path: pool.py, lines: 7-10, find: def take}
  L-GIVE: {path: pool.py, lines: 12-13, find: def give}
  L-FULL: {path: pool.py, lines: 15-16, find: def full}
"""
CLAIMS = """\
lesson: one
claims:
  C1.1:
    text: Counting is for the log only.
    cites: [L-TAKE]
    basis: code
    checks:
      - {inside: {node: count, if: self.log}, scope: file}
      - calls: get
  C1.2:
    text: Blocks go back, sixteen at most.
    cites: [L-GIVE, L-FULL]
    basis: code
    checks:
      - calls: {in: L-GIVE, call: put}
    caveats:
      - {text: the limit is sixteen, checks: [{value: {of: LIMIT, is: 16}, scope: file}]}
  C1.3: {text: A pool is a queue., cites: [L-TAKE], basis: code}
"""
FILES = {"anchors.yaml": ANCHORS, "claims/one.yaml": CLAIMS}


def with_claims(checks: str, basis: str = "code", rest: str = "") -> dict[str, str]:
    """The same anchors with one claim that cites L-TAKE."""
    head = f"lesson: one\nclaims:\n  C1.1:\n    text: One.\n    cites: [L-TAKE]\n    basis: {basis}\n"
    return {"anchors.yaml": ANCHORS, "claims/one.yaml": f"{head}    checks:\n{checks}{rest}"}


def claims_of(claimcheck: Claimcheck, project: SmallProject, *arguments: str) -> dict[str, Any]:
    ran = claimcheck("verify", "--format", "json", *arguments, cwd=project.root)
    return {claim["id"]: claim for claim in json.loads(ran.out)["claims"]}


def test_claims_hold_hold_with_caveats_and_are_untested(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, {"pool.py": SOURCE})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 0
    assert "claims     3   2 verified by 4 checks (1 with caveats), 1 untested (by citation only), 0 failed" in ran.out
    assert ran.out.endswith("\nAll verified, 1 claim by citation only.\n")


def test_json_has_every_check_with_its_answer_and_counts_that_add_up(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, {"pool.py": SOURCE})
    document = json.loads(claimcheck("verify", "--format", "json", cwd=project.root).out)
    claims = {claim["id"]: claim for claim in document["claims"]}
    assert {id: claim["status"] for id, claim in claims.items()} == {
        "C1.1": "holds",
        "C1.2": "caveats",
        "C1.3": "untested",
    }
    assert [(one["form"], one["status"], one["caveat"]) for one in claims["C1.2"]["checks"]] == [
        ("calls", "holds", None),
        ("value", "holds", 1),
    ]
    assert claims["C1.1"]["checks"][0]["message"] == "`count` stands only under if `self.log` in pool.py, line 9"
    summary = document["summary"]
    assert summary["checks"] == 4
    statuses = ("verified", "failed", "unverified", "untested", "waived")
    assert sum(summary[status] for status in statuses) == summary["anchors"] + summary["claims"] == 6


def test_a_call_elsewhere_is_red_on_the_day_on_which_somebody_makes_it(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    after = SOURCE.replace("self.free.put(block)", "self.free.put(block)\n        self.count(2)")
    project = make_project(FILES, {"pool.py": SOURCE}, {"pool.py": after})
    ran = claimcheck("verify", "--at", project.commits[1], "C1.1", cwd=project.root)
    assert ran.code == 1
    assert ran.out[ran.out.index("claims/one.yaml") :].split("\n")[:6] == [
        "claims/one.yaml:8:9: error: C1.1: `count` stands also elsewhere than under if `self.log` in pool.py, line 14 "
        "[check-failed]",
        f"    lib {project.commits[1][:8]}  pool.py",
        "     14 |         self.count(2)",
        "    nearest: line 14 stands under no condition",
        "    help: claimcheck history C1.1    says since when",
        "",
    ]
    assert ran.out.endswith("\nFound 1 error.\n")


def test_a_caveat_that_is_not_so_fails_the_claim(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, {"pool.py": SOURCE.replace("LIMIT = 16", "LIMIT = 32")})
    ran = claimcheck("verify", cwd=project.root)
    assert "C1.2: caveat 1: `LIMIT` is 32, expected 16 [check-failed]" in ran.out
    assert "claims/one.yaml:17:" in ran.out
    assert claims_of(claimcheck, project)["C1.2"]["status"] == "fails"


def test_a_check_that_could_not_be_answered_is_not_green(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(with_claims("      - {value: {of: LIMIT, is: 16}, scope: file}\n"), {"pool.py": SOURCE})
    assert claimcheck("verify", cwd=project.root).code == 0
    project = make_project(
        with_claims("      - {value: {of: LIMIT, is: 16}, scope: file}\n"),
        {"pool.py": SOURCE.replace("LIMIT = 16", "LIMIT = os.cpu_count()")},
        root=project.root / "other",
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert "warning: C1.1: `LIMIT` is `os.cpu_count()`, which is computed [check-not-run]" in ran.out
    assert "0 failed, 1 unverified" in ran.out
    assert ran.out.endswith("1 claim could not be checked.\n")


def test_a_waived_failure_is_counted_as_waived(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    waiver = 'waivers:\n  - {rule: check-failed, subject: C1.1, reason: "known"}\n'
    files = with_claims("      - calls: put\n")
    project = make_project(
        {**files, "anchors.yaml": ANCHORS.replace("anchors:\n", waiver + "anchors:\n")}, {"pool.py": SOURCE}
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 0
    assert "waived: C1.1: `put` is not called in Pool.take [check-failed]" in ran.out
    assert claims_of(claimcheck, project)["C1.1"]["status"] == "waived"
    project.write("claims/one.yaml", project.read("claims/one.yaml").replace("calls: put", "calls: get"))
    assert "[waiver-unmatched]" in claimcheck("verify", cwd=project.root).out


def test_an_anchor_that_is_not_verified_leaves_its_claim_unverified_and_is_the_only_finding(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(FILES, {"pool.py": SOURCE})
    project.write("anchors.yaml", project.read("anchors.yaml").replace("find: def take", "find: def tale"))
    ran = claimcheck("verify", cwd=project.root)
    assert ran.out.count("error:") == 1 and "check-" not in ran.out
    claims = claims_of(claimcheck, project)
    assert claims["C1.1"]["status"] == "unverified"
    assert [one["status"] for one in claims["C1.1"]["checks"]] == ["holds", "unverified"]  # the file needs no lines
    assert claims["C1.2"]["status"] == "caveats"


@pytest.mark.parametrize(
    ("checks", "basis", "status", "said"),
    [
        ("      - comment: for the log\n", "code", "untested", "its checks look at comments only"),
        ("      - comment: for the log\n", "comment", "holds", ""),
        ("      - exists: take\n", "code", "holds", "it rests on `exists` alone"),
        ("      - exists: take\n      - calls: get\n", "code", "holds", ""),
        ("      - comment: for the log\n      - calls: get\n", "code", "holds", ""),
        ("      - comment: for nobody\n      - calls: get\n", "code", "fails", ""),
    ],
)
def test_how_much_a_check_says(
    checks: str, basis: str, status: str, said: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    source = SOURCE.replace("        if self.log", "        # for the log\n        if self.log")
    files = with_claims(checks, basis)
    files["anchors.yaml"] = ANCHORS.replace("7-10", "7-11").replace("12-13", "13-14").replace("15-16", "16-17")
    project = make_project(files, {"pool.py": source})
    ran = claimcheck("verify", cwd=project.root)
    assert claims_of(claimcheck, project)["C1.1"]["status"] == status
    assert ("[weak-check]" in ran.out) is bool(said)
    assert said in ran.out
    assert ran.code == (1 if status == "fails" else 0)


def test_an_anchor_alone_runs_no_checks(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(with_claims("      - calls: put\n"), {"pool.py": SOURCE})
    ran = claimcheck("verify", "L-TAKE", cwd=project.root)
    assert ran.code == 0 and "check-failed" not in ran.out


def test_a_claim_may_cite_an_id_that_nothing_has_and_a_check_about_it_adds_nothing(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    files = with_claims("      - calls: {call: get, in: L-GONE}\n")
    files["claims/one.yaml"] = files["claims/one.yaml"].replace("[L-TAKE]", "[L-TAKE, L-GONE]")
    project = make_project(files, {"pool.py": SOURCE})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.out.count("error:") == 1 and "[unknown-id]" in ran.out


def test_a_release_that_stands_in_runs_the_checks_and_leaves_missing_files_open(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    releases = '    releases: {versions: {"1.0": SHA}}\n'.replace("SHA", "ab" * 32)
    anchors = ANCHORS.replace('"{c1}"', '"' + "12" * 20 + '"').replace("    prefix: L\n", f"    prefix: L\n{releases}")
    checks = "      - calls: get\n      - {value: {of: X, is: 1}, path: docs/x.py}\n      - no-path: docs\n"
    project = make_project({**with_claims(checks), "anchors.yaml": anchors})
    make_release(project.root, "1.0", {"pool.py": SOURCE})
    claims = claims_of(claimcheck, project, "--at", "release")
    assert [one["status"] for one in claims["C1.1"]["checks"]] == ["holds", "unverified", "unverified"]
    assert claims["C1.1"]["status"] == "unverified"


def test_many_checks_are_shared_and_say_the_same(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = {f"lib/p{n}.py": SOURCE.replace("self.count", f"self.count{n}") for n in range(6)}
    anchors = ANCHORS[: ANCHORS.index("  L-TAKE")] + "".join(
        f"  L-T{n}: {{path: lib/p{n}.py, lines: 7-10, find: def take}}\n" for n in range(6)
    )
    checks = "".join(f"      - calls: count{k % 7}\n" for k in range(21))
    claims = "".join(
        f"  C1.{n}:\n    text: t\n    cites: [L-T{n}]\n    checks:\n{checks}"
        f"      - {{value: {{of: LIMIT, is: 16}}, path: lib/p{5 - n}.py}}\n"
        for n in range(6)
    )
    project = make_project({"anchors.yaml": anchors, "claims/one.yaml": f"claims:\n{claims}"}, files)
    answers = {id: [one["status"] for one in claim["checks"]] for id, claim in claims_of(claimcheck, project).items()}
    assert list(answers) == [f"C1.{n}" for n in range(6)]
    for n in range(6):
        assert answers[f"C1.{n}"] == ["holds" if k % 7 == n else "fails" for k in range(21)] + ["holds"]


# drift and bump


def drifted(claimcheck: Claimcheck, project: SmallProject) -> dict[str, Any]:
    ran = claimcheck("drift", "lib", project.commits[1], "--format", "json", "--exit-zero", cwd=project.root)
    return {anchor["id"]: anchor for anchor in json.loads(ran.out)["anchors"]}


def test_drift_says_what_the_checks_say_before_and_after(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    after = "# one\n" + SOURCE.replace("self.free.put(block)", "self.free.push(block)").replace("= 16", "= 32")
    project = make_project(FILES, {"pool.py": SOURCE}, {"pool.py": after})
    anchors = drifted(claimcheck, project)
    assert anchors["L-TAKE"]["claims"] == [
        {"id": "C1.1", "before": "holds", "after": "holds"},
        {"id": "C1.3", "before": "untested", "after": "untested"},
    ]
    assert anchors["L-GIVE"]["claims"] == [{"id": "C1.2", "before": "caveats", "after": "fails"}]
    ran = claimcheck("drift", "lib", project.commits[1], cwd=project.root)
    assert ran.code == 1
    assert "3 anchors: 2 moved, 1 edited; 2 carry over, 1 to read" in ran.out
    assert "C1.2 held and fails now; lesson one" in ran.out


def test_drift_says_when_a_claim_became_true(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    before = SOURCE.replace("self.free.put(block)", "self.free.push(block)")
    project = make_project(FILES, {"pool.py": before}, {"pool.py": SOURCE})
    ran = claimcheck("drift", "lib", project.commits[1], cwd=project.root)
    assert "C1.2 failed and holds now; lesson one" in ran.out


def test_a_claim_that_breaks_behind_unchanged_lines_needs_a_person(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    after = SOURCE + "\n    def other(self):\n        self.count(3)\n"
    project = make_project(FILES, {"pool.py": SOURCE}, {"pool.py": after})
    ran = claimcheck("drift", "lib", project.commits[1], cwd=project.root)
    assert ran.code == 1
    assert "2 carry over, 1 to read" in ran.out
    assert "L-TAKE  unchanged  pool.py  7-10" in ran.out
    assert "C1.1 held and fails now, C1.3 not tested" in ran.out
    refused = claimcheck("bump", "lib", project.commits[1], cwd=project.root)
    assert refused.code == 1
    assert "L-TAKE  unchanged  pool.py 7-10  (C1.1 held and fails now)" in refused.out
    for form in ("markdown", "html"):
        assert "C1.1" in claimcheck("drift", "lib", project.commits[1], "--format", form, cwd=project.root).out


def test_risk_puts_what_broke_before_what_was_only_edited(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    after = SOURCE.replace("self.free.put(block)", "self.free.push(block)").replace("get()", "get(True)")
    after = after.replace("qsize() >=", "qsize() ==")
    project = make_project(FILES, {"pool.py": SOURCE}, {"pool.py": after})
    ran = claimcheck("drift", "lib", project.commits[1], cwd=project.root)
    order = [line.split()[0] for line in ran.out.split("\n") if line.startswith("  L-")]
    assert order == ["L-GIVE", "L-FULL", "L-TAKE"]


def test_without_checks_drift_is_as_it_was(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = {**FILES, "claims/one.yaml": "claims:\n  C1.1: {text: One., cites: [L-TAKE], basis: code}\n"}
    project = make_project(files, {"pool.py": SOURCE}, {"pool.py": SOURCE.replace("get()", "get(True)")})
    ran = claimcheck("drift", "lib", project.commits[1], cwd=project.root)
    assert "C1.1 not tested" in ran.out and "holds" not in ran.out


# review


def test_an_anchor_on_which_a_failing_claim_rests_is_not_reviewed(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(with_claims("      - calls: put\n"), {"pool.py": SOURCE})
    ran = claimcheck("review", "L-TAKE", "L-GIVE", "--accept", cwd=project.root)
    assert ran.code == 1
    assert "error: L-TAKE is not reviewed: C1.1 rests on it and fails: `put` is not called in Pool.take" in ran.err
    assert "L-GIVE is at" in ran.out and "L-TAKE is at" not in ran.out
    assert "L-TAKE" not in entries(project)
    project.write("claims/one.yaml", project.read("claims/one.yaml").replace("calls: put", "calls: get"))
    assert claimcheck("review", "L-TAKE", "--accept", cwd=project.root).code == 0


def test_a_claim_that_could_not_be_answered_stops_no_review(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    checks = "      - rule: {rule: {pattern: put($A)}, expect: absent}\n"
    project = make_project(with_claims(checks), {"pool.py": SOURCE})
    assert claimcheck("review", "L-TAKE", "--accept", cwd=project.root).code == 0


def test_a_held_anchor_stays_held_where_its_claim_fails(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    after = SOURCE.replace("self.free.get()", "self.free.pop()")
    project = make_project(FILES, {"pool.py": SOURCE}, {"pool.py": after})
    assert claimcheck("bump", "lib", project.commits[1], "--hold", cwd=project.root).code == 0
    before = project.read("anchors.yaml")
    ran = claimcheck("review", "--held", "--accept", cwd=project.root)
    assert ran.code == 1
    assert "error: L-TAKE stays held: C1.1 rests on it and fails: `get` is not called in Pool.take" in ran.err
    assert project.read("anchors.yaml") == before
    shown = claimcheck("verify", "--at", project.commits[1], "C1.1", cwd=project.root)
    assert "`get` is not called in Pool.take [check-failed]" in shown.out
    project.write("claims/one.yaml", project.read("claims/one.yaml").replace("calls: get", "calls: pop"))
    assert claimcheck("review", "--held", "--accept", cwd=project.root).code == 0
    assert claimcheck("verify", cwd=project.root).code == 0
