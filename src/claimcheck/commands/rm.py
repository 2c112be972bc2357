"""`claimcheck rm`: remove entries from the registry."""

from __future__ import annotations

import click

from claimcheck.commands.options import Settings, common_options, echo, write_or_show, writing_options
from claimcheck.commands.types import ID
from claimcheck.corpus import unknown_id
from claimcheck.terminal import visible


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...", type=ID)
@click.option("--force", is_flag=True, help="Remove what is still cited, too.")
@writing_options
@common_options
def rm(ids: tuple[str, ...], force: bool, diff: bool, check: bool, settings: Settings) -> int:
    """Remove anchors (or claims, examples, corrections) with the comments that belong to them, and their lock entries.

    What is still cited, by entries or by documents, is not removed, unless --force is given: then `verify` reports who cites it.

    \b
    Examples:
      claimcheck rm V-OLD
      claimcheck rm V-OLD V-OLDER --diff
    """
    from claimcheck import registry as registry_files
    from claimcheck.library import Library
    from claimcheck.phrases import listed
    from claimcheck.renaming import remove

    project = settings.project()
    registry = registry_files.load(project)
    for id in ids:
        if id not in registry.entries:
            raise unknown_id(id, registry.entries)
    library = Library.of(project, registry)
    cited = {
        id: [
            *(entry.id for entry in registry.citing if id in entry.cites and entry.id not in ids),
            *(visible(path) for path in library.naming(id)),
        ]
        for id in ids
    }
    refused = {id: citing for id, citing in cited.items() if citing and not force}
    for id, citing in refused.items():
        echo(f"{registry.entries[id].places['']}: error: {id}: still cited by {listed(citing)}", err=True)
    if refused:
        places = [one.place for id in refused for one in library.citations.get(id, ())]
        if places:
            echo(f"    cited in {visible(listed(places))}", err=True)
        echo(f"    help: claimcheck rm {' '.join(ids)} --force", err=True)
        echo("Refused, nothing written.", err=True)
        return 1
    code = write_or_show(project, remove(project, registry, ids), diff=diff, check=check)
    if code == 0:
        echo(f"Removed {listed(list(ids))}.")
    return code
