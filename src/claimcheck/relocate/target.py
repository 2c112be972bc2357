"""The file to look in: the one of the same path, or what it was renamed to."""

from __future__ import annotations

from claimcheck.outcome import (
    Ambiguous,
    Candidate,
    Deleted,
    Unavailable,
)
from claimcheck.relocate.places import MOST_CANDIDATES
from claimcheck.texts import SourceText, Tree


def target_of(path: str, old: SourceText, tree: Tree) -> tuple[str, SourceText] | Ambiguous | Deleted | Unavailable:
    """The file to look in: that of the same path, else what it was renamed to."""
    found: str | Ambiguous | None = path if tree.blob_id(path) is not None else _renamed_to(path, old, tree)
    if isinstance(found, Ambiguous):
        return found
    if found is None:
        known = "is not there any more, and no file is known to be the same"
        return Deleted(f"{path} {known}{lacking(tree)}", (), 0.5)
    new = tree.text(found)
    return (found, new) if new is not None else Unavailable(f"{found} is there, but its text cannot be read")


def lacking(tree: Tree) -> str:
    """What the hints that were asked for may lack, as the end of a sentence."""
    return "".join(f"; {note}" for note in tree.notes)


def _renamed_to(path: str, old: SourceText, tree: Tree) -> str | Ambiguous | None:
    """The path that a file which is gone has now: through the commits between, by git's pairs, by equal content."""
    name = _hinted(path, tree)
    if name is not None and tree.blob_id(name) != old.blob:
        return name
    # Of several files that are now what it was git names one at random.
    same = [
        other
        for other, blob in tree.touched().items()
        if blob == old.blob and other != path and tree.blob_id(other) == old.blob
    ]
    if len(same) > 1:
        listed = tuple(Candidate(other, old.whole, round(1 / len(same), 2)) for other in same[:MOST_CANDIDATES])
        return Ambiguous(listed, f"{len(same)} files are now what {path} was; set `path:`", "same blob")
    return name or (same[0] if same else None)


def _hinted(path: str, tree: Tree) -> str | None:
    """The path that history or git's pairs give to a file that is gone, if there is such a file."""
    for hinted in (tree.follow, lambda path: tree.renames().get(path)):
        name = hinted(path)
        if name is not None and tree.blob_id(name) is not None:
            return name
    return None
