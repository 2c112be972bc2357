"""The text that is seen in HTML is the one that a parser of the standard sees, whatever is broken in it."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from documents.reading import document

html5lib = pytest.importorskip("html5lib", reason="html5lib is not installed: nobody else reads the same pages")

NOT_SHOWN = {"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"}

# fmt: off
PIECES = [
    "a", "b c", "<p>", "</p>", "<b>", "</b>", "<!--", "-->", "--!>", "<!-->", "<!--->", "<", "</", ">", "&lt;", "&amp;", "&#91;",
    "&nbsp;", "&copy", "<code>", "</code>", "<pre>", "</pre>", "<script>", "</script>", "<!-- x -->", "<style>", "</style>",
    "<a href=x>", "<a href='a>b'>", "</a>", "<a \"b\" c=d'e>", '<a b="', "'", '"', "=", "/", "<br/>", "<?x>", "<!x>", "</ x>",
    "</>", "\n", "<textarea>", "</textarea>", "<title>", "</title>", "<div\n>", "<DIV CLASS=x/>", "</DIV >", "<a/b/c>",
    "<script><!--<script>", "--", "!", "-", "]]>", "<![CDATA[x]]>", "[V-POOL]", "<x-y z>", "</script foo>", "<b =x>", "<a b= >",
]
# fmt: on


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@example("<script><!--<script><!-->x</script>y")
@example("<pre>a<!-- </pre> --></pre>b")
def test_the_same_text_is_seen(text: str) -> None:
    text = "<!doctype html><body>" + text
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = html5lib.parse(text)
    page = document(text)
    seen = "".join(
        paragraph.text + "".join(code.text for code in paragraph.code if code.block) for paragraph in page.paragraphs
    )
    assert "".join(seen.split()) == "".join("".join(_shown(tree)).split())


def _shown(node: Any) -> list[str]:
    found: list[str] = []
    if isinstance(node.tag, str) and node.tag.rpartition("}")[2] not in NOT_SHOWN:
        found.append(node.text or "")
        for below in node:
            found += [*_shown(below), below.tail or ""]
    return found
