"""Running jobs: in this process while that is quicker and safe, else in workers with a budget of time and memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from claimcheck.model import Place
from claimcheck.rendering.composing import Failed, Filled, Job, fill_in_place
from claimcheck.rendering.pages import Page, PageJob, make_page
from claimcheck.rendering.site import IndexJob, make_index
from claimcheck.rendering.templates import Templates

# Below this many blocks a worker would take longer to start than to work.
FEW_BLOCKS = 60
MOST_WORKERS = 8
SECONDS = 20.0
MEMORY = 1_000_000_000

AnyJob = TypeVar("AnyJob", Job, PageJob | IndexJob)
Result = TypeVar("Result")


def fill_all(jobs: Sequence[Job], templates: Templates) -> Iterator[Filled | Failed]:
    """Every document filled in place, in order."""
    blocks = sum(len(job.fillings) for job in jobs)
    yield from _run(partial(fill_in_place, templates=templates), _lost_document, jobs, templates, blocks)


def make_all(jobs: Sequence[PageJob | IndexJob], templates: Templates) -> Iterator[Page | Failed]:
    """Every page of a site, in order."""
    blocks = sum(len(job.job.fillings) for job in jobs if isinstance(job, PageJob))
    yield from _run(partial(_make, templates=templates), _lost_page, jobs, templates, blocks)


def _make(job: PageJob | IndexJob, templates: Templates) -> Page | Failed:
    return make_page(job, templates) if isinstance(job, PageJob) else make_index(job, templates)


def _lost_document(job: Job, why: str) -> Filled | Failed:
    return Failed(f"the templates cannot be run: {why}", Place(job.document.path))


def _lost_page(job: PageJob | IndexJob, why: str) -> Page | Failed:
    path = job.job.document.path if isinstance(job, PageJob) else job.path
    return Failed(f"the templates cannot be run: {why}", Place(path))


def _run(
    work: Callable[[AnyJob], Result],
    lost: Callable[[AnyJob, str], Result],
    jobs: Sequence[AnyJob],
    templates: Templates,
    blocks: int,
) -> Iterator[Result]:
    """The package's own templates end by themselves; what others wrote is never run in this process."""
    if blocks < FEW_BLOCKS and not any(name.endswith(".jinja") for name in templates.own):
        yield from map(work, jobs)
        return
    from claimcheck.workers import Limits, within_limits

    workers = max(1, min(len(jobs), MOST_WORKERS, len(os.sched_getaffinity(0))))
    yield from within_limits(work, lost, jobs, workers, Limits(SECONDS, MEMORY))
