"""An entry of anchors.lock speaks of another vendor, commit, path or range than the registry."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.model import Place, ReviewState
from claimcheck.rules.cases import GOOD, Case

INFO = RuleInfo(
    "lock-stale",
    Severity.WARNING,
    "An entry of anchors.lock does not fit its anchor any more.",
    help="The registry was edited by hand after the lock was written. Until `claimcheck lock` has run, the anchor is "
    "unreviewed and cannot be re-found by its fingerprint. An entry whose anchor is gone is swept at the same time.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    registry = corpus.registry
    for id, entry in registry.lock.items():
        anchor = registry.anchors.get(id)
        if anchor is None:
            if corpus.selection.everything:
                yield Finding(
                    INFO,
                    id,
                    Place("anchors.lock"),
                    "anchors.lock has an entry, the registry has no such anchor",
                    help="claimcheck lock",
                )
            continue
        if id not in corpus.sightings or registry.is_fresh(anchor, entry):
            continue
        was = entry.review is not ReviewState.UNREVIEWED
        reviewed = f"; it was {entry.review.value} at {(entry.reviewed_at or entry.commit)[:8]}" if was else ""
        yield Finding(
            INFO,
            id,
            anchor.places["lines"],
            f"anchors.lock has it at {entry.commit[:8]}, {entry.path}:"
            f"{', '.join(str(region.lines) for region in entry.regions)}{reviewed}",
            help=f"claimcheck lock {id}" + (f", then claimcheck review {id}" if was else ""),
        )


DIGEST = "sha256:2e7012adcd3b63cbd0ec056721a5dcfd6484ac5107de6f9580864e10e12b75bf"


def locked(id: str, lines: str) -> dict[str, str]:
    """The lock with one entry that a person has reviewed."""
    entry = (
        f'{{"id": "{id}", "vendor": "lib", "commit": "{{c1}}", "path": "pool.py", "review": "reviewed", '
        f'"reviewed_at": "{{c1}}", "regions": [{{"lines": [{lines}], "digest": "{DIGEST}"}}]}}'
    )
    return {"anchors.lock": f'{{"format": "claimcheck.lock", "version": 1}}\n{entry}\n'}


PASSES = (
    Case("no lock yet", GOOD),
    Case("a lock that fits", {**GOOD, **locked("L-TAKE", "5, 6")}),
)
FAILS = (
    Case(
        "other lines than the registry has",
        {**GOOD, **locked("L-TAKE", "4, 5")},
        finds=(
            "anchors.yaml:7:34: warning: L-TAKE: anchors.lock has it at {c1:.8}, pool.py:4-5; it was reviewed at "
            "{c1:.8} [lock-stale]",
        ),
    ),
    Case(
        "an anchor that is gone",
        {**GOOD, **locked("L-GONE", "5, 6")},
        finds=(
            "anchors.lock: warning: L-GONE: anchors.lock has an entry, the registry has no such anchor [lock-stale]",
        ),
    ),
)
