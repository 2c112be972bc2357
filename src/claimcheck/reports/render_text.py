"""What `claimcheck render` prints: what was left as it was and why, and the verdict."""

from __future__ import annotations

from pathlib import Path

from claimcheck.phrases import counted
from claimcheck.rendering.rendered import Rendered
from claimcheck.reports.text import findings_text, sources_line
from claimcheck.terminal import visible
from claimcheck.verification import Verification

MOST_LINES = 5


def problems(made: Rendered, verification: Verification) -> str:
    """The findings about documents that were left as they were, templates that failed, and notes."""
    about = [finding for refused in made.refused for finding in refused.findings]
    about += [finding for finding in verification.findings if finding.place.path in made.unread]
    found = list(dict.fromkeys(about))
    out = [findings_text(found)] if found else []
    out += [
        f"{visible(str(failed.place))}: error: {visible(failed.message)} [template-failed]\n" for failed in made.failed
    ]
    for long in made.long:
        lines = ", ".join(f"{number} ({width})" for number, width in long.lines[:MOST_LINES])
        more = f" and {len(long.lines) - MOST_LINES} more" if len(long.lines) > MOST_LINES else ""
        out.append(
            f"{long.block.place}: note: {' '.join(long.block.ids)}: lines wider than {long.block.options['width']}: "
            f"{lines}{more} [width]\n"
        )
    for path, address in made.not_copied:
        out.append(
            f"{visible(path)}: note: {visible(address)} is not in the project and not in the site [not-copied]\n"
        )
    return "".join(out)


def verdict(made: Rendered, verification: Verification, output: Path | None, *, pending: bool) -> str:
    """How many documents were rendered, from which sources, and how many stay as they were."""
    what = counted(made.documents, "document" if output is None else "page")
    done = "would be rendered" if pending else "rendered"
    where = "" if output is None else f" in {output}"
    changed = f", {len(made.changes)} changed" if output is None and not pending else ""
    left = (
        f"; {counted(made.left, 'document')} left as {'it was' if made.left == 1 else 'they were'}" if made.left else ""
    )
    sources = sources_line(verification)
    return visible(f"{what} {done}{where}{changed}{left}." + (f" Sources: {sources}." if sources else ""))
