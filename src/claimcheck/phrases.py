"""Words for numbers, lists and ranges, as every sentence of ours has them."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.model import Lines


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """`1 anchor`, `3 anchors`, `2 entries`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(items: Sequence[object], most: int = 6) -> str:
    """`1, 2 and 3`; long lists end in `and n more`."""
    words = [str(item) for item in items]
    if len(words) > most:
        return ", ".join(words[:most]) + f" and {len(words) - most} more"
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" and {words[-1]}" if words else "none"


def first_of(numbers: Sequence[object], most: int = 10) -> str:
    """`1, 2, 3`; long lists end in `and n more`."""
    return listed(numbers, most) if len(numbers) > most else ", ".join(map(str, numbers))


def span(ranges: Sequence[Lines]) -> str:
    """`line 40`, `lines 681-714 or 744-830`."""
    word = "line" if len(ranges) == 1 and len(ranges[0]) == 1 else "lines"
    return f"{word} {' or '.join(map(str, ranges))}"
