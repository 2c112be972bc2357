"""A filled block is not what rendering gives now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimcheck.documents import digest_of, is_edited
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case

if TYPE_CHECKING:
    from claimcheck.rendering.rendered import Rendered

INFO = RuleInfo(
    "block-stale",
    Severity.ERROR,
    "A block holds what was right when it was generated, and is not any more.",
    help="The source, the registry or a template changed since. `claimcheck render` fills the block anew; the diff says "
    "what changed. A block that is still empty is no finding: `claimcheck render --check` tells about those.",
)


def check_rendered(rendered: Rendered) -> Iterator[Finding]:
    """The findings about documents that were filled once more."""
    for document, block in rendered.stale:
        if block.digest and not is_edited(block):
            yield Finding(
                INFO,
                document.path,
                block.place,
                f"the block `{' '.join((block.kind, *block.ids))}` is not what rendering gives now",
                help=f"claimcheck render {document.path}",
            )


CONTENT = """\
<section class="cc-claims" aria-label="What to take away">
<ol>
<li id="one.C1.1">
<p>Blocks are taken from a queue. <span class="cc-cite">[L-TAKE]</span></p>
<p class="cc-aside"><span class="cc-id">C1.1</span> <span class="cc-state cc-untested">by citation only</span> \
<span>by the code</span></p>
</li>
</ol>
</section>"""


def _block(content: str) -> str:
    return f"<!-- claimcheck: claims one -->\n{content}\n<!-- claimcheck: end {digest_of(content)} -->\n"


PASSES = (
    Case("what rendering gives", {**GOOD, "lessons/one.html": _block(CONTENT)}),
    Case("empty", {**GOOD, "lessons/one.html": "<!-- claimcheck: claims one -->\n<!-- claimcheck: end -->\n"}),
)
FAILS = (
    Case(
        "the claim says something else now",
        {**GOOD, "lessons/one.html": _block(CONTENT.replace("queue", "list"))},
        finds=(
            "lessons/one.html:1:1: error: lessons/one.html: the block `claims one` is not what rendering gives now "
            "[block-stale]",
        ),
    ),
)
