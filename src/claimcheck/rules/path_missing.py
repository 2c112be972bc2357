"""The cited file does not exist at the revision looked at."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Effect, Evidence, Finding, FindingClass, RuleInfo, Severity
from claimcheck.forges import Remote, parse_remote
from claimcheck.model import Anchor
from claimcheck.rules.cases import RELEASED, SOURCE, Case, project
from claimcheck.rules.evidence import problems, resting_on, revision_of
from claimcheck.sighting import Unreadable
from claimcheck.texts import Why

INFO = RuleInfo(
    "path-missing",
    Severity.ERROR,
    "The cited path is not in the commit.",
    help="Paths are looked up in the commit's own tree, letter by letter, on every system; what lies in the work tree "
    "does not count. At the pin the citation is wrong. At a release that only stands in for the pin nothing was "
    "learned about the pin: the anchor is unverified, since source archives leave folders out.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for sighting, problem in problems(corpus, Unreadable):
        if problem.source.why is not Why.PATH_MISSING or sighting.revision is None:
            continue
        anchor = sighting.anchor
        rests = resting_on(corpus, anchor.id)
        if sighting.stand_in:
            what = f"{revision_of(sighting)}, the stand-in, {problem.source.message}"
            yield Finding(
                INFO,
                anchor.id,
                anchor.places["path"],
                f"{anchor.path} cannot be looked at",
                evidence=(f"{what}; {rests}" if rests else what,),
                help=f"claimcheck vendor sync {anchor.vendor}    brings the pin, where {_forge(corpus, anchor)} can be reached",
                effect=Effect.UNVERIFIES,
                kind=FindingClass.ENVIRONMENT,
            )
            continue
        # Without a folder or a near name to point at, the sentence would only say the same again.
        bare = problem.source.message == f"has no file {anchor.path}"
        evidence: tuple[Evidence, ...] = () if bare else (f"{revision_of(sighting)} {problem.source.message}",)
        yield Finding(
            INFO,
            anchor.id,
            anchor.places["path"],
            f"{anchor.path} is not in {revision_of(sighting)}",
            evidence=evidence + ((rests,) if rests else ()),
            help=problem.source.help,
            effect=Effect.FAILS,
        )


def _forge(corpus: Corpus, anchor: Anchor) -> str:
    """The host that has the pin, as people know it."""
    url = corpus.registry.vendors[anchor.vendor].url
    remote = parse_remote(url) if url else None
    return remote.host if isinstance(remote, Remote) else "its forge"


PASSES = (Case("the path is there", project("  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n")),)
FAILS = (
    Case(
        "the release that stands in leaves the folder out",
        project("  L-TAKE: {path: doc/pool.md, lines: 5-6, find: def take}\n", head=RELEASED),
        commits=(),
        releases={"1.2": {"pool.py": SOURCE}},
        at="release",
        finds=("anchors.yaml:8:18: error: L-TAKE: doc/pool.md cannot be looked at [path-missing]",),
    ),
    Case(
        "another case of letters",
        project("  L-TAKE: {path: Pool.py, lines: 5-6, find: def take}\n"),
        finds=("anchors.yaml:7:18: error: L-TAKE: Pool.py is not in lib {c1:.8} [path-missing]",),
    ),
    Case(
        "in a later commit only",
        project("  L-TAKE: {path: new.py, lines: 5-6, find: def take}\n"),
        commits=({"pool.py": SOURCE}, {"pool.py": SOURCE, "new.py": SOURCE}),
        finds=("anchors.yaml:7:18: error: L-TAKE: new.py is not in lib {c1:.8} [path-missing]",),
    ),
)
