"""The order of versions, as package indexes have it."""

from __future__ import annotations


def version_order(version: str) -> tuple[bool, object]:
    """A key by which versions are sorted, oldest first; what is no version comes before all that are, by its letters."""
    from packaging.version import InvalidVersion, Version

    try:
        return True, Version(version)
    except InvalidVersion:
        return False, version
