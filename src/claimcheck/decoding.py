"""From a file's bytes to its text: strict about what is text, forgiving about how it is encoded."""

from __future__ import annotations

import codecs
import re

from claimcheck.texts import NoSource, SourceText, Why

_LFS_POINTER = re.compile(
    rb"version https?://[^\n]{1,100}\n(?:ext-\d-[^\n]+\n)*oid sha256:[0-9a-f]{64}\nsize \d+\n?(?:ext-\d-[^\n]+\n)*\Z"
)
_LONGEST_POINTER = 1024
_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def decode(data: bytes, blob: str) -> SourceText | NoSource:
    """The text of a file, or that it has none: it is binary, or stands for a file that is kept elsewhere.

    UTF-8 with or without a byte order mark; UTF-16 with one; otherwise, if there is no NUL in it, Latin-1.
    """
    if len(data) <= _LONGEST_POINTER and _LFS_POINTER.match(data):
        return NoSource(Why.LFS_POINTER, "is a Git LFS pointer; its content is not in this repository")
    if encoding := _UTF_16.get(data[:2]):
        return _utf_16(data[2:], encoding, blob)
    if b"\0" in data:
        return _binary()
    try:
        return SourceText(data.removeprefix(codecs.BOM_UTF8).decode("utf-8"), blob)
    except UnicodeDecodeError:
        return SourceText(data.decode("latin-1"), blob, "not UTF-8; read as Latin-1")


def _utf_16(data: bytes, encoding: str, blob: str) -> SourceText | NoSource:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return _binary()
    # UTF-32 begins with the mark of UTF-16, and so do many images.
    return _binary() if "\0" in text else SourceText(text, blob, "UTF-16")


def _binary() -> NoSource:
    return NoSource(Why.BINARY, "is a binary file")
