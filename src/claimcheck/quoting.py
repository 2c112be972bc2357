"""Whether code that a text shows stands in some lines of a source, compared token by token.

Blanks and line breaks do not count, nor which of the two quotation marks a string has; everything else does. `…` and
`...` stand for what is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r"[^\W\d]\w*|\d[\w.]*|[^\s\w]")
_GAP = re.compile(r"…|\.{3,}|⋯|\[…\]")
_NAME = re.compile(r"[^\W\d]\w*(?:(?:\.|::|->)[^\W\d]\w*)*\Z")
_CALL = re.compile(r"([^\W\d][\w.:]*)\((?:\s*(?:…|\.{3}|⋯)\s*)?\)\Z")
_LOOKS_LIKE_CODE = re.compile(r"[_\d]|[a-z][A-Z]|[A-Z]{2}|\.|::|->|\(")
_FILE = re.compile(r"[\w.*-]+(?:/[\w.*-]+)+/?\Z|[\w-]+\.(?:[a-z]{1,4}|html|json|yaml|toml)\Z|\.[a-z]+\Z")
_OPTION = re.compile(r"--?[A-Za-z]")
_SETTING = re.compile(r"([^\W\d][\w.]*)\s*=\s*(?:-?\d[\w.]*|\"[^\"]*\"|'[^']*'|[A-Za-z]+)\Z")
_IDS = re.compile(r"[\[［]?{0}(?:[\s,，、;；]+{0})*[\]］]?\Z".format(r"[A-Z0-9]+(?:[-.][A-Z0-9]+)+[a-z]?"))
_COMMENT = re.compile(r"\s*(?:#|//)")

# What every language has, and no source is quoted by.
COMMON = frozenset({"None", "True", "False", "self", "this", "null", "nullptr", "true", "false", "cls"})


def tokens(text: str) -> list[str]:
    """The words, numbers and signs of a text."""
    return [token.replace("'", '"') for token in _TOKEN.findall(text)]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a source text, joined so that a run of them is found as a text is."""

    joined: str

    @classmethod
    def of(cls, text: str) -> Tokens:
        return cls(_joined(tokens(text)))

    def has(self, code: str) -> bool:
        """Whether code stands there: as one run of tokens, or as several in any order where it has gaps."""
        return all(_joined(part) in self.joined for part in _parts(code))

    def has_word(self, word: str) -> bool:
        return f"\x1f{word}\x1f" in self.joined


def _joined(found: Iterable[str]) -> str:
    return "\x1f" + "".join(f"{token}\x1f" for token in found)


def _parts(code: str) -> Iterator[list[str]]:
    for part in _GAP.split(code):
        if found := tokens(part):
            yield found


def name_in(code: str) -> str | None:
    """The name that a code span is: alone, called with nothing or `…`, or set: `ref_cnt`, `touch()`, `block_size=16`.

    None for code that is more than a name, and for a name that is a plain word (`queue`), which an author may well set
    as code without meaning any one of a source.
    """
    if code in COMMON or _FILE.match(code) or _IDS.match(code):
        return None
    if setting := _SETTING.match(code):
        code = setting[1]
    if called := _CALL.match(code):
        return called[1].rstrip(":.")
    return code if _NAME.match(code) and _LOOKS_LIKE_CODE.search(code) else None


def words_of(name: str) -> list[str]:
    """The parts of a qualified name."""
    return [word for word in re.split(r"\.|::|->", name) if word not in COMMON]


def is_expression(code: str) -> bool:
    """Whether a code span is code of more than a name: not a path, an option, a command or words without a sign."""
    found = tokens(code)
    if len(found) < 2 or _FILE.match(code) or _IDS.match(code) or _OPTION.match(code) or "://" in code or name_in(code):
        return False
    if _NAME.match(code) or _CALL.match(code) or _SETTING.match(code):
        return False
    words = [token for token in found if token[0].isalpha() or token[0] == "_"]
    signs = [token for token in found if not (token[0].isalnum() or token[0] == "_")]
    return bool(words) and (bool(signs) or any(_LOOKS_LIKE_CODE.search(word) for word in words))


def quoted_lines(code: str) -> Iterator[tuple[int, str]]:
    """The lines of a block of code that quote something, each with its index: not blank, no gap, no comment alone."""
    for index, line in enumerate(code.split("\n")):
        if line.strip() and not _COMMENT.match(line) and any(_parts(line)):
            yield index, line
