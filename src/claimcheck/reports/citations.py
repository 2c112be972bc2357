"""The formats of `claimcheck cite`. A new one is a module beside these and a line in the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from claimcheck.footnotes import Citation
from claimcheck.reports import citations_html, citations_json, citations_markdown, citations_text


class CitationFormat(Protocol):
    def render(self, citations: Sequence[Citation]) -> str:
        """The whole output with its last line end."""
        ...


CITATION_FORMATS: Mapping[str, CitationFormat] = {
    "text": citations_text,
    "markdown": citations_markdown,
    "html": citations_html,
    "json": citations_json,
}
