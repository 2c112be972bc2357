"""A research record (Markdown with tables of anchors, reference links and knowledge points) -> proposed entries.

`reading.read_record` is a function of the text, `plan.make_plan` compares what it says with a registry and gives
the changes. Only the rules are loaded here, since every run asks for them.
"""

from __future__ import annotations

from claimcheck.records.rules import RULES

__all__ = ["RULES"]
