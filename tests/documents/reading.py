"""What the tests of documents have in common: a registry's IDs, and what was read in short."""

from __future__ import annotations

from claimcheck.documents import Citable, Document, read

IDS = ("V-POOL", "V-PACK", "V-META", "V-E2", "V1.5", "E08-1")
CITABLE = Citable(frozenset({"V", "D"}), frozenset(IDS), frozenset({"V1", "E08"}))


def document(text: str | bytes, path: str = "lessons/one.html") -> Document:
    """A text read as a document; its path says the format."""
    found = read(path, text.encode() if isinstance(text, str) else text, CITABLE)
    assert isinstance(found, Document), found
    return found


def cited(text: str, path: str = "lessons/one.html") -> list[str]:
    """`ID line:column` of every citation."""
    return [f"{one.id} {one.place.line}:{one.place.column}" for one in document(text, path).citations]


def problems(text: str, path: str = "lessons/one.html") -> list[str]:
    """`line:column message` of every problem."""
    return [f"{one.place.line}:{one.place.column} {one.message}" for one in document(text, path).problems]
