"""Repositories and environments that try to run programs, to read other files, or to show other texts.

Each repository is read clean and armed: the results are the same, no canary sings, and nothing in it has changed.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest

from claimcheck import sources as sources_module
from claimcheck.model import Pin, Revision, Vendor
from claimcheck.sources import Sources
from claimcheck.texts import NoSource, SourceText, Why
from conftest import GIT_ENVIRONMENT, MakeRepo, git

SOURCE = Path(sources_module.__file__).parents[1]
SECRET = "the secret of another project"

BODY = "".join(f"line {n}\n" for n in range(30))
FIRST = {"a.py": "x = 1\n", "old.py": BODY, "ident.c": "$Id$\n", "crlf.txt": "a\r\nb\r\n", "latin.py": b"# \xe9\n"}
SECOND = {**FIRST, "a.py": "x = 2\n", "new.py": BODY + "more\n"}
del SECOND["old.py"]
PATHS = sorted({*FIRST, *SECOND, "none.py"})


@dataclass(frozen=True)
class Project:
    """A project with a clone `vendor/lib` of two commits, and a program that leaves a file behind if it is run."""

    root: Path
    first: str
    second: str

    @property
    def lib(self) -> Path:
        return self.root / "vendor/lib"

    @property
    def git_dir(self) -> Path:
        return self.lib / ".git"

    @property
    def canary(self) -> Path:
        return self.root.parent / "bin/canary"

    @property
    def sang(self) -> Path:
        return self.root.parent / "sang"


@pytest.fixture
def project(tmp_path: Path, make_repo: MakeRepo) -> Project:
    root = tmp_path / "project"
    first, second = make_repo(root / "vendor/lib", FIRST, SECOND)
    git(root / "vendor/lib", "tag", "v1", first)
    found = Project(root, first, second)
    found.canary.parent.mkdir()
    found.canary.write_text(f'#!/bin/sh\necho "$0 $*" >> {found.sang}\nexit 1\n')
    found.canary.chmod(0o755)
    (tmp_path / "secret").write_text(SECRET)
    return found


def everything(project: Project, allow: tuple[Path, ...] = ()) -> dict[str, object]:
    """All that we read of a vendor: revisions, texts, hints, state."""
    vendor = Vendor("lib", Pin(project.first), ("L",))
    with Sources(project.root, {"lib": vendor}, allow_alternates=allow) as sources:
        state = sources.state("lib")
        tree = sources.tree("lib", project.second, project.first)
        return {
            "revisions": [repr(sources.resolve("lib", rev)) for rev in (project.first, project.second, "v1", "HEAD")],
            "texts": [
                repr(sources.read("lib", commit, path)) for commit in (project.first, project.second) for path in PATHS
            ],
            "hints": [sorted(tree.renames().items()), list(tree.touched()), list(tree.notes)],
            "state": repr((state.pin, state.head, state.branch, state.remarks, state.problems)),
        }


def snapshot(folder: Path) -> dict[str, tuple[object, ...]]:
    """Content, mode and time of everything below a folder."""
    found: dict[str, tuple[object, ...]] = {}
    for directory, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(directory, name)
            status = path.lstat()
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            found[str(path)] = (status.st_mode, status.st_mtime_ns, hashlib.sha1(content).hexdigest())
    return found


def assert_unmoved(project: Project, clean: dict[str, object]) -> None:
    """The armed repository reads as it did, runs nothing, and is left as it was."""
    before = snapshot(project.root)
    assert everything(project) == clean
    assert not project.sang.exists(), project.sang.read_text()
    assert snapshot(project.root) == before


def configure(project: Project, text: str) -> None:
    with (project.git_dir / "config").open("a") as config:
        config.write(text.replace("CANARY", str(project.canary)).replace("SECRET", str(project.root.parent / "secret")))


COMMANDS = """
[core]
	fsmonitor = CANARY
	hooksPath = hooks
	sshCommand = CANARY
	gitProxy = CANARY
	pager = CANARY
	editor = CANARY
	askPass = CANARY
	alternateRefsCommand = CANARY
	untrackedCache = true
	attributesFile = attributes
[credential]
	helper = !CANARY
[pager]
	cat-file = CANARY
	diff-tree = CANARY
[sequence]
	editor = CANARY
[gpg]
	program = CANARY
[log]
	showSignature = true
[alias]
	cat-file = !CANARY
	diff-tree = !CANARY
	version = !CANARY
[gc]
	recentObjectsHook = CANARY
[uploadpack]
	packObjectsHook = CANARY
[submodule "x"]
	update = !CANARY
	url = ext::CANARY
[diff]
	external = CANARY
[diff "evil"]
	textconv = CANARY
	command = CANARY
	cachetextconv = false
[filter "evil"]
	clean = CANARY
	smudge = CANARY
	process = CANARY
	required = true
[remote "origin"]
	url = ext::CANARY
	uploadpack = CANARY
	promisor = true
	partialclonefilter = blob:none
[protocol]
	allow = always
[protocol "ext"]
	allow = always
"""
HOOKS = (
    "post-index-change",
    "post-checkout",
    "reference-transaction",
    "pre-auto-gc",
    "fsmonitor-watchman",
    "post-rewrite",
)


def arm(project: Project) -> None:
    """Everything in a repository that can name a program names the canary."""
    for name in HOOKS:
        hook = project.git_dir / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.unlink(missing_ok=True)
        hook.symlink_to(project.canary)
    attributes = "* filter=evil diff=evil ident eol=crlf working-tree-encoding=UTF-16\n"
    for place in (project.lib / ".gitattributes", project.git_dir / "info/attributes", project.git_dir / "attributes"):
        place.parent.mkdir(exist_ok=True)
        place.write_text(attributes)
    (project.lib / "a.py").write_text("changed on disk\n")
    configure(project, COMMANDS)


def test_nothing_that_a_repository_names_is_run(project: Project) -> None:
    clean = everything(project)
    arm(project)
    before = snapshot(project.root)
    armed = everything(project)
    assert not project.sang.exists(), project.sang.read_text()
    assert snapshot(project.root) == before
    # That the configuration calls itself a partial clone is remarked; all else is as it was.
    assert {**armed, "state": None} == {**clean, "state": None}


def test_the_canary_can_sing(project: Project) -> None:
    arm(project)
    subprocess.run(["git", "-C", str(project.lib), "status"], env=GIT_ENVIRONMENT, capture_output=True, check=False)
    assert project.sang.exists()


def partial_clone(project: Project) -> None:
    """Put a clone without blobs in the vendor's place; whoever wants one asks the canary for it."""
    upstream = project.root.parent / "upstream"
    project.lib.rename(upstream)
    git(upstream, "config", "uploadpack.allowFilter", "true")
    git(project.root, "clone", "--quiet", "--filter=blob:none", "--no-checkout", f"file://{upstream}", "vendor/lib")


@pytest.mark.parametrize(
    "settings",
    [
        '[remote "origin"]\n\tuploadpack = CANARY\n',
        '[remote "origin"]\n\turl = ext::CANARY %S\n[protocol "ext"]\n\tallow = always\n',
        '[remote "origin"]\n\turl = ssh://host.invalid/x\n[core]\n\tsshCommand = CANARY\n',
    ],
)
def test_a_missing_object_is_not_fetched(settings: str, project: Project) -> None:
    partial_clone(project)
    config = project.git_dir / "config"
    if "url" in settings:
        config.write_text("".join(line for line in config.read_text().splitlines(True) if "url =" not in line))
    configure(project, settings)
    with Sources(project.root, {"lib": Vendor("lib", Pin(project.first), ("L",))}) as sources:
        assert isinstance(sources.pinned("lib"), Revision)
        found = sources.read("lib", project.first, "a.py")
        sources.tree("lib", project.second, project.first).renames()
    assert isinstance(found, NoSource)
    assert found.why is Why.OBJECT_MISSING
    assert "a partial clone" in found.message
    assert not project.sang.exists(), project.sang.read_text()
    subprocess.run(
        ["git", "-C", str(project.lib), "cat-file", "blob", f"{project.first}:a.py"],
        env=GIT_ENVIRONMENT,
        capture_output=True,
        check=False,
    )
    assert project.sang.exists(), "the canary cannot sing"


@pytest.mark.parametrize(
    "settings",
    [
        "[core]\n\tworktree = /etc\n",
        "[include]\n\tpath = SECRET\n",
        "[extensions]\n\tworktreeConfig = true\n",
        "[core]\n\trepositoryformatversion = 99\n",
        "[extensions]\n\tunheardOf = true\n",
        "[core]\n\tbare = nonsense\n",
        "[[[ broken\n",
        "\0\xff\n",
    ],
)
def test_a_configuration_that_redirects_or_is_broken_changes_nothing(settings: str, project: Project) -> None:
    clean = everything(project)
    configure(project, settings)
    (project.git_dir / "config.worktree").write_text("[core]\n\tworktree = /etc\n")
    assert_unmoved(project, clean)


def test_replacements_and_grafts_are_not_seen(project: Project) -> None:
    clean = everything(project)
    git(project.lib, "replace", project.first, project.second)
    one, two = (
        git(project.lib, "--no-replace-objects", "rev-parse", f"{id}:a.py") for id in (project.first, project.second)
    )
    git(project.lib, "replace", one, two)
    (project.git_dir / "info/grafts").write_text(f"{project.second}\n")
    assert git(project.lib, "show", f"{project.first}:a.py") == "x = 2"
    assert_unmoved(project, clean)


def test_a_forged_commit_graph_changes_nothing(project: Project) -> None:
    clean = everything(project)
    git(project.lib, "commit-graph", "write", "--reachable")
    graph = project.git_dir / "objects/info/commit-graph"
    one, two = (git(project.lib, "rev-parse", f"{id}^{{tree}}") for id in (project.first, project.second))
    data = graph.read_bytes()[:-20].replace(bytes.fromhex(one), bytes.fromhex(two))
    graph.chmod(0o644)
    graph.write_bytes(data + hashlib.sha1(data).digest())
    assert git(project.lib, "log", "-1", "--format=%T", project.first) == two
    assert_unmoved(project, clean)


def alter(project: Project, name: str, content: bytes | None) -> None:
    id = git(project.lib, "rev-parse", name)
    path = project.git_dir / "objects" / id[:2] / id[2:]
    path.chmod(0o644)
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (zlib.compress(b"blob 6\0x = 9\n"), Why.OBJECT_DAMAGED),
        (b"xx", Why.OBJECT_DAMAGED),
        (None, Why.OBJECT_MISSING),
    ],
)
def test_damaged_objects_cost_only_themselves(content: bytes | None, why: Why, project: Project) -> None:
    alter(project, f"{project.first}:a.py", content)
    with Sources(project.root, {"lib": Vendor("lib", Pin(project.first), ("L",))}) as sources:
        damaged = sources.read("lib", project.first, "a.py")
        other = sources.read("lib", project.first, "old.py")
    assert isinstance(damaged, NoSource)
    assert (damaged.why, damaged.environment) == (why, True)
    assert damaged.help == "move vendor/lib away, then claimcheck vendor sync lib"
    assert isinstance(other, SourceText)
    assert other.text == BODY


def test_objects_of_another_repository_are_not_shown(project: Project, make_repo: MakeRepo) -> None:
    victim = project.root.parent / "victim"
    (stolen,) = make_repo(victim, {"secret.py": SECRET})
    for place in ("vendor/lib/.git/objects/info/alternates", "vendor/lib/.git/objects/info/http-alternates"):
        path = project.root / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{victim}/.git/objects\n")
        with Sources(project.root, {"lib": Vendor("lib", Pin(stolen), ("L",))}) as sources:
            pin = sources.pinned("lib")
            assert isinstance(pin, NoSource)
            assert SECRET not in repr((pin, sources.read("lib", stolen, "secret.py"), sources.state("lib")))
            assert isinstance(sources.read("lib", stolen, "secret.py"), NoSource)
        path.unlink()


def test_a_repository_inside_a_work_tree_is_only_data(project: Project) -> None:
    clean = everything(project)
    inner = project.lib / "fixtures/repo"
    git(project.root, "init", "--quiet", "--bare", str(inner))
    with (inner / "config").open("a") as config:
        config.write(f"[core]\n\tworktree = ..\n\tfsmonitor = {project.canary}\n")
    assert_unmoved(project, clean)


def test_a_vendor_that_looks_like_a_bare_repository_runs_nothing(project: Project) -> None:
    with Sources(project.root, {"lib": Vendor("lib", Pin(project.first), ("L",))}) as sources:
        expected = sources.read("lib", project.first, "a.py")
    arm(project)
    configure(project, "[core]\n\tbare = false\n\tworktree = ..\n")
    moved = project.root / "moved"
    project.git_dir.rename(moved)
    shutil.rmtree(project.lib)
    moved.rename(project.lib)
    with Sources(project.root, {"lib": Vendor("lib", Pin(project.first), ("L",))}) as sources:
        assert sources.read("lib", project.first, "a.py") == expected
    assert not project.sang.exists()


def test_a_repository_of_somebody_else_is_read_and_no_configuration_written(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    clean = everything(project)
    home = project.root.parent / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = me\n")
    monkeypatch.setenv("HOME", str(home))
    for folder, folders, names in os.walk(project.lib):
        for name in (*folders, *names):
            os.chown(os.path.join(folder, name), 65534, 65534)
    os.chown(project.lib, 65534, 65534)
    before = snapshot(home)
    assert_unmoved(project, clean)
    assert snapshot(home) == before


def test_a_read_only_repository_is_read(project: Project) -> None:
    clean = everything(project)
    for folder, folders, names in os.walk(project.lib, topdown=False):
        for name in (*folders, *names):
            path = Path(folder, name)
            path.chmod(path.stat().st_mode & ~0o222)
    assert_unmoved(project, clean)


def raw_tree(project: Project, *entries: tuple[bytes, str]) -> str:
    """A commit whose tree has entries of any names, made as git itself would never make it."""
    data = b"".join(b"100644 " + name + b"\0" + bytes.fromhex(id) for name, id in entries)
    tree = git(project.lib, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", input=data)
    return git(project.lib, "commit-tree", tree, "-m", "hostile")


# With names of their own: a test's name is in its environment, where a million letters are too many.
@pytest.mark.parametrize(
    "name",
    [b"..", b".git", b"a/../../e", b"", b"a.py", b"/etc/passwd", b"x" * 1_000_000],
    ids=["above", "git", "far above", "nothing", "twice", "absolute", "long"],
)
def test_a_hostile_tree_costs_only_itself(name: bytes, project: Project) -> None:
    blob = git(project.lib, "rev-parse", f"{project.first}:a.py")
    hostile = raw_tree(project, (b"a.py", blob), (name, blob))
    before = snapshot(project.root)
    with Sources(project.root, {"lib": Vendor("lib", Pin(project.first), ("L",))}) as sources:
        for path in ("a.py", name.decode()[:100]):
            assert isinstance(sources.read("lib", hostile, path), NoSource)
        found = sources.read("lib", hostile, "a.py")
        assert isinstance(sources.read("lib", project.first, "a.py"), SourceText)
    assert isinstance(found, NoSource)
    assert found.why is Why.OBJECT_DAMAGED
    assert found.message.endswith("has an entry that git does not allow")
    assert snapshot(project.root) == before


def test_requests_cannot_be_smuggled_in(project: Project) -> None:
    blob = git(project.lib, "rev-parse", f"{project.first}:a.py")
    with Sources(project.root, {"lib": Vendor("lib", Pin(project.first), ("L",))}) as sources:
        for path in (f"a\ncontents {blob}", f"{blob}\ninfo {blob}", "--help", "-x", ":a.py", "a.py^{}", "\0"):
            assert isinstance(sources.read("lib", project.first, path), NoSource)
        for rev in (f"{project.first}\ninfo {blob}", f"{project.first}\n", "--batch", "v1^{}", "v1:a.py", "@{-1}"):
            assert isinstance(sources.resolve("lib", rev), NoSource)
        found = sources.read("lib", project.first, "a.py")
    assert isinstance(found, SourceText)
    assert found.text == "x = 1\n"


STEER = """
import json, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_hostile_git import Project, everything
print(json.dumps(everything(Project(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))))
"""


def read_in_another_process(project: Project, cwd: Path, **variables: str) -> object:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), "HOME": str(project.root.parent), **variables}
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            STEER.format(tests=str(Path(__file__).parent)),
            str(project.root),
            project.first,
            project.second,
        ],
        env=environment,
        cwd=cwd,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b""
    return json.loads(done.stdout)


def test_variables_of_the_environment_change_nothing(project: Project, make_repo: MakeRepo) -> None:
    clean = json.loads(json.dumps(everything(project)))
    other = project.root.parent / "other"
    make_repo(other, {"a.py": "another repository\n"})
    canary, trace = str(project.canary), project.root.parent / "trace"
    (project.root.parent / ".gitconfig").write_text(
        f"[core]\n\tfsmonitor = {canary}\n\tpager = {canary}\n[alias]\n\tx = !x\n"
    )
    variables = {
        "GIT_DIR": f"{other}/.git",
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": "x",
        "GIT_OBJECT_DIRECTORY": f"{other}/.git/objects",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": f"{other}/.git/objects",
        "GIT_COMMON_DIR": f"{other}/.git",
        "GIT_NAMESPACE": "other",
        "GIT_CONFIG": f"{other}/.git/config",
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor'='{canary}' 'core.pager'='{canary}' 'alias.cat-file'='!{canary}'",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": canary,
        "GIT_CONFIG_GLOBAL": str(project.root.parent / ".gitconfig"),
        "GIT_CONFIG_SYSTEM": str(project.root.parent / ".gitconfig"),
        "GIT_EXTERNAL_DIFF": canary,
        "GIT_PAGER": canary,
        "GIT_EDITOR": canary,
        "GIT_SSH": canary,
        "GIT_SSH_COMMAND": canary,
        "GIT_PROXY_COMMAND": canary,
        "GIT_ASKPASS": canary,
        "SSH_ASKPASS": canary,
        "GIT_TRACE": str(trace),
        "GIT_TRACE2": str(trace),
        "GIT_TRACE_SETUP": str(trace),
        "GIT_TRACE_PACKET": str(trace),
        "GIT_ATTR_SOURCE": project.first,
        "GIT_SHALLOW_FILE": str(trace),
        "GIT_GRAFT_FILE": str(trace),
        "GIT_REPLACE_REF_BASE": "refs/tags/",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_EXEC_PATH": str(project.canary.parent),
        "GIT_TEMPLATE_DIR": str(other),
        "GIT_CEILING_DIRECTORIES": "/",
        "GIT_PYTHON_TRACE": "full",
        "GIT_PYTHON_GIT_EXECUTABLE": canary,
        "GIT_PYTHON_REFRESH": "raise",
        "GIT_FLUSH": "1",
        "GIT_DEFAULT_HASH": "sha256",
        "GIT_REDIRECT_STDERR": "2>&1",
        "GIT_TEST_GIT_EXEC": "1",
    }
    assert read_in_another_process(project, project.root, **variables) == clean
    for name, value in variables.items():
        if name in ("GIT_OBJECT_DIRECTORY", "GIT_CONFIG_PARAMETERS", "GIT_PYTHON_GIT_EXECUTABLE", "GIT_EXEC_PATH"):
            assert read_in_another_process(project, other, **{name: value}) == clean, name
    assert not project.sang.exists(), project.sang.read_text()
    assert not trace.exists()


def test_inside_a_hook_of_the_outer_repository(project: Project) -> None:
    clean = json.loads(json.dumps(everything(project)))
    git(project.root, "init", "--quiet")
    result = project.root.parent / "result.json"
    script = STEER.format(tests=str(Path(__file__).parent))
    hook = project.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        f"#!/bin/sh\nPYTHONPATH={SOURCE} exec {sys.executable} - {project.root} {project.first} {project.second}"
        f" > {result} <<'END'\n{script}\nEND\n"
    )
    hook.chmod(0o755)
    git(project.root, "commit", "--quiet", "--allow-empty", "--message", "from a hook")
    assert json.loads(result.read_text()) == clean


def test_programs_that_lie_around_are_not_started(project: Project) -> None:
    clean = json.loads(json.dumps(everything(project)))
    for folder in (project.root, project.lib, project.canary.parent):
        for name in ("git", "sh", "ssh", "python", "less", "vi", "git-lfs", "curl"):
            shutil.copy(project.canary, folder / name)
    path = os.pathsep.join(("", ".", "bin", os.environ["PATH"]))
    assert read_in_another_process(project, project.root, PATH=path) == clean
    assert read_in_another_process(project, project.lib, PATH=path) == clean
    assert not project.sang.exists()


def test_only_git_is_started(project: Project) -> None:
    strace = shutil.which("strace")
    if strace is None or subprocess.run([strace, "-o", os.devnull, sys.executable, "-c", ""], check=False).returncode:
        pytest.skip("strace is not installed, or may not trace here")
    arm(project)
    log = project.root.parent / "strace"
    script = STEER.format(tests=str(Path(__file__).parent))
    subprocess.run(
        [
            *(strace, "-f", "-e", "trace=execve,connect", "-o", str(log)),
            *(sys.executable, "-c", script, str(project.root), project.first, project.second),
        ],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        check=True,
    )
    started = [line for line in log.read_text().splitlines() if "execve(" in line and "= 0" in line][1:]
    assert started
    assert all('/git"' in line for line in started)
    assert "AF_INET" not in log.read_text()


# What may not even stand in our source.

PACKAGE = SOURCE / "claimcheck"
READING = sorted([*(PACKAGE / "git").glob("*.py"), PACKAGE / "sources.py", PACKAGE / "repository.py"])
PORCELAIN = {
    *("is_dirty", "untracked_files", "index", "archive", "checkout", "config_writer", "clone", "clone_from", "fetch"),
    *("pull", "push", "remote", "remotes", "submodule", "submodules", "blame", "diff", "log", "show", "status", "add"),
    *("create_head", "create_tag", "create_remote", "create_submodule", "Repo", "GitDB", "GitCmdObjectDB", "rev_parse"),
}
OPTIONS = {"shell", "allow_unsafe_options", "allow_unsafe_protocols", "search_parent_directories", "expand_vars"}


def uses_gitpython(tree: ast.Module) -> bool:
    return any(
        (isinstance(node, ast.Import) and any(alias.name.split(".")[0] in ("git", "gitdb") for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("git", "gitdb"))
        for node in ast.walk(tree)
    )


def test_one_module_uses_gitpython_and_only_its_plumbing() -> None:
    users = {path.name: tree for path in READING if uses_gitpython(tree := ast.parse(path.read_bytes()))}
    assert list(users) == ["reader.py"]
    (tree,) = users.values()
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not attributes & PORCELAIN
    assert "cat_file" in attributes


def test_no_module_of_the_package_beside_the_reader_uses_gitpython() -> None:
    users = [path for path in PACKAGE.rglob("*.py") if uses_gitpython(ast.parse(path.read_bytes()))]
    assert users == [PACKAGE / "git/reader.py"]


@pytest.mark.parametrize("path", READING, ids=lambda path: path.name)
def test_dangerous_switches_stand_nowhere(path: Path) -> None:
    tree = ast.parse(path.read_bytes())
    keywords = {keyword.arg for node in ast.walk(tree) if isinstance(node, ast.Call) for keyword in node.keywords}
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not keywords & OPTIONS
    assert not names & {"USE_SHELL", "system", "popen", "set_persistent_git_options"}
