"""Corpus: the registry, the sources and the sightings that one run is about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from claimcheck.errors import UsageError
from claimcheck.library import Library, Sentence
from claimcheck.model import Anchor, Citing, Registry, Revision
from claimcheck.sighting import Sighting, Unreadable, sight_at_home, sight_elsewhere
from claimcheck.sources import Sources
from claimcheck.texts import NoSource, SourceText
from claimcheck.values import frozen

if TYPE_CHECKING:
    from claimcheck.claim_tests import ClaimTest
    from claimcheck.documents import Document, Problem


@frozen
class Selection:
    """The IDs that a run was asked about, in registry order; `everything` when none was named.

    `documents` are the paths of the documents that were named.
    """

    anchors: tuple[str, ...]
    claims: tuple[str, ...]
    examples: tuple[str, ...]
    errata: tuple[str, ...]
    everything: bool
    documents: tuple[str, ...] = ()

    def __contains__(self, subject: str) -> bool:
        named = (self.anchors, self.claims, self.examples, self.errata, self.documents)
        return any(subject in ids for ids in named)

    def __len__(self) -> int:
        return sum(len(ids) for ids in (self.anchors, self.claims, self.examples, self.errata))


@frozen(slots=False)
class Corpus:
    """What one run is about. `sightings` has every selected anchor and every one that a selected entry cites.

    `looked_at` says for each vendor which revision was looked at, or why none could be: what `--at` asks for,
    else the pin that all selected anchors have of their own, else the vendor's.
    """

    registry: Registry
    sources: Sources
    selection: Selection
    targets: Mapping[str, str]
    looked_at: Mapping[str, Revision | NoSource]
    sightings: Mapping[str, Sighting]
    library: Library = field(default_factory=Library.empty)

    @property
    def documents(self) -> list[Document]:
        """The documents that the run is about, as far as they could be read."""
        if not self._has_documents:
            return []
        return [document for path, document in self.library.documents.items() if self.is_about(path)]

    @property
    def unread(self) -> list[Problem]:
        """Why others that the run is about could not be read."""
        if not self._has_documents:
            return []
        return [problem for problem in self.library.unread if self.is_about(problem.place.path)]

    @property
    def _has_documents(self) -> bool:
        # So that no document is opened for a run that is about an anchor.
        return self.selection.everything or bool(self.selection.documents)

    def is_about(self, path: str) -> bool:
        """Whether the run is about a document."""
        return self.selection.everything or path in self.selection.documents

    @cached_property
    def tests(self) -> Mapping[str, ClaimTest]:
        """What the checks of the selected claims that have some say, run when first asked for."""
        claims = [self.registry.claims[id] for id in self.selection.claims if self.registry.claims[id].has_checks]
        if not claims:
            return {}
        from claimcheck.claim_tests import run

        return run(claims, self.registry, self.sources, self.sightings)

    def cited_by(self, anchor: str) -> list[Citing]:
        """The entries that cite an anchor."""
        return [entry for entry in self.registry.citing if anchor in entry.cites]

    def sentences(self, anchor: str) -> list[Sentence]:
        """The sentences of documents that cite an anchor."""
        return self.library.sentences(anchor)

    def read(self, sighting: Sighting) -> SourceText | None:
        """The text that a sighting looked at."""
        if sighting.revision is None:
            return None
        source = self.sources.read(sighting.anchor.vendor, sighting.revision.commit, sighting.path)
        return source if isinstance(source, SourceText) else None


NOTHING = Selection((), (), (), (), everything=False)


def select(registry: Registry, names: Sequence[str], library: Library) -> Selection:
    """The entries that were named: IDs, lessons' claims by their file, what a document cites; everything for no names.

    Raises UsageError for an ID that nothing has, with the nearest ones.
    """
    if not names:
        return Selection(
            tuple(registry.anchors),
            tuple(registry.claims),
            tuple(registry.examples),
            tuple(registry.errata),
            everything=True,
        )
    wanted: set[str] = set()
    documents: list[str] = []
    entries = registry.entries
    for name in names:
        if document := _document(entries, library, name):
            documents.append(document)
            wanted.update(library.documents[document].cited if document in library.documents else ())
        else:
            wanted |= _named(entries, name, library)
    return Selection(
        tuple(id for id in registry.anchors if id in wanted),
        tuple(id for id in registry.claims if id in wanted),
        tuple(id for id in registry.examples if id in wanted),
        tuple(id for id in registry.errata if id in wanted),
        everything=False,
        documents=tuple(dict.fromkeys(documents)),
    )


def _document(entries: Mapping[str, Anchor | Citing], library: Library, name: str) -> str | None:
    """The document that a name is the path of; the library is not opened for an ID."""
    path = name.removeprefix("./")
    return path if name not in entries and path in library.paths else None


def _named(entries: Mapping[str, Anchor | Citing], name: str, library: Library) -> set[str]:
    if name in entries:
        return {name}
    of_file = {id for id, entry in entries.items() if entry.places[""].path == name.removeprefix("./")}
    if of_file:
        return of_file
    from claimcheck.documents import is_document

    if is_document(name):
        raise UsageError.unknown(
            "document", name, library.paths, "`documents:` in anchors.yaml says which files are documents"
        )
    raise unknown_id(name, entries)


def unknown_id(name: str, known: Collection[str], what: str = "ID") -> UsageError:
    """The error for an ID that nothing has: `no anchor V-POL; did you mean V-POOL?`."""
    return UsageError.unknown(what, name, known, "claimcheck list    shows every ID", most=3)


def build(
    registry: Registry,
    sources: Sources,
    names: Sequence[str] = (),
    at: Mapping[str, str] | None = None,
    library: Library | None = None,
    selection: Selection | None = None,
    named: bool = True,
) -> Corpus:
    """See every anchor that the run needs, each at the revision that `at` names for its vendor, else where it is cited.

    `selection` may be given in the place of names. Files are read once each, vendor by vendor, so that one child of git
    is alive at a time. Without `named` text that stayed the same is not parsed to name its symbol.
    """
    library = library or Library.empty()
    if selection is None:
        selection = select(registry, names, library)
    targets = dict(at or {})
    needed = _needed(registry, selection)
    looked_at: dict[str, Revision | NoSource] = {}
    sightings: dict[str, Sighting] = {}
    for name in registry.vendors:
        own = [anchor for anchor in needed if anchor.vendor == name]
        if not own and not selection.everything:
            continue
        wanted = targets.get(name) or (None if selection.everything else _pin_of_their_own(own))
        looked_at[name] = sources.resolve(name, wanted) if wanted else sources.pinned(name)
        sources.state(name)  # what the rules will ask of it, while its child is alive
        for anchor in sorted(own, key=lambda anchor: (anchor.commit is not None, anchor.path)):
            sightings[anchor.id] = _sight(registry, sources, anchor, targets, looked_at, named)
    in_order = {anchor.id: sightings[anchor.id] for anchor in needed}
    return Corpus(registry, sources, selection, targets, looked_at, in_order, library)


def _pin_of_their_own(anchors: Sequence[Anchor]) -> str | None:
    """The one commit that anchors have in the place of their vendor's, if all of them have the same."""
    pins = {anchor.commit for anchor in anchors}
    (pin,) = pins if len(pins) == 1 else (None,)
    return pin.text if pin else None


def _needed(registry: Registry, selection: Selection) -> list[Anchor]:
    """The selected anchors and those that selected entries cite, in registry order."""
    if selection.everything:
        return list(registry.anchors.values())
    cited = set(selection.anchors)
    for id in selection.claims:
        cited.update(registry.claims[id].cites)
    for id in selection.examples:
        cited.update(registry.examples[id].cites)
    for id in selection.errata:
        cited.update(registry.errata[id].cites)
    return [anchor for anchor in registry.anchors.values() if anchor.id in cited]


def _sight(
    registry: Registry,
    sources: Sources,
    anchor: Anchor,
    targets: Mapping[str, str],
    looked_at: Mapping[str, Revision | NoSource],
    named: bool,
) -> Sighting:
    pin = registry.pin_of(anchor)
    home = looked_at[anchor.vendor] if anchor.commit is None and anchor.vendor not in targets else None
    target = looked_at[anchor.vendor] if anchor.vendor in targets else None
    if home is None:
        home = sources.resolve(anchor.vendor, pin.text)
    lock = registry.lock_of(anchor)
    if target is None or (isinstance(home, Revision) and isinstance(target, Revision) and home.commit == target.commit):
        if isinstance(home, NoSource):
            held = (Unreadable(home),) if anchor.commit is not None else ()
            return Sighting(anchor, None, problems=held)
        source = sources.read(anchor.vendor, home.commit, anchor.path)
        if isinstance(source, NoSource):
            return Sighting(anchor, home, problems=(Unreadable(source),))
        return sight_at_home(anchor, home, source, lock)
    if isinstance(target, NoSource):
        return Sighting(anchor, None, elsewhere=True)
    old = sources.read(anchor.vendor, home.commit, anchor.path) if isinstance(home, Revision) else None
    there = sources.read(anchor.vendor, target.commit, anchor.path)
    before = home.commit if isinstance(home, Revision) else None
    return sight_elsewhere(
        anchor,
        target,
        sources.tree(anchor.vendor, target.commit, before),
        old if isinstance(old, SourceText) else None,
        lock,
        there if isinstance(there, NoSource) else None,
        named,
    )
