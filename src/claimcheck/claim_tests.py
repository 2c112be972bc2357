"""The checks of claims on what this run looks at: where their anchors were seen, and what becomes of each claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from claimcheck.checks import Answer, Cited, Context, Result, Strength, strength_of
from claimcheck.checks import run as run_check
from claimcheck.errors import NotCompiled
from claimcheck.grammars import grammar_for
from claimcheck.model import Basis, Check, Claim, Registry
from claimcheck.outcome import Located, spot_of
from claimcheck.registry import compiles
from claimcheck.sighting import (
    RangeBeyond,
    Sighting,
    StringElsewhere,
    StringNowhere,
    SymbolProblem,
    SymbolUnclear,
    Unreadable,
)
from claimcheck.sources import Sources
from claimcheck.texts import NoSource, SourceText
from claimcheck.values import frozen
from claimcheck.verdict import Verdict
from claimcheck.workers import beside

# Checks from which a copy of this process is worth what it takes to make one.
WORTH_SHARING = 100
LINES_OF_A_CHECK = 60


@frozen
class Run:
    """One check of a claim and its result. `part` is where it stands in the entry; `caveat` counts from 1."""

    check: Check
    part: str
    result: Result
    caveat: int | None = None

    @property
    def strength(self) -> Strength:
        return strength_of(self.check)


@frozen
class ClaimTest:
    """A claim with the results of its checks and of its caveats' checks, in the order in which they are written."""

    claim: Claim
    runs: tuple[Run, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """What follows: one failing check fails the claim, a caveat's too, since a caveat is a part of what it says."""
        answers = {run.result.answer for run in self.runs}
        if Answer.FAILS in answers:
            return Verdict.FAILS
        if Answer.UNVERIFIED in answers:
            return Verdict.UNVERIFIED
        if not any(run.caveat is None and self.decides(run) for run in self.runs):
            return Verdict.UNTESTED
        return Verdict.CAVEATS if self.claim.caveats else Verdict.HOLDS

    @property
    def holds(self) -> bool:
        """Whether checks say that the claim is true, under conditions or not."""
        return self.verdict.good

    def decides(self, run: Run) -> bool:
        """Whether a check that holds says anything of the claim: a comment says nothing of code."""
        return not (self.claim.basis is Basis.CODE and run.strength is Strength.COMMENT)

    @property
    def failing(self) -> tuple[Run, ...]:
        return tuple(run for run in self.runs if run.result.answer is Answer.FAILS)

    @property
    def unverified(self) -> tuple[Run, ...]:
        return tuple(run for run in self.runs if run.result.answer is Answer.UNVERIFIED)


@frozen(slots=False)
class CommitFiles:
    """The files of a vendor at a commit, as checks look at them."""

    sources: Sources
    vendor: str
    commit: str

    def read(self, path: str, /) -> SourceText | NoSource:
        return self.sources.read(self.vendor, self.commit, path)

    def blobs(self) -> Mapping[str, str] | NoSource:
        return self.sources.blobs(self.vendor, self.commit)


def run(
    claims: Iterable[Claim], registry: Registry, sources: Sources, sightings: Mapping[str, Sighting]
) -> dict[str, ClaimTest]:
    """The results of the claims' checks, in the order of the claims, run vendor by vendor and file by file.

    Many of them are shared with a copy of this process, since parsing and searching hold the interpreter's lock. Raises
    NotCompiled where the code of a check does not parse, if it was not known to when the registry was loaded.
    """
    in_order = list(claims)
    cited = {id: cited_anchor(registry, sources, sighting) for id, sighting in sightings.items()}

    def work(some: Sequence[Claim]) -> list[tuple[Result, ...]] | None:
        if not (registry.compiled or all(compiles(claim, registry.anchors) for claim in some)):
            return None
        tested = (test(claim, context_of(claim, cited)) for claim in some)
        return [tuple(run.result for run in one.runs) for one in tested]

    lengths = {(one.anchor.vendor, one.path): one.count for one in sightings.values()}
    batches = _batches(in_order, cited, lengths)
    if len(batches) > 1:
        sources.close()  # the child of git, which the two cannot share; either starts its own if it needs one
    results: dict[str, tuple[Result, ...]] = {}
    for batch, found in zip(batches, beside(work, batches), strict=True):
        if found is None:
            raise NotCompiled("the code of a check does not parse")
        results.update(zip((claim.id for claim in batch), found, strict=True))
    return {claim.id: _tested(claim, results[claim.id]) for claim in in_order}


def _batches(
    claims: Sequence[Claim], cited: Mapping[str, Cited], lengths: Mapping[tuple[str, str], int]
) -> list[list[Claim]]:
    """The claims by the longest file that they are about, vendor by vendor, and of each the most work first.

    They are one batch where there are few checks. What is in a language that most of a vendor is not written in is one
    batch too, since to begin with a language takes as long as a large file.
    """
    usual = _usual_languages([place for claim in claims for place in _places(claim, cited)])
    batches: dict[tuple[str, str], list[Claim]] = {}
    work: dict[tuple[str, str], float] = {}

    def rank(place: tuple[str, str]) -> tuple[bool, int]:
        return _language(place[1]) not in ("", usual[place[0]]), lengths.get(place, 0)

    for claim in claims:
        longest = max(_places(claim, cited), key=rank, default=("", ""))
        vendor, language = longest[0], _language(longest[1])
        batch = longest if language in ("", usual.get(vendor)) else (vendor, language)
        if batch not in batches:
            # To parse a file takes as long as a check for so many of its lines.
            work[batch] = lengths.get(longest, 0) / LINES_OF_A_CHECK
        batches.setdefault(batch, []).append(claim)
        work[batch] += sum(1 for _ in checks_of(claim))
    in_order = [batches[batch] for batch in sorted(batches, key=lambda batch: (batch[0], -work[batch]))]
    if sum(1 for claim in claims for _ in checks_of(claim)) < WORTH_SHARING:
        return [[claim for batch in in_order for claim in batch]]
    return in_order


def _usual_languages(places: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The language in which most of what is looked at of each vendor is written."""
    often: dict[str, Counter[str]] = {}
    for vendor, path in places:
        often.setdefault(vendor, Counter())[_language(path)] += 1
    return {vendor: languages.most_common(1)[0][0] for vendor, languages in often.items()}


def _language(path: str) -> str:
    grammar = grammar_for(path)
    return grammar.name if grammar else ""


def _places(claim: Claim, cited: Mapping[str, Cited]) -> list[tuple[str, str]]:
    """The files that a claim cites, and those that its checks name."""
    anchors = [cited[id] for id in claim.cites if id in cited]
    named = [(anchors[0].vendor, check.path) for check, _, _ in checks_of(claim) if check.path and anchors]
    return [*((one.vendor, one.path) for one in anchors), *named]


def _tested(claim: Claim, results: Iterable[Result]) -> ClaimTest:
    checks = zip(checks_of(claim), results, strict=True)
    return ClaimTest(claim, tuple(Run(check, part, result, caveat) for (check, part, caveat), result in checks))


def context_of(claim: Claim, cited: Mapping[str, Cited]) -> Context:
    """What a claim's checks look at."""
    return Context({id: cited[id] for id in claim.cites if id in cited})


def test(claim: Claim, context: Context) -> ClaimTest:
    """A claim's checks, run in a context."""
    return _tested(claim, (run_check(check, context) for check, _, _ in checks_of(claim)))


def checks_of(claim: Claim) -> Iterator[tuple[Check, str, int | None]]:
    """Every check of a claim with its place in the entry, and the number of the caveat whose it is."""
    for n, check in enumerate(claim.checks):
        yield check, f"checks.{n}", None
    for number, caveat in enumerate(claim.caveats):
        for n, check in enumerate(caveat.checks):
            yield check, f"caveats.{number}.checks.{n}", number + 1


# Problems of a sighting that leave it in doubt where the anchor is; that its text was changed is none of them.
_DOUBTS = (Unreadable, RangeBeyond, StringElsewhere, StringNowhere, SymbolProblem, SymbolUnclear)


def cited_anchor(registry: Registry, sources: Sources, sighting: Sighting) -> Cited:
    """An anchor as checks look at it."""
    anchor, revision = sighting.anchor, sighting.revision
    if revision is None:
        nothing = f"nothing of {anchor.vendor} could be read"
        return Cited(anchor.id, anchor.vendor, anchor.vendor, anchor.path, (), None, nothing)
    files = CommitFiles(sources, anchor.vendor, revision.commit)
    stand_in = revision.release is not None and registry.pin_of(anchor).version is None
    problem = _problem(sighting)
    regions = () if problem else tuple(spot.lines for spot in sighting.spots)
    label = f"{anchor.vendor} {revision.label}"
    return Cited(anchor.id, anchor.vendor, label, sighting.path, regions, files, problem, stand_in)


def _problem(sighting: Sighting) -> str | None:
    """Why it is not known where the regions of an anchor are."""
    id = sighting.anchor.id
    if any(isinstance(problem, _DOUBTS) for problem in sighting.problems):
        return f"it is in doubt where {id} is"
    for number, outcome in enumerate(sighting.outcomes, 1):
        guessed = isinstance(outcome, Located) and not outcome.singled_out
        if guessed or spot_of(outcome) is None:
            which = f"region {number} of {id}" if len(sighting.outcomes) > 1 else id
            return f"{which} was not found"
    if len({spot.path for spot in sighting.spots}) > 1:
        return f"the regions of {id} are in several files"
    return None if sighting.spots else f"{id} was not found"
