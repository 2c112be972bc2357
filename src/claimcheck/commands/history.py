"""`claimcheck history`: since when, and until when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

import click

from claimcheck import revisions
from claimcheck.commands.options import Settings, common_options, format_option, output_option, output_to
from claimcheck.commands.session import Session, open_session
from claimcheck.commands.types import ID
from claimcheck.corpus import unknown_id
from claimcheck.errors import UsageError
from claimcheck.history import History, Looking, bisect
from claimcheck.history_memory import Memory, cache_folder
from claimcheck.model import Registry, Revision
from claimcheck.reports.history_words import turn_sentence
from claimcheck.texts import NoSource

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
    "--bisect",
    "bisecting",
    is_flag=True,
    help="Find the first revision at which a claim's answer turns, in as few steps as can be.",
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
    bisecting: bool,
    no_cache: bool,
    form: str,
    output: Path | None,
    settings: Settings,
) -> int:
    """Say where anchors stood and whether claims held over a series of revisions: since when, until when.

    Revisions go across, anchors and claims down; without an ID all of them, and where no revisions are named the declared
    releases that are here, or the newest twelve tags of a vendor that declares none. Anchors are followed from the pin, or from
    the release that stands in where the pin is not here. Of a claim its checks decide; one without checks is untested.

    With --bisect and one claim, the first and the last revision are looked at and then the middle of what is left; two
    --revs are the ends of a line of commits, and tags or releases are taken in their order.

    \b
    Examples:
      claimcheck history V2.7
      claimcheck history V-POOL V2.6 --releases
      claimcheck history V1.7 --revs v0.32.0 --revs v0.33.0 --bisect
      claimcheck history --tags 'v0.3*' --format html -o history.html

    Answers are kept in the user's cache folder by the content of the files that were read, so that a second run is quick.

    Exit codes: 0 whatever was found; 2 no such revision or ID.
    """
    if sum((bool(revs), tags is not None, releases)) > 1:
        raise UsageError("which revisions? Give one of --revs REV, --tags PATTERN and --releases, or none of them")
    with open_session(settings) as session:
        names = _asked(session, ids)
        series = _series(session, names, revs, tags, releases)
        folder = None if no_cache else cache_folder()
        with output_to(output) as out:
            if bisecting:
                out(_bisected(session, names, series, folder, as_commits=bool(revs)))
            else:
                out(import_module(FORMATS[form]).render(_histories(session, names, series, folder)))
    return 0


def _asked(session: Session, ids: Sequence[str]) -> tuple[str, ...]:
    """The anchors and claims that were named, or all; raises UsageError for an ID that is neither."""
    registry = session.registry
    known = {**registry.anchors, **registry.claims}
    for id in ids:
        if id not in known:
            if id in registry.entries:
                raise UsageError(f"{id} has no history of its own: give the anchors or claims that it rests on")
            raise unknown_id(id, known)
    return tuple(ids) or tuple(known)


def _series(
    session: Session, names: Sequence[str], revs: Sequence[str], tags: str | None, releases: bool
) -> dict[str, list[Revision]]:
    """For each vendor that is concerned the revisions to look at; raises UsageError where there is none."""
    registry, sources = session.registry, session.sources
    vendors = [name for name in registry.vendors if _concerned(registry, names, name)]
    if releases:
        return {name: revisions.releases(sources, registry.vendors[name]) for name in vendors}
    if tags is None and not revs:
        return {name: revisions.known(sources, registry.vendors[name]) for name in vendors}
    if tags is not None:
        return {name: revisions.tagged(sources, name, tags) for name in vendors}
    series: dict[str, list[str]] = {}
    for item in revs:
        name, equals, rev = item.partition("=")
        if not equals:
            if len(vendors) > 1:
                raise UsageError(f"--revs {item}: of which vendor?", help=f"--revs {vendors[0]}={item}")
            name, rev = vendors[0], item
        elif name not in vendors:
            raise UsageError.unknown("vendor", name, vendors)
        series.setdefault(name, []).append(rev)
    return {name: revisions.named(sources, name, own) for name, own in series.items()}


def _concerned(registry: Registry, names: Sequence[str], vendor: str) -> bool:
    """Whether one of these entries is an anchor of a vendor, or cites one."""
    for name in names:
        cited = (name,) if name in registry.anchors else registry.claims[name].cites
        if any(id in registry.anchors and registry.anchors[id].vendor == vendor for id in cited):
            return True
    return False


def _histories(
    session: Session, names: Sequence[str], series: Mapping[str, list[Revision]], folder: Path | None
) -> list[History]:
    found = []
    for name, own in series.items():
        memory = Memory.open(name, folder)
        looking = Looking(session.registry, session.sources, name, names, memory)
        columns = tuple(looking.at(revision) for revision in own)
        memory.save()
        left = revisions.missing_releases(looking.vendor, own) if any(each.release for each in own) else []
        found.append(History(looking.vendor, looking.origin, looking.stand_in, columns, tuple(left)))
    return found


def _bisected(
    session: Session,
    names: Sequence[str],
    series: Mapping[str, list[Revision]],
    folder: Path | None,
    *,
    as_commits: bool,
) -> str:
    claims = [name for name in names if name in session.registry.claims]
    if len(names) != 1 or len(claims) != 1:
        raise UsageError("--bisect looks for the turn of one claim", help="claimcheck history V1.7 --bisect --releases")
    if len(series) != 1:
        raise UsageError(f"--bisect: {claims[0]} cites several vendors; give --revs VENDOR=REV twice")
    ((vendor, own),) = series.items()
    if len(own) < 2:
        raise UsageError("--bisect needs two revisions at least")
    order = "revisions"
    if as_commits and not any(revision.release for revision in own):
        chain = session.sources.chain(vendor, own[0].commit, own[-1].commit)
        if isinstance(chain, NoSource):
            raise UsageError(f"{vendor}: {chain.message}", help=chain.help)
        own = [own[0], *revisions.named(session.sources, vendor, chain)]
        order = "commits"
    memory = Memory.open(vendor, folder)
    turn = bisect(Looking(session.registry, session.sources, vendor, names, memory), own, claims[0])
    memory.save()
    return turn_sentence(turn, claims[0], len(own), order=order) + "\n"
