"""Values behave as frozen dataclasses with slots do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, replace

import pytest

from claimcheck.values import frozen


@frozen
class Spot:
    path: str
    line: int = 1
    where: list[str] = field(default_factory=list, compare=False)


@frozen
class Other:
    path: str
    line: int = 1


@frozen
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class Plain:
    path: str
    line: int = 1


def test_values_are_equal_if_their_fields_are() -> None:
    assert Spot("a", 2) == Spot("a", 2) != Spot("a", 3)
    assert Spot("a", where=["x"]) == Spot("a"), "a field that is not compared"
    assert hash(Spot("a", 2)) == hash(Spot("a", 2, ["x"]))
    assert len({Spot("a"), Spot("a"), Spot("b")}) == 2
    assert Nothing() == Nothing() and len({Nothing(), Nothing()}) == 1


def test_values_of_two_classes_are_never_equal() -> None:
    one: object = Spot("a")
    assert one != Other("a") and one != ("a", 1)


def test_a_value_does_not_change() -> None:
    spot = Spot("a")
    with pytest.raises(FrozenInstanceError):
        spot.line = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del spot.line
    assert not hasattr(spot, "__dict__")


def test_a_value_shows_itself_as_a_dataclass_does() -> None:
    assert repr(Other("a", 2)) == repr(Plain("a", 2)).replace("Plain", "Other")
    assert repr(Nothing()) == "Nothing()"


def test_what_takes_a_dataclass_takes_a_value() -> None:
    spot = replace(Spot("a"), line=3)
    assert asdict(spot) == {"path": "a", "line": 3, "where": []}
    assert copy.copy(spot) == spot == pickle.loads(pickle.dumps(spot))
    match spot:
        case Spot(path, line):
            assert (path, line) == ("a", 3)
