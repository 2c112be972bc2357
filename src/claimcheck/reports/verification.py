"""The formats of `claimcheck verify`. A new one is a module beside these and a line in the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from claimcheck.reports import concise, json_v1, text
from claimcheck.terminal import PLAIN, Paint
from claimcheck.verification import Verification


class ReportFormat(Protocol):
    """What a module of this table has."""

    def render(
        self, verification: Verification, *, verbose: bool = False, quiet: bool = False, paint: Paint = PLAIN
    ) -> str:
        """The whole output, with its final line feed; empty for nothing to say."""
        ...


FORMATS: Mapping[str, ReportFormat] = {"text": text, "concise": concise, "json": json_v1}
