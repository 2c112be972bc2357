"""`claimcheck history`: since when, and until when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

import click

from claimcheck.commands.options import Settings, common_options, format_option, output_option, output_to
from claimcheck.commands.session import Session, open_session
from claimcheck.commands.types import ID
from claimcheck.errors import UsageError
from claimcheck.model import Revision

FORMATS = {
    "text": "claimcheck.reports.history_text",
    "json": "claimcheck.reports.history_json",
    "markdown": "claimcheck.reports.history_markdown",
    "html": "claimcheck.reports.history_html",
}


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...", type=ID)
@click.option("--revs", metavar="REV", multiple=True, help="A revision, [VENDOR=]REV; give it again for each column.")
@click.option("--tags", metavar="PATTERN", help="The tags that are here and match a shell pattern, such as 'v0.3*'.")
@click.option("--releases", is_flag=True, help="The declared releases that are here, oldest first.")
@click.option(
    "--bisect", is_flag=True, help="Find the first revision at which a claim's answer turns, in as few steps as can be."
)
@click.option("--no-cache", is_flag=True, help="Look at everything again, and keep nothing.")
@format_option(FORMATS)
@output_option
@common_options
def history(
    ids: tuple[str, ...],
    revs: tuple[str, ...],
    tags: str | None,
    releases: bool,
    bisect: bool,
    no_cache: bool,
    form: str,
    output: Path | None,
    settings: Settings,
) -> int:
    """Say where anchors stood and whether claims held over a series of revisions: since when, until when.

    Revisions go across, anchors and claims down; without an ID all of them. Anchors are followed from the pin, or from
    the release that stands in where the pin is not here. Of a claim its checks decide; one without checks is untested.

    With --bisect and one claim, the first and the last revision are looked at and then the middle of what is left; two
    --revs are the ends of a line of commits, and tags or releases are taken in their order.

    \b
    Examples:
      claimcheck history V-POOL V2.6 --releases
      claimcheck history V1.7 --revs v0.32.0 --revs v0.33.0 --bisect
      claimcheck history --tags 'v0.3*' --format html -o history.html

    What was found is kept in the user's cache folder, by the content of the files, so that a second run is quick.

    Exit codes: 0 whatever was found; 2 no such revision or ID.
    """
    if sum((bool(revs), tags is not None, releases)) != 1:
        raise UsageError("which revisions? Give one of --revs REV, --tags PATTERN and --releases")
    with open_session(settings) as session:
        names = _asked(session, ids)
        series = _series(session, names, revs, tags, releases)
        keep = None if no_cache else _cache()
        with output_to(output) as out:
            if bisect:
                out(_bisected(session, names, series, as_commits=bool(revs), keep=keep))
            else:
                out(_render(form)(_histories(session, names, series, keep)))
    return 0
