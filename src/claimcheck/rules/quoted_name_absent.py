"""A name that a document sets as code is not in what it cites."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Code, Paragraph
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.phrases import listed
from claimcheck.quoting import names_in, words_of
from claimcheck.rules.cases import GOOD, Case
from claimcheck.rules.cited_text import citing_paragraphs
from claimcheck.terminal import shown

INFO = RuleInfo(
    "quoted-name-absent",
    Severity.WARNING,
    "A name in a paragraph that cites an anchor does not stand in the anchor's lines.",
    help="Most often the thing was renamed, or is cited from the wrong lines. A name counts if it is set as code and is no "
    "plain word: with an underscore, a digit, a capital inside, a dot or a call (`ref_cnt`, `BlockPool`, `touch()`), also "
    "where it is set (`block_size=16`) or one of several in brackets. Of a qualified name the last part has to stand there "
    "and the others in the file. `None`, `self` and paths do not count. Cite the lines that have it too, or mark the line "
    "with `<!-- claimcheck: ignore -->`.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for document, paragraph, cited in citing_paragraphs(corpus):
        seen: set[str] = set()
        for code, name in _names(paragraph):
            if name in seen:
                continue
            seen.add(name)
            *above, last = words_of(name) or [name]
            # A class is named in its head, and the lines of a method do not have that.
            missing = [last] if not cited.has_word(last) else [word for word in above if not cited.file_has_word(word)]
            if missing:
                message = f"`{shown(name)}` does not stand in {listed(cited.ids)}{cited.where(missing[-1])}"
                yield Finding(INFO, document.path, code.place, message, tuple(cited.quotes))


def _names(paragraph: Paragraph) -> Iterator[tuple[Code, str]]:
    for code in paragraph.code:
        if not code.block:
            yield from ((code, name) for name in names_in(code.text.strip()))


PASSES = (
    Case("it is there", {**GOOD, "lessons/one.md": "`Pool.take()` asks `self.free` [L-TAKE].\n"}),
    Case("plain words", {**GOOD, "lessons/one.md": "A `queue` holds a `block` or `None` [L-TAKE].\n"}),
    Case("nothing is cited", {**GOOD, "lessons/one.md": "`evict_first` is another matter.\n\nTaken [L-TAKE].\n"}),
    Case(
        "an ignored line",
        {**GOOD, "lessons/one.md": "Other pools have `evict_first` [L-TAKE]. <!-- claimcheck: ignore -->\n"},
    ),
)
FAILS = (
    Case(
        "nowhere in the file",
        {**GOOD, "lessons/one.md": "`evict_first` changes what is taken [L-TAKE].\n"},
        finds=(
            "lessons/one.md:1:2: warning: lessons/one.md: `evict_first` does not stand in L-TAKE, nor elsewhere in its "
            "file [quoted-name-absent]",
        ),
    ),
    Case(
        "in other lines",
        {**GOOD, "lessons/one.html": "<p>拿走之后由 <code>give()</code> 放回［L-TAKE］。\n"},
        finds=(
            "lessons/one.html:1:16: warning: lessons/one.html: `give` does not stand in L-TAKE, but in line 8 of pool.py "
            "[quoted-name-absent]",
        ),
    ),
)
