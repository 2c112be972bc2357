"""What `import` prints for people: what a record has, what is wrong with it, and what was or would be written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from claimcheck.edit import FileChange
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.phrases import counted
from claimcheck.records.links import number_word
from claimcheck.records.plan import Plan, PlannedAnchor, PlannedClaim, PlannedVendor, State
from claimcheck.records.record import Record, Shows
from claimcheck.records.writing import by_hand
from claimcheck.reports.text import finding_text
from claimcheck.terminal import visible

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
        rows.append(
            _row("anchors", len(record.anchors), f"{counted(regions, 'region')}, {counted(strings, 'search string')}")
        )
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
    ids = {anchor.id for anchor in record.anchors}
    linked = {link.id for link in record.links}
    alone = len(ids & linked) - len(record.shows)
    if alone:
        parts.append(f"{alone} {'is' if alone == 1 else 'are'} all there is of an anchor")
    if rest := len(linked - ids):
        parts.append(f"{rest} {'belongs' if rest == 1 else 'belong'} to no row that was taken")
    if unlinked := len(ids - linked):
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


def closing(plan: Plan, changes: Sequence[FileChange], *, written: bool, update: bool, command: str) -> str:
    """The last lines: what was or would be written, what was left out, and the next command."""
    lines = []
    if left_out := _left_out(plan):
        lines.append(f"Left out: {left_out}; see above.")
    if plan.record.refused:
        return "Nothing taken, nothing written.\n"
    there = _there(plan)
    if written:
        lines += [f"{there}." if there else "", f"Wrote {_files(plan, changes, update)}."]
        lines.append("Taken over as written; nothing has been compared with source code yet.")
        lines.append(f"Next: claimcheck {_next(plan)}")
    else:
        lines.append(f"{there}. Nothing written." if there else "Nothing written.")
        if changes:
            flags = "--write --update" if update else "--write"
            lines.append(f"  {command} {flags}    writes {_files(plan, changes, update)}")
    open_ = [entry for entry in plan.differing if not update or by_hand(entry)]
    takeable = [entry.proposed.id for entry in open_ if not by_hand(entry)]
    if takeable:
        lines.append(f"  {command} --write --update    takes the record's values for {_ids(takeable)}")
    if stuck := [entry.proposed.id for entry in open_ if by_hand(entry)]:
        lines.append(f"To be changed by hand, since their strings are tied to regions: {_ids(stuck)}")
    return "".join(f"{visible(line)}\n" for line in lines if line)


def _left_out(plan: Plan) -> str:
    planned = [anchor.proposed.id for anchor in plan.anchors if anchor.state is State.LEFT_OUT]
    return _ids(sorted({*plan.record.left_out, *planned}))


def _ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - MOST_IDS} more" if len(ids) > MOST_IDS else ""
    return ", ".join(ids[:MOST_IDS]) + more


def _there(plan: Plan) -> str:
    """How much of the record the registry has already; nothing where there is no registry."""
    if not plan.exists:
        return ""
    parts = []
    if plan.anchors:
        parts.append(f"{_how_many(plan.anchors)} anchors are already there, {_differ(plan.anchors)}")
        elsewhere = sum(anchor.state is State.ELSEWHERE for anchor in plan.anchors)
        if elsewhere:
            parts.append(f"{elsewhere} cited at another commit and not compared")
    if any(claim.state is not State.SAME for claim in plan.claims):
        parts.append(f"{_how_many(plan.claims)} claims are already there, {_differ(plan.claims)} in what they cite")
    return f"anchors.yaml exists; {'; '.join(parts)}" if parts else "anchors.yaml exists"


def _how_many(entries: Sequence[PlannedAnchor | PlannedClaim]) -> str:
    return f"{sum(entry.there is not None for entry in entries)} of {len(entries)}"


def _differ(entries: Sequence[PlannedAnchor | PlannedClaim]) -> str:
    number = sum(entry.state is State.DIFFERS for entry in entries)
    return f"{number} {'differs' if number == 1 else 'differ'}"


def _files(plan: Plan, changes: Sequence[FileChange], update: bool) -> str:
    """`anchors.yaml (2 vendors, 45 anchors), claims/V1.yaml to claims/D3.yaml (42 claims)`."""
    claims = [change.path for change in changes if change.path.startswith("claims/")]
    others = [change.path for change in changes if not change.path.startswith("claims/")]
    parts = []
    if others:
        vendors = len(plan.new_vendors)
        amounts = [counted(vendors, "vendor")] if vendors else []
        parts.append(f"{', '.join(others)} ({_amounts(amounts, plan.anchors, 'anchor', plan.exists, update)})")
    if claims:
        names = " and ".join(claims) if len(claims) < 3 else f"{claims[0]} to {claims[-1]}"
        parts.append(f"{names} ({_amounts([], plan.claims, 'claim', plan.exists, update)})")
    return ", ".join(parts)


def _amounts(
    before: list[str], entries: Sequence[PlannedAnchor | PlannedClaim], noun: str, exists: bool, update: bool
) -> str:
    new = sum(entry.state is State.NEW for entry in entries)
    changed = sum(entry.state is State.DIFFERS and not by_hand(entry) for entry in entries) if update else 0
    amounts = before + ([counted(new, noun) + (" added" if exists else "")] if new else [])
    return ", ".join(amounts + ([f"{counted(changed, noun)} changed"] if changed else []))


def _next(plan: Plan) -> str:
    at_new_commits = any(vendor.state is not State.SAME for vendor in plan.vendors)
    return "vendor sync" if at_new_commits else "lock"
