"""What is running text in HTML, with which citations, links and code; half of the cases cite nothing."""

from __future__ import annotations

import pytest

from claimcheck.documents import LinkForm
from documents.reading import cited, document, problems

CITES = {
    "between Chinese characters": ("<p>释放减计数[V-POOL]，再看", ["V-POOL 1:10"]),
    "full-width brackets": ("<p>释放减计数［V-POOL］。", ["V-POOL 1:10"]),
    "one behind the other": ("<p>[V-PACK] [V-META]", ["V-PACK 1:5", "V-META 1:14"]),
    "a list in a bracket": ("<p>[V-PACK, V-META] ［V-PACK、V-POOL］", [
        "V-PACK 1:5", "V-META 1:13", "V-PACK 1:22", "V-POOL 1:29"]),
    "a list over two lines": ("<p>[V-PACK,\n V-META]", ["V-PACK 1:5", "V-META 2:2"]),
    "a claim, an example, a correction": ("<p>[V1.5] [V-E2] [E08-1]", ["V1.5 1:5", "V-E2 1:12", "E08-1 1:19"]),
    "what nothing defines yet": ("<p>[V-NEW] [D-NEW] [V1.9] [E08-7]", [
        "V-NEW 1:5", "D-NEW 1:13", "V1.9 1:21", "E08-7 1:28"]),
    "in emphasis, or around it": ("<p><b>[V-POOL]</b> [<i>V-PACK</i>]", ["V-POOL 1:8", "V-PACK 1:24"]),
    "in a link": ("<p><a href='#x'>[V-POOL]</a>", ["V-POOL 1:18"]),
    "each linked in a list": ("<p>[<a href='#x'>V-PACK</a>, <a href='#y'>V-META</a>]", ["V-PACK 1:18", "V-META 1:43"]),
    "in a heading, a cell, an item": ("<h2>[V-POOL]</h2><table><tr><td>[V-PACK]</table><li>[V-META]", [
        "V-POOL 1:6", "V-PACK 1:34", "V-META 1:54"]),
    "behind an encoding mark": ("\ufeff<p>[V-POOL]", ["V-POOL 1:5"]),
    "with CRLF": ("<p>one\r\n[V-POOL]\r\n", ["V-POOL 2:2"]),
    "a tag that was never closed": ("<p><b>one <i>[V-POOL]", ["V-POOL 1:15"]),
    "beside a less-than sign": ("<p>1 < 2 [V-POOL] a<b [V-PACK]", ["V-POOL 1:11"]),
    "behind attributes without quotes": ("<p class=a title=it's>[V-POOL]", ["V-POOL 1:24"]),
    "behind a line with a lone CR": ("<p>a\rb\n[V-POOL]", ["V-POOL 2:2"]),
    "in upper-case tags": ("<P><CODE>x</CODE>[V-POOL]</P>", ["V-POOL 1:19"]),
    "an index that is a defined ID": ("<p>pool[V-POOL]", ["V-POOL 1:9"]),
    "behind a script with a tag in a string": ('<script>x = "<script>"</script><p>[V-POOL]', ["V-POOL 1:36"]),
    "behind an attribute with a greater-than sign": ("<p title='a > b'>[V-POOL]", ["V-POOL 1:19"]),
}  # fmt: skip
CITES_NOTHING = {
    "a comment": "<!-- [V-POOL] -->",
    "an empty comment": "<!--> <!-- [V-POOL] -->",
    "a script": "<script>a[V-POOL]</script>",
    "data": '<script type="application/json">{"a": "[V-POOL]"}</script>',
    "a commented script": "<script><!-- <script>[V-POOL]</script> [V-POOL] --></script>",
    "a style": "<style>[V-POOL]{}</style>",
    "a title": "<title>[V-POOL]</title>",
    "a text area": "<textarea>[V-POOL]</textarea>",
    "attributes": "<img alt='[V-POOL]'><a href=[V-POOL] title=\"[V-POOL]\">x</a>",
    "a template": "<template><p>[V-POOL]</template>",
    "a picture": "<svg><text>[V-POOL]</text></svg>",
    "a formula": "<math><mi>[V-POOL]</mi></math>",
    "code": "<code>[V-POOL]</code> <kbd>[V-POOL]</kbd> <samp>[V-POOL]</samp> <tt>[V-POOL]</tt>",
    "code inside code": "<code>a <code>b</code> [V-POOL]</code>",
    "preformatted text": "<pre>[V-POOL]\n<b>[V-PACK]</b></pre>",
    "coloured code": "<pre><code><span>[</span><span>V-POOL</span>]</code></pre>",
    "a declaration": "<!doctype [V-POOL]><?php [V-POOL]?>",
    "a bracket as an entity": "<p>&#91;V-POOL] &lbrack;V-POOL]",
    "somebody else's": "<p>[UTF-8] [RFC-2119] [X-POOL] [3.14] [V2.5] [1] [a] [V] [V-pool] [v-pool] [V-] [-V]",
    "an index": "<p>a[V-1] a1[V-2] x_[V-3]",
    "words beside an ID": "<p>[see V-POOL] [V-POOL 3] [V-POOL: x]",
    "an ID in pieces": "<p>[V-<b>PO</b>OL]",
    "brackets in two paragraphs": "<p>[V-POOL<p>]",
    "brackets of two kinds inside": "<p>[[V]-POOL]",
}


@pytest.mark.parametrize(("text", "found"), CITES.values(), ids=list(CITES))
def test_cites(text: str, found: list[str]) -> None:
    assert cited(text) == found


@pytest.mark.parametrize("text", CITES_NOTHING.values(), ids=list(CITES_NOTHING))
def test_cites_nothing(text: str) -> None:
    assert cited(text) == []


def test_what_is_read_of_a_page() -> None:
    page = document(
        '<!doctype html><html lang="zh-CN"><title>块池 &amp; 队列</title><meta name="lesson" content="V2">\n'
        "<h1>One</h1><p>Two</p>"
    )
    assert (page.format, page.language, page.title, dict(page.front)) == (
        "html",
        "zh-CN",
        "块池 & 队列",
        {"lesson": "V2"},
    )
    assert [(paragraph.text.strip(), paragraph.heading) for paragraph in page.paragraphs] == [
        ("One", True),
        ("Two", False),
    ]


class TestSentences:
    def test_ends_at_full_stops_of_both_kinds(self) -> None:
        text = "<p>First one. It is taken [V-POOL] from\nthe head! 再看。释放减计数［V-PACK］，归零后放回。末了。"
        assert [one.sentence for one in document(text).citations] == [
            "It is taken [V-POOL] from the head!",
            "释放减计数［V-PACK］，归零后放回。",
        ]

    def test_what_follows_the_full_stop_belongs_to_it(self) -> None:
        text = "<p>One. Two. [V-POOL] Three. 再看。［V-PACK］末了。"
        assert [one.sentence for one in document(text).citations] == ["Two. [V-POOL]", "再看。［V-PACK］"]

    def test_abbreviations_versions_and_code_end_none(self) -> None:
        text = "<p>See e.g. version 0.33.0 and <code>a. B</code>, &nbsp;too [V-POOL]. End."
        assert document(text).citations[0].sentence == "See e.g. version 0.33.0 and a. B, too [V-POOL]."

    def test_a_line_break_between_chinese_characters_is_no_blank(self) -> None:
        assert document("<p>归零以后它\n回到队列 [V-POOL]。").citations[0].sentence == "归零以后它回到队列 [V-POOL]。"

    def test_a_row_of_a_table_is_one(self) -> None:
        text = "<table><tr><th>What<th>Where<tr><td>The pool<td>[V-POOL]</table>"
        assert document(text).citations[0].sentence == "The pool | [V-POOL]"

    def test_a_sentence_without_an_end_is_cut_around_the_citation(self) -> None:
        sentence = document(f"<p>{'word ' * 1000}[V-POOL] {'word ' * 1000}").citations[0].sentence
        assert sentence.startswith("…word") and "[V-POOL]" in sentence and len(sentence) < 700


class TestLinks:
    def test_of_a_citation(self) -> None:
        text = "<p>x <a class='a cc-cite' href=\"#n&amp;1\">[V-POOL]</a> <a href=https://h/x>the [V-PACK]</a>"
        page = document(text)
        first, second = (one.link for one in page.citations)
        assert first is not None and second is not None
        assert (first.target, first.ours, first.form) == ("#n&1", True, LinkForm.ELEMENT)
        assert page.text[first.whole.start : first.whole.end].startswith("<a class") and first.text == "[V-POOL]"
        assert (second.target, second.ours) == ("https://h/x", False)
        assert page.text[second.start : second.end] == "https://h/x"

    def test_absolute_ones_and_addresses_in_the_text(self) -> None:
        text = "<p>See https://h/a(b)，and (https://h/c). <a href='https://h/d'>https://h/e</a> <a href='/f'>f</a>"
        assert [(link.target, link.form.value) for link in document(text).links] == [
            ("https://h/a(b)", "bare"),
            ("https://h/c", "bare"),
            ("https://h/d", "element"),
        ]

    def test_none_in_code_or_comments(self) -> None:
        text = "<p><code>https://h/a</code><!-- https://h/b --><pre><a href='https://h/c'>x</a></pre>"
        assert document(text).links == ()

    def test_one_around_several_paragraphs(self) -> None:
        text = "<a href='https://h/x'><p>One [V-POOL]<p>Two [V-PACK]</a><p>[V-META]"
        assert [one.link and one.link.target for one in document(text).citations] == [
            "https://h/x",
            "https://h/x",
            None,
        ]


class TestCode:
    def test_spans_and_blocks_with_their_paragraph(self) -> None:
        text = (
            "<p>Like <code>a &lt; b</code> [V-POOL]:\n"
            '<pre class="x"><code class="language-c++">if (a &amp;&amp; <b>b</b>)\n  c;</code></pre>\n<h2>Next</h2><pre>d</pre>'
        )
        first, heading, alone = document(text).paragraphs
        assert [(code.text, code.block, code.language) for code in first.code] == [
            ("a < b", False, None),
            ("if (a && b)\n  c;", True, "c++"),
        ]
        assert first.citations and heading.heading and not heading.code
        assert [code.text for code in alone.code] == ["d"] and not alone.citations

    def test_keyboard_input_is_none(self) -> None:
        assert document("<p><kbd>Ctrl</kbd> <samp>x</samp>").paragraphs[0].code == ()


class TestUnclosed:
    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("<p>x\n<!-- y", "2:1 a comment never ends, so that nothing behind it is shown"),
            ("<p>x <a href='y>[V-POOL]", "1:6 the tag <a never ends, so that nothing behind it is shown"),
            ("<p>x <script>y", "1:6 <script> never ends, so that nothing behind it is shown"),
            ("<p>x <template>[V-POOL]", "1:6 <template> never ends, so that nothing behind it is shown"),
            ("<p>x <code>y</p><p>[V-POOL]", "1:6 <code> never ends, so that all that follows is code"),
            ("<p>x <pre>y", "1:6 <pre> never ends, so that all that follows is code"),
        ],
    )
    def test_is_said_and_hides_what_follows(self, text: str, says: str) -> None:
        assert problems(text) == [says]
        assert cited(text) == []

    @pytest.mark.parametrize(
        "text", ["<p>x", "<ul><li>x<li>y", "<p>a < b", "<p>x</code></pre>-->", "<br/><img>", "<!>"]
    )
    def test_is_not_said_of_what_needs_no_end(self, text: str) -> None:
        assert problems(text) == []
