"""What tests share that follow single anchors of the vendor `lib` to another of its commits, through the commands."""

from __future__ import annotations

import json
from dataclasses import dataclass

from conftest import Claimcheck, Files, MakeProject, SmallProject
from small import registry


@dataclass(frozen=True)
class Followed:
    """A project whose registry is pinned to the vendor's first commit."""

    project: SmallProject
    claimcheck: Claimcheck

    def drift(self, commit: int = 2) -> dict[str, str]:
        """What `drift` says of each anchor: `moved 2-4`, with the path where that is another, or `deleted`.

        Several regions are joined by ` + `. It writes nothing, and its exit code says whether there is something to read.
        """
        before = self.project.read("anchors.yaml")
        ran = self.claimcheck("drift", "lib", self.id(commit), "--format", "json", cwd=self.project.root)
        text = self.claimcheck("drift", "lib", self.id(commit), cwd=self.project.root)
        assert (ran.err, text.err, ran.code) == ("", "", text.code), ran.err
        assert (text.code == 0) is text.out.endswith("Nothing to read.\n")
        assert self.project.read("anchors.yaml") == before
        document = json.loads(ran.out)
        return {one["id"]: " + ".join(map(_said, one["regions"])) for one in document["anchors"]}

    def bump(self, commit: int = 2, *options: str) -> bool:
        """Bump; whether something was written. Refused, nothing is."""
        before = self.project.read("anchors.yaml")
        ran = self.claimcheck("bump", "lib", self.id(commit), *options, cwd=self.project.root)
        assert ran.err == ""
        if ran.code:
            assert ran.code == 1 and "Refused, nothing written.\n" in ran.out
            assert self.project.read("anchors.yaml") == before
        return ran.code == 0

    def lines(self) -> dict[str, str]:
        """The lines in the registry, by anchor: what stands behind `lines: `."""
        rows = (row for row in self.project.read("anchors.yaml").split("\n") if row.startswith("  L-"))
        return {
            row.split(":")[0].strip(): row.partition("lines: ")[2].partition(", find")[0].strip('"}') for row in rows
        }

    def verifies(self) -> bool:
        """Whether everything is verified at the pins."""
        return self.claimcheck("verify", cwd=self.project.root).code == 0

    def id(self, commit: int) -> str:
        return self.project.commits[commit - 1]


def _said(region: dict) -> str:
    there = region["to"]
    if there is None:
        return region["outcome"]
    first, last = there["lines"]
    lines = f"{first}-{last}" if first != last else f"{first}"
    other = f"{there['path']}:" if there["path"] != region["from"]["path"] else ""
    return f"{region['outcome']} {other}{lines}"


def followed(make_project: MakeProject, claimcheck: Claimcheck, anchors: list[str], *commits: Files) -> Followed:
    """A project with these anchors, each a line of YAML, at the first of the vendor's commits."""
    return Followed(make_project(registry(*anchors), *commits), claimcheck)
