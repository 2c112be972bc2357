"""Frozen dataclasses that cost little to define.

`dataclasses` compiles seven methods for each class, and a run of claimcheck defines a hundred classes before it does
anything: that was more than half of its start. A value compares, hashes and shows itself as a frozen dataclass with
slots does, but by functions that need not be compiled anew. Whatever takes a dataclass takes a value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Class = TypeVar("Class")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Class]) -> type[Class]:
    """The class as a frozen dataclass with slots; for an ordered one take `dataclass` itself."""
    made: Any = dataclass(frozen=True, slots=True, eq=False, repr=False)(cls)
    compared = _reading([each.name for each in fields(made) if each.compare])
    shown = [each.name for each in fields(made) if each.repr]

    def same(self: object, other: object) -> bool:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def digest(self: object) -> int:
        return hash(compared(self))

    def text(self: object) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({parts})"

    made.__eq__, made.__hash__, made.__repr__ = same, digest, text
    return made  # type: ignore[no-any-return]


def _reading(names: Sequence[str]) -> Callable[[object], object]:
    """A function that reads these fields of a value: as a tuple, or the only one as it is."""
    return attrgetter(*names) if names else lambda _: ()
