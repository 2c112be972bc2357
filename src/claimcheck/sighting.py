"""What was seen of an anchor at the revision that a run looks at: the outcome of each region, and what is wrong.

Logic on values: a `SourceText` or the reason why there is none goes in, a `Sighting` comes out. The rules turn
its problems into findings.
"""

from __future__ import annotations

from collections.abc import Iterable

from claimcheck.model import Anchor, Lines, LockEntry, Revision
from claimcheck.outcome import (
    Cosmetic,
    Extent,
    Located,
    Moved,
    Outcome,
    Renamed,
    Spot,
    Unavailable,
    Unchanged,
    spot_of,
)
from claimcheck.terminal import hidden
from claimcheck.texts import NoSource, SourceText, Tree, line_digest
from claimcheck.values import frozen


@frozen
class Unreadable:
    """The file has no text at the revision looked at."""

    source: NoSource


@frozen
class RangeBeyond:
    """A recorded range ends after the file does."""

    region: int
    lines: Lines
    count: int


@frozen
class StringElsewhere:
    """A search string is in none of the `ranges` in one of which it belongs; `hits` says in which lines it is."""

    string: int
    text: str
    hits: tuple[int, ...]
    ranges: tuple[Lines, ...]


@frozen
class StringNowhere:
    """A search string is nowhere in the file."""

    string: int
    text: str


@frozen
class SymbolProblem:
    """The anchor's symbol is not in the file, its regions are not inside it, or it is the region and there are several."""

    symbol: str
    defined: tuple[Lines, ...]


@frozen
class SymbolUnclear:
    """Whether the file defines the anchor's symbol is not known; `reason` says why."""

    symbol: str
    reason: str


@frozen
class Unfindable:
    """A region has no string, no symbol and no fingerprint by which it could be re-found without its old text."""

    region: int


@frozen
class LockDiffers:
    """The lock has another digest for the same lines of the same commit."""

    region: int


@frozen
class NotCarried:
    """At another revision, the region is not simply where it was: its outcome needs a person."""

    region: int
    outcome: Outcome


@frozen
class Deceptive:
    """A line of a region has a character that reorders the text or is not seen; `label` names it."""

    region: int
    line: int
    column: int
    label: str


Problem = (
    Unreadable
    | RangeBeyond
    | StringElsewhere
    | StringNowhere
    | SymbolProblem
    | SymbolUnclear
    | Unfindable
    | LockDiffers
    | NotCarried
    | Deceptive
)


@frozen
class Sighting:
    """An anchor as it was seen.

    `revision` is None when nothing could be read, since the vendor has no such commit here; the vendor's own
    finding says why. `elsewhere` is true when the revision is not the one at which the anchor is cited, and
    `compared` when the text was compared with the text there. `count` is the number of the file's lines.
    """

    anchor: Anchor
    revision: Revision | None
    elsewhere: bool = False
    outcomes: tuple[Outcome, ...] = ()
    problems: tuple[Problem, ...] = ()
    compared: bool = False
    blob: str | None = None
    note: str | None = None
    count: int = 0

    @property
    def stand_in(self) -> bool:
        """Whether a release was looked at in place of the commit that is cited."""
        return self.elsewhere and self.revision is not None and self.revision.release is not None

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Where the regions are, as far as they have a place."""
        return tuple(spot for outcome in self.outcomes if (spot := spot_of(outcome)))

    @property
    def path(self) -> str:
        """The file that was looked at: where the regions were found (the first of them), else the recorded one."""
        return self.spots[0].path if self.spots else self.anchor.path

    @property
    def holds(self) -> bool:
        """Whether what was seen may be shown as what the anchor means: every region has its place, and no doubt."""
        harmless = (Deceptive,) if self.elsewhere else (Deceptive, Unfindable)
        doubts = [problem for problem in self.problems if not isinstance(problem, harmless)]
        return self.revision is not None and not doubts and len(self.spots) == len(self.outcomes) > 0

    @property
    def at_their_lines(self) -> bool:
        """Whether every region is exactly where the registry has it."""
        recorded = [region.lines for region in self.anchor.regions]
        same_file = all(spot.path == self.anchor.path for spot in self.spots)
        return same_file and (not recorded or [spot.lines for spot in self.spots] == recorded)


CARRIED = (Unchanged, Moved, Renamed, Cosmetic)


def recorded_lines(anchor: Anchor, source: SourceText) -> tuple[Lines, ...]:
    """The ranges that the registry has; without any the symbol's, or that of the whole text."""
    if not anchor.regions and anchor.symbol:
        from claimcheck.symbols import region_of

        found = region_of(anchor, source)
        return found if isinstance(found, tuple) and len(found) == 1 else (source.whole,)
    return tuple(region.lines for region in anchor.regions) or (source.whole,)


def sight_at_home(anchor: Anchor, revision: Revision, source: SourceText, lock: LockEntry | None) -> Sighting:
    """See an anchor at the commit at which it is cited."""
    from claimcheck.locking import unfindable

    ranges = recorded_lines(anchor, source)
    problems: list[Problem] = []
    outcomes: list[Outcome] = []
    for index, lines in enumerate(ranges):
        if anchor.regions and lines.last > len(source):
            problems.append(RangeBeyond(index, lines, len(source)))
            outcomes.append(Unavailable(f"the file has {len(source)} lines"))
            continue
        locked = lock.regions[index] if lock and index < len(lock.regions) else None
        if locked and lines == locked.lines and line_digest(source.cut(lines)) != locked.digest:
            problems.append(LockDiffers(index))
        outcomes.append(Unchanged(Spot(anchor.path, lines, locked.symbol if locked else None)))
    if not any(isinstance(problem, RangeBeyond) for problem in problems):
        problems += _string_problems(anchor, source, ranges)
        if anchor.symbol:
            problems += _symbol_problems(anchor, anchor.symbol, source, ranges)
        # A region without a string is not a second finding where a string of its own stands elsewhere.
        if not problems:
            problems += [Unfindable(index) for index in unfindable(anchor, lock, source)]
        problems += _deceptive(source, ranges)
    return Sighting(
        anchor,
        revision,
        outcomes=tuple(outcomes),
        problems=tuple(problems),
        compared=True,
        blob=source.blob,
        note=source.note,
        count=len(source),
    )


def _string_problems(anchor: Anchor, source: SourceText, ranges: tuple[Lines, ...]) -> list[Problem]:
    problems: list[Problem] = []
    number = 0
    for string in anchor.find:
        problems += _string_problem(source, string, number, ranges)
        number += 1
    for region, lines in zip(anchor.regions, ranges, strict=False):
        for string in region.find:
            problems += _string_problem(source, string, number, (lines,))
            number += 1
    return problems


def _string_problem(source: SourceText, string: str, number: int, ranges: tuple[Lines, ...]) -> list[Problem]:
    if any(source.hits(string, lines) for lines in ranges):
        return []
    hits = source.hits(string)
    return [StringElsewhere(number, string, tuple(hits), ranges) if hits else StringNowhere(number, string)]


def _deceptive(source: SourceText, ranges: Iterable[Lines]) -> list[Problem]:
    """The first deceiving character of each line that has one."""
    if source.text.isascii():
        return []
    found: list[Problem] = []
    for region, lines in enumerate(ranges):
        for number in range(lines.first, lines.last + 1):
            line = source.lines[number - 1]
            if not line.isascii():
                found += [Deceptive(region, number, c.column, c.label) for c in hidden(line) if c.deceives][:1]
    return found


def _symbol_problems(anchor: Anchor, symbol: str, source: SourceText, ranges: tuple[Lines, ...]) -> list[Problem]:
    from claimcheck.symbols import definitions, doubt, region_of

    extents = definitions(anchor.path, symbol, source) if anchor.regions else region_of(anchor, source)
    if isinstance(extents, str):
        return [SymbolUnclear(symbol, extents)]
    if not anchor.regions and len(extents) == 1:
        return []
    if anchor.regions and any(all(extent.covers(lines) for lines in ranges) for extent in extents):
        return []
    if anchor.regions and (why := doubt(anchor.path, symbol, source)):
        return [SymbolUnclear(symbol, why)]
    return [SymbolProblem(symbol, extents)]


def sight_elsewhere(
    anchor: Anchor,
    revision: Revision,
    tree: Tree,
    old: SourceText | None,
    lock: LockEntry | None,
    missing: NoSource | None,
    named: bool = True,
) -> Sighting:
    """See an anchor at another revision than the one at which it is cited: re-find its regions there.

    `missing` says why the path cannot be read there, when it cannot. Without `named` text that stayed is not parsed to
    name its symbol.
    """
    from claimcheck.relocate import relocate

    outcomes = relocate(anchor, old, lock, tree, named=named)
    if missing is not None and all(isinstance(outcome, Unavailable) for outcome in outcomes):
        return Sighting(anchor, revision, True, outcomes, (Unreadable(missing),))
    spots = tuple(spot for outcome in outcomes if (spot := spot_of(outcome)))
    paths = {spot.path for spot in spots} or {anchor.path}
    text = tree.text(min(paths)) if len(paths) == 1 else None
    problems: tuple[Problem, ...] = tuple(
        Unfindable(index)
        if isinstance(outcome, Unavailable) and outcome.nothing_to_go_by
        else NotCarried(index, outcome)
        for index, outcome in enumerate(outcomes)
        if not _carries_or_stands_in(outcome)
    )
    if text is not None and len(spots) == len(outcomes):
        ranges = tuple(spot.lines for spot in spots)
        # Elsewhere they may stand for a region that was found without them; a carried one is to keep its own.
        if all(isinstance(outcome, CARRIED) for outcome in outcomes):
            problems += tuple(_string_problems(anchor, text, ranges))
        problems += tuple(_deceptive(text, ranges))
    return Sighting(
        anchor,
        revision,
        True,
        outcomes,
        problems,
        compared=old is not None and all(not isinstance(outcome, Located | Unavailable) for outcome in outcomes),
        blob=text.blob if text else None,
        note=text.note if text else None,
        count=len(text) if text else 0,
    )


def _carries_or_stands_in(outcome: Outcome) -> bool:
    return isinstance(outcome, CARRIED) or (isinstance(outcome, Located) and outcome.singled_out)


def extent_of(outcome: Outcome) -> Extent:
    """How well the two ends of an outcome's place are known; exact where there is no place to doubt."""
    return outcome.to.extent if isinstance(outcome, Located) else Extent.EXACT
