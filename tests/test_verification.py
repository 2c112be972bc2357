"""Statuses and counts: they add up, and what rests on what could not be checked is never green."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from claimcheck.verification import Counts, Status


@given(st.lists(st.sampled_from(list(Status))))
def test_counts_add_up(statuses: list[Status]) -> None:
    counts = Counts.of(statuses)
    assert counts.verified + counts.failed + counts.unverified + counts.untested + counts.waived == counts.total
    assert counts.total == len(statuses)
    assert counts.waived == statuses.count(Status.WAIVED)
    assert counts.untested == statuses.count(Status.UNTESTED)
