"""What a form of check is: its information, the shape of its arguments, and the examples by which it shows what it means."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Protocol

from claimcheck.checks.dialects import Dialect
from claimcheck.checks.looking import Look
from claimcheck.checks.pattern import BadPattern, Piece
from claimcheck.checks.result import Answer, Hit, Result
from claimcheck.model import Check
from claimcheck.values import frozen

Json = Mapping[str, Any]


class Strength(enum.Enum):
    """What a check that holds says of the code: what it does, only that something is there, or what a comment says."""

    TESTS = "tests"
    EXISTENCE = "existence"
    COMMENT = "comment"


@frozen
class FormInfo:
    """A form's name, one sentence, the JSON Schema of its arguments, and a paragraph for the documentation.

    `needs_code` is false for a form that can look into any text. `tree` says whether a whole tree can be looked
    through.
    """

    name: str
    summary: str
    schema: Json
    help: str = ""
    strength: Strength = Strength.TESTS
    needs_code: bool = True
    tree: bool = False


@frozen
class Example:
    """A source text, a check of it as YAML, and what it says.

    `language` is the suffix of the file. `says` is the message where it fails or cannot be answered, `nearest` what is
    said to come near.
    """

    title: str
    language: str
    source: str
    check: str
    answer: Answer = Answer.HOLDS
    says: str = ""
    nearest: str | None = None


@frozen
class Bad:
    """What is wrong with an argument: where it stands below the form's, why, and what to write instead."""

    part: tuple[str | int, ...]
    message: str
    help: str | None = None


class Form(Protocol):
    """What a module in `forms/` has."""

    INFO: FormInfo

    @property
    def EXAMPLES(self) -> Sequence[Example]: ...

    def read(self, data: Any, /) -> Any:
        """The arguments as a value of the form's own, from data that fits the schema; raises BadArguments."""
        ...

    def check(self, arguments: Any, look: Look, /) -> Result: ...


class BadArguments(Exception):
    """Arguments that fit the schema and make no sense together."""

    def __init__(self, message: str, part: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.part = part
        self.message = message


def pieces(arguments: object) -> Iterator[Piece]:
    """The pieces of code in a form's arguments, all of which have to parse."""
    if isinstance(arguments, Piece):
        yield arguments
    elif isinstance(arguments, Check):
        return  # it is looked at by itself
    elif isinstance(arguments, tuple):
        for one in arguments:
            yield from pieces(one)
    elif is_dataclass(arguments):
        for each in fields(arguments):
            yield from pieces(getattr(arguments, each.name))


def bad_pieces(arguments: object, dialect: Dialect) -> Iterator[Bad]:
    """What does not parse in a language."""
    for piece in pieces(arguments):
        try:
            piece.compiled(dialect)
        except BadPattern as problem:
            yield Bad(piece.part, problem.reason, problem.help)


def holds(message: str, *hits: Hit) -> Result:
    return Result(Answer.HOLDS, message, hits)


def fails(message: str, *hits: Hit, nearest: str | None = None) -> Result:
    return Result(Answer.FAILS, message, hits, nearest)


def strength_of(form: Form, arguments: object) -> Strength:
    """How much a check of this form says; absence is more than existence, so arguments may say it themselves."""
    own = getattr(arguments, "strength", None)
    return own if isinstance(own, Strength) else form.INFO.strength


# Fragments of the schema

LINE: Json = {"type": "string", "$ref": "#/$defs/line"}
WORDS: Json = {"type": "string", "$ref": "#/$defs/words"}  # for what may also be a mapping
CODE: Json = {"type": "string", "$ref": "#/$defs/code"}
CODES: Json = {"type": "array", "items": CODE, "minItems": 1, "maxItems": 100}
LINES: Json = {"type": "array", "items": LINE, "minItems": 1, "maxItems": 100}
NUMBER: Json = {"type": "integer", "minimum": 0, "maximum": 10_000_000}
FLAG: Json = {"enum": [True]}
RANGE: Json = {"is": NUMBER, "at-least": NUMBER, "at-most": NUMBER}


def mapping(
    properties: Json, required: Sequence[str] = (), *, or_: str | None = None, also: Json | None = None
) -> Json:
    """The schema of a mapping; with `or_` of one other type, described by `also`, as a short way to write it."""
    inner = {"in": {"$ref": "#/$defs/cited-anchor"}, **properties}
    return {
        "type": [or_, "object"] if or_ else "object",
        "additionalProperties": False,
        **({"required": list(required)} if required else {}),
        "properties": inner,
        **{key: value for key, value in (also or {}).items() if key != "type"},
    }


@frozen
class Range:
    """How many there are to be."""

    least: int
    most: int | None

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Range:
        if "is" in data:
            if "at-least" in data or "at-most" in data:
                raise BadArguments("`is` says it exactly; `at-least` and `at-most` stand without it", ("is",))
            return cls(data["is"], data["is"])
        if "at-least" not in data and "at-most" not in data:
            raise BadArguments("how many? `is`, `at-least` or `at-most` is missing")
        return cls(data.get("at-least", 0), data.get("at-most"))

    def __contains__(self, number: int) -> bool:
        return self.least <= number and (self.most is None or number <= self.most)

    def __str__(self) -> str:
        if self.most is None:
            return f"at least {self.least}"
        if self.least == self.most:
            return str(self.least)
        return f"{self.least} to {self.most}" if self.least else f"at most {self.most}"
