"""Blocks as text: one template for each kind of content and target, and what templates can call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import urlsplit

from markupsafe import Markup

from claimcheck.excerpts import LONGEST_LINE
from claimcheck.rendering.code_html import code_html
from claimcheck.rendering.contents import (
    ClaimsContent,
    CodeRegion,
    Content,
    ErrataContent,
    ExampleContent,
    ExcerptContent,
    FootnotesContent,
    PinsContent,
    Stretch,
)
from claimcheck.rendering.labels import say
from claimcheck.rendering.templates import HTML, MARKDOWN, Engine, Templates
from claimcheck.reports import excerpts_markdown

# The name of each kind of content: of its template, and of the value that the template gets.
NAMES: Mapping[type[Content], str] = {
    ExcerptContent: "excerpt",
    FootnotesContent: "footnotes",
    ClaimsContent: "claims",
    ExampleContent: "example",
    ErrataContent: "errata",
    PinsContent: "pins",
}

NOTES = "notes"  # the style of footnotes that other programs number: [^V-POOL]
PANDOC = "pandoc"


class Pieces:
    """Makes text of contents for one target in one language."""

    def __init__(self, templates: Templates, target: str, language: str) -> None:
        self._templates = templates
        self._target = target
        self._engine = Engine(templates, target, _functions(target, language))

    def block(self, content: Content, note_style: str = "") -> str:
        """A block's content, as it stands between its markers."""
        name = NAMES[type(content)]
        values: dict[str, object] = {name: content, "note_style": note_style}
        if isinstance(content, ExampleContent):
            values["drawing"] = self._drawing(content)
        text = self._engine.render(f"{name}.{self._target}.jinja", **values)
        return tidy(text) if self._target == MARKDOWN else text.strip("\n")

    def _drawing(self, content: ExampleContent) -> Markup | str:
        """The drawing that the project has a template for, made of the example's own data."""
        name = f"examples/{content.id}.svg.jinja"
        if self._target != HTML or name not in self._templates.own:
            return ""
        return Markup(self._engine.render(name, example=content, **vars_of(content)).strip())

    def page(self, name: str, **values: object) -> str:
        """A whole page."""
        return self._engine.render(name, **values)


def vars_of(content: ExampleContent) -> dict[str, object]:
    """What a drawing is made of: `inputs` and `tables` as the registry has them."""
    return {"inputs": content.data.inputs, "tables": content.data.tables}


def _functions(target: str, language: str) -> Mapping[str, Callable[..., object]]:
    """What the templates of a target can call."""
    shared: dict[str, Callable[..., object]] = {"say": partial(say, language), "host": host}
    if target == HTML:
        return {**shared, "code": partial(_code, language)}
    return {
        **shared,
        "say": partial(_say_in_markdown, language),
        "fence": fence,
        "span": span,
        "target": link_target,
        "verbatim": Markup,
        "cite": cite,
    }


def _code(language: str, region: CodeRegion, stretch: Stretch, code: str) -> Markup:
    return code_html(region, stretch, code, language)


def _say_in_markdown(language: str, label: str, **values: object) -> Markup:
    """A label whose blanks stay and whose values are escaped."""
    shown = {
        name: value if isinstance(value, int) else Markup(excerpts_markdown.plain(str(value)))
        for name, value in values.items()
    }
    return Markup(say(language, label, **shown))


def host(address: str) -> str:
    """The name of the place that an address leads to, as people know it."""
    name = urlsplit(address).hostname or ""
    known = {"github.com": "GitHub", "gitlab.com": "GitLab", "codeberg.org": "Codeberg", "bitbucket.org": "Bitbucket"}
    return known.get(name, name)


def span(text: str) -> Markup:
    """A Markdown code span."""
    return Markup(excerpts_markdown.code_span(text))


def link_target(address: str) -> Markup:
    """An address as the target of a Markdown link."""
    return Markup(excerpts_markdown.target(address))


def cite(id: str, note_style: str) -> Markup:
    """A citation in generated Markdown."""
    return Markup(f"[^{id}]" if note_style == NOTES else f"[{id}]")


def fence(excerpt: ExcerptContent, region: CodeRegion, stretch: Stretch) -> Markup:
    """Lines of code in a fence that they cannot close, in the block's style."""
    lines = [_shortened(text) for text in region.texts[stretch.start : stretch.stop]]
    fenced = excerpts_markdown.fence(lines, None)
    ticks, _, rest = fenced.partition("\n")
    return Markup(f"{ticks}{_fence_words(excerpt, stretch)}\n{rest}")


def _shortened(text: str) -> str:
    more = len(text) - LONGEST_LINE
    return text if more <= 0 else f"{text[:LONGEST_LINE]}[… {more:,} more characters]"


def _fence_words(excerpt: ExcerptContent, stretch: Stretch) -> str:
    if excerpt.style != PANDOC:
        return excerpt.language
    origin = excerpt.origin
    caption = excerpt.caption or f"{origin.vendor} {origin.version}, {excerpt.path}:{stretch.first}-{stretch.last}"
    quoted = caption.replace("\\", "\\\\").replace('"', '\\"')
    words = [f".{excerpt.language}"] if excerpt.language else []
    words += [".numberLines", f'startFrom="{stretch.first}"', f'caption="{quoted}"']
    return "{" + " ".join(words) + "}"


def tidy(text: str) -> str:
    """Markdown with one blank line where a template left several, but inside fences, and none at either end."""
    lines: list[str] = []
    fence = ""
    for line in text.strip("\n").split("\n"):
        bare = line.strip()
        if fence:
            fence = "" if bare == fence else fence
        elif bare.startswith("```"):
            fence = bare[: len(bare) - len(bare.lstrip("`"))]
        elif not bare and lines and not lines[-1].strip():
            continue
        lines.append(line)
    return "\n".join(lines)
