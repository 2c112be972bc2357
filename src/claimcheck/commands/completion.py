"""`claimcheck completion`: the script by which a shell completes commands, options and IDs."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from claimcheck.commands.options import Settings, common_options, echo


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@common_options
def completion(shell: str, settings: Settings) -> int:
    """Print the completion script of a shell.

    \b
    Examples:
      claimcheck completion bash > ~/.local/share/bash-completion/completions/claimcheck
      claimcheck completion zsh > ~/.zfunc/_claimcheck
      claimcheck completion fish > ~/.config/fish/completions/claimcheck.fish
    """
    from claimcheck.cli import cli

    found = get_completion_class(shell)
    assert found is not None, shell
    echo(found(cli, {}, "claimcheck", "_CLAIMCHECK_COMPLETE").source())
    return 0
