"""Bring what the registry names of a vendor into `vendor/NAME.git`: the only part of claimcheck that uses the network.

Commits come from the vendor's forge, or from a clone or bundle on this machine; releases from the package index, or
from an archive on this machine. Where no forge gives a pin, the first declared release stands in and is called so.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from claimcheck.errors import ClaimcheckError, EnvironmentProblem, UsageError
from claimcheck.git.copy import KEPT, LOCK_SECONDS, TAGS, Copy
from claimcheck.git.places import is_ref_name
from claimcheck.git.program import EMPTY_REPOSITORY, reading_environment, run_git
from claimcheck.git.transfer import Failure, FetchFailed, Progress, Source
from claimcheck.model import FULL_ID, Pin, Registry, Release, Revision, Vendor
from claimcheck.releases import VERSION, Imported, Index, SourceArchive, bring, digest, import_archive, open_index, opened
from claimcheck.sources import Sources
from claimcheck.texts import NoSource

A_DAY = 24 * 60 * 60
MOST_LISTED = 32 * 1024 * 1024


class Came(enum.Enum):
    """What a step came to, the best first."""

    HERE = "here"
    BROUGHT = "brought"
    NOT_BROUGHT = "not brought"
    STAND_IN = "stand-in"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was done for a vendor, in words for people."""

    vendor: str
    came: Came
    text: str
    help: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A revision that the registry names: the vendor's pin, or the commit that some anchors keep."""

    pin: Pin
    holders: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        if not self.holders:
            return f"pin {self.pin.short}"
        more = f" and {len(self.holders) - 3} more" if len(self.holders) > 3 else ""
        return f"{self.pin.short} (kept by {', '.join(self.holders[:3])}{more})"


class Undeclared(ClaimcheckError):
    """A release that anchors.yaml does not declare was asked for; the help is the line to add."""

    exit_code = 1


def wanted(registry: Registry, vendor: str) -> tuple[Wanted, ...]:
    """The revisions of a vendor that the registry names, the pin first."""
    pin = registry.vendors[vendor].pin
    holders: dict[Pin, list[str]] = {}
    for anchor in registry.anchors.values():
        if anchor.vendor == vendor and anchor.commit is not None and anchor.commit != pin:
            holders.setdefault(anchor.commit, []).append(anchor.id)
    return (Wanted(pin), *(Wanted(commit, tuple(ids)) for commit, ids in holders.items()))


class LocalKind(enum.Enum):
    """What `--from` names."""

    REPOSITORY = "repository"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class Local:
    """A clone, a bundle or a source archive on this machine. `shown` is what the user wrote."""

    path: Path
    shown: str
    kind: LocalKind

    @classmethod
    def at(cls, path: Path, shown: str) -> Local:
        """What stands at a path, by its first bytes; raises UsageError for what is none of the three."""
        if path.is_dir():
            return cls(path, shown, LocalKind.REPOSITORY)
        with opened(path, shown) as file:
            head = file.read(16)
        if head.startswith((b"# v2 git bundle", b"# v3 git bundle")):
            return cls(path, shown, LocalKind.REPOSITORY)
        if head.startswith(b"\x1f\x8b"):
            return cls(path, shown, LocalKind.ARCHIVE)
        raise UsageError(f"{shown} is no clone, bundle or .tar.gz archive")


@dataclass(slots=True)
class Upstream:
    """Whom one run may ask: the forges, unless switched off, and the package index. Use it as a context manager.

    A host that has not answered once is not asked again in the same run.
    """

    index_url: str | None = None
    forges: bool = True
    progress: Progress | None = None
    silent: dict[str, FetchFailed] = field(default_factory=dict)
    _opened: ExitStack = field(default_factory=ExitStack)
    _index: Index | None = None

    def index(self) -> Index:
        """The package index, opened when it is first needed, since its client is slow to load."""
        if self._index is None:
            self._index = self._opened.enter_context(open_index(self.index_url))
        return self._index

    def __enter__(self) -> Upstream:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()


@dataclass(frozen=True, slots=True)
class Vendors:
    """The vendors of a project as they are to be brought."""

    root: Path
    registry: Registry
    upstream: Upstream
    allow_alternates: tuple[Path, ...] = ()
    wait: float = LOCK_SECONDS
    waiting: Callable[[str], None] = lambda label: None

    def sync(self, name: str, local: Local | None = None) -> Iterator[Step]:
        """Bring every revision that the registry names of a vendor, each step told when it is done.

        A problem is a step too, so that other vendors are still brought.
        """
        if local is None and not self.missing(name):
            yield Step(name, Came.HERE, "everything is here")
            return
        try:
            with self._copy(name) as copy:
                # Another run may have brought it while this one waited.
                yield from self._sync(copy, self.missing(name), local)
        except ClaimcheckError as problem:
            yield Step(name, Came.FAILED, problem.message, problem.help)

    def fetch(self, name: str, rev: str, *, trust: bool = False, local: Local | None = None) -> Iterator[Step]:
        """Bring one more commit, tag or release; raises ClaimcheckError when it cannot be had."""
        vendor = self.registry.vendors[name]
        version = _version(vendor, rev)
        if version is None:
            _check_revision(name, rev)
        if isinstance(found := self._resolve(name, rev), Revision):
            yield Step(name, Came.HERE, f"{_named(rev, found)} is here")
        elif version is not None:
            yield from self._fetch_release(vendor, version, trust, local)
        else:
            source = self._source(vendor, local)
            with self._copy(name) as copy:
                copy.fetch(source, [_refspec(rev)], progress=self.upstream.progress)
            yield Step(name, Came.BROUGHT, f"{_named(rev, self._must_resolve(name, rev))} brought from {source.shown}")

    def fetch_history(self, name: str, rev: str, since: str | None, local: Local | None = None) -> Iterator[Step]:
        """Bring a commit or tag with what lies between it and another, by default the pin."""
        vendor = self.registry.vendors[name]
        ends = [rev, since or vendor.pin.text]
        for end in ends:
            if end.startswith("release"):
                raise UsageError(f"{name}: {end} is a release, which has no history", help="--since COMMIT")
            _check_revision(name, end)
        source = self._source(vendor, local)
        refspecs = [_refspec(end) for end in ends]
        with self._copy(name) as copy:
            copy.fetch(source, refspecs, progress=self.upstream.progress)
            tips = [self._must_resolve(name, end).commit for end in ends]
            dates = {tip: _committed(copy, tip) for tip in tips}
            newer, older = sorted(tips, key=dates.__getitem__, reverse=True)
            # A day more, since clocks of committers differ.
            reach = [f"--shallow-since=@{dates[older] - A_DAY}"]
            copy.fetch(source, refspecs, reach=reach, progress=self.upstream.progress)
            count = int(run_git(copy.path, "rev-list", "--count", f"{older}..{newer}"))
        commits = "1 commit" if count == 1 else f"{count:,} commits"
        yield Step(name, Came.BROUGHT, f"{commits} from {older[:8]} to {newer[:8]} brought from {source.shown}")

    def missing(self, name: str) -> list[Wanted]:
        """The revisions that the registry names and that cannot be read whole."""
        with self._sources() as sources:
            partial = sources.state(name).partial
            return [
                want
                for want in wanted(self.registry, name)
                if not isinstance(found := sources.resolve(name, want.pin.text), Revision)
                or (partial and not self._is_whole(name, found.commit))
            ]

    def _sync(self, copy: Copy, missing: Sequence[Wanted], local: Local | None) -> Iterator[Step]:
        vendor = self.registry.vendors[copy.vendor]
        if local is not None and local.kind is LocalKind.ARCHIVE:
            yield self._import(copy, vendor, local)
            return
        for want in missing:
            if want.pin.version is not None and local is None:
                release = _declared(vendor, want.pin.version) or self._undeclared(vendor, want.pin.version)
                yield Step(vendor.name, Came.BROUGHT, f"{want.label} {self._bring(copy, vendor, release)}")
        commits = [want for want in missing if want.pin.version is None]
        if not commits:
            if local is not None:
                yield Step(vendor.name, Came.HERE, "everything is here")
            return
        left = list[Wanted]()
        for step, wants in self._bring_commits(copy, vendor, commits, local):
            left += wants
            yield step
        if left and local is None:
            yield self._stand_in(copy, vendor)

    def _bring_commits(
        self, copy: Copy, vendor: Vendor, wants: Sequence[Wanted], local: Local | None
    ) -> Iterator[tuple[Step, Sequence[Wanted]]]:
        """Steps, each with the commits that it left missing."""
        name = vendor.name
        if local is None and (reason := self._why_not_asked(vendor)):
            yield Step(name, Came.NOT_BROUGHT, f"{_labels(wants)} not brought: {reason}"), wants
            return
        source = self._source(vendor, local)
        for group, problem in self._fetch_groups(copy, source, wants):
            if problem is None:
                problem = self._unreadable(name, group)
            if problem is None:
                yield Step(name, Came.BROUGHT, f"{_labels(group)} brought from {source.shown}"), ()
                continue
            silent = isinstance(problem, FetchFailed) and problem.failure is not Failure.NOT_THERE and local is None
            came = Came.NOT_BROUGHT if silent else Came.FAILED
            yield Step(name, came, f"{_labels(group)} not brought: {problem.message}", problem.help), group

    def _fetch_groups(
        self, copy: Copy, source: Source, wants: Sequence[Wanted]
    ) -> Iterator[tuple[Sequence[Wanted], EnvironmentProblem | None]]:
        """Fetch commits in one go; where the source lacks one of several, each alone, so that the others come."""
        try:
            copy.fetch(source, [_refspec(want.pin.text) for want in wants], progress=self.upstream.progress)
        except FetchFailed as problem:
            if problem.failure is Failure.NOT_THERE and len(wants) > 1:
                for want in wants:
                    yield from self._fetch_groups(copy, source, [want])
                return
            if problem.failure is Failure.NO_ANSWER:
                self.upstream.silent[source.shown] = problem
            yield wants, problem
        else:
            yield wants, None

    def _why_not_asked(self, vendor: Vendor) -> str | None:
        if vendor.url is None:
            return "no url is declared"
        if not self.upstream.forges:
            return "no forge is asked (--releases)"
        silent = self.upstream.silent.get(Source.forge(vendor.url).shown)
        return silent.message if silent else None

    def _source(self, vendor: Vendor, local: Local | None) -> Source:
        if local is not None:
            if local.kind is LocalKind.ARCHIVE:
                raise UsageError(f"{local.shown} is a source archive; a commit comes from a clone or a bundle")
            return Source.local(local.path, local.shown)
        if vendor.url is None:
            raise UsageError(
                f"{vendor.name}: no url is declared", help="--from PATH    takes it from a clone or a bundle"
            )
        source = Source.forge(vendor.url)
        if silent := self.upstream.silent.get(source.shown):
            raise silent
        return source

    def _stand_in(self, copy: Copy, vendor: Vendor) -> Step:
        name, release = vendor.name, vendor.stand_in
        if release is None:
            return Step(
                name, Came.FAILED, "no release is declared that could stand in", "--from PATH    takes it from a clone"
            )
        if isinstance(self._resolve(name, release.ref), Revision):
            return Step(name, Came.STAND_IN, f"stand-in {release.version} is here")
        return Step(name, Came.STAND_IN, f"stand-in {release.version} {self._bring(copy, vendor, release)}")

    def _bring(self, copy: Copy, vendor: Vendor, release: Release) -> str:
        """Bring a release from the index and say how."""
        done = bring(copy, _project(vendor, release.version), release, self.upstream.index(), self.upstream.progress)
        return f"brought from the package index: {_summary(done, release)}"

    def _import(self, copy: Copy, vendor: Vendor, local: Local, version: str | None = None) -> Step:
        """Import an archive of this machine that is one of the declared ones; `version` if a certain one is meant."""
        with opened(local.path, local.shown) as archive:
            sha256 = digest(archive)
        declared = [release for release in vendor.releases if version in (None, release.version)]
        release = next((release for release in declared if release.sha256 == sha256), None)
        if release is None:
            which = f"release {version}" if version else "any release"
            raise EnvironmentProblem(
                f"{local.shown} is not the declared archive of {which}: its sha256 is {sha256}",
                help=f"declared: {_declared_versions(vendor)}",
            )
        done = import_archive(
            copy, vendor.pypi or vendor.name, release, local.path, local.shown, self.upstream.progress
        )
        role = "stand-in" if release == vendor.stand_in and vendor.pin.version is None else "release"
        came = Came.STAND_IN if role == "stand-in" and self.missing(vendor.name) else Came.BROUGHT
        text = f"{role} {release.version} imported from {local.shown}: {_summary(done, release)}"
        return Step(vendor.name, came, text)

    def _fetch_release(self, vendor: Vendor, version: str, trust: bool, local: Local | None) -> Iterator[Step]:
        if local is not None and local.kind is not LocalKind.ARCHIVE:
            raise UsageError(f"{local.shown} is no .tar.gz archive; a release comes from one")
        release = _declared(vendor, version)
        line = None
        if release is None:
            release = self._undeclared(vendor, version, trust, local)
            line = f"declare it in anchors.yaml: {_line_to_add(vendor, release)}"
        with self._copy(vendor.name) as copy:
            if local is None:
                text = f"release {release.version} {self._bring(copy, vendor, release)}"
            else:
                project = vendor.pypi or vendor.name
                done = import_archive(copy, project, release, local.path, local.shown, self.upstream.progress)
                text = f"release {release.version} imported from {local.shown}: {_summary(done, release)}"
        yield Step(vendor.name, Came.BROUGHT, text, line)

    def _undeclared(
        self, vendor: Vendor, version: str, trust: bool = False, local: Local | None = None
    ) -> Release:
        """The release as the index or the archive at hand has it, if it is trusted; else raises Undeclared."""
        if local is not None:
            with opened(local.path, local.shown) as archive:
                release = Release(version, digest(archive))
        else:
            found = self.upstream.index().archive(_project(vendor, version), version)
            release = _as_release(found, vendor.name)
        if not trust:
            raise Undeclared(
                f"{vendor.name}: release {version} is not declared; nothing was brought",
                place=vendor.places["releases.versions"],
                help=f"{_line_to_add(vendor, release)}    (or --trust; the sha256 is what "
                f"{local.shown if local else 'the package index'} has today)",
            )
        return release

    def _unreadable(self, name: str, wants: Sequence[Wanted]) -> EnvironmentProblem | None:
        """Why a commit that was fetched cannot be read after all."""
        for want in wants:
            if isinstance(found := self._resolve(name, want.pin.text), NoSource):
                return EnvironmentProblem(
                    found.message, help=f"rm -r vendor/{name}.git    and sync again: it is claimcheck's own copy"
                )
        return None

    def _resolve(self, name: str, rev: str) -> Revision | NoSource:
        with self._sources() as sources:
            return sources.resolve(name, rev)

    def _must_resolve(self, name: str, rev: str) -> Revision:
        found = self._resolve(name, rev)
        if isinstance(found, NoSource):
            raise EnvironmentProblem(f"{name}: {found.message}", help=found.help)
        return found

    def _sources(self) -> Sources:
        # Opened anew each time: what was brought in between must be seen.
        return Sources(self.root, self.registry.vendors, allow_alternates=self.allow_alternates)

    def _is_whole(self, name: str, commit: str) -> bool:
        """Whether all files of a commit are here; a partial clone can have the commit and lack them."""
        places = [self.root / "vendor" / f"{name}.git" / "objects"]
        with self._sources() as sources:
            places += sources.object_directories(name)
        environment = reading_environment({
            "GIT_OBJECT_DIRECTORY": str(places[-1]),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": ":".join(map(str, places)),
        })
        arguments = ("rev-list", "--objects", "--no-walk", "--missing=print", commit)
        listed = run_git(EMPTY_REPOSITORY, *arguments, environment=environment, limit=MOST_LISTED)
        return not re.search(rb"^\?", listed, re.MULTILINE)

    def _copy(self, name: str) -> _Held:
        return _Held(Copy(self.root, name), self.wait, self.waiting)
