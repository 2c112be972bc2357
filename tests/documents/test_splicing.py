"""What is not replaced keeps every byte; laws about all texts, and what is linear stays so."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimcheck.documents import Document, Problem, digest_of, fill, is_edited, read, splice
from claimcheck.edit import Edit
from documents.reading import CITABLE, document

PATHS = st.sampled_from(["a.html", "a.md"])
# fmt: off
PIECES = st.sampled_from([
    "<", ">", "<p>", "</p>", "<code>", "</code>", "<pre>", "</pre>", "<!--", "-->", "<script>", "</script>", "<svg>",
    "<a href='x'>", "</a>", "[", "]", "［", "］", "[V-POOL]", "[V-POOL, V-PACK]", "(http://x)", "[V-POOL]: http://x",
    "`", "``", "\\", "*", "\n", "\r\n", "\r", "\n\n", "> ", "- ", "1. ", "    ", "\t", "```\n", "~~~", "|", "|-|-|\n",
    "# ", "---\n", "&amp;", "&#91;", "a", "块。", "\ufeff", "\0", "\u2028",
    "<!-- claimcheck: pins -->", "<!-- claimcheck: excerpt V-POOL -->\n", "<!-- claimcheck: end -->\n",
    "<!-- claimcheck: ignore -->", "<!-- claimcheck: ignore-start -->\n", "<!-- claimcheck: ignore-end -->\n",
])
# fmt: on
TEXTS = st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=60)


def read_it(text: str, path: str) -> Document:
    found = read(path, text.encode("utf-8"), CITABLE)
    assert isinstance(found, Document)
    return found


@settings(max_examples=400, deadline=None)
@given(TEXTS, PATHS)
def test_splicing_nothing_changes_no_byte(text: str, path: str) -> None:
    change = splice(read_it(text, path), [])
    assert change.before == change.after == text.encode("utf-8")


@settings(max_examples=400, deadline=None)
@given(TEXTS, PATHS)
def test_every_offset_gives_back_what_stands_there(text: str, path: str) -> None:
    page = read_it(text, path)
    for citation in page.citations:
        assert page.text[citation.start : citation.end] == citation.id
        bracket = page.text[slice(*citation.bracket)]
        assert bracket[0] in "[［" and bracket[-1] in "]］" and citation.id in bracket
        assert citation.place == page.place(citation.start)
    for block in page.blocks:
        assert page.text[slice(*block.opening)].startswith("<!--") and page.text[slice(*block.closing)].endswith("-->")
        assert block.opening.end <= block.inner.start <= block.inner.end <= block.closing.start
        assert all(page.text[one.start : one.end] == one.text for one in block.subjects)
        assert not any(block.opening.start <= citation.start < block.closing.end for citation in page.citations)
    for paragraph in page.paragraphs:
        assert 0 <= paragraph.span.start <= paragraph.span.end <= len(text)
        for code in paragraph.code:
            assert 0 <= code.start <= code.end <= len(text)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), PATHS)
def test_reading_never_fails(content: bytes, path: str) -> None:
    found = read(path, content, CITABLE)
    assert isinstance(found, Document | Problem)


@settings(max_examples=300, deadline=None)
@given(TEXTS, PATHS)
def test_only_what_is_renamed_changes(text: str, path: str) -> None:
    page = read_it(text, path)
    after = splice(page, [Edit(*span, "V-POOL") for span in page.mentions("V-POOL")]).after
    assert after == text.encode("utf-8")


BLOCK_LINES = (
    st.lists(st.text("ab <>*`\t", max_size=5), min_size=1, max_size=4).map("\n".join).filter(lambda text: text.strip())
)


@settings(max_examples=300, deadline=None)
@given(BLOCK_LINES, st.sampled_from(["", "> ", "- ", "  > "]), st.sampled_from(["\n", "\r\n"]))
def test_filling_twice_is_filling_once(content: str, prefix: str, end: str) -> None:
    # Within a fence nothing that is filled in can end the list or the quote.
    content = f"```\n{content.replace('`', '')}\n```"
    rest = prefix.replace("-", " ")
    first = "- a\n\n" if prefix == "  > " else ""
    text = f"{first}{prefix}<!-- claimcheck: pins -->\n{rest}<!-- claimcheck: end -->\n".replace("\n", end)
    once = filled(document(text, "lessons/one.md"), content)
    assert once.text.count("\n") == once.text.count(end)
    (block,) = once.blocks
    assert block.content.split("\n") == content.split("\n") and not is_edited(block) and block.prefix == rest
    assert fill(once, block, content) is None
    empty = fill(once, block, "")
    assert empty is not None and splice(once, [empty]).after.decode() == text


def filled(page: Document, content: str) -> Document:
    edit = fill(page, page.blocks[0], content)
    assert edit is not None
    return document(splice(page, [edit]).after, page.path)


BROKEN = (
    "\ufeff<!DOCTYPE html>\r\n<HTML lang=zh><BODY class=a>\r\n<p>A&nbsp;b&rsquo;c<br/>[V-POOL]\n"
    "<P title=x>二［V-PACK］</p></div>\r\n"
    "\t<!-- claimcheck: pins -->\r\n\t<!-- claimcheck: end -->\r\n<p>no end"
)


class TestBytes:
    def test_only_the_places_that_are_replaced_differ(self) -> None:
        page = document(BROKEN)
        edits = [Edit(one.bracket.start, one.bracket.end, f"<a>{one.id}</a>") for one in page.citations]
        after = splice(page, edits).after.decode()
        assert after == BROKEN.replace("[V-POOL]", "<a>V-POOL</a>").replace("［V-PACK］", "<a>V-PACK</a>")

    def test_lines_that_are_put_in_end_as_those_around_them(self) -> None:
        page = document(BROKEN)
        edit = fill(page, page.blocks[0], "<b>x</b>\n<i>y</i>")
        assert edit is not None
        after = splice(page, [edit]).after.decode()
        digest = digest_of("<b>x</b>\n<i>y</i>")
        assert after == BROKEN.replace(
            "\t<!-- claimcheck: end -->", f"<b>x</b>\r\n<i>y</i>\r\n\t<!-- claimcheck: end {digest} -->"
        )

    def test_in_a_file_of_mixed_ends_by_the_line(self) -> None:
        page = document("a\nb\r\nc")
        assert splice(page, [Edit(1, 1, "\n")]).after == b"a\n\nb\r\nc"
        assert splice(page, [Edit(3, 3, "\n")]).after == b"a\nb\r\n\r\nc"
        assert splice(page, [Edit(6, 6, "\n")]).after == b"a\nb\r\nc\r\n"

    def test_edits_that_overlap_are_refused(self) -> None:
        with pytest.raises(ValueError, match="overlap"):
            splice(document("abcdef"), [Edit(0, 3, "x"), Edit(2, 4, "y")])


class TestUnreadable:
    def test_bytes_that_are_no_text(self) -> None:
        found = read("a.html", b"<p>one\n<p>It\x92s", CITABLE)
        assert isinstance(found, Problem)
        assert (str(found.place), found.message) == ("a.html:2:6", "byte 0x92 at offset 12 is not UTF-8")

    def test_utf_16(self) -> None:
        found = read("a.md", "[V-POOL]".encode("utf-16"), CITABLE)
        assert isinstance(found, Problem) and found.message == "the file is UTF-16; a document is UTF-8"

    def test_a_file_of_no_format(self) -> None:
        found = read("a.txt", b"[V-POOL]", CITABLE)
        assert isinstance(found, Problem) and found.message.startswith("is no document")


@pytest.mark.parametrize("path", ["a.html", "a.md"])
@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "[",
        "<!--",
        "<a ",
        '<a b="',
        "`",
        "](",
        "[V-POOL",
        "&",
        "*",
        "\\",
        "<pre>",
        "<!-- claimcheck: pins -->\n",
        "> ",
        "![",
        ".",
    ],
)
def test_much_of_one_thing_is_read_in_the_time_that_its_length_takes(piece: str, path: str) -> None:
    """Ten times as much of it would take a hundred times as long and minutes, if it were not so."""
    page = read_it(piece * (200_000 // len(piece)), path)
    assert len(page.text) > 190_000
