"""A file or a folder is not there."""

from __future__ import annotations

from claimcheck.checks.form import Example, FormInfo, Strength, fails, holds
from claimcheck.checks.forms import path
from claimcheck.checks.forms.path import Path, there
from claimcheck.checks.looking import Look
from claimcheck.checks.result import Answer, Result
from claimcheck.checks.saying import quoted

INFO = FormInfo(
    "no-path",
    "A file or a folder is not there.",
    path.SCHEMA,
    "Patterns are those of `path`. Where a release stands in for the pin it is unverified.",
    Strength.TESTS,
    needs_code=False,
)


def read(data: str) -> Path:
    return Path(data)


def check(arguments: Path, look: Look) -> Result:
    found = there(arguments, look)
    if found:
        return fails(f"{quoted(arguments.pattern)} is there", nearest=", ".join(found[:3]))
    return holds(f"there is no {quoted(arguments.pattern)} in {look.anchors[0].revision}")


EXAMPLES = (
    Example("no file", ".py", "a = 1\n", "no-path: docs/design.md"),
    Example("no file of a kind", ".cpp", "int a;\n", "no-path: '**/*.cu'"),
    Example(
        "it is there", ".py", "a = 1\n", "no-path: example.py", Answer.FAILS, "`example.py` is there", "example.py"
    ),
    Example("one fits", ".cpp", "int a;\n", "no-path: '**/*.cpp'", Answer.FAILS, "`**/*.cpp` is there", "example.cpp"),
)
