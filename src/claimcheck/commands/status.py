"""Bare `claimcheck`: the state of the project in a few lines, and the next command."""

from __future__ import annotations

from claimcheck.commands.options import Settings, echo
from claimcheck.commands.session import Session, open_session
from claimcheck.model import ReviewState
from claimcheck.phrases import counted
from claimcheck.terminal import visible


def status(settings: Settings) -> int:
    """Print what the project has, what is here of its vendors, and what to do next."""
    with open_session(settings) as session:
        registry = session.registry
        numbers = (("vendor", registry.vendors), ("anchor", registry.anchors), ("claim", registry.claims))
        echo(", ".join(counted(len(things), noun) for noun, things in numbers))
        for name, vendor in registry.vendors.items():
            state = session.sources.state(name)
            pin = "present" if state.pin_present else "MISSING"
            stand_in = vendor.stand_in
            extra = f", stand-in {stand_in.version}" if stand_in and state.stand_in_present else ""
            echo(f"  {visible(name)}  pin {vendor.pin.short}  {pin}{extra}")
        states = [registry.review_of(anchor) for anchor in registry.anchors.values()]
        echo("  review  " + ", ".join(f"{states.count(state)} {state.value}" for state in ReviewState))
        echo(f"Next: {_next(session)}")
    return 0


def _next(session: Session) -> str:
    registry = session.registry
    if not registry.anchors:
        return "claimcheck add ID VENDOR:PATH:LINES"
    states = [session.sources.state(name) for name in registry.vendors]
    if not all(state.pin_present for state in states):
        if all(state.pin_present or state.stand_in_present for state in states):
            return "claimcheck verify --at release    (the pins are not here; claimcheck vendor sync brings them)"
        return "claimcheck vendor sync"
    if any(registry.lock_of(anchor) is None for anchor in registry.anchors.values()):
        return "claimcheck lock"
    return "claimcheck verify"
