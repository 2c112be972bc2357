"""Releases: looked up at a package index, compared, imported as the same commit everywhere."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimcheck.archives import ArchiveRefused
from claimcheck.errors import EnvironmentProblem, UsageError
from claimcheck.git.copy import Copy
from claimcheck.model import Release
from claimcheck.releases import DigestDiffers, IndexProblem, IndexSilent, bring, import_archive, open_index
from conftest import git
from package_index import PackageIndex, serving, source_archive
from package_index import sha256 as digest_of

FILES = {"demo/a.py": "one = 1\n", "README": "hello\n"}
NO_VARIABLES: dict[str, str] = {}


@pytest.fixture
def index() -> Iterator[PackageIndex]:
    with serving(PackageIndex()) as served:
        yield served


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path / "project", "lib")


def left_over(copy: Copy) -> list[str]:
    return sorted(str(path.relative_to(copy.path)) for path in copy.path.rglob("*") if path.is_file())


@pytest.mark.parametrize("as_json", [False, True])
def test_a_declared_release_is_brought_and_imported(index: PackageIndex, copy: Copy, as_json: bool) -> None:
    index.as_json = as_json
    sha256 = index.put("demo", "1.0", FILES)
    with open_index(index.url, NO_VARIABLES) as opened, copy.writing():
        done = bring(copy, "demo", Release("1.0", sha256), opened)
    assert done.files == 2
    assert git(copy.path, "show", f"{done.commit}:demo/a.py") == "one = 1"
    assert git(copy.path, "rev-parse", "refs/release/1.0") == done.commit
    message = git(copy.path, "show", "-s", "--format=%B", done.commit)
    assert message == f"demo 1.0\n\nsource archive, imported by claimcheck\nsha256: {sha256}"
    assert not copy.incoming.exists()


def test_the_same_archive_gives_the_same_commit_from_index_and_file(
    index: PackageIndex, copy: Copy, tmp_path: Path
) -> None:
    sha256 = index.put("demo", "1.0", FILES)
    other = Copy(tmp_path / "other project", "another-name")
    path = tmp_path / "renamed.tar.gz"
    path.write_bytes(source_archive("demo", "1.0", FILES))
    with open_index(index.url, NO_VARIABLES) as opened, copy.writing():
        one = bring(copy, "demo", Release("1.0", sha256), opened)
    with other.writing():
        two = import_archive(other, "demo", Release("1.0", sha256), path, "renamed.tar.gz")
    assert one == two


def test_versions_are_listed_oldest_first_and_wheels_are_none(index: PackageIndex) -> None:
    for version in ("0.9", "0.10", "0.10rc1"):
        index.put("demo", version, FILES)
    index.files["demo-2.0-py3-none-any.whl"] = b"a wheel"
    index.files["demo-3.0.zip"] = b"a zip"
    with open_index(index.url, NO_VARIABLES) as opened:
        assert list(opened.archives("demo")) == ["0.9", "0.10rc1", "0.10"]


def test_a_version_that_is_not_there_is_told_with_the_newest_that_is(index: PackageIndex) -> None:
    index.put("demo", "1.0", FILES)
    with open_index(index.url, NO_VARIABLES) as opened:
        with pytest.raises(IndexProblem, match=r"no \.tar\.gz source archive of demo 9; the newest is 1\.0"):
            opened.archive("demo", "9")
        with pytest.raises(IndexProblem, match="has no project nothing"):
            opened.archive("nothing", "9")


def test_another_spelling_of_a_version_is_the_same_version(index: PackageIndex) -> None:
    index.put("demo", "1.0rc1", FILES)
    with open_index(index.url, NO_VARIABLES) as opened:
        assert opened.archive("demo", "1.0.RC.1").version == "1.0rc1"
        with pytest.raises(IndexProblem):
            opened.archive("demo", "1.0.0rc1")


def test_an_archive_that_the_index_lists_differently_is_not_even_downloaded(index: PackageIndex, copy: Copy) -> None:
    index.put("demo", "1.0", FILES)
    with (
        open_index(index.url, NO_VARIABLES) as opened,
        copy.writing(),
        pytest.raises(DigestDiffers, match="declared is 00"),
    ):
        bring(copy, "demo", Release("1.0", "0" * 64), opened)
    assert index.asked == ["/simple/demo/"]


def test_an_archive_that_was_exchanged_is_thrown_away(index: PackageIndex, copy: Copy) -> None:
    index.put("demo", "1.0", FILES)
    for listed in ("0" * 64, None):
        index.listed["demo-1.0.tar.gz"] = listed
        with open_index(index.url, NO_VARIABLES) as opened:
            with copy.writing(), pytest.raises(DigestDiffers, match="nothing was imported") as differs:
                bring(copy, "demo", Release("1.0", "0" * 64), opened)
            assert differs.value.exit_code == 1
        assert left_over(copy) == ["HEAD", "claimcheck.lock", "config"]


def test_a_download_that_breaks_off_leaves_nothing(index: PackageIndex, copy: Copy) -> None:
    index.cut = True
    sha256 = index.put("demo", "1.0", FILES)
    with open_index(index.url, NO_VARIABLES) as opened, copy.writing(), pytest.raises(IndexProblem):
        bring(copy, "demo", Release("1.0", sha256), opened)
    assert left_over(copy) == ["HEAD", "claimcheck.lock", "config"]


def test_an_archive_that_must_not_be_imported_leaves_nothing(copy: Copy, tmp_path: Path) -> None:
    data = source_archive("demo", "1.0", {"first": "x" * 5000, ".git/config": "[core]"})
    path = tmp_path / "demo-1.0.tar.gz"
    path.write_bytes(data)
    release = Release("1.0", digest_of(data))
    with copy.writing(), pytest.raises(ArchiveRefused, match=r"demo-1\.0\.tar\.gz has the name"):
        import_archive(copy, "demo", release, path, path.name)
    assert left_over(copy) == ["HEAD", "claimcheck.lock", "config"]


def test_an_index_that_does_not_answer_is_told_without_its_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://user:hunter2@127.0.0.1:{port}/simple/"
    with open_index(address, NO_VARIABLES) as opened, pytest.raises(IndexSilent) as silent:
        opened.archives("demo")
    assert silent.value.message == "the package index does not answer"


def test_an_address_where_no_index_is_has_no_project(index: PackageIndex) -> None:
    address = index.url.replace("/simple/", "/elsewhere/")
    with open_index(address, NO_VARIABLES) as opened, pytest.raises(IndexProblem, match="has no project demo"):
        opened.archives("demo")


def test_the_index_is_told_by_the_environment_unless_an_option_tells_it(index: PackageIndex) -> None:
    index.put("demo", "1.0", FILES)
    with open_index(None, {"PIP_INDEX_URL": index.url}) as opened:
        assert list(opened.archives("demo")) == ["1.0"]
    with open_index(index.url, {"PIP_INDEX_URL": "https://nowhere.invalid/simple"}) as opened:
        assert list(opened.archives("demo")) == ["1.0"]


@pytest.mark.parametrize("url", ["file:///srv/simple", "ftp://f.example/simple", "simple", "https:///simple"])
def test_an_index_without_a_web_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="has no https address"):
        open_index(url, NO_VARIABLES)


def test_certificates_that_are_not_there_are_told_by_the_variable() -> None:
    with pytest.raises(EnvironmentProblem, match="PIP_CERT names certificates that are not there"):
        open_index("https://f.example/simple", {"PIP_CERT": "/nowhere.pem"})


def test_progress_goes_from_download_to_import(index: PackageIndex, copy: Copy) -> None:
    sha256 = index.put("demo", "1.0", {f"f{n}": "x" for n in range(200)})
    told: list[tuple[str, int, int]] = []
    with open_index(index.url, NO_VARIABLES) as opened, copy.writing():
        bring(copy, "demo", Release("1.0", sha256), opened, lambda *step: told.append(step))
    assert told[0][0] == "downloading demo-1.0.tar.gz"
    assert told[-1][0] == "importing demo-1.0.tar.gz"
    assert all(done <= total for _, done, total in told)
