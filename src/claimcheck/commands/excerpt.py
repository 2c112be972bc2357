"""`claimcheck excerpt`: the code behind an anchor, with true line numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from claimcheck.commands.options import Settings, at_option, common_options, format_option, output_option, output_to
from claimcheck.commands.session import Session, anchor_ids, open_session, show_findings_about, showable, text_of
from claimcheck.commands.types import ID
from claimcheck.corpus import Corpus
from claimcheck.excerpts import Excerpt, citing, cut, symbols_in
from claimcheck.model import Lines
from claimcheck.reports.excerpts import EXCERPT_FORMATS
from claimcheck.sighting import Sighting, recorded_lines
from claimcheck.texts import SourceText


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...", type=ID)
@click.option("--region", metavar="N", type=click.IntRange(min=1), help="Only the N-th region.")
@click.option("--context", metavar="N", type=click.IntRange(min=0, max=1000), default=0, help="N more lines each side.")
@click.option("--cited-by", is_flag=True, help="Add the claims that cite the anchor.")
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
            cut_sighting(session, corpus, sighting, region=region, context=context, cited_by=cited_by)
            for sighting in shown
        ]
        if excerpts:
            with output_to(output) as out:
                out(EXCERPT_FORMATS[form].render(excerpts, paint=settings.paint(output)))
        show_findings_about(corpus, hidden)
    if not hidden:
        return 0
    return 1 if excerpts or any(corpus.sightings[id].revision for id in hidden) else 2


def cut_sighting(
    session: Session,
    corpus: Corpus,
    sighting: Sighting,
    *,
    region: int | None = None,
    context: int = 0,
    cited_by: bool = False,
) -> Excerpt:
    """The excerpt of an anchor that was seen, from the text in which it was seen."""
    anchor = sighting.anchor
    assert sighting.revision is not None
    source = text_of(session, sighting)
    return cut(
        anchor,
        session.registry.vendors[anchor.vendor],
        sighting.revision,
        session.registry.pin_of(anchor),
        source,
        sighting.spots,
        recorded_lines(anchor, source),
        session.registry.review_of(anchor),
        context=context,
        region=region,
        symbols_of=_symbols_of(sighting, source),
        outcomes=[outcome.name for outcome in sighting.outcomes],
        cited_by=citing(corpus.cited_by(anchor.id)) if cited_by else None,
    )


def _symbols_of(sighting: Sighting, source: SourceText) -> Callable[[Lines], Sequence[str]] | None:
    """Who names what the regions are: nobody where the lock or the search did, else the structure of the text."""
    if all(spot.symbol for spot in sighting.spots):
        return None
    from claimcheck.syntax import outline

    return symbols_in(outline(source.text, sighting.spots[0].path))
