"""Renaming and removing an ID: every file of the registry that has it, as changes that are written together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from claimcheck import locks
from claimcheck.documents import splice
from claimcheck.edit import Edit, FileChange
from claimcheck.errors import UsageError
from claimcheck.library import Library
from claimcheck.model import Anchor, Citing, Claim, Erratum, Example, Registry, prefix_of
from claimcheck.project import Project
from claimcheck.registry import ANCHORS, CLAIMS, MORE_ANCHORS, edits, fits, make_sure_it_loads

# By the kind of an entry: the schema's definition of its ID, and the same in words.
SHAPES: Mapping[type[Anchor | Citing], tuple[str, str]] = {
    Anchor: ("anchor-id", "PREFIX-NAME in capitals, such as V-POOL"),
    Example: ("example-id", "PREFIX-E and a number, such as V-E1"),
    Claim: ("claim-id", "a lesson and a number, such as V2.6"),
    Erratum: ("erratum-id", "E, a lesson and a number, such as E08-1"),
}


def rename(project: Project, registry: Registry, library: Library, old: str, new: str) -> list[FileChange]:
    """The changes that rename an ID where it is defined, cited (in documents too) and waived, and in the lock.

    Raises UsageError for a new ID that is taken, malformed, or of a prefix that belongs to another vendor, and
    WriteRefused if the registry would not load with it.
    """
    entry = registry.entries[old]
    check_new_id(registry, new, type(entry), f"what {old} is")
    if isinstance(entry, Anchor):
        check_prefix(registry, new, entry.vendor)
    editing = edits.editors(project, _files(project))
    for editor in editing.values():
        editor.rename_id(old, new)
    changes = [*_in_documents(library, old, new), *edits.changes(editing)]
    if old in registry.lock:
        changes.insert(0, locks.update(project, {new: replace(registry.lock[old], id=new)}, [old]))
    # The definition last: an interrupted run can be run again as long as the old ID is there.
    changes.sort(key=lambda change: change.path == entry.places[""].path)
    make_sure_it_loads(project, changes)
    return changes


def _in_documents(library: Library, old: str, new: str) -> Iterator[FileChange]:
    for document in library.documents.values():
        mentions = [Edit(*span, new) for span in document.mentions(old)]
        if mentions:
            yield splice(document, mentions)


def remove(project: Project, registry: Registry, ids: tuple[str, ...]) -> list[FileChange]:
    """The changes that take entries out of the registry and the lock; who cites them keeps citing them."""
    editing = edits.editors(project, _files(project))
    for id in ids:
        for editor in editing.values():
            if editor.defines(id):
                editor.remove_entry(id)
    changes = edits.changes(editing)
    if any(id in registry.lock for id in ids):
        changes.insert(0, locks.update(project, {}, ids))
    return changes


def check_new_id(registry: Registry, id: str, kind: type[Anchor | Citing], what: str) -> None:
    """Raise UsageError unless an ID is free and has the form that IDs of its kind have."""
    if id in registry.entries:
        raise UsageError(f"{id} is taken", place=registry.entries[id].places[""])
    definition, words = SHAPES[kind]
    if not fits(definition, id):
        raise UsageError(f"{id} is no ID for {what}: {words}")


def check_prefix(registry: Registry, id: str, vendor: str) -> None:
    """Raise UsageError unless an anchor's ID has a prefix of its vendor."""
    prefix = prefix_of(id)
    prefixes = registry.vendors[vendor].prefixes
    if prefix not in prefixes:
        owner = registry.vendor_of(id)
        whose = f"{prefix} is {owner.name}'s" if owner else f"no vendor has the prefix {prefix}"
        raise UsageError(
            f"{id}: {whose}; anchors of {vendor} begin with {' or '.join(prefixes)}-",
            place=registry.vendors[vendor].places["prefix"],
        )


def _files(project: Project) -> list[str]:
    """The registry's files that are there."""
    return [ANCHORS, *project.files(MORE_ANCHORS, CLAIMS)]
