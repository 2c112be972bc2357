"""What `add` proposes: the lines that a target means, and the shortest strings that single a region out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claimcheck.errors import UsageError
from claimcheck.model import Lines, in_order
from claimcheck.syntax import Outline, Symbol
from claimcheck.texts import DASHES, SourceText
from claimcheck.values import frozen

TOKEN = re.compile(r"\w+|[^\w\s]")
NUMBERS = re.compile(rf"[\d\s,{re.escape(DASHES)}]+")
LONGEST_PHRASE = 6
LONGEST_STRING = 100
MOST_LINES = 400


@frozen
class Target:
    """What a new anchor is to mean: the rest of `VENDOR:PATH:REST`, read as lines, a quoted string, or a symbol."""

    vendor: str
    path: str
    rest: str

    @property
    def string(self) -> str | None:
        """The string of `VENDOR:PATH:"string"`."""
        quoted = len(self.rest) > 1 and self.rest[0] == self.rest[-1] == '"'
        return self.rest[1:-1] if quoted else None

    @property
    def ranges(self) -> tuple[Lines, ...] | None:
        """The lines of `VENDOR:PATH:681-714,744-830`; raises UsageError for ranges that cannot be."""
        return parse_ranges(self.rest)


def parse_ranges(text: str) -> tuple[Lines, ...] | None:
    """The ranges of `681-714, 744-830`, or None for what is no list of ranges; raises UsageError for impossible ones."""
    parsed = [Lines.parse(part.strip()) for part in text.split(",")]
    ranges = tuple(lines for lines in parsed if lines is not None)
    if len(ranges) < len(parsed):
        return None
    if not in_order(ranges):
        raise UsageError(f"lines {text}: ranges ascend and do not overlap", help="681-714,744-830")
    return ranges


def splits(target: str) -> Iterator[Target]:
    """The ways in which `VENDOR:PATH:REST` can be read, shortest path first: paths and symbols may hold colons."""
    vendor, colon, after = target.partition(":")
    if not colon or not vendor or not after:
        raise UsageError(
            f"{target} is no place", help='VENDOR:PATH:LINES, VENDOR:PATH:SYMBOL or VENDOR:PATH:"text"; quote it'
        )
    found = False
    for match in re.finditer(":", after):
        path, rest = after[: match.start()], after[match.end() :]
        if path and rest and not rest.startswith(":") and not path.endswith(":"):
            found = True
            yield Target(vendor, path, rest)
    if not found:
        raise UsageError(
            f"{target} has no lines, symbol or text after the path",
            help=f"{target}:10-20, {target}:Class.method or '{target}:\"text\"'",
        )


def ranges_of(target: Target, source: SourceText, structure: Outline | None) -> tuple[Lines, ...]:
    """The lines that a target means in a text; raises UsageError where it means none or several places."""
    ranges = target.ranges
    if ranges is not None:
        if ranges[-1].last > len(source):
            raise UsageError(f"{target.path} has {len(source)} lines, not {ranges[-1].last}")
        return ranges
    if NUMBERS.fullmatch(target.rest):
        raise UsageError(f"{target.rest} is no range of lines, which count from 1", help="681-714 or 681-714,744-830")
    if target.string is not None:
        return (_lines_of_string(target.string, source, structure),)
    return (_lines_of_symbol(target, structure),)


def _lines_of_string(string: str, source: SourceText, structure: Outline | None) -> Lines:
    hits = source.hits(string) if string.strip() else []
    if not hits:
        raise UsageError(f'"{string}" is nowhere in the file')
    if len(hits) > 1:
        more = ", …" if len(hits) > 5 else ""
        raise UsageError(
            f'"{string}" is in {len(hits)} lines: {", ".join(map(str, hits[:5]))}{more}',
            help="give the lines, or a longer text",
        )
    named = [symbol for symbol in structure.symbols if symbol.name_line == hits[0]] if structure else []
    return named[0].lines if named else Lines(hits[0], hits[0])


def _lines_of_symbol(target: Target, structure: Outline | None) -> Lines:
    if structure is None:
        raise UsageError(
            f"no grammar reads {target.path}, so it has no symbols", help="give lines, or a text in quotes"
        )
    found = structure.named(target.rest)
    if len(found) == 1:
        return found[0].lines
    if found:
        places = ", ".join(str(symbol.lines) for symbol in found)
        raise UsageError(
            f"{target.rest} is defined {len(found)} times in {target.path}: {places}", help="give the lines"
        )
    import difflib

    names = [symbol.name for symbol in structure.symbols]
    near = difflib.get_close_matches(target.rest, names, n=1, cutoff=0.5)
    raise UsageError(
        f"{target.path} defines no {target.rest}" + (f"; did you mean {near[0]}?" if near else ""),
        help="give lines, or a text in quotes",
    )


def definition_of(structure: Outline | None, lines: Lines) -> Symbol | None:
    """The definition that a range is, to the line."""
    if structure is None:
        return None
    return next((symbol for symbol in structure.inside(lines) if symbol.lines == lines), None)


def cut_short(structure: Outline | None, lines: Lines) -> Symbol | None:
    """The smallest definition that begins in a range and ends after it, or begins before it and ends in it.

    None for a range that is one or several whole definitions, though it may be the end of the class around them.
    """
    if structure is None:
        return None
    inside = structure.inside(lines)
    if inside and (inside[0].lines.first, inside[-1].lines.last) == (lines.first, lines.last):
        return None
    for symbol in sorted(structure.symbols, key=lambda symbol: len(symbol.lines)):
        begins, ends = symbol.lines.first in lines, symbol.lines.last in lines
        if begins != ends and len(symbol.lines) > 1:
            return symbol
    return None


def propose_strings(source: SourceText, ranges: Sequence[Lines], structure: Outline | None) -> tuple[str, ...]:
    """For each range the shortest string that only one line of the file has, and that line is in the range.

    The head of a definition that the range is (`def touch`) comes before shorter words, since it says most. A
    range in which no string is unique gets none.
    """
    found = (_propose(source, lines, structure) for lines in ranges)
    return tuple(string for string in found if string is not None)


def _propose(source: SourceText, lines: Lines, structure: Outline | None) -> str | None:
    for symbol in structure.inside(lines) if structure else ():
        head = _head(source, symbol)
        if head is not None and source.hits(head) == [symbol.name_line]:
            return head
    return _shortest_unique(source, lines)


def _head(source: SourceText, symbol: Symbol) -> str | None:
    line = source.lines[symbol.name_line - 1]
    end = re.search(rf"(?<!\w){re.escape(symbol.last_name)}(?!\w)", line)
    head = line[: end.end()].strip() if end else ""
    return head if 3 <= len(head) <= LONGEST_STRING else None


def _shortest_unique(source: SourceText, lines: Lines) -> str | None:
    """The shortest phrase of a few tokens that one line of the file has; of equals the first."""
    seen: dict[str, int] = {}
    for number, line in enumerate(source.lines, 1):
        for phrase in set(_phrases(line)):
            seen[phrase] = -1 if phrase in seen and seen[phrase] != number else number
    last = min(lines.last, lines.first + MOST_LINES - 1)
    candidates = [
        (len(phrase), number, phrase)
        for number in range(lines.first, last + 1)
        for phrase in _phrases(source.lines[number - 1])
        if seen.get(phrase) == number
    ]
    # A phrase is unique among phrases; as a string it might still be a part of a longer word elsewhere.
    for _, number, phrase in sorted(candidates):
        if source.hits(phrase) == [number]:
            return phrase
    return None


def _phrases(line: str) -> Iterator[str]:
    tokens = list(TOKEN.finditer(line[:500]))
    for start, first in enumerate(tokens):
        if not re.match(r"\w{2}", first.group()):
            continue
        for last in tokens[start : start + LONGEST_PHRASE]:
            phrase = line[first.start() : last.end()]
            if len(re.sub(r"\s", "", phrase)) >= 5 and len(phrase) <= LONGEST_STRING:
                yield phrase
