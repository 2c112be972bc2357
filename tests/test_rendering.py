"""The parts of rendering: what is folded, ids, labels, code as HTML, a document's own HTML taken apart."""

from __future__ import annotations

import re
import string
from html import unescape
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimcheck.documents import Citable, Document, read
from claimcheck.model import Anchor, Basis, Claim, Registry
from claimcheck.rendering.code_html import code_html
from claimcheck.rendering.contents import CodeRegion
from claimcheck.rendering.folding import stretches
from claimcheck.rendering.labels import CHINESE, ENGLISH, say
from claimcheck.rendering.material import value_text
from claimcheck.rendering.plan import keys_of, lessons_of, plan
from claimcheck.rendering.site import layout
from claimcheck.rendering.skeleton import take_apart
from claimcheck.rendering.templates import built_in
from claimcheck.terminal import HIDDEN


def shape(texts: list[str], hits: list[int], most: int | None = 12, language: str = "") -> str:
    """`3 -4 5`: three lines shown, four folded, five shown."""
    found = stretches(texts, 1, hits, most, language)
    return " ".join(f"{'-' if stretch.folded else ''}{stretch.count}" for stretch in found)


LINES = [f"line {n}" for n in range(109)]


@pytest.mark.parametrize(
    ("hits", "expected"),
    [
        ([], "12 -97"),
        ([0], "12 -97"),
        ([50], "-47 12 -50"),
        ([108], "-97 12"),
        ([0, 60, 100], "4 -55 4 -36 4 -6"),
        ([3, 4, 5], "12 -97"),
        (list(range(0, 109, 9)), "3 -6 3 -6 3 -6 3 -79"),
    ],
)
def test_twelve_lines_around_the_search_strings(hits: list[int], expected: str) -> None:
    assert shape(LINES, hits) == expected


def test_what_saves_nothing_is_not_folded() -> None:
    assert shape(LINES[:12], []) == "12"
    assert shape(LINES[:15], []) == "15"
    assert shape(LINES[:16], []) == "12 -4"
    assert shape(LINES, [50], None) == "109"
    assert shape([], []) == ""


def test_docstrings_are_passed_over_and_blank_edges_folded() -> None:
    code = ["def f(", "    x,", "):", '    """Say', *["    more"] * 8, '    """', "", *["    work"] * 30]
    assert shape(code, [0], 12, "python") == "3 -11 9 -21"
    assert shape(code, [0], 12, "cpp") == "12 -32"
    assert shape(code, [5], 12, "python") == "6 -8 8 -22"


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["", "x", "def f():", '    """doc', '    """', "    y"]), max_size=80),
    st.lists(st.integers(0, 79), max_size=6),
    st.integers(1, 30),
)
def test_every_line_is_in_one_stretch_and_no_more_is_folded_than_asked(
    texts: list[str], hits: list[int], most: int
) -> None:
    hits = [hit for hit in hits if hit < len(texts)]
    found = stretches(texts, 7, hits, most, "python")
    assert [line for stretch in found for line in range(stretch.start, stretch.stop)] == list(range(len(texts)))
    assert all(stretch.first == stretch.start + 7 and stretch.last == stretch.stop + 6 for stretch in found)
    assert all(one.folded != other.folded for one, other in pairwise(found))
    assert not any(stretch.folded and stretch.count < 4 for stretch in found)


def region(text: str, *marks: str) -> CodeRegion:
    texts = tuple(text.split("\n"))
    return CodeRegion(1, 1, len(texts), texts, stretches(texts, 1, [], None), f"1-{len(texts)}", marks)


# Characters that are not seen are shown as escapes; those have tests of their own.
SEEN = st.characters(exclude_categories=("Cs", "Cc")).filter(lambda character: not HIDDEN.match(character))


@settings(deadline=None)
@given(st.text(alphabet=SEEN, max_size=60), st.sampled_from(["python", "cpp", ""]))
def test_the_text_of_coloured_code_is_the_code(line: str, language: str) -> None:
    code = region(f"{line}\n{line}", "in", "a<")
    html = code_html(code, code.stretches[0], language, "en")
    assert unescape(re.sub(r"<[^>]*>", "", html)) == f"{line}\n{line}"


def test_strings_are_marked_through_the_colours() -> None:
    html = code_html(region("def take(self):", "def take"), region("x").stretches[0], "python", "en")
    assert unescape("".join(re.findall(r"<mark>(.*?)</mark>", html)).replace("</span>", "")).count("<span") == 2
    assert re.sub(r"<[^>]*>", "", "".join(re.findall(r"<mark>(.*?)</mark>", html))) == "def take"


def test_a_huge_line_is_cut_and_says_so() -> None:
    html = code_html(region("x" * 5000), region("x").stretches[0], "", "zh")
    assert len(html) < 2200 and "……还有 3000 个字符" in html


def test_no_line_end_of_the_file_is_in_the_code() -> None:
    html = code_html(region("a\nb\nc"), region("a\nb\nc").stretches[0], "", "en")
    assert all("\n" not in text for text in re.split(r"<[^>]*>", html))


def test_labels_say_the_same_in_both_languages() -> None:
    def names(label: str | tuple[str, str]) -> set[str]:
        texts = (label,) if isinstance(label, str) else label
        return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}

    assert ENGLISH.keys() == CHINESE.keys()
    for name, label in ENGLISH.items():
        assert names(label) == names(CHINESE[name]), name
    assert say("en", "rest", n=1) == "1 more line" and say("zh-Hans", "rest", n=97) == "其余 97 行"
    used = {name for text in built_in().values() for name in re.findall(r'say\("([a-z-]+)"', text)}
    assert used <= ENGLISH.keys()


def test_keys_tell_documents_apart() -> None:
    assert keys_of(["lessons/V1.html", "lessons/V2.html"]) == {"lessons/V1.html": "V1", "lessons/V2.html": "V2"}
    assert (
        keys_of(["a/intro.html", "b/intro.html", "x.md", "x.html", "第一课.md", "第二课.md"])
        == {
            "a/intro.html": "a-intro",
            "b/intro.html": "b-intro",
            "x.md": "x-md",
            "x.html": "x-html",
            "第一课.md": "md",
            "第二课.md": "page-1",
        }
        or len(set(keys_of(["第一课.md", "第二课.md"]).values())) == 2
    )


def test_pages_stand_where_their_documents_do() -> None:
    site = layout(["lessons/V1.html", "lessons/deep/V2.md"])
    assert site.pages == {"lessons/V1.html": "V1.html", "lessons/deep/V2.md": "deep/V2.html"}
    assert (site.base, site.lessons, site.anchors) == ("lessons", "index.html", "anchors.html")
    site = layout(["index.md", "anchors.html", "one.md", "one.html"])
    assert site.pages["index.md"] == "index.html" and site.lessons == "index-2.html"
    assert site.pages["one.md"] == "one.html" and site.pages["one.html"] == "one.html.html"
    assert site.anchors == "anchors-2.html"
    assert layout([]).pages == {}


CITABLE = Citable(frozenset({"L"}), frozenset({"L-A", "L-B", "C1.1"}), frozenset())
REGISTRY = Registry(
    anchors={id: Anchor(id, "lib", "x.py") for id in ("L-A", "L-B")},
    claims={"C1.1": Claim("C1.1", "Text.", ("L-B",), Basis.CODE, "one")},
)


def document(text: str, path: str = "one.html") -> Document:
    found = read(path, text.encode(), CITABLE)
    assert isinstance(found, Document)
    return found


def test_notes_stand_in_the_order_of_the_page() -> None:
    text = "<p>[L-B] [C1.1]\n<!-- claimcheck: claims one -->\n<!-- claimcheck: end -->\n<p>[L-A] [L-B]\n"
    page = plan(document(text), REGISTRY, "one", ("one",))
    assert page.notes == ("L-B", "L-A")
    assert page.references["L-B"] == ("one.ref.L-B.1", "one.by.C1.1.L-B", "one.ref.L-B.2")
    assert page.target("C1.1", has_notes=True) == "one.C1.1"
    assert page.target("L-A", has_notes=False) is None


def test_taking_out_a_citation_leaves_the_ids_of_the_others() -> None:
    both = plan(document("<p>[L-A] [L-B]\n"), REGISTRY, "one", ())
    rest = plan(document("<p>[L-B]\n"), REGISTRY, "one", ())
    assert both.references["L-B"] == rest.references["L-B"] and both.note("L-B") == rest.note("L-B")


def test_a_document_belongs_to_the_lessons_whose_claims_it_shows() -> None:
    assert lessons_of(document("<!-- claimcheck: claims one -->\n<!-- claimcheck: end -->\n", "x.html"), REGISTRY) == (
        "one",
    )
    assert lessons_of(document("<p>x", "one-intro.html"), REGISTRY) == ("one",)
    assert lessons_of(document("<p>x", "other.html"), REGISTRY) == ()


@pytest.mark.parametrize(
    ("text", "body", "head"),
    [
        ("<p>a", "<p>a", ""),
        ("<!doctype html>\n<html lang=x><p>a", "<p>a", ""),
        (
            "<html><head><title>T</title><style>p {}</style></head><body class=x>a</body></html>",
            "a",
            "<style>p {}</style>",
        ),
        ("<head><meta charset=utf-8><link rel=stylesheet href=claimcheck.css></head><body>a", "a", ""),
        ("<HEAD></HEAD><BODY>a<!-- </body> --></BODY>", "a<!-- </body> -->", ""),
    ],
)
def test_a_page_is_taken_apart(text: str, body: str, head: str) -> None:
    found = take_apart(text, "k")
    assert (found.body, found.head) == (body, head)


def test_headings_get_ids_and_keep_their_own() -> None:
    found = take_apart("<h1>One</h1><h2 id=x>A &amp; <b>b</b></h2><h2>Same</h2><h2>Same</h2><h3>三</h3>", "k")
    assert [(heading.level, heading.element, heading.text) for heading in found.headings] == [
        (1, "k.One", "One"),
        (2, "x", "A & b"),
        (2, "k.Same", "Same"),
        (2, "k.Same-2", "Same"),
        (3, "k.三", "三"),
    ]
    assert '<h2 id=x>A &amp; <b>b</b></h2><h2 id="k.Same">Same</h2>' in found.body
    assert [found.body[heading.at : heading.at + 3] for heading in found.headings] == [
        "<h1",
        "<h2",
        "<h2",
        "<h2",
        "<h3",
    ]


def test_what_a_page_needs() -> None:
    text = '<img src="a b.png"><a href="https://x/y">x</a><a href="#z"></a><a href="mailto:x"></a>'
    found = take_apart(text + '<script src=s.js></script><a href="//x">', "k")
    assert found.assets == ("a b.png", "s.js")


def test_values_read_as_a_reader_takes_them_in() -> None:
    assert value_text([2, 1.5, "x", None, True]) == "[2, 1.5, x, –, true]"
    assert value_text({"A": [7], "B": {"n": 1}}) == "A: [7], B: {n: 1}"
