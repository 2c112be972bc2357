"""Figures as the benchmarks print them: shares with the Wilson interval at 95 %, and times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
