"""`claimcheck errata`: what has become of corrections to published text, and putting them in place."""

from __future__ import annotations

import json

import pytest

from conftest import MakeProject, SmallProject
from small import COMMITS, FILES

PAGE = (
    "\ufeff<!doctype html>\r\n<html lang=zh>\r\n<body>\r\n"
    "<p>一个块被<b>取走</b>以后，\r\n它的计数变成 2。</p>\r\n"
    "<p>队列是\r\n先进后出的，这里不对。</p>\r\n"
    "<p>归还的块排到队首 &amp; 等着。</p>\r\n"
    "<pre>put(block)</pre>\r\n</body></html>"
)
CORRECTIONS = (
    "errata:\n"
    "  E01-1: {lesson: pages/one.html, lines: 6-7, "
    "quote: 队列是先进后出的, wrong: 顺序反了。, instead: 队列是先进先出的（a < b）, cites: [L-TAKE], replaceable: true}\n"
    "  E01-2: {lesson: pages/one.html, lines: 2, "
    "quote: 排到队首, wrong: 位置不对。, instead: 排到队尾, cites: [L-TAKE, L-GIVE]}\n"
    "  E01-3: {lesson: pages/one.html, lines: 4, "
    "quote: 块被取走以后，它的计数, wrong: 没有计数。, instead: 没有, replaceable: true}\n"
    "  E01-4: {lesson: pages/one.html, lines: 8, "
    "quote: 没有这句话, wrong: 不对。, instead: 归还的块排到队首 & 等着}\n"
    "  E01-5: {lesson: pages/one.html, lines: 8, "
    "quote: 也没有这句话, wrong: 不对。, instead: 另一句话}\n"
    "  E02-1: {lesson: pages/away.html, lines: 3, "
    "quote: 别处, wrong: 不对。, instead: 这里, expected: missing}\n"
)


@pytest.fixture
def project(make_project: MakeProject) -> SmallProject:
    return make_project({**FILES, "pages/one.html": PAGE, "claims/errata.yaml": CORRECTIONS}, *COMMITS)


def test_each_correction_has_a_state(project, claimcheck):
    ran = claimcheck("errata", cwd=project.root)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "pages/one.html\n"
        '  E01-1  open   6       "队列是先进后出的"         L-TAKE\n'
        '  E01-2  moved  2 -> 8  "排到队首"                 L-TAKE L-GIVE\n'
        '  E01-3  open   4       "块被取走以后，它的计数"   no source says so\n'
        "  E01-4  fixed  8       now says what the correction says\n"
        '  E01-5  gone   8       "也没有这句话" is not there any more, and neither is the correction\n'
        "pages/away.html: not here (1 correction)\n"
        "6 corrections: 2 open, 1 moved, 1 fixed, 1 gone, 1 not here. "
        "(claimcheck errata --apply E01-1 shows the change first)\n"
    )


def test_check_is_1_while_something_is_open(project, claimcheck):
    assert claimcheck("errata", "--check", cwd=project.root).code == 1
    assert claimcheck("errata", "E01-4", "--check", cwd=project.root).code == 0
    assert claimcheck("errata", "E02-1", "--check", cwd=project.root).code == 0


def test_documents_that_ought_to_be_here_are_missed(project, claimcheck):
    project.write("claims/errata.yaml", CORRECTIONS.replace(", expected: missing", ""))
    ran = claimcheck("errata", "E02-1", "--check", cwd=project.root)
    assert ran.code == 2
    assert ran.out == "pages/away.html: not here (1 correction)\n1 lesson not here; nothing checked.\n"
    assert claimcheck("errata", "E02-1", "E01-4", "--check", cwd=project.root).code == 1


def test_a_correction_takes_the_place_of_the_passage_and_of_nothing_else(project, claimcheck):
    ran = claimcheck("errata", "E01-1", "--apply", "--yes", cwd=project.root)
    assert ran.code == 0
    assert "-<p>队列是" in ran.out and "+<p>队列是先进先出的（a &lt; b），这里不对。</p>" in ran.out
    assert ran.out.endswith("Wrote pages/one.html.\n")
    expected = PAGE.replace("队列是\r\n先进后出的", "队列是先进先出的（a &lt; b）")
    assert (project.root / "pages" / "one.html").read_bytes() == expected.encode()
    again = claimcheck("errata", "E01-1", cwd=project.root)
    assert "E01-1  fixed  6" in again.out


def test_without_a_terminal_the_change_is_shown_and_not_written(project, claimcheck):
    ran = claimcheck("errata", "E01-1", "--apply", cwd=project.root)
    assert ran.code == 1
    assert "+<p>队列是先进先出的" in ran.out
    assert ran.err == "Not a terminal, nothing written. (--yes writes it)\n"
    assert (project.root / "pages" / "one.html").read_bytes() == PAGE.encode()


@pytest.mark.parametrize(
    ("id", "said"),
    [
        ("E01-2", "claims/errata.yaml:3:3: error: E01-2: its author has not said that the passage may be replaced"),
        ("E01-3", "pages/one.html:4:6: error: E01-3: there is markup inside the passage"),
        ("E01-4", "its author has not said"),
    ],
)
def test_what_may_not_be_replaced_is_not(project, claimcheck, id, said):
    ran = claimcheck("errata", id, "--apply", "--yes", cwd=project.root)
    assert ran.code == 2
    assert said in ran.err
    assert (project.root / "pages" / "one.html").read_bytes() == PAGE.encode()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("等着。", "等着。队列是先进后出的"), "the quote stands in 2 places of pages/one.html (lines 6, 8)"),
        (("先进后出的，这里不对", "别的"), "there is nothing to replace: gone"),
    ],
)
def test_a_passage_that_is_not_clear_is_not_replaced(project, claimcheck, change, said):
    project.write("pages/one.html", PAGE.replace(*change))
    project.write("claims/errata.yaml", CORRECTIONS.replace("lines: 6-7", "lines: 6-8"))
    before = (project.root / "pages" / "one.html").read_bytes()
    ran = claimcheck("errata", "E01-1", "--apply", "--yes", cwd=project.root)
    assert ran.code == 2
    assert said in ran.err
    assert (project.root / "pages" / "one.html").read_bytes() == before


def test_of_several_places_the_one_in_the_recorded_lines_is_meant(project, claimcheck):
    project.write("pages/one.html", PAGE.replace("等着。", "等着。队列是先进后出的"))
    assert claimcheck("errata", "E01-1", "--apply", "--yes", cwd=project.root).code == 0
    text = (project.root / "pages" / "one.html").read_bytes().decode()
    assert "队列是先进先出的（a &lt; b），这里不对" in text
    assert "等着。队列是先进后出的" in text


def test_at_another_revision_the_anchors_that_changed_are_named(project, claimcheck, make_project):
    from conftest import commit_files

    later = dict(COMMITS[-1])
    later["pool.py"] = later["pool.py"].replace("return self.free.get()", "return self.free.get_nowait()")
    commit = commit_files(project.root / "vendor" / "lib", later)
    ran = claimcheck("errata", "E01-1", "E01-2", "--at", commit, cwd=project.root)
    assert "L-TAKE, edited in" in ran.out
    assert "L-TAKE, edited in" in ran.out.splitlines()[2] and ran.out.splitlines()[2].endswith("; L-GIVE")


def test_json(project, claimcheck):
    document = json.loads(claimcheck("errata", "--format", "json", cwd=project.root).out)
    assert document["schema"] == "claimcheck.errata/1"
    assert document["summary"] == {"open": 2, "moved": 1, "fixed": 1, "gone": 1, "not here": 1}
    first = document["errata"][0]
    assert (first["id"], first["state"], first["line"], first["recorded"]) == ("E01-1", "open", 6, [[6, 7]])


def test_markdown_is_found_through_its_marks(make_project, claimcheck):
    page = "# One\n\nThe queue is **last in**, first\nout. `put` it.\n"
    corrections = (
        "errata:\n  E01-1: {lesson: one.md, lines: 3, quote: 'is last in, first out', wrong: it is not, instead: x}\n"
        "  E01-2: {lesson: one.md, lines: 4, quote: '. put it', wrong: it is not, instead: x}\n"
    )
    project = make_project({**FILES, "one.md": page, "claims/errata.yaml": corrections}, *COMMITS)
    ran = claimcheck("errata", cwd=project.root)
    assert "E01-1  open  3" in ran.out
    assert "E01-2  open  4" in ran.out


def test_a_project_without_corrections_says_so(make_project, claimcheck):
    ran = claimcheck("errata", cwd=make_project(FILES, *COMMITS).root)
    assert (ran.code, ran.out) == (0, "No corrections. (claims/errata.yaml has them)\n")


def test_an_unreadable_document_is_no_document_that_is_not_here(project, claimcheck):
    (project.root / "pages" / "one.html").write_bytes(b"<p>\x92</p>")
    ran = claimcheck("errata", cwd=project.root)
    assert ran.code == 2
    assert "pages/one.html:1:4" in ran.err


def test_an_id_that_no_correction_has(project, claimcheck):
    ran = claimcheck("errata", "E01-9", cwd=project.root)
    assert ran.code == 2
    assert "no correction E01-9; did you mean E01-" in ran.err
