"""Six hundred regions from one release of vLLM to the next: seconds and memory of whole processes.

usage: bench/between_releases.py [--regions N] [--runs N] [--json OUT]

The regions are definitions, and some whole statements inside of others, of Python files that differ between the releases.
Asked once by `relocate --batch` and once by `drift` of a project that has them as anchors. Needs both releases, which
`claimcheck vendor fetch vllm release/0.32.0` brings.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from changes import region_of
from figures import BASELINE, CLAIMCHECK, ROOT, measure, report

from claimcheck.model import Lines
from claimcheck.syntax import outline
from claimcheck.texts import split_lines

STORE = ROOT / "vendor" / "vllm.git"
OLD, NEW = "0.32.0", "0.33.0"
A_FILE = 4
TARGET = "< 2 s, < 300 MB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--regions", type=int, default=600)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    missing = [version for version in (OLD, NEW) if not git("rev-parse", "-q", "--verify", f"refs/release/{version}")]
    if missing:
        print(f"left out, since vLLM {' and '.join(missing)} is not here: claimcheck vendor fetch vllm release/VERSION")
        return
    asked = list(regions(options.regions, random.Random(20_261_129)))
    base = measure("baseline: python -c 'import git, yaml, click'", BASELINE, ROOT, options.runs)
    report(base)
    figures = [base]
    with tempfile.TemporaryDirectory(prefix="claimcheck-bench-") as folder:
        questions, project = batch(Path(folder), asked), anchored(Path(folder) / "project", asked)
        what = f"{len(asked)} regions of vLLM {OLD} -> {NEW}"
        for name, arguments, target in (
            (f"relocate --batch, {what}", ["relocate", "--batch", str(questions)], TARGET),
            (f"relocate --batch --workers 2, {what}", ["relocate", "--batch", str(questions), "--workers", "2"], ""),
            (f"drift, {what} as anchors", ["drift", "vllm", f"release/{NEW}"], TARGET),
        ):
            figures.append(measure(name, [CLAIMCHECK, *arguments], project, options.runs, base, target))
            report(figures[-1])
        said = subprocess.run(
            [CLAIMCHECK, "relocate", "--batch", str(questions)], capture_output=True, check=True
        ).stdout
    outcomes = Counter(json.loads(line)["outcome"] for line in said.splitlines())
    print("outcomes: " + ", ".join(f"{many} {name}" for name, many in outcomes.most_common()))
    if options.json:
        told = {"figures": [asdict(figure) for figure in figures], "outcomes": dict(outcomes)}
        options.json.write_text(json.dumps(told, indent=2) + "\n", "utf-8")


def git(*arguments: str) -> str:
    done = subprocess.run(["git", "--git-dir", str(STORE), *arguments], capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace")


def regions(many: int, chance: random.Random) -> Iterator[tuple[str, Lines]]:
    """So many regions, at most four a file, sorted by file as a registry has them."""
    old, new = f"refs/release/{OLD}", f"refs/release/{NEW}"
    differ = git("diff-tree", "-r", "--name-only", "-z", "--diff-filter=MD", old, new).split("\0")
    paths = [path for path in differ if path.endswith(".py")]
    chance.shuffle(paths)
    found: set[tuple[str, Lines]] = set()
    for path in paths:
        text = git("cat-file", "blob", f"{old}:{path}")
        structure = outline(text, path)
        symbols = [one for one in structure.symbols if len(one.lines) >= 3] if structure else []
        for symbol in chance.sample(symbols, min(A_FILE, len(symbols), many - len(found))):
            assert structure is not None
            lines = region_of(symbol, structure, split_lines(text), chance)
            if lines is not None:
                found.add((path, lines))
        if len(found) >= many:
            break
    yield from sorted(found)


def batch(folder: Path, asked: list[tuple[str, Lines]]) -> Path:
    commits = {
        "from": git("rev-parse", f"refs/release/{OLD}").strip(),
        "to": git("rev-parse", f"refs/release/{NEW}").strip(),
    }
    questions = folder / "questions.jsonl"
    rows = (
        {"id": n, "repo": str(STORE), **commits, "path": path, "lines": [lines.first, lines.last]}
        for n, (path, lines) in enumerate(asked)
    )
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return questions


def anchored(where: Path, asked: list[tuple[str, Lines]]) -> Path:
    """A project that is pinned to the older release and has the regions as anchors, locked."""
    shutil.copytree(STORE, where / "vendor" / STORE.name, copy_function=os.link)
    head = (ROOT / "anchors.yaml").read_text("utf-8").partition("  deepinfer:")[0]
    rows = (f"  V-R{n}: {{path: {path}, lines: {lines}}}\n" for n, (path, lines) in enumerate(asked))
    text = re.sub(r"commit: \w+", f"commit: release/{OLD}", head) + "anchors:\n" + "".join(rows)
    (where / "anchors.yaml").write_text(text, "utf-8")
    subprocess.run([CLAIMCHECK, "lock"], cwd=where, stdout=subprocess.DEVNULL, check=True)
    return where


if __name__ == "__main__":
    main()
