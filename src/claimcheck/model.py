"""The values everything is about: vendors, anchors, claims and what the registry says of them.

Nothing here reads, writes or knows another module of the package but `values`.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import overload

from claimcheck.values import frozen

FULL_ID = re.compile(r"[0-9a-f]{40}\Z")
SHA256_ID = re.compile(r"[0-9a-f]{64}\Z")
MAX_LINE = 10_000_000
_LINES = re.compile(r"([1-9][0-9]{0,7})(?:-([1-9][0-9]{0,7}))?\Z")
LINE_HASH = 8


@frozen(order=True)
class Lines:
    """A range of lines, counted by LF from 1, both ends inclusive."""

    first: int
    last: int

    @classmethod
    def parse(cls, text: str) -> Lines | None:
        """The range that `FIRST-LAST` or `LINE` says, in digits 0 to 9 without a leading zero; None for another text.

        Which of its ends comes first, and whether files are that long, `in_order` says.
        """
        match = _LINES.match(text)
        return cls(int(match[1]), int(match[2] or match[1])) if match else None

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    def __contains__(self, line: int) -> bool:
        return self.first <= line <= self.last

    def shifted(self, by: int) -> Lines:
        return Lines(self.first + by, self.last + by)

    def covers(self, other: Lines) -> bool:
        return self.first <= other.first and other.last <= self.last

    def overlaps(self, other: Lines) -> bool:
        return self.first <= other.last and other.first <= self.last


def in_order(ranges: Iterable[Lines]) -> bool:
    """Whether each range runs forwards, within what is counted, and they ascend without a line in common."""
    before = 0
    for lines in ranges:
        if not before < lines.first <= lines.last <= MAX_LINE:
            return False
        before = lines.last
    return True


@frozen(order=True)
class Place:
    """Where something stands in a file of the project: line and column count from 1, columns in code points."""

    path: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)


class Places(Mapping[str, Place]):
    """The places of an entry's parts: `""` is the entry's key, then `path`, `lines.0`, `find.1` and so on.

    A part that was not written has the place of the nearest written one above it, so a lookup never fails.
    """

    __slots__ = ("_at",)

    def __init__(self, at: Mapping[str, Place]) -> None:
        self._at = at

    def __getitem__(self, part: str) -> Place:
        while part not in self._at:
            part = part.rpartition(".")[0]
        return self._at[part]

    def __iter__(self) -> Iterator[str]:
        return iter(self._at)

    def __len__(self) -> int:
        return len(self._at)


def prefix_of(id: str) -> str:
    """The part of an anchor's ID that says whose it is: up to the first hyphen."""
    return id.partition("-")[0]


def is_place(text: str) -> bool:
    """Whether an argument is a place such as `pool.py:11-14`: no ID has a colon."""
    return ":" in text


@frozen
class Pin:
    """A full commit id or `release/VERSION`."""

    text: str

    @property
    def version(self) -> str | None:
        """The release's version, if the pin is a release."""
        return self.text.removeprefix("release/") if self.text.startswith("release/") else None

    @property
    def short(self) -> str:
        return self.version or self.text[:8]

    def __str__(self) -> str:
        return self.text


@frozen
class Release:
    """A published source archive of a vendor."""

    version: str
    sha256: str

    @property
    def ref(self) -> str:
        return f"release/{self.version}"


@frozen
class Vendor:
    """A third-party repository that the project cites."""

    name: str
    pin: Pin
    prefixes: tuple[str, ...]
    url: str | None = None
    pypi: str | None = None
    releases: tuple[Release, ...] = ()
    permalink: str | None = None
    places: Places = field(default_factory=lambda: Places({"": Place("anchors.yaml")}), compare=False)

    def release(self, version: str) -> Release | None:
        return next((release for release in self.releases if release.version == version), None)

    @property
    def stand_in(self) -> Release | None:
        """The release that is looked at where the pin cannot be had: the first one declared."""
        return self.releases[0] if self.releases else None


class Watch(enum.Enum):
    """Which changes of the text count as `edited`."""

    CODE = "code"
    DOCS = "docs"
    ALL = "all"


@frozen
class Region:
    """A line range of an anchor as recorded; `find` has the strings that the long form ties to it."""

    lines: Lines
    find: tuple[str, ...] = ()


@frozen
class Anchor:
    """An ID and what it means.

    No `regions` means the definition that `symbol` names, else the whole file. `find` has the strings of the short
    form, which belong to every region whose text they occur in; in the long form it is empty and each region has its
    own.
    """

    id: str
    vendor: str
    path: str
    regions: tuple[Region, ...] = ()
    find: tuple[str, ...] = ()
    commit: Pin | None = None
    symbol: str | None = None
    watch: Watch | None = None
    places: Places = field(default_factory=lambda: Places({"": Place("anchors.yaml")}), compare=False)

    @property
    def strings(self) -> tuple[str, ...]:
        """All search strings in the order in which they are written."""
        return self.find + tuple(string for region in self.regions for string in region.find)

    @property
    def whole_file(self) -> bool:
        """Whether the anchor means a whole file, neither lines nor a definition of it."""
        return not self.regions and self.symbol is None

    @property
    def long_form(self) -> bool:
        return any(region.find for region in self.regions)


class Basis(enum.Enum):
    """What a claim rests on."""

    CODE = "code"
    COMMENT = "comment"
    DOCUMENT = "document"
    DERIVED = "derived"
    ADVICE = "advice"


@frozen
class Check:
    """A mechanical test of a claim: its form, the form's arguments as a value of its own, and where it looks.

    `anchor` is the cited one that it is about, if it says so; without it it is about all of them.
    """

    form: str
    arguments: object
    scope: str | None = None
    symbol: str | None = None
    path: str | None = None
    anchor: str | None = None


@frozen
class Caveat:
    """A condition under which a claim is true."""

    text: str
    checks: tuple[Check, ...] = ()


@frozen
class Claim:
    """A statement that cites anchors."""

    id: str
    text: str
    cites: tuple[str, ...]
    basis: Basis
    lesson: str | None = None
    checks: tuple[Check, ...] = ()
    caveats: tuple[Caveat, ...] = ()
    quote: str | None = None
    note: str | None = None
    places: Places = field(default_factory=lambda: Places({"": Place("claims")}), compare=False)

    @property
    def has_checks(self) -> bool:
        """Whether it has a check of its own or a caveat with one."""
        return bool(self.checks) or any(caveat.checks for caveat in self.caveats)


@frozen
class Table:
    """One table of a worked example."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


@frozen
class Example:
    """A worked numeric example with the anchors that it rests on."""

    id: str
    title: str
    cites: tuple[str, ...]
    assumptions: tuple[str, ...] = ()
    inputs: Mapping[str, object] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()
    places: Places = field(default_factory=lambda: Places({"": Place("claims")}), compare=False)


@frozen
class Erratum:
    """A correction to published text."""

    id: str
    lesson: str
    lines: tuple[Lines, ...]
    quote: str
    wrong: str
    instead: str
    cites: tuple[str, ...] = ()
    replaceable: bool = False
    expected_missing: bool = False
    places: Places = field(default_factory=lambda: Places({"": Place("claims")}), compare=False)


Citing = Claim | Example | Erratum


@frozen
class Waiver:
    """A known finding that is accepted.

    `until` is nothing (always in force), a full commit id (in force until the vendor's pin is another), or
    `release` (in force until the pin is there, so only while a release is looked at).
    """

    rule: str
    subject: str
    reason: str
    until: str | None = None
    places: Places = field(default_factory=lambda: Places({"": Place("anchors.yaml")}), compare=False)


@frozen
class Documents:
    """Which files of the project are documents. `places` is there if the registry says so itself."""

    include: tuple[str, ...] = ("lessons/**/*.html", "lessons/**/*.md")
    exclude: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    blocks: str = "in-place"
    places: Places | None = field(default=None, compare=False)


class ReviewState(enum.Enum):
    """What a person has said of an anchor."""

    UNREVIEWED = "unreviewed"
    REVIEWED = "reviewed"
    CARRIED = "carried"


@frozen
class LockedString:
    """A search string in a region: its line's offset from the region's first line, and which hit in the file it is.

    `occurrence` counts the lines of the file that hold the string, from 1, of `occurrences` in all.
    """

    text: str
    offset: int
    occurrence: int
    occurrences: int


@frozen
class LineHashes(Sequence[str]):
    """The hashes of some lines, 8 hex digits each, kept joined: ten thousand locked anchors have half a million."""

    joined: str = ""

    @classmethod
    def of(cls, hashes: Iterable[str]) -> LineHashes:
        return cls("".join(hashes))

    def __len__(self) -> int:
        return len(self.joined) // LINE_HASH

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...

    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        if isinstance(at, slice):
            return tuple(self[n] for n in range(*at.indices(len(self))))
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        start = at % len(self) * LINE_HASH
        return self.joined[start : start + LINE_HASH]


@frozen
class LockedRegion:
    """What is kept of a region's text, so that the region can be re-found: digests, never the text itself.

    `digest` is the sha256 of the LF-normalised text. `tokens` is the token digest under `scheme`, if a grammar
    gave one. `fingerprint` has 32 bits (8 hex digits) a line for the region's lines, `before` and `after` for
    up to five lines on each side, nearest last and first respectively, so in file order.
    """

    lines: Lines
    digest: str
    tokens: str | None = None
    scheme: str | None = None
    symbol: str | None = None
    strings: tuple[LockedString, ...] = ()
    before: LineHashes = LineHashes()
    fingerprint: LineHashes = LineHashes()
    after: LineHashes = LineHashes()


@frozen
class LockEntry:
    """An anchor in `anchors.lock`. It is stale when vendor, commit, path or lines differ from the registry's."""

    id: str
    vendor: str
    commit: str
    path: str
    regions: tuple[LockedRegion, ...]
    review: ReviewState = ReviewState.UNREVIEWED
    reviewed_at: str | None = None


@frozen
class Registry:
    """Everything that the project's own files say, in the order in which they say it.

    `compiled` says whether the code in the checks of claims is known to parse.
    """

    vendors: Mapping[str, Vendor] = field(default_factory=dict)
    anchors: Mapping[str, Anchor] = field(default_factory=dict)
    claims: Mapping[str, Claim] = field(default_factory=dict)
    examples: Mapping[str, Example] = field(default_factory=dict)
    errata: Mapping[str, Erratum] = field(default_factory=dict)
    waivers: tuple[Waiver, ...] = ()
    documents: Documents = Documents()
    lock: Mapping[str, LockEntry] = field(default_factory=dict)
    compiled: bool = True

    @property
    def citing(self) -> list[Citing]:
        """Every entry that cites: claims, examples, errata, in this order."""
        return [*self.claims.values(), *self.examples.values(), *self.errata.values()]

    @property
    def entries(self) -> dict[str, Anchor | Citing]:
        """Everything that has an ID, in registry order."""
        return {**self.anchors, **self.claims, **self.examples, **self.errata}

    def vendor_of(self, id: str) -> Vendor | None:
        """The vendor that has the prefix of an anchor's ID, if one does."""
        prefix = prefix_of(id)
        return next((vendor for vendor in self.vendors.values() if prefix in vendor.prefixes), None)

    def pin_of(self, anchor: Anchor) -> Pin:
        """The commit at which the anchor is cited: its own, or its vendor's pin."""
        return anchor.commit or self.vendors[anchor.vendor].pin

    def lock_of(self, anchor: Anchor) -> LockEntry | None:
        """The anchor's lock entry if it is fresh, that is, if it speaks of the same vendor, commit, path and lines."""
        entry = self.lock.get(anchor.id)
        return entry if entry is not None and self.is_fresh(anchor, entry) else None

    def is_fresh(self, anchor: Anchor, entry: LockEntry) -> bool:
        recorded = [region.lines for region in anchor.regions]
        return (
            entry.vendor == anchor.vendor
            and entry.commit == self.pin_of(anchor).text
            and entry.path == anchor.path
            and (not recorded or [region.lines for region in entry.regions] == recorded)
        )

    def review_of(self, anchor: Anchor) -> ReviewState:
        entry = self.lock_of(anchor)
        return entry.review if entry else ReviewState.UNREVIEWED


@frozen
class Revision:
    """A commit that can be read: its full id, and the release or tag by which people know it."""

    commit: str
    release: Release | None = None
    tag: str | None = None

    @property
    def public(self) -> str:
        """What may leave the machine: the full id, or `release/VERSION`, since a release's commit is ours alone."""
        return self.release.ref if self.release else self.commit

    @property
    def label(self) -> str:
        """What people read: `0.33.0` for a release, `f08e0be3 (v0.33.0)` or `f08e0be3` for a commit."""
        if self.release:
            return self.release.version
        return f"{self.commit[:8]} ({self.tag})" if self.tag else self.commit[:8]
