"""Which definition an anchor's `symbol` is, in the text where the anchor is cited."""

from __future__ import annotations

from claimcheck.grammars import grammar_for, load
from claimcheck.model import Anchor, Lines
from claimcheck.syntax import outline
from claimcheck.texts import SourceText


def definitions(path: str, symbol: str, text: SourceText) -> tuple[Lines, ...] | str:
    """Where a file defines a symbol, or why that is not known: what the parser did not understand is not called absent."""
    structure = outline(text.text, path)
    if structure is None:
        return _without_grammar(path)
    if structure.problem:
        return f"{path} {structure.problem}"
    defined = tuple(definition.lines for definition in structure.named(symbol))
    unparsed = structure.unparsed(symbol)
    if unparsed and not defined:
        more = f" and {len(unparsed) - 1} more" if len(unparsed) > 1 else ""
        return f"{path} has parse errors where it is named, in line {unparsed[0]}{more}"
    return defined


def doubt(path: str, symbol: str, text: SourceText) -> str | None:
    """Why it is not known how far a definition of a symbol reaches, if it is not."""
    structure = outline(text.text, path)
    for definition in structure.named(symbol) if structure else ():
        if structure and (line := structure.lost_in(definition)):
            return f"{path} has parse errors in line {line}, so it is not known where {definition.name} ends"
    return None


def region_of(anchor: Anchor, text: SourceText) -> tuple[Lines, ...] | str:
    """The definitions that an anchor without ranges can mean, one if it is clear; its strings choose among several.

    Or why that is not known.
    """
    symbol = anchor.symbol or ""
    found = definitions(anchor.path, symbol, text)
    if isinstance(found, str):
        return found
    if why := doubt(anchor.path, symbol, text):
        return why
    held = tuple(lines for lines in found if any(text.hits(string, lines) for string in anchor.find))
    if held:
        return held
    # A second head of the same body, in another `#if` branch, is a definition that the parser did not see.
    structure = outline(text.text, anchor.path)
    heads = structure.unparsed(symbol) if structure and found else ()
    return tuple(sorted((*found, *(Lines(line, line) for line in heads))))


def _without_grammar(path: str) -> str:
    grammar = grammar_for(path)
    loaded = load(grammar.name) if grammar else None
    return loaded if isinstance(loaded, str) else f"there is no grammar for {path}"
