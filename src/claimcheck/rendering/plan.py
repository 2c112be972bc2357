"""Where things stand in a page: which notes it has, in which order, who leads to whom, and the ids of its elements.

An id is made of the page's key, what it is, and the ID from the registry: `V2.note.V-POOL`, `V2.ref.V-POOL.1`. A key
has no dot, so no two of them meet, also when several pages are joined to one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from claimcheck.documents import Block, Citation, Document
from claimcheck.library import belongs
from claimcheck.model import Anchor, Registry
from claimcheck.terminal import shown
from claimcheck.values import frozen

_NOT_IN_A_KEY = re.compile(r"[^A-Za-z0-9]+")
_OUR_LINK = re.compile(r"<a\b[^>]*\bcc-cite\b[^>]*>", re.IGNORECASE)


@frozen
class Shown:
    """An entry that a block of the page shows: the element it is in, and an element for each ID that it cites there.

    A block that shows it once more has no ids to give, and neither has one without a number of its own.
    """

    element: str
    cites: Mapping[str, str]


@frozen
class Plan:
    """The notes of a page and the ids of its elements.

    `notes` has each ID with a note of its own, in the order in which the page comes to it; `references` the elements
    that lead to it. `blocks` says of each block, by its place in the document, what it shows.
    """

    key: str
    notes: tuple[str, ...]
    references: Mapping[str, tuple[str, ...]]
    shown: Mapping[str, str]
    excerpts: Mapping[str, str]
    first_excerpts: Mapping[str, int]
    blocks: Mapping[int, Mapping[str, Shown]]
    citations: Mapping[int, str]

    def note(self, id: str) -> str:
        """The element of an ID's note."""
        return f"{self.key}.note.{id}"

    def target(self, id: str, has_notes: bool) -> str | None:
        """The element to which a citation of an ID leads, if the page has one."""
        if id in self.shown:
            return self.shown[id]
        if has_notes and id in self.notes:
            return self.note(id)
        return self.excerpts.get(id)


def keys_of(paths: Sequence[str]) -> dict[str, str]:
    """A key for each document: its file's name, and as much of the folders as tells it from the others."""
    keys: dict[str, str] = {}
    forms = (lambda path: PurePosixPath(path).stem, lambda path: str(PurePosixPath(path).with_suffix("")), str)
    left = list(paths)
    for form in forms:
        named = {path: _NOT_IN_A_KEY.sub("-", form(path)).strip("-") for path in left}
        counts: dict[str, int] = {}
        for key in [*named.values(), *keys.values()]:
            counts[key.lower()] = counts.get(key.lower(), 0) + 1
        keys |= {path: key for path, key in named.items() if key and counts[key.lower()] == 1}
        left = [path for path in left if path not in keys]
    # What is left differs in signs only; its position tells it apart.
    for number, path in enumerate(left, 1):
        keys[path] = f"page-{number}"
    return keys


def plan(document: Document, registry: Registry, key: str, lessons: Sequence[str]) -> Plan:
    """What the page of a document comes to. `lessons` are those that the document belongs to."""
    key = _free_key(document, key)
    notes: dict[str, list[str]] = {}
    shown: dict[str, str] = {}
    excerpts: dict[str, str] = {}
    firsts: dict[str, int] = {}
    blocks: dict[int, dict[str, Shown]] = {}
    citations: dict[int, str] = {}
    counts: dict[str, int] = {}
    for block in document.blocks:
        for id in ids_shown(block, registry, lessons):
            shown.setdefault(id, f"{key}.{id}")
    seen: set[str] = set()
    for item in _in_order(document):
        if isinstance(item, Citation):
            elements = notes.setdefault(item.id, [])
            counts[item.id] = counts.get(item.id, 0) + 1
            citations[item.start] = f"{key}.ref.{item.id}.{counts[item.id]}"
            elements.append(citations[item.start])
        elif item.kind == "excerpt":
            for id in item.ids:
                notes.setdefault(id, [])
                excerpts.setdefault(id, f"{key}.code.{id}")
                firsts.setdefault(id, item.opening.start)
        else:
            there = blocks.setdefault(item.opening.start, {})
            for id in ids_shown(item, registry, lessons):
                there[id] = _shown(registry, key, id, notes, again=id in seen)
                seen.add(id)
    own = {id: tuple(elements) for id, elements in notes.items()}
    return Plan(key, tuple(id for id in own if id not in shown), own, shown, excerpts, firsts, blocks, citations)


def _shown(registry: Registry, key: str, id: str, notes: dict[str, list[str]], *, again: bool) -> Shown:
    cites: dict[str, str] = {}
    entry = registry.entries[id]
    for cited in () if isinstance(entry, Anchor) else entry.cites:
        elements = notes.setdefault(cited, [])
        if not again:
            cites[cited] = f"{key}.by.{id}.{cited}"
            elements.append(cites[cited])
    return Shown("" if again else f"{key}.{id}", cites)


def ids_shown(block: Block, registry: Registry, lessons: Collection[str]) -> list[str]:
    """The claims, examples and corrections that a block shows; IDs that nothing has are left out."""
    if block.kind == "claims":
        return [id for id, claim in registry.claims.items() if claim.lesson in block.ids]
    if block.kind == "example":
        return [id for id in block.ids if id in registry.examples]
    if block.kind == "errata":
        return _errata(block, registry, lessons)
    return []


def _errata(block: Block, registry: Registry, lessons: Collection[str]) -> list[str]:
    """Those that are named, by ID or by lesson; without a name those that rest on what the document's lessons cite."""
    if block.ids:
        return [id for id, erratum in registry.errata.items() if id in block.ids or erratum.lesson in block.ids]
    cited = {id for claim in registry.claims.values() if claim.lesson in lessons for id in claim.cites}
    return [
        id
        for id, erratum in registry.errata.items()
        if erratum.lesson in lessons or not cited.isdisjoint(erratum.cites)
    ]


def lessons_of(document: Document, registry: Registry) -> tuple[str, ...]:
    """The lessons with claims that a document belongs to."""
    known = dict.fromkeys(claim.lesson for claim in registry.claims.values() if claim.lesson)
    return tuple(lesson for lesson in known if belongs(document, lesson))


def unfillable(block: Block, registry: Registry) -> str | None:
    """Why a block cannot be filled, whatever the sources say; unknown IDs are not told here."""
    match block.kind:
        case "excerpt" if block.ids[0] in registry.anchors:
            count = max(1, len(registry.anchors[block.ids[0]].regions))
            number = int(block.options.get("region", 1))
            has = "one region" if count == 1 else f"{count} regions"
            return f"{block.ids[0]} has {has}; there is no region {number}" if number > count else None
        case "excerpt" if block.ids[0] in registry.entries:
            return f"{block.ids[0]} is no anchor"
        case "example" if block.ids[0] in registry.entries and block.ids[0] not in registry.examples:
            return f"{block.ids[0]} is no example"
        case "claims" if not any(claim.lesson == block.ids[0] for claim in registry.claims.values()):
            return f"no claim is of a lesson {shown(block.ids[0])}"
        case "pins":
            unknown = [name for name in block.ids if name not in registry.vendors]
            return f"no vendor is called {shown(unknown[0])}" if unknown else None
        case "errata":
            lessons = {erratum.lesson for erratum in registry.errata.values()}
            unknown = [id for id in block.ids if id not in registry.errata and id not in lessons]
            return f"no correction is or is of {shown(unknown[0])}" if unknown else None
    return None


def _in_order(document: Document) -> Iterator[Citation | Block]:
    items: list[Citation | Block] = [*document.citations, *document.blocks]
    yield from sorted(items, key=lambda item: item.start if isinstance(item, Citation) else item.opening.start)


def _free_key(document: Document, key: str) -> str:
    """The key, or one like it that no id of the author's begins with."""
    if f"{key}." not in document.text:
        return key
    text, at = [], 0
    for block in document.blocks:
        text.append(document.text[at : block.inner.start])
        at = block.inner.end
    own = _OUR_LINK.sub("", "".join((*text, document.text[at:])))
    number, free = 1, key
    while re.search(rf"\b(?:id|name)\s*=\s*[\"']?{re.escape(free)}\.", own, re.IGNORECASE):
        number += 1
        free = f"{key}-{number}"
    return free
