"""How a vendor stands to its pin: what `vendor status` says of it."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from claimcheck.git.places import PlaceKind
from claimcheck.model import Vendor
from claimcheck.repository import VendorState
from claimcheck.values import frozen


class Verdict(enum.Enum):
    """What a person may have to do about a vendor; in this order one is chosen."""

    MISSING = "missing"
    DIFFERS = "differs"
    CHANGED = "changed"
    FINE = "fine"


@frozen
class Standing:
    """One vendor, as it stands. `stand_in` is the version of the release that can be looked at for a missing pin.

    `remark` says what is the matter, `way_out` what ends it. `size` is that of our own copy, in bytes.
    """

    vendor: Vendor
    verdict: Verdict
    present: bool
    remark: str
    way_out: str | None = None
    stand_in: str | None = None
    places: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()
    head: str | None = None
    gitlink: str | None = None
    shallow: bool = False
    size: int | None = None


_WORDS = {
    PlaceKind.CLONE: "clone",
    PlaceKind.SUBMODULE: "submodule",
    PlaceKind.WORKTREE: "worktree",
    PlaceKind.BARE: "clone",
}


def judge(vendor: Vendor, state: VendorState, held_missing: Sequence[str], changed: bool, size: int | None) -> Standing:
    """The standing of a vendor.

    `held_missing` has labels of commits at which anchors are held and that are not here; `changed` says that files of
    the clone's work tree were changed.
    """
    verdict, remark, way_out = _matter(vendor, state, held_missing, changed)
    return Standing(
        vendor,
        verdict,
        state.pin_present,
        remark,
        way_out,
        stand_in=vendor.stand_in.version if vendor.stand_in and state.stand_in_present else None,
        places=state.places,
        releases=state.releases,
        head=state.head,
        gitlink=state.gitlink,
        shallow=state.shallow is not None,
        size=size,
    )


def _matter(
    vendor: Vendor, state: VendorState, held_missing: Sequence[str], changed: bool
) -> tuple[Verdict, str, str | None]:
    sync = f"claimcheck vendor sync {vendor.name}"
    if not state.pin_present:
        return Verdict.MISSING, *_what_is_here(state, sync)
    if held_missing:
        return Verdict.MISSING, f"without {', '.join(held_missing)}", sync
    if vendor.pin.version is None and (differs := _elsewhere(vendor, state)):
        return Verdict.DIFFERS, differs, f"claimcheck bump {vendor.name} HEAD"
    if changed:
        return Verdict.CHANGED, "work tree has changes", "no matter: files are read at the pin"
    return Verdict.FINE, f"in {' and '.join(state.places)}", None


def _what_is_here(state: VendorState, sync: str) -> tuple[str, str]:
    if state.problems:
        problem = state.problems[0]
        return problem.message.removeprefix(f"{problem.name} "), problem.help or sync
    if state.kind is None:
        return (f"not in {state.places[0]}" if state.places else "nothing here"), sync
    word = _WORDS[state.kind] if state.kind is not PlaceKind.CLONE or not state.shallow else "shallow clone"
    return f"{word} at {state.head[:8]}" if state.head else f"{word} without a commit", sync


def _elsewhere(vendor: Vendor, state: VendorState) -> str | None:
    """Where the clone is, if not at the pin: what the project records for a submodule, else what is checked out."""
    for commit in (state.gitlink, state.head):
        if commit is not None and commit != vendor.pin.text:
            return f"{_WORDS[state.kind] if state.kind else 'submodule'} is at {commit[:8]}"
    return None
