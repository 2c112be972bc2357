"""The formats of `claimcheck vendor status`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from claimcheck.reports.json_values import dumps
from claimcheck.standing import Standing, Verdict
from claimcheck.terminal import visible

MEGABYTE = 1_000_000


def text(standings: Sequence[Standing], *, everything: bool = False) -> str:
    """A row for each vendor that needs a hand, or for each; and a last line that counts."""
    listed = [each for each in standings if everything or each.verdict is not Verdict.FINE]
    return "".join(f"{line}\n" for line in [*_rows(listed), _last_line(standings)])


def _rows(listed: Sequence[Standing]) -> list[str]:
    rows = [
        (visible(each.vendor.name), f"pin {each.vendor.pin.short}", "present" if each.present else "MISSING")
        + (_stand_in(each) if _stands_in(each) else _remark(each))
        for each in listed
    ]
    wide = 3 if any(map(_stands_in, listed)) else 2
    gaps = (2, 2, wide, wide, 2, 0)
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(6)]
    return [
        "".join(cell.ljust(width + gap) for cell, width, gap in zip(row, widths, gaps, strict=True)).rstrip()
        for row in rows
    ]


def _stands_in(each: Standing) -> bool:
    return not each.present and each.stand_in is not None


def _stand_in(each: Standing) -> tuple[str, str, str]:
    return f"stand-in {each.stand_in}", f"vendor/{each.vendor.name}.git", _amount(each)


def _remark(each: Standing) -> tuple[str, str, str]:
    return visible(each.remark), f"({visible(each.way_out)})" if each.way_out else "", ""


def _amount(each: Standing) -> str:
    count = len(each.releases)
    size = max(1, round((each.size or 0) / MEGABYTE))
    return f"{count} release{'' if count == 1 else 's'}, {size} MB"


def _last_line(standings: Sequence[Standing]) -> str:
    if not standings:
        return "No vendors are declared. (claimcheck vendor add URL or PATH)"
    total = f"{len(standings)} vendor{'' if len(standings) == 1 else 's'}"
    count = Counter(each.verdict for each in standings)
    missing = count[Verdict.MISSING]
    stand_ins = "look at the stand-ins: --at release" if any(map(_stands_in, standings)) else ""
    if missing and missing + count[Verdict.FINE] == len(standings):
        pins = f"{missing} pin{'' if missing == 1 else 's'} missing"
        ways = ", or ".join(filter(None, ("claimcheck vendor sync", stand_ins)))
        return f"{total}, {pins}. ({ways})"
    if count[Verdict.FINE] == len(standings):
        return f"{total}, {'the pin' if len(standings) == 1 else 'all pins'} present."
    parts = [
        f"{count[Verdict.FINE]} fine",
        f"{count[Verdict.DIFFERS]} differ{'s' if count[Verdict.DIFFERS] == 1 else ''}",
        f"{missing} missing",
        f"{count[Verdict.CHANGED]} changed on disk",
    ]
    said = ", ".join(part for part in parts if not part.startswith("0 "))
    return f"{total}: {said}." + (f" ({stand_ins})" if stand_ins else "")


def json(standings: Sequence[Standing]) -> str:
    """`claimcheck.vendor-status/1`, always with every vendor."""
    count = Counter(each.verdict for each in standings)
    return dumps(
        {
            "schema": "claimcheck.vendor-status/1",
            "summary": {"vendors": len(standings), **{verdict.value: count[verdict] for verdict in Verdict}},
            "vendors": [
                {
                    "name": each.vendor.name,
                    "pin": each.vendor.pin.text,
                    "state": each.verdict.value,
                    "present": each.present,
                    "places": list(each.places),
                    "head": each.head,
                    "gitlink": each.gitlink,
                    "shallow": each.shallow,
                    "releases": list(each.releases),
                    "stand_in": each.stand_in,
                    "bytes": each.size,
                    "remark": each.remark,
                    "help": each.way_out,
                }
                for each in standings
            ],
        }
    )
