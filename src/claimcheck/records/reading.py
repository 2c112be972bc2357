"""A record's text -> Record: tables, links, vendors and knowledge points, put together."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from claimcheck.finding import Finding, Severity
from claimcheck.model import Anchor, Place, Places, Region, Registry
from claimcheck.permalinks import Permalink
from claimcheck.records import rules
from claimcheck.records.links import Compared, compare, read_links
from claimcheck.records.markdown import Page, read_page
from claimcheck.records.points import read_points, uncited
from claimcheck.records.record import Link, Record, RecordVendor
from claimcheck.records.tables import Row, read_rows
from claimcheck.records.vendors import Vendors, path_in_vendor, permalink_of, read_vendors

MOST_HELPED = 50

_RANK = {severity: rank for rank, severity in enumerate(Severity)}


def read_record(path: str, text: str, registry: Registry | None = None) -> Record:
    """What a record says. What the registry defines may be cited too, and its prefixes say which vendor is meant."""
    known = registry or Registry()
    page = read_page(path, text)
    if page.conflicts:
        return Record(path, len(page.lines), findings=tuple(_conflicts(page)), refused=True)
    rows = read_rows(page)
    links, doubled = read_links(page)
    prefixes = {prefix: vendor.name for vendor in known.vendors.values() for prefix in vendor.prefixes}
    vendors = read_vendors(page, rows.rows, links, prefixes)
    left_out = rows.left_out | vendors.left_out
    in_tables = list(_from_rows(rows.rows, vendors, links))
    alone = list(_from_links(links, vendors, left_out | {anchor.id for anchor in in_tables}))
    ids = [anchor.id for anchor in (*in_tables, *alone)]
    defined = frozenset((*ids, *left_out, *known.anchors, *known.claims, *known.examples))
    points = read_points(page, defined, _Nearest(ids).help)
    compared = list(_compare(in_tables, links, vendors.vendors))
    findings = [
        *((finding, 0) for finding in (*rows.findings, *doubled, *vendors.findings, *points.findings)),
        *((one.finding, one.surplus) for one in compared if one.finding),
        *((_link_only(anchor), 0) for anchor in alone),
    ]
    findings.sort(key=_order)
    return Record(
        path,
        len(page.lines),
        rows.tables,
        vendors.vendors,
        (*in_tables, *alone),
        points.lessons,
        tuple(links.values()),
        tuple(one.shows for one in compared),
        tuple(uncited(page, points.lessons, ids)) if points.lessons else (),
        left_out,
        tuple(finding for finding, _ in findings),
    )


def _order(entry: tuple[Finding, int]) -> tuple[int, str, int, int, int]:
    """Errors first and notes last; of links that span too much the widest first, all else in the file's order."""
    finding, surplus = entry
    rule = finding.rule.name if finding.severity is Severity.NOTE else ""
    return _RANK[finding.severity], rule, -surplus, finding.place.line or 0, finding.place.column or 0


def _conflicts(page: Page) -> Iterator[Finding]:
    for number, line in enumerate(page.conflicts):
        if number == 0 or page.lines[line - 1].startswith("<"):
            yield Finding(
                rules.CONFLICT_MARKERS,
                "merge conflict",
                page.place(line),
                "two versions of these lines stand here; nothing is taken from the record",
            )


def _from_rows(rows: Sequence[Row], vendors: Vendors, links: Mapping[str, Link]) -> Iterator[Anchor]:
    for row in rows:
        if row.id in vendors.of_row:
            _, path = path_in_vendor(row, permalink_of(links.get(row.id)))
            regions = tuple(Region(lines) for lines in row.lines)
            yield Anchor(row.id, vendors.of_row[row.id], path, regions, row.find, places=Places(row.places))


def _from_links(links: Mapping[str, Link], vendors: Vendors, known: Collection[str]) -> Iterator[Anchor]:
    """The anchors that stand in no table, but have a permalink."""
    for link in links.values():
        if link.id not in known and link.id in vendors.of_link and isinstance(link.target, Permalink):
            regions = (Region(link.target.lines),) if link.target.lines else ()
            at: dict[str, Place] = {"": link.place}
            yield Anchor(link.id, vendors.of_link[link.id], link.target.path, regions, places=Places(at))


def _link_only(anchor: Anchor) -> Finding:
    message = "stands in no table; path and lines are taken from its link, and there are no search strings"
    return Finding(rules.LINK_ONLY, anchor.id, anchor.places[""], message)


def _compare(
    anchors: Sequence[Anchor], links: Mapping[str, Link], vendors: Sequence[RecordVendor]
) -> Iterator[Compared]:
    by_name = {vendor.name: vendor for vendor in vendors}
    for anchor in anchors:
        if anchor.id in links:
            yield compare(links[anchor.id], anchor, by_name[anchor.vendor])


@dataclass(slots=True)
class _Nearest:
    """The help for an undefined citation: the IDs that come near. Each is compared with all, so only the first get it."""

    ids: Sequence[str]
    helped: int = 0

    def help(self, cited: str) -> str | None:
        self.helped += 1
        if self.helped > MOST_HELPED:
            return None
        near = difflib.get_close_matches(cited, self.ids, n=2, cutoff=0.75)
        return " or ".join(f"[{id}]" for id in near) or None
