"""Parameter types whose values the shell can complete."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.types import StringParamType

from claimcheck.errors import ClaimcheckError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class IdType(StringParamType):
    """An ID of the registry; completed from the project that `-C` or the current folder lies in."""

    name = "id"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from claimcheck import registry as registry_files
        from claimcheck.project import Project

        directory = ctx.params.get("directory")
        try:
            registry = registry_files.load(Project.find(directory if isinstance(directory, Path) else Path(".")))
        except ClaimcheckError:
            return []  # a registry that does not load completes nothing; `verify` says why
        return [CompletionItem(id) for id in registry.entries if id.startswith(incomplete)]


ID = IdType()
