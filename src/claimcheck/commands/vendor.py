"""`claimcheck vendor`: bring vendors' commits and releases, say what is here, declare a new vendor."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from claimcheck.commands.options import Settings, common_options, echo, format_option, output_option, output_to
from claimcheck.errors import UsageError
from claimcheck.terminal import visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from claimcheck.model import Registry, Vendor
    from claimcheck.project import Project
    from claimcheck.upstream import Local
    from claimcheck.vendors import Step, Vendors

from_option = click.option(
    "--from",
    "source",
    metavar="PATH",
    type=click.Path(path_type=Path, exists=True),
    help="Take it from a clone, a bundle or a .tar.gz archive on this machine; nobody else is asked.",
)
index_option = click.option(
    "--index-url",
    metavar="URL",
    help="The package index to take releases from; else PIP_INDEX_URL, else the public one.",
)
wait_option = click.option("--no-wait", is_flag=True, help="Give up at once if another run is writing the same copy.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def vendor() -> None:
    """Bring the source code that is cited, and say what is here of it.

    Commits are brought into vendor/NAME.git, a bare copy of our own; a clone of yours in vendor/NAME is only read.
    Only `sync` and `fetch` use the network. Proxies, certificates, keys and work without a network: docs/vendors.md.

    \b
    Examples:
      claimcheck vendor sync                      every commit that the registry names
      claimcheck vendor fetch vllm v0.33.0        one more tag
      claimcheck vendor status                    what is here, and what needs a hand
      claimcheck vendor add vendor/zlib           declare a vendor by its clone
    """


@vendor.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@from_option
@click.option("--releases", is_flag=True, help="Ask no forge: take the releases that stand in at once.")
@index_option
@wait_option
@common_options
def sync(
    names: tuple[str, ...],
    source: Path | None,
    releases: bool,
    index_url: str | None,
    no_wait: bool,
    settings: Settings,
) -> int:
    """Bring every commit that the registry names.

    That is the pins, and the commits at which anchors are held, of all vendors or of these. Exactly those commits are
    fetched, without history. Where no forge answers, the first declared release stands in:
    its archive is taken from the package index, compared with the declared sha256, and imported.

    \b
    Examples:
      claimcheck vendor sync
      claimcheck vendor sync vllm --from ~/src/vllm
      claimcheck vendor sync vllm --from vllm-0.33.0.tar.gz
      claimcheck vendor sync --releases            where no forge can be reached anyway

    Exit codes: 0 each vendor has its pin or a stand-in; 1 one has not, or a forge does not have a pin; 2 none has.
    """
    with _vendors(settings, forges=not releases, index_url=index_url, wait=not no_wait) as (vendors, bar):
        chosen = _chosen(vendors.registry, names)
        local = _local(source)
        if local is not None and len(chosen) != 1:
            raise UsageError("--from is for one vendor", help=f"claimcheck vendor sync NAME --from {local.shown}")
        width = max((len(name) for name in chosen), default=0)
        steps: list[Step] = []
        for name in chosen:
            for step in vendors.sync(name, local):
                steps.append(step)
                bar.clear()
                _show(step, width, settings)
    if not settings.quiet:
        echo(_verdict(chosen, steps))
    return _exit_code(chosen, steps)


@vendor.command()
@click.argument("name", metavar="VENDOR")
@click.argument("rev", metavar="REV")
@click.option("--history", is_flag=True, help="Also what lies between it and the pin.")
@click.option("--since", metavar="REV", help="With --history: from this commit or tag instead of the pin.")
@click.option("--trust", is_flag=True, help="Take a release that is not declared, as the package index has it today.")
@from_option
@index_option
@wait_option
@common_options
def fetch(
    name: str,
    rev: str,
    history: bool,
    since: str | None,
    trust: bool,
    source: Path | None,
    index_url: str | None,
    no_wait: bool,
    settings: Settings,
) -> int:
    """Bring one more commit, tag or release of a vendor. Tags keep their name.

    REV is a full commit id, a tag, `release/VERSION`, or `release` for the one that stands in. A release that
    anchors.yaml does not declare is not taken: the line to add is printed.

    \b
    Examples:
      claimcheck vendor fetch vllm v0.33.0
      claimcheck vendor fetch vllm release/0.32.0
      claimcheck vendor fetch vllm v0.33.0 --history --since v0.32.0

    Exit codes: 0 it is here; 1 a release is not declared, or not the declared one; 2 it could not be had.
    """
    if since is not None and not history:
        raise UsageError("--since goes with --history")
    with _vendors(settings, index_url=index_url, wait=not no_wait) as (vendors, bar):
        [name] = _chosen(vendors.registry, (name,))
        local = _local(source)
        if history:
            steps = vendors.fetch_history(name, rev, since, local)
        else:
            steps = vendors.fetch(name, rev, trust=trust, local=local)
        for step in steps:
            bar.clear()
            _show(step, 0, settings)
    return 0


@vendor.command()
@click.option("--all", "everything", is_flag=True, help="List the vendors that are fine too.")
@click.option("--check", is_flag=True, help="Exit with 1 if a pin is missing.")
@format_option(["text", "json"])
@output_option
@common_options
def status(everything: bool, check: bool, form: str, output: Path | None, settings: Settings) -> int:
    """Say which pins are here, and what needs a hand.

    Also what stands in for pins that are not here, and where clones differ from their pin. Only vendors that need a
    hand are listed, each with the command that helps; --all lists the others too. Nothing
    is fetched.

    \b
    Examples:
      claimcheck vendor status
      claimcheck vendor status --all
      claimcheck vendor status --check             in CI

    Exit codes: 0; with --check 1 if a pin is missing.
    """
    from claimcheck.reports import standings as formats
    from claimcheck.standing import Verdict

    with _vendors(settings) as (vendors, _):
        found = [vendors.standing(name) for name in vendors.registry.vendors]
    text = formats.json(found) if form == "json" else formats.text(found, everything=everything)
    with output_to(output) as out:
        out(text)
    return int(check and any(each.verdict is Verdict.MISSING for each in found))


@vendor.command()
@click.argument("address", metavar="URL|PATH")
@click.option("--name", metavar="NAME", help="The vendor's name; else the last part of URL or PATH.")
@click.option("--commit", metavar="ID", help="The pin: a full commit id; else what the clone has checked out.")
@click.option(
    "--prefix", metavar="X", help="What its anchors' IDs begin with; else the first free letters of its name."
)
@click.option("--pypi", metavar="PROJECT", help="Its name at the package index, where releases come from.")
@click.option("--version", metavar="VERSION", help="Declare a release.")
@click.option("--sha256", metavar="HEX", help="The sha256 of that release's archive.")
@common_options
def add(
    address: str,
    name: str | None,
    commit: str | None,
    prefix: str | None,
    pypi: str | None,
    version: str | None,
    sha256: str | None,
    settings: Settings,
) -> int:
    """Declare a new vendor in anchors.yaml.

    It is named by a URL, or by a clone or a source archive on this machine. From a clone its URL and HEAD are
    taken; a source archive becomes the pin itself. Nothing is fetched.

    \b
    Examples:
      claimcheck vendor add vendor/zlib
      claimcheck vendor add https://forge.example/o/zlib --commit 5a1b…
      claimcheck vendor add ~/Downloads/zlib-1.3.tar.gz --pypi zlib
    """
    from claimcheck import registry as registry_files
    from claimcheck.edit import unified_diff
    from claimcheck.new_vendor import Said, new_vendor
    from claimcheck.registry.edits import Editor

    project = settings.project()
    registry = registry_files.load(project)
    said = Said(name, commit, prefix, pypi, version, sha256)
    declared = new_vendor(address, said, project.root, registry.vendors)
    editor = Editor(registry_files.ANCHORS, project.read(registry_files.ANCHORS))
    editor.add_vendor(declared)
    change = editor.change()
    registry_files.make_sure_it_loads(project, [change])
    project.write([change])
    if not settings.quiet:
        for line in unified_diff([change]).split("\n"):
            if line.startswith("+") and not line.startswith("+++ "):
                echo(visible(line[1:]))
        echo(f"Wrote {change.path}. IDs of its anchors begin with {declared.prefixes[0]}-")
        echo(f"Next: {_next(project, declared, address)}")
    return 0


def _next(project: Project, declared: Vendor, address: str) -> str:
    from claimcheck.model import Registry
    from claimcheck.upstream import Upstream
    from claimcheck.vendors import Vendors

    name, prefix = declared.name, declared.prefixes[0]
    if not Vendors(project.root, Registry({name: declared}), Upstream()).missing(name):
        return f"claimcheck add {prefix}-SOMETHING {name}:PATH:LINES"
    source = f" --from {visible(address)}" if Path(address).expanduser().exists() else ""
    return f"claimcheck vendor sync {name}{source}"


@contextmanager
def _vendors(
    settings: Settings, *, forges: bool = True, index_url: str | None = None, wait: bool = True
) -> Iterator[tuple[Vendors, Bar]]:
    from claimcheck import registry as registry_files
    from claimcheck.git.copy import LOCK_SECONDS
    from claimcheck.upstream import Upstream
    from claimcheck.vendors import Vendors

    project = settings.project()
    bar = Bar(shown=sys.stderr.isatty() and not settings.quiet)

    def waiting(label: str) -> None:
        if not settings.quiet:
            echo(f"another claimcheck is writing {label}; waiting", err=True)

    try:
        with Upstream(index_url, forges, bar.tell) as upstream:
            yield (
                Vendors(
                    project.root,
                    registry_files.load(project),
                    upstream,
                    settings.allow_alternates,
                    LOCK_SECONDS if wait else 0.0,
                    waiting,
                ),
                bar,
            )
    finally:
        bar.clear()


def _chosen(registry: Registry, names: Sequence[str]) -> list[str]:
    """The vendors that were named, or all; in registry order, each once."""
    for name in names:
        if name not in registry.vendors:
            raise UsageError.unknown("vendor", name, registry.vendors)
    return [name for name in registry.vendors if not names or name in names]


def _local(source: Path | None) -> Local | None:
    from claimcheck.upstream import Local

    return Local.at(source) if source is not None else None


def _show(step: Step, width: int, settings: Settings) -> None:
    from claimcheck.vendors import Came

    if step.came is Came.HERE and width:
        return  # the last line counts what is fine
    if settings.quiet and step.came is not Came.FAILED:
        return
    echo(f"{visible(step.vendor).ljust(width)}  {visible(step.text)}")
    if step.help:
        echo(f"    help: {visible(step.help)}")


def _verdict(chosen: Sequence[str], steps: Sequence[Step]) -> str:
    from claimcheck.vendors import Came

    def with_a(*came: Came) -> int:
        return sum(any(step.came in came for step in steps if step.vendor == name) for name in chosen)

    total = "1 vendor" if len(chosen) == 1 else f"{len(chosen)} vendors"
    stand_ins, failed = with_a(Came.STAND_IN), with_a(Came.FAILED)
    if not with_a(*(came for came in Came if came is not Came.HERE)):
        return f"{total}: everything is here, nothing to bring."
    brought = with_a(Came.BROUGHT)
    parts = [
        f"{brought} brought" if brought else "",
        f"{stand_ins} stand-in{'' if stand_ins == 1 else 's'} for missing pins" if stand_ins else "",
        f"{failed} failed" if failed else "",
    ]
    after = " (claimcheck verify --at release)" if stand_ins and not failed else ""
    return f"{total}: {', '.join(filter(None, parts))}.{after}"


def _exit_code(chosen: Sequence[str], steps: Sequence[Step]) -> int:
    from claimcheck.vendors import Came

    def came(name: str) -> set[Came]:
        return {step.came for step in steps if step.vendor == name}

    failed = [name for name in chosen if Came.FAILED in came(name)]
    empty = [name for name in failed if not came(name) & {Came.HERE, Came.BROUGHT, Came.STAND_IN}]
    if not failed:
        return 0
    return 2 if len(empty) == len(chosen) else 1


class Bar:
    """A progress bar on stderr while something goes on, and nothing where it is not shown."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._what = ""

    def tell(self, what: str, done: int, total: int) -> None:
        """How far something is; a total of 0 is not known."""
        if not self._shown:
            return
        if self._progress is None:
            from rich.console import Console
            from rich.progress import Progress

            self._progress = Progress(console=Console(stderr=True), transient=True)
            self._progress.start()
        if self._task is None or what != self._what:
            if self._task is not None:
                self._progress.remove_task(self._task)
            self._what = what
            self._task = self._progress.add_task(visible(what), total=total or None)
        self._progress.update(self._task, completed=done, total=total or None)

    def clear(self) -> None:
        """Take the bar away, so that a line can be printed."""
        if self._progress is not None:
            self._progress.stop()
        self._progress, self._task = None, None
