"""`claimcheck verify`: is what the registry says still what the sources say?"""

from __future__ import annotations

from pathlib import Path

import click

from claimcheck.commands.options import Settings, at_option, common_options, format_option, output_option, output_to
from claimcheck.commands.session import open_session
from claimcheck.commands.types import ID
from claimcheck.errors import RegistryError, UsageError
from claimcheck.reports.verification import FORMATS


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID|FILE]...", type=ID)
@at_option
@click.option("--require-reviewed", is_flag=True, help="Make anchors that nobody has reviewed an error.")
@click.option("--no-waivers", is_flag=True, help="Leave the waivers out: what do they accept?")
@format_option(FORMATS)
@output_option
@common_options
def verify(
    ids: tuple[str, ...],
    at: tuple[str, ...],
    require_reviewed: bool,
    no_waivers: bool,
    form: str,
    output: Path | None,
    settings: Settings,
) -> int:
    """Check every anchor and claim, or those that are named.

    Each anchor is read at the commit at which it is cited: the path has to exist there, the lines too, and the
    search strings have to stand in them. With --at another revision is looked at and the anchors are re-found there.
    Nothing is written and no network is used.

    \b
    Examples:
      claimcheck verify                       everything, at the pins
      claimcheck verify V-POOL V2.6           one anchor, and one claim with what it cites
      claimcheck verify claims/V2.yaml        the claims of one file
      claimcheck verify --at release          at the releases that stand in for the pins
      claimcheck verify --at vllm=v0.33.0     one vendor at another revision

    Exit codes: 0 all holds; 1 something is wrong or could not be checked; 2 nothing could be checked.
    """
    from claimcheck import rules
    from claimcheck.reports import json_v1
    from claimcheck.verification import judge

    with output_to(output) as out:
        try:
            with open_session(settings) as session:
                if not session.registry.anchors and not session.registry.claims:
                    raise UsageError(
                        "nothing to verify: the registry has no anchors and no claims",
                        help="claimcheck import RECORD.md, or claimcheck add ID VENDOR:PATH:LINES",
                    )
                corpus = session.corpus(ids, at)
                findings = rules.run(corpus, require_reviewed=require_reviewed, waivers=not no_waivers)
                verification = judge(corpus, findings)
        except RegistryError as error:
            if form == "json":
                out(json_v1.render_load_errors(error.findings))
            else:
                out(_load_errors(error, concise=form == "concise", verbose=settings.verbose))
            return error.exit_code
        paint = settings.paint(output)
        out(FORMATS[form].render(verification, verbose=settings.verbose, quiet=settings.quiet, paint=paint))
    return verification.exit_code


def _load_errors(error: RegistryError, *, concise: bool, verbose: bool) -> str:
    from claimcheck.reports.text import findings_text, first_line, nothing_checked

    if concise:
        return "".join(first_line(finding) + "\n" for finding in error.findings)
    return findings_text(error.findings, everything=verbose) + nothing_checked(error.findings) + "\n"
