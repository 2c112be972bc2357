"""`claimcheck.verify/1`, the machine output of `verify`.

History: 1, the first.
"""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.finding import Finding
from claimcheck.model import Lines, Revision
from claimcheck.outcome import spot_of
from claimcheck.reports.json_values import Json, dumps, finding_json, lines_json, severity_counts
from claimcheck.sighting import Sighting, extent_of
from claimcheck.terminal import PLAIN, Paint
from claimcheck.verification import Counts, Status, Verification

SCHEMA = "claimcheck.verify/1"
CLAIM_STATUS = {Status.FAILED: "fails"}


def render(verification: Verification, *, verbose: bool = False, quiet: bool = False, paint: Paint = PLAIN) -> str:
    corpus = verification.corpus
    document: Json = {
        "schema": SCHEMA,
        "summary": _summary(verification),
        "vendors": [_vendor(verification, name) for name in corpus.looked_at],
        "anchors": [_anchor(verification, sighting) for sighting in verification.sightings],
        "claims": [_claim(verification, id, status) for id, status in verification.claims.items()],
        "examples": [{"id": id, "status": status.value} for id, status in verification.examples.items()],
        "errata": [{"id": id, "status": status.value} for id, status in verification.errata.items()],
        "findings": [finding_json(finding) for finding in verification.findings],
    }
    return dumps(document)


def render_load_errors(findings: Sequence[Finding]) -> str:
    """The same document when the registry does not load: all counts are zero, the findings say why."""
    nothing = Counts.of(())
    document: Json = {
        "schema": SCHEMA,
        "summary": _summary_of(nothing, 0, 0, 0, 0, 0, 0, 0, 0, findings),
        "vendors": [],
        "anchors": [],
        "claims": [],
        "examples": [],
        "errata": [],
        "findings": [finding_json(finding) for finding in findings],
    }
    return dumps(document)


def _summary(verification: Verification) -> Json:
    corpus = verification.corpus
    return _summary_of(
        verification.everything,
        len(verification.anchors),
        len(verification.claims),
        len(verification.examples),
        len(verification.errata),
        verification.checks,
        len(corpus.documents) + len(corpus.unread),
        sum(len(document.citations) for document in corpus.documents),
        len(verification.located),
        verification.findings,
    )


def _summary_of(
    counts: Counts,
    anchors: int,
    claims: int,
    examples: int,
    errata: int,
    checks: int,
    documents: int,
    citations: int,
    located: int,
    findings: Sequence[Finding],
) -> Json:
    return {
        "anchors": anchors,
        "claims": claims,
        "examples": examples,
        "errata": errata,
        "checks": checks,
        "documents": documents,
        "citations": citations,
        "verified": counts.verified,
        "failed": counts.failed,
        "unverified": counts.unverified,
        "untested": counts.untested,
        "waived": counts.waived,
        "located": located,
        **severity_counts(findings),
    }


def _claim(verification: Verification, id: str, status: Status) -> Json:
    test = verification.tests.get(id)
    word = CLAIM_STATUS.get(status, status.value)
    if status is Status.VERIFIED and test is not None:
        word = test.verdict.value
    runs = test.runs if test is not None else ()
    return {
        "id": id,
        "status": word,
        "checks": [
            {
                "form": run.check.form,
                "status": run.result.answer.value,
                "message": run.result.message,
                "caveat": run.caveat,
            }
            for run in runs
        ],
    }


def _vendor(verification: Verification, name: str) -> Json:
    corpus = verification.corpus
    pin = corpus.registry.vendors[name].pin
    looked_at = corpus.looked_at[name]
    if not isinstance(looked_at, Revision):
        return {"name": name, "commit": pin.text, "at": None, "release": None, "state": looked_at.why.value}
    release = looked_at.release.version if looked_at.release else None
    stands_in = release is not None and pin.version is None and name in corpus.targets
    state = "stand-in" if stands_in else "present"
    return {"name": name, "commit": pin.text, "at": looked_at.public, "release": release, "state": state}


def _anchor(verification: Verification, sighting: Sighting) -> Json:
    registry = verification.corpus.registry
    anchor = sighting.anchor
    recorded = [region.lines for region in anchor.regions] or [Lines(1, sighting.count)]
    regions: list[Json] = []
    for index, outcome in enumerate(sighting.outcomes):
        spot = spot_of(outcome)
        regions.append(
            {
                "lines": lines_json(spot.lines) if spot else None,
                "recorded": lines_json(recorded[index]),
                "path": spot.path if spot else None,
                "symbol": spot.symbol if spot else None,
                "outcome": outcome.name,
                "extent": extent_of(outcome).value if spot else None,
            }
        )
    return {
        "id": anchor.id,
        "vendor": anchor.vendor,
        "commit": registry.pin_of(anchor).text,
        "path": anchor.path,
        "status": verification.anchors[anchor.id].value,
        "review": registry.review_of(anchor).value,
        "compared": sighting.compared,
        "regions": regions,
    }
