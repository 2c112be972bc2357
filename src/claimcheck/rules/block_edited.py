"""The content of a block was changed by hand."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import digest_of, is_edited
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.rules.cases import GOOD, Case

INFO = RuleInfo(
    "block-edited",
    Severity.ERROR,
    "A block holds something else than was generated.",
    help="`render` writes a block anew, so that what was written into it by hand would be lost: it refuses until the text "
    "has moved out of the block, or everything between the markers has been removed. Blanks at the ends of lines do not "
    "count.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    if corpus.registry.documents.blocks == "site":
        return  # there a block holds nothing at all
    for document in corpus.documents:
        for block in document.blocks:
            if is_edited(block):
                what = "was changed by hand" if block.digest else "holds text that nobody generated"
                yield Finding(
                    INFO,
                    document.path,
                    block.place,
                    f"the block `{' '.join((block.kind, *block.ids))}` {what}",
                    help="move your text out of the block, empty it, and run claimcheck render",
                )


def _block(content: str, digest: str = "") -> str:
    return f"<!-- claimcheck: excerpt L-TAKE -->\n{content}<!-- claimcheck: end{digest} -->\n"


PASSES = (
    Case("empty", {**GOOD, "lessons/one.html": _block("")}),
    Case(
        "as it was generated", {**GOOD, "lessons/one.html": _block("<pre>x</pre>\n", f" {digest_of('<pre>x</pre>')}")}
    ),
    Case(
        "with other line ends",
        {**GOOD, "lessons/one.html": _block("<pre>x</pre> \n", f" {digest_of('<pre>x</pre>')}").replace("\n", "\r\n")},
    ),
)
FAILS = (
    Case(
        "a word was changed",
        {**GOOD, "lessons/one.html": _block("<pre>y</pre>\n", f" {digest_of('<pre>x</pre>')}")},
        finds=(
            "lessons/one.html:1:1: error: lessons/one.html: the block `excerpt L-TAKE` was changed by hand "
            "[block-edited]",
        ),
    ),
    Case(
        "text between the markers",
        {**GOOD, "lessons/one.html": _block("<p>My own text.\n")},
        finds=(
            "lessons/one.html:1:1: error: lessons/one.html: the block `excerpt L-TAKE` holds text that nobody generated "
            "[block-edited]",
        ),
    ),
)
