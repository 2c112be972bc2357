"""Citations: permalinks and content ids under a text, and the honesty about what was looked at."""

from __future__ import annotations

import json
import os
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from claimcheck.errors import UsageError
from claimcheck.excerpts import NotInFile
from claimcheck.footnotes import Citation, cite, cite_unseen
from claimcheck.forges import NoLink
from claimcheck.model import Anchor, Lines, Pin, Region, Release, Revision, Vendor
from claimcheck.outcome import Spot
from claimcheck.reports import citations_html, citations_json, citations_markdown, citations_text
from claimcheck.reports.citations import CITATION_FORMATS
from claimcheck.terminal import HIDDEN
from claimcheck.texts import SourceText

GOLDEN = Path(__file__).parent / "golden"

COMMIT = "5e0d1c2b3a49586776859403a2b1c0d9e8f7a6b5"
OURS = "cafe" * 10
BLOB = "b10bb10bb10bb10bb10bb10bb10bb10bb10bb10b"
RELEASE = Release("2.1.0", "9a7c" + "0" * 60)
FERRY = Vendor("ferry", Pin(COMMIT), ("F",), url="https://github.com/harbour/ferry.git", releases=(RELEASE,))
AT_PIN = Revision(COMMIT, tag="v2.2.0")
AT_RELEASE = Revision(OURS, RELEASE)
FIFTY_LINES = SourceText("".join(f"line {n}\n" for n in range(1, 51)), BLOB)

PAGE = f"https://github.com/harbour/ferry/blob/{COMMIT}/ferry/dock.py"
CONTEXT = f"origin=https://github.com/harbour/ferry;anchor=swh:1:rev:{COMMIT};path=/ferry/dock.py"


def anchor(*ranges: Lines, id: str = "F-BERTH", path: str = "ferry/dock.py") -> Anchor:
    return Anchor(id, "ferry", path, tuple(Region(lines) for lines in ranges))


def citation(
    *found: Lines,
    id: str = "F-BERTH",
    path: str = "ferry/dock.py",
    recorded: tuple[Lines, ...] | None = None,
    vendor: Vendor = FERRY,
    revision: Revision = AT_PIN,
    region: int | None = None,
    source: SourceText = FIFTY_LINES,
) -> Citation:
    recorded = found if recorded is None else recorded
    spots = [Spot(path, lines) for lines in found or (source.whole,)]
    return cite(
        anchor(*recorded, id=id, path=path), vendor, revision, vendor.pin, source, spots, recorded, region=region
    )


TWO = (Lines(11, 18), Lines(30, 41))


def at_the_release() -> Citation:
    return citation(*TWO, id="F-STAND", recorded=(Lines(9, 16), Lines(26, 37)), revision=AT_RELEASE)


def unseen() -> Citation:
    return cite_unseen(anchor(*TWO, id="F-UNSEEN"), FERRY, FERRY.pin, "the pin 5e0d1c2b is not in vendor/ferry")


@pytest.mark.parametrize("name", CITATION_FORMATS)
def test_each_format_prints_what_its_golden_file_has(name: str) -> None:
    """With CLAIMCHECK_ACCEPT in the environment, the output is accepted instead."""
    output = CITATION_FORMATS[name].render(
        [citation(*TWO), citation(Lines(7, 7), id="F-ONE"), at_the_release(), unseen()]
    )
    path = GOLDEN / f"cite.{name}"
    if os.environ.get("CLAIMCHECK_ACCEPT"):
        path.write_text(output, encoding="utf-8", newline="")
    assert output == path.read_text(encoding="utf-8")


def test_at_the_pin_each_region_has_a_permalink_and_a_content_id() -> None:
    assert citations_text.render([citation(*TWO)]) == (
        "F-BERTH  ferry 5e0d1c2b (v2.2.0) ferry/dock.py:11-18, 30-41\n"
        f"{PAGE}#L11-L18\n"
        f"{PAGE}#L30-L41\n"
        f"swh:1:cnt:{BLOB};{CONTEXT};lines=11-18\n"
        f"swh:1:cnt:{BLOB};{CONTEXT};lines=30-41\n"
    )


def test_a_release_is_cited_by_its_archive_and_what_is_pinned_stands_beside_it() -> None:
    assert citations_text.render([at_the_release()]) == (
        "F-STAND  ferry 2.1.0 (source archive, sha256 9a7c…) ferry/dock.py:11-18, 30-41  "
        "stand-in for 5e0d1c2b (registry 9-16, 26-37)\n"
        f"swh:1:cnt:{BLOB};lines=11-18\n"
        f"swh:1:cnt:{BLOB};lines=30-41\n"
    )


@pytest.mark.parametrize("name", CITATION_FORMATS)
def test_the_commit_of_a_release_is_in_no_output(name: str) -> None:
    output = CITATION_FORMATS[name].render([at_the_release()])
    assert OURS not in output and OURS[:8] not in output
    assert "swh:1:rev" not in output and "https://" not in output and "origin" not in output
    assert "2.1.0" in output and "swh:1:cnt" in output


def test_a_release_that_is_the_pin_stands_in_for_nothing() -> None:
    vendor = Vendor("ferry", Pin("release/2.1.0"), ("F",), url=FERRY.url, releases=(RELEASE,))
    assert citations_text.render([citation(Lines(7, 9), vendor=vendor, revision=AT_RELEASE)]) == (
        f"F-BERTH  ferry 2.1.0 (source archive, sha256 9a7c…) ferry/dock.py:7-9\nswh:1:cnt:{BLOB};lines=7-9\n"
    )


def test_what_nobody_looked_at_is_linked_by_the_registry_and_said_to_be_unseen() -> None:
    assert citations_text.render([unseen()]) == (
        "F-UNSEEN  ferry 5e0d1c2b ferry/dock.py:11-18, 30-41\n"
        f"{PAGE}#L11-L18\n"
        f"{PAGE}#L30-L41\n"
        "not looked at: the pin 5e0d1c2b is not in vendor/ferry; the lines are the registry's\n"
    )
    for name, report in CITATION_FORMATS.items():
        output = report.render([unseen()])
        assert "is not in vendor/ferry" in output and "swh:1:cnt" not in output, name
    (found,) = json.loads(citations_json.render([unseen()]))["citations"]
    assert found["looked_at"] is False and found["blob"] is None


def test_what_was_looked_at_is_not_said_to_be_unseen() -> None:
    for name, report in CITATION_FORMATS.items():
        assert "not looked at" not in report.render([citation(*TWO), at_the_release()]), name


@pytest.mark.parametrize(
    ("releases", "caption"),
    [((RELEASE,), "ferry 2.1.0 (source archive, sha256 9a7c…)"), ((), "ferry 2.1.0 (source archive)")],
)
def test_an_unseen_release_has_a_caption_and_no_link(releases: tuple[Release, ...], caption: str) -> None:
    vendor = Vendor("ferry", Pin("release/2.1.0"), ("F",), url=FERRY.url, releases=releases)
    found = cite_unseen(anchor(Lines(7, 9)), vendor, vendor.pin, "release 2.1.0 is not here")
    assert citations_text.render([found]) == (
        f"F-BERTH  {caption} ferry/dock.py:7-9\n"
        "not looked at: release 2.1.0 is not here; the lines are the registry's\n"
    )


def test_an_unknown_host_gets_its_reason_once_and_content_ids() -> None:
    vendor = Vendor("ferry", Pin(COMMIT), ("F",), url="https://me:tok3n@git.example.org/x/y")
    for name, report in CITATION_FORMATS.items():
        output = report.render([citation(*TWO, vendor=vendor)])
        assert "tok3n" not in output, name
    text = citations_text.render([citation(*TWO, vendor=vendor)])
    assert text.count("no permalink: git.example.org is no forge known here") == 1
    assert text.count("swh:1:cnt:") == 2
    assert citations_markdown.render([citation(*TWO, vendor=vendor)]).startswith("[^F-BERTH]: ")


def test_a_whole_file_is_cited_without_lines() -> None:
    found = citation(source=SourceText("", BLOB))
    assert citations_text.render([found]).splitlines()[:2] == ["F-BERTH  ferry 5e0d1c2b (v2.2.0) ferry/dock.py", PAGE]
    assert citations_markdown.render([found]).startswith(f"[F-BERTH]: {PAGE}\n")
    assert json.loads(citations_json.render([found]))["citations"][0]["regions"][0]["lines"] is None


def test_one_region_can_be_asked_for() -> None:
    assert citation(*TWO, region=2).ranges == (Lines(30, 41),)
    assert citation(*TWO, region=2).span == f"{PAGE}#L30-L41"
    with pytest.raises(UsageError, match="F-BERTH has 2 regions; there is no region 3"):
        citation(*TWO, region=3)
    with pytest.raises(UsageError, match="there is no region 3"):
        cite_unseen(anchor(*TWO), FERRY, FERRY.pin, "not here", region=3)


def test_lines_that_the_file_does_not_have_are_not_cited() -> None:
    with pytest.raises(NotInFile, match=r"F-BERTH: lines 49-51 of ferry/dock\.py .*: the file has 50 lines"):
        citation(Lines(49, 51))
    assert citation(Lines(49, 50)).ranges == (Lines(49, 50),)


# Markdown.


def test_a_reference_definition_spans_all_regions_and_its_title_names_them() -> None:
    output = citations_markdown.render([citation(*TWO), citation(Lines(7, 7), id="F-ONE")])
    assert output.splitlines()[:3] == [
        f'[F-BERTH]: {PAGE}#L11-L41 "lines 11-18, 30-41"',
        f"[F-ONE]: {PAGE}#L7",
        "",
    ]


def test_definitions_work_in_a_document() -> None:
    definitions = citations_markdown.render([citation(*TWO)]).partition("\n\n")[0]
    page = MarkdownIt("commonmark").render(f"See [F-BERTH].\n\n{definitions}\n")
    assert f'<a href="{PAGE}#L11-L41" title="lines 11-18, 30-41">F-BERTH</a>' in page


def test_a_footnote_links_each_region_on_its_own() -> None:
    footnote = citations_markdown.render([citation(*TWO)]).splitlines()[2]
    assert footnote.startswith(
        f"[^F-BERTH]: ferry 5e0d1c2b (v2.2.0), `ferry/dock.py` lines [11-18]({PAGE}#L11-L18), [30-41]({PAGE}#L30-L41), "
    )
    assert footnote.count("`swh:1:cnt:") == 2


def test_a_release_has_a_footnote_and_no_definition() -> None:
    assert citations_markdown.render([at_the_release()]) == (
        "[^F-STAND]: ferry 2.1.0 (source archive, sha256 9a7c…), stand-in for 5e0d1c2b (registry 9-16, 26-37), "
        f"`ferry/dock.py` lines 11-18, 30-41, `swh:1:cnt:{BLOB};lines=11-18`, `swh:1:cnt:{BLOB};lines=30-41`\n"
    )


@pytest.mark.parametrize("path", ["a(b)c].py", "`x`.py", "a <b> *c*.py", "[V-X](http_).py"])
def test_odd_paths_stay_inside_their_code_span_and_link(path: str) -> None:
    footnote = citations_markdown.render([citation(Lines(1, 2), path=path)]).splitlines()[2].partition(": ")[2]
    inline = MarkdownIt("commonmark").parse(footnote)[1].children or []
    assert next(child.content for child in inline if child.type == "code_inline") == path
    links = [child for child in inline if child.type == "link_open"]
    assert len(links) == 1
    assert str(links[0].attrs["href"]).startswith(f"https://github.com/harbour/ferry/blob/{COMMIT}/")


# HTML.


class Items(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_is_one_list_item_each_with_safe_links() -> None:
    output = citations_html.render([citation(*TWO), citation(Lines(7, 7), id="F-ONE")])
    items = Items(output)
    assert [attrs["id"] for tag, attrs in items.elements if tag == "li"] == ["fn-F-BERTH", "fn-F-ONE"]
    links = [attrs for tag, attrs in items.elements if tag == "a"]
    assert [attrs["href"] for attrs in links] == [f"{PAGE}#L11-L18", f"{PAGE}#L30-L41", f"{PAGE}#L7"]
    assert all("noopener" in str(attrs["rel"]) for attrs in links)
    assert output.count("\n") == 2


@pytest.mark.parametrize("attack", ["</li><script>x</script>", '"><img src=x onerror=y>', "' onclick='x", "&lt;&amp;"])
def test_html_has_no_element_from_a_name(attack: str) -> None:
    def of(name: str) -> Items:
        return Items(
            citations_html.render([citation(Lines(1, 2), path=f"{name}.py", revision=Revision(COMMIT, tag=name))])
        )

    assert [tag for tag, _ in of(attack).elements] == [tag for tag, _ in of("x").elements]
    assert f"{attack}.py" in of(attack).text


# JSON and the rest.


def test_json_has_all_of_it() -> None:
    document = json.loads(citations_json.render([citation(*TWO), at_the_release()]))
    assert document["schema"] == "claimcheck.cite/1"
    first, second = document["citations"]
    assert first["caption"] == "ferry 5e0d1c2b (v2.2.0) ferry/dock.py:11-18, 30-41"
    assert first["regions"][1] == {
        "lines": [30, 41],
        "recorded": [30, 41],
        "permalink": f"{PAGE}#L30-L41",
        "swhid": f"swh:1:cnt:{BLOB};{CONTEXT};lines=30-41",
    }
    assert (second["commit"], second["stand_in"], second["pin"]) == (None, True, COMMIT)
    assert second["regions"][0] == {
        "lines": [11, 18],
        "recorded": [9, 16],
        "permalink": None,
        "swhid": f"swh:1:cnt:{BLOB};lines=11-18",
    }


@pytest.mark.parametrize("name", CITATION_FORMATS)
def test_no_format_lets_a_hidden_character_out(name: str) -> None:
    odd = "a\x1b[2J\r\n::error::\u202e\u200b\x9b"
    found = citation(Lines(1, 2), path=odd, revision=Revision(COMMIT, tag=odd))
    output = CITATION_FORMATS[name].render([found, cite_unseen(anchor(path=odd), FERRY, FERRY.pin, odd)])
    assert {match.group() for match in HIDDEN.finditer(output)} == {"\n"}
    assert not any(line.lstrip().startswith("::") for line in output.split("\n"))


def test_a_renamed_file_names_the_recorded_one_beside_it() -> None:
    spots = [Spot("ferry/quay.py", Lines(7, 9))]
    found = cite(anchor(Lines(5, 7)), FERRY, Revision("0" * 39 + "1"), FERRY.pin, FIFTY_LINES, spots, [Lines(5, 7)])
    assert found.caption == "ferry 00000000 ferry/quay.py:7-9"
    assert found.standing == "pinned at 5e0d1c2b (registry ferry/dock.py 5-7)"
    assert not isinstance(found.span, NoLink)
