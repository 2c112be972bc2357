"""Regions in changed copies of real files, where the truth is known because the change was ours.

usage: bench/mutations.py --repo GIT_DIRECTORY --rev REV [--count N] [--seed N] [--suffix S] [--json OUT] [--wrong N]

Each mutation changes one file of the repository (60 to 900 lines; Python and C++ unless told otherwise) in one of the
ways in which code changes, and remembers for each line whether it is still the same line. A region is a whole
definition, or a few whole statements inside one. The engine gets the old text, the changed file, and git's renames.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from regions import CARRIED, CONFIDENT, Share

from claimcheck.model import Anchor, Lines, Region
from claimcheck.outcome import spot_of
from claimcheck.relocate import relocate
from claimcheck.syntax import Outline, Symbol, outline
from claimcheck.texts import SourceText, split_lines

SUFFIXES = (".py", ".cpp", ".cc", ".hpp", ".cuh")


@dataclass
class Files:
    """A commit as a dictionary of texts."""

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


@dataclass(frozen=True)
class Line:
    """A line and the number that it had, None for a new one."""

    text: str
    number: int | None = None


@dataclass(frozen=True)
class Case:
    """A file with a region in it."""

    path: str
    lines: tuple[Line, ...]
    region: Lines
    symbol: Symbol
    structure: Outline
    chance: random.Random

    @property
    def python(self) -> bool:
        return self.path.endswith(".py")

    @property
    def whole(self) -> bool:
        return self.region == self.symbol.lines

    def cut(self, lines: Lines) -> tuple[Line, ...]:
        return self.lines[lines.first - 1 : lines.last]

    def remark(self, text: str) -> str:
        return f"# {text}" if self.python else f"// {text}"

    def put(self, before: int, *new: Line) -> Changed:
        """Lines put before the line of a number."""
        return Changed((*self.lines[: before - 1], *new, *self.lines[before - 1 :]))

    def instead(self, number: int, *texts: str) -> Changed:
        """Other lines in the place of one; all of them are what it became."""
        return Changed((*self.lines[: number - 1], *(Line(text, number) for text in texts), *self.lines[number:]))


@dataclass(frozen=True)
class Changed:
    lines: tuple[Line, ...]
    path: str | None = None
    gone: bool = False
    renamed: bool = False


def fresh(chance: random.Random, indent: str = "") -> list[Line]:
    return [
        Line(f"{indent}fresh_{chance.randrange(10**6)} = {chance.randrange(100)};")
        for _ in range(chance.randrange(1, 9))
    ]


def depth(line: Line) -> str:
    return line.text[: len(line.text) - len(line.text.lstrip())]


# The mutations: what they make of a case, None where they do not apply.


def insertion_above(case: Case) -> Changed | None:
    top = min(symbol.lines.first for symbol in case.structure.symbols if symbol.lines.covers(case.symbol.lines))
    return case.put(top, *fresh(case.chance)) if top <= case.region.first else None


def comment_inside(case: Case) -> Changed | None:
    at = case.chance.randrange(case.region.first, case.region.last + 1)
    if at == case.region.first:
        return None
    return case.put(at, Line(depth(case.lines[at - 1]) + case.remark("a remark that was not there"), at))


def docstring(case: Case) -> Changed | None:
    for n in range(case.symbol.name_line, case.symbol.lines.last):
        if case.region.first < n <= case.region.last and re.match(r'\s*""".*"""$', case.lines[n - 1].text):
            return case.instead(n, f'{depth(case.lines[n - 1])}"""Says something else now."""')
    return None


def another_width(case: Case) -> Changed | None:
    calls = [
        n
        for n in range(case.region.first, case.region.last + 1)
        if re.search(r"\w\(\w.*\)[:;]?$", case.lines[n - 1].text)
    ]
    if not calls or case.whole is False:
        return None
    n = case.chance.choice(calls)
    text, indent = case.lines[n - 1].text, depth(case.lines[n - 1])
    at = text.index("(") + 1
    if text.count("(") != 1 or text.count(")") != 1 or '"' in text or "'" in text or "#" in text:
        return None
    return case.instead(n, text[:at], f"{indent}        {text[at:]}")


def line_ends(case: Case) -> Changed | None:
    return Changed(tuple(replace(line, text=line.text + "\r") for line in case.lines))


def one_operator(case: Case) -> Changed | None:
    swaps = {
        " + ": " - ",
        " == ": " != ",
        " < ": " <= ",
        " and ": " or ",
        " && ": " || ",
        " = ": " += ",
        "True": "False",
    }
    for n in case.chance.sample(range(case.region.first, case.region.last + 1), len(case.region)):
        for old, new in swaps.items():
            if old in case.lines[n - 1].text:
                return case.instead(n, case.lines[n - 1].text.replace(old, new, 1))
    return None


def into_an_if(case: Case) -> Changed | None:
    if case.whole or not all(
        depth(line).startswith(depth(case.cut(case.region)[0])) or not line.text.strip()
        for line in case.cut(case.region)
    ):
        return None
    indent = depth(case.cut(case.region)[0])
    inner = [
        Line("    " + line.text if line.text.strip() else line.text, line.number) for line in case.cut(case.region)
    ]
    head, foot = (
        (f"{indent}if ready_now:", []) if case.python else (f"{indent}if (ready_now) {{", [Line(f"{indent}}}")])
    )
    return Changed((*case.lines[: case.region.first - 1], Line(head), *inner, *foot, *case.lines[case.region.last :]))


def another_name(case: Case) -> Changed | None:
    if case.symbol.kind != "function" or len(case.symbol.lines) < 6 or not case.symbol.last_name.isidentifier():
        return None
    word = re.compile(rf"\b{re.escape(case.symbol.last_name)}\b")
    name = f"another_{case.symbol.last_name[:4]}_name"
    return Changed(tuple(Line(word.sub(name, line.text), line.number) for line in case.lines))


def moved_file(case: Case) -> Changed | None:
    return Changed(case.lines, "moved/" + case.path)


def renamed_file(case: Case) -> Changed | None:
    changed = insertion_above(case)
    return replace(changed, path="moved/" + case.path, renamed=True) if changed else None


def twin_above(case: Case) -> Changed | None:
    """The whole class or function once more above it, under another name."""
    tops = [symbol for symbol in case.structure.symbols if symbol.lines.covers(case.symbol.lines)]
    top = max(tops, key=lambda symbol: len(symbol.lines))
    if not top.last_name.isidentifier() or len(tops) != len({one.name for one in tops}):
        return None
    word = re.compile(rf"\b{re.escape(top.last_name)}\b")
    twin = [Line(word.sub(f"{top.last_name}Twin", line.text)) for line in case.cut(top.lines)]
    return case.put(top.lines.first, *twin, Line(""))


def swapped(case: Case) -> Changed | None:
    """The definition and the next one of the same depth have changed places."""
    later = [
        symbol
        for symbol in case.structure.symbols
        if symbol.lines.first > case.symbol.lines.last
        and depth(case.lines[symbol.lines.first - 1]) == depth(case.lines[case.symbol.lines.first - 1])
    ]
    if not later or later[0].lines.first - case.symbol.lines.last > 4 or later[0].kind == "declaration":
        return None
    one, other = case.symbol.lines, later[0].lines
    between = case.lines[one.last : other.first - 1]
    return Changed(
        (*case.lines[: one.first - 1], *case.cut(other), *between, *case.cut(one), *case.lines[other.last :])
    )


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
    return Changed((*before, *new, *rest, Line(f"{indent}self.extracted_part()"), *case.lines[case.region.last :]))


def deleted_beside_a_twin(case: Case) -> Changed | None:
    """The definition is gone; a look-alike of another name that was beside it stays."""
    if not case.whole or case.symbol.kind != "function" or len(case.symbol.lines) < 5:
        return None
    return Changed((*case.lines[: case.region.first - 1], *case.lines[case.region.last :]), gone=True)


MUTATIONS: tuple[Callable[[Case], Changed | None], ...] = (
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


def with_look_alike(case: Case) -> Case | None:
    """The case with a definition beside the symbol that differs from it in its name and one word."""
    if not case.symbol.last_name.isidentifier():
        return None
    word = re.compile(rf"\b{re.escape(case.symbol.last_name)}\b")
    twin = [word.sub(case.symbol.last_name + "_too", line.text) for line in case.cut(case.symbol.lines)]
    texts = [line.text for line in case.lines]
    texts[case.symbol.lines.last : case.symbol.lines.last] = ["", *twin, ""]
    structure = outline("\n".join(texts) + "\n", case.path)
    assert structure is not None
    return replace(case, lines=tuple(Line(text, n) for n, text in enumerate(texts, 1)), structure=structure)


def source(lines: Sequence[Line]) -> SourceText:
    text = "\n".join(line.text for line in lines) + "\n"
    return SourceText(text, hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest())


def cases(repo: Path, rev: str, suffixes: tuple[str, ...], chance: random.Random) -> list[tuple[str, str]]:
    def git(*arguments: str) -> bytes:
        return subprocess.run(["git", "-C", str(repo), *arguments], capture_output=True, check=True).stdout

    names = git("ls-tree", "-r", "--name-only", "-z", rev).decode().split("\0")
    names = [name for name in names if name.endswith(suffixes)]
    chance.shuffle(names)
    found = []
    for name in names[:400]:
        text = git("show", f"{rev}:{name}").decode("utf-8", "replace").replace("\r\n", "\n")
        if 60 <= text.count("\n") <= 900 and outline(text, name):
            found.append((name, text))
    return found


def region_of(symbol: Symbol, structure: Outline, texts: Sequence[str], chance: random.Random) -> Lines | None:
    """The whole definition, or some whole statements of its body that say something."""
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


@dataclass
class Counted:
    mutation: str
    asked: int = 0
    right: int = 0
    silent: int = 0
    confident: int = 0
    confident_wrong: int = 0
    carried: int = 0
    carried_wrong: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--rev", required=True)
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=20_261_129)
    parser.add_argument("--suffix", action="append", help="files of this kind only, `.java` say; may be repeated")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--wrong", type=int, default=0, help="print so many confident wrong answers")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    files = cases(options.repo, options.rev, tuple(options.suffix or SUFFIXES), chance)
    counted = {mutation.__name__: Counted(mutation.__name__) for mutation in MUTATIONS}
    shown, done, times = 0, 0, []
    while done < options.count:
        path, text = chance.choice(files)
        texts = split_lines(text)
        structure = outline(text, path)
        assert structure is not None
        symbols = [one for one in structure.symbols if len(one.lines) >= 3 and len(structure.exactly(one.name)) == 1]
        for symbol in chance.sample(symbols, min(4, len(symbols))):
            region = region_of(symbol, structure, texts, chance)
            if region is None or not any(
                character.isalnum() for character in "".join(texts[region.first - 1 : region.last])
            ):
                continue
            case = Case(path, tuple(Line(one, n) for n, one in enumerate(texts, 1)), region, symbol, structure, chance)
            mutation = chance.choice(MUTATIONS)
            asked = with_look_alike(case) if mutation is deleted_beside_a_twin else case
            changed = mutation(asked) if asked else None
            if asked is None or changed is None:
                continue
            done += 1
            row = counted[mutation.__name__]
            old, new = source(asked.lines), source(changed.lines)
            target = changed.path or path
            at = [n for n, line in enumerate(changed.lines, 1) if line.number is not None and line.number in region]
            truth = None if changed.gone else (target, Lines(at[0], at[-1]))
            tree = Files({target: new}, {path: target} if changed.renamed else {})
            begin = time.perf_counter()
            (outcome,) = relocate(Anchor("M", "m", path, (Region(region),)), old, None, tree, named=False)
            times.append(time.perf_counter() - begin)
            spot = spot_of(outcome)
            said = (spot.path, spot.lines) if spot else None
            silent = spot is None and outcome.name != "deleted"
            right = said == truth and not silent
            row.asked += 1
            row.right += right
            row.silent += silent
            confident = not silent and outcome.confidence >= CONFIDENT
            row.confident += confident
            row.confident_wrong += confident and not right
            row.carried += confident and outcome.name in CARRIED
            row.carried_wrong += confident and outcome.name in CARRIED and not right
            if confident and not right and shown < options.wrong:
                shown += 1
                print(f"{mutation.__name__} {path}:{region} ({symbol.name}) is {truth}, said {said} {outcome}")
    rows = list(counted.values())
    print(f"{'mutation':24} {'asked':>6} {'right':>7} {'silent':>7} {'sure':>7} {'wrong though sure':>18}")
    for row in rows:
        share = 100 * row.right / row.asked if row.asked else 0.0
        print(
            f"{row.mutation:24} {row.asked:6} {share:6.1f}% {row.silent:7} {row.confident:7} {row.confident_wrong:18}"
        )
    total = {key: sum(getattr(row, key) for row in rows) for key in ("asked", "right", "confident", "confident_wrong")}
    carried = sum(row.carried for row in rows), sum(row.carried_wrong for row in rows)
    times.sort()
    print(f"\nright                         {Share.of(total['right'], total['asked'])}")
    print(f"confidence >= {CONFIDENT}: wrong       {Share.of(total['confident_wrong'], total['confident'])}")
    print(f"carried with it: wrong        {Share.of(carried[1], carried[0])}")
    print(f"median {1000 * times[len(times) // 2]:.1f} ms, 95 % under {1000 * times[int(0.95 * len(times))]:.0f} ms")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
