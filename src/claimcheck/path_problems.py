"""Why a path of a commit names no text file, in words, and what path may have been meant."""

from __future__ import annotations

import contextlib
import unicodedata
from collections.abc import Iterator

from claimcheck.git.reader import Entry, Kind, NoEntry, ObjectProblem, Reader
from claimcheck.terminal import printable
from claimcheck.texts import NoSource, Why

_LONGEST_LINK = 4096
_MOST_NAMES = 5000


def no_file(reader: Reader, commit: str, path: str, found: NoEntry | Entry, head: str | None) -> NoSource:
    """Why there is no file at a path. The message continues a sentence.

    If the path is missing the sentence begins with the revision ("lib 12345678 has no file a.py"), otherwise with
    the path ("a.py is a symbolic link to ..."). `head` is another commit that may have the file.
    """
    if isinstance(found, Entry):
        return _not_a_file(reader, commit, found)
    above = found.above
    match above.kind:
        case Kind.SYMLINK:
            target = _target(reader, above)
            return NoSource(Why.SYMLINK, f"lies below {above.path}, which is a symbolic link to `{printable(target)}`")
        case Kind.SUBMODULE:
            return NoSource(
                Why.SUBMODULE,
                f"lies below {above.path}, which is a submodule (commit {above.id[:8]} of another repository)",
            )
        case Kind.FILE:
            return NoSource(Why.PATH_MISSING, f"has a file {above.path}, and so nothing below it")
        case Kind.DIRECTORY:
            return _missing(reader, commit, path, found, head)


def _not_a_file(reader: Reader, commit: str, found: Entry) -> NoSource:
    match found.kind:
        case Kind.SYMLINK:
            target = _target(reader, found)
            meant = "/".join((*found.path.split("/")[:-1], target))
            meant = _canonical(meant) if not target.startswith("/") else ""
            help = f"path: {meant}" if meant and _is_file(reader, commit, meant) else None
            return NoSource(Why.SYMLINK, f"is a symbolic link to `{printable(target)}`", help)
        case Kind.SUBMODULE:
            return NoSource(Why.SUBMODULE, f"is a submodule (commit {found.id[:8]} of another repository)")
        case Kind.DIRECTORY | Kind.FILE:
            return NoSource(Why.DIRECTORY, "is a directory")


def _missing(reader: Reader, commit: str, path: str, found: NoEntry, head: str | None) -> NoSource:
    what = _what_is_missing(path, found)
    with contextlib.suppress(ObjectProblem):
        for meant in _meant(reader, commit, path, found):
            if _is_file(reader, commit, meant):
                return NoSource(Why.PATH_MISSING, f"{what}; did you mean {printable(meant)}?", f"path: {meant}")
        if head and head != commit and _is_file(reader, head, path):
            return NoSource(Why.PATH_MISSING, f"{what}; HEAD, at {head[:8]}, has it")
    return NoSource(Why.PATH_MISSING, what)


def _what_is_missing(path: str, found: NoEntry) -> str:
    if not path:
        return "has no file without a name"
    if path.startswith(found.path + "/") and found.name not in ("", ".", ".."):
        return f"has no folder {printable(found.path)}/"
    return f"has no file {printable(path)}"


def _meant(reader: Reader, commit: str, path: str, found: NoEntry) -> Iterator[str]:
    canonical = _canonical(path.replace("\\", "/").strip())
    if canonical != path:
        yield canonical
    if folded := _folded(reader, commit, canonical):
        yield folded
    names = reader.names(found.above.id)
    rest = path.removeprefix(found.path)
    if len(names) <= _MOST_NAMES:
        import difflib

        for name in difflib.get_close_matches(found.name, names, n=3, cutoff=0.7):
            yield (f"{found.above.path}/{name}" if found.above.path else name) + rest


def _canonical(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return "/".join(parts)


def _folded(reader: Reader, commit: str, path: str) -> str | None:
    """The path whose letters differ only in case or in how accents are stored, if there is exactly one."""
    above = reader.commit(commit).tree
    spelled: list[str] = []
    names = path.split("/")
    for position, name in enumerate(names):
        same = [other for other in reader.names(above) if _fold(other) == _fold(name)]
        same = [name] if name in same else same
        if len(same) != 1:
            return None
        spelled += same
        entry = reader.entry(commit, "/".join(spelled))
        if entry is None or (entry.kind is not Kind.DIRECTORY and position < len(names) - 1):
            return None
        above = entry.id
    return "/".join(spelled)


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _is_file(reader: Reader, commit: str, path: str) -> bool:
    entry = reader.entry(commit, path)
    return entry is not None and entry.kind is Kind.FILE


def _target(reader: Reader, link: Entry) -> str:
    return reader.blob(link.id, _LONGEST_LINK).decode("utf-8", "replace")
