"""A permalink beside a citation shows other lines of the file than the anchor has."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus
from claimcheck.finding import Finding, RuleInfo, Severity
from claimcheck.model import Anchor, Lines
from claimcheck.phrases import listed
from claimcheck.rules.cases import GOOD, Case, project
from claimcheck.rules.in_documents import right_address, vendor_links

INFO = RuleInfo(
    "link-beside-differs",
    Severity.WARNING,
    "A permalink shows other lines of a file than any anchor that its paragraph cites there.",
    help="Beside `[L-TAKE]` a link to the same file is taken for its lines. One that overlaps none of them is most often "
    "left over from an older commit. Where it is meant, cite its lines too (`claimcheck add`), or mark the line with "
    "`<!-- claimcheck: ignore -->`.",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    for found in vendor_links(corpus):
        lines = found.file.lines
        if found.tied or lines is None or found.file.commit != found.pin(corpus).text:
            continue
        others = [anchor for anchor in found.near if not anchor.whole_file]
        if others and len(others) == len(found.near) and not any(_overlaps(lines, anchor) for anchor in others):
            has = listed(
                [f"{anchor.id} {','.join(str(region.lines) for region in anchor.regions)}" for anchor in others]
            )
            message = f"its link shows lines {lines} of {found.shown}; cited beside it: {has}"
            yield found.finding(INFO, message, help=right_address(corpus, others[0]))


def _overlaps(lines: Lines, anchor: Anchor) -> bool:
    return not anchor.regions or any(lines.overlaps(region.lines) for region in anchor.regions)


POOL = "https://github.com/o/lib/blob/{c1}/pool.py"
PASSES = (
    Case("the same lines", {**GOOD, "lessons/one.md": f"Taken [L-TAKE], [here]({POOL}#L5-L6).\n"}),
    Case("a part of them", {**GOOD, "lessons/one.md": f"Taken [L-TAKE], [here]({POOL}#L6).\n"}),
    Case("in another paragraph", {**GOOD, "lessons/one.md": f"Taken [L-TAKE].\n\nGiven [back]({POOL}#L8-L9).\n"}),
    Case(
        "those of another anchor that is cited",
        {
            **project(
                "  L-TAKE: {path: pool.py, lines: 5-6, find: def take}\n"
                "  L-GIVE: {path: pool.py, lines: 8-9, find: def give}\n"
            ),
            "lessons/one.md": f"Taken [L-TAKE] and [given back]({POOL}#L8-L9) [L-GIVE].\n",
        },
    ),
)
FAILS = (
    Case(
        "other lines",
        {**GOOD, "lessons/one.md": f"Taken [L-TAKE], [here]({POOL}#L8-L9).\n"},
        finds=(
            "lessons/one.md:1:24: warning: lessons/one.md: its link shows lines 8-9 of pool.py; cited beside it: "
            "L-TAKE 5-6 [link-beside-differs]",
        ),
    ),
)
