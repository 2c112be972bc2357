"""Changing a document: what is not replaced keeps every byte."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from claimcheck.documents.document import Block, Document
from claimcheck.edit import Edit, FileChange, apply

DIGEST_LENGTH = 16


def splice(document: Document, edits: Iterable[Edit]) -> FileChange:
    """The document with some parts replaced, for `Project.write`; raises ValueError for edits that overlap.

    The texts of edits have LF; they get the line ends of the lines around their place. Nothing else is touched.
    """
    fitted = [Edit(edit.start, edit.end, _with_ends(document, edit)) for edit in edits]
    before = document.text.encode("utf-8")
    return FileChange(document.path, before, apply(document.text, fitted).encode("utf-8"))


def _with_ends(document: Document, edit: Edit) -> str:
    if "\n" not in edit.text:
        return edit.text
    end = document.line_end(edit.start)
    return edit.text.replace("\r\n", "\n").replace("\n", end) if end != "\n" else edit.text


def digest_of(content: str) -> str:
    """What an end marker says about a block's content: enough of a sha256 to see that somebody changed it.

    Blanks at the ends of lines do not count, since editors remove them.
    """
    kept = "\n".join(line.rstrip() for line in content.split("\n"))
    return "sha256:" + hashlib.sha256(kept.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_LENGTH]


def is_edited(block: Block) -> bool:
    """Whether a block holds something else than was generated: text that its end marker does not vouch for."""
    if block.digest is None:
        return bool(block.content.strip())
    return digest_of(block.content) != block.digest


def fill(document: Document, block: Block, content: str) -> Edit | None:
    """The edit that makes this the block's content (lines with LF, no final line end); None if it is already there.

    Every line gets the block's prefix, and the end marker the digest. Empty content empties the block.
    """
    content = content.replace("\r\n", "\n").strip("\n")
    lines = [f"{block.prefix}{line}" if line else block.prefix.rstrip() for line in content.split("\n")]
    marker = f"<!-- claimcheck: end {digest_of(content)} -->" if content else "<!-- claimcheck: end -->"
    inner = "".join(f"{line}\n" for line in lines) if content else ""
    before = document.text[block.inner.end : block.closing.start]
    edit = Edit(block.inner.start, block.closing.end, f"{inner}{before}{marker}")
    now = document.text[edit.start : edit.end]
    return None if _with_ends(document, edit) == now else edit
