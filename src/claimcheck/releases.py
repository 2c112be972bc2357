"""Releases of a vendor: looked up at the package index, downloaded, compared, and imported as one commit.

The index is told by `--index-url` or `PIP_INDEX_URL`, never by the project: whoever sends a pull request must not
choose whom we talk to.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import urlsplit

from claimcheck.archives import MAX_UNPACKED, ArchiveRefused, archived_files
from claimcheck.errors import EnvironmentProblem, UsageError
from claimcheck.git.copy import RELEASES, Copy, TreeFile
from claimcheck.git.places import is_ref_name
from claimcheck.git.transfer import Progress, without_credentials
from claimcheck.model import Release
from claimcheck.registry import fits
from claimcheck.values import frozen
from claimcheck.versions import version_order

if TYPE_CHECKING:
    from pypi_simple import DistributionPackage, PyPISimple

CONNECT_SECONDS = 10.0
READ_SECONDS = 60.0

# Where people tell programs which certificate authorities to trust; the first that is set counts.
_AUTHORITIES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "PIP_CERT", "SSL_CERT_FILE")


class IndexProblem(EnvironmentProblem):
    """The package index did not give what it was asked for."""


class IndexSilent(IndexProblem):
    """The package index does not answer."""


class DigestDiffers(EnvironmentProblem):
    """An archive is not the one whose sha256 is declared; nothing of it was kept."""

    exit_code = 1


@frozen
class SourceArchive:
    """A source archive as the index lists it."""

    version: str
    filename: str
    url: str
    sha256: str | None
    size: int | None


@frozen
class Imported:
    """A release that was imported: its commit here, and how many files it has."""

    commit: str
    files: int


class Index:
    """A package index that is asked for source archives; use it as a context manager."""

    def __init__(self, client: PyPISimple) -> None:
        self._client = client

    def archives(self, project: str) -> dict[str, SourceArchive]:
        """The `.tar.gz` source archives of a project by version, oldest first."""
        with _answers(project):
            page = self._client.get_project_page(project, timeout=(CONNECT_SECONDS, READ_SECONDS))
        found = [package for package in page.packages if _is_archive(package)]
        archives = sorted(map(_archive, found), key=lambda archive: version_order(archive.version))
        return {archive.version: archive for archive in archives}

    def archive(self, project: str, version: str) -> SourceArchive:
        """The source archive of one version; raises IndexProblem if there is none."""
        from packaging.utils import canonicalize_version

        archives = self.archives(project)
        wanted = canonicalize_version(version, strip_trailing_zero=False)
        for archive in archives.values():
            if canonicalize_version(archive.version, strip_trailing_zero=False) == wanted:
                return archive
        newest = next(reversed(archives), None)
        there = f"the newest is {newest}" if newest else "there is none of any version"
        raise IndexProblem(f"the package index has no .tar.gz source archive of {project} {version}; {there}")

    def download(self, archive: SourceArchive, target: Path, progress: Progress | None = None) -> None:
        """Bring an archive to a file, whatever it holds; raises IndexProblem."""
        tracker = _Tracker(archive.filename, progress)
        # A server that compresses once more would have its compression and the archive's taken off together.
        headers = {"Accept-Encoding": "identity"}
        with _answers(archive.filename):
            self._client.download_package(
                _package(archive),
                target,
                verify=False,
                progress=tracker.of,
                timeout=(CONNECT_SECONDS, READ_SECONDS),
                headers=headers,
            )

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.s.close()


def open_index(url: str | None, environment: Mapping[str, str] = os.environ) -> Index:
    """The index at a URL, else at `PIP_INDEX_URL`, else the public one."""
    import requests
    from pypi_simple import PYPI_SIMPLE_ENDPOINT, PyPISimple
    from requests.adapters import HTTPAdapter
    from urllib3.util import Retry

    address = url or environment.get("PIP_INDEX_URL") or PYPI_SIMPLE_ENDPOINT
    parts = urlsplit(address)
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise UsageError(
            f"the package index {without_credentials(address)} has no https address",
            help="--index-url https://HOST/PATH/simple/",
        )
    session = requests.Session()
    retry = Retry(total=2, backoff_factor=0.2, status_forcelist=(502, 503, 504), respect_retry_after_header=False)
    for scheme in ("https://", "http://"):
        session.mount(scheme, HTTPAdapter(max_retries=retry))
    session.verify = _authorities(environment)
    return Index(PyPISimple(address, session=session))


def _authorities(environment: Mapping[str, str]) -> str | bool:
    for name in _AUTHORITIES:
        if path := environment.get(name):
            if not os.path.exists(path):
                raise EnvironmentProblem(f"{name} names certificates that are not there: {path}")
            return path
    return True


def bring(copy: Copy, project: str, release: Release, index: Index, progress: Progress | None = None) -> Imported:
    """Download a release and import it; nothing is kept of an archive with another sha256. Only within `writing`."""
    archive = index.archive(project, release.version)
    if archive.sha256 and archive.sha256 != release.sha256:
        raise DigestDiffers(
            f"{project} {release.version} at the package index has sha256 {archive.sha256[:12]}…, "
            f"declared is {release.sha256[:12]}…; nothing was brought",
            help="find out which of the two is right before you change anchors.yaml",
        )
    copy.incoming.mkdir(exist_ok=True)
    part = copy.incoming / "archive.part"
    index.download(archive, part, progress)
    return import_archive(copy, project, release, part, archive.filename, progress)


def import_archive(
    copy: Copy, project: str, release: Release, path: Path, shown: str, progress: Progress | None = None
) -> Imported:
    """Import an archive that is already here, if it has the release's sha256. Only within `writing`."""
    with opened(path, shown) as archive:
        found = digest(archive)
        if found != release.sha256:
            raise DigestDiffers(
                f"{shown} has sha256 {found[:12]}…, declared for {project} {release.version} is "
                f"{release.sha256[:12]}…; nothing was imported",
                help="find out which of the two is right before you change anchors.yaml",
            )
        archive.seek(0)
        counted = _Counted(archive, shown, progress)
        message = f"{project} {release.version}\n\nsource archive, imported by claimcheck\nsha256: {release.sha256}\n"
        commit = copy.import_files(f"{RELEASES}{release.version}", message.encode(), counted.files())
    return Imported(commit, counted.count)


@contextmanager
def opened(path: Path, shown: str) -> Iterator[BinaryIO]:
    """A local archive, opened; raises EnvironmentProblem with its name."""
    try:
        archive = path.open("rb")
    except OSError as problem:
        raise EnvironmentProblem(f"{shown} cannot be read: {(problem.strerror or '').lower()}") from problem
    with archive:
        yield archive


def digest(archive: BinaryIO) -> str:
    """The sha256 of an opened file."""
    sha256 = hashlib.sha256()
    while block := archive.read(1 << 20):
        sha256.update(block)
    return sha256.hexdigest()


class _Counted:
    """The files of an archive, counted, with progress by how much of the archive was read."""

    def __init__(self, archive: BinaryIO, name: str, progress: Progress | None) -> None:
        self.count = 0
        self._archive = archive
        self._name = name
        self._progress = progress

    def files(self) -> Iterator[TreeFile]:
        size = os.fstat(self._archive.fileno()).st_size
        for file in archived_files(self._archive, self._name):
            self.count += 1
            if self._progress and self.count % 64 == 0:
                self._progress(f"importing {self._name}", self._archive.tell(), size)
            yield file
        if not self.count:
            raise ArchiveRefused(f"{self._name} has no files")


class _Tracker:
    """What pypi-simple reports a download to; ends one that is larger than any archive that could be imported."""

    def __init__(self, name: str, progress: Progress | None) -> None:
        self._name = name
        self._progress = progress
        self._total = 0
        self._done = 0

    def of(self, length: int | None) -> _Tracker:
        self._total = length or 0
        return self

    def __enter__(self) -> _Tracker:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def update(self, increment: int) -> None:
        self._done += increment
        if self._done > MAX_UNPACKED:
            raise IndexProblem(f"{self._name} has more than {MAX_UNPACKED // 1024**3} GiB")
        if self._progress:
            self._progress(f"downloading {self._name}", self._done, self._total)


@contextmanager
def _answers(what: str) -> Iterator[None]:
    """Say in our words what went wrong at the index: its own have addresses, and credentials in them."""
    import requests
    from pypi_simple import NoSuchProjectError, UnsupportedContentTypeError, UnsupportedRepoVersionError

    try:
        yield
    except NoSuchProjectError as problem:
        raise IndexProblem(f"the package index has no project {what}") from problem
    except requests.HTTPError as problem:
        status = problem.response.status_code if problem.response is not None else "an error"
        raise IndexProblem(f"the package index answers {status} for {what}") from problem
    except requests.exceptions.SSLError as problem:
        raise IndexProblem(
            "the package index has a certificate that is not trusted here",
            help="REQUESTS_CA_BUNDLE=FILE names the certificates to trust",
        ) from problem
    except requests.exceptions.ProxyError as problem:
        raise IndexSilent("the proxy before the package index does not answer") from problem
    except (requests.Timeout, requests.ConnectionError) as problem:
        raise IndexSilent("the package index does not answer") from problem
    except (requests.RequestException, UnsupportedContentTypeError, UnsupportedRepoVersionError, ValueError) as problem:
        raise IndexProblem(f"the package index gives something for {what} that is not understood") from problem


def is_version(text: str) -> bool:
    """Whether a release may be called so, in the registry and as the end of a ref's name."""
    return fits("version", text) and is_ref_name(text)


def _is_archive(package: DistributionPackage) -> bool:
    return (
        package.package_type == "sdist"
        and package.filename.endswith(".tar.gz")
        and package.version is not None
        and is_version(package.version)
    )


def _archive(package: DistributionPackage) -> SourceArchive:
    assert package.version is not None
    sha256 = package.digests.get("sha256", "").lower()
    known = sha256 if fits("sha256", sha256) else None
    return SourceArchive(package.version, package.filename, package.url, known, package.size)


def _package(archive: SourceArchive) -> DistributionPackage:
    from pypi_simple import DistributionPackage

    return DistributionPackage(
        filename=archive.filename,
        url=archive.url,
        project=None,
        version=archive.version,
        package_type="sdist",
        digests={},
        requires_python=None,
        has_sig=None,
    )
