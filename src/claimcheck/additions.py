"""Planning a new anchor: its lines, the strings that single them out, and the changes that add it."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck import locks
from claimcheck.edit import FileChange
from claimcheck.errors import EnvironmentProblem, UsageError
from claimcheck.excerpts import Excerpt, cut, symbols_in
from claimcheck.locking import lock_anchor
from claimcheck.model import Anchor, Lines, Pin, Place, Region, Registry, ReviewState, Revision
from claimcheck.outcome import Spot
from claimcheck.project import Project
from claimcheck.proposals import (
    Target,
    cut_short,
    definition_of,
    propose_strings,
    ranges_of,
    splits,
)
from claimcheck.registry import ANCHORS, edits, make_sure_it_loads
from claimcheck.renaming import check_new_id, check_prefix
from claimcheck.sources import Sources
from claimcheck.syntax import Symbol, outline
from claimcheck.texts import NoSource, SourceText, Why
from claimcheck.values import frozen


@frozen
class Addition:
    """A new anchor with what is shown of it, and the changes that add it.

    `whole` has the definition that a region is, for each region; `short` the first definition that a region
    begins or ends in the middle of. `hits` says for each string in which lines of the file it is.
    """

    anchor: Anchor
    revision: Revision
    excerpt: Excerpt
    whole: tuple[Symbol | None, ...]
    short: Symbol | None
    hits: tuple[tuple[str, tuple[int, ...]], ...]
    after: str | None
    place: Place
    reviewed: bool
    changes: tuple[FileChange, ...]


def plan(
    project: Project,
    registry: Registry,
    sources: Sources,
    id: str,
    target: str,
    *,
    strings: Sequence[str] = (),
    whole: bool = False,
    after: str | None = None,
    commit: str | None = None,
    reviewed: bool = True,
) -> Addition:
    """Plan a new anchor.

    Raises UsageError for an ID or a place that cannot be, EnvironmentProblem without a source, and WriteRefused if the
    registry would not load with it.
    """
    check_new_id(registry, id, Anchor, "an anchor")
    found, revision, source = read_target(registry, sources, target, commit)
    check_prefix(registry, id, found.vendor)
    structure = outline(source.text, found.path)
    ranges = ranges_of(found, source, structure)
    short = next((symbol for lines in ranges if (symbol := cut_short(structure, lines))), None)
    if whole and short is not None:
        ranges = tuple(short.lines if lines.overlaps(short.lines) else lines for lines in ranges)
        short = None
    find = tuple(strings) or _own_string(found, source) or propose_strings(source, ranges, structure)
    _check_strings(find, ranges, source)
    own = Pin(commit) if commit else None
    anchor = Anchor(id, found.vendor, found.path, tuple(Region(lines) for lines in ranges), find, own)
    pin = registry.pin_of(anchor)
    behind = _behind(registry, anchor, after)
    changes, place = _changes(project, registry, anchor, behind, pin, source, reviewed)
    vendor = registry.vendors[found.vendor]
    spots = [Spot(found.path, lines) for lines in ranges]
    review = ReviewState.REVIEWED if reviewed else ReviewState.UNREVIEWED
    excerpt = cut(anchor, vendor, revision, pin, source, spots, ranges, review, symbols_of=symbols_in(structure))
    return Addition(
        anchor,
        revision,
        excerpt,
        tuple(definition_of(structure, lines) for lines in ranges),
        short,
        tuple((string, tuple(source.hits(string))) for string in find),
        behind,
        place,
        reviewed,
        tuple(changes),
    )


def read_target(
    registry: Registry, sources: Sources, target: str, commit: str | None
) -> tuple[Target, Revision, SourceText]:
    """The file that a target is in, at the vendor's pin or another revision: of the ways to read it, the first one there.

    Raises UsageError for a place that cannot be, EnvironmentProblem where the revision cannot be read.
    """
    readings = list(splits(target))
    name = readings[0].vendor
    if name not in registry.vendors:
        raise UsageError.unknown("vendor", name, registry.vendors)
    revision = sources.resolve(name, commit) if commit else sources.pinned(name)
    if isinstance(revision, NoSource):
        raise EnvironmentProblem(
            f"{name}: {revision.message}", place=registry.vendors[name].places["commit"], help=revision.help
        )
    problems: list[NoSource] = []
    for reading in readings:
        source = sources.read(name, revision.commit, reading.path)
        if isinstance(source, SourceText):
            return reading, revision, source
        problems.append(source)
    first = next((problem for problem in problems if problem.why is not Why.PATH_MISSING), problems[0])
    # A missing path is said of the revision, anything else of the path.
    missing = first.why is Why.PATH_MISSING
    where = f"{name} {revision.label}" if missing else f"{readings[0].path} at {name} {revision.label}"
    raise UsageError(f"{where} {first.message}", help=first.help)


def _own_string(target: Target, source: SourceText) -> tuple[str, ...]:
    string = target.string
    return (string,) if string is not None and len(source.hits(string)) == 1 else ()


def _check_strings(find: Sequence[str], ranges: Sequence[Lines], source: SourceText) -> None:
    for string in find:
        if not any(source.hits(string, lines) for lines in ranges):
            hits = source.hits(string)
            where = f"it is at line {', '.join(map(str, hits[:5]))}" if hits else "it is nowhere in the file"
            raise UsageError(f"--find {string!r} is not in those lines; {where}")


def _behind(registry: Registry, anchor: Anchor, after: str | None) -> str | None:
    """The anchor behind which a new one is written: the one named, else the last of the file, else of the vendor."""
    if after is not None:
        if after not in registry.anchors:
            raise UsageError(f"--after {after}: no such anchor")
        return after
    same_vendor = [other for other in registry.anchors.values() if other.vendor == anchor.vendor]
    same_file = [other for other in same_vendor if other.path == anchor.path]
    return (same_file or same_vendor)[-1].id if same_vendor else None


def _changes(
    project: Project,
    registry: Registry,
    anchor: Anchor,
    behind: str | None,
    pin: Pin,
    source: SourceText,
    reviewed: bool,
) -> tuple[list[FileChange], Place]:
    path = registry.anchors[behind].places[""].path if behind else ANCHORS
    editing = edits.editors(project, [path])
    editing[path].add_anchor(anchor, after=behind)
    changes = edits.changes(editing)
    review = ReviewState.REVIEWED if reviewed else ReviewState.UNREVIEWED
    entry = lock_anchor(anchor, pin.text, source, review, pin.text if reviewed else None)
    place = Place(path, _line_of(changes[0].after, anchor.id))
    # The lock first: an interrupted run can be run again as long as the ID is not taken.
    changes.insert(0, locks.update(project, {anchor.id: entry}, locks.gone(registry)))
    make_sure_it_loads(project, changes)
    return changes, place


def _line_of(content: bytes, id: str) -> int | None:
    """The line at which an entry stands in the new text of its file."""
    for number, line in enumerate(content.decode("utf-8").split("\n"), 1):
        if line.lstrip().startswith((f"{id}:", f'"{id}":', f"'{id}':")):
            return number
    return None
