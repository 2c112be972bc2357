"""The formats of `claimcheck import` for documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from claimcheck.finding import Severity
from claimcheck.mentions.finding import Mention
from claimcheck.mentions.proposing import Proposal, Proposals
from claimcheck.phrases import counted
from claimcheck.reports.json_values import Json, dumps, finding_json, lines_json, place_json
from claimcheck.reports.text import findings_text
from claimcheck.terminal import visible

MOST_NAMED = 3


def text(found: Proposals, documents: Sequence[str], *, verbose: bool = False) -> str:
    """What the documents name, what is in doubt, and a row for each anchor that is proposed."""
    blocks = [_summary(found, documents)]
    if found.findings:
        blocks.append(findings_text(found.findings, everything=verbose))
    rows = list(_rows(found))
    if rows:
        blocks.append("".join(f"{row}\n" for row in rows))
    return "\n".join(blocks)


def _summary(found: Proposals, documents: Sequence[str]) -> str:
    errors = sum(finding.severity is Severity.ERROR for finding in found.findings)
    there = len(found.anchors) - len(found.new)
    parts = [counted(len(found.new), "new anchor")]
    parts += [f"{there} already there"] if there else []
    parts += [f"{found.doubtful} in doubt"] if found.doubtful else []
    parts += [f"{errors} without an anchor"] if errors else []
    parts += (
        [counted(len(found.whole_files), "link to a whole file", "links to whole files")] if found.whole_files else []
    )
    named = f"{counted(len(documents), 'document')}, {counted(len(found.mentions), 'place')} in {found.vendor.name}"
    return f"{named} {visible(found.label)}: {', '.join(parts)}\n"


def _rows(found: Proposals) -> Iterator[str]:
    new = found.new
    width = max((len(proposal.anchor.id) for proposal in new), default=0)
    wide = max((len(visible(_where(proposal))) for proposal in new), default=0)
    for proposal in new:
        symbol = visible(proposal.symbol or "")
        yield (
            f"  {proposal.anchor.id:<{width}}  {visible(_where(proposal)):<{wide}}  {symbol}".rstrip()
            + f"  {_named(proposal)}"
        )


def _where(proposal: Proposal) -> str:
    return f"{proposal.anchor.path}:{proposal.anchor.regions[0].lines}"


def _named(proposal: Proposal) -> str:
    places = [f"{mention.place.path}:{mention.place.line}" for mention in proposal.mentions[:MOST_NAMED]]
    more = len(proposal.mentions) - len(places)
    return visible(" ".join(places)) + (f" and {more} more" if more > 0 else "")


def json(found: Proposals, written: Sequence[str]) -> str:
    """`claimcheck.import-documents/1`."""
    return dumps(
        {
            "schema": "claimcheck.import-documents/1",
            "vendor": found.vendor.name,
            "commit": found.label if found.vendor.release(found.label) else found.commit,
            "summary": {
                "places": len(found.mentions),
                "new": len(found.new),
                "there": len(found.anchors) - len(found.new),
                "doubtful": found.doubtful,
                "whole_files": len(found.whole_files),
            },
            "anchors": [_anchor(proposal) for proposal in found.anchors],
            "whole_files": [_mention(mention) for mention in found.whole_files],
            "findings": [finding_json(finding) for finding in found.findings],
            "written": list(written),
        }
    )


def _anchor(proposal: Proposal) -> Json:
    anchor = proposal.anchor
    return {
        "id": anchor.id,
        "path": anchor.path,
        "lines": [lines_json(region.lines) for region in anchor.regions],
        "find": list(anchor.strings),
        "symbol": proposal.symbol,
        "exists": proposal.exists,
        "named": [_mention(mention) for mention in proposal.mentions],
    }


def _mention(mention: Mention) -> Json:
    return {"place": place_json(mention.place), "written": mention.written}


FORMATS: Mapping[str, Callable[..., str]] = {"text": text, "json": json}
