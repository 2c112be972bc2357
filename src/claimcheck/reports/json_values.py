"""What every machine output is made of: the text of a document, and the forms of what documents have in common."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from claimcheck.finding import Finding, Frame, Quote, Severity
from claimcheck.library import Sentence
from claimcheck.model import Lines, Place
from claimcheck.terminal import CI_COMMAND, HIDDEN, escaped

Json = dict[str, object]

_SURROGATE = re.compile("[\ud800-\udfff]")


def dumps(document: Json) -> str:
    """JSON that reads back as the document and can be shown anywhere: nothing in it acts on a terminal or a CI runner.

    Only a lone surrogate, which JSON has no form for, becomes the text of its escape.
    """
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
    text = _SURROGATE.sub(lambda match: escaped(match.group()).replace("\\", "\\\\"), text)
    text = CI_COMMAND.sub(r"#\\u0023", text)
    return HIDDEN.sub(lambda match: _json_escape(match.group()), text) + "\n"


def _json_escape(character: str) -> str:
    # A line feed is never inside a string here, but between the lines of the object.
    return character if character == "\n" else json.dumps(character)[1:-1]


def lines_json(lines: Lines | None) -> list[int] | None:
    """A range as `[first, last]`."""
    return None if lines is None else [lines.first, lines.last]


def place_json(place: Place) -> Json:
    """Where something stands in a file of the project."""
    return {"path": place.path, "line": place.line, "column": place.column}


def sentences_json(sentences: Sequence[Sentence]) -> list[Json]:
    """Sentences of documents, each with the place of what it cites."""
    return [{"place": place_json(sentence.place), "text": sentence.text} for sentence in sentences]


def finding_json(finding: Finding) -> Json:
    """One finding as every machine output has it."""
    return {
        "rule": finding.rule.name,
        "severity": finding.severity.value,
        "class": finding.category.value,
        "message": finding.message,
        "subject": finding.subject,
        "place": place_json(finding.place),
        "evidence": [row for item in finding.evidence for row in _evidence(item)],
        "help": finding.help,
        "waived": finding.waiver is not None,
    }


def _evidence(item: Quote | Frame | str) -> list[Json]:
    match item:
        case Quote():
            where: Json = {"vendor": item.vendor, "commit": item.commit, "path": item.path}
            rows: list[tuple[int | None, str | None]] = [(number, text) for number, text in item.lines]
            return [{**where, "line": number, "text": text} for number, text in rows or [(None, None)]]
        case Frame():
            return [
                {"vendor": None, "commit": None, "path": item.place.path, "line": number, "text": text}
                for number, text in item.lines
            ]
        case str():
            return [{"vendor": None, "commit": None, "path": None, "line": None, "text": item}]


def severity_counts(findings: Sequence[Finding]) -> Json:
    """How many findings of each severity are not waived."""
    severities = [finding.severity for finding in findings if finding.waiver is None]
    return {f"{severity.value}s": severities.count(severity) for severity in Severity}
