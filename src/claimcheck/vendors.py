"""Bring what the registry names of a vendor into `vendor/NAME.git`; with `releases` all that uses the network.

Commits come from the vendor's forge, or from a clone or bundle on this machine; releases from the package index, or
from an archive on this machine. Where no forge gives a pin, the first declared release stands in and is called so.
"""

from __future__ import annotations

import enum
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from claimcheck.errors import ClaimcheckError, EnvironmentProblem, UsageError
from claimcheck.git.clone import has_changes, is_whole
from claimcheck.git.copy import KEPT, LOCK_SECONDS, TAGS, Copy
from claimcheck.git.places import ObjectDirectory, Unusable, is_ref_name, object_directory
from claimcheck.git.program import GitFailed, run_git
from claimcheck.git.transfer import Failure, FetchFailed, Source
from claimcheck.model import FULL_ID, SHA256_ID, Pin, Registry, Release, Revision, Vendor
from claimcheck.releases import Imported, IndexProblem, IndexSilent, bring, digest, import_archive, is_version, opened
from claimcheck.sources import Sources
from claimcheck.standing import Standing, judge
from claimcheck.texts import NoSource
from claimcheck.upstream import Local, LocalKind, Upstream
from claimcheck.values import frozen

A_DAY = 24 * 60 * 60
_SHA256 = "an id of a SHA-256 repository; the SHA-256 object format is not supported"


class Came(enum.Enum):
    """What a step came to."""

    HERE = "here"
    BROUGHT = "brought"
    NOT_BROUGHT = "not brought"
    STAND_IN = "stand-in"
    FAILED = "failed"


@frozen
class Step:
    """Something that was done for a vendor, in words for people."""

    vendor: str
    came: Came
    text: str
    help: str | None = None


@frozen
class Wanted:
    """A revision that the registry names: the vendor's pin, or the commit at which some anchors are held."""

    pin: Pin
    holders: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        if not self.holders:
            return f"pin {self.pin.short}"
        more = f" and {len(self.holders) - 3} more" if len(self.holders) > 3 else ""
        return f"{self.pin.short} (held by {', '.join(self.holders[:3])}{more})"


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


@frozen
class Vendors:
    """The vendors of a project and whom to ask for them. `waiting` is told which copy another run is writing."""

    root: Path
    registry: Registry
    upstream: Upstream
    allow_alternates: tuple[Path, ...] = ()
    wait: float = LOCK_SECONDS
    waiting: Callable[[str], None] = lambda _: None

    def sync(self, name: str, local: Local | None = None) -> Iterator[Step]:
        """Bring every revision that the registry names of a vendor, each step told when it is done.

        A problem is a step too, so that other vendors are still brought.
        """
        archive = local is not None and local.kind is LocalKind.ARCHIVE
        if not archive and not self.missing(name):
            yield Step(name, Came.HERE, "everything is here")
            return
        vendor = self.registry.vendors[name]
        try:
            with self._copy(name) as copy:
                if local is not None and archive:
                    yield self._import_declared(copy, vendor, local)
                else:
                    # Another run may have brought it while this one waited.
                    yield from self._bring_missing(copy, vendor, self.missing(name), local)
        except ClaimcheckError as problem:
            yield Step(name, Came.FAILED, problem.message, problem.help)

    def fetch(self, name: str, rev: str, *, trust: bool = False, local: Local | None = None) -> Iterator[Step]:
        """Bring one more commit, tag or release; raises ClaimcheckError when it cannot be had."""
        vendor = self.registry.vendors[name]
        version = _version(vendor, rev)
        if version is None:
            _check_revision(name, rev)
        if found := self._here(name, rev):
            yield Step(name, Came.HERE, f"{_named(found)} is here")
        elif version is not None:
            with _about(name):
                yield self._fetch_release(vendor, version, trust, local)
        else:
            with _about(name, rev):
                source = local.source if local else self.upstream.forge(vendor)
                with self._copy(name) as copy:
                    copy.fetch(source, [_refspec(rev)], progress=self.upstream.progress)
                found = self._must_resolve(name, rev)
            yield Step(name, Came.BROUGHT, f"{_named(found)} brought from {source.shown}")

    def fetch_history(self, name: str, rev: str, since: str | None, local: Local | None = None) -> Iterator[Step]:
        """Bring a commit or tag with what lies between it and another, by default the pin."""
        vendor = self.registry.vendors[name]
        ends = [rev, since or vendor.pin.text]
        for end in ends:
            if end.startswith("release"):
                raise UsageError(f"{name}: {end} is a release, which has no history", help="--since COMMIT")
            _check_revision(name, end)
        refspecs = [_refspec(end) for end in ends]
        with _about(name, f"the history of {rev}"):
            source = local.source if local else self.upstream.forge(vendor)
            with self._copy(name) as copy:
                copy.fetch(source, refspecs, progress=self.upstream.progress)
                new, old = (self._must_resolve(name, end).commit for end in ends)
                # A day more, since clocks of committers differ.
                since_when = min(_committed(copy, new), _committed(copy, old)) - A_DAY
                copy.fetch(source, refspecs, reach=[f"--shallow-since=@{since_when}"], progress=self.upstream.progress)
                between = _between(copy, old, new)
        yield Step(name, Came.BROUGHT, f"{between}, brought from {source.shown}")

    def missing(self, name: str) -> list[Wanted]:
        """The revisions that the registry names and that are not here, or not whole."""
        with self._sources() as sources:
            return [want for want in wanted(self.registry, name) if self._present(sources, name, want.pin.text) is None]

    def standing(self, name: str) -> Standing:
        """How a vendor stands to its pin; nothing is brought."""
        vendor = self.registry.vendors[name]
        copy = Copy(self.root, name)
        with self._sources() as sources:
            state = sources.state(name)
            held = [
                want.label
                for want in wanted(self.registry, name)
                if want.holders and self._present(sources, name, want.pin.text) is None
            ]
        clone = self._place(name)
        changed = isinstance(clone, ObjectDirectory) and has_changes(clone, self.root / "vendor" / name)
        return judge(vendor, state, held, changed=changed, size=copy.size() if os.path.isdir(copy.path) else None)

    def _bring_missing(
        self, copy: Copy, vendor: Vendor, missing: Sequence[Wanted], local: Local | None
    ) -> Iterator[Step]:
        if not missing:
            yield Step(vendor.name, Came.HERE, "everything is here")
        for want in missing:
            if want.pin.version is not None:
                yield self._bring_pinned_release(copy, vendor, want, want.pin.version, local)
        commits = [want for want in missing if want.pin.version is None]
        if not commits:
            return
        brought = True
        for want in [want for want in commits if SHA256_ID.match(want.pin.text)]:
            brought = False
            commits.remove(want)
            yield Step(vendor.name, Came.FAILED, f"{want.label} not brought: it is {_SHA256}")
        for step in self._bring_commits(copy, vendor, commits, local):
            brought = brought and step.came is Came.BROUGHT
            yield step
        if not brought and local is None:
            yield self._stand_in(copy, vendor)

    def _bring_pinned_release(
        self, copy: Copy, vendor: Vendor, want: Wanted, version: str, local: Local | None
    ) -> Step:
        if local is not None:
            return Step(vendor.name, Came.FAILED, f"{want.label} not brought: {local.shown} is no source archive")
        release = vendor.release(version) or self._undeclared(vendor, version)
        return Step(vendor.name, Came.BROUGHT, f"{want.label} {self._bring(copy, vendor, release)}")

    def _bring_commits(
        self, copy: Copy, vendor: Vendor, wants: Sequence[Wanted], local: Local | None
    ) -> Iterator[Step]:
        name = vendor.name
        if not wants:
            return
        if local is None and not self.upstream.forges:
            yield Step(name, Came.NOT_BROUGHT, f"{_labels(wants)} not brought: no forge is asked")
            return
        try:
            source = local.source if local else self.upstream.forge(vendor)
        except (UsageError, FetchFailed) as none:
            came = Came.FAILED if isinstance(none, UsageError) and vendor.url else Came.NOT_BROUGHT
            yield Step(name, came, f"{_labels(wants)} not brought: {none.message}")
            return
        for group, failed in self._fetch_groups(copy, source, wants):
            problem = failed or self._unreadable(name, group)
            if problem is None:
                yield Step(name, Came.BROUGHT, f"{_labels(group)} brought from {source.shown}")
                continue
            silent = isinstance(problem, FetchFailed) and problem.failure is not Failure.NOT_THERE
            came = Came.NOT_BROUGHT if silent and local is None else Came.FAILED
            yield Step(name, came, f"{_labels(group)} not brought: {problem.message}", problem.help)

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
                self.upstream.remember(problem)
            yield wants, problem
        else:
            yield wants, None

    def _unreadable(self, name: str, wants: Sequence[Wanted]) -> EnvironmentProblem | None:
        """Why a commit that was fetched cannot be read after all."""
        with self._sources() as sources:
            for want in wants:
                if isinstance(found := sources.resolve(name, want.pin.text), NoSource):
                    return EnvironmentProblem(
                        found.message, help=f"rm -r vendor/{name}.git    and sync again: it is claimcheck's own copy"
                    )
        return None

    def _stand_in(self, copy: Copy, vendor: Vendor) -> Step:
        name, release = vendor.name, vendor.stand_in
        if release is None:
            return Step(
                name,
                Came.FAILED,
                "no release is declared that could stand in",
                f"claimcheck vendor sync {name} --from PATH    takes the pin from a clone or a bundle",
            )
        if self._here(name, release.ref):
            return Step(name, Came.STAND_IN, f"stand-in {release.version} is here")
        try:
            return Step(name, Came.STAND_IN, f"stand-in {release.version} {self._bring(copy, vendor, release)}")
        except IndexProblem as problem:
            text = f"stand-in {release.version} not brought: {problem.message}"
            return Step(name, Came.FAILED, text, problem.help)

    def _bring(self, copy: Copy, vendor: Vendor, release: Release) -> str:
        """Bring a release from the index, and say how."""
        try:
            index = self.upstream.index()
            done = bring(copy, _project(vendor, release.version), release, index, self.upstream.progress)
        except IndexSilent as problem:
            self.upstream.remember(problem)
            raise
        return f"brought from the package index: {_summary(done, release)}"

    def _import(self, copy: Copy, vendor: Vendor, release: Release, local: Local) -> str:
        project = vendor.pypi or vendor.name
        done = import_archive(copy, project, release, local.path, local.shown, self.upstream.progress)
        return f"imported from {local.shown}: {_summary(done, release)}"

    def _import_declared(self, copy: Copy, vendor: Vendor, local: Local) -> Step:
        """Import an archive of this machine if it is one of the declared ones."""
        sha256 = _digest_of(local)
        release = next((release for release in vendor.releases if release.sha256 == sha256), None)
        if release is None:
            versions = ", ".join(release.version for release in vendor.releases) or "none"
            raise EnvironmentProblem(
                f"{local.shown} is none of the declared archives ({versions}); its sha256 is {sha256}",
                help=f"claimcheck vendor fetch {vendor.name} release/VERSION --from …    tells the line to add",
            )
        stands_in = release == vendor.stand_in and bool(self.missing(vendor.name)) and vendor.pin.version is None
        role, came = ("stand-in", Came.STAND_IN) if stands_in else ("release", Came.BROUGHT)
        if self._here(vendor.name, release.ref):
            return Step(vendor.name, Came.STAND_IN if stands_in else Came.HERE, f"{role} {release.version} is here")
        return Step(vendor.name, came, f"{role} {release.version} {self._import(copy, vendor, release, local)}")

    def _fetch_release(self, vendor: Vendor, version: str, trust: bool, local: Local | None) -> Step:
        if local is not None and local.kind is not LocalKind.ARCHIVE:
            raise UsageError(f"{local.shown} is no .tar.gz archive; a release comes from one")
        declared = vendor.release(version)
        release = declared or self._undeclared(vendor, version, trust, local)
        with self._copy(vendor.name) as copy:
            how = self._import(copy, vendor, release, local) if local else self._bring(copy, vendor, release)
        line = None if declared else f"{_line_to_add(vendor, release)}    declares it; until then it is not looked at"
        return Step(vendor.name, Came.BROUGHT, f"release {release.version} {how}", line)

    def _undeclared(self, vendor: Vendor, version: str, trust: bool = False, local: Local | None = None) -> Release:
        """The release as the index or the archive at hand has it, if it is trusted; else raises Undeclared."""
        if local is not None:
            release = Release(version, _digest_of(local))
        else:
            found = self.upstream.index().archive(_project(vendor, version), version)
            if found.sha256 is None:
                raise IndexProblem(f"the package index has no sha256 for {found.filename}", help="--from FILE.tar.gz")
            release = Release(found.version, found.sha256)
        if not trust:
            raise Undeclared(
                f"{vendor.name}: release {version} is not declared; nothing was brought",
                place=vendor.places["releases.versions"],
                help=f"{_line_to_add(vendor, release)}    if you trust what "
                f"{local.shown if local else 'the package index'} has today; or --trust",
            )
        return release

    def _here(self, name: str, rev: str) -> Revision | None:
        with self._sources() as sources:
            return self._present(sources, name, rev)

    def _present(self, sources: Sources, name: str, rev: str) -> Revision | None:
        """The revision if it is here whole; a partial clone can have a commit and lack its files."""
        found = sources.resolve(name, rev)
        if isinstance(found, NoSource):
            return None
        if not sources.state(name).partial:
            return found
        places = [self._place(name), self._place(f"{name}.git")]
        whole = is_whole([place for place in places if isinstance(place, ObjectDirectory)], found.commit)
        return found if whole else None

    def _place(self, name: str) -> ObjectDirectory | Unusable:
        return object_directory(self.root / "vendor" / name, root=self.root, allow_alternates=self.allow_alternates)

    def _must_resolve(self, name: str, rev: str) -> Revision:
        with self._sources() as sources:
            found = sources.resolve(name, rev)
        if isinstance(found, NoSource):
            raise EnvironmentProblem(f"{name}: {found.message}", help=found.help)
        return found

    def _sources(self) -> Sources:
        # Opened anew each time: what was brought in between must be seen.
        return Sources(self.root, self.registry.vendors, allow_alternates=self.allow_alternates)

    @contextmanager
    def _copy(self, name: str) -> Iterator[Copy]:
        copy = Copy(self.root, name)
        with copy.writing(wait=self.wait, waiting=lambda: self.waiting(copy.label)):
            yield copy


@contextmanager
def _about(name: str, rev: str | None = None) -> Iterator[None]:
    """Name the vendor, and what was asked for, in what went wrong elsewhere."""
    try:
        yield
    except (FetchFailed, IndexProblem, GitFailed, UsageError) as problem:
        what = f"{name}: {rev} not brought" if rev else name
        help = problem.help
        if isinstance(problem, FetchFailed):
            help = help or "--from PATH    takes it from a clone or a bundle on this machine"
        raise EnvironmentProblem(f"{what}: {problem.message}", help=help) from problem


def _check_revision(name: str, rev: str) -> None:
    if rev == "HEAD":
        raise UsageError(f"{name}: HEAD is what vendor/{name} has; there is nothing to fetch")
    if SHA256_ID.match(rev):
        raise UsageError(f"{name}: {rev[:8]} is {_SHA256}")
    if not FULL_ID.match(rev) and not is_ref_name(rev):
        raise UsageError(f"{name}: {rev} is neither a full commit id nor the name of a tag")


def _version(vendor: Vendor, rev: str) -> str | None:
    """The version that a revision asks for, if it is a release; a bare `release` is the one that stands in."""
    if rev == "release":
        if vendor.stand_in is None:
            raise UsageError(f"{vendor.name} declares no release", help="release/VERSION")
        return vendor.stand_in.version
    if not rev.startswith("release/"):
        return None
    version = rev.removeprefix("release/")
    if not is_version(version):
        raise UsageError(f"{vendor.name}: {rev} has no version that a release could have")
    return version


def _refspec(rev: str) -> str:
    return f"{rev}:{KEPT}{rev}" if FULL_ID.match(rev) else f"{TAGS}{rev}:{TAGS}{rev}"


def _labels(wants: Sequence[Wanted]) -> str:
    return " and ".join(want.label for want in wants)


def _named(found: Revision) -> str:
    return f"release {found.label}" if found.release else found.label


def _project(vendor: Vendor, version: str) -> str:
    if vendor.pypi is None:
        raise IndexProblem(
            f"release {version} cannot be looked up, since `releases` does not say under which name (`pypi`)",
            help=f"claimcheck vendor fetch {vendor.name} release/{version} --from FILE.tar.gz",
        )
    return vendor.pypi


def _digest_of(local: Local) -> str:
    with opened(local.path, local.shown) as archive:
        return digest(archive)


def _summary(done: Imported, release: Release) -> str:
    files = "1 file" if done.files == 1 else f"{done.files:,} files"
    return f"{files}, sha256 {release.sha256[:8]}…"


def _line_to_add(vendor: Vendor, release: Release) -> str:
    """The line of anchors.yaml that declares a release, and where it goes."""
    # All digits, or digits around one `e`, would be a number to some reader of YAML.
    sha256 = f'"{release.sha256}"' if re.fullmatch(r"[0-9]+(e[0-9]+)?", release.sha256) else release.sha256
    entry = f'"{release.version}": {sha256}'
    if vendor.releases:
        return f"{entry}    under vendors.{vendor.name}.releases.versions"
    if vendor.pypi:
        return f"versions: {{{entry}}}    under vendors.{vendor.name}.releases"
    return f"releases: {{versions: {{{entry}}}}}    under vendors.{vendor.name}"


def _between(copy: Copy, old: str, new: str) -> str:
    """How many commits lie between two, in words."""
    said = run_git(copy.path, "rev-list", "--left-right", "--count", f"{old}...{new}")
    back, forth = map(int, said.split())
    if back and forth:
        return (
            f"{old[:8]} and {new[:8]} lie on two branches, {_commits(back)} and {_commits(forth)} from where they meet"
        )
    if back:
        old, new = new, old
    return f"{_commits(back + forth)} from {old[:8]} to {new[:8]}"


def _commits(count: int) -> str:
    return "1 commit" if count == 1 else f"{count:,} commits"


def _committed(copy: Copy, commit: str) -> int:
    """When a commit was committed, in seconds."""
    said = run_git(copy.path, "rev-list", "--max-count=1", "--format=%ct", commit)
    return int(said.split(b"\n")[1])
