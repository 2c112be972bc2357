"""`claimcheck import` for documents that name places in somebody's code."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from claimcheck import registry as registry_files
from claimcheck.commands.options import Settings, echo
from claimcheck.documents import Citable, Document, Problem, is_document, read
from claimcheck.errors import EnvironmentProblem, UsageError
from claimcheck.finding import Severity
from claimcheck.mentions.files import Asked, opened
from claimcheck.mentions.finding import Mention, mentions
from claimcheck.mentions.proposing import Proposals, propose
from claimcheck.mentions.writing import citations, registry_changes
from claimcheck.model import Place, Registry
from claimcheck.project import Project
from claimcheck.reports import mentions as reports
from claimcheck.terminal import visible


def import_documents(
    files: Sequence[Path],
    asked: str,
    prefix: str | None,
    settings: Settings,
    *,
    cite: bool,
    write: bool,
    form: str,
) -> int:
    """Propose anchors for what documents name, and write them if that was asked for; 1 for a place without one."""
    if cite and not write:
        raise UsageError("--cite writes into documents", help="--write --cite")
    project = _project(settings)
    registry = registry_files.load(project)
    documents = list(_documents(project, registry, files, settings))
    with opened(Asked.parse(asked), prefix, project.root, registry.vendors) as vendor:
        named: list[Mention] = []
        for document in documents:
            named += mentions(document, vendor.vendor.url or vendor.vendor.name)
        found = propose(vendor.vendor, vendor.commit, vendor.label, named, vendor.files, registry.anchors)
        changes = registry_changes(project, vendor, found) + (citations(found) if cite else [])
    written = project.write([change for change in changes if change.changes]) if write else []
    if form == "json":
        echo(reports.json(found, written), end="")
    else:
        names = [document.path for document in documents]
        echo(reports.text(found, names, verbose=settings.verbose), end="")
        echo(_closing(found, written, write=write, files=files, asked=asked))
    return 1 if any(finding.severity is Severity.ERROR for finding in found.findings) else 0


def _project(settings: Settings) -> Project:
    """The project that the folder lies in, or one that begins here."""
    try:
        return settings.project()
    except UsageError:
        if not settings.root.is_dir():
            raise
        return Project(settings.root.resolve())


def _documents(project: Project, registry: Registry, files: Sequence[Path], settings: Settings) -> Iterator[Document]:
    """The documents, as files of the project: raises for one that is none, or that cannot be read."""
    citable = Citable.of(registry)
    for file in files:
        path = _inside(project, settings.root / file)
        if not is_document(path):
            raise UsageError("neither Markdown nor HTML", place=Place(path))
        content = project.read(path)
        if content is None:
            raise UsageError("no such file", place=Place(path))
        document = read(path, content, citable)
        if isinstance(document, Problem):
            raise EnvironmentProblem(document.message, place=document.place, help=document.help)
        yield document


def _inside(project: Project, file: Path) -> str:
    try:
        return file.resolve().relative_to(project.root.resolve()).as_posix()
    except ValueError:
        raise UsageError(f"{visible(str(file))} is outside the project", help="claimcheck -C DIR import …") from None


def _closing(found: Proposals, written: Sequence[str], *, write: bool, files: Sequence[Path], asked: str) -> str:
    if written:
        return f"Wrote {', '.join(visible(path) for path in written)}."
    if write or not found.new:
        return "Nothing written."
    command = shlex.join(["claimcheck", "import", *(file.as_posix() for file in files), "--vendor", asked, "--write"])
    return f"Nothing written. ({visible(command)}; --cite puts [ID] beside each place)"
