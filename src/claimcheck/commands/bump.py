"""`claimcheck bump`: move a vendor's pin, with everything that follows from it."""

from __future__ import annotations

import click

from claimcheck.bump import Bump, plan
from claimcheck.commands.drift import corpus_at
from claimcheck.commands.options import Settings, common_options, echo, write_or_show
from claimcheck.commands.session import Session, open_session
from claimcheck.drift import drift_of


@click.command()
@click.argument("vendor")
@click.argument("rev")
@click.option(
    "--hold", is_flag=True, help="Carry what needs nobody; the rest stays at its commit until it is reviewed."
)
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.option(
    "--diff", is_flag=True, help="Show the change of the files and write nothing; exit with 1 if there is one."
)
@common_options
def bump(vendor: str, rev: str, hold: bool, dry_run: bool, diff: bool, settings: Settings) -> int:
    """Move a vendor's pin to another revision, and the ranges and paths of its anchors with it.

    What is unchanged, moved, renamed or changed in looks only is carried. If anything needs a person, nothing is written,
    unless --hold is given: then those anchors keep the commit that they are cited at, and `review --held` walks through
    them. Reviews are carried along with texts that are the same. A clone of yours in vendor/NAME is never moved.

    \b
    Examples:
      claimcheck bump vllm v0.33.0             all or nothing
      claimcheck bump vllm v0.33.0 --hold      carry what carries
      claimcheck bump vllm v0.33.0 --diff      show the change first

    Exit codes: 0 done; 1 refused, since somebody has to read something.
    """
    from claimcheck.reports import bump_text

    with open_session(settings) as session:
        corpus = corpus_at(session, vendor, rev, documents=False)
        planned = plan(session.project, corpus, drift_of(corpus, vendor))
        if planned.nothing_to_do:
            echo(bump_text.nothing_to_do(planned), end="")
            return 0
        if planned.held and not hold:
            echo(bump_text.refused(planned), end="")
            return 1
        if diff:
            return write_or_show(session.project, planned.changes, diff=True, check=False)
        said = bump_text.written(planned, _to_follow(session, planned))
        if dry_run:
            echo(said.replace("Wrote ", "Would write ", 1), end="")
            return 0
        session.project.write(planned.changes)
        echo(said, end="")
    return 0


def _to_follow(session: Session, planned: Bump) -> list[str]:
    """The commands by which the user's own clone or submodule follows, if there is one and the target is a commit."""
    vendor, target = planned.drift.vendor, planned.drift.target
    state = session.sources.state(vendor)
    clone = f"vendor/{vendor}"
    if clone not in state.places or target.release is not None:
        return []
    steps = [f"git -C {clone} checkout {target.commit}"] if state.head != target.commit else []
    return [*steps, f"git add {clone}"] if state.gitlink not in (None, target.commit) else steps
