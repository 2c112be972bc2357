"""What `claimcheck explain` prints, and the page of rules in the documentation."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from claimcheck.finding import FindingClass, RuleInfo
from claimcheck.rules.cases import Case
from claimcheck.terminal import visible

LONGEST_EXAMPLE = 6  # lines

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
    shown = next((case for case in cases if case.finds or info.kind is FindingClass.INPUT), None)
    if shown is not None:
        out += [f"Example ({shown.title}):", "", *_files(shown)]
        out += ["", *(f"    {placeholders(line)}" for line in shown.finds), ""]
    return "\n".join(out).rstrip() + "\n"


def _files(case: Case) -> list[str]:
    """The end of the file that matters, indented; what cannot be seen is written as an escape."""
    path = next((path for path in case.files if case.finds and case.finds[0].startswith(path)), "anchors.yaml")
    content = case.files.get(path) or next(iter(case.files.values()))
    text = content if isinstance(content, str) else content.decode("utf-8", "backslashreplace")
    lines = [visible(placeholders(line)) for line in text.rstrip("\n").split("\n")]
    return [f"    {line[:110]}" for line in lines[-LONGEST_EXAMPLE:]]


def placeholders(line: str) -> str:
    """A line of an example with made-up ids for the vendor's commits."""
    for name, id in (("c1", "1a2b3c4d" * 5), ("c2", "5e6f7a8b" * 5)):
        line = line.replace(f"{{{name}}}", id).replace(f"{{{name}:.8}}", id[:8])
    return line
