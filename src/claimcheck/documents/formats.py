"""The formats of documents: one table, by the ending of a file's name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import PurePosixPath

from claimcheck.documents.citable import Citable
from claimcheck.documents.document import Document, Problem, Trouble
from claimcheck.model import Place
from claimcheck.texts import place_in

# The module whose `read` takes a text apart; imported when there is one to read.
FORMATS: Mapping[str, str] = {
    ".html": "claimcheck.documents.html",
    ".htm": "claimcheck.documents.html",
    ".xhtml": "claimcheck.documents.html",
    ".md": "claimcheck.documents.markdown",
    ".markdown": "claimcheck.documents.markdown",
}


def is_document(path: str) -> bool:
    """Whether a file's name has the ending of a format."""
    return _ending(path) in FORMATS


def _ending(path: str) -> str:
    return PurePosixPath(path).suffix.lower()


def read(path: str, content: bytes, citable: Citable) -> Document | Problem:
    """A document by its bytes, in the format that its name's ending says; a problem if it has no readable text."""
    module = FORMATS.get(_ending(path))
    if module is None:
        return Problem(Trouble.UNREADABLE, Place(path), f"is no document: their names end in {', '.join(FORMATS)}")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(path, content, error)
    document: Document = importlib.import_module(module).read(path, text, citable)
    return document


def _not_utf8(path: str, content: bytes, error: UnicodeDecodeError) -> Problem:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        message = "the file is UTF-16; a document is UTF-8"
    else:
        message = f"byte 0x{content[error.start]:02x} at offset {error.start} is not UTF-8"
    return Problem(Trouble.UNREADABLE, Place(path, *place_in(content, error.start)), message)
