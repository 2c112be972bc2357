"""The markers that claimcheck reads in documents, and the kinds of blocks: one table.

A marker is a comment on a line of its own: `<!-- claimcheck: excerpt V-POOL region=2 caption="the pool" -->`. Values
hold neither `--` nor `>`, so that a marker ends where every parser of HTML or Markdown says that it ends.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of block. `subject` says in a word what its IDs are; it takes from `least` to `most` of them.

    `numbers` are the keys whose value is a number from 1, `texts` those that take any text.
    """

    name: str
    subject: str = ""
    least: int = 0
    most: int = 0
    numbers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.numbers, *self.texts)


KINDS: tuple[Kind, ...] = (
    Kind("excerpt", "an anchor", 1, 1, numbers=("region", "lines", "width"), texts=("caption",)),
    Kind("footnotes", texts=("title",)),
    Kind("claims", "a lesson", 1, 1, texts=("title",)),
    Kind("example", "an example", 1, 1, texts=("title",)),
    Kind("errata", "a lesson", 0, 1, texts=("title",)),
    Kind("pins", "a vendor", 0, 100),
)
