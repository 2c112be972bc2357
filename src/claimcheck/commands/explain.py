"""`claimcheck explain` and `claimcheck schema`: what a rule means, and the shape of the registry's files."""

from __future__ import annotations

import click

from claimcheck.commands.options import Settings, common_options, echo
from claimcheck.errors import UsageError


@click.command()
@click.argument("rule", required=False)
@common_options
def explain(rule: str | None, settings: Settings) -> int:
    """Explain a rule by its name; without one, list all rules.

    \b
    Examples:
      claimcheck explain
      claimcheck explain find-elsewhere
    """
    from claimcheck import rules
    from claimcheck.reports import explanations

    known = rules.catalogue()
    if rule is None:
        echo(explanations.table(known.values()), end="")
        return 0
    if rule not in known:
        raise UsageError.unknown("rule", rule, known, "claimcheck explain    lists them")
    echo(explanations.page(known[rule], rules.cases_of(rule)), end="")
    return 0


@click.command()
@common_options
def schema(settings: Settings) -> int:
    """Print the JSON Schema of anchors.yaml and claims/*.yaml, for editors and other tools."""
    from claimcheck import registry

    echo(registry.schema(), end="")
    return 0
