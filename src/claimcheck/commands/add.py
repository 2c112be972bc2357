"""`claimcheck add`: a new anchor by lines, symbol or string."""

from __future__ import annotations

import click

from claimcheck.additions import Addition, plan
from claimcheck.commands.options import Settings, common_options, echo, write_or_show, writing_options
from claimcheck.commands.session import open_session


@click.command()
@click.argument("id", metavar="ID")
@click.argument("target", metavar="VENDOR:PATH:WHERE")
@click.option("--find", "strings", metavar="TEXT", multiple=True, help="Search string; else the shortest are proposed.")
@click.option("--whole", is_flag=True, help="Take the whole definition that the lines begin or end in.")
@click.option("--after", metavar="ID", help="Put it behind this anchor; else behind the last one of the same file.")
@click.option("--commit", metavar="REV", help="Cite it at a commit or release/VERSION of its own, not at the pin.")
@click.option("--unreviewed", is_flag=True, help="Do not count it as reviewed, though it is shown.")
@writing_options
@common_options
def add(
    id: str,
    target: str,
    strings: tuple[str, ...],
    whole: bool,
    after: str | None,
    commit: str | None,
    unreviewed: bool,
    diff: bool,
    check: bool,
    settings: Settings,
) -> int:
    """Add an anchor, by lines, by the symbol that you have in your head, or by a text that stands there.

    The lines are shown, the shortest strings that single them out are proposed, and anchors.yaml and anchors.lock are
    written together. WHERE is LINES (748-767, or 681-714,744-830), a SYMBOL (BlockPool.touch), or a "text" in quotes.

    \b
    Examples:
      claimcheck add V-UNPIN vllm:vllm/v1/core/block_pool.py:748-767
      claimcheck add V-UNPIN vllm:vllm/v1/core/block_pool.py:BlockPool.unpin_blocks
      claimcheck add V-UNPIN 'vllm:vllm/v1/core/block_pool.py:"def unpin_blocks"'
    """
    from claimcheck.reports import addition_text

    with open_session(settings) as session:
        addition = plan(
            session.project,
            session.registry,
            session.sources,
            id,
            target,
            strings=strings,
            whole=whole,
            after=after,
            commit=commit,
            reviewed=not unreviewed,
        )
        echo(addition_text.render(addition), end="")
        code = write_or_show(session.project, addition.changes, diff=diff, check=check)
        if code == 0:
            _say_where(addition)
        return code


def _say_where(addition: Addition) -> None:
    after = f" (after {addition.after})" if addition.after else ""
    echo(f"Wrote {addition.place}{after} and anchors.lock. Cite it as [{addition.anchor.id}].")
    if addition.reviewed:
        echo("Reviewed, since you have just seen it (--unreviewed if not).")
