"""Values of the model to registry data and to the text of fresh registry files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from claimcheck.model import (
    Anchor,
    Basis,
    Claim,
    Documents,
    Lines,
    Region,
    Release,
    Vendor,
    Waiver,
    prefix_of,
)
from claimcheck.registry.yaml_write import Value, block, flow, scalar


def anchors_file(
    vendors: Iterable[Vendor],
    anchors: Iterable[Anchor],
    *,
    documents: Documents | None = None,
    waivers: Sequence[Waiver] = (),
) -> str:
    """The text of an `anchors.yaml` with these vendors and anchors, in this order."""
    vendors = tuple(vendors)
    by_prefix = {prefix: vendor.name for vendor in vendors for prefix in vendor.prefixes}
    sections: dict[str, Value] = {"vendors": {vendor.name: vendor_data(vendor) for vendor in vendors}}
    lines = block(sections, step=2, depth=3)
    if documents is not None:
        lines.append(f"documents: {flow(documents_data(documents))}")
    if waivers:
        lines += ["waivers:", *(f"  - {flow(waiver_data(waiver))}" for waiver in waivers)]
    entries = {anchor.id: anchor_data(anchor, by_prefix.get(prefix_of(anchor.id))) for anchor in anchors}
    lines += block({"anchors": entries}, step=2, depth=2) if entries else ["anchors: {}"]
    return "".join(f"{line}\n" for line in lines)


def claims_file(
    claims: Iterable[Claim],
    *,
    lesson: str | None = None,
    title: str | None = None,
    lang: str | None = None,
    written_at: str | None = None,
) -> str:
    """The text of a claims file with these claims, in this order."""
    head = {"lesson": lesson, "title": title, "lang": lang, "written-at": written_at}
    lines = [f"{key}: {scalar(value)}" for key, value in head.items() if value is not None]
    entries = {claim.id: claim_data(claim) for claim in claims}
    lines += block({"claims": entries}, step=2, depth=2) if entries else ["claims: {}"]
    return "".join(f"{line}\n" for line in lines)


def vendor_data(vendor: Vendor) -> Mapping[str, Value]:
    data: dict[str, Value] = {}
    if vendor.url:
        data["url"] = vendor.url
    data["commit"] = vendor.pin.text
    if vendor.prefixes:
        data["prefix"] = one_or_many(vendor.prefixes)
    releases = releases_data(vendor.pypi, vendor.releases)
    if releases:
        data["releases"] = releases
    if vendor.permalink:
        data["permalink"] = vendor.permalink
    return data


def releases_data(pypi: str | None, releases: Sequence[Release]) -> Mapping[str, Value]:
    data: dict[str, Value] = {"pypi": pypi} if pypi else {}
    if releases:
        data["versions"] = {release.version: release.sha256 for release in releases}
    return data


def anchor_data(anchor: Anchor, vendor_by_prefix: str | None) -> Mapping[str, Value]:
    """An anchor's keys in their usual order; `vendor` only where the prefix does not say it."""
    data: dict[str, Value] = {} if anchor.vendor == vendor_by_prefix else {"vendor": anchor.vendor}
    data["path"] = anchor.path
    if anchor.commit:
        data["commit"] = anchor.commit.text
    if anchor.long_form:
        data["regions"] = regions_data(anchor.regions)
    elif anchor.regions:
        data["lines"] = ranges_data([region.lines for region in anchor.regions])
    if anchor.find:
        data["find"] = one_or_many(anchor.find)
    if anchor.symbol:
        data["symbol"] = anchor.symbol
    if anchor.watch:
        data["watch"] = anchor.watch.value
    return data


def regions_data(regions: Sequence[Region]) -> Value:
    return [
        {"lines": range_data(region.lines)} | ({"find": one_or_many(region.find)} if region.find else {})
        for region in regions
    ]


def range_data(lines: Lines) -> Value:
    """A range as it is written: text, or a number for a single line."""
    return lines.first if lines.first == lines.last else str(lines)


def ranges_data(ranges: Sequence[Lines]) -> Value:
    return range_data(ranges[0]) if len(ranges) == 1 else [range_data(lines) for lines in ranges]


def one_or_many(texts: Sequence[str]) -> Value:
    return texts[0] if len(texts) == 1 else list(texts)


def documents_data(documents: Documents) -> Mapping[str, Value]:
    data: dict[str, Value] = {"include": list(documents.include)}
    if documents.exclude:
        data["exclude"] = list(documents.exclude)
    if documents.pairs:
        data["pairs"] = [list(pair) for pair in documents.pairs]
    if documents.blocks != Documents().blocks:
        data["blocks"] = documents.blocks
    return data


def waiver_data(waiver: Waiver) -> Mapping[str, Value]:
    data: dict[str, Value] = {"rule": waiver.rule, "subject": waiver.subject, "reason": waiver.reason}
    if waiver.until:
        data["until"] = waiver.until
    return data


def claim_data(claim: Claim) -> Mapping[str, Value]:
    """A claim as a record has it: without checks, which only people write."""
    data: dict[str, Value] = {"text": claim.text}
    if claim.cites:
        data["cites"] = list(claim.cites)
    if claim.basis is not Basis.CODE:
        data["basis"] = claim.basis.value
    if claim.caveats:
        data["caveats"] = [{"text": caveat.text} for caveat in claim.caveats]
    if claim.quote:
        data["quote"] = claim.quote
    if claim.note:
        data["note"] = claim.note
    return data
