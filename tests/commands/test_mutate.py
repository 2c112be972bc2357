"""`claimcheck mutate`: which small wrong changes of the cited source the checks of claims notice."""

from __future__ import annotations

import json
import threading

import pytest

from conftest import MakeProject, SmallProject

POOL = """\
class Pool:
    def take(self, count):
        if count > self.free:
            raise ValueError(count)
        self.free -= count
        self.log(count)
        return self.queue[:count]
"""
CLAIMS = """\
lesson: M1
claims:
  M1.1:
    text: It takes from what is free, and never more than that.
    cites: [L-TAKE]
    basis: code
    checks:
      - formula: {assign: "self.free -=", is: count}
      - inside: {node: raise ValueError(count), if: count > self.free}
  M1.2:
    text: It writes a line.
    cites: [L-TAKE]
    basis: code
    checks:
      - rule: {rule: {kind: augmented_assignment}, expect: present}
  M1.3: {text: It is good., cites: [L-TAKE], basis: advice}
  M1.4:
    text: It waits.
    cites: [L-TAKE]
    basis: code
    checks:
      - calls: wait
"""
FILES = {
    "anchors.yaml": 'vendors:\n  lib:\n    url: https://github.com/o/lib\n    commit: "{c1}"\n    prefix: L\n'
    "anchors:\n  L-TAKE: {path: pool.py, lines: 2-7, find: def take}\n",
    "claims/one.yaml": CLAIMS,
}


@pytest.fixture
def project(make_project: MakeProject) -> SmallProject:
    return make_project(FILES, {"pool.py": POOL})


def test_what_is_noticed_and_what_is_not(project, claimcheck):
    ran = claimcheck("mutate", "--workers", "1", cwd=project.root)
    assert (ran.code, ran.err) == (0, "")
    head, *rows = ran.out.splitlines()
    assert head.startswith("M1.2    0%  0 of ")
    assert "    pool.py:5: `-=` -> `+=`  (operator)" in rows
    assert "    pool.py:5: `free` -> `free_other`  (renamed)" in rows
    assert "everything noticed: M1.1" in rows
    assert "not tried: 1 claim: it does not hold: fails" in rows
    assert rows[-1].startswith("Score ")
    assert rows[-1].endswith("2 claims (seed 0, at most 40 a claim).")


def test_one_claim(project, claimcheck):
    ran = claimcheck("mutate", "M1.1", "--workers", "1", "--verbose", cwd=project.root)
    assert ran.code == 0
    noticed, tried = ran.out.splitlines()[-1].split(": ")[1].split(" changes")[0].split(" of ")
    assert noticed == tried
    assert int(tried) >= 5


def test_no_git_is_left_running(project, claimcheck):
    before = set(threading.enumerate())
    claimcheck("mutate", "M1.1", "--workers", "1", cwd=project.root)
    # Beside each git that runs is a thread that watches it.
    assert set(threading.enumerate()) <= before


def test_the_same_seed_tries_the_same_changes_whoever_tries_them(project, claimcheck):
    arguments = ("mutate", "M1.1", "M1.2", "--most", "3", "--format", "json")
    one = claimcheck(*arguments, "--workers", "1", cwd=project.root)
    two = claimcheck(*arguments, "--workers", "2", cwd=project.root)
    assert one.out == two.out
    found = json.loads(one.out)
    assert [claim["changes"] for claim in found["claims"]] == [3, 2]
    other = json.loads(claimcheck(*arguments, "--workers", "1", "--seed", "7", cwd=project.root).out)
    assert other["seed"] == 7


def test_the_score_can_be_a_condition(project, claimcheck):
    assert claimcheck("mutate", "M1.1", "--least", "100", "--workers", "1", cwd=project.root).code == 0
    assert claimcheck("mutate", "M1.2", "--least", "80", "--workers", "1", cwd=project.root).code == 1


@pytest.mark.parametrize("claim", ["M1.3", "M1.4"])
def test_a_claim_without_checks_that_hold_has_no_score(project, claimcheck, claim):
    ran = claimcheck("mutate", claim, "--workers", "1", cwd=project.root)
    assert ran.code == 2
    assert ran.out.endswith("Nothing was changed: no claim here has checks that rest on code and hold.\n")


def test_an_id_that_is_no_claim(project, claimcheck):
    ran = claimcheck("mutate", "L-TAKE", cwd=project.root)
    assert ran.code == 2
    assert "no claim L-TAKE" in ran.err


def test_json(project, claimcheck):
    found = json.loads(claimcheck("mutate", "M1.2", "--workers", "1", "--format", "json", cwd=project.root).out)
    assert found["schema"] == "claimcheck.mutate/1"
    assert found["summary"]["noticed"] == 0
    assert {"kind": "operator", "path": "pool.py", "line": 5, "before": "-=", "after": "+="} in found["claims"][0][
        "survivors"
    ]


def test_nothing_is_written(project, claimcheck):
    before = {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()}
    claimcheck("mutate", "--workers", "1", cwd=project.root)
    assert {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()} == before
