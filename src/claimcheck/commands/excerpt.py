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
from claimcheck.excerpts import Excerpt, citing, cut
from claimcheck.model import Lines
from claimcheck.sighting import Sighting, recorded_lines
from claimcheck.syntax import Outline, outline


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
    from claimcheck.reports import excerpts_text
    from claimcheck.reports.excerpts import EXCERPT_FORMATS

    with open_session(settings) as session:
        ids = anchor_ids(session, ids)
        corpus = session.corpus(ids, at)
        shown, hidden = showable(corpus, ids)
        excerpts = [
            cut_sighting(session, corpus, sighting, region=region, context=context, cited_by=cited_by)
            for sighting in shown
        ]
        if excerpts:
            with output_to(output) as out:
                if form == "text":
                    out(excerpts_text.render(excerpts, color=settings.paint(output).on))
                else:
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
    return tuple(dict.fromkeys(ids))


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
    found = outline(source.text, sighting.spots[0].path)
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
        symbols_of=lambda lines: _names(found, lines),
        outcomes=[outcome.name for outcome in sighting.outcomes],
        cited_by=citing(corpus.cited_by(anchor.id)) if cited_by else None,
    )


def _names(found: Outline | None, lines: Lines) -> tuple[str, ...]:
    described = found.describe(lines) if found else None
    return (described,) if described else ()
