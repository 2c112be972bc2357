"""Where vendors' commits and archives come from: forges and the package index, or files on this machine."""

from __future__ import annotations

import enum
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from claimcheck.errors import UsageError
from claimcheck.git.transfer import FetchFailed, Progress, Source
from claimcheck.model import Vendor
from claimcheck.releases import Index, IndexSilent, open_index, opened
from claimcheck.values import frozen


class LocalKind(enum.Enum):
    """What `--from` names."""

    REPOSITORY = "repository"
    ARCHIVE = "archive"


@frozen
class Local:
    """A clone, a bundle or a source archive on this machine. `shown` is what the user wrote."""

    path: Path
    shown: str
    kind: LocalKind

    @classmethod
    def at(cls, path: Path) -> Local:
        """What stands at a path, by its first bytes; raises UsageError for what is none of the three."""
        shown = str(path)
        if path.is_dir():
            return cls(path, shown, LocalKind.REPOSITORY)
        with opened(path, shown) as file:
            head = file.read(16)
        if head.startswith((b"# v2 git bundle", b"# v3 git bundle")):
            return cls(path, shown, LocalKind.REPOSITORY)
        if head.startswith(b"\x1f\x8b"):
            return cls(path, shown, LocalKind.ARCHIVE)
        raise UsageError(f"{shown} is no clone, bundle or .tar.gz archive")

    @property
    def source(self) -> Source:
        """The clone or bundle as git fetches from it; raises UsageError for an archive."""
        if self.kind is LocalKind.ARCHIVE:
            raise UsageError(f"{self.shown} is a source archive; a commit comes from a clone or a bundle")
        return Source.local(self.path, self.shown)


@dataclass(slots=True)
class Upstream:
    """Whom one run may ask: the forges, unless switched off, and the package index. Use it as a context manager.

    Whoever has not answered once is not asked again in the same run.
    """

    index_url: str | None = None
    forges: bool = True
    progress: Progress | None = None
    _silent_hosts: dict[str, FetchFailed] = field(default_factory=dict)
    _silent_index: IndexSilent | None = None
    _index: Index | None = None
    _opened: ExitStack = field(default_factory=ExitStack)

    def forge(self, vendor: Vendor) -> Source:
        """The vendor's forge; raises UsageError if there is none to ask, FetchFailed if it has not answered before."""
        if vendor.url is None:
            raise UsageError("no url is declared", help="--from PATH    takes it from a clone or a bundle")
        source = Source.forge(vendor.url)
        if problem := self._silent_hosts.get(source.shown):
            raise problem
        return source

    def index(self) -> Index:
        """The package index, opened when it is first needed, since its client is slow to load."""
        if self._silent_index:
            raise self._silent_index
        if self._index is None:
            self._index = self._opened.enter_context(open_index(self.index_url))
        return self._index

    def remember(self, silent: FetchFailed | IndexSilent) -> None:
        """Do not ask again who did not answer."""
        if isinstance(silent, FetchFailed):
            self._silent_hosts[silent.source.shown] = silent
        else:
            self._silent_index = silent

    def __enter__(self) -> Upstream:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()
