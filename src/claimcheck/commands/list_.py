"""`claimcheck list`: every anchor with its place and state."""

from __future__ import annotations

from pathlib import Path

import click

from claimcheck.commands.options import Settings, common_options, output_option, output_to
from claimcheck.errors import UsageError


@click.command("list")
@click.option("--vendor", metavar="NAME", help="Only the anchors of one vendor.")
@click.option("--unreviewed", is_flag=True, help="Only anchors that nobody has reviewed.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@output_option
@common_options
def list_(vendor: str | None, unreviewed: bool, form: str, output: Path | None, settings: Settings) -> int:
    """List the anchors: where each is recorded, its review state, and how many claims cite it.

    \b
    Examples:
      claimcheck list
      claimcheck list --vendor vllm --unreviewed
    """
    from claimcheck import registry as registry_files
    from claimcheck.model import ReviewState
    from claimcheck.reports import listing

    project = settings.project()
    registry = registry_files.load(project)
    if vendor is not None and vendor not in registry.vendors:
        raise UsageError(f"no vendor {vendor}", help=f"vendors: {', '.join(registry.vendors)}")
    anchors = [
        anchor
        for anchor in registry.anchors.values()
        if (vendor is None or anchor.vendor == vendor)
        and (not unreviewed or registry.review_of(anchor) is ReviewState.UNREVIEWED)
    ]
    with output_to(output) as out:
        out(listing.FORMATS[form](registry, anchors))
    return 0
