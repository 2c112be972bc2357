"""Renaming and removing an ID: every file of the registry that has it, as changes that are written together."""

from __future__ import annotations

import re

from claimcheck import locks
from claimcheck.edit import FileChange
from claimcheck.errors import UsageError
from claimcheck.model import Anchor, Claim, Erratum, Example, Registry
from claimcheck.project import Project
from claimcheck.registry import ANCHORS, CLAIMS, MORE_ANCHORS, edits

# The shapes of IDs, for messages; the schema is the truth and is asked again when the changed files are loaded.
SHAPES = {
    Anchor: (re.compile(r"[A-Z][A-Z0-9]{0,7}(-[A-Z0-9]+)+\Z"), "PREFIX-NAME in capitals, such as V-POOL"),
    Example: (re.compile(r"[A-Z][A-Z0-9]{0,7}-E[0-9]+\Z"), "PREFIX-E and a number, such as V-E1"),
    Claim: (re.compile(r"[A-Z0-9]+\.[0-9]+[a-z]?\Z"), "a lesson and a number, such as V2.6"),
    Erratum: (re.compile(r"E[0-9]+-[0-9]+\Z"), "E, a lesson and a number, such as E08-1"),
}


def rename(project: Project, registry: Registry, old: str, new: str) -> list[FileChange]:
    """The changes that rename an ID where it is defined, cited and waived, and in the lock.

    Raises UsageError for a new ID that is taken, malformed, or of a prefix that belongs to another vendor.
    """
    entry = registry.entries[old]
    if new in registry.entries:
        raise UsageError(f"{new} is taken", place=registry.entries[new].places[""])
    shape, words = SHAPES[type(entry)]
    if not shape.match(new):
        raise UsageError(f"{new} is no ID for what {old} is: {words}")
    if isinstance(entry, Anchor):
        check_prefix(registry, new, entry.vendor)
    editing = edits.editors(project, _files(project))
    for editor in editing.values():
        editor.rename_id(old, new)
    changes = edits.changes(editing)
    if old in registry.lock:
        changes.append(locks.change(project, locks.moved(registry, old, new)))
    return changes


def remove(project: Project, registry: Registry, ids: tuple[str, ...]) -> list[FileChange]:
    """The changes that take entries out of the registry and the lock; who cites them keeps citing them."""
    editing = edits.editors(project, _files(project))
    for id in ids:
        for editor in editing.values():
            if editor.defines(id):
                editor.remove_entry(id)
    changes = edits.changes(editing)
    kept = {id: entry for id, entry in registry.lock.items() if id not in ids}
    if len(kept) != len(registry.lock):
        changes.append(locks.change(project, kept))
    return changes


def check_prefix(registry: Registry, id: str, vendor: str) -> None:
    """Raise UsageError unless an anchor's ID has a prefix of its vendor."""
    prefix = id.partition("-")[0]
    prefixes = registry.vendors[vendor].prefixes
    if prefix not in prefixes:
        owner = next((other.name for other in registry.vendors.values() if prefix in other.prefixes), None)
        whose = f"{prefix} is {owner}'s" if owner else f"no vendor has the prefix {prefix}"
        raise UsageError(
            f"{id}: {whose}; anchors of {vendor} begin with {' or '.join(prefixes)}-",
            place=registry.vendors[vendor].places["prefix"],
        )


def _files(project: Project) -> list[str]:
    """The registry's files that are there."""
    return [ANCHORS, *project.files(MORE_ANCHORS, CLAIMS)]
