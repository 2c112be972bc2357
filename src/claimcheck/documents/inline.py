"""The inside of Markdown's paragraphs: code spans, links, escapes and HTML tags, each where it is written."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import NamedTuple

from claimcheck.documents.document import LineStarts, Link, LinkForm, Span
from claimcheck.documents.html import Scanner
from claimcheck.documents.running import STAND_IN, label_of, looks_like_ids
from claimcheck.values import frozen

_DEFINITION = re.compile(
    r"\[(?P<label>(?!\^)(?:[^\[\]\\]|\\.){1,999})\]:[ \t]*\n?[ \t]*(?:<(?P<bracketed>[^<>\n]*)>|(?P<plain>[^\s<]\S*))"
    r"(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t]*(?:\n|\Z)"
)
_SPECIAL = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~\n])"
    r"|(?P<ticks>`+)"
    r"|<(?P<address>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]{0,2000})>"
    r"|(?P<comment><!--)"
    r"|(?P<tag></[A-Za-z][A-Za-z0-9-]*\s*>"
    r"|<[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*\s*/?>)"
)
_EMPHASIS = re.compile(r"\*+|(?<![A-Za-z0-9_])_+(?=\S)|(?<=\S)_+(?![A-Za-z0-9_])|~~+")
_DESTINATION = re.compile(
    r"\(\s*(?:<(?P<bracketed>[^<>\n]{0,2000})>|(?P<plain>[^\s<()]{0,2000}(?:\([^\s()]{0,500}\)[^\s()]{0,500}){0,5}))"
    r"(?:\s+(?:\"[^\"]{0,1000}\"|'[^']{0,1000}'|\([^()]{0,1000}\)))?\s*\)"
)
_BACKTICKS = re.compile("`+")
_BRACKET = re.compile(r"!?\[|\]")
_LABEL = re.compile(r"\[([^\[\]]{0,999})\]")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@frozen(slots=False)
class Lines:
    """The lines of a paragraph as they are written, each with its offset in the document."""

    lines: Sequence[tuple[int, str]]

    @cached_property
    def text(self) -> str:
        return "\n".join(line for _, line in self.lines)

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [], 0
        for _, line in self.lines:
            starts.append(at)
            at += len(line) + 1
        return starts

    def offset(self, index: int) -> int:
        """Where a character of `text` stands in the document."""
        number = bisect_right(self._starts, index) - 1
        return self.lines[number][0] + index - self._starts[number]

    def pieces(self, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """The parts of lines between two indexes as offsets in the document; True for one that a line end follows."""
        while start < end:
            number = bisect_right(self._starts, start) - 1
            stop = min(end, self._starts[number] + len(self.lines[number][1]))
            at = self.offset(start)
            yield at, at + stop - start, stop < end
            start = stop + 1


class _Event(NamedTuple):
    """A part of a paragraph that is not simply text: `kind` says how it is read."""

    start: int
    end: int
    kind: str
    value: str = ""
    address: Span | None = None
    target: _Target | None = None


def definitions_of(lines: Lines, starts: LineStarts, *, ours: bool) -> Iterator[tuple[str, Link]]:
    """The link definitions that a paragraph begins with, with their labels."""
    for match in _definitions(lines.text):
        group = "bracketed" if match["bracketed"] is not None else "plain"
        start, end = lines.offset(match.start(group)), lines.offset(match.end(group) - 1) + 1
        last = len(match[0].rstrip())
        whole = Span(lines.offset(match.start()), lines.offset(match.start() + last - 1) + 1)
        target = _unescaped(match[group])
        yield (
            match["label"],
            Link(target, LinkForm.DEFINITION, starts.place(start), start, end, whole, match["label"], ours),
        )


def _definitions(text: str) -> Iterator[re.Match[str]]:
    at = 0
    while match := _DEFINITION.match(text, at):
        yield match
        at = match.end()


def read_inline(lines: Lines, scanner: Scanner, definitions: Mapping[str, Link]) -> None:
    """Tell the scanner what a paragraph says; its definitions are left out."""
    text = lines.text
    start = max((match.end() for match in _definitions(text)), default=0) if "]:" in text else 0
    events, masked = _special(text, start)
    events += _links(text, masked, start, definitions)
    events += [_Event(*match.span(), "mark") for match in _EMPHASIS.finditer(masked, start) if _is_mark(masked, match)]
    events.sort(key=lambda event: (event.start, -event.end))
    _tell(lines, scanner, events, start)


def _special(text: str, start: int) -> tuple[list[_Event], str]:
    """Escapes, code, addresses, tags and comments; and the text with stand-ins in their place."""
    runs = _runs_of_backticks(text)
    last_comment_end = text.rfind("-->")
    events: list[_Event] = []
    at = start
    while match := _SPECIAL.search(text, at):
        at = match.end()
        if match["escaped"]:
            events.append(_Event(*match.span(), "escape", match["escaped"]))
        elif match["ticks"]:
            length = match.end() - match.start()
            closing = bisect_left(runs.get(length, ()), match.end())
            if closing < len(runs.get(length, ())):
                inner = Span(match.end(), runs[length][closing])
                at = inner.end + length
                events.append(_Event(match.start(), at, "code", _shown(text[inner.start : inner.end]), inner))
        elif match["address"]:
            events.append(_Event(*match.span(), "address", match["address"]))
        elif match["tag"]:
            events.append(_Event(*match.span(), "tag"))
        elif at <= last_comment_end:
            at = text.index("-->", at) + 3
            events.append(_Event(match.start(), at, "comment"))
    return events, _masked(text, events)


def _runs_of_backticks(text: str) -> dict[int, list[int]]:
    """By their length where the runs of backticks begin that can close a span."""
    runs: dict[int, list[int]] = {}
    if "`" in text:
        for match in _BACKTICKS.finditer(text):
            runs.setdefault(match.end() - match.start(), []).append(match.start())
    return runs


def _shown(code: str) -> str:
    """What the reader sees of a code span."""
    code = code.replace("\n", " ")
    if code.startswith(" ") and code.endswith(" ") and code.strip(" "):
        code = code[1:-1]
    return code


def _masked(text: str, events: Sequence[_Event]) -> str:
    pieces: list[str] = []
    done = 0
    for event in events:
        pieces += (text[done : event.start], STAND_IN * (event.end - event.start))
        done = event.end
    return "".join(pieces) + text[done:]


def _is_mark(masked: str, match: re.Match[str]) -> bool:
    """Whether asterisks or underscores are no characters of their own, as in `2 * 3`."""
    before = masked[match.start() - 1] if match.start() else ""
    after = masked[match.end() : match.end() + 1]
    return not ((not before or before.isspace()) and (not after or after.isspace()))


def _links(text: str, masked: str, start: int, definitions: Mapping[str, Link]) -> Iterator[_Event]:
    """The links of a paragraph, each as two events: its opening bracket, and all from its closing one on."""
    opened: list[int] = []
    at = start
    while (match := _BRACKET.search(masked, at)) is not None:
        at = match.end()
        if match[0] != "]":
            opened.append(match.start())
        elif opened:
            opening = opened.pop()
            image = masked[opening] == "!"
            inner = Span(opening + 1 + image, match.start())
            if image:
                end = _behind(masked, match.end())
                yield _Event(opening, end, "image", text[inner.start : inner.end])
            elif link := _link(text, masked, inner, definitions):
                at, shown = link
                yield _Event(inner.start - 1, inner.start, "open", shown.kind, None, shown)
                yield _Event(inner.end, at, "close", text[inner.end + 1 : at] if shown.kind == "label" else "")
                opened.clear()


class _Target(NamedTuple):
    """Where a link leads. `address` is in the paragraph's text; without one, `definition` has it.

    `kind` says what of it is kept in the text: the brackets around an ID (`id`), the label that is one (`label`).
    """

    kind: str
    target: str
    address: Span | None
    definition: Link | None = None


def _link(text: str, masked: str, inner: Span, definitions: Mapping[str, Link]) -> tuple[int, _Target] | None:
    """The link whose text stands between two brackets, and where it ends."""
    cites = looks_like_ids(text[inner.start : inner.end])
    behind = inner.end + 1
    if found := _DESTINATION.match(masked, behind):
        group = "bracketed" if found["bracketed"] is not None else "plain"
        address = Span(*found.span(group))
        target = _unescaped(text[address.start : address.end])
        return found.end(), _Target("id" if cites else "", target, address)
    label = _LABEL.match(masked, behind)
    if label is not None:
        named = label[1] or text[inner.start : inner.end]
        definition = definitions.get(label_of(named))
        if cites and looks_like_ids(label[1]):
            return None
        if definition is not None:
            kind = "id" if cites else "label" if looks_like_ids(label[1]) else ""
            return label.end(), _Target(kind, definition.target, None, definition)
        return None
    if not cites and (definition := definitions.get(label_of(text[inner.start : inner.end]))):
        return behind, _Target("", definition.target, None, definition)
    return None


def _behind(masked: str, at: int) -> int:
    """Where an image ends whose description ends here."""
    found = _DESTINATION.match(masked, at) or _LABEL.match(masked, at)
    return found.end() if found else at


def _unescaped(address: str) -> str:
    return unescape(_ESCAPE.sub(r"\1", address))


@dataclass(slots=True)
class _Open:
    """A link whose closing bracket comes later; `first` is its index in the paragraph that is gathered."""

    event: _Event
    first: int


def _tell(lines: Lines, scanner: Scanner, events: Sequence[_Event], start: int) -> None:
    done = start
    opened: _Open | None = None
    for event in events:
        if event.start < done:
            continue
        _tell_text(lines, scanner, done, event.start)
        done = event.end
        at = lines.offset(event.start)
        match event.kind:
            case "escape":
                scanner.escape(at, event.value)
            case "code":
                assert event.address is not None
                scanner.code_span(lines.offset(event.address.start), lines.offset(event.address.end), event.value)
            case "address":
                scanner.address(at + 1, event.value)
            case "tag":
                scanner.inline_tag(at, lines.offset(event.end - 1) + 1)
            case "comment":
                scanner.inline_comment(Span(at, lines.offset(event.end - 1) + 1))
            case "image":
                scanner.description(at, event.value)
            case "open":
                if event.value == "id":
                    scanner.characters(at, at + 1)
                opened = _Open(event, scanner.running.index)
            case "close" if opened is not None:
                _close(lines, scanner, opened, event)
                opened = None
            case _:
                pass
    _tell_text(lines, scanner, done, len(lines.text))


def _close(lines: Lines, scanner: Scanner, opened: _Open, event: _Event) -> None:
    target = opened.event.target
    assert target is not None
    last = scanner.running.index
    if target.kind == "id":
        scanner.characters(lines.offset(event.start), lines.offset(event.start) + 1)
    elif target.kind == "label":
        scanner.running.shown(lines.offset(event.start), " ")
        label = event.value
        at = lines.offset(event.start + 1)
        scanner.characters(at, at + len(label))
        last = scanner.running.index
    whole = Span(lines.offset(opened.event.start), lines.offset(event.end - 1) + 1)
    if target.address is not None:
        address = Span(lines.offset(target.address.start), lines.offset(target.address.end))
        scanner.running.link(target.target, LinkForm.INLINE, address, whole, opened.first, last)
    elif target.definition is not None:
        address = Span(target.definition.start, target.definition.end)
        ours = target.definition.ours
        scanner.running.link(target.target, LinkForm.REFERENCE, address, whole, opened.first, last, ours)


def _tell_text(lines: Lines, scanner: Scanner, start: int, end: int) -> None:
    for first, last, broken in lines.pieces(start, end):
        scanner.characters(first, last)
        if broken:
            scanner.escape(last, "\n")
