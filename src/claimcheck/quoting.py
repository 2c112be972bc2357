"""Whether code that a text shows stands in some lines of a source, compared token by token.

Blanks and line breaks do not count, nor which of the two quotation marks a string has; everything else does. `…` and
`...` stand for what is left out, and what is left out most often, the object before a dot, needs no mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from claimcheck.values import frozen

_TOKEN = re.compile(r"[^\W\d]\w*|\d[\w.]*|[^\s\w]")
_GAP = re.compile(r"…|\.{3,}|⋯")
_DOTTED = r"[^\W\d]\w*(?:(?:\.|::|->)[^\W\d]\w*)*"
_NAME = re.compile(rf"{_DOTTED}\Z")
_CALL = re.compile(rf"({_DOTTED})\((?:\s*(?:…|\.{{3}}|⋯)\s*)?\)\Z")
_SETTING = re.compile(rf"({_DOTTED})\s*=\s*(?:-?\d[\w.]*|\"[^\"]*\"|'[^']*'|[A-Za-z]+)\Z")
_LOOKS_LIKE_CODE = re.compile(r"_|[a-z][A-Z]|[A-Z]{2}|[A-Za-z]\d")
_FILE = re.compile(r"[\w.*-]+(?:/[\w.*-]+)+/?\Z|[\w-]+\.(?:[a-z]{1,4}|html|json|yaml|toml)\Z|\.[a-z]+\Z")
_OPTION = re.compile(r"--?[A-Za-z]")
_IDS = re.compile(r"[\[［]?{0}(?:[\s,，、;；]+{0})*[\]］]?\Z".format(r"[A-Z0-9]+(?:[-.][A-Z0-9]+)+[a-z]?"))
_COMMENT = re.compile(r"\s*(?:#|//)")
_SEPARATORS = frozenset({".", ":", "->"})

# What every language has, and no source is quoted by.
COMMON = frozenset({"None", "True", "False", "self", "this", "null", "nullptr", "true", "false", "cls"})
SHORTEST_NAME = 3


def tokens(text: str) -> list[str]:
    """The words, numbers and signs of a text."""
    return [token.replace("'", '"') for token in _TOKEN.findall(text)]


@frozen(slots=False)
class Tokens:
    """The tokens of a source text, joined so that a run of them is found as a text is."""

    found: Sequence[str]

    @classmethod
    def of(cls, text: str) -> Tokens:
        return cls(tokens(text))

    @cached_property
    def joined(self) -> str:
        return _joined(self.found)

    @cached_property
    def _without_objects(self) -> str:
        """The same with `request.num_tokens` as `num_tokens`."""
        return _joined(_last_parts(self.found))

    def has(self, code: str) -> bool:
        """Whether code stands there: as one run of tokens, or as several in any order where it has gaps."""
        return all(part in self.joined or part in self._without_objects for part in map(_joined, _parts(code)))

    def first(self, code: str) -> int | None:
        """The index of the token with which code begins that stands there as one run."""
        at = self.joined.find(_joined(tokens(code)))
        return None if at < 0 else self.joined.count("\x1f", 0, at)

    def has_word(self, word: str) -> bool:
        return f"\x1f{word}\x1f" in self.joined


def _joined(found: Iterable[str]) -> str:
    return "\x1f" + "".join(f"{token}\x1f" for token in found)


def _last_parts(found: Sequence[str]) -> Iterator[str]:
    """The tokens without a name, a separator and a name's first two: `a . b` is `b`."""
    kept: list[str] = []
    for token in found:
        if _is_word(token) and len(kept) > 1 and kept[-1] == "." and _is_word(kept[-2]):
            del kept[-2:]
        elif _is_word(token) and len(kept) > 2 and kept[-2:] in ([":", ":"], ["-", ">"]) and _is_word(kept[-3]):
            del kept[-3:]
        kept.append(token)
    yield from kept


def _is_word(token: str) -> bool:
    return token[0].isalpha() or token[0] == "_"


def _parts(code: str) -> Iterator[list[str]]:
    for part in _GAP.split(code):
        if found := tokens(part):
            yield found


def names_in(code: str) -> list[str]:
    """The names that a code span consists of: alone, called with nothing or `…`, set to a value, or several in brackets.

    `ref_cnt`, `BlockPool.touch()`, `block_size=16, tp=2`, `(priority, arrival_time)`. Nothing for code that is more than
    names. A plain word such as `queue` is left out, since an author may well set it as code without meaning any one of
    a source.
    """
    if _FILE.match(code) or _IDS.match(code) or _OPTION.match(code):
        return []
    called = _CALL.match(code)
    if called:
        return [] if called[1] in COMMON else [called[1]]
    parts = [part.strip() for part in code.strip("()[]{} ").split(",")]
    names = [setting[1] if (setting := _SETTING.match(part)) else part for part in parts]
    if not all(_NAME.match(name) for name in names if name):
        return []
    return [name for name in names if name and name not in COMMON and looks_like_code(name)]


def is_names(code: str) -> bool:
    """Whether a code span is nothing but names, plain words among them."""
    parts = [part.strip() for part in code.strip("()[]{} ").split(",")]
    return bool(_CALL.match(code)) or all(not part or _NAME.match(part) or _SETTING.match(part) for part in parts)


def looks_like_code(name: str) -> bool:
    """Whether a name is no plain word: it has an underscore, a capital or a digit inside, or parts."""
    return len(name) >= SHORTEST_NAME and bool(_LOOKS_LIKE_CODE.search(name) or len(words_of(name)) > 1)


def words_of(name: str) -> list[str]:
    """The parts of a qualified name."""
    return [word for word in re.split(r"\.|::|->", name) if word not in COMMON]


def is_expression(code: str) -> bool:
    """Whether a code span is code of more than names, with at least one name that is no plain word.

    Paths, options, addresses and formulas of single letters are none.
    """
    if _FILE.match(code) or _IDS.match(code) or _OPTION.match(code) or "://" in code or is_names(code):
        return False
    found = tokens(code)
    called = {word for word, sign in pairwise(found) if sign in ("(", ".")}
    words = [token for token in found if _is_word(token) and len(token) >= SHORTEST_NAME]
    return any(_LOOKS_LIKE_CODE.search(word) or word in called for word in words)


def quoted_lines(code: str) -> Iterator[tuple[int, str]]:
    """The lines of a block of code that quote something, each with its index: not blank, no gap, no comment alone."""
    for index, line in enumerate(code.split("\n")):
        if line.strip() and not _COMMENT.match(line) and any(_parts(line)):
            yield index, line
