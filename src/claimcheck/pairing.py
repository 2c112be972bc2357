"""Which definition of one text is which definition of another.

A name that is defined once on both sides is the same definition. Several of one name (overloads, the two halves of
a property, nested functions) are told apart by their parameters, then by their text, then by likeness with a margin,
and at last by their order if as many are left on both sides. A definition whose name is gone may have been renamed:
it is the new definition that is most like it, if that is clearly more like it than every other new one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from claimcheck.alignment import WORD
from claimcheck.model import Lines
from claimcheck.syntax import Outline, Symbol, parameter_forms
from claimcheck.texts import SourceText

FLOOR = 0.55
RENAMED_FLOOR = 0.6
NAMESAKE = 0.3
MARGIN = 0.1
MOST_COMPARED = 200
MOST_WORDS = 4_000
SHARED_WORDS = 2
DECLARATION = "declaration"
# What may be written before a parameter without making another overload of it.
NOT_IN_A_SIGNATURE = re.compile(r"\bfinal\s+")


class Definitions:
    """The definitions of two texts, paired on demand."""

    def __init__(self, old: SourceText, new: SourceText, before: Outline, after: Outline) -> None:
        self.old, self.new = old, new
        self.before, self.after = before, after
        self._pairs: dict[str, Mapping[Symbol, Symbol]] = {}

    def same(self, symbol: Symbol) -> Symbol | tuple[Symbol, ...]:
        """The definition of the same name that a definition became; else the ones that it might be, or none.

        A declaration is not the definition that stands beside it.
        """
        mine, theirs = self._of_its_sort(symbol.name, symbol.kind == DECLARATION)
        if len(mine) == len(theirs) == 1:
            return theirs[0] if len(theirs) == 1 else theirs
        pairs = self._of_name(symbol.name)
        if symbol in pairs:
            return pairs[symbol]
        taken = set(pairs.values())
        left = [one for one in theirs if one not in taken]
        return tuple(one for one in left if self._likeness(symbol, one) >= NAMESAKE)

    def renamed(self, symbol: Symbol) -> Symbol | None:
        """The definition of another name that a definition whose name is gone became, if one is clearly it."""
        candidates = [one for one in self._new if one.kind == symbol.kind][:MOST_COMPARED]
        found = sorted(((self._likeness(symbol, one), one) for one in candidates), key=lambda pair: -pair[0])
        if not found or found[0][0] < RENAMED_FLOOR:
            return None
        if len(found) > 1 and found[0][0] - found[1][0] < MARGIN:
            return None
        return found[0][1]

    @cached_property
    def _new(self) -> Sequence[Symbol]:
        """Definitions that are only in the new text."""
        return tuple(self._only_after())

    def _only_after(self) -> Iterator[Symbol]:
        known = Counter(one.name for one in self.before.symbols)
        left: dict[str, frozenset[Symbol]] = {}
        for one in self.after.symbols:
            if not known[one.name]:
                yield one
                continue
            if one.name not in left:
                left[one.name] = frozenset(self.after.of_name(one.name)) - set(self._of_name(one.name).values())
            if one in left[one.name]:
                yield one

    def _of_name(self, name: str) -> Mapping[Symbol, Symbol]:
        """Which definition of a name became which."""
        if name not in self._pairs:
            pairs: dict[Symbol, Symbol] = {}
            for declared in (False, True):
                mine, theirs = self._of_its_sort(name, declared)
                only = len(mine) == len(theirs) == 1
                pairs |= zip(mine, theirs, strict=True) if only else self._paired(mine, theirs)
            self._pairs[name] = pairs
        return self._pairs[name]

    def _of_its_sort(self, name: str, declared: bool) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]]:
        """The declarations of a name, or its definitions, in both texts; what is of the other sort now if all are."""
        before, after = self.before.of_name(name), self.after.of_name(name)
        mine = tuple(one for one in before if (one.kind == DECLARATION) == declared)
        theirs = tuple(one for one in after if (one.kind == DECLARATION) == declared)
        return mine, after if not theirs and mine == before else theirs

    def _paired(self, mine: Sequence[Symbol], theirs: Sequence[Symbol]) -> Iterator[tuple[Symbol, Symbol]]:
        olds, news = list(mine), list(theirs)
        for key in (
            lambda one, text: (one.kind, one.signature),
            lambda one, text: (one.kind, parameter_forms(one.signature)),
            lambda one, text: (one.kind, "".join(NOT_IN_A_SIGNATURE.sub("", one.signature).split())),
            lambda one, text: "".join("".join(_cut(text, one.lines)).split()),
        ):
            pairs = dict(_by_key(key, olds, self.old, news, self.new))
            yield from pairs.items()
            olds, news = _left(olds, pairs.keys()), _left(news, pairs.values())
        pairs = dict(self._most_alike(olds, news))
        yield from pairs.items()
        olds, news = _left(olds, pairs.keys()), _left(news, pairs.values())
        if len(olds) == len(news):
            yield from ((old, new) for old, new in zip(olds, news, strict=True) if self._likeness(old, new) >= NAMESAKE)

    def _most_alike(self, olds: Sequence[Symbol], news: Sequence[Symbol]) -> Iterator[tuple[Symbol, Symbol]]:
        """Pairs each of which is clearly more alike than any other pair that has one of the two."""
        if not olds or not news or len(olds) * len(news) > MOST_COMPARED:
            return
        ratios = {(a, b): self._likeness(old, new) for a, old in enumerate(olds) for b, new in enumerate(news)}
        for (a, b), ratio in ratios.items():
            others = [other for (x, y), other in ratios.items() if (x == a) != (y == b)]
            if ratio >= FLOOR and ratio - max(others, default=0.0) >= MARGIN:
                yield olds[a], news[b]

    def _likeness(self, old: Symbol, new: Symbol) -> float:
        return alike(_cut(self.old, old.lines), _cut(self.new, new.lines))


def _cut(text: SourceText, lines: Lines) -> tuple[str, ...]:
    return text.lines[lines.first - 1 : lines.last]


_Key = Callable[[Symbol, SourceText], Hashable]


def _by_key(
    key: _Key, olds: Sequence[Symbol], old: SourceText, news: Sequence[Symbol], new: SourceText
) -> Iterator[tuple[Symbol, Symbol]]:
    """Pairs that have a key which nobody else has on either side."""
    mine, theirs = [key(one, old) for one in olds], [key(one, new) for one in news]
    often = Counter(mine), Counter(theirs)
    where = {each: n for n, each in enumerate(theirs)}
    for one, each in zip(olds, mine, strict=True):
        if often[0][each] == often[1][each] == 1:
            yield one, news[where[each]]


def _left(symbols: Sequence[Symbol], taken: Iterable[Symbol]) -> list[Symbol]:
    """The definitions that are not taken."""
    gone = set(taken)
    return [one for one in symbols if one not in gone]


def alike(old: tuple[str, ...], new: tuple[str, ...]) -> float:
    """How alike two pieces of text are in their words and their order, from 0 to 1."""
    from rapidfuzz.distance import Indel

    left, right = _words(old), _words(new)
    if not left or not right or max(len(left), len(right)) > MOST_WORDS:
        return 0.0
    if (Counter(left) & Counter(right)).total() < SHARED_WORDS:
        return 0.0
    return Indel.normalized_similarity(left, right, score_cutoff=0.3)


def shared_words(old: tuple[str, ...], new: tuple[str, ...]) -> float:
    """The share of words that two pieces of text have in common, in whatever order, from 0 to 1."""
    left, right = Counter(_words(old)), Counter(_words(new))
    shared = (left & right).total()
    return 2 * shared / (left.total() + right.total()) if shared >= SHARED_WORDS else 0.0


@lru_cache(maxsize=512)
def _words(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for line in lines for word in WORD.findall(line))
