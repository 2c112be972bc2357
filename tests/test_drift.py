"""What drift makes of anchors that each met with something else, and how its reports say it."""

from __future__ import annotations

import json
import re

import pytest

from claimcheck import registry
from claimcheck.commands.drift import corpus_at
from claimcheck.commands.options import Settings
from claimcheck.commands.session import open_session
from claimcheck.drift import Drift, changed_lines, drift_of
from claimcheck.drift_details import AnchorDetail, details
from claimcheck.model import Lines, Pin, Revision
from claimcheck.outcome import Deleted, Outcome, spot_of
from claimcheck.project import Project
from conftest import Claimcheck, MakeProject, SmallProject, check_golden, commit_files, git
from drifting import COMMITS, FILES, LESSON, POOL, REGISTRY, drifted, named
from small import talk


def drift(project: SmallProject, rev: str = "v3", *ids: str) -> Drift:
    with open_session(Settings(root=project.root)) as session:
        return drift_of(corpus_at(session, "lib", rev, ids), "lib", ids)


def detailed(project: SmallProject, rev: str = "v3") -> dict[str, AnchorDetail]:
    with open_session(Settings(root=project.root)) as session:
        corpus = corpus_at(session, "lib", rev)
        became = drift_of(corpus, "lib")
        return {detail.one.id: detail for detail in details(corpus, became, became.to_read)}


def outcome(found: Drift, id: str, region: int = 1) -> Outcome:
    return next(one for one in found.anchors if one.id == id).regions[region - 1].outcome


@pytest.mark.parametrize(
    ("id", "region", "name", "place"),
    [
        ("L-TAKE", 1, "edited", "pool.py 12-16"),
        ("L-TAKE", 2, "moved", "pool.py 24-25"),
        ("L-GIVE", 1, "cosmetic", "pool.py 18-22"),
        ("L-INIT", 1, "moved", "pool.py 8-10"),
        ("L-EVICT", 1, "deleted", None),
        ("L-LARGEST", 1, "moved", "evict.py 1-5"),
        ("L-LIMITS", 1, "ambiguous", None),
        ("L-NAME", 1, "renamed", "names.py 1-3"),
        ("L-MATCH", 1, "edited", "matching.py 3-4"),
        ("L-AWAY", 1, "located", "evict.py 1-5"),
    ],
)
def test_each_region_gets_what_became_of_it(
    make_project: MakeProject, id: str, region: int, name: str, place: str | None
) -> None:
    became = outcome(drift(drifted(make_project)), id, region)
    spot = spot_of(became)
    assert (became.name, f"{spot.path} {spot.lines}" if spot else None) == (name, place)


def test_the_plan_adds_up_and_the_worst_comes_first(make_project: MakeProject) -> None:
    found = drift(drifted(make_project))
    assert [one.id for one in found.to_read] == ["L-EVICT", "L-LIMITS", "L-TAKE", "L-MATCH", "L-AWAY"]
    assert [one.id for one in found.carried] == ["L-GIVE", "L-INIT", "L-LARGEST", "L-NAME"]
    assert len(found.to_read) + len(found.carried) == len(found.anchors) == 9


def test_what_is_gone_is_not_its_neighbour(make_project: MakeProject) -> None:
    became = outcome(drift(drifted(make_project)), "L-EVICT")
    assert isinstance(became, Deleted) and spot_of(became) is None


def test_an_anchor_with_a_commit_of_its_own_is_followed_from_there(make_project: MakeProject) -> None:
    project = drifted(make_project)
    found = {one.id: one for one in drift(project).anchors}
    held, other = found["L-MATCH"].origin, found["L-TAKE"].origin
    assert isinstance(held, Revision) and held.commit == project.commits[0]
    assert isinstance(other, Revision) and other.commit == project.commits[1]
    assert found["L-MATCH"].regions[0].lines == Lines(1, 2)


def test_without_the_old_text_nothing_is_said_to_be_compared(make_project: MakeProject) -> None:
    away = next(one for one in drift(drifted(make_project)).anchors if one.id == "L-AWAY")
    assert isinstance(away.origin, Pin) and not away.compared and not away.carries
    assert away.regions[0].added is None


def test_at_the_pin_itself_everything_is_unchanged(make_project: MakeProject) -> None:
    project = make_project(FILES, *COMMITS)
    found = drift(project, project.commits[1], "L-TAKE", "L-EVICT", "L-LIMITS")
    assert {one.outcome.name for one in found.anchors} == {"unchanged"} and not found.to_read


def test_lines_are_counted_as_added_and_removed() -> None:
    assert changed_lines(["a", "b"], ["a", "b"]) == (0, 0)
    assert changed_lines(["a", "b", "c"], ["a", "x", "y", "c"]) == (2, 1)
    assert changed_lines([], ["a"]) == (1, 0)


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_the_reports_of_the_made_up_vendor(make_project: MakeProject, claimcheck: Claimcheck, form: str) -> None:
    project = drifted(make_project)
    ran = claimcheck("drift", "lib", "v3", "--format", form, cwd=project.root)
    assert (ran.code, ran.err) == (1, "")
    check_golden(f"drift.{form}", named(ran.out, project))


def test_the_lines_of_one_anchor(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = drifted(make_project)
    ran = claimcheck("drift", "lib", "v3", "L-TAKE", cwd=project.root)
    check_golden("drift-one.text", named(ran.out, project))
    assert not re.search(r"(?m)^ +22 +24 ", ran.out), "a region that carries has no lines to read"


def test_nothing_to_read_is_said_and_is_no_failure(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = drifted(make_project)
    ran = claimcheck("drift", "lib", "v3", "L-INIT", "L-NAME", cwd=project.root)
    assert ran.code == 0
    ran = claimcheck("drift", "lib", project.commits[1], "-v", cwd=project.root)
    assert "All, side by side" in ran.out, "an anchor whose own commit is not here stays to be read"
    listed = claimcheck("drift", "lib", "v3", "--exit-zero", "--format", "json", cwd=project.root)
    assert listed.code == 0 and json.loads(listed.out)["summary"]["edited"] == 2


def test_drift_writes_nothing(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = drifted(make_project)
    before = {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()}
    for form in ("text", "json", "markdown", "html"):
        claimcheck("drift", "lib", "v3", "-v", "--format", form, cwd=project.root)
    assert {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()} == before


def test_regions_that_end_up_in_two_files_have_to_be_read(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    size = POOL[POOL.index("    def size") :]
    other = "class Sized:\n" + size
    project = make_project(
        FILES, COMMITS[0], COMMITS[1], {**COMMITS[1], "pool.py": POOL.replace(size, ""), "sized.py": other}
    )
    ran = claimcheck("drift", "lib", project.commits[2], "L-TAKE", "--format", "json", cwd=project.root)
    assert ran.code == 1 and json.loads(ran.out)["anchors"][0]["id"] == "L-TAKE"


def test_the_sentences_of_documents_are_quoted(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = drifted(make_project)
    project.write("lessons/M2-eviction.md", LESSON)
    ran = claimcheck("drift", "lib", "v3", cwd=project.root)
    assert (
        "            M2.1 not tested; erratum E02-1; lesson M2\n"
        "            lessons/M2-eviction.md:5\n"
        '            "The oldest block goes first [L-EVICT];'
    ) in ran.out
    assert "名字" not in ran.out.partition("Carried over")[2], "what carries is not quoted"
    one = claimcheck("drift", "lib", "v3", "L-TAKE", cwd=project.root)
    assert one.out.endswith('lessons/M2-eviction.md:3\n"A block that was taken has a user, as take says [L-TAKE]."\n')
    document = json.loads(claimcheck("drift", "lib", "v3", "--format", "json", cwd=project.root).out)
    sentences = {each["id"]: each["sentences"] for each in document["anchors"]}
    assert sentences["L-TAKE"] == [
        {
            "place": {"path": "lessons/M2-eviction.md", "line": 3, "column": 52},
            "text": "A block that was taken has a user, as take says [L-TAKE].",
        }
    ]
    assert sentences["L-GIVE"] == [] and len(sentences["L-NAME"]) == 1
    table = claimcheck("drift", "lib", "v3", "--format", "markdown", cwd=project.root).out
    assert "| M2.1 `lessons/M2-eviction.md:5` |" in table
    page = claimcheck("drift", "lib", "v3", "--format", "html", cwd=project.root).out
    assert "A block that was taken has a user, as take says [L-TAKE]." in page
    assert '<option value="lessons/M2-eviction.md">' in page
    assert '<option value="M2">' not in page, "the document of a lesson stands for it"


def test_colour_repeats_what_signs_say_and_never_goes_to_a_file(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = drifted(make_project)
    plain = claimcheck("drift", "lib", "v3", "L-TAKE", cwd=project.root).out
    code, shown = talk(project, ["drift", "lib", "v3", "L-TAKE"], "")
    assert code == 1 and "\x1b[1mL-TAKE\x1b[0m  edited" in shown
    assert "\x1b[31m    13       -        block.users = 1\x1b[0m\n" in shown
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == plain
    code, shown = talk(project, ["drift", "lib", "v3", "--no-color"], "")
    assert shown == claimcheck("drift", "lib", "v3", cwd=project.root).out and "\x1b" not in shown
    code, shown = talk(project, ["drift", "lib", "v3", "-o", "out.txt"], "")
    assert shown == "" and "\x1b" not in project.read("out.txt")


# The commits that did it.


def subjects(detail: AnchorDetail, region: int = 1) -> list[str]:
    upstream = detail.regions[region - 1].upstream
    return [commit.subject for commit in upstream.commits] if upstream else []


def longer(make_project: MakeProject) -> SmallProject:
    """Between the pin and the target: a commit that has nothing to do with it, and three that have."""
    project = make_project(FILES, *COMMITS[:2])
    lib = project.root / "vendor" / "lib"
    base = dict(COMMITS[1])
    counted = {**base, "pool.py": POOL.replace("block.users = 1", "block.users += 1")}
    commits = [
        commit_files(lib, {**base, "README": "x\n"}, "Say what it is"),
        commit_files(lib, counted, "Count users up"),
        commit_files(lib, {**counted, "evict.py": COMMITS[2]["evict.py"]}, "Drop evict_oldest"),
        commit_files(lib, COMMITS[2], "Remember what is taken"),
    ]
    git(lib, "tag", "v4", commits[-1])
    return SmallProject(project.root, project.commits + commits)


def test_the_commits_that_touched_a_region_are_named(make_project: MakeProject) -> None:
    found = detailed(longer(make_project), "v4")
    assert subjects(found["L-TAKE"]) == ["Remember what is taken", "Count users up"]
    assert found["L-TAKE"].regions[1].upstream is None, "a region that carries needs no commits"
    assert subjects(found["L-EVICT"]) == ["Drop evict_oldest"]
    [commit] = found["L-EVICT"].regions[0].upstream.commits if found["L-EVICT"].regions[0].upstream else []
    assert commit.date == "2026-01-01" and len(commit.id) == 40


def branched(make_project: MakeProject) -> SmallProject:
    """Between the pin and v4 a branch that edits what is cited, a merge, a renamed file, and an edit after that."""
    project = make_project(FILES, *COMMITS[:2])
    lib = project.root / "vendor" / "lib"
    base, pin = dict(COMMITS[1]), project.commits[1]
    counted = POOL.replace("block.users = 1", "block.users += 1")
    git(lib, "checkout", "--quiet", "-b", "side")
    commits = [commit_files(lib, {**base, "pool.py": counted}, "Count users up")]
    git(lib, "checkout", "--quiet", "main")
    commits.append(
        commit_files(lib, {**base, "README": "x\n", "evict.py": COMMITS[2]["evict.py"]}, "Drop evict_oldest")
    )
    git(lib, "merge", "--quiet", "--no-ff", "--message", "Merge the counting", "side")
    git(lib, "mv", "pool.py", "blocks.py")
    git(lib, "commit", "--quiet", "--message", "Rename the file")
    later = counted.replace("        return block\n", "        self.taken.append(block)\n        return block\n")
    kept = {**base, "README": "x\n", "evict.py": COMMITS[2]["evict.py"], "blocks.py": later}
    del kept["pool.py"]
    commits.append(commit_files(lib, kept, "Remember what is taken"))
    git(lib, "tag", "v4")
    assert git(lib, "rev-list", "--merges", "--count", f"{pin}..v4") == "1"
    return SmallProject(project.root, project.commits + commits)


def test_commits_are_followed_through_a_merge_and_a_renamed_file(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = branched(make_project)
    found = detailed(project, "v4")
    assert subjects(found["L-TAKE"]) == ["Remember what is taken", "Count users up"]
    assert subjects(found["L-EVICT"]) == ["Drop evict_oldest"]
    ran = claimcheck("drift", "lib", "v4", "L-TAKE", cwd=project.root)
    assert "region 1  edited  pool.py  11-14 -> blocks.py  11-15  Pool.take  +2 -1 code\n" in ran.out
    assert named(ran.out, project).endswith(
        "upstream commits that touched these lines:\n"
        "  {c5:.8}  2026-01-01  Remember what is taken\n"
        "  {c3:.8}  2026-01-01  Count users up\n"
        "\n"
        "M1.1  取出的块从此有一个使用者。  not tested\n"
        "M1.2  A block goes back when nobody uses it.  not tested\n"
        "M2.2  Reading is tried three times.  not tested\n"
    )
    document = json.loads(claimcheck("drift", "lib", "v4", "--format", "json", cwd=project.root).out)
    regions = {one["id"]: one["regions"] for one in document["anchors"]}
    assert regions["L-TAKE"][0]["upstream"] == {
        "commits": [
            {"id": project.commits[4], "date": "2026-01-01", "subject": "Remember what is taken"},
            {"id": project.commits[2], "date": "2026-01-01", "subject": "Count users up"},
        ],
        "what": "touched these lines",
        "more": False,
        "reason": None,
        "help": None,
    }
    assert regions["L-TAKE"][1]["upstream"] is None, "what carries needs no commits"
    for form in ("html", "markdown"):
        page = claimcheck("drift", "lib", "v4", "--format", form, cwd=project.root).out
        assert project.commits[4][:8] in page and "Count users up" in page and "Rename the file" not in page


def test_on_the_way_back_the_commits_are_the_ones_left_behind(make_project: MakeProject) -> None:
    project = longer(make_project)
    project.write("anchors.yaml", REGISTRY.replace("{c2}", "{c6}").replace("11-14, 22-23", "12-16, 24-25"))
    upstream = detailed(project, project.commits[1])["L-TAKE"].regions[0].upstream
    assert upstream is not None and [commit.subject for commit in upstream.commits][-1] == "Count users up"
    assert "the other revision has not" in upstream.what


def test_verbose_text_names_the_commits(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = longer(make_project)
    assert "Count users up" not in claimcheck("drift", "lib", "v4", cwd=project.root).out
    ran = claimcheck("drift", "lib", "v4", "-v", cwd=project.root)
    assert f"              {project.commits[3][:8]}  2026-01-01  Count users up\n" in ran.out


def test_without_history_the_command_that_brings_it(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = longer(make_project)
    lib, shallow = project.root / "vendor" / "lib", project.root / "vendor" / "shallow"
    new, old = project.commits[-1], project.commits[1]
    shallow.mkdir()
    git(shallow, "init", "--quiet")
    git(lib, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(shallow, "fetch", "--quiet", "--depth=1", f"file://{lib}", old, new)
    git(shallow, "update-ref", "refs/heads/main", new)
    git(shallow, "symbolic-ref", "HEAD", "refs/heads/main")
    lib.rename(project.root / "moved-away")
    shallow.rename(lib)
    ran = claimcheck("drift", "lib", new, "-v", cwd=project.root)
    assert "Upstream commits: the history between the two is not here\n" in ran.out
    assert f"  claimcheck vendor fetch lib {new} --history\n" in ran.out
    assert "Count users up" not in ran.out, "a shallow commit has not touched all that it has"
    one = claimcheck("drift", "lib", new, "L-TAKE", "L-EVICT", cwd=project.root)
    assert one.out.count(f"  claimcheck vendor fetch lib {new} --history\n") == 1


def test_a_subject_cannot_act_on_a_terminal(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(FILES, *COMMITS[:2])
    new = commit_files(project.root / "vendor" / "lib", COMMITS[2], "Count \x1b]0;title\x07 up ##vso[task.x]")
    ran = claimcheck("drift", "lib", new, "-v", cwd=project.root)
    assert "\x1b" not in ran.out and "##vso[" not in ran.out and "\\x1b]0;title" in ran.out


def test_the_registry_of_these_tests_loads(make_project: MakeProject) -> None:
    project = drifted(make_project)
    assert len(registry.load(Project.find(project.root)).anchors) == 9
