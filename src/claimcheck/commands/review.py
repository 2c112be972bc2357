"""`claimcheck review`: a person's word that an anchor says what its claims need."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from claimcheck import locks
from claimcheck.citations_in import anchors_cited_in
from claimcheck.commands.failing import failing_claims
from claimcheck.commands.options import Settings, common_options, echo, prompt, show_error
from claimcheck.commands.session import Session, anchor_ids, open_session, show_findings_about
from claimcheck.commands.types import ID
from claimcheck.corpus import Corpus
from claimcheck.errors import UsageError
from claimcheck.model import LockEntry, ReviewState
from claimcheck.proposals import parse_ranges
from claimcheck.registry import edits
from claimcheck.showing import excerpt_of
from claimcheck.sighting import Sighting
from claimcheck.terminal import shown


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...", type=ID)
@click.option("--accept", is_flag=True, help="Record the review without asking, as for a run without a terminal.")
@click.option("--held", is_flag=True, help="The anchors that a bump left at their commit: old and new, line by line.")
@click.option(
    "--document", metavar="FILE", help="The anchors that a lesson or a claims file cites, in the order of citation."
)
@click.option(
    "--place",
    "places",
    metavar="ID=PATH:LINES",
    multiple=True,
    help="Put a held anchor there, at the pin of its vendor.",
)
@click.option(
    "--found-by-name",
    is_flag=True,
    help="Held anchors that strings single out at the length recorded, though nothing could be compared.",
)
@common_options
def review(
    ids: tuple[str, ...],
    accept: bool,
    held: bool,
    document: str | None,
    places: tuple[str, ...],
    found_by_name: bool,
    settings: Settings,
) -> int:
    """Show anchors one at a time and record that a person has read them; without IDs, all that nobody has reviewed.

    What is recorded is the commit, the lines and the digest of the text, never a name or a time. Each answer is saved at
    once, so that quitting loses nothing. A review is about the commit at which an anchor is cited: where that commit is
    not here, there is none, and a release that stands in is never reviewed in its place. An anchor on which a claim rests
    whose check fails cannot be reviewed: the claim is wrong, or it wants a caveat, or its check does.

    \b
    Examples:
      claimcheck review                   walk through what nobody has reviewed
      claimcheck review V-POOL            one anchor
      claimcheck review V-POOL --accept   without a terminal, after having looked at it otherwise
      claimcheck review --document V1     walk through what one lesson rests on
      claimcheck review --held            walk through what a bump left behind
      claimcheck review --held --accept   all of it at the places that drift proposes
      claimcheck review --held --place V-POOL=vllm/v1/core/block_pool.py:706-740,792-849
    """
    if document is not None and (ids or places):
        raise UsageError("--document says which anchors are meant; IDs and --place do not go with it")
    with open_session(settings) as session:
        cited = anchors_cited_in(session.registry, session.library, document) if document is not None else None
        if held or places or found_by_name:
            from claimcheck.commands.held import held_among, held_anchors, parse_places, review_held

            placed = parse_places(places)
            named = anchor_ids(session, [*ids, *placed])
            wanted_held = held_among(session, cited) if cited is not None else held_anchors(session, named)
            return review_held(
                session,
                wanted_held,
                accept=accept,
                places=placed,
                found_by_name=found_by_name,
                as_given=cited is not None,
                paint=settings.paint(),
            )
        wanted = anchor_ids(session, ids) if ids else _unreviewed(session, cited)
        if not wanted:
            echo("All anchors are reviewed." if document is None else f"All that {shown(document)} cites is reviewed.")
            return 0
        corpus = session.corpus(wanted)
        ready = [id for id in wanted if locks.is_lockable(corpus.sightings[id])]
        left = [id for id in wanted if id not in ready]
        show_findings_about(corpus, left)
        refused = _refused(session, corpus, ready)
        ready, left = [id for id in ready if id not in refused], [*left, *refused]
        if accept:
            _save(session, [_reviewed(corpus, corpus.sightings[id]) for id in ready])
            for id in ready:
                echo(_said(corpus, id))
        elif sys.stdin.isatty() and sys.stdout.isatty():
            left += _ask(session, corpus, ready)
        else:
            for id in ready:
                _show(session, corpus, id)
            if ready:
                echo("Not a terminal, nothing recorded. (claimcheck review ID... --accept)", err=True)
            left += ready
        if left and not ready:
            return 2 if all(corpus.sightings[id].revision is None for id in left) else 1
        return 1 if left else 0


def _unreviewed(session: Session, among: Sequence[str] | None) -> tuple[str, ...]:
    """What nobody has reviewed, in registry order; among these IDs, if any are given, in their order."""
    registry = session.registry
    ids = registry.anchors if among is None else among
    return tuple(id for id in ids if registry.review_of(registry.anchors[id]) is ReviewState.UNREVIEWED)


def _ask(session: Session, corpus: Corpus, ready: list[str]) -> list[str]:
    """Ask about each anchor; the IDs that were not accepted."""
    left: list[str] = []
    for number, id in enumerate(ready, 1):
        echo(f"{number} of {len(ready)}")
        _show(session, corpus, id)
        answer = prompt("[a]ccept  [e]dit lines  [n]ext  [q]uit", ["a", "e", "n", "q"])
        if answer == "q":
            return left + ready[number - 1 :]
        if answer == "e":
            corpus = _edit(session, corpus, id)
            lockable = locks.is_lockable(corpus.sightings[id])
            show_findings_about(corpus, [] if lockable else [id])
            answer = "a" if lockable and not _refused(session, corpus, [id]) else "n"
        if answer == "n":
            left.append(id)
            continue
        _save(session, [_reviewed(corpus, corpus.sightings[id])])
        echo(_said(corpus, id) + "\n")
    return left


def _refused(session: Session, corpus: Corpus, ids: Sequence[str]) -> list[str]:
    """The anchors on which a failing claim rests, which is said: nobody reviews that as true."""
    failing = failing_claims(session, corpus.registry, ids)
    for id, reason in failing.items():
        place = corpus.registry.anchors[id].places[""]
        show_error(UsageError(f"{id} is not reviewed: {reason}", place=place, help="claimcheck verify"))
    return list(failing)


def _edit(session: Session, corpus: Corpus, id: str) -> Corpus:
    """Take other lines for an anchor, write them, and see it again."""
    from claimcheck import registry as registry_files
    from claimcheck.corpus import build

    anchor = corpus.registry.anchors[id]
    while True:
        answer = click.prompt("lines", default=", ".join(str(region.lines) for region in anchor.regions))
        try:
            ranges = parse_ranges(answer)
        except UsageError as error:
            echo(error.message)
            continue
        if ranges is not None and len(ranges) == len(anchor.regions):
            break
        echo(f"{len(anchor.regions)} ranges are needed, such as 681-714, 744-830")
    editing = edits.editors(session.project, [anchor.places[""].path])
    editing[anchor.places[""].path].set_lines(id, ranges)
    session.project.write(edits.changes(editing))
    return build(registry_files.load(session.project), session.sources, (id,))


def _show(session: Session, corpus: Corpus, id: str) -> None:
    from claimcheck.reports import excerpts_text

    excerpt = excerpt_of(corpus, corpus.sightings[id], cited_by=True)
    echo(excerpts_text.render([excerpt]))


def _reviewed(corpus: Corpus, sighting: Sighting) -> LockEntry:
    assert sighting.revision is not None
    commit = corpus.registry.pin_of(sighting.anchor).text
    return locks.entry_of(corpus, sighting, ReviewState.REVIEWED, commit)


def _save(session: Session, entries: list[LockEntry]) -> None:
    """Write these entries into the lock as it is on disk now, so that answers given meanwhile elsewhere stay."""
    if entries:
        session.project.write([locks.update(session.project, {entry.id: entry for entry in entries})])


def _said(corpus: Corpus, id: str) -> str:
    sighting = corpus.sightings[id]
    assert sighting.revision is not None
    lines = " ".join(str(spot.lines) for spot in sighting.spots)
    return f"{id} is at {sighting.revision.label}, lines {lines}, reviewed."
