"""The small project that the command tests begin with, and what tests of single anchors share."""

from __future__ import annotations

from conftest import Ran

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
