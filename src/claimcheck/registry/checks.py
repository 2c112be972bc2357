"""The checks of claims: what is wrong with them that no schema can say, each at its place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from claimcheck.model import Anchor, Check, Claim
from claimcheck.registry import problems
from claimcheck.registry.problems import Trouble
from claimcheck.registry.shaped import Shaped
from claimcheck.registry.yaml_nodes import Path
from claimcheck.terminal import shown


def check_arguments(shaped: Shaped, id: str) -> None:
    """Report checks of a claim, and of its caveats, that have no form or several, or arguments that make no sense."""
    for path, data in _written(shaped, id):
        from claimcheck.checks import BadArguments, read_check

        if isinstance(data, dict) and not shaped.is_broken(*path):
            try:
                read_check(data)
            except BadArguments as problem:
                shaped.report((*path, *problem.part), Trouble(problems.BAD_CHECK, problem.message))


def check_code(shaped: Shaped, claim: Claim, anchors: Mapping[str, Anchor]) -> None:
    """Report checks whose code does not parse in the language of the file, and those that look nowhere."""
    for path, trouble in _code_troubles(claim, anchors):
        shaped.report(path, trouble)


def compiles(claim: Claim, anchors: Mapping[str, Anchor]) -> bool:
    """Whether `check_code` would have nothing to report."""
    return next(_code_troubles(claim, anchors), None) is None


def _code_troubles(claim: Claim, anchors: Mapping[str, Anchor]) -> Iterator[tuple[Path, Trouble]]:
    """What is wrong with the code of a claim's checks, each with where.

    Nothing is said of a check about an anchor that is not there or is wrong itself.
    """
    from claimcheck.checks import bad, dialect_of

    for path, check in _checks(claim):
        trouble = _nowhere(claim, check)
        if trouble:
            yield (*path, *(("in",) if check.anchor else ())), trouble
            continue
        cited = [check.anchor] if check.anchor else claim.cites
        known = [anchors[id] for id in cited if id in anchors]
        if check.path and len({anchor.vendor for anchor in known}) > 1:
            message = f"{shown(check.path)} of which vendor? `in` names one of the cited anchors"
            yield (*path, "path"), Trouble(problems.BAD_CHECK, message)
            continue
        # A pattern of paths may leave the language open; then it is that of what is cited.
        named = check.path if check.path and (check.scope != "tree" or dialect_of(check.path)) else None
        for file in [named] if named else list(dict.fromkeys(anchor.path for anchor in known)):
            found = next(bad(check, file), None)
            if found:
                yield (*path, *found.part), Trouble(problems.BAD_CHECK, found.message, found.help)
                break


def _nowhere(claim: Claim, check: Check) -> Trouble | None:
    if check.anchor and check.anchor not in claim.cites:
        message = f"{check.anchor} is not among what the claim cites"
        return Trouble(problems.BAD_CHECK, message, f"cites: [{', '.join([*claim.cites, check.anchor])}]")
    if not claim.cites:
        return Trouble(problems.BAD_CHECK, "the claim cites nothing, so a check has nowhere to look")
    return None


def _written(shaped: Shaped, id: str) -> Iterator[tuple[Path, Any]]:
    """The checks of a claim as they are written, each with where."""
    data = shaped.data["claims"][id]
    holders: list[tuple[Path, Any]] = [(("claims", id), data)]
    caveats = data.get("caveats") if isinstance(data, dict) else None
    if isinstance(caveats, list):
        holders += [(("claims", id, "caveats", n), caveat) for n, caveat in enumerate(caveats)]
    for above, holder in holders:
        checks = holder.get("checks") if isinstance(holder, dict) else None
        for n, check in enumerate(checks if isinstance(checks, list) else ()):
            yield (*above, "checks", n), check


def _checks(claim: Claim) -> Iterator[tuple[Path, Check]]:
    for n, check in enumerate(claim.checks):
        yield ("claims", claim.id, "checks", n), check
    for number, caveat in enumerate(claim.caveats):
        for n, check in enumerate(caveat.checks):
            yield ("claims", claim.id, "caveats", number, "checks", n), check
