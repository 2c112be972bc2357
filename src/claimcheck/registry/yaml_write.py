"""Text to YAML scalars that every reader, of YAML 1.1 or 1.2, takes for that text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TypeAlias

# A mapping as `dict`, a list as `list` or `tuple`; whole numbers are for line ranges of one line.
Value: TypeAlias = "str | int | bool | Sequence[Value] | Mapping[str, Value]"

# Whatever some reader takes for a number, a date, a truth value or nothing; YAML 1.1 as specified (`y`, base 60,
# octal with 0), as implemented, and the core schema of YAML 1.2 (`0o17`, `12e5678`).
_NUMBER = re.compile(
    r"""[-+]?(?:
        0b[01_]+ | 0o[0-7_]+ | 0x[0-9a-fA-F_]+
      | [0-9][0-9_]*(?::[0-9]{1,2})+(?:\.[0-9_]*)?
      | [0-9][0-9_,]*
      | (?:[0-9][0-9_]*)?\.[0-9_.]*(?:[eE][-+]?[0-9]+)?
      | [0-9][0-9_]*(?:\.[0-9_]*)?[eE][-+]?[0-9]+
      | \.(?:inf|nan)
    )\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?\Z")
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "<<", "=", "none", "nil"})

_FIRST = frozenset("-?:,[]{}#&*!|>'\"%@`=~<")
_IN_FLOW = frozenset(",[]{}:?")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def scalar(text: str, *, flow: bool = False) -> str:
    """A text as a value or key: as it is where every reader agrees, else in quotes. `flow` is inside [] or {}."""
    return text if _is_plain(text, flow) else quoted(text)


def _is_plain(text: str, flow: bool) -> bool:
    if not text or text != text.strip() or text[0] in _FIRST or text.endswith(":"):
        return False
    if ": " in text or " #" in text or (flow and not _IN_FLOW.isdisjoint(text)):
        return False
    if is_taken_for_something_else(text):
        return False
    return all(char == " " or _shows(char) for char in text)


def is_taken_for_something_else(text: str) -> bool:
    """Whether some YAML reader takes the unquoted text for anything but text."""
    return bool(_NUMBER.match(text) or _DATE.match(text)) or text.lower() in _WORDS


def _shows(char: str) -> bool:
    return unicodedata.category(char)[0] not in "CZ"


def quoted(text: str) -> str:
    """A text in double quotes, or in single ones where that needs no escapes and double ones would."""
    hidden = any(char != " " and not _shows(char) for char in text)
    if not hidden and ('"' in text or "\\" in text):
        return single_quoted(text)
    return double_quoted(text)


def single_quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def double_quoted(text: str) -> str:
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    # An ideographic space and its like are part of ordinary text; line and paragraph separators end lines.
    if char == " " or _shows(char) or unicodedata.category(char) == "Zs":
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def in_the_style_of(source: str, text: str, *, flow: bool) -> str:
    """A text as a scalar in the quotes of the one that it replaces."""
    can_single = all(char == " " or _shows(char) for char in text)
    if source.startswith("'") and can_single:
        return single_quoted(text)
    return double_quoted(text) if source.startswith(('"', "'")) else scalar(text, flow=flow)


def flow(value: Value) -> str:
    """A value on one line."""
    if isinstance(value, str):
        return scalar(value, flow=True)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(name, flow=True)}: {flow(below)}" for name, below in value.items()) + "}"
    return "[" + ", ".join(flow(item) for item in value) + "]"


def block(mapping: Mapping[str, Value], *, step: int, depth: int = 2) -> list[str]:
    """The lines of a mapping: its mappings indented by `step` down to a depth, all else on one line each."""
    lines: list[str] = []
    for name, value in mapping.items():
        if isinstance(value, Mapping) and depth > 0 and value:
            lines.append(f"{scalar(name)}:")
            lines += [" " * step + line for line in block(value, step=step, depth=depth - 1)]
        else:
            lines.append(f"{scalar(name)}: {scalar(value) if isinstance(value, str) else flow(value)}")
    return lines
