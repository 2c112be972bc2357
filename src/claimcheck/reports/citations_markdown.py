"""Citations as Markdown: link reference definitions, then footnotes.

A definition has room for one address, so for several regions it spans them all and its title names them. What
has no permalink, as a release never has, gets the footnote alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.footnotes import Citation, CitedRegion
from claimcheck.reports.excerpts_markdown import code_span, plain, target


def render(citations: Sequence[Citation]) -> str:
    """All definitions, a blank line, all footnotes."""
    definitions = [
        f"[{citation.id}]: {target(citation.span)}{_title(citation)}"
        for citation in citations
        if isinstance(citation.span, str)
    ]
    footnotes = [f"[^{citation.id}]: {_footnote(citation)}" for citation in citations]
    return "\n\n".join("\n".join(block) for block in (definitions, footnotes) if block) + "\n"


def _title(citation: Citation) -> str:
    return f' "lines {", ".join(map(str, citation.ranges))}"' if len(citation.ranges) > 1 else ""


def _footnote(citation: Citation) -> str:
    seen = citation.seen
    parts = [plain(seen.source)]
    if citation.standing:
        parts.append(plain(citation.standing))
    parts.append(f"{code_span(seen.path)} {_lines(citation)}".strip())
    parts += [code_span(region.swhid) for region in citation.regions if region.swhid is not None]
    if citation.unseen is not None:
        parts.append(f"not looked at: {plain(citation.unseen)}")
    return ", ".join(parts)


def _lines(citation: Citation) -> str:
    if not citation.ranges:
        return _linked("whole file", citation.regions[0])
    word = "line" if len(citation.ranges) == 1 and len(citation.ranges[0]) == 1 else "lines"
    return f"{word} " + ", ".join(_linked(str(region.lines), region) for region in citation.regions)


def _linked(text: str, region: CitedRegion) -> str:
    return f"[{text}]({target(region.link)})" if isinstance(region.link, str) else text
