"""Copies of our own interpreter that work beside each other, since parsing holds the interpreter's lock.

Chunks of lines go in and lines come out, in the order of the chunks. A worker that dies (out of memory, a parser that
crashes) takes its chunk with it and nothing else.
"""

from __future__ import annotations

import collections
import itertools
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

Chunk = list[str]
Work = Callable[[Chunk], Chunk]

AHEAD = 4


def in_order(work: Work, lost: Work, chunks: Iterable[Chunk], workers: int) -> Iterator[Chunk]:
    """What `work` makes of each chunk, in order; `lost` says what is put out for a chunk whose worker died.

    A few chunks a worker are read ahead, no more, so the input may be without end.
    """
    waiting: collections.deque[tuple[Chunk, Future[Chunk]]] = collections.deque()
    coming = iter(chunks)
    pool = _pool(workers)
    try:
        while True:
            for chunk in itertools.islice(coming, max(0, AHEAD * workers - len(waiting))):
                waiting.append((chunk, pool.submit(work, chunk)))
            if not waiting:
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


def _alone(work: Work, lost: Work, chunk: Chunk) -> Chunk:
    with _pool(1) as pool:
        try:
            return pool.submit(work, chunk).result()
        except BrokenProcessPool:
            return lost(chunk)


def _pool(workers: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_interrupts_to_the_parent)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
