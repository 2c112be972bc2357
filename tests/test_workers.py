"""Worker processes: order, and what happens when one dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimcheck import workers
from claimcheck.workers import Limits, in_order, within_limits


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


LIMITS = Limits(seconds=0.5, memory=300_000_000)


def obedient(job: str) -> str:
    match job:
        case "die":
            os._exit(1)
        case "sleep":
            try:
                time.sleep(60)
            except TimeoutError:
                return "stopped"
        case "deaf":
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
            time.sleep(60)
        case "greedy":
            try:
                return str(len("x" * 2_000_000_000))
            except MemoryError:
                return "no memory"
        case "careless":
            raise MemoryError
    return job * 2


def gone(job: str, why: str) -> str:
    return f"{job}: {why}"


def test_jobs_within_limits_come_back_in_order() -> None:
    jobs = [str(n) for n in range(50)]
    assert list(within_limits(obedient, gone, jobs, 2, LIMITS)) == [job * 2 for job in jobs]


def test_no_job_is_no_result() -> None:
    assert list(within_limits(obedient, gone, [], 2, LIMITS)) == []


def test_what_goes_beyond_its_limits_is_stopped_and_the_others_are_not() -> None:
    jobs = ["a", "sleep", "b", "greedy", "c", "die", "d", "deaf", "e", "careless", "f"]
    assert list(within_limits(obedient, gone, jobs, 2, LIMITS)) == [
        "aa",
        "stopped",
        "bb",
        "no memory",
        "cc",
        "die: its worker died",
        "dd",
        "deaf: it takes too long",
        "ee",
        "careless: its worker died",
        "ff",
    ]


# Beside each other


def here(number: int) -> int:
    time.sleep(0.001)
    return os.getpid()


def test_work_done_beside_comes_back_in_its_place() -> None:
    assert workers.beside(lambda number: number**2, range(100)) == [number**2 for number in range(100)]


# In a process of its own, in which no thread of another test is left.
BOTH = """
import os, sys, time
from claimcheck.workers import beside

def waiting_for_the_other(number):
    open(os.path.join(sys.argv[1], str(os.getpid())), "w").close()
    deadline = time.monotonic() + 60
    while len(os.listdir(sys.argv[1])) < 2 and time.monotonic() < deadline:
        time.sleep(0.001)
    return os.getpid()

print(len(set(beside(waiting_for_the_other, range(10)))))
"""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one processor")
def test_both_take_their_part(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", BOTH, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"


def test_each_job_is_done_once(tmp_path: Path) -> None:
    def once(number: int) -> int:
        (tmp_path / str(number)).touch(exist_ok=False)
        return number

    assert workers.beside(once, range(1_000)) == list(range(1_000))


@pytest.mark.parametrize("jobs", [[], [3]])
def test_one_job_is_not_shared(jobs: list[int]) -> None:
    assert workers.beside(here, jobs) == [os.getpid()] * len(jobs)


def test_a_copy_that_dies_leaves_its_work_to_us() -> None:
    us = os.getpid()

    def fragile(number: int) -> int:
        if os.getpid() != us:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.01)
        return number**2

    assert workers.beside(fragile, range(10)) == [number**2 for number in range(10)]


def test_more_jobs_than_a_pipe_holds_are_all_done() -> None:
    assert workers.beside(lambda number: number + 1, range(30_000)) == list(range(1, 30_001))


def test_results_larger_than_a_pipe_come_back_whole() -> None:
    assert [len(text) for text in workers.beside(lambda number: "x" * 1_000_000, range(6))] == [1_000_000] * 6


def test_with_one_processor_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert set(workers.beside(here, range(100))) == {os.getpid()}


def test_a_thread_that_a_copy_would_lack_keeps_the_work_here() -> None:
    waiting = threading.Event()
    thread = threading.Thread(target=waiting.wait)
    thread.start()
    try:
        assert set(workers.beside(here, range(100))) == {os.getpid()}
    finally:
        waiting.set()
        thread.join()
