"""Regions in changed copies of real files, where the truth is known because the change was ours.

usage: bench/mutations.py (--repo FOLDER[@REV] ... | --repos FOLDER) [--language NAME ...] [--count N] [--seed N]
                          [--json OUT] [--wrong N]

Each of the changes of `changes.py` is made to files of git directories (at HEAD unless a revision is given) or of plain
folders, as far as they have 60 to 900 lines and the parser understands them. A region is a whole definition, or a few
whole statements inside one. The engine gets the old text, the changed file, and the renames that git would see.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from changes import CHANGES, Case, Changed, asked, language_of, place, prepared, region_of, truth
from figures import CARRIED, CONFIDENT, Share, Times

from claimcheck.outcome import Outcome
from claimcheck.syntax import outline
from claimcheck.texts import split_lines

MOST_FILES, A_FEW = 400, 40
SHORTEST, LONGEST = 60, 900
CASES_A_FILE = 25
TRIES = 40


@dataclass(frozen=True)
class File:
    path: str
    lines: tuple[str, ...]


@dataclass
class Counted:
    """Answers of one kind: `silent` ones say no place, `misnamed` ones are right but for the outcome's name."""

    asked: int = 0
    right: int = 0
    silent: int = 0
    misnamed: int = 0
    confident: int = 0
    confident_wrong: int = 0
    carried: int = 0
    carried_wrong: int = 0

    def __add__(self, other: Counted) -> Counted:
        return Counted(
            *(mine + theirs for mine, theirs in zip(asdict(self).values(), asdict(other).values(), strict=True))
        )

    def count(self, case: Case, changed: Changed, outcome: Outcome) -> bool:
        """Whether the place is not the right one, or not what is said to have happened."""
        silent = outcome.name not in ("deleted", *changed.outcomes) and place(outcome) is None
        right = place(outcome) == truth(case, changed) and not silent
        confident = not silent and outcome.confidence >= CONFIDENT
        misnamed = right and outcome.name not in changed.outcomes
        carried = confident and outcome.name in CARRIED
        self.asked += 1
        self.right += right
        self.silent += silent
        self.misnamed += misnamed
        self.confident += confident
        self.confident_wrong += confident and not right
        self.carried += carried
        self.carried_wrong += carried and not right
        return misnamed or not right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", action="append", default=[], metavar="FOLDER[@REV]")
    parser.add_argument("--repos", type=Path, help="a folder: every git directory in it")
    parser.add_argument("--language", action="append", help="these only, by the names of their grammars")
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=20_261_129)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--wrong", type=int, default=0, help="print so many wrong answers")
    options = parser.parse_args()
    begin = time.perf_counter()
    chance = random.Random(options.seed)
    files: dict[str, list[File]] = defaultdict(list)
    repos = [*options.repo, *(map(str, git_directories(options.repos)) if options.repos else ())]
    for repo in repos:
        for language, file in files_of(repo, options.language, max(MOST_FILES // len(repos), A_FEW), chance):
            files[language].append(file)
    changes = {change.__name__: Counted() for change in CHANGES}
    languages = {name: Counted() for name in sorted(files)}
    times: list[float] = []
    for language, many in shares(files, options.count):
        for name, case, changed, outcome, seconds in answers(files[language], many, chance):
            times.append(seconds)
            row = Counted()
            if row.count(case, changed, outcome) and options.wrong:
                options.wrong -= 1
                true = truth(case, changed)
                print(
                    f"{name} {case.path}:{case.region} ({case.symbol.name}) is {true}, {set(changed.outcomes)}: {outcome}"
                )
            changes[name] += row
            languages[language] += row
    print_rows("change", changes)
    print_rows("language", languages)
    total = sum(changes.values(), Counted())
    wall = time.perf_counter() - begin
    print()
    print_total(total, Times.of(times), wall)
    if options.json:
        figures = {
            "changes": {name: asdict(row) for name, row in changes.items()},
            "languages": {name: asdict(row) for name, row in languages.items()},
            "confident_wrong": asdict(Share.of(total.confident_wrong, total.confident)),
            "confident": asdict(Share.of(total.confident, total.asked)),
            "carried_wrong": asdict(Share.of(total.carried_wrong, total.carried)),
            "right": asdict(Share.of(total.right, total.asked)),
            "times": asdict(Times.of(times)),
            "seconds": wall,
            "seed": options.seed,
        }
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def git_directories(folder: Path) -> Iterator[Path]:
    """The git directory of each repository in a folder: NAME, or NAME/repo, bare or with a .git."""
    for inside in sorted(folder.iterdir()):
        places = (inside / "repo" / ".git", inside / "repo", inside / ".git", inside)
        yield from [found for found in places if (found / "HEAD").exists()][:1]


def files_of(repo: str, wanted: Sequence[str] | None, most: int, chance: random.Random) -> Iterator[tuple[str, File]]:
    """Files that are long enough and that the parser understands, each with the name of its grammar."""
    name, _, rev = repo.partition("@")
    folder = Path(name)

    def git(*arguments: str) -> bytes:
        return subprocess.run(["git", "--git-dir", name, *arguments], capture_output=True, check=False).stdout

    bare = (folder / "HEAD").exists()
    if bare:
        paths = git("ls-tree", "-r", "--name-only", "-z", rev or "HEAD").decode("utf-8", "replace").split("\0")
    else:
        paths = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    chance.shuffle(paths)
    kept: dict[str, int] = defaultdict(int)
    for path in paths:
        language = language_of(path)
        if language is None or (wanted and language not in wanted) or kept[language] >= most:
            continue
        data = git("cat-file", "blob", f"{rev or 'HEAD'}:{path}") if bare else (folder / path).read_bytes()
        text = data.decode("utf-8", "replace").replace("\r\n", "\n")
        structure = outline(text, path) if SHORTEST <= text.count("\n") <= LONGEST else None
        if structure is not None and structure.symbols and not structure.problem and not structure.errors:
            kept[language] += 1
            yield language, File(path, tuple(split_lines(text)))


def shares(files: dict[str, list[File]], count: int) -> Iterator[tuple[str, int]]:
    """How many cases each language gets: as many as the others, but not too many of one file."""
    names = sorted(files, key=lambda name: len(files[name]))
    for n, name in enumerate(names, 1):
        mine = count if n == len(names) else min(count // (len(names) - n + 1), CASES_A_FILE * len(files[name]))
        count -= mine
        yield name, mine


def answers(
    files: Sequence[File], count: int, chance: random.Random
) -> Iterator[tuple[str, Case, Changed, Outcome, float]]:
    """So many changes of files, each with its name, what was asked, what was changed, the answer and its seconds."""
    done = 0
    for _ in range(TRIES * count):
        file = chance.choice(files)
        structure = outline("\n".join(file.lines) + "\n", file.path)
        assert structure is not None
        symbols = [one for one in structure.symbols if len(one.lines) >= 3 and len(structure.exactly(one.name)) == 1]
        for symbol in chance.sample(symbols, min(4, len(symbols))):
            region = region_of(symbol, structure, file.lines, chance)
            if region is None:
                continue
            change = chance.choice(CHANGES)
            case = prepared(change, Case.of(file.path, file.lines, region, symbol, chance))
            changed = change(case) if case else None
            if case is None or changed is None:
                continue
            begin = time.perf_counter()
            outcome = asked(case, changed)
            yield change.__name__, case, changed, outcome, time.perf_counter() - begin
            done += 1
            if done == count:
                return


def print_rows(head: str, rows: dict[str, Counted]) -> None:
    print(f"{head:24} {'asked':>6} {'right':>7} {'silent':>7} {'misnamed':>9} {'sure':>7} {'wrong though sure':>18}")
    for name, row in rows.items():
        right = 100 * row.right / row.asked if row.asked else 0.0
        print(
            f"{name:24} {row.asked:6} {right:6.1f}% {row.silent:7} {row.misnamed:9} {row.confident:7} "
            f"{row.confident_wrong:18}"
        )


def print_total(total: Counted, times: Times, wall: float) -> None:
    print(f"right                          {Share.of(total.right, total.asked)}")
    print(f"answered with confidence >= {CONFIDENT}{Share.of(total.confident, total.asked)}")
    print(f"  wrong among these            {Share.of(total.confident_wrong, total.confident)}  [target <= 0.1 %]")
    print(f"carried among these: wrong     {Share.of(total.carried_wrong, total.carried)}  [target none]")
    print(f"{times}; {wall:.1f} s in all")


if __name__ == "__main__":
    main()
