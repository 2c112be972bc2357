"""Worker processes: order, and what happens when one dies."""

from __future__ import annotations

import os
from collections.abc import Iterator

from claimcheck.workers import in_order


def doubled(chunk: list[str]) -> list[str]:
    if "die" in chunk:
        os._exit(1)
    return [line * 2 for line in chunk]


def lost(chunk: list[str]) -> list[str]:
    return [f"lost {line}" for line in chunk]


def test_chunks_come_back_in_order() -> None:
    chunks = [[str(n), "x"] for n in range(30)]
    assert list(in_order(doubled, lost, chunks, 2)) == [[str(n) * 2, "xx"] for n in range(30)]


def test_a_worker_that_dies_takes_its_chunk_and_nothing_else() -> None:
    chunks = [["a"], ["b"], ["die", "c"], ["d"], ["e"]]
    assert list(in_order(doubled, lost, chunks, 2)) == [["aa"], ["bb"], ["lost die", "lost c"], ["dd"], ["ee"]]


def test_only_a_few_chunks_are_read_ahead() -> None:
    taken = []

    def chunks() -> Iterator[list[str]]:
        for n in range(1_000):
            taken.append(n)
            yield [str(n)]

    answers = in_order(doubled, lost, chunks(), 1)
    assert next(answers) == ["00"]
    assert len(taken) < 20
    answers.close()  # type: ignore[attr-defined]
