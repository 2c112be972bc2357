"""A permalink of a document is at another commit than the one that is cited."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.model import Lines, Pin, Revision
from claimcheck.rules.cases import GOOD, SOURCE, Case
from claimcheck.rules.in_documents import VendorLink, address, text_at, vendor_links
from claimcheck.texts import SourceText

INFO = RuleInfo(
    "link-commit",
    Severity.WARNING,
    "A permalink in a document leads to another commit than the vendor's pin.",
    help="The reader is shown another state of the file than the text is about. What the link shows is not compared with "
    "any anchor then. The address at the pin is proposed where the same lines have the same text there; a page that is "
    "about an older commit may say so with `<!-- claimcheck: ignore -->`.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for found in vendor_links(corpus):
        commit, pin = found.file.commit, found.pin(corpus)
        if commit is None or commit == pin.text:
            continue
        here = corpus.sources.resolve(found.vendor.name, commit)
        unseen = "" if isinstance(here, Revision) else ", which is not here to be looked at"
        message = f"its link to {found.shown} is at {commit[:8]}{unseen}; {found.vendor.name} is cited at {pin.short}"
        yield found.finding(INFO, message, help=_at_pin(corpus, found, commit, pin))


def _at_pin(corpus: Corpus, found: VendorLink, commit: str, pin: Pin) -> str | None:
    """The address at the pin, if the lines that it shows are the same there."""
    old = text_at(corpus, found.vendor, commit, found.file.path)
    new = text_at(corpus, found.vendor, pin.text, found.file.path)
    lines = found.file.lines
    if old is None or new is None:
        return None
    if lines is not None:
        shown = _text(old[1], lines)
        if shown is None or shown != _text(new[1], lines):
            return None
    return address(found.vendor, pin, found.file.path, lines)


def _text(source: SourceText, lines: Lines) -> str | None:
    return source.cut(lines) if lines.last <= len(source) else None


LINK = "<p>Taken from a queue [L-TAKE]: <a href='https://github.com/o/lib/blob/%s/pool.py#L5-L6'>here</a>.</p>\n"
TWO = ({"pool.py": SOURCE}, {"pool.py": SOURCE + "\n# more\n"})
PASSES = (
    Case("at the pin", {**GOOD, "lessons/one.html": LINK % "{c1}"}, TWO),
    Case(
        "another repository",
        {**GOOD, "lessons/one.html": "<p>https://github.com/o/other/blob/{c2}/pool.py#L5-L6</p>\n"},
        TWO,
    ),
    Case(
        "an anchor that is held at that commit",
        {
            **GOOD,
            "anchors.yaml": GOOD["anchors.yaml"].replace("path: pool.py", 'path: pool.py, commit: "{c2}"'),
            "lessons/one.html": LINK % "{c2}",
        },
        TWO,
    ),
)
FAILS = (
    Case(
        "at a later commit",
        {**GOOD, "lessons/one.html": LINK % "{c2}"},
        TWO,
        finds=(
            "lessons/one.html:1:42: warning: lessons/one.html: its link to pool.py is at {c2:.8}; lib is cited at {c1:.8} "
            "[link-commit]",
        ),
    ),
    Case(
        "at a commit that is not here",
        {**GOOD, "lessons/one.md": f"See <https://github.com/o/lib/blob/{'ab' * 20}/pool.py#L5>.\n"},
        TWO,
        finds=(
            "lessons/one.md:1:6: warning: lessons/one.md: its link to pool.py is at abababab, which is not here to be "
            "looked at; lib is cited at {c1:.8} [link-commit]",
        ),
    ),
)
