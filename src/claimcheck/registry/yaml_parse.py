"""YAML text to nodes with positions; nothing is constructed, nothing is resolved behind the author's back.

The nodes are made from the parser's events rather than by `yaml.compose`: depth is limited while reading, so no
recursion can run away; aliases, tags and merge keys are seen as what they are; and the pure Python parser and
the C one give the same nodes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import yaml

from claimcheck.finding import Finding, RuleInfo
from claimcheck.registry import problems
from claimcheck.registry.yaml_nodes import ListNode, MapNode, Node, Scalar
from claimcheck.registry.yaml_text import YamlText
from claimcheck.terminal import shown

MAX_DEPTH = 50

PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Unreadable(Exception):
    """The file cannot be read as YAML; `finding` says where and why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


@dataclass(slots=True)
class _Open:
    """A collection whose end has not been read yet."""

    mapping: bool
    start: int
    flow: bool
    children: list[Node] = field(default_factory=list)

    def close(self, end: int) -> Node:
        # The parsers put the end of a block collection at the next token, lines below; its last child ends it.
        if not self.flow:
            end = self.children[-1].end if self.children else self.start
        if not self.mapping:
            return ListNode(tuple(self.children), self.start, end, self.flow)
        pairs = zip(self.children[::2], self.children[1::2], strict=True)
        return MapNode(tuple(pairs), self.start, end, self.flow)  # type: ignore[arg-type]


class Refused(NamedTuple):
    """Why a node is not taken though it is YAML, and where what is wrong with it ends."""

    rule: RuleInfo
    message: str
    end: int


class Parsed(NamedTuple):
    """A document's node, None for a file without content, and what is refused in it by where it starts."""

    root: Node | None
    refused: Mapping[int, Refused]


def parse(text: YamlText, parser: Any = PARSER) -> Parsed:
    """The document of a file; raises Unreadable at the first thing that is no YAML."""
    builder = _Builder(text)
    try:
        return builder.build(yaml.parse(text.text, Loader=parser))
    except yaml.MarkedYAMLError as error:
        raise Unreadable(_syntax_error(text, error, builder.stack)) from None
    except (yaml.YAMLError, ValueError, OverflowError):
        # The pure parser lets chr() fail for an escape beyond Unicode.
        raise Unreadable(_bad_escape(text)) from None


# The stubs say that an event's marks may be missing; from a parser they never are.
_Event: TypeAlias = Any


@dataclass(slots=True)
class _Builder:
    """Events to one node, with the open collections on a stack of its own."""

    text: YamlText
    refused: dict[int, Refused] = field(default_factory=dict)
    quoted: list[tuple[int, int]] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)
    root: Node | None = None

    def build(self, events: Iterable[_Event]) -> Parsed:
        for event in events:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._add(self._scalar(event))
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                self._open(event, kind is yaml.MappingStartEvent)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._add(self.stack.pop().close(event.end_mark.index))
            elif kind is yaml.AliasEvent:
                self._add(self._alias(event))
            elif kind is yaml.DocumentStartEvent:
                self._refuse_second_document(event)
        self._refuse_tab()
        empty = isinstance(self.root, Scalar) and self.root.plain and not self.root.value
        return Parsed(None if empty and not self.refused else self.root, self.refused)

    def _add(self, node: Node) -> None:
        if self.stack:
            self.stack[-1].children.append(node)
        else:
            self.root = node

    def _scalar(self, event: _Event) -> Scalar:
        if event.tag is not None or event.anchor is not None:
            self._refuse_property(event)
        start, end = event.start_mark.index, event.end_mark.index
        if event.style:
            self.quoted.append((start, end))
            if not event.value.isascii() and _SURROGATE.search(event.value):
                # The C parser refuses the escape itself.
                raise Unreadable(_bad_escape(self.text))
        if event.style in ("|", ">"):
            self._refuse_odd_block(start)
            # The parsers put the end of a block text after the blank lines that follow it.
            end = start + len(self.text.text[start:end].rstrip(" \t\r\n"))
        return Scalar(event.value, start, end, not event.style)

    def _open(self, event: _Event, mapping: bool) -> None:
        if event.tag is not None or event.anchor is not None:
            self._refuse_property(event)
        start = event.start_mark.index
        if len(self.stack) == MAX_DEPTH:
            message = f"nested more than {MAX_DEPTH} levels deep"
            raise self._unreadable(problems.YAML_DEPTH, start, start + 1, message)
        if self.stack and self.stack[-1].mapping and len(self.stack[-1].children) % 2 == 0:
            first = self.text.text[start : start + 1]
            what = "mapping" if mapping else "list"
            message = f"a {what} as a key; text that begins with {first} needs quotes"
            raise self._unreadable(problems.YAML_SYNTAX, start, start + 1, message)
        self.stack.append(_Open(mapping, start, bool(event.flow_style)))

    def _alias(self, event: _Event) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        message = f"`{shown(self.text.text[start:end])}` is a YAML alias; text that begins with * needs quotes"
        self.refused[start] = Refused(problems.YAML_ALIAS, message, end)
        return Scalar(self.text.text[start:end], start, end, False)

    def _refuse_property(self, event: _Event) -> None:
        start = event.start_mark.index
        written = _WORD.match(self.text.text, start)
        end = written.end() if written else start + 1
        name = shown(self.text.text[start:end])
        if event.anchor is not None:
            rule, message = problems.YAML_ALIAS, f"`{name}` is a YAML anchor; text that begins with & needs quotes"
        else:
            rule, message = problems.YAML_TAG, f"`{name}` is a YAML tag; text that begins with ! needs quotes"
        self.refused[start] = Refused(rule, message, end)

    def _refuse_second_document(self, event: _Event) -> None:
        start = event.start_mark.index
        if self.root is not None:
            message = "a second document begins here; a registry file has one"
            raise self._unreadable(problems.YAML_DOCUMENTS, start, start + 3, message)
        if event.version is not None or event.tags:
            message = "a YAML directive; a registry file has none"
            raise self._unreadable(problems.YAML_SYNTAX, start, start + 1, message)

    def _refuse_odd_block(self, start: int) -> None:
        """Refuse beginnings of block texts that only one of the parsers takes."""
        if not _BLOCK_HEAD.match(self.text.text, start):
            message = f"text that begins with {self.text.text[start]} needs quotes"
            raise self._unreadable(problems.YAML_SYNTAX, start, start + 1, message)
        if tab := _BLOCK_TAB.match(self.text.text, start):
            raise self._unreadable(problems.YAML_SYNTAX, tab.end() - 1, tab.end(), TAB)

    def _refuse_tab(self) -> None:
        """Refuse a tab outside quotes, block texts and comments: the C parser takes some, the other one none."""
        text = self.text.text
        starts = [start for start, _ in self.quoted]
        at = text.find("\t")
        while at >= 0:
            before = bisect_right(starts, at) - 1
            quoted_to = self.quoted[before][1] if before >= 0 else 0
            if at >= quoted_to:
                line = text[max(text.rfind("\n", 0, at) + 1, quoted_to) : at]
                if not _COMMENT.search(line):
                    raise self._unreadable(problems.YAML_SYNTAX, at, at + 1, TAB)
            at = text.find("\t", at + 1)

    def _unreadable(self, rule: RuleInfo, start: int, end: int, message: str) -> Unreadable:
        return Unreadable(self.text.finding(rule, self.text.path, start, end, message))


_WORD = re.compile(r"\S+")
_BLOCK_HEAD = re.compile(r"[|>][-+0-9]{0,2} *(?:(?<= )#.*)?(?:\r?\n|\Z)")
_BLOCK_TAB = re.compile(r"[|>][^\n]*\n(?: *\r?\n)* *\t")
_SURROGATE = re.compile("[\ud800-\udfff]")
_COMMENT = re.compile(r"(?:^|[ \t])#")
TAB = "a tab; YAML is indented and separated with spaces"
_KEY_AND_VALUE = re.compile(r" *(?:- +)*(?:\{ *)?([A-Za-z0-9][\w.-]*): +(\S*)")
_UNICODE_ESCAPE = re.compile(r"\\[uU]")
_QUOTE_FIRST = "`@%*&!|>{}[],#?"


def _syntax_error(text: YamlText, error: yaml.MarkedYAMLError, unfinished: Sequence[_Open]) -> Finding:
    mark = error.problem_mark or error.context_mark
    at = min(mark.index if mark else 0, len(text.text))
    inner = next((each for each in reversed(unfinished) if each.flow), None)
    if inner is not None and not text.text[at:].strip() and "quoted scalar" not in (error.context or ""):
        start, message = inner.start, _not_closed("{" if inner.mapping else "[", _line(text.text, at))
    else:
        start, message = _syntax_words(text.text, at, error)
    line = text.text[text.text.rfind("\n", 0, start) + 1 :]
    key = _KEY_AND_VALUE.match(line)
    return text.finding(problems.YAML_SYNTAX, key[1] if key else text.path, start, start + 1, message)


def _syntax_words(text: str, at: int, error: yaml.MarkedYAMLError) -> tuple[int, str]:
    """Where to point and what to say. The two parsers word their errors differently, so what stands there decides."""
    char = text[at : at + 1]
    line = text[text.rfind("\n", 0, at) + 1 : at]
    context = error.context_mark.index if error.context_mark else at
    problem = error.problem or ""
    if "escape" in problem:
        if _UNICODE_ESCAPE.search(text, max(0, at - 2), at + 8):
            return at, "an escape that is no character"
        return at, r"an escape that YAML does not know; a backslash in double quotes is written \\"
    if char == "\t" or (not line.strip(" \t") and "\t" in line):
        return (at if char == "\t" else at - len(line) + line.index("\t")), TAB
    if "mapping values" in problem:
        return at, "a second `:` in one line; text with a colon and a space in it needs quotes"
    if "quoted scalar" in (error.context or "") and not char:
        return context, "a quoted text that is not closed"
    if context < at and text[context : context + 1] in "[{" and "flow" in (error.context or ""):
        return context, _not_closed(text[context], _line(text, at))
    first = _KEY_AND_VALUE.match(line + text[at : at + 1])
    if first and first[2] and (first[2][0] in _QUOTE_FIRST or first[2] == "-"):
        return at - len(line) + first.start(2), f"text that begins with {first[2][0]} needs quotes"
    if char and char in _QUOTE_FIRST:
        return at, f"text that begins with {char} needs quotes"
    if not char:
        return context, "what begins here is not finished at the end of the file"
    return at, "cannot be read as YAML here; a wrong indentation, or text that needs quotes"


def _not_closed(bracket: str, line: int) -> str:
    what, end = ("list", "]") if bracket == "[" else ("mapping", "}")
    return f"a {what} that is not closed by {end}, or not separated by commas, up to line {line}"


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _bad_escape(text: YamlText) -> Finding:
    match = re.search(r"\\U[0-9A-Fa-f]{8}|\\u[dD][89a-fA-F][0-9A-Fa-f]{2}", text.text)
    start, end = match.span() if match else (0, 1)
    return text.finding(problems.YAML_SYNTAX, text.path, start, end, "an escape that is no character")
