"""Documents: lessons and chapters with citations, read in the formats of one table and changed byte by byte."""

from __future__ import annotations

from claimcheck.documents.blocks import KINDS, Kind
from claimcheck.documents.citable import Citable
from claimcheck.documents.document import (
    Block,
    Citation,
    Code,
    Document,
    Link,
    LinkForm,
    Paragraph,
    Problem,
    Span,
    Subject,
    Trouble,
)
from claimcheck.documents.formats import FORMATS, is_document, read
from claimcheck.documents.splicing import digest_of, fill, is_edited, splice

__all__ = [
    "FORMATS",
    "KINDS",
    "Block",
    "Citable",
    "Citation",
    "Code",
    "Document",
    "Kind",
    "Link",
    "LinkForm",
    "Paragraph",
    "Problem",
    "Span",
    "Subject",
    "Trouble",
    "digest_of",
    "fill",
    "is_document",
    "is_edited",
    "read",
    "splice",
]
