"""`claimcheck mv`: rename an ID everywhere."""

from __future__ import annotations

import click

from claimcheck.commands.options import Settings, common_options, echo, write_or_show, writing_options
from claimcheck.commands.types import ID
from claimcheck.corpus import unknown_id
from claimcheck.phrases import counted
from claimcheck.terminal import visible


@click.command()
@click.argument("old", type=ID)
@click.argument("new")
@writing_options
@common_options
def mv(old: str, new: str, diff: bool, check: bool, settings: Settings) -> int:
    """Rename an ID in the registry, in the claims and documents that cite it, in waivers and in the lock, at once.

    In documents citations, markers of blocks and link definitions change, and no other byte; what stands inside blocks
    is changed by `render`. An ID in a claim's text is yours to change.

    \b
    Examples:
      claimcheck mv V-POOL V-BLOCK-POOL
      claimcheck mv V-POOL V-BLOCK-POOL --diff     show what would change
    """
    from claimcheck import registry as registry_files
    from claimcheck.library import Library
    from claimcheck.renaming import rename

    project = settings.project()
    registry = registry_files.load(project)
    if old not in registry.entries:
        raise unknown_id(old, registry.entries)
    library = Library.of(project, registry)
    changes = rename(project, registry, library, old, new)
    for problem in library.unread:
        echo(visible(f"{problem.place}: warning: not looked at: {problem.message}"), err=True)
    code = write_or_show(project, changes, diff=diff, check=check)
    if code == 0:
        cited = sum(old in entry.cites for entry in registry.citing)
        entries = "entry cites" if cited == 1 else "entries cite"
        places = counted(len(library.citations.get(old, ())), "citation")
        in_documents = f", {places} in documents" if library.naming(old) else ""
        echo(f"{old} is {new} now; {cited} {entries} it{in_documents}.")
    return code
