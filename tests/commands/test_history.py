"""`claimcheck history`: a matrix of revisions against anchors and claims."""

from __future__ import annotations

import json

import pytest

from conftest import Claimcheck, MakeProject, SmallProject, git
from drifting import drifted, named


@pytest.fixture
def project(make_project: MakeProject) -> SmallProject:
    """Three commits, tagged v1, v2 (the pin) and v3."""
    made = drifted(make_project)
    for number, commit in enumerate(made.commits[:2], 1):
        git(made.root / "vendor" / "lib", "tag", f"v{number}", commit)
    return made


def history(claimcheck: Claimcheck, project: SmallProject, *arguments: str) -> str:
    ran = claimcheck("history", *arguments, cwd=project.root)
    assert (ran.code, ran.err) == (0, "")
    return named(ran.out, project)


def test_anchors_are_followed_from_the_pin_in_both_directions(project, claimcheck):
    out = history(claimcheck, project, "L-TAKE", "L-EVICT", "L-LIMITS", "L-NAME", "L-INIT", "--tags", "v*")
    assert out == (
        "lib             v1     v2 pin  v3\n"
        "L-TAKE    1     11-14  11-14   12-16*\n"
        "          2     22-23  22-23   24-25\n"
        "L-INIT          7-9    7-9     8-10\n"
        "L-EVICT         1-5    1-5     gone\n"
        "L-LIMITS        3-5    3-5     ambiguous\n"
        "L-NAME          1-3    1-3     1-3\n"
        "\n"
        "* the text differs from the revision before it\n"
        "L-NAME  in naming.py until v2, then in names.py\n"
    )


def test_a_held_anchor_starts_from_its_own_commit(project, claimcheck):
    out = history(claimcheck, project, "L-MATCH", "--tags", "v*")
    assert "\nL-MATCH     1-2  3-4     3-4*\n" in out


def test_an_anchor_whose_commit_is_not_here_says_only_what_can_be_said(project, claimcheck):
    out = history(claimcheck, project, "L-AWAY", "--revs", "v2", "--revs", "v3")
    row = next(line for line in out.splitlines() if line.startswith("L-AWAY"))
    assert row.split()[1:] == ["8-12", "1-5"]


def test_revisions_stand_in_the_order_given_and_once(project, claimcheck):
    out = history(claimcheck, project, "L-INIT", "--revs", "v3", "--revs", "v1", "--revs", project.commits[2])
    assert out.splitlines()[:2] == ["lib        v3    v1", "L-INIT     8-10  7-9"]


def test_claims_without_checks_are_untested_everywhere(project, claimcheck):
    out = history(claimcheck, project, "M1.1", "M1.2", "--tags", "v*")
    assert out.endswith("M1.1  M1.2   untested in all three; not looked at before v1\n")


def test_without_an_id_everything_is_in_the_matrix(project, claimcheck):
    out = history(claimcheck, project, "--tags", "v3")
    assert all(f"\n{id} " in out for id in ("L-TAKE", "L-AWAY", "M1.1", "M2.2"))
    assert "at v3; nothing else was looked at" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "which revisions? Give one of --revs REV, --tags PATTERN and --releases"),
        (("--releases", "--tags", "v*"), "which revisions?"),
        (("--releases",), "lib: no release to look at: none is declared"),
        (("--tags", "w*"), "lib: no tag that is here matches w*"),
        (("--revs", "v4"), "lib: v4 is no tag in vendor/lib"),
        (("--revs", "bil=v1"), "no vendor bil"),
        (("L-TAK", "--tags", "v*"), "no ID L-TAK; did you mean L-TAKE?"),
        (("M-E1", "--tags", "v*"), "M-E1 has no history of its own"),
        (("L-TAKE", "--tags", "v*", "--bisect"), "--bisect looks for the turn of one claim"),
        (("M1.1", "--revs", "v1", "--bisect"), "--bisect needs two revisions at least"),
        (("M1.1", "--revs", "v3", "--revs", "v1", "--bisect"), "no line of first parents that is here leads from"),
    ],
)
def test_what_cannot_be_answered_is_said(project, claimcheck, arguments, said):
    ran = claimcheck("history", *arguments, cwd=project.root)
    assert ran.code == 2
    assert ran.out == ""
    assert said in ran.err


def test_markdown_is_a_table_and_a_list(project, claimcheck):
    out = history(claimcheck, project, "L-TAKE", "L-EVICT", "M1.1", "--tags", "v*", "--format", "markdown")
    assert out == (
        "| lib | v1 | v2 pin | v3 |\n"
        "| --- | --- | --- | --- |\n"
        "| L-TAKE (1) | 11-14 | 11-14 | 12-16\\* |\n"
        "| L-TAKE (2) | 22-23 | 22-23 | 24-25 |\n"
        "| L-EVICT | 1-5 | 1-5 | gone |\n"
        "| M1.1 | untested | untested | untested |\n"
        "\n"
        "- M1.1: untested in all three; not looked at before v1.\n"
        "- \\* the text differs from the revision before it.\n"
    )


def test_json_has_places_and_digests(project, claimcheck):
    document = json.loads(history(claimcheck, project, "L-TAKE", "L-EVICT", "--tags", "v*", "--format", "json"))
    assert document["schema"] == "claimcheck.history/1"
    (vendor,) = document["vendors"]
    assert [revision["tag"] for revision in vendor["revisions"]] == ["v1", "v2", "v3"]
    first, gone = vendor["anchors"]
    assert [cell["lines"] for cell in first["regions"][0]] == [[11, 14], [11, 14], [12, 16]]
    assert [cell["differs"] for cell in first["regions"][0]] == [False, False, True]
    assert gone["regions"][0][2] == {"path": None, "lines": None, "digest": None, "differs": False, "word": "gone"}


def test_the_page_says_every_colour_in_words_and_loads_nothing(project, claimcheck):
    page = history(claimcheck, project, "L-TAKE", "L-EVICT", "M1.1", "--tags", "v*", "--format", "html")
    assert '<td class="fails">gone</td>' in page
    assert '<td class="changed" title="pool.py">12-16*</td>' in page
    assert "<script" not in page and "http:" not in page and "https:" not in page


def test_nothing_is_written(project, claimcheck):
    before = {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()}
    history(claimcheck, project, "--tags", "v*")
    assert {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()} == before
