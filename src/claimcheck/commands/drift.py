"""`claimcheck drift`: what became of every anchor between its commit and another revision."""

from __future__ import annotations

from pathlib import Path

import click

from claimcheck.commands.options import Settings, common_options, output_option, output_to
from claimcheck.commands.session import Session, anchor_ids, open_session
from claimcheck.commands.types import ID
from claimcheck.corpus import Corpus, build
from claimcheck.drift import Drift, compare, drift_of
from claimcheck.errors import UsageError


@click.command()
@click.argument("vendor")
@click.argument("rev")
@click.argument("ids", nargs=-1, metavar="[ID]...", type=ID)
@click.option(
    "--exit-zero", is_flag=True, help="Exit with 0 although there is something to read, as a scheduled job does."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "html"]),
    default="text",
    help="Output format.",
)
@output_option
@common_options
def drift(
    vendor: str,
    rev: str,
    ids: tuple[str, ...],
    exit_zero: bool,
    form: str,
    output: Path | None,
    settings: Settings,
) -> int:
    """Say what became of a vendor's anchors at another revision, most affected first; with IDs show the changed lines.

    REV is a full commit id, a tag, HEAD, release or release/VERSION that is here (claimcheck vendor fetch brings one).
    What moved is followed, what changed is shown with the claims that rest on it, what is gone is said to be gone.
    Nothing is written.

    \b
    Examples:
      claimcheck drift vllm v0.33.0                       the plan, and what to read
      claimcheck drift vllm release/0.33.0 V-POOL         the changed lines of one anchor
      claimcheck drift vllm v0.33.0 --format markdown     the text of a pull request
      claimcheck drift vllm v0.33.0 --format html -o drift.html     all of it side by side, in a browser

    Exit codes: 0 everything carries over; 1 somebody has to read something.
    """
    with open_session(settings) as session:
        corpus = corpus_at(session, vendor, rev, anchor_ids(session, ids) if ids else ())
        found = drift_of(corpus, vendor, ids)
        with output_to(output) as out:
            out(_render(corpus, found, form, detailed=bool(ids), verbose=settings.verbose))
    return 1 if found.to_read and not exit_zero else 0


def corpus_at(session: Session, vendor: str, rev: str, ids: tuple[str, ...] = ()) -> Corpus:
    """The corpus with one vendor looked at elsewhere; raises UsageError for an unknown vendor or a foreign ID."""
    registry = session.registry
    if vendor not in registry.vendors:
        raise UsageError(f"no vendor {vendor}", help=f"vendors: {', '.join(registry.vendors)}")
    own = tuple(anchor.id for anchor in registry.anchors.values() if anchor.vendor == vendor)
    for id in ids:
        if id not in own:
            raise UsageError(f"{id} is an anchor of {registry.anchors[id].vendor}, not of {vendor}")
    if not own:
        raise UsageError(f"{vendor} has no anchors", help="claimcheck list")
    return build(registry, session.sources, ids or own, {vendor: rev})


def _render(corpus: Corpus, found: Drift, form: str, *, detailed: bool, verbose: bool) -> str:
    from claimcheck.drift_details import details, upstream_by_id
    from claimcheck.reports import drift_html, drift_json, drift_markdown, drift_text

    if form == "json":
        return drift_json.render(found)
    if form == "markdown":
        pages = {
            one.id: [compare(corpus, one, region, found.target) for region in one.regions] for one in found.to_read
        }
        return drift_markdown.render(found, corpus.registry.vendors[found.vendor], pages)
    if form == "html":
        return drift_html.render(found, corpus.registry.vendors[found.vendor], list(details(corpus, found)))
    if detailed:
        return "\n".join(
            drift_text.render_hunks(one, [compare(corpus, one, region, found.target) for region in one.regions])
            for one in found.anchors
        )
    upstream = upstream_by_id(corpus, found) if verbose else {}
    return drift_text.render(found, verbose=verbose, upstream=upstream)
