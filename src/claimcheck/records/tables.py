"""The anchor tables of a record: known by the words of their header, read row by row."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from claimcheck.finding import Finding
from claimcheck.model import Lines, Place
from claimcheck.records import rules
from claimcheck.records.cells import Misread, is_ditto, quoted, read_id, read_lines, read_path, read_strings
from claimcheck.records.markdown import Cell, Page, Table
from claimcheck.registry import fits
from claimcheck.values import frozen

Value = TypeVar("Value")

NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,77}[A-Za-z0-9])?"
NO_ID = "row"  # what a row without an ID of its own is called


class Column(enum.Enum):
    """What a column of an anchor table is for, with the words by which its header is known."""

    FIND = ("搜索", "查找", "检索", "字符串", "search", "find", "string", "grep")
    LINES = ("行", "范围", "line", "range")
    PATH = ("文件", "路径", "file", "path")
    VENDOR = ("仓库", "项目", "vendor", "repo", "project")
    ID = ("编号", "标识", "代号", "锚点", "id", "ident", "anchor", "label")


@frozen
class Row:
    """An anchor as its row says it; `path` is as written, `vendor` what a column of its own says."""

    id: str
    path: str
    lines: tuple[Lines, ...]
    find: tuple[str, ...]
    vendor: str | None
    line: int
    places: Mapping[str, Place]

    def says(self) -> tuple[object, ...]:
        return self.path, self.lines, self.find, self.vendor


@frozen
class Rows:
    """All rows that can be taken, in order, and what is wrong with the others."""

    tables: int
    rows: tuple[Row, ...]
    left_out: frozenset[str]
    findings: tuple[Finding, ...]


@dataclass(slots=True)
class _Broken:
    """A cell that cannot be read, and the rows below that repeat it: one cause, one finding."""

    subject: str
    place: Place
    misread: Misread
    followers: list[str] = field(default_factory=list)

    def finding(self) -> Finding:
        message = self.misread.message
        if self.followers:
            message += f"; {', '.join(self.followers)} below {'say' if len(self.followers) > 1 else 'says'} the same"
        return Finding(rules.CELL_NOT_UNDERSTOOD, self.subject, self.place, message, help=self.misread.help)


@dataclass(slots=True)
class _Reader(Generic[Value]):
    """Reads one column downwards and remembers what the cell above says."""

    page: Page
    index: int | None
    read: Callable[[str], Value]
    missing: Value
    above: Value | _Broken | None = None

    def take(self, subject: str, row: Sequence[Cell]) -> Value | _Broken:
        if self.index is None:
            return self.missing
        cell = row[self.index] if self.index < len(row) else Cell("", row[-1].line, row[-1].column)
        if is_ditto(cell.text):
            return self._repeat(subject, cell)
        try:
            self.above = self.read(cell.text)
        except Misread as misread:
            self.above = _Broken(subject, self.page.place(cell.line, cell.column + misread.offset), misread)
        return self.above

    def _repeat(self, subject: str, cell: Cell) -> Value | _Broken:
        if self.above is None:
            misread = Misread(0, f"`{cell.text.strip('`')}` repeats the cell above, and there is none")
            self.above = _Broken(subject, self.page.place(cell.line, cell.column), misread)
        elif isinstance(self.above, _Broken):
            self.above.followers.append(subject)
        return self.above


def read_rows(page: Page) -> Rows:
    """Every anchor that the page's tables have, and a finding for each cell, row or table that cannot be taken."""
    rows: list[Row] = []
    findings: list[Finding] = []
    left_out: set[str] = set()
    others: list[Table] = []
    tables = 0
    for table in page.tables:
        columns = _columns(table)
        if columns is None:
            others.append(table)
            continue
        tables += 1
        for read in _read_table(page, table, columns):
            if isinstance(read, Row):
                rows.append(read)
            elif isinstance(read, Finding):
                findings.append(read)
            else:
                left_out.add(read)
    unique, twice = _without_contradictions(rows)
    findings += twice
    left_out |= {finding.subject for finding in twice}
    known = {row.id for row in rows} | left_out
    findings += _unread_tables(page, others, known)
    findings += _stray_rows(page, known)
    return Rows(tables, tuple(unique), frozenset(left_out), tuple(findings))


def _columns(table: Table) -> dict[Column, int] | None:
    """Which column is which, or None for a table about something else."""
    columns: dict[Column, int] = {}
    for index, cell in enumerate(table.header):
        title = unicodedata.normalize("NFKC", cell.text).casefold()
        kind = next((kind for kind in Column if _names(title, kind.value)), None)
        if kind is not None:
            columns.setdefault(kind, index)
    needed = Column.ID in columns and Column.PATH in columns
    return columns if needed and (Column.LINES in columns or Column.FIND in columns) else None


def _names(title: str, words: Sequence[str]) -> bool:
    """Whether a header has one of the words; Latin ones begin a word, and `id` is a whole one."""
    latin = "".join(f" {part}" for part in re.findall(r"[a-z]+", title)) + " "
    return any(
        (f" {word} " if word == "id" else f" {word}") in latin if word.isascii() else word in title for word in words
    )


def _read_table(page: Page, table: Table, columns: Mapping[Column, int]) -> Iterator[Row | Finding | str]:
    """The rows of an anchor table, findings, and the IDs of rows that are left out."""
    path = _Reader(page, columns[Column.PATH], read_path, "")
    lines: _Reader[tuple[Lines, ...]] = _Reader(page, columns.get(Column.LINES), read_lines, ())
    find: _Reader[tuple[str, ...]] = _Reader(page, columns.get(Column.FIND), read_strings, ())
    vendor: _Reader[str | None] = _Reader(page, columns.get(Column.VENDOR), _read_vendor, None)
    broken: list[_Broken] = []
    for row in table.rows:
        if not any(cell.text for cell in row):
            continue
        id, problem = _id(page, row, columns[Column.ID], len(table.header))
        read = path.take(id, row), lines.take(id, row), find.take(id, row), vendor.take(id, row)
        if problem:
            yield problem
            if id != NO_ID:
                yield id
            continue
        match read:
            case (str() as file, tuple() as ranges, tuple() as strings, (str() | None) as name):
                yield Row(id, file, ranges, strings, name, row[0].line, _places(page, row, columns))
            case _:
                broken += [part for part in read if isinstance(part, _Broken) and part.subject == id]
                yield id
    yield from (part.finding() for part in broken)


def _id(page: Page, row: Sequence[Cell], index: int, width: int) -> tuple[str, Finding | None]:
    """The row's ID, or what to call it, and what is wrong with the row as a whole."""
    cell = row[min(index, len(row) - 1)]
    try:
        id = read_id(cell.text)
    except Misread as misread:
        place = page.place(cell.line, cell.column)
        return NO_ID, Finding(rules.INVALID_ID, NO_ID, place, misread.message, help=misread.help)
    if len(row) <= width:
        return id, None
    extra = row[width]
    return id, Finding(
        rules.CELL_NOT_UNDERSTOOD,
        id,
        page.place(extra.line, extra.column),
        f"the row has {len(row)} cells, its table {width} columns",
        help="a pipe inside a cell is written \\|, in code too",
    )


def _read_vendor(cell: str) -> str | None:
    """The vendor that a column of its own names, as `NAME`, `vendor/NAME` or `OWNER/NAME`."""
    written = cell.strip("`*_/ ")
    name = vendor_name(written.rpartition("/")[2])
    if written and not re.fullmatch(NAME, name):
        raise Misread(0, f"{quoted(written)} is not the name of a vendor", "vendor/NAME")
    return name or None


def vendor_name(folder: str) -> str:
    """What the registry calls the vendor whose clone is `vendor/FOLDER`: names are in small letters there."""
    return folder.removesuffix(".git").lower()


def _places(page: Page, row: Sequence[Cell], columns: Mapping[Column, int]) -> dict[str, Place]:
    parts = {"": Column.ID, "path": Column.PATH, "lines": Column.LINES, "find": Column.FIND}
    at = {part: columns[column] for part, column in parts.items() if column in columns}
    return {part: page.place(row[index].line, row[index].column) for part, index in at.items() if index < len(row)}


def _without_contradictions(rows: Sequence[Row]) -> tuple[list[Row], list[Finding]]:
    """Each ID once; of an ID whose rows differ none, with a finding at every row but the first."""
    by_id: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_id[row.id].append(row)
    unique: list[Row] = []
    findings: list[Finding] = []
    for id, same in by_id.items():
        differing = [row for row in same[1:] if row.says() != same[0].says()]
        if not differing:
            unique.append(same[0])
        findings += (
            Finding(
                rules.DUPLICATE_ID,
                id,
                row.places[""],
                f"stands in line {same[0].line} already and says something else there; neither is taken",
            )
            for row in differing
        )
    return unique, findings


def _unread_tables(page: Page, tables: Sequence[Table], known: set[str]) -> Iterator[Finding]:
    for table in tables:
        ids = [cell.text.strip("`*[] ") for row in table.rows for cell in row[:1]]
        unread = [id for id in ids if fits("anchor-id", id) and id not in known]
        if unread:
            cell = table.header[0]
            more = f" and {len(unread) - 1} more" if len(unread) > 1 else ""
            yield Finding(
                rules.HEADER_NOT_UNDERSTOOD,
                unread[0] + more,
                page.place(cell.line, cell.column),
                "the table's header names no column for the ID, the file and the lines",
                help="| ID | file | lines | search strings |",
            )


def _stray_rows(page: Page, known: set[str]) -> Iterator[Finding]:
    for block in page.paragraphs:
        stray: list[tuple[int, str]] = []
        for number, line in enumerate(page.lines[block.first - 1 : block.last], block.first):
            cells = line.split("|")
            id = cells[1].strip(" `*[]") if line.lstrip(" >").startswith("|") and len(cells) > 3 else ""
            if fits("anchor-id", id) and id not in known:
                stray.append((number, id))
        if stray:
            more = f" and {len(stray) - 1} more" if len(stray) > 1 else ""
            yield Finding(
                rules.ROW_OUTSIDE_TABLE,
                stray[0][1] + more,
                page.place(stray[0][0]),
                "looks like a row of a table, but belongs to none" if not more else "look like rows, but of no table",
                help="no blank line between the rows; header and ruler with the same number of cells",
            )
