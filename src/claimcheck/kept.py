"""Values that take long to make and much memory to keep, and those that are asked for again and again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Generic, ParamSpec, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Asked = ParamSpec("Asked")


class Kept(Generic[Key, Value]):
    """What was asked for last, as much of it as fits: the weights of what is kept come to `most` at most.

    The last one is kept whatever it weighs. What `make` raises is not kept.
    """

    def __init__(self, make: Callable[[Key], Value], weight: Callable[[Value], int], most: int) -> None:
        self._make, self._weight, self.most = make, weight, most
        self._values: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._total = 0

    def get(self, key: Key) -> Value:
        if key in self._values:
            self._values.move_to_end(key)
            return self._values[key][0]
        value = self._make(key)
        weight = self._weight(value)
        self._values[key] = value, weight
        self._total += weight
        while self._total > self.most and len(self._values) > 1:
            self._total -= self._values.popitem(last=False)[1][1]
        return value


def for_the_same(most: int) -> Callable[[Callable[Asked, Value]], Callable[Asked, Value]]:
    """Keep what a function made of its last positional arguments, of which none is compared with another.

    `lru_cache` goes through all lines of a text to see whether it was asked before, which for each of the thousand
    anchors of one file is most of the work. Equal arguments that are not the same ones are made anew.
    """

    def decorate(make: Callable[Asked, Value]) -> Callable[Asked, Value]:
        made: OrderedDict[tuple[int, ...], tuple[tuple[object, ...], Value]] = OrderedDict()

        @wraps(make)
        def kept(*values: Asked.args, **others: Asked.kwargs) -> Value:
            key = tuple(map(id, values))
            if key not in made:
                # The arguments are kept too: as long as they live nothing else has their ids.
                made[key] = values, make(*values, **others)
                if len(made) > most:
                    made.popitem(last=False)
            made.move_to_end(key)
            return made[key][1]

        return kept

    return decorate
