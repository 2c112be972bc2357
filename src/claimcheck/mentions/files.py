"""The vendor whose places documents name: one of the registry, or a clone that the command line names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from claimcheck.clones import Clones
from claimcheck.errors import EnvironmentProblem, UsageError
from claimcheck.git import places
from claimcheck.git.places import ObjectDirectory
from claimcheck.git.reader import Kind, ObjectProblem
from claimcheck.mentions.proposing import VendorFiles
from claimcheck.model import FULL_ID, Pin, Revision, Vendor
from claimcheck.new_vendor import Said, new_vendor
from claimcheck.sources import Sources
from claimcheck.texts import NoSource, SourceText, Tree
from claimcheck.values import frozen


@frozen
class Asked:
    """What `--vendor NAME[=PATH][@REV]` says."""

    name: str
    folder: str | None
    rev: str | None

    @classmethod
    def parse(cls, text: str) -> Asked:
        head, _, rev = text.partition("@")
        name, equals, folder = head.partition("=")
        if not name or (equals and not folder):
            raise UsageError(f"--vendor {text}", help="--vendor NAME=PATH@REV, or NAME@REV for one that is declared")
        return cls(name, folder or None, rev or None)


@frozen
class Opened:
    """A vendor that can be read at a commit; `declared` says that the registry has it, and it stays as it is there."""

    vendor: Vendor
    commit: str
    label: str
    files: VendorFiles
    declared: bool


@contextmanager
def opened(asked: Asked, prefix: str | None, root: Path, vendors: Mapping[str, Vendor]) -> Iterator[Opened]:
    """Open what was asked for; raises UsageError for what is not there and what cannot be meant."""
    if asked.name in vendors:
        if asked.folder is not None:
            raise UsageError(
                f"{asked.name} is declared already; its clone is vendor/{asked.name}", help=f"--vendor {asked.name}"
            )
        with Sources(root, vendors) as sources:
            yield _declared(sources, vendors[asked.name], asked.rev)
        return
    if asked.folder is None:
        raise UsageError(f"no vendor {asked.name}", help=f"--vendor {asked.name}=PATH@REV    PATH is a clone of it")
    with Clones() as clones:
        yield _clone(clones, asked, prefix, root, vendors)


def _declared(sources: Sources, vendor: Vendor, rev: str | None) -> Opened:
    found = sources.resolve(vendor.name, rev or vendor.pin.text)
    if isinstance(found, NoSource):
        raise UsageError(f"{vendor.name}: {found.message}", help=found.help)
    return Opened(vendor, found.commit, found.label, _OfSources(sources, vendor.name), declared=True)


def _clone(clones: Clones, asked: Asked, prefix: str | None, root: Path, vendors: Mapping[str, Vendor]) -> Opened:
    folder = str(Path(asked.folder or "").absolute())
    if not Path(folder).is_dir():
        raise UsageError(f"--vendor: {asked.folder} is no folder on this machine")
    commit = _commit(clones, folder, asked)
    said = Said(name=asked.name, commit=commit, prefix=prefix)
    vendor = replace(new_vendor(folder, said, root, vendors), pin=Pin(commit))
    label = Revision(
        commit, tag=asked.rev if asked.rev and not FULL_ID.match(asked.rev) and asked.rev != "HEAD" else None
    )
    return Opened(vendor, commit, label.label, _OfClones(clones, folder), declared=False)


def _commit(clones: Clones, folder: str, asked: Asked) -> str:
    """The commit that is asked for: a full id, a tag, or HEAD."""
    where = places.object_directory(Path(folder), root=Path(folder), allow_alternates=[Path(Path(folder).anchor)])
    if not isinstance(where, ObjectDirectory):
        raise UsageError(where.message, help=where.help)
    rev = asked.rev or "HEAD"
    reader = clones.reader(folder)
    if FULL_ID.match(rev):
        id: str | None = rev
    elif rev == "HEAD":
        at = places.head(where)
        id = at.commit if at else None
    else:
        id = places.ref(where, f"refs/tags/{rev}")
    try:
        if id is None:
            raise UsageError(f"{asked.name}: {rev} is no full commit id and no tag in {asked.folder}")
        return reader.peel(id)
    except ObjectProblem as problem:
        raise UsageError(f"{asked.name}: {rev} cannot be read in {asked.folder}: {problem.message}") from None


@frozen
class _OfSources:
    sources: Sources
    vendor: str

    def read(self, commit: str, path: str, /) -> SourceText | NoSource:
        return self.sources.read(self.vendor, commit, path)

    def paths(self, commit: str, /) -> Sequence[str]:
        found = self.sources.blobs(self.vendor, commit)
        if isinstance(found, NoSource):
            raise EnvironmentProblem(f"{self.vendor}: {found.message}", help=found.help)
        return tuple(found)

    def has(self, commit: str, /) -> bool:
        return isinstance(self.sources.resolve(self.vendor, commit), Revision)

    def tree(self, commit: str, before: str, /) -> Tree:
        return self.sources.tree(self.vendor, commit, before)


@frozen
class _OfClones:
    clones: Clones
    folder: str

    def read(self, commit: str, path: str, /) -> SourceText | NoSource:
        return self.clones.read(self.folder, commit, path)

    def paths(self, commit: str, /) -> Sequence[str]:
        return tuple(entry.path for entry in self.clones.reader(self.folder).files(commit) if entry.kind is Kind.FILE)

    def has(self, commit: str, /) -> bool:
        try:
            self.clones.reader(self.folder).commit(commit)
        except ObjectProblem:
            return False
        return True

    def tree(self, commit: str, before: str, /) -> Tree:
        return self.clones.tree(self.folder, commit, before)
