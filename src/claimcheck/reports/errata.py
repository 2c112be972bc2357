"""The formats of `claimcheck errata`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from claimcheck.errata import Standing, State
from claimcheck.phrases import counted
from claimcheck.reports.json_values import Json, dumps, lines_json, place_json
from claimcheck.terminal import columns, visible

# What became of cited anchors elsewhere, by ID: `edited in v0.33.0`.
Drifted = Mapping[str, str]

_LONGEST_QUOTE = 60


def text(standings: Sequence[Standing], drifted: Drifted) -> str:
    """A heading a document and a row a correction; one line for documents that are not here; and a verdict."""
    lines: list[str] = []
    here = [one for one in standings if one.state is not State.NOT_HERE]
    widths = _widths(here)
    for lesson, group in groupby(standings, key=lambda one: one.erratum.lesson):
        own = list(group)
        if own[0].state is State.NOT_HERE:
            lines.append(f"{visible(lesson)}: not here ({counted(len(own), 'correction')})")
            continue
        lines.append(visible(lesson))
        lines += [_row(one, drifted, widths) for one in own]
    return "\n".join([*lines, _verdict(standings)]) + "\n"


def _cells(one: Standing) -> tuple[str, str, str, str]:
    quote = " ".join(visible(one.erratum.quote).split())
    if len(quote) > _LONGEST_QUOTE:
        quote = quote[: _LONGEST_QUOTE - 1] + "…"
    return one.erratum.id, one.state.value, _lines(one), f'"{quote}"'


def _lines(one: Standing) -> str:
    recorded = " ".join(str(lines) for lines in one.erratum.lines)
    if one.state is State.MOVED:
        return f"{recorded} -> {one.line}"
    return str(one.line) if one.line else recorded


def _widths(standings: Sequence[Standing]) -> list[int]:
    rows = [_cells(one) for one in standings]
    return [max((columns(row[n]) for row in rows), default=0) for n in range(4)]


def _row(one: Standing, drifted: Drifted, widths: Sequence[int]) -> str:
    cells = _cells(one)
    head = "  ".join(_pad(cell, width) for cell, width in zip(cells[:3], widths, strict=False))
    match one.state:
        case State.FIXED:
            return f"  {head}  now says what the correction says"
        case State.GONE:
            return f"  {head}  {cells[3]} is not there any more, and neither is the correction"
    cites = [f"{id}, {drifted[id]}" if id in drifted else id for id in one.erratum.cites]
    separator = "; " if any("," in cited for cited in cites) and len(cites) > 1 else " "
    return f"  {head}  {_pad(cells[3], widths[3])}   {separator.join(cites) or 'no source says so'}"


def _pad(text: str, width: int) -> str:
    return text + " " * (width - columns(text))


def _verdict(standings: Sequence[Standing]) -> str:
    if not standings:
        return "No corrections. (claims/errata.yaml has them)"
    missing = {one.erratum.lesson for one in standings if one.state is State.NOT_HERE}
    if all(one.state is State.NOT_HERE for one in standings):
        return f"{counted(len(missing), 'lesson')} not here; nothing checked."
    counts = Counter(one.state for one in standings)
    parts = ", ".join(f"{counts[state]} {state.value}" for state in State if counts[state])
    help = next(_ways_out(standings), "")
    return f"{counted(len(standings), 'correction')}: {parts}." + (f" ({help})" if help else "")


def _ways_out(standings: Sequence[Standing]) -> Iterator[str]:
    for one in standings:
        if one.open and one.erratum.replaceable:
            yield f"claimcheck errata --apply {one.erratum.id} shows the change first"


def json(standings: Sequence[Standing], drifted: Drifted) -> str:
    """`claimcheck.errata/1`."""
    return dumps(
        {
            "schema": "claimcheck.errata/1",
            "summary": {state.value: sum(one.state is state for one in standings) for state in State},
            "errata": [_json(one, drifted) for one in standings],
        }
    )


def _json(one: Standing, drifted: Drifted) -> Json:
    erratum = one.erratum
    return {
        "id": erratum.id,
        "lesson": erratum.lesson,
        "state": one.state.value,
        "expected_missing": erratum.expected_missing,
        "replaceable": erratum.replaceable,
        "recorded": [lines_json(lines) for lines in erratum.lines],
        "line": one.line,
        "quote": erratum.quote,
        "instead": erratum.instead,
        "cites": [{"id": id, "elsewhere": drifted.get(id)} for id in erratum.cites],
        "place": place_json(erratum.places[""]),
    }


FORMATS: Mapping[str, Callable[[Sequence[Standing], Drifted], str]] = {"text": text, "json": json}
