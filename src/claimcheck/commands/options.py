"""What the commands share: common options, where output goes, and how a report or an error is shown."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from claimcheck.errors import ClaimcheckError, EnvironmentProblem, RegistryError, UsageError
from claimcheck.project import Project, write_output
from claimcheck.terminal import Paint, encodable, visible, visible_block
from claimcheck.values import frozen

if TYPE_CHECKING:
    from claimcheck.edit import FileChange

Function = TypeVar("Function", bound=Callable[..., Any])


class OutputClosed(Exception):
    """Whoever read our output has gone, as `head` does; nothing is wrong, and nobody is left to be told."""


@frozen
class Settings:
    """The common options of one run."""

    root: Path = Path(".")
    allow_alternates: tuple[Path, ...] = ()
    verbose: bool = False
    quiet: bool = False
    color: bool | None = None
    debug: bool = False

    def paint(self, output: Path | None = None) -> Paint:
        """Colour where a person looks at a terminal that did not ask for none."""
        wanted = sys.stdout.isatty() and os.environ.get("TERM") != "dumb" if self.color is None else self.color
        return Paint(wanted and output is None)

    def project(self) -> Project:
        """The project that `-C` or the current folder lies in."""
        return Project.find(self.root)


def common_options(command: Function) -> Function:
    """Give a command the common options; it is called with `settings`."""

    @click.option("-C", "directory", metavar="DIR", type=click.Path(path_type=Path), help="Run as if started in DIR.")
    @click.option(
        "--allow-alternates",
        metavar="DIR",
        multiple=True,
        type=click.Path(path_type=Path),
        help="Also read git objects that a vendor borrows from below DIR.",
    )
    @click.option("--quiet", "-q", is_flag=True, help="Print findings only.")
    @click.option("--verbose", "-v", is_flag=True, help="Print what is counted otherwise.")
    @click.option("--no-color", is_flag=True, help="No colour, as with NO_COLOR in the environment.")
    @click.option("--debug", is_flag=True, help="Show the traceback of an internal error.")
    @click.pass_context
    @functools.wraps(command)
    def wrapped(
        context: click.Context,
        /,
        directory: Path | None,
        allow_alternates: tuple[Path, ...],
        quiet: bool,
        verbose: bool,
        no_color: bool,
        debug: bool,
        **arguments: Any,
    ) -> Any:
        outer: Settings = context.obj if isinstance(context.obj, Settings) else Settings()
        settings = replace(
            outer,
            root=outer.root / directory if directory else outer.root,
            allow_alternates=(*outer.allow_alternates, *allow_alternates) or _alternates_from_environment(),
            quiet=quiet or outer.quiet,
            verbose=verbose or outer.verbose,
            color=False if no_color or "NO_COLOR" in os.environ else outer.color,
            debug=debug or outer.debug,
        )
        context.color = settings.color
        return command(settings=settings, **arguments)

    return wrapped  # type: ignore[return-value]


def _alternates_from_environment() -> tuple[Path, ...]:
    return tuple(Path(part) for part in os.environ.get("CLAIMCHECK_ALTERNATES", "").split(os.pathsep) if part)


def echo(text: str = "", *, err: bool = False, end: str = "\n") -> None:
    """Print text whose untrusted parts are already made visible, in whatever encoding the stream has."""
    stream = sys.stderr if err else sys.stdout
    try:
        click.echo(encodable(text + end, getattr(stream, "encoding", None) or "utf-8"), err=err, nl=False)
    except BrokenPipeError:
        # click ends the process with 1 when it sees this itself, which would say that something was found.
        raise OutputClosed from None
    except OSError as refused:
        if not err:  # what cannot be said on stderr cannot be said
            reason = (refused.strerror or "").lower()
            raise EnvironmentProblem(f"the output cannot be written: {reason}") from None


def prompt(text: str, choices: Sequence[str]) -> str:
    """Ask until one of these letters is typed."""
    answer: str = click.prompt(text, type=click.Choice(choices), show_choices=False, prompt_suffix="? ")
    return answer


def show_error(error: ClaimcheckError) -> None:
    """Print an error on stderr: where, what, and the way out."""
    if isinstance(error, RegistryError):
        from claimcheck.reports.text import findings_text, nothing_checked

        echo(findings_text(error.findings), err=True, end="")
        echo(nothing_checked(error.findings), err=True)
        return
    where = f"{error.place}: " if error.place else ""
    echo(f"{where}error: {visible(error.message)}", err=True)
    if error.help:
        echo(f"    help: {visible(error.help)}", err=True)


output_option = click.option(
    "--output",
    "-o",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to FILE instead of standard output.",
)


def format_option(formats: Iterable[str]) -> Callable[[Function], Function]:
    """`--format`, for a command whose formats these are; the command gets it as `form`."""
    return click.option("--format", "form", type=click.Choice(list(formats)), default="text", help="Output format.")


at_option = click.option(
    "--at",
    "at",
    metavar="[VENDOR=]REV",
    multiple=True,
    help="Look at another revision: a full commit id, a tag, HEAD, release or release/VERSION.",
)


def parse_at(at: tuple[str, ...], vendors: tuple[str, ...]) -> dict[str, str]:
    """What `--at` says for each vendor. A bare REV needs a project with one vendor; a bare `release` is for all."""
    targets: dict[str, str] = {}
    for item in at:
        name, equals, rev = item.partition("=")
        if equals:
            if name not in vendors:
                raise UsageError.unknown("vendor", name, vendors)
            if not rev:
                raise UsageError(f"--at {item}: a revision is missing after `=`")
            named = {name: rev}
        elif not item:
            raise UsageError(
                "--at: a revision is missing", help="a full commit id, a tag, HEAD, release or release/VERSION"
            )
        elif item == "release":
            named = {vendor: item for vendor in vendors if vendor not in targets}
        elif len(vendors) == 1:
            named = {vendors[0]: item}
        else:
            raise UsageError(
                f"--at {item}: which vendor? There are {len(vendors)}",
                help=f"--at {vendors[0]}={item}" if vendors else None,
            )
        targets.update(named)
    return targets


@contextmanager
def output_to(path: Path | None) -> Iterator[Callable[[str], None]]:
    """A function that takes the whole output: printed, or written to the file that `--output` names."""
    if path is None:
        yield lambda text: echo(text, end="")
    else:
        yield lambda text: write_output(path, text.encode("utf-8"))


def writing_options(command: Function) -> Function:
    """Give a command that changes files the other two answers to "what would change": show it, or only say whether."""
    command = click.option(
        "--diff", is_flag=True, help="Show the change and write nothing; exit with 1 if there is one."
    )(command)
    return click.option("--check", is_flag=True, help="Write nothing; exit with 1 if something would change.")(command)


def write_or_show(project: Project, changes: Sequence[FileChange], *, diff: bool, check: bool) -> int:
    """Write changes, or show them, or only say whether there are any; 1 for a change that is pending."""
    pending = [change for change in changes if change.changes]
    if diff:
        from claimcheck.edit import unified_diff

        # The lock is written first and read last.
        shown = sorted(pending, key=lambda change: change.path.endswith(".lock"))
        echo(visible_block(unified_diff(shown)), end="")
    elif check:
        echo("".join(f"{change.path} would change\n" for change in pending), end="")
    else:
        project.write(pending)
        return 0
    return 1 if pending else 0
