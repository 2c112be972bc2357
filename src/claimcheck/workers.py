"""Copies of our own interpreter that work beside each other, since parsing holds the interpreter's lock.

With `in_order`, chunks of lines go in and lines come out, in the order of the chunks. A worker that dies (out of memory,
a parser that crashes) takes its chunk with it and nothing else. With `beside`, a copy of this process as it is now takes
a part of the work. With `within_limits`, each job also has a budget of time
and memory, for work that others have a say in, as templates have: what does not keep to it is ended from outside.
"""

from __future__ import annotations

import collections
import contextlib
import itertools
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

from claimcheck.values import frozen

Chunk = list[str]
Work = Callable[[Chunk], Chunk]
Job = TypeVar("Job")
Result = TypeVar("Result")

AHEAD = 4
# How long a worker may take to end by itself what took too long, before it is ended.
GRACE = 2.0
TICKET = 4  # bytes


def in_order(work: Work, lost: Work, chunks: Iterable[Chunk], workers: int) -> Iterator[Chunk]:
    """What `work` makes of each chunk, in order; `lost` says what is put out for a chunk whose worker died.

    A few chunks a worker are read ahead, no more, so the input may be without end.
    """
    from concurrent.futures.process import BrokenProcessPool

    waiting: collections.deque[tuple[Chunk, Future[Chunk]]] = collections.deque()
    coming = iter(chunks)
    pool = _pool(workers)
    try:
        while True:
            for chunk in itertools.islice(coming, max(0, AHEAD * workers - len(waiting))):
                waiting.append((chunk, pool.submit(work, chunk)))
            if not waiting:
                # Nothing is under way: the pool ends at once, and before the interpreter does.
                pool.shutdown()
                return
            chunk, future = waiting.popleft()
            try:
                yield future.result()
            except BrokenProcessPool:
                # Nobody knows whose chunk it was: each of those that were under way is tried by itself.
                pool.shutdown(wait=False, cancel_futures=True)
                yield from (_alone(work, lost, each) for each in (chunk, *(other for other, _ in waiting)))
                waiting.clear()
                pool = _pool(workers)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def beside(work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    """What `work` makes of each job, in their order, some of them in a copy of this process.

    Each of the two takes the next job when it is done with one, so the long ones come first. Where there is one
    processor, where processes cannot be copied, or where a thread runs that a copy would lack, all of it is done here,
    and what a copy took that died. The copy knows everything that is known here, and only its results come back; it must
    not use what the two cannot share, such as a pipe to a child.
    """
    if len(jobs) < 2 or not _can_copy():
        return [work(job) for job in jobs]
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    tickets, supply = os.pipe()
    os.set_blocking(supply, False)
    # As many as fit; what has none is done in the end.
    os.write(supply, b"".join(number.to_bytes(TICKET, "little") for number in range(len(jobs))))
    os.close(supply)
    copy = context.Process(target=_work_beside, args=(work, jobs, tickets, sending), daemon=True)
    copy.start()
    sending.close()
    try:
        done = {number: work(jobs[number]) for number in _taken(tickets)}
        with contextlib.suppress(EOFError):
            done |= receiving.recv()
        return [done[number] if number in done else work(job) for number, job in enumerate(jobs)]
    finally:
        os.close(tickets)
        copy.kill()
        copy.join()
        receiving.close()


def _taken(tickets: int) -> Iterator[int]:
    """Numbers of jobs, each of which one of the processes that hold the pipe gets."""
    while ticket := os.read(tickets, TICKET):
        yield int.from_bytes(ticket, "little")


def _work_beside(work: Callable[[Job], Result], jobs: Sequence[Job], tickets: int, sending: Connection) -> None:
    _leave_interrupts_to_the_parent()
    sending.send({number: work(jobs[number]) for number in _taken(tickets)})


def _can_copy() -> bool:
    if sys.platform != "linux" or threading.active_count() > 1 or multiprocessing.current_process().daemon:
        return False
    return len(os.sched_getaffinity(0)) > 1


def _alone(work: Work, lost: Work, chunk: Chunk) -> Chunk:
    from concurrent.futures.process import BrokenProcessPool

    with _pool(1) as pool:
        try:
            return pool.submit(work, chunk).result()
        except BrokenProcessPool:
            return lost(chunk)


def _pool(workers: int) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_interrupts_to_the_parent)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@frozen
class Limits:
    """What each job may take: seconds of wall-clock time, and bytes beyond what a worker begins with."""

    seconds: float
    memory: int


def within_limits(
    work: Callable[[Job], Result],
    lost: Callable[[Job, str], Result],
    jobs: Iterable[Job],
    workers: int,
    limits: Limits,
) -> Iterator[Result]:
    """What `work` makes of each job, in order; `lost` says what becomes of a job whose worker had to be ended or died.

    Work that takes too long is stopped by a TimeoutError, and too much memory is a MemoryError; only what does not
    listen to that is lost. `work` and `lost` are functions of modules, jobs and results can be pickled.
    """
    coming = iter(enumerate(jobs))
    done: dict[int, Result] = {}
    next_out = 0
    pool = [_Worker[Job, Result](work, limits) for _ in range(workers)]
    try:
        while True:
            for worker in pool:
                if worker.job is None and (job := next(coming, None)) is not None:
                    worker.begin(*job)
            busy = [worker for worker in pool if worker.job is not None]
            if not busy:
                return
            for number, result in _finished(busy, lost):
                done[number] = result
            while next_out in done:
                yield done.pop(next_out)
                next_out += 1
    finally:
        for worker in pool:
            worker.end()


class _Worker(Generic[Job, Result]):
    """One process and the job that it is at."""

    def __init__(self, work: Callable[[Job], Result], limits: Limits) -> None:
        self._work = work
        self._limits = limits
        self._start()
        self.job: tuple[int, Job] | None = None
        self.deadline = 0.0

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(
            target=_serve, args=(theirs, self._work, self._limits), daemon=True
        )
        self._process.start()
        theirs.close()
        self._fresh = True

    def begin(self, number: int, job: Job) -> None:
        self.job = (number, job)
        # The first job waits for the interpreter to come up.
        self.deadline = time.monotonic() + self._limits.seconds + GRACE + (10.0 if self._fresh else 0.0)
        self._fresh = False
        self.connection.send(job)

    def finish(self) -> tuple[int, Result] | None:
        """The result of the job, or None if the worker died over it."""
        assert self.job is not None
        number, _ = self.job
        try:
            result: Result = self.connection.recv()
        except (EOFError, ConnectionError):
            return None
        self.job = None
        return number, result

    def give_up(self) -> tuple[int, Job]:
        """End the process, start another one, and say which job was lost."""
        assert self.job is not None
        job, self.job = self.job, None
        self.end()
        self._start()
        return job

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()


def _finished(busy: list[_Worker[Job, Result]], lost: Callable[[Job, str], Result]) -> Iterator[tuple[int, Result]]:
    """The results that are there when the first one is, or when the first job has had its time."""
    left = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
    ready = wait([worker.connection for worker in busy], left)
    for worker in busy:
        if worker.connection in ready:
            result = worker.finish()
            if result is not None:
                yield result
            else:
                number, job = worker.give_up()
                yield number, lost(job, "its worker died")
        elif time.monotonic() >= worker.deadline:
            number, job = worker.give_up()
            yield number, lost(job, "it takes too long")


def _serve(connection: Connection, work: Callable[[Job], Result], limits: Limits) -> None:
    """What a worker does: one job after the other, until the other side is gone."""
    _leave_interrupts_to_the_parent()
    signal.signal(signal.SIGALRM, _too_late)
    _limit_memory(limits.memory)
    while True:
        try:
            job: Job = connection.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_REAL, limits.seconds)
        try:
            result = work(job)
        except (MemoryError, TimeoutError):
            return
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        connection.send(result)


def _too_late(number: int, frame: FrameType | None) -> NoReturn:
    raise TimeoutError("it takes too long")


def _limit_memory(more: int) -> None:
    """Let the address space grow by so much; where its size is not known, not at all is limited."""
    try:
        with open("/proc/self/statm", "rb") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = now + more if hard == resource.RLIM_INFINITY else min(now + more, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
