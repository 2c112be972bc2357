"""What a bump day prints, from the plan to the last review, and how a file that was split is told."""

from __future__ import annotations

from conftest import Claimcheck, MakeProject, SmallProject, check_golden, fill, git
from drifting import EVICT, EVICT_LATER, MATCHING, NAMING, POOL, POOL_LATER, named
from small import entries, talk

BEFORE = {"pool.py": POOL, "evict.py": EVICT, "matching.py": MATCHING, "naming.py": NAMING}
AFTER = {
    "pool.py": POOL_LATER,
    "evict.py": EVICT_LATER,
    "matching.py": MATCHING.replace("==", "is"),
    "naming.py": NAMING,
}
REGISTRY = """\
vendors:
  lib:
    url: https://github.com/o/lib
    commit: "{c1}"  # v1
    prefix: L
anchors:
  L-TAKE:
    path: pool.py
    lines: [11-14, 22-23]   # taking, and how many are left
    find: [def take, def size]
  L-INIT:
    path: pool.py
    lines: 7-9
    find: def __init__
  L-EVICT: {path: evict.py, lines: 1-5, find: def evict_oldest}
  L-LARGEST: {path: evict.py, lines: 8-12, find: def evict_largest}
  L-MATCH:
    path: matching.py
    lines: 1-2
    find: def matches
  L-NAME: {path: naming.py, lines: 1-3, find: def name_of}
"""
CLAIMS = """\
lesson: M1
claims:
  M1.1: {text: A block that was taken has one user., cites: [L-TAKE], basis: code}
  M1.2: {text: Blocks are matched by their keys., cites: [L-MATCH, L-TAKE], basis: code}
"""
MORE_CLAIMS = """\
lesson: lessons/two.html
claims:
  M2.1: {text: The oldest block goes first., cites: [L-EVICT, L-INIT], basis: code}
errata:
  E02-1: {lesson: M1, lines: 3, quote: a, wrong: b, instead: c, cites: [L-EVICT]}
"""
FILES = {"anchors.yaml": REGISTRY, "claims/one.yaml": CLAIMS, "claims/two.yaml": MORE_CLAIMS}


def bumped(make_project: MakeProject) -> SmallProject:
    project = make_project(FILES, BEFORE, AFTER)
    for number, commit in enumerate(project.commits, 1):
        git(project.root / "vendor/lib", "tag", f"v{number}", commit)
    git(project.root / "vendor/lib", "checkout", "--quiet", "v1")
    return project


def test_refused(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = bumped(make_project)
    ran = claimcheck("bump", "lib", "v2", cwd=project.root)
    assert (ran.code, ran.err) == (1, "")
    check_golden("bump-refused.text", named(ran.out, project))


def test_held_then_reviewed(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = bumped(make_project)
    before = project.read("anchors.yaml")
    first = claimcheck("bump", "lib", "v2", "--hold", cwd=project.root)
    assert (first.code, first.err) == (0, "")
    after = project.read("anchors.yaml")
    again = claimcheck("bump", "lib", "v2", "--hold", cwd=project.root)
    assert (again.code, project.read("anchors.yaml")) == (0, after)
    verified = claimcheck("verify", cwd=project.root)
    assert verified.code == 0
    changed = [f"-{line}" for line in before.split("\n") if line not in after.split("\n")]
    changed += [f"+{line}" for line in after.split("\n") if line not in before.split("\n")]
    parts = [first.out, again.out, verified.out, "\n".join([*changed, ""])]
    check_golden("bump-hold.text", named("\n".join(parts), project))

    shown = claimcheck("review", "--held", cwd=project.root)
    assert shown.code == 1 and project.read("anchors.yaml") == after
    check_golden("review-held.text", named(shown.out + shown.err, project))

    code, said = talk(project, ["review", "--held", "--no-color"], "n\na\nq\n")
    assert code == 1
    check_golden("review-held-terminal.text", named(said, project))
    assert {id for id, entry in entries(project).items() if entry["review"] == "reviewed"} == {"L-TAKE"}
    code, said = talk(project, ["review", "--held", "--no-color"], "e\nevict.py\n9-8\ne\nevict.py\n1-5\nno\nn\na\n")
    assert code == 1
    assert "lines 9-8: ranges ascend and do not overlap\n" in said, "what cannot be is asked again"
    assert (
        "L-EVICT: `no` does not stand in 1-5; these would: find: [def evict_largest]\n" in said
        and "L-MATCH is at" in said
    )
    left = claimcheck("review", "--held", cwd=project.root)
    assert "1 of 1  L-EVICT" in left.out and "1 anchor is still held." in left.err
    assert claimcheck("verify", cwd=project.root).code == 0


def reviewed(project: SmallProject) -> list[str]:
    return sorted(id for id, entry in entries(project).items() if entry["review"] == "reviewed")


def test_the_anchors_of_one_document(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = bumped(make_project)
    shown = claimcheck("review", "--document", "M1", cwd=project.root)
    assert shown.code == 1 and not (project.root / "anchors.lock").exists()
    heads = [line.split("  ")[0] for line in shown.out.split("\n") if line.startswith("L-")]
    assert heads == ["L-TAKE", "L-MATCH", "L-EVICT"], "as the claims and then the corrections cite them"
    code, said = talk(project, ["review", "--document", "M1"], "a\nn\nq\n")
    assert code == 1 and "1 of 3\nL-TAKE" in said and reviewed(project) == ["L-TAKE"]
    code, said = talk(project, ["review", "--document", "M1"], "a\na\n")
    assert code == 0 and "1 of 2\nL-MATCH" in said and reviewed(project) == ["L-EVICT", "L-MATCH", "L-TAKE"]
    assert claimcheck("review", "--document", "M1", cwd=project.root).out == "All that M1 cites is reviewed.\n"
    assert claimcheck("review", "--document", "./claims/two.yaml", "--accept", cwd=project.root).code == 0
    assert reviewed(project) == ["L-EVICT", "L-INIT", "L-MATCH", "L-TAKE"]


def test_the_anchors_of_a_document_in_the_order_of_its_text(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = bumped(make_project)
    project.write("lessons/M1.md", "# One\n\nNames first [L-NAME], then what M1.2 says [M1.2].\n")
    shown = claimcheck("review", "--document", "lessons/M1.md", cwd=project.root)
    heads = [line.split("  ")[0] for line in shown.out.split("\n") if line.startswith("L-")]
    assert heads == ["L-NAME", "L-MATCH", "L-TAKE", "L-EVICT"], "what its text cites, then what its lesson's claims do"


def test_the_held_anchors_of_one_document(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = bumped(make_project)
    assert claimcheck("bump", "lib", "v2", "--hold", cwd=project.root).code == 0
    shown = claimcheck("review", "--held", "--document", "lessons/two.html", cwd=project.root)
    assert shown.code == 1 and shown.out.startswith("1 of 1  L-EVICT  ")
    accepted = claimcheck("review", "--held", "--document", "claims/one.yaml", "--accept", cwd=project.root)
    assert accepted.code == 0 and reviewed(project) == ["L-MATCH", "L-TAKE"]
    done = claimcheck("review", "--held", "--document", "claims/one.yaml", cwd=project.root)
    assert (done.code, done.out) == (0, "No anchors are held.\n")


def test_a_document_that_nothing_knows(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = bumped(make_project)
    ran = claimcheck("review", "--document", "lessons/tow.html", cwd=project.root)
    assert (ran.code, ran.out) == (2, "")
    assert "error: no document lessons/tow.html; did you mean lessons/two.html?\n" in ran.err
    for arguments in (["L-TAKE"], ["--place", "L-TAKE=pool.py:1-2"]):
        assert claimcheck("review", "--document", "M1", *arguments, cwd=project.root).code == 2


def test_found_by_name_takes_what_strings_single_out_at_its_length(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = bumped(make_project)
    away = "00000000000000000000000000000000000000aa"
    text = REGISTRY.replace("{c1}", "{c2}")
    for place, here in (("lines: [11-14, 22-23]", "lines: [31-35, 42-43]"), ("lines: 7-9\n", "lines: 9-12\n")):
        text = text.replace(f"    {place}", f'    commit: "{away}"\n    {here}')
    project.write("anchors.yaml", text)
    before = project.read("anchors.yaml")
    refused = claimcheck("review", "--held", "--accept", cwd=project.root)
    assert refused.code == 1 and project.read("anchors.yaml") == before, "nothing was compared, so nothing is accepted"
    ran = claimcheck("review", "--found-by-name", cwd=project.root)
    assert (ran.code, ran.out) == (
        1,
        fill("L-TAKE is at {c2:.8} (v2), lines 12-16 24-25, reviewed.\n", project.commits),
    )
    assert "1 anchor is still held." in ran.err, "the other one is as long as nothing there"
    assert "lines: [12-16, 24-25]   # taking" in project.read("anchors.yaml")


def test_where_the_pin_is_not_here_nothing_is_reviewed_and_others_are(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = bumped(make_project)
    assert claimcheck("bump", "lib", "v2", "--hold", cwd=project.root).code == 0
    text = project.read("anchors.yaml")
    other = 'vendors:\n  away: {url: https://github.com/o/away, commit: "00000000000000000000000000000000000000bb", prefix: A}\n'
    text = text.replace("vendors:\n", other)
    held = '  A-ONE: {path: a.py, lines: 1, find: first, commit: "00000000000000000000000000000000000000cc"}\n'
    project.write("anchors.yaml", text + held)
    ran = claimcheck("review", "--held", "--accept", cwd=project.root)
    assert ran.code == 1 and reviewed(project) == ["L-MATCH", "L-TAKE"]
    assert "error: away: there is no vendor/away and no vendor/away.git\n" in ran.err


GROUPS = '''\
def groups(blocks):
    """Blocks of one size together."""
    found = {}
    for block in blocks:
        found.setdefault(block.size, []).append(block)
    return found


def annotate(groups):
    """Say which groups are for drafts."""
    for blocks in groups.values():
        for block in blocks:
            block.is_draft = block.drafter is not None


def merge(first, second):
    """All groups of both."""
    merged = dict(first)
    for size, blocks in second.items():
        merged.setdefault(size, []).extend(blocks)
    return merged
'''
PLANNING = '''\
"""How many blocks each kind gets."""

import queue


def groups(blocks, smallest=0):
    """Blocks of one size together."""
    found = {}
    for block in blocks:
        found.setdefault(block.size, []).append(block)
    drop_below(found, smallest)
    return found


def merge(first, second):
    """All groups of both."""
    merged = dict(first)
    for size, blocks in second.items():
        merged.setdefault(size, []).extend(blocks)
    return merged


def plan(blocks):
    for group in groups(blocks).values():
        for block in group:
            block.is_draft = False
'''
SAME = "retries = 3\ntimeout = 10\nbackoff = exponential\n"


def test_a_file_that_was_split(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    registry = REGISTRY[: REGISTRY.index("anchors:")] + (
        "anchors:\n"
        "  L-DRAFT: {path: blocks.py, lines: 9-13, find: [def annotate, block.is_draft =]}\n"
        "  L-GROUPS: {path: blocks.py, lines: 1-6, find: def groups}\n"
        "  L-MERGE: {path: blocks.py, lines: 16-21, find: def merge}\n"
        "  L-LIMITS: {path: limits.cfg, lines: 2-4, find: timeout}\n"
        "  L-TAKE: {path: pool.py, lines: 11-14, find: def take}\n"
    )
    claims = "lesson: M3\nclaims:\n  M3.1: {text: Drafts have groups., cites: [L-DRAFT], basis: code}\n"
    rest = "def size_of(block):\n    return block.size\n"
    project = make_project(
        {"anchors.yaml": registry, "claims/one.yaml": claims},
        {"blocks.py": GROUPS, "pool.py": POOL, "limits.cfg": "[a]\n" + SAME},
        {
            "blocks.py": rest,
            "planning.py": PLANNING,
            "pool.py": POOL.replace("def take", "def acquire"),
            "limits.cfg": f"[b]\n{SAME}[c]\n{SAME}[d]\n{SAME}",
        },
    )
    git(project.root / "vendor/lib", "tag", "v2")
    ran = claimcheck("drift", "lib", "v2", cwd=project.root)
    assert (ran.code, ran.err) == (1, "")
    check_golden("drift-split.text", named(ran.out, project))
    ran = claimcheck("drift", "lib", "v2", "--format", "markdown", cwd=project.root)
    check_golden("drift-split.markdown", named(ran.out, project))
