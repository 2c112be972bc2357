"""Citations: what is printed under a text about an anchor, with permalinks and Software Heritage ids."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.excerpts import Seen, chosen_regions, ranges_label, require_lines, seen_at
from claimcheck.forges import NoLink, permalink, swhid
from claimcheck.model import Anchor, Lines, Pin, Release, Revision, Vendor
from claimcheck.outcome import Spot
from claimcheck.texts import SourceText
from claimcheck.values import frozen


@frozen
class CitedRegion:
    """A region as it is cited. `lines` is None for a whole file; `swhid` is None where nobody saw the content."""

    lines: Lines | None
    recorded: Lines | None
    link: str | NoLink
    swhid: str | None


@frozen
class Citation:
    """An anchor as it is cited.

    `span` is a link to all regions at once, from the first line to the last, for forms that have room for one.
    `unseen` says why nothing was looked at, so that the lines are only what the registry has.
    """

    seen: Seen
    regions: tuple[CitedRegion, ...]
    span: str | NoLink
    blob: str | None = None
    unseen: str | None = None

    @property
    def id(self) -> str:
        return self.seen.id

    @property
    def ranges(self) -> tuple[Lines, ...]:
        return tuple(region.lines for region in self.regions if region.lines is not None)

    @property
    def recorded(self) -> tuple[Lines, ...]:
        return tuple(region.recorded for region in self.regions if region.recorded is not None)

    @property
    def caption(self) -> str:
        """`vllm f08e0be3 (v0.33.0) PATH:706-740, 792-849`."""
        lines = f":{ranges_label(self.ranges)}" if self.ranges else ""
        return f"{self.seen.source} {self.seen.path}{lines}"

    @property
    def standing(self) -> str:
        """What is pinned and where the registry has it, when something else was looked at; else nothing."""
        if not self.seen.standing:
            return ""
        path = "" if self.seen.path == self.seen.recorded_path else self.seen.recorded_path
        registry = f"{path} {ranges_label(self.recorded)}".strip()
        return f"{self.seen.standing} (registry {registry})" if registry else self.seen.standing

    @property
    def no_link(self) -> str | None:
        """Why there is no permalink; None where there is one, and for a release, which never has one."""
        if self.seen.revision.release is not None or self.seen.pin.version is not None:
            return None
        return next((region.link.reason for region in self.regions if isinstance(region.link, NoLink)), None)


def cite(
    anchor: Anchor,
    vendor: Vendor,
    revision: Revision,
    pin: Pin,
    source: SourceText,
    spots: Sequence[Spot],
    recorded: Sequence[Lines],
    *,
    region: int | None = None,
) -> Citation:
    """The citation of an anchor whose spots are in a text; raises NotInFile for lines that the text does not have."""
    seen = seen_at(anchor, vendor, revision, pin, spots)
    chosen = chosen_regions(anchor, region)
    for index in chosen:
        require_lines(seen, anchor, index, spots[index].lines, source)
    ranges = [None if seen.whole else spots[index].lines for index in chosen]
    regions = tuple(
        CitedRegion(
            lines=lines,
            recorded=recorded[index] if not seen.whole and index < len(recorded) else None,
            link=permalink(vendor, revision, seen.path, lines),
            swhid=swhid(vendor, revision, source.blob, seen.path, lines),
        )
        for index, lines in zip(chosen, ranges, strict=True)
    )
    return Citation(seen, regions, permalink(vendor, revision, seen.path, _span(ranges)), source.blob)


def cite_unseen(anchor: Anchor, vendor: Vendor, pin: Pin, reason: str, *, region: int | None = None) -> Citation:
    """The citation as the registry has it, of a pin that could not be looked at, and `reason` says why.

    The permalinks are right by the registry; whether the file has these lines, nobody has seen. There is no
    content id.
    """
    revision = Revision(pin.text, _release_of(vendor, pin))
    chosen = chosen_regions(anchor, region)
    ranges = [anchor.regions[index].lines if anchor.regions else None for index in chosen]
    links = [permalink(vendor, revision, anchor.path, lines) for lines in ranges]
    regions = tuple(CitedRegion(lines, lines, link, None) for lines, link in zip(ranges, links, strict=True))
    seen = seen_at(anchor, vendor, revision, pin, ())
    return Citation(seen, regions, permalink(vendor, revision, anchor.path, _span(ranges)), unseen=reason)


def _release_of(vendor: Vendor, pin: Pin) -> Release | None:
    if pin.version is None:
        return None
    return vendor.release(pin.version) or Release(pin.version, "")


def _span(ranges: Sequence[Lines | None]) -> Lines | None:
    known = [lines for lines in ranges if lines is not None]
    return Lines(min(lines.first for lines in known), max(lines.last for lines in known)) if known else None
