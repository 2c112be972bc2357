"""What is kept of an anchor's text in the lock, so that it can be re-found when its commit cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimcheck.model import Anchor, LineHashes, Lines, LockedRegion, LockedString, LockEntry, Region, ReviewState
from claimcheck.texts import CONTEXT_LINES, SourceText, fingerprint, line_digest

if TYPE_CHECKING:
    from claimcheck.syntax import Outline


def lock_anchor(
    anchor: Anchor, commit: str, text: SourceText, review: ReviewState, reviewed_at: str | None
) -> LockEntry:
    """The lock entry of an anchor whose text is known; raises IndexError for a range beyond the file.

    An anchor without regions gets one entry for its symbol or its whole file, without a fingerprint: it is
    re-found by its name.
    """
    from claimcheck.symbols import region_of
    from claimcheck.syntax import outline

    structure = outline(text.text, anchor.path)
    if anchor.regions:
        regions = tuple(_region(region, anchor, text, structure) for region in anchor.regions)
    else:
        named = region_of(anchor, text) if anchor.symbol else ()
        lines = named[0] if isinstance(named, tuple) and len(named) == 1 else text.whole
        regions = (_digests(lines, text, structure),)
    return LockEntry(anchor.id, anchor.vendor, commit, anchor.path, regions, review, reviewed_at)


def unfindable(anchor: Anchor, lock: LockEntry | None, text: SourceText | None) -> tuple[int, ...]:
    """The indexes of the regions that nothing could re-find without the old text.

    A region is found by a string that stands in it, by a symbol, or by a fingerprint in a fresh lock. `text` is
    the text at the commit where the anchor was recorded; without it the long form and the number of strings tell.
    """
    if anchor.symbol or (lock is not None and all(region.fingerprint for region in lock.regions)):
        return ()
    if text is None and not anchor.long_form:
        return () if anchor.find else tuple(range(len(anchor.regions)))
    return tuple(
        n
        for n, region in enumerate(anchor.regions)
        if not (region.find if text is None else _has_string(region, anchor, text))
    )


def _region(region: Region, anchor: Anchor, text: SourceText, structure: Outline | None) -> LockedRegion:
    lines = region.lines
    digests = _digests(lines, text, structure)
    above, below = max(0, lines.first - 1 - CONTEXT_LINES), lines.last + CONTEXT_LINES
    return LockedRegion(
        lines,
        digests.digest,
        digests.tokens,
        digests.scheme,
        digests.symbol,
        _strings(region, anchor, text),
        LineHashes.of(map(fingerprint, text.lines[above : lines.first - 1])),
        LineHashes.of(map(fingerprint, text.lines[lines.first - 1 : lines.last])),
        LineHashes.of(map(fingerprint, text.lines[lines.last : below])),
    )


def _digests(lines: Lines, text: SourceText, structure: Outline | None) -> LockedRegion:
    tokens = structure.tokens(lines) if structure and lines.first <= lines.last else None
    return LockedRegion(
        lines,
        line_digest(text.cut(lines)),
        tokens.digest.digest if tokens else None,
        tokens.digest.scheme if tokens else None,
        structure.describe(lines) if structure else None,
    )


def _has_string(region: Region, anchor: Anchor, text: SourceText) -> bool:
    return any(text.hits(string, region.lines) for string in anchor.find + region.find)


def _strings(region: Region, anchor: Anchor, text: SourceText) -> tuple[LockedString, ...]:
    """The strings that stand in a region's text, in the order of the registry, each at its first line there."""
    found = []
    for string in dict.fromkeys(anchor.find + region.find):
        here = text.hits(string, region.lines)
        if here:
            everywhere = text.hits(string)
            place = everywhere.index(here[0]) + 1
            found.append(LockedString(string, here[0] - region.lines.first, place, len(everywhere)))
    return tuple(found)
