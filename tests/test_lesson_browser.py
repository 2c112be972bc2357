"""Pages of lessons in a real browser: a walk as a student takes it, on a desk and a phone, by day and by night.

Needs Chromium (`chromium` on PATH, or CLAIMCHECK_CHROMIUM), the package `playwright` and a font with Chinese, and
says so where they are not. The course's own pages are looked at where the releases are.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from browsing import NEEDS_A_BROWSER, Open, contrast, has_chinese
from conftest import Claimcheck, MakeProject
from small import HEAD
from test_course import needs_releases

pytestmark = NEEDS_A_BROWSER
ROOT = Path(__file__).parent.parent

SOURCE = (
    "import queue\n\n\nclass Pool:\n    def take(self):\n        # 从队首取块，直到没有为止，长行要在自己的框里滚动 "
    + "x" * 120
    + "\n        return self.free.get()\n\n"
    + "".join(f"    def step_{n}(self):\n        return {n}\n\n" for n in range(20))
)
END = "<!-- claimcheck: end -->\n"
LESSON = (
    '<!doctype html>\n<html lang="zh">\n<head><meta charset="utf-8"><title>第一课 取块</title></head>\n<body>\n<main>\n'
    "<h1>第一课 取块</h1>\n<!-- claimcheck: pins -->\n"
    + END
    + "<h2>怎样取</h2>\n<p>取块从队首开始 [L-TAKE]，一步接一步 [L-STEPS]，见 [L-E1]。</p>\n"
    '<!-- claimcheck: excerpt L-TAKE caption="队首" -->\n'
    + END
    + "<h3>步骤</h3>\n<!-- claimcheck: excerpt L-STEPS print=full -->\n"
    + END
    + "<!-- claimcheck: example L-E1 -->\n"
    + END
    + "<details><summary>答案？</summary><p>四十二</p></details>\n"
    + '<!-- claimcheck: claims one title="知识点" -->\n'
    + END
    + "<!-- claimcheck: footnotes -->\n"
    + END
    + "</main>\n</body>\n</html>\n"
)
FILES = {
    "anchors.yaml": "documents: {blocks: site}\n"
    + HEAD
    + "anchors:\n  L-TAKE: {path: pool.py, lines: 4-7, find: def take}\n"
    + "  L-STEPS: {path: pool.py, lines: 9-68, find: def step_9}\n",
    "claims/one.yaml": "lesson: one\nclaims:\n  C1.1: {text: 块从队列里取出。, cites: [L-TAKE], basis: code,\n"
    "    caveats: [{text: 队列不空。}], note: 见注释。}\n"
    "examples:\n  L-E1: {title: 两块, cites: [L-STEPS], assumptions: [不加锁。], inputs: {n: [1, 2]},\n"
    "    tables: [{caption: 取出的块, columns: [步, 块], rows: [[1, U5], [2, C3]]}]}\n",
    "lessons/one.html": LESSON,
    "lessons/two.html": LESSON.replace("第一课", "第二课"),
}
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def site(make_project: MakeProject, claimcheck: Claimcheck) -> Path:
    project = make_project(FILES, {"pool.py": SOURCE})
    ran = claimcheck("render", "-o", "site", cwd=project.root)
    assert ran.code == 0, ran.out + ran.err
    return project.root / "site"


def test_it_opens_without_a_complaint_and_asks_for_nothing_else(site: Path, opened: Open) -> None:
    for name in ("index", "one", "two", "anchors"):
        seen = opened(site / f"{name}.html")
        assert seen.complaints == []
        assert {url.rpartition("/")[2] for url in seen.requests} == {f"{name}.html", "claimcheck.css", "claimcheck.js"}
        assert seen.page.evaluate("document.documentElement.lang") == "zh"
        assert seen.page.evaluate("getComputedStyle(document.body).color") == "rgb(31, 35, 40)"  # the style was taken


def test_from_the_index_through_the_lessons(site: Path, opened: Open) -> None:
    seen = opened(site / "index.html")
    seen.page.click("text=第一课 取块")
    assert seen.page.title() == "第一课 取块"
    seen.page.click("[rel=next]")
    assert seen.page.title() == "第二课 取块"
    seen.page.click("text=源码出处")
    seen.page.click("tr#L-TAKE td a:has-text('two')")
    assert seen.page.url.endswith("two.html#two.note.L-TAKE")
    assert seen.complaints == []


def test_to_a_note_and_back(site: Path, opened: Open) -> None:
    seen = opened(site / "one.html")
    seen.page.click("a.cc-cite:has-text('[L-STEPS]')")
    assert seen.page.url.endswith("#one.note.L-STEPS")
    note = seen.page.locator("[id='one.note.L-STEPS']")
    assert note.is_visible() and note.evaluate("e => e.getBoundingClientRect().top >= 0")
    note.locator(".cc-back a").first.click()
    assert seen.page.url.endswith("#one.ref.L-STEPS.1")
    cited = seen.page.locator("[id='one.ref.L-STEPS.1']")
    assert cited.evaluate(
        "e => { const box = e.getBoundingClientRect(); return box.top > 40 && box.bottom < innerHeight; }"
    )
    note.locator("a.cc-id").click()
    assert seen.page.url.endswith("#one.code.L-STEPS")


def test_an_excerpt_is_copied_whole_and_without_numbers(site: Path, opened: Open) -> None:
    seen = opened(site / "one.html")
    figure = seen.page.locator("figure").nth(1)
    figure.locator("[data-cc-copy]").click()
    figure.locator("[data-cc-copy]", has_text="已复制").wait_for()  # the clipboard takes its time
    seen.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<textarea id=paste></textarea>')")
    seen.page.focus("#paste")
    seen.page.keyboard.press("Control+V")
    lines = [line.removeprefix("    ") for line in SOURCE.split("\n")[8:68]]
    assert seen.page.input_value("#paste") == "\n".join(lines) + "\n"


def test_what_is_selected_by_hand_has_no_numbers(site: Path, opened: Open) -> None:
    seen = opened(site / "one.html")
    assert seen.page.locator("pre").first.inner_text().startswith("class Pool:\n    def take(self):\n")


def test_folds_open_one_by_one_or_all(site: Path, opened: Open) -> None:
    seen = opened(site / "one.html")
    figure = seen.page.locator("figure").nth(1)
    assert figure.locator("details").count() == 2 and not figure.locator(".cc-f:text-is('step_19')").is_visible()
    figure.locator("summary").last.click()
    assert (
        figure.locator(".cc-f:text-is('step_19')").is_visible()
        and not figure.locator(".cc-f:text-is('step_0')").is_visible()
    )
    figure.locator("[data-cc-unfold]").click()
    assert figure.locator(".cc-f:text-is('step_0')").is_visible() and figure.locator("[data-cc-unfold]").count() == 0


def test_light_and_dark_by_the_system_and_by_hand(site: Path, opened: Open) -> None:
    def background(page: Any) -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    seen = opened(site / "one.html", color_scheme="dark")
    assert background(seen.page) == "rgb(13, 17, 23)"
    seen.page.click("[data-cc-theme]")
    assert background(seen.page) == "rgb(255, 255, 255)"
    seen.page.goto((site / "two.html").as_uri())
    assert background(seen.page) == "rgb(255, 255, 255)"
    seen.page.click("[data-cc-theme]")
    assert background(seen.page) == "rgb(13, 17, 23)"


def test_without_storage_the_page_still_works(site: Path, opened: Open) -> None:
    seen = opened(site / "one.html")
    seen.page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied'); }})")
    seen.page.reload()
    seen.page.click("[data-cc-theme]")
    assert seen.complaints == []


def test_without_script_everything_can_be_read(site: Path, opened: Open) -> None:
    seen = opened(site / "one.html", java_script_enabled=False)
    assert not seen.page.locator("[data-cc-copy]").first.is_visible()
    assert not seen.page.locator("[data-cc-theme]").is_visible()
    seen.page.locator("figure summary").last.click()
    assert seen.page.locator("text=step_19").is_visible()
    seen.page.locator(".cc-contents summary").click()
    seen.page.click(".cc-contents a:has-text('出处')")
    assert seen.page.locator(".cc-notes").is_visible()


def test_a_note_is_shown_where_the_pointer_rests(site: Path, opened: Open) -> None:
    seen = opened(site / "one.html", viewport=DESK)
    seen.page.hover("a.cc-cite:has-text('[L-TAKE]') >> nth=0")
    seen.page.wait_for_selector(".cc-peek")
    assert "pool.py" in seen.page.inner_text(".cc-peek")
    assert seen.page.evaluate("document.documentElement.scrollWidth") == DESK["width"]
    seen.page.keyboard.press("Escape")
    assert seen.page.locator(".cc-peek").count() == 0


def test_everything_is_reached_by_keyboard_and_seen_to_have_the_focus(site: Path, opened: Open) -> None:
    seen = opened(site / "one.html", viewport=DESK)
    reached = set()
    for _ in range(80):
        seen.page.keyboard.press("Tab")
        outline = seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        what = seen.page.evaluate("(document.activeElement.className || document.activeElement.tagName).split(' ')[0]")
        if what == "BODY":
            break
        assert outline == "solid", what
        reached.add(what)
    assert {"cc-skip", "cc-cite", "cc-id", "cc-code", "BUTTON", "SUMMARY", "cc-table", "A"} <= reached
    seen.page.evaluate("document.querySelector('.cc-code').focus()")
    seen.page.keyboard.press("ArrowRight")
    for _ in range(50):  # the page's policy keeps Playwright from waiting inside of it
        if seen.page.evaluate("document.querySelector('.cc-code').scrollLeft > 0"):
            return
        seen.page.wait_for_timeout(50)
    raise AssertionError("the arrow key does not scroll the code")


def test_headings_are_in_order(site: Path, opened: Open) -> None:
    for name in ("index", "one", "anchors"):
        levels = opened(site / f"{name}.html").page.eval_on_selector_all(
            "h1, h2, h3, h4, h5, h6", "all => all.map(e => Number(e.tagName[1]))"
        )
        assert levels[0] == 1 and levels.count(1) == 1
        assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough(site: Path, opened: Open, scheme: str) -> None:
    seen = opened(site / "one.html", color_scheme=scheme)
    selectors = ["body", "a.cc-cite", ".cc-aside", ".cc-pins", ".cc-from", ".cc-k", ".cc-f", ".cc-c", ".cc-m", "mark"]
    selectors += [".cc-caveat", "button", "summary", ".cc-contents a", ".cc-foot p", "th", ".cc-state", ".cc-review"]
    for selector in selectors:
        assert contrast(seen.page, selector) >= 4.5, f"{selector} in {scheme}"


@pytest.mark.parametrize("viewport", [DESK, PHONE, {"width": 320, "height": 568}])
def test_only_code_and_tables_scroll_sideways(site: Path, opened: Open, viewport: dict[str, int]) -> None:
    for name in ("index", "one", "anchors"):
        seen = opened(site / f"{name}.html", viewport=viewport)
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    seen = opened(site / "one.html", viewport=viewport)
    code = seen.page.locator(".cc-code").first
    assert code.evaluate("e => e.scrollWidth > e.clientWidth")
    assert code.evaluate("e => { e.scrollLeft = 200; return e.scrollLeft; }") == 200


def test_chinese_in_code_is_two_columns_wide(site: Path, opened: Open) -> None:
    seen = opened(site / "one.html")
    assert has_chinese(seen.page), "no font here has Chinese: `apt-get install fonts-noto-cjk`"
    widths = seen.page.evaluate(
        """() => ['块块块块', 'xxxxxxxx'].map(text => {
          const probe = document.createElement('span');
          probe.textContent = text;
          document.querySelector('pre code').append(probe);
          return probe.getBoundingClientRect().width;
        })"""
    )
    assert abs(widths[0] - widths[1]) < 0.5


def cut_off(page: Any) -> list[str]:
    """What is wider than its box on paper."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll('body *')]
              .filter(e => e.clientWidth && getComputedStyle(e).display !== 'inline' && e.scrollWidth > e.clientWidth + 1)
              .map(e => e.outerHTML.slice(0, 80))"""
        )
    )


@pytest.mark.parametrize("script", [True, False])
def test_on_paper_nothing_is_cut_off_and_what_is_to_be_printed_is_open(site: Path, opened: Open, script: bool) -> None:
    seen = opened(site / "one.html", viewport={"width": 718, "height": 1000}, java_script_enabled=script)
    seen.page.emulate_media(media="print")
    assert cut_off(seen.page) == []
    assert not seen.page.locator(".cc-bar").is_visible() and not seen.page.locator(".cc-contents").is_visible()
    assert seen.page.locator("text=step_19").is_visible()  # print=full
    assert seen.page.locator("text=四十二").is_visible()
    assert seen.page.pdf(format="A4").startswith(b"%PDF-")


@needs_releases
@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_course_itself(
    claimcheck: Claimcheck, tmp_path: Path, opened: Open, scheme: str, viewport: dict[str, int]
) -> None:
    ran = claimcheck("render", "--at", "release", "-o", str(tmp_path / "site"), cwd=ROOT)
    assert ran.code == 0, ran.out + ran.err
    for name in ("index", "anchors", "V1", "V2", "V3", "D1", "D2", "D3"):
        seen = opened(tmp_path / f"site/{name}.html", viewport=viewport, color_scheme=scheme)
        assert seen.complaints == [] and len(seen.requests) == 3, name
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], name
        assert has_chinese(seen.page)
        levels = seen.page.eval_on_selector_all("h1, h2, h3, h4, h5, h6", "all => all.map(e => Number(e.tagName[1]))")
        assert levels.count(1) == 1 and all(b <= a + 1 for a, b in pairwise(levels)), name
        broken = seen.page.evaluate(
            """() => [...document.querySelectorAll('a[href^="#"]')]
              .filter(e => !document.getElementById(decodeURIComponent(e.hash.slice(1)))).map(e => e.outerHTML)"""
        )
        assert broken == [], name
        doubled = seen.page.evaluate(
            """() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
              return ids.filter((id, n) => ids.indexOf(id) !== n); }"""
        )
        assert doubled == [], name
        outside = seen.page.evaluate("[...document.querySelectorAll('a')].filter(e => e.protocol !== 'file:').length")
        assert outside == 0, name  # a stand-in has no address at a forge
        for selector in ("body", ".cc-aside", "a", ".cc-from", "mark", ".cc-c", ".cc-s", "aside p", "text"):
            if seen.page.locator(selector).count():
                assert contrast(seen.page, selector) >= 4.5, f"{selector} of {name} in {scheme}"
    seen.page.emulate_media(media="print")
    seen.page.set_viewport_size({"width": 718, "height": 1000})
    for name in ("V1", "V2", "V3", "D1", "D2", "D3"):
        seen.page.goto((tmp_path / f"site/{name}.html").as_uri())
        assert cut_off(seen.page) == [], name
