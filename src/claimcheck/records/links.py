"""The reference links of a record, and whether they show what its tables have."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.finding import Finding, RuleInfo
from claimcheck.model import Anchor, Lines
from claimcheck.permalinks import NoPermalink, Permalink, read_permalink, same_repository
from claimcheck.records import rules
from claimcheck.records.markdown import DEFINITION, Page
from claimcheck.records.record import Link, RecordVendor, Shows
from claimcheck.registry import fits
from claimcheck.values import frozen

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@frozen
class Compared:
    """What a link shows of its anchor, the finding about it if there is one, and how many lines too many it shows."""

    shows: Shows
    finding: Finding | None = None
    surplus: int = 0


def read_links(page: Page) -> tuple[dict[str, Link], list[Finding]]:
    """The links whose label is the ID of an anchor, each once, and a finding for each that is defined anew."""
    links: dict[str, Link] = {}
    findings: list[Finding] = []
    for link in _definitions(page):
        first = links.setdefault(link.id, link)
        if first.target != link.target:
            message = f"its link is defined in line {first.place.line} already, with another target"
            findings.append(Finding(rules.DUPLICATE_LINK, link.id, link.place, message))
    return links, findings


def _definitions(page: Page) -> Iterator[Link]:
    for block in page.paragraphs:
        for number, line in enumerate(page.lines[block.first - 1 : block.last], block.first):
            if "]:" not in line or not (match := DEFINITION.match(line)):
                continue
            id = " ".join(match["label"].split()).upper()
            if fits("anchor-id", id):
                target = read_permalink(match["bracketed"] or match["plain"] or "")
                yield Link(id, target, page.place(number, line.index("[") + 1))


def compare(link: Link, anchor: Anchor, vendor: RecordVendor) -> Compared:
    """A link against the anchor that it belongs to."""
    if isinstance(link.target, NoPermalink):
        return _finding(link, rules.LINK_NOT_PERMALINK, Shows.UNKNOWN, f"its link {link.target.reason}")
    if elsewhere := _elsewhere(link.target, anchor, vendor):
        return _finding(link, rules.LINK_DIFFERS, Shows.ELSEWHERE, elsewhere)
    recorded = [region.lines for region in anchor.regions]
    shown = link.target.lines
    if not recorded or shown is None:
        return _whole(link, recorded, shown)
    missing = [lines for lines in recorded if not shown.covers(lines)]
    if missing:
        also = " too" if len(missing) < len(recorded) else ""
        only = " only" if also else ""
        return _finding(
            link,
            rules.LINK_MISSES_REGION,
            Shows.LESS,
            f"its link shows lines {shown}{only}; the table has {', '.join(map(str, missing))}{also}",
        )
    return _covered(link, recorded, shown)


def _elsewhere(target: Permalink, anchor: Anchor, vendor: RecordVendor) -> str | None:
    if target.path != anchor.path:
        return f"its link shows {target.path}; the table has {anchor.path}"
    if vendor.url is not None and not same_repository(target.repository, vendor.url):
        return f"its link leads to {target.repository}; {vendor.name} is {vendor.url}"
    if vendor.commit is not None and target.commit != vendor.commit:
        return f"its link is at commit {target.commit[:8]}; {vendor.name} is at {vendor.commit[:8]}"
    return None


def _whole(link: Link, recorded: list[Lines], shown: Lines | None) -> Compared:
    if shown is not None:
        message = f"its link shows lines {shown}; the table has the whole file"
        return _finding(link, rules.LINK_MISSES_REGION, Shows.LESS, message)
    if not recorded:
        return Compared(Shows.EXACTLY)
    message = f"its link shows the whole file; the table has {', '.join(map(str, recorded))}"
    return _finding(link, rules.LINK_SPANS_REGIONS, Shows.MORE, message)


def _covered(link: Link, recorded: list[Lines], shown: Lines) -> Compared:
    cited = sum(map(len, recorded))
    if len(shown) == cited:
        return Compared(Shows.EXACTLY)
    shows = Shows.SPAN if len(recorded) > 1 else Shows.MORE
    regions = f"{number_word(len(recorded))} region{'s' if len(recorded) > 1 else ''}"
    message = f"its link spans {len(shown)} lines for {regions} of {cited}"
    return _finding(link, rules.LINK_SPANS_REGIONS, shows, message, len(shown) - cited)


def _finding(link: Link, rule: RuleInfo, shows: Shows, message: str, surplus: int = 0) -> Compared:
    return Compared(shows, Finding(rule, link.id, link.place, message), surplus)


def number_word(number: int) -> str:
    """A number as a word up to twelve."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
