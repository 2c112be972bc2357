"""Parameter types whose values the shell can complete."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from claimcheck.errors import ClaimcheckError


class IdType(click.ParamType):
    """An ID of the registry; completed from the project that `-C` or the current folder lies in."""

    name = "id"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from claimcheck import registry as registry_files
        from claimcheck.project import Project

        directory = ctx.params.get("directory")
        try:
            registry = registry_files.load(Project.find(directory if isinstance(directory, Path) else Path(".")))
        except ClaimcheckError:
            return []  # a registry that does not load completes nothing; `verify` says why
        entries = [*registry.anchors, *registry.claims, *registry.examples, *registry.errata]
        return [CompletionItem(id) for id in entries if id.startswith(incomplete)]


ID = IdType()
