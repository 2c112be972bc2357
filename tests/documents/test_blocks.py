"""Markers and blocks in both formats: what they say, what is wrong with them, and that their content is not read."""

from __future__ import annotations

import pytest

from claimcheck.documents import KINDS, digest_of, is_edited
from documents.reading import cited, document, problems

BOTH = pytest.mark.parametrize("path", ["lessons/one.html", "lessons/one.md"])
MARKDOWN = "lessons/one.md"
END = "<!-- claimcheck: end -->"


@BOTH
def test_what_a_marker_says(path: str) -> None:
    page = document(
        "<!-- claimcheck: excerpt V-POOL region=2 lines = 12 caption=\"取块 = 'all'\" -->\nx [V-NEW]\ny\n"
        "<!-- claimcheck: end sha256:0123456789abcdef -->\n\nafter [V-PACK]\n",
        path,
    )
    (block,) = page.blocks
    assert (block.kind, block.ids, block.cites) == ("excerpt", ("V-POOL",), True)
    assert dict(block.options) == {"region": "2", "lines": "12", "caption": "取块 = 'all'"}
    assert (block.content, block.digest) == ("x [V-NEW]\ny", "sha256:0123456789abcdef")
    assert page.text[block.inner.start : block.inner.end] == "x [V-NEW]\ny\n"
    assert page.text[slice(*block.closing)] == "<!-- claimcheck: end sha256:0123456789abcdef -->"
    (subject,) = block.subjects
    assert page.text[subject.start : subject.end] == "V-POOL"
    assert [one.id for one in page.citations] == ["V-PACK"]
    assert page.cited == ("V-PACK", "V-POOL")


@BOTH
@pytest.mark.parametrize(
    "marker",
    [
        "pins",
        "pins vllm deepinfer",
        "footnotes",
        "claims V2",
        "example V-E2",
        "errata",
        "errata V2 title=x",
        'footnotes title="a b"',
    ],
)
def test_every_kind(marker: str, path: str) -> None:
    page = document(f"<!-- claimcheck: {marker} -->\n{END}\n", path)
    assert [block.kind for block in page.blocks] == [marker.split()[0]] and page.problems == ()
    assert page.blocks[0].content == "" and not is_edited(page.blocks[0])


def test_the_kinds_are_those_of_the_table() -> None:
    assert [kind.name for kind in KINDS] == ["excerpt", "footnotes", "claims", "example", "errata", "pins"]


@BOTH
@pytest.mark.parametrize(
    ("marker", "says"),
    [
        ("exerpt V-POOL", "no block is called exerpt; did you mean excerpt?"),
        ("table V-POOL", "no block is called table; there are excerpt, footnotes, claims, example, errata, pins, end, "
         "ignore, ignore-start, ignore-end"),
        ("excerpt V-POOL regoin=2", "`excerpt` has no key regoin; did you mean region?"),
        ("pins title=x", "`pins` has no key title; its keys: none"),
        ("excerpt", "`excerpt` is about an anchor, and none is named"),
        ("excerpt V-POOL V-PACK", "`excerpt` is about one anchor; V-PACK is too much"),
        ("footnotes V-POOL", "`footnotes` is about nothing that is named; V-POOL is too much"),
        ("excerpt V-POOL region=0", "`region` is a number from 1, not 0"),
        ("excerpt V-POOL region=one", "`region` is a number from 1, not one"),
        ("excerpt V-POOL region=1 region=2", "`region` is there twice"),
        ('excerpt V-POOL caption="a > b"', "the value of `caption` holds `--` or `>`, by which comments end"),
        ('excerpt V-POOL caption="a', '`caption="a` is no part of a marker'),
        ("", "a marker says what it is for"),
    ],
)  # fmt: skip
def test_a_marker_that_cannot_be_understood_is_one_problem_and_hides_its_content(
    marker: str, says: str, path: str
) -> None:
    text = f"<!-- claimcheck: {marker} -->\n\n[V-NEW]\n\n{END}\n\n[V-POOL]\n"
    assert problems(text, path) == [f"1:1 {says}"]
    assert document(text, path).blocks == () and [one.split()[0] for one in cited(text, path)] == ["V-POOL"]


@BOTH
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("<!-- claimcheck: pins -->\n\nx\n", ["1:1 the block `pins` has no end marker"]),
        (f"x\n\n{END}\n", ["3:1 an end marker without a block that it could end"]),
        (f"<!-- claimcheck: pins -->\n<!-- claimcheck: footnotes -->\n{END}\n", ["1:1 the block `pins` has no end marker"]),
        (f"<!-- claimcheck: pins --> x\n{END}\n", ["1:1 a marker stands on a line of its own",
         "2:1 an end marker without a block that it could end"]),
        ("<!-- claimcheck: ignore-start -->\n\nx\n", ["1:1 what is ignored never ends"]),
        ("x\n\n<!-- claimcheck: ignore-end -->\n", ["3:1 nothing is ignored that could end here"]),
        ("<!-- claimcheck: ignore V-POOL -->\n", ["1:1 `ignore` takes nothing"]),
        ("<!-- claimcheck: pins -->\n<!-- claimcheck: end now -->\n", ["2:1 an end marker has a digest or nothing"]),
        ("<!-- claimcheck:\npins -->\n\n", ["1:1 a marker stands on one line"]),
    ],
)  # fmt: skip
def test_markers_without_a_partner(text: str, says: list[str], path: str) -> None:
    assert problems(text, path) == says


@BOTH
@pytest.mark.parametrize(
    "text",
    [
        "<!-- claimcheck is a tool -->\n",
        "<!-- see claimcheck: pins -->\n",
        "&lt;!-- claimcheck: pinns -->\n",
        "<!--- claimcheck: x -->\n",
    ],
)
def test_other_comments_are_nobodys(text: str, path: str) -> None:
    page = document(text, path)
    assert page.problems == () and page.blocks == ()


class TestMarkdown:
    def test_a_block_in_a_list_and_a_quote(self) -> None:
        text = (
            "- a\n\n  > <!-- claimcheck: excerpt V-POOL -->\n  > ```\n  > [V-NEW]\n  >\n  > ```\n"
            "  > <!-- claimcheck: end -->\n\nb\n"
        )
        (block,) = document(text, MARKDOWN).blocks
        assert (block.prefix, block.content) == ("  > ", "```\n[V-NEW]\n\n```")

    def test_one_that_begins_an_item(self) -> None:
        (block,) = document(f"1. <!-- claimcheck: pins -->\n   x\n   {END}\n", MARKDOWN).blocks
        assert (block.prefix, block.content) == ("   ", "x")

    @pytest.mark.parametrize(
        "text",
        [
            f"- <!-- claimcheck: pins -->\n\n{END}\n",
            f"> <!-- claimcheck: pins -->\n\n{END}\n",
            f"- <!-- claimcheck: pins -->\n- {END}\n",
            f"<!-- claimcheck: pins -->\n\n- {END}\n",
        ],
    )
    def test_an_end_in_another_list_or_quote(self, text: str) -> None:
        page = document(text, MARKDOWN)
        assert page.blocks == () and "another list or quote" in page.problems[0].message and len(page.problems) == 1

    @pytest.mark.parametrize(
        "text",
        [
            "```\n<!-- claimcheck: pinns -->\n```\n",
            "    <!-- claimcheck: pinns -->\n",
            "`<!-- claimcheck: pinns -->`\n",
        ],
    )
    def test_what_shows_a_marker_is_none(self, text: str) -> None:
        assert problems(text, MARKDOWN) == []

    def test_a_marker_in_running_text(self) -> None:
        assert problems(f"x <!-- claimcheck: pins --> y\n\n{END}\n", MARKDOWN)[1:] == [
            "1:3 a marker stands on a line of its own, outside of other HTML"
        ]

    def test_generated_code_that_shows_markers(self) -> None:
        text = f"<!-- claimcheck: pins -->\n```\n{END}\n<!-- claimcheck: x -->\n[V-NEW]\n```\n{END}\n\n[V-POOL]\n"
        page = document(text, MARKDOWN)
        assert [block.kind for block in page.blocks] == ["pins"] and page.problems == ()
        assert [one.id for one in page.citations] == ["V-POOL"]


class TestHtml:
    def test_lines_keep_what_is_before_them(self) -> None:
        (block,) = document(f"<li>\n   <!-- claimcheck: pins -->\n  <pre>\n    a\n</pre>\n   {END}\n").blocks
        assert (block.prefix, block.content) == ("", "  <pre>\n    a\n</pre>")

    def test_generated_text_is_not_looked_into(self) -> None:
        text = f"<!-- claimcheck: pins -->\n<script>\n<p>[V-NEW] <a href='https://h/x'>\n<code>\n{END}\n<p>[V-POOL]"
        page = document(text)
        assert page.problems == () and page.links == () and [one.id for one in page.citations] == ["V-POOL"]


class TestIgnoring:
    @BOTH
    def test_a_line(self, path: str) -> None:
        text = "a [V-NEW] `x` https://h/x <!-- claimcheck: ignore -->\nb [V-POOL]\n"
        page = document(text, path)
        assert [one.id for one in page.citations] == ["V-POOL"] and page.links == ()
        assert not any(paragraph.code for paragraph in page.paragraphs) and page.problems == ()

    @BOTH
    def test_the_next_line_where_it_stands_alone(self, path: str) -> None:
        text = "a [V-POOL]\n\n<!-- claimcheck: ignore -->\nb [V-NEW]\nc [V-PACK]\n"
        assert [one.id for one in document(text, path).citations] == ["V-POOL", "V-PACK"]

    @BOTH
    def test_a_region_with_all_markers_in_it(self, path: str) -> None:
        text = (
            "[V-POOL]\n\n<!-- claimcheck: ignore-start -->\n\n[V-NEW]\n\n<!-- claimcheck: pinns -->\n\n"
            "<!-- claimcheck: ignore-start -->\n\n<!-- claimcheck: ignore-end -->\n\n[V-PACK]\n"
        )
        page = document(text, path)
        assert [one.id for one in page.citations] == ["V-POOL", "V-PACK"] and page.problems == ()
        assert page.is_ignored(text.index("[V-NEW]")) and not page.is_ignored(text.index("[V-PACK]"))

    def test_a_definition(self) -> None:
        text = "[a]: http://x\n\n<!-- claimcheck: ignore -->\n[b]: http://y\n"
        assert [link.target for link in document(text, MARKDOWN).links] == ["http://x"]


class TestDigests:
    def test_a_changed_word_is_seen(self) -> None:
        text = "<!-- claimcheck: pins -->\n{}\n<!-- claimcheck: end " + digest_of("<p>x") + " -->\n"
        assert not is_edited(document(text.format("<p>x")).blocks[0])
        assert is_edited(document(text.format("<p>y")).blocks[0])
        assert is_edited(document(text.format("<p>x\n<p>z")).blocks[0])

    def test_line_ends_blanks_at_ends_and_another_list_are_no_change(self) -> None:
        text = "<!-- claimcheck: pins -->\na\n\nb\n<!-- claimcheck: end " + digest_of("a\n\nb") + " -->\n"
        assert not is_edited(document(text.replace("\n", "\r\n"), MARKDOWN).blocks[0])
        assert not is_edited(document(text.replace("a\n", "a  \n"), MARKDOWN).blocks[0])
        assert not is_edited(document("".join(f"> {line}\n" for line in text.split("\n")), MARKDOWN).blocks[0])

    def test_text_that_nobody_vouches_for(self) -> None:
        assert is_edited(document(f"<!-- claimcheck: pins -->\nx\n{END}\n").blocks[0])
        assert not is_edited(document(f"<!-- claimcheck: pins -->\n \n\n{END}\n").blocks[0])


class TestConflicts:
    CONFLICT = "<<<<<<< HEAD\n[V-POOL]\n=======\n[V-PACK]\n>>>>>>> x\n"

    @BOTH
    def test_real_ones(self, path: str) -> None:
        assert problems(f"a\n\n{self.CONFLICT}", path) == ["3:1 an unresolved merge conflict, down to line 7"]

    @pytest.mark.parametrize(
        ("before", "after", "path"),
        [
            ("<pre>\n", "</pre>\n", "lessons/one.html"),
            ("<!--\n", "-->\n", "lessons/one.html"),
            ("<script>\n", "</script>\n", "lessons/one.html"),
            ("```\n", "```\n", MARKDOWN),
            ("<pre>\n", "</pre>\n", MARKDOWN),
        ],
    )
    def test_shown_ones(self, before: str, after: str, path: str) -> None:
        assert problems(before + self.CONFLICT + after, path) == []

    @BOTH
    def test_half_a_one(self, path: str) -> None:
        assert problems("a\n\n<<<<<<< HEAD\n\nb\n", path) == []
        assert problems("a\n\n=======\n\n>>>>>>>> b\n", path) == []
