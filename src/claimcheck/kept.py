"""Values that take long to make and much memory to keep."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """What was asked for last, as much of it as fits: the weights of what is kept come to `most` at most.

    The last one is kept whatever it weighs. What `make` raises is not kept.
    """

    def __init__(self, make: Callable[[Key], Value], weight: Callable[[Value], int], most: int) -> None:
        self._make, self._weight, self._most = make, weight, most
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
        while self._total > self._most and len(self._values) > 1:
            self._total -= self._values.popitem(last=False)[1][1]
        return value
