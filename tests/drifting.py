"""A made-up vendor in three commits, and a project of whose anchors each met with something else between them."""

from __future__ import annotations

from conftest import MakeProject, SmallProject

POOL = '''\
import queue


class Pool:
    """Blocks that nobody uses."""

    def __init__(self, count):
        self.free = queue.Queue()
        self.count = count

    def take(self):
        block = self.free.get()
        block.users = 1
        return block

    def give(self, block):
        # One user less.
        block.users -= 1
        if block.users == 0:
            self.free.put(block)

    def size(self):
        return self.free.qsize()
'''
POOL_LATER = "# All of it runs in one thread.\n" + POOL.replace("block.users = 1", "block.users += 1").replace(
    "        return block\n", "        self.taken.append(block)\n        return block\n"
).replace("# One user less.", "# One user fewer, as the last of them checks.")
EVICT = '''\
def evict_oldest(pool):
    """Drop the block that was used longest ago."""
    oldest = min(pool.blocks, key=lambda block: block.last_used)
    pool.blocks.remove(oldest)
    return oldest


def evict_largest(pool):
    """Drop the block that takes most room."""
    largest = max(pool.blocks, key=lambda block: block.bytes)
    pool.blocks.remove(largest)
    return largest
'''
EVICT_LATER = EVICT[EVICT.index("def evict_largest") :]
SECTION = "retries = 3\ntimeout = 10\nbackoff = exponential\n"
LIMITS = f"# limits\n[reading]\n{SECTION}\n[other]\nlevel = 1\n"
LIMITS_LATER = f"[caching]\nage = 5\n\n[sending]\n{SECTION}\n[asking]\n{SECTION}\n[telling]\n{SECTION}"
NAMING = (
    'def name_of(block):\n    """The name under which a block is logged."""\n    return f"block-{block.number:04d}"\n'
)
MATCHING = "def matches(block, wanted):\n    return block.key == wanted.key\n"

COMMITS = (
    {"pool.py": POOL, "evict.py": EVICT, "limits.cfg": LIMITS, "naming.py": NAMING, "matching.py": MATCHING},
    {
        "pool.py": POOL,
        "evict.py": EVICT,
        "limits.cfg": LIMITS,
        "naming.py": NAMING,
        "matching.py": "\n\n" + MATCHING,
    },
    {
        "pool.py": POOL_LATER,
        "evict.py": EVICT_LATER,
        "limits.cfg": LIMITS_LATER,
        "names.py": NAMING,
        "matching.py": "\n\n" + MATCHING.replace("==", "is"),
    },
)
REGISTRY = """\
vendors:
  lib:
    url: https://github.com/o/lib
    commit: "{c2}"
    prefix: L
anchors:
  L-TAKE: {path: pool.py, lines: [11-14, 22-23], find: [def take, def size]}
  L-GIVE: {path: pool.py, lines: 16-20, find: def give}
  L-INIT: {path: pool.py, lines: 7-9, find: def __init__}
  L-EVICT: {path: evict.py, lines: 1-5, find: def evict_oldest}
  L-LARGEST: {path: evict.py, lines: 8-12, find: def evict_largest}
  L-LIMITS: {path: limits.cfg, lines: 3-5, find: timeout}
  L-NAME: {path: naming.py, lines: 1-3, find: def name_of}
  L-MATCH: {path: matching.py, lines: 1-2, find: def matches, commit: "{c1}"}
  L-AWAY: {path: evict.py, lines: 20-24, find: def evict_largest, commit: "00000000000000000000000000000000000000aa"}
"""
CLAIMS = """\
lesson: M1
lang: zh
claims:
  M1.1: {text: 取出的块从此有一个使用者。, cites: [L-TAKE], basis: code, note: 之前它在 free queue 里。}
  M1.2: {text: "A block goes back when nobody uses it.", cites: [L-GIVE, L-TAKE], basis: code}
  M1.3: {text: Twice a block is matched by its key., cites: [L-MATCH], basis: derived}
"""
MORE_CLAIMS = """\
lesson: M2
claims:
  M2.1: {text: The oldest block goes first., cites: [L-EVICT], basis: document}
  M2.2: {text: Reading is tried three times., cites: [L-LIMITS, L-TAKE], basis: comment}
examples:
  M-E1: {title: Four blocks, cites: [L-TAKE]}
errata:
  E02-1:
    lesson: M2
    lines: 3
    quote: The newest block goes first.
    wrong: The newest block does not go first.
    instead: The oldest block goes first.
    cites: [L-EVICT]
"""
LESSON = """\
# Taking and giving

A block that was taken has a user, as `take` says [L-TAKE]. What nobody uses goes back.

The oldest block goes first [L-EVICT]; 名字只用来写日志 [L-NAME]。
"""
FILES = {"anchors.yaml": REGISTRY, "claims/one.yaml": CLAIMS, "claims/two.yaml": MORE_CLAIMS}


def drifted(make_project: MakeProject) -> SmallProject:
    """The project, with the vendor's third commit tagged `v3`."""
    from conftest import git

    project = make_project(FILES, *COMMITS)
    git(project.root / "vendor" / "lib", "tag", "v3", project.commits[2])
    return project


def named(text: str, project: SmallProject) -> str:
    """The text with the ids of the commits as `{c1}` and `{c1:.8}`: other versions of git may make others."""
    for number, commit in enumerate(project.commits, 1):
        text = text.replace(commit, f"{{c{number}}}").replace(commit[:8], f"{{c{number}:.8}}")
    return text
