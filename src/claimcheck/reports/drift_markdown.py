"""Drift as the text of a pull request: a table of what to read, everything else folded."""

from __future__ import annotations

from claimcheck.drift import AnchorDrift, Comparison, DiffLine, Drift, RegionDrift
from claimcheck.forges import permalink
from claimcheck.model import Claim, Pin, Revision, Vendor
from claimcheck.outcome import Unchanged
from claimcheck.reports.drift_text import change, places, sign, word
from claimcheck.terminal import escaped


def render(drift: Drift, vendor: Vendor, comparisons: dict[str, list[Comparison]]) -> str:
    """`comparisons` has, for each anchor to read, one for each of its regions."""
    read = drift.to_read
    anchors = "1 citation" if len(drift.anchors) == 1 else f"{len(drift.anchors)} citations"
    out = [
        f"**{drift.vendor}** {_revision(drift.origin)} → {_revision(drift.target)}: {anchors}, "
        f"{len(drift.carried)} carried over, **{len(read)} to read**",
        "",
    ]
    if read:
        out += ["| read | what changed upstream | claims that rest on it |", "| --- | --- | --- |"]
        out += [_row(drift, vendor, one) for one in read]
        out.append("")
        for one in read:
            out += _hunks(one, comparisons[one.id])
    out += _carried(drift)
    if read:
        origins = dict.fromkeys(_revision(one.origin) for one in read)
        where = f"at {next(iter(origins))}" if len(origins) == 1 else "where each is cited"
        stay = f"The {len(read)} stay" if len(read) > 1 else "It stays"
        out += ["", f"{stay} {where} until somebody has reviewed {'them' if len(read) > 1 else 'it'}."]
    return "\n".join([*out, "Nothing in this request changes a document.", ""])


def _revision(origin: Revision | Pin) -> str:
    if isinstance(origin, Pin):
        return f"`{origin.short}`"
    if origin.release:
        return f"`{origin.release.version}`"
    return f"`{origin.commit[:8]}`" + (f" ({_inline(origin.tag)})" if origin.tag else "")


def _inline(text: str) -> str:
    """Text from elsewhere inside a paragraph or a cell: nothing in it is Markdown."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>()#+-!|~&" else c for c in escaped(text))


def _code(text: str) -> str:
    text = escaped(text).replace("|", "\\|")
    fence = "``" if "`" in text else "`"
    return f"{fence} {text} {fence}" if "`" in text else f"{fence}{text}{fence}"


def _row(drift: Drift, vendor: Vendor, one: AnchorDrift) -> str:
    region = next((region for region in one.regions if not region.carries), one.regions[0])
    link = permalink(vendor, drift.target, region.spot.path, region.spot.lines) if region.spot else None
    name = f"[{one.id}]({link})" if isinstance(link, str) else one.id
    symbol = f" in {_code(region.spot.symbol)}" if region.spot and region.spot.symbol else ""
    what = f"{word(region.outcome)} {change(region)}".strip() + symbol
    claims = " ".join(entry.id for entry in one.cited_by if isinstance(entry, Claim))
    return f"| {name} | {what} | {claims} |"


def _hunks(one: AnchorDrift, comparisons: list[Comparison]) -> list[str]:
    out = [f"<details><summary>{one.id}, the changed lines</summary>", ""]
    for region, comparison in zip(one.regions, comparisons, strict=True):
        if region.carries:
            continue
        lines = [_diff_line(row, region) for row in comparison.rows]
        longest = max((len(run) for line in lines for run in _runs_of_ticks(line)), default=0)
        fence = "`" * max(3, longest + 1)
        out += [_code(places(region)), "", f"{fence}diff", *lines, fence, ""]
    return [*out, "</details>", ""]


def _runs_of_ticks(line: str) -> list[str]:
    import re

    return re.findall("`+", line)


def _diff_line(row: DiffLine | int, region: RegionDrift) -> str:
    if isinstance(row, int):
        return f"@@ {row} lines @@"
    return sign(row, region) + escaped(row.text)


def _carried(drift: Drift) -> list[str]:
    if not drift.carried:
        return []
    out = [
        f"<details><summary>{len(drift.carried)} carried over</summary>",
        "",
        "| anchor | | where |",
        "| --- | --- | --- |",
    ]
    for one in drift.carried:
        where = "; ".join(_code(places(region)) for region in one.regions if not isinstance(region.outcome, Unchanged))
        out.append(f"| {one.id} | {word(one.outcome)} | {where} |")
    return [*out, "", "</details>"]
