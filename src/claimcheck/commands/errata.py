"""`claimcheck errata`: what has become of corrections to published text."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from claimcheck.commands.options import (
    Settings,
    at_option,
    common_options,
    echo,
    format_option,
    output_option,
    output_to,
    parse_at,
)
from claimcheck.commands.session import Session, open_session
from claimcheck.commands.types import ID
from claimcheck.corpus import unknown_id
from claimcheck.documents import Citable, Document, Problem, read
from claimcheck.edit import unified_diff
from claimcheck.errata import Standing, State, correct, standing
from claimcheck.errors import EnvironmentProblem, UsageError
from claimcheck.reports.errata import FORMATS
from claimcheck.terminal import visible_block


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...", type=ID)
@click.option("--check", is_flag=True, help="Exit with 1 while a correction is open.")
@click.option(
    "--apply",
    "applying",
    is_flag=True,
    help="Put these corrections in the place of what they correct; shows the change first.",
)
@click.option("--yes", is_flag=True, help="With --apply: write without asking, as for a run without a terminal.")
@at_option
@format_option(FORMATS)
@output_option
@common_options
def errata(
    ids: tuple[str, ...],
    check: bool,
    applying: bool,
    yes: bool,
    at: tuple[str, ...],
    form: str,
    output: Path | None,
    settings: Settings,
) -> int:
    """Say of each correction whether the passage still stands in its document, and where.

    open: the quote is still there; moved: it is there, in another line than recorded; fixed: the document now says what
    the correction says; gone: it says neither. Documents that live elsewhere are counted as not here; `expected: missing`
    says that this is known. With --at also what became of the cited anchors at another revision.

    \b
    Examples:
      claimcheck errata                      all of them
      claimcheck errata --check              in CI: 1 while something is open
      claimcheck errata --apply E08-1        shows the change, asks, and writes it
      claimcheck errata --at vllm=v0.33.0    and which corrections rest on code that has changed

    Only a correction marked `replaceable: true` is applied, and nothing but its passage is touched.
    """
    with open_session(settings) as session:
        asked = _asked(session, ids)
        documents = _documents(session, asked)
        standings = [
            standing(session.registry.errata[id], documents.get(session.registry.errata[id].lesson)) for id in asked
        ]
        if applying:
            if not ids:
                raise UsageError("--apply: which corrections?", help="claimcheck errata --apply E08-1")
            return _apply(session, standings, documents, yes=yes)
        with output_to(output) as out:
            out(FORMATS[form](standings, _drifted(session, standings, at)))
    return _exit_code(standings) if check else 0


def _asked(session: Session, ids: Sequence[str]) -> list[str]:
    known = session.registry.errata
    for id in ids:
        if id not in known:
            raise unknown_id(id, known, "correction")
    return [id for id in known if not ids or id in ids]


def _documents(session: Session, ids: Sequence[str]) -> dict[str, Document]:
    """The documents that corrections are about, as far as they are here; raises EnvironmentProblem for an unreadable one."""
    found: dict[str, Document] = {}
    citable = Citable.of(session.registry)
    for path in dict.fromkeys(session.registry.errata[id].lesson for id in ids):
        content = session.project.read(path)
        if content is None:
            continue
        document = read(path, content, citable)
        if isinstance(document, Problem):
            raise EnvironmentProblem(document.message, place=document.place, help=document.help)
        found[path] = document
    return found


def _drifted(session: Session, standings: Sequence[Standing], at: tuple[str, ...]) -> dict[str, str]:
    """What became of the anchors that open corrections cite, at what `--at` names; only what does not carry over."""
    from claimcheck.commands.drift import corpus_at
    from claimcheck.drift import drift_of

    found: dict[str, str] = {}
    anchors = session.registry.anchors
    for vendor, rev in parse_at(at, tuple(session.registry.vendors)).items():
        cited = {id for one in standings if one.open or one.state is State.NOT_HERE for id in one.erratum.cites}
        own = tuple(id for id in anchors if id in cited and anchors[id].vendor == vendor)
        if own:
            drift = drift_of(corpus_at(session, vendor, rev, own), vendor, own)
            found |= {
                one.id: f"{one.outcome.name} in {drift.target.tag or drift.target.label}" for one in drift.to_read
            }
    return found


def _apply(session: Session, standings: Sequence[Standing], documents: Mapping[str, Document], *, yes: bool) -> int:
    changes = correct(standings, documents)
    echo(visible_block(unified_diff(changes)), end="")
    if not yes:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            echo("Not a terminal, nothing written. (--yes writes it)", err=True)
            return 1
        if not click.confirm("Write this?"):
            return 1
    written = session.project.write(changes)
    echo(f"Wrote {', '.join(written)}.")
    return 0


def _exit_code(standings: Sequence[Standing]) -> int:
    """1 while something is open or lost, 2 when nothing could be looked at that should have been."""
    if any(one.open or one.state is State.GONE for one in standings):
        return 1
    if any(one.unexpected for one in standings):
        return 2 if all(one.state is State.NOT_HERE for one in standings) else 1
    return 0
