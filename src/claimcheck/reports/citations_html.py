"""Citations as HTML: one list item each, for the list of notes of a page."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.footnotes import Citation, CitedRegion
from claimcheck.reports.excerpts_html import attribute, code, link, text


def render(citations: Sequence[Citation]) -> str:
    """The list items, a line each, without the list."""
    return "".join(f"{_item(citation)}\n" for citation in citations)


def _item(citation: Citation) -> str:
    seen = citation.seen
    parts = [text(seen.source)]
    if citation.standing:
        parts.append(text(citation.standing))
    parts.append(f"{code(seen.path)} {_lines(citation)}")
    parts += [code(region.swhid) for region in citation.regions if region.swhid is not None]
    if citation.unseen is not None:
        parts.append(f"not looked at: {text(citation.unseen)}")
    return f"<li id={attribute(f'fn-{citation.id}')}><b>{text(citation.id)}</b> {', '.join(parts)}</li>"


def _lines(citation: Citation) -> str:
    if not citation.ranges:
        return _linked("whole file", citation.regions[0])
    word = "line" if len(citation.ranges) == 1 and len(citation.ranges[0]) == 1 else "lines"
    return f"{word} " + ", ".join(_linked(str(region.lines), region) for region in citation.regions)


def _linked(words: str, region: CitedRegion) -> str:
    return link(region.link, words) if isinstance(region.link, str) else text(words)
