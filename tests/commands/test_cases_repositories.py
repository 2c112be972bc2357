"""Repositories that are incomplete, damaged, odd or hostile, from what lies in vendor/ to the exit code."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Claimcheck, Files, MakeProject, MakeRepo, SmallProject, git, write_files
from small import COMMITS, FILES, findings, registry
from test_hostile_git import COMMANDS, HOOKS, snapshot

COMMAND = [sys.executable, "-P", "-m", "claimcheck"]
GOOD: Files = {"a.py": "x = 1\ny = 2\n", "f.txt": "hello there\n"}
ANCHOR = "lines: 1, find: x = 1"


def vendors(**pins: str) -> str:
    """The `vendors:` part of a registry, each with its name in capitals as prefix."""
    rows = (
        f'  {name}:\n    url: https://github.com/o/{name}\n    commit: "{pin}"\n    prefix: {name.upper()}\n'
        for name, pin in pins.items()
    )
    return "vendors:\n" + "".join(rows)


@pytest.fixture
def two(tmp_path: Path, make_repo: MakeRepo) -> Callable[..., Path]:
    """`two(pin)`: a project with a vendor `good` that is fine and a vendor `bad` at a pin, each cited once."""

    def make(pin: str, path: str = "a.py") -> Path:
        root = tmp_path / "project"
        (good,) = make_repo(root / "vendor/good", GOOD)
        anchors = f"anchors:\n  GOOD-A: {{path: a.py, {ANCHOR}}}\n  BAD-A: {{path: {path}, {ANCHOR}}}\n"
        write_files(root, {"anchors.yaml": vendors(good=good, bad=pin) + anchors})
        return root

    return make


def only_bad_is_unverified(root: Path, claimcheck: Claimcheck) -> str:
    """Verify, and see that nothing was learned of the bad vendor's anchor while the good one's is verified."""
    ran = claimcheck("verify", cwd=root)
    assert ran.code == 1
    assert "anchors    2   1 verified, 0 failed, 1 unverified\n" in ran.out
    (told,) = [line for line in findings(ran) if ": note: " not in line]
    document = json.loads(claimcheck("verify", "--format", "json", cwd=root).out)
    assert {anchor["id"]: anchor["status"] for anchor in document["anchors"]} == {
        "GOOD-A": "verified",
        "BAD-A": "unverified",
    }
    assert {finding["class"] for finding in document["findings"] if finding["severity"] == "error"} == {"environment"}
    shown = claimcheck("excerpt", "BAD-A", cwd=root)
    assert shown.code in (1, 2) and shown.out == ""
    return told


def test_a_partial_clone_is_read_without_asking_its_remote(
    two: Callable[..., Path], tmp_path: Path, make_repo: MakeRepo, claimcheck: Claimcheck
) -> None:
    (pin,) = make_repo(tmp_path / "upstream", GOOD)
    git(tmp_path / "upstream", "config", "uploadpack.allowFilter", "true")
    root = two(pin)
    source = f"file://{tmp_path}/upstream"
    git(root, "clone", "--quiet", "--filter=blob:none", "--no-checkout", source, "vendor/bad")
    git(root / "vendor/bad", "remote", "set-url", "origin", "https://host.invalid/x")
    told = only_bad_is_unverified(root, claimcheck)
    assert "BAD-A: a.py cannot be read: object " in told
    assert told.endswith("is not in vendor/bad, a partial clone [source-unavailable]")


@pytest.mark.parametrize("tracked", [False, True], ids=["an empty folder", "a submodule"])
def test_an_uninitialised_submodule_never_shows_the_outer_repository(
    tracked: bool, two: Callable[..., Path], claimcheck: Claimcheck
) -> None:
    root = two("0" * 39 + "1")
    write_files(root, {"a.py": "x = 1\n"})
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", "a.py")
    git(root, "commit", "--quiet", "--message", "outer")
    outer = git(root, "rev-parse", "HEAD")
    text = (root / "anchors.yaml").read_text().replace("0" * 39 + "1", outer)
    write_files(root, {"anchors.yaml": text})
    (root / "vendor/bad").mkdir()
    if tracked:
        write_files(root, {".gitmodules": '[submodule "bad"]\n\tpath = vendor/bad\n\turl = https://x.invalid/bad\n'})
    told = only_bad_is_unverified(root, claimcheck)
    assert "submodule" in told and told.endswith("[vendor-unusable]")
    assert "help: git submodule update --init vendor/bad\n" in claimcheck("verify", cwd=root).out


def test_a_sha256_repository_is_refused_by_name(two: Callable[..., Path], claimcheck: Claimcheck) -> None:
    root = two("f" * 40)
    git(root, "init", "--quiet", "--object-format=sha256", "vendor/bad")
    write_files(root / "vendor/bad", GOOD)
    git(root / "vendor/bad", "add", "--all")
    git(root / "vendor/bad", "commit", "--quiet", "--message", "one")
    pin = git(root / "vendor/bad", "rev-parse", "HEAD")
    assert len(pin) == 64
    write_files(root, {"anchors.yaml": (root / "anchors.yaml").read_text().replace("f" * 40, pin)})
    told = only_bad_is_unverified(root, claimcheck)
    assert "bad: vendor/bad is a SHA-256 repository; the SHA-256 object format is not supported" in told
    synced = claimcheck("vendor", "sync", "bad", cwd=root)
    assert synced.code == 2
    assert f"bad  pin {pin[:8]} not brought: it is an id of a SHA-256 repository" in synced.out
    cited = claimcheck("cite", "BAD-A", cwd=root)
    assert "no permalink" in cited.out and "github.com" not in cited.out


def test_a_sha256_id_is_not_looked_for_in_a_repository_of_the_usual_kind(
    two: Callable[..., Path], make_repo: MakeRepo, claimcheck: Claimcheck
) -> None:
    root = two("ab" * 32)
    make_repo(root / "vendor/bad", GOOD)
    told = only_bad_is_unverified(root, claimcheck)
    assert "the pin abababab is a SHA-256 id, and vendor/bad is no repository of that object format" in told


def test_ids_that_are_no_commit_here_are_told_apart(
    two: Callable[..., Path], make_repo: MakeRepo, claimcheck: Claimcheck
) -> None:
    root = two("f" * 40)
    first, second = make_repo(root / "vendor/bad", GOOD, {"a.py": "x = 7\n"})
    git(root / "vendor/bad", "tag", "--annotate", "--message", "a tag", "v1", first)
    ids = {
        "0" * 40: "is all zeros, which is no commit",
        git(root / "vendor/bad", "rev-parse", f"{first}^{{tree}}"): "is a tree in vendor/bad, not a commit",
        git(root / "vendor/bad", "rev-parse", f"{first}:a.py"): "is a blob in vendor/bad, not a commit",
        git(root / "vendor/bad", "rev-parse", "v1"): "is a tag in vendor/bad, not a commit",
        "e" * 40: "is not in vendor/bad",
    }
    text = (root / "anchors.yaml").read_text()
    for id, said in ids.items():
        write_files(root, {"anchors.yaml": text.replace("f" * 40, id)})
        assert said in only_bad_is_unverified(root, claimcheck)
    # A branch that is called like the full id of another commit redirects nothing.
    git(root / "vendor/bad", "update-ref", f"refs/heads/{first}", second)
    write_files(root, {"anchors.yaml": text.replace("f" * 40, first)})
    assert claimcheck("verify", cwd=root).code == 0


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path: path.write_bytes(zlib.compress(b"blob 12\0x = 1\nz = 9\n")), "is damaged: its bytes have another id"),
        (lambda path: path.write_bytes(b"xx"), "is damaged: it cannot be decoded"),
        (lambda path: path.unlink(), "is not in vendor/bad"),
    ],
    ids=["altered", "truncated", "deleted"],
)  # fmt: skip
def test_a_damaged_object_is_never_shown_and_costs_only_its_anchor(
    spoil: Callable[[Path], object], said: str, two: Callable[..., Path], make_repo: MakeRepo, claimcheck: Claimcheck
) -> None:
    root = two("f" * 40)
    (pin,) = make_repo(root / "vendor/bad", GOOD)
    write_files(root, {"anchors.yaml": (root / "anchors.yaml").read_text().replace("f" * 40, pin)})
    id = git(root / "vendor/bad", "rev-parse", "HEAD:a.py")
    path = root / "vendor/bad/.git/objects" / id[:2] / id[2:]
    path.chmod(0o644)
    spoil(path)
    told = only_bad_is_unverified(root, claimcheck)
    assert f"BAD-A: a.py cannot be read: object {id[:8]} " in told and said in told
    assert "help: move vendor/bad away, then claimcheck vendor sync bad\n" in claimcheck("verify", cwd=root).out


def test_replacements_do_not_change_what_is_verified(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = registry("L-A: {path: a.py, lines: 1, find: x = 1}")
    project = make_project(files, {"a.py": "x = 1\n"}, {"a.py": "x = 2\n"})
    first, second = project.commits
    git(project.root / "vendor/lib", "replace", first, second)
    assert git(project.root / "vendor/lib", "show", f"{first}:a.py") == "x = 2"
    assert claimcheck("verify", cwd=project.root).code == 0
    assert " 1 | x = 1\n" in claimcheck("excerpt", "L-A", cwd=project.root).out


def test_what_is_no_file_is_called_what_it_is_and_never_followed(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    paths = ["l1", "l2", "l2/x", "d", "sub", "sub/f.txt", "F.TXT", "f.txt/x", "nowhere/x"]
    rows = [f"L-{'ABCDEFGHI'[n]}: {{path: {path}, lines: 1, find: root}}" for n, path in enumerate(paths)]
    project = make_project(registry(*rows), {"f.txt": "root here\n", "d/x.txt": "root here\n"})
    lib = project.root / "vendor/lib"
    os.symlink("/etc/passwd", lib / "l1")
    os.symlink("f.txt", lib / "l2")
    git(lib, "add", "--all")
    git(lib, "update-index", "--add", "--cacheinfo", f"160000,{project.commits[0]},sub")
    git(lib, "commit", "--quiet", "--message", "links")
    pin = git(lib, "rev-parse", "HEAD")
    project.write("anchors.yaml", project.read("anchors.yaml").replace(project.commits[0], pin))
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    at, other = f"lib {pin[:8]}", project.commits[0][:8]
    assert [line.partition("error: ")[2] for line in findings(ran)] == [
        f"L-A: l1 at {at} is a symbolic link to `/etc/passwd` [not-text]",
        f"L-B: l2 at {at} is a symbolic link to `f.txt` [not-text]",
        f"L-C: l2/x at {at} lies below l2, which is a symbolic link to `f.txt` [not-text]",
        f"L-D: d at {at} is a directory [not-text]",
        f"L-E: sub at {at} is a submodule (commit {other} of another repository) [not-text]",
        f"L-F: sub/f.txt at {at} lies below sub, which is a submodule (commit {other} of another repository) [not-text]",
        f"L-G: F.TXT is not in {at} [path-missing]",
        f"L-H: f.txt/x is not in {at} [path-missing]",
        f"L-I: nowhere/x is not in {at} [path-missing]",
    ]
    assert f"    {at} has no file F.TXT; did you mean f.txt?\n" in ran.out
    assert "root:" not in ran.out + claimcheck("excerpt", "L-A", "L-F", cwd=project.root).out


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("-p", "-p"),
        ("a:b", "a%3Ab"),
        ("*.py", "%2A.py"),
        ("a b#c?d%[x].py", "a%20b%23c%3Fd%25%5Bx%5D.py"),
        ('h"q.py', "h%22q.py"),
        ("文件.py", "%E6%96%87%E4%BB%B6.py"),
        ("$(touch x)", "%24%28touch%20x%29"),
        ("::error::x.py", "%3A%3Aerror%3A%3Ax.py"),
    ],
)
def test_names_with_special_characters_are_only_names(
    path: str, link: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(registry(f"L-A: {{path: '{path}', lines: 1, find: hello}}"), {path: "hello\n"})
    assert claimcheck("verify", cwd=project.root).code == 0
    assert f"/blob/{project.commits[0]}/{link}#L1\n" in claimcheck("cite", "L-A", cwd=project.root).out
    shown = claimcheck("excerpt", "L-A", cwd=project.root)
    assert shown.code == 0 and "\n 1 | hello\n" in shown.out
    assert not (project.root / "x").exists()


@pytest.mark.parametrize(
    "path",
    ["./f.txt", "d//x", "d/../f.txt", "/f.txt", "d\\x", "d/", "", ".", "C:f.txt", "f.txt ", "~/f.txt", "../f.txt"],
)
def test_a_path_of_another_spelling_is_refused_before_anything_is_read(
    path: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(registry(f"L-A: {{path: '{path}', lines: 1, find: hello}}"), {"f.txt": "hello\n"})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 2
    (told,) = findings(ran)
    assert told.startswith("anchors.yaml:7:15: error: L-A: path ") and told.endswith("[bad-path]")


def test_a_pin_that_was_never_pushed_is_warned_of(
    tmp_path: Path, make_repo: MakeRepo, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    pushed, later = make_repo(tmp_path / "upstream", *COMMITS, {**COMMITS[0], "b.py": "y = 1\n"})
    project = make_project(FILES, root=tmp_path / "project")
    lib = project.root / "vendor/lib"
    git(tmp_path, "clone", "--quiet", str(tmp_path / "upstream"), str(lib))
    git(lib, "commit", "--quiet", "--allow-empty", "--message", "local only")
    local = git(lib, "rev-parse", "HEAD")
    text = project.read("anchors.yaml")
    for pin, warned in ((pushed, False), (later, False), (local, True)):
        project.write("anchors.yaml", text.replace("{c1}", pin))
        ran = claimcheck("verify", cwd=project.root)
        assert ran.code == 0
        assert ("[pin-not-pushed]" in ran.out) is warned
    assert (
        f"anchors.yaml:4:13: warning: lib: the pin {local[:8]} is on no remote-tracking branch of vendor/lib; its "
        "permalinks may be dead [pin-not-pushed]\n    help: git -C vendor/lib fetch    if the clone is merely old\n"
    ) in ran.out
    # One anchor alone does not ask for all of history; a tag may have been pushed.
    assert "pin-not-pushed" not in claimcheck("verify", "L-TAKE", cwd=project.root).out
    git(lib, "tag", "v1")
    assert "pin-not-pushed" not in claimcheck("verify", cwd=project.root).out


def test_where_history_is_cut_or_unknown_nothing_is_said_of_pushing(
    tmp_path: Path, make_repo: MakeRepo, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    make_repo(tmp_path / "upstream", {"a.py": "1\n"}, *COMMITS)
    project = make_project(FILES, root=tmp_path / "project")
    lib = project.root / "vendor/lib"
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{tmp_path}/upstream", str(lib))
    git(lib, "commit", "--quiet", "--allow-empty", "--message", "local only")
    project.write("anchors.yaml", project.read("anchors.yaml").replace("{c1}", git(lib, "rev-parse", "HEAD")))
    ran = claimcheck("verify", cwd=project.root)
    assert (ran.code, findings(ran)) == (0, [])
    git(lib, "fetch", "--quiet", "--unshallow")
    assert "[pin-not-pushed]" in claimcheck("verify", cwd=project.root).out
    write_files(lib, {".git/refs/remotes/origin/broken": "f" * 40 + "\n"})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 0 and "[pin-not-pushed]" in ran.out


EVERY_COMMAND = (
    ["verify"],
    ["verify", "--at", "HEAD"],
    ["verify", "--format", "json"],
    ["excerpt", "L-TAKE", "--context", "2"],
    ["cite", "L-TAKE"],
    ["list"],
    ["lock"],
    ["add", "L-SIZE", "lib:pool.py:Pool.size"],
    ["mv", "L-SIZE", "L-LENGTH"],
    ["rm", "L-LENGTH"],
    ["review", "L-TAKE", "--accept"],
    ["vendor", "status"],
    ["explain"],
    [],
)


def test_no_command_runs_what_a_repository_names_or_changes_it(
    make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path
) -> None:
    project = make_project(FILES, *COMMITS)
    sang, canary = tmp_path / "sang", tmp_path / "bin/canary"
    canary.parent.mkdir()
    canary.write_text(f'#!/bin/sh\necho "$0 $*" >> {sang}\nexit 1\n')
    canary.chmod(0o755)
    lib = project.root / "vendor/lib"
    for name in HOOKS:
        hook = lib / ".git/hooks" / name
        hook.unlink(missing_ok=True)
        hook.symlink_to(canary)
    write_files(lib, {".gitattributes": "* filter=evil diff=evil ident\n", "pool.py": "changed on disk\n"})
    config = lib / ".git/config"
    config.write_text(config.read_text() + COMMANDS.replace("CANARY", str(canary)))
    before = snapshot(project.root / "vendor")
    for arguments in EVERY_COMMAND:
        ran = claimcheck(*arguments, cwd=project.root)
        assert ran.code == 0, (arguments, ran.err)
    assert not sang.exists(), sang.read_text()
    assert snapshot(project.root / "vendor") == before


def test_inside_a_hook_with_gits_variables_set_all_is_as_outside(
    make_project: MakeProject, make_repo: MakeRepo, tmp_path: Path
) -> None:
    project = make_project(FILES, *COMMITS)
    make_repo(tmp_path / "other", {"pool.py": "nothing\n"})
    git(project.root, "init", "--quiet")
    variables = {
        "GIT_DIR": str(project.root / ".git"),
        "GIT_WORK_TREE": str(project.root),
        "GIT_INDEX_FILE": "x",
        "GIT_OBJECT_DIRECTORY": str(tmp_path / "other/.git/objects"),
        "GIT_CONFIG_PARAMETERS": "'core.bare'='nonsense'",
    }
    for arguments in (["verify"], ["excerpt", "L-TAKE"], ["vendor", "status"]):
        plain, hooked = (
            subprocess.run(
                [*COMMAND, *arguments], cwd=project.root, env={**os.environ, **more}, capture_output=True, check=False
            )
            for more in ({}, variables)
        )
        assert plain.returncode == 0
        assert (hooked.returncode, hooked.stdout, hooked.stderr) == (0, plain.stdout, plain.stderr)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_of_somebody_else_is_read(
    make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(FILES, *COMMITS)
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = me\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    for folder, folders, names in os.walk(project.root / "vendor"):
        for name in (*folders, *names):
            os.lchown(os.path.join(folder, name), 65534, 65534)
    assert claimcheck("verify", cwd=project.root).code == 0
    assert (tmp_path / ".gitconfig").read_text() == "[user]\n\tname = me\n"


def test_what_stands_in_place_of_a_vendor_is_named(
    make_project: MakeProject, claimcheck: Claimcheck, tmp_path: Path, make_repo: MakeRepo
) -> None:
    project = make_project(FILES, *COMMITS)
    lib = project.root / "vendor/lib"
    aside = tmp_path / "aside"
    lib.rename(aside)

    def told() -> str:
        ran = claimcheck("verify", cwd=project.root)
        assert ran.code == 2
        assert ran.out.endswith("Found 1 error; 2 anchors and 2 claims could not be checked.\n")
        assert claimcheck("vendor", "status", cwd=project.root).code == 0
        assert claimcheck(cwd=project.root).out.endswith("Next: claimcheck vendor sync\n")
        return ran.out.partition("error: lib: ")[2].partition("\n    help: ")[0]

    assert told() == "there is no vendor/lib and no vendor/lib.git [vendor-missing]"
    lib.write_text("a file\n")
    assert told() == "vendor/lib is not a folder [vendor-unusable]"
    lib.unlink()
    os.mkfifo(lib)
    assert told() == "vendor/lib is not a folder [vendor-unusable]"
    lib.unlink()
    lib.symlink_to("lib")
    assert told() == "vendor/lib is not a folder [vendor-unusable]"
    lib.unlink()
    lib.symlink_to(aside)
    assert told().startswith("vendor/lib is a symbolic link to ../aside, outside the project")
    lib.unlink()
    shutil.rmtree(project.root / "vendor")
    (project.root / "vendor").write_text("a file\n")
    assert told() == "there is no vendor/lib and no vendor/lib.git [vendor-missing]"


def test_a_hundred_vendors_need_few_file_handles(tmp_path: Path, make_repo: MakeRepo) -> None:
    root = tmp_path / "project"
    (pin,) = make_repo(root / "vendor/v0", GOOD)
    names = [f"v{n}" for n in range(100)]
    for name in names[1:]:
        shutil.copytree(root / "vendor/v0", root / "vendor" / name)
    rows = "".join(f"  {name.upper()}-A: {{path: a.py, {ANCHOR}}}\n" for name in names)
    write_files(root, {"anchors.yaml": vendors(**dict.fromkeys(names, pin)) + "anchors:\n" + rows})
    done = subprocess.run(
        [*COMMAND, "verify"],
        cwd=root,
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)),
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"anchors  100   100 verified, 0 failed, 0 unverified\n" in done.stdout


def test_a_repository_repacked_while_it_is_read_gives_the_same(make_project: MakeProject) -> None:
    texts = {f"f{n}.py": f"value_{n} = 1\n" for n in range(60)}
    rows = [f"L-F{n}: {{path: f{n}.py, lines: 1, find: value_{n}}}" for n in range(60)]
    project: SmallProject = make_project(registry(*rows), texts)
    child = subprocess.Popen([*COMMAND, "verify"], cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while child.poll() is None:
        git(project.root / "vendor/lib", "repack", "-a", "-d", "-q", "-f")
    assert child.stdout is not None and child.stderr is not None
    out, err = child.communicate()
    assert (child.returncode, err) == (0, b"")
    assert b"60 verified, 0 failed" in out
