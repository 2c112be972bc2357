"""Values behave as frozen dataclasses with slots do."""

from __future__ import annotations

import copy
import itertools
import pickle
from dataclasses import KW_ONLY, FrozenInstanceError, asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@frozen
class Longer(Other):
    where: list[str] = field(default_factory=list)
    _: KW_ONLY
    size: int
    unit: str = "m"
    length: str = field(init=False)
    seen: list[str] = field(init=False, default_factory=list)
    kind: str = field(init=False, default="long")

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", f"{self.size} {self.unit}")


@dataclass(frozen=True, slots=True)
class PlainLonger(Plain):
    where: list[str] = field(default_factory=list)
    _: KW_ONLY
    size: int
    unit: str = "m"
    length: str = field(init=False)
    seen: list[str] = field(init=False, default_factory=list)
    kind: str = field(init=False, default="long")

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", f"{self.size} {self.unit}")


@pytest.mark.parametrize(
    ("values", "named"),
    [
        (("a",), {"size": 2}),
        (("a", 2), {"size": 2, "unit": "km"}),
        (("a", 2, ["x"]), {"size": 0}),
        ((), {"path": "a", "size": 2}),
        (("a",), {}),  # nothing says how long it is
        (("a", 1, [], 2), {}),
        (("a",), {"size": 2, "kind": "short"}),
        ((), {"size": 2}),
    ],
)
def test_a_value_is_made_as_a_dataclass_is(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    for _ in range(2):
        try:
            wanted: object = asdict(PlainLonger(*values, **named))
        except TypeError as error:
            with pytest.raises(TypeError) as raised:
                Longer(*values, **named)
            assert str(raised.value) == str(error).replace("PlainLonger", "Longer")
        else:
            assert asdict(Longer(*values, **named)) == wanted


def test_a_list_of_one_value_is_not_that_of_another() -> None:
    one, other = Longer("a", size=1), Longer("a", size=1)
    one.where.append("x")
    one.seen.append("y")
    assert (other.where, other.seen) == ([], [])


def test_a_value_with_a_value_below_comes_back_from_where_it_was_kept() -> None:
    one = Longer("a", 2, ["x"], size=3)
    for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one), replace(one, unit="m")):
        assert again == one and again.length == "3 m" and again is not one


@frozen(slots=False)
class Remembering:
    path: str
    line: int = 1

    @cached_property
    def shown(self) -> str:
        return f"{self.path}:{self.line}"


def test_a_value_without_slots_keeps_what_it_worked_out() -> None:
    one = Remembering("a", 2)
    assert one.shown is one.shown == "a:2"
    assert one == Remembering("a", 2) and hash(one) == hash(Remembering("a", 2))
    with pytest.raises(FrozenInstanceError):
        one.line = 3  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(one))
    assert again == one and again.shown == "a:2"


@frozen(eq=False)
class Itself:
    path: str


def test_a_value_may_be_equal_to_itself_only() -> None:
    one = Itself("a")
    assert one == one and one != Itself("a") and len({one, Itself("a")}) == 2


@frozen(order=True)
class Ordered:
    path: str
    line: int = 1


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 2)), max_size=5))
def test_values_are_ordered_as_their_fields_are(fields: list[tuple[str, int]]) -> None:
    values = sorted(Ordered(*each) for each in fields)
    assert [(value.path, value.line) for value in values] == sorted(fields)
    for one, other in itertools.pairwise(values):
        assert one <= other and other >= one and (one < other) == (other > one) == (one != other)


def test_values_of_two_classes_have_no_order() -> None:
    with pytest.raises(TypeError):
        assert Ordered("a") < Other("a")  # type: ignore[operator]
