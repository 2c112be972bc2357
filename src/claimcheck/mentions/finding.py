"""The places in a vendor's code that a document names: permalinks, links to a branch, relative links, `path:line`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from claimcheck.documents import Code, Document, Link, LinkForm, Paragraph
from claimcheck.model import MAX_LINE, Lines, Place
from claimcheck.permalinks import read_file_link, same_repository
from claimcheck.values import frozen

_TARGET = (
    r"(?P<target>(?![A-Za-z][A-Za-z0-9+.-]*:|//|#)(?P<path>[^\s?#()<>\"']+)"
    r"#L(?P<first>[0-9]{1,8})(?:-L?(?P<last>[0-9]{1,8}))?)"
)
# Links whose address is a path. Reading a document keeps absolute ones only, since a page's own links are its own affair.
_RELATIVE = {
    "markdown": re.compile(rf"\[(?P<text>[^\[\]\n]{{0,200}})\]\({_TARGET}\)"),
    "html": re.compile(
        rf"<a\s[^<>]{{0,500}}?href=[\"']?{_TARGET}[\"']?[^<>]{{0,500}}>(?P<text>[^<>]{{0,200}})</a\s*>", re.IGNORECASE
    ),
}
_PLAIN = re.compile(
    r"(?<![\w/.-])(?P<path>(?:[\w.-]+/)*[\w-]+(?:\.[\w-]+)+):(?P<first>[1-9][0-9]{0,7})(?:[-\u2013](?P<last>[1-9][0-9]{0,7}))?"
    r"(?![\w:])"
)
_NAME = re.compile(r"[A-Za-z_][\w.]*(?:\(\))?\Z|[A-Za-z_]\w*(?:::\w+)*(?:\(\))?\Z")
_UNLIKE_A_WORD = re.compile(r"[_.:(]|[a-z][A-Z]")


@frozen
class Mention:
    """A place that a document names.

    `rev` is what a link names, None where the document names no revision; `names` are the names of code that the reader
    sees there. `end` is the offset behind which a citation can be put, None where there is no such place.
    """

    document: Document
    place: Place
    written: str
    path: str
    lines: Lines | None
    rev: str | None = None
    commit: str | None = None
    names: tuple[str, ...] = ()
    end: int | None = None

    def __str__(self) -> str:
        return f"{self.path}:{self.lines}" if self.lines else self.path


def mentions(document: Document, repository: str) -> list[Mention]:
    """Every place that a document names in a repository, in the order of its text.

    The repository is known by its address; by its name alone every address that ends in it is taken for it.
    """
    found: list[Mention] = []
    for paragraph in document.paragraphs:
        for link in paragraph.links:
            mention = _of_link(document, paragraph, link, repository)
            if mention is not None:
                found.append(mention)
        found += _relative(document, paragraph)
        found += _in_text(document, paragraph)
    return sorted(found, key=lambda mention: (mention.place.line or 0, mention.place.column or 0))


def _of_link(document: Document, paragraph: Paragraph, link: Link, repository: str) -> Mention | None:
    if link.ours or document.is_ignored(link.start):
        return None
    end = None if link.form is LinkForm.DEFINITION else link.whole.end
    code = any(link.whole.start <= each.start < link.whole.end for each in paragraph.code)
    names = _names(link.text, code=code)
    file = read_file_link(link.target)
    if file is not None:
        bare = repository.rstrip("/").removesuffix(".git")
        if file.repository is None or not same_repository(file.repository, bare):
            return None
        return Mention(document, link.place, link.target, file.path, file.lines, file.rev, file.commit, names, end)
    return None


def _relative(document: Document, paragraph: Paragraph) -> Iterator[Mention]:
    form = _RELATIVE.get(document.format)
    if form is None:
        return
    code = [(each.start, each.end) for each in paragraph.code]
    for match in form.finditer(document.text, paragraph.span.start, paragraph.span.end):
        lines = _lines(match)
        at = match.start("target")
        if lines is None or document.is_ignored(at) or any(start <= at < end for start, end in code):
            continue
        parts = [part for part in match["path"].split("/") if part not in ("", ".", "..")]
        names = _names(match["text"].replace("`", ""), code="`" in match["text"])
        yield Mention(
            document, document.place(at), match["target"], "/".join(parts), lines, names=names, end=match.end()
        )


def _in_text(document: Document, paragraph: Paragraph) -> Iterator[Mention]:
    linked = [(link.whole.start, link.whole.end) for link in paragraph.links]
    for match in _PLAIN.finditer(paragraph.text):
        at = paragraph.offset(match.start())
        lines = _lines(match)
        if lines is None or document.is_ignored(at) or any(start <= at < end for start, end in linked):
            continue
        last = paragraph.offset(match.end() - 1) + 1
        code = next((code for code in paragraph.code if code.start <= at < code.end), None)
        if code is not None and code.block:
            continue  # a listing or a trace quotes what some program printed
        end = _behind(document, code) if code else last
        yield Mention(
            document, document.place(at), match[0], match["path"], lines, names=_beside(paragraph, at), end=end
        )


def _names(text: str, *, code: bool) -> tuple[str, ...]:
    """The name of code that a link's words are, if they are one: marked as code, or no word of a language."""
    name = text.strip()
    return (name,) if _NAME.match(name) and (code or _UNLIKE_A_WORD.search(name)) else ()


def _beside(paragraph: Paragraph, at: int) -> tuple[str, ...]:
    """The code span right before a place in the text: what is said to be there."""
    before = [code for code in paragraph.code if not code.block and code.end <= at and at - code.end < 40]
    return tuple(code.text for code in before[-1:] if _NAME.match(code.text))


def _behind(document: Document, code: Code) -> int:
    """The offset behind a code span's closing mark."""
    text, at = document.text, code.end
    while at < len(text) and text[at] in " `":
        at += 1
        if text[at - 1] == " " and text[at : at + 1] != "`":
            at -= 1
            break
    closing = re.compile(r"</(?:code|tt|kbd|samp)\s*>", re.IGNORECASE).match(text, at)
    return closing.end() if closing else at


def _lines(match: re.Match[str]) -> Lines | None:
    first = int(match["first"])
    last = int(match["last"] or first)
    return Lines(first, last) if 1 <= first <= last <= MAX_LINE else None
