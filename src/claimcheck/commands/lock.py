"""`claimcheck lock`: bring anchors.lock up to date with the registry."""

from __future__ import annotations

import click

from claimcheck.commands.options import Settings, common_options, echo
from claimcheck.commands.session import open_session, show_findings_about
from claimcheck.commands.types import ID


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
        entries = locks.refreshed(corpus)
        change = locks.change(session.project, entries)
        anchors = list(corpus.selection.anchors)
        kept = [id for id in anchors if not locks.is_lockable(corpus.sightings[id])]
        show_findings_about(corpus, kept)
        differing = locks.differing(session.registry.lock, entries)
        fine = len(anchors) - len(kept)
        if check:
            echo(
                f"{len(differing)} of {len(anchors)} entries would change."
                if differing
                else "anchors.lock is up to date."
            )
            return 1 if differing or kept else 0
        if change.changes and (differing or change.before is not None):
            session.project.write([change])
            echo(f"Wrote anchors.lock: {len(differing)} entries changed, {fine} of {len(anchors)} anchors locked.")
        else:
            echo(f"anchors.lock is up to date: {fine} of {len(anchors)} anchors locked. Nothing written.")
        if not fine and anchors:
            return 2
        return 1 if kept else 0
