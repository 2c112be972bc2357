"""The small project that the command tests begin with."""

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
COMMITS = ({"pool.py": SOURCE},)
