"""Documents that name places in somebody's code, as links or as `path:line` -> proposed anchors.

`finding.mentions` is a function of a document, `proposing.propose` of what it found and of the vendor's files.
Only the rules are loaded here, since every run asks for them.
"""

from __future__ import annotations

from claimcheck.mentions.rules import RULES

__all__ = ["RULES"]
