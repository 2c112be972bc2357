"""What the page of a drift shows, as values: articles to read, their sentences and regions, documents, what carried."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from claimcheck.drift import AnchorDrift, Drift, RegionDrift
from claimcheck.drift_details import AnchorDetail, Near, RegionDetail, Upstream
from claimcheck.model import Revision, Vendor, is_place
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
from claimcheck.phrases import counted, listed
from claimcheck.reports.drift_hunks import Block, Column, Sides, blocks, line, short
from claimcheck.reports.drift_sentences import UNCITED, Sentence, documents_of, natural, sentences_of
from claimcheck.reports.drift_words import change, label, lost_strings, plan, revision, word
from claimcheck.values import frozen

FILTERS = (("deleted", "deleted"), ("ambiguous", "ambiguous"), ("edited", "edited"), ("open", "not compared"))


@frozen
class Candidate:
    """A place that might be meant, with its lines."""

    place: str
    column: Column | None


@frozen
class Region:
    """One region as the page shows it."""

    name: str
    word: str
    meaning: str
    change: str
    old: str
    new: str
    symbol: str
    notes: tuple[str, ...]
    to_read: bool
    remarks: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    candidates_title: str = ""
    no_link: str = ""
    upstream: Upstream | None = None


@frozen
class Article:
    """One anchor to read. `key` tells this change from every other, so that a tick means this one."""

    id: str
    fragment: str
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

    @property
    def cited_in(self) -> tuple[str, ...]:
        """The documents that cite it."""
        return tuple(name for name in self.documents if name != UNCITED)

    @property
    def needs_bump(self) -> bool:
        """Whether its command is one for what a bump has held."""
        return not is_place(self.id)


@frozen
class Document:
    """A document with the anchors to read that its sentences cite, each with those sentences' IDs."""

    name: str
    rows: tuple[tuple[Article, str], ...]


@frozen
class Kept:
    """An anchor that carried over."""

    id: str
    fragment: str
    word: str
    meaning: str
    places: tuple[tuple[str, str], ...]


@frozen
class Page:
    """The whole page.

    `no_link` and `upstream` are said once where they are the same for every region; `bump` is empty where no anchor of
    the registry is shown.
    """

    title: str
    headline: str
    vendor: str
    origin: str
    target: str
    plan: str
    files: str
    nothing: str
    bump: str
    bump_does: str
    again: str
    articles: tuple[Article, ...]
    documents: tuple[Document, ...]
    touched: tuple[tuple[str, int], ...]
    filters: tuple[tuple[str, str, int], ...]
    carried: tuple[Kept, ...]
    carried_counts: str
    words: tuple[tuple[str, str], ...]
    no_link: str = ""
    upstream: Upstream | None = None


def page_of(drift: Drift, vendor: Vendor, found: Sequence[AnchorDetail]) -> Page:
    """The page; `found` has the details of every anchor to read."""
    articles = tuple(_article(drift, vendor, detail) for detail in found)
    documents = tuple(_documents(articles))
    headline = f"{len(found)} to read" if found else "Nothing to read"
    command = f"claimcheck {{}} {drift.vendor} {revision(drift.target)}"
    asked = [one.id for one in drift.anchors if is_place(one.id)]
    again = " ".join([command.format("drift"), *map(shlex.quote, asked)])
    page = Page(
        title=f"{headline}: {drift.vendor} {label(drift.origin)} -> {drift.target.label}",
        headline=headline,
        vendor=drift.vendor,
        origin=label(drift.origin),
        target=drift.target.label,
        plan=plan(drift),
        files=f"{drift.changed_files} of the {counted(drift.files, 'cited file')} changed",
        nothing=_if_nobody_acts(drift),
        bump=f"{command.format('bump')} --hold" if len(asked) < len(drift.anchors) else "",
        bump_does=_bump_does(drift),
        again=f"{again} --format html -o drift.html",
        articles=articles,
        documents=documents,
        touched=tuple((one.name, len(one.rows)) for one in documents if one.name != UNCITED),
        filters=tuple((key, name, sum(key in one.kinds for one in articles)) for key, name in FILTERS),
        carried=tuple(map(_kept, drift.carried)),
        carried_counts=_counts(drift.carried),
        words=WORDS,
    )
    return _said_once(page)


def _said_once(page: Page) -> Page:
    """The page with what every region would say of links and history said once, if there are several."""
    regions = [region for article in page.articles for region in article.regions if region.to_read]
    if len(regions) < 2:
        return page
    links = {region.no_link for region in regions}
    histories = {region.upstream for region in regions}
    link = links.pop() if len(links) == 1 else ""
    history = histories.pop() if len(histories) == 1 else None
    history = history if history and not history.commits else None
    articles = tuple(
        replace(
            article,
            regions=tuple(
                replace(region, no_link="" if link else region.no_link, upstream=None if history else region.upstream)
                for region in article.regions
            ),
        )
        for article in page.articles
    )
    return replace(page, articles=articles, no_link=link, upstream=history)


def _if_nobody_acts(drift: Drift) -> str:
    return (
        f"If nobody acts, the documents keep citing {drift.vendor} at {short(drift.origin)}, and verify says of them what "
        "it said before. This report has changed nothing."
    )


def _bump_does(drift: Drift) -> str:
    return (
        f"carries {len(drift.carried)} over; what is to be read stays at the commit where it is cited until somebody has "
        "reviewed it"
    )


def _counts(carried: Sequence[AnchorDrift]) -> str:
    words = [word(one.outcome) for one in carried]
    return ", ".join(f"{words.count(name)} {name}" for name in dict.fromkeys(words))


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


WORDS = (
    ("unchanged", "The same text on the same lines. Nobody has to read it."),
    ("moved", "The same text on other lines or in another file. Nobody has to read it."),
    ("cosmetic", "Only spaces, comments or documentation changed; the code is the same."),
    ("edited", "The text changed: what was said of it may not be true any more. Old and new are shown."),
    ("located", "Found by its strings; the text that was cited is not here, so nothing was compared."),
    ("ambiguous", "Several places fit equally well; none was chosen. A person says which one, or that none is."),
    ("deleted", "Its text is gone. A place that has a part of it may be named, never as the answer."),
    ("unavailable", "It could not be looked at, so nothing is known of it."),
    ("holds", "The checks of this sentence were run at the new revision, and it holds there."),
    ("held and fails now", "Its checks held where it is cited, and one of them fails at the new revision."),
    ("cannot be said", "A check of this sentence could not be answered at the new revision."),
    ("not tested", "No check of this sentence was run. Only a person can say whether it still holds."),
)


def _article(drift: Drift, vendor: Vendor, detail: AnchorDetail) -> Article:
    one = detail.one
    regions = tuple(_region(drift, vendor, one, region) for region in detail.regions)
    symbols = dict.fromkeys(name for part in detail.regions for name in part.changes.symbols)
    read = [region for region in one.regions if not region.carries]
    worst = word(one.outcome) if read or one.broken or one.lost else "split"
    said = meaning(one.outcome) if read else f"Its regions are in {len(one.paths)} files now; an anchor has one."
    if one.lost:
        said = f"The same text, but {lost_strings(one)}."
    if one.broken:
        said = f"The same text, but {listed(one.broken)} held and does not hold any more."
    sentences = sentences_of(one, drift.lessons)
    return Article(
        id=one.id,
        fragment=_fragment(one.id),
        word=worst,
        meaning=said,
        kinds=tuple(dict.fromkeys(_kind(region.outcome) for region in read)) or ("edited",),
        change=_change(read),
        symbols=", ".join(symbols),
        regions=regions,
        sentences=sentences,
        documents=documents_of(sentences),
        origin=short(one.origin),
        key=_key(drift, one),
        command=_command(drift, one),
    )


def _fragment(id: str) -> str:
    """What an address has after `#` to lead to an anchor: its ID; of a place only what needs no escape."""
    return re.sub(r"[^\w./:,-]", "_", id) if is_place(id) else id


def _command(drift: Drift, one: AnchorDrift) -> str:
    """The command that settles an anchor once the vendor was bumped; of a place the one that shows it."""
    if is_place(one.id):
        return f"claimcheck drift {drift.vendor} {revision(drift.target)} {shlex.quote(one.id)}"
    return f"claimcheck review --held {one.id}"


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


def _documents(articles: Sequence[Article]) -> list[Document]:
    names = sorted({name for article in articles for name in article.documents}, key=natural)
    return [
        Document(
            name,
            tuple((one, _ids(one, name)) for one in articles if name in one.documents),
        )
        for name in names
    ]


def _ids(article: Article, document: str) -> str:
    return " ".join(sentence.id for sentence in article.sentences if sentence.document == document)


def _kept(one: AnchorDrift) -> Kept:
    places = tuple(
        (f"{region.path}:{region.lines}", f"{region.spot.path}:{region.spot.lines}" if region.spot else "")
        for region in one.regions
    )
    return Kept(one.id, _fragment(one.id), word(one.outcome), meaning(one.outcome), places)


def _region(drift: Drift, vendor: Vendor, one: AnchorDrift, detail: RegionDetail) -> Region:
    region, outcome = detail.region, detail.region.outcome
    sides = Sides(drift, vendor, one, region)
    return Region(
        name=f"region {region.number} of {len(one.regions)}" if len(one.regions) > 1 else "lines",
        word=word(outcome),
        meaning=meaning(outcome),
        change=change(region, detail.changes),
        old=f"{region.path} {region.lines}",
        new=_new_place(region),
        symbol=(region.spot.symbol or "") if region.spot else "",
        notes=tuple(_notes(detail)),
        to_read=not region.carries,
        remarks=tuple(_remarks(outcome)),
        blocks=() if region.carries else tuple(blocks(sides, detail.comparison.rows)),
        candidates=tuple(_candidate(sides, near) for near in detail.near),
        candidates_title=_candidates_title(detail),
        no_link="" if region.carries else sides.no_link,
        upstream=detail.upstream,
    )


def _new_place(region: RegionDrift) -> str:
    spot = region.spot
    if spot is None:
        return ""
    if spot.path != region.path:
        return f"{spot.path} {spot.lines}"
    return "" if spot.lines == region.lines else str(spot.lines)


def _notes(detail: RegionDetail) -> Iterator[str]:
    """What else is known of a definition that changed."""
    if detail.changes.was:
        yield f"it was called {detail.changes.was}"
    if detail.changes.head:
        yield detail.changes.head


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


def _candidates_title(detail: RegionDetail) -> str:
    if not isinstance(detail.region.outcome, Deleted):
        return "Any of these"
    strings = [f"`{near.string}`" for near in detail.near if near.string]
    stand = f": {listed(strings)} now {'stands' if len(strings) == 1 else 'stand'} here" if strings else ""
    return f"A trail, not an answer{stand}"


def _candidate(sides: Sides, near: Near) -> Candidate:
    numbered = enumerate(near.lines, near.first)
    lines = tuple(line("same" if n in near.place.lines else "around", n, text) for n, text in numbered)
    place = f"{near.place.path}:{near.place.lines}"
    if not lines:
        return Candidate(place, None)
    column = sides.column("new", lines, near.place.path)
    return Candidate(place, replace(column, place=f"{column.place}, {near.symbol}") if near.symbol else column)
