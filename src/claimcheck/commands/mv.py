"""`claimcheck mv`: rename an ID everywhere."""

from __future__ import annotations

import click

from claimcheck.commands.options import Settings, common_options, echo, write_or_show, writing_options
from claimcheck.commands.types import ID
from claimcheck.corpus import unknown_id


@click.command()
@click.argument("old", type=ID)
@click.argument("new")
@writing_options
@common_options
def mv(old: str, new: str, diff: bool, check: bool, settings: Settings) -> int:
    """Rename an ID in the registry, in the claims that cite it, in waivers and in the lock, at once.

    Prose is left alone: an ID in a claim's text is yours to change.

    \b
    Examples:
      claimcheck mv V-POOL V-BLOCK-POOL
      claimcheck mv V-POOL V-BLOCK-POOL --diff     show what would change
    """
    from claimcheck import registry as registry_files
    from claimcheck.renaming import rename

    project = settings.project()
    registry = registry_files.load(project)
    if old not in registry.entries:
        raise unknown_id(old, registry.entries)
    changes = rename(project, registry, old, new)
    code = write_or_show(project, changes, diff=diff, check=check)
    if code == 0:
        cited = sum(old in entry.cites for entry in registry.citing)
        echo(f"{old} is {new} now; {cited} {'entry cites' if cited == 1 else 'entries cite'} it.")
    return code
