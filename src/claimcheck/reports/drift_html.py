"""Drift as one page that needs nothing else: no network, no font; readable, and complete, without its script.

The template, the style sheet and the script lie beside this module and are constant: whatever comes from a
repository or a registry is text or an attribute of an element, escaped by the template engine, and the script reads
it from there. The policy in the head allows exactly this style sheet and this script.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from claimcheck.drift import Drift
from claimcheck.drift_details import AnchorDetail
from claimcheck.model import Vendor
from claimcheck.reports.drift_page import page_of
from claimcheck.terminal import CI_COMMAND, escaped

if TYPE_CHECKING:
    from jinja2 import Template


def render(drift: Drift, vendor: Vendor, found: Sequence[AnchorDetail]) -> str:
    """The whole page; `found` has the details of every anchor to read."""
    html = _template().render(
        page=page_of(drift, vendor, found),
        style=_style(),
        script=_script(),
        style_digest=_digest(_style()),
        script_digest=_digest(_script()),
    )
    # A CI log that gets the page on stdout has no command in it; in text and attributes both read the same.
    return CI_COMMAND.sub("#&#35;", html)


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    def shown(value: object) -> object:
        # Every value of the page goes through here, so none can be forgotten; what macros give has been here before.
        return escaped(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.from_string(_beside("drift.html.jinja"))


@cache
def _style() -> str:
    return _beside("drift.css")


@cache
def _script() -> str:
    return _beside("drift.js")


def _beside(name: str) -> str:
    return (resources.files("claimcheck.reports") / name).read_bytes().decode("utf-8")


def _digest(text: str) -> str:
    """The digest by which a policy allows an element with exactly this text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
