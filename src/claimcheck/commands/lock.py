"""`claimcheck lock`: bring anchors.lock up to date with the registry."""

from __future__ import annotations

import click

from claimcheck.commands.options import Settings, common_options, echo
from claimcheck.commands.session import open_session, show_findings_about
from claimcheck.commands.types import ID
from claimcheck.phrases import counted


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...", type=ID)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when something would change.")
@common_options
def lock(ids: tuple[str, ...], check: bool, settings: Settings) -> int:
    """Record digests, symbols and fingerprints of the cited lines in anchors.lock.

    An entry that still fits keeps its review state; one that was stale becomes unreviewed. Anchors whose commit is not
    here keep the entry they have.

    \b
    Examples:
      claimcheck lock              every anchor whose commit is here
      claimcheck lock --check      in CI: is the lock up to date?
    """
    from claimcheck import locks

    with open_session(settings) as session:
        corpus = session.corpus(ids)
        new, gone = locks.refreshed(corpus), locks.gone(session.registry)
        change = locks.update(session.project, new, gone)
        anchors = list(corpus.selection.anchors)
        kept = [id for id in anchors if not locks.is_lockable(corpus.sightings[id])]
        show_findings_about(corpus, kept)
        differing = counted(len(new) + len(gone), "entry", "entries")
        fine = len(anchors) - len(kept)
        if check:
            if new or gone:
                echo(f"{differing} would change.")
            elif not kept:
                echo("anchors.lock is up to date.")
            return 1 if new or gone or kept else 0
        if change.changes and (new or gone or change.before is not None):
            session.project.write([change])
            echo(f"Wrote anchors.lock: {differing} changed, {fine} of {len(anchors)} anchors locked.")
        else:
            state = "" if kept else "anchors.lock is up to date: "
            echo(f"{state}{fine} of {len(anchors)} anchors locked. Nothing written.")
        if not fine and anchors:
            return 2
        return 1 if kept else 0
