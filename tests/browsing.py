"""Pages in a real browser, for the tests that look at them: Chromium without a network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = os.environ.get("CLAIMCHECK_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
NEEDS_A_BROWSER = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None,
    reason="pages are not looked at in a browser: `apt-get install chromium fonts-noto-cjk`, `pip install playwright`",
)


@dataclass
class Opened:
    """A page in a browser, with what it asked for and what it complained of."""

    page: Any
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def shown(self) -> list[str]:
        return list(
            self.page.eval_on_selector_all("article[data-key]", "all => all.filter(e => e.offsetParent).map(e => e.id)")
        )

    def focused(self) -> str:
        return str(self.page.evaluate("document.activeElement.id"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


Open = Callable[..., Opened]


@pytest.fixture
def opened(browser: Any) -> Iterator[Open]:
    contexts = []

    def open_page(path: Path, after: str = "", **options: Any) -> Opened:
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        seen = Opened(page)
        page.on("request", lambda request: seen.requests.append(request.url))
        page.on("console", lambda message: seen.complaints.append(message.text))
        page.on("pageerror", lambda error: seen.complaints.append(str(error)))
        page.goto(path.as_uri() + after)
        return seen

    yield open_page
    for context in contexts:
        context.close()


def contrast(page: Any, selector: str) -> float:
    """The contrast of an element's text with the nearest background below it, as WCAG counts it."""
    return float(
        page.locator(selector).first.evaluate(
            """element => {
              const parts = text => text.match(/[\\d.]+/g).map(Number);
              const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
                .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
                .reduce((sum, v, n) => sum + v * [.2126, .7152, .0722][n], 0);
              let below = element;
              let back = parts(getComputedStyle(below).backgroundColor);
              while (back.length === 4 && back[3] === 0) {
                below = below.parentElement;
                back = below ? parts(getComputedStyle(below).backgroundColor) : [255, 255, 255];
              }
              const [a, b] = [light(parts(getComputedStyle(element).color)), light(back)].sort((x, y) => y - x);
              return (a + .05) / (b + .05);
            }"""
        )
    )


def has_chinese(page: Any) -> bool:
    """Whether a font of the page has Chinese: two characters and one that no font has look different."""
    drawn = page.evaluate(
        """() => ['取', '块', '\\u{2fffe}'].map(character => {
          const canvas = document.createElement('canvas');
          canvas.width = canvas.height = 48;
          const pen = canvas.getContext('2d');
          pen.font = '32px ' + getComputedStyle(document.body).fontFamily;
          pen.fillText(character, 4, 36);
          return canvas.toDataURL();
        })"""
    )
    return len(set(drawn)) == 3
