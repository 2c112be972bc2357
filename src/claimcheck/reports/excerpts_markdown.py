"""Excerpts as Markdown: a fence that the code cannot close, and below it what it shows.

The code is exactly the source's, but for characters that are shown as escapes and the rest of huge lines, which
the notes name. Line numbers stand in the caption, so that copied code is code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimcheck.excerpts import (
    Excerpt,
    ExcerptRegion,
    lines_label,
    notes,
    ranges_label,
    remark,
    shortened,
    symbols_label,
)
from claimcheck.forges import NoLink
from claimcheck.terminal import PLAIN, Paint, escaped

_BACKTICKS = re.compile(r"`+")
_SPECIAL = re.compile(r"[\\`*_\[\]<>&#|~$]")


def render(excerpts: Sequence[Excerpt], *, paint: Paint = PLAIN) -> str:
    """The excerpts one below the other, each region a fence, a caption and its link."""
    return "\n".join(_excerpt(excerpt) for excerpt in excerpts)


def code_span(text: str) -> str:
    """A code span that shows a text, whatever backticks it has."""
    shown = escaped(text)
    ticks = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def plain(text: str) -> str:
    """A text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\g<0>", escaped(" ".join(text.split())))


def target(link: str) -> str:
    """A link as Markdown takes it; addresses have no blanks or angle brackets, so only `(` and `)` matter."""
    return link.replace("(", "%28").replace(")", "%29")


def fence(lines: Sequence[str], language: str | None) -> str:
    """A fenced block, its fence longer than any run of backticks in the lines."""
    longest = max((len(run) for line in lines for run in _BACKTICKS.findall(line)), default=0)
    ticks = "`" * max(3, longest + 1)
    return "\n".join([ticks + (language or ""), *lines, ticks])


def _excerpt(excerpt: Excerpt) -> str:
    blocks = []
    for region in excerpt.regions:
        blocks.append(fence([_code(text) for _, text, _ in region.numbered()], excerpt.language))
        blocks += [_caption(excerpt, region), _source(region)]
    blocks += [f"Note: {plain(note)}" for note in notes(excerpt)]
    if excerpt.cited_by is not None:
        cited = [f"- {plain(entry.id)}: {plain(entry.text)}" for entry in excerpt.cited_by]
        blocks.append("\n".join(cited) or "Cited by nothing.")
    return "\n\n".join(blocks) + "\n"


def _code(line: str) -> str:
    beginning, more = shortened(line)
    return escaped(beginning) + more


def _caption(excerpt: Excerpt, region: ExcerptRegion) -> str:
    seen = excerpt.seen
    parts = [f"{excerpt.id}: {plain(seen.source)}"]
    if seen.standing:
        parts.append(plain(seen.standing))
    lines = "whole file" if seen.whole else lines_label([region.lines])
    if not seen.at_pin and region.recorded is not None:
        lines += f" (registry {ranges_label([region.recorded])})"
    parts += [code_span(seen.path), lines]
    if region.symbols:
        parts.append(code_span(symbols_label(region.symbols)))
    if region.before or region.after:
        parts.append(f"shown with context, {ranges_label([region.shown])}")
    if said := remark(region):
        parts.append(said)
    if seen.at_pin:
        parts.append(excerpt.review.value)
    return ", ".join(parts)


def _source(region: ExcerptRegion) -> str:
    if isinstance(region.link, NoLink):
        return code_span(region.swhid)
    return f"<{target(region.link)}>"
