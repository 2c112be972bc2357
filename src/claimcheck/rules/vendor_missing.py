"""There is nothing of a vendor on this machine."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Finding, FindingClass, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case
from claimcheck.texts import NoSource

INFO = RuleInfo(
    "vendor-missing",
    Severity.ERROR,
    "A vendor has neither a clone nor a copy of our own here.",
    FindingClass.ENVIRONMENT,
    "Sources are read from `vendor/NAME` (your clone, submodule or worktree) or `vendor/NAME.git` (claimcheck's own "
    "copy). With neither, nothing can be said about the anchors of this vendor: they are unverified. "
    "`claimcheck vendor sync NAME` brings exactly the commits that the registry names.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for name, looked_at in corpus.looked_at.items():
        if isinstance(looked_at, NoSource) and not corpus.sources.state(name).present:
            vendor = corpus.registry.vendors[name]
            yield Finding(
                INFO,
                name,
                vendor.places[""],
                f"there is no vendor/{name} and no vendor/{name}.git",
                help=f"claimcheck vendor sync {name}",
                effect=Effect.UNVERIFIES,
            )


PASSES = (Case("a clone in vendor/lib", GOOD),)
FAILS = (
    Case(
        "nothing in vendor/",
        {**GOOD, "anchors.yaml": GOOD["anchors.yaml"].replace("{c1}", "1234567890" * 4)},
        commits=(),
        finds=("anchors.yaml:2:3: error: lib: there is no vendor/lib and no vendor/lib.git [vendor-missing]",),
    ),
)
