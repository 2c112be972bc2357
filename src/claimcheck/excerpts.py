"""Excerpts: the lines that an anchor cites, cut from a text, with all that is said beside them.

`cut` never moves an end of a range to make it fit: a range that the file does not have is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from claimcheck.errors import ClaimcheckError, UsageError
from claimcheck.forges import NoLink, permalink, swhid
from claimcheck.library import Sentence
from claimcheck.model import (
    Anchor,
    Citing,
    Claim,
    Erratum,
    Example,
    Lines,
    Pin,
    Place,
    Release,
    ReviewState,
    Revision,
    Vendor,
)
from claimcheck.outcome import Extent, Spot
from claimcheck.terminal import hidden
from claimcheck.texts import SourceText
from claimcheck.values import frozen

if TYPE_CHECKING:
    from claimcheck.syntax import Outline

LONGEST_LINE = 2000
_MOST_NAMES = 8
_MOST_PLACES = 3
_MOST_CHARACTERS = 5

# What Markdown renderers and Pygments both call the language of a file.
LANGUAGES = {
    "bash": "bash",
    "bzl": "python",
    "c": "c",
    "cc": "cpp",
    "cfg": "ini",
    "cmake": "cmake",
    "cpp": "cpp",
    "cs": "csharp",
    "css": "css",
    "cu": "cuda",
    "cuh": "cuda",
    "cxx": "cpp",
    "go": "go",
    "h": "cpp",
    "hh": "cpp",
    "hpp": "cpp",
    "html": "html",
    "hxx": "cpp",
    "ini": "ini",
    "java": "java",
    "jl": "julia",
    "js": "javascript",
    "json": "json",
    "kt": "kotlin",
    "lua": "lua",
    "md": "markdown",
    "mk": "make",
    "php": "php",
    "proto": "protobuf",
    "py": "python",
    "pyi": "python",
    "pyx": "cython",
    "rb": "ruby",
    "rs": "rust",
    "scala": "scala",
    "sh": "bash",
    "sql": "sql",
    "swift": "swift",
    "toml": "toml",
    "ts": "typescript",
    "tsx": "tsx",
    "xml": "xml",
    "yaml": "yaml",
    "yml": "yaml",
    "zig": "zig",
}
_NAMED_FILES = {"cmakelists.txt": "cmake", "dockerfile": "docker", "makefile": "make"}


class NotInFile(ClaimcheckError):
    """The text does not have the lines that are to be shown, so nothing is."""

    exit_code = 1


@frozen
class CitedBy:
    """An entry that cites an anchor: its ID and what it says."""

    id: str
    text: str


@frozen
class ExcerptRegion:
    """A region's lines as they are in the text.

    `recorded` is what the registry has, or None for a whole file. `symbols` names the definitions that the
    region is, or the one that it lies in. `before` and `after` are lines of context.
    """

    lines: Lines
    text: tuple[str, ...]
    recorded: Lines | None
    symbols: tuple[str, ...]
    outcome: str
    extent: Extent
    before: tuple[str, ...]
    after: tuple[str, ...]
    link: str | NoLink
    swhid: str

    @property
    def shown(self) -> Lines:
        """The lines with their context."""
        return Lines(self.lines.first - len(self.before), self.lines.last + len(self.after))

    @property
    def differs(self) -> bool:
        """Whether the text is known to be another than the one that is cited."""
        return self.outcome in ("edited", "cosmetic")

    def numbered(self) -> list[tuple[int, str, bool]]:
        """Every line shown with its number, and whether the anchor cites it or it is context."""
        texts = (*self.before, *self.text, *self.after)
        return [(n, text, n in self.lines) for n, text in enumerate(texts, self.shown.first)]


@frozen
class Seen:
    """What was looked at for an anchor: which file of which vendor at which revision, and what is pinned."""

    id: str
    vendor: str
    revision: Revision
    pin: Pin
    path: str
    recorded_path: str
    whole: bool

    @property
    def at_pin(self) -> bool:
        if self.pin.version is not None:
            return self.revision.release is not None and self.revision.release.version == self.pin.version
        return self.revision.release is None and self.revision.commit == self.pin.text

    @property
    def stand_in(self) -> bool:
        """Whether a release was looked at in place of what is pinned."""
        return self.revision.release is not None and not self.at_pin

    @property
    def source(self) -> str:
        """`vllm f08e0be3 (v0.33.0)`, or `vllm 0.33.0 (source archive, sha256 f4c3…)`."""
        release = self.revision.release
        return f"{self.vendor} {archive_label(release) if release else self.revision.label}"

    @property
    def standing(self) -> str:
        """What is pinned, when something else was looked at; else nothing."""
        if self.at_pin:
            return ""
        return f"stand-in for {self.pin.short}" if self.stand_in else f"pinned at {self.pin.short}"


@frozen
class Excerpt:
    """An anchor's regions as text. `cited_by` is None when nobody asked who cites the anchor."""

    seen: Seen
    review: ReviewState
    blob: str
    regions: tuple[ExcerptRegion, ...]
    note: str | None = None
    cited_by: tuple[CitedBy, ...] | None = None

    @property
    def id(self) -> str:
        return self.seen.id

    @property
    def gaps(self) -> tuple[int, ...]:
        """How many lines are left out between each region and the next one; 0 where the next is not below."""
        pairs = zip(self.regions, self.regions[1:], strict=False)
        return tuple(max(0, later.shown.first - earlier.shown.last - 1) for earlier, later in pairs)

    @property
    def language(self) -> str | None:
        return language_of(self.seen.path)


def citing(entries: Iterable[Citing], sentences: Iterable[Sentence] = ()) -> tuple[CitedBy, ...]:
    """The entries with what they say: a claim's text, an example's title, what an erratum puts in the place.

    Then the sentences of documents, each with its place as its ID.
    """
    said = []
    for entry in entries:
        match entry:
            case Claim():
                said.append(CitedBy(entry.id, entry.text))
            case Example():
                said.append(CitedBy(entry.id, entry.title))
            case Erratum():
                said.append(CitedBy(entry.id, entry.instead))
    said += [CitedBy(str(sentence.place), sentence.text) for sentence in sentences]
    return tuple(said)


def archive_label(release: Release) -> str:
    """`0.33.0 (source archive, sha256 f4c3…)`; without a checksum where none is declared."""
    checksum = f", sha256 {release.sha256[:4]}…" if release.sha256 else ""
    return f"{release.version} (source archive{checksum})"


def language_of(path: str) -> str | None:
    """The language of a file by its name, as Markdown and Pygments call it."""
    name = path.rpartition("/")[2].lower()
    return _NAMED_FILES.get(name) or LANGUAGES.get(name.rpartition(".")[2])


def cut(
    anchor: Anchor,
    vendor: Vendor,
    revision: Revision,
    pin: Pin,
    source: SourceText,
    spots: Sequence[Spot],
    recorded: Sequence[Lines],
    review: ReviewState,
    *,
    context: int = 0,
    region: int | None = None,
    symbols_of: Callable[[Lines], Sequence[str]] | None = None,
    outcomes: Sequence[str] | None = None,
    cited_by: Sequence[CitedBy] | None = None,
) -> Excerpt:
    """The excerpt of an anchor from the text in which its spots are.

    `symbols_of` names the definitions that a range covers whole; where it names none, the spot's symbol stands.
    `region` counts from 1 and leaves only that one. `context` adds so many lines on each side, as far as the
    file and the next region allow. `outcomes` has the outcome's name for each spot; without it a region is
    `unchanged` at the pin and `located` elsewhere. Raises NotInFile for lines that the file does not have.
    """
    seen = seen_at(anchor, vendor, revision, pin, spots)
    names = outcomes or ["unchanged" if seen.at_pin else "located"] * len(spots)
    chosen = chosen_regions(anchor, region)
    ranges = [spot.lines for spot in spots]
    for index in chosen:
        require_lines(seen, anchor, index, ranges[index], source)
    sides = _context(source, [ranges[index] for index in chosen], context)
    regions = []
    for index, (before, after) in zip(chosen, sides, strict=True):
        spot, lines = spots[index], ranges[index]
        cited = None if seen.whole else lines
        regions.append(
            ExcerptRegion(
                lines=lines,
                text=_texts(source, lines),
                recorded=recorded[index] if not seen.whole and index < len(recorded) else None,
                symbols=() if seen.whole else _symbols(spot, symbols_of),
                outcome=names[index],
                extent=spot.extent,
                before=_texts(source, before),
                after=_texts(source, after),
                link=permalink(vendor, revision, seen.path, cited),
                swhid=swhid(vendor, revision, source.blob, seen.path, cited),
            )
        )
    citing = None if cited_by is None else tuple(cited_by)
    return Excerpt(seen, review, source.blob, tuple(regions), source.note, citing)


def symbols_in(structure: Outline | None) -> Callable[[Lines], Sequence[str]]:
    """What `cut` asks for the names of a range, answered by the structure of the text, if there is one."""

    def names(lines: Lines) -> Sequence[str]:
        described = structure.describe(lines) if structure else None
        if structure is None or described is None:
            return ()
        whole = tuple(symbol.name for symbol in structure.inside(lines))
        return whole if described == ", ".join(whole) else (described,)

    return names


def seen_at(anchor: Anchor, vendor: Vendor, revision: Revision, pin: Pin, spots: Sequence[Spot]) -> Seen:
    """What was looked at; raises NotInFile when an anchor's regions are no longer in one file."""
    paths = sorted({spot.path for spot in spots})
    if len(paths) > 1:
        raise NotInFile(
            f"{anchor.id}: its regions are in {len(paths)} files at {vendor.name} {revision.label}: {', '.join(paths)}",
            place=anchor.places["path"],
            help="one anchor for each file",
        )
    path = paths[0] if paths else anchor.path
    return Seen(anchor.id, vendor.name, revision, pin, path, anchor.path, whole=anchor.whole_file)


def chosen_regions(anchor: Anchor, region: int | None) -> range:
    """The indexes of the regions asked for: all, or the one with a number that counts from 1."""
    count = max(1, len(anchor.regions))
    if region is None:
        return range(count)
    if not 1 <= region <= count:
        has = "one region" if count == 1 else f"{count} regions"
        raise UsageError(f"{anchor.id} has {has}; there is no region {region}", place=anchor.places["lines"])
    return range(region - 1, region)


def require_lines(seen: Seen, anchor: Anchor, index: int, lines: Lines, source: SourceText) -> None:
    """Raise NotInFile unless the text has the lines; an empty file has the whole of itself, `1-0`."""
    if 1 <= lines.first <= lines.last <= len(source) or (seen.whole and lines == source.whole):
        return
    count = f"{len(source)} line" if len(source) == 1 else f"{len(source)} lines"
    if "\r" in source.text and "\n" not in source.text:
        count += " (CR-only line ends; git and GitHub do not split them)"
    raise NotInFile(
        f"{seen.id}: lines {lines} of {seen.path} at {seen.source}: the file has {count}",
        place=_place_of(anchor, index),
        help=f"claimcheck verify {seen.id}    says where its search strings are",
    )


def _place_of(anchor: Anchor, index: int) -> Place:
    return anchor.places[f"regions.{index}.lines" if anchor.long_form else f"lines.{index}"]


def _symbols(spot: Spot, symbols_of: Callable[[Lines], Sequence[str]] | None) -> tuple[str, ...]:
    covered = tuple(symbols_of(spot.lines)) if symbols_of else ()
    return covered or (tuple(spot.symbol.split(", ")) if spot.symbol else ())


def _texts(source: SourceText, lines: Lines) -> tuple[str, ...]:
    return source.lines[lines.first - 1 : lines.last] if len(lines) else ()


def _context(source: SourceText, ranges: Sequence[Lines], size: int) -> list[tuple[Lines, Lines]]:
    """The lines before and after each range; no line is shown twice and none that the file does not have."""
    taken = {line for lines in ranges for line in range(lines.first, lines.last + 1)} if size else set()
    sides = []
    for lines in ranges:
        first, last = lines.first, lines.last
        while lines.first - first < size and first > 1 and first - 1 not in taken:
            first -= 1
        while last - lines.last < size and last < len(source) and last + 1 not in taken:
            last += 1
        taken |= set(range(first, last + 1)) if size else set()
        sides.append((Lines(first, lines.first - 1), Lines(lines.last + 1, last)))
    return sides


def ranges_label(ranges: Sequence[Lines]) -> str:
    """`706-740, 792-849`."""
    return ", ".join(str(lines) for lines in ranges)


def lines_label(ranges: Sequence[Lines]) -> str:
    """`line 7`, or `lines 706-740, 792-849`."""
    return f"{'line' if len(ranges) == 1 and len(ranges[0]) == 1 else 'lines'} {ranges_label(ranges)}"


def place_label(seen: Seen, found: Sequence[Lines], recorded: Sequence[Lines | None]) -> str:
    """The path, and away from the pin also where the lines are and where the registry has them."""
    if seen.at_pin:
        return seen.path
    here = "whole file" if seen.whole else lines_label(found)
    there = [lines for lines in recorded if lines is not None]
    registry = [] if seen.path == seen.recorded_path else [seen.recorded_path]
    registry += [ranges_label(there)] if there else []
    return f"{seen.path} ({here}; registry {' '.join(registry)})" if registry else f"{seen.path} ({here})"


def symbols_label(symbols: Sequence[str]) -> str:
    """The names, the first few of many."""
    more = len(symbols) - _MOST_NAMES
    return ", ".join(symbols[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def remark(region: ExcerptRegion) -> str:
    """What the reader has to know of a region that is not simply the cited text; else nothing."""
    if region.extent is Extent.GUESSED:
        return "ends guessed: as many lines as the registry has"
    return region.outcome if region.differs else ""


def shortened(line: str) -> tuple[str, str]:
    """A line's beginning and, if something was left out, the note that says how much."""
    more = len(line) - LONGEST_LINE
    return (line, "") if more <= 0 else (line[:LONGEST_LINE], f"[… {more:,} more characters]")


def notes(excerpt: Excerpt) -> list[str]:
    """What is to be said below the code: how it was decoded, and which characters are shown as escapes."""
    found = [] if excerpt.note is None else [excerpt.note]
    places = hidden_places(excerpt)
    for label, at in places[:_MOST_CHARACTERS]:
        more = f" and {len(at) - _MOST_PLACES} more" if len(at) > _MOST_PLACES else ""
        found.append(f"{label} at {', '.join(at[:_MOST_PLACES])}{more}: shown escaped")
    if len(places) > _MOST_CHARACTERS:
        found.append(f"{len(places) - _MOST_CHARACTERS} more kinds of hidden characters: shown escaped")
    return found


def hidden_places(excerpt: Excerpt) -> list[tuple[str, list[str]]]:
    """The characters of the lines shown that are written as escapes, and where each stands as `LINE:COLUMN`."""
    places: dict[str, list[str]] = {}
    for region in excerpt.regions:
        for number, text, _ in region.numbered():
            for character in hidden(shortened(text)[0]):
                places.setdefault(character.label, []).append(f"{number}:{character.column}")
    return list(places.items())
