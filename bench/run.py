"""Figures and ratios of claimcheck on the real course and on ten thousand generated anchors.

Needs the vendors (`claimcheck vendor sync`). Every command is timed as a whole process; the baseline is a Python
that only imports GitPython, PyYAML and click. Prints a table, and with --json FILE writes the same as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import tempfile
from dataclasses import asdict
from pathlib import Path

from figures import BASELINE, CLAIMCHECK, ROOT, measure, report

VENDOR, VERSION = "vllm", "0.33.0"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="runs of each short command (default 9)")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    base = measure("baseline: python -c 'import git, yaml, click'", BASELINE, ROOT, options.runs)
    figures = [base]
    report(base)
    with tempfile.TemporaryDirectory(prefix="claimcheck-bench-") as folder:
        pinned = pinned_course(Path(folder) / "course")
        for name, arguments, where, target in (
            ("excerpt V-POOL (the pin is here)", ["excerpt", "V-POOL"], pinned, "<= 2x"),
            ("excerpt V-POOL --at release", ["excerpt", "V-POOL", "--at", "release"], ROOT, ""),
            ("verify, whole course with all checks (the pins are here)", ["verify"], pinned, "<= 8x"),
            ("verify --at release, whole course, everything re-found", ["verify", "--at", "release"], ROOT, ""),
        ):
            figures.append(measure(name, [CLAIMCHECK, *arguments], where, options.runs, base, target))
            report(figures[-1])
        for anchors, files, target in (
            (5_000, 1_000, ""),
            (10_000, 2_000, "< 3 s, < 200 MB"),
            (10_000, 1_000, ""),
            (20_000, 2_000, ""),
        ):
            project = generated(Path(folder) / f"generated-{anchors}-{files}", anchors, files)
            name = f"verify, {anchors:,} generated anchors over {files:,} files"
            figures.append(measure(name, [CLAIMCHECK, "verify", "--quiet"], project, 3, None, target))
            report(figures[-1])
        small = only_cited(Path(folder) / "generated-10000-2000", Path(folder) / "only-cited")
        name = "verify, the 10,000 anchors, in a vendor of the 2,000 cited files only"
        figures.append(measure(name, [CLAIMCHECK, "verify", "--quiet"], small, 3))
        report(figures[-1])
        for anchors, blocks in ((1_000, "site"), (10_000, "site"), (1_000, "in-place")):
            project = lessons(
                Path(folder) / "generated-10000-2000", Path(folder) / f"lessons-{anchors}-{blocks}", anchors, blocks
            )
            what = f"10,000 citations of {anchors:,} anchors over 500 lessons"
            render = ["render", "--output", "site"] if blocks == "site" else ["render"]
            target = "< 20 s" if anchors == 1_000 else ""
            figures.append(
                measure(f"render, {what} ({blocks})", [CLAIMCHECK, *render, "--quiet"], project, 1, None, target)
            )
            report(figures[-1])
            target = "< 3 s" if (anchors, blocks) == (1_000, "site") else ""
            figures.append(
                measure(f"verify, {what} ({blocks})", [CLAIMCHECK, "verify", "--quiet"], project, 3, None, target)
            )
            report(figures[-1])
    if options.json:
        options.json.write_text(json.dumps([asdict(figure) for figure in figures], indent=2) + "\n")


def pinned_course(where: Path) -> Path:
    """The course with the releases as its pins and the lines as they were located there, locked.

    Of the anchors that are waived, those regions that were located; one, whose file no release has, is left out.
    """
    shutil.copytree(ROOT / "claims", where / "claims")
    for name in ("vllm", "deepinfer"):
        shutil.copytree(ROOT / "vendor" / f"{name}.git", where / "vendor" / f"{name}.git", copy_function=os.link)
    found = subprocess.run(
        [CLAIMCHECK, "verify", "--at", "release", "--format", "json"], cwd=ROOT, capture_output=True, check=False
    )
    located = {anchor["id"]: anchor for anchor in json.loads(found.stdout)["anchors"]}
    listed = subprocess.run([CLAIMCHECK, "list", "--format", "json"], cwd=ROOT, capture_output=True, check=True)
    lines = [(ROOT / "anchors.yaml").read_text("utf-8").partition("waivers:")[0].partition("anchors:")[0]]
    lines[0] = lines[0].replace("ef9339e64d458b10ab49b2c9af35645eff6388fd", "release/0.33.0")
    lines[0] = lines[0].replace("a679bb86ce36e883a98a97733492b686e5b9a08e", "release/0.1.0")
    lines.append("anchors:\n")
    for anchor in json.loads(listed.stdout)["anchors"]:
        regions = located[anchor["id"]]["regions"]
        ranges = [region["lines"] for region in regions if region["lines"]]
        if not ranges:
            continue
        strings = json.dumps(anchor["find"], ensure_ascii=False)
        spans = ", ".join(f"{first}-{last}" for first, last in ranges)
        lines.append(f"  {anchor['id']}: {{path: {anchor['path']}, lines: [{spans}], find: {strings}}}\n")
    (where / "anchors.yaml").write_text("".join(lines), "utf-8")
    subprocess.run([CLAIMCHECK, "lock"], cwd=where, stdout=subprocess.DEVNULL, check=False)
    return where


def generated(where: Path, anchors: int, files: int) -> Path:
    """A project with so many anchors over so many Python files of the vendor, each with lines and a string, locked."""
    chooser = random.Random(20_261_129)
    store = ROOT / "vendor" / f"{VENDOR}.git"
    listing = subprocess.run(
        ["git", "-C", str(store), "ls-tree", "-r", "-z", f"refs/release/{VERSION}"], capture_output=True, check=True
    ).stdout.split(b"\0")
    paths = [row.partition(b"\t")[2].decode() for row in listing if row.endswith(b".py")]
    chooser.shuffle(paths)
    where.mkdir(parents=True)
    (where / "vendor").mkdir()
    shutil.copytree(store, where / "vendor" / f"{VENDOR}.git", copy_function=os.link)
    texts = long_texts(store, paths, files)
    head = (ROOT / "anchors.yaml").read_text("utf-8")
    sha256 = head.partition(f'"{VERSION}": ')[2][:64]
    out = [
        f"vendors:\n  {VENDOR}:\n    commit: release/{VERSION}\n    prefix: V\n"
        f'    releases: {{pypi: {VENDOR}, versions: {{"{VERSION}": {sha256}}}}}\nanchors:\n'
    ]
    for number in range(anchors):
        path, lines = texts[number % files]
        first = chooser.randrange(1, len(lines) - 40)
        last = first + chooser.randrange(5, 35)
        strings = [
            line.strip()
            for line in lines[first - 1 : last]
            if len("".join(line[:80].split())) > 8 and line.isprintable()
        ]
        find = f", find: {json.dumps(chooser.choice(strings)[:80], ensure_ascii=False)}" if strings else ""
        out.append(f"  V-G{number}: {{path: {path}, lines: {first}-{last}{find}}}\n")
    (where / "anchors.yaml").write_text("".join(out), "utf-8")
    subprocess.run([CLAIMCHECK, "lock"], cwd=where, stdout=subprocess.DEVNULL, check=True)
    return where


def lessons(project: Path, where: Path, anchors: int, blocks: str) -> Path:
    """Some of a project's anchors, cited in 500 lessons: twenty citations, four excerpts and the notes in each."""
    where.mkdir()
    shutil.copytree(project / "vendor", where / "vendor", copy_function=os.link)
    head, *rows = (project / "anchors.yaml").read_text("utf-8").split("\n  V-G")
    rows = [row.removesuffix("\n") for row in rows[:anchors]]
    text = f"documents: {{include: [lessons/*.html], blocks: {blocks}}}\n" + head
    (where / "anchors.yaml").write_text(text + "".join(f"\n  V-G{row}" for row in rows) + "\n", "utf-8")
    subprocess.run([CLAIMCHECK, "lock"], cwd=where, stdout=subprocess.DEVNULL, check=False)
    chooser = random.Random(20_261_130)
    (where / "lessons").mkdir()
    end = "<!-- claimcheck: end -->\n"
    for number in range(500):
        ids = [f"V-G{chooser.randrange(len(rows))}" for _ in range(20)]
        parts = [
            f"<!doctype html>\n<html lang=zh><title>第 {number} 课</title>\n<h1>第 {number} 课</h1>\n<!-- claimcheck: pins -->\n",
            end,
        ]
        for index, id in enumerate(ids):
            parts.append(f"<p>这一段说的是第 {index} 件事，依据在方括号里，共有几十个字，好像真的一样 [{id}]。</p>\n")
            if index % 5 == 0:
                parts += [f"<!-- claimcheck: excerpt {id} -->\n", end]
        parts += ["<!-- claimcheck: footnotes -->\n", end]
        (where / f"lessons/{number:03}.html").write_text("".join(parts), "utf-8")
    return where


def long_texts(store: Path, paths: list[str], files: int) -> list[tuple[str, list[str]]]:
    """So many of the paths, with the lines of files that have more than 60."""
    child = subprocess.Popen(
        ["git", "-C", str(store), "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin and child.stdout
    texts: list[tuple[str, list[str]]] = []
    for path in paths:
        child.stdin.write(f"refs/release/{VERSION}:{path}\n".encode())
        child.stdin.flush()
        size = int(child.stdout.readline().split()[2])
        lines = child.stdout.read(size + 1).decode("utf-8", "replace").split("\n")
        if len(lines) > 60:
            texts.append((path, lines))
        if len(texts) == files:
            break
    child.stdin.close()
    child.wait()
    return texts


def only_cited(project: Path, where: Path) -> Path:
    """The same project with a vendor that has the cited files and nothing else, as a commit of its own."""
    clone = where / "vendor" / VENDOR
    clone.mkdir(parents=True)
    environment = {**os.environ, "GIT_AUTHOR_NAME": "b", "GIT_AUTHOR_EMAIL": "b@b", "GIT_COMMITTER_NAME": "b"}
    environment |= {"GIT_COMMITTER_EMAIL": "b@b"}
    text = (project / "anchors.yaml").read_text("utf-8")
    paths = sorted({line.partition("{path: ")[2].partition(",")[0] for line in text.split("\n") if "{path: " in line})
    store = str(ROOT / "vendor" / f"{VENDOR}.git")
    archive = subprocess.run(
        ["git", "-C", store, "archive", f"refs/release/{VERSION}", *paths], capture_output=True, check=True
    ).stdout
    subprocess.run(["tar", "x", "-C", str(clone)], input=archive, check=True)
    for arguments in (["init", "-q"], ["add", "--all", "--force"], ["commit", "-q", "-m", "cited"]):
        subprocess.run(["git", "-C", str(clone), *arguments], env=environment, check=True)
    commit = subprocess.run(["git", "-C", str(clone), "rev-parse", "HEAD"], capture_output=True, check=True, text=True)
    (where / "anchors.yaml").write_text(text.replace(f"release/{VERSION}", commit.stdout.strip(), 1), "utf-8")
    subprocess.run([CLAIMCHECK, "lock"], cwd=where, stdout=subprocess.DEVNULL, check=True)
    return where


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
