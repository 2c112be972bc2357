"""The git program: found safely, run in an environment of our own, and bounded."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimcheck.errors import EnvironmentProblem
from claimcheck.git import program
from claimcheck.git.program import (
    EMPTY_REPOSITORY,
    GitFailed,
    fetching_environment,
    git_program,
    one_line,
    printable,
    reading_environment,
    run_git,
    scrub_environment,
    start_git,
)
from conftest import GIT_ENVIRONMENT, MakeRepo, git

STEERING = {
    "GIT_DIR": "/elsewhere/.git",
    "GIT_WORK_TREE": "/elsewhere",
    "GIT_INDEX_FILE": "/elsewhere/index",
    "GIT_OBJECT_DIRECTORY": "/elsewhere/objects",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/elsewhere/objects",
    "GIT_COMMON_DIR": "/elsewhere",
    "GIT_NAMESPACE": "other",
    "GIT_CONFIG": "/elsewhere/config",
    "GIT_CONFIG_PARAMETERS": "'core.fsmonitor=false'",
    "GIT_EXTERNAL_DIFF": "canary",
    "GIT_EDITOR": "canary",
    "GIT_SSH_COMMAND": "canary",
    "GIT_PROXY_COMMAND": "canary",
    "SSH_ASKPASS": "canary",
    "SSH_ASKPASS_REQUIRE": "force",
    "GIT_TRACE": "/elsewhere/trace",
    "GIT_TRACE2_EVENT": "/elsewhere/trace",
    "GIT_ATTR_SOURCE": "HEAD",
    "GIT_SHALLOW_FILE": "/elsewhere/shallow",
    "GIT_REPLACE_REF_BASE": "refs/other",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_EXEC_PATH": "/elsewhere",
    "GIT_PYTHON_TRACE": "full",
    "GIT_ICASE_PATHSPECS": "1",
}


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leave the environment as it was, and begin with nothing kept aside."""
    before = dict(os.environ)
    monkeypatch.setattr(program, "_removed", {})
    yield
    os.environ.clear()
    os.environ.update(before)


def put_on_path(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> Path:
    """Make a `git` of a shell script the only one that PATH leads to."""
    folder.mkdir(exist_ok=True)
    path = folder / "git"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return path


@pytest.mark.parametrize("name", sorted(STEERING))
def test_a_variable_that_steers_git_is_taken_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, STEERING[name])
    scrub_environment()
    assert name not in os.environ
    assert name not in reading_environment()


def test_what_does_not_steer_git_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {"PATH": os.environ["PATH"], "https_proxy": "http://proxy:1", "SSH_AUTH_SOCK": "/run/agent", "LANG": "de"}
    for name, value in kept.items():
        monkeypatch.setenv(name, value)
    scrub_environment()
    assert {name: os.environ[name] for name in kept} == kept


def test_our_own_variables_win_over_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "ext:file")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/elsewhere/config")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "99")
    monkeypatch.setenv("GIT_CONFIG_KEY_98", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_98", "canary")
    scrub_environment()
    assert os.environ["GIT_ALLOW_PROTOCOL"] == "none"
    assert os.environ["GIT_CONFIG_GLOBAL"] == os.devnull
    assert "GIT_CONFIG_KEY_98" not in os.environ
    keys = {os.environ[f"GIT_CONFIG_KEY_{n}"] for n in range(int(os.environ["GIT_CONFIG_COUNT"]))}
    assert "core.commitGraph" in keys


def test_scrubbing_twice_is_scrubbing_once() -> None:
    scrub_environment()
    once = dict(os.environ)
    scrub_environment()
    assert dict(os.environ) == once


def test_a_variable_set_later_is_taken_out_too() -> None:
    scrub_environment()
    os.environ["GIT_DIR"] = "/elsewhere"
    assert "GIT_DIR" not in reading_environment()
    assert "GIT_DIR" not in os.environ


def test_fetching_keeps_certificates_agent_and_ssh_command(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {
        "GIT_SSL_CAINFO": "/etc/company.pem",
        "GIT_SSH_COMMAND": "ssh -i key",
        "SSH_AUTH_SOCK": "/run/agent",
        "https_proxy": "http://proxy:1",
    }
    for name, value in kept.items():
        monkeypatch.setenv(name, value)
    reading_environment()
    environment = fetching_environment()
    assert {name: environment[name] for name in kept} == kept
    assert environment["GIT_ALLOW_PROTOCOL"] == "https:ssh"
    assert not {"GIT_SSL_CAINFO", "GIT_SSH_COMMAND"} & set(reading_environment())


def test_fetching_takes_nothing_else_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = {name: value for name, value in STEERING.items() if name != "GIT_SSH_COMMAND"}
    refused |= {"GIT_SSL_NO_VERIFY": "1", "GIT_ALLOW_PROTOCOL": "ext"}
    for name, value in refused.items():
        monkeypatch.setenv(name, value)
    environment = fetching_environment(["file"])
    assert {name for name in refused if environment.get(name) == refused[name]} == set()
    assert environment["GIT_ALLOW_PROTOCOL"] == "file"


def test_fetching_never_asks_questions() -> None:
    environment = fetching_environment()
    assert environment["GIT_TERMINAL_PROMPT"] == "0"
    assert environment["GIT_ASKPASS"] == ""
    assert environment["GIT_SSH_COMMAND"] == "ssh -o BatchMode=yes"


def test_fetching_reads_the_users_own_configuration() -> None:
    environment = fetching_environment()
    assert "GIT_CONFIG_GLOBAL" not in environment
    assert "GIT_CONFIG_NOSYSTEM" not in environment


def test_git_is_an_absolute_path_with_a_version() -> None:
    found = git_program()
    assert os.path.isabs(found.path)
    assert found.version >= program.MINIMUM


def test_no_git_on_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentProblem, match="git is not on PATH"):
        git_program()


@pytest.mark.parametrize("entry", ["", ".", "bin", "./bin"])
def test_a_relative_entry_of_path_is_not_searched(entry: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "bin"):
        put_on_path(monkeypatch, folder, f"touch {tmp_path}/canary; echo git version 2.40.0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", entry)
    with pytest.raises(EnvironmentProblem, match="git is not on PATH"):
        git_program()
    assert not (tmp_path / "canary").exists()


def test_the_current_directory_is_not_searched_even_if_path_names_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    put_on_path(monkeypatch, tmp_path, "echo git version 2.40.0")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EnvironmentProblem, match="git is not on PATH"):
        git_program()


def test_a_file_that_cannot_be_executed_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = os.path.dirname(git_program().path)
    put_on_path(monkeypatch, tmp_path / "bin", "echo no").chmod(0o644)
    if os.access(tmp_path / "bin" / "git", os.X_OK):
        pytest.skip("every file is executable here")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{real}")
    assert git_program().path == os.path.join(real, "git")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo hello", "is not git: `git --version` printed hello"),
        ("exit 0", "is not git: `git --version` printed nothing"),
        ("printf 'git version \\033[2Jx'", r"is not git: `git --version` printed git version \\x1b\[2Jx"),
        ("while :; do echo garbage; done", "is not git"),
        ("echo git version 2.38.1", "git 2.38.1 is too old; 2.39 or newer is needed"),
        ("echo git version 1.9", "git 1.9 is too old"),
    ],
)
def test_a_program_that_is_not_the_git_we_need(
    script: str, message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    put_on_path(monkeypatch, tmp_path / "bin", script)
    with pytest.raises(EnvironmentProblem, match=message):
        git_program()


@pytest.mark.parametrize("script", ["echo git version 2.40.1", "echo 'git version 2.39.5 (Apple Git-154)'"])
def test_other_builds_of_git_are_accepted(script: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = put_on_path(monkeypatch, tmp_path / "bin", script)
    assert git_program().path == str(path)


def test_a_program_that_sleeps_is_given_up_with_what_it_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    put_on_path(monkeypatch, tmp_path / "bin", f"/bin/sleep 30 & echo $! > {tmp_path}/pid; wait")
    monkeypatch.setattr(program, "VERSION_SECONDS", 0.3)
    with pytest.raises(EnvironmentProblem, match="gave no version"):
        git_program()
    sleeper = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not _alive(sleeper):
            break
        time.sleep(0.02)
    assert not _alive(sleeper)


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_file_of_another_machine_is_not_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    put_on_path(monkeypatch, tmp_path / "bin", "").write_bytes(b"\x7fELF not really")
    with pytest.raises(EnvironmentProblem, match="cannot be run"):
        git_program()


def test_run_git_gives_what_git_prints(tmp_path: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(tmp_path / "a", {"f": "x"})
    assert run_git(tmp_path / "a" / ".git", "rev-parse", "HEAD").decode().strip() == commit


def test_run_git_feeds_input_of_any_size(tmp_path: Path, make_repo: MakeRepo) -> None:
    make_repo(tmp_path / "a", {"f": "x"})
    data = b"0123456789" * 500_000
    expected = git(tmp_path / "a", "hash-object", "--stdin", input=data)
    assert run_git(tmp_path / "a" / ".git", "hash-object", "--stdin", input=data).decode().strip() == expected


def test_a_failure_has_one_line_and_no_credentials(tmp_path: Path, make_repo: MakeRepo) -> None:
    make_repo(tmp_path / "a", {"f": "x"})
    with pytest.raises(GitFailed) as caught:
        run_git(tmp_path / "a" / ".git", "fetch", "https://user:secret@host.invalid/\x1b[2Jx")
    assert "\n" not in caught.value.message
    assert "secret" not in caught.value.message
    assert "\x1b" not in caught.value.message
    assert caught.value.status != 0


def test_reading_opens_no_transport(tmp_path: Path, make_repo: MakeRepo) -> None:
    make_repo(tmp_path / "a", {"f": "x"})
    make_repo(tmp_path / "b", {"f": "y"})
    with pytest.raises(GitFailed, match="transport 'file' not allowed"):
        run_git(tmp_path / "a" / ".git", "fetch", f"file://{tmp_path}/b")


def test_output_beyond_the_limit_is_not_taken(tmp_path: Path, make_repo: MakeRepo) -> None:
    make_repo(tmp_path / "a", {"f": "x" * 2_000_000})
    with pytest.raises(GitFailed, match="more than 1000 bytes"):
        run_git(tmp_path / "a" / ".git", "cat-file", "blob", "HEAD:f", limit=1000)
    assert len(run_git(tmp_path / "a" / ".git", "cat-file", "blob", "HEAD:f", limit=2_000_000)) == 2_000_000


def test_a_git_that_hangs_is_stopped(tmp_path: Path, make_repo: MakeRepo) -> None:
    make_repo(tmp_path / "a", {"f": "x"})
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with pytest.raises(GitFailed, match="longer than"):
        run_git(tmp_path / "a" / ".git", "hash-object", str(fifo), seconds=0.3)


def test_a_git_is_dead_when_the_block_is_left(tmp_path: Path, make_repo: MakeRepo) -> None:
    make_repo(tmp_path / "a", {"f": "x"})
    with (
        pytest.raises(RuntimeError, match="interrupted"),
        start_git(tmp_path / "a" / ".git", "cat-file", "--batch", stdin=subprocess.PIPE) as child,
    ):
        assert child.poll() is None
        raise RuntimeError("interrupted")
    assert child.returncode is not None


def test_no_threads_or_processes_are_left(tmp_path: Path, make_repo: MakeRepo) -> None:
    make_repo(tmp_path / "a", {"f": "x"})
    before = threading.active_count()
    run_git(tmp_path / "a" / ".git", "cat-file", "--batch-check", input=b"HEAD\n", seconds=30, limit=1000)
    for _ in range(100):
        if threading.active_count() == before:
            break
        time.sleep(0.02)
    assert threading.active_count() == before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a parent bound its child")
def test_a_git_that_reads_foreign_objects_has_bounded_memory(tmp_path: Path, make_repo: MakeRepo) -> None:
    make_repo(tmp_path / "a", {"f": "x"})
    with start_git(tmp_path / "a" / ".git", "cat-file", "--batch", stdin=subprocess.PIPE) as child:
        program.bound_memory(child.pid)
        limits = Path(f"/proc/{child.pid}/limits").read_text()
    (line,) = [line for line in limits.splitlines() if line.startswith("Max data size")]
    assert line.split()[3] == str(program.READING_MEMORY)


def test_the_empty_repository_serves_another_ones_objects(tmp_path: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(tmp_path / "a", {"f": "x"})
    environment = reading_environment({"GIT_OBJECT_DIRECTORY": str(tmp_path / "a" / ".git" / "objects")})
    assert run_git(EMPTY_REPOSITORY, "cat-file", "-t", commit, environment=environment) == b"commit\n"
    with pytest.raises(GitFailed):
        run_git(EMPTY_REPOSITORY, "rev-parse", "--verify", "main", environment=environment)


def test_importing_the_package_does_not_import_gitpython() -> None:
    code = "import sys, claimcheck.sources, claimcheck.git.reader; print('git' in sys.modules)"
    source = str(Path(program.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code], env={**GIT_ENVIRONMENT, "PYTHONPATH": source}, capture_output=True, check=True
    )
    assert done.stdout == b"False\n"


@given(st.text(max_size=2000))
def test_one_line_is_printable_and_short(text: str) -> None:
    line = one_line(text)
    assert line.isprintable()
    assert len(line) <= 300


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=50))
def test_what_is_printable_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_the_telling_line_is_chosen() -> None:
    assert one_line("hint: this\nfatal: bad object x\nmore") == "bad object x"
    assert one_line("warning: a\nlast word\n") == "last word"
    assert one_line("fatal: https://me:pw@host/x denied") == "https://host/x denied"
    assert one_line(f"fatal: {os.path.expanduser('~')}/x is missing") == "~/x is missing"
    assert one_line("") == ""
