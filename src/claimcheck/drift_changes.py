"""What a change has done to a region, in the words of its code: which definitions, their heads, their docstrings.

Asked only for what somebody has to read, since both texts are parsed for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claimcheck.corpus import Corpus
from claimcheck.differences import stretches
from claimcheck.drift import AnchorDrift, RegionDrift, old_text
from claimcheck.model import Lines, Revision
from claimcheck.outcome import Change, Edited
from claimcheck.syntax import Outline, Symbol, outline
from claimcheck.texts import SourceText
from claimcheck.values import frozen

MOST_SYMBOLS = 6


@frozen
class Changes:
    """The definitions that have changed lines, from top to bottom, and what else a reader wants to know of them.

    `was` is the former name of a definition that is called otherwise now, `head` says that what stands in front of
    the body changed, `docstring` that a docstring did beside the code.
    """

    symbols: tuple[str, ...] = ()
    was: str | None = None
    head: str | None = None
    docstring: bool = False


NO_CHANGES = Changes()


@frozen
class _Side:
    """A text with the region's lines in it."""

    source: SourceText
    lines: Lines
    structure: Outline | None

    @property
    def texts(self) -> Sequence[str]:
        return self.source.lines[self.lines.first - 1 : self.lines.last]

    def around(self, line: int) -> Symbol | None:
        return self.structure.innermost(Lines(line, line)) if self.structure else None


def changes_in(corpus: Corpus, one: AnchorDrift, region: RegionDrift, target: Revision) -> Changes:
    """The changes of a region; of one that was not edited only the name of its symbol, if that is known."""
    spot = region.spot
    named = Changes((spot.symbol,) if spot and spot.symbol else ())
    if spot is None or not isinstance(region.outcome, Edited):
        return named
    old, new = old_text(corpus, one.anchor), corpus.sources.read(one.anchor.vendor, target.commit, spot.path)
    if old is None or not isinstance(new, SourceText) or region.lines.last > len(old) or spot.lines.last > len(new):
        return named
    before = _Side(old, region.lines, outline(old.text, region.path))
    after = _Side(new, spot.lines, outline(new.text, spot.path))
    symbols = tuple(dict.fromkeys(_changed(before, after)))[:MOST_SYMBOLS] or named.symbols
    docstring = region.outcome.change is Change.CODE and _docstrings(before) != _docstrings(after)
    return Changes(symbols, _renamed(before, after), _head(before, after, symbols), docstring)


def _changed(before: _Side, after: _Side) -> Iterator[str]:
    """The name of the definition around each line that differs; blank lines belong to nobody."""
    for one in stretches(before.texts, after.texts):
        if one.equal:
            continue
        old, new = range(one.old_start, one.old_end), range(one.new_start, one.new_end)
        side, numbers = (after, new) if new else (before, old)
        for n in numbers:
            if side.texts[n].strip() and (symbol := side.around(side.lines.first + n)):
                yield symbol.name


def _docstrings(side: _Side) -> tuple[str, ...]:
    tokens = side.structure.tokens(side.lines) if side.structure else None
    return tokens.docstrings if tokens else ()


def _renamed(before: _Side, after: _Side) -> str | None:
    """The former name of the one definition that each side is, if the name is another and is not there any more."""
    old, new = (_whole(side) for side in (before, after))
    if old is None or new is None or old.last_name == new.last_name:
        return None
    return old.name if after.structure and not after.structure.exactly(old.name) else None


def _whole(side: _Side) -> Symbol | None:
    inside = side.structure.inside(side.lines) if side.structure else ()
    return inside[0] if len(inside) == 1 else None


def _head(before: _Side, after: _Side, symbols: Sequence[str]) -> str | None:
    """What changed in front of the body of the one definition that changed, if both sides have that definition's head."""
    if len(symbols) != 1 or before.structure is None or after.structure is None:
        return None
    old, new = (side.structure.exactly(symbols[0]) for side in (before, after) if side.structure)
    if len(old) != 1 or len(new) != 1:
        return None
    if not (before.lines.covers(_head_lines(old[0])) and after.lines.covers(_head_lines(new[0]))):
        return None
    if _bare(old[0].signature) != _bare(new[0].signature):
        return "signature changed"
    above = [
        _bare("\n".join(side.source.lines[n - 1] for n in _head_lines_above(symbol)))
        for side, symbol in ((before, old[0]), (after, new[0]))
    ]
    if above[0] == above[1]:
        return None
    return "template parameters changed" if "template" in above[0] + above[1] else "what stands above its name changed"


def _head_lines(symbol: Symbol) -> Lines:
    return Lines(symbol.lines.first, symbol.name_line)


def _head_lines_above(symbol: Symbol) -> range:
    return range(symbol.lines.first, symbol.name_line)


def _bare(text: str) -> str:
    """A signature without white space and without a comma before its last bracket."""
    return re.sub(r",(?=\)$)", "", re.sub(r"\s+", "", text))
