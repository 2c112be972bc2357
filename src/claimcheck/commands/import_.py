"""`claimcheck import`: a research record, or what documents name, into the registry."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from claimcheck.commands.options import Settings, common_options, echo, format_option
from claimcheck.errors import ClaimcheckError, EnvironmentProblem, ReadRefused, UsageError
from claimcheck.model import Place
from claimcheck.project import MEBIBYTE, Project
from claimcheck.texts import place_in

RECORD_LIMIT = 2 * MEBIBYTE


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--vendor",
    metavar="NAME[=PATH][@REV]",
    help="Import documents that name places in this vendor's code: one of the registry, or a clone at PATH.",
)
@click.option("--prefix", metavar="PREFIX", help="With --vendor: the prefix of the anchors of a new vendor.")
@click.option("--cite", is_flag=True, help="With --vendor and --write: put [ID] behind each place in the documents.")
@click.option(
    "--write", is_flag=True, help="Write anchors.yaml and claims/; without it only show what would be written."
)
@click.option(
    "--update", is_flag=True, help="Take the record's values for entries that differ; with --write they are written."
)
@format_option(["text", "json"])
@common_options
def import_(
    files: tuple[Path, ...],
    vendor: str | None,
    prefix: str | None,
    cite: bool,
    write: bool,
    update: bool,
    form: str,
    settings: Settings,
) -> int:
    """Make registry entries from a research record, or from documents that name places in somebody's code.

    A record is a Markdown file with tables of anchors (columns for the ID, the file, the lines and the search strings,
    in English or Chinese), reference links to files at a commit, a line for each vendor (vendor/NAME, HEAD = full id,
    origin = OWNER/NAME), and knowledge points: numbered lists with citations such as [V-POOL] below headings such as
    "### V1: title". A cell that cannot be understood is reported with its place; all other rows are taken.

    What is there already is compared: path, lines and strings of an anchor, and what a claim cites. The text of a
    claim is never compared, since a project tells claims in its own words. Vendors, releases, waivers and comments
    stay as they are. Nothing is compared with source code; that is what verify does.

    With --vendor the files are documents (Markdown or HTML). Permalinks, links to a branch, links such as
    [x](pool.py#L10-L20), and pool.py:10-20 in the text become anchors at REV, never at a date: a full commit id, a tag
    or HEAD, else the vendor's pin. A permalink of another commit that is here is followed to REV. What is in doubt, or not
    there, is reported with its place.

    \b
    Examples:
      claimcheck import research-record.md                      what the record has and what would be written
      claimcheck import research-record.md --write              write it
      claimcheck import research-record.md --write --update     take its values for entries that differ
      claimcheck import chapters/*.md --vendor vllm@v0.33.0     what the chapters name, as anchors at that tag
      claimcheck import docs/*.md --vendor app=../app --write --cite

    Exit codes: 0 done; 1 a part of the record was not understood, entries differ and were kept, or a place that a
    document names has no anchor; 2 a file cannot be read, or there is nothing to import.
    """
    if vendor is not None:
        from claimcheck.commands.import_documents import import_documents

        return import_documents(files, vendor, prefix, settings, cite=cite, write=write, form=form)
    if prefix is not None or cite:
        raise UsageError("--prefix and --cite are for documents", help="--vendor NAME=PATH@REV")
    if len(files) > 1:
        raise UsageError("one research record at a time; documents need --vendor", help="--vendor NAME=PATH@REV")
    return _import_record(files[0], settings, write=write, update=update, form=form)


def _import_record(record: Path, settings: Settings, *, write: bool, update: bool, form: str) -> int:
    from claimcheck import registry as registry_files
    from claimcheck.edit import unified_diff
    from claimcheck.records.plan import make_plan
    from claimcheck.records.reading import read_record
    from claimcheck.records.writing import by_hand, changes
    from claimcheck.reports import imports_json, imports_text
    from claimcheck.terminal import visible_block

    project = _project(settings)
    registry = registry_files.load(project)
    name, text = _read(record, settings)
    said = read_record(name, text, registry)
    if said.empty:
        raise UsageError(
            "no research record: it has no table of anchors, no links to files at a commit and no knowledge points",
            place=Place(name),
            help="| ID | file | lines | search strings |    is the header of a table of anchors",
        )
    plan = make_plan(said, registry)
    proposed = [] if said.refused else changes(plan, project, registry, add=True, update=update)
    written = project.write(proposed) if write else []
    kept = [entry for entry in plan.differing if not (update and write) or by_hand(entry)]
    if form == "json":
        echo(imports_json.render(plan, written), end="")
    else:
        blocks = [imports_text.findings(plan, verbose=settings.verbose)]
        if not settings.quiet:
            if plan.differing:
                differing = changes(plan, project, registry, add=False, update=True) if not written else []
                blocks.append(visible_block(unified_diff(differing)))
            elsewhere = "" if settings.root == Path() else f" -C {shlex.quote(str(settings.root))}"
            command = f"claimcheck{elsewhere} import {shlex.quote(name)}"
            blocks.insert(0, imports_text.summary(plan))
            blocks.append(imports_text.closing(plan, proposed, written=bool(written), update=update, command=command))
        echo("\n".join(block for block in blocks if block), end="")
    return 1 if plan.errors or kept else 0


def _project(settings: Settings) -> Project:
    """The project that the folder lies in, or one that begins here."""
    try:
        return settings.project()
    except UsageError:
        if not settings.root.is_dir():
            raise
        return Project(settings.root.resolve())


def _read(record: Path, settings: Settings) -> tuple[str, str]:
    """The record's name as messages show it, and its text."""
    path = settings.root / record
    name = os.path.relpath(path, settings.root) if record.is_absolute() else record.as_posix()
    if not name[:1].isalnum() and not name.startswith("."):
        name = f"./{name}"  # what begins like an option or a runner's command does not begin a line of ours
    try:
        # Read like a file of a project: a regular one, of a size that can be read, without waiting for a pipe.
        real = path.resolve()
        content = Project(real.parent).read(real.name, limit=RECORD_LIMIT)
    except (ReadRefused, EnvironmentProblem) as error:
        raise type(error)(error.message, place=Place(name), help=error.help) from None
    if content is None:
        raise UsageError("no such file", place=Place(name))
    return name, _decoded(content, name)


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line, column = place_in(content, error.start)
        raise ClaimcheckError(
            f"byte 0x{content[error.start]:02x} at offset {error.start} is not UTF-8",
            place=Place(name, line, column),
            help="save the record as UTF-8",
        ) from None
