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


PASSES = (Case("no lock yet", GOOD),)
FAILS = ()
