"""What differs between two runs of lines, in bounded time whatever the lines are.

`difflib` takes a time that grows with the square of the lines that are equal to each other, and files of strangers may
have as many of these as they like.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimcheck.alignment import join
from claimcheck.values import frozen


@frozen
class Stretch:
    """Lines `old_start` to `old_end` of one side, and `new_start` to `new_end` of the other; the ends are exclusive."""

    equal: bool
    old_start: int
    old_end: int
    new_start: int
    new_end: int


def stretches(old: Sequence[str], new: Sequence[str]) -> Iterator[Stretch]:
    """The stretches of equal lines and, between them, those of lines that are on one side only, in order."""
    pairs = [(o, n - 1) for o, n in enumerate(join(tuple(old), tuple(new)).target) if n is not None]
    o = n = done = 0
    while done < len(pairs):
        start_o, start_n = pairs[done]
        if (o, n) != (start_o, start_n):
            yield Stretch(False, o, start_o, n, start_n)
        o, n = start_o, start_n
        while done < len(pairs) and pairs[done] == (o, n):
            o, n, done = o + 1, n + 1, done + 1
        yield Stretch(True, start_o, o, start_n, n)
    if (o, n) != (len(old), len(new)):
        yield Stretch(False, o, len(old), n, len(new))
