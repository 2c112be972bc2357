"""Excerpts as one HTML page that needs nothing else: no script, no font, no image, no network.

Line numbers are attributes that the style sheet shows, so that copied code is code. The text of a `pre` is the
source's, but for characters that are shown as escapes and the rest of huge lines, which the notes name.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

from claimcheck.excerpts import (
    Excerpt,
    ExcerptRegion,
    lines_label,
    notes,
    place_label,
    remark,
    shortened,
    symbols_label,
)
from claimcheck.forges import NoLink
from claimcheck.highlighting import Part, coloured
from claimcheck.terminal import CI_COMMAND, PLAIN, Paint, escaped

_STYLE = """\
:root { color-scheme: light dark; --fg: #1f2328; --bg: #ffffff; --box: #f6f8fa; --dim: #57606a;
  --k: #a0111f; --s: #0a3069; --c: #57606a; --m: #0550ae; --f: #6639ba; }
@media (prefers-color-scheme: dark) {
  :root { --fg: #e6edf3; --bg: #0d1117; --box: #161b22; --dim: #9198a1;
    --k: #ff7b72; --s: #a5d6ff; --c: #9198a1; --m: #79c0ff; --f: #d2a8ff; }
}
body { color: var(--fg); background: var(--bg); max-width: 72rem; margin: 0 auto; padding: 1rem;
  font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { margin: 1.5rem 0 .5rem; line-height: 1.25; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1rem; }
code { font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 0; padding: .75rem 0; overflow-x: auto; background: var(--box); tab-size: 4; }
pre code { overflow-wrap: normal; }
a { color: var(--m); overflow-wrap: anywhere; }
.line { unicode-bidi: isolate; }
.line::before { content: attr(data-n); display: inline-block; min-width: 6ch; margin-right: 2ch;
  text-align: right; color: var(--dim); user-select: none; }
.context { opacity: .75; }
.gap, .note, .cut { color: var(--dim); }
.k { color: var(--k); } .s { color: var(--s); } .c { color: var(--c); } .m { color: var(--m); } .f { color: var(--f); }
@media print { pre { white-space: pre-wrap; } }
"""


def render(excerpts: Sequence[Excerpt], *, paint: Paint = PLAIN) -> str:
    """A page with an article for each excerpt."""
    title = ", ".join(excerpt.id for excerpt in excerpts)
    return (
        "<!doctype html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{text(title)}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "".join(_article(excerpt) for excerpt in excerpts)
        + "</main>\n</body>\n</html>\n"
    )


def text(value: str) -> str:
    """A text as character data, hidden characters as escapes, on one line."""
    return _unchanged(escaped(value))


def attribute(value: str) -> str:
    """An attribute value with its quotes."""
    return '"' + text(value).replace('"', "&quot;") + '"'


def code(value: str) -> str:
    """A text as inline code."""
    return f"<code>{text(value)}</code>"


def link(address: str, words: str) -> str:
    """A link that tells the page it leads to nothing about this one."""
    return f'<a href={attribute(address)} rel="noopener noreferrer">{text(words)}</a>'


def _unchanged(value: str) -> str:
    """Character data that reads back as the value; a CI log that gets the page has no command in it."""

    return CI_COMMAND.sub("#&#35;", html.escape(value, quote=False))


def _article(excerpt: Excerpt) -> str:
    seen = excerpt.seen
    source = f"{seen.source}, {seen.standing}" if seen.standing else seen.source
    place = place_label(seen, [r.lines for r in excerpt.regions], [r.recorded for r in excerpt.regions])
    review = f", {text(excerpt.review.value)}" if seen.at_pin else ""
    parts = [
        f"<article id={attribute(excerpt.id)}>\n<h1>{text(excerpt.id)}</h1>\n",
        f"<p>{text(source)}, {code(place)}{review}</p>\n",
    ]
    for region, gap in zip(excerpt.regions, (*excerpt.gaps, 0), strict=True):
        parts.append(_section(excerpt, region))
        if gap:
            parts.append(f'<p class="gap">… {gap} line{"s" if gap > 1 else ""}</p>\n')
    parts += [f'<p class="note">Note: {text(note)}</p>\n' for note in notes(excerpt)]
    if excerpt.cited_by is not None:
        parts.append(_citing(excerpt))
    return "".join(parts) + "</article>\n"


def _section(excerpt: Excerpt, region: ExcerptRegion) -> str:
    names = f"{code(symbols_label(region.symbols))} " if region.symbols else ""
    lines = "whole file" if excerpt.seen.whole else lines_label([region.lines])
    said = f" ({text(remark(region))})" if remark(region) else ""
    source = code(region.swhid) if isinstance(region.link, NoLink) else link(region.link, region.link)
    return (
        f"<section>\n<h2>{names}{lines}{said}</h2>\n"
        f'<pre tabindex="0"><code dir="ltr" translate="no">{_lines(excerpt, region)}</code></pre>\n'
        f"<p>{source}</p>\n</section>\n"
    )


def _lines(excerpt: Excerpt, region: ExcerptRegion) -> str:
    numbered = region.numbered()
    beginnings = [shortened(line) for _, line, _ in numbered]
    parts_of_lines = coloured([escaped(beginning) for beginning, _ in beginnings], excerpt.language)
    lines = []
    for (number, _, cited), (_, more), parts in zip(numbered, beginnings, parts_of_lines, strict=True):
        shown = "".join(_part(part) for part in [*parts, ("cut", more)])
        lines.append(f'<span class="line{"" if cited else " context"}" data-n="{number}">{shown}</span>')
    return "\n".join(lines)


def _part(part: Part) -> str:
    kind, value = part
    if not value:
        return ""
    return f'<span class="{kind}">{_unchanged(value)}</span>' if kind else _unchanged(value)


def _citing(excerpt: Excerpt) -> str:
    entries = excerpt.cited_by or ()
    if not entries:
        return '<p class="note">Cited by nothing.</p>\n'
    items = [f'<li dir="auto"><b>{text(entry.id)}</b> {text(" ".join(entry.text.split()))}</li>\n' for entry in entries]
    return f"<ul>\n{''.join(items)}</ul>\n"
