"""The drift of every vendor: those with something to read, those that could not be compared, and how many are fine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from claimcheck.drift import Drift
from claimcheck.drift_all import NotCompared
from claimcheck.drift_details import AnchorDetail
from claimcheck.model import Registry
from claimcheck.phrases import counted
from claimcheck.reports import drift_json, drift_markdown
from claimcheck.reports.drift_text import rows_to_read
from claimcheck.reports.drift_words import headline, plan, revision
from claimcheck.reports.json_values import dumps
from claimcheck.terminal import Paint, visible

SCHEMA = "claimcheck.drift-all/1"

Found = Sequence[tuple[Drift, Sequence[AnchorDetail]]]
Left = Sequence[NotCompared]


def text(found: Found, left: Left, registry: Registry, paint: Paint) -> str:
    """A block for each vendor that somebody has to read, a row for each that was not compared, and the counts."""
    blocks = [_block(drift, details, paint) for drift, details in found if drift.to_read]
    rows = [f"{one.vendor}  not compared: {visible(one.reason)}{_help(one)}" for one in left]
    return "\n".join([*blocks, *(["\n".join([*rows, ""])] if rows else []), _counts(found, left) + "\n"])


def _block(drift: Drift, details: Sequence[AnchorDetail], paint: Paint) -> str:
    more = f"claimcheck drift {drift.vendor} {revision(drift.target)}"
    return "\n".join([headline(drift), plan(drift), *rows_to_read(details, paint=paint), f"All of it: {more}", ""])


def _help(one: NotCompared) -> str:
    return f" ({visible(one.help)})" if one.help else ""


def _counts(found: Found, left: Left) -> str:
    to_read = [drift for drift, _ in found if drift.to_read]
    at_the_pin = [drift for drift, _ in found if drift not in to_read and drift.stands_still]
    parts = []
    if to_read:
        anchors = counted(sum(len(drift.to_read) for drift in to_read), "anchor")
        parts.append(f"{anchors} to read in {len(to_read)}")
    carried = len(found) - len(to_read) - len(at_the_pin)
    parts += [f"{carried} moved on with nothing to read"] if carried else []
    parts += [f"{len(at_the_pin)} at the pin"] if at_the_pin else []
    parts += [f"{len(left)} not compared"] if left else []
    return f"{counted(len(found) + len(left), 'vendor')}: {', '.join(parts)}."


def json(found: Found, left: Left, registry: Registry, paint: Paint) -> str:
    """`claimcheck.drift-all/1`."""
    return dumps(
        {
            "schema": SCHEMA,
            "vendors": [drift_json.vendor(drift, details) for drift, details in found],
            "not_compared": [{"vendor": one.vendor, "reason": one.reason, "help": one.help} for one in left],
        }
    )


def markdown(found: Found, left: Left, registry: Registry, paint: Paint) -> str:
    """The text of a pull request that moves several vendors."""
    parts = [
        drift_markdown.render(drift, registry.vendors[drift.vendor], details)
        for drift, details in found
        if drift.to_read
    ]
    rows = [drift_markdown.inline(f"{one.vendor} was not compared: {one.reason}{_help(one)}") + "." for one in left]
    return "\n".join([*parts, *(f"{row}\n" for row in rows), drift_markdown.inline(_counts(found, left)) + "\n"])


FORMATS: Mapping[str, Callable[[Found, Left, Registry, Paint], str]] = {
    "text": text,
    "json": json,
    "markdown": markdown,
}
