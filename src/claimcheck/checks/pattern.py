"""Code with metavariables, as it stands in a check: what it is in a language, and where it matches.

The pattern is put where such code can stand (in a function, in a class, among initialisers), since ast-grep finds
nothing at all, without a word, for what does not parse. A bare name means a call of it.
"""

from __future__ import annotations

import keyword
import re
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import TYPE_CHECKING

from claimcheck.checks.code import Part, Rule, finds, parsed
from claimcheck.checks.dialects import Dialect
from claimcheck.checks.shape import SIGIL, Shape, same, shape_of
from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode

BARE_NAME = re.compile(r"[^\W\d]\w*\Z")
_METAVARIABLE = re.compile(r"\$\$\$[A-Z_][A-Z0-9_]*|\$\$\$|\$[A-Z_][A-Z0-9_]*")
_STATEMENTS = re.compile(SIGIL * 3 + r"\w*\Z")  # any number of them, which ast-grep takes though C++ has no such thing
_STATEMENT_WORD = re.compile(r"(if|for|while|switch|catch|return|else|do|try|throw)\b")
_ANY_STRING = re.compile(r"\w*\"(?:\\.|[^\"\\])*\"|\w*'(?:\\.|[^'\\])*'", re.DOTALL)
_PLAIN_WORD = re.compile(r"(?<!\w)[^\W\d]\w*")
_SPELLED_OTHERWISE = frozenset({"and", "or", "not", "bitand", "bitor", "xor", "compl", "NULL", "nullptr"})
_CONTAINERS = frozenset({"module", "translation_unit", "block", "compound_statement"})
_CALL_LIKE = frozenset({"call_expression", "field_initializer", "declaration", "field_declaration"})
_WORD = re.compile(r"[^\W\d]\w*")
_PLAIN_STRING = re.compile(r"\"[^\"'\\\n]*\"|'[^\"'\\\n]*'")
_KEYWORDS = frozenset(keyword.kwlist)


class BadPattern(Exception):
    """Code in a check that cannot be looked for; the message is for its author."""

    def __init__(self, reason: str, help: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.help = help


class Piece(ABC):
    """A piece of code among the arguments of a check: it has to parse in the language of the file."""

    __slots__ = ()

    part: tuple[str | int, ...]

    @abstractmethod
    def compiled(self, dialect: Dialect) -> object:
        """What it is in a language; raises BadPattern for what does not parse."""


@frozen
class Pattern(Piece):
    """Code as an author wrote it. `part` says where it stands among the arguments of its check."""

    text: str
    part: tuple[str | int, ...] = ()

    @property
    def bare(self) -> bool:
        return bool(BARE_NAME.match(self.text))

    @property
    def word(self) -> str | None:
        """The longest word that any text has in which this occurs."""
        words = [w for w in _WORD.findall(_METAVARIABLE.sub(" ", self.text)) if w not in _KEYWORDS]
        return max(words, key=len, default=None)

    def compiled(self, dialect: Dialect) -> Rule:
        """The ast-grep rule that it is in a language; raises BadPattern for what does not parse."""
        return _compiled(self.text, dialect)

    def find(self, part: Part) -> list[SgNode]:
        """Where it matches, in the order of the text."""
        return part.find(self.compiled(part.dialect)) if self.word is None or part.mentions(self.word) else []

    def control(self, dialect: Dialect) -> str:
        """Code that it has to match: itself, with something for each metavariable."""
        if self.bare:
            return f"{self.text}()"
        return _METAVARIABLE.sub("x", self.text)

    def can_match(self, dialect: Dialect) -> bool:
        """Whether it finds itself, which shows that it finds anything at all."""
        rule = self.compiled(dialect)
        for before, after in dialect.contexts:
            root = parsed(f"{before}{self.control(dialect)}{after}", dialect.name)
            if finds(root, {"rule": rule}):
                return True
        return False


@frozen
class Expression(Piece):
    """An expression as an author wrote it, for comparison by its shape."""

    text: str
    part: tuple[str | int, ...] = ()

    def compiled(self, dialect: Dialect) -> Shape:
        """Its shape in a language; raises BadPattern for what is no expression there."""
        return shape(self.text, dialect)

    def is_(self, node: SgNode, dialect: Dialect, *, commute: bool = False) -> bool:
        """Whether a node is this expression."""
        return may_be(self.text, node) and same(self.compiled(dialect), shape_of(node, dialect), commute=commute)


@lru_cache(maxsize=1024)
def _compiled(text: str, dialect: Dialect) -> Rule:
    if BARE_NAME.match(text):
        return call_rule(text, dialect)
    if _METAVARIABLE.fullmatch(text.strip()):
        raise BadPattern(f"`{text}` would match everything")
    rules: dict[tuple[str, str], Rule] = {}
    for variant in _variants(text.strip(), dialect):
        for contexts in dialect.contexts_of(variant):
            for before, after in contexts:
                node = _node_in(before, variant, after, dialect)
                if node is not None:
                    context = {"context": f"{before}{variant}{after}", "selector": node.kind()}
                    rules.setdefault((node.kind(), variant), {"pattern": context})
            if rules:
                break
    if not rules:
        raise _why_not(text, dialect)
    return {"any": list(rules.values())}


def _variants(text: str, dialect: Dialect) -> list[str]:
    """The spellings that mean the same: a statement without its semicolon, a string in other quotes."""
    found = [text]
    if dialect.name == "cpp" and text.endswith(";"):
        found.append(text[:-1].rstrip())
    if dialect.name == "python" and _PLAIN_STRING.search(text):
        found += [
            _PLAIN_STRING.sub(lambda m: f'"{m[0][1:-1]}"', text),
            _PLAIN_STRING.sub(lambda m: f"'{m[0][1:-1]}'", text),
        ]
    return list(dict.fromkeys(found))


def _node_in(before: str, text: str, after: str, dialect: Dialect) -> SgNode | None:
    """The node that a piece of code is in a context, if all of it parses."""
    written = _METAVARIABLE.sub(lambda m: m[0].replace("$", SIGIL), text)
    root = parsed(f"{before}{written}{after}", dialect.name)
    if not _is_understood(root):
        return None
    found = _filling(root, len(before), len(before) + len(written))
    if found is None or found.kind() in _CONTAINERS:
        return None
    # C++'s parser takes the words of statements for names where it has to.
    return None if found.kind() in _CALL_LIKE and _STATEMENT_WORD.match(text) else found


def _is_understood(root: SgNode) -> bool:
    """Whether all of a text parses, and nothing had to be put in for that."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        below = node.children()
        if below:
            waiting += below
        elif not node.text() and _is_missing(node):
            return False
        if node.kind() == "ERROR" and not _STATEMENTS.match(node.text()):
            return False
    return True


def _filling(root: SgNode, first: int, last: int) -> SgNode | None:
    """The innermost node with a name that stands from one offset to another."""
    found, here = None, root
    while True:
        extent = here.range()
        if extent.start.index == first and extent.end.index == last and here.is_named():
            found = here
        for child in here.children():
            extent = child.range()
            if extent.start.index <= first and last <= extent.end.index:
                here = child
                break
        else:
            return found


def _is_missing(node: SgNode) -> bool:
    """Whether the parser put an empty leaf in, but for a semicolon after any number of statements."""
    before, parent = node.prev(), node.parent()
    if node.kind() == ";":
        return before is None or not before.text().startswith(SIGIL * 3)
    # `= {}` has a type that is not written.
    return node.kind() != "type_identifier" or parent is None or parent.kind() != "compound_literal_expression"


def _why_not(text: str, dialect: Dialect) -> BadPattern:
    if re.search(r":\s*\Z", text) and dialect.name == "python":
        body = f"{text.rstrip()} $$$"
        return BadPattern(f"`{text}` is no complete {dialect.title}; a statement has a body", f"'{body}'")
    if re.search(r"\)\s*\Z", text) and re.match(r"(if|for|while|switch)\b", text) and dialect.name == "cpp":
        return BadPattern(f"`{text}` is no complete {dialect.title}; a statement has a body", f"'{text} {{ $$$ }}'")
    return BadPattern(f"`{text}` is no complete piece of {dialect.title}")


def shape(text: str, dialect: Dialect) -> Shape:
    """The shape of an expression as an author wrote it; raises BadPattern if it is none."""
    return _shape(text.strip(), dialect)


@lru_cache(maxsize=1024)
def _shape(text: str, dialect: Dialect) -> Shape:
    for before, after in dialect.expressions:
        node = _node_in(before, text, after, dialect)
        if node is not None:
            found = shape_of(node, dialect)
            while found.kind == "expression_statement" and len(found.below) == 1:
                found = found.below[0]
            return found
    raise BadPattern(f"`{text}` is no expression of {dialect.title}")


def call_rule(name: str, dialect: Dialect) -> Rule:
    """An ast-grep rule for every call of a name, whatever it is called on.

    Only last components are compared: the text of all that is called may be a chain of hundreds of calls.
    """
    escaped = re.escape(name)
    exact = rf"^{escaped}$"
    if dialect.name == "python":
        last: list[Rule] = [
            {"kind": "identifier", "regex": exact},
            {"kind": "attribute", "has": {"field": "attribute", "regex": exact}},
        ]
        indexed = {"kind": "subscript", "has": {"field": "value", "any": last}}
        return {"kind": "call", "has": {"field": "function", "any": [*last, indexed]}}
    named = rf"(?s)(^|::|\s){escaped}\s*(<.*>)?$"
    called = [
        {"kind": "identifier", "regex": exact},
        {"kind": "field_expression", "has": {"field": "field", "regex": named}},
        {"kind": "qualified_identifier", "regex": named},
        {"kind": "template_function", "regex": named},
    ]
    return {
        "any": [
            {"kind": "call_expression", "has": {"field": "function", "any": called}},
            {"kind": "new_expression", "has": {"field": "type", "regex": named}},
            {"kind": "compound_literal_expression", "has": {"field": "type", "regex": named}},
        ]
    }


@frozen
class CallPattern(Piece):
    """A call as an author wrote it: a name, or a callee with its arguments."""

    text: str
    part: tuple[str | int, ...] = ()

    @property
    def named_only(self) -> bool:
        return bool(_CALLEE.match(self.text.strip()))

    def compiled(self, dialect: Dialect) -> tuple[str, Shape, tuple[Shape, ...] | None]:
        """What is called, as text and as shape, and with which arguments (None for any); raises BadPattern if no call."""
        return _call(self.text.strip(), dialect)

    def last_name(self, dialect: Dialect) -> str:
        """The last component of what is called."""
        return _words(self.compiled(dialect)[0])[-1]

    @property
    def word(self) -> str | None:
        words = _words(self.text.partition("(")[0])
        return words[-1] if words else None


def _words(callee: str) -> list[str]:
    """The names in what is called, without metavariables and template arguments."""
    found: list[str] = _WORD.findall(_METAVARIABLE.sub(" ", re.sub(r"<.*>", "", callee)))
    return found


_CALLEE = re.compile(r"[\w.:>$-]+\Z")


@lru_cache(maxsize=1024)
def _call(text: str, dialect: Dialect) -> tuple[str, Shape, tuple[Shape, ...] | None]:
    written = f"{text}($$$)" if _CALLEE.match(text) else text
    for before, after in dialect.contexts:
        node = _node_in(before, written, after, dialect)
        called = dialect.callee(node) if node is not None and node.kind() in dialect.calls else None
        if node is None or called is None:
            continue
        if not _WORD.search(called.text().replace(SIGIL, "")):
            raise BadPattern(f"`{text}` names nothing that is called")
        arguments = None if written != text else tuple(shape_of(one, dialect) for one in dialect.arguments(node))
        return called.text().replace(SIGIL, "$"), shape_of(called, dialect), arguments
    raise BadPattern(f"`{text}` is neither a name nor a call in {dialect.title}")


def may_be(text: str, node: SgNode) -> bool:
    """Whether a node's text has every word of some code: most nodes are told apart so, without a look at their shape."""
    there = node.text()
    return all(word in there for word in _own_words(text))


@lru_cache(maxsize=1024)
def _own_words(text: str) -> tuple[str, ...]:
    """The words that code has in whatever way it is written: no words of strings, no operators, no constants."""
    plain = _METAVARIABLE.sub(" ", _ANY_STRING.sub(" ", text))
    return tuple(word for word in dict.fromkeys(_PLAIN_WORD.findall(plain)) if word not in _SPELLED_OTHERWISE)
