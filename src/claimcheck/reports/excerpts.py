"""The formats of `claimcheck excerpt`. A new one is a module beside these and a line in the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from claimcheck.excerpts import Excerpt
from claimcheck.reports import excerpts_html, excerpts_json, excerpts_markdown, excerpts_text
from claimcheck.terminal import PLAIN, Paint


class ExcerptFormat(Protocol):
    def render(self, excerpts: Sequence[Excerpt], *, paint: Paint = PLAIN) -> str:
        """The whole output with its last line end."""
        ...


EXCERPT_FORMATS: Mapping[str, ExcerptFormat] = {
    "text": excerpts_text,
    "markdown": excerpts_markdown,
    "html": excerpts_html,
    "json": excerpts_json,
}
