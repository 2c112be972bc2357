"""What is running text in Markdown, with which citations, links and code; half of the cases cite nothing."""

from __future__ import annotations

import pytest

from claimcheck.documents import LinkForm
from documents.reading import cited as cited_in
from documents.reading import document as read_document

PATH = "lessons/one.md"
CITES = {
    "in a paragraph": ("One [V-POOL]\ntwo［V-PACK］。", ["V-POOL 1:6", "V-PACK 2:5"]),
    "in a heading": ("## The pool [V-POOL] ##\n\nSet\n[V-PACK]\n===\n", ["V-POOL 1:14", "V-PACK 4:2"]),
    "in a quote in a list": ("- a\n\n  > b [V-POOL]\n  > c [V-PACK]\n", ["V-POOL 3:8", "V-PACK 4:8"]),
    "on a lazy line of a quote": ("> a\nb [V-POOL]\n", ["V-POOL 2:4"]),
    "in a cell": ("| a | b |\n|---|---|\n| \\| | x [V-POOL] |\n", ["V-POOL 3:11"]),
    "in emphasis": ("**[V-POOL]** and _see [V-PACK]_ and [**V-META**]", ["V-POOL 1:4", "V-PACK 1:24", "V-META 1:40"]),
    "two that look like a reference": ("[V-PACK][V-META]", ["V-PACK 1:2", "V-META 1:10"]),
    "a list": ("[V-PACK, V-META]", ["V-PACK 1:2", "V-META 1:10"]),
    "with attributes": ("[V-POOL]{.cls}", ["V-POOL 1:2"]),
    "in double brackets": ("[[V-POOL]]", ["V-POOL 1:3"]),
    "a link": ("[V-POOL](http://x) [V-PACK](<y z> 'title')", ["V-POOL 1:2", "V-PACK 1:21"]),
    "the label of a link": ("[the pool][V-POOL]", ["V-POOL 1:12"]),
    "a footnote's mark": ("a[^V-POOL] b[^V-TYPO]", ["V-POOL 1:4", "V-TYPO 1:15"]),
    "a footnote's text": ("x[^1]\n\n[^1]: see [V-POOL]\n", ["V-POOL 3:12"]),
    "by a definition": ("See [V-POOL].\n\n[V-POOL]: http://x\n", ["V-POOL 1:6"]),
    "in raw HTML": (
        "<div>\nx [V-POOL] <code>[V-PACK]</code>\n</div>\n\na <b>[V-META]</b>\n",
        ["V-POOL 2:4", "V-META 5:7"],
    ),
    "behind front matter": ("---\ntitle: x\n---\n\n[V-POOL]\n", ["V-POOL 5:2"]),
    "behind an encoding mark": ("\ufeff# One [V-POOL]\n\n[V-PACK]\n", ["V-POOL 1:8", "V-PACK 3:2"]),
    "with CRLF": ("one\r\ntwo [V-POOL]\r\n\r\n- [V-PACK]\r\n", ["V-POOL 2:6", "V-PACK 4:4"]),
    "behind tabs": ("-\ta [V-POOL]\n\n\tb [V-PACK]\n", ["V-POOL 1:6", "V-PACK 3:5"]),
    "behind an escaped backtick": ("\\`a [V-POOL] b`", ["V-POOL 1:6"]),
    "behind backticks of another number": ("``a` b`` [V-POOL] ` ", ["V-POOL 1:11"]),
    "behind a backslash that is escaped": ("\\\\[V-POOL]", ["V-POOL 1:4"]),
}
CITES_NOTHING = {
    "an escape": "\\[V-POOL] \\[V-PACK\\]",
    "a code span": "`[V-POOL]` ``a ` [V-PACK]`` `a\n[V-META]`",
    "a fence": "```\n[V-POOL]\n```\n\n~~~~ python\n[V-PACK]\n~~~\n[V-META]\n~~~~\n",
    "a fence in a list": "- a\n\n  ```\n  [V-POOL]\n  ```\n",
    "a fence without an end": "```\n[V-POOL]\n",
    "an indented block": "a\n\n    [V-POOL]\n\n\t[V-PACK]\n",
    "an image": "![V-POOL](x.png) ![see [V-PACK]](y.png)",
    "a definition": "[V-POOL]: http://x\n[V-PACK]: <y>\n  'title'\n",
    "a footnote's mark and label": "a[^1] b[^note]\n\n[^1]: c\n\n[^V-POOL]: d\n",
    "front matter": "---\ntitle: '[V-POOL]'\n---\n\na\n",
    "a comment": "a <!-- [V-POOL] --> b\n\n<!--\n[V-PACK]\n\n[V-META]\n-->\n",
    "a tag's attribute": "a <span title='[V-POOL]'>b</span>\n\n<img alt='[V-PACK]'>\n",
    "code as HTML": "a <code>[V-POOL]</code>\n\n<pre>\n[V-PACK]\n\n[V-META]\n</pre>\n",
    "a script": "<script>\na[V-POOL]\n\n[V-PACK]\n</script>\n",
    "an address": "<http://x/[V-POOL]>",
    "a link's address and title": "[a](http://x/[V-POOL]) [b](c '[V-PACK]')",
    "somebody else's": "[UTF-8] [RFC-2119] [X-1] [ ] [x] [^1] [@key] [V-POOL; p. 3]",
    "an index": "`a` a[V-1] and b[V-2]",
    "an entity": "&#91;V-POOL] &lsqb;V-PACK]",
    "a mark between them": "[V-PO*OL*]",
}


def cited(text: str) -> list[str]:
    return cited_in(text, PATH)


@pytest.mark.parametrize(("text", "found"), CITES.values(), ids=list(CITES))
def test_cites(text: str, found: list[str]) -> None:
    assert cited(text) == found


@pytest.mark.parametrize("text", CITES_NOTHING.values(), ids=list(CITES_NOTHING))
def test_cites_nothing(text: str) -> None:
    assert cited(text) == []


def test_front_matter_and_title() -> None:
    page = read_document('---\nlang: zh\nlesson: "V2"\ntags: [a, b]\n---\n# The `pool`\n', PATH)
    assert (page.language, page.title, dict(page.front)) == ("zh", "The pool", {"lang": "zh", "lesson": "V2"})
    assert read_document("a\n\n---\nlang: zh\n---\n", PATH).language is None


class TestLinks:
    def test_in_every_form(self) -> None:
        text = (
            "[a](http://x/1 't') <http://x/2> http://x/3, [b][lab] [lab] ![i](http://x/4) `http://x/5` \\[c](http://x/6)\n\n"
            "[lab]: http://x/7\n[lab]: http://x/8\n"
        )
        page = read_document(text, PATH)
        assert [(link.target, link.form, page.text[link.start : link.end]) for link in page.links] == [
            ("http://x/1", LinkForm.INLINE, "http://x/1"),
            ("http://x/2", LinkForm.BARE, "http://x/2"),
            ("http://x/3", LinkForm.BARE, "http://x/3"),
            ("http://x/6", LinkForm.BARE, "http://x/6"),
            ("http://x/7", LinkForm.DEFINITION, "http://x/7"),
        ]

    def test_of_citations(self) -> None:
        text = "[V-POOL] [V-PACK](http://y) [the pool][V-POOL] [V-META]\n\n[v-pool]: http://x\n"
        page = read_document(text, PATH)
        links = [
            one.link and (one.link.target, page.text[one.link.whole.start : one.link.whole.end])
            for one in page.citations
        ]
        assert links == [
            ("http://x", "[V-POOL]"),
            ("http://y", "[V-PACK](http://y)"),
            ("http://x", "[the pool][V-POOL]"),
            None,
        ]

    def test_definitions_in_a_block_are_ours(self) -> None:
        text = "[V-POOL]\n\n<!-- claimcheck: footnotes -->\n[V-POOL]: #n\n<!-- claimcheck: end -->\n"
        page = read_document(text, PATH)
        link = page.citations[0].link
        assert link is not None and link.ours and link.target == "#n"
        assert page.definitions == () and page.links == ()

    def test_a_definition_that_interrupts_a_paragraph_is_none(self) -> None:
        assert read_document("a\n[lab]: http://x\n", PATH).definitions == ()

    def test_addresses_are_as_meant(self) -> None:
        assert read_document("[a](http://x/a\\_b?c=1&amp;d)", PATH).links[0].target == "http://x/a_b?c=1&d"


class TestCode:
    def test_spans_fences_and_indented_blocks(self) -> None:
        text = "Like ` a` [V-POOL]:\n\n```py title=x\n b\n```\n\n- c\n\n      d\n\n# E\n\n~~~\nf\n~~~\n"
        first, item, heading, alone = read_document(text, PATH).paragraphs
        assert [(code.text, code.block, code.language) for code in first.code] == [
            (" a", False, None),
            (" b\n", True, "py"),
        ]
        assert [code.text for code in item.code] == ["d\n"]
        assert heading.heading and not heading.code and [code.text for code in alone.code] == ["f\n"]

    def test_where_it_stands(self) -> None:
        page = read_document("> ``a`b``\n>\n> ```\n> c\n> ```\n", PATH)
        span, block = page.paragraphs[0].code
        assert page.text[span.start : span.end] == "a`b" and str(span.place) == "lessons/one.md:1:5"
        assert page.text[block.start : block.end] == "> c\n"


def test_a_row_of_a_table_is_one_paragraph() -> None:
    page = read_document("| `a` | [V-POOL] |\n|---|---|\n| b | c. [V-PACK] |\n", PATH)
    assert [paragraph.text for paragraph in page.paragraphs] == ["a | [V-POOL]", "b | c. [V-PACK]"]
