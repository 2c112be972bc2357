"""One line a finding, for editors and CI matchers."""

from __future__ import annotations

from claimcheck.reports.text import first_line
from claimcheck.terminal import PLAIN, Paint
from claimcheck.verification import Verification


def render(verification: Verification, *, verbose: bool = False, quiet: bool = False, paint: Paint = PLAIN) -> str:
    return "".join(first_line(finding, paint) + "\n" for finding in verification.findings)
