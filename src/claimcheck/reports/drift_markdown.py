"""Drift as the text of a pull request: a table of what to read, everything else folded."""

from __future__ import annotations

import html
from collections.abc import Sequence

from claimcheck.drift import AnchorDrift, DiffLine, Drift, RegionDrift
from claimcheck.drift_details import AnchorDetail, RegionDetail, Upstream
from claimcheck.excerpts import shortened
from claimcheck.forges import permalink
from claimcheck.model import Pin, Revision, Vendor, is_place
from claimcheck.outcome import Deleted, Edited, Unchanged
from claimcheck.phrases import counted
from claimcheck.reports.drift_words import change, lost_strings, places, short_names, sign, word
from claimcheck.terminal import escaped, visible
from claimcheck.verdict import ClaimChange


def render(drift: Drift, vendor: Vendor, found: Sequence[AnchorDetail]) -> str:
    """`found` has the details of every anchor to read."""
    read = drift.to_read
    anchors = counted(len(drift.anchors), "citation")
    out = [
        f"**{drift.vendor}** {_revision(drift.origin)} → {_revision(drift.target)}: {anchors}, "
        f"{len(drift.carried)} carried over, **{len(read)} to read**",
        "",
    ]
    if read:
        out += ["| read | what changed upstream | sentences that rest on it |", "| --- | --- | --- |"]
        out += [_row(drift, vendor, detail) for detail in found]
        out.append("")
        for detail in found:
            out += _hunks(detail)
    out += _carried(drift)
    out += ["", f"{_held(read)}Nothing in this request changes a document.", ""]
    return "\n".join(out)


def _held(read: Sequence[AnchorDrift]) -> str:
    if not read:
        return ""
    origins = dict.fromkeys(_short(one.origin) for one in read)
    where = f"at {next(iter(origins))}" if len(origins) == 1 else "where each is cited"
    stay = f"The {len(read)} stay" if len(read) > 1 else "It stays"
    return f"{stay} {where} until somebody runs `claimcheck review --held`. "


def _short(origin: Revision | Pin) -> str:
    """The version if there is one, else the beginning of the id."""
    if isinstance(origin, Revision) and origin.tag and not origin.release:
        return inline(origin.tag)
    return _revision(origin)


def _revision(origin: Revision | Pin) -> str:
    if isinstance(origin, Pin):
        return f"`{origin.short}`"
    if origin.release:
        return f"`{origin.release.version}`"
    return f"`{origin.commit[:8]}`" + (f" ({inline(origin.tag)})" if origin.tag else "")


def inline(text: str) -> str:
    """Text from elsewhere inside a paragraph or a cell: nothing in it is Markdown."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>()#+-!|~&" else c for c in escaped(text))


def _code(text: str) -> str:
    text = visible(text).replace("|", "\\|")
    fence = "``" if "`" in text else "`"
    return f"{fence} {text} {fence}" if "`" in text else f"{fence}{text}{fence}"


def _row(drift: Drift, vendor: Vendor, detail: AnchorDetail) -> str:
    one = detail.one
    part = next((part for part in detail.regions if not part.region.carries), detail.regions[0])
    spot = part.region.spot
    link = permalink(vendor, drift.target, spot.path, spot.lines) if spot else None
    name = inline(one.id) if is_place(one.id) else one.id
    name = f"[{name}]({link})" if isinstance(link, str) else name
    resting = [_claim(change) for change in one.claims]
    resting += [_code(f"{sentence.place.path}:{sentence.place.line}") for sentence in one.sentences]
    return f"| {name} | {_what(one, part)} | {' '.join(resting)} |"


def _claim(change: ClaimChange) -> str:
    if change.broke:
        return f"**{change.id}** ({change.said})"
    return f"{change.id} ✓" if change.after.good else change.id


def _what(one: AnchorDrift, part: RegionDetail) -> str:
    """`+6 −2 in `Pool.take`, `give``; another outcome than `edited` is named."""
    region = part.region
    if one.broken:
        return f"{word(region.outcome)}; {' '.join(one.broken)} held and fails now"
    if one.lost:
        return f"{word(region.outcome)}; {inline(lost_strings(one))}"
    if region.carries:
        return f"its regions are in {len(one.paths)} files now"
    names = ", ".join(_code(name) for name in short_names(part.changes.symbols))
    if part.changes.was:
        names = f"{_code(part.changes.was)}, called {names} now"
    said = change(region, part.changes).replace(" -", " −").removesuffix(" code")
    words = [] if isinstance(region.outcome, Edited) and said else [word(region.outcome)]
    words += [said] if said else []
    words += [f"in {names}"] if names else []
    words += [f"in {_code(region.spot.path)}"] if region.spot and region.spot.path != region.path else []
    words += [f"({_near(part)})"] if part.near else []
    return " ".join(words) + (f", {part.changes.head}" if part.changes.head else "")


def _near(part: RegionDetail) -> str:
    places = ", ".join(_code(f"{near.place.path}:{near.place.lines}") for near in part.near)
    return f"a trail, not an answer: {places}" if isinstance(part.region.outcome, Deleted) else f"any of {places}"


def _hunks(detail: AnchorDetail) -> list[str]:
    out = [f"<details><summary>{html.escape(escaped(detail.one.id))}, the changed lines</summary>", ""]
    for part in detail.regions:
        region = part.region
        if region.carries:
            continue
        lines = [_diff_line(row, region) for row in part.comparison.rows]
        longest = max((len(run) for line in lines for run in _runs_of_ticks(line)), default=0)
        fence = "`" * max(3, longest + 1)
        out += [_code(places(region)), "", f"{fence}diff", *lines, fence, "", *_upstream(part.upstream)]
    out += [f"- {_code(f'{said.place.path}:{said.place.line}')}: {inline(said.text)}" for said in detail.one.sentences]
    return [*out, *([""] if detail.one.sentences else []), "</details>", ""]


def _upstream(found: Upstream | None) -> list[str]:
    if found is None:
        return []
    if not found.commits:
        command = f" ({_code(found.command)} brings it)" if found.command else ""
        return [f"Upstream commits: {inline(found.why or '')}{command}", ""]
    rows = [f"- `{commit.id[:8]}` {commit.date} {inline(commit.subject)}" for commit in found.commits]
    return [f"Upstream commits that {found.what}{', the newest of them' if found.more else ''}:", "", *rows, ""]


def _runs_of_ticks(line: str) -> list[str]:
    import re

    return re.findall("`+", line)


def _diff_line(row: DiffLine | int, region: RegionDrift) -> str:
    if isinstance(row, int):
        return f"@@ {row} lines @@"
    beginning, more = shortened(row.text)
    return sign(row, region) + visible(beginning) + more


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
