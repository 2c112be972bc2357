"""The plan of an import as JSON, `claimcheck.import/1`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from claimcheck.records.plan import Plan, PlannedAnchor, PlannedClaim, PlannedVendor, State
from claimcheck.reports.json_values import Json, dumps, finding_json, lines_json, place_json, severity_counts

SCHEMA = "claimcheck.import/1"


def render(plan: Plan, written: Sequence[str]) -> str:
    """The whole plan, and which files were written."""
    record = plan.record
    document: Json = {
        "schema": SCHEMA,
        "record": record.path,
        "summary": _counts(plan),
        "vendors": [_vendor_json(vendor) for vendor in plan.vendors],
        "anchors": [_anchor_json(plan, anchor) for anchor in plan.anchors],
        "claims": [_claim_json(claim) for claim in plan.claims],
        "findings": [finding_json(finding) for finding in plan.findings],
        "uncited": [{"ids": list(uncited.ids), "by": uncited.by} for uncited in record.uncited],
        "left_out": sorted(record.left_out),
        "written": list(written),
    }
    return dumps(document)


def _counts(plan: Plan) -> Json:
    record = plan.record
    entries = Counter(entry.state for entry in plan.entries)
    return {
        "lines": record.lines,
        "tables": record.tables,
        "vendors": len(record.vendors),
        "anchors": len(record.anchors),
        "regions": sum(len(anchor.regions) or 1 for anchor in record.anchors),
        "strings": sum(len(anchor.strings) for anchor in record.anchors),
        "claims": sum(1 for _ in record.claims),
        "citations": sum(len(claim.cites) for claim in record.claims),
        "links": len(record.links),
        **{state.value.replace("-", "_"): entries[state] for state in State},
        **severity_counts(plan.findings),
    }


def _vendor_json(vendor: PlannedVendor) -> Json:
    proposed = vendor.proposed
    return {
        "name": vendor.name,
        "commit": proposed.commit,
        "url": proposed.url,
        "prefixes": list(proposed.prefixes),
        "state": vendor.state.value,
        "place": place_json(proposed.place),
    }


def _anchor_json(plan: Plan, anchor: PlannedAnchor) -> Json:
    proposed = anchor.proposed
    return {
        "id": proposed.id,
        "vendor": proposed.vendor,
        "commit": plan.vendor(proposed.vendor).proposed.commit,
        "path": proposed.path,
        "lines": [lines_json(region.lines) for region in proposed.regions],
        "find": list(proposed.find),
        "state": anchor.state.value,
        "place": place_json(proposed.places[""]),
    }


def _claim_json(claim: PlannedClaim) -> Json:
    proposed = claim.proposed
    return {
        "id": proposed.id,
        "lesson": proposed.lesson,
        "text": proposed.text,
        "cites": list(proposed.cites),
        "basis": proposed.basis.value,
        "state": claim.state.value,
        "place": place_json(proposed.places[""]),
    }
