"""The matrix of `claimcheck history` for people: revisions across, anchors and claims down, and a sentence a claim."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.history import History
from claimcheck.reports.history_words import MARK, cell_words, heads, other_paths, sentences, word

_GAP = 5  # between an ID with its region and the first column


def render(histories: Sequence[History]) -> str:
    return "\n".join(_one(history) for history in histories)


def _one(history: History) -> str:
    rows = _rows(history)
    label = max((len(label) for label, _ in rows), default=0)
    first = max(label, len(history.vendor.name)) + _GAP
    columns = list(zip(heads(history), *(cells for _, cells in rows), strict=True))
    widths = [max(len(cell.removesuffix("*")) for cell in column) for column in columns]
    table = [(history.vendor.name, heads(history)), *rows]
    lines = [
        (
            label.ljust(first) + " ".join(cell.ljust(width + 1) for cell, width in zip(cells, widths, strict=True))
        ).rstrip()
        for label, cells in table
    ]
    below = _below(history)
    marked = any(cell.endswith("*") for _, cells in rows for cell in cells)
    if marked:
        below.insert(0, MARK)
    return "\n".join([*lines, "", *below]) + "\n" if below else "\n".join(lines) + "\n"


def _rows(history: History) -> list[tuple[str, list[str]]]:
    width = max((len(id) for id in history.anchors), default=0)
    rows: list[tuple[str, list[str]]] = []
    for id in history.anchors:
        regions = history.rows(id)
        for number, row in enumerate(regions, 1):
            name = id if number == 1 else ""
            label = f"{name.ljust(width)}  {number}" if len(regions) > 1 else name
            rows.append((label, cell_words(row)))
    return rows + [(id, [word(answer.verdict) for answer in history.answers(id)]) for id in history.claims]


def _below(history: History) -> list[str]:
    lines = [f"{id}  {what}" for id, what in other_paths(history)]
    told = [
        ("  ".join((*sentence.claims, *filter(None, (sentence.since,)))), sentence) for sentence in sentences(history)
    ]
    indent = max((len(head) for head, _ in told), default=0) + 3
    for head, sentence in told:
        first, *more = sentence.parts
        lines.append(head.ljust(indent) + first + (";" if more else ""))
        lines += [" " * indent + part + (";" if part is not more[-1] else "") for part in more]
    if history.not_looked_at:
        lines.append(f"not here, not looked at: {', '.join(history.not_looked_at)}")
    return lines
