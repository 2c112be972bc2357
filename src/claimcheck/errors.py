"""What stops claimcheck: one base class, and the few that differ in what they mean."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimcheck.finding import Finding
    from claimcheck.model import Place


class ClaimcheckError(Exception):
    """The work cannot be done: what is wrong, where, and the way out.

    Caught once, in `cli`, and shown as `PLACE: error: MESSAGE` with a help line. A problem in the
    material that is being checked is a `Finding`, not an exception.
    """

    exit_code = 2

    def __init__(self, message: str, *, place: Place | None = None, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.help = help


class UsageError(ClaimcheckError):
    """The arguments ask for something that does not exist or cannot be meant."""

    @classmethod
    def unknown(
        cls, what: str, name: str, known: Collection[str], help: str | None = None, *, most: int = 1
    ) -> UsageError:
        """`no vendor vlm; did you mean vllm?`; where no known name is near, `help` or else the list of them."""
        import difflib

        near = difflib.get_close_matches(name, known, most) or difflib.get_close_matches(name.upper(), known, most)
        if near:
            return cls(f"no {what} {name}; did you mean {' or '.join(near)}?")
        return cls(f"no {what} {name}", help=help or f"{what}s: {', '.join(known)}")


class RegistryError(ClaimcheckError):
    """The registry does not load; `findings` has every located reason."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("the registry does not load")
        self.findings = tuple(findings)


class NotCompiled(ClaimcheckError):
    """The code of a check does not parse; `registry.load` says which and where."""


class EnvironmentProblem(ClaimcheckError):
    """Git, the file system or the network does not let us work; nothing was learned."""


class ReadRefused(ClaimcheckError):
    """A file of the project is not read, because it is no regular file of the project or is too large."""


class WriteRefused(ClaimcheckError):
    """A file was not written, because it changed meanwhile or may not be written; it is as it was."""
