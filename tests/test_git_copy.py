"""Our own copy of a vendor: what is fetched and imported into it, what is refused, and what an interruption leaves."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from claimcheck.errors import EnvironmentProblem, UsageError
from claimcheck.git.copy import CONFIG, KEPT, Copy, TreeFile
from claimcheck.git.program import GitFailed, run_git
from claimcheck.git.transfer import Failure, FetchFailed, Source, what_failed, without_credentials
from conftest import MakeRepo, git


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path / "project", "lib")


def file(path: str, content: bytes = b"x\n", mode: str = "100644") -> TreeFile:
    return TreeFile(path.encode("utf-8", "surrogateescape"), mode, len(content), iter((content,)))


def keep(id: str) -> str:
    return f"{id}:{KEPT}{id}"


def contents(folder: Path) -> dict[str, bytes | str]:
    return {
        str(path.relative_to(folder)): os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if not path.is_dir() or path.is_symlink()
    }


def test_a_fetch_brings_exactly_the_named_commit(copy: Copy, tmp_path: Path, make_repo: MakeRepo) -> None:
    first, second, third = make_repo(tmp_path / "up", {"a": "1"}, {"a": "2"}, {"a": "3"})
    with copy.writing():
        copy.fetch(Source.local(tmp_path / "up", "up"), [keep(second)])
    assert git(copy.path, "show", f"{second}:a") == "2"
    assert git(copy.path, "for-each-ref", "--format=%(refname)") == f"{KEPT}{second}"
    for other in (first, third):
        with pytest.raises(AssertionError):
            git(copy.path, "cat-file", "-e", other)


def test_a_tag_keeps_its_name_and_annotation(copy: Copy, tmp_path: Path, make_repo: MakeRepo) -> None:
    [_, second] = make_repo(tmp_path / "up", {"a": "1"}, {"a": "2"})
    git(tmp_path / "up", "tag", "-a", "-m", "the release", "v2")
    with copy.writing():
        copy.fetch(Source.local(tmp_path / "up", "up"), ["refs/tags/v2:refs/tags/v2"])
    assert git(copy.path, "rev-parse", "v2^{commit}") == second
    assert git(copy.path, "cat-file", "-t", "v2") == "tag"


def test_a_bundle_and_a_shallow_clone_serve_as_sources(tmp_path: Path, make_repo: MakeRepo) -> None:
    [first, second] = make_repo(tmp_path / "up", {"a": "1"}, {"a": "2"})
    git(tmp_path / "up", "bundle", "create", "--quiet", str(tmp_path / "up.bundle"), "--all")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{tmp_path}/up", "shallow")
    for name, source, id in (("bundle", "up.bundle", first), ("clone", "shallow", second)):
        copy = Copy(tmp_path / "project", name)
        with copy.writing():
            copy.fetch(Source.local(tmp_path / source, source), [keep(id)])
        assert git(copy.path, "cat-file", "-t", id) == "commit"


def test_history_is_fetched_back_to_a_time(copy: Copy, tmp_path: Path, make_repo: MakeRepo) -> None:
    commits = make_repo(tmp_path / "up", {"a": "1"}, {"a": "2"}, {"a": "3"})
    source = Source.local(tmp_path / "up", "up")
    with copy.writing():
        copy.fetch(source, [keep(commits[2])])
        assert git(copy.path, "rev-list", "--count", commits[2]) == "1"
        copy.fetch(source, [keep(commits[2])], reach=["--shallow-since=@1000000000"])
    assert git(copy.path, "rev-list", "--count", commits[2]) == "3"


def test_what_the_source_lacks_is_told_from_no_answer(copy: Copy, tmp_path: Path, make_repo: MakeRepo) -> None:
    make_repo(tmp_path / "up", {"a": "1"})
    source = Source.local(tmp_path / "up", "the clone")
    for refspec in (keep("4" * 40), "refs/tags/v9:refs/tags/v9"):
        with copy.writing(), pytest.raises(FetchFailed, match="the clone does not have it") as failed:
            copy.fetch(source, [refspec])
        assert failed.value.failure is Failure.NOT_THERE
    with copy.writing(), pytest.raises(FetchFailed) as failed:
        copy.fetch(Source.local(tmp_path / "nowhere", "nowhere"), [keep("4" * 40)])
    assert failed.value.failure is Failure.OTHER
    assert str(tmp_path) not in failed.value.message


def test_a_bundle_that_builds_on_absent_commits_says_so(copy: Copy, tmp_path: Path, make_repo: MakeRepo) -> None:
    [_, second] = make_repo(tmp_path / "up", {"a": "1"}, {"a": "2"})
    git(tmp_path / "up", "bundle", "create", "--quiet", str(tmp_path / "part.bundle"), "main~1..main")
    with copy.writing(), pytest.raises(FetchFailed, match="a bundle made without a range"):
        copy.fetch(Source.local(tmp_path / "part.bundle", "part.bundle"), [keep(second)])


def test_a_clone_that_is_fetched_from_runs_nothing_and_is_not_changed(
    copy: Copy, tmp_path: Path, make_repo: MakeRepo
) -> None:
    up = tmp_path / "up"
    [only] = make_repo(up, {"a": "1", ".gitattributes": "* filter=bad diff=bad\n"})
    canary = tmp_path / "canary"
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {canary}\n")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "uploadpack.packObjectsHook", "core.sshCommand", "filter.bad.smudge", "core.pager"):
        git(up, "config", key, str(script))
    git(up, "config", "core.hooksPath", str(tmp_path))
    (tmp_path / "reference-transaction").symlink_to(script)
    before = contents(up)
    with copy.writing():
        copy.fetch(Source.local(up, "up"), [keep(only)])
    assert git(copy.path, "cat-file", "-t", only) == "commit"
    assert not canary.exists()
    assert contents(up) == before


def test_the_users_variables_do_not_lead_git_elsewhere(
    copy: Copy, tmp_path: Path, make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    [only] = make_repo(tmp_path / "up", {"a": "1"})
    for name in ("GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL", "GIT_NAMESPACE"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    with copy.writing():
        copy.fetch(Source.local(tmp_path / "up", "up"), [keep(only)])
    assert not (tmp_path / "elsewhere").exists()
    monkeypatch.undo()
    assert git(copy.path, "cat-file", "-t", only) == "commit"


def test_one_commit_is_imported_with_modes_links_and_odd_names(copy: Copy) -> None:
    names = ['with "quotes"', "back\\slash", "new\nline", "-dash", "caf\udce9", "文件"]
    with copy.writing():
        commit = copy.import_files(
            "refs/release/1.0",
            b"demo 1.0\n\nsource archive\n",
            [
                file("run", b"#!\n", "100755"),
                file("link", b"../x", "120000"),
                file("empty", b""),
                *(file(f"odd/{name}") for name in names),
            ],
        )
    listed = run_git(copy.path, "ls-tree", "-r", "-z", commit).split(b"\0")[:-1]
    modes = {entry.partition(b"\t")[2]: entry.split()[0] for entry in listed}
    assert modes[b"run"] == b"100755" and modes[b"link"] == b"120000" and modes[b"empty"] == b"100644"
    assert {f"odd/{name}".encode("utf-8", "surrogateescape") for name in names} <= set(modes)
    assert git(copy.path, "show", f"{commit}:run") == "#!"
    assert git(copy.path, "show", "-s", "--format=%an <%ae> %at %cn %ct %B", commit) == (
        "claimcheck <claimcheck@localhost> 0 claimcheck 0 demo 1.0\n\nsource archive"
    )
    assert git(copy.path, "rev-parse", "refs/release/1.0") == commit


def test_the_same_files_give_the_same_commit_everywhere(tmp_path: Path) -> None:
    ids = set()
    for name in ("one", "two"):
        copy = Copy(tmp_path / name, "lib")
        with copy.writing():
            copy.import_files("refs/release/0.9", b"other\n", [file("b")])
            ids.add(copy.import_files("refs/release/1.0", b"demo 1.0\n", [file("a", b"1\n"), file("d/b", b"2\n")]))
    assert ids == {"33f47981950b27f2d559150660e28e93df0b5a05"}


def test_an_import_again_replaces_what_the_ref_held(copy: Copy) -> None:
    with copy.writing():
        copy.import_files("refs/release/1.0", b"m\n", [file("a", b"1")])
        again = copy.import_files("refs/release/1.0", b"m\n", [file("a", b"2")])
    assert git(copy.path, "show", "refs/release/1.0:a") == "2"
    assert git(copy.path, "rev-parse", "refs/release/1.0") == again


def test_an_import_that_fails_in_the_middle_leaves_nothing(copy: Copy) -> None:
    class Stop(Exception):
        pass

    def broken() -> Iterator[TreeFile]:
        yield file("a", b"x" * 100_000)
        raise Stop

    with copy.writing():
        pass
    before = contents(copy.path)
    with pytest.raises(Stop), copy.writing():
        copy.import_files("refs/release/1.0", b"m\n", broken())
    assert contents(copy.path) == before
    with copy.writing():
        copy.import_files("refs/release/1.0", b"m\n", [file("a")])


def test_git_that_refuses_the_files_is_an_error_and_leaves_no_report(copy: Copy) -> None:
    with copy.writing(), pytest.raises(GitFailed, match="fast-import failed"):
        copy.import_files("refs/release/1.0", b"m\n", [file("a//b")])
    assert not [name for name in os.listdir(copy.path) if name.startswith("fast_import_crash")]
    assert not (copy.path / "refs/release/1.0").exists()


INTERRUPTED = """
import sys, time
from pathlib import Path
from claimcheck.git.copy import Copy, TreeFile
def files():
    yield TreeFile(b"a", "100644", 3_000_000, iter((bytes(range(250)) * 12_000,)))
    print("half", flush=True)
    time.sleep(60)
copy = Copy(Path(sys.argv[1]), "lib")
with copy.writing():
    copy.incoming.mkdir()
    (copy.incoming / "archive.part").write_bytes(b"x")
    copy.import_files("refs/release/1.0", b"m\\n", files())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_run_killed_in_the_middle_is_repaired_by_the_next(copy: Copy, number: signal.Signals) -> None:
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED, str(copy.root)], stdout=subprocess.PIPE)
    with child:
        assert child.stdout is not None and child.stdout.readline() == b"half\n"
        child.send_signal(number)
        assert child.wait() == -number
    assert (copy.incoming / "archive.part").exists()
    with copy.writing():
        commit = copy.import_files("refs/release/1.0", b"m\n", [file("a")])
    assert git(copy.path, "fsck", "--full") == ""
    assert git(copy.path, "rev-parse", "refs/release/1.0") == commit
    assert sorted(os.listdir(copy.path)) == ["HEAD", "claimcheck.lock", "config", "objects", "refs"]
    assert not [name for name in os.listdir(copy.path / "objects" / "pack") if name.startswith("tmp")]


def test_what_an_interrupted_git_leaves_is_swept_and_nothing_else(copy: Copy) -> None:
    with copy.writing():
        copy.import_files("refs/release/1.0", b"m\n", [file("a")])
    [pack] = (copy.path / "objects/pack").glob("*.pack")
    stays = contents(copy.path)
    mine = pack.with_suffix(".keep")
    mine.write_text("a person wants this\n")
    left = [
        "fast_import_crash_123",
        "shallow.lock",
        "shallow_AbCdEf",
        "packed-refs.lock",
        "config.new",
        "refs/release/2.0.lock",
        "refs/claimcheck/x.lock",
        "objects/pack/tmp_pack_x",
        "objects/pack/tmp_idx_x",
        "objects/pack/pack-1.pack",
        "objects/12/tmp_obj_x",
        "incoming/archive.part",
    ]
    for name in left:
        (copy.path / name).parent.mkdir(parents=True, exist_ok=True)
        (copy.path / name).write_bytes(b"half")
    (copy.path / "objects/pack/pack-2.keep").write_text("fast-import")
    (copy.path / "objects/pack/pack-3.keep").write_text("fetch-pack 17 on host")
    with copy.writing():
        pass
    assert contents(copy.path) == {**stays, str(mine.relative_to(copy.path)): b"a person wants this\n"}


@pytest.mark.parametrize("steps", range(5))
def test_a_copy_whose_making_was_interrupted_is_completed(copy: Copy, steps: int) -> None:
    copy.path.mkdir(parents=True)
    making = [
        lambda: (copy.path / "claimcheck.lock").touch(),
        lambda: (copy.path / "config.new").write_bytes(CONFIG[:20]),
        lambda: (copy.path / "config").write_bytes(CONFIG),
        lambda: (copy.path / "objects").mkdir(),
    ]
    for step in making[:steps]:
        step()
    with copy.writing():
        copy.import_files("refs/release/1.0", b"m\n", [file("a")])
    assert git(copy.path, "rev-parse", "--is-bare-repository") == "true"


def test_a_clone_that_somebody_put_there_is_not_written_into(copy: Copy, tmp_path: Path, make_repo: MakeRepo) -> None:
    make_repo(tmp_path / "up", {"a": "1"})
    copy.path.parent.mkdir(parents=True)
    git(tmp_path, "clone", "--quiet", "--bare", "up", str(copy.path))
    before = contents(copy.path)
    with (
        pytest.raises(EnvironmentProblem, match=r"vendor/lib\.git was not made by claimcheck") as refused,
        copy.writing(),
    ):
        pass
    assert refused.value.help and refused.value.help.startswith("mv vendor/lib.git vendor/lib")
    assert contents(copy.path) == before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path, away: (path / "config").write_bytes(CONFIG + b"[core]\n\tsshCommand = touch canary\n"),
        lambda path, away: (path / "commondir").write_text(str(away)),
        lambda path, away: (path / "config.worktree").write_text("[core]\n"),
        lambda path, away: (path / "objects/info/alternates").write_text(str(away)),
        lambda path, away: (path / "refs/release").rmdir() or (path / "refs/release").symlink_to(away),
        lambda path, away: (path / "objects/pack").rmdir() or (path / "objects/pack").symlink_to(away),
        lambda path, away: (path / "refs/tags/v1").symlink_to(away / "file"),
        lambda path, away: os.mkfifo(path / "shallow"),
    ],
    ids=["config", "commondir", "worktree", "alternates", "linked refs", "linked objects", "linked ref", "fifo"],
)
def test_a_copy_that_leads_elsewhere_is_refused(copy: Copy, tmp_path: Path, spoil: object) -> None:
    with copy.writing():
        pass
    away = tmp_path / "away"
    away.mkdir()
    (away / "file").write_text("untouched")
    assert callable(spoil)
    spoil(copy.path, away)
    with pytest.raises(EnvironmentProblem, match="was not made by claimcheck"), copy.writing():
        raise AssertionError("must not get here")
    assert contents(away) == {"file": b"untouched"}


def test_links_in_place_of_the_folders_are_refused(copy: Copy, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    copy.root.mkdir()
    (copy.root / "vendor").symlink_to(outside)
    with pytest.raises(EnvironmentProblem, match="vendor/ is a link that leaves the project"), copy.writing():
        pass
    (copy.root / "vendor").unlink()
    (copy.root / "vendor").mkdir()
    copy.path.symlink_to(outside)
    with pytest.raises(EnvironmentProblem, match=r"vendor/lib\.git is a link"), copy.writing():
        pass
    assert os.listdir(outside) == []


def test_a_place_that_cannot_be_written_is_named(copy: Copy) -> None:
    copy.root.mkdir()
    (copy.root / "vendor").write_text("a file")
    with pytest.raises(EnvironmentProblem, match=r"vendor/lib\.git cannot be written: not a directory"), copy.writing():
        pass


def test_a_second_run_waits_for_the_first_and_not_for_ever(copy: Copy) -> None:
    with copy.writing():
        pass
    holder = os.open(copy.path / "claimcheck.lock", os.O_RDWR)
    fcntl.flock(holder, fcntl.LOCK_EX)
    told: list[str] = []
    with (
        pytest.raises(EnvironmentProblem, match=r"another claimcheck is writing vendor/lib\.git"),
        copy.writing(wait=0.0, waiting=lambda: told.append("waiting")),
    ):
        pass
    release = threading.Timer(0.2, os.close, [holder])
    release.start()
    with copy.writing(wait=30.0, waiting=lambda: told.append("waiting")):
        told.append("inside")
    release.join()
    assert told == ["waiting", "waiting", "inside"]


def test_the_size_is_that_of_the_files(copy: Copy) -> None:
    assert copy.size() == 0
    with copy.writing():
        copy.import_files("refs/release/1.0", b"m\n", [file("a", os.urandom(50_000))])
    assert 50_000 < copy.size() < 60_000
    shutil.rmtree(copy.path)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://forge.example/o/lib", "forge.example"),
        ("https://forge.example:8443/o/lib.git", "forge.example"),
        ("ssh://git@forge.example:22/o/lib", "forge.example"),
        ("git@forge.example:o/lib.git", "forge.example"),
    ],
)
def test_addresses_that_are_fetched_from(url: str, host: str) -> None:
    assert Source.forge(url).shown == host


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% canary",
        "https::https://forge.example/x",
        "file:///etc",
        "/etc",
        "../lib",
        "http://forge.example/x",
        "git://forge.example/x",
        "ftp://forge.example/x",
        "--upload-pack=touch canary",
        "-oProxyCommand=x:y",
        "ssh://-oProxyCommand=x/y",
        "https://",
        "https://forge.example",
        "https://forge.example:99999/x",
        "https://forge.example/a b",
        "https://forge.example/a\nb",
        "",
    ],
)
def test_addresses_that_are_not_fetched_from(url: str) -> None:
    with pytest.raises(UsageError, match="is no address that is fetched from"):
        Source.forge(url)


def test_a_password_in_an_address_is_not_shown() -> None:
    url = "https://user:hunter2@forge.example/x y"
    assert without_credentials(url) == "https://forge.example/x y"
    with pytest.raises(UsageError) as refused:
        Source.forge(url)
    assert "hunter2" not in refused.value.message
    source = Source.forge("https://user:hunter2@forge.example/x")
    assert source.shown == "forge.example"
    said = "fatal: unable to access 'https://user:hunter2@forge.example/x/': Could not resolve host: forge.example\n"
    assert what_failed(said, None, source) == (Failure.NO_ANSWER, "could not resolve host")
    assert "hunter2" not in what_failed("fatal: odd https://user:hunter2@forge.example/x/\n", None, source)[1]


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        ("fatal: remote error: upload-pack: not our ref 4444\n", Failure.NOT_THERE),
        ("error: Server does not allow request for unadvertised object 4444\n", Failure.REFUSED),
        ("remote: Repository not found.\nfatal: repository 'https://f.example/x/' not found\n", Failure.NOT_THERE),
        ("fatal: could not read Username for 'https://f.example': terminal prompts disabled\n", Failure.REFUSED),
        ("git@f.example: Permission denied (publickey).\nfatal: Could not read from remote\n", Failure.REFUSED),
        ("fatal: detected dubious ownership in repository at '/x/y'\n", Failure.REFUSED),
        ("fatal: unable to access 'https://f.example/x/': The requested URL returned error: 503\n", Failure.NO_ANSWER),
        ("fatal: unable to access 'https://f.example/x/': Failed to connect to f.example\n", Failure.NO_ANSWER),
        ("ssh: Could not resolve hostname f.example: Name or service not known\n", Failure.NO_ANSWER),
        ("remote: Enumerating objects: 5\nfatal: early EOF\n", Failure.NO_ANSWER),
        ("fatal: unable to access 'https://f.example/': SSL certificate problem\n", Failure.OTHER),
        ("", Failure.OTHER),
    ],
)
def test_what_git_says_is_told_apart(said: str, failure: Failure) -> None:
    assert what_failed(said, None, Source.forge("https://f.example/x"))[0] is failure


def test_a_forge_that_takes_the_call_and_says_nothing_is_given_up(copy: Copy) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute, copy.writing():
        source = Source.forge(f"https://127.0.0.1:{mute.getsockname()[1]}/o/lib")
        with pytest.raises(FetchFailed, match=r"127\.0\.0\.1 does not answer \(nothing within") as failed:
            copy.fetch(replace(source, patience=0.3), [keep("4" * 40)])
    assert failed.value.failure is Failure.NO_ANSWER
