"""`claimcheck cite`: permalinks, footnotes and archive identifiers of an anchor."""

from __future__ import annotations

from pathlib import Path

import click

from claimcheck.commands.options import Settings, at_option, common_options, format_option, output_option, output_to
from claimcheck.commands.session import Session, anchor_ids, open_session, show_findings_about, showable
from claimcheck.commands.types import ID
from claimcheck.corpus import Corpus
from claimcheck.footnotes import Citation, cite_unseen
from claimcheck.reports.citations import CITATION_FORMATS
from claimcheck.showing import citation_of
from claimcheck.texts import NoSource


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...", type=ID)
@click.option("--region", metavar="N", type=click.IntRange(min=1), help="Only the N-th region.")
@at_option
@format_option(CITATION_FORMATS)
@output_option
@common_options
def cite(
    ids: tuple[str, ...],
    region: int | None,
    at: tuple[str, ...],
    form: str,
    output: Path | None,
    settings: Settings,
) -> int:
    """Print the permalinks and Software Heritage identifiers of one or more anchors.

    A release that stands in for the pin has no permalink: its commit exists on this machine only. Where the pin is not
    here, the permalinks are the registry's own and nobody has looked at them; the output says so, and the exit code is 1.

    \b
    Examples:
      claimcheck cite V-POOL
      claimcheck cite V-POOL V-CACHE --format markdown     reference definitions and footnotes
      claimcheck cite V-POOL --format html                 a footnote for a page
    """
    with open_session(settings, checks=False) as session:
        ids = anchor_ids(session, ids)
        corpus = session.corpus(ids, at)
        shown, hidden = showable(corpus, ids)
        unseen = [id for id in hidden if isinstance(corpus.looked_at[session.registry.anchors[id].vendor], NoSource)]
        seen = {sighting.anchor.id for sighting in shown}
        citations = [
            citation_of(corpus, corpus.sightings[id], region=region)
            if id in seen
            else _unseen(session, corpus, id, region)
            for id in ids
            if id in seen or (id in unseen and not at)
        ]
        if citations:
            with output_to(output) as out:
                out(CITATION_FORMATS[form].render(citations))
        show_findings_about(corpus, hidden)
    if not hidden:
        return 0
    return 1 if citations or any(corpus.sightings[id].revision for id in hidden) else 2


def _unseen(session: Session, corpus: Corpus, id: str, region: int | None) -> Citation:
    anchor = session.registry.anchors[id]
    looked_at = corpus.looked_at[anchor.vendor]
    assert isinstance(looked_at, NoSource)
    vendor = session.registry.vendors[anchor.vendor]
    return cite_unseen(anchor, vendor, session.registry.pin_of(anchor), looked_at.message, region=region)
