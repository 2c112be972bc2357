"""`claimcheck.history/1`, the machine output of `history`.

History: 1, the first.
"""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.history import Answer, Cell, History, differs
from claimcheck.reports.json_values import Json, dumps, lines_json

SCHEMA = "claimcheck.history/1"


def render(histories: Sequence[History]) -> str:
    return dumps({"schema": SCHEMA, "vendors": [_one(history) for history in histories]})


def _one(history: History) -> Json:
    return {
        "name": history.vendor.name,
        "from": history.origin.public,
        "stand_in": history.stand_in,
        "revisions": [{"commit": column.revision.public, "tag": column.revision.tag} for column in history.columns],
        "not_looked_at": list(history.not_looked_at),
        "anchors": [{"id": id, "regions": [_cells(row) for row in history.rows(id)]} for id in history.anchors],
        "claims": [{"id": id, "answers": [_answer(answer) for answer in history.answers(id)]} for id in history.claims],
    }


def _cells(row: Sequence[Cell]) -> list[Json]:
    cells: list[Json] = []
    known: Cell | None = None
    for cell in row:
        cells.append(
            {
                "path": cell.path,
                "lines": lines_json(cell.lines),
                "digest": cell.digest,
                "differs": known is not None and differs(known, cell),
                "word": cell.word.value if cell.word else None,
            }
        )
        known = cell if cell.digest else known
    return cells


def _answer(answer: Answer) -> Json:
    return {
        "status": answer.verdict.value,
        "reasons": [
            {"check": reason.check, "fails": reason.fails, "message": reason.message} for reason in answer.reasons
        ],
    }
