"""The examples by which a rule shows what it means: small projects, with the findings that they have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from claimcheck.values import frozen

SOURCE = """\
import queue


class Pool:
    def take(self):
        return self.free.get()

    def give(self, block):
        self.free.put(block)
"""

HEAD = """\
vendors:
  lib:
    url: https://github.com/o/lib
    commit: "{c1}"
    prefix: L
"""

CLAIMS = """\
lesson: one
claims:
  C1.1: {text: Blocks are taken from a queue., cites: [L-TAKE], basis: code}
"""

LESSON = """\
<!doctype html>
<html lang="en">
<title>The pool</title>
<p>Blocks are taken from a queue [L-TAKE].</p>
"""


@frozen(slots=False)
class Case:
    """A project as a dictionary of files, its vendor `lib` as one dictionary for each commit, and what `verify` says.

    `{c1}`, `{c2}` … in the files stand for the vendor's commits. `finds` has the first line of each finding of
    the rule; nothing for a case that passes. `at` is the revision that `--at` names, `remote` the commit of the
    clone's remote-tracking branch. `releases` has the files of the releases that are here, by version; `RELEASED`
    declares three of them and a pin that is not here, `ELSEWHERE` only such a pin.
    """

    title: str
    files: Mapping[str, str | bytes]
    commits: tuple[Mapping[str, str | bytes], ...] = ({"pool.py": SOURCE},)
    finds: tuple[str, ...] = ()
    at: str = ""
    remote: str = ""
    options: Mapping[str, bool] = field(default_factory=dict)
    releases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def project(anchors: str, claims: str = CLAIMS, **more: str) -> dict[str, str]:
    """The files of a small project: the vendor, these anchors (YAML below `anchors:`) and these claims."""
    head = more.pop("head", HEAD)
    return {"anchors.yaml": head + more.pop("before", "") + "anchors:\n" + anchors, "claims/one.yaml": claims, **more}


ELSEWHERE = HEAD.replace("{c1}", "1234567890" * 4)
RELEASED = ELSEWHERE + ('    releases: {versions: {"1.2": SHA, "1.1": SHA, "1.0": SHA}}\n'.replace("SHA", "ab" * 32))

GOOD = project("  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n")
