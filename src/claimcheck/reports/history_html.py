"""The matrix of `claimcheck history` as a page: one coloured strip a row, every colour said in words as well."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources

from claimcheck.history import Answer, Cell, History
from claimcheck.reports.history_words import MARK, cell_words, heads, other_paths, sentences, word
from claimcheck.terminal import visible
from claimcheck.values import frozen
from claimcheck.verdict import Verdict

_KINDS = {Verdict.HOLDS: "holds", Verdict.CAVEATS: "caveats", Verdict.FAILS: "fails"}


@frozen
class _Shown:
    text: str
    kind: str
    why: str = ""


@frozen
class _Row:
    anchor: str
    label: str
    cells: tuple[_Shown, ...]


@frozen
class _Page:
    vendor: str
    origin: str
    stand_in: bool
    heads: tuple[str, ...]
    rows: tuple[_Row, ...]
    sentences: tuple[tuple[str, str], ...]
    mark: str


def render(histories: Sequence[History]) -> str:
    """The whole page: one file, nothing loaded, no script."""
    from jinja2 import Environment, StrictUndefined

    style = _resource("history.css")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    return environment.from_string(_resource("history.html.jinja")).render(
        title=_title(histories),
        style=style,
        style_digest=f"sha256-{digest}",
        pages=[_page(history) for history in histories],
    )


def _title(histories: Sequence[History]) -> str:
    spans = [f"{history.vendor.name} {heads(history)[0]} to {heads(history)[-1]}" for history in histories]
    return f"history: {', '.join(spans)}"


def _page(history: History) -> _Page:
    rows = [
        _Row(
            f"{id}.{n}" if n else id,
            f"{id} region {n + 1}" if len(regions) > 1 else id,
            tuple(_region(cell, words) for cell, words in zip(row, cell_words(row), strict=True)),
        )
        for id in history.anchors
        for regions in (history.rows(id),)
        for n, row in enumerate(regions)
    ]
    rows += [_Row(id, id, tuple(_claim(answer) for answer in history.answers(id))) for id in history.claims]
    told = [(id, what) for id, what in other_paths(history)]
    told += [(", ".join(sentence.claims), sentence.text) for sentence in sentences(history)]
    return _Page(
        history.vendor.name,
        history.origin.label,
        history.stand_in,
        tuple(heads(history)),
        tuple(rows),
        tuple(told),
        MARK if any(cell.kind == "changed" for row in rows for cell in row.cells) else "",
    )


def _region(cell: Cell, words: str) -> _Shown:
    kind = "other" if cell.lines is None else "changed" if words.endswith("*") else "same"
    return _Shown(
        words, "fails" if cell.word is not None and cell.word.value == "gone" else kind, visible(cell.path or "")
    )


def _claim(answer: Answer) -> _Shown:
    why = "; ".join(visible(reason.message) for reason in answer.reasons if reason.fails)
    return _Shown(word(answer.verdict), _KINDS.get(answer.verdict, "other"), why)


def _resource(name: str) -> str:
    return (resources.files("claimcheck.reports") / name).read_bytes().decode("utf-8")
