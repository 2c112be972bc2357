"""What is brought of a vendor, from where, and what stands in for it."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from claimcheck.errors import ClaimcheckError, EnvironmentProblem, UsageError
from claimcheck.model import Anchor, Pin, Registry, Release, Revision, Vendor
from claimcheck.releases import DigestDiffers
from claimcheck.sources import Sources
from claimcheck.texts import SourceText
from claimcheck.upstream import Local, Upstream
from claimcheck.vendors import Came, Step, Undeclared, Vendors, Wanted, wanted
from conftest import MakeRepo, git
from package_index import PackageIndex, serving, sha256, source_archive

FILES = {"lib/a.py": "one = 1\n"}
ABSENT = "4" * 40
# Nobody listens on port 1, and the machine says so at once.
NO_FORGE = "https://127.0.0.1:1/o/lib"


@pytest.fixture
def index() -> Iterator[PackageIndex]:
    with serving(PackageIndex()) as served:
        yield served


@pytest.fixture
def root(tmp_path: Path) -> Path:
    where = tmp_path / "project"
    where.mkdir()
    return where


def lib(pin: str = ABSENT, **fields: object) -> Vendor:
    return replace(Vendor("lib", Pin(pin), ("L",)), **fields)  # type: ignore[arg-type]


def anchor(id: str, commit: str | None = None) -> Anchor:
    return Anchor(id, "lib", "lib/a.py", commit=Pin(commit) if commit else None)


def project(root: Path, vendor: Vendor, *anchors: Anchor, upstream: Upstream | None = None) -> Vendors:
    registry = Registry({vendor.name: vendor}, {each.id: each for each in anchors})
    return Vendors(root, registry, upstream or Upstream(index_url="http://127.0.0.1:1/simple/"))


def told(steps: Iterator[Step]) -> list[tuple[Came, str]]:
    return [(step.came, step.text) for step in steps]


def snapshot(folder: Path) -> dict[str, tuple[int, str]]:
    return {
        str(path.relative_to(folder)): (path.lstat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def read(root: Path, vendor: Vendor, rev: str) -> str:
    with Sources(root, {vendor.name: vendor}) as sources:
        found = sources.resolve(vendor.name, rev)
        assert isinstance(found, Revision), found
        text = sources.read(vendor.name, found.commit, "lib/a.py")
        assert isinstance(text, SourceText), text
        return text.text


def test_the_registry_names_pins_and_the_commits_that_anchors_keep() -> None:
    anchors = {each.id: each for each in (anchor("L-A"), anchor("L-B", "1" * 40), anchor("L-C", "1" * 40))}
    anchors["L-D"] = anchor("L-D", ABSENT)
    anchors["M-A"] = replace(anchor("M-A", "2" * 40), vendor="other")
    registry = Registry({"lib": lib()}, anchors)
    assert wanted(registry, "lib") == (Wanted(Pin(ABSENT)), Wanted(Pin("1" * 40), ("L-B", "L-C")))
    assert [want.label for want in wanted(registry, "lib")] == ["pin 44444444", "11111111 (held by L-B, L-C)"]


def test_what_is_here_is_not_brought_again(root: Path, make_repo: MakeRepo) -> None:
    [first, second] = make_repo(root / "vendor/lib", FILES, {"lib/a.py": "two = 2\n"})
    vendors = project(root, lib(second, url=NO_FORGE), anchor("L-A", first))
    before = snapshot(root)
    assert told(vendors.sync("lib")) == [(Came.HERE, "everything is here")]
    assert snapshot(root) == before
    assert not (root / "vendor/lib.git").exists()


def test_a_shallow_clone_gets_the_missing_commits_beside_it(root: Path, tmp_path: Path, make_repo: MakeRepo) -> None:
    commits = make_repo(tmp_path / "up", *({"lib/a.py": f"n = {n}\n"} for n in range(4)))
    (root / "vendor").mkdir()
    git(root / "vendor", "clone", "--quiet", "--depth=1", f"file://{tmp_path}/up", "lib")
    vendor = lib(commits[1])
    vendors = project(root, vendor, anchor("L-A", commits[0]))
    clone = snapshot(root / "vendor/lib")
    assert told(vendors.sync("lib", Local.at(tmp_path / "up"))) == [
        (Came.BROUGHT, f"pin {commits[1][:8]} and {commits[0][:8]} (held by L-A) brought from {tmp_path}/up")
    ]
    assert snapshot(root / "vendor/lib") == clone
    assert read(root, vendor, commits[1]) == "n = 1\n"
    assert read(root, vendor, commits[0]) == "n = 0\n"
    with pytest.raises(AssertionError):
        git(root / "vendor/lib.git", "cat-file", "-e", commits[2])
    assert told(vendors.sync("lib")) == [(Came.HERE, "everything is here")]


def test_one_commit_that_the_source_lacks_does_not_keep_the_others_away(
    root: Path, tmp_path: Path, make_repo: MakeRepo
) -> None:
    [first] = make_repo(tmp_path / "up", FILES)
    vendors = project(root, lib(first), anchor("L-A", ABSENT))
    assert told(vendors.sync("lib", Local.at(tmp_path / "up"))) == [
        (Came.BROUGHT, f"pin {first[:8]} brought from {tmp_path}/up"),
        (Came.FAILED, f"44444444 (held by L-A) not brought: {tmp_path}/up does not have it"),
    ]


def test_a_partial_clone_that_lacks_files_of_the_pin_counts_as_missing(
    root: Path, tmp_path: Path, make_repo: MakeRepo
) -> None:
    [first, second] = make_repo(tmp_path / "up", FILES, {"lib/a.py": "two = 2\n"})
    git(tmp_path / "up", "config", "uploadpack.allowFilter", "true")
    (root / "vendor").mkdir()
    git(root / "vendor", "clone", "--quiet", "--filter=blob:none", f"file://{tmp_path}/up", "lib")
    assert project(root, lib(second)).missing("lib") == []
    vendors = project(root, lib(first))
    assert vendors.missing("lib") == [Wanted(Pin(first))]
    assert [came for came, _ in told(vendors.sync("lib", Local.at(tmp_path / "up")))] == [Came.BROUGHT]
    assert vendors.missing("lib") == []
    assert read(root, lib(first), first) == "one = 1\n"


def test_where_no_forge_answers_the_declared_release_stands_in(root: Path, index: PackageIndex) -> None:
    digest = index.put("demo", "1.0", FILES)
    index.put("demo", "2.0", FILES)
    vendor = lib(url=NO_FORGE, pypi="demo", releases=(Release("1.0", digest), Release("2.0", "0" * 64)))
    vendors = project(root, vendor, upstream=Upstream(index.url))
    steps = told(vendors.sync("lib"))
    assert [came for came, _ in steps] == [Came.NOT_BROUGHT, Came.STAND_IN]
    assert steps[0][1].startswith("pin 44444444 not brought: 127.0.0.1 does not answer (failed to connect")
    assert "\n" not in steps[0][1]
    assert steps[1][1] == f"stand-in 1.0 brought from the package index: 1 file, sha256 {digest[:8]}…"
    assert read(root, vendor, "release") == "one = 1\n"
    assert index.asked == ["/simple/demo/", "/files/demo-1.0.tar.gz"]
    again = told(project(root, vendor, upstream=Upstream(index.url)).sync("lib"))
    assert again[1] == (Came.STAND_IN, "stand-in 1.0 is here")
    assert len(index.asked) == 2


def test_a_forge_that_did_not_answer_is_not_asked_again_in_the_same_run(
    root: Path, index: PackageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = index.put("demo", "1.0", FILES)
    one = lib(url=NO_FORGE, pypi="demo", releases=(Release("1.0", digest),))
    two = replace(one, name="two", prefixes=("T",))
    vendors = Vendors(root, Registry({"lib": one, "two": two}), Upstream(index.url))
    first, second = (told(vendors.sync(name)) for name in ("lib", "two"))
    assert first[0] == second[0]
    assert (root / "vendor/two.git/refs/release/1.0").read_text() == (
        root / "vendor/lib.git/refs/release/1.0"
    ).read_text()


def test_no_forge_is_asked_when_it_is_not_wanted(root: Path, index: PackageIndex) -> None:
    digest = index.put("demo", "1.0", FILES)
    vendor = lib(url="https://forge.invalid/o/lib", pypi="demo", releases=(Release("1.0", digest),))
    steps = told(project(root, vendor, upstream=Upstream(index.url, forges=False)).sync("lib"))
    assert steps[0] == (Came.NOT_BROUGHT, "pin 44444444 not brought: no forge is asked")
    assert steps[1][0] is Came.STAND_IN


def test_a_pinned_release_is_brought_and_is_no_stand_in(root: Path, index: PackageIndex) -> None:
    digest = index.put("demo", "1.0", FILES)
    vendor = lib("release/1.0", pypi="demo", releases=(Release("1.0", digest),))
    vendors = project(root, vendor, upstream=Upstream(index.url))
    assert told(vendors.sync("lib")) == [
        (Came.BROUGHT, f"pin 1.0 brought from the package index: 1 file, sha256 {digest[:8]}…")
    ]
    assert told(vendors.sync("lib")) == [(Came.HERE, "everything is here")]


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "no release is declared that could stand in"),
        ({"releases": (Release("1.0", "0" * 64),)}, "stand-in 1.0 not brought: release 1.0 cannot be looked up"),
        ({"releases": (Release("1.0", "0" * 64),), "pypi": "demo"}, "stand-in 1.0 not brought: the package index does"),
    ],
)
def test_what_can_neither_be_had_nor_stood_in_for_has_failed(root: Path, fields: dict[str, object], text: str) -> None:
    steps = told(project(root, lib(**fields)).sync("lib"))
    assert steps[0] == (Came.NOT_BROUGHT, "pin 44444444 not brought: no url is declared")
    assert steps[1][0] is Came.FAILED and steps[1][1].startswith(text)


def test_an_archive_with_another_digest_is_a_failure_and_not_a_stand_in(root: Path, index: PackageIndex) -> None:
    index.put("demo", "1.0", FILES)
    vendor = lib(pypi="demo", releases=(Release("1.0", "0" * 64),))
    steps = told(project(root, vendor, upstream=Upstream(index.url)).sync("lib"))
    assert steps[-1][0] is Came.FAILED and "nothing was brought" in steps[-1][1]
    assert not list((root / "vendor/lib.git/refs/release").iterdir())


def test_an_address_of_another_kind_is_refused_and_the_release_still_taken(root: Path, index: PackageIndex) -> None:
    digest = index.put("demo", "1.0", FILES)
    vendor = lib(url="ext::sh -c touch% canary", pypi="demo", releases=(Release("1.0", digest),))
    steps = told(project(root, vendor, upstream=Upstream(index.url)).sync("lib"))
    assert [came for came, _ in steps] == [Came.FAILED, Came.STAND_IN]


def test_a_declared_archive_on_this_machine_is_imported(root: Path, tmp_path: Path) -> None:
    data = source_archive("demo", "1.0", FILES)
    path = tmp_path / "whatever.tar.gz"
    path.write_bytes(data)
    vendor = lib(pypi="demo", releases=(Release("0.9", "0" * 64), Release("1.0", sha256(data))))
    vendors = project(root, vendor)
    assert told(vendors.sync("lib", Local.at(path))) == [
        (Came.BROUGHT, f"release 1.0 imported from {path}: 1 file, sha256 {sha256(data)[:8]}…")
    ]
    assert told(vendors.sync("lib", Local.at(path))) == [(Came.HERE, "release 1.0 is here")]
    stand_in = replace(vendor, releases=vendor.releases[1:])
    shutil.rmtree(root / "vendor")
    assert told(project(root, stand_in).sync("lib", Local.at(path)))[0][0] is Came.STAND_IN
    path.write_bytes(data + b"\0")
    [(came, text)] = told(vendors.sync("lib", Local.at(path)))
    assert came is Came.FAILED and "is none of the declared archives (0.9, 1.0)" in text


def test_what_from_names_is_told_apart_by_what_it_is(tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.write_bytes(b"odd")
    with pytest.raises(UsageError, match=r"is no clone, bundle or \.tar\.gz archive"):
        Local.at(odd)
    os.mkfifo(tmp_path / "fifo")


def test_a_copy_that_is_not_ours_is_a_failure_and_the_clone_is_untouched(
    root: Path, tmp_path: Path, make_repo: MakeRepo
) -> None:
    [first] = make_repo(tmp_path / "up", FILES)
    (root / "vendor").mkdir()
    git(root / "vendor", "clone", "--quiet", "--bare", f"file://{tmp_path}/up", "lib.git")
    before = snapshot(root)
    assert told(project(root, lib(first)).sync("lib")) == [(Came.HERE, "everything is here")]
    [step] = project(root, lib()).sync("lib", Local.at(tmp_path / "up"))
    assert step.came is Came.FAILED and "was not made by claimcheck" in step.text
    assert step.help and step.help.startswith("mv vendor/lib.git vendor/lib")
    assert snapshot(root) == before


def test_a_clone_that_borrows_from_outside_gets_a_copy_beside_it(
    root: Path, tmp_path: Path, make_repo: MakeRepo
) -> None:
    [first] = make_repo(tmp_path / "up", FILES)
    (root / "vendor").mkdir()
    git(root / "vendor", "clone", "--quiet", "--shared", str(tmp_path / "up"), "lib")
    vendors = project(root, lib(first))
    assert vendors.missing("lib") == [Wanted(Pin(first))]
    assert [came for came, _ in told(vendors.sync("lib", Local.at(tmp_path / "up")))] == [Came.BROUGHT]
    assert vendors.missing("lib") == []


def test_a_tag_is_fetched_under_its_name(root: Path, tmp_path: Path, make_repo: MakeRepo) -> None:
    [first, second] = make_repo(tmp_path / "up", FILES, {"lib/a.py": "two = 2\n"})
    git(tmp_path / "up", "tag", "v2")
    vendors = project(root, lib(first))
    up = Local.at(tmp_path / "up")
    assert told(vendors.fetch("lib", "v2", local=up)) == [
        (Came.BROUGHT, f"{second[:8]} (v2) brought from {tmp_path}/up")
    ]
    assert told(vendors.fetch("lib", "v2")) == [(Came.HERE, f"{second[:8]} (v2) is here")]
    assert told(vendors.fetch("lib", second)) == [(Came.HERE, f"{second[:8]} (v2) is here")]
    assert read(root, lib(first), "v2") == "two = 2\n"


def test_what_cannot_be_fetched_is_told_with_vendor_and_revision(
    root: Path, tmp_path: Path, make_repo: MakeRepo
) -> None:
    make_repo(tmp_path / "up", FILES)
    vendors = project(root, lib(url=NO_FORGE))
    with pytest.raises(EnvironmentProblem, match=r"^lib: v9 not brought: .*up does not have it$"):
        list(vendors.fetch("lib", "v9", local=Local.at(tmp_path / "up")))
    with pytest.raises(EnvironmentProblem, match=r"^lib: v9 not brought: 127\.0\.0\.1 does not answer") as silent:
        list(vendors.fetch("lib", "v9"))
    assert silent.value.help and silent.value.help.startswith("--from PATH")


@pytest.mark.parametrize(
    "rev", ["HEAD", "a" * 64, "v1..v2", "-x", "v1^{commit}", "a b", "release/../x", "release/", "v1:path", "@{u}", ""]
)
def test_revisions_that_cannot_be_meant_are_refused_before_anything_is_done(root: Path, rev: str) -> None:
    with pytest.raises(UsageError):
        list(project(root, lib(url=NO_FORGE)).fetch("lib", rev))
    assert list(root.iterdir()) == []


def test_an_undeclared_release_is_not_brought_and_the_line_to_add_is_told(root: Path, index: PackageIndex) -> None:
    digest = index.put("demo", "1.0", FILES)
    line = f'"1.0": {digest}'
    for vendor, expected in (
        (lib(pypi="demo", releases=(Release("0.9", "0" * 64),)), f"{line}    under vendors.lib.releases.versions"),
        (lib(pypi="demo"), f"versions: {{{line}}}    under vendors.lib.releases"),
    ):
        with pytest.raises(Undeclared) as undeclared:
            list(project(root, vendor, upstream=Upstream(index.url)).fetch("lib", "release/1.0"))
        assert undeclared.value.exit_code == 1
        assert undeclared.value.message == "lib: release 1.0 is not declared; nothing was brought"
        assert undeclared.value.help and undeclared.value.help.startswith(expected)
    assert list(root.iterdir()) == []
    assert index.asked == ["/simple/demo/"] * 2


def test_an_undeclared_release_is_brought_on_trust_and_the_line_still_told(root: Path, index: PackageIndex) -> None:
    digest = index.put("demo", "1.0", FILES)
    vendor = lib(pypi="demo")
    [step] = project(root, vendor, upstream=Upstream(index.url)).fetch("lib", "release/1.0", trust=True)
    assert step.came is Came.BROUGHT
    assert step.help and step.help.startswith(f'versions: {{"1.0": {digest}}}')
    assert read(root, replace(vendor, releases=(Release("1.0", digest),)), "release/1.0") == "one = 1\n"


def test_a_declared_digest_is_never_overruled_by_trust(root: Path, index: PackageIndex) -> None:
    index.put("demo", "1.0", FILES)
    vendor = lib(pypi="demo", releases=(Release("1.0", "0" * 64),))
    with pytest.raises(DigestDiffers):
        list(project(root, vendor, upstream=Upstream(index.url)).fetch("lib", "release/1.0", trust=True))


def test_a_release_comes_from_an_archive_on_this_machine(root: Path, tmp_path: Path) -> None:
    data = source_archive("demo", "1.0", FILES)
    path = tmp_path / "demo-1.0.tar.gz"
    path.write_bytes(data)
    vendor = lib(pypi="demo", releases=(Release("1.0", sha256(data)),))
    vendors = project(root, vendor)
    [(came, _)] = told(vendors.fetch("lib", "release", local=Local.at(path)))
    assert came is Came.BROUGHT
    assert told(vendors.fetch("lib", "release/1.0")) == [(Came.HERE, "release 1.0 is here")]
    with pytest.raises(ClaimcheckError, match="a commit comes from a clone or a bundle"):
        list(vendors.fetch("lib", ABSENT, local=Local.at(path)))
    with pytest.raises(Undeclared) as undeclared:
        list(vendors.fetch("lib", "release/1.1", local=Local.at(path)))
    assert f'"1.1": {sha256(data)}' in (undeclared.value.help or "")


def test_a_digest_of_digits_is_quoted_in_the_line_to_add(root: Path, tmp_path: Path) -> None:
    from claimcheck.vendors import _line_to_add

    digits, float_like, mixed = "1" * 64, "1" * 30 + "e" + "1" * 33, "a" * 64
    for digest, written in ((digits, f'"{digits}"'), (float_like, f'"{float_like}"'), (mixed, mixed)):
        assert _line_to_add(lib(pypi="demo"), Release("1.0", digest)).startswith(f'versions: {{"1.0": {written}}}')


def test_the_history_between_two_commits_is_brought(root: Path, tmp_path: Path, make_repo: MakeRepo) -> None:
    up = tmp_path / "up"
    commits = make_repo(up, *({"lib/a.py": f"n = {n}\n"} for n in range(4)))
    git(up, "tag", "v4")
    vendors = project(root, lib(commits[0]))
    assert told(vendors.fetch_history("lib", "v4", None, Local.at(up))) == [
        (Came.BROUGHT, f"3 commits from {commits[0][:8]} to {commits[3][:8]}, brought from {up}")
    ]
    assert git(root / "vendor/lib.git", "rev-list", "--count", f"{commits[0]}..v4") == "3"
    [(_, text)] = told(vendors.fetch_history("lib", commits[1], "v4", Local.at(up)))
    assert text.startswith(f"2 commits from {commits[1][:8]} to {commits[3][:8]}")


def test_a_release_has_no_history(root: Path) -> None:
    for pin, rev in (("release/1.0", ABSENT), (ABSENT, "release/1.0")):
        with pytest.raises(UsageError, match="which has no history"):
            list(project(root, lib(pin)).fetch_history("lib", rev, None))


def test_names_in_a_source_do_not_matter_only_ids_do(root: Path, tmp_path: Path, make_repo: MakeRepo) -> None:
    """A branch called like the pin cannot take its place."""
    [first, second] = make_repo(tmp_path / "up", FILES, {"lib/a.py": "evil = 2\n"})
    git(tmp_path / "up", "branch", first, second)
    git(tmp_path / "up", "tag", first[:8], second)
    vendors = project(root, lib(first))
    assert [came for came, _ in told(vendors.sync("lib", Local.at(tmp_path / "up")))] == [Came.BROUGHT]
    assert read(root, lib(first), first) == "one = 1\n"


def test_two_runs_at_once_both_end_well(root: Path, tmp_path: Path, make_repo: MakeRepo) -> None:
    import threading

    [first] = make_repo(tmp_path / "up", FILES)
    results: list[list[tuple[Came, str]]] = []

    def run() -> None:
        results.append(told(project(root, lib(first)).sync("lib", Local.at(tmp_path / "up"))))

    runs = [threading.Thread(target=run) for _ in range(3)]
    for each in runs:
        each.start()
    for each in runs:
        each.join()
    assert len(results) == 3
    assert all(came in (Came.HERE, Came.BROUGHT) for steps in results for came, _ in steps)
    assert read(root, lib(first), first) == "one = 1\n"
