"""A template cannot be used, or was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimcheck.documents import digest_of
from claimcheck.finding import Finding, FindingClass, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case

if TYPE_CHECKING:
    from claimcheck.rendering.rendered import Rendered

INFO = RuleInfo(
    "template-failed",
    Severity.ERROR,
    "A template of the project cannot be used.",
    FindingClass.INPUT,
    help="The place is the template's line. Templates run in Jinja2's sandbox: a name that is not there is an error, not "
    "nothing; what takes too long, too much memory or makes too much text is stopped. The documents stay as they were.",
)


def check_rendered(rendered: Rendered) -> Iterator[Finding]:
    """The findings about templates, each once, however many documents it kept from being filled."""
    for failed in dict.fromkeys(rendered.failed):
        yield Finding(INFO, failed.place.path, failed.place, failed.message)


BLOCK = f"<!-- claimcheck: claims one -->\nx\n<!-- claimcheck: end {digest_of('x')} -->\n"
PASSES = (
    Case("a template of one's own", {**GOOD, "templates/claims.html.jinja": "x\n", "lessons/one.html": BLOCK}),
    Case("without a block to fill", {**GOOD, "templates/claims.html.jinja": "{{ nothing }}\n"}),
)
FAILS = (
    Case(
        "a name that is not there",
        {**GOOD, "templates/claims.html.jinja": "x\n{{ clams.lesson }}\n", "lessons/one.html": BLOCK},
        finds=(
            "templates/claims.html.jinja:2: error: templates/claims.html.jinja: 'clams' is undefined [template-failed]",
        ),
    ),
)
