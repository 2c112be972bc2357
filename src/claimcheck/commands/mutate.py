"""`claimcheck mutate`: how good the checks of claims are."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from claimcheck.commands.options import (
    Settings,
    at_option,
    common_options,
    format_option,
    output_option,
    output_to,
    parse_at,
)
from claimcheck.commands.session import Session, open_session
from claimcheck.commands.types import ID
from claimcheck.corpus import unknown_id
from claimcheck.mutation import Score, Total
from claimcheck.reports.mutation import FORMATS, Shown


@click.command()
@click.argument("ids", nargs=-1, metavar="[CLAIM]...", type=ID)
@click.option("--seed", type=int, default=0, show_default=True, help="Which changes are tried where there are many.")
@click.option(
    "--most", type=click.IntRange(1, 10_000), default=40, show_default=True, help="How many changes a claim at most."
)
@click.option("--least", type=click.IntRange(0, 100), help="Exit with 1 if the score, in percent, is below this.")
@click.option("--workers", type=click.IntRange(1, 64), default=None, help="Processes; as many as there are cores.")
@at_option
@format_option(FORMATS)
@output_option
@common_options
def mutate(
    ids: tuple[str, ...],
    seed: int,
    most: int,
    least: int | None,
    workers: int | None,
    at: tuple[str, ...],
    form: str,
    output: Path | None,
    settings: Settings,
) -> int:
    """Change the cited source in memory, a little at a time, and list the claims whose checks do not notice.

    Operators, constants, conditions, removed calls, swapped statements and other names, one at a time, in the code that
    shows that a check holds. A claim that stays green although that code was changed is held less strictly than it
    reads. The score is the share of changes that were noticed; the same seed tries the same changes.

    \b
    Examples:
      claimcheck mutate                          every claim that has checks
      claimcheck mutate V2.6 V2.7 --most 200     two claims, thoroughly
      claimcheck mutate --at release --least 80  in CI: 1 if the score of the whole falls below 80%

    Nothing is written. Exit codes: 0 done; 1 the score is below --least; 2 nothing could be tried.
    """
    from claimcheck.mutation_batch import Job, scores

    with open_session(settings) as session:
        claims = _asked(session, ids)
        targets = parse_at(at, tuple(session.registry.vendors))
        root = str(session.project.root)
    alternates = tuple(str(folder) for folder in settings.allow_alternates)
    job = Job(root, tuple(targets.items()), alternates, seed, most)
    found = scores(job, claims, min(workers or os.cpu_count() or 1, max(1, len(claims))))
    total = Total(tuple(_with_progress(found, len(claims), quiet=settings.quiet)))
    with output_to(output) as out:
        out(FORMATS[form](Shown(total, seed, most, settings.verbose)))
    if total.share is None:
        return 2
    return 1 if least is not None and 100 * total.share < least else 0


def _asked(session: Session, ids: Sequence[str]) -> list[str]:
    known = session.registry.claims
    for id in ids:
        if id not in known:
            raise unknown_id(id, known, "claim")
    return list(dict.fromkeys(ids)) or [id for id, claim in known.items() if claim.has_checks]


def _with_progress(found: Iterable[Score], count: int, *, quiet: bool) -> Iterator[Score]:
    """The scores, with a bar on stderr where somebody looks at one."""
    if quiet or not sys.stderr.isatty():
        yield from found
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(found, "changing", total=count, console=Console(stderr=True), transient=True)
