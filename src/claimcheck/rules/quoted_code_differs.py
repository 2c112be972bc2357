"""Code that a document quotes is not in what it cites."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.phrases import listed
from claimcheck.quoting import is_expression
from claimcheck.rules.cases import GOOD, Case
from claimcheck.rules.cited_text import citing_paragraphs
from claimcheck.terminal import shown

INFO = RuleInfo(
    "quoted-code-differs",
    Severity.WARNING,
    "Code in a paragraph that cites an anchor does not stand in the anchor's lines.",
    help="Compared token by token, as blocks are (`quoted-block-differs`). Looked at are code spans that are more than names "
    "and have a name that is no plain word: `ref_cnt == 0`, `return free.get()`. A formula of your own is not quoted from "
    "anywhere: leave it out of code, or mark its line with `<!-- claimcheck: ignore -->`.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for document, paragraph, cited in citing_paragraphs(corpus):
        for code in paragraph.code:
            if not code.block and is_expression(code.text) and not cited.has(code.text):
                message = f"`{shown(code.text)}` does not stand in {listed(cited.ids)}{cited.where(code.text)}"
                yield Finding(INFO, document.path, code.place, message, tuple(cited.quotes))


PASSES = (
    Case(
        "as it stands there, without the object",
        {**GOOD, "lessons/one.md": "`take` does `return self . free.get()`, that is `free.get()` [L-TAKE].\n"},
    ),
    Case("with a gap", {**GOOD, "lessons/one.md": "It is `def take(…): return … .get()` [L-TAKE].\n"}),
    Case("nothing is cited", {**GOOD, "lessons/one.md": "Call `pool.put(x, y)`.\n\nTaken [L-TAKE].\n"}),
    Case(
        "commands, paths, formulas", {**GOOD, "lessons/one.md": "`--pool=3`, `tools/run.sh`, `p * 3 - 1` [L-TAKE].\n"}
    ),
)
FAILS = (
    Case(
        "another call",
        {**GOOD, "lessons/one.md": "`take` does `return self.free.pop()` [L-TAKE].\n"},
        finds=(
            "lessons/one.md:1:14: warning: lessons/one.md: `return self.free.pop()` does not stand in L-TAKE, nor elsewhere "
            "in its file [quoted-code-differs]",
        ),
    ),
    Case(
        "outside of the lines",
        {**GOOD, "lessons/one.html": "<p>It is put back by <code>self.free.put(block)</code> [L-TAKE].\n"},
        finds=(
            "lessons/one.html:1:28: warning: lessons/one.html: `self.free.put(block)` does not stand in L-TAKE, but in line "
            "9 of pool.py [quoted-code-differs]",
        ),
    ),
)
