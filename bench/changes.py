"""Changes of source files, made by us, so that it is known where each region went and what has to be said of it.

A `Case` is a file with a region in it. Each of `CHANGES` makes a `Changed` of it, or None where it does not apply: the
lines of the new file, each with the number that it had (None for a new one), and the outcomes that are true of the region.
`bench/mutations.py` counts them on real files, `tests/test_changes.py` tries them on made-up ones.
"""

from __future__ import annotations

import ast
import hashlib
import io
import random
import re
import tokenize
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from claimcheck.grammars import grammar_for
from claimcheck.model import Anchor, Lines, Region
from claimcheck.outcome import Outcome, spot_of
from claimcheck.relocate import relocate
from claimcheck.syntax import Outline, Symbol, outline
from claimcheck.texts import SourceText

SAME = frozenset({"unchanged", "moved"})
LOOKS = frozenset({"unchanged", "moved", "cosmetic"})
EDITED = frozenset({"edited"})
SWAPS = {
    " + ": " - ",
    " == ": " != ",
    " < ": " <= ",
    " and ": " or ",
    " && ": " || ",
    " = ": " += ",
    "True": "False",
    "true": "false",
}


@dataclass(frozen=True)
class Words:
    """How a language writes a remark, a definition of its own at the top of a file, and a condition around lines."""

    remark: str
    fresh: str
    head: str
    foot: str = "}"


CURLY = Words("//", "static const int fresh_{n} = {v};", "if (ready_now) {{")
LANGUAGES = {
    "python": Words("#", "fresh_{n} = {v}", "if ready_now:", ""),
    "ruby": Words("#", "FRESH_{n} = {v}", "if ready_now", "end"),
    "cpp": CURLY,
    "c": CURLY,
    "java": Words("//", "class Fresh{n} {{ int value = {v}; }}", "if (readyNow) {{"),
    "c_sharp": Words("//", "class Fresh{n} {{ int value = {v}; }}", "if (readyNow) {{"),
    "go": Words("//", "var fresh{n} = {v}", "if readyNow {{"),
    "rust": Words("//", "const FRESH_{n}: i32 = {v};", "if ready_now {{"),
    "javascript": Words("//", "const fresh{n} = {v};", "if (readyNow) {{"),
    "typescript": Words("//", "const fresh{n} = {v};", "if (readyNow) {{"),
    "tsx": Words("//", "const fresh{n} = {v};", "if (readyNow) {{"),
    "php": Words("//", "$fresh{n} = {v};", "if ($readyNow) {{"),
}


@dataclass(frozen=True)
class Line:
    """A line and the number that it had, None for a new one."""

    text: str
    number: int | None = None


@dataclass(frozen=True)
class Changed:
    """What became of a case: the new file, and the outcomes of which one has to be said."""

    lines: tuple[Line, ...]
    outcomes: frozenset[str]
    path: str | None = None
    renamed: bool = False


@dataclass(frozen=True)
class Case:
    """A file with a region in it, in the definition `symbol`."""

    path: str
    lines: tuple[Line, ...]
    region: Lines
    symbol: Symbol
    structure: Outline
    chance: random.Random

    @classmethod
    def of(cls, path: str, texts: Sequence[str], region: Lines, symbol: Symbol, chance: random.Random) -> Case:
        structure = outline("\n".join(texts) + "\n", path)
        assert structure is not None
        return cls(path, tuple(Line(text, n) for n, text in enumerate(texts, 1)), region, symbol, structure, chance)

    @property
    def words(self) -> Words:
        return LANGUAGES[self.structure.grammar.name]

    @property
    def python(self) -> bool:
        return self.structure.grammar.name == "python"

    @property
    def whole(self) -> bool:
        return self.region == self.symbol.lines

    @property
    def text(self) -> str:
        return joined(self.lines)

    def cut(self, lines: Lines) -> tuple[Line, ...]:
        return self.lines[lines.first - 1 : lines.last]

    def put(self, before: int, *new: Line) -> tuple[Line, ...]:
        """Lines put before the line of a number."""
        return (*self.lines[: before - 1], *new, *self.lines[before - 1 :])

    def instead(self, old: Lines, *texts: str) -> tuple[Line, ...]:
        """Other lines in the place of some; all of them are what these became."""
        return (*self.lines[: old.first - 1], *(Line(text, old.first) for text in texts), *self.lines[old.last :])

    def still_parsed(self, lines: Sequence[Line]) -> bool:
        """Whether a change of the case left a file that the parser understands: not every piece stands for itself."""
        structure = outline(joined(lines), self.path)
        return structure is not None and not structure.errors

    def fresh(self) -> list[Line]:
        many = range(self.chance.randrange(1, 9))
        return [
            Line(self.words.fresh.format(n=self.chance.randrange(10**6), v=self.chance.randrange(100))) for _ in many
        ]

    def under_a_condition(self, lines: Sequence[Line]) -> list[Line]:
        """Lines of code indented once more, in a block that was not there."""
        indent = depth(lines[0])
        inner = [Line("    " + line.text if line.text.strip() else line.text, line.number) for line in lines]
        foot = [Line(indent + self.words.foot)] if self.words.foot else []
        return [Line(indent + self.words.head.format()), *inner, *foot]

    def renamed(self, name: str) -> tuple[Line, ...]:
        """All of the file with another word for the definition's name."""
        word = re.compile(rf"\b{re.escape(self.symbol.last_name)}\b")
        return tuple(Line(word.sub(name, line.text), line.number) for line in self.lines)


def depth(line: Line) -> str:
    return line.text[: len(line.text) - len(line.text.lstrip())]


def joined(lines: Sequence[Line]) -> str:
    return "".join(line.text + "\n" for line in lines)


# What Python says of a text, so that it is not claimcheck that says where a string or a docstring is.


@lru_cache(maxsize=64)
def inside_strings(text: str) -> frozenset[int]:
    """The lines that begin inside a string or after a backslash."""
    found: set[int] = set()
    start = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if tokenize.tok_name[token.type].startswith("FSTRING_START"):
                start = token.start[0]
            if token.type == tokenize.STRING or tokenize.tok_name[token.type] == "FSTRING_END":
                first = token.start[0] if token.type == tokenize.STRING else start
                found.update(range(first + 1, token.end[0] + 1))
    except (tokenize.TokenError, SyntaxError):
        return frozenset(range(1, text.count("\n") + 2))
    lines = text.split("\n")
    return frozenset(found | {n + 1 for n, line in enumerate(lines, 1) if line.endswith("\\")})


@lru_cache(maxsize=64)
def docstrings(text: str) -> tuple[Lines, ...]:
    """The docstrings that stand on lines of their own."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return ()
    lines = text.split("\n")
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            said = Lines(first.lineno, first.end_lineno or first.lineno)
            if lines[said.first - 1].lstrip().startswith('"""') and lines[said.last - 1].rstrip().endswith('"""'):
                found.append(said)
    return tuple(found)


# The changes.


def insertion_above(case: Case) -> Changed | None:
    top = min(symbol.lines.first for symbol in case.structure.symbols if symbol.lines.covers(case.symbol.lines))
    return Changed(case.put(top, *case.fresh()), SAME) if top <= case.region.first else None


def comment_inside(case: Case) -> Changed | None:
    at = case.chance.randrange(case.region.first, case.region.last + 1)
    if at == case.region.first or case.lines[at - 2].text.endswith("\\"):
        return None
    lines = case.put(at, Line(f"{depth(case.lines[at - 1])}{case.words.remark} a remark that was not there", at))
    if case.python and at in inside_strings(case.text):
        return None
    # In other languages only their grammar knows whether that is a remark or a part of a string.
    structure = outline(joined(lines), case.path)
    remark = case.python or (structure is not None and at in structure.comment_lines)
    return Changed(lines, frozenset({"cosmetic"}) if remark else EDITED)


def docstring(case: Case) -> Changed | None:
    said = [lines for lines in docstrings(case.text) if case.region.covers(lines)] if case.python else []
    if not said:
        return None
    lines = case.chance.choice(said)
    first, last = case.lines[lines.first - 1].text, case.lines[lines.last - 1].text
    if case.chance.random() < 0.5:
        # A word of its first line, or a sentence at its end.
        new = [first.replace('"""', '"""Later: ', 1)]
        return Changed(case.instead(Lines(lines.first, lines.first), *new), frozenset({"cosmetic"}))
    new = [last.rstrip().removesuffix('"""'), "", f'{depth(case.lines[lines.first - 1])}And more of it. """']
    return Changed(case.instead(Lines(lines.last, lines.last), *new), frozenset({"cosmetic"}))


def another_width(case: Case) -> Changed | None:
    """A call of a whole definition broken over two or three lines."""
    strings = inside_strings(case.text) if case.python else frozenset()
    calls = [
        n
        for n in range(case.region.first, case.region.last + 1)
        if n not in strings and _one_call(case.lines[n - 1].text) and not case.lines[n - 2].text.endswith("\\")
    ]
    if not calls or not case.whole or "<<" in joined(case.cut(case.region)):
        return None
    n = case.chance.choice(calls)
    text, indent = case.lines[n - 1].text, depth(case.lines[n - 1])
    at, end = text.index("(") + 1, text.rindex(")")
    inner = [text[:at], f"{indent}        {text[at:]}"]
    if case.chance.random() < 0.5:
        inner = [text[:at], f"{indent}    {text[at:end]}", indent + text[end:]]
    return Changed(case.instead(Lines(n, n), *inner), frozenset({"cosmetic"}))


def _one_call(text: str) -> bool:
    if text.count("(") != 1 or text.count(")") != 1 or any(mark in text for mark in "\"'#`") or "//" in text:
        return False
    return re.search(r"\w\(\w.*\)[:;]?$", text) is not None


def line_ends(case: Case) -> Changed | None:
    return Changed(tuple(replace(line, text=line.text + "\r") for line in case.lines), LOOKS)


def one_operator(case: Case) -> Changed | None:
    strings = inside_strings(case.text) if case.python else frozenset()
    named = {symbol.name_line for symbol in case.structure.symbols}
    for n in case.chance.sample(range(case.region.first, case.region.last + 1), len(case.region)):
        code = case.lines[n - 1].text
        if n in strings or n in named or any(mark in code for mark in ("#", "//", "*", '"', "'", "`")):
            continue
        for old, new in SWAPS.items():
            if old in code:
                return Changed(case.instead(Lines(n, n), code.replace(old, new, 1)), EDITED)
    return None


def into_an_if(case: Case) -> Changed | None:
    region = case.cut(case.region)
    home = case.structure.innermost(case.region)
    if case.whole or home is None or home.kind != "function":
        return None
    if any(line.text.strip() and not depth(line).startswith(depth(region[0])) for line in region):
        return None
    lines = (*case.lines[: case.region.first - 1], *case.under_a_condition(region), *case.lines[case.region.last :])
    return Changed(lines, EDITED) if case.still_parsed(lines) else None


def another_name(case: Case) -> Changed | None:
    if case.symbol.kind != "function" or len(case.symbol.lines) < 6 or not case.symbol.last_name.isidentifier():
        return None
    return Changed(case.renamed(f"another_{case.symbol.last_name[:4]}_name"), EDITED if case.whole else EDITED | SAME)


def moved_file(case: Case) -> Changed | None:
    return Changed(case.lines, frozenset({"renamed"}), "moved/" + case.path)


def renamed_file(case: Case) -> Changed | None:
    """The file has another name, lines were put above, and one line outside of the region is another."""
    above = insertion_above(case)
    if above is None:
        return None
    outside = [
        n
        for n, line in enumerate(above.lines)
        if line.number is not None
        and not case.symbol.lines.covers(Lines(line.number, line.number))
        and " = " in line.text
    ]
    lines = list(above.lines)
    if outside:
        n = case.chance.choice(outside)
        lines[n] = replace(lines[n], text=lines[n].text.replace(" = ", " = changed = ", 1))
    return Changed(tuple(lines), frozenset({"renamed"}), "moved/" + case.path, renamed=True)


def twin_above(case: Case) -> Changed | None:
    """The whole class or function once more above it, under another name."""
    tops = [symbol for symbol in case.structure.symbols if symbol.lines.covers(case.symbol.lines)]
    top = max(tops, key=lambda symbol: len(symbol.lines))
    if not top.last_name.isidentifier() or len(tops) != len({one.name for one in tops}):
        return None
    word = re.compile(rf"\b{re.escape(top.last_name)}\b")
    twin = [Line(word.sub(f"{top.last_name}Twin", line.text)) for line in case.cut(top.lines)]
    return Changed(case.put(top.lines.first, *twin, Line("")), SAME)


def swapped(case: Case) -> Changed | None:
    """The definition and the next one in the same class have changed places."""
    later = [
        symbol
        for symbol in case.structure.symbols
        if symbol.lines.first > case.symbol.lines.last
        and depth(case.lines[symbol.lines.first - 1]) == depth(case.lines[case.symbol.lines.first - 1])
    ]
    if not later or later[0].lines.first - case.symbol.lines.last > 4 or later[0].kind == "declaration":
        return None
    if _class_of(later[0]) != _class_of(case.symbol):
        return None
    one, other = case.symbol.lines, later[0].lines
    if joined(case.cut(one)) == joined(case.cut(other)):
        return None
    between = case.lines[one.last : other.first - 1]
    lines = (*case.lines[: one.first - 1], *case.cut(other), *between, *case.cut(one), *case.lines[other.last :])
    return Changed(lines, SAME)


def _class_of(symbol: Symbol) -> str:
    return symbol.name.removesuffix(symbol.last_name)


def extracted(case: Case) -> Changed | None:
    """Lines of a function now stand in a new function above it, and a call stands where they were."""
    if case.whole or len(case.region) < 4 or not case.python:
        return None
    region = case.cut(case.region)
    indent, outer = depth(region[0]), depth(case.lines[case.symbol.lines.first - 1])
    if any(line.text.strip() and not depth(line).startswith(indent) for line in region):
        return None
    inner = [
        Line(outer + "    " + line.text[len(indent) :] if line.text.strip() else "", line.number) for line in region
    ]
    new = (Line(f"{outer}def extracted_part(self):"), *inner, Line(""))
    before = case.lines[: case.symbol.lines.first - 1]
    rest = case.lines[case.symbol.lines.first - 1 : case.region.first - 1]
    lines = (*before, *new, *rest, Line(f"{indent}self.extracted_part()"), *case.lines[case.region.last :])
    return Changed(lines, EDITED | LOOKS) if case.still_parsed(lines) else None


def deleted_beside_a_twin(case: Case) -> Changed | None:
    """The definition is gone; the look-alike of another name that `with_look_alike` put beside it stays."""
    if not case.whole or case.symbol.kind != "function" or len(case.symbol.lines) < 5:
        return None
    lines = (*case.lines[: case.region.first - 1], *case.lines[case.region.last :])
    return Changed(lines, frozenset({"deleted"}))


Change = Callable[[Case], Changed | None]

CHANGES: tuple[Change, ...] = (
    insertion_above,
    comment_inside,
    docstring,
    another_width,
    line_ends,
    one_operator,
    into_an_if,
    another_name,
    moved_file,
    renamed_file,
    twin_above,
    swapped,
    extracted,
    deleted_beside_a_twin,
)


def prepared(change: Change, case: Case) -> Case | None:
    """The case to which a change is made: for a deletion one with a look-alike beside the definition."""
    return with_look_alike(case) if change is deleted_beside_a_twin else case


def with_look_alike(case: Case) -> Case | None:
    """The case with a definition beside the symbol that differs from it in its name."""
    if not case.symbol.last_name.isidentifier():
        return None
    word = re.compile(rf"\b{re.escape(case.symbol.last_name)}\b")
    twin = [word.sub(case.symbol.last_name + "_too", line.text) for line in case.cut(case.symbol.lines)]
    texts = [line.text for line in case.lines]
    texts[case.symbol.lines.last : case.symbol.lines.last] = ["", *twin, ""]
    return Case.of(case.path, texts, case.region, case.symbol, case.chance)


# Asking, and what the truth is.


@dataclass
class Files:
    """A commit as a dictionary of texts, with the renames that git would see."""

    texts: Mapping[str, SourceText]
    renamed: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def text(self, path: str) -> SourceText | None:
        return self.texts.get(path)

    def blob_id(self, path: str) -> str | None:
        return self.texts[path].blob if path in self.texts else None

    def renames(self) -> Mapping[str, str]:
        return self.renamed

    def follow(self, path: str) -> str | None:
        return self.renamed.get(path)

    def touched(self) -> Mapping[str, str]:
        return {path: text.blob for path, text in self.texts.items()}


def source(lines: Sequence[Line]) -> SourceText:
    text = joined(lines)
    return SourceText(text, hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest())


def truth(case: Case, changed: Changed) -> tuple[str, Lines] | None:
    """Where the region of a case is after a change; None if it is gone."""
    if changed.outcomes == {"deleted"}:
        return None
    at = [n for n, line in enumerate(changed.lines, 1) if line.number is not None and line.number in case.region]
    return changed.path or case.path, Lines(at[0], at[-1])


def asked(case: Case, changed: Changed) -> Outcome:
    """What claimcheck says became of the region."""
    path = changed.path or case.path
    tree = Files({path: source(changed.lines)}, {case.path: path} if changed.renamed else {})
    (outcome,) = relocate(
        Anchor("M", "m", case.path, (Region(case.region),)), source(case.lines), None, tree, named=False
    )
    return outcome


def place(outcome: Outcome) -> tuple[str, Lines] | None:
    spot = spot_of(outcome)
    return (spot.path, spot.lines) if spot else None


def region_of(symbol: Symbol, structure: Outline, texts: Sequence[str], chance: random.Random) -> Lines | None:
    """The whole definition, or some whole statements of its body, if there is code in them."""
    lines = _region_of(symbol, structure, texts, chance)
    code = (
        (texts[n - 1] for n in range(lines.first, lines.last + 1) if n not in structure.comment_lines) if lines else ()
    )
    return lines if any(map(str.isalnum, "".join(code))) else None


def _region_of(symbol: Symbol, structure: Outline, texts: Sequence[str], chance: random.Random) -> Lines | None:
    if chance.random() < 0.5 or len(symbol.lines) < 8:
        return symbol.lines
    inside = [
        one for one in structure.statements if symbol.lines.covers(one.lines) and one.lines.first > symbol.name_line
    ]
    if not inside:
        return None
    first = chance.choice(inside)
    deep = len(texts[first.lines.first - 1]) - len(texts[first.lines.first - 1].lstrip())
    level = [
        one
        for one in inside
        if one.lines.first >= first.lines.first
        and texts[one.lines.first - 1].startswith(" " * deep + texts[one.lines.first - 1].strip()[:1])
    ]
    last = level[min(len(level) - 1, chance.randrange(3))] if level else first
    lines = Lines(first.lines.first, max(first.lines.last, last.lines.last))
    body = [texts[n - 1] for n in range(lines.first, lines.last + 1)]
    if any(text.strip() and len(text) - len(text.lstrip()) < deep for text in body):
        return first.lines
    return lines


def language_of(path: str) -> str | None:
    grammar = grammar_for(path)
    return grammar.name if grammar else None
