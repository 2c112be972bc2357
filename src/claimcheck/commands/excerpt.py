"""`claimcheck excerpt`: the code behind an anchor, with true line numbers."""

from __future__ import annotations

from pathlib import Path

import click

from claimcheck.commands.options import Settings, at_option, common_options, format_option, output_option, output_to
from claimcheck.commands.session import anchor_ids, open_session, show_findings_about, showable
from claimcheck.commands.types import ID
from claimcheck.reports.excerpts import EXCERPT_FORMATS
from claimcheck.showing import excerpt_of


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...", type=ID)
@click.option("--region", metavar="N", type=click.IntRange(min=1), help="Only the N-th region.")
@click.option("--context", metavar="N", type=click.IntRange(min=0, max=1000), default=0, help="N more lines each side.")
@click.option("--cited-by", is_flag=True, help="Add the claims and the sentences of documents that cite the anchor.")
@at_option
@format_option(EXCERPT_FORMATS)
@output_option
@common_options
def excerpt(
    ids: tuple[str, ...],
    region: int | None,
    context: int,
    cited_by: bool,
    at: tuple[str, ...],
    form: str,
    output: Path | None,
    settings: Settings,
) -> int:
    """Show the cited lines of one or more anchors, as they are at the commit at which they are cited.

    An anchor that does not hold (its strings are not in its lines, its file is not there) is not shown: the reason is
    printed instead. With --at the regions are re-found at another revision, and a stand-in is called one.

    \b
    Examples:
      claimcheck excerpt V-POOL
      claimcheck excerpt V-POOL --region 2 --context 3
      claimcheck excerpt V-POOL V-CACHE --format markdown
      claimcheck excerpt V-POOL --at release
    """
    with open_session(settings, checks=False) as session:
        ids = anchor_ids(session, ids)
        corpus = session.corpus(ids, at)
        shown, hidden = showable(corpus, ids)
        excerpts = [
            excerpt_of(corpus, sighting, region=region, context=context, cited_by=cited_by) for sighting in shown
        ]
        if excerpts:
            with output_to(output) as out:
                out(EXCERPT_FORMATS[form].render(excerpts, paint=settings.paint(output)))
        show_findings_about(corpus, hidden)
    if not hidden:
        return 0
    return 1 if excerpts or any(corpus.sightings[id].revision for id in hidden) else 2
