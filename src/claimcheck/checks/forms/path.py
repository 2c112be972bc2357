"""A file or a folder is there."""

from __future__ import annotations

from claimcheck.checks.form import Example, FormInfo, Json, Strength, fails, holds
from claimcheck.checks.looking import Look, fits
from claimcheck.checks.result import Answer, CannotSay, Result
from claimcheck.checks.saying import near_paths, quoted
from claimcheck.texts import NoSource
from claimcheck.values import frozen

SCHEMA: Json = {"type": "string", "$ref": "#/$defs/path"}

INFO = FormInfo(
    "path",
    "A file or a folder is there.",
    SCHEMA,
    "A folder is there if a file in it is; `*` stands for a part of a name, `**` for any folders. Where a release stands in "
    "for the pin, what is not there is unverified: a source archive may leave files out.",
    Strength.EXISTENCE,
    needs_code=False,
)


@frozen
class Path:
    pattern: str


def read(data: str) -> Path:
    return Path(data)


def there(arguments: Path, look: Look) -> list[str]:
    """The files that fit; raises CannotSay where that is not known."""
    blobs = look.files.blobs()
    if isinstance(blobs, NoSource):
        raise CannotSay(blobs.message)
    found = [path for path in blobs if fits(path, arguments.pattern)]
    if not found and look.anchors[0].stand_in:
        raise CannotSay(
            f"{look.anchors[0].revision} has no {arguments.pattern}, but a source archive may leave files out"
        )
    return found


def check(arguments: Path, look: Look) -> Result:
    found = there(arguments, look)
    if found:
        more = f" ({len(found)} files)" if len(found) > 1 else ""
        return holds(f"{quoted(arguments.pattern)} is there{more}")
    blobs = look.files.blobs()
    near = near_paths(arguments.pattern, blobs) if not isinstance(blobs, NoSource) else None
    return fails(f"there is no {quoted(arguments.pattern)} in {look.anchors[0].revision}", nearest=near)


EXAMPLES = (
    Example("a file", ".py", "a = 1\n", "path: example.py"),
    Example("a pattern", ".cpp", "int a;\n", "path: '*.cpp'"),
    Example(
        "another name",
        ".py",
        "a = 1\n",
        "path: examples.py",
        Answer.FAILS,
        "there is no `examples.py` in lib 1.0",
        "example.py",
    ),
    Example("another folder", ".cpp", "int a;\n", "path: src", Answer.FAILS, "there is no `src` in lib 1.0"),
)
