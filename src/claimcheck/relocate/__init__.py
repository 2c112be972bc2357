"""Re-finding regions: what became of the cited lines of one text in another."""

from __future__ import annotations

from claimcheck.relocate.engine import STRATEGIES, relocate

__all__ = ["STRATEGIES", "relocate"]
