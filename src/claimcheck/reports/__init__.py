"""Output formats: each takes values and returns a string; none opens a file or knows a rule.

A format of `verify` is a module with `render(verification, verbose) -> str` and a line in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from claimcheck.reports import concise, json_v1, text
from claimcheck.verification import Verification


class ReportFormat(Protocol):
    """What a module of this table has."""

    def render(self, verification: Verification, *, verbose: bool = False, quiet: bool = False) -> str:
        """The whole output, with its final line feed; empty for nothing to say."""
        ...


FORMATS: Mapping[str, ReportFormat] = {"text": text, "concise": concise, "json": json_v1}
