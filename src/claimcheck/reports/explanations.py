"""What `claimcheck explain` prints, and the page of rules in the documentation."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from claimcheck.finding import RuleInfo
from claimcheck.rules.cases import Case

CLASSES = {
    "finding": "something is false or stale",
    "input": "the files or arguments are not acceptable",
    "environment": "it could not be looked at",
}


def table(infos: Iterable[RuleInfo]) -> str:
    """One row a rule: name, severity, summary."""
    rows = sorted(infos, key=lambda info: info.name)
    width = max(len(info.name) for info in rows)
    return "".join(f"{info.name:<{width}}  {info.severity.value:<7}  {info.summary}\n" for info in rows)


def page(info: RuleInfo, cases: Iterable[Case]) -> str:
    """A rule's summary, what it means, and the first example that it finds."""
    out = [f"{info.name}: {info.severity.value}, {CLASSES[info.kind.value]}", "", info.summary, ""]
    out += [*textwrap.wrap(info.help, 98), ""] if info.help else []
    for case in cases:
        if case.finds:
            out += [f"Example ({case.title}):", ""]
            out += [f"    {line}" for line in case.files.get("anchors.yaml", "").rstrip().split("\n")[-4:]]
            out += ["", *(f"    {placeholders(line)}" for line in case.finds), ""]
            break
    return "\n".join(out).rstrip() + "\n"


def placeholders(line: str) -> str:
    """An example's finding with the vendor's commits given as made-up ids."""
    return line.format(c1="1a2b3c4d" * 5, c2="5e6f7a8b" * 5)
