"""How much memory this process has, where the system says so."""

from __future__ import annotations

import os
import sys


def resident() -> int | None:
    """The bytes that are in memory now, or on systems that only know the peak so far that peak; None if not known."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        pass
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
