"""The command line: the group, one line a command, and errors to exit codes."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType
from typing import Any, NoReturn, TextIO

import click

from claimcheck import __version__
from claimcheck.commands.options import OutputClosed, Settings, common_options, echo, show_error
from claimcheck.errors import ClaimcheckError
from claimcheck.terminal import visible

COMMANDS = {
    "import": "claimcheck.commands.import_:import_",
    "vendor": "claimcheck.commands.vendor:vendor",
    "verify": "claimcheck.commands.verify:verify",
    "excerpt": "claimcheck.commands.excerpt:excerpt",
    "cite": "claimcheck.commands.cite:cite",
    "render": "claimcheck.commands.render:render",
    "list": "claimcheck.commands.list_:list_",
    "add": "claimcheck.commands.add:add",
    "mv": "claimcheck.commands.mv:mv",
    "rm": "claimcheck.commands.rm:rm",
    "lock": "claimcheck.commands.lock:lock",
    "review": "claimcheck.commands.review:review",
    "errata": "claimcheck.commands.errata:errata",
    "drift": "claimcheck.commands.drift:drift",
    "bump": "claimcheck.commands.bump:bump",
    "mutate": "claimcheck.commands.mutate:mutate",
    "history": "claimcheck.commands.history:history",
    "relocate": "claimcheck.commands.relocate:relocate",
    "explain": "claimcheck.commands.explain:explain",
    "schema": "claimcheck.commands.explain:schema",
    "completion": "claimcheck.commands.completion:completion",
}

EXIT_BUG = 3
EXIT_CLOSED_PIPE = 141


class LateGroup(click.Group):
    """A group that imports a command's module only when the command is used, so that starting stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from importlib import import_module

        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"no command {name}{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=LateGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message=f"claimcheck {__version__} (distribution claimcheck-toolkit)")
@common_options
def cli(settings: Settings) -> int | None:
    """Keep writing about other people's code true.

    Citations such as [V-POOL] stand in anchors.yaml: vendor, path, lines and search strings at a pinned commit. claimcheck
    verifies them against the vendor's git objects, shows the code behind them, and re-finds it at another revision.

    \b
    Examples:
      claimcheck                      the state of this project, and the next command
      claimcheck vendor sync          bring the commits that the registry names
      claimcheck verify               check everything
      claimcheck excerpt V-POOL       show the code behind an anchor

    Exit codes: 0 done and all holds; 1 something is wrong or could not be checked; 2 usage, a registry that does not
    load, or nothing could be checked; 3 a bug in claimcheck.
    """
    context = click.get_current_context()
    context.obj = settings
    if context.invoked_subcommand is None:
        from claimcheck.commands.status import status

        return status(settings)
    return None


# New objects after which Python looks for cycles among them, and how often it looks among older ones.
COLLECT_AFTER = (400_000, 20, 100)


class Terminated(BaseException):
    """A signal that ends the run; raised so that half-done writing is undone on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


_stopped_by: list[int] = []


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    _stopped_by.append(number)
    raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code. The one place that catches everything, for the exit code."""
    _open_what_is_closed()
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        # Under nohup, and in the background of a script, a signal is ignored and stays so.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)
    # A run makes much that lives to its end and few cycles: looking for those took a twentieth of its time.
    gc.set_threshold(*COLLECT_AFTER)
    debug = "--debug" in (sys.argv[1:] if arguments is None else arguments)
    try:
        code = run(arguments)
        sys.stdout.flush()
    except (OutputClosed, BrokenPipeError, SystemExit):
        # click exits by itself where it finds the pipe closed.
        code = EXIT_CLOSED_PIPE
    except (KeyboardInterrupt, click.Abort) as ended:
        _say_how_far(ended)
        code = 128 + signal.SIGINT
    except Terminated as ended:
        _say_how_far(ended)
        code = 128 + ended.number
    except (OSError, MemoryError) as refused:
        if debug:
            raise
        why = refused.strerror if isinstance(refused, OSError) else None
        echo(f"error: the system does not let claimcheck work: {(why or 'not enough memory').lower()}", err=True)
        echo("    help: run it again with --debug to see where", err=True)
        code = ClaimcheckError.exit_code
    except BaseException as bug:  # the outermost catch: a bug is one line and an exit code of its own
        if debug:
            raise
        # What a signal raises inside native code can come out as something else.
        if not _stopped_by:
            echo(f"claimcheck: internal error: {type(bug).__name__}", err=True)
            echo("    help: run it again with --debug and report what it prints", err=True)
        code = EXIT_BUG
    _drop_what_is_left(sys.stdout)
    _drop_what_is_left(sys.stderr)
    _leave(128 + _stopped_by[-1] if _stopped_by else code, at_once=not debug)


def _leave(code: int, *, at_once: bool) -> NoReturn:
    """Exit without taking apart what the system takes back whole, which took a tenth of a second; as mypy does.

    The usual way where somebody still has to be waited for, and for profilers and debuggers with --debug.
    """
    others = [thread for thread in threading.enumerate() if not thread.daemon and thread is not threading.main_thread()]
    processes = sys.modules.get("multiprocessing")
    if not at_once or others or (processes and processes.active_children()):
        gc.freeze()  # the collector would go through all of it
        sys.exit(code)
    atexit._run_exitfuncs()
    os._exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code; errors that the user can mend are shown, others are raised."""
    try:
        result: Any = cli.main(args=list(arguments) if arguments is not None else None, standalone_mode=False)
    except click.exceptions.Exit as ended:
        return int(ended.exit_code)
    except click.ClickException as error:
        _show_usage(error)
        return error.exit_code if error.exit_code != 1 else ClaimcheckError.exit_code
    except ClaimcheckError as error:
        show_error(error)
        return error.exit_code
    return result if isinstance(result, int) else 0


def _show_usage(error: click.ClickException) -> None:
    echo(f"error: {visible(error.format_message())}", err=True)
    context = getattr(error, "ctx", None)
    if isinstance(context, click.Context):
        echo(f"    help: {context.command_path} --help", err=True)


def _say_how_far(ended: BaseException) -> None:
    """Which files were written before a run was stopped; `Project.write` notes it on what stops it."""
    with contextlib.suppress(OutputClosed):
        # click raises its own Abort from a KeyboardInterrupt.
        for part in (ended, ended.__cause__):
            for note in getattr(part, "__notes__", ()):
                echo(visible(note), err=True)


def _open_what_is_closed() -> None:
    """Let standard streams that are closed lead nowhere; the next file to be opened would take their place."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free, which is this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _drop_what_is_left(stream: TextIO) -> None:
    """Write out what is buffered; what cannot be written goes nowhere, or Python would say so when it ends."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
