"""One line a finding, for editors and CI matchers."""

from __future__ import annotations

from claimcheck.reports.text import first_line
from claimcheck.verification import Verification


def render(verification: Verification, *, verbose: bool = False, quiet: bool = False) -> str:
    return "".join(first_line(finding) + "\n" for finding in verification.findings)
