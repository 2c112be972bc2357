"""Every vendor of a project compared with where it stands: what the project or the clone has now, or a newer release."""

from __future__ import annotations

from collections.abc import Iterator

from claimcheck.corpus import Corpus, build
from claimcheck.drift import Drift, drift_of
from claimcheck.library import Library
from claimcheck.model import Registry, Vendor
from claimcheck.sources import Sources
from claimcheck.texts import NoSource, Why
from claimcheck.values import frozen
from claimcheck.versions import version_order


@frozen
class NotCompared:
    """A vendor of which nothing was learned, with the reason and, where there is one, the command that ends it."""

    vendor: str
    reason: str
    help: str | None = None


def drifts(registry: Registry, sources: Sources, library: Library) -> Iterator[tuple[Corpus, Drift] | NotCompared]:
    """What became of the anchors of every vendor that has some, in registry order."""
    for vendor in registry.vendors.values():
        ids = tuple(anchor.id for anchor in registry.anchors.values() if anchor.vendor == vendor.name)
        if not ids:
            continue
        to = standing_at(sources, vendor)
        if isinstance(to, NoSource):
            yield NotCompared(vendor.name, to.message, to.help)
            continue
        corpus = build(registry, sources, ids, {vendor.name: to}, library)
        target = corpus.looked_at[vendor.name]
        if isinstance(target, NoSource):
            yield NotCompared(vendor.name, target.message, target.help)
            continue
        yield corpus, drift_of(corpus, vendor.name)


def standing_at(sources: Sources, vendor: Vendor) -> str | NoSource:
    """The revision at which a vendor stands, beside its pin.

    That is the commit that the project records for a submodule or, if it is the pin, the clone's; without a clone the
    newest release that is here and not older than the pin.
    """
    state = sources.state(vendor.name)
    here = [commit for commit in (state.gitlink, state.head) if commit is not None]
    if here:
        return next((commit for commit in here if commit != vendor.pin.text), vendor.pin.text)
    pinned = vendor.pin.version
    newest = max(state.releases, key=version_order, default=None)
    if newest is None and not state.present:
        problem = state.pin if isinstance(state.pin, NoSource) else None
        return problem or NoSource(Why.REPOSITORY, f"nothing is here of {vendor.name}")
    if newest is None or (pinned is not None and version_order(newest) <= version_order(pinned)):
        return vendor.pin.text
    return f"release/{newest}"
