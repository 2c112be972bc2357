"""A commit that is cited is in the user's clone only, as far as the clone knows."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.model import Vendor
from claimcheck.rules.cases import GOOD, SOURCE, Case

INFO = RuleInfo(
    "pin-not-pushed",
    Severity.WARNING,
    "A cited commit is on no remote-tracking branch of the clone, and no tag leads to it.",
    help="The content was verified as usual. But the commit may exist on this machine only: it was never pushed, was "
    "rewritten upstream, or lives in somebody's fork. Then its permalinks are dead for everybody else, and nobody can "
    "fetch it. `git fetch` in `vendor/NAME` if the clone is merely old; push the commit; or pin one that is upstream. "
    "Asked only about `vendor/NAME` with remote-tracking branches and whole history, without the network.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    # A question about all of history: not for those who look at one ID, or at another revision.
    if not corpus.selection.everything:
        return
    for name, vendor in corpus.registry.vendors.items():
        if name in corpus.looked_at and name not in corpus.targets:
            yield from _of_vendor(corpus, vendor)


def _of_vendor(corpus: Corpus, vendor: Vendor) -> Iterator[Finding]:
    places = {vendor.pin: (vendor.name, vendor.places["commit"])}
    for anchor in corpus.registry.anchors.values():
        if anchor.vendor == vendor.name and anchor.commit is not None:
            places.setdefault(anchor.commit, (anchor.id, anchor.places["commit"]))
    commits = [pin.text for pin in places if pin.version is None]
    alone = corpus.sources.unpublished(vendor.name, commits)
    for pin, (subject, place) in places.items():
        if pin.text in alone:
            what = "the pin " if subject == vendor.name else ""
            yield Finding(
                INFO,
                subject,
                place,
                f"{what}{pin.short} is on no remote-tracking branch of vendor/{vendor.name}; its permalinks may be dead",
                help=f"git -C vendor/{vendor.name} fetch    if the clone is merely old",
            )


SECOND = {**GOOD, "anchors.yaml": GOOD["anchors.yaml"].replace("{c1}", "{c2}")}
COMMITS = ({"pool.py": SOURCE}, {"pool.py": SOURCE + "\n# more\n"})
PASSES = (
    Case("a clone that knows of no other repository", GOOD),
    Case("an older commit of the remote's branch", GOOD, COMMITS, remote="{c2}"),
)
FAILS = (
    Case(
        "a commit on top of what the remote has",
        SECOND,
        COMMITS,
        remote="{c1}",
        finds=(
            "anchors.yaml:4:13: warning: lib: the pin {c2:.8} is on no remote-tracking branch of vendor/lib; its "
            "permalinks may be dead [pin-not-pushed]",
        ),
    ),
)
