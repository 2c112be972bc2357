"""The revision to look at is not among a vendor's objects."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, FindingClass, RuleInfo, Severity
from claimcheck.model import Revision
from claimcheck.repository import VendorState
from claimcheck.rules.cases import GOOD, Case
from claimcheck.texts import NoSource, Why

INFO = RuleInfo(
    "pin-missing",
    Severity.ERROR,
    "The commit at which a vendor is cited is not here.",
    FindingClass.ENVIRONMENT,
    "Usually a shallow clone, as CI makes them, or a clone that has not been fetched for a while. Nothing was learned "
    "about the vendor's anchors; they are unverified. `claimcheck vendor sync NAME` fetches exactly the commits that "
    "the registry names. Where no forge can be reached, `--at release` looks at the declared release instead.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for name, looked_at in corpus.looked_at.items():
        if not isinstance(looked_at, NoSource) or looked_at.why is Why.REPOSITORY:
            continue
        state = corpus.sources.state(name)
        if not state.present:
            continue
        vendor = corpus.registry.vendors[name]
        yield Finding(
            INFO,
            name,
            vendor.places["commit"],
            looked_at.message,
            evidence=(*state.remarks, *_stand_in(corpus, name, state)),
            help=looked_at.help,
            effect=Effect.UNVERIFIES,
        )


def _stand_in(corpus: Corpus, name: str, state: VendorState) -> Iterator[str]:
    """The release that can be looked at instead, unless the run asks for a revision of its own."""
    if isinstance(state.stand_in, Revision) and name not in corpus.targets:
        yield f"{name} {state.stand_in.label} is here and can stand in: --at release"


PASSES = (Case("the pin is in vendor/lib", GOOD),)
FAILS = (
    Case(
        "a pin that nobody has",
        {**GOOD, "anchors.yaml": GOOD["anchors.yaml"].replace("{c1}", "1234567890" * 4)},
        finds=("anchors.yaml:4:13: error: lib: the pin 12345678 is not in vendor/lib [pin-missing]",),
    ),
)
