"""Where a repository keeps its objects, found by reading text files; git itself is never run there.

A repository's configuration can make git run programs, and its `.git` file, symbolic links and alternates can
point anywhere on the machine. So nothing is believed: each place is resolved and must lie inside the project or
under a folder that the user has allowed.
"""

from __future__ import annotations

import enum
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from claimcheck.model import FULL_ID
from claimcheck.terminal import printable
from claimcheck.values import frozen

MOST_ALTERNATES = 32
DEEPEST_ALTERNATE = 5

_SMALL = 1 << 20
_PACKED_REFS = 1 << 26
_REF_NAME = re.compile(r"(?!.*(?://|\.\.|@\{))(?!.*/\.)[^\x00-\x20\x7f~^:?*\[\\./-][^\x00-\x20\x7f~^:?*\[\\]*\Z")
_PACKED_TAG = re.compile(rb"^([0-9a-f]{40}) refs/tags/([^\n]+)\n(?:\^([0-9a-f]{40})\n)?", re.MULTILINE)


class PlaceKind(enum.Enum):
    """What sort of repository stands at a place."""

    CLONE = "clone"
    SUBMODULE = "submodule"
    WORKTREE = "linked worktree"
    BARE = "bare repository"


@frozen
class ObjectDirectory:
    """A repository that may be read. `name` is its place as people read it, `vendor/vllm`.

    `head_dir` has HEAD; `common_dir` the refs; `objects` is resolved. `shallow` is the file that says where a
    shallow clone ends. `partial` says that its objects are known to be incomplete, `reftable` that its refs
    cannot be read as text.
    """

    name: str
    kind: PlaceKind
    head_dir: Path
    common_dir: Path
    objects: Path
    shallow: Path | None = None
    partial: bool = False
    reftable: bool = False


@frozen
class Unusable:
    """A place that is not read: a sentence that names it and says why, and a way out."""

    name: str
    message: str
    help: str | None = None


@frozen
class Head:
    """What HEAD is at: a commit, None before the first one; and the branch, None when it is detached."""

    commit: str | None
    branch: str | None = None


@frozen
class Tag:
    """A tag as the refs have it: the id it points at, and the commit below it where `packed-refs` says so."""

    id: str
    peeled: str | None = None


class _Refused(Exception):
    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


@frozen
class _Trusted:
    """The folders below which files may be read, all resolved."""

    root: Path
    folders: tuple[Path, ...]

    @classmethod
    def of(cls, root: Path, allowed: Iterable[Path]) -> _Trusted:
        resolved = Path(os.path.realpath(root))
        return cls(resolved, (resolved, *(Path(os.path.realpath(folder)) for folder in allowed)))

    def resolve(self, path: Path, what: str) -> Path:
        """Where the path really leads; refused if that is outside."""
        found = Path(os.path.realpath(path))
        if any(found.is_relative_to(folder) for folder in self.folders):
            return found
        outside = self.shown(found)
        raise _Refused(
            f"{what} {outside}, outside the project",
            f"--allow-alternates {outside} (or CLAIMCHECK_ALTERNATES) reads it; "
            "claimcheck vendor sync makes a copy without it",
        )

    def shown(self, path: Path) -> str:
        """A path for people and for pasting, seen from the project's root."""
        return printable(Path(os.path.relpath(path, self.root)).as_posix())


def object_directory(place: Path, *, root: Path, allow_alternates: Sequence[Path] = ()) -> ObjectDirectory | Unusable:
    """The objects of the repository at a place: a clone, submodule, linked worktree or bare repository."""
    trusted = _Trusted.of(root, allow_alternates)
    name = place.relative_to(root).as_posix() if place.is_relative_to(root) else trusted.shown(place)
    try:
        return _examine(place, name, trusted)
    except _Refused as refused:
        return Unusable(name, f"{name} {refused.message}", refused.help)
    except OSError as error:
        return Unusable(name, f"{name} cannot be read: {error.strerror}")


def _examine(place: Path, name: str, trusted: _Trusted) -> ObjectDirectory:
    trusted.resolve(place, "is a symbolic link to")
    kind, head_dir = _git_dir(place, name, trusted)
    common_dir = head_dir
    pointer = _read(head_dir / "commondir")
    if pointer is not None:
        kind = PlaceKind.WORKTREE
        common_dir = trusted.resolve(head_dir / os.fsdecode(pointer.strip()), "is a linked worktree of")
    config = _Config(_read(common_dir / "config") or b"")
    if config.get("extensions", "objectformat") not in (None, "sha1"):
        raise _Refused("is a SHA-256 repository; the SHA-256 object format is not supported")
    objects = trusted.resolve(common_dir / "objects", "keeps its objects in")
    if not objects.is_dir():
        raise _Refused("is damaged: it has no folder for objects", "clone it again")
    _refuse_outside(objects, trusted)
    shallow = common_dir / "shallow"
    return ObjectDirectory(
        name,
        kind,
        head_dir,
        common_dir,
        objects,
        shallow=shallow if _read(shallow) else None,
        partial=config.partial,
        reftable=config.get("extensions", "refstorage") == "reftable" or (common_dir / "reftable").is_dir(),
    )


def _git_dir(place: Path, name: str, trusted: _Trusted) -> tuple[PlaceKind, Path]:
    if not place.is_dir():
        raise _Refused("is not a folder")
    dot_git = place / ".git"
    if not os.path.lexists(dot_git):
        if (place / "HEAD").is_file() and (place / "objects").is_dir() and (place / "refs").is_dir():
            return PlaceKind.BARE, trusted.resolve(place, "is a symbolic link to")
        raise _not_a_repository(place, name, trusted)
    pointer = _read(dot_git) if not dot_git.is_dir() else None
    if pointer is None:
        kind, git_dir = PlaceKind.CLONE, trusted.resolve(dot_git, "has its .git in")
    elif pointer.startswith(b"gitdir:"):
        target = place / os.fsdecode(pointer.removeprefix(b"gitdir:").strip())
        if target.parent.name == "worktrees":
            trusted.resolve(target.parent.parent, "is a linked worktree of")
        kind, git_dir = PlaceKind.SUBMODULE, trusted.resolve(target, "has its .git in")
    else:
        raise _Refused("is not a git repository: its .git file does not name a folder")
    if not (git_dir / "HEAD").is_file() and not (git_dir / "HEAD").is_symlink():
        raise _Refused(
            f"is not a git repository: its .git leads to {trusted.shown(git_dir)}, where there is none",
            f"git submodule update --init {name}" if kind is PlaceKind.SUBMODULE else None,
        )
    return kind, git_dir


def _not_a_repository(place: Path, name: str, trusted: _Trusted) -> _Refused:
    update = f"git submodule update --init {name}"
    if _is_submodule(name, trusted.root):
        return _Refused("is a submodule that was not initialised", update)
    with os.scandir(place) as entries:
        empty = next(entries, None) is None
    if empty:
        hint = update if (trusted.root / ".git").exists() else None
        return _Refused("is an empty folder, not a git repository (a submodule that was not initialised?)", hint)
    return _Refused("is not a git repository: it has no .git", "claimcheck vendor sync makes a copy beside it")


def _is_submodule(name: str, root: Path) -> bool:
    text = (_read(root / ".gitmodules") or b"").decode("utf-8", "replace")
    return bool(re.search(rf'^\s*path\s*=\s*"?{re.escape(name)}"?\s*$', text, re.MULTILINE))


def _refuse_outside(objects: Path, trusted: _Trusted, depth: int = 0, seen: set[Path] | None = None) -> None:
    """Refuse objects that are borrowed from outside, by symbolic links or by alternates, at any depth.

    What is read is hashed, so borrowed objects could not alter a text; but they would show what is elsewhere on
    the machine.
    """
    seen = set() if seen is None else seen
    seen.add(objects)
    for link in _links(objects):
        trusted.resolve(link, "has objects that are symbolic links to")
    for line in _alternates(objects):
        found = trusted.resolve(objects / line, "borrows objects (alternates) from")
        if found in seen or not found.is_dir():
            continue
        if depth >= DEEPEST_ALTERNATE or len(seen) >= MOST_ALTERNATES:
            raise _Refused("borrows objects (alternates) from too many places", "git repack -a -d ends the borrowing")
        _refuse_outside(found, trusted, depth + 1, seen)


def _links(objects: Path) -> Iterator[Path]:
    for folder in (objects, objects / "pack", objects / "info"):
        try:
            with os.scandir(folder) as entries:
                yield from (Path(entry.path) for entry in entries if entry.is_symlink())
        except (FileNotFoundError, NotADirectoryError):
            continue


def _alternates(objects: Path) -> Iterator[str]:
    text = _read(objects / "info" / "alternates") or b""
    for line in text.split(b"\n"):
        if line.startswith(b'"'):
            raise _Refused("borrows objects (alternates) from a place whose name is quoted; that is not understood")
        if line and not line.startswith(b"#"):
            yield os.fsdecode(line)


class _Config:
    """The few settings of a repository that say how it is stored; the text is searched, includes are not followed."""

    def __init__(self, text: bytes) -> None:
        self._values: dict[tuple[str, str], str] = {}
        section = ""
        for line in text.decode("utf-8", "replace").split("\n"):
            if header := re.match(r'\s*\[\s*([\w.-]+)\s*(?:"[^"]*")?\s*\]', line):
                section = header[1].lower()
                line = line[header.end() :]
            if setting := re.match(r'\s*([\w-]+)\s*=\s*"?([^"#;\r]*)', line):
                self._values[section, setting[1].lower()] = setting[2].strip().lower()

    def get(self, section: str, key: str) -> str | None:
        return self._values.get((section, key))

    @property
    def partial(self) -> bool:
        named = self.get("extensions", "partialclone") or self.get("remote", "partialclonefilter")
        return bool(named) or self.get("remote", "promisor") in ("true", "yes", "on", "1")


def _read(path: Path, limit: int = _SMALL) -> bytes | None:
    """A small regular file's bytes; None if there is none of that name, or something that is no file."""
    try:
        # Without O_NONBLOCK, opening a FIFO would wait for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, ValueError):
        return None
    except OSError as error:
        if isinstance(error, PermissionError):
            raise
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return file.read(limit)


def _refs(path: Path, limit: int = _SMALL) -> bytes | None:
    """As `_read`; a file that we may not read holds no refs that we know of."""
    try:
        return _read(path, limit)
    except PermissionError:
        return None


def is_ref_name(name: str) -> bool:
    """Whether git would allow this as (the end of) a ref's name; only then is it joined to a path."""
    return bool(_REF_NAME.match(name)) and not name.endswith(("/", ".", ".lock")) and ".lock/" not in name


def ref(where: ObjectDirectory, name: str) -> str | None:
    """The id that a ref has, loose or packed: `refs/tags/v0.33.0`. An annotated tag's is the tag's own."""
    return _resolve(where, name, 0)


def _resolve(where: ObjectDirectory, name: str, depth: int) -> str | None:
    if depth > 5 or not name.startswith("refs/") or not is_ref_name(name):
        return None
    loose = _refs(where.common_dir / name)
    if loose is None:
        return _packed(where, name)
    text = loose.decode("ascii", "replace").strip()
    if text.startswith("ref:"):
        return _resolve(where, text.removeprefix("ref:").strip(), depth + 1)
    return text if FULL_ID.match(text) else None


def _packed(where: ObjectDirectory, name: str) -> str | None:
    text = _refs(where.common_dir / "packed-refs", _PACKED_REFS) or b""
    wanted = re.escape(name.encode("utf-8", "surrogateescape"))
    found = re.search(rb"^([0-9a-f]{40}) " + wanted + rb"\r?$", text, re.MULTILINE)
    return found[1].decode("ascii") if found else None


def head(where: ObjectDirectory) -> Head | None:
    """What HEAD is at; None if it cannot be read."""
    path = where.head_dir / "HEAD"
    if where.reftable:
        return None
    # Very old repositories have HEAD as a symbolic link to the branch; its target is read as a name, not followed.
    text = f"ref: {os.readlink(path)}" if path.is_symlink() else (_refs(path) or b"").decode("utf-8", "replace").strip()
    if FULL_ID.match(text):
        return Head(text)
    name = text.removeprefix("ref:").strip()
    if text.startswith("ref:") and name.startswith("refs/heads/") and is_ref_name(name):
        return Head(ref(where, name), name.removeprefix("refs/heads/"))
    return None


def tags(where: ObjectDirectory) -> dict[str, Tag]:
    """Every tag by name, loose ones over packed ones."""
    text = _refs(where.common_dir / "packed-refs", _PACKED_REFS) or b""
    found = {
        os.fsdecode(name): Tag(id.decode("ascii"), peeled.decode("ascii") or None)
        for id, name, peeled in _PACKED_TAG.findall(text if text.endswith(b"\n") else text + b"\n")
    }
    for name in _loose(where.common_dir / "refs" / "tags"):
        if id := ref(where, f"refs/tags/{name}"):
            found[name] = Tag(id)
    return found


def releases(where: ObjectDirectory) -> dict[str, str]:
    """The commits of the releases in our own copy, by version."""
    text = _refs(where.common_dir / "packed-refs", _PACKED_REFS) or b""
    packed = re.findall(rb"^([0-9a-f]{40}) refs/release/([^\n]+)$", text, re.MULTILINE)
    found = {os.fsdecode(version): id.decode("ascii") for id, version in packed}
    for version in _loose(where.common_dir / "refs" / "release"):
        if id := ref(where, f"refs/release/{version}"):
            found[version] = id
    return found


def published(where: ObjectDirectory) -> tuple[str, ...]:
    """The ids of remote-tracking branches and of tags: what other repositories are known to have.

    Nothing for a repository without remote-tracking branches, which says nothing about others.
    """
    if where.reftable:
        return ()
    text = _refs(where.common_dir / "packed-refs", _PACKED_REFS) or b""
    found: dict[str, set[str]] = {}
    for kind in ("remotes", "tags"):
        packed = re.findall(rb"^([0-9a-f]{40}) refs/" + kind.encode() + rb"/", text, re.MULTILINE)
        loose = (ref(where, f"refs/{kind}/{name}") for name in _loose(where.common_dir / "refs" / kind))
        found[kind] = {*(id.decode("ascii") for id in packed), *(id for id in loose if id)}
    return tuple(sorted(found["remotes"] | found["tags"])) if found["remotes"] else ()


def _loose(folder: Path) -> Iterator[str]:
    for directory, _, names in os.walk(folder):
        below = Path(directory).relative_to(folder)
        yield from ((below / name).as_posix() for name in names)


def shallow_boundary(where: ObjectDirectory) -> tuple[str, ...]:
    """The commits at which a shallow clone ends; nothing for a complete one."""
    text = (_refs(where.shallow, _PACKED_REFS) or b"") if where.shallow else b""
    return tuple(line for line in text.decode("ascii", "replace").split() if FULL_ID.match(line))
