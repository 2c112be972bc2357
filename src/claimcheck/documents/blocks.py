"""The comments by which claimcheck and an author talk in a document, and the kinds of blocks: one table.

A marker is a comment on a line of its own: `<!-- claimcheck: excerpt V-POOL region=2 caption="the pool" -->`. Values
hold neither `--` nor `>`, so that a marker ends where every parser of HTML or Markdown says that it ends.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from claimcheck.documents.document import Block, LineStarts, Problem, Span, Subject, Trouble
from claimcheck.terminal import shown
from claimcheck.values import frozen


@frozen
class Kind:
    """A kind of block. `subject` says in words what it is about; it takes from `least` to `most` of them.

    `cites` says that these are IDs. `numbers` are the keys whose value is a number from 1, `texts` those that take any
    text, `words` those that take one of some words.
    """

    name: str
    subject: str = ""
    least: int = 0
    most: int = 0
    numbers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cites: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.numbers, *self.texts, *self.words)


KINDS: tuple[Kind, ...] = (
    Kind(
        "excerpt",
        "an anchor",
        1,
        1,
        numbers=("region", "lines", "width"),
        texts=("caption",),
        words={"print": ("full",), "style": ("plain", "pandoc")},
        cites=True,
    ),
    Kind("footnotes", texts=("title",), words={"style": ("links", "notes")}),
    Kind("claims", "a lesson", 1, 1, texts=("title",)),
    Kind("example", "an example", 1, 1, texts=("title",), cites=True),
    Kind("errata", "a correction or a lesson", 0, 100, texts=("title",)),
    Kind("pins", "a vendor", 0, 100),
)
END = "end"
IGNORE, IGNORE_START, IGNORE_END = "ignore", "ignore-start", "ignore-end"
WORDS = (END, IGNORE, IGNORE_START, IGNORE_END)

# What the text of a comment of ours begins with.
SIGN = re.compile(r"<!--\s*claimcheck\s*:", re.IGNORECASE)

_PART = re.compile(
    r"""\s*(?:(?P<key>[A-Za-z][\w-]*)\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"']+))|(?P<word>[^\s="']++)(?!\s*=))"""
)
_WORD = re.compile(SIGN.pattern + r"\s*([\w-]*)", re.IGNORECASE)
_DIGEST = re.compile(r"sha256:[0-9a-f]{8,64}\Z")
_NUMBER = re.compile(r"[1-9][0-9]{0,6}\Z")


class Malformed(Exception):
    """A marker that cannot be understood: a sentence, and what to write instead."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


@frozen
class Marker:
    """A comment of ours. `span` is the whole comment, `line` the line that it stands on, without its end.

    A `broken` one cannot be understood. It still begins or ends a block, which then is none but hides what is in it.
    """

    word: str
    span: Span
    line: Span
    subjects: tuple[Subject, ...] = ()
    options: Mapping[str, str] | None = None
    digest: str | None = None
    broken: bool = False

    @property
    def opens(self) -> bool:
        """Whether it begins a block, or something that was meant as one."""
        return self.word not in WORDS


def read_marker(text: str, span: Span) -> Marker | None:
    """The marker that a comment is; None for a comment that is not one of ours. Raises Malformed."""
    sign = SIGN.match(text, span.start, span.end)
    if sign is None:
        return None
    line = _line_of(text, span)
    body = Span(sign.end(), span.end - 3)
    if "\n" in text[body.start : body.end]:
        raise Malformed("a marker stands on one line")
    words, options = _parts(text, body)
    if not words:
        raise Malformed("a marker says what it is for", f"<!-- claimcheck: {KINDS[0].name} ID -->")
    first, subjects = words[0].text, tuple(words[1:])
    if first == END:
        return Marker(END, span, line, digest=_digest(subjects, options))
    if first in WORDS:
        if subjects or options:
            raise Malformed(f"`{first}` takes nothing", f"<!-- claimcheck: {first} -->")
        return Marker(first, span, line)
    _check(_kind(first), subjects, options)
    return Marker(first, span, line, subjects, options)


def _line_of(text: str, span: Span) -> Span:
    end = text.find("\n", span.end)
    end = len(text) if end < 0 else end - (text[end - 1] == "\r")
    return Span(text.rfind("\n", 0, span.start) + 1, max(end, span.end))


def _parts(text: str, body: Span) -> tuple[list[Subject], dict[str, str]]:
    words: list[Subject] = []
    options: dict[str, str] = {}
    at = body.start
    while text[at : body.end].strip():
        part = _PART.match(text, at, body.end)
        if part is None:
            raise Malformed(f"`{shown(text[at : body.end].strip())}` is no part of a marker", 'caption="a text"')
        at = part.end()
        if part["word"]:
            words.append(Subject(part["word"], *part.span("word")))
            continue
        value = next(value for value in (part["double"], part["single"], part["bare"]) if value is not None)
        if part["key"] in options:
            raise Malformed(f"`{part['key']}` is there twice")
        if "--" in value or ">" in value:
            raise Malformed(f"the value of `{part['key']}` holds `--` or `>`, by which comments end")
        options[part["key"]] = value
    return words, options


def _digest(subjects: tuple[Subject, ...], options: Mapping[str, str]) -> str | None:
    if options or len(subjects) > 1 or (subjects and not _DIGEST.match(subjects[0].text)):
        raise Malformed("an end marker has a digest or nothing", "<!-- claimcheck: end -->")
    return subjects[0].text if subjects else None


def _kind(name: str) -> Kind:
    for kind in KINDS:
        if kind.name == name:
            return kind
    known = [*(kind.name for kind in KINDS), *WORDS]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"
    raise Malformed(f"no block is called {shown(name)}{hint}")


def _check(kind: Kind, subjects: tuple[Subject, ...], options: Mapping[str, str]) -> None:
    for key, value in options.items():
        if key not in kind.keys:
            near = difflib.get_close_matches(key, kind.keys, n=1)
            hint = f"did you mean {near[0]}?" if near else f"its keys: {', '.join(kind.keys) or 'none'}"
            raise Malformed(f"`{kind.name}` has no key {shown(key)}; {hint}")
        if key in kind.numbers and not _NUMBER.match(value):
            raise Malformed(f"`{key}` is a number from 1, not {shown(value) or 'nothing'}")
        if key in kind.words and value not in kind.words[key]:
            raise Malformed(f"`{key}` is {' or '.join(kind.words[key])}, not {shown(value) or 'nothing'}")
    if len(subjects) < kind.least:
        raise Malformed(f"`{kind.name}` is about {kind.subject}, and none is named")
    if len(subjects) > kind.most:
        about = f"one {kind.subject.partition(' ')[2]}" if kind.most else "nothing that is named"
        raise Malformed(f"`{kind.name}` is about {about}; {shown(subjects[kind.most].text)} is too much")


@dataclass(slots=True)
class Markers:
    """The markers of a document in their order, paired to blocks; what has no partner is a problem."""

    text: str
    lines: LineStarts
    blocks: list[Block]
    ignored: list[Span]
    problems: list[Problem]
    _regions: list[Span] = field(default_factory=list)
    _ignoring: Marker | None = None

    @classmethod
    def of(cls, text: str, lines: LineStarts) -> Markers:
        return cls(text, lines, [], [], [])

    def read(self, span: Span) -> Marker | None:
        """The marker that a comment is, if it is one that counts; a problem is noted for one that is malformed."""
        nearest = bisect_right(self._regions, span) - 1
        if nearest >= 0 and span.start < self._regions[nearest].end:
            return None
        try:
            marker = read_marker(self.text, span)
        except Malformed as wrong:
            if self._ignoring is not None:
                return None
            self.report(span.start, wrong.message, wrong.help)
            word = _WORD.match(self.text, span.start)
            meant = word[1].lower() if word else ""
            return None if meant.startswith(IGNORE) else Marker(meant, span, _line_of(self.text, span), broken=True)
        if marker is None or (self._ignoring is not None and marker.word != IGNORE_END):
            return None
        return marker

    def ignore(self, marker: Marker) -> None:
        """Take an ignore marker: for its line, for the next one if it stands alone, or for the lines up to the end."""
        match marker.word:
            case "ignore":
                alone = not self.text[marker.line.start : marker.span.start].strip(" \t>") and marker.span.end == len(
                    self.text[: marker.line.end].rstrip()
                )
                self.ignored.append(self._next_line(marker.line) if alone else marker.line)
            case "ignore-start":
                self._ignoring = marker
            case "ignore-end" if self._ignoring is None:
                self.report(
                    marker.span.start, "nothing is ignored that could end here", "<!-- claimcheck: ignore-start -->"
                )
            case "ignore-end":
                assert self._ignoring is not None
                self._regions.append(Span(self._ignoring.span.start, marker.span.end))
                self.ignored.append(self._regions[-1])
                self._ignoring = None

    def _next_line(self, line: Span) -> Span:
        start = self.text.find("\n", line.end) + 1
        if not start:
            return Span(len(self.text), len(self.text))
        end = self.text.find("\n", start)
        return Span(start, len(self.text) if end < 0 else end)

    def pair(self, opening: Marker, closing: Marker, prefix: str) -> None:
        """Note a block. `prefix` is what its lines begin with."""
        if opening.broken or closing.broken:
            return
        after = self.text.find("\n", opening.span.end) + 1
        inner = Span(after, max(after, closing.line.start))
        self.blocks.append(
            Block(
                opening.word,
                opening.subjects,
                opening.options or {},
                self.lines.place(opening.span.start),
                opening.span,
                inner,
                closing.span,
                prefix,
                "\n".join(_without_prefix(self.text[inner.start : inner.end], prefix)),
                closing.digest,
                _kind(opening.word).cites,
            )
        )

    def without_end(self, opening: Marker) -> None:
        """Note that no end marker follows an opening one."""
        if not opening.broken:
            message = f"the block `{opening.word}` has no end marker"
            self.report(opening.span.start, message, "<!-- claimcheck: end -->")

    def report(self, at: int, message: str, help: str | None = None) -> None:
        self.problems.append(Problem(Trouble.MARKER, self.lines.place(at), message, help))

    def finish(self) -> None:
        """Note what is still open at the end."""
        if self._ignoring is not None:
            self.report(self._ignoring.span.start, "what is ignored never ends", "<!-- claimcheck: ignore-end -->")
            self.ignored.append(Span(self._ignoring.span.start, len(self.text)))


def _without_prefix(inner: str, prefix: str) -> Iterator[str]:
    if not inner:
        return
    for line in inner.removesuffix("\n").removesuffix("\r").split("\n"):
        line = line.removesuffix("\r")
        yield line.removeprefix(prefix) if line.startswith(prefix) else "" if line == prefix.rstrip() else line
