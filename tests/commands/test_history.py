"""`claimcheck history`: a matrix of revisions against anchors and claims."""

from __future__ import annotations

import json

import pytest

from claimcheck import revisions
from conftest import Claimcheck, MakeProject, SmallProject, commit_files, git
from drifting import drifted, named


@pytest.fixture
def project(make_project: MakeProject) -> SmallProject:
    """Three commits, tagged v1, v2 (the pin) and v3."""
    made = drifted(make_project)
    for number, commit in enumerate(made.commits[:2], 1):
        git(made.root / "vendor" / "lib", "tag", f"v{number}", commit)
    return made


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache folder of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "claimcheck"


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
        (
            ("--releases", "--tags", "v*"),
            "which revisions? Give one of --revs REV, --tags PATTERN and --releases, or none",
        ),
        (("--releases",), "lib: no release to look at: none is declared\n    help: name revisions by --revs\n"),
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


def test_without_revisions_the_newest_tags_of_a_vendor_without_releases_are_looked_at(project, claimcheck, monkeypatch):
    assert history(claimcheck, project, "L-TAKE") == history(claimcheck, project, "L-TAKE", "--tags", "v*")
    monkeypatch.setattr(revisions, "MOST_TAGS", 2)
    assert history(claimcheck, project, "L-TAKE") == history(claimcheck, project, "L-TAKE", "--tags", "v[23]")


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


# Claims with checks

REGISTRY = """\
vendors:
  lib: {{url: https://github.com/o/lib, commit: "{pin}", prefix: L}}
anchors:
  L-TAKE: {{path: pool.py, lines: {lines}, find: def take}}
"""
CLAIMS = """\
lesson: M1
claims:
  M1.1:
    text: Taking a block counts its users.
    cites: [L-TAKE]
    basis: code
    checks:
      - {calls: self.count_user}
  M1.2:
    text: Taking a block never waits.
    cites: [L-TAKE]
    basis: code
    checks:
      - {never-calls: wait}
  M1.3: {text: It is about blocks., cites: [L-TAKE], basis: advice}
"""


def take(number: int, counting: bool) -> str:
    counted = "        self.count_user(block)\n" if counting else ""
    return (
        f"# version {number}\n" + "\n" * number + "class Pool:\n    def take(self):\n"
        f"        block = self.free.get()\n{counted}        return block\n"
    )


@pytest.fixture
def long(tmp_path, make_repo) -> SmallProject:
    """Twenty commits, of which the fourteenth begins to count users; the last one is the pin."""
    root = tmp_path / "long"
    commits = make_repo(root / "vendor" / "lib", *({"pool.py": take(n, n >= 14)} for n in range(1, 21)))
    project = SmallProject(root, commits)
    (root / "claims").mkdir()
    (root / "anchors.yaml").write_text(REGISTRY.format(pin=commits[-1], lines="23-26"), encoding="utf-8")
    (root / "claims" / "one.yaml").write_text(CLAIMS, encoding="utf-8")
    return project


def test_a_claim_has_the_answer_of_its_checks_at_each_revision(long, claimcheck):
    revs = [option for n in (0, 12, 13, 19) for option in ("--revs", long.commits[n])]
    ran = claimcheck("history", *revs, cwd=long.root)
    assert (ran.code, ran.err) == (0, "")
    matrix = ran.out.partition("\n\n")[0]
    rows = {line.split()[0]: line.split()[1:] for line in matrix.splitlines()}
    assert rows["L-TAKE"] == ["4-6", "16-18", "17-20*", "23-26"]
    assert rows["M1.1"][:4] == ["fails", "fails", "holds", "holds"]
    c13, c14 = long.commits[12][:8], long.commits[13][:8]
    assert f"M1.1  since {c14}   `self.count_user` is called in Pool.take (pool.py:19);\n" in ran.out
    assert f"until {c13} `self.count_user` is not called in Pool.take" in ran.out
    assert "M1.2                   in all four; not looked at before " in ran.out
    assert "M1.3                   untested in all four; not looked at before " in ran.out


def test_bisection_looks_at_as_few_commits_as_it_needs(long, claimcheck):
    ran = claimcheck(
        "history", "M1.1", "--bisect", "--revs", long.commits[0], "--revs", long.commits[-1], cwd=long.root
    )
    assert (ran.code, ran.err) == (0, "")
    first, before, last = ran.out.splitlines()
    assert first.startswith(f"M1.1  holds since {long.commits[13][:8]}   `self.count_user` is called in Pool.take")
    assert before.startswith(f"      fails at {long.commits[12][:8]}   `self.count_user` is not called")
    steps = int(last.split()[0])
    assert last == f"{steps} of 20 commits looked at; one change is assumed."
    assert steps <= 2 + 5


def test_bisection_of_an_answer_that_never_turns(long, claimcheck):
    ran = claimcheck(
        "history", "M1.2", "--bisect", "--revs", long.commits[0], "--revs", long.commits[-1], cwd=long.root
    )
    assert ran.out == "M1.2 has the same answer at both ends; nothing between was looked at.\n"


# What was found before


def test_a_second_run_says_the_same(long, claimcheck, cache):
    arguments = ("history", "--revs", long.commits[0], "--revs", long.commits[-1])
    first = claimcheck(*arguments, cwd=long.root)
    assert (cache / "history" / "lib.json").exists()
    assert claimcheck(*arguments, cwd=long.root).out == first.out
    assert claimcheck(*arguments, "--no-cache", cwd=long.root).out == first.out


def test_another_check_is_another_question(long, claimcheck):
    arguments = ("history", "M1.1", "--revs", long.commits[0])
    assert "fails" in claimcheck(*arguments, cwd=long.root).out
    long.write("claims/one.yaml", CLAIMS.replace("calls: self.count_user", "never-calls: self.count_user"))
    assert "holds" in claimcheck(*arguments, cwd=long.root).out


def test_the_same_content_at_another_commit_is_not_looked_at_again(long, claimcheck, cache):
    claimcheck("history", "M1.2", "--revs", long.commits[-1], cwd=long.root)
    before = (cache / "history" / "lib.json").read_bytes()
    later = commit_files(long.root / "vendor" / "lib", {"pool.py": take(20, True), "other.py": "x = 1\n"})
    ran = claimcheck("history", "M1.2", "--revs", later, cwd=long.root)
    assert f"{later[:8]}" in ran.out and "holds" in ran.out
    assert len((cache / "history" / "lib.json").read_bytes()) >= len(before)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 1, "answers": []}', b"\xff"])
def test_a_memory_that_makes_no_sense_is_as_good_as_none(long, claimcheck, cache, content):
    (cache / "history").mkdir(parents=True)
    (cache / "history" / "lib.json").write_bytes(content)
    ran = claimcheck("history", "M1.1", "--revs", long.commits[0], cwd=long.root)
    assert (ran.code, ran.err) == (0, "")
    assert "fails" in ran.out


def test_without_a_home_nothing_is_kept(long, claimcheck, cache, monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    ran = claimcheck("history", "M1.1", "--revs", long.commits[0], cwd=long.root)
    assert (ran.code, ran.err) == (0, "")
    assert not cache.exists()


def test_no_cache_writes_nothing(long, claimcheck, cache):
    claimcheck("history", "M1.1", "--revs", long.commits[0], "--no-cache", cwd=long.root)
    assert not cache.exists()


def test_releases_of_which_none_is_here_are_said_with_how_to_bring_one(project, claimcheck):
    registry = project.root / "anchors.yaml"
    text = registry.read_text()
    head, _, rest = text.partition("    prefix: ")
    registry.write_text(f'{head}    releases: {{versions: {{"1.2": {"ab" * 32}}}}}\n    prefix: {rest}')
    ran = claimcheck("history", "--releases", cwd=project.root)
    assert ran.code == 2
    assert "lib: no release to look at: of 1 declared ones none is here" in ran.err
    assert "help: claimcheck vendor fetch lib release/1.2" in ran.err
