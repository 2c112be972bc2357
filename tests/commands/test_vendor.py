"""`claimcheck vendor` in real projects: what it prints, its exit codes, and a forge that is reached by ssh."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Claimcheck, MakeProject, MakeRepo, Ran, git, write_files
from package_index import PackageIndex, serving, sha256, source_archive

FILES = {"a.py": "one = 1\n"}
ABSENT = "4" * 40
NO_FORGE = "https://127.0.0.1:1/o/lib"


def seen(ran: Ran) -> tuple[int, str, str]:
    return ran.code, ran.out, ran.err


def registry(*vendors: str) -> dict[str, str]:
    return {"anchors.yaml": "vendors:\n" + "".join(f"  {vendor}\n" for vendor in vendors) + "anchors: {}\n"}


def declared(name: str, prefix: str, pin: str = ABSENT, url: str = NO_FORGE, releases: str = "") -> str:
    more = f", releases: {{pypi: demo, versions: {{{releases}}}}}" if releases else ""
    return f'{name}: {{url: "{url}", commit: "{pin}", prefix: {prefix}{more}}}'


@pytest.fixture
def index() -> Iterator[PackageIndex]:
    with serving(PackageIndex()) as served:
        yield served


@pytest.fixture
def root(tmp_path: Path) -> Path:
    where = tmp_path / "project"
    where.mkdir()
    return where


def test_sync_says_who_did_not_answer_and_what_stands_in(
    root: Path, index: PackageIndex, claimcheck: Claimcheck
) -> None:
    digest = index.put("demo", "1.0", FILES)
    release = f'"1.0": {digest}'
    write_files(root, registry(declared("lib", "L", releases=release), declared("longer", "M", releases=release)))
    ran = claimcheck("vendor", "sync", "--index-url", index.url, cwd=root)
    assert ran.code == 0 and ran.err == ""
    lines = ran.out.split("\n")
    assert lines[0].startswith("lib     pin 44444444 not brought: 127.0.0.1 does not answer (failed to connect")
    assert lines[1] == f"lib     stand-in 1.0 brought from the package index: 1 file, sha256 {digest[:8]}…"
    assert lines[3] == f"longer  stand-in 1.0 brought from the package index: 1 file, sha256 {digest[:8]}…"
    assert lines[4] == "2 vendors: 2 stand-ins for missing pins. (claimcheck verify --at release)"
    size = "1 release, 1 MB"
    assert claimcheck("vendor", "status", cwd=root).out == (
        f"lib     pin 44444444  MISSING   stand-in 1.0   vendor/lib.git     {size}\n"
        f"longer  pin 44444444  MISSING   stand-in 1.0   vendor/longer.git  {size}\n"
        "2 vendors, 2 pins missing. (claimcheck vendor sync, or look at the stand-ins: --at release)\n"
    )


def test_sync_of_what_is_here_is_one_line(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(registry(declared("lib", "L", "{c1}")), FILES)
    for arguments in ((), ("lib",)):
        ran = claimcheck("vendor", "sync", *arguments, cwd=project.root)
        assert seen(ran) == (0, "1 vendor: everything is here, nothing to bring.\n", "")
    assert seen(claimcheck("vendor", "sync", "--quiet", cwd=project.root)) == (0, "", "")


def test_sync_that_brings_nothing_is_2_and_something_is_1(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    vendors = (declared("lib", "L", "{c1}"), declared("other", "O"))
    project = make_project(registry(*vendors), FILES)
    ran = claimcheck("vendor", "sync", "--releases", "other", cwd=project.root)
    assert ran.code == 2
    assert ran.out == (
        "other  pin 44444444 not brought: no forge is asked\n"
        "other  no release is declared that could stand in\n"
        "    help: claimcheck vendor sync other --from PATH    takes the pin from a clone or a bundle\n"
        "1 vendor: 1 failed.\n"
    )
    assert claimcheck("vendor", "sync", "--releases", cwd=project.root).code == 1


def test_sync_from_a_clone(root: Path, tmp_path: Path, make_repo: MakeRepo, claimcheck: Claimcheck) -> None:
    [first] = make_repo(tmp_path / "up", FILES)
    write_files(root, registry(declared("lib", "L", first), declared("other", "O")))
    ran = claimcheck("vendor", "sync", "lib", "--from", "../up", cwd=root)
    assert seen(ran) == (0, f"lib  pin {first[:8]} brought from ../up\n1 vendor: 1 brought.\n", "")
    ran = claimcheck("vendor", "sync", "--from", "../up", cwd=root)
    assert ran.code == 2 and ran.err.startswith("error: --from is for one vendor\n")


def test_a_vendor_that_is_none_is_told_with_the_nearest(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(registry(declared("zookeeper", "Z")))
    ran = claimcheck("vendor", "sync", "zookeper", cwd=project.root)
    assert seen(ran) == (2, "", "error: no vendor zookeper; did you mean zookeeper?\n")
    assert claimcheck("vendor", "fetch", "x", "v1", cwd=project.root).code == 2


def test_fetch_of_an_undeclared_release_prints_the_line_and_stops(
    root: Path, index: PackageIndex, claimcheck: Claimcheck
) -> None:
    digest = index.put("demo", "1.1", FILES)
    write_files(root, registry(declared("lib", "L", releases=f'"1.0": {"a" * 64}')))
    before = (root / "anchors.yaml").read_bytes()
    arguments = ("vendor", "fetch", "lib", "release/1.1", "--index-url", index.url)
    ran = claimcheck(*arguments, cwd=root)
    assert ran.code == 1 and ran.out == ""
    assert ran.err == (
        "anchors.yaml:2:139: error: lib: release 1.1 is not declared; nothing was brought\n"
        f'    help: "1.1": {digest}    under vendors.lib.releases.versions    if you trust what the package index has '
        "today; or --trust\n"
    )
    assert not (root / "vendor").exists()
    ran = claimcheck(*arguments, "--trust", cwd=root)
    assert ran.code == 0
    assert f'    help: "1.1": {digest}    under vendors.lib.releases.versions' in ran.out
    assert (root / "anchors.yaml").read_bytes() == before


def test_fetch_since_needs_history(root: Path, claimcheck: Claimcheck) -> None:
    write_files(root, registry(declared("lib", "L")))
    assert claimcheck("vendor", "fetch", "lib", "v1", "--since", "v0", cwd=root).code == 2


def test_status_with_check(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(registry(declared("lib", "L", "{c1}"), declared("other", "O")), FILES)
    ran = claimcheck("vendor", "status", cwd=project.root)
    assert seen(ran) == (
        0,
        (
            "other  pin 44444444  MISSING  nothing here  (claimcheck vendor sync other)\n"
            "2 vendors, 1 pin missing. (claimcheck vendor sync)\n"
        ),
        "",
    )
    assert claimcheck("vendor", "status", "--check", cwd=project.root).code == 1
    ran = claimcheck("vendor", "status", "--all", cwd=project.root)
    assert ran.out.startswith(f"lib    pin {project.commits[0][:8]}  present  in vendor/lib\n")
    ran = claimcheck("vendor", "status", "--format", "json", cwd=project.root)
    assert [vendor["state"] for vendor in json.loads(ran.out)["vendors"]] == ["fine", "missing"]
    assert claimcheck("vendor", "status", "--check", cwd=make_project(registry(), root=project.root).root).code == 0


def test_nothing_in_vendor_is_written_by_status(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    project = make_project(registry(declared("lib", "L", "{c1}"), declared("other", "O")), FILES)
    before = {path: path.lstat().st_mtime_ns for path in project.root.rglob("*")}
    claimcheck("vendor", "status", "--all", cwd=project.root)
    assert {path: path.lstat().st_mtime_ns for path in project.root.rglob("*")} == before


def test_add_a_clone(make_project: MakeProject, make_repo: MakeRepo, claimcheck: Claimcheck) -> None:
    text = (
        "vendors:\n"
        "  # the first one\n"
        "  lib:\n"
        "    url: https://forge.example/o/lib\n"
        f'    commit: "{ABSENT}"\n'
        "    prefix: Z\n"
        "anchors: {}\n"
    )
    project = make_project({"anchors.yaml": text})
    [first] = make_repo(project.root / "vendor/zlib", FILES)
    git(project.root / "vendor/zlib", "remote", "add", "origin", "https://me:hunter2@forge.example/o/zlib")
    ran = claimcheck("vendor", "add", "vendor/zlib", cwd=project.root)
    assert ran.code == 0 and ran.err == ""
    added = ran.out.partition("Wrote anchors.yaml")[0]
    assert ran.out.endswith(
        "Wrote anchors.yaml. IDs of its anchors begin with ZL-\nNext: claimcheck add ZL-SOMETHING zlib:PATH:LINES\n"
    )
    now = project.read("anchors.yaml")
    assert now.replace(added, "") == text
    assert "hunter2" not in now and "https://forge.example/o/zlib" in now and first in now
    assert claimcheck("vendor", "status", cwd=project.root).out.endswith(
        "2 vendors, 1 pin missing. (claimcheck vendor sync)\n"
    )
    ran = claimcheck("vendor", "add", "vendor/zlib", cwd=project.root)
    assert ran.code == 2 and "zlib is declared already" in ran.err
    assert project.read("anchors.yaml") == now


def test_add_an_archive_makes_it_the_pin(root: Path, tmp_path: Path, claimcheck: Claimcheck) -> None:
    write_files(root, registry(declared("lib", "L")))
    data = source_archive("demo", "1.0", FILES)
    (tmp_path / "demo-1.0.tar.gz").write_bytes(data)
    ran = claimcheck("vendor", "add", "../demo-1.0.tar.gz", "--pypi", "demo", cwd=root)
    assert ran.code == 0
    assert ran.out.endswith("Next: claimcheck vendor sync demo --from ../demo-1.0.tar.gz\n")
    ran = claimcheck("vendor", "sync", "demo", "--from", "../demo-1.0.tar.gz", cwd=root)
    assert ran.code == 0
    assert ran.out.startswith(
        f"demo  release 1.0 imported from ../demo-1.0.tar.gz: 1 file, sha256 {sha256(data)[:8]}…\n"
    )
    assert "demo  pin 1.0       present  in vendor/demo.git" in claimcheck("vendor", "status", "--all", cwd=root).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("https://forge.example/o/new",), "which commit of https://forge.example/o/new is cited?"),
        (("https://forge.example/o/new", "--commit", "1234567"), "1234567 is no full commit id, which has 40 digits"),
        (("https://forge.example/o/new", "--commit", "release/1.0"), "release/1.0 is not declared"),
        (("https://forge.example/o/new", "--version", "1.0"), "the sha256 of the archive of 1.0 is needed"),
        (("https://forge.example/o/lib", "--commit", ABSENT), "lib is declared already, at anchors.yaml:2:3"),
        (("https://forge.example/o/n", "--commit", ABSENT, "--prefix", "L"), "the prefix L is lib's"),
        (("https://forge.example/o/n", "--commit", ABSENT, "--prefix", "l"), "l cannot be a prefix"),
        (("https://forge.example/o/n", "--commit", ABSENT, "--name", "../x"), "`../x` cannot be a vendor's name"),
        (("ext::sh -c touch% canary", "--commit", ABSENT), "ext::sh -c touch% canary is no address"),
        (("http://forge.example/o/n", "--commit", ABSENT), "http://forge.example/o/n is no address"),
        (("nothing",), "nothing is neither an address nor anything on this machine"),
        (("anchors.yaml",), "anchors.yaml is neither a clone nor an archive"),
        (("vendor",), "vendor is not a git repository"),
    ],
)
def test_what_cannot_be_added(root: Path, claimcheck: Claimcheck, arguments: tuple[str, ...], said: str) -> None:
    write_files(root, {**registry(declared("lib", "L")), "vendor/.keep": ""})
    before = (root / "anchors.yaml").read_bytes()
    ran = claimcheck("vendor", "add", *arguments, cwd=root)
    assert ran.code == 2 and ran.err.startswith(f"error: {said}")
    assert (root / "anchors.yaml").read_bytes() == before


def test_nothing_is_declared_that_the_registry_would_not_load_with(root: Path, claimcheck: Claimcheck) -> None:
    write_files(root, registry(declared("lib", "L")))
    before = (root / "anchors.yaml").read_bytes()
    ran = claimcheck("vendor", "add", "https://forge.example/o/n", "--commit", ABSENT, "--pypi", "a b", cwd=root)
    assert ran.code == 2
    assert ran.err.endswith(": error: n: pypi `a b` is not a package's name; nothing was written\n")
    assert (root / "anchors.yaml").read_bytes() == before


FORGE = """\
#!/bin/sh
for last; do :; done
echo "$*" >> "$SSH_LOG"
exec sh -c "$last"
"""
SILENT_FORGE = """\
#!/bin/sh
echo "ssh: connect to host forge.example port 22: Connection timed out" >&2
exit 255
"""


@pytest.fixture
def ssh(tmp_path: Path) -> dict[str, str]:
    """An environment in which `ssh` runs what it is asked on this machine, and notes it."""
    script = tmp_path / "ssh"
    script.write_text(FORGE)
    script.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**environment, "GIT_SSH_COMMAND": str(script), "SSH_LOG": str(tmp_path / "log"), "HOME": str(tmp_path)}


def run(root: Path, environment: dict[str, str], *arguments: str, stderr: int = subprocess.PIPE) -> Ran:
    done = subprocess.run(
        [sys.executable, "-m", "claimcheck", "vendor", *arguments],
        cwd=root,
        env={**environment, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr or "")


def test_a_forge_gives_exactly_the_named_commits(
    root: Path, tmp_path: Path, make_repo: MakeRepo, ssh: dict[str, str]
) -> None:
    first, second, _ = make_repo(tmp_path / "up", FILES, {"a.py": "two = 2\n"}, {"a.py": "three = 3\n"})
    git(tmp_path / "up", "tag", "v2", second)
    url = f"ssh://git@forge.example{tmp_path}/up"
    write_files(root, registry(declared("lib", "L", first, url)))
    assert seen(run(root, ssh, "sync")) == (
        0,
        f"lib  pin {first[:8]} brought from forge.example\n1 vendor: 1 brought.\n",
        "",
    )
    assert git(root / "vendor/lib.git", "show", f"{first}:a.py") == "one = 1"
    assert git(root / "vendor/lib.git", "for-each-ref", "--format=%(refname)") == f"refs/claimcheck/{first}"
    asked = (tmp_path / "log").read_text()
    assert asked.count("git-upload-pack") == 1
    assert run(root, ssh, "sync").out == "1 vendor: everything is here, nothing to bring.\n"
    assert (tmp_path / "log").read_text() == asked
    ran = run(root, ssh, "fetch", "lib", "v2")
    assert seen(ran) == (0, f"lib  {second[:8]} (v2) brought from forge.example\n", "")


def test_a_commit_that_the_forge_lacks_is_an_error_even_with_a_stand_in(
    root: Path, tmp_path: Path, make_repo: MakeRepo, ssh: dict[str, str], index: PackageIndex
) -> None:
    make_repo(tmp_path / "up", FILES)
    digest = index.put("demo", "1.0", FILES)
    url = f"ssh://git@forge.example{tmp_path}/up"
    write_files(root, registry(declared("lib", "L", ABSENT, url, f'"1.0": {digest}')))
    ran = run(root, {**ssh, "PIP_INDEX_URL": index.url}, "sync")
    assert ran.code == 1
    assert ran.out.split("\n")[0] == "lib  pin 44444444 not brought: forge.example does not have it"
    assert ran.out.split("\n")[1].startswith("lib  stand-in 1.0 brought from the package index")


def test_a_forge_that_does_not_answer_is_told_in_one_line(root: Path, tmp_path: Path, ssh: dict[str, str]) -> None:
    (tmp_path / "ssh").write_text(SILENT_FORGE)
    write_files(root, registry(declared("lib", "L", ABSENT, "git@forge.example:o/lib")))
    ran = run(root, ssh, "fetch", "lib", ABSENT)
    assert ran.code == 2
    assert ran.err == (
        f"error: lib: {ABSENT} not brought: forge.example does not answer (connect to host forge.example port 22: "
        "Connection timed out)\n"
        "    help: --from PATH    takes it from a clone or a bundle on this machine\n"
    )


def test_the_users_own_git_configuration_can_name_a_mirror_but_no_other_protocol(
    root: Path, tmp_path: Path, make_repo: MakeRepo, ssh: dict[str, str]
) -> None:
    [first] = make_repo(tmp_path / "up", FILES)
    write_files(root, registry(declared("lib", "L", first, "https://forge.invalid/o/lib")))
    mirror = f'[url "{{}}{tmp_path}/up"]\n\tinsteadOf = https://forge.invalid/o/lib\n'
    for address in ("file://", "", "ext::git-upload-pack "):
        (tmp_path / ".gitconfig").write_text(mirror.format(address) + "[protocol]\n\tallow = always\n")
        ran = run(root, ssh, "fetch", "lib", first)
        assert ran.code == 2 and "forge.invalid refuses (transport" in ran.err
    (tmp_path / ".gitconfig").write_text(mirror.format("ssh://git@mirror.example"))
    assert run(root, ssh, "sync").code == 0
    assert "git@mirror.example" in (tmp_path / "log").read_text()


def test_a_terminal_gets_a_progress_bar_on_stderr_and_a_pipe_none(
    root: Path, tmp_path: Path, ssh: dict[str, str]
) -> None:
    data = source_archive("demo", "1.0", {f"f{n}": "x" for n in range(200)})
    (tmp_path / "demo.tar.gz").write_bytes(data)
    write_files(root, registry(declared("lib", "L", releases=f'"1.0": {sha256(data)}')))
    ours, theirs = pty.openpty()
    with open(ours, "rb", closefd=True, buffering=0) as terminal:
        ran = run(root, {**ssh, "TERM": "xterm"}, "sync", "--from", "../demo.tar.gz", stderr=theirs)
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # Linux ends a terminal that nobody holds any more with an error
            while piece := terminal.read(4096):
                shown += piece
    assert ran.code == 0 and "\x1b" not in ran.out
    assert "importing ../demo.tar.gz" in shown.decode()
    assert run(root, ssh, "fetch", "lib", "release", "--from", "../demo.tar.gz").err == ""


def test_help_has_examples_everywhere(claimcheck: Claimcheck, root: Path) -> None:
    for command in ((), ("sync",), ("fetch",), ("status",), ("add",)):
        ran = claimcheck("vendor", *command, "--help", cwd=root)
        assert ran.code == 0 and "Examples:" in ran.out and "claimcheck vendor" in ran.out
