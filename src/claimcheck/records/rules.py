"""What can be wrong with a research record; each rule is what `claimcheck explain` shows."""

from __future__ import annotations

from claimcheck.finding import FindingClass, RuleInfo, Severity


def _rule(name: str, severity: Severity, summary: str, help: str) -> RuleInfo:
    return RuleInfo(name, severity, summary, FindingClass.INPUT, help)


CONFLICT_MARKERS = _rule(
    "record-conflict-marker",
    Severity.ERROR,
    "The record holds an unresolved merge conflict.",
    "Between `<<<<<<<` and `>>>>>>>` stand two versions of the same lines, and nobody has said which one holds. "
    "Nothing is taken from such a record. Markers inside a code block are text.",
)
CELL_NOT_UNDERSTOOD = _rule(
    "cell-not-understood",
    Severity.ERROR,
    "A cell of an anchor table cannot be read.",
    "The row is left out and all others are taken. A path is one file; lines are `10-20` or several ranges with "
    "`;` between them, ascending; search strings stand in code spans with ` / ` between them; `same`, `ditto`, `同上` "
    'or `"` repeats the cell above. A pipe inside a cell is written `\\|`.',
)
INVALID_ID = _rule(
    "record-invalid-id",
    Severity.ERROR,
    "The first cell of a row is not the ID of an anchor.",
    "An ID is a prefix of up to eight capital letters and digits, then parts of the same letters, each after a hyphen: "
    "`V-POOL`, `NET-RETRY-2`. `V-E1`, `V-E2` and so on are kept for worked examples. The row is left out.",
)
DUPLICATE_ID = _rule(
    "record-duplicate-id",
    Severity.ERROR,
    "Two rows or two knowledge points have the same ID and say different things.",
    "Neither is taken, since nothing says which one is meant. Rows that say the same count once.",
)
HEADER_NOT_UNDERSTOOD = _rule(
    "header-not-understood",
    Severity.WARNING,
    "A table lists IDs that stand nowhere else, but its header names no file and lines.",
    "The anchor table is known by the words of its header: ID, file, lines, search strings, or ID, 文件, 行范围, "
    "搜索锚点; further columns do no harm. The table is not taken.",
)
ROW_OUTSIDE_TABLE = _rule(
    "row-outside-table",
    Severity.ERROR,
    "A line looks like a row of the anchor table, but belongs to no table.",
    "A blank line ends a Markdown table; rows below it are plain text. Join them, or repeat the header.",
)
VENDOR_UNKNOWN = _rule(
    "vendor-unknown",
    Severity.ERROR,
    "The record does not say which repository or which commit the anchors belong to.",
    "A line of the record names it: `vendor/NAME`, HEAD = the full id of the commit, origin = OWNER/NAME or a URL. "
    "Reference links to files at a commit say it as well. Anchors of a vendor without a commit are not written.",
)
VENDOR_CONTRADICTION = _rule(
    "vendor-contradiction",
    Severity.ERROR,
    "The record gives two repositories or two commits for one vendor.",
    "Neither is taken: the vendor and its anchors are left out until the record says one thing, since line numbers "
    "hold at one commit only. The finding stands at one place and names the other.",
)
PREFIX_CONFLICT = _rule(
    "prefix-conflict",
    Severity.ERROR,
    "IDs with one prefix stand for files of two vendors.",
    "The part of an ID up to its first hyphen says which vendor it belongs to. The row is left out.",
)
LINK_MISSES_REGION = _rule(
    "link-misses-region",
    Severity.WARNING,
    "An anchor's reference link does not show all lines that the table has.",
    "The table is taken. A reader who follows the link sees less than what is cited; `claimcheck cite ID` gives a link "
    "for each region.",
)
LINK_SPANS_REGIONS = _rule(
    "link-spans-regions",
    Severity.NOTE,
    "An anchor's reference link shows more lines than are cited, as one span over several regions does.",
    "The table is taken. A forge's link holds one range; `claimcheck cite ID` gives a link for each region.",
)
LINK_DIFFERS = _rule(
    "link-differs",
    Severity.WARNING,
    "An anchor's reference link leads to another file, repository or commit than the table and the text.",
    "The table is taken. When all links of a vendor speak against the text it is a `vendor-contradiction` instead.",
)
LINK_NOT_PERMALINK = _rule(
    "link-not-permalink",
    Severity.WARNING,
    "An anchor's reference link does not lead to a file at a full commit id.",
    "What a branch or a short id shows changes over time, so nothing can be compared with it. The table is taken.",
)
LINK_ONLY = _rule(
    "link-only",
    Severity.WARNING,
    "An anchor stands in no table; path and lines are taken from its reference link.",
    "It has no search strings, so its lines can be found again only by what a lock file keeps of them.",
)
DUPLICATE_LINK = _rule(
    "duplicate-link",
    Severity.WARNING,
    "A reference link is defined twice with different targets.",
    "Markdown takes the first one, and so does the import.",
)
CITATION_UNDEFINED = _rule(
    "citation-undefined",
    Severity.ERROR,
    "A knowledge point cites an ID that neither the record nor the registry defines.",
    "The knowledge point is taken as written; `verify` reports the citation until the ID exists. Brackets that are "
    "no citation are written with a backslash: `\\[UTF-8]`.",
)
POINT_WITHOUT_CITATION = _rule(
    "point-without-citation",
    Severity.WARNING,
    "A knowledge point cites nothing, so nothing can ever be checked for it.",
    "It is taken over without citations, and `verify` reports it until it has one. Write `[ID]` at its end.",
)
POINT_NOT_TAKEN = _rule(
    "point-not-taken",
    Severity.ERROR,
    "A knowledge point has no text beside its citations, or a text of more than 100,000 characters.",
    "The point is left out and all others are taken.",
)
POINTS_MISNUMBERED = _rule(
    "points-misnumbered",
    Severity.WARNING,
    "The numbers of a list of knowledge points do not ascend as written.",
    "A Markdown page counts on from the first number whatever the others are; the points are numbered as readers "
    "see them.",
)
SECTION_WITHOUT_POINTS = _rule(
    "section-without-points",
    Severity.NOTE,
    "A section that looks like a lesson has no numbered list.",
    "Knowledge points are the items of a numbered list below a heading such as `### V1: title`.",
)
VENDOR_DIFFERS = _rule(
    "vendor-differs",
    Severity.WARNING,
    "The registry has this vendor at another commit or repository than the record.",
    "Lines hold at one commit only, so existing anchors are not compared; new ones are written with the record's "
    "`commit:`. The vendor's entry is left as it is; `claimcheck bump` moves a pin.",
)

RULES: tuple[RuleInfo, ...] = (
    CONFLICT_MARKERS,
    CELL_NOT_UNDERSTOOD,
    INVALID_ID,
    DUPLICATE_ID,
    HEADER_NOT_UNDERSTOOD,
    ROW_OUTSIDE_TABLE,
    VENDOR_UNKNOWN,
    VENDOR_CONTRADICTION,
    PREFIX_CONFLICT,
    LINK_MISSES_REGION,
    LINK_SPANS_REGIONS,
    LINK_DIFFERS,
    LINK_NOT_PERMALINK,
    LINK_ONLY,
    DUPLICATE_LINK,
    CITATION_UNDEFINED,
    POINT_WITHOUT_CITATION,
    POINT_NOT_TAKEN,
    POINTS_MISNUMBERED,
    SECTION_WITHOUT_POINTS,
    VENDOR_DIFFERS,
)
