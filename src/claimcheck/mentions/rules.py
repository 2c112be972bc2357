"""What can be wrong with a place that a document names; each rule is what `claimcheck explain` shows."""

from __future__ import annotations

from claimcheck.finding import FindingClass, RuleInfo, Severity


def _rule(name: str, severity: Severity, summary: str, help: str) -> RuleInfo:
    return RuleInfo(name, severity, summary, FindingClass.FINDING, help)


FILE_MISSING = _rule(
    "named-file-missing",
    Severity.ERROR,
    "A document names a file that the vendor does not have at the commit that was given.",
    "No anchor is proposed. The file may have been renamed, removed, or named by its end where several files end so.",
)
BEYOND_FILE = _rule(
    "named-lines-beyond",
    Severity.ERROR,
    "A document names lines that the file does not have at the commit that was given.",
    "No anchor is proposed, since nothing says which lines are meant.",
)
NOT_FOLLOWED = _rule(
    "named-lines-changed",
    Severity.ERROR,
    "A permalink's lines have changed, or are gone, between its commit and the commit that was given.",
    "The lines were followed from the commit that the link names. What became of them is for a person to read, so no "
    "anchor is proposed.",
)
OTHER_COMMIT = _rule(
    "named-at-another-commit",
    Severity.WARNING,
    "A permalink is of another commit, which is not here.",
    "The anchor is proposed with the link's line numbers, which may be those of other lines at the commit that was given. "
    "With the link's commit at hand they are followed.",
)
BRANCH = _rule(
    "named-on-a-branch",
    Severity.WARNING,
    "A link leads to a branch or a tag, whose lines may have been others when it was written.",
    "The anchor is proposed with the link's line numbers at the commit that was given. Look at them.",
)
SAYS_OTHERWISE = _rule(
    "named-elsewhere",
    Severity.WARNING,
    "The words of a link, or the code beside a place, name something that is not in those lines.",
    "The anchor is proposed as the document has it. Where the file defines the name elsewhere, that place is shown: the "
    "lines may have moved since.",
)
NOTHING_THERE = _rule(
    "named-lines-empty",
    Severity.WARNING,
    "The lines that a document names begin with nothing: a blank line, or only a bracket.",
    "Line numbers that are off by a few mostly end there. The anchor is proposed as the document has it.",
)

RULES: tuple[RuleInfo, ...] = (
    FILE_MISSING, BEYOND_FILE, NOT_FOLLOWED, OTHER_COMMIT, BRANCH, SAYS_OTHERWISE, NOTHING_THERE
)  # fmt: skip
