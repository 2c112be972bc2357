"""Writing that is stopped at any moment: every file is whole, the old one or the new one, and nothing litters."""

from __future__ import annotations

import errno
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from claimcheck.edit import FileChange
from claimcheck.errors import EnvironmentProblem, WriteRefused
from claimcheck.project import Project

OLD = b"old\n" * 1000
NEW = b"new\n" * 1000
SOURCE = Path(__file__).parent.parent / "src"
KILLED_ROUNDS = 20


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "course"
    root.mkdir()
    for n in range(3):
        (root / f"{n}.yaml").write_bytes(OLD)
    return Project(root)


CHANGES = [FileChange(f"{n}.yaml", OLD, NEW) for n in range(3)]


def contents(project: Project) -> list[bytes | None]:
    return [project.read(f"{n}.yaml") for n in range(3)]


def litter(root: Path) -> list[str]:
    return [str(path) for path in root.rglob(".*")]


# Errors of the disk


def fail_at(monkeypatch: pytest.MonkeyPatch, name: str, when: int, code: int) -> None:
    """Make the n-th call of a function of `os` fail; all calls before and after it work.

    Other threads of the test runner write too, and their calls do not count.
    """
    really = getattr(os, name)
    calls = []
    writing = threading.get_ident()

    def failing(*arguments, **more):
        if threading.get_ident() != writing:
            return really(*arguments, **more)
        calls.append(None)
        if len(calls) == when:
            raise OSError(code, os.strerror(code))
        return really(*arguments, **more)

    monkeypatch.setattr(os, name, failing)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EROFS])
@pytest.mark.parametrize(("name", "when"), [("write", 1), ("write", 3), ("fsync", 1), ("fsync", 2), ("fchmod", 2)])
def test_a_disk_that_fails_while_files_are_prepared_leaves_all_as_it_was(project, monkeypatch, name, when, code):
    fail_at(monkeypatch, name, when, code)
    with pytest.raises(EnvironmentProblem, match=r"cannot be written: .*; nothing was written") as caught:
        project.write(CHANGES)
    assert caught.value.place is not None
    assert contents(project) == [OLD] * 3
    assert not litter(project.root)


@pytest.mark.parametrize("when", [1, 2, 3])
def test_a_disk_that_fails_while_files_are_put_in_place_is_told_with_what_is_written(project, monkeypatch, when):
    fail_at(monkeypatch, "replace", when, errno.EACCES)
    with pytest.raises(EnvironmentProblem) as caught:
        project.write(CHANGES)
    assert contents(project) == [NEW] * (when - 1) + [OLD] * (4 - when)
    assert not litter(project.root)
    assert str(caught.value.place) == f"{when - 1}.yaml"
    written = ", ".join(f"{n}.yaml" for n in range(when - 1))
    left = ", ".join(f"{n}.yaml" for n in range(when - 1, 3))
    assert caught.value.message.endswith(
        f"; written: {written}; not written: {left}" if written else "; nothing was written"
    )


def test_running_again_after_a_failure_completes(project, monkeypatch):
    with monkeypatch.context() as patch:
        fail_at(patch, "replace", 2, errno.EIO)
        with pytest.raises(EnvironmentProblem):
            project.write(CHANGES)
    again = [FileChange(change.path, project.read(change.path), change.after) for change in CHANGES]
    assert project.write(again) == ["1.yaml", "2.yaml"]
    assert contents(project) == [NEW] * 3


def test_what_does_not_read_back_is_not_put_in_place(project, monkeypatch):
    really = os.write

    def lossy(handle, content):
        return really(handle, bytes(content[:-1]) + b"?") if len(content) == len(NEW) else really(handle, content)

    monkeypatch.setattr(os, "write", lossy)
    with pytest.raises(EnvironmentProblem, match="does not read back"):
        project.write(CHANGES)
    assert contents(project) == [OLD] * 3
    assert not litter(project.root)


def test_short_writes_are_completed(project, monkeypatch):
    really = os.write
    monkeypatch.setattr(os, "write", lambda handle, content: really(handle, content[:7]))
    project.write(CHANGES)
    assert contents(project) == [NEW] * 3


def test_a_file_size_limit_leaves_all_as_it_was(project):
    def limited() -> str:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        return refused(project)

    assert "file too large; nothing was written" in in_a_child(limited)
    assert contents(project) == [OLD] * 3
    assert not litter(project.root)


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
def test_a_folder_that_may_not_be_written_leaves_all_as_it_was():
    # Not below pytest's own temporary folder, which other users may not enter.
    root = Path(tempfile.mkdtemp())
    try:
        root.chmod(0o755)
        (root / "0.yaml").write_bytes(OLD)
        (root / "0.yaml").chmod(0o666)

        def as_nobody() -> str:
            os.setgid(65534)
            os.setuid(65534)
            return refused(Project(root), CHANGES[:1])

        assert "permission denied; nothing was written" in in_a_child(as_nobody)
        (root / "0.yaml").chmod(0o444)
        assert "write-protected" in in_a_child(as_nobody)
        assert (root / "0.yaml").read_bytes() == OLD
        assert os.listdir(root) == ["0.yaml"]
    finally:
        (root / "0.yaml").unlink()
        root.rmdir()


def test_folders_made_for_nothing_are_taken_away(project, monkeypatch):
    fail_at(monkeypatch, "fsync", 1, errno.ENOSPC)
    with pytest.raises(EnvironmentProblem):
        project.write([FileChange("claims/deep/a.yaml", None, NEW)])
    assert not (project.root / "claims").exists()


def refused(project: Project, changes=CHANGES) -> str:
    try:
        return f"written {project.write(changes)}"
    except (EnvironmentProblem, WriteRefused) as error:
        return error.message


def in_a_child(work) -> str:
    """What a function returns in a forked child, so that limits and identity end with it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, work().encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    return said


# Interruption


class Terminated(BaseException):
    """What a signal handler raises."""


@pytest.mark.parametrize("stop", [KeyboardInterrupt, Terminated])
@pytest.mark.parametrize(("name", "when", "written"), [("fsync", 2, 0), ("replace", 1, 0), ("replace", 2, 1)])
def test_an_interruption_leaves_whole_files_and_says_how_far_it_came(project, monkeypatch, stop, name, when, written):
    really = getattr(os, name)
    calls = []

    def interrupting(*arguments, **more):
        calls.append(None)
        if len(calls) == when:
            raise stop
        return really(*arguments, **more)

    monkeypatch.setattr(os, name, interrupting)
    with pytest.raises(stop) as caught:
        project.write(CHANGES)
    assert contents(project) == [NEW] * written + [OLD] * (3 - written)
    assert not litter(project.root)
    assert caught.value.__notes__ == [
        "written: 0.yaml; not written: 1.yaml, 2.yaml" if written else "nothing was written"
    ]


WRITER = """
import pathlib, sys
from claimcheck.edit import FileChange
from claimcheck.project import Project
project = Project(pathlib.Path(sys.argv[1]))
print("ready", flush=True)
for n in range(100000):
    path = f"{n % 3}.yaml"
    before = project.read(path)
    project.write([FileChange(path, before, (b"old\\n", b"new\\n")[before[:3] == b"old"] * 1000)])
"""


def test_a_killed_writer_leaves_whole_files_and_the_next_one_works(project):
    random.seed(7)
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    for _ in range(KILLED_ROUNDS):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(project.root)], stdout=subprocess.PIPE, env=environment
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            time.sleep(random.random() * 0.03)
            writer.kill()
            writer.wait()
        assert set(contents(project)) <= {OLD, NEW}
    current = project.read("0.yaml")
    assert project.write([FileChange("0.yaml", current, b"after\n")], wait=1.0) == ["0.yaml"]
    assert not litter(project.root)


COUNTER = """
import pathlib, sys
from claimcheck.edit import FileChange
from claimcheck.errors import WriteRefused
from claimcheck.project import Project
project = Project(pathlib.Path(sys.argv[1]))
done = refused = 0
while done < 25:
    before = project.read("count")
    try:
        project.write([FileChange("count", before, str(int(before) + 1).encode())])
        done += 1
    except WriteRefused:
        refused += 1
print(done)
"""


def test_of_two_writers_no_update_is_lost(project):
    (project.root / "count").write_bytes(b"0")
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    writers = [
        subprocess.Popen([sys.executable, "-c", COUNTER, str(project.root)], stdout=subprocess.PIPE, env=environment)
        for _ in range(2)
    ]
    while any(writer.poll() is None for writer in writers):
        assert (project.read("count") or b"").isdigit()
    for writer in writers:
        assert writer.communicate()[0] == b"25\n"
    assert project.read("count") == b"50"
    assert not litter(project.root)
