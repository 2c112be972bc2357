"""The page of a drift in a real browser: it asks for nothing, and filters, keys, ticks, paper and phones work.

Needs Chromium (`chromium` on PATH, or CLAIMCHECK_CHROMIUM), the package `playwright` and a font with Chinese, and
says so where they are not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from browsing import NEEDS_A_BROWSER, Open, contrast, has_chinese
from conftest import Claimcheck, MakeProject
from drifting import drifted
from test_drift_html import HOSTILE, made

pytestmark = NEEDS_A_BROWSER


@pytest.fixture
def path(make_project: MakeProject, claimcheck: Claimcheck) -> Path:
    project = drifted(make_project)
    assert claimcheck("drift", "lib", "v3", "--format", "html", "-o", "drift.html", cwd=project.root).code == 1
    return project.root / "drift.html"


READ = ["L-EVICT", "L-LIMITS", "L-TAKE", "L-MATCH", "L-AWAY"]


def test_it_opens_without_a_complaint_and_asks_for_nothing(path: Path, opened: Open) -> None:
    seen = opened(path)
    assert seen.shown() == READ
    assert seen.requests == [path.as_uri()] and seen.complaints == []
    assert seen.page.title().startswith("5 to read: lib ")
    assert not seen.page.locator(".carried details").first.evaluate("e => e.open")


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_text_runs_nothing(number: int, tmp_path: Path, opened: Open) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(made(HOSTILE[number]).encode())
    seen = opened(path)
    asked: list[str] = []
    seen.page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    seen.page.keyboard.press("j")
    seen.page.keyboard.press("o")
    assert asked == [] and seen.complaints == [] and seen.requests == [path.as_uri()]
    assert sorted(seen.shown()) == ["L-A", "L-B", "L-C"]


def test_filters_by_key_and_back(path: Path, opened: Open) -> None:
    seen = opened(path)
    for key, left in (("1", ["L-EVICT"]), ("2", ["L-LIMITS"]), ("3", ["L-TAKE", "L-MATCH"]), ("4", ["L-AWAY"])):
        seen.page.keyboard.press(key)
        assert seen.shown() == left
        seen.page.keyboard.press(key)
        assert seen.shown() == READ
    seen.page.keyboard.press("3")
    seen.page.keyboard.press("Escape")
    assert seen.shown() == READ


def test_search_and_document_narrow_what_is_shown(path: Path, opened: Open) -> None:
    seen = opened(path)
    seen.page.keyboard.press("/")
    assert seen.focused() == "page-search"
    seen.page.keyboard.type("OLDEST block")
    assert seen.shown() == ["L-EVICT"]
    seen.page.keyboard.press("Escape")
    assert seen.shown() == READ and seen.focused() != "page-search"
    seen.page.select_option("#page-document", "M1")
    assert seen.shown() == ["L-TAKE", "L-MATCH"]
    assert seen.page.inner_text("#page-said") == "2 of 5 shown"


def test_a_walk_by_keyboard(path: Path, opened: Open) -> None:
    seen = opened(path)
    walked = []
    for key in "jjjkjjjj":
        seen.page.keyboard.press(key)
        walked.append(seen.focused())
    assert walked == ["L-EVICT", "L-LIMITS", "L-TAKE", "L-LIMITS", "L-TAKE", "L-MATCH", "L-AWAY", "L-AWAY"]
    code = seen.page.locator("#L-AWAY > details")
    assert code.evaluate("e => e.open")
    seen.page.keyboard.press("o")
    assert seen.page.locator("#L-AWAY details").evaluate_all("all => all.every(e => e.open)")
    seen.page.keyboard.press("o")
    assert not code.evaluate("e => e.open")
    seen.page.keyboard.press("?")
    assert seen.page.locator("#page-help").evaluate("e => e.open")
    seen.page.keyboard.press("j")
    assert seen.page.locator("#page-help").evaluate("e => e.open"), "keys wait while the help is open"
    seen.page.keyboard.press("Escape")
    assert not seen.page.locator("#page-help").evaluate("e => e.open")


def test_everything_can_be_reached_with_tab_and_is_seen_to_have_the_focus(path: Path, opened: Open) -> None:
    seen = opened(path)
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate("document.activeElement.className") == "skip"
    outlines = set()
    for _ in range(25):
        seen.page.keyboard.press("Tab")
        outlines.add(seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))
    assert outlines == {"solid"}


def test_by_document_and_by_risk_are_two_views_of_one_page(path: Path, opened: Open) -> None:
    seen = opened(path, "?order=document")
    assert seen.page.eval_on_selector_all(".document-head h2", "all => all.map(e => e.textContent)") == [
        "M1",
        "M2",
        "cited by nothing",
    ]
    assert seen.shown() == ["L-TAKE", "L-MATCH", "L-EVICT", "L-LIMITS", "L-AWAY"]
    assert seen.page.inner_text(".document-head:nth-of-type(1) h2") == "M1"
    assert "above: L-TAKE" in seen.page.inner_text("#page-list")
    seen.page.click("button[data-order=risk]")
    assert seen.shown() == READ and seen.page.url.endswith("?order=risk")
    assert seen.page.locator(".document-head").count() == 0


def test_a_link_to_an_id_leads_there_also_to_one_that_carried(path: Path, opened: Open) -> None:
    seen = opened(path, "#L-MATCH")
    assert seen.focused() == "L-MATCH"
    seen = opened(path, "#L-NAME")
    assert seen.page.locator("#L-NAME").is_visible()


def test_a_link_to_a_place_leads_there(make_project: MakeProject, claimcheck: Claimcheck, opened: Open) -> None:
    project = drifted(make_project)
    asked = ("pool.py:11-14", "evict.py:1-5", "--format", "html", "-o", "places.html")
    assert claimcheck("drift", "lib", "v3", *asked, cwd=project.root).code == 1
    seen = opened(project.root / "places.html", "#pool.py:11-14")
    assert seen.shown() == ["evict.py:1-5", "pool.py:11-14"] and seen.focused() == "pool.py:11-14"
    assert seen.page.locator("text=claimcheck bump").count() == 0, "there is nothing that a bump could move"
    assert seen.complaints == []


def test_every_hunk_has_the_address_of_its_lines_on_both_sides(path: Path, opened: Open) -> None:
    seen = opened(path)
    addresses = seen.page.eval_on_selector_all("#L-TAKE figcaption a", "all => all.map(e => e.href)")
    assert [address.rpartition("/")[2] for address in addresses] == ["pool.py#L11-L14", "pool.py#L12-L16"]
    assert all(address.startswith("https://github.com/o/lib/blob/") for address in addresses)


def test_ticks_stay(path: Path, opened: Open) -> None:
    seen = opened(path)
    seen.page.check("#L-TAKE input[type=checkbox]")
    assert seen.page.inner_text("#page-said") == "4 of 5 still to read"
    seen.page.reload()
    assert seen.page.is_checked("#L-TAKE input[type=checkbox]")
    assert not seen.page.is_checked("#L-EVICT input[type=checkbox]")
    assert seen.complaints == []


def test_without_storage_ticks_still_work(path: Path, opened: Open) -> None:
    seen = opened(path)
    seen.page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied'); }})")
    seen.page.reload()
    seen.page.check("#L-TAKE input[type=checkbox]")
    assert seen.page.is_checked("#L-TAKE input[type=checkbox]") and seen.complaints == []


def test_without_script_everything_can_be_read(path: Path, opened: Open) -> None:
    seen = opened(path, java_script_enabled=False)
    assert seen.page.locator("#L-TAKE pre").first.is_visible()
    assert not seen.page.locator(".controls").is_visible()
    assert seen.page.locator("button:visible").count() == 0


def test_a_command_is_copied(path: Path, opened: Open) -> None:
    seen = opened(path)
    seen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    seen.page.click("#L-TAKE > .command button")
    seen.page.wait_for_function("document.querySelector('#L-TAKE > .command button').textContent === 'copied'")
    assert seen.page.evaluate("navigator.clipboard.readText()") == "claimcheck review --held L-TAKE"


def test_old_stands_beside_new_or_above_it_and_nothing_runs_over(path: Path, opened: Open) -> None:
    for width, beside in ((1400, True), (390, False)):
        seen = opened(path, viewport={"width": width, "height": 844})
        block = "#L-TAKE .block:not(.one)"
        old, new = (seen.page.locator(f"{block} .{side}.column").first.bounding_box() for side in ("old", "new"))
        assert (old["y"] == new["y"]) is beside and (old["x"] == new["x"]) is not beside
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


def test_lines_that_belong_together_stand_at_one_height(path: Path, opened: Open) -> None:
    seen = opened(path, viewport={"width": 1400, "height": 900})
    tops = seen.page.evaluate(
        "[...document.querySelectorAll('#L-TAKE .block:not(.one) pre')].slice(0, 2)"
        ".map(pre => [...pre.querySelectorAll('.l')].map(line => Math.round(line.getBoundingClientRect().top)))"
    )
    assert tops[0] == tops[1] and len(tops[0]) >= 5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough_in_light_and_dark(path: Path, opened: Open, scheme: str) -> None:
    seen = opened(path, color_scheme=scheme)
    backgrounds = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert backgrounds == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(13, 17, 23)")
    selectors = ["body", "#L-MATCH del", "#L-MATCH ins", ".l.old", ".l.new", ".dim", "nav a", "figcaption"]
    selectors += [f".word.{word}" for word in ("deleted", "ambiguous", "edited", "located")]
    selectors += ["button[aria-pressed=true]", "article > header .word.deleted", "article > header .dim"]
    for selector in selectors:
        assert contrast(seen.page, selector) >= 4.5, f"{selector} in {scheme}"


def test_on_paper_what_must_be_read_is_open_and_what_carried_is_away(path: Path, opened: Open) -> None:
    seen = opened(path, java_script_enabled=False)
    seen.page.emulate_media(media="print")
    assert not seen.page.locator(".carried").is_visible() and not seen.page.locator("nav").is_visible()
    assert seen.page.locator("#L-EVICT pre").first.is_visible()
    assert seen.page.locator("#L-EVICT .decision").first.is_visible()
    assert seen.page.locator("#L-EVICT > .on-paper").first.is_visible()
    assert seen.page.pdf(format="A4").startswith(b"%PDF-")


def test_on_paper_the_commits_are_open(path: Path, opened: Open) -> None:
    seen = opened(path)
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert seen.page.locator("#L-EVICT .commits").is_visible()


def test_chinese_is_no_row_of_boxes(path: Path, opened: Open) -> None:
    seen = opened(path)
    assert "取出的块从此有一个使用者" in seen.page.inner_text("#L-TAKE")
    assert has_chinese(seen.page), "no font here has Chinese: `apt-get install fonts-noto-cjk`"
