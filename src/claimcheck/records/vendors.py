"""Which repositories a record is about, at which commits: from its text and from its reference links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from claimcheck.finding import Finding
from claimcheck.model import Place, prefix_of
from claimcheck.permalinks import Permalink, read_permalink, read_repository, same_repository
from claimcheck.records import rules
from claimcheck.records.markdown import Block, Page
from claimcheck.records.record import Link, RecordVendor
from claimcheck.records.tables import NAME, Row, vendor_name
from claimcheck.values import frozen

MAX_URL = 2_000

_MENTION = re.compile(rf"(?<![\w./-])vendor/({NAME})(?![\w/-])")
_IN_PATH = re.compile(rf"vendor/({NAME})/(.+)", re.DOTALL)
_HEX = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{7,64}(?![0-9A-Za-z])")
_COMMIT_WORD = re.compile(r"(?:HEAD|commit|pin|revision|提交)[^0-9A-Za-z]{0,8}(?:is[^0-9A-Za-z]+)?\Z", re.IGNORECASE)
_ORIGIN = re.compile(
    r"(?:\borigin\b\s*(?:[=:：]|is\b|为|是)?|\b(?:repository|repo|url)\b\s*[=:：])[\s`'\"<]*|(?<![\w`'\"<])(?=https?://)",
    re.IGNORECASE,
)
_URL = re.compile(r"[^\s`'\"<>，。；）)]*")


@frozen
class Said:
    """A commit or a repository that something in the record gives, and where; `named` if a word says what it is."""

    value: str
    place: Place
    named: bool = True


@dataclass(slots=True)
class _Vendor:
    """What is gathered about one vendor: `commits` and `repositories` by the text, `links` by the links."""

    name: str
    place: Place
    commits: list[Said] = field(default_factory=list)
    repositories: list[Said] = field(default_factory=list)
    prefixes: dict[str, Place] = field(default_factory=dict)
    links: list[tuple[Permalink, Link]] = field(default_factory=list)


@frozen
class Vendors:
    """The vendors in their order, which one each row and each link belongs to, and what is wrong."""

    vendors: tuple[RecordVendor, ...]
    of_row: Mapping[str, str]
    of_link: Mapping[str, str]
    left_out: frozenset[str]
    findings: tuple[Finding, ...]


def path_in_vendor(row: Row, link: Permalink | None) -> tuple[str | None, str]:
    """The vendor that a row's path begins with, if it does, and the path inside it.

    A repository may itself have a folder `vendor/`; then the row's link shows the path as it is.
    """
    match = _IN_PATH.fullmatch(row.path)
    if not match or (link is not None and link.path == row.path):
        return row.vendor, row.path
    return vendor_name(match[1]), match[2]


def read_vendors(
    page: Page, rows: Sequence[Row], links: Mapping[str, Link], prefixes: Mapping[str, str] | None = None
) -> Vendors:
    """The vendors that the text, the rows and the links name. `prefixes` says whose a prefix is where they do not."""
    found = _Found(_in_text(page), prefixes or {})
    findings: list[Finding] = []
    of_row: dict[str, str] = {}
    left_out: set[str] = set()
    named = {row.id: path_in_vendor(row, permalink_of(links.get(row.id)))[0] for row in rows}
    # Rows that name their vendor first, since they say whose a prefix is.
    for row in sorted(rows, key=lambda row: named[row.id] is None):
        vendor = found.of_row(row, named[row.id], links.get(row.id))
        problem = _nowhere(row) if vendor is None else found.give_prefix(vendor, row)
        if vendor is None or problem:
            findings += [problem] if problem else []
            left_out.add(row.id)
        else:
            of_row[row.id] = vendor.name
    of_link = {}
    for link in links.values():
        owner = found.of_link(link, of_row.get(link.id))
        if owner is not None:
            of_link[link.id] = owner.name
    vendors = []
    for vendor in found.vendors.values():
        if vendor.prefixes:
            settled, problems = _settle(vendor)
            vendors.append(settled)
            findings += problems
    return Vendors(tuple(vendors), of_row, of_link, frozenset(left_out), tuple(findings))


@dataclass(slots=True)
class _Found:
    """The vendors found so far by name, and by the prefixes and repositories that are theirs."""

    vendors: dict[str, _Vendor]
    declared: Mapping[str, str]
    owners: dict[str, _Vendor] = field(default_factory=dict)
    by_repository: dict[str, _Vendor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for vendor in self.vendors.values():
            for said in vendor.repositories:
                self.by_repository.setdefault(_name_in(said.value), vendor)

    def of_row(self, row: Row, named: str | None, link: Link | None) -> _Vendor | None:
        """Whose file a row is about, by its path, its prefix, its link, the only vendor there is, or the registry."""
        if named is not None:
            return self.vendors.setdefault(named, _Vendor(named, row.places["path"]))
        only = next(iter(self.vendors.values())) if len(self.vendors) == 1 else None
        vendor = self.owners.get(prefix_of(row.id)) or self._linked(link) or only
        name = self.declared.get(prefix_of(row.id))
        if vendor is None and name is not None:
            vendor = self.vendors.setdefault(name, _Vendor(name, row.places["path"]))
        return vendor

    def of_link(self, link: Link, of_row: str | None) -> _Vendor | None:
        """Whose file a link leads to; it speaks for the vendor of its anchor, wherever it leads."""
        vendor = self.vendors[of_row] if of_row else self.owners.get(prefix_of(link.id)) or self._linked(link)
        if vendor is not None:
            vendor.prefixes.setdefault(prefix_of(link.id), link.place)
            self.owners.setdefault(prefix_of(link.id), vendor)
            if isinstance(link.target, Permalink):
                vendor.links.append((link.target, link))
        return vendor

    def give_prefix(self, vendor: _Vendor, row: Row) -> Finding | None:
        """Note whose a row's prefix is, or say that it is another vendor's."""
        prefix = prefix_of(row.id)
        owner = self.owners.setdefault(prefix, vendor)
        if owner is vendor:
            vendor.prefixes.setdefault(prefix, row.places[""])
            return None
        return Finding(
            rules.PREFIX_CONFLICT,
            row.id,
            row.places["path"],
            f"its file is in vendor/{vendor.name}, but {prefix}-… stands for {owner.name} since line "
            f"{owner.prefixes[prefix].line}",
            help=f"another prefix for {vendor.name}",
        )

    def _linked(self, link: Link | None) -> _Vendor | None:
        """The vendor whose repository a link leads to; a new one, named like the repository, if none has it."""
        target = permalink_of(link)
        if link is None or target is None:
            return None
        vendor = self.by_repository.get(_name_in(target.repository))
        if vendor is not None:
            return vendor
        name = vendor_name(target.repository.rpartition("/")[2])
        if not re.fullmatch(NAME, name):
            return None
        vendor = self.vendors.setdefault(name, _Vendor(name, link.place))
        if vendor.repositories:
            return None
        vendor.repositories.append(Said(target.repository, link.place))
        self.by_repository[_name_in(target.repository)] = vendor
        return vendor


def _in_text(page: Page) -> dict[str, _Vendor]:
    """The vendors that text or a row mentions as `vendor/NAME`, with the commit and the origin said beside it."""
    found: dict[str, _Vendor] = {}
    for block in (*page.paragraphs, *(Block(line, line) for line in sorted(page.rows))):
        text = page.text(block)
        mentions = list(_mentions(page, block))
        for index, (name, place, offset) in enumerate(mentions):
            # What is said belongs to the mention before it; with one mention, to that one, wherever it stands.
            start = offset if len(mentions) > 1 else 0
            end = mentions[index + 1][2] if index + 1 < len(mentions) else len(text)
            vendor = found.setdefault(name, _Vendor(name, place))
            vendor.commits += (Said(id, place, named) for id, named in _commits(text[start:end]))
            vendor.repositories += (Said(url, place, named) for url, named in _origins(text[start:end]))
    return found


def _mentions(page: Page, block: Block) -> Iterator[tuple[str, Place, int]]:
    offset = 0
    for number, line in enumerate(page.lines[block.first - 1 : block.last], block.first):
        for match in _MENTION.finditer(line):
            yield vendor_name(match[1]), page.place(number, match.start() + 1), offset + match.start()
        offset += len(line) + 1


def _commits(text: str) -> Iterator[tuple[str, bool]]:
    """The ids in a text, and whether a word for a commit stands before each; without one only full ids count."""
    for match in _HEX.finditer(text):
        named = bool(_COMMIT_WORD.search(text[max(0, match.start() - 20) : match.start()]))
        if named or len(match[0]) >= 40:
            yield match[0].lower(), named


def _origins(text: str) -> Iterator[tuple[str, bool]]:
    """The repositories in a text, and whether a word for an origin stands before each; without one only URLs count."""
    for match in _ORIGIN.finditer(text):
        url = _URL.match(text, match.end(), match.end() + MAX_URL)
        if (
            url
            and len(url[0]) < MAX_URL
            and not isinstance(read_permalink(url[0]), Permalink)
            and (repository := read_repository(url[0]))
        ):
            yield repository, bool(match[0])


def _name_in(repository: str) -> str:
    """`owner/name` of an address, in small letters: what is equal whether the host is written or not."""
    return "/".join(repository.rpartition("://")[2].casefold().split("/")[-2:])


def permalink_of(link: Link | None) -> Permalink | None:
    return link.target if link is not None and isinstance(link.target, Permalink) else None


def _nowhere(row: Row) -> Finding:
    return Finding(
        rules.VENDOR_UNKNOWN,
        row.id,
        row.places["path"],
        f"nothing says which repository {row.path} is in",
        help=f"vendor/NAME/{row.path}",
    )


def _settle(vendor: _Vendor) -> tuple[RecordVendor, list[Finding]]:
    """One commit and one repository for a vendor; None for what is not said or said in two ways."""
    commit = _commit(vendor)
    url = _repository(vendor)
    problems = [problem for problem in (commit, url) if isinstance(problem, Finding)]
    settled = RecordVendor(
        vendor.name,
        None if problems or isinstance(commit, Finding) else commit,
        url if isinstance(url, str) else None,
        tuple(vendor.prefixes),
        vendor.place,
    )
    return settled, problems


def _commit(vendor: _Vendor) -> str | Finding:
    full = [said for said in vendor.commits if len(said.value) == 40]
    full = [said for said in full if said.named] or full
    linked = [Said(target.commit, link.place) for target, link in vendor.links]
    if full:
        other = next((said for said in full if said.value != full[0].value), None)
        if other is None and linked and all(said.value != full[0].value for said in linked):
            other = linked[0]
        return full[0].value if other is None else _two(vendor, "commit", full[0], other)
    if linked:
        agreed = _most(linked)
        short = next((said for said in vendor.commits if len(said.value) < 40), None)
        if agreed is None:
            return _two(vendor, "commit", linked[0], next(s for s in linked if s.value != linked[0].value))
        if short is not None and not agreed.value.startswith(short.value):
            return _two(vendor, "commit", short, agreed)
        return agreed.value
    if vendor.commits:
        said = vendor.commits[0]
        what = f"commit `{said.value[:12]}{'…' if len(said.value) > 12 else ''}` has {len(said.value)} digits"
        return _unknown(vendor, said.place, f"{what}; a pin has 40", "the full id: git rev-parse HEAD")
    help = f"vendor/{vendor.name}, HEAD = FULL ID, origin = OWNER/NAME"
    return _unknown(vendor, vendor.place, "nothing says at which commit", help)


def _repository(vendor: _Vendor) -> str | Finding | None:
    linked = [Said(target.repository, link.place) for target, link in vendor.links]
    named = [said for said in vendor.repositories if said.named]
    if named:
        first = named[0]
        other = next((said for said in named if not same_repository(said.value, first.value)), None)
        if other is None and linked and not any(same_repository(said.value, first.value) for said in linked):
            other = linked[0]
        if other is not None:
            return _two(vendor, "repository", first, other)
        full = (said.value for said in (*named, *linked) if "://" in said.value)
        return next((url for url in full if same_repository(url, first.value)), f"https://github.com/{first.value}")
    if linked:
        agreed = _most(linked)
        if agreed is None:
            return _two(vendor, "repository", linked[0], next(s for s in linked if s.value != linked[0].value))
        return agreed.value
    return vendor.repositories[0].value if vendor.repositories else None


def _most(said: Sequence[Said]) -> Said | None:
    """What more than half of them say, where it is said first."""
    value, times = Counter(one.value for one in said).most_common(1)[0]
    return next(one for one in said if one.value == value) if 2 * times > len(said) else None


def _two(vendor: _Vendor, what: str, one: Said, other: Said) -> Finding:
    short = 8 if what == "commit" else None
    return Finding(
        rules.VENDOR_CONTRADICTION,
        vendor.name,
        other.place,
        f"{what} {other.value[:short]} here, {one.value[:short]} in line {one.place.line}",
    )


def _unknown(vendor: _Vendor, place: Place, message: str, help: str) -> Finding:
    return Finding(rules.VENDOR_UNKNOWN, vendor.name, place, message, help=help)
