"""anchors.lock: JSON Lines to lock entries and back.

The first line names format and version; then comes one line an anchor, sorted by ID, so that merges stay local. A
fingerprint is one string of hexadecimal digits, eight for each line of source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from claimcheck.errors import RegistryError
from claimcheck.finding import Finding, RuleInfo
from claimcheck.model import LINE_HASH, LineHashes, Lines, LockedRegion, LockedString, LockEntry, Place, ReviewState
from claimcheck.registry import problems
from claimcheck.terminal import shown
from claimcheck.texts import place_in, split_lines

PATH = "anchors.lock"
FORMAT = "claimcheck.lock"
VERSION = 1

_MARKER = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?:[ \r]|\Z)")
_ROW = re.compile(r'\{"id": "([^"\\]+)", .*\}\r?\Z')
_HEX_DIGITS = "0123456789abcdef"


class LazyLock(Mapping[str, LockEntry]):
    """The entries of a lock by ID, each read when it is asked for: ten thousand hold millions of line hashes.

    Looking an entry up raises RegistryError if its line turns out to be damaged.
    """

    __slots__ = ("_numbers", "_read", "_rows")

    def __init__(self, rows: Mapping[str, str], numbers: Mapping[str, int]) -> None:
        self._rows = rows
        self._numbers = numbers
        self._read: dict[str, LockEntry] = {}

    def __getitem__(self, id: str) -> LockEntry:
        entry = self._read.get(id)
        if entry is None:
            try:
                entry = self._read[id] = _entry(_checked(self._rows[id]))
            except _Damaged as error:
                raise RegistryError([_finding(problems.LOCK_DAMAGED, self._numbers[id], str(error))]) from None
        return entry

    def __contains__(self, id: object) -> bool:
        return id in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, id: str) -> str:
        """An entry's line as it stands in the file."""
        return self._rows[id].removesuffix("\r")


class _Damaged(ValueError):
    """A line is no lock entry; the message says why."""


def parse(content: bytes) -> LazyLock:
    """The entries of a lock file; raises RegistryError with every line that is none.

    A line that has the form in which `dump` writes it is read further when its entry is asked for.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line, _ = place_in(content, error.start)
        raise RegistryError([_finding(problems.NOT_UTF8, line, "not UTF-8")]) from None
    lines = split_lines(text.removeprefix("\ufeff"))
    findings = _conflicts(lines) or _head(lines)
    if findings:
        raise RegistryError(findings)
    rows: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for number, row in enumerate(lines[1:], 2):
        quick = _ROW.match(row)
        if not quick and not row.strip():
            continue
        try:
            id = quick[1] if quick else str(_checked(row)["id"])
        except _Damaged as error:
            findings.append(_finding(problems.LOCK_DAMAGED, number, str(error)))
            continue
        if id in rows:
            why = f"{shown(id)} stands twice; first in line {numbers[id]}"
            findings.append(_finding(problems.DUPLICATE_ID, number, why))
            continue
        rows[id] = row
        numbers[id] = number
    if findings:
        raise RegistryError(findings)
    return LazyLock(rows, numbers)


def dump(entries: Mapping[str, LockEntry]) -> bytes:
    """The file for these entries; the same entries give the same bytes."""
    return updated({}, entries)


def updated(entries: Mapping[str, LockEntry], new: Mapping[str, LockEntry], gone: Collection[str] = ()) -> bytes:
    """The file for the entries with some of them new and some gone; all others keep their lines."""
    rows = [json.dumps({"format": FORMAT, "version": VERSION})]
    for id in sorted((entries.keys() - set(gone)) | new.keys()):
        if id in new:
            rows.append(json.dumps(_row(new[id]), ensure_ascii=False))
        elif isinstance(entries, LazyLock):
            rows.append(entries.row(id))
        else:
            rows.append(json.dumps(_row(entries[id]), ensure_ascii=False))
    return "".join(f"{row}\n" for row in rows).encode()


_WAYS_OUT = {
    problems.MERGE_CONFLICT: "take either side of each conflict, then claimcheck lock",
    problems.DUPLICATE_ID: "remove either line, then claimcheck lock",
    problems.LOCK_VERSION: "python -m pip install --upgrade claimcheck-toolkit",
}


def _finding(rule: RuleInfo, line: int, message: str) -> Finding:
    start_again = "git checkout -- anchors.lock    or remove it and run claimcheck lock, which loses review states"
    return Finding(rule, PATH, Place(PATH, line, 1), message, help=_WAYS_OUT.get(rule, start_again))


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
        message = f"version {shown(str(version))} of the format; this claimcheck reads version {VERSION}"
        return [_finding(problems.LOCK_VERSION, 1, message)]
    return []


_ENTRY_KEYS = frozenset({"id", "vendor", "commit", "path", "review", "reviewed_at", "regions"})
_REGION_KEYS = frozenset({"lines", "digest", "tokens", "scheme", "symbol", "strings", "before", "fingerprint", "after"})


def _checked(row: str) -> dict[str, Any]:
    """A line's data after everything in it has been looked at; raises _Damaged."""
    try:
        data = json.loads(row)
    except (ValueError, RecursionError):
        raise _Damaged("not JSON") from None
    if not isinstance(data, dict) or not data.keys() <= _ENTRY_KEYS:
        raise _Damaged("no lock entry")
    for key in ("id", "vendor", "commit", "path"):
        _want(isinstance(data.get(key), str), key)
    _want(data.get("review", "unreviewed") in _REVIEW, "review")
    _want(isinstance(data.get("reviewed_at"), (str, type(None))), "reviewed_at")
    _want(isinstance(data.get("regions"), list), "regions")
    for region in data["regions"]:
        _check_region(region)
    return data


def _check_region(region: Any) -> None:
    _want(isinstance(region, dict) and region.keys() <= _REGION_KEYS, "regions")
    lines = region.get("lines")
    _want(isinstance(lines, list) and len(lines) == 2 and all(type(line) is int for line in lines), "lines")
    _want(isinstance(region.get("digest"), str), "digest")
    for key in ("tokens", "scheme", "symbol"):
        _want(isinstance(region.get(key), (str, type(None))), key)
    for key in ("before", "fingerprint", "after"):
        hashes = region.get(key, "")
        _want(isinstance(hashes, str) and len(hashes) % LINE_HASH == 0 and not hashes.strip(_HEX_DIGITS), key)
    strings = region.get("strings", [])
    _want(isinstance(strings, list) and all(_is_string(string) for string in strings), "strings")


def _is_string(string: Any) -> bool:
    return (
        isinstance(string, list)
        and len(string) == 4
        and type(string[0]) is str
        and all(type(number) is int for number in string[1:])
    )


def _want(fine: bool, key: str) -> None:
    if not fine:
        raise _Damaged(f"a lock entry without a proper `{key}`")


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
        before=LineHashes(data.get("before", "")),
        fingerprint=LineHashes(data.get("fingerprint", "")),
        after=LineHashes(data.get("after", "")),
    )


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
        if joined := getattr(region, key).joined:
            row[key] = joined
    return row
