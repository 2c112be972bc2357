"""A block of code behind a citation is not what is cited."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Code, Document
from claimcheck.excerpts import language_of
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.phrases import listed
from claimcheck.quoting import quoted_lines
from claimcheck.rules.cases import GOOD, Case
from claimcheck.rules.cited_text import CitedText, citing_paragraphs
from claimcheck.terminal import shown

INFO = RuleInfo(
    "quoted-block-differs",
    Severity.ERROR,
    "A block of code behind a paragraph that cites an anchor has a line that is not in the anchor's lines.",
    help="Compared token by token: blanks, line breaks, comments on lines of their own and the kind of quotation marks do "
    "not count, `…` or `...` stands for what is left out, and so does an object that is left out before a dot. Looked at "
    "are blocks that say the language of a cited file, and those without a language of which at least half stands there. A "
    "block that quotes nothing says another language (`text`), or is between `ignore-start` and `ignore-end`. A paragraph "
    "that cites several anchors, or claims, may quote any of them.",
)

SPELLINGS = {
    "py": "python",
    "python3": "python",
    "c++": "cpp",
    "cc": "cpp",
    "cxx": "cpp",
    "hpp": "cpp",
    "cu": "cuda",
    "js": "javascript",
    "ts": "typescript",
    "rs": "rust",
    "golang": "go",
    "rb": "ruby",
    "cs": "csharp",
    "c#": "csharp",
}
FAMILIES = ({"c", "cpp", "cuda"}, {"javascript", "typescript", "tsx", "jsx"})


def check(corpus: Corpus) -> Iterator[Finding]:
    for document, paragraph, cited in citing_paragraphs(corpus):
        for code in paragraph.code:
            if code.block:
                yield from _block(document, code, cited)


def _block(document: Document, code: Code, cited: CitedText) -> Iterator[Finding]:
    """The first line of a block that is not there; the rest mostly follows from it."""
    if code.language is not None and not _same_language(code.language, cited):
        return
    lines = list(quoted_lines(code.text))
    missing = [(index, line) for index, line in lines if not cited.has(line)]
    if not missing or (code.language is None and len(missing) * 2 > len(lines)):
        return
    index, line = missing[0]
    more = f", nor {len(missing) - 1} more of its {len(lines)} lines" if len(missing) > 1 else ""
    message = f"`{shown(line.strip())}` does not stand in {_names(cited)}{cited.where(line)}{more}"
    place = document.place(_start_of(document, code, index))
    yield Finding(INFO, document.path, place, message, tuple(cited.quotes))


def _start_of(document: Document, code: Code, index: int) -> int:
    """Where a line of a block stands in the document."""
    at = code.start
    if document.text[at : at + 1] == "\n" and not code.text.startswith("\n"):
        at += 1  # behind <pre>
    for _ in range(index):
        at = document.text.find("\n", at, code.end) + 1
    return at + len(document.text[at : code.end]) - len(document.text[at : code.end].lstrip(" \t>"))


def _same_language(language: str, cited: CitedText) -> bool:
    said = SPELLINGS.get(language.lower(), language.lower())
    for path in cited.paths:
        own = (language_of(path) or "").lower()
        own = SPELLINGS.get(own, own)
        if own == said or any({own, said} <= family for family in FAMILIES):
            return True
    return False


def _names(cited: CitedText) -> str:
    return listed(cited.ids)


FENCE = "Blocks are taken from a queue [L-TAKE].\n\n```python\n%s\n```\n"
PASSES = (
    Case(
        "as it stands there",
        {**GOOD, "lessons/one.md": FENCE % "def take(self):\n    # the head\n    return self.free.get()"},
    ),
    Case("with a gap", {**GOOD, "lessons/one.md": FENCE % "def take(…):\n    ..."}),
    Case("another language", {**GOOD, "lessons/one.md": (FENCE % "pool.give_all()").replace("python", "text")}),
    Case(
        "no language, and nothing of it is there",
        {**GOOD, "lessons/one.md": "Taken [L-TAKE].\n\n    $ pool --take\n    3\n"},
    ),
    Case(
        "behind a paragraph that cites nothing", {**GOOD, "lessons/one.md": "So:\n\n```python\npool.get_all()\n```\n"}
    ),
)
FAILS = (
    Case(
        "a line of it",
        {**GOOD, "lessons/one.md": FENCE % "def take(self):\n    return self.free.pop()"},
        finds=(
            "lessons/one.md:5:5: error: lessons/one.md: `return self.free.pop()` does not stand in L-TAKE, nor elsewhere in "
            "its file [quoted-block-differs]",
        ),
    ),
    Case(
        "outside of the lines, in HTML",
        {
            **GOOD,
            "lessons/one.html": '<p>Taken [L-TAKE].\n<pre><code class="language-py">return self.free.get()\n'
            "self.free.put(block)</code></pre>\n",
        },
        finds=(
            "lessons/one.html:3:1: error: lessons/one.html: `self.free.put(block)` does not stand in L-TAKE, but in line 9 of "
            "pool.py [quoted-block-differs]",
        ),
    ),
)
