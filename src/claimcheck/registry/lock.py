"""anchors.lock: JSON Lines to lock entries and back.

The first line names format and version; then comes one line an anchor, sorted by ID, so that merges stay local. A
fingerprint is one string of hexadecimal digits, eight for each line of source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from claimcheck.errors import RegistryError
from claimcheck.finding import Finding, RuleInfo
from claimcheck.model import Lines, LockedRegion, LockedString, LockEntry, Place, ReviewState
from claimcheck.registry import problems
from claimcheck.registry.problems import shown
from claimcheck.texts import split_lines

PATH = "anchors.lock"
FORMAT = "claimcheck.lock"
VERSION = 1
HASH_LENGTH = 8

_MARKER = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?:[ \r]|\Z)")
_HEX = re.compile(r"(?:[0-9a-f]{8})*\Z")


class LazyLock(Mapping[str, LockEntry]):
    """The entries of a lock by ID, each made when asked for: ten thousand hold millions of line hashes."""

    __slots__ = ("_last", "_lines")

    def __init__(self, lines: Mapping[str, str]) -> None:
        self._lines = lines
        self._last: LockEntry | None = None

    def __getitem__(self, id: str) -> LockEntry:
        if self._last is None or self._last.id != id:
            self._last = _entry(json.loads(self._lines[id]))
        return self._last

    def __contains__(self, id: object) -> bool:
        return id in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


class _Damaged(ValueError):
    """A line is JSON and no lock entry; the message says why."""


def parse(content: bytes) -> LazyLock:
    """The entries of a lock file; raises RegistryError with every line that is none.

    Every line is looked at now, so that making an entry later cannot fail.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RegistryError([_finding(problems.NOT_UTF8, line, "is not UTF-8")]) from None
    rows = split_lines(text.removeprefix("\ufeff"))
    findings = _conflicts(rows) or _head(rows)
    if findings:
        raise RegistryError(findings)
    lines: dict[str, str] = {}
    first_at: dict[str, int] = {}
    for number, row in enumerate(rows[1:], 2):
        if not row.strip():
            continue
        try:
            id = _checked(row)
        except ValueError as error:
            why = str(error) if isinstance(error, _Damaged) else "is not JSON"
            findings.append(_finding(problems.LOCK_DAMAGED, number, why))
            continue
        if id in lines:
            why = f"{shown(id)} stands twice; first in {PATH}:{first_at[id]}"
            findings.append(_finding(problems.DUPLICATE_ID, number, why))
            continue
        lines[id] = row
        first_at[id] = number
    if findings:
        raise RegistryError(findings)
    return LazyLock(lines)


def dump(entries: Mapping[str, LockEntry]) -> bytes:
    """The file for these entries; the same entries give the same bytes."""
    rows = [json.dumps({"format": FORMAT, "version": VERSION})]
    rows += [json.dumps(_row(entries[id]), ensure_ascii=False) for id in sorted(entries)]
    return "".join(f"{row}\n" for row in rows).encode()


def _finding(rule: RuleInfo, line: int, message: str) -> Finding:
    help = "git checkout -- anchors.lock    or remove it and run claimcheck lock, which loses review states"
    shows_way_out = rule in (problems.LOCK_DAMAGED, problems.NOT_UTF8)
    return Finding(rule, PATH, Place(PATH, line, 1), message, help=help if shows_way_out else None)


def _conflicts(rows: list[str]) -> list[Finding]:
    found = [n for n, row in enumerate(rows, 1) if row[:1] in "<=>|" and _MARKER.match(row)]
    if not found:
        return []
    message = f"an unresolved merge conflict, markers in {len(found)} lines down to line {found[-1]}"
    return [_finding(problems.MERGE_CONFLICT, found[0], message)]


def _head(rows: list[str]) -> list[Finding]:
    try:
        head = json.loads(rows[0])
        version = head["version"] if head["format"] == FORMAT else None
    except (IndexError, ValueError, KeyError, TypeError, RecursionError):
        version = None
    if version is None:
        return [_finding(problems.LOCK_DAMAGED, 1, "its first line does not name the format claimcheck.lock")]
    if version != VERSION or not isinstance(version, int):
        message = f"has version {shown(str(version))}; this claimcheck reads version {VERSION}"
        return [_finding(problems.LOCK_VERSION, 1, message)]
    return []


_ENTRY_KEYS = frozenset({"id", "vendor", "commit", "path", "review", "reviewed_at", "regions"})
_REGION_KEYS = frozenset({"lines", "digest", "tokens", "scheme", "symbol", "strings", "before", "fingerprint", "after"})


def _checked(row: str) -> str:
    """The ID of a line after everything in it has been looked at; raises ValueError."""
    try:
        data = json.loads(row)
    except RecursionError:
        raise _Damaged("is nested too deep") from None
    _want(isinstance(data, dict) and data.keys() <= _ENTRY_KEYS, "is no lock entry")
    for key in ("id", "vendor", "commit", "path"):
        _want(isinstance(data.get(key), str), f"has no `{key}`")
    _want(data.get("review", "unreviewed") in _REVIEW, "has an unknown review state")
    _want(isinstance(data.get("reviewed_at"), (str, type(None))), "has a `reviewed_at` that is no text")
    _want(isinstance(data.get("regions"), list), "has no `regions`")
    for region in data["regions"]:
        _check_region(region)
    return str(data["id"])


def _check_region(region: Any) -> None:
    _want(isinstance(region, dict) and region.keys() <= _REGION_KEYS, "has a region that is none")
    lines = region.get("lines")
    good = isinstance(lines, list) and len(lines) == 2 and all(type(line) is int for line in lines)
    _want(good, "has a region without `lines`")
    _want(isinstance(region.get("digest"), str), "has a region without `digest`")
    for key in ("tokens", "scheme", "symbol"):
        _want(isinstance(region.get(key), (str, type(None))), f"has a `{key}` that is no text")
    for key in ("before", "fingerprint", "after"):
        hashes = region.get(key, "")
        _want(isinstance(hashes, str) and bool(_HEX.match(hashes)), f"has a damaged `{key}`")
    strings = region.get("strings", [])
    _want(isinstance(strings, list) and all(_is_string(string) for string in strings), "has damaged `strings`")


def _is_string(string: Any) -> bool:
    return (
        isinstance(string, list)
        and len(string) == 4
        and type(string[0]) is str
        and all(type(number) is int for number in string[1:])
    )


def _want(fine: bool, otherwise: str) -> None:
    if not fine:
        raise _Damaged(otherwise)


_REVIEW = {state.value: state for state in ReviewState}


def _entry(data: dict[str, Any]) -> LockEntry:
    return LockEntry(
        id=data["id"],
        vendor=data["vendor"],
        commit=data["commit"],
        path=data["path"],
        regions=tuple(_region(region) for region in data["regions"]),
        review=_REVIEW[data.get("review", "unreviewed")],
        reviewed_at=data.get("reviewed_at"),
    )


def _region(data: dict[str, Any]) -> LockedRegion:
    return LockedRegion(
        lines=Lines(*data["lines"]),
        digest=data["digest"],
        tokens=data.get("tokens"),
        scheme=data.get("scheme"),
        symbol=data.get("symbol"),
        strings=tuple(LockedString(*string) for string in data.get("strings", ())),
        before=_hashes(data.get("before", "")),
        fingerprint=_hashes(data.get("fingerprint", "")),
        after=_hashes(data.get("after", "")),
    )


def _hashes(joined: str) -> tuple[str, ...]:
    return tuple(joined[n : n + HASH_LENGTH] for n in range(0, len(joined), HASH_LENGTH))


def _row(entry: LockEntry) -> dict[str, Any]:
    row: dict[str, Any] = {"id": entry.id, "vendor": entry.vendor, "commit": entry.commit, "path": entry.path}
    row["review"] = entry.review.value
    if entry.reviewed_at is not None:
        row["reviewed_at"] = entry.reviewed_at
    row["regions"] = [_region_row(region) for region in entry.regions]
    return row


def _region_row(region: LockedRegion) -> dict[str, Any]:
    """A region's parts that have something to say."""
    row: dict[str, Any] = {"lines": [region.lines.first, region.lines.last], "digest": region.digest}
    for key in ("tokens", "scheme", "symbol"):
        if (value := getattr(region, key)) is not None:
            row[key] = value
    if region.strings:
        row["strings"] = [[each.text, each.offset, each.occurrence, each.occurrences] for each in region.strings]
    for key in ("before", "fingerprint", "after"):
        if hashes := getattr(region, key):
            row[key] = "".join(hashes)
    return row
