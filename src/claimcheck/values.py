"""Frozen dataclasses that cost little to define.

`dataclasses` compiles seven methods for each class, and a run of claimcheck defines two hundred classes before it does
anything: that was more than half of its start. A value compares, hashes and shows itself as a frozen dataclass with
slots does, but by functions that need not be compiled anew, and what makes one is compiled when the first one is made.
Whatever takes a dataclass takes a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter, ge, gt, le, lt
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

Class = TypeVar("Class")


@overload
def frozen(cls: type[Class], /) -> type[Class]: ...


@overload
def frozen(*, slots: bool = True, eq: bool = True, order: bool = False) -> Callable[[type[Class]], type[Class]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: type[Class] | None = None, /, *, slots: bool = True, eq: bool = True, order: bool = False
) -> type[Class] | Callable[[type[Class]], type[Class]]:
    """The class as a frozen dataclass, with slots.

    Without `slots` it has a place for cached properties. Without `eq` a value is equal to itself only. With `order`
    values compare as the tuples of their fields do.
    """
    if cls is None:
        return lambda cls: _frozen(cls, slots, eq, order)
    return _frozen(cls, slots, eq, order)


def _frozen(cls: type[Class], slots: bool, eq: bool, order: bool) -> type[Class]:
    cls.__doc__ = cls.__doc__ or cls.__name__  # else `dataclass` makes one of the signature, which takes long
    made: Any = dataclass(slots=slots, eq=False, repr=False, init=False)(cls)
    compared = _reading([each.name for each in fields(made) if each.compare])
    shown = [each.name for each in fields(made) if each.repr]

    def same(self: object, other: object) -> bool:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def digest(self: object) -> int:
        return hash(compared(self))

    def text(self: object) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({parts})"

    def first(self: object, *values: object, **named: object) -> None:
        made.__init__ = _initializer(made)
        made.__init__(self, *values, **named)

    made.__init__, made.__repr__ = first, text
    if eq:
        made.__eq__, made.__hash__ = same, digest
    if order:
        made.__lt__, made.__le__, made.__gt__, made.__ge__ = map(_comparing(compared), (lt, le, gt, ge))
    made.__setattr__, made.__delattr__ = _not_set, _not_deleted
    if slots:
        made.__getstate__, made.__setstate__ = _state, _set_state
    return made  # type: ignore[no-any-return]


def _comparing(compared: Callable[[object], Any]) -> Callable[[Callable[[Any, Any], bool]], Callable[..., bool]]:
    def method(by: Callable[[Any, Any], bool]) -> Callable[[object, object], bool]:
        def compare(self: object, other: object) -> bool:
            return by(compared(self), compared(other)) if other.__class__ is self.__class__ else NotImplemented

        return compare

    return method


def _reading(names: Sequence[str]) -> Callable[[object], object]:
    """A function that reads these fields of a value: as a tuple, or the only one as it is."""
    return attrgetter(*names) if names else lambda _: ()


def _initializer(cls: Any) -> Callable[..., None]:
    """The `__init__` that `dataclass` would make."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": MISSING}
    positional, named = ["self"], ["*"]
    body: list[str] = []
    for each in fields(cls):
        known |= {f"_default_{each.name}": each.default, f"_make_{each.name}": each.default_factory}
        if each.init:
            (named if each.kw_only else positional).append(each.name + _default(each))
        body += _set(each)
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join([*positional, *(named if len(named) > 1 else ())])
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), known)
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _default(each: Field[Any]) -> str:
    if each.default is not MISSING:
        return f"=_default_{each.name}"
    return "=_MISSING" if each.default_factory is not MISSING else ""


def _set(each: Field[Any]) -> Iterator[str]:
    name, value = each.name, each.name if each.init else f"_default_{each.name}"
    if each.default_factory is not MISSING:
        value = f"_make_{name}() if {name} is _MISSING else {name}" if each.init else f"_make_{name}()"
    elif not each.init and each.default is MISSING:
        return
    yield f"_set(self, {name!r}, {value})"


def _not_set(self: object, name: str, value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _not_deleted(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: Sequence[object]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
