"""Real git repositories and projects for the tests, made from dictionaries of files."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import pytest

from browsing import browser, opened

__all__ = ["browser", "opened"]  # fixtures of the tests that look at pages

# How long an example takes says something of the machine, nothing of the code.
hypothesis.settings.register_profile("claimcheck", deadline=None)
hypothesis.settings.load_profile("claimcheck")

Files = Mapping[str, str | bytes]

GIT_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "Upstream",
    "GIT_AUTHOR_EMAIL": "upstream@example.org",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00+0000",
    "GIT_COMMITTER_NAME": "Upstream",
    "GIT_COMMITTER_EMAIL": "upstream@example.org",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00+0000",
}


def git(where: Path, *arguments: str, input: bytes | None = None) -> str:
    """Run git as an upstream author would, with fixed names and dates, and give what it printed."""
    done = subprocess.run(
        ["git", "-C", str(where), *arguments], env=GIT_ENVIRONMENT, input=input, capture_output=True, check=False
    )
    if done.returncode:
        raise AssertionError(f"git {' '.join(arguments)}: {done.stderr.decode('utf-8', 'replace')}")
    return done.stdout.decode("utf-8", "replace").strip()


def write_files(where: Path, files: Files) -> None:
    for name, content in files.items():
        path = where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def commit_files(where: Path, files: Files, message: str = "change") -> str:
    """Make the work tree hold exactly these files and commit them; the commit's full id."""
    for name in git(where, "ls-files", "-z").split("\0"):
        if name and name not in files:
            (where / name).unlink()
    write_files(where, files)
    git(where, "add", "--all", "--force")
    git(where, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(where, "rev-parse", "HEAD")


@pytest.fixture(scope="session")
def six_releases(pytestconfig: pytest.Config) -> Path:
    """A bare copy of vLLM with its six declared releases, to be linked into projects; never written to."""
    from real_releases import NotHere, all_of_them

    assert pytestconfig.cache, "these tests keep what they bring in pytest's cache"
    try:
        return all_of_them(pytestconfig.cache.mkdir("releases"))
    except NotHere as problem:
        pytest.skip(str(problem))


def link_copy(copy: Path, root: Path) -> None:
    """Put a bare copy into a project's vendor/ without taking its room twice."""
    shutil.copytree(copy, root / "vendor" / copy.name, copy_function=os.link)


ARCHIVE = "ab" * 32


def make_release(root: Path, version: str, files: Mapping[str, str], sha256: str = ARCHIVE, name: str = "lib") -> str:
    """A release in our own copy, as `vendor sync` makes one."""
    copy = root / f"vendor/{name}.git"
    if not copy.exists():
        git(root, "init", "--quiet", "--bare", str(copy))
    work = root / "work"
    git(root, "init", "--quiet", str(work))
    commit = commit_files(work, files, f"{name} {version}\n\nsha256: {sha256}\n")
    git(work, "push", "--quiet", str(copy), f"{commit}:refs/release/{version}")
    shutil.rmtree(work)
    return commit


MakeRepo = Callable[..., list[str]]


@pytest.fixture
def make_repo() -> MakeRepo:
    """`make_repo(path, files, files, ...)` makes a repository with one commit for each dictionary; the full ids."""

    def make(where: Path, *commits: Files) -> list[str]:
        where.mkdir(parents=True, exist_ok=True)
        git(where, "init", "--quiet", "--initial-branch", "main")
        return [commit_files(where, files, f"commit {n}") for n, files in enumerate(commits, 1)]

    return make


def registry_text(vendor: str, pin: str, anchors: Sequence[str], prefix: str = "V") -> str:
    """A small `anchors.yaml`: one vendor, and anchors given as YAML lines."""
    head = f'vendors:\n  {vendor}:\n    url: https://github.com/o/{vendor}\n    commit: "{pin}"\n    prefix: {prefix}\n'
    return head + "anchors:\n" + "".join(f"  {line}\n" for line in anchors)


def fill(text: str, commits: Sequence[str]) -> str:
    """A text with `{c1}`, `{c2}` … as the commits' full ids, and `{c1:.8}` as their first eight digits."""
    for number, commit in enumerate(commits, 1):
        text = text.replace(f"{{c{number}}}", commit).replace(f"{{c{number}:.8}}", commit[:8])
    return text


@dataclass(frozen=True)
class SmallProject:
    """A project in a temporary folder, with the commits of its one vendor."""

    root: Path
    commits: list[str]

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def write(self, path: str, text: str) -> None:
        write_files(self.root, {path: fill(text, self.commits)})


MakeProject = Callable[..., SmallProject]


@pytest.fixture
def make_project(tmp_path: Path, make_repo: MakeRepo) -> MakeProject:
    """`make_project(files, *commits, vendor="lib")`: a project with a clone in vendor/lib; `{c1}` in files is filled."""

    def make(files: Files, *commits: Files, vendor: str = "lib", root: Path | None = None) -> SmallProject:
        where = root or tmp_path / "project"
        where.mkdir(parents=True, exist_ok=True)
        ids = make_repo(where / "vendor" / vendor, *commits) if commits else []
        write_files(where, {name: fill(text, ids) if isinstance(text, str) else text for name, text in files.items()})
        return SmallProject(where, ids)

    return make


@dataclass(frozen=True)
class Ran:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str


Claimcheck = Callable[..., Ran]


@pytest.fixture
def claimcheck(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Claimcheck:
    """Run the command line in this process, in a folder; its exit code and what it printed."""

    def run(*arguments: str, cwd: Path) -> Ran:
        from claimcheck.cli import run as run_command

        monkeypatch.chdir(cwd)
        capfd.readouterr()
        code = run_command(arguments)
        captured = capfd.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


def check_golden(name: str, text: str) -> None:
    """Compare with tests/golden/NAME; with CLAIMCHECK_ACCEPT=1 take what is there now (`make golden`)."""
    path = Path(__file__).parent / "golden" / name
    if os.environ.get("CLAIMCHECK_ACCEPT"):
        path.write_bytes(text.encode())
    assert path.exists(), f"tests/golden/{name} is not there; `make golden` makes it"
    assert text == path.read_bytes().decode(), f"tests/golden/{name} differs; `make golden` accepts it"
