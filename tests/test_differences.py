"""Stretches of equal and different lines: complete, in order, and quick whatever the lines are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimcheck.differences import Stretch, stretches

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  a"]), max_size=25)


@given(LINES, LINES)
def test_the_stretches_are_all_of_both_sides_in_order(old: list[str], new: list[str]) -> None:
    o = n = 0
    equal_before = None
    for one in stretches(old, new):
        assert (one.old_start, one.new_start) == (o, n)
        assert one.old_end > o or one.new_end > n
        if one.equal:
            assert old[o : one.old_end] == new[n : one.new_end]
        else:
            assert equal_before is not False, "two stretches of different lines in a row would be one"
        o, n, equal_before = one.old_end, one.new_end, one.equal
    assert (o, n) == (len(old), len(new))


@given(LINES)
def test_a_text_does_not_differ_from_itself(lines: list[str]) -> None:
    assert list(stretches(lines, lines)) == ([Stretch(True, 0, len(lines), 0, len(lines))] if lines else [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["same"] * 50_000, ["same"] * 25_000 + ["other"] + ["same"] * 25_000),
        ([f"old {n}" for n in range(50_000)], [f"new {n}" for n in range(50_000)]),
        (["a", "b", ""] * 15_000, ["b", "a", "", ""] * 12_000),
    ],
    ids=["one line again and again", "no line in common", "three lines again and again"],
)
def test_hostile_texts_are_compared(old: list[str], new: list[str]) -> None:
    found = list(stretches(old, new))
    assert (found[-1].old_end, found[-1].new_end) == (len(old), len(new))
