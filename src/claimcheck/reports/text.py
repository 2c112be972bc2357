"""What people read: findings with their evidence, counts that add up, and the verdict as the last line."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, Frame, Quote, Severity
from claimcheck.model import Anchor, Pin, ReviewState, Revision
from claimcheck.outcome import spot_of
from claimcheck.phrases import counted
from claimcheck.sighting import extent_of
from claimcheck.terminal import PLAIN, Paint, columns, visible
from claimcheck.texts import NoSource
from claimcheck.verification import Counts, Status, Verification

TABLE_FROM = 20  # findings; above it a table by rule is what people ask for first
SHOWN = 500  # findings; nobody reads more, and a log of a hundred thousand can hardly be opened
MOST_HELD = 8  # IDs on one line; `claimcheck review --held` has them all
NAMED_UNTIL = 9  # things; above it "40 things could not be checked" reads better than their kinds


def render(verification: Verification, *, verbose: bool = False, quiet: bool = False, paint: Paint = PLAIN) -> str:
    """Findings in registry order, then what was checked and what was not; with `quiet` the findings only."""
    blocks = [findings_text(verification.findings, paint, everything=verbose)]
    if not quiet:
        if len(verification.findings) > TABLE_FROM:
            blocks.append(_table_by_rule(verification.findings))
        if verbose:
            blocks.append(_located(verification))
        blocks.append(_counts(verification) + verdict(verification) + "\n")
    return "\n".join(block for block in blocks if block)


def first_line(finding: Finding, paint: Paint = PLAIN) -> str:
    """`PLACE: severity: SUBJECT: one sentence [rule]`; a waived finding says `waived` in place of its severity."""
    word = paint.severity("waived" if finding.waiver else finding.severity.value)
    subject = paint.strong(visible(finding.subject))
    return f"{visible(str(finding.place))}: {word}: {subject}: {visible(finding.message)} [{finding.rule.name}]"


def findings_text(findings: Sequence[Finding], paint: Paint = PLAIN, *, everything: bool = False) -> str:
    """Findings as people read them; of very many those that weigh most, in their order, and how to see the others."""
    shown = findings if everything or len(findings) <= SHOWN else _weightiest(findings)
    text = "".join(finding_text(finding, paint) + "\n" for finding in shown)
    more = len(findings) - len(shown)
    hint = "claimcheck verify --format concise    lists all, --verbose in full"
    return f"{text}    {more} more findings are not shown here\n    help: {hint}\n" if more else text


def _weightiest(findings: Sequence[Finding]) -> list[Finding]:
    order = list(Severity)
    weights = [(finding.waiver is not None, order.index(finding.severity), n) for n, finding in enumerate(findings)]
    return [findings[n] for n in sorted(n for _, _, n in sorted(weights)[:SHOWN])]


def finding_text(finding: Finding, paint: Paint = PLAIN) -> str:
    """A finding as people read it: first line, evidence indented by four, the way out."""
    lines = [first_line(finding, paint)]
    if finding.waiver:
        return "\n".join([*lines, f"    {_waiver_reason(finding)}"])
    for item in finding.evidence:
        match item:
            case Quote():
                lines.append(paint.faint(f"    {visible(item.revision)}  {visible(item.path)}"))
                lines += [f"    {number:>3} | {visible(line)}".rstrip() for number, line in item.lines]
            case Frame():
                lines += _frame(item)
            case str():
                lines.append(f"    {visible(item)}")
    if finding.help:
        lines.append(f"    {paint.strong('help:')} {visible(finding.help)}")
    return "\n".join(lines)


def _waiver_reason(finding: Finding) -> str:
    assert finding.waiver is not None
    until = finding.waiver.until
    if until is None:
        return visible(finding.waiver.reason)
    while_ = "while a release is looked at" if until == "release" else f"while the pin is {Pin(until).short}"
    return f"{visible(finding.waiver.reason)} ({while_})"


def _frame(frame: Frame) -> list[str]:
    width = max(3, *(len(str(number)) for number, _ in frame.lines))
    out = []
    for number, line in frame.lines:
        out.append(f"    {number:>{width}} | {visible(line)}".rstrip())
        if number == frame.place.line and frame.place.column:
            before = line[: frame.place.column - 1]
            indent = "".join(
                character if character == "\t" else " " * columns(visible(character)) for character in before
            )
            marked = line[frame.place.column - 1 : frame.place.column - 1 + frame.length]
            carets = "^" * max(1, columns(visible(marked)))
            out.append(f"    {' ' * width} | {indent}{carets}")
    return out


def nothing_checked(findings: Sequence[Finding]) -> str:
    """The last line when the registry does not load: `Nothing checked: 1 error in anchors.yaml.`"""
    files = sorted({finding.place.path for finding in findings})
    where = files[0] if len(files) == 1 else f"{len(files)} files"
    return f"Nothing checked: {counted(len(findings), 'error')} in {visible(where)}."


def _table_by_rule(findings: Sequence[Finding]) -> str:
    names: dict[str, list[Finding]] = {}
    for finding in findings:
        names.setdefault(finding.rule.name, []).append(finding)
    rows = []
    for name, group in sorted(names.items(), key=lambda item: (-len(item[1]), item[0])):
        waived = sum(finding.waiver is not None for finding in group)
        files = len({finding.place.path for finding in group})
        note = f", {waived} waived" if waived else ""
        rows.append(f"{len(group):>5}  {group[0].severity.value:<7}  {name}  in {counted(files, 'file')}{note}\n")
    return "".join(rows)


def _located(verification: Verification) -> str:
    """Each region that was re-found at another revision, and how far from its recorded line, farthest first."""
    rows = []
    for sighting in verification.sightings:
        recorded = [region.lines for region in sighting.anchor.regions]
        for index, outcome in enumerate(sighting.outcomes):
            spot = spot_of(outcome)
            if not sighting.elsewhere or spot is None or index >= len(recorded):
                continue
            shift = spot.lines.first - recorded[index].first
            region = f" {index + 1}" if len(recorded) > 1 else ""
            rows.append(
                (
                    abs(shift),
                    f"{sighting.anchor.id}{region}",
                    f"{shift:+d}" if shift else "0",
                    f"{visible(spot.path)}:{spot.lines}",
                    f"registry {recorded[index]}",
                    f"{outcome.name}, {extent_of(outcome).value}",
                    visible(spot.symbol or ""),
                )
            )
    if not rows:
        return ""
    rows.sort(key=lambda row: -row[0])
    widths = [max(len(str(row[column])) for row in rows) for column in range(1, 7)]
    out = ["Found, farthest from their recorded lines first\n"]
    for _, *cells in rows:
        padded = [
            cell.rjust(width) if column == 1 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        out.append("  " + "  ".join(padded).rstrip() + "\n")
    return "".join(out)


def _counts(verification: Verification) -> str:
    corpus = verification.corpus
    rows = []
    anchors = Counts.of(verification.anchors.values())
    if anchors.total:
        rows.append(_row("anchors", anchors.total, _anchor_counts(verification, anchors)))
    claims = Counts.of(verification.claims.values())
    if claims.total:
        rows.append(_row("claims", claims.total, f"{_by_checks(verification, claims)}, {_tested_counts(claims)}"))
    for name, statuses in (("examples", verification.examples), ("errata", verification.errata)):
        counts = Counts.of(statuses.values())
        if counts.total:
            rows.append(_row(name, counts.total, _tested_counts(counts)))
    if anchors.total:
        states = verification.reviews()
        order = (ReviewState.REVIEWED, ReviewState.CARRIED, ReviewState.UNREVIEWED)
        rows.append(_row("review", anchors.total, ", ".join(f"{states[state]} {state.value}" for state in order)))
    if lessons := _lessons(verification):
        rows.append(lessons)
    sources = sources_line(verification)
    if sources:
        rows.append(f"sources        {sources}\n")
    held = [
        anchor for anchor in corpus.registry.anchors.values() if anchor.commit and anchor.id in verification.anchors
    ]
    if held:
        rows.append(_row("held", len(held), f"{_held(corpus, held)} (claimcheck review --held)"))
    return "".join(rows)


def _by_checks(verification: Verification, claims: Counts) -> str:
    """`31 verified by 74 checks`, and how many of them under conditions."""
    if not claims.verified:
        return "0 verified by checks"
    caveats = len(verification.with_caveats)
    more = f" ({caveats} with caveats)" if caveats else ""
    return f"{claims.verified} verified by {counted(verification.deciding_checks, 'check')}{more}"


def _held(corpus: Corpus, anchors: Sequence[Anchor]) -> str:
    """The anchors that are cited at a commit of their own: `V-ALLOC V-OUTPUT at 308f8033 (v0.32.0)`."""
    groups: dict[str, list[str]] = {}
    for anchor in anchors:
        pin = corpus.registry.pin_of(anchor)
        revision = corpus.sources.resolve(anchor.vendor, pin.text)
        label = revision.label if isinstance(revision, Revision) else pin.short
        groups.setdefault(label, []).append(anchor.id)
    return ", ".join(f"{_some(ids)} at {label}" for label, ids in groups.items())


def _some(ids: Sequence[str]) -> str:
    """The IDs of a list that fits one line: `V-ALLOC V-OUTPUT and 60 more`."""
    more = f" and {len(ids) - MOST_HELD} more" if len(ids) > MOST_HELD else ""
    return " ".join(ids[:MOST_HELD]) + more


def _lessons(verification: Verification) -> str:
    """How many documents were looked at, and what is in them."""
    documents, unread = verification.corpus.documents, len(verification.corpus.unread)
    if not documents and not unread:
        return ""
    kinds = [block.kind for document in documents for block in document.blocks]
    said = [counted(sum(len(document.citations) for document in documents), "citation")]
    said += [counted(kinds.count(kind), kind) for kind in ("excerpt", "example") if kind in kinds]
    said += [f"{unread} could not be read"] if unread else []
    return _row("lessons", len(documents) + unread, ", ".join(said))


def _row(name: str, number: int, text: str) -> str:
    return f"{name:<8} {number:>3}   {text}\n"


def _anchor_counts(verification: Verification, counts: Counts) -> str:
    elsewhere = [
        sighting
        for sighting in verification.sightings
        if sighting.elsewhere and verification.anchors[sighting.anchor.id] is Status.VERIFIED
    ]
    at_their_lines = sum(sighting.at_their_lines for sighting in elsewhere)
    where = (
        f" ({at_their_lines} at their lines, {len(elsewhere) - at_their_lines} found elsewhere)" if elsewhere else ""
    )
    text = f"{counts.verified} verified{where}, {counts.failed} failed, {counts.unverified} unverified"
    return text + (f", {counts.waived} waived" if counts.waived else "")


def _tested_counts(counts: Counts) -> str:
    text = f"{counts.untested} untested (by citation only), {counts.failed} failed, {counts.unverified} unverified"
    return text + (f", {counts.waived} waived" if counts.waived else "")


def sources_line(verification: Verification) -> str:
    """Which revision of each vendor was looked at; a stand-in is called one."""
    corpus = verification.corpus
    stand_ins, others, unread = [], [], False
    for name, looked_at in corpus.looked_at.items():
        pin = corpus.registry.vendors[name].pin
        match looked_at:
            case NoSource():
                unread = True
                others.append(f"{name}: nothing read")
            case Revision() if looked_at.release is not None and pin.version is None and name in corpus.targets:
                stand_ins.append(f"{name} {looked_at.label} for {pin.short}")
            case Revision() if looked_at.release is None and looked_at.commit != pin.text:
                others.append(f"{name} {looked_at.label}, pinned {pin.short}")
            case Revision():
                others.append(f"{name} {looked_at.label}")
    if stand_ins:
        return "; ".join([f"STAND-INS: {', '.join(stand_ins)}", *others])
    return ("; " if unread else ", ").join(others)


def verdict(verification: Verification) -> str:
    """The last line: what was found and what could not be checked, or that all is verified and in which sense."""
    errors = verification.severity_count(Severity.ERROR)
    warnings = verification.severity_count(Severity.WARNING)
    problems = [counted(errors, "error")] if errors else []
    problems += [counted(warnings, "warning")] if warnings else []
    counts = verification.everything
    if not errors and not counts.failed and not counts.unverified:
        return _all_verified(verification, problems)
    found = f"Found {' and '.join(problems)}" if problems else "Found nothing wrong"
    unchecked = _kinds(verification, Status.UNVERIFIED)
    return f"{found}; {unchecked} could not be checked." if unchecked else f"{found}."


def _all_verified(verification: Verification, problems: list[str]) -> str:
    anchors = Counts.of(verification.anchors.values())
    if not anchors.total:
        start = "Nothing wrong"
    elif any(sighting.stand_in for sighting in verification.sightings):
        start = "All verified at stand-ins, not at the pins"
    else:
        start = "All verified"
    parts = [start if not anchors.waived else start.replace("All", "All others", 1)]
    claims = Counts.of(verification.claims.values())
    if claims.untested:
        parts.append(f"{counted(claims.untested, 'claim')} by citation only")
    waived = _kinds(verification, Status.WAIVED)
    if waived:
        parts.append(f"{waived} waived")
    held = sum(verification.corpus.registry.anchors[id].commit is not None for id in verification.anchors)
    if held:
        parts.append(f"{counted(held, 'anchor')} held")
    return ", ".join(parts + problems) + "."


def _kinds(verification: Verification, status: Status) -> str:
    """`1 anchor and 1 claim`, or `40 things` where there are many."""
    kinds = (
        ("anchor", verification.anchors),
        ("claim", verification.claims),
        ("example", verification.examples),
        ("correction", verification.errata),
    )
    numbers = [(list(statuses.values()).count(status), noun) for noun, statuses in kinds]
    total = sum(number for number, _ in numbers)
    named = [counted(number, noun) for number, noun in numbers if number]
    if status is Status.UNVERIFIED and total > NAMED_UNTIL and len(named) > 1:
        return f"{total} things"
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 2 else named)
