"""What an expression is worth, if that can be read off the source: numbers, strings, constants and what is made of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence

from claimcheck.checks.shape import Shape

Literal = bool | int | float | str | tuple["Literal", ...] | None
Names = Callable[[str], Shape | None]

LARGEST_POWER = 4096
DEEPEST = 60

_CASTS: Mapping[str, Callable[[str | float], Literal]] = {"int": int, "float": float, "bool": bool, "str": str}
_EMPTY: Mapping[str, Literal] = {"int": 0, "float": 0.0, "bool": False, "str": ""}
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\0": "\0", '\\"': '"', "\\'": "'", "\\\\": "\\"}
_BINARY: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "%": operator.mod,
    "//": operator.floordiv,
    "/": operator.truediv,
}
_BITS: Mapping[str, Callable[[int, int], int]] = {
    "<<": operator.lshift,
    ">>": operator.rshift,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
}


class NotLiteral(Exception):
    """The value is computed when the program runs."""


def nothing_named(name: str) -> Shape | None:
    return None


def literal(shape: Shape, names: Names = nothing_named, *, whole_division: bool = False, depth: int = 0) -> Literal:
    """The value of an expression; raises NotLiteral. `names` gives what a name stands for."""
    if depth > DEEPEST:
        raise NotLiteral
    below = shape.below

    def value(of: Shape) -> Literal:
        return literal(of, names, whole_division=whole_division, depth=depth + 1)

    match shape.kind:
        case "number":
            return number(shape.text)
        case "constant":
            return {"True": True, "False": False, "None": None}[shape.text]
        case "char":
            return _unescaped(shape.text[1:-1])
        case "string" | "stringb" | "stringL" | "stringu8":
            return _unescaped(shape.text)
        case "stringr" | "stringR" | "stringrb" | "stringbr":
            return shape.text
        case "unary" | "not" if len(below) == 2:
            return _unary(below[0].text, value(below[1]))
        case "binary" if len(below) == 3:
            return _binary(value(below[0]), below[1].text, value(below[2]), whole_division)
        case "tuple" | "list" | "set":
            return tuple(value(one) for one in below if one.text not in ("[", "]", "{", "}"))
        case "call" if len(below) == 2:
            return _call(below[0], below[1].below, value)
        case "cast_expression":
            return value(below[-1])
        case "token":
            named = names(shape.text)
            if named is not None:
                return value(named)
    raise NotLiteral


def number(text: str) -> int | float:
    """A number as the languages write it; raises NotLiteral for what is none."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise NotLiteral from None


def _unescaped(text: str) -> str:
    out, position = [], 0
    while position < len(text):
        pair = text[position : position + 2]
        out.append(_ESCAPES.get(pair, text[position]))
        position += 2 if pair in _ESCAPES else 1
    return "".join(out)


def _unary(sign: str, value: Literal) -> Literal:
    if sign in ("not", "!"):
        return not value
    if isinstance(value, int | float) and not isinstance(value, bool):
        if sign in ("-", "+"):
            return -value if sign == "-" else value
        if sign == "~" and isinstance(value, int):
            return ~value
    raise NotLiteral


def _binary(left: Literal, sign: str, right: Literal, whole_division: bool) -> Literal:
    if isinstance(left, str) and isinstance(right, str) and sign == "+":
        return left + right
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        raise NotLiteral
    try:
        if isinstance(left, int) and isinstance(right, int):
            if sign in ("<<", "**") and not 0 <= right <= LARGEST_POWER:
                raise NotLiteral
            if sign in _BITS:
                return _BITS[sign](left, right)
            if sign == "**":
                return int(left**right)
            if sign == "/" and whole_division:
                return int(left / right)
        if sign == "**":
            return float(left**right)
        if sign in _BINARY:
            return _BINARY[sign](left, right)
    except (ArithmeticError, ValueError, TypeError):
        raise NotLiteral from None
    raise NotLiteral


def _call(callee: Shape, arguments: Sequence[Shape], value: Callable[[Shape], Literal]) -> Literal:
    """A conversion of one value, or what a call like `field(default=3)` has as its default."""
    for argument in arguments:
        if argument.kind == "keyword_argument" and argument.below[0].text == "default":
            return value(argument.below[-1])
        if argument.kind == "keyword_argument" and argument.below[0].text == "default_factory":
            return _made(argument.below[-1].text)
    last = _last_token(callee)
    if not arguments:
        return _made(last)
    plain = len(arguments) == 1 and arguments[0].kind != "keyword_argument"
    if last == "Field" and arguments[0].kind != "keyword_argument":
        return value(arguments[0])
    if plain and (callee.kind == "template_function" or last.endswith("_t") or last in ("double", "long", "unsigned")):
        return value(arguments[0])
    if plain and last in _CASTS:
        return converted(last, value(arguments[0]))
    raise NotLiteral


def converted(to: str, value: Literal) -> Literal:
    """What `int("3")` is; raises NotLiteral where it is nothing."""
    if value is None or isinstance(value, tuple) or to not in _CASTS:
        raise NotLiteral
    try:
        return _CASTS[to](value)
    except ValueError:
        raise NotLiteral from None


def _made(factory: str) -> Literal:
    if factory in ("list", "tuple", "set", "frozenset"):
        return ()
    if factory in _EMPTY:
        return _EMPTY[factory]
    raise NotLiteral


def _last_token(shape: Shape) -> str:
    while shape.below:
        shape = shape.below[0] if shape.kind == "template_function" else shape.below[-1]
    return shape.text


def same_value(wanted: Literal, there: Literal) -> bool:
    """Whether two values are the same: numbers as numbers, and what is written as text as the number that it says."""
    if isinstance(wanted, tuple) or isinstance(there, tuple):
        return (
            isinstance(wanted, tuple)
            and isinstance(there, tuple)
            and len(wanted) == len(there)
            and all(map(same_value, wanted, there))
        )
    if isinstance(wanted, bool) or isinstance(there, bool) or wanted is None or there is None:
        return wanted is there
    if isinstance(wanted, str) and isinstance(there, int | float):
        return False
    return wanted == there
