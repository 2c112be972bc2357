"""`claimcheck verify` in real projects: output, exit code, and that nothing is written."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from conftest import Claimcheck, MakeProject, MakeRepo, check_golden, fill, git, write_files

SOURCE = """\
import queue


class Pool:
    def take(self):
        return self.free.get()

    def give(self, block):
        self.free.put(block)
"""
HEAD = 'vendors:\n  lib:\n    url: https://github.com/o/lib\n    commit: "{c1}"\n    prefix: L\n'
ANCHORS = (
    "anchors:\n"
    "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"
    "  L-GIVE: {path: pool.py, lines: 8-9, find: [def give, free.put]}\n"
)
CLAIMS = (
    "lesson: one\nclaims:\n"
    "  C1.1: {text: Blocks are taken from a queue., cites: [L-TAKE], basis: code}\n"
    "  C1.2: {text: They go back to it., cites: [L-GIVE, L-TAKE], basis: code}\n"
)
FILES = {"anchors.yaml": HEAD + ANCHORS, "claims/one.yaml": CLAIMS}


def test_a_project_in_which_all_holds(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, {"pool.py": SOURCE})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 0
    assert ran.err == ""
    assert ran.out == fill(
        "anchors    2   2 verified, 0 failed, 0 unverified\n"
        "claims     2   0 verified by checks, 2 untested (by citation only), 0 failed, 0 unverified\n"
        "review     2   0 reviewed, 0 carried, 2 unreviewed\n"
        "sources        lib {c1:.8}\n"
        "All verified, 2 claims by citation only.\n",
        project.commits,
    )


def test_quiet_and_concise_say_nothing_where_all_holds(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, {"pool.py": SOURCE})
    assert claimcheck("verify", "--quiet", cwd=project.root).out == ""
    assert claimcheck("verify", "--format", "concise", cwd=project.root).out == ""


def test_findings_in_registry_order_with_counts_that_add_up(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    anchors = (
        "anchors:\n"
        "  L-OFF: {path: pool.py, lines: 2-4, find: def take}\n"
        "  L-GONE: {path: gone.py, lines: 1-2, find: def take}\n"
        "  L-GOOD: {path: pool.py, lines: 8-9, find: def give}\n"
        "  L-BARE: {path: pool.py, lines: 1-2}\n"
    )
    claims = (
        "claims:\n"
        "  C1.1: {text: One., cites: [L-GOOD], basis: code}\n"
        "  C1.2: {text: Two., cites: [L-OFF, L-GONE], basis: code}\n"
        "  C1.3: {text: Three., cites: [L-BARE, L-GOOOD], basis: code}\n"
    )
    project = make_project({"anchors.yaml": HEAD + anchors, "claims/one.yaml": claims}, {"pool.py": SOURCE})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    check_golden("verify.txt", ran.out.replace(project.commits[0][:8], "c1c1c1c1"))
    again = claimcheck("verify", cwd=project.root)
    assert again.out == ran.out
    document = json.loads(claimcheck("verify", "--format", "json", cwd=project.root).out)
    summary = document["summary"]
    total = summary["anchors"] + summary["claims"] + summary["examples"] + summary["errata"]
    parts = ("verified", "failed", "unverified", "untested", "waived")
    assert sum(summary[part] for part in parts) == total == 7
    check_golden("verify.json", json.dumps(document, indent=2).replace(project.commits[0], "c1" * 20) + "\n")


def test_json_has_the_documented_shape(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, {"pool.py": SOURCE})
    document = json.loads(claimcheck("verify", "--format", "json", cwd=project.root).out)
    anchor = {
        "type": "object",
        "required": ["id", "vendor", "commit", "path", "status", "review", "compared", "regions"],
        "additionalProperties": False,
        "properties": {
            "status": {"enum": ["verified", "failed", "unverified", "waived"]},
            "regions": {"items": {"required": ["lines", "recorded", "path", "symbol", "outcome", "extent"]}},
        }
        | {name: {} for name in ("id", "vendor", "commit", "path", "review", "compared")},
    }
    schema = {
        "required": ["schema", "summary", "vendors", "anchors", "claims", "findings"],
        "properties": {"schema": {"const": "claimcheck.verify/1"}, "anchors": {"items": anchor, "minItems": 2}},
    }
    jsonschema.validate(document, schema)
    assert document["anchors"][0]["regions"] == [
        {
            "lines": [5, 6],
            "recorded": [5, 6],
            "path": "pool.py",
            "symbol": None,
            "outcome": "unchanged",
            "extent": "exact",
        }
    ]


def test_only_what_is_named_is_checked(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = {**FILES, "anchors.yaml": FILES["anchors.yaml"].replace("8-9", "1-2")}
    project = make_project(files, {"pool.py": SOURCE})
    assert claimcheck("verify", cwd=project.root).code == 1
    assert claimcheck("verify", "L-TAKE", "C1.1", cwd=project.root).code == 0
    ran = claimcheck("verify", "C1.2", cwd=project.root)
    assert ran.code == 1
    assert "L-GIVE" in ran.out
    assert claimcheck("verify", "claims/one.yaml", cwd=project.root).code == 1


def test_an_unknown_id_is_usage(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, {"pool.py": SOURCE})
    ran = claimcheck("verify", "L-TAK", cwd=project.root)
    assert (ran.code, ran.out, ran.err) == (2, "", "error: no ID L-TAK; did you mean L-TAKE?\n")


def test_nothing_to_verify_is_not_green(make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path) -> None:
    project = make_project({"anchors.yaml": HEAD + "anchors: {}\n"}, {"pool.py": SOURCE})
    assert claimcheck("verify", cwd=project.root).code == 2
    (tmp_path / "empty").mkdir()
    assert claimcheck("verify", cwd=tmp_path / "empty").code == 2


def test_a_typo_is_one_located_error(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = {**FILES, "anchors.yaml": FILES["anchors.yaml"].replace("lines: 5-6", "line: 5-6")}
    project = make_project(files, {"pool.py": SOURCE})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 2
    assert ran.out.startswith(
        "anchors.yaml:7:27: error: L-TAKE: unknown key `line`; did you mean `lines`? [unknown-key]\n"
    )
    assert ran.out.endswith("Nothing checked: 1 error in anchors.yaml.\n")
    document = json.loads(claimcheck("verify", "--format", "json", cwd=project.root).out)
    assert [finding["rule"] for finding in document["findings"]] == ["unknown-key"]
    assert document["findings"][0]["class"] == "input"


def test_a_shallow_clone_of_one_of_two_vendors(
    make_project: MakeProject, make_repo: MakeRepo, claimcheck: Claimcheck, tmp_path: Path
) -> None:
    upstream = tmp_path / "upstream"
    old, new = make_repo(upstream, {"a.py": "x = 1\n"}, {"a.py": "x = 2\n"})
    second = f"  other:\n    url: https://github.com/o/other\n    commit: {old}\n    prefix: O\n"
    anchors = ANCHORS + "  O-X: {path: a.py, lines: 1, find: x = 1}\n"
    claims = CLAIMS + "  C1.3: {text: X., cites: [O-X], basis: code}\n"
    project = make_project({"anchors.yaml": HEAD + second + anchors, "claims/one.yaml": claims}, {"pool.py": SOURCE})
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{upstream}", str(project.root / "vendor" / "other"))
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    lines = ran.out.split("\n")
    assert lines[0] == f"anchors.yaml:8:13: error: other: the pin {old[:8]} is not in vendor/other [pin-missing]"
    assert lines[1] == f"    vendor/other is a shallow clone with one commit, {new[:8]}"
    assert lines[2].startswith("    help: claimcheck vendor sync other")
    assert "anchors    3   2 verified, 0 failed, 1 unverified" in lines
    assert f"sources        lib {project.commits[0][:8]}; other: nothing read" in lines
    assert lines[-2] == "Found 1 error; 1 anchor and 1 claim could not be checked."


def test_the_only_vendor_missing_is_nothing_checked(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = {**FILES, "anchors.yaml": FILES["anchors.yaml"].replace("{c1}", "1" * 40)}
    project = make_project(files)
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 2
    assert "vendor-missing" in ran.out


def test_at_another_revision_what_moved_is_verified(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, {"pool.py": SOURCE}, {"pool.py": "# a line above\n" + SOURCE})
    ran = claimcheck("verify", "--at", project.commits[1], "--verbose", cwd=project.root)
    assert ran.code == 0, ran.out
    assert "anchors    2   2 verified (0 at their lines, 2 found elsewhere), 0 failed, 0 unverified" in ran.out
    assert "pool.py:6-7" in ran.out and "+1" in ran.out


def test_at_another_revision_an_edit_needs_a_person(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, {"pool.py": SOURCE}, {"pool.py": SOURCE.replace("free.get()", "free.get(False)")})
    ran = claimcheck("verify", "--at", f"lib={project.commits[1]}", cwd=project.root)
    assert ran.code == 1
    assert "L-TAKE" in ran.out and "[region-changed]" in ran.out
    assert "L-GIVE" not in ran.out


def test_the_work_tree_is_never_looked_at(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, {"pool.py": SOURCE})
    write_files(project.root, {"vendor/lib/pool.py": "nothing of it\n"})
    assert claimcheck("verify", cwd=project.root).code == 0


def test_output_goes_to_a_file(make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path) -> None:
    project = make_project(FILES, {"pool.py": SOURCE})
    where = tmp_path / "report.json"
    ran = claimcheck("verify", "--format", "json", "--output", str(where), cwd=project.root)
    assert (ran.code, ran.out) == (0, "")
    assert json.loads(where.read_bytes())["schema"] == "claimcheck.verify/1"


def test_a_bare_revision_needs_one_vendor(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    second = f"  other:\n    commit: {'ab' * 20}\n    prefix: O\n"
    project = make_project({**FILES, "anchors.yaml": HEAD + second + ANCHORS}, {"pool.py": SOURCE})
    ran = claimcheck("verify", "--at", "v1.0", cwd=project.root)
    assert ran.code == 2
    assert ran.err.startswith("error: --at v1.0: which vendor?")


def test_a_table_by_rule_closes_a_long_list(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    rows = "".join(f"  L-A{n}: {{path: pool.py, lines: 1-2, find: no such thing {n}}}\n" for n in range(25))
    cites = ", ".join(f"L-A{n}" for n in range(25))
    claims = f"claims:\n  C1.1: {{text: One., cites: [{cites}], basis: code}}\n"
    project = make_project({"anchors.yaml": HEAD + "anchors:\n" + rows, "claims/one.yaml": claims}, {"pool.py": SOURCE})
    ran = claimcheck("verify", cwd=project.root)
    assert "   25  error    find-nowhere  in 1 file\n" in ran.out
    assert ran.out.endswith("Found 25 errors; 1 claim could not be checked.\n")


def test_the_vendors_pin_is_not_missed_where_all_that_is_asked_for_has_its_own(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    anchors = (
        'anchors:\n  L-OWN: {path: pool.py, find: def take, commit: "{c1}"}\n  L-ONE: {path: pool.py, find: def take}\n'
    )
    head = HEAD.replace("{c1}", "ab" * 20)
    project = make_project({"anchors.yaml": head + anchors}, {"pool.py": SOURCE})
    ran = claimcheck("verify", "L-OWN", cwd=project.root)
    assert (ran.code, "[pin-missing]" in ran.out) == (0, False), ran.out
    for names in (["L-ONE"], ["L-OWN", "L-ONE"], []):
        ran = claimcheck("verify", *names, cwd=project.root)
        assert (ran.code != 0, ran.out.count("[pin-missing]")) == (True, 1)
