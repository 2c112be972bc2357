"""What most commands begin with: the project, its registry, and the sources of its vendors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from claimcheck import registry as registry_files
from claimcheck.commands.options import Settings, echo, parse_at
from claimcheck.corpus import Corpus, build, unknown_id
from claimcheck.errors import NotCompiled, UsageError
from claimcheck.finding import Effect
from claimcheck.library import Library
from claimcheck.model import Registry
from claimcheck.project import Project
from claimcheck.sighting import Sighting
from claimcheck.sources import Sources
from claimcheck.values import frozen


@frozen
class Session:
    """An open project: what it says, its documents, and where its sources are read."""

    project: Project
    registry: Registry
    sources: Sources
    library: Library

    def corpus(self, names: Sequence[str] = (), at: tuple[str, ...] = ()) -> Corpus:
        """What one run is about: these IDs (all for none), each vendor at what `--at` says."""
        return build(self.registry, self.sources, names, self.targets(at), self.library)

    def targets(self, at: tuple[str, ...]) -> dict[str, str]:
        """The revision at which each vendor is looked at that `--at` names."""
        return parse_at(at, tuple(self.registry.vendors))


# The session of this run, so that it is not taken apart piece by piece when the command is done with it.
_held: list[Session] = []


@contextmanager
def open_session(settings: Settings, *, checks: bool = True, compiled: bool = True) -> Iterator[Session]:
    """Load the registry and open the sources; raises RegistryError with every located reason if it does not load.

    Without `checks` claims come without theirs, for which code would have to be parsed. With `compiled` off that code is
    compiled when all checks run, and then the error comes out of what is done with the session.
    """
    project = settings.project()
    registry = registry_files.load(project, checks=checks, compiled=compiled)
    with Sources(project.root, registry.vendors, allow_alternates=settings.allow_alternates) as sources:
        session = Session(project, registry, sources, Library.of(project, registry))
        _held[:] = [session]
        try:
            yield session
        except NotCompiled:
            registry_files.load(project)
            raise


def anchor_ids(session: Session, ids: Sequence[str]) -> tuple[str, ...]:
    """The IDs, each once and each an anchor's; raises UsageError for one that is not."""
    for id in ids:
        if id not in session.registry.anchors:
            if id in session.registry.entries:
                raise UsageError(f"{id} is no anchor: only anchors have lines", help="claimcheck list")
            raise unknown_id(id, session.registry.anchors, "anchor")
    return tuple(dict.fromkeys(ids))


def showable(corpus: Corpus, ids: Sequence[str]) -> tuple[list[Sighting], list[str]]:
    """The sightings that may be shown as what their anchors mean, and the IDs of the others."""
    sightings = [corpus.sightings[id] for id in ids]
    shown = [sighting for sighting in sightings if sighting.holds]
    return shown, [sighting.anchor.id for sighting in sightings if not sighting.holds]


def show_findings_about(corpus: Corpus, ids: Sequence[str]) -> None:
    """Print on stderr why these anchors cannot be shown or written; nothing for no IDs."""
    if not ids:
        return
    from claimcheck import rules
    from claimcheck.reports.text import findings_text

    subjects = {*ids, *(corpus.registry.anchors[id].vendor for id in ids if corpus.sightings[id].revision is None)}
    about = [found for found in rules.run(corpus) if found.subject in subjects and found.effect is not Effect.NONE]
    echo(findings_text(about), err=True, end="")
