"""Scores of many claims by worker processes: parsing holds the interpreter's lock, and each change has to be parsed.

A question is a line with the project's folder and a claim's ID; an answer is a line with the claim's score. Each worker
reads the project once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from claimcheck import registry as registry_files
from claimcheck.checks import Cited
from claimcheck.checks.mutants import Kind, Mutant
from claimcheck.claim_tests import cited_anchor
from claimcheck.corpus import build
from claimcheck.model import Registry
from claimcheck.mutation import Score, score_of
from claimcheck.project import Project
from claimcheck.sources import Sources
from claimcheck.values import frozen
from claimcheck.workers import Chunk, in_order


@frozen
class Job:
    """What all questions of one run have in common. `at` has pairs of a vendor and a revision."""

    root: str
    at: tuple[tuple[str, str], ...]
    alternates: tuple[str, ...]
    seed: int
    most: int


def scores(job: Job, claims: Sequence[str], workers: int) -> Iterator[Score]:
    """The score of each claim, in order, each as soon as it is known."""
    questions = [[_question(job, id)] for id in claims]
    chunks = map(_answered, questions) if workers == 1 else in_order(_answered, _lost, questions, workers)
    try:
        for chunk in chunks:
            yield from map(_score, chunk)
    finally:
        if workers == 1 and _project.cache_info().currsize:
            # A worker's child of git ends with the worker.
            _project(job.root, tuple(job.at), tuple(job.alternates)).sources.close()
            _project.cache_clear()


def _question(job: Job, claim: str) -> str:
    return json.dumps([job.root, job.at, job.alternates, job.seed, job.most, claim])


def _answered(chunk: Chunk) -> Chunk:
    answers = []
    for line in chunk:
        root, at, alternates, seed, most, claim = json.loads(line)
        seen = _project(root, tuple(map(tuple, at)), tuple(alternates))
        answers.append(_line(score_of(seen.registry.claims[claim], seen.cited(claim), seed, most)))
    return answers


def _lost(chunk: Chunk) -> Chunk:
    """What is said of claims whose worker died."""
    return [
        _line(Score(json.loads(line)[-1], left_out="its worker died, most likely for want of memory")) for line in chunk
    ]


@frozen(slots=False)
class _Seen:
    registry: Registry
    sources: Sources
    at: Mapping[str, str]

    def cited(self, claim: str) -> dict[str, Cited]:
        corpus = build(self.registry, self.sources, [claim], self.at)
        return {id: cited_anchor(self.registry, self.sources, one) for id, one in corpus.sightings.items()}


@lru_cache(maxsize=1)
def _project(root: str, at: tuple[tuple[str, str], ...], alternates: tuple[str, ...]) -> _Seen:
    project = Project.find(Path(root))
    registry = registry_files.load(project)
    sources = Sources(project.root, registry.vendors, allow_alternates=[Path(each) for each in alternates])
    return _Seen(registry, sources, dict(at))


def _line(score: Score) -> str:
    survivors = [
        [one.path, one.line, one.start, one.end, one.kind.value, one.before, one.after] for one in score.survivors
    ]
    return json.dumps([score.claim, score.tried, survivors, score.statements, score.left_out])


def _score(line: str) -> Score:
    claim, tried, survivors, statements, left_out = json.loads(line)
    mutants = (
        Mutant(path, number, start, end, Kind(kind), before, after)
        for path, number, start, end, kind, before, after in survivors
    )
    return Score(claim, tried, tuple(mutants), statements, left_out)
