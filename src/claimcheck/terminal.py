"""Untrusted text made safe to show, and the hidden characters in it.

What comes from a repository, a registry, a document or git is shown with every character that would act on a
terminal, reorder what the reader sees or not be seen at all written as an escape, such as `\\x1b` or `\\u202e`.
Only tabs stay, and the invisible parts of emoji where they belong to one.
"""

from __future__ import annotations

import codecs
import enum
import re
import unicodedata

from claimcheck.values import frozen

SHOWN_LENGTH = 60

_CONTROL = r"\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029"
_BIDI = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_INVISIBLE = (
    r"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SURROGATE = r"\ud800-\udfff"
_EMOJI = (
    r"\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u231a-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_PART_OF_AN_EMOJI = (
    rf"(?<=[{_EMOJI}])[\ufe0e\ufe0f]"
    r"|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    rf"|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"
)

HIDDEN = re.compile(rf"(?!{_PART_OF_AN_EMOJI})[{_CONTROL}{_BIDI}{_INVISIBLE}{_SURROGATE}]")

# Azure Pipelines, TeamCity and GitHub's older syntax look for these anywhere in a line, so that indenting
# or numbering the line does not help; other runners' commands have to begin the line.
CI_COMMAND = re.compile(r"##(?=vso\[|teamcity\[|\[[A-Za-z]{2,}(?:-[A-Za-z]{2,})*[ \]])")

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NAMES = {
    "\x00": "NULL",
    "\x08": "BACKSPACE",
    "\x0c": "FORM FEED",
    "\r": "CARRIAGE RETURN",
    "\x1b": "ESCAPE",
    "\x7f": "DELETE",
}


class HiddenKind(enum.Enum):
    """What a hidden character does: it acts on a terminal, reorders the text, or is not seen."""

    CONTROL = "control"
    BIDI = "bidi"
    INVISIBLE = "invisible"


@frozen
class Hidden:
    """A hidden character of a line and its column, counted in code points from 1."""

    column: int
    character: str

    @property
    def kind(self) -> HiddenKind:
        if re.match(rf"[{_BIDI}]", self.character):
            return HiddenKind.BIDI
        return HiddenKind.INVISIBLE if re.match(rf"[{_INVISIBLE}]", self.character) else HiddenKind.CONTROL

    @property
    def deceives(self) -> bool:
        """Whether the reader sees another text than the compiler does."""
        return self.kind is not HiddenKind.CONTROL

    @property
    def label(self) -> str:
        """The code point with its name where it has one: `U+202E RIGHT-TO-LEFT OVERRIDE`."""
        name = _NAMES.get(self.character) or unicodedata.name(self.character, "")
        return f"U+{ord(self.character):04X} {name}".rstrip()


def hidden(line: str) -> tuple[Hidden, ...]:
    """The characters of a line that `escaped` would write as escapes, in order."""
    return tuple(Hidden(match.start() + 1, match.group()) for match in HIDDEN.finditer(line))


def escaped(text: str) -> str:
    """The text with its hidden characters as escapes, on one line, and nothing else changed."""
    return HIDDEN.sub(lambda match: _escape(match.group()), text)


def visible(text: str) -> str:
    """The text as a terminal or a log may get it: escaped, and with no command for a CI runner in it."""
    return CI_COMMAND.sub(r"#\\x23", escaped(text))


def visible_block(text: str) -> str:
    """As `visible`, but line feeds stay."""
    return "\n".join(visible(line) for line in text.split("\n"))


def encodable(text: str, encoding: str) -> str:
    """The text with what an encoding cannot write as escapes; an unknown encoding is taken for ASCII.

    The escapes are those of JSON, so that a document of it stays one.
    """
    try:
        return text.encode(encoding, _ESCAPING).decode(encoding)
    except LookupError:
        return text.encode("ascii", _ESCAPING).decode("ascii")


def _json_escapes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in zip(units[::2], units[1::2], strict=True)), error.end


_ESCAPING = "claimcheck.json-escapes"
codecs.register_error(_ESCAPING, _json_escapes)


def printable(text: str) -> str:
    """A name or a value, of which nothing may be overlooked: blanks other than the plain one are escapes too."""
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def shown(text: str, length: int = SHOWN_LENGTH) -> str:
    """A value as messages show it: printable, and cut to a length."""
    return printable(text[:length]) + ("…" if len(text) > length else "")


def columns(text: str) -> int:
    """How many columns a text takes on a terminal: Chinese, Japanese and Korean characters take two each."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m"


def dim(text: str) -> str:
    return f"\x1b[2m{text}\x1b[0m"


def _escape(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"  # a byte of a path or message that was no UTF-8
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


@frozen
class Paint:
    """Colour for a terminal, or none: it only repeats what the words say."""

    on: bool = False

    def strong(self, text: str) -> str:
        return bold(text) if self.on else text

    def faint(self, text: str) -> str:
        return dim(text) if self.on and text else text

    def severity(self, word: str) -> str:
        """The word of a severity in its colour: errors red, warnings yellow, the rest as it is."""
        code = {"error": "31;1", "warning": "33;1"}.get(word)
        return f"\x1b[{code}m{word}\x1b[0m" if self.on and code else word

    def change(self, sign: str, text: str) -> str:
        """A line of a comparison: red for `-`, green for `+`."""
        code = {"-": "31", "+": "32"}.get(sign)
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and code else text


PLAIN = Paint()
