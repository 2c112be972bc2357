"""What has become of corrections to published text: still open, moved, made, gone, or not here to be looked at."""

from __future__ import annotations

import enum
import html
from collections.abc import Mapping, Sequence

from claimcheck.documents import Document, splice
from claimcheck.edit import Edit, FileChange
from claimcheck.errors import UsageError
from claimcheck.model import Erratum
from claimcheck.passages import Passage, passages
from claimcheck.values import frozen


class State(enum.Enum):
    """What a correction's document says today."""

    OPEN = "open"
    MOVED = "moved"
    FIXED = "fixed"
    GONE = "gone"
    NOT_HERE = "not here"


@frozen
class Standing:
    """A correction and its state. `found` has the places of the quote; of the correction's own words when `fixed`."""

    erratum: Erratum
    state: State
    found: tuple[Passage, ...] = ()

    @property
    def line(self) -> int | None:
        """The line where the passage is today, the nearest to the recorded one."""
        if not self.found:
            return None
        recorded = [line for lines in self.erratum.lines for line in (lines.first, lines.last)]
        return min(
            (one.line for one in self.found), key=lambda line: min((abs(line - at) for at in recorded), default=line)
        )

    @property
    def open(self) -> bool:
        """Whether the passage is still there to be corrected."""
        return self.state in (State.OPEN, State.MOVED)

    @property
    def unexpected(self) -> bool:
        """Whether the document is not here although nothing says that it lives elsewhere."""
        return self.state is State.NOT_HERE and not self.erratum.expected_missing


def standing(erratum: Erratum, document: Document | None) -> Standing:
    """The state of a correction by the document as it is today; None for a document that is not here."""
    if document is None:
        return Standing(erratum, State.NOT_HERE)
    quoted = passages(document, erratum.quote)
    corrected = passages(document, erratum.instead)
    # A correction may repeat what it corrects and add to it.
    left = tuple(one for one in quoted if not any(new.start <= one.start and one.end <= new.end for new in corrected))
    if left:
        here = not erratum.lines or any(one.line in lines for one in left for lines in erratum.lines)
        return Standing(erratum, State.OPEN if here else State.MOVED, left)
    return Standing(erratum, State.FIXED, tuple(corrected)) if corrected else Standing(erratum, State.GONE)


def correct(standings: Sequence[Standing], documents: Mapping[str, Document]) -> list[FileChange]:
    """The changes that put the corrections in the place of what they correct, and touch nothing else.

    Raises UsageError for one that may not or cannot be made: not marked as replaceable, not open, several places, or
    markup inside the passage.
    """
    edits: dict[str, list[Edit]] = {}
    for one in standings:
        edits.setdefault(one.erratum.lesson, []).append(_edit(one, documents))
    return [splice(documents[path], made) for path, made in edits.items()]


def _edit(one: Standing, documents: Mapping[str, Document]) -> Edit:
    erratum = one.erratum
    place = erratum.places[""]
    if not erratum.replaceable:
        raise UsageError(
            f"{erratum.id}: its author has not said that the passage may be replaced",
            place=place,
            help=f"replaceable: true    or change {erratum.lesson} by hand",
        )
    if not one.open:
        raise UsageError(f"{erratum.id}: there is nothing to replace: {one.state.value}", place=place)
    recorded = [found for found in one.found if any(found.line in lines for lines in erratum.lines)]
    choice = recorded if len(recorded) == 1 else one.found
    if len(choice) > 1:
        lines = ", ".join(str(found.line) for found in choice)
        raise UsageError(
            f"{erratum.id}: the quote stands in {len(choice)} places of {erratum.lesson} (lines {lines})",
            place=erratum.places["quote"],
            help="a longer quote, or the line of the one that is meant",
        )
    passage = choice[0]
    document = documents[erratum.lesson]
    if not passage.plain:
        raise UsageError(
            f"{erratum.id}: there is markup inside the passage, which a replacement would lose",
            place=document.place(passage.start),
            help="change it by hand",
        )
    return Edit(passage.start, passage.end, _written(document, erratum.instead))


def _written(document: Document, text: str) -> str:
    """The correction as the document's format writes text; Markdown is written by the author as it stands."""
    return html.escape(text, quote=False) if document.format == "html" else text
