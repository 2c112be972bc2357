"""The words that the forms have in common."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from claimcheck.checks.dialects import Definition, Kind
from claimcheck.checks.result import Hit
from claimcheck.phrases import listed

MOST_HITS = 3
LONGEST = 80


def quoted(code: str) -> str:
    """Code in a sentence."""
    text = " ".join(code.split())
    return f"`{text if len(text) <= LONGEST else text[:LONGEST] + '…'}`"


def place_said(hit: Hit, several_files: bool) -> str:
    """`line 5`, or `lib/pool.py:5` where several files are looked at."""
    return f"{hit.path}:{hit.line}" if several_files else f"line {hit.line}"


def lines_said(hits: Sequence[Hit]) -> str:
    """`line 5`, `lines 5, 9 and 12`, or with their files `a.py:5 and b.py:9`."""
    if len({hit.path for hit in hits}) > 1:
        places = list(dict.fromkeys(place_said(hit, True) for hit in hits))
        more = len(places) - MOST_HITS
        return f"{', '.join(places[:MOST_HITS])} and {more} more" if more > 0 else listed(places)
    numbers = list(dict.fromkeys(str(hit.line) for hit in hits))
    if len(numbers) > MOST_HITS:
        return f"lines {', '.join(numbers[:MOST_HITS])} and {len(numbers) - MOST_HITS} more"
    return f"line {numbers[0]}" if len(numbers) == 1 else f"lines {listed(numbers)}"


KINDS = {
    Kind.FUNCTION: "a function",
    Kind.CLASS: "a class",
    Kind.PARAMETER: "a parameter",
    Kind.FIELD: "a field",
    Kind.CONSTANT: "a constant",
    Kind.MEMBER: "an enumerator",
    Kind.MACRO: "a macro",
    Kind.VARIABLE: "a variable",
    Kind.IMPORT: "an import",
}


def near_names(name: str, definitions: Iterable[Definition]) -> list[Definition]:
    """The definitions whose names come nearest to one, nearest first, each name once."""
    by_name: dict[str, Definition] = {}
    for definition in definitions:
        by_name.setdefault(definition.name, definition)
    holding = [other for other in by_name if other != name and (name in other or (len(other) > 3 and other in name))]
    similar = difflib.get_close_matches(name, by_name, n=2, cutoff=0.75)
    return [by_name[other] for other in dict.fromkeys([*sorted(holding, key=len), *similar])]


def near_paths(wanted: str, paths: Iterable[str]) -> str | None:
    """The path of the same name in another folder, or of the most similar name."""
    known = list(paths)
    name = wanted.rpartition("/")[2]
    same = [path for path in known if path.rpartition("/")[2] == name]
    close = difflib.get_close_matches(wanted, known, n=1, cutoff=0.75)
    return same[0] if same else close[0] if close else None
