"""Templates run where they can do nothing but make text, and in workers where they cannot take for ever."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from claimcheck.rendering.pieces import Pieces, tidy
from claimcheck.rendering.templates import HTML, MARKDOWN, Engine, TemplateFailed, Templates, built_in
from conftest import Claimcheck, MakeProject
from small import CLAIMS, COMMITS, HEAD

ANCHORS = "anchors:\n  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"
PAGE = "<p>[L-TAKE]\n<!-- claimcheck: claims one -->\n<!-- claimcheck: end -->\n"
FILES = {
    "anchors.yaml": HEAD + ANCHORS,
    "claims/one.yaml": CLAIMS.replace("[L-GIVE, L-TAKE]", "[L-TAKE]"),
    "lessons/one.html": PAGE,
}


def made(template: str, target: str = HTML, name: str = "x.jinja", **values: object) -> str:
    return Engine(Templates({name: template}), target, {}).render(name, **values)


@pytest.mark.parametrize("name", ["page.html", "page.html.j2", "page.jinja", "PAGE.HTML", "t.md", "t"])
def test_html_is_escaped_whatever_the_template_is_called(name: str) -> None:
    assert (
        made("<a b='{{ x }}'>{{ x }}", name=name, x="<b>&\"'")
        == "<a b='&lt;b&gt;&amp;&#34;&#39;'>&lt;b&gt;&amp;&#34;&#39;"
    )


@pytest.mark.parametrize("name", ["t.md", "t.html", "t"])
def test_markdown_is_escaped_whatever_the_template_is_called(name: str) -> None:
    assert made("*{{ x }}*", MARKDOWN, name, x="*a* [b](c) <i> `d` | #") == r"*\*a\* \[b\](c) \<i\> \`d\` \| \#*"


def test_a_macro_is_escaped_once() -> None:
    macro = "{% macro m(x) %}{{ x }}{% endmacro %}{{ m(x) }}"
    assert made(macro, x="a & *b*") == "a &amp; *b*"
    assert made(macro, MARKDOWN, x="a & *b*") == r"a \& \*b\*"


def test_text_is_never_a_template() -> None:
    for evil in ("{{ 7*7 }}", "{% include '/etc/passwd' %}", "{% raw %}", "{{ ''.__class__ }}", "{# x #}"):
        assert made("{{ x }}", x=evil).replace("&#39;", "'") == evil


def test_the_last_line_end_is_kept_and_blocks_leave_none() -> None:
    assert made("a\n{% if true %}\nb\n{% endif %}\n") == "a\nb\n"


ESCAPES = [
    "{{ ''.__class__.__mro__ }}",
    "{{ x.__init__.__globals__ }}",
    "{{ x|attr('__class__') }}",
    "{{ '{0.__class__}'.format(x) }}",
    "{{ cycler.__init__.__globals__.os.system('touch canary') }}",
    "{{ lipsum.__globals__ }}",
    "{{ self.__init__.__globals__ }}",
    "{{ namespace.__init__.__globals__ }}",
    "{{ x.append(1) }}",
    "{% set x.y = 1 %}",
    "{% include '/etc/passwd' %}",
    "{% include '../anchors.yaml' %}",
    "{% extends 'nothing.jinja' %}",
    "{% import 'os' as os %}",
    "{{ nothing }}",
    "{{ x.nothing }}",
    "{{ {'a': 1}|xmlattr }}",
]


@pytest.mark.parametrize("template", ESCAPES)
def test_a_template_reaches_nothing_else(template: str) -> None:
    with pytest.raises(TemplateFailed) as caught:
        made(f"line one\n{template}\n", x=[1])
    assert caught.value.place is not None and str(caught.value.place).startswith("templates/x.jinja")


@pytest.mark.parametrize(
    "template",
    [
        "{% for i in range(10**9) %}{% endfor %}",
        "{{ 'x' * 10**10 }}",
        "{{ 10 ** 10 ** 10 }}",
        "{{ [0] * 10**9 }}",
        "{{ '%1000000000d' % 1 }}",
        "{% include 'x.jinja' %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% for i in range(99999) %}{{ 'x' * 1000 }}{% endfor %}",
    ],
)
def test_what_grows_without_end_is_stopped(template: str) -> None:
    with pytest.raises(TemplateFailed) as caught:
        made(template)
    assert str(caught.value.place).startswith("templates/x.jinja")


@pytest.mark.parametrize(
    ("template", "line", "message"),
    [
        ("a\nb\n{{ nothing }}\n", 3, "'nothing' is undefined"),
        ("a\n{% if %}\n", 2, "Expected an expression, got 'end of statement block'"),
        ("a\n{% for x in y %}\n", 2, ""),
        ("\n\n{{ 1 / 0 }}\n", 3, "division by zero"),
        ("{{ 'a' + 1 }}", 1, ""),
    ],
)
def test_an_error_has_the_template_and_the_line(template: str, line: int, message: str) -> None:
    with pytest.raises(TemplateFailed) as caught:
        made(template)
    assert caught.value.place is not None
    assert (caught.value.place.path, caught.value.place.line) == ("templates/x.jinja", line)
    assert message in caught.value.message


def test_an_error_in_what_is_included_has_its_own_line() -> None:
    templates = Templates({"x.jinja": "{% include 'y.jinja' %}", "y.jinja": "\n\n{{ nothing }}"})
    with pytest.raises(TemplateFailed) as caught:
        Engine(templates, HTML, {}).render("x.jinja")
    assert str(caught.value.place) == "templates/y.jinja:3"


def test_a_project_extends_what_it_replaces() -> None:
    own = {"layout.html.jinja": "{% extends 'claimcheck/layout.html.jinja' %}{% block foot %}mine{% endblock %}"}
    around = {"root": "", "lessons": "index.html", "anchors": "anchors.html"}
    page = Pieces(Templates(own), HTML, "en").page("layout.html.jinja", title="T", language="en", around=around)
    assert "mine" in page and '<link rel="stylesheet" href="claimcheck.css">' in page


def test_every_built_in_template_compiles() -> None:
    for name in built_in():
        if name.endswith(".jinja"):
            Engine(Templates({}), HTML if ".html." in name else MARKDOWN, {})._environment.get_template(name)


def test_blank_lines_are_tidied_but_not_in_code() -> None:
    text = "\n\na\n\n\nb\n````py\nx\n\n\n```\n\n\ny\n````\n\n\n\nc\n"
    assert tidy(text) == "a\n\nb\n````py\nx\n\n\n```\n\n\ny\n````\n\nc"


def test_a_template_that_fails_leaves_everything_as_it_was(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project({**FILES, "templates/claims.html.jinja": "<ol>\n{{ clams }}\n"}, *COMMITS)
    ran = claimcheck("render", cwd=project.root)
    assert ran.code == 1
    assert ran.out.startswith("templates/claims.html.jinja:2: error: 'clams' is undefined [template-failed]\n")
    assert project.read("lessons/one.html") == PAGE
    ran = claimcheck("render", "-o", "site", cwd=project.root)
    assert ran.code == 1 and not (project.root / "site/one.html").exists()


@pytest.mark.parametrize(
    "template",
    [
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "{{ 'x'.center(10**10) }}",
        "{{ ('x' * 1000000)|replace('x', 'y' * 1000000) }}",
    ],
)
def test_a_template_that_takes_for_ever_is_ended(
    make_project: MakeProject, claimcheck: Claimcheck, monkeypatch: pytest.MonkeyPatch, template: str
) -> None:
    monkeypatch.setattr("claimcheck.rendering.press.SECONDS", 1.0)
    project = make_project({**FILES, "templates/claims.html.jinja": f"x\n{template}\n"}, *COMMITS)
    ran = claimcheck("render", cwd=project.root)
    assert ran.code == 1 and "[template-failed]" in ran.out
    assert project.read("lessons/one.html") == PAGE


def test_a_template_is_not_reached_by_a_link(make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path) -> None:
    project = make_project({**FILES, "templates/x.jinja": "x"}, *COMMITS)
    os.symlink("/etc/passwd", project.root / "templates/claims.html.jinja")
    ran = claimcheck("render", cwd=project.root)
    assert ran.code == 2 and "a link that leaves the project" in ran.err
    (project.root / "templates/claims.html.jinja").unlink()
    os.symlink("../anchors.yaml", project.root / "templates/claims.html.jinja")
    ran = claimcheck("render", cwd=project.root)
    assert ran.code == 2 and "a link that leaves templates/" in ran.err


def test_a_drawing_is_made_of_the_examples_own_data(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    example = (
        "examples:\n  L-E1: {title: A & B, cites: [L-TAKE], inputs: {n: [1, 2]},\n"
        "    tables: [{columns: [a], rows: [['<x>']]}]}\n"
    )
    drawing = (
        '<svg>{% for n in inputs.n %}<rect width="{{ n }}"/>{% endfor %}'
        "<text>{{ tables[0].rows[0][0] }}{{ example.title }}</text></svg>\n"
    )
    files = {
        **FILES,
        "claims/one.yaml": FILES["claims/one.yaml"] + example,
        "lessons/one.html": "<!-- claimcheck: example L-E1 -->\n<!-- claimcheck: end -->\n",
        "lessons/two.md": "<!-- claimcheck: example L-E1 -->\n<!-- claimcheck: end -->\n",
        "templates/examples/L-E1.svg.jinja": drawing,
    }
    project = make_project(files, *COMMITS)
    assert claimcheck("render", cwd=project.root).code == 0
    expected = '<svg><rect width="1"/><rect width="2"/><text>&lt;x&gt;A &amp; B</text></svg>'
    assert expected in project.read("lessons/one.html")
    assert "svg" not in project.read("lessons/two.md")
