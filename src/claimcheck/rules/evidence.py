"""The phrases and quotations that the rules have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from claimcheck.corpus import Corpus
from claimcheck.finding import Quote
from claimcheck.model import Anchor, Check, Claim, Lines
from claimcheck.phrases import listed
from claimcheck.sighting import Problem, Sighting

if TYPE_CHECKING:
    from claimcheck.checks import Hit
    from claimcheck.syntax import Symbol

P = TypeVar("P", bound=Problem)

MOST_LINES = 3
LONGEST_LINE = 400

# Findings of one rule that are told what took long to find out: names of symbols, what comes near, what to write instead.
# Nobody reads more of them, and on a large file each costs milliseconds.
MOST_EXPLAINED = 200


def seen(corpus: Corpus) -> Iterator[Sighting]:
    """The sightings of the anchors that were asked about, and of those on which what was asked about rests."""
    yield from corpus.sightings.values()


def problems(corpus: Corpus, kind: type[P]) -> Iterator[tuple[Sighting, P]]:
    """Every problem of one kind, with the sighting that has it."""
    for sighting in seen(corpus):
        for problem in sighting.problems:
            if isinstance(problem, kind):
                yield sighting, problem


def revision_of(sighting: Sighting) -> str:
    """The vendor and the revision looked at, as people read it: `vllm 0.33.0`, `vllm f08e0be3 (v0.33.0)`."""
    assert sighting.revision is not None
    return f"{sighting.anchor.vendor} {sighting.revision.label}"


def quote(corpus: Corpus, sighting: Sighting, numbers: Iterable[int] = ()) -> Quote:
    """The path at the revision looked at, and a few of its lines."""
    assert sighting.revision is not None
    source = corpus.read(sighting)
    wanted = list(numbers)[:MOST_LINES]
    lines = tuple((n, _cut(source.lines[n - 1])) for n in wanted) if source else ()
    return Quote(sighting.anchor.vendor, revision_of(sighting), sighting.revision.public, sighting.path, lines)


def quote_hits(corpus: Corpus, claim: Claim, check: Check, hits: Sequence[Hit]) -> Iterator[Quote]:
    """The lines that a check's result speaks of, in the first file that has some of them."""
    if not hits:
        return
    cited = [corpus.sightings[id] for id in ([check.anchor] if check.anchor else claim.cites) if id in corpus.sightings]
    path = hits[0].path
    sighting = next((one for one in cited if one.path == path), cited[0])
    assert sighting.revision is not None
    lines = {hit.line: _cut(hit.text) for hit in hits if hit.path == path}
    shown = tuple(sorted(lines.items()))[:MOST_LINES]
    yield Quote(sighting.anchor.vendor, revision_of(sighting), sighting.revision.public, path, shown)


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"


def region_name(anchor: Anchor, index: int) -> str:
    """`lines 681-714` where an anchor has one region, `region 2 (lines 744-830)` where it has several."""
    if not anchor.regions:
        return anchor.symbol or "the file"
    lines = anchor.regions[index].lines
    name = f"line {lines}" if len(lines) == 1 else f"lines {lines}"
    return name if len(anchor.regions) == 1 else f"region {index + 1} ({name})"


def region_has(anchor: Anchor, index: int) -> str:
    """`lines 681-714 have`, `line 40 has`, `region 2 (lines 744-830) has`."""
    name = region_name(anchor, index)
    return f"{name} have" if name.startswith("lines ") else f"{name} has"


def resting_on(corpus: Corpus, anchor: str) -> str | None:
    """`D3.6 rests on it`, for evidence."""
    ids = [entry.id for entry in corpus.cited_by(anchor)]
    return f"{listed(ids)} {'rests' if len(ids) == 1 else 'rest'} on it" if ids else None


def definition_around(corpus: Corpus, sighting: Sighting, lines: Lines) -> Symbol | None:
    """The definition that some lines lie in, if a grammar reads the file and one does."""
    from claimcheck.syntax import outline

    source = corpus.read(sighting)
    found = outline(source.text, sighting.path) if source else None
    return found.innermost(lines) if found else None


def in_symbol(corpus: Corpus, sighting: Sighting, line: int) -> str:
    """`12, in Pool.take` or just `12`."""
    symbol = definition_around(corpus, sighting, Lines(line, line))
    return f"{line}, in {symbol.name}" if symbol else str(line)
