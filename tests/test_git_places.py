"""Where repositories keep their objects and refs: every sort of repository is found, none leads outside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimcheck.git import places
from claimcheck.git.places import Head, ObjectDirectory, PlaceKind, Tag, Unusable, is_ref_name, object_directory
from conftest import MakeRepo, git

FILES = {"a.py": "x = 1\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root of a project with a folder for vendors."""
    (tmp_path / "project" / "vendor").mkdir(parents=True)
    return tmp_path / "project"


def found(root: Path, name: str = "lib", *allowed: Path) -> ObjectDirectory:
    where = object_directory(root / "vendor" / name, root=root, allow_alternates=allowed)
    assert isinstance(where, ObjectDirectory), where
    return where


def refused(root: Path, name: str = "lib", *allowed: Path) -> Unusable:
    where = object_directory(root / "vendor" / name, root=root, allow_alternates=allowed)
    assert isinstance(where, Unusable), where
    return where


def test_a_clone(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", FILES)
    where = found(root)
    assert (where.name, where.kind) == ("vendor/lib", PlaceKind.CLONE)
    assert where.objects == root / "vendor/lib/.git/objects"
    assert places.head(where) == Head(commit, "main")
    assert (where.shallow, where.partial, where.reftable) == (None, False, False)


def test_a_bare_repository(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "up", FILES)
    git(root, "clone", "--quiet", "--bare", str(root / "up"), "vendor/lib.git")
    where = found(root, "lib.git")
    assert where.kind is PlaceKind.BARE
    assert where.objects == root / "vendor/lib.git/objects"
    assert places.head(where) == Head(commit, "main")


def test_a_submodule_keeps_its_objects_in_the_outer_repository(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root.parent / "up", FILES)
    git(root, "init", "--quiet")
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(root.parent / "up"), "vendor/lib")
    where = found(root)
    assert where.kind is PlaceKind.SUBMODULE
    assert where.objects == root / ".git/modules/vendor/lib/objects"
    assert places.head(where) == Head(commit, "main")


def test_a_linked_worktree_of_a_clone_in_the_project(root: Path, make_repo: MakeRepo) -> None:
    first, _ = make_repo(root / "vendor/main", FILES, {"a.py": "x = 2\n"})
    git(root / "vendor/main", "worktree", "add", "--quiet", "--detach", "../lib", first)
    where = found(root)
    assert where.kind is PlaceKind.WORKTREE
    assert where.objects == root / "vendor/main/.git/objects"
    assert places.head(where) == Head(first)
    git(root / "vendor/main", "tag", "v1")
    assert list(places.tags(where)) == ["v1"]


def test_a_linked_worktree_of_a_repository_outside_needs_permission(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root.parent / "cache", FILES)
    git(root.parent / "cache", "worktree", "add", "--quiet", "--detach", str(root / "vendor/lib"))
    problem = refused(root)
    assert problem.message == "vendor/lib is a linked worktree of ../cache/.git, outside the project"
    assert problem.help is not None
    assert "--allow-alternates ../cache/.git (or CLAIMCHECK_ALTERNATES)" in problem.help
    assert found(root, "lib", root.parent / "cache").kind is PlaceKind.WORKTREE


def test_a_sibling_whose_name_begins_like_an_allowed_folder_is_not_allowed(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root.parent / "cache-private", FILES)
    (root / "vendor/lib").symlink_to(root.parent / "cache-private")
    assert refused(root, "lib", root.parent / "cache").message == (
        "vendor/lib is a symbolic link to ../cache-private, outside the project"
    )


def test_a_sibling_whose_name_begins_like_the_project_is_outside(tmp_path: Path, make_repo: MakeRepo) -> None:
    (tmp_path / "project/vendor").mkdir(parents=True)
    make_repo(tmp_path / "project-private", FILES)
    (tmp_path / "project/vendor/lib").symlink_to("../../project-private")
    assert "outside the project" in refused(tmp_path / "project").message


@pytest.mark.parametrize(
    "part", ["vendor/lib", "vendor/lib/.git", "vendor/lib/.git/objects", "vendor/lib/.git/objects/pack"]
)
def test_a_symbolic_link_that_leaves_the_project_is_refused(part: str, root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "vendor/lib", FILES)
    git(root / "vendor/lib", "repack", "-adq")
    (root / part).rename(root.parent / "moved")
    (root / part).symlink_to(root.parent / "moved")
    problem = refused(root)
    assert "../moved, outside the project" in problem.message
    assert problem.help is not None
    found(root, "lib", root.parent / "moved")


@pytest.mark.parametrize("part", ["vendor/lib", "vendor/lib/.git", "vendor/lib/.git/objects"])
def test_a_symbolic_link_inside_the_project_is_followed(part: str, root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", FILES)
    (root / part).rename(root / "moved")
    (root / part).symlink_to(root / "moved")
    assert places.head(found(root)) == Head(commit, "main")


def test_a_git_file_that_leads_outside_is_refused(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root.parent / "victim", FILES)
    (root / "vendor/lib").mkdir()
    (root / "vendor/lib/.git").write_text(f"gitdir: {root.parent}/victim/.git\n")
    assert refused(root).message == "vendor/lib has its .git in ../victim/.git, outside the project"


def test_a_common_directory_outside_is_refused(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root.parent / "victim", FILES)
    make_repo(root / "vendor/lib", FILES)
    (root / "vendor/lib/.git/commondir").write_text(f"{root.parent}/victim/.git\n")
    assert refused(root).message == "vendor/lib is a linked worktree of ../victim/.git, outside the project"


@pytest.mark.parametrize("relative", [False, True])
def test_alternates_outside_need_permission(relative: bool, root: Path, make_repo: MakeRepo) -> None:
    make_repo(root.parent / "cache", FILES)
    git(root, "clone", "--quiet", "--shared", str(root.parent / "cache"), "vendor/lib")
    if relative:
        line = os.path.relpath(root.parent / "cache/.git/objects", root / "vendor/lib/.git/objects")
        (root / "vendor/lib/.git/objects/info/alternates").write_text(line + "\n")
    problem = refused(root)
    assert problem.message == (
        "vendor/lib borrows objects (alternates) from ../cache/.git/objects, outside the project"
    )
    assert problem.help is not None
    assert problem.help.startswith("--allow-alternates ../cache/.git/objects ")
    found(root, "lib", root.parent / "cache/.git/objects")


def test_alternates_of_alternates_are_looked_at(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root.parent / "victim", FILES)
    git(root, "clone", "--quiet", "--shared", str(root.parent / "victim"), "vendor/inner")
    git(root, "clone", "--quiet", "--shared", "vendor/inner", "vendor/lib")
    assert "../victim/.git/objects, outside the project" in refused(root).message


def test_alternates_inside_the_project_are_used(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "vendor/main", FILES)
    git(root, "clone", "--quiet", "--shared", "vendor/main", "vendor/lib")
    found(root)


def test_alternates_in_a_circle_and_ones_that_are_gone_do_no_harm(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "vendor/lib", FILES)
    own = root / "vendor/lib/.git/objects"
    (own / "info/alternates").write_text(f"# a remark\n\n{own}\n../objects\n{root}/gone\n")
    found(root)


def test_very_many_alternates_are_refused(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "vendor/lib", FILES)
    lines = []
    for n in range(places.MOST_ALTERNATES + 1):
        (root / f"objects{n}").mkdir()
        lines.append(f"{root}/objects{n}\n")
    (root / "vendor/lib/.git/objects/info/alternates").write_text("".join(lines))
    assert "too many places" in refused(root).message


def test_a_quoted_alternate_is_not_guessed_at(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "vendor/lib", FILES)
    (root / "vendor/lib/.git/objects/info/alternates").write_text('"/etc"\n')
    assert "quoted" in refused(root).message


def test_an_empty_folder_is_never_answered_for_by_the_outer_repository(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root, FILES)
    (root / "vendor/lib").mkdir(parents=True)
    problem = refused(root)
    assert problem.message == (
        "vendor/lib is an empty folder, not a git repository (a submodule that was not initialised?)"
    )
    assert problem.help == "git submodule update --init vendor/lib"


def test_a_submodule_that_was_not_initialised(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root.parent / "up", FILES)
    git(root, "init", "--quiet")
    for name in ("lib", "lib2"):
        git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../up", f"vendor/{name}")
    git(root, "submodule", "--quiet", "deinit", "--all", "--force")
    problem = refused(root)
    assert problem.message == "vendor/lib is a submodule that was not initialised"
    assert problem.help == "git submodule update --init vendor/lib"


def test_an_empty_folder_without_an_outer_repository_gets_no_git_advice(root: Path) -> None:
    (root / "vendor/lib").mkdir()
    assert refused(root).help is None


def test_an_unpacked_archive_is_no_repository(root: Path) -> None:
    (root / "vendor/lib").mkdir()
    (root / "vendor/lib/a.py").write_text("x = 1\n")
    assert refused(root).message == "vendor/lib is not a git repository: it has no .git"


@pytest.mark.parametrize("content", ["", "not a pointer\n", "\0\0"])
def test_a_git_file_that_names_nothing(content: str, root: Path) -> None:
    (root / "vendor/lib").mkdir()
    (root / "vendor/lib/.git").write_text(content)
    assert refused(root).message == "vendor/lib is not a git repository: its .git file does not name a folder"


def test_a_git_file_that_leads_nowhere(root: Path) -> None:
    (root / "vendor/lib").mkdir()
    (root / "vendor/lib/.git").write_text("gitdir: ../../.git/modules/lib\n")
    assert (
        refused(root).message
        == "vendor/lib is not a git repository: its .git leads to .git/modules/lib, where there is none"
    )


def test_a_file_in_place_of_a_repository(root: Path) -> None:
    (root / "vendor/lib").write_text("")
    assert refused(root).message == "vendor/lib is not a folder"


def test_a_loop_of_symbolic_links_ends(root: Path) -> None:
    (root / "vendor/lib").symlink_to("lib")
    assert isinstance(object_directory(root / "vendor/lib", root=root), Unusable)


@pytest.mark.parametrize(
    "name", [".git", ".git/HEAD", ".git/config", ".git/packed-refs", ".git/objects/info/alternates"]
)
def test_a_fifo_keeps_nobody_waiting(name: str, root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "vendor/lib", FILES)
    path = root / "vendor/lib" / name
    if path.is_dir():
        path.rename(root / "away")
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    where = object_directory(root / "vendor/lib", root=root)
    if isinstance(where, ObjectDirectory):
        places.head(where)
        places.tags(where)


def test_a_sha256_repository_is_refused_by_name(root: Path) -> None:
    git(root, "init", "--quiet", "--object-format=sha256", "vendor/lib")
    assert refused(root).message == "vendor/lib is a SHA-256 repository; the SHA-256 object format is not supported"


def test_a_sha1_repository_that_says_so_is_read(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "vendor/lib", FILES)
    with (root / "vendor/lib/.git/config").open("a") as config:
        config.write('[Extensions]\n\tObjectFormat = sha1\n[includeIf "gitdir:/"] path = /etc/passwd\n[[[broken\n')
    found(root)


def test_the_refs_of_a_reftable_repository_are_not_guessed(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "vendor/lib", FILES)
    with (root / "vendor/lib/.git/config").open("a") as config:
        config.write("[extensions]\n\trefstorage = reftable\n")
    where = found(root)
    assert where.reftable
    assert places.head(where) is None


def test_a_shallow_clone_says_where_it_ends(root: Path, make_repo: MakeRepo) -> None:
    _, second = make_repo(root.parent / "up", FILES, {"a.py": "x = 2\n"})
    git(root, "clone", "--quiet", "--depth=1", f"file://{root.parent}/up", "vendor/lib")
    where = found(root)
    assert where.shallow == root / "vendor/lib/.git/shallow"
    assert places.shallow_boundary(where) == (second,)


@pytest.mark.parametrize("section", ['remote "origin"] promisor = true', "extensions] partialClone = origin"])
def test_a_partial_clone_is_known_by_its_configuration(section: str, root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "vendor/lib", FILES)
    assert not found(root).partial
    with (root / "vendor/lib/.git/config").open("a") as config:
        config.write(f"[{section}\n")
    assert found(root).partial


def test_refs_are_read_loose_and_packed(root: Path, make_repo: MakeRepo) -> None:
    first, second = make_repo(root / "vendor/lib", FILES, {"a.py": "x = 2\n"})
    for name, commit in (("v1", first), ("v2", second)):
        git(root / "vendor/lib", "tag", name, commit)
    git(root / "vendor/lib", "tag", "-a", "-m", "noted", "v1-noted", first)
    noted = git(root / "vendor/lib", "rev-parse", "v1-noted")
    git(root / "vendor/lib", "pack-refs", "--all")
    git(root / "vendor/lib", "tag", "loose/v3", second)
    git(root / "vendor/lib", "tag", "--force", "v2", first)
    where = found(root)
    assert places.head(where) == Head(second, "main")
    assert places.ref(where, "refs/tags/v1") == first
    assert places.ref(where, "refs/tags/v2") == first
    assert places.ref(where, "refs/tags/loose/v3") == second
    assert places.ref(where, "refs/tags/v") is None
    assert places.tags(where) == {
        "v1": Tag(first),
        "v1-noted": Tag(noted, first),
        "v2": Tag(first),
        "loose/v3": Tag(second),
    }


def test_a_detached_head(root: Path, make_repo: MakeRepo) -> None:
    first, _ = make_repo(root / "vendor/lib", FILES, {"a.py": "x = 2\n"})
    git(root / "vendor/lib", "checkout", "--quiet", first)
    assert places.head(found(root)) == Head(first)


def test_a_head_before_the_first_commit(root: Path) -> None:
    git(root, "init", "--quiet", "--initial-branch", "main", "vendor/lib")
    assert places.head(found(root)) == Head(None, "main")


def test_a_head_that_is_a_symbolic_link(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", FILES)
    (root / "vendor/lib/.git/HEAD").unlink()
    (root / "vendor/lib/.git/HEAD").symlink_to("refs/heads/main")
    assert places.head(found(root)) == Head(commit, "main")


@pytest.mark.parametrize(
    "text", ["ref: ../../../secret", "ref: refs/heads/../../../../secret", "secret", "ref: refs/heads/-x"]
)
def test_a_head_cannot_make_other_files_be_read(text: str, root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", FILES)
    (root / "secret").write_text(commit)
    (root / "vendor/lib/.git/HEAD").write_text(text + "\n")
    assert places.head(found(root)) in (None, Head(None, "-x"))


def test_a_head_that_is_a_link_to_another_file_is_not_followed(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", FILES)
    (root / "secret").write_text(commit)
    (root / "vendor/lib/.git/HEAD").unlink()
    (root / "vendor/lib/.git/HEAD").symlink_to("../../../secret")
    assert places.head(found(root)) is None


def test_symbolic_refs_in_a_circle_end(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "vendor/lib", FILES)
    (root / "vendor/lib/.git/refs/tags/a").write_text("ref: refs/tags/b\n")
    (root / "vendor/lib/.git/refs/tags/b").write_text("ref: refs/tags/a\n")
    assert places.ref(found(root), "refs/tags/a") is None


def test_releases_are_refs_of_their_own(root: Path, make_repo: MakeRepo) -> None:
    first, second = make_repo(root / "vendor/lib", FILES, {"a.py": "x = 2\n"})
    git(root / "vendor/lib", "update-ref", "refs/release/1.0", first)
    git(root / "vendor/lib", "pack-refs", "--all")
    git(root / "vendor/lib", "update-ref", "refs/release/1.1", second)
    assert places.releases(found(root)) == {"1.0": first, "1.1": second}


def test_a_repository_of_somebody_else_is_read(root: Path, make_repo: MakeRepo) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    (commit,) = make_repo(root / "vendor/lib", FILES)
    for folder, folders, names in os.walk(root / "vendor/lib"):
        for name in (*folders, *names):
            os.chown(os.path.join(folder, name), 65534, 65534)
    assert places.head(found(root)) == Head(commit, "main")


@pytest.mark.parametrize("name", ["v0.33.0", "release/1", "文件", "a-b", "v1+cu12", "refs/tags/v1"])
def test_names_of_refs(name: str) -> None:
    assert is_ref_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("", "-x", "a..b", "../x", "a/../b", "/a", "a/", "a//b", ".a", "a/.b", "a.lock", "a.lock/b", "a.", "HEAD~1"),
        *("a b", "a\nb", "a\0b", "\x7f", "a~1", "a^{}", "a:b", ":/fix", "a?", "a*", "a[", "a\\b", "a@{1}"),
    ],
)
def test_what_is_no_name_of_a_ref(name: str) -> None:
    assert not is_ref_name(name)


@given(st.text(max_size=30))
def test_a_ref_name_stays_below_its_folder(name: str) -> None:
    if is_ref_name(name):
        assert os.path.normpath(f"/git/refs/tags/{name}") == f"/git/refs/tags/{name}"
