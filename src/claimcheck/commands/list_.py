"""`claimcheck list`: every anchor with its place and state."""

from __future__ import annotations

from pathlib import Path

import click

from claimcheck.commands.options import Settings, common_options, format_option, output_option, output_to
from claimcheck.errors import UsageError
from claimcheck.reports.listing import FORMATS


@click.command("list")
@click.option("--vendor", metavar="NAME", help="Only the anchors of one vendor.")
@click.option("--unreviewed", is_flag=True, help="Only anchors that nobody has reviewed.")
@click.option("--cited-by", is_flag=True, help="Below each anchor what cites it: entries, and sentences of documents.")
@format_option(FORMATS)
@output_option
@common_options
def list_(
    vendor: str | None, unreviewed: bool, cited_by: bool, form: str, output: Path | None, settings: Settings
) -> int:
    """List the anchors: where each is recorded, its review state, and how often it is cited.

    \b
    Examples:
      claimcheck list
      claimcheck list --vendor vllm --unreviewed
      claimcheck list --cited-by                  with every sentence that rests on them
    """
    from claimcheck import registry as registry_files
    from claimcheck.library import Library
    from claimcheck.model import ReviewState

    project = settings.project()
    registry = registry_files.load(project)
    if vendor is not None and vendor not in registry.vendors:
        raise UsageError.unknown("vendor", vendor, registry.vendors)
    anchors = [
        anchor
        for anchor in registry.anchors.values()
        if (vendor is None or anchor.vendor == vendor)
        and (not unreviewed or registry.review_of(anchor) is ReviewState.UNREVIEWED)
    ]
    with output_to(output) as out:
        out(FORMATS[form](registry, anchors, Library.of(project, registry), citing_too=cited_by))
    return 0
