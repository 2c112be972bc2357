"""`claimcheck render`: fill the blocks of documents in place, or make a site of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

import click

from claimcheck.commands.options import Settings, at_option, common_options, echo, write_or_show, writing_options
from claimcheck.commands.session import Session, open_session
from claimcheck.documents import Document
from claimcheck.edit import unified_diff
from claimcheck.errors import UsageError
from claimcheck.output_folder import OutputFolder
from claimcheck.rendering.making import needed
from claimcheck.rendering.material import Material
from claimcheck.rendering.plan import keys_of
from claimcheck.rendering.rendered import Rendered, in_place, site_of
from claimcheck.rendering.site import in_order, layout
from claimcheck.rendering.templates import Templates
from claimcheck.reports.render_text import problems, verdict
from claimcheck.terminal import visible_block
from claimcheck.verification import judge


@click.command()
@click.argument("names", nargs=-1, metavar="[LESSON...]")
@click.option("--output", "-o", metavar="DIR", type=click.Path(path_type=Path), help="Make a site in DIR.")
@click.option("--force", is_flag=True, help="Also replace blocks that were edited by hand.")
@at_option
@writing_options
@common_options
def render(
    names: tuple[str, ...],
    output: Path | None,
    force: bool,
    at: tuple[str, ...],
    check: bool,
    diff: bool,
    settings: Settings,
) -> int:
    """Fill the blocks of documents and link their citations.

    Without --output the documents themselves are changed: what stands between the markers of a block, and the links
    around citations; every other byte stays. With --output a site is made of all documents and nothing else is written.
    A document that cites what is not there stays as it is, and the finding says why.

    \b
    Examples:
      claimcheck render                            fill every document in place
      claimcheck render V2 --diff                  show what would change in one lesson
      claimcheck render --check                    exit with 1 if something would change
      claimcheck render --output build/site        make a site
      claimcheck render -o build/site --at release at the releases that stand in for the pins

    Exit codes: 0 done; 1 something is wrong, could not be looked at, or would change; 2 nothing could be looked at.
    """
    from claimcheck import rules

    with open_session(settings) as session:
        documents = in_order(
            session.library.documents.values(),
            [session.project.files(pattern) for pattern in session.registry.documents.include],
        )
        chosen = _chosen(session, documents, names)
        site = session.registry.documents.blocks == "site"
        if output is None and site:
            raise UsageError(
                "the documents of this project keep their blocks empty (`blocks: site`)",
                help="claimcheck render --output DIR",
            )
        folder = None if output is None else OutputFolder.open(output, session.project)
        templates = Templates(session.library.templates)
        unread = [] if names else [problem.place.path for problem in session.library.unread]
        paths = [*(document.path for document in chosen), *unread]
        corpus = session.corpus([*needed(chosen, session.registry), *paths], at)
        verification = judge(corpus, rules.run(corpus, rendering=False))
        material = Material.of(verification)
        keys = keys_of([document.path for document in documents])
        if folder is None:
            made = in_place(chosen, material, keys, templates, force=force, width=display_width)
            pending = write_or_show(session.project, made.changes, diff=diff, check=check)
        else:
            plan = layout([document.path for document in documents])
            made = site_of(
                documents, [each.path for each in chosen], material, keys, templates, plan, session.project.read
            )
            pending = _write_site(folder, made, diff=diff, check=check)
        made.unread = unread
        echo(problems(made, verification), end="")
        if not settings.quiet:
            echo(verdict(made, verification, output, pending=bool(pending)))
    if not made.documents and verification.nothing_looked_at:
        return 2
    return 1 if pending or made.left else 0


def _chosen(session: Session, documents: Sequence[Document], names: Sequence[str]) -> list[Document]:
    """The documents that are named, by path or by lesson; all for no names."""
    if not documents and not session.library.unread:
        patterns = ", ".join(session.registry.documents.include)
        raise UsageError(f"no document: nothing matches {patterns}", help="`documents: {include: ...}` in anchors.yaml")
    if not names:
        return list(documents)
    wanted: set[str] = set()
    for name in names:
        path = name.removeprefix("./")
        found = [path] if path in session.library.documents else [each.path for each in session.library.of_lesson(name)]
        if not found:
            raise UsageError.unknown("document", name, session.library.documents, most=3)
        wanted.update(found)
    return [document for document in documents if document.path in wanted]


def _write_site(folder: OutputFolder, made: Rendered, *, diff: bool, check: bool) -> int:
    """Write the site, or show what would change in it; 1 for a change that is pending."""
    changes = folder.changes(made.files)
    obsolete = folder.obsolete([*made.files, *made.kept])
    if diff:
        echo(visible_block(unified_diff(changes)), end="")
    elif check:
        echo("".join(f"{change.path} would change\n" for change in changes), end="")
    if diff or check:
        echo("".join(f"{name} would be removed\n" for name in obsolete), end="")
        return 1 if changes or obsolete else 0
    folder.write(made.files, keep=made.kept)
    return 0


def display_width(text: str) -> int:
    """How many columns a text takes where wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
