"""The page of a drift: its structure, and that nothing that comes from elsewhere can change it."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimcheck.drift import AnchorDrift, Comparison, DiffLine, Drift, RegionDrift
from claimcheck.drift_changes import NO_CHANGES
from claimcheck.drift_details import AnchorDetail, Near, RegionDetail, Upstream
from claimcheck.git.touching import UpstreamCommit
from claimcheck.model import (
    Anchor,
    Basis,
    Caveat,
    Claim,
    Erratum,
    Example,
    Lines,
    Pin,
    Region,
    Release,
    Revision,
    Vendor,
)
from claimcheck.outcome import Ambiguous, Candidate, Change, Deleted, Edited, Outcome, Spot, Unchanged
from claimcheck.reports import drift_html
from conftest import Claimcheck, MakeProject, SmallProject, check_golden
from drifting import drifted, named

VOID = {"meta", "link", "input", "br"}
OLD, NEW = Revision("a" * 40, tag="v1"), Revision("b" * 40, tag="v2")
VENDOR = Vendor("lib", Pin("a" * 40), ("L",), url="https://github.com/o/lib")


@dataclass
class Page(HTMLParser):
    """A page as its elements with the names of their attributes, its texts, and what it links to."""

    tree: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tree.append(f"{'  ' * len(self.open)}{tag} {' '.join(name for name, _ in attrs)}")
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def values(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]

    def text_of(self, tag: str) -> str:
        return "".join(data for where, data in self.texts if where == tag)


def parsed(html: str) -> Page:
    page = Page()
    page.feed(html)
    page.close()
    assert page.open == []
    return page


def made(payload: str, *, target: Revision = NEW, name: str | None = None) -> str:
    """A page with a text from elsewhere at every place where one can stand; `name` is one for the files."""
    name = payload if name is None else name
    old = [payload, "    first = 1", "    second = 2", "    return " + payload]
    new = [payload, "    third = 1", "    second = 2", "    return " + payload, payload]
    rows: tuple[DiffLine | int, ...] = (
        DiffLine(1, 1, old[0]),
        DiffLine(2, None, old[1]),
        DiffLine(None, 2, new[1]),
        DiffLine(3, 3, old[2]),
        DiffLine(4, 4, old[3]),
        DiffLine(None, 5, new[4]),
    )
    commit = UpstreamCommit("c" * 40, "2026-01-01", payload)
    edited = Edited(Spot(f"src/{name}.py", Lines(1, 5), payload), Change.CODE, payload, 0.8)
    ambiguous = Ambiguous((Candidate(f"{name}.cfg", Lines(3, 4), 0.5),), payload)
    deleted = Deleted(payload, (Candidate(name, Lines(7, 7), 0.2),))
    citing = (
        Claim("C1.1", payload, ("L-A",), Basis.CODE, lesson=payload, note=payload, caveats=(Caveat(payload),)),
        Example("C-E1", payload, ("L-A",)),
        Erratum("E01-1", payload, (Lines(1, 1),), payload, payload, payload, cites=("L-A",)),
    )

    def one(id: str, outcome: Outcome) -> AnchorDrift:
        anchor = Anchor(id, "lib", f"src/{name}.py", (Region(Lines(1, 4)),))
        return AnchorDrift(anchor, OLD, (RegionDrift(1, anchor.path, Lines(1, 4), outcome, 2, 1),), citing)

    anchors = (one("L-A", edited), one("L-B", ambiguous), one("L-C", deleted))
    kept = one("L-D", Unchanged(Spot(f"src/{name}.py", Lines(1, 4))))
    gone = Comparison(tuple(DiffLine(n, None, line) for n, line in enumerate(old, 1)))
    details = [
        AnchorDetail(
            anchor,
            (
                RegionDetail(
                    anchor.regions[0],
                    Comparison(rows) if anchor.id == "L-A" else gone,
                    NO_CHANGES,
                    tuple(
                        Near(place, place.lines.first - 1, (payload, payload, "x"))
                        for place in (*ambiguous.candidates, *deleted.trail)
                        if anchor.id != "L-A"
                    ),
                    Upstream((commit,), more=True) if anchor.id == "L-A" else Upstream(why=payload, command=payload),
                ),
            ),
        )
        for anchor in anchors
    ]
    drift = Drift("lib", OLD, target, (*anchors, kept), 1, 1)
    order = {one.id: n for n, one in enumerate(drift.to_read)}
    return drift_html.render(drift, VENDOR, sorted(details, key=lambda detail: order[detail.one.id]))


HOSTILE = [
    "</script><script>alert(1)</script>",
    "</style><style>*{display:none}",
    "</pre></code><img src=x onerror=alert(1)>",
    "<!-- a comment",
    "-->",
    "]]>",
    '" onmouseover="alert(1)" x="',
    "' autofocus onfocus='alert(1)",
    "</title><svg/onload=alert(1)>",
    "</textarea></details></article></main>",
    "&lt;b&gt; &amp;amp; &#x3c;i&#x3e;",
    "{{ ''.__class__ }}{% include '/etc/passwd' %}{# x #}",
    "{{ cycler.__init__.__globals__.os.system('id') }}",
    "a\x00b\u2028c\u202ed\u200be",
    "javascript:alert(1)",
    "##vso[task.setvariable variable=x]y",
    "<plaintext>",
    "\udcff",
]


@pytest.mark.parametrize("payload", HOSTILE)
def test_hostile_text_gives_the_elements_of_harmless_text(payload: str) -> None:
    harmless = parsed(made("harmless"))
    hostile = parsed(made(payload))
    assert hostile.tree == harmless.tree
    assert hostile.others == []
    assert hostile.text_of("script") == harmless.text_of("script")
    assert hostile.text_of("style") == harmless.text_of("style")


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("<>&\"'/!-={}%# abc\x00\x1b\u2028\u202e\n"), min_size=1, max_size=30))
def test_any_text_gives_the_elements_of_harmless_text(payload: str) -> None:
    # Of a name with an empty part, as in `a//b`, there is no address, so names are left to the other tests.
    assert parsed(made("x" + payload, name="name")).tree == parsed(made("harmless")).tree


def test_a_text_is_shown_as_it_is_but_for_hidden_characters() -> None:
    shown = "".join(data for _, data in parsed(made("a <b> & \"c\" 'd' \x1b[2J\u202e {{ x }}")).texts)
    assert "a <b> & \"c\" 'd' \\x1b[2J\\u202e {{ x }}" in shown
    assert "\x1b" not in shown and "\u202e" not in shown


def test_a_page_on_stdout_holds_no_command_for_a_runner() -> None:
    assert "##vso[" not in made("##vso[task.complete result=Failed]")


@pytest.mark.parametrize("payload", ["harmless", *HOSTILE])
def test_ids_are_unique_and_every_link_inside_leads_somewhere(payload: str) -> None:
    page = parsed(made(payload))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {"L-A", "L-B", "L-C", "L-D"} <= set(ids)
    inside = [address[1:] for address in page.values("href") if address.startswith("#")]
    assert inside and set(inside) <= set(ids)
    assert all(each in ids for name in ("aria-labelledby",) for each in page.values(name))


@pytest.mark.parametrize("payload", ["harmless", *HOSTILE])
def test_nothing_is_loaded_and_nothing_runs_but_our_own_script(payload: str) -> None:
    html = made(payload)
    page = parsed(html)
    assert page.values("src") == [] and page.values("style") == []
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]
    for address in page.values("href"):
        assert address.startswith(("#", "https://github.com/o/lib/blob/")) or address == "data:,"
    assert "@import" not in page.text_of("style") and "url(" not in page.text_of("style")
    policy = page.values("content")[1]
    for text in (page.text_of("script"), page.text_of("style")):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy and "unsafe" not in policy


def headings(page: Page) -> Iterator[int]:
    for row in page.tree:
        if match := re.match(r" *h([1-6]) ", row):
            yield int(match[1])


def test_headings_are_in_order() -> None:
    levels = list(headings(parsed(made("harmless"))))
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in itertools.pairwise(levels))


def test_every_control_has_a_name_and_every_outcome_its_sentence() -> None:
    page = parsed(made("harmless"))
    assert ("html", "lang", "en") in page.attributes
    badges = [row for row in page.tree if row.strip() == "span class title"]
    assert len(badges) >= 7 and all(page.values("title"))
    search = next(row for row in page.tree if "input type id" in row)
    assert "aria-label" in search


def test_what_carried_is_closed_and_what_must_be_read_is_open() -> None:
    html = made("harmless")
    carried = html[html.index('<section class="carried"') :]
    assert "<details>" in carried and "<details open" not in carried
    assert html.count('<details class="printed" open>') == 3


def test_the_words_that_differ_are_marked_and_no_others() -> None:
    html = made("harmless")
    assert re.findall(r"<del>(.*?)</del>", html) == ["first"]
    assert re.findall(r"<ins>(.*?)</ins>", html) == ["third"]


def test_a_release_has_no_permalink_and_the_page_says_what_stands_instead() -> None:
    html = made("harmless", target=Revision("b" * 40, release=Release("2.0", "0" * 64)))
    assert "b" * 40 not in html, "the commit of a release is known to this machine only"
    assert "lib 2.0 is a source archive, without permalinks: file and lines stand instead." in html


def test_a_sentence_says_its_language_where_its_script_tells_it() -> None:
    assert 'lang="zh">取出的块</span>' in made("取出的块")
    assert 'lang="ja">ブロックを取る</span>' in made("ブロックを取る")
    assert 'lang="ko">블록을 꺼낸다</span>' in made("블록을 꺼낸다")
    assert 'dir="auto">a block</span>' in made("a block")


def test_equal_lines_between_hunks_are_folded_with_their_number() -> None:
    rows = [DiffLine(n, n, f"line {n}") for n in range(1, 31)]
    changed = [
        DiffLine(1, None, "a"),
        DiffLine(None, 1, "b"),
        *rows[1:29],
        DiffLine(30, None, "c"),
        DiffLine(None, 30, "d"),
    ]
    outcome = Edited(Spot("a.py", Lines(1, 30)), Change.CODE, "said", 0.9)
    region = RegionDrift(1, "a.py", Lines(1, 30), outcome, 2, 2)
    one = AnchorDrift(Anchor("L-A", "lib", "a.py", (Region(Lines(1, 30)),)), OLD, (region,), ())
    detail = AnchorDetail(one, (RegionDetail(region, Comparison(tuple(changed))),))
    html = drift_html.render(Drift("lib", OLD, NEW, (one,), 1, 1), VENDOR, [detail])
    assert "<summary>22 unchanged lines</summary>" in html
    numbers = [value.strip(" +-") for value in parsed(html).values("data-n") if value]
    assert [n for n in numbers if n] == [
        str(n) for part in ((1, 4), (1, 4), (5, 26), (5, 26), (27, 30), (27, 30)) for n in range(part[0], part[1] + 1)
    ]
    assert "#L27-L30" in html, "each hunk has the address of its own lines"


def test_nothing_to_read_makes_a_page_without_script() -> None:
    one = AnchorDrift(
        Anchor("L-A", "lib", "a.py", (Region(Lines(1, 2)),)),
        OLD,
        (RegionDrift(1, "a.py", Lines(1, 2), Unchanged(Spot("a.py", Lines(1, 2)))),),
        (),
    )
    html = drift_html.render(Drift("lib", OLD, NEW, (one,), 1, 0), VENDOR, [])
    assert "<title>Nothing to read: lib aaaaaaaa (v1) -&gt; bbbbbbbb (v2)</title>" in html
    assert "<script>" not in html
    parsed(html)


def page_of(project: SmallProject, claimcheck: Claimcheck) -> str:
    ran = claimcheck("drift", "lib", "v3", "--format", "html", cwd=project.root)
    assert (ran.code, ran.err) == (1, "")
    return ran.out


def test_the_page_of_the_made_up_vendor(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = drifted(make_project)
    html = page_of(project, claimcheck)
    assert html == page_of(project, claimcheck), "the same bytes each time"
    parsed(html)
    for tag in ("style", "script"):
        html = re.sub(rf"(<{tag}>).*?(</{tag}>)", r"\1…\2", html, flags=re.DOTALL)
    html = re.sub(r"'sha256-[^']*'", "'sha256-…'", html)
    html = re.sub(r'data-key="[0-9a-f]{16}"', 'data-key="…"', html)
    check_golden("drift.html", named(html, project))


def test_the_title_says_how_much_there_is_to_read(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = drifted(make_project)
    page = parsed(page_of(project, claimcheck))
    old, new = project.commits[1][:8], project.commits[2][:8]
    assert page.text_of("title") == f"5 to read: lib {old} -> {new} (v3)"
