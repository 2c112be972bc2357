"""Texts of vendors' files and the state of vendors: what can be read is read, all else has a reason of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimcheck import sources as sources_module
from claimcheck.decoding import decode
from claimcheck.git.places import PlaceKind
from claimcheck.model import Pin, Release, Revision, Vendor
from claimcheck.repository import Shallow
from claimcheck.sources import Sources
from claimcheck.texts import NoSource, SourceText, Tree, Why
from conftest import ARCHIVE, MakeRepo, git, make_release, write_files

ABSENT = "1234567890" * 4
MakeSources = Callable[..., Sources]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project" / "vendor").mkdir(parents=True)
    return tmp_path / "project"


def open_sources(
    root: Path, pin: str, *, name: str = "lib", releases: Mapping[str, str] | None = None, allow: tuple[Path, ...] = ()
) -> Sources:
    declared = tuple(Release(version, sha256) for version, sha256 in (releases or {}).items())
    vendor = Vendor(name, Pin(pin), ("L",), releases=declared)
    return Sources(root, {name: vendor}, allow_alternates=allow)


def text(found: SourceText | NoSource) -> str:
    assert isinstance(found, SourceText), found
    return found.text


def reason(found: object) -> NoSource:
    assert isinstance(found, NoSource), found
    return found


def id_of(found: Revision | NoSource) -> str:
    assert isinstance(found, Revision), found
    return found.commit


# Texts


@pytest.mark.parametrize(
    ("data", "expected", "note"),
    [
        (b"x = 1\n", "x = 1\n", None),
        (b"", "", None),
        (b"\xef\xbb\xbfdef f():\n", "def f():\n", None),
        ("变量 = 'français'\n".encode(), "变量 = 'français'\n", None),
        ("x = 'é'\n".encode("latin-1"), "x = 'é'\n", "not UTF-8; read as Latin-1"),
        ("x = '\U0001f600'\n".encode("utf-16"), "x = '\U0001f600'\n", "UTF-16"),
        (b"\xfe\xff" + "x\n".encode("utf-16-be"), "x\n", "UTF-16"),
        (b"a\r\nb\r\n", "a\r\nb\r\n", None),
    ],
)
def test_how_a_file_is_decoded(data: bytes, expected: str, note: str | None, root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", {"f.py": data})
    with open_sources(root, commit) as sources:
        source = sources.read("lib", commit, "f.py")
    assert text(source) == expected
    assert isinstance(source, SourceText)
    assert source.note == note
    assert source.blob == git(root / "vendor/lib", "rev-parse", "HEAD:f.py")


@pytest.mark.parametrize(
    "data", [b"a\0b", b"\x89PNG\r\n\x1a\n\0\0", b"\xff\xfea", b"\xff\xfe\0\0a\0\0\0", b"\xff\xfe\0\xd8"]
)
def test_what_is_binary(data: bytes) -> None:
    assert decode(data, "id") == NoSource(Why.BINARY, "is a binary file")


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 90405214\n"


@pytest.mark.parametrize(
    "data",
    [
        POINTER,
        POINTER.replace(b"git-lfs.github.com", b"hawser.github.com"),
        POINTER.replace(b"oid", b"ext-0-x sha256:1\noid"),
    ],
)
def test_a_git_lfs_pointer_is_not_the_file(data: bytes) -> None:
    found = reason(decode(data, "id"))
    assert (found.why, found.environment) == (Why.LFS_POINTER, True)
    assert found.message == "is a Git LFS pointer; its content is not in this repository"


@pytest.mark.parametrize(
    "data", [b"# " + POINTER, POINTER + b"x = 1\n", POINTER.replace(b"size", b"bytes"), POINTER[:40], b"\n" + POINTER]
)
def test_a_source_that_only_quotes_a_git_lfs_pointer_is_text(data: bytes) -> None:
    assert text(decode(data, "id")) == data.decode()


@given(st.binary(max_size=300))
def test_every_file_is_text_or_has_a_reason(data: bytes) -> None:
    assert isinstance(decode(data, "id"), SourceText | NoSource)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"), max_size=200))
def test_text_survives_every_encoding_that_is_understood(original: str) -> None:
    assert text(decode(original.encode("utf-8"), "id")) == original
    assert text(decode(original.encode("utf-8-sig"), "id")) == original
    assert text(decode(b"\xff\xfe" + original.encode("utf-16-le"), "id")) == original


def test_lines_are_counted_by_line_feeds_alone(root: Path, make_repo: MakeRepo) -> None:
    body = 'x = "a\u2028b"\n\x0c\n# \x85 \x0b \x1c \u2029\ndef f():\n    pass\n'
    (commit,) = make_repo(root / "vendor/lib", {"f.py": body, "old.py": b"x=1\rdef f():\r    pass\r"})
    with open_sources(root, commit) as sources:
        source, old = sources.read("lib", commit, "f.py"), sources.read("lib", commit, "old.py")
    assert isinstance(source, SourceText)
    assert isinstance(old, SourceText)
    assert source.hits("def f") == [4]
    assert len(source) == body.count("\n") == 5
    assert len(old) == 1


def test_the_locale_changes_nothing(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", {"文件.py": "变量 = 'français'\n"})
    code = (
        "import sys; from pathlib import Path\n"
        "from claimcheck.model import Pin, Vendor\n"
        "from claimcheck.sources import Sources\n"
        "with Sources(Path(sys.argv[1]), {'lib': Vendor('lib', Pin(sys.argv[2]), ('L',))}) as sources:\n"
        "    found = sources.read('lib', sys.argv[2], '\\u6587\\u4ef6.py')\n"
        "    print(ascii(found.text), ascii(found.note))\n"
    )
    printed = set()
    for locale in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C.UTF-8"}):
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(sources_module.__file__).parents[1]),
            **locale,
        }
        done = subprocess.run(
            [sys.executable, "-c", code, str(root), commit], env=environment, capture_output=True, check=True
        )
        printed.add(done.stdout)
    assert printed == {ascii("变量 = 'français'\n").encode() + b" None\n"}


def test_a_file_of_five_megabytes_is_read_and_one_beyond_the_limit_is_not(
    root: Path, make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    generated = "".join(f"name_{n} = {n}  # generated\n" for n in range(200_000)) + "def last(): pass\n"
    assert len(generated) > 5_000_000
    (commit,) = make_repo(root / "vendor/lib", {"big.py": generated, "huge.bin": b"A" * (20 * 1024 * 1024 + 1)})
    with open_sources(root, commit) as sources:
        assert text(sources.read("lib", commit, "big.py")) == generated
        found = reason(sources.read("lib", commit, "huge.bin"))
    assert (found.why, found.environment) == (Why.TOO_LARGE, True)
    assert found.message == "has 21 MiB; files of up to 20 MiB are read"


def test_a_single_line_of_megabytes_is_one_line(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", {"min.js": "x;" * 1_000_000})
    with open_sources(root, commit) as sources:
        source = sources.read("lib", commit, "min.js")
    assert isinstance(source, SourceText)
    assert len(source) == 1


def test_texts_that_do_not_fit_are_read_again(root: Path, make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources_module, "TEXTS_KEPT", 50_000)
    files = {f"f{n}.py": f"# {n}\n" + "x = 1\n" * 1000 for n in range(20)}
    (commit,) = make_repo(root / "vendor/lib", files)
    with open_sources(root, commit) as sources:
        for _ in range(2):
            for name, content in files.items():
                assert text(sources.read("lib", commit, name)) == content
        kept = sources._texts._kept
        assert 0 < len(kept) < 20
        assert sum(map(sources_module._weight, kept.values())) == sources._texts._bytes <= 50_000


def test_a_text_is_kept_after_its_child_is_gone(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", {"f.py": "x = 1\n"})
    with open_sources(root, commit) as sources:
        first = sources.read("lib", commit, "f.py")
        sources.close()
        shutil.rmtree(root / "vendor/lib/.git/objects" / git(root / "vendor/lib", "rev-parse", "HEAD:f.py")[:2])
        assert sources.read("lib", commit, "f.py") is first


# Paths


FILES = {"f.txt": "text\n", "d/x.py": "x\n", "src/Pool.py": "p\n", "caf\u00e9.py": "c\n"}


@pytest.mark.parametrize(
    ("path", "message", "help"),
    [
        ("./f.txt", "has no file ./f.txt; did you mean f.txt?", "path: f.txt"),
        ("d//x.py", "has no file d//x.py; did you mean d/x.py?", "path: d/x.py"),
        ("d/../f.txt", "has no file d/../f.txt; did you mean f.txt?", "path: f.txt"),
        ("/f.txt", "has no file /f.txt; did you mean f.txt?", "path: f.txt"),
        ("d\\x.py", "has no file d\\x.py; did you mean d/x.py?", "path: d/x.py"),
        ("F.TXT", "has no file F.TXT; did you mean f.txt?", "path: f.txt"),
        ("SRC/pool.py", "has no folder SRC/; did you mean src/Pool.py?", "path: src/Pool.py"),
        ("cafe\u0301.py", "has no file cafe\u0301.py; did you mean caf\u00e9.py?", "path: caf\u00e9.py"),
        ("src/Pol.py", "has no file src/Pol.py; did you mean src/Pool.py?", "path: src/Pool.py"),
        ("srcs/Pool.py", "has no folder srcs/; did you mean src/Pool.py?", "path: src/Pool.py"),
        ("f.txt ", "has no file f.txt ; did you mean f.txt?", "path: f.txt"),
        ("doc/guide.md", "has no folder doc/", None),
        ("d/doc/guide.md", "has no folder d/doc/", None),
        ("d/other.cpp", "has no file d/other.cpp", None),
        ("C:f.txt", "has no file C:f.txt; did you mean f.txt?", "path: f.txt"),
        ("f.txt/x", "has a file f.txt, and so nothing below it", None),
        ("", "has no file without a name", None),
        (".", "has no file .", None),
        ("../../../etc/passwd", "has no file ../../../etc/passwd", None),
        ("/etc/passwd", "has no file /etc/passwd", None),
        ("a\x1b[2J.py", "has no file a\\x1b[2J.py", None),
    ],
)
def test_a_path_that_is_missing(path: str, message: str, help: str | None, root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", FILES)
    with open_sources(root, commit) as sources:
        found = reason(sources.read("lib", commit, path))
    assert (found.why, found.message, found.help) == (Why.PATH_MISSING, message, help)
    assert not found.environment


def test_two_files_that_differ_in_case_are_both_themselves(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", {"a.py": "lower\n", "A.py": "upper\n"})
    with open_sources(root, commit) as sources:
        assert text(sources.read("lib", commit, "a.py")) == "lower\n"
        assert text(sources.read("lib", commit, "A.py")) == "upper\n"


def test_a_file_that_is_only_at_head_or_on_the_disk_is_not_in_the_pin(root: Path, make_repo: MakeRepo) -> None:
    first, second = make_repo(root / "vendor/lib", {"a.py": "1"}, {"a.py": "1", "later.py": "2"})
    write_files(root / "vendor/lib", {"disk.py": "3", "a.py": "changed on disk"})
    with open_sources(root, first) as sources:
        assert reason(sources.read("lib", first, "later.py")).message == (
            f"has no file later.py; HEAD, at {second[:8]}, has it"
        )
        assert reason(sources.read("lib", first, "disk.py")).message == "has no file disk.py"
        assert text(sources.read("lib", first, "a.py")) == "1"


def test_what_is_not_a_file_is_called_by_its_name(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "inner", {"f.txt": "1"})
    make_repo(root / "vendor/lib", {"f.txt": "1", "d/x": "2"})
    lib = root / "vendor/lib"
    (lib / "link").symlink_to("/etc/passwd")
    (lib / "d/near").symlink_to("../f.txt")
    (lib / "odd").symlink_to("a\x1b[2J")
    git(lib, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(root / "inner"), "sub")
    git(lib, "add", "-A")
    git(lib, "commit", "-qm", "kinds")
    commit, inner = git(lib, "rev-parse", "HEAD"), git(root / "inner", "rev-parse", "HEAD")[:8]
    expected = {
        "link": NoSource(Why.SYMLINK, "is a symbolic link to `/etc/passwd`"),
        "d/near": NoSource(Why.SYMLINK, "is a symbolic link to `../f.txt`", "path: f.txt"),
        "odd": NoSource(Why.SYMLINK, "is a symbolic link to `a\\x1b[2J`"),
        "link/x": NoSource(Why.SYMLINK, "lies below link, which is a symbolic link to `/etc/passwd`"),
        "d": NoSource(Why.DIRECTORY, "is a directory"),
        "sub": NoSource(Why.SUBMODULE, f"is a submodule (commit {inner} of another repository)"),
        "sub/f.txt": NoSource(
            Why.SUBMODULE, f"lies below sub, which is a submodule (commit {inner} of another repository)"
        ),
    }
    with open_sources(root, commit) as sources:
        assert {path: sources.read("lib", commit, path) for path in expected} == expected


# Revisions


@pytest.fixture
def tagged(root: Path, make_repo: MakeRepo) -> tuple[str, str, str]:
    """A clone with three commits; the second is v1.0 (annotated), the third v1.1 (loose and light)."""
    first, second, third = make_repo(root / "vendor/lib", {"a.py": "1"}, {"a.py": "2"}, {"a.py": "3"})
    git(root / "vendor/lib", "tag", "-a", "-m", "noted", "v1.0", second)
    git(root / "vendor/lib", "pack-refs", "--all")
    git(root / "vendor/lib", "tag", "v1.1", third)
    git(root / "vendor/lib", "tag", "nightly", third)
    return first, second, third


def test_what_a_revision_stands_for(root: Path, tagged: tuple[str, str, str]) -> None:
    first, second, third = tagged
    with open_sources(root, first) as sources:
        assert sources.pinned("lib") == Revision(first)
        assert sources.resolve("lib", first) == Revision(first)
        assert sources.resolve("lib", first.upper()) == Revision(first)
        assert sources.resolve("lib", second) == Revision(second, tag="v1.0")
        assert sources.resolve("lib", "v1.0") == Revision(second, tag="v1.0")
        assert sources.resolve("lib", "v1.1") == Revision(third, tag="v1.1")
        assert sources.resolve("lib", "nightly") == Revision(third, tag="nightly")
        assert sources.resolve("lib", "HEAD") == Revision(third, tag="v1.1")


def test_an_annotated_tag_that_is_loose_names_its_commit(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", {"a.py": "1"})
    git(root / "vendor/lib", "tag", "-a", "-m", "noted", "v2.0")
    with open_sources(root, commit) as sources:
        assert sources.pinned("lib") == Revision(commit, tag="v2.0")


@pytest.mark.parametrize(
    "name", ["main", "HEAD~1", ":/commit", "HEAD^{}", "--output=x", "a\nb", "", "@", "refs/heads/main"]
)
def test_a_name_that_moves_is_not_a_revision(name: str, root: Path, tagged: tuple[str, str, str]) -> None:
    with open_sources(root, tagged[0]) as sources:
        found = reason(sources.resolve("lib", name))
    assert found.why is Why.COMMIT_MISSING
    assert "\n" not in found.message


def test_the_id_that_a_name_has_today_is_said(root: Path, tagged: tuple[str, str, str]) -> None:
    first, second, third = tagged
    with open_sources(root, first) as sources:
        branch, short = reason(sources.resolve("lib", "main")), reason(sources.resolve("lib", first[:10]))
        assert branch.message == "main is a name that moves; a full id is needed"
        assert branch.help == f"{third}    (main in vendor/lib, today)"
        assert short.message == f"{first[:10]} is a short id; a full id is needed"
        assert short.help == f"{first}    ({first[:10]} in vendor/lib, today)"
        assert sources.today("lib", "v1.0") == second
        assert sources.today("lib", "HEAD") == third
        assert sources.today("lib", "nothing") is None


def test_a_tag_that_is_not_here(root: Path, tagged: tuple[str, str, str]) -> None:
    with open_sources(root, tagged[0]) as sources:
        found = reason(sources.resolve("lib", "v1.2"))
    assert found.message in (
        "v1.2 is no tag in vendor/lib; did you mean v1.1?",
        "v1.2 is no tag in vendor/lib; did you mean v1.0?",
    )
    assert found.help == "claimcheck vendor fetch lib v1.2"


def test_a_tag_named_like_a_full_id_redirects_nothing(root: Path, tagged: tuple[str, str, str]) -> None:
    first, _, third = tagged
    for kind in ("tags", "heads"):
        (root / "vendor/lib/.git/refs" / kind / first).write_text(third + "\n")
    with open_sources(root, first) as sources:
        assert id_of(sources.resolve("lib", first)) == first
        assert text(sources.read("lib", first, "a.py")) == "1"


def test_ids_that_are_no_commits(root: Path, tagged: tuple[str, str, str]) -> None:
    lib = root / "vendor/lib"
    tree, blob, tag = (git(lib, "rev-parse", name) for name in ("HEAD^{tree}", "HEAD:a.py", "v1.0"))
    with open_sources(root, tagged[0]) as sources:
        messages = {id: reason(sources.resolve("lib", id)) for id in (tree, blob, tag, "0" * 40, ABSENT)}
    assert messages[tree].message == f"{tree[:8]} is a tree in vendor/lib, not a commit"
    assert messages[blob].message == f"{blob[:8]} is a blob in vendor/lib, not a commit"
    assert messages[tag].message == f"{tag[:8]} is a tag in vendor/lib, not a commit"
    assert messages[tag].help == f'commit: "{tagged[1]}"'
    assert messages["0" * 40].message == "00000000 is all zeros, which is no commit"
    assert messages[ABSENT].message == "12345678 is not in vendor/lib"
    assert {found.why for found in messages.values()} == {Why.COMMIT_MISSING}


def test_a_pin_that_is_not_here(root: Path, make_repo: MakeRepo) -> None:
    make_repo(root / "vendor/lib", {"a.py": "1"})
    with open_sources(root, ABSENT) as sources:
        found = reason(sources.pinned("lib"))
    assert (found.why, found.message) == (Why.COMMIT_MISSING, "the pin 12345678 is not in vendor/lib")
    assert found.help == "claimcheck vendor sync lib"


def test_an_altered_commit_is_not_the_pin(root: Path, tagged: tuple[str, str, str]) -> None:
    first = tagged[0]
    path = root / "vendor/lib/.git/objects" / first[:2] / first[2:]
    path.chmod(0o644)
    path.write_bytes(b"xx")
    with open_sources(root, first) as sources:
        found = reason(sources.pinned("lib"))
    assert found.why is Why.OBJECT_DAMAGED
    assert found.message.startswith(f"the pin {first[:8]} cannot be read: object {first[:8]} of vendor/lib is damaged")


# Releases


@pytest.mark.parametrize("packed", [False, True])
def test_a_release_stands_in_for_a_pin_that_is_not_here(packed: bool, root: Path) -> None:
    commit = make_release(root, "1.0", {"a.py": "released"})
    if packed:
        git(root / "vendor/lib.git", "pack-refs", "--all")
    with open_sources(root, ABSENT, releases={"1.0": ARCHIVE}) as sources:
        expected = Revision(commit, release=Release("1.0", ARCHIVE))
        assert sources.resolve("lib", "release") == expected
        assert sources.resolve("lib", "release/1.0") == expected
        assert sources.resolve("lib", commit) == expected
        assert expected.label == "1.0"
        assert text(sources.read("lib", commit, "a.py")) == "released"
        state = sources.state("lib")
        assert reason(sources.pinned("lib")).message == "the pin 12345678 is not in vendor/lib.git"
    assert (state.pin_present, state.stand_in_present, state.releases) == (False, True, ("1.0",))


def test_a_release_can_be_the_pin(root: Path) -> None:
    commit = make_release(root, "1.0", {"a.py": "released"})
    with open_sources(root, "release/1.0", releases={"1.0": ARCHIVE}) as sources:
        assert sources.pinned("lib") == Revision(commit, release=Release("1.0", ARCHIVE))


def test_a_release_of_another_archive_is_not_read(root: Path) -> None:
    commit = make_release(root, "1.0", {"a.py": "released"}, sha256="cd" * 32)
    with open_sources(root, ABSENT, releases={"1.0": ARCHIVE}) as sources:
        for rev in ("release", "release/1.0", commit):
            found = reason(sources.resolve("lib", rev))
            assert found.why is Why.REPOSITORY
            assert "is not of the declared archive" in found.message
            assert found.help == "claimcheck vendor sync lib"


def test_releases_that_are_not_declared_or_not_here(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", {"a.py": "1"})
    git(root / "vendor/lib", "update-ref", "refs/release/1.0", commit)
    with open_sources(root, commit, releases={"1.0": ARCHIVE}) as sources:
        absent, other = reason(sources.resolve("lib", "release/1.0")), reason(sources.resolve("lib", "release/../2"))
    assert (absent.why, absent.message) == (Why.COMMIT_MISSING, "the release 1.0 is not in vendor/lib.git")
    assert other.message == "lib declares no release ../2 (declared: 1.0)"
    with open_sources(root, commit) as sources:
        assert reason(sources.resolve("lib", "release")).message == "lib declares no release"


# Places and states


def test_a_vendor_of_which_nothing_is_here(root: Path) -> None:
    with open_sources(root, ABSENT) as sources:
        found, state = reason(sources.pinned("lib")), sources.state("lib")
        assert sources.blob_id("lib", ABSENT, "a") is None
        assert sources.hints("lib") is None
    assert found == NoSource(
        Why.REPOSITORY, "there is no vendor/lib and no vendor/lib.git", "claimcheck vendor sync lib"
    )
    assert (state.present, state.places, state.head) == (False, (), None)


def test_a_vendor_that_nobody_declared(root: Path) -> None:
    with open_sources(root, ABSENT) as sources:
        for found in (sources.pinned("other"), sources.resolve("other", "HEAD"), sources.read("other", ABSENT, "a")):
            assert found == NoSource(Why.REPOSITORY, "there is no vendor other")
        assert sources.today("other", "HEAD") is None


def test_the_state_of_a_complete_clone(root: Path, tagged: tuple[str, str, str]) -> None:
    first, _, third = tagged
    with open_sources(root, first) as sources:
        state = sources.state("lib")
    assert (state.present, state.places, state.kind) == (True, ("vendor/lib",), PlaceKind.CLONE)
    assert (state.pin, state.pin_present, state.stand_in) == (Revision(first), True, None)
    assert (state.head, state.branch, state.gitlink) == (third, "main", None)
    assert (state.shallow, state.partial, state.problems, state.remarks) == (None, False, (), ())


def test_what_the_clone_lacks_is_read_from_our_copy(root: Path, make_repo: MakeRepo) -> None:
    first, second = make_repo(root.parent / "up", {"a.py": "1"}, {"a.py": "2"})
    git(root, "clone", "--quiet", "--depth=1", f"file://{root.parent}/up", "vendor/lib")
    git(root, "init", "--quiet", "--bare", "vendor/lib.git")
    with open_sources(root, first) as sources:
        assert reason(sources.pinned("lib")).message == f"the pin {first:.8} is not in vendor/lib or vendor/lib.git"
    git(root / "vendor/lib.git", "fetch", "--quiet", "--depth=1", f"file://{root.parent}/up", first)
    with open_sources(root, first) as sources:
        assert sources.pinned("lib") == Revision(first)
        assert text(sources.read("lib", first, "a.py")) == "1"
        assert text(sources.read("lib", second, "a.py")) == "2"


@pytest.mark.parametrize(
    ("depth", "shallow", "remark"),
    [
        (1, 1, "vendor/lib is a shallow clone with one commit, {c3:.8} (v1)"),
        (2, 2, "vendor/lib is a shallow clone with 2 commits up to {c3:.8} (v1)"),
    ],
)
def test_a_shallow_clone_explains_itself(
    depth: int, shallow: int, remark: str, root: Path, make_repo: MakeRepo
) -> None:
    commits = make_repo(root.parent / "up", {"a.py": "1"}, {"a.py": "2"}, {"a.py": "3"})
    git(root.parent / "up", "tag", "v1")
    git(root, "clone", "--quiet", f"--depth={depth}", f"file://{root.parent}/up", "vendor/lib")
    other = make_repo(root / "vendor/other", {"b.py": "1"})[0]
    vendors = {
        name: Vendor(name, Pin(pin), (name[0].upper(),)) for name, pin in (("lib", commits[0]), ("other", other))
    }
    with Sources(root, vendors) as sources:
        found, state = reason(sources.pinned("lib")), sources.state("lib")
        assert text(sources.read("other", other, "b.py")) == "1"
    assert (found.why, found.help) == (Why.COMMIT_MISSING, "claimcheck vendor sync lib")
    assert found.message == f"the pin {commits[0][:8]} is not in vendor/lib"
    assert state.shallow == Shallow(shallow, (commits[-depth],))
    assert state.remarks == (remark.replace("{c3:.8}", commits[2][:8]),)


def test_a_partial_clone_says_what_it_lacks(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root.parent / "up", {"a.py": "1"})
    git(root.parent / "up", "config", "uploadpack.allowFilter", "true")
    git(root, "clone", "--quiet", "--filter=blob:none", "--no-checkout", f"file://{root.parent}/up", "vendor/lib")
    blob = git(root.parent / "up", "rev-parse", "HEAD:a.py")
    with open_sources(root, commit) as sources:
        found, state = reason(sources.read("lib", commit, "a.py")), sources.state("lib")
    assert (found.why, found.environment) == (Why.OBJECT_MISSING, True)
    assert found.message == f"cannot be read: object {blob[:8]} is not in vendor/lib, a partial clone"
    assert found.help == "claimcheck vendor sync lib"
    assert state.partial
    assert state.remarks == ("vendor/lib is a partial clone: some of its objects are not here",)


def test_a_clone_that_is_not_read_gives_its_reason_unless_the_copy_has_the_commit(
    root: Path, make_repo: MakeRepo
) -> None:
    (commit,) = make_repo(root.parent / "cache", {"a.py": "1"})
    git(root, "clone", "--quiet", "--shared", str(root.parent / "cache"), "vendor/lib")
    with open_sources(root, commit) as sources:
        alone = reason(sources.pinned("lib"))
        assert reason(sources.resolve("lib", "HEAD")) == alone
        assert sources.state("lib").present
    assert alone.why is Why.REPOSITORY
    assert alone.message == "vendor/lib borrows objects (alternates) from ../cache/.git/objects, outside the project"
    with open_sources(root, commit, allow=(root.parent / "cache",)) as sources:
        assert text(sources.read("lib", id_of(sources.pinned("lib")), "a.py")) == "1"
    git(root, "clone", "--quiet", "--bare", "--no-local", str(root.parent / "cache"), "vendor/lib.git")
    with open_sources(root, commit) as sources:
        assert sources.pinned("lib") == Revision(commit)
        assert reason(sources.resolve("lib", ABSENT)) == alone
        assert sources.state("lib").remarks == (alone.message,)


@pytest.mark.parametrize("flavour", ["sha256", "empty", "reftable"])
def test_repositories_that_are_not_understood_are_named(flavour: str, root: Path, make_repo: MakeRepo) -> None:
    commit = ABSENT
    if flavour == "empty":
        (root / "vendor/lib").mkdir()
    elif flavour == "sha256":
        git(root, "init", "--quiet", "--object-format=sha256", "vendor/lib")
    else:
        (commit,) = make_repo(root / "vendor/lib", {"a.py": "1"})
        with (root / "vendor/lib/.git/config").open("a") as config:
            config.write("[extensions]\n\trefstorage = reftable\n")
    with open_sources(root, commit) as sources:
        head, tag = reason(sources.resolve("lib", "HEAD")), reason(sources.resolve("lib", "v1"))
        pin = sources.pinned("lib")
    assert head.why is tag.why is Why.REPOSITORY
    if flavour == "reftable":
        assert pin == Revision(commit)
        assert head.help == tag.help == "give the full id"
    else:
        assert isinstance(pin, NoSource)
        assert pin.message.startswith(
            "vendor/lib is a SHA-256 repository" if flavour == "sha256" else "vendor/lib is an empty folder"
        )


def test_an_uninitialised_submodule_never_shows_the_outer_repository(root: Path, make_repo: MakeRepo) -> None:
    (outer,) = make_repo(root, {"README.md": "the outer one\n"})
    (root / "vendor/lib").mkdir(exist_ok=True)
    with open_sources(root, outer) as sources:
        assert reason(sources.pinned("lib")).why is Why.REPOSITORY
        assert isinstance(sources.read("lib", outer, "README.md"), NoSource)


def add_submodule(root: Path, up: Path) -> None:
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(up), "vendor/lib")
    git(root, "commit", "-qm", "with a submodule")


def test_a_submodule_has_a_head_and_a_recorded_commit(root: Path, make_repo: MakeRepo) -> None:
    first, second = make_repo(root.parent / "up", {"a.py": "1"}, {"a.py": "2"})
    add_submodule(root, root.parent / "up")
    git(root / "vendor/lib", "checkout", "--quiet", first)
    with open_sources(root, first) as sources:
        state = sources.state("lib")
        assert sources.resolve("lib", "HEAD") == Revision(first)
        assert text(sources.read("lib", first, "a.py")) == "1"
    assert (state.kind, state.head, state.branch, state.gitlink) == (PlaceKind.SUBMODULE, first, None, second)


def test_without_its_clone_head_is_the_recorded_commit(root: Path, make_repo: MakeRepo) -> None:
    _, second = make_repo(root.parent / "up", {"a.py": "1"}, {"a.py": "2"})
    add_submodule(root, root.parent / "up")
    git(root, "submodule", "--quiet", "deinit", "--all", "--force")
    git(root, "clone", "--quiet", "--bare", str(root.parent / "up"), "vendor/lib.git")
    with open_sources(root, second) as sources:
        assert sources.resolve("lib", "HEAD") == Revision(second)
        assert sources.state("lib").gitlink == second
        assert sources.state("lib").problems[0].message == "vendor/lib is a submodule that was not initialised"


def test_the_recorded_commit_is_read_in_a_linked_worktree_of_the_project_too(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root.parent / "up", {"a.py": "1"})
    add_submodule(root, root.parent / "up")
    git(root, "worktree", "add", "--quiet", "../second")
    with open_sources(root.parent / "second", commit) as sources:
        assert sources.state("lib").gitlink == commit


def children() -> int:
    own = str(os.getpid())
    found = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            found += stat.read_text().rpartition(")")[2].split()[1] == own
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def test_one_child_is_alive_whatever_vendor_is_asked(root: Path, make_repo: MakeRepo) -> None:
    pins = {name: make_repo(root / "vendor" / name, {"a.py": name})[0] for name in ("lib", "other", "third")}
    git(root, "init", "--quiet")
    (root / ".gitmodules").write_text("")
    vendors = {name: Vendor(name, Pin(pin), (name[0].upper(),)) for name, pin in pins.items()}
    before = children()
    with Sources(root, vendors) as sources:
        for _ in range(2):
            for name, pin in pins.items():
                assert text(sources.read(name, pin, "a.py")) == name
                sources.state(name)
                assert children() <= before + 1
    assert children() == before


def test_three_hundred_vendors_with_few_file_handles(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "one", {"a.py": "1"})
    git(root / "one", "repack", "-adq")
    for n in range(300):
        place = root / f"vendor/v{n}/.git"
        (place / "refs").mkdir(parents=True)
        shutil.copy(root / "one/.git/HEAD", place)
        (place / "objects").mkdir()
        (place / "objects/pack").symlink_to(root / "one/.git/objects/pack")
    code = (
        "import resource, sys; from pathlib import Path\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))\n"
        "from claimcheck.model import Pin, Vendor\n"
        "from claimcheck.sources import Sources\n"
        "pin = sys.argv[2]\n"
        "vendors = {f'v{n}': Vendor(f'v{n}', Pin(pin), ('V',)) for n in range(300)}\n"
        "with Sources(Path(sys.argv[1]), vendors) as sources:\n"
        "    print(sum(sources.read(name, pin, 'a.py').text == '1' for name in vendors))\n"
    )
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(sources_module.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code, str(root), commit], env=environment, capture_output=True, check=False
    )
    assert (done.stdout, done.returncode) == (b"300\n", 0), done.stderr


# Trees


def test_a_tree_for_relocation(root: Path, make_repo: MakeRepo) -> None:
    body = "".join(f"line {n}\n" for n in range(30))
    old, new = make_repo(
        root / "vendor/lib",
        {"old.py": body, "same.py": "1", "a.bin": b"\0"},
        {"new.py": body, "same.py": "2", "d/x": "3"},
    )
    with open_sources(root, old) as sources:
        tree: Tree = sources.tree("lib", new, old)
        assert tree.renames() == {"old.py": "new.py"}
        assert list(tree.touched()) == ["d/x", "new.py", "same.py"]
        found = tree.text("new.py")
        assert found is not None
        assert found.text == body
        assert tree.blob_id("new.py") == git(root / "vendor/lib", "rev-parse", f"{old}:old.py") == found.blob
        for path in ("old.py", "d", "d/x/y", "../x"):
            assert tree.text(path) is None
            assert tree.blob_id(path) is None
        assert sources.tree("lib", old).text("a.bin") is None
        assert sources.tree("lib", old).renames() == {}
        assert sources.tree("lib", old, old).touched() == {}


def test_a_tree_without_its_old_commit_has_no_hints_and_says_so(root: Path, make_repo: MakeRepo) -> None:
    (commit,) = make_repo(root / "vendor/lib", {"a.py": "1"})
    with open_sources(root, commit) as sources:
        tree = sources.tree("lib", commit, ABSENT)
        assert (tree.renames(), tree.touched()) == ({}, {})
        assert len(tree.notes) == 1
        assert tree.text("a.py") is not None
