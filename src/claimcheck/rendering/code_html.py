"""Lines of code as HTML: coloured, with their true numbers as attributes, search strings marked.

The text of a `pre` is the source's. A line ends with `&#10;` and the file's own line ends stand inside tags, so that
whatever a document puts before each line of a block (indentation, say) never gets into the code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from markupsafe import Markup

from claimcheck.excerpts import LONGEST_LINE
from claimcheck.highlighting import Part, coloured
from claimcheck.rendering.contents import CodeRegion, Stretch
from claimcheck.rendering.labels import say
from claimcheck.rendering.templates import html_text, shown_text


def code_html(region: CodeRegion, stretch: Stretch, code: str, language: str) -> Markup:
    """The lines of a stretch. `code` is the language of the code, `language` that of the page."""
    lines = _lines(region.texts, region.marks, code)[stretch.start : stretch.stop]
    shown = []
    for number, (line, cut) in enumerate(lines, stretch.first):
        more = f'<span class="cc-cut">{html_text(say(language, "cut-line", n=cut))}</span>' if cut else ""
        shown.append(f'<span\nclass="cc-line" data-n="{number}">{line}{more}</span>')
    return Markup("&#10;".join(shown))


@lru_cache(maxsize=256)
def _lines(texts: tuple[str, ...], marks: tuple[str, ...], code: str) -> tuple[tuple[str, int], ...]:
    """Every line as HTML, and how many characters of it were left out."""
    beginnings = [text[:LONGEST_LINE] for text in texts]
    pattern = re.compile("|".join(re.escape(mark) for mark in sorted(marks, key=len, reverse=True))) if marks else None
    return tuple(
        ("".join(_marked(parts, beginning, pattern)), len(text) - len(beginning))
        for parts, beginning, text in zip(coloured(beginnings, code or None), beginnings, texts, strict=True)
    )


def _marked(parts: Sequence[Part], line: str, pattern: re.Pattern[str] | None) -> Iterator[str]:
    """The pieces of a line, cut where a marked string begins and ends."""
    hits = [match.span() for match in pattern.finditer(line)] if pattern else []
    at = 0
    for kind, value in parts:
        end = at + len(value)
        cuts = sorted({at, end, *(edge for hit in hits for edge in hit if at < edge < end)})
        for start, stop in pairwise(cuts):
            marked = any(first <= start and stop <= last for first, last in hits)
            yield _piece(kind, line[start:stop], marked)
        at = end


def _piece(kind: str, value: str, marked: bool) -> str:
    text = str(shown_text(value))
    text = f'<span class="cc-{kind}">{text}</span>' if kind else text
    return f"<mark>{text}</mark>" if marked else text
