"""Figures as the benchmarks print them: shares with the Wilson interval at 95 %, times, and what commands take."""

from __future__ import annotations

import contextlib
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLAIMCHECK = str(Path(sys.executable).parent / "claimcheck")
BASELINE = [sys.executable, "-c", "import git, yaml, click"]

CARRIED = ("unchanged", "moved", "renamed", "cosmetic")
CONFIDENT = 0.9


@dataclass(frozen=True)
class Share:
    """Some of many, with the Wilson interval at 95 %."""

    some: int
    many: int
    low: float
    high: float

    @classmethod
    def of(cls, some: int, many: int) -> Share:
        if not many:
            return cls(0, 0, 0.0, 1.0)
        z = 1.959964
        share = some / many
        middle = share + z * z / (2 * many)
        spread = z * math.sqrt(share * (1 - share) / many + z * z / (4 * many * many))
        whole = 1 + z * z / many
        return cls(some, many, max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole))

    def __str__(self) -> str:
        if not self.many:
            return "    -"
        share = 100 * self.some / self.many
        return f"{share:5.1f} % ({self.some}/{self.many}; {100 * self.low:.2f} to {100 * self.high:.2f})"


@dataclass(frozen=True)
class Times:
    """The median and the 95th percentile of some times, in milliseconds."""

    median: float
    p95: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Times:
        ordered = sorted(seconds) or [0.0]
        return cls(1000 * ordered[len(ordered) // 2], 1000 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))])

    def __str__(self) -> str:
        return f"median {self.median:.1f} ms, 95 % under {self.p95:.0f} ms"


@dataclass(frozen=True)
class Figure:
    """The median wall time of a command over some runs, what it computed meanwhile, and its ratio to the baseline.

    `cpu` are the seconds of all its processes, which other work on the machine changes less than the wall time;
    `megabytes` is what its processes took at most, one with the other, as far as looks every few milliseconds saw it; what
    a process shares with a copy of it counts twice.
    """

    name: str
    seconds: float
    fastest: float
    cpu: float
    megabytes: float
    ratio: float | None = None
    target: str = ""


def measure(
    name: str, command: list[str], where: Path, runs: int, base: Figure | None = None, target: str = ""
) -> Figure:
    """Run a command some times, after one run that fills the caches."""
    times, computed, peak = [], [], 0.0
    # Compiled modules are written as on any other machine; some development machines switch that off.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(runs + 1):
        before = time.perf_counter()
        child = subprocess.Popen(
            command, cwd=where, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            peak = max(peak, resident(child.pid) / 2**20)
            time.sleep(0.005)
        _, status, usage = os.wait4(child.pid, 0)
        times.append(time.perf_counter() - before)
        computed.append(usage.ru_utime + usage.ru_stime)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)} in {where}: exit code {child.returncode}")
    median = statistics.median(times[1:])
    ratio = median / base.seconds if base else None
    return Figure(name, median, min(times[1:]), statistics.median(computed[1:]), peak, ratio, target)


def family(process: int) -> Iterator[int]:
    """A process and what it started, as far as that still runs; only the process itself where /proc is not there."""
    yield process
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()
    except OSError:
        return
    for child in children:
        yield from family(int(child))


def resident(process: int) -> int:
    """The bytes of a process and of what it started that are in memory; 0 once they have ended.

    Not from what the system says of a child that has ended: there the memory of the process that started it counts too.
    """
    pages = set()
    for each in family(process):
        with contextlib.suppress(OSError):
            pages.add(Path(f"/proc/{each}/statm").read_text("ascii"))
    # One that is about to start a program has the memory of the one that starts it: the same line.
    return sum(int(line.split()[1]) for line in pages if line) * os.sysconf("SC_PAGE_SIZE")


def report(figure: Figure) -> None:
    ratio = f"{figure.ratio:5.2f}x" if figure.ratio else "      "
    print(
        f"{figure.seconds * 1000:8.0f} ms  (fastest {figure.fastest * 1000:6.0f}, cpu {figure.cpu * 1000:6.0f})  "
        f"{figure.megabytes:6.0f} MB  {ratio}  {figure.name}"
        + (f"  [target {figure.target}]" if figure.target else ""),
        flush=True,
    )
