"""A record against the registry: what is new, what is there already, what differs, and what cannot be taken."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import replace

from claimcheck.finding import Finding, Severity
from claimcheck.model import Anchor, Claim, Pin, Registry, Vendor
from claimcheck.permalinks import same_repository
from claimcheck.records import rules
from claimcheck.records.record import Record, RecordVendor
from claimcheck.values import frozen


class State(enum.Enum):
    """How a proposed entry stands to the registry.

    `ELSEWHERE` is cited there at another commit, so that lines cannot be compared. `LEFT_OUT` cannot be taken; a
    finding says why.
    """

    NEW = "new"
    SAME = "same"
    DIFFERS = "differs"
    ELSEWHERE = "elsewhere"
    LEFT_OUT = "left-out"


@frozen
class PlannedVendor:
    """A vendor of the record; `there` is the registry's, by name or by repository."""

    proposed: RecordVendor
    state: State
    there: Vendor | None = None
    prefixes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.there.name if self.there else self.proposed.name


@frozen
class PlannedAnchor:
    """An anchor as it would stand in the registry; `names_vendor` when its prefix does not say the vendor there."""

    proposed: Anchor
    state: State
    there: Anchor | None = None
    names_vendor: bool = False


@frozen
class PlannedClaim:
    """A claim; its text is never compared, since the project tells it in its own words."""

    proposed: Claim
    state: State
    there: Claim | None = None


@frozen
class Plan:
    """What importing a record comes to. `exists` says whether there is a registry."""

    record: Record
    exists: bool
    vendors: tuple[PlannedVendor, ...]
    anchors: tuple[PlannedAnchor, ...]
    claims: tuple[PlannedClaim, ...]
    findings: tuple[Finding, ...]

    @property
    def entries(self) -> tuple[PlannedAnchor | PlannedClaim, ...]:
        return *self.anchors, *self.claims

    @property
    def differing(self) -> tuple[PlannedAnchor | PlannedClaim, ...]:
        return tuple(entry for entry in self.entries if entry.state is State.DIFFERS)

    @property
    def new_vendors(self) -> tuple[PlannedVendor, ...]:
        """The vendors to add: those with an anchor to add."""
        used = {anchor.proposed.vendor for anchor in self.anchors if anchor.state is State.NEW}
        return tuple(vendor for vendor in self.vendors if vendor.state is State.NEW and vendor.name in used)

    @property
    def errors(self) -> int:
        return sum(finding.severity is Severity.ERROR for finding in self.findings)

    def vendor(self, name: str) -> PlannedVendor:
        return next(vendor for vendor in self.vendors if name in (vendor.name, vendor.proposed.name))


def make_plan(record: Record, registry: Registry) -> Plan:
    """Compare each entry of a record with the registry; an empty one stands for none."""
    vendors = [_vendor(record, vendor, registry) for vendor in record.vendors]
    by_name = {vendor.proposed.name: vendor for vendor in vendors}
    anchors = [_anchor(anchor, by_name[anchor.vendor], registry) for anchor in record.anchors]
    findings = [
        finding
        for finding in record.findings
        # The registry says what the record does not.
        if finding.rule is not rules.VENDOR_UNKNOWN
        or finding.subject not in {v.proposed.name for v in vendors if v.there}
    ]
    findings += (finding for vendor in vendors for finding in _vendor_findings(vendor))
    findings += (
        _not_its_prefix(anchor, registry)
        for anchor in anchors
        if anchor.state is State.LEFT_OUT and by_name[anchor.proposed.vendor].state is not State.LEFT_OUT
    )
    return Plan(
        record,
        bool(registry.vendors or registry.anchors or registry.claims),
        tuple(vendors),
        tuple(anchors),
        tuple(_claim(claim, registry) for claim in record.claims),
        tuple(sorted(findings, key=lambda finding: list(Severity).index(finding.severity))),
    )


def _vendor(record: Record, proposed: RecordVendor, registry: Registry) -> PlannedVendor:
    there = registry.vendors.get(proposed.name) or next(
        (v for v in registry.vendors.values() if v.url and proposed.url and same_repository(v.url, proposed.url)), None
    )
    if any(f.rule is rules.VENDOR_CONTRADICTION and f.subject == proposed.name for f in record.findings):
        return PlannedVendor(proposed, State.LEFT_OUT, there)
    if there is None:
        taken = {prefix for vendor in registry.vendors.values() for prefix in vendor.prefixes}
        prefixes = tuple(prefix for prefix in proposed.prefixes if prefix not in taken)
        return PlannedVendor(proposed, State.LEFT_OUT if proposed.commit is None else State.NEW, prefixes=prefixes)
    same_commit = proposed.commit is None or there.pin.text == proposed.commit
    return PlannedVendor(proposed, State.SAME if same_commit else State.ELSEWHERE, there)


def _vendor_findings(vendor: PlannedVendor) -> Iterator[Finding]:
    there, proposed = vendor.there, vendor.proposed
    if there is None or vendor.state is State.LEFT_OUT:
        return
    if vendor.state is State.ELSEWHERE and proposed.commit is not None:
        yield Finding(
            rules.VENDOR_DIFFERS,
            there.name,
            proposed.place,
            f"is at {proposed.commit[:8]} here and pinned at {there.pin.short} in the registry, so anchors that are "
            "there already are not compared",
        )
    if there.url and proposed.url and not same_repository(there.url, proposed.url):
        message = f"is {proposed.url} here and {there.url} in the registry, which is kept"
        yield Finding(rules.VENDOR_DIFFERS, there.name, proposed.place, message)


def _anchor(proposed: Anchor, vendor: PlannedVendor, registry: Registry) -> PlannedAnchor:
    anchor = replace(proposed, vendor=vendor.name)
    there = registry.anchors.get(anchor.id)
    if vendor.state is State.LEFT_OUT or _owner(anchor, registry) not in (None, vendor.name):
        return PlannedAnchor(proposed, State.LEFT_OUT, there)
    commit = vendor.proposed.commit
    if there is None:
        own = Pin(commit) if vendor.state is State.ELSEWHERE and commit else None
        return PlannedAnchor(
            replace(anchor, commit=own),
            State.NEW,
            names_vendor=vendor.there is not None and _owner(anchor, registry) is None,
        )
    if commit is not None and registry.pin_of(there).text != commit:
        return PlannedAnchor(anchor, State.ELSEWHERE, there)
    return PlannedAnchor(anchor, State.SAME if _same(anchor, there) else State.DIFFERS, there)


def _owner(anchor: Anchor, registry: Registry) -> str | None:
    """The vendor that an anchor of this ID has or would have in the registry."""
    there = registry.anchors.get(anchor.id)
    if there is not None:
        return there.vendor
    vendor = registry.vendor_of(anchor.id)
    return vendor.name if vendor else None


def _same(proposed: Anchor, there: Anchor) -> bool:
    """Whether two anchors mean the same; the long form ties strings to regions, so their order says nothing."""
    if there.long_form:
        same_strings = sorted(proposed.strings) == sorted(there.strings)
    else:
        same_strings = proposed.strings == there.strings
    lines = [region.lines for region in proposed.regions] == [region.lines for region in there.regions]
    return proposed.path == there.path and lines and same_strings


def _not_its_prefix(anchor: PlannedAnchor, registry: Registry) -> Finding:
    owner = _owner(anchor.proposed, registry)
    message = f"is an anchor of {anchor.proposed.vendor} here; its prefix is {owner}'s in the registry"
    return Finding(rules.PREFIX_CONFLICT, anchor.proposed.id, anchor.proposed.places[""], message)


def _claim(proposed: Claim, registry: Registry) -> PlannedClaim:
    there = registry.claims.get(proposed.id)
    if there is None:
        return PlannedClaim(proposed, State.NEW)
    return PlannedClaim(proposed, State.SAME if set(proposed.cites) == set(there.cites) else State.DIFFERS, there)
