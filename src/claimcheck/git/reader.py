"""Reading objects of a repository that is not trusted.

One child of git serves one repository. It sees an empty repository of our own with the vendor's folder of objects,
so the vendor's configuration, hooks, attributes, replacements and grafts are never looked at, and nothing can be
fetched. Git hands out altered objects without complaint; therefore everything is hashed again here, from the
commit down.
"""

from __future__ import annotations

import collections
import contextlib
import enum
import hashlib
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol, Self

from claimcheck.errors import EnvironmentProblem
from claimcheck.git.places import ObjectDirectory
from claimcheck.git.program import (
    EMPTY_REPOSITORY,
    Tail,
    bound_memory,
    git_program,
    one_line,
    reading_environment,
)
from claimcheck.model import FULL_ID
from claimcheck.values import frozen

if TYPE_CHECKING:
    from git import Git

# The largest file that is read. Generated sources of 5 MB exist and are cited; beyond this nobody cites lines.
LARGEST_BLOB = 20 * 1024 * 1024
LARGEST_STRUCTURE = 8 * 1024 * 1024

# Git waits for ever for an object that is a FIFO, or a disk that does not answer.
ANSWER_SECONDS = 20.0

MOST_ENTRIES_CACHED = 400_000
MOST_COMMITS_CACHED = 4_000
MOST_FOLDERS_CACHED = 20_000
LONGEST_NAME = 4096
GITPYTHON_MINIMUM = (3, 1, 58)


class ObjectProblem(EnvironmentProblem):
    """An object could not be read; `id` is its id."""

    def __init__(self, id: str, message: str) -> None:
        super().__init__(message)
        self.id = id


class ObjectMissing(ObjectProblem):
    """The object is not among the objects."""


class ObjectDamaged(ObjectProblem):
    """The object is there, but it cannot be decoded, has not the bytes that its id stands for, or is malformed."""


class ObjectTooLarge(ObjectProblem):
    """The object is larger than the limit and was not read."""

    def __init__(self, id: str, size: int) -> None:
        super().__init__(id, f"object {id[:8]} has {size} bytes")
        self.size = size


class WrongKind(ObjectProblem):
    """The object is of another kind than the one that was asked for."""

    def __init__(self, id: str, kind: str, wanted: str) -> None:
        super().__init__(id, f"{id[:8]} is a {kind}, not a {wanted}")
        self.kind = kind


class ChildFailed(EnvironmentProblem):
    """Git itself stopped answering; `late` if it was us who stopped it, because it took too long."""

    def __init__(self, message: str, late: bool = False) -> None:
        super().__init__(message)
        self.late = late


class Kind(enum.Enum):
    """What an entry of a tree is."""

    FILE = "file"
    DIRECTORY = "directory"
    SYMLINK = "symbolic link"
    SUBMODULE = "submodule"


@frozen
class Entry:
    """What stands at a path: git's mode, the object's id (of a submodule: the commit in its own repository)."""

    path: str
    mode: int
    id: str
    kind: Kind


@frozen
class NoEntry:
    """Nothing stands at a path: the deepest entry above it that exists, and the name that is not in it."""

    above: Entry
    name: str

    @property
    def path(self) -> str:
        """The first path that does not exist."""
        return f"{self.above.path}/{self.name}" if self.above.path else self.name


@frozen
class CommitObject:
    """A commit; `message` with undecodable bytes kept as surrogates."""

    id: str
    tree: str
    parents: tuple[str, ...]
    message: str


_Tree = dict[bytes, tuple[int, bytes]]
_MODES = {0o040000: Kind.DIRECTORY, 0o120000: Kind.SYMLINK, 0o160000: Kind.SUBMODULE}
_ENTRY = re.compile(rb"([0-7]{5,6}) ([^\0]*)\0(.{20})", re.DOTALL)


class Reader:
    """The objects of one or two places, as one. Not for several threads.

    The child is started by the first question and may be stopped at any time by `close`; the next question starts
    another one. What was learned of trees is kept.
    """

    def __init__(self, places: Sequence[ObjectDirectory]) -> None:
        if not places:
            raise ValueError("a reader needs at least one place")
        self.places = tuple(places)
        self._child: _Child | None = None
        self._retried = False
        self._trees: collections.OrderedDict[str, _Tree] = collections.OrderedDict()
        self._entries = 0
        self._commits: dict[str, CommitObject] = {}
        self._folders: dict[tuple[str, str], Entry] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the child, if there is one."""
        if self._child:
            self._child.close()
            self._child = None

    @property
    def shown(self) -> str:
        """The places as people read them: `vendor/vllm or vendor/vllm.git`."""
        return " or ".join(place.name for place in self.places)

    def kind(self, id: str) -> str:
        """`commit`, `tree`, `blob` or `tag`; raises ObjectMissing."""
        return self._info(id)[0]

    def size(self, id: str) -> int:
        """The number of bytes of an object, without reading it."""
        return self._info(id)[1]

    def commit(self, id: str) -> CommitObject:
        """A commit by its full id, re-hashed; raises ObjectMissing, ObjectDamaged or WrongKind."""
        if id not in self._commits:
            if len(self._commits) >= MOST_COMMITS_CACHED:
                self._commits.clear()
            self._commits[id] = _parse_commit(id, self._object(id, "commit", LARGEST_STRUCTURE))
        return self._commits[id]

    def blob(self, id: str, limit: int = LARGEST_BLOB) -> bytes:
        """A file's bytes, re-hashed; its size is asked first, and ObjectTooLarge raised without reading it."""
        return self._object(id, "blob", limit)

    def peel(self, id: str) -> str:
        """The commit that an id leads to: itself, or what an annotated tag (of a tag …) names."""
        for _ in range(5):
            kind = self.kind(id)
            if kind != "tag":
                break
            id = _parse_tag(id, self._object(id, "tag", LARGEST_STRUCTURE))
        return self.commit(id).id

    def expand(self, short: str) -> str | None:
        """The commit whose id begins with these digits, if exactly one does; only for a hint to people."""
        if not re.fullmatch(r"[0-9a-f]{4,39}", short):
            return None
        try:
            answer = self._ask(f"info {short}").split()
        except ChildFailed:
            return None
        return answer[0] if len(answer) == 3 and answer[1] == "commit" else None

    def entry(self, commit: str, path: str) -> Entry | None:
        """What stands at a path of a commit; None if nothing does."""
        found = self.look_up(commit, path)
        return found if isinstance(found, Entry) else None

    def look_up(self, commit: str, path: str) -> Entry | NoEntry:
        """What stands at a path of a commit, or how far the path leads. Links are never followed."""
        folder = path[: path.rfind("/") + 1]
        known = self._folders.get((commit, folder))
        above = known or Entry("", 0o040000, self.commit(commit).tree, Kind.DIRECTORY)
        names = [path[len(folder) :]] if known else path.split("/")
        for left, name in zip(range(len(names), 0, -1), names, strict=True):
            if above.kind is not Kind.DIRECTORY:
                return NoEntry(above, name)
            if left == 1 and not known:
                self._keep_folder(commit, folder, above)
            try:
                found = self._tree(above.id).get(name.encode("utf-8", "surrogateescape"))
            except UnicodeEncodeError:
                found = None
            if found is None:
                return NoEntry(above, name)
            mode, id = found
            where = f"{above.path}/{name}" if above.path else name
            above = Entry(where, mode, id.hex(), _MODES.get(mode & 0o170000, Kind.FILE))
        return above

    def _keep_folder(self, commit: str, folder: str, entry: Entry) -> None:
        if len(self._folders) >= MOST_FOLDERS_CACHED:
            self._folders.clear()
        self._folders[commit, folder] = entry

    def names(self, tree: str) -> list[str]:
        """The names in a tree, in git's order."""
        return [name.decode("utf-8", "surrogateescape") for name in self._tree(tree)]

    def files(self, commit: str) -> Iterator[Entry]:
        """Every file of a commit, folder by folder, down from its own tree, each of which is re-hashed."""
        waiting = [Entry("", 0o040000, self.commit(commit).tree, Kind.DIRECTORY)]
        while waiting:
            folder = waiting.pop()
            for name, (mode, id) in self._tree(folder.id).items():
                written = name.decode("utf-8", "surrogateescape")
                path = f"{folder.path}/{written}" if folder.path else written
                entry = Entry(path, mode, id.hex(), _MODES.get(mode & 0o170000, Kind.FILE))
                if entry.kind is Kind.DIRECTORY:
                    waiting.append(entry)
                elif entry.kind is Kind.FILE:
                    yield entry

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment of a git that reads these places and no others."""
        return reading_environment(places_environment(self.places))

    def _tree(self, id: str) -> _Tree:
        tree = self._trees.get(id)
        if tree is None:
            tree = _parse_tree(id, self._object(id, "tree", LARGEST_STRUCTURE))
            self._trees[id] = tree
            self._entries += len(tree)
            while self._entries > MOST_ENTRIES_CACHED and len(self._trees) > 1:
                self._entries -= len(self._trees.popitem(last=False)[1])
        return tree

    def _info(self, id: str) -> tuple[str, int]:
        if not FULL_ID.match(id):
            raise ValueError(f"not a full id: {id!r}")
        try:
            answer = self._ask(f"info {id}").split()
        except ChildFailed as failed:
            self.close()
            raise self._damaged(id, failed.message) from failed
        if len(answer) != 3 or answer[0] != id or not answer[2].isdecimal():
            raise self._absent(id)
        return answer[1], int(answer[2])

    def _object(self, id: str, wanted: str, limit: int) -> bytes:
        kind, size = self._info(id)
        if kind != wanted:
            raise WrongKind(id, kind, wanted)
        if size > limit:
            raise ObjectTooLarge(id, size)
        data = self._contents(id, size)
        digest = hashlib.sha1(b"%s %d\0" % (kind.encode(), len(data)), usedforsecurity=False)
        digest.update(data)
        if digest.hexdigest() != id:
            raise self._damaged(id, "its bytes have another id")
        return data

    def _contents(self, id: str, size: int) -> bytes:
        for last in (False, True):
            try:
                data = self._running().contents(id, size)
            except ChildFailed as failed:
                self.close()
                if last or failed.late:
                    raise self._damaged(id, failed.message) from failed
                continue
            if data is not None:
                return data
            self.close()
        raise self._absent(id)

    def _ask(self, request: str) -> str:
        """The one line with which git answers; asked again of a fresh child if the first had died or knew nothing.

        Git may have moved objects into a new pack meanwhile.
        """
        try:
            answer = self._running().line(request)
        except ChildFailed as failed:
            self.close()
            if failed.late:
                raise
            return self._running().line(request)
        if answer.endswith(" missing") and not self._retried:
            self._retried = True
            self.close()
            return self._running().line(request)
        return answer

    def _absent(self, id: str) -> ObjectProblem:
        # Git calls an object missing that it cannot decode.
        loose = Path(id[:2], id[2:])
        if any(os.path.lexists(place.objects / loose) for place in self.places):
            return self._damaged(id, "it cannot be decoded")
        return ObjectMissing(id, f"object {id[:8]} is not in {self.shown}")

    def _damaged(self, id: str, how: str) -> ObjectDamaged:
        return ObjectDamaged(id, f"object {id[:8]} of {self.shown} is damaged: {how}")

    def _running(self) -> _Child:
        if self._child and not self._child.ready:
            self.close()
        if self._child is None:
            self._child = _Child(self.environment)
        return self._child


class _Process(Protocol):
    """As much as we use of what GitPython gives for a running git."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]
    pid: int

    def kill(self) -> None: ...

    def wait(self) -> int: ...


class _Child:
    """A running `git cat-file --batch-command`."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        # The folder is one of ours, so that git neither needs nor sees the current directory.
        self._process: _Process = _gitpython()(EMPTY_REPOSITORY).cat_file(
            batch_command=True, as_process=True, istream=-1, env=dict(environment)
        )
        bound_memory(self._process.pid)
        self._tail = Tail(self._process.stderr).__enter__()
        self._asked_at: float | None = None
        self._late = False
        self._closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def line(self, request: str) -> str:
        with self._answering():
            self._send(request)
            return self._read_line()

    def contents(self, id: str, size: int) -> bytes | None:
        """The bytes of an object of known size, None if it is not there any more."""
        with self._answering():
            self._send(f"contents {id}")
            header = self._read_line().split()
            if len(header) != 3:
                return None
            if header[2] != str(size):
                raise ChildFailed("its size has changed")
            data = self._process.stdout.read(size + 1)
            if len(data) != size + 1:
                raise self._failed()
            return data[:-1]

    def close(self) -> None:
        import git

        self._closed.set()
        process = self._process
        with contextlib.suppress(OSError, ValueError):
            process.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        self._tail.__exit__()
        process.stdout.close()
        process.stderr.close()
        # GitPython takes a killed process for a failed command.
        with contextlib.suppress(git.GitCommandError):
            process.wait()

    @contextlib.contextmanager
    def _answering(self) -> Iterator[None]:
        self._asked_at = time.monotonic()
        try:
            yield
        except (OSError, ValueError) as error:
            raise self._failed() from error
        # Not after an interruption: an answer that was not taken would be taken for the next one.
        self._asked_at = None

    @property
    def ready(self) -> bool:
        """Whether every question was answered, so that the next answer belongs to the next question."""
        return self._asked_at is None

    def _send(self, request: str) -> None:
        self._process.stdin.write(request.encode("ascii") + b"\n")
        self._process.stdin.flush()

    def _read_line(self) -> str:
        line = self._process.stdout.readline(1000)
        if not line.endswith(b"\n"):
            raise self._failed()
        return line.decode("ascii", "replace").rstrip("\n")

    def _failed(self) -> ChildFailed:
        if self._late:
            return ChildFailed(f"git gave no answer within {ANSWER_SECONDS:.0f} seconds", late=True)
        return ChildFailed(one_line(self._tail.last_words()) or "git gave no answer")

    def _watch(self) -> None:
        while not self._closed.wait(1.0):
            asked_at = self._asked_at
            if asked_at is not None and time.monotonic() - asked_at > ANSWER_SECONDS:
                self._late = True
                self._process.kill()
                return


def _gitpython() -> type[Git]:
    """GitPython's `Git`, told which git to use. Imported late: it costs as much as the rest of the program."""
    program = git_program()
    os.environ["GIT_PYTHON_GIT_EXECUTABLE"] = program.path
    import git

    if program.path != git.Git.GIT_PYTHON_GIT_EXECUTABLE:
        git.refresh(program.path)
    version = tuple(int(part) for part in re.findall(r"\d+", git.__version__)[:3])
    if version < GITPYTHON_MINIMUM:
        raise EnvironmentProblem(
            f"GitPython {git.__version__} has known holes; 3.1.58 or newer is needed",
            help="python -m pip install --upgrade GitPython",
        )
    return git.Git


def places_environment(places: Sequence[ObjectDirectory]) -> dict[str, str]:
    """The variables by which git reads the objects of one or several places, and of no others."""
    first, *others = places
    environment = {"GIT_DIR": str(EMPTY_REPOSITORY), "GIT_OBJECT_DIRECTORY": str(first.objects)}
    if others:
        environment["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = os.pathsep.join(_quoted(place.objects) for place in others)
    shallow = next((place.shallow for place in places if place.shallow), None)
    if shallow:
        environment["GIT_SHALLOW_FILE"] = str(shallow)
    return environment


def _quoted(path: Path) -> str:
    """A folder in git's list of folders, where a separator in a name needs quotes."""
    text = str(path)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' if os.pathsep in text or '"' in text else text


def _parse_commit(id: str, data: bytes) -> CommitObject:
    header, _, message = data.partition(b"\n\n")
    fields = [line.partition(b" ") for line in header.split(b"\n")]
    trees = [value.decode("ascii", "replace") for key, _, value in fields[:1] if key == b"tree"]
    parents = [value.decode("ascii", "replace") for key, _, value in fields if key == b"parent"]
    if not trees or not all(FULL_ID.match(each) for each in trees + parents):
        raise ObjectDamaged(id, f"commit {id[:8]} is malformed")
    return CommitObject(id, trees[0], tuple(parents), message.decode("utf-8", "surrogateescape"))


def _parse_tag(id: str, data: bytes) -> str:
    first = re.match(rb"object ([0-9a-f]{40})\n", data)
    if not first:
        raise ObjectDamaged(id, f"tag {id[:8]} is malformed")
    return first[1].decode("ascii")


def _parse_tree(id: str, data: bytes) -> _Tree:
    """The entries of a tree. One that git would refuse is refused whole, as there is no telling what it means."""
    tree: _Tree = {}
    position = 0
    while position < len(data):
        found = _ENTRY.match(data, position)
        if not found:
            raise ObjectDamaged(id, f"tree {id[:8]} is malformed")
        mode, name, entry = found.groups()
        if name in tree or not _is_file_name(name):
            raise ObjectDamaged(id, f"tree {id[:8]} has an entry that git does not allow")
        tree[name] = (int(mode, 8), entry)
        position = found.end()
    return tree


def _is_file_name(name: bytes) -> bool:
    return 0 < len(name) <= LONGEST_NAME and b"/" not in name and name.lower() not in (b".", b"..", b".git")
