"""`claimcheck excerpt`: the code behind an anchor, with true line numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from claimcheck.commands.options import Settings, at_option, common_options, output_option, output_to
from claimcheck.commands.session import Session, open_session, show_findings_about, showable, text_of
from claimcheck.commands.types import ID
from claimcheck.corpus import Corpus, select
from claimcheck.errors import UsageError
from claimcheck.excerpts import Citing, Excerpt, cut
from claimcheck.sighting import Sighting, recorded_lines


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...", type=ID)
@click.option("--region", metavar="N", type=click.IntRange(min=1), help="Only the N-th region.")
@click.option("--context", metavar="N", type=click.IntRange(min=0, max=1000), default=0, help="N more lines each side.")
@click.option("--cited-by", is_flag=True, help="Add the claims that cite the anchor.")
@at_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "html", "json"]),
    default="text",
    help="Output format.",
)
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
    from claimcheck.reports.excerpts import EXCERPT_FORMATS

    with open_session(settings) as session:
        corpus = session.corpus(anchor_ids(session, ids), at)
        shown, hidden = showable(corpus, ids)
        excerpts = [
            cut_sighting(session, corpus, sighting, region=region, context=context, cited_by=cited_by)
            for sighting in shown
        ]
        if excerpts:
            with output_to(session.project, output) as out:
                out(EXCERPT_FORMATS[form].render(excerpts))
        show_findings_about(corpus, hidden)
    if not hidden:
        return 0
    return 1 if excerpts or any(corpus.sightings[id].revision for id in hidden) else 2


def anchor_ids(session: Session, ids: Sequence[str]) -> tuple[str, ...]:
    """The IDs, each an anchor's; raises UsageError for one that is not."""
    anchors = session.registry.anchors
    for id in ids:
        if id not in anchors:
            from claimcheck.corpus import unknown_id

            if id in select(session.registry, ()):
                raise UsageError(f"{id} is no anchor: only anchors have lines", help="claimcheck list")
            raise unknown_id(id, anchors, "anchor")
    return tuple(ids)


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
    from claimcheck.syntax import outline

    anchor = sighting.anchor
    assert sighting.revision is not None
    source = text_of(session, sighting)
    found = outline(source.text, sighting.spots[0].path)
    citing = [Citing(entry.id, getattr(entry, "text", getattr(entry, "title", ""))) for entry in corpus.cited_by(anchor.id)]
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
        symbols_of=found.names_of if found else lambda lines: (),
        outcomes=[outcome.name for outcome in sighting.outcomes],
        cited_by=citing if cited_by else None,
    )
