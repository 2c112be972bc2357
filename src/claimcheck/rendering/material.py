"""What pages say about the entries of a registry: contents made from what one run has seen.

An anchor is shown when it is verified. What a waiver accepts is shown as far as it is there, with the waiver's reason
for the rest. Anything else is a reason for the page not to be made; `findings_about` says what there is to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from claimcheck.documents import Block
from claimcheck.excerpts import Excerpt, ExcerptRegion, Seen, hidden_places, language_of, ranges_label
from claimcheck.finding import Effect, Finding
from claimcheck.footnotes import Citation, CitedRegion
from claimcheck.forges import NoLink
from claimcheck.model import Anchor, Claim, Erratum, Example, Registry, Revision
from claimcheck.outcome import Extent
from claimcheck.rendering.contents import (
    AnchorEntry,
    CitedId,
    CitedLines,
    ClaimItem,
    ClaimsContent,
    CodeRegion,
    ErrataContent,
    ErratumItem,
    ExampleContent,
    ExampleData,
    ExampleTable,
    ExcerptContent,
    FootnotesContent,
    HiddenCharacter,
    Input,
    Lead,
    MissingRegion,
    Note,
    Origin,
    PinsContent,
    Reference,
    TableData,
)
from claimcheck.rendering.folding import stretches
from claimcheck.rendering.plan import Plan, Shown
from claimcheck.showing import citation_of, excerpt_of, placed
from claimcheck.terminal import escaped
from claimcheck.values import frozen
from claimcheck.verification import Status, Verification

LETTERS = "abcdefghijklmnopqrstuvwxyz"
STATES: Mapping[Status, str] = {
    Status.VERIFIED: "holds",
    Status.FAILED: "fails",
    Status.UNVERIFIED: "unverified",
    Status.UNTESTED: "untested",
    Status.WAIVED: "waived",
}
MOST_SYMBOLS = 4
_MOST_HIDDEN = 5
_MOST_HIDDEN_PLACES = 3


@frozen(slots=False)
class Material:
    """The contents of blocks, for the documents of one run. Excerpts are cut once each."""

    verification: Verification
    _reasons: Mapping[str, list[Finding]]
    _excerpts: dict[str, Excerpt] = field(default_factory=dict)
    _citations: dict[str, Citation] = field(default_factory=dict)

    @classmethod
    def of(cls, verification: Verification) -> Material:
        reasons: dict[str, list[Finding]] = {}
        for finding in verification.findings:
            if finding.effect is not Effect.NONE:
                reasons.setdefault(finding.subject, []).append(finding)
        return cls(verification, reasons)

    @property
    def registry(self) -> Registry:
        return self.verification.corpus.registry

    @property
    def findings(self) -> Sequence[Finding]:
        return self.verification.findings

    def findings_about(self, ids: Iterable[str]) -> list[Finding]:
        """Why anchors cannot be shown: findings that no waiver accepts, the vendors' own where it is theirs."""
        corpus = self.verification.corpus
        found: list[Finding] = []
        for id in ids:
            sighting = corpus.sightings.get(id)
            if sighting is None or self.verification.anchors[id] in (Status.VERIFIED, Status.WAIVED):
                continue
            own = [finding for finding in self._reasons.get(id, []) if finding.waiver is None]
            found += own or [one for one in self._reasons.get(sighting.anchor.vendor, []) if one.waiver is None]
        return list(dict.fromkeys(found))

    def excerpt(self, block: Block, page: Plan, *, has_notes: bool, most: int | None) -> ExcerptContent:
        """The code behind the anchor that a block names; `most` lines are shown unless the block says another number."""
        id = block.ids[0]
        options = block.options
        region = int(options["region"]) if "region" in options else None
        lines = int(options["lines"]) if "lines" in options else most
        content = self._excerpt(id, region, lines)
        return replace(
            content,
            element=page.excerpts[id] if page.first_excerpts[id] == block.opening.start else "",
            note_href=f"#{page.note(id)}" if has_notes and id in page.notes else "",
            caption=options.get("caption", ""),
            print_full=options.get("print") == "full",
            style=options.get("style", "plain"),
        )

    def _excerpt(self, id: str, region: int | None, lines: int | None) -> ExcerptContent:
        anchor = self.registry.anchors[id]
        excerpt = self._cut(id)
        wanted = range(max(1, len(anchor.regions))) if region is None else range(region - 1, region)
        if excerpt is None:
            origin, path = self._origin_unseen(anchor), anchor.path
            regions = [_missing_region(anchor, index, "") for index in wanted] if anchor.regions else []
            return ExcerptContent(id, "", "", origin, path, "", tuple(regions), missing=self._reason(id))
        indent = _common_indent(line for each in excerpt.regions for line in each.text)
        there = dict(zip(placed(self.verification.corpus.sightings[id]), excerpt.regions, strict=True))
        marks = tuple(escaped(string) for string in anchor.strings)
        found: list[CodeRegion] = []
        for index in wanted:
            if index not in there:
                found.append(_missing_region(anchor, index, self._reason(id)))
                continue
            before = there.get(index - 1) if index - 1 in wanted else None
            found.append(_code_region(index, there[index], before, len(indent), marks, lines, excerpt.seen))
        hidden = tuple(
            HiddenCharacter(
                label, ", ".join(at[:_MOST_HIDDEN_PLACES]) + (" …" if len(at) > _MOST_HIDDEN_PLACES else "")
            )
            for label, at in hidden_places(excerpt)[:_MOST_HIDDEN]
        )
        return ExcerptContent(
            id,
            element="",
            note_href="",
            origin=_origin(excerpt.seen),
            path=excerpt.seen.path,
            language=excerpt.language or "",
            regions=tuple(found),
            whole=excerpt.seen.whole,
            swhid=f"swh:1:cnt:{excerpt.blob}",
            hidden=hidden,
            decoded=excerpt.note or "",
        )

    def footnotes(self, title: str, heading: str, page: Plan, style: str = "plain") -> FootnotesContent:
        """A note for every ID that the page cites and does not show itself."""
        notes = [self._note(number, id, page) for number, id in enumerate(page.notes, 1)]
        return FootnotesContent(title, heading, tuple(notes), style)

    def _note(self, number: int, id: str, page: Plan) -> Note:
        references = tuple(
            Reference(_letter(index), f"#{element}") for index, element in enumerate(page.references[id])
        )
        registry = self.registry
        element = page.note(id)
        if id not in registry.anchors:
            return Note(number, id, element, text=_said(registry.entries[id]), references=references)
        anchor = registry.anchors[id]
        code_href = f"#{page.excerpts[id]}" if id in page.excerpts else ""
        citation = self._cite(id)
        if citation is None:
            return Note(
                number,
                id,
                element,
                self._origin_unseen(anchor),
                anchor.path,
                recorded=ranges_label([region.lines for region in anchor.regions]),
                missing=self._reason(id),
                code_href=code_href,
                references=references,
            )
        seen = citation.seen
        return Note(
            number,
            id,
            element,
            _origin(seen),
            seen.path,
            whole=seen.whole,
            regions=tuple(_cited_lines(region) for region in citation.regions),
            recorded="" if seen.at_pin else _recorded_label(citation),
            swhid=f"swh:1:cnt:{citation.blob}",
            review=registry.review_of(anchor).value if seen.at_pin else "",
            missing=self._reason(id) if self._missing_regions(anchor) else "",
            missing_regions=self._missing_regions(anchor),
            code_href=code_href,
            references=references,
        )

    def anchor(self, id: str, cited_in: tuple[Lead, ...]) -> AnchorEntry:
        """An anchor as the index of a site has it."""
        anchor = self.registry.anchors[id]
        citation = self._cite(id)
        if citation is None:
            recorded = ranges_label([region.lines for region in anchor.regions])
            origin = self._origin_unseen(anchor)
            return AnchorEntry(id, origin, anchor.path, (), recorded, "", self._reason(id), (), cited_in)
        seen = citation.seen
        return AnchorEntry(
            id,
            _origin(seen),
            seen.path,
            tuple(_cited_lines(region) for region in citation.regions),
            "" if seen.at_pin else _recorded_label(citation),
            self.registry.review_of(anchor).value if seen.at_pin else "",
            self._reason(id) if self._missing_regions(anchor) else "",
            self._missing_regions(anchor),
            cited_in,
        )

    def claims(self, block: Block, title: str, heading: str, page: Plan, *, has_notes: bool) -> ClaimsContent:
        registry = self.registry
        shown = page.blocks[block.opening.start]
        items = []
        for id, where in shown.items():
            claim = registry.claims[id]
            items.append(
                ClaimItem(
                    id,
                    where.element,
                    claim.text,
                    self._state(claim),
                    f"basis-{claim.basis.value}",
                    _cites(where, claim.cites, page, has_notes),
                    tuple(caveat.text for caveat in claim.caveats),
                    claim.note or "",
                )
            )
        return ClaimsContent(block.ids[0], title, heading, tuple(items))

    def _state(self, claim: Claim) -> str:
        state = STATES[self.verification.claims.get(claim.id, Status.UNVERIFIED)]
        return "caveats" if state == "holds" and claim.caveats else state

    def example(self, block: Block, page: Plan, *, has_notes: bool) -> ExampleContent:
        example = self.registry.examples[block.ids[0]]
        where = page.blocks[block.opening.start][example.id]
        tables = tuple(TableData(table.caption, table.columns, table.rows) for table in example.tables)
        return ExampleContent(
            example.id,
            where.element,
            block.options.get("title", "") or example.title,
            example.assumptions,
            tuple(_input(name, value) for name, value in example.inputs.items()),
            tuple(_table(table) for table in tables),
            _cites(where, example.cites, page, has_notes),
            ExampleData(_plain_mapping(example.inputs), tables),
        )

    def errata(self, block: Block, title: str, heading: str, page: Plan, *, has_notes: bool) -> ErrataContent:
        registry = self.registry
        items = []
        for id, where in page.blocks[block.opening.start].items():
            erratum = registry.errata[id]
            items.append(
                ErratumItem(
                    id,
                    where.element,
                    erratum.lesson.rpartition("/")[2],
                    ranges_label(erratum.lines),
                    erratum.quote,
                    erratum.wrong,
                    erratum.instead,
                    _cites(where, erratum.cites, page, has_notes),
                )
            )
        return ErrataContent(title if items else "", heading, tuple(items))

    def pins(self, block: Block | None, page: Plan, lessons: Sequence[str]) -> PinsContent:
        """Where the page's sources were looked at: of the vendors that the block names, else of all that it cites."""
        corpus = self.verification.corpus
        registry = corpus.registry
        anchors = [registry.anchors[id] for id in page.notes if id in registry.anchors]
        names = block.ids if block is not None else ()
        vendors = [name for name in registry.vendors if any(anchor.vendor == name for anchor in anchors)]
        origins: list[Origin] = []
        for vendor in names or vendors:
            own = [anchor for anchor in anchors if anchor.vendor == vendor]
            origins += dict.fromkeys(self._origin_of(anchor) for anchor in own)
        claims = sum(claim.lesson in lessons for claim in registry.claims.values())
        return PinsContent(tuple(dict.fromkeys(origins)), len(anchors), claims)

    def _origin_of(self, anchor: Anchor) -> Origin:
        citation = self._cite(anchor.id)
        return self._origin_unseen(anchor) if citation is None else _origin(citation.seen)

    def _origin_unseen(self, anchor: Anchor) -> Origin:
        """The state that was to be looked at, of an anchor that is not there."""
        corpus = self.verification.corpus
        sighting = corpus.sightings[anchor.id]
        pin = corpus.registry.pin_of(anchor)
        revision = sighting.revision or Revision(pin.text)
        return _origin(Seen(anchor.id, anchor.vendor, revision, pin, anchor.path, anchor.path, anchor.whole_file))

    def _reason(self, id: str) -> str:
        """Why an anchor, or a region of it, has no text, in the words of the waivers that accept it."""
        waivers = [finding.waiver for finding in self._reasons.get(id, [])]
        waived = [waiver.reason for waiver in waivers if waiver is not None]
        return "; ".join(dict.fromkeys(waived))

    def _missing_regions(self, anchor: Anchor) -> tuple[MissingRegion, ...]:
        """The regions of an anchor that have no place, where others have one."""
        there = placed(self.verification.corpus.sightings[anchor.id])
        return tuple(
            MissingRegion(index + 1, str(region.lines))
            for index, region in enumerate(anchor.regions)
            if there and index not in there
        )

    def _cut(self, id: str) -> Excerpt | None:
        sighting = self.verification.corpus.sightings[id]
        if id not in self._excerpts and sighting.spots:
            self._excerpts[id] = excerpt_of(self.verification.corpus, sighting)
        return self._excerpts.get(id)

    def _cite(self, id: str) -> Citation | None:
        sighting = self.verification.corpus.sightings[id]
        if id not in self._citations and sighting.spots:
            self._citations[id] = citation_of(self.verification.corpus, sighting)
        return self._citations.get(id)


def _origin(seen: Seen) -> Origin:
    release = seen.revision.release
    return Origin(
        seen.vendor,
        seen.revision.label,
        archive=release.sha256[:4] if release else None,
        stands_in_for=seen.pin.short if seen.stand_in else "",
        pinned_at="" if seen.at_pin or seen.stand_in else seen.pin.short,
    )


def _code_region(
    index: int,
    region: ExcerptRegion,
    before: ExcerptRegion | None,
    indent: int,
    marks: Sequence[str],
    lines: int | None,
    seen: Seen,
) -> CodeRegion:
    texts = tuple(escaped(line[indent:]) for line in region.text)
    hits = [
        first
        for mark in marks
        if (first := next((n for n, text in enumerate(texts) if mark in text), None)) is not None
    ]
    return CodeRegion(
        number=index + 1,
        first=region.lines.first,
        last=region.lines.last,
        texts=texts,
        stretches=stretches(texts, region.lines.first, hits, lines, language_of(seen.path) or ""),
        label=str(region.lines),
        marks=tuple(marks),
        symbols=region.symbols[:MOST_SYMBOLS],
        more_symbols=max(0, len(region.symbols) - MOST_SYMBOLS),
        gap=max(0, region.lines.first - before.lines.last - 1) if before else 0,
        recorded=str(region.recorded) if region.recorded and region.recorded != region.lines else "",
        link=region.link if isinstance(region.link, str) else "",
        remark="guessed"
        if region.extent is Extent.GUESSED and not seen.whole
        else region.outcome
        if region.differs
        else "",
    )


def _missing_region(anchor: Anchor, index: int, reason: str) -> CodeRegion:
    lines = anchor.regions[index].lines
    return CodeRegion(index + 1, lines.first, lines.last, (), (), str(lines), recorded=str(lines), missing=reason)


def _common_indent(lines: Iterable[str]) -> str:
    """The blanks that every line begins with, but for those that have nothing else."""
    common: str | None = None
    for line in lines:
        bare = line.lstrip(" \t")
        if not bare:
            continue
        own = line[: len(line) - len(bare)]
        if common is None:
            common = own
        while not own.startswith(common):
            common = common[:-1]
    return common or ""


def _cited_lines(region: CitedRegion) -> CitedLines:
    return CitedLines(
        "" if region.lines is None else str(region.lines),
        "" if isinstance(region.link, NoLink) else region.link,
    )


def _recorded_label(citation: Citation) -> str:
    """Where the registry has it, if that is not where it was seen."""
    seen = citation.seen
    if seen.path == seen.recorded_path and citation.recorded == citation.ranges:
        return ""
    path = "" if seen.path == seen.recorded_path else seen.recorded_path
    return f"{path} {ranges_label(citation.recorded)}".strip()


def _cites(where: Shown, cites: Sequence[str], page: Plan, has_notes: bool) -> tuple[CitedId, ...]:
    return tuple(
        CitedId(id, f"#{target}" if (target := page.target(id, has_notes)) else "", where.cites.get(id, ""))
        for id in cites
    )


def _letter(index: int) -> str:
    """a, b … z, aa, ab …"""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, len(LETTERS))
        letters = LETTERS[rest] + letters
    return letters


def _said(entry: Anchor | Claim | Example | Erratum) -> str:
    match entry:
        case Claim():
            return entry.text
        case Example():
            return entry.title
        case Erratum():
            return entry.instead
        case Anchor():
            return entry.path


def _table(table: TableData) -> ExampleTable:
    rows = tuple(tuple(value_text(value) for value in row) for row in table.rows)
    numeric = tuple(
        all(_is_number(row[column]) for row in table.rows if column < len(row)) and bool(table.rows)
        for column in range(len(table.columns))
    )
    return ExampleTable(table.caption, table.columns, rows, numeric)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _input(name: str, value: object) -> Input:
    table = _as_table(name, value)
    return Input(name, "" if table else value_text(value), table)


def _as_table(name: str, value: object) -> ExampleTable | None:
    """A list of things that have their properties in common, as a table of them."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return None
    rows = [row for row in value if isinstance(row, Mapping)]
    columns = list(rows[0]) if rows else []
    if len(rows) < len(value) or not columns or any(list(row) != columns for row in rows):
        return None
    return _table(TableData(name, tuple(columns), tuple(tuple(row.values()) for row in rows)))


def value_text(value: object) -> str:
    """A value of the registry as a reader takes it in: `[2, 1, 3]`, `A: [7, 2], B: [8]`, texts without quotes."""
    if isinstance(value, str):
        return value
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_inner(item)}" for key, item in value.items())
    if isinstance(value, Sequence):
        return f"[{', '.join(_inner(item) for item in value)}]"
    return str(value)


def _inner(value: object) -> str:
    return f"{{{value_text(value)}}}" if isinstance(value, Mapping) else value_text(value)


def _plain_mapping(values: Mapping[str, object]) -> dict[str, object]:
    return {name: _plain(value) for name, value in values.items()}


def _plain(value: object) -> object:
    """Numbers, texts, tuples and dictionaries only, so that nothing else gets into a template."""
    if isinstance(value, str | int | float) or value is None:
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        return tuple(_plain(item) for item in value)
    return str(value)
