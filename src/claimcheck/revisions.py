"""Which revisions of a vendor a history looks at, in which order."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence

from packaging.version import InvalidVersion, Version

from claimcheck.errors import UsageError
from claimcheck.model import Revision, Vendor
from claimcheck.sources import Sources
from claimcheck.texts import NoSource

MOST_TAGS = 12


def named(sources: Sources, vendor: str, revs: Sequence[str]) -> list[Revision]:
    """These revisions, in the order given; raises UsageError for one that cannot be read."""
    found: list[Revision] = []
    for rev in revs:
        revision = sources.resolve(vendor, rev)
        if isinstance(revision, NoSource):
            raise UsageError(f"{vendor}: {revision.message}", help=revision.help)
        if all(revision.commit != other.commit for other in found):
            found.append(revision)
    return found


def releases(sources: Sources, vendor: Vendor) -> list[Revision]:
    """The declared releases that are here, oldest version first; raises UsageError if none is."""
    here = [sources.resolve(vendor.name, release.ref) for release in vendor.releases]
    found = [revision for revision in here if isinstance(revision, Revision)]
    if not found:
        declared = f"of {len(here)} declared ones none is here" if here else "none is declared"
        bring = (
            f"claimcheck vendor fetch {vendor.name} {vendor.releases[0].ref}" if here else "name revisions by --revs"
        )
        raise UsageError(f"{vendor.name}: no release to look at: {declared}", help=bring)
    return sorted(found, key=lambda revision: version_key(revision.label))


def tagged(sources: Sources, vendor: str, pattern: str) -> list[Revision]:
    """The tags that match a shell pattern, oldest version first; raises UsageError if none does."""
    names = [name for name in sources.tags(vendor) if fnmatch.fnmatchcase(name, pattern)]
    if not names:
        raise UsageError(
            f"{vendor}: no tag that is here matches {pattern}", help=f"claimcheck vendor fetch {vendor} TAG brings one"
        )
    return named(sources, vendor, sorted(names, key=version_key))


def known(sources: Sources, vendor: Vendor) -> list[Revision]:
    """The declared releases that are here, of a vendor without any the newest tags; raises UsageError for neither."""
    tags = sorted(sources.tags(vendor.name), key=version_key) if not vendor.releases else ()
    return named(sources, vendor.name, tags[-MOST_TAGS:]) if tags else releases(sources, vendor)


def missing_releases(vendor: Vendor, looked_at: Iterable[Revision]) -> list[str]:
    """The declared versions that are not among some revisions, oldest first."""
    seen = {revision.release.version for revision in looked_at if revision.release}
    return sorted((each.version for each in vendor.releases if each.version not in seen), key=version_key)


def version_key(name: str) -> tuple[int, Version | tuple[tuple[int, str], ...]]:
    """The order of versions: as packages are ordered where it is a version, else by the numbers in the name."""
    try:
        return 1, Version(name.removeprefix("v"))
    except InvalidVersion:
        parts = re.findall(r"\d+|\D+", name)
        return 0, tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
