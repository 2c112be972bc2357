"""The registry's files to a Registry and edits back; nothing else in the package knows YAML."""

from __future__ import annotations

from claimcheck.registry.checks import compiles
from claimcheck.registry.load import ANCHORS, CLAIMS, LOCK, MORE_ANCHORS, load
from claimcheck.registry.preview import make_sure_it_loads
from claimcheck.registry.problems import EXAMPLES, RULES
from claimcheck.registry.schema import fits, schema

__all__ = [
    "ANCHORS",
    "CLAIMS",
    "EXAMPLES",
    "LOCK",
    "MORE_ANCHORS",
    "RULES",
    "compiles",
    "fits",
    "load",
    "make_sure_it_loads",
    "schema",
]
