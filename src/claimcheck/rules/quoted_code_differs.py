"""Code that a document quotes is not in what it cites."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Code, Document
from claimcheck.excerpts import language_of
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.phrases import listed
from claimcheck.quoting import is_expression, quoted_lines
from claimcheck.rules.cases import GOOD, Case
from claimcheck.rules.cited_text import CitedText, citing_paragraphs
from claimcheck.terminal import shown

INFO = RuleInfo(
    "quoted-code-differs",
    Severity.ERROR,
    "Code in a paragraph that cites an anchor does not stand in the anchor's lines.",
    help="Compared token by token: blanks, line breaks and the kind of quotation marks do not count, `…` or `...` stands for "
    "what is left out. Looked at are code spans that are more than a name (`ref_cnt == 0`), and blocks behind the "
    "paragraph: those that say the language of a cited file, line by line, and those without a language of which at least "
    "half stands there. Code that quotes nothing is marked as such by another language (`text`) or by "
    "`<!-- claimcheck: ignore -->`. A paragraph that cites several anchors, or claims, may quote any of them.",
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
            elif is_expression(code.text) and not cited.has(code.text):
                where = cited.where(code.text)
                message = f"`{shown(code.text)}` does not stand in {_names(cited)}{where}"
                yield Finding(INFO, document.path, code.place, message, tuple(cited.quotes))


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
        {**GOOD, "lessons/one.md": "`take` does `return self . free.get()` and nothing else [L-TAKE].\n"},
    ),
    Case("with a gap", {**GOOD, "lessons/one.md": "It is `def take(…): return … .get()` [L-TAKE].\n"}),
    Case("a block", {**GOOD, "lessons/one.md": FENCE % "def take(self):\n    # the head\n    return self.free.get()"}),
    Case(
        "another language",
        {**GOOD, "lessons/one.md": (FENCE % "pool.give_all()").replace("python", "text")},
    ),
    Case("nothing is cited", {**GOOD, "lessons/one.md": "Call `pool.put(x, y)`.\n\nTaken [L-TAKE].\n"}),
    Case("a command", {**GOOD, "lessons/one.md": "Run `--pool=3` or `tools/run.sh` [L-TAKE].\n"}),
)
FAILS = (
    Case(
        "another call",
        {**GOOD, "lessons/one.md": "`take` does `return self.free.pop()` [L-TAKE].\n"},
        finds=(
            "lessons/one.md:1:14: error: lessons/one.md: `return self.free.pop()` does not stand in L-TAKE, nor "
            "elsewhere in its file [quoted-code-differs]",
        ),
    ),
    Case(
        "outside of the lines",
        {**GOOD, "lessons/one.html": "<p>It is put back by <code>self.free.put(block)</code> [L-TAKE].\n"},
        finds=(
            "lessons/one.html:1:28: error: lessons/one.html: `self.free.put(block)` does not stand in L-TAKE, but in line "
            "9 of pool.py [quoted-code-differs]",
        ),
    ),
    Case(
        "a line of a block",
        {**GOOD, "lessons/one.md": FENCE % "def take(self):\n    return self.free.pop()"},
        finds=(
            "lessons/one.md:5:5: error: lessons/one.md: `return self.free.pop()` does not stand in L-TAKE, nor "
            "elsewhere in its file [quoted-code-differs]",
        ),
    ),
)
