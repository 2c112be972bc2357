"""Two documents that are translations of each other cite other things or have other numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.documents import Document
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.model import Place
from claimcheck.phrases import listed
from claimcheck.rules.cases import GOOD, Case

INFO = RuleInfo(
    "translations-differ",
    Severity.WARNING,
    "Two translations (`documents: {pairs: …}`) cite different anchors or have different numbers.",
    help="A correction that was made in one language only shows in these two. Counted are citations, how often each, and "
    "which numbers occur in running text and tables, written in digits; code, addresses and IDs are left out, and `10,000`, "
    "`10 000` and `10000` are one number.",
)

_NUMBER = re.compile(r"(?<![\w.])\d++(?:[,\u2009\u00a0\u202f ]\d{3}(?!\d))*+(?:\.\d++)*+(?![\w.]{0,60}[A-Za-z_])")
_BRACKET = re.compile(r"[\[［][^\[\]［］]{1,400}[\]］]")
_WIDE_DIGITS = {ord("０") + n: str(n) for n in range(10)} | {ord("．"): "."}


def check(corpus: Corpus) -> Iterator[Finding]:
    pairs, places = corpus.registry.documents.pairs, corpus.registry.documents.places
    for number, (one, other) in enumerate(pairs):
        if not (corpus.is_about(one) or corpus.is_about(other)):
            continue
        first, second = (corpus.library.documents.get(path) for path in (one, other))
        if first is not None and second is not None:
            yield from _compare(first, second)
        elif places is not None:
            missing = [path for path in (one, other) if path not in corpus.library.documents]
            unread = {problem.place.path for problem in corpus.library.unread}
            if not set(missing) & unread:
                message = f"{listed(missing)} is no document here, so that there is nothing to compare"
                yield Finding(INFO, missing[0], places[f"pairs.{number}"], message)


def _compare(first: Document, second: Document) -> Iterator[Finding]:
    cited = [Counter(citation.id for citation in document.citations) for document in (first, second)]
    if differing := [id for id in {**cited[0], **cited[1]} if cited[0][id] != cited[1][id]]:
        words = [f"{id} ({cited[0][id]} and {cited[1][id]} times)" for id in differing]
        place = next((c.place for d in (second, first) for c in d.citations if c.id in differing), Place(second.path))
        yield Finding(INFO, second.path, place, f"cites other things than {first.path}: {listed(words)}")
    numbers = [_numbers(document) for document in (first, second)]
    for here, there, document, other in ((1, 0, second, first), (0, 1, first, second)):
        alone = {n: at for n, at in numbers[here].items() if n not in numbers[there]}
        if alone:
            place = document.place(min(alone.values()))
            plural = "numbers" if len(alone) > 1 else "a number"
            yield Finding(INFO, document.path, place, f"has {plural} that {other.path} has not: {listed([*alone])}")


def _numbers(document: Document) -> dict[str, int]:
    """The numbers of the running text, each with where it stands first."""
    found: dict[str, int] = {}
    for paragraph in document.paragraphs:
        text = paragraph.text.translate(_WIDE_DIGITS)
        brackets = [match.span() for match in _BRACKET.finditer(text) if re.search(r"[A-Z]", match[0])]
        for match in _NUMBER.finditer(text):
            at = paragraph.offset(match.start())
            if any(start <= match.start() < end for start, end in brackets):
                continue
            if any(code.start <= at < code.end for code in paragraph.code) or document.is_ignored(at):
                continue
            if any(link.start <= at < link.end for link in paragraph.links):
                continue
            found.setdefault(re.sub(r"[^\d.]", "", match[0]), at)
    return found


def _pair(zh: str, en: str) -> dict[str, str]:
    head = "documents: {pairs: [[lessons/one.zh.md, lessons/one.en.md]]}\n"
    return {**GOOD, "anchors.yaml": head + GOOD["anchors.yaml"], "lessons/one.zh.md": zh, "lessons/one.en.md": en}


PASSES = (
    Case("the same", _pair("队列里有 10000 个块［L-TAKE］。\n", "The queue has 10,000 blocks [L-TAKE].\n")),
    Case("numbers in code", _pair("取一个［L-TAKE］。\n", "`take(1)` takes one [L-TAKE].\n")),
)
FAILS = (
    Case(
        "a citation was forgotten",
        _pair("取块［L-TAKE］。取自队首［L-TAKE］。\n", "Taken from the head [L-TAKE].\n"),
        finds=(
            "lessons/one.en.md:1:22: warning: lessons/one.en.md: cites other things than lessons/one.zh.md: L-TAKE (2 and 1 "
            "times) [translations-differ]",
        ),
    ),
    Case(
        "a number was corrected in one",
        _pair("命中 16 个［L-TAKE］。\n", "It hits 15 of them [L-TAKE].\n"),
        finds=(
            "lessons/one.en.md:1:9: warning: lessons/one.en.md: has a number that lessons/one.zh.md has not: 15 "
            "[translations-differ]",
            "lessons/one.zh.md:1:4: warning: lessons/one.zh.md: has a number that lessons/one.en.md has not: 16 "
            "[translations-differ]",
        ),
    ),
    Case(
        "a file that is not there",
        {k: v for k, v in _pair("取块［L-TAKE］。\n", "").items() if "en.md" not in k},
        finds=(
            "anchors.yaml:1:21: warning: lessons/one.en.md: lessons/one.en.md is no document here, so that there is nothing "
            "to compare [translations-differ]",
        ),
    ),
)
