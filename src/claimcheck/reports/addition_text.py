"""What `claimcheck add` shows of a new anchor: its place, its lines, and the strings that single it out."""

from __future__ import annotations

from claimcheck.additions import Addition
from claimcheck.reports.excerpts_text import numbered
from claimcheck.syntax import Symbol
from claimcheck.terminal import visible

KINDS = {"function": "function", "class": "class", "struct": "struct", "enum": "enum"}


def render(addition: Addition) -> str:
    anchor, excerpt = addition.anchor, addition.excerpt
    out = [f"{anchor.id}  {visible(excerpt.seen.source)}  {visible(anchor.path)}"]
    width = max(len(str(region.lines.last)) for region in excerpt.regions)
    for region, whole in zip(excerpt.regions, addition.whole, strict=True):
        names = visible(", ".join(region.symbols))
        kind = f", whole {_kind(whole)}" if whole else ""
        out += [f"{names}{kind}  {region.lines}" if names else f"lines {region.lines}", *numbered(region, width), ""]
    if addition.short is not None:
        symbol = addition.short
        ranges = ", ".join(str(region.lines) for region in anchor.regions)
        out.append(
            f"lines {ranges} begin or end inside {visible(symbol.name)} ({symbol.lines}); taken as you wrote. "
            f"--whole takes the {_kind(symbol)}."
        )
    width = max((len(string) for string, _ in addition.hits), default=0)
    for string, hits in addition.hits:
        said = f"once in the file, line {hits[0]}" if len(hits) == 1 else f"{len(hits)} times in the file"
        out.append(f"find: {visible(string):<{width}}      {said}")
    if not addition.hits:
        out.append(
            "find: no string of these lines is unique in the file; the fingerprint in anchors.lock re-finds them"
        )
    return "\n".join(out) + "\n"


def _kind(symbol: Symbol) -> str:
    kind = KINDS.get(symbol.kind, "definition")
    inside = "." in symbol.name or "::" in symbol.name
    return "method" if kind == "function" and inside else kind
