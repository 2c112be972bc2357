"""The small project that the command tests begin with, and what tests of single anchors share."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys

from conftest import Ran, SmallProject

SOURCE = """\
import queue


class Pool:
    def take(self):
        return self.free.get()

    def give(self, block):
        self.free.put(block)

    def size(self):
        return self.free.qsize()
"""
HEAD = 'vendors:\n  lib:\n    url: https://github.com/o/lib\n    commit: "{c1}"\n    prefix: L\n'
ANCHORS = (
    "anchors:\n"
    "  # taking\n"
    "  L-TAKE:\n"
    "    path: pool.py   # the only file\n"
    "    lines: 5-6\n"
    "    find: def take\n"
    "  L-GIVE: {path: pool.py, lines: 8-9, find: [def give, free.put]}\n"
)
CLAIMS = (
    "lesson: one\nclaims:\n"
    "  C1.1: {text: Blocks are taken from a queue., cites: [L-TAKE], basis: code}\n"
    "  C1.2: {text: They go back to it., cites: [L-GIVE, L-TAKE], basis: code}\n"
)
FILES = {"anchors.yaml": HEAD + ANCHORS, "claims/one.yaml": CLAIMS}
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "a" * 64 + "\nsize 90405214\n"
COMMITS = ({"pool.py": SOURCE},)


def registry(*anchors: str) -> dict[str, str]:
    """A registry with the vendor `lib` at its first commit and these anchors, each a line of YAML."""
    return {"anchors.yaml": HEAD + "anchors:\n" + "".join(f"  {anchor}\n" for anchor in anchors)}


def findings(ran: Ran) -> list[str]:
    """The first lines of the findings of a run, without evidence, help and counts."""
    words = (": error: ", ": warning: ", ": note: ")
    return [line for line in ran.out.split("\n") if not line.startswith(" ") and any(word in line for word in words)]


def entries(project: SmallProject) -> dict[str, dict[str, object]]:
    """The entries of anchors.lock by their ID."""
    rows = [json.loads(line) for line in project.read("anchors.lock").split("\n")[1:] if line]
    return {row["id"]: row for row in rows}


def talk(project: SmallProject, arguments: list[str], answers: str) -> tuple[int, str]:
    """Run a command on a terminal and type a line at each prompt; its exit code and what the terminal showed."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-I", "-m", "claimcheck", *arguments]
    child = subprocess.Popen(command, cwd=project.root, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True)
    os.close(theirs)
    to_type = answers.encode().splitlines(keepends=True)
    shown = b""
    while select.select([ours], [], [], 20)[0]:
        try:
            chunk = os.read(ours, 65536)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
        if to_type and shown.endswith((b"? ", b": ")):
            os.write(ours, to_type.pop(0))
    os.close(ours)
    return child.wait(timeout=20), shown.decode("utf-8", "replace").replace("\r\n", "\n")
