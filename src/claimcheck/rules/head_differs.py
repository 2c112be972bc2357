"""A vendor's checkout stands at another commit than the pin; a note, since files are read at the pin."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, SOURCE, Case
from claimcheck.texts import NoSource

INFO = RuleInfo(
    "head-differs",
    Severity.NOTE,
    "The clone's HEAD, or the commit that the submodule records, is not the pin.",
    help="It does not matter to claimcheck, which reads the pin's objects. It matters to people who open the files in "
    "`vendor/NAME` and see other lines than the ones that are cited. Move the checkout, or bump the pin.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for name, looked_at in corpus.looked_at.items():
        vendor = corpus.registry.vendors[name]
        if vendor.pin.version is not None or isinstance(looked_at, NoSource):
            continue
        state = corpus.sources.state(name)
        for what, commit in (("vendor/" + name, state.head), ("the submodule entry", state.gitlink)):
            if commit is not None and commit != vendor.pin.text:
                yield Finding(
                    INFO,
                    name,
                    vendor.places["commit"],
                    f"{what} is at {commit[:8]}; the pin is {vendor.pin.short}",
                    help=f"git -C vendor/{name} checkout {vendor.pin.text}",
                )


PASSES = (Case("HEAD is the pin", GOOD),)
FAILS = (
    Case(
        "HEAD is one commit further",
        GOOD,
        commits=({"pool.py": SOURCE}, {"pool.py": SOURCE + "\n# more\n"}),
        finds=("anchors.yaml:4:13: note: lib: vendor/lib is at {c2:.8}; the pin is {c1:.8} [head-differs]",),
    ),
)
