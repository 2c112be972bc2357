"""Excerpts for a terminal: numbered lines, so that no line of the source begins one of the output."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimcheck.excerpts import (
    Excerpt,
    ExcerptRegion,
    lines_label,
    notes,
    place_label,
    remark,
    shortened,
    symbols_label,
)
from claimcheck.forges import NoLink
from claimcheck.terminal import CI_COMMAND, PLAIN, Paint, visible

_BEGINS_WITH_A_WORD = re.compile(r"\w")


def render(excerpts: Sequence[Excerpt], *, paint: Paint = PLAIN) -> str:
    """The excerpts one below the other; in colour IDs are bold and what is not code is dim, else nothing differs."""
    return "\n".join(_excerpt(excerpt, paint) for excerpt in excerpts)


def _excerpt(excerpt: Excerpt, paint: Paint) -> str:
    blocks = [paint.strong(excerpt.id) + _header(excerpt).removeprefix(excerpt.id)]
    width = max(len(str(region.shown.last)) for region in excerpt.regions)
    gaps = (*excerpt.gaps, 0)
    for region, gap in zip(excerpt.regions, gaps, strict=True):
        lines = [paint.strong(_heading(excerpt, region)), *numbered(region, width, paint)]
        if gap:
            lines.append(paint.faint(f"   ...   {gap} line{'s' if gap > 1 else ''}"))
        blocks.append("\n".join(lines))
    blocks.append("\n".join([*_sources(excerpt), *(f"note: {visible(note)}" for note in _notes(excerpt))]))
    if excerpt.cited_by is not None:
        blocks.append("\n".join(_citing(excerpt)))
    return "\n\n".join(blocks) + "\n"


def _header(excerpt: Excerpt) -> str:
    seen = excerpt.seen
    found = [region.lines for region in excerpt.regions]
    place = place_label(seen, found, [region.recorded for region in excerpt.regions])
    source = f"{seen.source}, {seen.standing}" if seen.standing else seen.source
    parts = [excerpt.id, visible(source), visible(place), *([excerpt.review.value] if seen.at_pin else [])]
    return "  ".join(parts)


def _heading(excerpt: Excerpt, region: ExcerptRegion) -> str:
    names = visible(symbols_label(region.symbols))
    if excerpt.seen.whole:
        heading = f"whole file  {region.lines}" if len(region.lines) else "whole file, empty"
    elif not names:
        heading = lines_label([region.lines])
    else:
        # A line that begins with a sign could be a command for a CI runner.
        heading = f"{'' if _BEGINS_WITH_A_WORD.match(names) else 'symbol '}{names}  {region.lines}"
    said = remark(region)
    return f"{heading}  ({said})" if said else heading


def numbered(region: ExcerptRegion, width: int, paint: Paint = PLAIN) -> list[str]:
    """The lines of a region with their numbers, context marked by `:` in place of `|`."""
    lines = []
    for number, text, cited in region.numbered():
        beginning, more = shortened(text)
        gutter = f" {number:>{width}} {'|' if cited else ':'}"
        code = f" {visible(beginning)}{more}" if text else ""
        lines.append(paint.faint(gutter) + (code if cited else paint.faint(code)))
    return lines


def _sources(excerpt: Excerpt) -> list[str]:
    """A permalink a region; where there can be none, the ids of the content and why."""
    missing = next((region.link for region in excerpt.regions if isinstance(region.link, NoLink)), None)
    if missing is None:
        return [str(region.link) for region in excerpt.regions]
    if excerpt.seen.revision.release is not None:
        ids = [region.swhid for region in excerpt.regions]
        return ids if len(ids) == 1 else [f"swh:1:cnt:{excerpt.blob}"]
    return [f"no permalink: {visible(missing.reason)}", *(region.swhid for region in excerpt.regions)]


def _notes(excerpt: Excerpt) -> list[str]:
    texts = (text for region in excerpt.regions for _, text, _ in region.numbered())
    if any(CI_COMMAND.search(shortened(text)[0]) for text in texts):
        return [*notes(excerpt), r"`#\x23` stands for `##`: as it was, CI runners would take the line for a command"]
    return notes(excerpt)


def _citing(excerpt: Excerpt) -> list[str]:
    entries = excerpt.cited_by or ()
    if not entries:
        return ["cited by nothing"]
    return [f"{visible(entry.id)}  {visible(' '.join(entry.text.split()))}" for entry in entries]
