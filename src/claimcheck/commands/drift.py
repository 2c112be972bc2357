"""`claimcheck drift`: what became of every anchor between its commit and another revision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from claimcheck.commands.options import Settings, common_options, format_option, output_option, output_to
from claimcheck.commands.session import Session, anchor_ids, open_session
from claimcheck.commands.types import ID
from claimcheck.corpus import Corpus, build
from claimcheck.drift import Drift, drift_of
from claimcheck.errors import UsageError
from claimcheck.library import Library
from claimcheck.model import is_place
from claimcheck.terminal import Paint

FORMATS = ("text", "json", "markdown", "html")


@click.command()
@click.argument("vendor", required=False)
@click.argument("rev", required=False)
@click.argument("asked", nargs=-1, metavar="[ID|PATH:LINES]...", type=ID)
@click.option(
    "--all", "everything", is_flag=True, help="List the unchanged anchors too; without VENDOR, compare every vendor."
)
@click.option(
    "--from", "since", metavar="REV", help="The revision that the lines of PATH:LINES are of, if not the pin."
)
@click.option(
    "--exit-zero", is_flag=True, help="Exit with 0 although there is something to read, as a scheduled job does."
)
@format_option(FORMATS)
@output_option
@common_options
def drift(
    vendor: str | None,
    rev: str | None,
    asked: tuple[str, ...],
    everything: bool,
    since: str | None,
    exit_zero: bool,
    form: str,
    output: Path | None,
    settings: Settings,
) -> int:
    """Say what became of a vendor's anchors at another revision, most affected first; with IDs show the changed lines.

    REV is a full commit id, a tag, HEAD, release or release/VERSION that is here (claimcheck vendor fetch brings one).
    What moved is followed, what changed is shown with the sentences that rest on it, what is gone is said to be gone.
    Nothing is written.

    A place that no anchor has is asked about as PATH:LINES, PATH:SYMBOL or PATH:"text", read at the vendor's pin. Without
    a vendor, --all compares each one's pin with the commit at which its submodule or clone stands, or else with the
    newest release that is here.

    \b
    Examples:
      claimcheck drift vllm v0.33.0                       the plan, and what to read
      claimcheck drift vllm release/0.33.0 V-POOL         the changed lines of one anchor
      claimcheck drift vllm v0.33.0 vllm/v1/core/block_pool.py:666-700     of a place that no anchor has
      claimcheck drift vllm v0.33.0 --format markdown     the text of a pull request
      claimcheck drift vllm v0.33.0 --format html -o drift.html     all of it side by side, in a browser
      claimcheck drift --all                              every vendor, against what is here of it

    Exit codes: 0 everything carries over; 1 somebody has to read something, or a vendor could not be compared.
    """
    _check(vendor, rev, asked, everything=everything, since=since, form=form)
    with open_session(settings) as session, output_to(output) as out:
        if vendor is None or rev is None:
            code, text = _every_vendor(session, form, settings.paint(output))
        else:
            wider, ids = _asked(session, vendor, asked, since)
            # Of what stayed the lists say nothing but where it is.
            corpus = corpus_at(wider, vendor, rev, ids, named=bool(ids) or form in ("json", "html"))
            found = drift_of(corpus, vendor, ids)
            code = 1 if found.to_read else 0
            text = _render(
                corpus,
                found,
                form,
                settings.paint(output),
                detailed=bool(ids),
                everything=everything or settings.verbose,
                history=bool(ids) or settings.verbose,
            )
        out(text)
    return 0 if exit_zero and code == 1 else code


def _check(
    vendor: str | None, rev: str | None, asked: Sequence[str], *, everything: bool, since: str | None, form: str
) -> None:
    """Raise UsageError for what does not go together."""
    if vendor is None and not everything:
        raise UsageError("which vendor, and compared with what?", help="claimcheck drift VENDOR REV, or drift --all")
    if vendor is not None and rev is None:
        raise UsageError(f"compared with what? drift {vendor} needs a revision", help=f"claimcheck drift {vendor} HEAD")
    if vendor is None and form == "html":
        raise UsageError("a page is about one vendor", help="claimcheck drift VENDOR REV --format html -o drift.html")
    if asked and everything:
        raise UsageError("--all goes with no IDs or places")
    if since is not None and not any(map(is_place, asked)):
        raise UsageError("--from says of which revision the lines of a place are, and no place is given")


def corpus_at(
    session: Session, vendor: str, rev: str, ids: tuple[str, ...] = (), *, documents: bool = True, named: bool = True
) -> Corpus:
    """The corpus with one vendor looked at elsewhere; raises UsageError for an unknown vendor or a foreign ID.

    Without `documents` the sentences that cite an anchor are not looked for, without `named` not the symbols of text
    that stayed.
    """
    registry = session.registry
    check_vendor(session, vendor)
    own = tuple(anchor.id for anchor in registry.anchors.values() if anchor.vendor == vendor)
    for id in ids:
        if id not in own:
            raise UsageError(f"{id} is an anchor of {registry.anchors[id].vendor}, not of {vendor}")
    if not own:
        raise UsageError(f"{vendor} has no anchors", help="claimcheck list")
    library = session.library if documents else Library.empty()
    return build(registry, session.sources, ids or own, {vendor: rev}, library, named=named)


def check_vendor(session: Session, vendor: str) -> None:
    """Raise UsageError for a vendor that the registry does not have."""
    if vendor not in session.registry.vendors:
        raise UsageError.unknown("vendor", vendor, session.registry.vendors)


def _asked(session: Session, vendor: str, asked: Sequence[str], since: str | None) -> tuple[Session, tuple[str, ...]]:
    """A session whose registry has the places that are asked about as anchors, and the IDs of all that is asked about."""
    from claimcheck.bare_places import anchor_at

    if not asked:
        return session, ()
    check_vendor(session, vendor)
    anchors = dict(session.registry.anchors)
    ids = []
    for text in asked:
        if is_place(text):
            place = anchor_at(session.registry, session.sources, vendor, text, since)
            anchors[place.id] = place
            ids.append(place.id)
        elif text in session.registry.entries:
            ids += anchor_ids(session, (text,))
        else:
            way_out = f"an anchor's ID (claimcheck list), or a place of {vendor} such as {text}:10-20"
            raise UsageError.unknown("anchor", text, session.registry.anchors, way_out, most=3)
    wider = replace(session, registry=replace(session.registry, anchors=anchors))
    return wider, tuple(dict.fromkeys(ids))


def _render(
    corpus: Corpus, found: Drift, form: str, paint: Paint, *, detailed: bool, everything: bool, history: bool
) -> str:
    from claimcheck.drift_details import CONTEXT, WHOLE, details
    from claimcheck.reports import drift_anchor_text, drift_html, drift_json, drift_markdown, drift_text

    vendor = corpus.registry.vendors[found.vendor]
    if form == "json":
        return drift_json.render(found, list(details(corpus, found, found.to_read, context=0)))
    if form == "markdown":
        pages = list(details(corpus, found, found.to_read, context=CONTEXT))
        return drift_markdown.render(found, vendor, pages)
    if form == "html":
        return drift_html.render(found, vendor, list(details(corpus, found, found.to_read, context=WHOLE)))
    if detailed:
        hunks = list(details(corpus, found, found.anchors, context=CONTEXT))
        return drift_anchor_text.render_anchors(hunks, evidence=everything, paint=paint)
    pages = list(details(corpus, found, found.to_read, context=0, history=history))
    return drift_text.render(found, pages, everything=everything, paint=paint)


def _every_vendor(session: Session, form: str, paint: Paint) -> tuple[int, str]:
    """The exit code and the report of all vendors."""
    from claimcheck.drift_all import NotCompared, drifts
    from claimcheck.drift_details import CONTEXT, AnchorDetail, details
    from claimcheck.reports import drift_all

    found: list[tuple[Drift, list[AnchorDetail]]] = []
    left: list[NotCompared] = []
    for one in drifts(session.registry, session.sources, session.library):
        if isinstance(one, NotCompared):
            left.append(one)
            continue
        corpus, became = one
        history = form != "text"
        found.append((became, list(details(corpus, became, became.to_read, context=CONTEXT, history=history))))
    if not found and not left:
        raise UsageError("no vendor has anchors", help="claimcheck list")
    text = drift_all.FORMATS[form](found, left, session.registry, paint)
    if not found:
        return 2, text
    return (1 if left or any(became.to_read for became, _ in found) else 0), text
