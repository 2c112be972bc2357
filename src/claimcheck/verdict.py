"""What checks say of a claim, at one revision and between two."""

from __future__ import annotations

import enum

from claimcheck.values import frozen


class Verdict(enum.Enum):
    """What the checks of a claim say of it; that an anchor is not verified is not considered."""

    HOLDS = "holds"
    CAVEATS = "caveats"
    FAILS = "fails"
    UNVERIFIED = "unverified"
    UNTESTED = "untested"

    @property
    def good(self) -> bool:
        """Whether checks say that the claim is true, under conditions or not."""
        return self in (Verdict.HOLDS, Verdict.CAVEATS)


@frozen
class ClaimChange:
    """What the checks of a claim say where it is cited, and what they say at another revision."""

    id: str
    before: Verdict
    after: Verdict

    @property
    def broke(self) -> bool:
        """Whether it was true and is not any more."""
        return self.before.good and self.after is Verdict.FAILS

    @property
    def said(self) -> str:
        """A word or two for people: `holds`, `failed and holds now`."""
        if self.after.good and self.before is Verdict.FAILS:
            return "failed and holds now"
        if self.broke:
            return "held and fails now"
        return WORDS[self.after]


WORDS = {
    Verdict.HOLDS: "holds",
    Verdict.CAVEATS: "holds with caveats",
    Verdict.FAILS: "fails",
    Verdict.UNVERIFIED: "cannot be said",
    Verdict.UNTESTED: "not tested",
}
