"""Which IDs in square brackets are citations: those that something defines, or would have to define."""

from __future__ import annotations

from collections.abc import Iterable

from claimcheck.model import Registry, prefix_of
from claimcheck.registry import fits
from claimcheck.values import frozen


@frozen
class Citable:
    """What counts as a citation.

    An ID that is defined; one of the form of an anchor or example with a prefix that a vendor declares (`[UTF-8]` and
    `[RFC-2119]` are left alone); and one that only its number tells from a defined claim (`[V1.9]` beside `V1.5`) or
    correction. So a slip of the pen is seen, and what belongs to somebody else is not.
    """

    prefixes: frozenset[str]
    defined: frozenset[str]
    stems: frozenset[str]

    @classmethod
    def of(cls, registry: Registry) -> Citable:
        prefixes = frozenset(prefix for vendor in registry.vendors.values() for prefix in vendor.prefixes)
        return cls(prefixes, frozenset(registry.entries), frozenset(_stems([*registry.claims, *registry.errata])))

    def __contains__(self, id: str) -> bool:
        if id in self.defined:
            return True
        if prefix_of(id) in self.prefixes | self.stems and (fits("anchor-id", id) or fits("example-id", id)):
            return True
        return id.partition(".")[0] in self.stems and fits("claim-id", id)


def _stems(ids: Iterable[str]) -> Iterable[str]:
    """`V1` of `V1.5`, `E08` of `E08-1`; not digits alone, since `[3.14]` is a number."""
    for id in ids:
        stem = id.partition(".")[0] if "." in id else prefix_of(id)
        if not stem.isdigit():
            yield stem
