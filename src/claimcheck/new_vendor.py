"""A vendor that is not declared yet, from an address, a clone or a source archive, and what its user says of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from claimcheck.errors import UsageError
from claimcheck.git import places
from claimcheck.git.clone import origin
from claimcheck.git.places import ObjectDirectory, Unusable
from claimcheck.git.transfer import Source, without_credentials
from claimcheck.model import FULL_ID, Pin, Release, Vendor
from claimcheck.registry import fits
from claimcheck.releases import digest, is_version, opened
from claimcheck.values import frozen

_ARCHIVE = re.compile(r"(?P<name>.+)-(?P<version>[0-9][0-9A-Za-z.+!_]*)\.tar\.gz\Z")


@frozen
class Said:
    """What the user says of a new vendor; what is left out is found or chosen."""

    name: str | None = None
    commit: str | None = None
    prefix: str | None = None
    pypi: str | None = None
    version: str | None = None
    sha256: str | None = None


@frozen
class _Found:
    """What an address, clone or archive says by itself."""

    name: str
    url: str | None = None
    commit: str | None = None
    version: str | None = None
    sha256: str | None = None


def new_vendor(address: str, said: Said, root: Path, vendors: Mapping[str, Vendor]) -> Vendor:
    """The vendor; raises UsageError for what cannot be meant or is taken, with the option that helps."""
    found = _look_at(address, root)
    name = said.name or re.sub(r"[^a-z0-9._-]+", "-", found.name.lower()).strip("-._")
    if not fits("vendor-name", name):
        raise UsageError(f"`{name}` cannot be a vendor's name", help="--name NAME    lower-case letters, digits, . _ -")
    if name in vendors:
        raise UsageError(f"{name} is declared already, at {vendors[name].places['']}", help="--name NAME")
    releases = _releases(said, found)
    return Vendor(
        name,
        _pin(said, found, releases, address),
        (_prefix(name, said.prefix, vendors),),
        url=found.url,
        pypi=said.pypi,
        releases=releases,
    )


def _look_at(address: str, root: Path) -> _Found:
    path = Path(address).expanduser()
    if path.is_dir():
        return _clone(path, root)
    if path.is_file():
        return _archive(path)
    if "/" not in address and ":" not in address:
        raise UsageError(f"{address} is neither an address nor anything on this machine")
    Source.forge(address)
    return _Found(_last_part(address), url=without_credentials(address))


def _clone(path: Path, root: Path) -> _Found:
    # Named on the command line, so it may lie and have its objects anywhere.
    where = places.object_directory(
        path.absolute(), root=root.absolute(), allow_alternates=[Path(path.absolute().anchor)]
    )
    if isinstance(where, Unusable):
        raise UsageError(where.message, help=where.help)
    head = places.head(where)
    return _Found(path.resolve().name.removesuffix(".git"), _url(where), head.commit if head else None)


def _url(where: ObjectDirectory) -> str | None:
    """Where the clone came from, if that is an address that can be fetched from."""
    url = origin(where)
    if url is None:
        return None
    try:
        Source.forge(url)
    except UsageError:
        return None
    return without_credentials(url)


def _archive(path: Path) -> _Found:
    named = _ARCHIVE.match(path.name)
    if not named:
        raise UsageError(f"{path} is neither a clone nor an archive NAME-VERSION.tar.gz")
    with opened(path, str(path)) as archive:
        return _Found(named["name"], version=named["version"], sha256=digest(archive))


def _last_part(address: str) -> str:
    return re.split(r"[/:]", address.rstrip("/"))[-1].removesuffix(".git")


def _releases(said: Said, found: _Found) -> tuple[Release, ...]:
    version, sha256 = said.version or found.version, said.sha256 or found.sha256
    if version is None:
        if sha256:
            raise UsageError("--sha256 is that of a release", help="--version VERSION")
        return ()
    if not is_version(version):
        raise UsageError(f"{version} is no version that a release could have")
    if sha256 is None:
        raise UsageError(
            f"the sha256 of the archive of {version} is needed",
            help="--sha256 HEX; or leave --version out, and `vendor fetch NAME release/VERSION` prints the line to add",
        )
    if not fits("sha256", sha256):
        raise UsageError(f"{sha256} is no sha256, which has 64 hexadecimal digits in lower case")
    return (Release(version, sha256),)


def _pin(said: Said, found: _Found, releases: tuple[Release, ...], address: str) -> Pin:
    if said.commit:
        declared = {release.ref for release in releases}
        if FULL_ID.match(said.commit) or said.commit in declared:
            return Pin(said.commit)
        if said.commit.startswith("release/"):
            raise UsageError(f"{said.commit} is not declared", help="--version VERSION --sha256 HEX")
        raise UsageError(f"{said.commit} is no full commit id, which has 40 digits", help=f"git ls-remote {address}")
    if found.commit:
        return Pin(found.commit)
    if releases:
        return Pin(releases[0].ref)
    raise UsageError(
        f"which commit of {without_credentials(address)} is cited?",
        help="--commit ID    a full commit id; from a clone its HEAD is taken",
    )


def _prefix(name: str, wanted: str | None, vendors: Mapping[str, Vendor]) -> str:
    taken = {prefix: vendor.name for vendor in vendors.values() for prefix in vendor.prefixes}
    if wanted is None:
        letters = re.sub(r"[^A-Z0-9]", "", name.upper()).lstrip("0123456789") or "X"
        shorter = (letters[:length] for length in range(1, min(len(letters), 8) + 1))
        numbered = (f"{letters[:5]}{number}" for number in range(2, 1000))
        return next(prefix for prefix in (*shorter, *numbered) if prefix not in taken)
    if not fits("prefix", wanted):
        raise UsageError(
            f"{wanted} cannot be a prefix, which has up to 8 capital letters and digits", help="--prefix X"
        )
    if wanted in taken:
        raise UsageError(f"the prefix {wanted} is {taken[wanted]}'s", help="--prefix X")
    return wanted
