"""Reading objects: everything is hashed again, nothing is believed, no child is left behind."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimcheck.git import reader as reader_module
from claimcheck.git.hints import GitHints
from claimcheck.git.places import ObjectDirectory, object_directory
from claimcheck.git.reader import (
    ChildFailed,
    Entry,
    Kind,
    NoEntry,
    ObjectDamaged,
    ObjectMissing,
    ObjectTooLarge,
    Reader,
    WrongKind,
)
from conftest import MakeRepo, git

FILES = {"a.py": "x = 1\n", "d/e/f.txt": "deep\n"}


def at(place: Path) -> ObjectDirectory:
    where = object_directory(place, root=place.parent)
    assert isinstance(where, ObjectDirectory), where
    return where


@pytest.fixture
def lib(tmp_path: Path, make_repo: MakeRepo) -> Path:
    make_repo(tmp_path / "lib", FILES, {**FILES, "a.py": "x = 2\n"})
    return tmp_path / "lib"


@pytest.fixture
def reader(lib: Path) -> Iterator[Reader]:
    with Reader([at(lib)]) as opened:
        yield opened


def rev(lib: Path, name: str) -> str:
    return git(lib, "rev-parse", name)


def loose(lib: Path, id: str) -> Path:
    path = lib / ".git/objects" / id[:2] / id[2:]
    path.chmod(0o644)
    return path


def write_object(lib: Path, kind: str, data: bytes) -> str:
    """Put any bytes into the repository as an object, however wrong they are."""
    whole = f"{kind} {len(data)}\0".encode() + data
    id = hashlib.sha1(whole).hexdigest()
    path = lib / ".git/objects" / id[:2] / id[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(whole))
    return id


def commit_of_tree(lib: Path, tree: str) -> str:
    person = b"U <u@example.org> 0 +0000"
    return write_object(lib, "commit", f"tree {tree}\n".encode() + b"author %b\ncommitter %b\n\nx\n" % (person, person))


def tree_entry(mode: str, name: bytes, id: str) -> bytes:
    return mode.encode() + b" " + name + b"\0" + bytes.fromhex(id)


def children() -> list[int]:
    """The processes of git whose parent is this one: a browser that other tests drive is another."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().rpartition(")")
            fields = rest.split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == os.getpid() and name.endswith("(git"):
            found.append(int(stat.parent.name))
    return found


def test_a_commit(lib: Path, reader: Reader) -> None:
    commit = reader.commit(rev(lib, "HEAD"))
    assert commit.tree == rev(lib, "HEAD^{tree}")
    assert commit.parents == (rev(lib, "HEAD~1"),)
    assert commit.message == "commit 2\n"


def test_a_file_through_its_trees(lib: Path, reader: Reader) -> None:
    entry = reader.entry(rev(lib, "HEAD"), "d/e/f.txt")
    assert entry == Entry("d/e/f.txt", 0o100644, rev(lib, "HEAD:d/e/f.txt"), Kind.FILE)
    assert reader.size(entry.id) == 5
    assert reader.blob(entry.id) == b"deep\n"


def test_every_commit_has_its_own_content(lib: Path, reader: Reader) -> None:
    texts = []
    for name in ("HEAD~1", "HEAD"):
        entry = reader.entry(rev(lib, name), "a.py")
        assert entry
        texts.append(reader.blob(entry.id))
    assert texts == [b"x = 1\n", b"x = 2\n"]


@pytest.mark.parametrize("how", ["repack -adq", "repack -adq --write-midx", "gc -q", "commit-graph write --reachable"])
def test_packed_objects_read_the_same(how: str, lib: Path, reader: Reader) -> None:
    git(lib, *how.split())
    entry = reader.entry(rev(lib, "HEAD"), "a.py")
    assert entry
    assert reader.blob(entry.id) == b"x = 2\n"


def test_nothing_at_a_path(lib: Path, reader: Reader) -> None:
    head = rev(lib, "HEAD")
    assert reader.entry(head, "b.py") is None
    gone = reader.look_up(head, "d/x/y.txt")
    assert isinstance(gone, NoEntry)
    assert (gone.above.path, gone.name, gone.path) == ("d", "x", "d/x")
    below = reader.look_up(head, "a.py/x")
    assert isinstance(below, NoEntry)
    assert below.above.kind is Kind.FILE


@pytest.mark.parametrize(
    "path",
    ["", ".", "..", "/a.py", "./a.py", "d//e/f.txt", "d/../a.py", "a.py/", "A.PY", "d\\e", "a.py\n", "\ud800", "a\0"],
)
def test_only_the_canonical_spelling_of_a_path_is_found(path: str, lib: Path, reader: Reader) -> None:
    assert reader.entry(rev(lib, "HEAD"), path) is None


@pytest.mark.parametrize(
    "name", ["-p", "a:b", "*.py", "a b#c?d%[x].py", 'h"q.py', "a\nb", "文件.py", "\udcff.py", "--"]
)
def test_names_with_special_characters_mean_nothing_special(name: str, tmp_path: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(tmp_path / "odd", {name: f"content of {name!r}", "other.py": ""})
    with Reader([at(tmp_path / "odd")]) as opened:
        entry = opened.entry(commit, name)
        assert entry
        assert opened.blob(entry.id).decode() == f"content of {name!r}"


def test_every_kind_of_entry(tmp_path: Path, make_repo: MakeRepo) -> None:
    make_repo(tmp_path / "inner", FILES)
    make_repo(tmp_path / "lib", FILES)
    lib = tmp_path / "lib"
    (lib / "link").symlink_to("/etc/passwd")
    (lib / "run.sh").write_text("")
    (lib / "run.sh").chmod(0o755)
    git(lib, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../inner", "sub")
    git(lib, "add", "-A")
    git(lib, "commit", "-qm", "kinds")
    with Reader([at(lib)]) as opened:
        kinds = {name: opened.entry(rev(lib, "HEAD"), name) for name in ("link", "run.sh", "sub", "d", "a.py")}
    found = {name: entry.kind for name, entry in kinds.items() if entry}
    assert found == {
        "link": Kind.SYMLINK,
        "run.sh": Kind.FILE,
        "sub": Kind.SUBMODULE,
        "d": Kind.DIRECTORY,
        "a.py": Kind.FILE,
    }


@pytest.mark.parametrize(
    "id", ["HEAD", "main", "HEAD~1", ":/commit", "a" * 39, "a" * 41, "A" * 40, " " + "a" * 40, "", "a\nb"]
)
def test_only_full_ids_reach_git(id: str, reader: Reader) -> None:
    with pytest.raises(ValueError, match="not a full id"):
        reader.commit(id)
    with pytest.raises(ValueError, match="not a full id"):
        reader.size(id + "\n")


def test_an_id_of_another_kind_is_not_a_commit(lib: Path, reader: Reader) -> None:
    git(lib, "tag", "-a", "-m", "x", "v1")
    for name, kind in (("HEAD^{tree}", "tree"), ("HEAD:a.py", "blob"), ("v1", "tag")):
        with pytest.raises(WrongKind, match=f"is a {kind}, not a commit"):
            reader.commit(rev(lib, name))
    with pytest.raises(WrongKind, match="not a blob"):
        reader.blob(rev(lib, "HEAD"))


@pytest.mark.parametrize("id", ["0" * 40, "1234567890" * 4])
def test_an_id_that_nobody_has(id: str, reader: Reader) -> None:
    with pytest.raises(ObjectMissing):
        reader.commit(id)


def test_a_branch_named_like_an_id_redirects_nothing(lib: Path, reader: Reader) -> None:
    first, second = rev(lib, "HEAD~1"), rev(lib, "HEAD")
    path = lib / ".git/refs/heads" / first
    path.write_text(second + "\n")
    (lib / ".git/refs/heads" / first[:7]).write_text(second + "\n")
    assert reader.commit(first).message == "commit 1\n"
    assert reader.expand(first[:7]) == first


def test_short_ids_are_completed_for_people(lib: Path, reader: Reader) -> None:
    head = rev(lib, "HEAD")
    assert reader.expand(head[:12]) == head
    assert reader.expand(rev(lib, "HEAD:a.py")[:12]) is None
    for text in ("", "a", "HEAD", "main", "zzzz", head, "dead\n", "0" * 12):
        assert reader.expand(text) is None


def test_annotated_tags_lead_to_their_commit(lib: Path, reader: Reader) -> None:
    git(lib, "tag", "-a", "-m", "x", "v1")
    git(lib, "tag", "-a", "-m", "x", "v1-again", "v1")
    git(lib, "tag", "-a", "-m", "x", "of-tree", "HEAD^{tree}")
    assert reader.peel(rev(lib, "v1")) == rev(lib, "HEAD")
    assert reader.peel(rev(lib, "v1-again")) == rev(lib, "HEAD")
    assert reader.peel(rev(lib, "HEAD")) == rev(lib, "HEAD")
    with pytest.raises(WrongKind):
        reader.peel(rev(lib, "of-tree"))


def test_two_places_are_read_as_one(tmp_path: Path, make_repo: MakeRepo) -> None:
    (first,) = make_repo(tmp_path / "one", {"a": "1"})
    (second,) = make_repo(tmp_path / "two:odd", {"b": "2"})
    with Reader([at(tmp_path / "one"), at(tmp_path / "two:odd")]) as opened:
        assert opened.entry(first, "a")
        assert opened.entry(second, "b")
        assert opened.shown == "one or two:odd"


def test_a_blob_beyond_the_limit_is_not_read(lib: Path, reader: Reader) -> None:
    blob = rev(lib, "HEAD:a.py")
    assert reader.blob(blob, 6) == b"x = 2\n"
    with pytest.raises(ObjectTooLarge) as caught:
        reader.blob(blob, 5)
    assert caught.value.size == 6


@pytest.mark.parametrize(("megabytes", "packed"), [(300, False), (100, True)])
def test_hundreds_of_megabytes_in_a_small_object_are_never_inflated(
    megabytes: int, packed: bool, tmp_path: Path
) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux says how much memory a process had")
    git(tmp_path, "init", "--quiet", "lib")
    lib = tmp_path / "lib"
    compressor = zlib.compressobj(1)
    size = megabytes * 1024 * 1024
    digest = hashlib.sha1(b"blob %d\0" % size)
    pieces = [compressor.compress(b"blob %d\0" % size)]
    for _ in range(megabytes):
        digest.update(b"A" * 1024 * 1024)
        pieces.append(compressor.compress(b"A" * 1024 * 1024))
    pieces.append(compressor.flush())
    id = digest.hexdigest()
    path = lib / ".git/objects" / id[:2] / id[2:]
    path.parent.mkdir()
    path.write_bytes(b"".join(pieces))
    tree = write_object(lib, "tree", tree_entry("100644", b"big.bin", id))
    commit = commit_of_tree(lib, tree)
    if packed:
        git(lib, "update-ref", "refs/heads/main", commit)
        git(lib, "-c", "core.bigFileThreshold=1m", "repack", "-adq")
    code = (
        "import re, sys; from pathlib import Path\n"
        "from claimcheck.git.places import object_directory\n"
        "from claimcheck.git.reader import Reader, ObjectTooLarge\n"
        "place = Path(sys.argv[1])\n"
        "with Reader([object_directory(place, root=place)]) as reader:\n"
        "    entry = reader.entry(sys.argv[2], 'big.bin')\n"
        "    try:\n        reader.blob(entry.id)\n"
        "    except ObjectTooLarge as problem:\n        print(problem.size)\n"
        "    for pid in ('self', reader._child._process.pid):\n"
        "        print(re.search(r'VmHWM:\\s*(\\d+)', Path(f'/proc/{pid}/status').read_text())[1])\n"
    )
    source = str(Path(reader_module.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code, str(lib), commit],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": source},
        capture_output=True,
        check=True,
    )
    reported, own, child = map(int, done.stdout.split())
    assert reported == size
    assert own < 80_000
    assert child < 80_000


def test_a_small_object_stored_as_a_difference_from_a_huge_one_cannot_take_the_machine(
    lib: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux lets a parent bound its child")
    monkeypatch.setattr("claimcheck.git.program.READING_MEMORY", 32 << 20)
    huge = write_object(lib, "blob", b"A" * (48 << 20))
    small = write_object(lib, "blob", b"A" * (2 << 20))
    git(lib, "pack-objects", "--quiet", ".git/objects/pack/pack", input=f"{huge} a\n{small} a\n".encode())
    for id in (huge, small):
        loose(lib, id).unlink()
    assert git(lib, "cat-file", "--batch-check=%(deltabase)", input=small.encode()) == huge
    with Reader([at(lib)]) as opened:
        assert opened.commit(rev(lib, "HEAD")).message == "commit 2\n"
        with pytest.raises(ObjectTooLarge):
            opened.blob(huge)
        with pytest.raises(ObjectDamaged, match="memory"):
            opened.blob(small)
        assert opened.blob(rev(lib, "HEAD:a.py")) == b"x = 2\n"


def test_an_altered_object_is_never_used(lib: Path, reader: Reader) -> None:
    blob = rev(lib, "HEAD:a.py")
    loose(lib, blob).write_bytes(zlib.compress(b"blob 6\0x = 9\n"))
    assert git(lib, "cat-file", "blob", blob) == "x = 9"
    with pytest.raises(ObjectDamaged, match="its bytes have another id"):
        reader.blob(blob)


@pytest.mark.parametrize("name", ["HEAD", "HEAD^{tree}", "HEAD:d", "HEAD:d/e"])
def test_altered_commits_and_trees_are_never_used(name: str, lib: Path, reader: Reader) -> None:
    id, head = rev(lib, name), rev(lib, "HEAD")
    whole = zlib.decompress(loose(lib, id).read_bytes())
    loose(lib, id).write_bytes(zlib.compress(whole[:-1] + bytes([whole[-1] ^ 1])))
    with pytest.raises(ObjectDamaged):
        reader.entry(head, "d/e/f.txt")


@pytest.mark.parametrize(
    "content", [b"", b"xx", b"\x78\x9c", zlib.compress(b"blob 9\0short"), zlib.compress(b"nonsense")]
)
def test_a_truncated_object_is_damaged_and_others_are_read(
    content: bytes, lib: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Git itself never ends on one that promises more bytes than it has.
    monkeypatch.setattr(reader_module, "ANSWER_SECONDS", 0.5)
    blob = rev(lib, "HEAD:a.py")
    loose(lib, blob).write_bytes(content)
    with pytest.raises(ObjectDamaged):
        reader.blob(blob)
    assert reader.blob(rev(lib, "HEAD:d/e/f.txt")) == b"deep\n"


def test_a_deleted_object_is_missing_and_others_are_read(lib: Path, reader: Reader) -> None:
    blob = rev(lib, "HEAD:a.py")
    loose(lib, blob).unlink()
    with pytest.raises(ObjectMissing):
        reader.blob(blob)
    assert reader.blob(rev(lib, "HEAD:d/e/f.txt")) == b"deep\n"


def test_a_broken_pack_is_damage_and_not_a_crash(lib: Path) -> None:
    git(lib, "repack", "-adq")
    head = rev(lib, "HEAD")
    (pack,) = (lib / ".git/objects/pack").glob("*.pack")
    pack.chmod(0o644)
    data = pack.read_bytes()
    pack.write_bytes(data[:12] + b"\xff" * (len(data) - 32) + data[-20:])
    with Reader([at(lib)]) as opened, pytest.raises((ObjectDamaged, ObjectMissing)):
        opened.commit(head)


def test_a_broken_pack_that_makes_git_talkative_blocks_nobody(lib: Path) -> None:
    for n in range(2000):
        (lib / f".git/objects/pack/pack-{n:040x}.idx").write_bytes(b"broken")
        (lib / f".git/objects/pack/pack-{n:040x}.pack").write_bytes(b"broken")
    with Reader([at(lib)]) as opened:
        assert opened.commit(rev(lib, "HEAD")).message == "commit 2\n"
        with pytest.raises(ObjectMissing):
            opened.commit("1234567890" * 4)


def test_an_object_that_is_a_fifo_takes_one_time_limit(
    lib: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_module, "ANSWER_SECONDS", 0.1)
    blob = rev(lib, "HEAD:a.py")
    loose(lib, blob).unlink()
    os.mkfifo(lib / ".git/objects" / blob[:2] / blob[2:])
    with pytest.raises(ObjectDamaged, match="gave no answer within"):
        reader.blob(blob)
    assert reader.blob(rev(lib, "HEAD:d/e/f.txt")) == b"deep\n"


@pytest.mark.parametrize("name", [b"", b".", b"..", b".git", b".GIT", b"a/b", b"a/../../e", b"/etc", b"x" * 5000])
def test_a_tree_with_a_name_that_git_does_not_allow_is_refused(name: bytes, lib: Path) -> None:
    blob = rev(lib, "HEAD:a.py")
    tree = write_object(lib, "tree", tree_entry("100644", b"a.py", blob) + tree_entry("100644", name, blob))
    commit = commit_of_tree(lib, tree)
    with Reader([at(lib)]) as opened:
        with pytest.raises(ObjectDamaged, match="that git does not allow"):
            opened.entry(commit, "a.py")
        assert opened.entry(rev(lib, "HEAD"), "a.py")


def test_a_tree_with_one_name_twice_is_refused(lib: Path) -> None:
    one, two = rev(lib, "HEAD:a.py"), rev(lib, "HEAD~1:a.py")
    tree = write_object(lib, "tree", tree_entry("100644", b"f.py", one) + tree_entry("100644", b"f.py", two))
    with Reader([at(lib)]) as opened, pytest.raises(ObjectDamaged, match="that git does not allow"):
        opened.entry(commit_of_tree(lib, tree), "f.py")


@pytest.mark.parametrize("data", [b"100644 a.py\0short", b"nonsense", b"100644 \0", b"100644 a.py" + b"x" * 40])
def test_a_malformed_tree(data: bytes, lib: Path) -> None:
    commit = commit_of_tree(lib, write_object(lib, "tree", data))
    with Reader([at(lib)]) as opened, pytest.raises(ObjectDamaged):
        opened.entry(commit, "a.py")


@pytest.mark.parametrize("data", [b"", b"nonsense\n\nx", b"tree abc\n\nx", b"author x\ntree " + b"1" * 40 + b"\n\nx"])
def test_a_malformed_commit(data: bytes, lib: Path) -> None:
    commit = write_object(lib, "commit", data)
    with Reader([at(lib)]) as opened, pytest.raises(ObjectDamaged):
        opened.commit(commit)


def test_a_tree_whose_modes_lie_gives_no_wrong_kind(lib: Path) -> None:
    tree = write_object(lib, "tree", tree_entry("100644", b"d", rev(lib, "HEAD:d")))
    with Reader([at(lib)]) as opened:
        entry = opened.entry(commit_of_tree(lib, tree), "d")
        assert entry
        with pytest.raises(WrongKind):
            opened.blob(entry.id)


def test_a_repository_that_is_repacked_meanwhile_is_read_on(lib: Path, reader: Reader) -> None:
    head = rev(lib, "HEAD")
    assert reader.commit(head)
    git(lib, "gc", "--quiet", "--prune=now")
    entry = reader.entry(head, "d/e/f.txt")
    assert entry
    assert reader.blob(entry.id) == b"deep\n"


def test_an_object_that_comes_later_is_found_by_a_fresh_child(lib: Path, reader: Reader, tmp_path: Path) -> None:
    blob = rev(lib, "HEAD:a.py")
    assert reader.commit(rev(lib, "HEAD"))
    aside = loose(lib, blob).rename(tmp_path / "aside")
    with pytest.raises(ObjectMissing):
        reader.blob(blob)
    aside.rename(lib / ".git/objects" / blob[:2] / blob[2:])
    assert reader.blob(blob) == b"x = 2\n"


def test_a_child_that_was_killed_is_replaced(lib: Path, reader: Reader) -> None:
    assert reader.commit(rev(lib, "HEAD"))
    (child,) = children()
    os.kill(child, 9)
    assert reader.blob(rev(lib, "HEAD:a.py")) == b"x = 2\n"


def test_an_interrupted_question_does_not_answer_the_next_one(
    lib: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = rev(lib, "HEAD:a.py"), rev(lib, "HEAD:d/e/f.txt")
    assert reader.size(one) == 6
    with monkeypatch.context() as patched:

        def interrupted(_: object) -> str:
            raise KeyboardInterrupt

        patched.setattr(reader_module._Child, "_read_line", interrupted)
        with pytest.raises(KeyboardInterrupt):
            reader.blob(one)
    assert reader.blob(two) == b"deep\n"


def test_one_child_and_none_after_closing(lib: Path) -> None:
    threads, before = threading.active_count(), len(children())
    with Reader([at(lib)]) as opened:
        assert len(children()) == before
        for path in ("a.py", "d/e/f.txt", "none"):
            opened.entry(rev(lib, "HEAD"), path)
        assert len(children()) == before + 1
    assert len(children()) == before
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.daemon:
            thread.join(timeout=5)
    assert threading.active_count() <= threads


def test_no_child_is_left_when_reading_fails(lib: Path) -> None:
    before = len(children())
    with pytest.raises(ObjectMissing), Reader([at(lib)]) as opened:
        opened.commit("1234567890" * 4)
    assert len(children()) == before


def test_a_closed_reader_can_be_asked_again(lib: Path, reader: Reader) -> None:
    assert reader.commit(rev(lib, "HEAD"))
    reader.close()
    reader.close()
    assert reader.blob(rev(lib, "HEAD:a.py")) == b"x = 2\n"


def test_a_reader_needs_a_place() -> None:
    with pytest.raises(ValueError, match="at least one place"):
        Reader([])


def test_a_current_directory_that_was_removed_does_no_harm(
    lib: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    place, head = at(lib), rev(lib, "HEAD")
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with Reader([place]) as opened:
        assert opened.commit(head)


def test_renames_and_touched_paths(tmp_path: Path, make_repo: MakeRepo) -> None:
    long = "".join(f"line {n}\n" for n in range(50))
    old, new = make_repo(
        tmp_path / "lib",
        {"old name.py": long, "same.py": "1", "edited.py": "1", "gone.py": "1"},
        {"d/new\nname.py": long + "more\n", "same.py": "1", "edited.py": "2", "added.py": "9"},
    )
    with Reader([at(tmp_path / "lib")]) as opened:
        hints = GitHints(opened).between(old, new)
        assert hints.renames == {"old name.py": "d/new\nname.py"}
        assert list(hints.touched) == ["added.py", "d/new\nname.py", "edited.py"]
        for path, blob in hints.touched.items():
            entry = opened.entry(new, path)
            assert entry is not None and entry.id == blob
        assert hints.notes == ()
        assert GitHints(opened).between(new, new).renames == {}


def test_hints_without_the_old_commit_are_empty_and_say_so(lib: Path, reader: Reader) -> None:
    hints = GitHints(reader).between("1234567890" * 4, rev(lib, "HEAD"))
    assert (hints.renames, hints.touched) == ({}, {})
    assert len(hints.notes) == 1
    assert "renames and differences are not known" in hints.notes[0]


def test_too_many_files_for_renames_are_said(
    tmp_path: Path, make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("claimcheck.git.hints.RENAME_LIMIT", 1)
    body = "".join(f"line {n}\n" for n in range(50))
    old, new = make_repo(
        tmp_path / "lib",
        {f"a{n}.py": body + f"{n}\n" for n in range(3)},
        {f"b{n}.py": body + f"{n} more\n" for n in range(3)},
    )
    with Reader([at(tmp_path / "lib")]) as opened:
        assert GitHints(opened).between(old, new).notes == ("too many files differ for git to find all renames",)


def test_hints_take_full_ids_only(reader: Reader) -> None:
    with pytest.raises(ValueError, match="full ids only"):
        GitHints(reader).between("--output=x", "HEAD")


def test_an_old_gitpython_is_refused(lib: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import git as gitpython

    monkeypatch.setattr(gitpython, "__version__", "3.1.57")
    with Reader([at(lib)]) as opened, pytest.raises(Exception, match=r"GitPython 3\.1\.57 has known holes"):
        opened.commit(rev(lib, "HEAD"))


def test_what_stops_answering_is_an_environment_problem() -> None:
    assert ChildFailed("x").exit_code == 2
