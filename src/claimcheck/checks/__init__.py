"""Mechanical tests of claims against source code: forms of checks, each compiled to ast-grep rules, on texts in memory.

`read` makes a check of plain data, `run` gives its result in a context; neither knows a repository or a registry.
"""

from claimcheck.checks.context import Cited, Context, Files, Overlay, Texts
from claimcheck.checks.dialects import dialect_of
from claimcheck.checks.form import Bad, BadArguments, Form, Strength
from claimcheck.checks.forms import FORMS
from claimcheck.checks.reading import bad, read_check, strength_of
from claimcheck.checks.result import Answer, Hit, Result
from claimcheck.checks.running import run

__all__ = [
    "FORMS",
    "Answer",
    "Bad",
    "BadArguments",
    "Cited",
    "Context",
    "Files",
    "Form",
    "Hit",
    "Overlay",
    "Result",
    "Strength",
    "Texts",
    "bad",
    "dialect_of",
    "read_check",
    "run",
    "strength_of",
]
