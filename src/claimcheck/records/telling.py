"""What `import` prints: what a record has, what is wrong with it, and what was or would be written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.records.links import number_word
from claimcheck.records.plan import Plan, PlannedVendor, State
from claimcheck.records.record import Record, Shows
from claimcheck.reports.json_v1 import Json, dumps, finding_json
from claimcheck.reports.text import counted, finding_text
from claimcheck.terminal import visible

SCHEMA = "claimcheck.import/1"
MOST = {Severity.ERROR: 50, Severity.WARNING: 20, Severity.NOTE: 1}
MOST_IDS = 20
MOST_LESSONS = 12

_SHOWS = {
    Shows.EXACTLY: ("shows exactly the regions", "show exactly the regions"),
    Shows.SPAN: ("shows one span over several regions", "show one span over several regions"),
    Shows.MORE: ("shows more than the region", "show more than the region"),
    Shows.LESS: ("misses a region", "miss a region"),
    Shows.ELSEWHERE: ("leads elsewhere", "lead elsewhere"),
    Shows.UNKNOWN: ("cannot be compared", "cannot be compared"),
}


def summary(plan: Plan) -> str:
    """What the record has: one line for the file, then vendors, anchors, claims and links."""
    record = plan.record
    claims = list(record.claims)
    head = (
        f"{visible(record.path)}: {counted(record.lines, 'line')}, {counted(record.tables, 'table')}, "
        f"{counted(len(claims), 'knowledge point')}, {counted(len(record.links), 'reference link')}\n"
    )
    rows = list(_vendor_rows(plan))
    if record.anchors:
        strings = sum(len(anchor.strings) for anchor in record.anchors)
        regions = sum(len(anchor.regions) or 1 for anchor in record.anchors)
        rows.append(_row("anchors", len(record.anchors), f"{counted(regions, 'region')}, {counted(strings, 'search string')}"))
    if claims:
        citations = sum(len(claim.cites) for claim in claims)
        rows.append(_row("claims", len(claims), f"{_lessons(record)}; {counted(citations, 'citation')}"))
    if record.links:
        rows.append(_row("links", len(record.links), _links(record)))
    return "\n".join((head, *rows)) + ("\n" if rows else "")


def _row(label: str, number: int, text: str) -> str:
    return f"  {label:<7}{number:>4}   {text}"


def _vendor_rows(plan: Plan) -> Iterator[str]:
    cells = [_vendor_cells(plan, vendor) for vendor in plan.vendors]
    widths = [max(len(row[column]) for row in cells) for column in range(7)] if cells else []
    for index, row in enumerate(cells):
        name, commit, repository, prefix, *counts = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        text = f"{name}  {commit}   {repository}   {prefix}   {'  '.join(counts)}".rstrip()
        yield _row("vendors", len(cells), text) if index == 0 else f"{'':16}{text}"


def _vendor_cells(plan: Plan, vendor: PlannedVendor) -> tuple[str, ...]:
    proposed = vendor.proposed
    anchors = [anchor for anchor in plan.record.anchors if anchor.vendor == proposed.name]
    regions = sum(len(anchor.regions) or 1 for anchor in anchors)
    files = len({anchor.path for anchor in anchors})
    return (
        visible(vendor.name),
        proposed.commit[:8] if proposed.commit else "no commit",
        visible(proposed.repository or "no URL"),
        f"prefix {' '.join(proposed.prefixes)}",
        counted(len(anchors), "anchor"),
        counted(regions, "region"),
        counted(files, "file"),
    )


def _lessons(record: Record) -> str:
    lessons = record.lessons
    sizes = {len(lesson.claims) for lesson in lessons}
    if len(lessons) > MOST_LESSONS:
        shown = " ".join(lesson.id for lesson in lessons[:MOST_LESSONS])
        return f"{shown} and {len(lessons) - MOST_LESSONS} more"
    if len(sizes) > 1:
        return " ".join(f"{lesson.id} ({len(lesson.claims)})" for lesson in lessons)
    names = " ".join(lesson.id for lesson in lessons)
    return f"{names}, {number_word(sizes.pop())} each" if len(lessons) > 1 else names


def _links(record: Record) -> str:
    times = Counter(record.shows)
    parts = [f"{times[shows]} {words[times[shows] > 1]}" for shows, words in _SHOWS.items() if times[shows]]
    linked = {link.id for link in record.links}
    rest = len(record.links) - len(record.shows)
    if rest:
        parts.append(f"{rest} {'belongs' if rest == 1 else 'belong'} to no row that was taken")
    unlinked = sum(anchor.id not in linked for anchor in record.anchors)
    if unlinked:
        parts.append(f"{counted(unlinked, 'anchor')} {'has' if unlinked == 1 else 'have'} none")
    return ", ".join(parts)


def findings(plan: Plan, *, verbose: bool = False) -> str:
    """The findings by severity; of many of one kind the first ones and how many more there are."""
    lines: list[str] = []
    for rule, group in _by_rule(plan.findings):
        most = len(group) if verbose else MOST[rule.severity]
        lines += (finding_text(finding) for finding in group[:most])
        if len(group) > most:
            lines.append(f"    {len(group) - most} more of this kind: --verbose")
    for uncited in plan.record.uncited:
        ids = uncited.ids if verbose else uncited.ids[:MOST_IDS]
        more = f" and {len(uncited.ids) - len(ids)} more" if len(ids) < len(uncited.ids) else ""
        place = visible(plan.record.path)
        lines.append(f"{place}: note: no knowledge point cites {', '.join(ids)}{more} ({uncited.by})")
    return "".join(line + "\n" for line in lines)


def _by_rule(findings: Sequence[Finding]) -> Iterator[tuple[RuleInfo, list[Finding]]]:
    groups: dict[RuleInfo, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.rule, []).append(finding)
    yield from groups.items()
