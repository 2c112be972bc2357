"""The matrix of `claimcheck history` as a Markdown table, and the sentences below it as a list."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.history import History
from claimcheck.reports.history_words import MARK, cell_words, heads, other_paths, sentences, word


def render(histories: Sequence[History]) -> str:
    return "\n".join(_one(history) for history in histories)


def _one(history: History) -> str:
    rows = [
        (f"{id} ({n})" if len(regions) > 1 else id, cell_words(row))
        for id in history.anchors
        for regions in (history.rows(id),)
        for n, row in enumerate(regions, 1)
    ]
    rows += [(id, [word(answer.verdict) for answer in history.answers(id)]) for id in history.claims]
    lines = [_row([history.vendor.name, *heads(history)]), _row(["---"] * (len(history.columns) + 1))]
    lines += [_row([label, *(_literal(cell) for cell in cells)]) for label, cells in rows]
    below = [f"- {id}: {_literal(what)}." for id, what in other_paths(history)]
    for sentence in sentences(history):
        below.append(f"- {', '.join(sentence.claims)}: {_literal(sentence.text)}.")
    if any(cell.endswith("*") for _, cells in rows for cell in cells):
        below.append(f"- {_literal(MARK)}.")
    return "\n".join([*lines, "", *below]) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _literal(text: str) -> str:
    """The text with what Markdown would take for markup escaped; code between back-ticks stays code."""
    pieces = text.split("`")
    for n in range(0, len(pieces), 2):
        for character in "\\*_|<[":
            pieces[n] = pieces[n].replace(character, "\\" + character)
    return "`".join(pieces)
