"""`claimcheck verify`: is what the registry says still what the sources say?"""

from __future__ import annotations

from pathlib import Path

import click

from claimcheck.commands.options import (
    Settings,
    at_option,
    common_options,
    echo,
    format_option,
    output_option,
    output_to,
)
from claimcheck.commands.session import Session, open_session
from claimcheck.commands.types import ID
from claimcheck.corpus import Corpus
from claimcheck.errors import RegistryError, UsageError
from claimcheck.reports.verification import FORMATS
from claimcheck.terminal import visible


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID|FILE]...", type=ID)
@at_option
@click.option("--changed", "since", metavar="REV", help="Only what files of the project cite that changed since REV.")
@click.option("--require-reviewed", is_flag=True, help="Make anchors that nobody has reviewed an error.")
@click.option("--no-waivers", is_flag=True, help="Leave the waivers out: what do they accept?")
@format_option(FORMATS)
@output_option
@common_options
def verify(
    ids: tuple[str, ...],
    at: tuple[str, ...],
    since: str | None,
    require_reviewed: bool,
    no_waivers: bool,
    form: str,
    output: Path | None,
    settings: Settings,
) -> int:
    """Check every anchor, claim and document, or those that are named.

    Each anchor is read at the commit at which it is cited: the path has to exist there, the lines too, and the
    search strings have to stand in them. With --at another revision is looked at and the anchors are re-found there.
    Documents are read too: what they cite has to exist, and what they quote and link to has to be what is cited. Of a
    document that is named, and with --changed, the anchors that it cites are looked at. Nothing is written and no network
    is used.

    \b
    Examples:
      claimcheck verify                       everything, at the pins
      claimcheck verify V-POOL V2.6           one anchor, and one claim with what it cites
      claimcheck verify claims/V2.yaml        the claims of one file
      claimcheck verify lessons/V2.html       one document, and the anchors that it cites
      claimcheck verify --changed HEAD        what you have not committed yet; origin/main for a pull request
      claimcheck verify --at release          at the releases that stand in for the pins
      claimcheck verify --at vllm=v0.33.0     one vendor at another revision

    Exit codes: 0 all holds; 1 something is wrong or could not be checked; 2 nothing could be checked.
    """
    from claimcheck import rules
    from claimcheck.reports import json_v1
    from claimcheck.verification import judge

    with output_to(output) as out:
        try:
            # All checks run, in two processes, so their code is compiled there.
            everything = not ids and since is None
            with open_session(settings, compiled=not everything) as session:
                if ids and since is not None:
                    raise UsageError("--changed says itself what is looked at; name nothing beside it")
                if not session.registry.anchors and not session.registry.claims:
                    raise UsageError(
                        "nothing to verify: the registry has no anchors and no claims",
                        help="claimcheck import RECORD.md, or claimcheck add ID VENDOR:PATH:LINES",
                    )
                corpus = _corpus(session, ids, at, since)
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


def _corpus(session: Session, names: tuple[str, ...], at: tuple[str, ...], since: str | None) -> Corpus:
    if since is None:
        return session.corpus(names, at)
    from claimcheck.changed import changed_since
    from claimcheck.corpus import build

    selection, files = changed_since(session.project, session.registry, session.library, since)
    said = f"Changed since {since}: {', '.join(files)}" if files else f"Nothing that is looked at changed since {since}"
    echo(visible(said), err=True)
    targets = session.targets(at)
    return build(session.registry, session.sources, (), targets, session.library, selection)


def _load_errors(error: RegistryError, *, concise: bool, verbose: bool) -> str:
    from claimcheck.reports.text import findings_text, first_line, nothing_checked

    if concise:
        return "".join(first_line(finding) + "\n" for finding in error.findings)
    return findings_text(error.findings, everything=verbose) + nothing_checked(error.findings) + "\n"
