"""Drift as one page that needs nothing else: no network, no font; readable, and complete, without its script.

The template, the style sheet and the script lie beside this module and are constant: whatever comes from a
repository or a registry is text or an attribute of an element, escaped by the template engine, and the script reads
it from there. The policy in the head allows exactly this style sheet and this script.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, assert_never

from claimcheck.documents import Sentence as Quoted
from claimcheck.drift import AnchorDrift, DiffLine, Drift, RegionDrift
from claimcheck.drift_details import AnchorDetail, Near, RegionDetail, Upstream
from claimcheck.excerpts import shortened
from claimcheck.forges import NoLink, permalink
from claimcheck.model import Citing, Claim, Erratum, Example, Lines, Pin, Revision, Vendor
from claimcheck.outcome import (
    Ambiguous,
    Cosmetic,
    Deleted,
    Edited,
    Located,
    Moved,
    Outcome,
    Renamed,
    Unavailable,
    Unchanged,
)
from claimcheck.reports.drift_text import change, label, plan, revision, word
from claimcheck.terminal import CI_COMMAND, escaped

if TYPE_CHECKING:
    from jinja2 import Template

CONTEXT = 3
FEWEST_FOLDED = 3
MOST_FOLDED_SHOWN = 2000
# Pairing every removed with every added line is quadratic; beyond this they are paired in order.
MOST_PAIRED = 10_000
ALIKE = 0.5
MOST_TOKENS = 2000

_TOKEN = re.compile(r"[A-Za-z0-9_]+|[-+*/%=<>!&|^~]+|\s+|.", re.DOTALL)
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")

Part = tuple[bool, str]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one column: `kind` is same, old, new, around (of a candidate) or none.

    A part is marked where the other column differs.
    """

    kind: str
    number: int | None = None
    parts: tuple[Part, ...] = ()
    cut: str = ""

    @property
    def shown_number(self) -> str:
        sign = {"old": "-", "new": "+"}.get(self.kind, " ")
        return f"{self.number}{sign}" if self.number is not None else ""


@dataclass(frozen=True, slots=True)
class Column:
    """One side of a hunk: where its lines stand, and the address of these very lines if they have one."""

    side: str
    place: str
    lines: tuple[Line, ...]
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A hunk, or (`folded`) equal lines that are opened by hand; their number stands even where they are left out."""

    columns: tuple[Column, ...]
    folded: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that might be meant, with its lines."""

    place: str
    column: Column | None


@dataclass(frozen=True, slots=True)
class Region:
    """One region as the page shows it."""

    name: str
    word: str
    meaning: str
    change: str
    old: str
    new: str
    symbol: str
    to_read: bool
    remarks: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    candidates_title: str = ""
    no_link: str = ""
    upstream: Upstream | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A claim, example or erratum that cites the anchor, or a sentence of a document by its place."""

    id: str
    what: str
    text: str
    language: str | None
    document: str
    basis: str = ""
    status: str = ""
    remarks: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Article:
    """One anchor to read. `key` tells this change from every other, so that a tick means this one."""

    id: str
    word: str
    meaning: str
    kinds: tuple[str, ...]
    change: str
    symbols: str
    regions: tuple[Region, ...]
    sentences: tuple[Sentence, ...]
    documents: tuple[str, ...]
    origin: str
    key: str
    command: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document with the anchors to read that its sentences cite, each with those sentences' IDs."""

    name: str
    rows: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """An anchor that carried over."""

    id: str
    word: str
    meaning: str
    places: tuple[tuple[str, str], ...]


UNCITED = "cited by nothing"
FILTERS = (("deleted", "deleted"), ("ambiguous", "ambiguous"), ("edited", "edited"), ("open", "not compared"))


def render(drift: Drift, vendor: Vendor, found: Sequence[AnchorDetail]) -> str:
    """The whole page; `found` has the details of every anchor to read."""
    articles = [_article(drift, vendor, detail) for detail in found]
    page = _template().render(
        title=f"{_headline(drift)}: {drift.vendor} {label(drift.origin)} -> {drift.target.label}",
        vendor=drift.vendor,
        origin=label(drift.origin),
        target=drift.target.label,
        headline=_headline(drift),
        plan=plan(drift),
        files=f"{drift.changed_files} of the {drift.files} cited files changed",
        nothing=_if_nobody_acts(drift),
        bump=f"claimcheck bump {drift.vendor} {revision(drift.target)} --hold",
        again=f"claimcheck drift {drift.vendor} {revision(drift.target)} --format html -o drift.html",
        articles=articles,
        documents=_documents(articles),
        touched=[(one.name, len(one.rows)) for one in _documents(articles) if one.name != UNCITED],
        filters=[(key, name, sum(key in one.kinds for one in articles)) for key, name in FILTERS],
        carried=[_kept(one) for one in drift.carried],
        carried_counts=_counts(drift.carried),
        words=_WORDS,
        style=_style(),
        script=_script(),
        style_digest=_digest(_style()),
        script_digest=_digest(_script()),
    )
    # A CI log that gets the page on stdout has no command in it; in text and attributes both read the same.
    return CI_COMMAND.sub("#&#35;", page)


def meaning(outcome: Outcome) -> str:
    """The outcome in a sentence that needs no manual."""
    match outcome:
        case Unchanged():
            return "The same text on the same lines."
        case Moved():
            return "The same text on other lines."
        case Renamed():
            return "The same text in another file."
        case Cosmetic():
            return "Only spaces, comments or documentation changed; the code is the same."
        case Edited():
            return "The text changed: what was said of it may not be true any more."
        case Located():
            return "Found by its strings; the text that was cited is not here, so nothing was compared."
        case Ambiguous():
            return "Several places fit equally well; none was chosen."
        case Deleted():
            return "Its text is gone; nothing here is called its successor."
        case Unavailable():
            return "It could not be looked at, so nothing is known of it."
    assert_never(outcome)


_WORDS = (
    ("unchanged", "The same text on the same lines. Nobody has to read it."),
    ("moved", "The same text on other lines or in another file. Nobody has to read it."),
    ("cosmetic", "Only spaces, comments or documentation changed; the code is the same."),
    ("edited", "The text changed: what was said of it may not be true any more. Old and new are shown."),
    ("located", "Found by its strings; the text that was cited is not here, so nothing was compared."),
    ("ambiguous", "Several places fit equally well; none was chosen. A person says which one, or that none is."),
    ("deleted", "Its text is gone. A place that has a part of it may be named, never as the answer."),
    ("unavailable", "It could not be looked at, so nothing is known of it."),
    ("not tested", "No check of this sentence was run. Only a person can say whether it still holds."),
)


def _headline(drift: Drift) -> str:
    return f"{len(drift.to_read)} to read" if drift.to_read else "Nothing to read"


def _if_nobody_acts(drift: Drift) -> str:
    origin = drift.origin.label if isinstance(drift.origin, Revision) else drift.origin.short
    return (
        f"If nobody acts, the documents keep citing {drift.vendor} at {origin}, and verify says of them what it said "
        "before. This report has changed nothing."
    )


def _counts(carried: Sequence[AnchorDrift]) -> str:
    words = [word(one.outcome) for one in carried]
    return ", ".join(f"{words.count(name)} {name}" for name in dict.fromkeys(words))


def _article(drift: Drift, vendor: Vendor, detail: AnchorDetail) -> Article:
    one = detail.one
    regions = tuple(_region(drift, vendor, one, region) for region in detail.regions)
    symbols = dict.fromkeys(region.symbol for region in regions if region.symbol and region.to_read)
    read = [region for region in one.regions if not region.carries]
    worst = word(one.outcome) if read else "split"
    said = meaning(one.outcome) if read else f"Its regions are in {len(one.paths)} files now; an anchor has one."
    sentences = (*map(_sentence, one.cited_by), *map(_of_document, one.sentences))
    return Article(
        id=one.id,
        word=worst,
        meaning=said,
        kinds=tuple(dict.fromkeys(_kind(region.outcome) for region in read)) or ("edited",),
        change=_change(read),
        symbols=", ".join(symbols),
        regions=regions,
        sentences=sentences,
        documents=_documents_of(one),
        origin=_pin(one.origin),
        key=_key(drift, one),
        command=f"claimcheck drift {drift.vendor} {revision(drift.target)} {one.id}",
    )


def _kind(outcome: Outcome) -> str:
    match outcome:
        case Deleted():
            return "deleted"
        case Ambiguous():
            return "ambiguous"
        case Located() | Unavailable():
            return "open"
        case _:
            return "edited"


def _change(regions: Iterable[RegionDrift]) -> str:
    counted = [(region.added, region.removed or 0) for region in regions if region.added is not None]
    return f"+{sum(a for a, _ in counted)} -{sum(r for _, r in counted)}" if counted else ""


def _key(drift: Drift, one: AnchorDrift) -> str:
    origin = one.origin.public if isinstance(one.origin, Revision) else one.origin.text
    places = " ".join(f"{region.path}:{region.lines}" for region in one.regions)
    told = "\0".join((drift.vendor, origin, drift.target.public, one.id, places))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _documents_of(one: AnchorDrift) -> tuple[str, ...]:
    """Examples are shown in documents of others, so they count only where nothing else cites the anchor."""
    sentences = [entry for entry in one.cited_by if not isinstance(entry, Example)] or one.cited_by
    names = {*map(_document, sentences), *(sentence.place.path for sentence in one.sentences)}
    return tuple(sorted(names, key=_natural)) or (UNCITED,)


def _document(entry: Citing) -> str:
    """The document that has the entry's sentence: its lesson, and without one the file that it is written in."""
    lesson = None if isinstance(entry, Example) else entry.lesson
    return lesson or entry.places[""].path


def _documents(articles: Sequence[Article]) -> list[Document]:
    names = sorted({name for article in articles for name in article.documents}, key=_natural)
    return [
        Document(
            name,
            tuple((one.id, one.word, _ids(one, name)) for one in articles if name in one.documents),
        )
        for name in names
    ]


def _ids(article: Article, document: str) -> str:
    return " ".join(sentence.id for sentence in article.sentences if sentence.document == document)


def _natural(name: str) -> list[tuple[int, int, str]]:
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in re.split(r"([0-9]+)", name) if p]


def _sentence(entry: Citing) -> Sentence:
    match entry:
        case Claim():
            remarks = [entry.note] if entry.note else []
            remarks += [f"condition: {caveat.text}" for caveat in entry.caveats]
            remarks = [" ".join(remark.split()) for remark in remarks]
            text = " ".join(entry.text.split())
            told = tuple((remark, _language(remark)) for remark in remarks)
            return Sentence(
                entry.id, "claim", text, _language(text), _document(entry), entry.basis.value, "not tested", told
            )
        case Example():
            text = " ".join(entry.title.split())
            return Sentence(entry.id, "example", text, _language(text), _document(entry))
        case Erratum():
            text = " ".join(entry.wrong.split())
            instead = "instead: " + " ".join(entry.instead.split())
            told = ((instead, _language(instead)),)
            return Sentence(entry.id, "erratum", text, _language(text), _document(entry), remarks=told)
    assert_never(entry)


def _of_document(said: Quoted) -> Sentence:
    path = said.place.path
    return Sentence(f"{path}:{said.place.line}", "document", said.text, _language(said.text), path)


def _language(text: str) -> str | None:
    """The language by which a browser chooses the shapes of characters, where the script tells it."""
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    return "zh" if _HAN.search(text) else None


def _kept(one: AnchorDrift) -> Kept:
    places = tuple(
        (f"{region.path}:{region.lines}", f"{region.spot.path}:{region.spot.lines}" if region.spot else "")
        for region in one.regions
    )
    return Kept(one.id, word(one.outcome), meaning(one.outcome), places)


def _region(drift: Drift, vendor: Vendor, one: AnchorDrift, detail: RegionDetail) -> Region:
    region, outcome = detail.region, detail.region.outcome
    sides = _Sides(drift, vendor, one, region)
    return Region(
        name=f"region {region.number} of {len(one.regions)}" if len(one.regions) > 1 else "",
        word=word(outcome),
        meaning=meaning(outcome),
        change=change(region),
        old=f"{region.path} {region.lines}",
        new=_new_place(region),
        symbol=(region.spot.symbol or "") if region.spot else "",
        to_read=not region.carries,
        remarks=tuple(_remarks(outcome)),
        blocks=() if region.carries else tuple(_blocks(sides, detail.comparison.rows)),
        candidates=tuple(_candidate(sides, near) for near in detail.near),
        candidates_title=_candidates_title(outcome),
        no_link="" if region.carries else sides.no_link,
        upstream=detail.upstream,
    )


def _new_place(region: RegionDrift) -> str:
    spot = region.spot
    if spot is None:
        return ""
    return str(spot.lines) if spot.path == region.path else f"{spot.path} {spot.lines}"


def _remarks(outcome: Outcome) -> Iterator[str]:
    match outcome:
        case Ambiguous():
            yield f"To make it one: {outcome.remedy}."
        case Deleted():
            yield f"Searched: {outcome.evidence}."
        case Unavailable():
            yield f"The reason: {outcome.reason}."
        case Edited() | Located() | Cosmetic():
            yield f"How it was found: {outcome.evidence}."
        case _:
            return


def _candidates_title(outcome: Outcome) -> str:
    return "A trail, not an answer" if isinstance(outcome, Deleted) else "Any of these"


@dataclass(frozen=True, slots=True)
class _Sides:
    """Where the two columns of a region come from."""

    drift: Drift
    vendor: Vendor
    one: AnchorDrift
    region: RegionDrift

    @property
    def old_revision(self) -> Revision | None:
        return self.one.origin if isinstance(self.one.origin, Revision) else None

    def column(self, side: str, lines: tuple[Line, ...], path: str | None = None) -> Column:
        """One side of a hunk; `path` for a candidate, which need not be in the region's file."""
        numbers = [line.number for line in lines if line.number is not None and line.kind != "around"]
        spot = self.region.spot
        old = side == "old"
        path = path or (self.region.path if old or spot is None else spot.path)
        at = self.old_revision if old else self.drift.target
        name = at.label if at else _pin(self.one.origin)
        if not numbers:
            return Column(side, f"{name}: no such lines", lines)
        where = Lines(numbers[0], numbers[-1])
        address = permalink(self.vendor, at, path, where) if at else None
        link = address if isinstance(address, str) else None
        return Column(side, f"{name} {path.rpartition('/')[2]}:{where}", lines, link)

    @property
    def no_link(self) -> str:
        """Why a side has no permalink, and what stands there instead; nothing where both have one."""
        sides = ((self.old_revision, self.region.path), (self.drift.target, self._new_path))
        archives = [at.label for at, _ in sides if at and at.release]
        said = []
        if archives:
            are = "are source archives" if len(archives) > 1 else "is a source archive"
            names = " and ".join(archives)
            said.append(f"{self.drift.vendor} {names} {are}, without permalinks: file and lines stand instead.")
        for at, path in sides:
            address = permalink(self.vendor, at, path) if at and path and not at.release else None
            if isinstance(address, NoLink):
                said.append(f"No permalink: {address.reason}.")
        return " ".join(dict.fromkeys(said))

    @property
    def _new_path(self) -> str | None:
        return self.region.spot.path if self.region.spot else None


def _pin(origin: Revision | Pin) -> str:
    return origin.short if isinstance(origin, Pin) else origin.label


def _candidate(sides: _Sides, near: Near) -> Candidate:
    numbered = enumerate(near.lines, near.first)
    lines = tuple(_line("same" if n in near.place.lines else "around", n, text) for n, text in numbered)
    place = f"{near.place.path}:{near.place.lines}"
    return Candidate(place, sides.column("new", lines, near.place.path) if lines else None)


def _blocks(sides: _Sides, rows: Sequence[DiffLine | int]) -> Iterator[Block]:
    """The hunks with their equal neighbours, and what is equal between them folded."""
    known = [row for row in rows if isinstance(row, DiffLine)]
    if isinstance(sides.region.outcome, Ambiguous | Located | Unavailable):
        yield from _uncompared(sides, known)
        return
    pairs = list(_pairs(known))
    one_sided = all(a.kind == "none" for a, _ in pairs) or all(b.kind == "none" for _, b in pairs)
    shown = [False] * len(pairs)
    for n, (a, b) in enumerate(pairs):
        if a.kind != "same" or b.kind != "same":
            for near in range(max(0, n - CONTEXT), min(len(pairs), n + CONTEXT + 1)):
                shown[near] = True
    for first, last in _runs(shown):
        run = pairs[first:last]
        folded = 0 if shown[first] or len(run) < FEWEST_FOLDED else len(run)
        if folded > MOST_FOLDED_SHOWN:
            yield Block((), folded)
            continue
        sides_of = (("old", tuple(a for a, _ in run)), ("new", tuple(b for _, b in run)))
        columns = tuple(
            sides.column(side, lines)
            for side, lines in sides_of
            if not (one_sided and all(line.kind == "none" for line in lines))
        )
        yield Block(columns, folded)


def _uncompared(sides: _Sides, rows: Sequence[DiffLine]) -> Iterator[Block]:
    """The lines of the one side that is known, without a sign: nothing says that they were added or removed."""
    old = tuple(_line("same", row.old, row.text) for row in rows if row.old is not None)
    new = tuple(_line("same", row.new, row.text) for row in rows if row.new is not None)
    columns = tuple(sides.column(side, lines) for side, lines in (("old", old), ("new", new)) if lines)
    if columns:
        yield Block(columns)


def _runs(shown: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Stretches of one kind; a stretch too short to fold goes with its neighbours."""
    smooth = list(shown)
    start = 0
    for n in range(1, len(shown) + 1):
        if n == len(shown) or shown[n] != shown[start]:
            if not shown[start] and n - start < FEWEST_FOLDED:
                smooth[start:n] = [True] * (n - start)
            start = n
    start = 0
    for n in range(1, len(smooth) + 1):
        if n == len(smooth) or smooth[n] != smooth[start]:
            yield start, n
            start = n


def _pairs(rows: Sequence[DiffLine]) -> Iterator[tuple[Line, Line]]:
    """The rows as pairs of lines: equal ones, and in a replaced stretch those that are alike."""
    removed: list[DiffLine] = []
    added: list[DiffLine] = []
    for row in rows:
        if row.old is not None and row.new is not None:
            yield from _replaced(removed, added)
            removed, added = [], []
            yield _line("same", row.old, row.text), _line("same", row.new, row.text)
        elif row.old is not None:
            removed.append(row)
        else:
            added.append(row)
    yield from _replaced(removed, added)


def _replaced(removed: Sequence[DiffLine], added: Sequence[DiffLine]) -> Iterator[tuple[Line, Line]]:
    i = j = 0
    nothing = Line("none")
    for p, q in [*_alike(removed, added), (len(removed), len(added))]:
        # What is only on one side goes opposite to what is only on the other.
        for n in range(max(p - i, q - j)):
            old = _line("old", removed[i + n].old, removed[i + n].text) if i + n < p else nothing
            new = _line("new", added[j + n].new, added[j + n].text) if j + n < q else nothing
            yield old, new
        if p < len(removed) and q < len(added):
            yield _marked(removed[p], added[q])
        i, j = p + 1, q + 1


def _alike(removed: Sequence[DiffLine], added: Sequence[DiffLine]) -> list[tuple[int, int]]:
    """The pairs of lines that are alike, in order, so that their likeness is greatest in all."""
    if not removed or not added:
        return []
    if len(removed) * len(added) > MOST_PAIRED:
        return [(n, n) for n in range(min(len(removed), len(added)))]
    from rapidfuzz.distance import Indel

    scores = [[Indel.normalized_similarity(a.text.strip(), b.text.strip()) for b in added] for a in removed]
    best = [[0.0] * (len(added) + 1) for _ in range(len(removed) + 1)]
    for i in range(len(removed) - 1, -1, -1):
        for j in range(len(added) - 1, -1, -1):
            paired = scores[i][j] + best[i + 1][j + 1] if _fit(removed[i], added[j], scores[i][j]) else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(removed) and j < len(added):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((i, j))
            i, j = i + 1, j + 1
    return pairs


def _fit(a: DiffLine, b: DiffLine, score: float) -> bool:
    return bool(a.text.strip()) == bool(b.text.strip()) and score >= ALIKE


def _line(kind: str, number: int | None, text: str) -> Line:
    beginning, more = shortened(text)
    return Line(kind, number, ((False, beginning),) if beginning else (), more)


def _marked(old: DiffLine, new: DiffLine) -> tuple[Line, Line]:
    (before, before_cut), (after, after_cut) = shortened(old.text), shortened(new.text)
    a, b = _words(before, after)
    return Line("old", old.old, a, before_cut), Line("new", new.new, b, after_cut)


def _words(before: str, after: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Both lines in parts, those marked that are in one of them only, by words."""
    a, b = _TOKEN.findall(before), _TOKEN.findall(after)
    if len(a) > MOST_TOKENS or len(b) > MOST_TOKENS:
        return ((True, before),), ((True, after),)
    old: list[Part] = []
    new: list[Part] = []
    for tag, i, j, k, m in SequenceMatcher(a=a, b=b, autojunk=False).get_opcodes():
        marked = tag != "equal"
        old.append((marked, "".join(a[i:j])))
        new.append((marked, "".join(b[k:m])))
    return tuple(part for part in old if part[1]), tuple(part for part in new if part[1])


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    def shown(value: object) -> object:
        # Every value of the page goes through here, so none can be forgotten; what macros give has been here before.
        return escaped(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.from_string(_beside("drift.html.jinja"))


@cache
def _style() -> str:
    return _beside("drift.css")


@cache
def _script() -> str:
    return _beside("drift.js")


def _beside(name: str) -> str:
    return (resources.files("claimcheck.reports") / name).read_bytes().decode("utf-8")


def _digest(text: str) -> str:
    """The digest by which a policy allows an element with exactly this text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
