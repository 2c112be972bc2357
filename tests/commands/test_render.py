"""`claimcheck render`: blocks filled in place or in a site, byte by byte, twice as once, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import html5lib
import pytest

from conftest import Claimcheck, MakeProject, SmallProject, commit_files, make_release
from small import CLAIMS, COMMITS, HEAD, SOURCE

ANCHORS = (
    "anchors:\n"
    "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"
    "  L-GIVE: {path: pool.py, lines: [4-5, 8-12], find: [class Pool, def give]}\n"
)
MORE = (
    "examples:\n  L-E1: {title: Two blocks, cites: [L-GIVE], assumptions: [No locks.], inputs: {blocks: [1, 2]},\n"
    "    tables: [{caption: Taken, columns: [step, block], rows: [[1, U5], [2, C3]]}]}\n"
    "errata:\n  E01-1: {lesson: one, lines: 3, quote: old words, wrong: It is not., instead: New words., cites: [L-TAKE]}\n"
)
REGISTRY = {"anchors.yaml": HEAD + ANCHORS, "claims/one.yaml": CLAIMS + MORE}
END = "<!-- claimcheck: end -->\n"


def block(marker: str, prefix: str = "") -> str:
    return f"{prefix}<!-- claimcheck: {marker} -->\n{prefix}{END}"


PAGE = (
    '<!doctype html>\n<html lang="en"><title>One</title>\n<body>\n<p>Taking [L-TAKE], giving [L-GIVE], both [L-TAKE].\n'
    + block("excerpt L-GIVE", "  ")
    + block("claims one")
    + block("example L-E1")
    + block("errata")
    + block("pins")
    + block("footnotes")
)
CHAPTER = (
    "# One\n\nTaking [L-TAKE], giving [L-GIVE].\n\n- a list\n\n"
    + block("excerpt L-TAKE", "  ")
    + "\n"
    + block('excerpt L-GIVE region=2 caption="giving back"', "> ")
    + "\n"
    + block("claims one")
    + "\n"
    + block("example L-E1")
    + "\n"
    + block("errata")
    + "\n"
    + block("pins")
    + "\n"
    + block("footnotes")
)


def with_documents(make_project: MakeProject, *commits: dict[str, str], **documents: str) -> SmallProject:
    files = {**REGISTRY, **{f"lessons/{name.replace('_', '.')}": text for name, text in documents.items()}}
    return make_project(files, *(commits or COMMITS))


def elements(page: str) -> list[str]:
    """The names of all elements of a page, in order, as a browser would make them."""
    tree = html5lib.parse(page, treebuilder="etree", namespaceHTMLElements=False)
    return [element.tag for element in tree.iter() if isinstance(element.tag, str)]


def ids(page: str) -> list[str]:
    tree = html5lib.parse(page, treebuilder="etree", namespaceHTMLElements=False)
    return [element.attrib["id"] for element in tree.iter() if "id" in element.attrib]


def texts(page: str, tag: str) -> list[str]:
    tree = html5lib.parse(page, treebuilder="etree", namespaceHTMLElements=False)
    return ["".join(element.itertext()) for element in tree.iter(tag)]


@pytest.mark.parametrize("name", ["one_html", "one_md"])
def test_rendering_twice_is_rendering_once(make_project: MakeProject, claimcheck: Claimcheck, name: str) -> None:
    project = with_documents(make_project, **{name: PAGE if name == "one_html" else CHAPTER})
    path = f"lessons/{name.replace('_', '.')}"
    assert claimcheck("render", "--check", cwd=project.root).out.startswith(f"{path} would change\n")
    first = claimcheck("render", cwd=project.root)
    assert first.code == 0, first.err + first.out
    assert first.out == f"1 document rendered, 1 changed. Sources: lib {project.commits[0][:8]}.\n"
    once = project.read(path)
    again = claimcheck("render", cwd=project.root)
    assert again.code == 0 and again.out.startswith("1 document rendered, 0 changed.")
    assert project.read(path) == once
    assert claimcheck("render", "--check", cwd=project.root).code == 0
    assert claimcheck("verify", cwd=project.root).code == 0


def test_every_other_byte_stays(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    page = "\ufeff<!DOCTYPE HTML>\r\n<P CLASS=x>&nbsp;Taking [L-TAKE]<br/>\n&rsquo; <B>[L-GIVE]</b>\r\n" + block(
        "pins"
    ).replace("\n", "\r\n")
    project = with_documents(make_project, one_html=page + block("footnotes").rstrip("\n").replace("\n", "\r\n"))
    assert claimcheck("render", cwd=project.root).code == 0
    made = project.read("lessons/one.html")
    assert made.startswith("\ufeff<!DOCTYPE HTML>\r\n<P CLASS=x>&nbsp;Taking <a ")
    assert "[L-TAKE]</a><br/>\n&rsquo; <B><a " in made and not made.endswith("\n")
    pins = made.partition("<!-- claimcheck: pins -->")[2].partition("<!-- claimcheck: end")[0]
    assert pins.count("\r\n") == pins.count("\n") == 2
    assert claimcheck("render", "--check", cwd=project.root).code == 0


def test_a_citation_leads_to_its_note_and_the_note_back(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = with_documents(make_project, one_html=PAGE)
    claimcheck("render", cwd=project.root)
    page = project.read("lessons/one.html")
    tree = html5lib.parse(page, treebuilder="etree", namespaceHTMLElements=False)
    found = {element.attrib["id"]: element for element in tree.iter() if "id" in element.attrib}
    cited = [element for element in tree.iter("a") if element.attrib.get("class") == "cc-cite"]
    assert len(cited) == 8  # three in the text, three of the claims, one of the example, one of the correction
    for link in cited:
        note = found[link.attrib["href"].removeprefix("#")]
        backs = [back.attrib["href"] for back in note.iter("a") if back.attrib["href"].startswith("#one.")]
        assert f"#{link.attrib['id']}" in backs
    notes = [element for element in tree.iter("li") if ".note." in element.attrib.get("id", "")]
    for note in notes:
        for back in note.iter("a"):
            if back.attrib["href"].startswith("#one."):
                assert back.attrib["href"].removeprefix("#") in found


def test_ids_are_each_once_also_beside_those_of_the_author(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    page = PAGE.replace("<p>", '<p id="one.note.L-TAKE">') + block("claims one") + block("excerpt L-GIVE")
    other = PAGE.replace("One", "Other")
    project = with_documents(make_project, one_html=page, two_html=other)
    assert claimcheck("render", cwd=project.root).code == 0
    joined = project.read("lessons/one.html") + project.read("lessons/two.html")
    made = ids(joined)
    assert len(made) == len(set(made)) > 20


def test_text_of_the_registry_and_of_the_source_is_never_markup(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    evil = (
        "</pre></script><!-- <img src=x onerror=alert(1)> {{ 7*7 }} {% raw %} \" ' & &lt;b&gt; ``` ]]> \u2028 ${{ x }}"
    )
    harmless = "x" * len(evil) + "\u2028"
    pages = []
    for text in (evil, harmless):
        source = SOURCE.replace("return self.free.get()", f"return self.free.get()  # {text}")
        quoted = "'" + text.replace("'", "''").replace("\u2028", " ") + "'"
        claims = CLAIMS.replace("Blocks are taken from a queue.", quoted) + MORE.replace("Two blocks", quoted).replace(
            "New words.", quoted
        )
        files = {**REGISTRY, "claims/one.yaml": claims, "lessons/one.html": PAGE + block("excerpt L-TAKE")}
        project = make_project(files, {"pool.py": source}, root=Path(str(len(pages))).absolute() / "p")
        ran = claimcheck("render", cwd=project.root)
        assert ran.code == 0, ran.out + ran.err
        pages.append(project.read("lessons/one.html"))
        site = claimcheck("render", "--output", "site", cwd=project.root)
        assert site.code == 0, site.out + site.err
        pages.append(project.read("site/one.html"))
    # A highlighter may colour words of the text, so spans are left out of what is compared.
    trees = [[name for name in elements(page) if name != "span"] for page in pages]
    assert trees[0] == trees[2] and trees[1] == trees[3]
    shown = "\n".join(texts(pages[0], "pre"))
    assert evil.replace("\u2028", "\\u2028") in shown
    assert any(evil.replace("\u2028", " ") in text for text in texts(pages[0], "p"))


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_text_of_an_excerpt_is_the_source_and_numbers_are_true(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = with_documents(make_project, one_html="<p>x\n" + block("excerpt L-GIVE", "    "))
    claimcheck("render", cwd=project.root)
    page = project.read("lessons/one.html")
    lines = SOURCE.split("\n")
    assert texts(page, "pre") == ["\n".join(lines[3:5]), "\n".join(lines[7:12])]
    assert [f'data-n="{number}"' in page for number in (3, 4, 5, 6, 8, 12, 13)] == [
        False, True, True, False, True, True, False,
    ]  # fmt: skip
    assert "2 lines not cited" in page


def test_lines_lose_the_indentation_that_all_of_them_have(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = with_documents(
        make_project, one_html="<p>x\n" + block("excerpt L-GIVE region=2") + block("excerpt L-TAKE")
    )
    claimcheck("render", cwd=project.root)
    assert texts(project.read("lessons/one.html"), "pre")[1].startswith("def take(self):\n    return")


def test_a_fence_is_longer_than_any_inside(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    source = SOURCE.replace("return self.free.get()", '"""``` and ```` in it."""')
    project = with_documents(make_project, {"pool.py": source}, one_md=block("excerpt L-TAKE"))
    claimcheck("render", cwd=project.root)
    text = project.read("lessons/one.md")
    assert '`````python\ndef take(self):\n    """``` and ```` in it."""\n`````\n' in text
    assert claimcheck("render", "--check", cwd=project.root).code == 0


def test_what_is_cited_in_generated_code_is_no_citation(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    source = SOURCE.replace(
        "return self.free.get()", "pass  # [L-GIVE] [L-UNDEFINED]\n<!-- claimcheck: end sha256:0123456789abcdef -->"
    )
    anchors = ANCHORS.replace("lines: 5-6", "lines: 5-7").replace("8-12", "9-13")
    files = {**REGISTRY, "anchors.yaml": HEAD + anchors}
    page = "<p>[L-TAKE]\n" + block("excerpt L-TAKE") + block("footnotes")
    chapter = "[L-TAKE]\n\n" + block("excerpt L-TAKE") + "\n" + block("footnotes")
    project = make_project({**files, "lessons/one.html": page, "lessons/two.md": chapter}, {"pool.py": source})
    assert claimcheck("render", cwd=project.root).code == 0
    assert "L-GIVE" not in project.read("lessons/one.html").partition("cc-notes")[2]
    assert claimcheck("render", "--check", cwd=project.root).code == 0
    assert "L-UNDEFINED" not in claimcheck("verify", cwd=project.root).out


@pytest.mark.parametrize("name", ["one_html", "one_md"])
def test_text_written_into_a_block_is_not_lost(make_project: MakeProject, claimcheck: Claimcheck, name: str) -> None:
    project = with_documents(make_project, **{name: PAGE if name == "one_html" else CHAPTER})
    path = f"lessons/{name.replace('_', '.')}"
    claimcheck("render", cwd=project.root)
    edited = project.read(path).replace("True at", "Indeed true at")
    project.write(path, edited)
    ran = claimcheck("render", cwd=project.root)
    assert ran.code == 1 and "[block-edited]" in ran.out and "move your text out of the block" in ran.out
    assert project.read(path) == edited
    assert claimcheck("render", "--force", cwd=project.root).code == 0
    assert "Indeed" not in project.read(path)


def test_a_block_that_is_stale_is_a_finding_until_it_is_rendered(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = with_documents(make_project, one_html=PAGE)
    claimcheck("render", cwd=project.root)
    project.write("claims/one.yaml", (CLAIMS + MORE).replace("They go back", "All go back"))
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1 and "the block `claims one` is not what rendering gives now [block-stale]" in ran.out
    assert "help: claimcheck render lessons/one.html" in ran.out
    ran = claimcheck("verify", "lessons/one.html", cwd=project.root)
    assert ran.code == 1 and "[block-stale]" in ran.out
    assert "[block-stale]" not in claimcheck("verify", "L-TAKE", cwd=project.root).out
    claimcheck("render", cwd=project.root)
    assert claimcheck("verify", cwd=project.root).code == 0


def test_a_document_that_cites_what_is_not_there_stays_as_it_is(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    good = "<p>Taking [L-TAKE].\n" + block("footnotes")
    wrong = HEAD + ANCHORS + "  L-LOST: {path: gone.py, lines: 1-2, find: def x}\n"
    files = {
        **REGISTRY,
        "anchors.yaml": wrong,
        "lessons/good.html": good,
        "lessons/lost.html": good + "[L-LOST]\n",
        "lessons/typo.html": good + "[L-TAK]\n",
        "lessons/far.html": good + block("excerpt L-TAKE region=2"),
        "lessons/kind.html": good + "<!-- claimcheck: exerpt L-TAKE -->\n" + END,
    }
    project = make_project(files, *COMMITS)
    ran = claimcheck("render", cwd=project.root)
    assert ran.code == 1
    assert "1 document rendered, 1 changed; 4 documents left as they were." in ran.out
    for rule in ("[path-missing]", "[unknown-id]", "[block-unfillable]", "[marker-malformed]"):
        assert rule in ran.out
    assert "cc-cite" in project.read("lessons/good.html")
    for name in ("lost", "typo", "far", "kind"):
        assert project.read(f"lessons/{name}.html") == files[f"lessons/{name}.html"]
    assert claimcheck("render", "lessons/good.html", cwd=project.root).code == 0


def test_a_document_that_is_no_text_stops_no_other_and_is_not_written(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    bad = b"<p>It\x92s [L-TAKE]\n" + block("footnotes").encode()
    project = make_project({**REGISTRY, "lessons/bad.html": bad, "lessons/good.html": PAGE}, *COMMITS)
    ran = claimcheck("render", cwd=project.root)
    assert ran.code == 1 and "lessons/bad.html:1:6: error:" in ran.out and "[document-unreadable]" in ran.out
    assert "1 document rendered, 1 changed; 1 document left as it was." in ran.out
    assert (project.root / "lessons/bad.html").read_bytes() == bad
    assert claimcheck("render", "lessons/good.html", cwd=project.root).code == 0


def test_without_any_source_nothing_is_rendered(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    head = HEAD.replace("{c1}", "ab" * 20)
    project = make_project({**REGISTRY, "anchors.yaml": head + ANCHORS, "lessons/one.html": PAGE}, *COMMITS)
    ran = claimcheck("render", cwd=project.root)
    assert ran.code == 2 and "[pin-missing]" in ran.out
    assert project.read("lessons/one.html") == PAGE


RELEASED = HEAD.replace("{c1}", "1234567890" * 4) + (
    '    releases: {versions: {"1.2": SHA}}\n'.replace("SHA", "ab" * 32)
)


def test_at_a_release_a_stand_in_is_called_one_and_has_no_link(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    waiver = "waivers: [{rule: path-missing, subject: L-DOC, reason: the archive has no documents, until: release}]\n"
    anchors = (
        RELEASED
        + waiver
        + ANCHORS.replace("[4-5, 8-12], find: [class Pool, def give]", "8-12, find: def give")
        + "  L-DOC: {path: doc/pool.md, lines: 1-2, find: pool}\n"
    )
    page = PAGE + "<p>See [L-DOC].\n" + block("excerpt L-DOC")
    project = make_project({**REGISTRY, "anchors.yaml": anchors, "lessons/one.html": page})
    commit = make_release(project.root, "1.2", {"pool.py": SOURCE})
    ran = claimcheck("render", "--at", "release", cwd=project.root)
    assert ran.code == 0, ran.out + ran.err
    assert "STAND-INS: lib 1.2 for 12345678" in ran.out
    text = project.read("lessons/one.html")
    assert "lib 1.2 (source archive, sha256 abab…), stands in for 12345678" in text
    assert "github.com" not in text and commit[:8] not in text
    assert text.count("The source cannot be shown here: the archive has no documents") == 2


def test_a_site_of_empty_sources(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = {
        **REGISTRY,
        "anchors.yaml": "documents: {include: [lessons/*], blocks: site}\n" + HEAD + ANCHORS,
        "lessons/one.html": PAGE.replace("<p>", '<p><img src="img/a.png" alt="a"> <a href="two.html#x">two</a> '),
        "lessons/two.md": "---\nlang: zh\n---\n# 二\n\n取块 [L-TAKE]，见 [一](one.html)。\n\n"
        "| a | b |\n|---|---|\n| 1 | [L-GIVE] |\n",
        "lessons/img/a.png": b"\x89PNG",
        "lessons/notes.txt": "no document",
    }
    project = make_project(files, *COMMITS)
    ran = claimcheck("render", cwd=project.root)
    assert ran.code == 2 and "claimcheck render --output DIR" in ran.err
    ran = claimcheck("render", "-o", "build/site", cwd=project.root)
    assert ran.code == 0, ran.out + ran.err
    assert ran.out.startswith("2 pages rendered in build/site. Sources: lib ")
    made = sorted(
        path.relative_to(project.root / "build/site").as_posix() for path in (project.root / "build/site").rglob("*")
    )
    assert made == [
        ".claimcheck-made", "anchors.html", "claimcheck.css", "claimcheck.js", "img", "img/a.png", "index.html",
        "one.html", "two.html",
    ]  # fmt: skip
    assert project.read("lessons/one.html") == files["lessons/one.html"]
    two = project.read("build/site/two.html")
    assert '<html lang="zh">' in two and 'href="one.html"' in two and "出处" in two and "<th>a</th>" in two
    assert "lang: zh" not in two
    index = project.read("build/site/index.html")
    assert 'href="one.html"' in index and 'href="two.html"' in index
    anchors = project.read("build/site/anchors.html")
    assert 'href="two.html#two.note.L-TAKE"' in anchors and 'href="one.html#one.note.L-TAKE"' in anchors
    for name in ("one", "two", "index", "anchors"):
        page = project.read(f"build/site/{name}.html")
        assert len(ids(page)) == len(set(ids(page)))
        for link in html5lib.parse(page, namespaceHTMLElements=False).iter("a"):
            href = link.attrib["href"]
            if href.startswith("#"):
                assert href[1:] in ids(page), href
    before = {path: path.stat().st_mtime_ns for path in (project.root / "build/site").rglob("*")}
    assert claimcheck("render", "-o", "build/site", "--check", cwd=project.root).code == 0
    assert claimcheck("render", "-o", "build/site", cwd=project.root).code == 0
    assert {path: path.stat().st_mtime_ns for path in (project.root / "build/site").rglob("*")} == before


def test_pages_that_are_gone_are_removed_and_nothing_else(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = with_documents(make_project, one_html=PAGE, two_html=PAGE)
    assert claimcheck("render", "-o", "site", cwd=project.root).code == 0
    (project.root / "lessons/two.html").unlink()
    (project.root / "site/mine.txt").write_text("mine")
    ran = claimcheck("render", "-o", "site", "--check", cwd=project.root)
    assert ran.code == 1 and "two.html would be removed" in ran.out and "index.html would change" in ran.out
    assert claimcheck("render", "-o", "site", cwd=project.root).code == 0
    assert not (project.root / "site/two.html").exists() and (project.root / "site/mine.txt").exists()


def test_a_page_that_cannot_be_made_anew_keeps_what_was_there(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = with_documents(make_project, one_html=PAGE, two_html=PAGE)
    claimcheck("render", "-o", "site", cwd=project.root)
    before = project.read("site/two.html")
    project.write("lessons/two.html", PAGE + "[L-TAK]")
    assert claimcheck("render", "-o", "site", cwd=project.root).code == 1
    assert project.read("site/two.html") == before


@pytest.mark.parametrize("where", [".", "..", "lessons", "vendor/site", "full"])
def test_a_folder_with_other_things_in_it_is_left_alone(
    make_project: MakeProject, claimcheck: Claimcheck, where: str
) -> None:
    project = with_documents(make_project, one_html=PAGE)
    (project.root / "full").mkdir()
    (project.root / "full/thesis.tex").write_text("mine")
    ran = claimcheck("render", "-o", where, cwd=project.root)
    assert ran.code == 2 and ran.err.startswith("error: ")
    assert not (project.root / where / "index.html").exists()


def test_a_file_that_is_not_ours_is_not_replaced(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = with_documents(make_project, one_html=PAGE)
    claimcheck("render", "-o", "site", cwd=project.root)
    (project.root / "site/two.html").write_text("mine")
    project.write("lessons/two.html", PAGE)
    ran = claimcheck("render", "-o", "site", cwd=project.root)
    assert ran.code == 2 and "two.html is not claimcheck's" in ran.err
    assert (project.root / "site/two.html").read_text() == "mine"


def test_a_link_in_the_folder_leads_nowhere(make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path) -> None:
    project = with_documents(make_project, one_html=PAGE)
    project.write("lessons/deep/two.html", PAGE)
    claimcheck("render", "-o", "site", cwd=project.root)
    outside = tmp_path / "outside"
    outside.mkdir()
    (project.root / "site/deep/two.html").unlink()
    (project.root / "site/deep").rmdir()
    os.symlink(outside, project.root / "site/deep")
    ran = claimcheck("render", "-o", "site", cwd=project.root)
    assert ran.code == 2 and "reached by a link" in ran.err
    assert list(outside.iterdir()) == []


def test_a_diff_shows_and_writes_nothing(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = with_documents(make_project, one_html=PAGE)
    ran = claimcheck("render", "--diff", cwd=project.root)
    assert ran.code == 1 and "+++ b/lessons/one.html\n" in ran.out and '+  class="cc-line" data-n="5">' not in ran.out
    assert project.read("lessons/one.html") == PAGE
    ran = claimcheck("render", "--diff", "-o", "site", cwd=project.root)
    assert ran.code == 1 and "+++ b/index.html\n" in ran.out and not (project.root / "site").exists()


def test_one_lesson_by_its_name(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = with_documents(make_project, one_html=PAGE, two_html="<p>[L-GIVE]\n" + block("footnotes"))
    assert claimcheck("render", "one", cwd=project.root).code == 0
    assert "cc-cite" in project.read("lessons/one.html") and "cc-cite" not in project.read("lessons/two.html")
    assert "no document three" in claimcheck("render", "three", cwd=project.root).err


def test_no_document_is_an_error(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(REGISTRY, *COMMITS)
    ran = claimcheck("render", cwd=project.root)
    assert ran.code == 2 and "no document" in ran.err


def test_links_of_the_author_are_left_alone(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    page = '<p><a href="x.html">[L-TAKE]</a> <code>[L-TAKE]</code> [L-GIVE]\n' + block("footnotes")
    project = with_documents(make_project, one_html=page)
    claimcheck("render", cwd=project.root)
    assert '<p><a href="x.html">[L-TAKE]</a> <code>[L-TAKE]</code> <a class="cc-cite" ' in project.read(
        "lessons/one.html"
    )
    assert claimcheck("render", "--check", cwd=project.root).code == 0


def test_citations_together_in_a_bracket_are_linked_one_by_one(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = with_documents(make_project, one_html="<p>见［L-TAKE］和 [L-TAKE, L-GIVE]。\n" + block("footnotes"))
    claimcheck("render", cwd=project.root)
    text = project.read("lessons/one.html")
    assert '">［L-TAKE］</a>和 [<a class="cc-cite" id="one.ref.L-TAKE.2" ' in text
    assert '">L-TAKE</a>, <a class="cc-cite" id="one.ref.L-GIVE.1" href="#one.note.L-GIVE">L-GIVE</a>]。' in text
    assert claimcheck("render", "--check", cwd=project.root).code == 0


def test_without_notes_a_citation_stays_text_and_a_link_of_ours_goes(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    page = "<p>Taking [L-TAKE].\n"
    project = with_documents(make_project, one_html=page + block("footnotes"))
    claimcheck("render", cwd=project.root)
    linked = project.read("lessons/one.html")
    assert "cc-cite" in linked
    project.write("lessons/one.html", linked.partition("<!--")[0])
    claimcheck("render", cwd=project.root)
    assert project.read("lessons/one.html") == page


def test_a_book_gets_notes_fences_with_captions_and_no_markup(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    chapter = (
        "Taking[^L-TAKE].\n\n"
        + block("excerpt L-TAKE style=pandoc width=20")
        + "\n"
        + block('footnotes style=notes title=""')
    )
    project = with_documents(make_project, one_md=chapter)
    ran = claimcheck("render", cwd=project.root)
    short = project.commits[0][:8]
    assert ran.code == 0 and "one.md:3:1: note: L-TAKE: lines wider than 20: 6 (26) [width]" in ran.out
    text = project.read("lessons/one.md")
    assert f'```{{.python .numberLines startFrom="5" caption="lib {short}, pool.py:5-6"}}\ndef take(self):\n' in text
    assert (
        f"\n[^L-TAKE]: **L-TAKE** `pool.py` [5-6](https://github.com/o/lib/blob/{project.commits[0]}/pool.py#L5-L6)"
        in text
    )
    assert "class=" not in text and "<a" not in text and "##" not in text


def test_links_of_markdown_lead_to_the_notes(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = with_documents(make_project, one_md=CHAPTER)
    claimcheck("render", cwd=project.root)
    text = project.read("lessons/one.md")
    assert "\nTaking [L-TAKE], giving [L-GIVE].\n" in text  # the text itself is as it was
    assert "\n[L-TAKE]: #one.note.L-TAKE\n" in text and '\n1. <a id="one.note.L-TAKE"></a>**L-TAKE** ' in text


def test_hidden_characters_are_seen(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    source = SOURCE.replace("return self.free.get()", "return self.free\u202e.get\u200b()  # \ufeff")
    project = with_documents(
        make_project, {"pool.py": source}, one_html=block("excerpt L-TAKE"), two_md=block("excerpt L-TAKE")
    )
    assert claimcheck("render", cwd=project.root).code == 0
    for name in ("one.html", "two.md"):
        text = project.read(f"lessons/{name}")
        assert "\u202e" not in text and "\u200b" not in text and "\\u202e.get\\u200b()" in text
        assert "U+202E RIGHT-TO-LEFT OVERRIDE at 6:25" in text


def test_another_commit_of_the_source_makes_blocks_stale(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = with_documents(make_project, one_html=PAGE)
    claimcheck("render", cwd=project.root)
    commit = commit_files(project.root / "vendor/lib", {"pool.py": "# moved\n" + SOURCE})
    registry = project.read("anchors.yaml").replace(project.commits[0], commit)
    project.write("anchors.yaml", registry.replace("5-6", "6-7").replace("[4-5, 8-12]", "[5-6, 9-13]"))
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1 and ran.out.count("[block-stale]") == 3  # the excerpt, the pins, the notes
    assert claimcheck("render", cwd=project.root).code == 0
    assert 'data-n="13"' in project.read("lessons/one.html")
