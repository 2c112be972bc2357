"""The project's folder: found, read, listed and written, and nothing outside it touched."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
import time
from pathlib import Path

import pytest

from claimcheck.edit import FileChange
from claimcheck.errors import EnvironmentProblem, ReadRefused, UsageError, WriteRefused
from claimcheck.project import Project, TooLarge


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "course"
    root.mkdir()
    (root / "anchors.yaml").write_bytes(b"anchors: {}\n")
    return Project(root)


def tree(root: Path) -> dict[str, object]:
    """Every name below a folder with its kind, mode and content."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        status = path.lstat()
        content: object = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        found[str(path.relative_to(root))] = (stat.filemode(status.st_mode), content)
    return found


# Finding


def test_a_project_is_found_from_any_folder_inside(project):
    inner = project.root / "lessons" / "one"
    inner.mkdir(parents=True)
    assert Project.find(inner) == Project.find(project.root) == project


def test_the_nearest_project_is_found(project):
    inner = project.root / "lessons"
    inner.mkdir()
    (inner / "anchors.yaml").touch()
    assert Project.find(inner).root == inner


def test_a_folder_of_anchor_files_makes_a_project(tmp_path):
    (tmp_path / "anchors").mkdir()
    (tmp_path / "anchors" / "lib.yaml").touch()
    assert Project.find(tmp_path).root == tmp_path


def test_a_folder_called_anchors_without_files_makes_none(tmp_path):
    (tmp_path / "a" / "anchors").mkdir(parents=True)
    with pytest.raises(UsageError, match=r"no anchors\.yaml in this folder or in any folder above it"):
        Project.find(tmp_path / "a")


def test_a_folder_that_does_not_exist(tmp_path):
    with pytest.raises(UsageError, match="no such file or directory"):
        Project.find(tmp_path / "none")


def test_a_project_behind_a_link_is_the_real_one(project, tmp_path):
    (tmp_path / "link").symlink_to(project.root)
    assert Project.find(tmp_path / "link").root == project.root


# Reading


def test_bytes_come_as_they_are(project):
    content = b"\xef\xbb\xbfa\r\n\0\xff"
    (project.root / "x").write_bytes(content)
    assert project.read("x") == content


@pytest.mark.parametrize("path", ["none", "none/x", "anchors.yaml/x"])
def test_what_is_not_there_is_none(project, path):
    assert project.read(path) is None


def test_links_inside_the_project_are_followed(project):
    (project.root / "real").mkdir()
    (project.root / "real" / "a.yaml").write_bytes(b"a")
    (project.root / "claims").symlink_to("real")
    (project.root / "b.yaml").symlink_to("claims/a.yaml")
    assert project.read("claims/a.yaml") == project.read("b.yaml") == b"a"


@pytest.mark.parametrize(
    "target", ["/etc/passwd", "../secret", "../course-private/secret", "/proc/self/environ", "/dev/zero"]
)
def test_links_that_leave_the_project_are_refused(project, tmp_path, target):
    (tmp_path / "secret").write_bytes(b"s")
    (tmp_path / "course-private").mkdir()
    (tmp_path / "course-private" / "secret").write_bytes(b"s")
    (project.root / "x.yaml").symlink_to(target)
    with pytest.raises(ReadRefused, match="a link that leaves the project"):
        project.read("x.yaml")


def test_a_linked_folder_that_leaves_the_project_is_refused(project, tmp_path):
    (tmp_path / "course-private").mkdir()
    (tmp_path / "course-private" / "a.yaml").write_bytes(b"s")
    (project.root / "claims").symlink_to(tmp_path / "course-private")
    with pytest.raises(ReadRefused, match="a link that leaves the project"):
        project.read("claims/a.yaml")


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/passwd", "a\0b"])
def test_paths_that_leave_the_project_are_refused(project, path):
    with pytest.raises(ReadRefused, match="not a path inside the project"):
        project.read(path)


def test_links_that_go_round_end(project):
    (project.root / "a").symlink_to("b")
    (project.root / "b").symlink_to("a")
    (project.root / "c").symlink_to(".")
    with pytest.raises(ReadRefused, match="a link that leads to itself"):
        project.read("a")
    with pytest.raises(ReadRefused, match="a link that leads to itself"):
        project.read("a/x")
    assert project.read("c/c/c/anchors.yaml") == b"anchors: {}\n"


def test_a_pipe_a_socket_and_a_folder_are_refused_at_once(project):
    os.mkfifo(project.root / "pipe")
    (project.root / "folder").mkdir()
    before = os.getcwd()
    os.chdir(project.root)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("socket")
            for name, kind in [("pipe", "named pipe"), ("socket", "socket"), ("folder", "folder")]:
                with pytest.raises(ReadRefused, match=f"a {kind}, not a file"):
                    project.read(name)
    finally:
        os.chdir(before)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_a_device_is_refused(project):
    try:
        os.mknod(project.root / "zero", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("no devices here")
    with pytest.raises(ReadRefused, match="a device, not a file"):
        project.read("zero")


def test_a_file_beyond_the_limit_is_refused_without_being_read_whole(project):
    with open(project.root / "big", "wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(TooLarge, match="larger than 10 MiB"):
        project.read("big")
    (project.root / "small").write_bytes(b"12345")
    assert project.read("small", limit=5) == b"12345"
    with pytest.raises(TooLarge):
        project.read("small", limit=4)


def test_reading_needs_no_permission_to_write_and_leaves_nothing(project):
    before = tree(project.root)
    project.root.chmod(0o555)
    try:
        assert project.read("anchors.yaml") == b"anchors: {}\n"
        assert project.files("*.yaml") == ["anchors.yaml"]
    finally:
        project.root.chmod(0o755)
    assert tree(project.root) == before


# Listing


def test_files_are_listed_by_pattern_in_order(project):
    for name in ["lessons/b.md", "lessons/a.md", "lessons/deep/er/c.md", "lessons/a.html", "x.md", "claims/z.yaml"]:
        path = project.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert project.files("lessons/*.md") == ["lessons/a.md", "lessons/b.md"]
    assert project.files("lessons/**/*.md") == ["lessons/a.md", "lessons/b.md", "lessons/deep/er/c.md"]
    assert project.files("**/*.md", "claims/*.yaml")[0] == "claims/z.yaml"
    assert project.files("lessons/?.html") == ["lessons/a.html"]
    assert project.files("lessons/a.md", "none/*.md") == ["lessons/a.md"]


def test_hidden_names_vendors_and_linked_folders_are_not_searched(project):
    for name in [".git/a.md", "vendor/lib/a.md", "lessons/.hidden.md", "lessons/a.md"]:
        path = project.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (project.root / "lessons" / "round").symlink_to("..")
    (project.root / "lessons" / "linked.md").symlink_to("a.md")
    assert project.files("**/*.md") == ["lessons/a.md", "lessons/linked.md"]


# Writing


def test_a_change_is_written_and_only_it(project):
    (project.root / "other").write_bytes(b"other")
    before = tree(project.root)
    written = project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"new\r\n\xff")])
    assert written == ["anchors.yaml"]
    assert tree(project.root) == before | {"anchors.yaml": (before["anchors.yaml"][0], b"new\r\n\xff")}


def test_no_change_is_no_write(project):
    path = project.root / "anchors.yaml"
    os.utime(path, ns=(1, 1))
    assert project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"anchors: {}\n")]) == []
    assert project.write([]) == []
    assert path.stat().st_mtime_ns == 1


def test_a_new_file_is_made_with_its_folders(project):
    assert project.write([FileChange("claims/deep/ONE.yaml", None, b"x")]) == ["claims/deep/ONE.yaml"]
    assert project.read("claims/deep/ONE.yaml") == b"x"
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE((project.root / "claims/deep/ONE.yaml").stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_the_mode_is_kept(project, mode):
    path = project.root / "anchors.yaml"
    path.chmod(mode)
    project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"new")])
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_gets_the_mode_that_the_umask_leaves(project, mask):
    old = os.umask(mask)
    try:
        project.write([FileChange("x", None, b"x")])
    finally:
        os.umask(old)
    assert stat.S_IMODE((project.root / "x").stat().st_mode) == 0o666 & ~mask


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_is_kept(project):
    os.chown(project.root / "anchors.yaml", 65534, 65534)
    project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"new")])
    status = (project.root / "anchors.yaml").stat()
    assert (status.st_uid, status.st_gid) == (65534, 65534)


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (b"old", b"other", "it was changed since it was read"),
        (b"old", None, "it was removed since it was read"),
        (None, b"other", "it was made since it was read"),
        (None, b"", "it was made since it was read"),
    ],
)
def test_a_file_that_changed_meanwhile_is_not_written(project, before, now, said):
    if now is not None:
        (project.root / "x").write_bytes(now)
    left = tree(project.root)
    with pytest.raises(WriteRefused, match=said) as caught:
        project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"new"), FileChange("x", before, b"mine")])
    assert str(caught.value.place) == "x"
    assert tree(project.root) == left


def test_a_write_protected_file_is_not_written(project):
    if os.geteuid() == 0:
        pytest.skip("root may write everything")
    (project.root / "anchors.yaml").chmod(0o444)
    with pytest.raises(WriteRefused, match="write-protected"):
        project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"new")])


def test_a_link_inside_the_project_stays_and_its_target_is_written(project):
    (project.root / "kept").mkdir()
    (project.root / "kept" / "a.yaml").write_bytes(b"old")
    (project.root / "kept" / "a.yaml").chmod(0o640)
    (project.root / "claims").mkdir()
    (project.root / "claims" / "a.yaml").symlink_to("../kept/a.yaml")
    project.write([FileChange("claims/a.yaml", b"old", b"new")])
    assert os.readlink(project.root / "claims" / "a.yaml") == "../kept/a.yaml"
    assert tree(project.root)["kept/a.yaml"] == ("-rw-r-----", b"new")


def test_a_link_out_of_the_project_is_not_written(project, tmp_path):
    (tmp_path / "outside.yaml").write_bytes(b"old")
    (project.root / "a.yaml").symlink_to("../outside.yaml")
    (project.root / "claims").symlink_to(tmp_path)
    left = tree(tmp_path)
    for path in ("a.yaml", "claims/outside.yaml", "claims/new.yaml"):
        with pytest.raises(WriteRefused, match="a link that leaves the project"):
            project.write([FileChange(path, b"old", b"new")])
    assert tree(tmp_path) == left


def test_a_hard_link_elsewhere_keeps_the_old_content(project, tmp_path):
    os.link(project.root / "anchors.yaml", tmp_path / "elsewhere")
    project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"new")])
    assert (tmp_path / "elsewhere").read_bytes() == b"anchors: {}\n"


@pytest.mark.parametrize("path", ["../x", "/tmp/x", "a/../../x", "vendor/lib/x", ".git/config", "sub/.git/config",
                                  "Vendor/x", ".GIT/x", "a\0b"])  # fmt: skip
def test_nothing_is_written_outside_or_into_vendors_and_git(project, path):
    left = tree(project.root)
    with pytest.raises(WriteRefused):
        project.write([FileChange("ok", None, b"x"), FileChange(path, None, b"x")])
    assert tree(project.root) == left


def test_a_name_that_only_begins_like_vendor_is_fine(project):
    assert project.write([FileChange("vendors.yaml", None, b"x"), FileChange("vendored/x", None, b"x")])


@pytest.mark.parametrize(("one", "other"), [("a.md", "A.md"), ("caf\u00e9.md", "cafe\u0301.md"), ("a.md", "a.md")])
def test_two_new_files_that_differ_by_look_only_are_refused(project, one, other):
    left = tree(project.root)
    with pytest.raises(WriteRefused, match="one file on some disks"):
        project.write([FileChange(one, None, b"1"), FileChange(other, None, b"2")])
    assert tree(project.root) == left


def test_two_changes_of_one_file_through_a_link_are_refused(project):
    (project.root / "link").symlink_to("anchors.yaml")
    with pytest.raises(WriteRefused, match="one file"):
        project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"1"), FileChange("link", b"anchors: {}\n", b"2")])


def test_two_existing_files_that_differ_by_case_are_two_files_here(project):
    for name in ("a.md", "A.md"):
        (project.root / name).write_bytes(b"old")
    if os.path.samefile(project.root / "a.md", project.root / "A.md"):
        pytest.skip("this disk folds names")
    assert project.write([FileChange("a.md", b"old", b"1"), FileChange("A.md", b"old", b"2")]) == ["a.md", "A.md"]


def test_a_file_swapped_for_a_link_between_looking_and_writing_leaves_the_outside_alone(project, tmp_path, monkeypatch):
    (tmp_path / "outside").write_bytes(b"old")
    (project.root / "x").write_bytes(b"old")
    really = os.fsync
    swapped = []

    def swap_then_sync(handle: int) -> None:
        if not swapped:
            swapped.append(True)
            (project.root / "x").unlink()
            (project.root / "x").symlink_to("../outside")
        really(handle)

    monkeypatch.setattr(os, "fsync", swap_then_sync)
    with pytest.raises(WriteRefused):
        project.write([FileChange("x", b"old", b"new")])
    assert (tmp_path / "outside").read_bytes() == b"old"
    assert not [name for name in os.listdir(project.root) if name.startswith(".")]


def test_a_folder_swapped_for_a_link_is_not_walked_through(project, tmp_path, monkeypatch):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x").write_bytes(b"old")
    (project.root / "claims").mkdir()
    (project.root / "claims" / "x").write_bytes(b"old")
    really = os.fsync
    swapped = []

    def swap_then_sync(handle: int) -> None:
        if not swapped:
            swapped.append(True)
            (project.root / "claims").rename(project.root / "gone")
            (project.root / "claims").symlink_to("../outside")
        really(handle)

    monkeypatch.setattr(os, "fsync", swap_then_sync)
    with pytest.raises((WriteRefused, EnvironmentProblem)):
        project.write([FileChange("claims/x", b"old", b"new")])
    assert (tmp_path / "outside" / "x").read_bytes() == b"old"


# Several writers


def test_a_writer_waits_for_another_and_gives_up_in_time(project):
    handle = os.open(project.root, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        begun = time.monotonic()
        with pytest.raises(WriteRefused, match="another claimcheck is writing"):
            project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"new")], wait=0.1)
        assert time.monotonic() - begun < 5
        assert project.read("anchors.yaml") == b"anchors: {}\n"
    finally:
        os.close(handle)
    assert project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"new")], wait=0.1) == ["anchors.yaml"]


def test_reading_does_not_wait_for_a_writer(project):
    handle = os.open(project.root, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        assert project.read("anchors.yaml") == b"anchors: {}\n"
    finally:
        os.close(handle)


def test_where_there_are_no_locks_comparing_still_protects(project, monkeypatch):
    def no_locks(handle: int, how: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    (project.root / ".claimcheck-0123456789abcdef.tmp").write_bytes(b"of another writer")
    assert project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"new")]) == ["anchors.yaml"]
    assert project.read(".claimcheck-0123456789abcdef.tmp") == b"of another writer"
    with pytest.raises(WriteRefused):
        project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"newer")])


def test_what_a_killed_writer_left_is_swept_by_the_next(project):
    (project.root / ".claimcheck-0123456789abcdef.tmp").write_bytes(b"half")
    (project.root / ".claimcheck-mine.tmp").write_bytes(b"not ours")
    project.write([FileChange("anchors.yaml", b"anchors: {}\n", b"new")])
    assert sorted(os.listdir(project.root)) == [".claimcheck-mine.tmp", "anchors.yaml"]


def test_open_files_do_not_pile_up(project):
    (project.root / "link").symlink_to("/etc/passwd")
    before = len(os.listdir("/proc/self/fd"))
    for n in range(50):
        project.write([FileChange(f"claims/{n}", None, b"x")])
        project.read(f"claims/{n}")
        project.read("none/x")
        with pytest.raises(ReadRefused):
            project.read("link")
        with pytest.raises(ReadRefused):
            project.read("claims")
    assert len(os.listdir("/proc/self/fd")) == before
