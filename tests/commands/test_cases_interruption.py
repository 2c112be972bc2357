"""Runs that are interrupted, meet each other, or find a system that refuses: what is printed, lost and left behind."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Claimcheck, MakeProject, SmallProject, write_files
from small import COMMITS, FILES
from test_hostile_git import snapshot

COMMAND = [sys.executable, "-P", "-m", "claimcheck"]
LITTER = ".claimcheck-*.tmp"


def run(project: Path, *arguments: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *arguments], cwd=project, capture_output=True, check=False, **more)  # type: ignore[call-overload, no-any-return]


def cited_in_many_files(make_project: MakeProject) -> SmallProject:
    """A project in which thirty files of claims cite one anchor."""
    claims = {f"claims/f{n:02}.yaml": f"claims:\n  C2.{n}: {{text: Taken., cites: [L-TAKE]}}\n" for n in range(30)}
    return make_project({**FILES, **claims}, *COMMITS)


def files(project: SmallProject) -> dict[str, bytes]:
    """What the project's own files hold."""
    own = (path for path in project.root.rglob("*") if path.is_file() and "vendor" not in path.parts)
    return {path.relative_to(project.root).as_posix(): path.read_bytes() for path in own}


STOPPED = """
import os, signal, sys
replace, count = os.replace, 0
def stop(*names, **folders):
    global count
    replace(*names, **folders)
    count += 1
    if count == 10:
        os.kill(os.getpid(), int(sys.argv[1]))
os.replace = stop
from claimcheck.cli import main
main(sys.argv[2:])
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_stopped_between_files_says_which_are_written_and_the_next_one_completes_it(
    number: int, make_project: MakeProject, tmp_path: Path
) -> None:
    project = cited_in_many_files(make_project)
    assert run(project.root, "lock").returncode == 0
    undisturbed = tmp_path / "undisturbed"
    shutil.copytree(project.root, undisturbed)
    assert run(undisturbed, "mv", "L-TAKE", "L-TOOK").returncode == 0
    before = files(project)

    child = subprocess.run(
        [sys.executable, "-c", STOPPED, str(number), "mv", "L-TAKE", "L-TOOK"],
        cwd=project.root,
        capture_output=True,
        check=False,
    )
    assert child.returncode == 128 + number
    after = files(project)
    written = [path for path in after if after[path] != before[path]]
    assert len(written) == 10
    said = child.stderr.decode().strip()
    assert said.startswith("written: ") and "Traceback" not in said
    told = said.removeprefix("written: ").partition("; not written: ")
    assert sorted(told[0].split(", ")) == sorted(written)
    assert len(told[2].split(", ")) == len(before) - 10
    assert not list(project.root.rglob(LITTER))

    again = run(project.root, "mv", "L-TAKE", "L-TOOK")
    assert again.returncode == 0, again.stderr
    assert files(project) == files(SmallProject(undisturbed, []))


def test_a_show_of_changes_writes_nothing(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = cited_in_many_files(make_project)
    before = snapshot(project.root)
    for arguments in (
        ["mv", "L-TAKE", "L-TOOK", "--diff"],
        ["mv", "L-TAKE", "L-TOOK", "--check"],
        ["rm", "L-TAKE", "--force", "--diff"],
        ["add", "L-SIZE", "lib:pool.py:11-12", "--diff"],
        ["lock", "--check"],
    ):
        assert claimcheck(*arguments, cwd=project.root).code == 1, arguments
    assert snapshot(project.root) == before


def test_two_runs_at_once_both_take_effect_or_one_refuses(make_project: MakeProject) -> None:
    project = make_project(FILES, *COMMITS)
    for round in range(4):
        ids = [f"L-R{round}{letter}" for letter in "ABC"]
        children = [
            subprocess.Popen([*COMMAND, "add", id, "lib:pool.py:11-12"], cwd=project.root, stderr=subprocess.PIPE)
            for id in ids
        ]
        text = None
        while any(child.poll() is None for child in children):
            text = project.read("anchors.yaml")
            assert text.endswith("\n")
        results = [(child.wait(), child.communicate()[1]) for child in children]
        text = project.read("anchors.yaml")
        for id, (code, said) in zip(ids, results, strict=True):
            assert code in (0, 2)
            assert (f"  {id}: " in text) is (code == 0)
            assert code == 0 or b"nothing was written" in said
        assert any(code == 0 for code, _ in results)
    assert run(project.root, "verify").returncode == 0
    assert not list(project.root.rglob(LITTER))


def test_a_run_killed_at_any_moment_leaves_whole_files_and_blocks_nobody(make_project: MakeProject) -> None:
    project = cited_in_many_files(make_project)
    names = ["L-TAKE", "L-TOOK"]
    for attempt in range(8):
        child = subprocess.Popen([*COMMAND, "mv", *names], cwd=project.root, stderr=subprocess.DEVNULL)
        time.sleep(0.1 + attempt * 0.03)
        child.kill()
        child.wait()
        # What nobody could take away, the next run that writes does.
        whole = {path: content for path, content in files(project).items() if not Path(path).match(LITTER)}
        assert all(content.endswith(b"\n") for content in whole.values()), whole
        assert run(project.root, "list").returncode == 0
        done = run(project.root, "mv", *names)
        if done.returncode:
            assert b"error: no ID " in done.stderr
        names.reverse()
        assert run(project.root, "verify").returncode == 0
    assert not list(project.root.rglob(LITTER))


WITHOUT_MAIN = """
import os, signal, sys
import claimcheck.corpus as corpus
def stop(*arguments, **more):
    os.kill(os.getpid(), signal.SIGINT)
    raise BaseException('what native code makes of it')
corpus.build = stop
import claimcheck.commands.session as session
session.build = stop
from claimcheck.cli import main
main(['verify'])
"""


def test_an_interruption_that_comes_out_of_native_code_as_something_else_is_still_one(
    make_project: MakeProject,
) -> None:
    project = make_project(FILES, *COMMITS)
    swallowed = WITHOUT_MAIN.replace(
        "    os.kill(os.getpid(), signal.SIGINT)\n",
        "    try:\n        os.kill(os.getpid(), signal.SIGINT)\n    except KeyboardInterrupt:\n        pass\n",
    )
    for script in (WITHOUT_MAIN, swallowed):
        done = subprocess.run([sys.executable, "-c", script], cwd=project.root, capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr.strip()) == (130, b"", b"")


def test_a_signal_that_is_ignored_stays_ignored(make_project: MakeProject) -> None:
    project = make_project(FILES, *COMMITS)
    script = "import os, signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\nfrom claimcheck import cli\n"
    script += (
        "run = cli.run\ndef stop(arguments=None):\n    os.kill(os.getpid(), signal.SIGHUP)\n    return run(arguments)\n"
    )
    script += "cli.run = stop\ncli.main(['verify'])\n"
    done = subprocess.run([sys.executable, "-c", script], cwd=project.root, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)], ids=str)
def test_closed_streams_change_neither_the_exit_code_nor_what_is_written(
    closed: tuple[int, ...], make_project: MakeProject
) -> None:
    project = make_project(FILES, *COMMITS)

    def code(*arguments: str) -> int:
        redirections = " ".join(f"{number}>&-" for number in closed)
        script = f'exec "$@" {redirections}'
        done = subprocess.run(
            ["sh", "-c", script, "sh", *COMMAND, *arguments], cwd=project.root, capture_output=True, check=False
        )
        assert b"Traceback" not in done.stderr
        return done.returncode

    assert code("verify") == 0
    assert code("verify", "L-NOPE") == 2
    assert code("excerpt", "L-TAKE") == 0
    assert code("--help") == 0
    assert code("lock") == 0
    assert project.read("anchors.lock").startswith('{"format": "claimcheck.lock", "version": 1}\n{"id": "L-GIVE", ')
    assert code("review", "L-TAKE") == 1
    project.write("anchors.yaml", project.read("anchors.yaml").replace("5-6", "1-2"))
    assert code("verify") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_behind_standard_output_is_an_error_and_no_bug(make_project: MakeProject) -> None:
    project = make_project(FILES, *COMMITS)
    for arguments in (["verify"], ["excerpt", "L-TAKE"], ["list"], ["verify", "--format", "json"], ["--help"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [*COMMAND, *arguments], cwd=project.root, stdout=full, stderr=subprocess.PIPE, check=False
            )
        assert done.returncode == 2, arguments
        assert done.stderr.startswith(b"error: ") and b"no space left on device" in done.stderr
        assert b"Traceback" not in done.stderr and b"Exception" not in done.stderr


def test_a_reader_that_leaves_ends_every_command_quietly(make_project: MakeProject) -> None:
    project = make_project(FILES, *COMMITS)
    for arguments in (["verify"], ["excerpt", "L-TAKE"], ["list"], ["schema"], ["--help"], ["explain"], []):
        for unbuffered in ({}, {"PYTHONUNBUFFERED": "1"}):
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run(
                [*COMMAND, *arguments],
                cwd=project.root,
                stdout=writing,
                stderr=subprocess.PIPE,
                env={**os.environ, **unbuffered},
                check=False,
            )
            os.close(writing)
            assert (done.returncode, done.stderr) == (141, b""), arguments


def test_without_home_user_or_path_and_with_few_handles(make_project: MakeProject) -> None:
    project = make_project(FILES, *COMMITS)
    plain = run(project.root, "verify")
    assert plain.returncode == 0
    assert run(project.root, "verify", env={"PATH": os.environ["PATH"]}).stdout == plain.stdout
    few = run(project.root, "verify", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))
    assert (few.returncode, few.stdout, few.stderr) == (0, plain.stdout, b"")
    none = run(project.root, "verify", env={"PATH": ""})
    assert (none.returncode, none.stdout) == (2, b"")
    assert none.stderr.startswith(b"error: git is not on PATH\n    help: ")


def test_a_current_folder_that_is_gone(make_project: MakeProject, tmp_path: Path) -> None:
    project = make_project(FILES, *COMMITS)
    gone = tmp_path / "gone"
    script = f'mkdir "{gone}" && cd "{gone}" && rmdir "{gone}" && exec "$@"'
    here, there = (
        subprocess.run(["sh", "-c", script, "sh", *COMMAND, *arguments], capture_output=True, check=False)
        for arguments in (["verify"], ["-C", str(project.root), "verify"])
    )
    assert (here.returncode, here.stdout) == (2, b"")
    assert here.stderr == b"error: .: no such file or directory\n"
    assert (there.returncode, there.stderr) == (0, b"")


def without_privileges() -> list[str]:
    """What goes before a command so that permissions count for it, as they do for anybody but root."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root reads everything, and there is no setpriv")
    names = ",".join(f"-{name}" for name in ("dac_override", "dac_read_search", "fowner"))
    return ["setpriv", f"--bounding-set={names}", f"--inh-caps={names}"]


@pytest.mark.parametrize(
    "path",
    [
        "anchors.yaml",
        "anchors.lock",
        "claims",
        "claims/one.yaml",
        "vendor",
        "vendor/lib",
        "vendor/lib/.git",
        "vendor/lib/.git/HEAD",
        "vendor/lib/.git/config",
        "vendor/lib/.git/objects",
        "vendor/lib/.git/objects/pack",
        "vendor/lib/.git/refs",
    ],
)
def test_what_may_not_be_read_is_named_and_never_green(path: str, make_project: MakeProject) -> None:
    project = make_project(FILES, *COMMITS)
    assert run(project.root, "lock").returncode == 0
    before = without_privileges()
    target = project.root / path
    mode = stat.S_IMODE(target.stat().st_mode)
    target.chmod(0)
    try:
        for arguments in (["verify"], ["lock"], ["vendor", "status"], ["excerpt", "L-TAKE"], []):
            done = subprocess.run([*before, *COMMAND, *arguments], cwd=project.root, capture_output=True, check=False)
            assert done.returncode in (0, 1, 2), (arguments, done.stderr)
            assert b"Traceback" not in done.stderr
            if arguments == ["verify"]:
                harmless = path.endswith(("HEAD", "refs"))
                assert (done.returncode == 0) is harmless, done.stdout + done.stderr
                assert harmless or b"permission denied" in (done.stdout + done.stderr).lower()
    finally:
        target.chmod(mode)


def test_where_nothing_can_be_written_nothing_is_and_reading_goes_on(make_project: MakeProject) -> None:
    project = make_project(FILES, *COMMITS)
    before = without_privileges()
    for path in (project.root, *project.root.rglob("*")):
        if not path.is_symlink():
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)
    frozen = snapshot(project.root)
    try:
        for arguments, code in (
            (["verify"], 0),
            (["excerpt", "L-TAKE"], 0),
            (["list"], 0),
            (["vendor", "status"], 0),
            (["add", "L-SIZE", "lib:pool.py:11-12", "--diff"], 1),
            (["lock"], 2),
            (["add", "L-SIZE", "lib:pool.py:11-12"], 2),
            (["mv", "L-TAKE", "L-TOOK"], 2),
            (["rm", "L-TAKE", "--force"], 2),
            (["review", "L-TAKE", "--accept"], 2),
            (["verify", "--output", "report.txt"], 2),
        ):
            done = subprocess.run(
                [*before, *COMMAND, *arguments],
                cwd=project.root,
                env={"PATH": os.environ["PATH"]},
                capture_output=True,
                check=False,
            )
            assert done.returncode == code, (arguments, done.stderr)
            if code == 2:
                assert done.stderr.count(b"error: ") == 1
                assert b"nothing was written" in done.stderr or b"report.txt cannot be written" in done.stderr
        assert snapshot(project.root) == frozen
    finally:
        for path in (project.root, *project.root.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo hello", b"is not git: `git --version` printed hello"),
        ("exit 1", b"is not git: `git --version` printed nothing"),
        ("kill -9 $$", b"is not git: `git --version` printed nothing"),
        ("yes", b"is not git: `git --version` printed y"),
        ("echo git version 2.20.1", b"git 2.20.1 is too old; 2.39 or newer is needed"),
    ],
)
def test_a_program_called_git_that_is_none(script: str, said: bytes, make_project: MakeProject, tmp_path: Path) -> None:
    project = make_project(FILES, *COMMITS)
    fake = tmp_path / "bin/git"
    write_files(tmp_path, {"bin/git": f"#!/bin/sh\n{script}\n"})
    fake.chmod(0o755)
    for arguments in (["verify"], ["vendor", "status"], ["excerpt", "L-TAKE"], []):
        done = run(project.root, *arguments, env={"PATH": f"{fake.parent}{os.pathsep}{os.environ['PATH']}"})
        assert done.returncode == 2
        assert said in done.stderr and b"\n    help: " in done.stderr


@pytest.mark.parametrize("then", ["", "exit 3", "head -c 1000000 /dev/zero"])
def test_a_git_that_breaks_after_its_version_leaves_everything_unverified(
    then: str, make_project: MakeProject, tmp_path: Path
) -> None:
    project = make_project(FILES, *COMMITS)
    write_files(
        tmp_path, {"bin/git": f'#!/bin/sh\ncase "$*" in *version*) echo git version 2.50.0;; *) {then};; esac\n'}
    )
    (tmp_path / "bin/git").chmod(0o755)
    environment = {"PATH": f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}"}
    done = run(project.root, "verify", env=environment)
    assert done.returncode == 2
    assert b"anchors    2   0 verified, 0 failed, 2 unverified\n" in done.stdout
    assert run(project.root, "excerpt", "L-TAKE", env=environment).stdout == b""


def test_the_hour_and_the_place_change_nothing(make_project: MakeProject, tmp_path: Path) -> None:
    project = make_project(FILES, *COMMITS)

    def outputs(zone: str) -> list[bytes]:
        copy = tmp_path / f"in {zone.replace('/', ' ')}"
        shutil.copytree(project.root, copy)
        environment = {**os.environ, "TZ": zone}
        for path in copy.rglob("*.yaml"):
            os.utime(path, (0, 4_102_444_800 if zone == "Pacific/Kiritimati" else 1))
        shown = [
            run(copy, *arguments, env=environment).stdout
            for arguments in (["verify"], ["excerpt", "L-TAKE", "--format", "html"], ["lock"], ["list"])
        ]
        return [*shown, (copy / "anchors.lock").read_bytes()]

    first: Callable[[str], list[bytes]] = outputs
    assert first("Pacific/Kiritimati") == first("America/Los_Angeles") == first("UTC")
