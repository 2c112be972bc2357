"""Where regions went, measured: claimcheck's engine on pairs whose truth is known, and two baselines beside it.

usage: bench/regions.py --pairs FILE --repos FOLDER [--json OUT] [--predictions OUT] [--no-baselines] [--misses]

A pair is one JSON line: id, repo (owner/name), source_commit, target_commit, source_path, source_range and the truth,
target_path and target_range (null: gone); ranges are [line, column, line, column], and columns are not looked at. The
folder has a git directory for each repository: owner+name, owner+name/repo or owner/name, bare or with a .git.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from figures import CARRIED, CONFIDENT, Share, Times

from claimcheck.batch import Answer, Question, answer
from claimcheck.clones import Clones
from claimcheck.model import Lines
from claimcheck.outcome import spot_of
from claimcheck.texts import SourceText

BANDS = (0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.0)


@dataclass(frozen=True)
class Pair:
    id: str
    question: Question
    whole: bool
    dataset: str
    language: str
    path: str | None
    lines: Lines | None


@dataclass(frozen=True)
class Guess:
    """One answer: gone if neither path nor lines; nothing said if `silent`."""

    path: str | None
    lines: Lines | None
    seconds: float
    confidence: float = 0.0
    outcome: str = ""
    evidence: str = ""
    silent: bool = False


def right(pair: Pair, guess: Guess) -> bool:
    return not guess.silent and (guess.path, guess.lines) == (pair.path, pair.lines)


def pairs(path: Path, repos: Path) -> Iterator[Pair]:
    for line in path.read_text("utf-8").split("\n"):
        if line:
            data = json.loads(line)
            folder = str(folder_of(repos, data["repo"]))
            first, _, last, _ = data["source_range"]
            truth = data["target_range"]
            yield Pair(
                data["id"],
                Question(
                    data["id"],
                    folder,
                    data["source_commit"],
                    data["target_commit"],
                    data["source_path"],
                    Lines(first, last),
                ),
                bool(data.get("whole_lines")),
                data.get("dataset", ""),
                data.get("language", ""),
                data["target_path"] if truth else None,
                Lines(truth[0], truth[2]) if truth else None,
            )


def folder_of(repos: Path, name: str) -> Path:
    flat = repos / name.replace("/", "+")
    for folder in (flat / "repo", flat, repos / name):
        for git_dir in (folder / ".git", folder):
            if (git_dir / "HEAD").exists():
                return git_dir
    raise SystemExit(f"{repos} has no git directory for {name}")


def ours(pair: Pair, clones: Clones) -> Guess:
    begin = time.perf_counter()
    found = answer(pair.question, clones)
    seconds = time.perf_counter() - begin
    if not isinstance(found, Answer):
        return Guess(None, None, seconds, outcome="error", evidence=found.error, silent=True)
    outcome, spot = found.outcome, spot_of(found.outcome)
    evidence = getattr(outcome, "reason", "") or outcome.evidence
    silent = spot is None and outcome.name != "deleted"
    path, lines = (spot.path, spot.lines) if spot else (None, None)
    return Guess(path, lines, seconds, outcome.confidence, outcome.name, evidence, silent)


def computed() -> float:
    """The seconds that this process and its children that have ended have computed."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


# Baselines.


def git(folder: str, *arguments: str) -> bytes:
    return subprocess.run(["git", "--git-dir", folder, *arguments], capture_output=True, check=False).stdout


def by_git_diff(pair: Pair, clones: Clones) -> Guess:
    """`git diff -M`: an edge outside of hunks is shifted, an edge inside becomes the edge of the hunk."""
    begin = time.perf_counter()
    ask = pair.question
    path: str | None = ask.path
    if not git(ask.folder, "ls-tree", ask.new, "--", ask.path):
        said = git(ask.folder, "diff-tree", "-r", "-z", "-M", "-l3000", "--diff-filter=R", "--raw", ask.old, ask.new)
        fields = said.decode("utf-8", "replace").split("\0")
        path = next((new for old, new in zip(fields[1::3], fields[2::3], strict=False) if old == ask.path), None)
    lines = None
    if path is not None:
        diff = git(ask.folder, "diff", "-U0", "--no-color", f"{ask.old}:{ask.path}", f"{ask.new}:{path}")
        lines = mapped(ask.lines, hunks(diff.decode("utf-8", "replace")))
    return Guess(path if lines else None, lines, time.perf_counter() - begin)


def hunks(diff: str) -> Iterator[tuple[int, int, int, int]]:
    for line in diff.split("\n"):
        if line.startswith("@@ "):
            old, new = ([int(n) for n in (part[1:] + ",1").split(",")[:2]] for part in line.split()[1:3])
            # A side without lines names the line before it.
            yield old[0] + (old[1] == 0), old[1], new[0] + (new[1] == 0), new[1]


def mapped(lines: Lines, changes: Iterator[tuple[int, int, int, int]]) -> Lines | None:
    first, last = lines.first, lines.last
    for old, old_count, new, new_count in changes:
        by = new + new_count - old - old_count
        if old + old_count <= lines.first:
            first = lines.first + by
        elif old <= lines.first:
            first = new
        if old + old_count <= lines.last:
            last = lines.last + by
        elif old <= lines.last:
            last = new + new_count - 1
    return Lines(first, last) if first <= last else None


def by_text_once(pair: Pair, clones: Clones) -> Guess:
    """The same text in the file of the same path, if it stands there exactly once."""
    begin = time.perf_counter()
    ask = pair.question
    old, new = (clones.read(ask.folder, commit, ask.path) for commit in (ask.old, ask.new))
    found: list[int] = []
    if isinstance(old, SourceText) and isinstance(new, SourceText):
        wanted, size = old.lines[ask.lines.first - 1 : ask.lines.last], len(ask.lines)
        found = [n for n in range(len(new) - size + 1) if new.lines[n : n + size] == wanted]
    place = Lines(found[0] + 1, found[0] + size) if len(found) == 1 else None
    silent = len(found) > 1
    return Guess(ask.path if place else None, place, time.perf_counter() - begin, silent=silent)


# Figures.


@dataclass(frozen=True)
class Row:
    name: str
    all: Share
    whole: Share
    missed_deletions: int
    false_deletions: int
    silent: int
    times: Times
    cpu: float


@dataclass(frozen=True)
class Kind:
    """Pairs of one language or data set, and how many of them each method has right."""

    name: str
    right: Mapping[str, Share]


def row(name: str, asked: Sequence[Pair], guesses: Sequence[Guess], cpu: float) -> Row:
    both = list(zip(asked, guesses, strict=True))
    whole = [(pair, guess) for pair, guess in both if pair.whole]
    return Row(
        name,
        Share.of(sum(right(*one) for one in both), len(both)),
        Share.of(sum(right(*one) for one in whole), len(whole)),
        sum(pair.lines is None and guess.lines is not None for pair, guess in both),
        sum(pair.lines is not None and guess.lines is None and not guess.silent for pair, guess in both),
        sum(guess.silent for guess in guesses),
        Times.of([guess.seconds for guess in guesses]),
        1000 * cpu / len(asked),
    )


def by_kind(asked: Sequence[Pair], results: Mapping[str, Sequence[Guess]], kind: Callable[[Pair], str]) -> list[Kind]:
    """The right answers of each method for the pairs of each kind, the kind with most pairs first."""
    counts = Counter(map(kind, asked))
    found = []
    for name, many in counts.most_common():
        mine = [n for n, pair in enumerate(asked) if kind(pair) == name]
        shares = {
            method: Share.of(sum(right(asked[n], guesses[n]) for n in mine), many)
            for method, guesses in results.items()
        }
        found.append(Kind(name, shares))
    return found


def by_outcome(asked: Sequence[Pair], guesses: Sequence[Guess]) -> Iterator[tuple[str, Share]]:
    names = dict.fromkeys((*CARRIED, "edited", "deleted", "ambiguous", *(guess.outcome for guess in guesses)))
    for name in names:
        mine = [right(*one) for one in zip(asked, guesses, strict=True) if one[1].outcome == name]
        if mine:
            yield name, Share.of(mine.count(False), len(mine))


def by_confidence(asked: Sequence[Pair], guesses: Sequence[Guess]) -> Iterator[tuple[str, Share]]:
    above = math.inf
    for band in BANDS:
        mine = [
            right(*one)
            for one in zip(asked, guesses, strict=True)
            if not one[1].silent and band <= one[1].confidence < above
        ]
        if mine:
            yield f"confidence {band:.2f} and more", Share.of(mine.count(False), len(mine))
        above = band


def claimed(asked: Sequence[Pair], guesses: Sequence[Guess], which: Callable[[Guess], bool]) -> Share:
    mine = [right(*one) for one in zip(asked, guesses, strict=True) if which(one[1])]
    return Share.of(mine.count(False), len(mine))


def identical(guess: Guess) -> bool:
    """Carried without a person: the bytes or the tokens are the same, and nothing else could be meant."""
    return guess.outcome in CARRIED and guess.confidence >= CONFIDENT


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--predictions", type=Path)
    parser.add_argument("--no-baselines", action="store_true")
    parser.add_argument("--misses", action="store_true", help="print the pairs that are not line-exact")
    options = parser.parse_args()
    asked = list(pairs(options.pairs, options.repos))
    methods = {"claimcheck": ours}
    if not options.no_baselines:
        methods |= {"git diff -M": by_git_diff, "the same text, once": by_text_once}
    results: dict[str, list[Guess]] = {}
    rows = []
    for name, method in methods.items():
        before = computed()
        with Clones() as clones:
            results[name] = [method(pair, clones) for pair in asked]
        rows.append(row(name, asked, results[name], computed() - before))
    guesses = results["claimcheck"]
    print_rows(rows)
    kinds = {
        "language": by_kind(asked, results, lambda pair: pair.language),
        "data set": by_kind(asked, results, lambda pair: pair.dataset),
    }
    for what, each in kinds.items():
        print_kinds(what, each)
    told = dict(by_outcome(asked, guesses)), dict(by_confidence(asked, guesses))
    confident = claimed(asked, guesses, lambda guess: not guess.silent and guess.confidence >= CONFIDENT)
    carried = claimed(asked, guesses, identical)
    print("\nwrong answers, by outcome")
    for name, share in told[0].items():
        print(f"  {name:28} {share}")
    print("\nwrong answers, by confidence")
    for name, share in told[1].items():
        print(f"  {name:28} {share}")
    print(f"\nconfidence >= {CONFIDENT}: wrong {confident}; {100 * confident.many / len(asked):.1f} % of all pairs")
    print(f"carried (identical, unique): wrong {carried}; {100 * carried.many / len(asked):.1f} % of all pairs")
    if options.misses:
        print_misses(asked, guesses)
    if options.predictions:
        options.predictions.write_text("".join(map(prediction, asked, guesses)), "utf-8")
    if options.json:
        figures = {
            "pairs": len(asked),
            "rows": [asdict(one) for one in rows],
            "languages": [asdict(one) for one in kinds["language"]],
            "datasets": [asdict(one) for one in kinds["data set"]],
            "outcomes": {name: asdict(share) for name, share in told[0].items()},
            "confidences": {name: asdict(share) for name, share in told[1].items()},
            "confident": asdict(confident),
            "carried": asdict(carried),
        }
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def print_rows(rows: Sequence[Row]) -> None:
    for one in rows:
        print(f"{one.name}")
        print(f"  line-exact, all pairs            {one.all}")
        print(f"  line-exact, whole-line regions   {one.whole}")
        print(
            f"  missed deletions {one.missed_deletions}, false deletions {one.false_deletions}, no answer {one.silent}"
        )
        print(f"  {one.times} a pair; {one.cpu:.1f} ms of computing on average, git's included")


def print_kinds(what: str, kinds: Sequence[Kind]) -> None:
    methods = list(kinds[0].right)
    print(f"\nline-exact, by {what:16}" + "".join(f"{method:>22}" for method in methods) + "   interval of the first")
    for kind in kinds:
        cells = (f"{share.some}/{share.many} {100 * share.some / share.many:5.1f} %" for share in kind.right.values())
        first = kind.right[methods[0]]
        print(
            f"  {kind.name:29}"
            + "".join(f"{cell:>22}" for cell in cells)
            + f"   {100 * first.low:.1f} to {100 * first.high:.1f}"
        )


def print_misses(asked: Sequence[Pair], guesses: Sequence[Guess]) -> None:
    for pair, guess in zip(asked, guesses, strict=True):
        if not right(pair, guess):
            truth = f"{pair.path}:{pair.lines}" if pair.lines else "gone"
            said = f"{guess.path}:{guess.lines}" if guess.lines else guess.outcome
            if guess.path == pair.path and guess.lines:
                truth, said = str(pair.lines), str(guess.lines)
            mark = "whole" if pair.whole else "part"
            print(
                f"{pair.id} ({mark}) {pair.question.path}:{pair.question.lines} is {truth}, said {said} "
                f"[{guess.outcome} {guess.confidence}: {guess.evidence}]"
            )


def prediction(pair: Pair, guess: Guess) -> str:
    data: dict[str, object] = {"id": pair.id, "seconds": round(guess.seconds, 5)}
    if guess.silent:
        data["abstain"] = True
    else:
        data |= {"path": guess.path, "range": [guess.lines.first, guess.lines.last] if guess.lines else None}
        data["confidence"] = guess.confidence
    return json.dumps(data) + "\n"


if __name__ == "__main__":
    sys.exit(main())
