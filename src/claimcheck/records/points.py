"""The knowledge points of a record: numbered lists below headings such as `### V1: title`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import pairwise

from claimcheck.finding import Finding
from claimcheck.model import Basis, Claim, Place, Places
from claimcheck.records import rules
from claimcheck.records.markdown import Citation, Heading, Item, NumberedList, Page, brackets, masked
from claimcheck.records.record import Lesson, Uncited
from claimcheck.registry import fits
from claimcheck.values import frozen

MAX_TEXT = 100_000
MAX_TITLE = 1_000

_LESSON = re.compile(
    r"[*_`]*(?P<id>[A-Z]{1,8}[0-9][A-Z0-9]{0,20})[*_`]*(?:\s*[：:．.、]\s*|\s+[—–-]\s+|\s+|$)(?P<title>.*)"
)
_WORD = re.compile(r"[A-Z0-9-]+")
_MARKER = re.compile(r"\s*[0-9]+[.)](?:\s+|$)")
_WIDE = 0x2E80
_STOPS = ".。;；!！?？"


@frozen
class Section:
    """The lines below a heading up to the next one of its level or above."""

    heading: Heading
    last: int

    @property
    def example(self) -> bool:
        word = _WORD.match(self.heading.text.lstrip("*_` "))
        return word is not None and fits("example-id", word[0])


@frozen
class Points:
    """The lessons with their claims, and what is wrong."""

    lessons: tuple[Lesson, ...]
    findings: tuple[Finding, ...]


def read_points(page: Page, defined: Container[str], nearest: Callable[[str], str | None]) -> Points:
    """The lessons of a page.

    `defined` has the IDs that may be cited, those of rows that were left out too; `nearest` gives the help for one
    that is not among them.
    """
    lessons: list[Lesson] = []
    findings: list[Finding] = []
    cited = sorted({citation.line for citation in page.citations(defined)})
    of_heading = _lists_by_heading(page)
    for section in sections(page):
        match = _LESSON.fullmatch(section.heading.text)
        if not match:
            continue
        below = of_heading.get(section.heading.line, [])
        lists = [numbered for numbered in below if _any_within(cited, numbered.items[0].first, numbered.items[-1].last)]
        if not lists:
            if not _any_within(cited, section.heading.line + 1, section.last):
                continue
            message = "no numbered list with citations stands below this heading; no knowledge points are taken"
            place = page.place(section.heading.line)
            findings.append(Finding(rules.SECTION_WITHOUT_POINTS, match["id"], place, message))
            continue
        claims: list[Claim] = []
        for numbered in lists:
            numbers, problem = _numbers(page, match["id"], numbered)
            findings += problem
            claims += (
                _claim(page, f"{match['id']}.{number}", match["id"], item, defined)
                for number, item in zip(numbers, numbered.items, strict=True)
            )
        lessons.append(Lesson(match["id"], match["title"].strip("*_ ")[:MAX_TITLE], tuple(claims)))
    return _checked(lessons, findings, defined, nearest)


def sections(page: Page) -> Iterator[Section]:
    """Every section of a page, outer ones before inner ones."""
    open_: list[Heading] = []
    found: list[Section] = []
    for heading in (*page.headings, None):
        line = heading.line if heading else len(page.lines) + 1
        while open_ and (heading is None or open_[-1].level >= heading.level):
            found.append(Section(open_.pop(), line - 1))
        if heading:
            open_.append(heading)
    yield from sorted(found, key=lambda section: section.heading.line)


def uncited(page: Page, lessons: Sequence[Lesson], ids: Sequence[str]) -> Iterator[Uncited]:
    """The anchors that no knowledge point cites, grouped by what cites them instead."""
    by_points = {id for lesson in lessons for claim in lesson.claims for id in claim.cites}
    rest = [id for id in ids if id not in by_points]
    examples = {
        n for section in sections(page) if section.example for n in range(section.heading.line, section.last + 1)
    }
    in_example: dict[str, bool] = {}
    for cited in page.citations(frozenset(ids)):
        if cited.line not in page.rows:
            in_example[cited.id] = in_example.get(cited.id, False) or cited.line in examples
    groups = {"the examples do": True, "other sections do": False, "nothing else does": None}
    for by, wanted in groups.items():
        group = tuple(id for id in rest if in_example.get(id) is wanted)
        if group:
            yield Uncited(group, by)


def _lists_by_heading(page: Page) -> dict[int, list[NumberedList]]:
    """The numbered lists by the line of the heading right above them."""
    lines = [heading.line for heading in page.headings]
    found: dict[int, list[NumberedList]] = {}
    for numbered in page.lists:
        above = bisect_left(lines, numbered.first)
        if above:
            found.setdefault(lines[above - 1], []).append(numbered)
    return found


def _any_within(lines: Sequence[int], first: int, last: int) -> bool:
    at = bisect_left(lines, first)
    return at < len(lines) and lines[at] <= last


def _numbers(page: Page, lesson: str, numbered: NumberedList) -> tuple[list[int], list[Finding]]:
    """The items' numbers as written where they ascend, else as a page shows them."""
    written = [item.number for item in numbered.items]
    if all(one < following for one, following in pairwise(written)):
        return written, []
    counted = list(range(written[0], written[0] + len(written)))
    if len(set(written)) == 1:
        return counted, []
    wrong = next(item for item, number in zip(numbered.items, counted, strict=True) if item.number != number)
    message = f"item {wrong.number} does not follow; the points are numbered {counted[0]} to {counted[-1]}"
    return counted, [Finding(rules.POINTS_MISNUMBERED, lesson, page.place(wrong.first), message)]


def _claim(page: Page, id: str, lesson: str, item: Item, defined: Container[str]) -> Claim:
    text, cites = _text_and_cites(_unwrapped(page, item), defined)
    at: dict[str, Place] = {"": page.place(item.first)}
    wanted = list(cites)
    for cited in _citations_in(page, item, defined):
        if cited.id in wanted:
            at.setdefault(f"cites.{wanted.index(cited.id)}", page.place(cited.line, cited.column))
    return Claim(id, text, cites, Basis.CODE, lesson, places=Places(at))


def _citations_in(page: Page, item: Item, defined: Container[str]) -> Iterator[Citation]:
    lines = masked("\n".join(page.lines[item.first - 1 : item.last])).split("\n")
    for number, line in enumerate(lines, item.first):
        for start, _, ids in brackets(line, defined):
            yield from (Citation(id, number, start + 1) for id in ids)


def _unwrapped(page: Page, item: Item) -> str:
    """The text of an item: a paragraph as one line, anything else line by line without the list's indent."""
    lines = list(page.lines[item.first - 1 : item.last])
    marker = _MARKER.match(lines[0])
    indent = marker.end() if marker else 0
    lines[0] = lines[0][indent:]
    if not item.simple:
        lines[1:] = [line[min(indent, len(line) - len(line.lstrip(" "))) :] for line in lines[1:]]
        return "\n".join(lines).strip()
    text = ""
    for line in (line.strip().removesuffix("\\").rstrip() for line in lines):
        # Between wide characters a line break is no blank.
        blank = " " if text and line and not (ord(text[-1]) >= _WIDE and ord(line[0]) >= _WIDE) else ""
        text += blank + line
    return text


def _text_and_cites(text: str, defined: Container[str]) -> tuple[str, tuple[str, ...]]:
    """A statement without the citations at its end, and all that it cites, each once in order."""
    lines = masked(text).split("\n")
    cites: dict[str, None] = {}
    for line in lines:
        for _, _, ids in brackets(line, defined):
            cites.update(dict.fromkeys(ids))
    start = len(text) - len(lines[-1])
    ends = [(start + first, start + last) for first, last, _ in brackets(lines[-1], defined)]
    body = text.rstrip()
    stop = body[-1:] if body[-1:] in _STOPS and body[-1:] else ""
    body = body.removesuffix(stop).rstrip()
    while ends and ends[-1][1] == len(body):
        body = body[: ends.pop()[0]].rstrip(" ,，、;；")
    if len(body.removesuffix(stop)) == len(text.rstrip().removesuffix(stop)):
        return text, tuple(cites)
    return body + (stop if body[-1:] not in _STOPS else ""), tuple(cites)


def _checked(
    lessons: Sequence[Lesson], findings: list[Finding], defined: Container[str], nearest: Callable[[str], str | None]
) -> Points:
    """The lessons without the points of one ID that differ, and what is wrong with each point."""
    times = Counter(claim.id for lesson in lessons for claim in lesson.claims)
    first: dict[str, Claim] = {}
    kept: dict[str, Lesson] = {}
    for lesson in lessons:
        claims = []
        for claim in lesson.claims:
            if times[claim.id] > 1:
                other = first.setdefault(claim.id, claim)
                if other is not claim:
                    message = f"stands in line {other.places[''].line} already; neither is taken"
                    findings.append(Finding(rules.DUPLICATE_ID, claim.id, claim.places[""], message))
                continue
            if not 0 < len(claim.text.strip()) <= MAX_TEXT:
                message = f"has no text of 1 to {MAX_TEXT:,} characters beside its citations"
                findings.append(Finding(rules.POINT_NOT_TAKEN, claim.id, claim.places[""], message))
                continue
            claims.append(claim)
            findings += _problems(claim, defined, nearest)
        before = kept.get(lesson.id)
        kept[lesson.id] = Lesson(
            lesson.id, before.title if before else lesson.title, (before.claims if before else ()) + tuple(claims)
        )
    return Points(tuple(lesson for lesson in kept.values() if lesson.claims), tuple(findings))


def _problems(claim: Claim, defined: Container[str], nearest: Callable[[str], str | None]) -> Iterator[Finding]:
    if not claim.cites:
        yield Finding(rules.POINT_WITHOUT_CITATION, claim.id, claim.places[""], "cites nothing")
    for index, id in enumerate(claim.cites):
        if id not in defined:
            yield Finding(
                rules.CITATION_UNDEFINED,
                claim.id,
                claim.places[f"cites.{index}"],
                f"cites {id}, which is defined neither here nor in the registry",
                help=nearest(id),
            )
