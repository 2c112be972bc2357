"""Code in colour: lines as pieces, each with the class of what it is. Pygments knows the languages."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

Part = tuple[str, str]

# A lexer's regular expressions are not made for hostile input of any size; the colours are a nicety.
MOST_TO_COLOUR = 200_000


def coloured(lines: Sequence[str], language: str | None) -> list[list[Part]]:
    """Each line as (class, text) pieces whose texts joined are the line; without a lexer each line is one piece.

    The classes are k for keywords, s for strings, c for comments, m for numbers, f for names of definitions.
    """
    whole = "\n".join(lines)
    plain: list[list[Part]] = [[("", line)] for line in lines]
    if language is None or len(whole) > MOST_TO_COLOUR:
        return plain
    pieces = list(_pieces(whole, language))
    if "".join(value for _, value in pieces) != whole:
        return plain
    found: list[list[Part]] = [[]]
    for kind, value in pieces:
        first, *others = value.split("\n")
        found[-1].append((kind, first))
        found += [[(kind, other)] for other in others]
    return found if len(found) == len(lines) else plain


def _pieces(whole: str, language: str) -> Iterator[Part]:
    named = ((_class_of(token), value) for token, value in _lexer(language).get_tokens(whole))
    for name, group in itertools.groupby(named, key=lambda part: part[0]):
        yield name, "".join(value for _, value in group)


@cache
def _lexer(language: str) -> Lexer:
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(language, stripnl=False, ensurenl=False)


@cache
def _class_of(token: _TokenType) -> str:
    from pygments.token import Comment, Keyword, Name, Number, String, is_token_subtype

    classes = (
        (Comment, "c"),
        (Keyword, "k"),
        (Name.Function, "f"),
        (Name.Class, "f"),
        (Name.Decorator, "f"),
        (Number, "m"),
        (String, "s"),
    )
    return next((name for kind, name in classes if is_token_subtype(token, kind)), "")
