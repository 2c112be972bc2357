"""What is here of one vendor: the user's clone and our copy, read as one, and what revisions they have."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from claimcheck.git import places
from claimcheck.git.places import ObjectDirectory, PlaceKind, Unusable
from claimcheck.git.reader import LARGEST_BLOB, ObjectMissing, ObjectProblem, ObjectTooLarge, Reader, WrongKind
from claimcheck.model import FULL_ID, SHA256_ID, Revision, Vendor
from claimcheck.terminal import printable
from claimcheck.texts import NoSource, Why
from claimcheck.values import frozen

if TYPE_CHECKING:
    from claimcheck.git.hints import GitHints

MOST_SHALLOW_COMMITS = 100
MOST_LOOSE_TAGS = 500
MOST_COMMITS_IN_A_CHAIN = 200_000

_NOTHING = "0" * 40


@frozen
class Shallow:
    """How far a shallow clone reaches: `commits` from HEAD, None if more than a hundred; and where it ends."""

    commits: int | None
    boundary: tuple[str, ...]


@frozen
class VendorState:
    """What is here of a vendor.

    `places` has the repositories that are read, as paths below the project; `problems` the ones that are there
    but are not read. `present` says whether anything is there at all. `pin` and `stand_in` are revisions where
    they can be read, else the reason why not. `head` is the clone's commit, `gitlink` the one that the project's
    own repository records for a submodule. `remarks` are sentences about the clone that explain a missing commit.
    """

    name: str
    present: bool
    places: tuple[str, ...]
    problems: tuple[Unusable, ...]
    kind: PlaceKind | None
    pin: Revision | NoSource
    stand_in: Revision | NoSource | None
    releases: tuple[str, ...]
    head: str | None
    branch: str | None
    gitlink: str | None
    shallow: Shallow | None
    partial: bool
    remarks: tuple[str, ...]

    @property
    def pin_present(self) -> bool:
        return isinstance(self.pin, Revision)

    @property
    def stand_in_present(self) -> bool:
        return isinstance(self.stand_in, Revision)


class Repository:
    """The repositories of one vendor: `vendor/NAME`, then `vendor/NAME.git`. Each is None unless it can be read."""

    def __init__(self, root: Path, vendor: Vendor, allowed: tuple[Path, ...]) -> None:
        self.vendor = vendor
        self.present = False
        self.problems: list[Unusable] = []
        self.clone: ObjectDirectory | None = None
        self.copy: ObjectDirectory | None = None
        for name in (vendor.name, f"{vendor.name}.git"):
            place = root / "vendor" / name
            if not _is_there(place):
                continue
            self.present = True
            found = places.object_directory(place, root=root, allow_alternates=allowed)
            if isinstance(found, Unusable):
                self.problems.append(found)
            elif name == vendor.name:
                self.clone = found
            else:
                self.copy = found
        self.readable = tuple(place for place in (self.clone, self.copy) if place)
        self._reader = Reader(self.readable) if self.readable else None
        self._resolved: dict[tuple[str, str], Revision | NoSource] = {}

    def close(self) -> None:
        """Stop the child of git, if there is one."""
        if self._reader:
            self._reader.close()

    @property
    def reader(self) -> Reader | NoSource:
        """The reader of the objects, or why there is nothing to read."""
        if self._reader:
            return self._reader
        if self.problems:
            return _of(self.problems[0])
        name = self.vendor.name
        return NoSource(
            Why.REPOSITORY, f"there is no vendor/{name} and no vendor/{name}.git", f"claimcheck vendor sync {name}"
        )

    @cached_property
    def hints(self) -> GitHints | None:
        """What git says of the vendor's commits, unless there is nothing to read."""
        from claimcheck.git.hints import GitHints

        return GitHints(self._reader) if self._reader else None

    @cached_property
    def head(self) -> places.Head | None:
        """What the clone's HEAD is at."""
        return places.head(self.clone) if self.clone else None

    @property
    def head_commit(self) -> str | None:
        """The clone's commit."""
        return self.head.commit if self.head else None

    def resolve(self, rev: str, what: str = "") -> Revision | NoSource:
        """The commit that a revision stands for; `what` goes before its id in a reason: `the pin `."""
        if (rev, what) not in self._resolved:
            self._resolved[rev, what] = self._resolve(rev, what)
        return self._resolved[rev, what]

    def _resolve(self, rev: str, what: str) -> Revision | NoSource:
        if isinstance(self.reader, NoSource):
            return self.reader
        if FULL_ID.match(rev.lower()):
            return self._commit(self.reader, rev.lower(), what)
        if SHA256_ID.match(rev):
            if self.problems:
                return _of(self.problems[0])
            message = f"{what}{rev[:8]} is a SHA-256 id, and {self.reader.shown} is no repository of that object format"
            return NoSource(Why.COMMIT_MISSING, message)
        if rev == "release":
            return self._stand_in()
        if rev.startswith("release/"):
            return self._release(self.reader, rev.removeprefix("release/"))
        if rev == "HEAD":
            return self._at_head(self.reader)
        return self._tag(self.reader, rev)

    def _commit(self, reader: Reader, id: str, what: str) -> Revision | NoSource:
        if id == _NOTHING:
            return NoSource(Why.COMMIT_MISSING, f"{what}{id[:8]} is all zeros, which is no commit")
        try:
            commit = reader.commit(id)
        except WrongKind as problem:
            return self._not_a_commit(reader, problem, what)
        except ObjectProblem as problem:
            return self._no_commit(problem, id, what)
        if version := self._version_of(id):
            return self._release(reader, version)
        return Revision(commit.id, tag=self._tag_names.get(id))

    def _not_a_commit(self, reader: Reader, problem: WrongKind, what: str) -> NoSource:
        help = None
        if problem.kind == "tag":
            commit = self._peeled(reader, problem.id)
            help = f'commit: "{commit}"' if commit else None
        return NoSource(
            Why.COMMIT_MISSING, f"{what}{problem.id[:8]} is a {problem.kind} in {reader.shown}, not a commit", help
        )

    def _no_commit(self, problem: ObjectProblem, id: str, what: str) -> NoSource:
        name = self.vendor.name
        sync = f"claimcheck vendor sync {name}"
        if isinstance(problem, ObjectMissing):
            if self.problems:
                return _of(self.problems[0])
            shown = " or ".join(place.name for place in self.readable)
            help = sync if what else f"claimcheck vendor fetch {name} {id}"
            return NoSource(Why.COMMIT_MISSING, f"{what}{id[:8]} is not in {shown}", help)
        return NoSource(
            Why.OBJECT_DAMAGED, f"{what}{id[:8]} cannot be read: {problem.message}", self._way_out_of_damage
        )

    @property
    def _way_out_of_damage(self) -> str:
        # A damaged object goes before a sound one of the same id in the other place, and of a clone that says it is
        # complete nothing is brought.
        place = self.readable[0].name
        return f"move {place} away, then claimcheck vendor sync {self.vendor.name}"

    def _stand_in(self) -> Revision | NoSource:
        name, release = self.vendor.name, self.vendor.stand_in
        if release is None:
            return NoSource(Why.REPOSITORY, f"{name} declares no release", f"vendors.{name}.releases in anchors.yaml")
        return self.resolve(release.ref)

    def _release(self, reader: Reader, version: str) -> Revision | NoSource:
        name, release = self.vendor.name, self.vendor.release(version)
        if release is None:
            declared = ", ".join(each.version for each in self.vendor.releases) or "none"
            return NoSource(Why.REPOSITORY, f"{name} declares no release {printable(version)} (declared: {declared})")
        sync = f"claimcheck vendor sync {name}"
        id = places.ref(self.copy, f"refs/release/{version}") if self.copy else None
        if id is None:
            return NoSource(Why.COMMIT_MISSING, f"the release {version} is not in vendor/{name}.git", sync)
        try:
            message = reader.commit(id).message
        except ObjectProblem as problem:
            return NoSource(Why.OBJECT_DAMAGED, f"the release {version} cannot be read: {problem.message}", sync)
        if not re.search(rf"^sha256: {re.escape(release.sha256)}$", message, re.MULTILINE):
            return NoSource(
                Why.REPOSITORY,
                f"the release {version} in vendor/{name}.git is not of the declared archive (sha256 "
                f"{release.sha256[:8]})",
                sync,
            )
        return Revision(id, release=release)

    def _version_of(self, commit: str) -> str | None:
        """The release whose commit this is; such an id means nothing elsewhere and must not be shown."""
        return next((version for version, id in self._releases.items() if id == commit), None)

    @cached_property
    def _releases(self) -> Mapping[str, str]:
        return places.releases(self.copy) if self.copy else {}

    def _at_head(self, reader: Reader) -> Revision | NoSource:
        name = f"vendor/{self.vendor.name}"
        if self.clone is None:
            reasons = [problem for problem in self.problems if problem.name == name]
            return (
                _of(reasons[0]) if reasons else NoSource(Why.REPOSITORY, f"there is no {name} that could have a HEAD")
            )
        if self.head is None or self.head.commit is None:
            why = "its refs are in a format (reftable) that is not read" if self.clone.reftable else "it has no commit"
            return NoSource(Why.REPOSITORY, f"HEAD of {name} is not known: {why}", "give the full id")
        return self._commit(reader, self.head.commit, "HEAD, ")

    def _tag(self, reader: Reader, rev: str) -> Revision | NoSource:
        vendor, shown = self.vendor.name, printable(rev)
        for place in self.readable:
            if id := places.ref(place, f"refs/tags/{rev}"):
                try:
                    return Revision(reader.peel(id), tag=rev)
                except WrongKind as problem:
                    return NoSource(Why.COMMIT_MISSING, f"the tag {shown} of {vendor} is of a {problem.kind}")
                except ObjectProblem as problem:
                    return self._no_commit(problem, problem.id, f"{shown}, ")
        if today := self.today(rev):
            what = "a short id" if re.fullmatch(r"[0-9a-f]+", rev) else "a name that moves"
            return NoSource(
                Why.COMMIT_MISSING,
                f"{shown} is {what}; a full id is needed",
                f"{today}    ({shown} in {reader.shown}, today)",
            )
        if any(place.reftable for place in self.readable):
            return NoSource(
                Why.REPOSITORY,
                f"vendor/{vendor} keeps its refs in a format (reftable) that is not read, so {shown} is not known",
                "give the full id",
            )
        import difflib

        near = difflib.get_close_matches(rev, self._all_tags, n=1, cutoff=0.7)
        hint = f"; did you mean {printable(near[0])}?" if near else ""
        return NoSource(
            Why.COMMIT_MISSING,
            f"{shown} is no tag in {reader.shown}{hint}",
            f"claimcheck vendor fetch {vendor} {shown}" if places.is_ref_name(rev) else None,
        )

    def today(self, name: str) -> str | None:
        """The full id that a short id, branch or tag stands for at this moment."""
        if isinstance(self.reader, NoSource):
            return None
        if name == "HEAD":
            return self.head_commit
        for place in self.readable:
            for kind in ("refs/tags/", "refs/heads/", "refs/remotes/", "refs/remotes/origin/"):
                if id := places.ref(place, kind + name):
                    return self._peeled(self.reader, id)
        return self.reader.expand(name)

    def _peeled(self, reader: Reader, id: str) -> str | None:
        try:
            return reader.peel(id)
        except ObjectProblem:
            return None

    @property
    def tags(self) -> tuple[str, ...]:
        """The names of all tags that are here."""
        return tuple(sorted(self._all_tags))

    def chain(self, old: str, new: str) -> tuple[str, ...] | NoSource:
        """The commits after `old` up to `new`, oldest first, along the first parents of `new`.

        A merge counts as one step: that is how a project's main line came to be.
        """
        if isinstance(self.reader, NoSource):
            return self.reader
        found: list[str] = []
        at = new
        while at != old and len(found) < MOST_COMMITS_IN_A_CHAIN:
            found.append(at)
            try:
                parents = self.reader.commit(at).parents
            except ObjectProblem:
                break
            if not parents:
                break
            at = parents[0]
        if at == old:
            return tuple(reversed(found))
        name = self.vendor.name
        return NoSource(
            Why.COMMIT_MISSING,
            f"no line of first parents that is here leads from {new[:8]} back to {old[:8]}",
            f"claimcheck vendor fetch {name} {new} --history    brings what lies between, where there is such a line",
        )

    @cached_property
    def _all_tags(self) -> Mapping[str, places.Tag]:
        found: dict[str, places.Tag] = {}
        for place in reversed(self.readable):
            found |= places.tags(place)
        return found

    @cached_property
    def _tag_names(self) -> Mapping[str, str]:
        """The tag by which people know a commit: the one that looks most like a version, then the shortest."""
        reader = self.reader
        if isinstance(reader, NoSource):
            return {}
        annotated = [name for name, tag in self._all_tags.items() if tag.peeled is None]
        names: dict[str, str] = {}
        for name in sorted(self._all_tags, key=_least_like_a_version, reverse=True):
            tag = self._all_tags[name]
            commit = tag.peeled
            if commit is None:
                commit = self._peeled(reader, tag.id) if len(annotated) <= MOST_LOOSE_TAGS else tag.id
            if commit:
                names[commit] = name
        return names

    def unreadable(self, problem: ObjectProblem, commit: str) -> NoSource:
        """The reason why a file cannot be read, as the rest of a sentence that begins with its path."""
        sync = f"claimcheck vendor sync {self.vendor.name}"
        match problem:
            case ObjectTooLarge():
                size, most = math.ceil(problem.size / 2**20), LARGEST_BLOB // 2**20
                return NoSource(Why.TOO_LARGE, f"has {size} MiB; files of up to {most} MiB are read")
            case ObjectMissing() if problem.id == commit:
                return NoSource(Why.COMMIT_MISSING, f"cannot be read: commit {problem.message}", sync)
            case ObjectMissing():
                partial = any(place.partial for place in self.readable)
                tail = ", a partial clone" if partial else ""
                way_out = sync if partial else self._way_out_of_damage
                return NoSource(Why.OBJECT_MISSING, f"cannot be read: {problem.message}{tail}", way_out)
            case _:
                return NoSource(Why.OBJECT_DAMAGED, f"cannot be read: {problem.message}", self._way_out_of_damage)

    def state(self, pin: Revision | NoSource, gitlink: str | None) -> VendorState:
        """What is here of the vendor, with the pin and the gitlink as they were found."""
        stand_in = self.resolve("release") if self.vendor.stand_in else None
        shallow = self._shallow()
        return VendorState(
            name=self.vendor.name,
            present=self.present,
            places=tuple(place.name for place in self.readable),
            problems=tuple(self.problems),
            kind=self.clone.kind if self.clone else None,
            pin=pin,
            stand_in=stand_in,
            releases=tuple(each.version for each in self.vendor.releases if each.version in self._releases),
            head=self.head_commit,
            branch=self.head.branch if self.head else None,
            gitlink=gitlink,
            shallow=shallow,
            partial=self.clone.partial if self.clone else False,
            remarks=tuple(self._remarks(shallow)),
        )

    def _remarks(self, shallow: Shallow | None) -> Iterator[str]:
        name = f"vendor/{self.vendor.name}"
        if shallow and self.head_commit:
            at = self.resolve("HEAD")
            label = at.label if isinstance(at, Revision) else self.head_commit[:8]
            match shallow.commits:
                case 1:
                    yield f"{name} is a shallow clone with one commit, {label}"
                case None:
                    yield f"{name} is a shallow clone with more than {MOST_SHALLOW_COMMITS} commits up to {label}"
                case count:
                    yield f"{name} is a shallow clone with {count} commits up to {label}"
        if self.clone and self.clone.partial:
            yield f"{name} is a partial clone: some of its objects are not here"
        if self.readable:
            yield from (problem.message for problem in self.problems)

    def _shallow(self) -> Shallow | None:
        boundary = places.shallow_boundary(self.clone) if self.clone else ()
        if not boundary or self._reader is None:
            return None
        return Shallow(self._commits_from_head(self._reader, set(boundary)), boundary)

    def _commits_from_head(self, reader: Reader, boundary: set[str]) -> int | None:
        waiting = [self.head_commit] if self.head_commit else []
        seen: set[str] = set()
        while waiting and len(seen) <= MOST_SHALLOW_COMMITS:
            id = waiting.pop()
            if id in seen:
                continue
            seen.add(id)
            try:
                waiting += () if id in boundary else reader.commit(id).parents
            except ObjectProblem:
                continue
        return len(seen) if len(seen) <= MOST_SHALLOW_COMMITS else None


def _least_like_a_version(name: str) -> tuple[bool, int, str]:
    return (not re.match(r"v?\d", name), len(name), name)


def _is_there(place: Path) -> bool:
    """Whether something is at a place, as far as we may look."""
    try:
        os.lstat(place)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _of(problem: Unusable) -> NoSource:
    return NoSource(Why.REPOSITORY, problem.message, problem.help)
