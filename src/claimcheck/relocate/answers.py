"""A place to an outcome: the same text, or which part of it changed."""

from __future__ import annotations

from claimcheck.model import Lines, Watch
from claimcheck.outcome import (
    Change,
    Cosmetic,
    Edited,
    Extent,
    Moved,
    Outcome,
    Renamed,
    Spot,
    Unchanged,
)
from claimcheck.relocate.search import Search
from claimcheck.syntax import outline
from claimcheck.texts import SourceText


def answer(
    search: Search,
    lines: Lines,
    evidence: str,
    confidence: float,
    *,
    extent: Extent = Extent.EXACT,
    renamed: bool = False,
) -> Outcome:
    """The outcome of a place, by what differs in the text there."""
    same = search.new.lines[lines.first - 1 : lines.last] == search.text
    elsewhere = search.path != search.anchor.path
    structure = search.new_outline if search.named or not same or elsewhere else None
    spot = Spot(search.path, lines, structure.describe(lines) if structure else None, extent)
    confidence = round(confidence, 2)
    if not same and search.unparsed:
        evidence += f"; by its text alone, since the file {search.unparsed}"
    if structure and structure.error_overlaps(lines):
        evidence += "; the parser did not understand all of it"
    if structure and not same and structure.error_overlaps(Lines(lines.first - 1, lines.last + 2)):
        # Where the parser is lost a definition may seem to end too early.
        confidence = min(confidence, 0.7)
    if same and not renamed:
        if elsewhere:
            return Renamed(spot, evidence, confidence)
        return Unchanged(spot, evidence, confidence) if lines == search.lines else Moved(spot, evidence, confidence)
    if renamed:
        return Edited(spot, Change.CODE, evidence, confidence)
    return answer_differing(search, spot, evidence, confidence)


def answer_differing(search: Search, spot: Spot, evidence: str, confidence: float) -> Outcome:
    """The outcome of a place where the text is not the same: edited, or cosmetic if what differs is not watched."""
    code, docs, change = difference(search, spot.lines)
    watch = search.anchor.watch or Watch.CODE
    watched = (code and watch is not Watch.DOCS) or (docs and watch is not Watch.CODE)
    if watched:
        return Edited(spot, change, evidence, confidence)
    return Cosmetic(spot, change, not code and change is not Change.DOCSTRING, evidence, confidence)


def difference(search: Search, lines: Lines) -> tuple[bool, bool, Change]:
    """Whether the code differs, whether comments or docstrings do, and what the most serious difference is.

    Without tokens any difference but trailing blanks counts as both.
    """
    before = search.old_outline.tokens(search.lines) if search.old_outline else None
    after = search.new_outline.tokens(lines) if search.new_outline else None
    if before is None or after is None or before.scheme != after.scheme:
        new = search.new.lines[lines.first - 1 : lines.last]
        same = [line.rstrip() for line in search.text] == [line.rstrip() for line in new]
        return (False, False, Change.SPACE) if same else (True, True, Change.CODE)
    code, docstrings = before.code != after.code, before.docstrings != after.docstrings
    comments = before.comments != after.comments
    if code:
        return True, docstrings or comments, Change.CODE
    if docstrings:
        return False, True, Change.DOCSTRING
    return False, comments, Change.COMMENT if comments else Change.SPACE


def describe(text: SourceText, path: str, lines: Lines) -> str | None:
    """The names of the definitions that a range is, or of the one that it lies in."""
    structure = outline(text.text, path)
    return structure.describe(lines) if structure else None
