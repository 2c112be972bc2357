"""The lock has another digest for lines that the registry cites at the same commit."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case
from claimcheck.rules.evidence import problems, region_name, revision_of
from claimcheck.sighting import LockDiffers

INFO = RuleInfo(
    "lock-differs",
    Severity.ERROR,
    "The digest in anchors.lock is not that of the cited text.",
    help="A commit's content never changes, so the lock was edited by hand or merged wrongly, or was written for other "
    "objects. `claimcheck lock` writes what is true; the anchor is then unreviewed.",
)
LOCK = (
    '{"format": "claimcheck.lock", "version": 1}\n'
    '{"id": "L-TAKE", "vendor": "lib", "commit": "{c1}", "path": "pool.py", "review": "reviewed", '
    '"reviewed_at": "{c1}", "regions": [{"lines": [5, 6], "digest": "sha256:' + "0" * 64 + '"}]}\n'
)

LOCK = (
    '{"format": "claimcheck.lock", "version": 1}\n'
    '{"id": "L-TAKE", "vendor": "lib", "commit": "{c1}", "path": "pool.py", "review": "reviewed", '
    '"reviewed_at": "{c1}", "regions": [{"lines": [5, 6], "digest": "sha256:' + "0" * 64 + '"}]}\n'
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, LockDiffers):
        anchor = sighting.anchor
        yield Finding(
            INFO,
            anchor.id,
            anchor.places[f"lines.{problem.region}"],
            f"{region_name(anchor, problem.region)} at {revision_of(sighting)}: the text is not what anchors.lock has",
            help=f"claimcheck lock {anchor.id}",
            effect=Effect.FAILS,
        )


PASSES = (Case("no lock yet", GOOD),)
FAILS = (
    Case(
        "another digest for the same lines of the same commit",
        {**GOOD, "anchors.lock": LOCK},
        finds=(
            "anchors.yaml:7:34: error: L-TAKE: lines 5-6 at lib {c1:.8}: the text is not what anchors.lock has "
            "[lock-differs]",
        ),
    ),
)
