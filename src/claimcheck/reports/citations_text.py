"""Citations for a terminal: the caption, then permalinks and Software Heritage ids."""

from __future__ import annotations

from collections.abc import Sequence

from claimcheck.footnotes import Citation
from claimcheck.terminal import visible


def render(citations: Sequence[Citation]) -> str:
    """The citations one below the other, with a blank line between them."""
    return "\n".join(_citation(citation) for citation in citations)


def _citation(citation: Citation) -> str:
    parts = [citation.id, visible(citation.caption)]
    if citation.standing:
        parts.append(visible(citation.standing))
    lines = ["  ".join(parts)]
    lines += [region.link for region in citation.regions if isinstance(region.link, str)]
    lines += [region.swhid for region in citation.regions if region.swhid is not None]
    if citation.no_link is not None:
        lines.append(f"no permalink: {visible(citation.no_link)}")
    if citation.unseen is not None:
        lines.append(f"not looked at: {visible(citation.unseen)}; the lines are the registry's")
    return "".join(f"{line}\n" for line in lines)
