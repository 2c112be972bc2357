"""What is read from a source archive, and what is refused."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimcheck import archives
from claimcheck.archives import ArchiveRefused, archived_files


def member(name: str, content: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def archive(*members: tuple[tarfile.TarInfo, bytes], format: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", format=format) as tar:
        for info, content in members:
            tar.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def read(data: bytes) -> list[tuple[bytes, str, bytes]]:
    return [(file.path, file.mode, b"".join(file.chunks)) for file in archived_files(io.BytesIO(data), "x.tar.gz")]


def test_files_come_without_the_top_folder_with_mode_and_content() -> None:
    data = archive(
        member("demo-1.0", type=tarfile.DIRTYPE),
        member("demo-1.0/a.py", b"one\n"),
        member("demo-1.0/bin/run", b"#!/bin/sh\n", mode=0o755),
        member("demo-1.0/empty"),
        member("demo-1.0/link", type=tarfile.SYMTYPE, linkname="../../etc/passwd"),
    )
    assert read(data) == [
        (b"a.py", "100644", b"one\n"),
        (b"bin/run", "100755", b"#!/bin/sh\n"),
        (b"empty", "100644", b""),
        (b"link", "120000", b"../../etc/passwd"),
    ]


def test_names_that_are_long_or_no_utf_8_or_odd_are_taken_as_their_bytes() -> None:
    long = "demo-1.0/" + "/".join(["folder" * 8] * 6) + "/文件.py"
    names = [
        long,
        "demo-1.0/caf\udce9.txt",
        'demo-1.0/a b\\c"d',
        "demo-1.0/-x",
        "demo-1.0/.gitignore",
        "demo-1.0/a.git",
    ]
    for format in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT):
        data = archive(*[member(name, b"x") for name in names], format=format)
        assert [path for path, _, _ in read(data)] == [
            name.removeprefix("demo-1.0/").encode("utf-8", "surrogateescape") for name in names
        ]


def test_content_that_was_not_taken_is_passed_over() -> None:
    data = archive(member("d/a", b"x" * 100_000), member("d/b", b"y"))
    assert [file.path for file in archived_files(io.BytesIO(data), "x.tar.gz")] == [b"a", b"b"]


def test_several_gzip_streams_in_a_row_are_one_archive() -> None:
    plain = gzip.decompress(archive(member("d/a", b"x" * 5000), member("d/b", b"y")))
    data = gzip.compress(plain[:3000]) + gzip.compress(plain[3000:])
    assert [path for path, _, _ in read(data)] == [b"a", b"b"]


@pytest.mark.parametrize(
    "name",
    [
        "d/../x",
        "../x",
        "d/./x",
        "./d/x",
        "/etc/x",
        "d//x",
        "d/.git/config",
        "d/sub/.GIT/hooks/post-checkout",
        "d/.Git",
        ".git/config",
        "d/..",
    ],
)
def test_a_name_that_could_lead_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(ArchiveRefused, match="which a source archive may not have"):
        read(archive(member("d/first", b"x"), member(name, b"x")))


def test_a_folder_of_such_a_name_is_refused_too() -> None:
    with pytest.raises(ArchiveRefused, match=r"d/\.git"):
        read(archive(member("d/.git", type=tarfile.DIRTYPE)))


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (tarfile.LNKTYPE, "a hard link"),
        (tarfile.CHRTYPE, "a device"),
        (tarfile.BLKTYPE, "a device"),
        (tarfile.FIFOTYPE, "a device"),
    ],
)
def test_what_is_neither_file_nor_folder_nor_link_is_refused(kind: bytes, word: str) -> None:
    with pytest.raises(ArchiveRefused, match=rf"x.tar.gz: 'odd' is {word}"):
        read(archive(member("d/odd", type=kind, linkname="d/a")))


def test_a_file_beside_the_top_folder_is_refused() -> None:
    with pytest.raises(ArchiveRefused, match="'PKG-INFO' lies in no top folder"):
        read(archive(member("PKG-INFO", b"x")))


def test_two_top_folders_are_refused_since_their_files_could_meet() -> None:
    with pytest.raises(ArchiveRefused, match="two top folders, 'a' and 'b'"):
        read(archive(member("a/x", b"1"), member("b/x", b"2")))


def test_a_control_character_in_a_name_does_not_reach_the_message() -> None:
    with pytest.raises(ArchiveRefused) as refused:
        read(archive(member("d/../\x1b[2J", b"x")))
    assert "\x1b" not in refused.value.message


def test_too_many_members_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)
    assert len(read(archive(*[member(f"d/{n}") for n in range(3)]))) == 3
    with pytest.raises(ArchiveRefused, match="more than 3 members"):
        read(archive(*[member(f"d/{n}") for n in range(4)]))


def test_a_bomb_is_refused_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_UNPACKED", 1024**3 // 512)
    data = archive(member("d/zeros", b"\0" * (3 * 1024**2)))
    with pytest.raises(ArchiveRefused, match="unpacks to more than"):
        read(data)
    with pytest.raises(ArchiveRefused, match="unpacks to more than"):
        list(archived_files(io.BytesIO(data), "x.tar.gz"))


def test_a_header_of_many_megabytes_is_refused_before_it_is_read() -> None:
    data = archive(member("d/a", b"x", pax_headers={"comment": "x" * (2 << 20)}))
    with pytest.raises(ArchiveRefused, match="header of"):
        read(data)


# Not gzip's own default: with the time in it, each worker would collect tests of other names.
@pytest.mark.parametrize(
    "damage", [b"", b"not an archive", gzip.compress(b"", mtime=0), gzip.compress(b"x" * 5000, mtime=0)]
)
def test_what_is_no_archive_is_refused(damage: bytes) -> None:
    with pytest.raises(ArchiveRefused, match=r"x\.tar\.gz"):
        read(damage)


def test_an_archive_that_ends_early_is_refused() -> None:
    data = archive(member("d/a", bytes(range(256)) * 400), member("d/b", b"y"))
    for end in (20, len(data) // 3, len(data) // 2):
        with pytest.raises(ArchiveRefused):
            read(data[:end])


def test_a_damaged_header_does_not_pass_for_the_end() -> None:
    plain = bytearray(gzip.decompress(archive(member("d/a", b"x"), member("d/b", b"y"), format=tarfile.USTAR_FORMAT)))
    plain[1024 + 148] ^= 0xFF
    with pytest.raises(ArchiveRefused, match="damaged after 1 members"):
        read(gzip.compress(bytes(plain)))


PLAIN = gzip.decompress(
    archive(
        member("d/a", b"x" * 700), member("d/" + "n" * 200, b"y"), member("d/l", type=tarfile.SYMTYPE, linkname="a")
    )
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(PLAIN) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_whatever_the_bytes_are_the_answer_is_files_or_a_refusal(changes: list[tuple[int, int]]) -> None:
    plain = bytearray(PLAIN)
    for at, value in changes:
        plain[at] = value
    for start in range(0, 2048, 512):
        header = plain[start : start + 512]
        if any(header[148:156]):
            # With right checksums the changed fields themselves are looked at, not the checksum's failure.
            plain[start + 148 : start + 156] = b"%06o\0 " % (sum(header[:148]) + sum(header[156:]) + 8 * 32)
    try:
        files = read(gzip.compress(bytes(plain), 1))
    except ArchiveRefused:
        return
    assert all(b".." not in path.split(b"/") and path for path, _, _ in files)


def test_a_real_file_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "demo.tar.gz"
    path.write_bytes(archive(member("d/a", b"x")))
    with path.open("rb") as opened:
        assert [file.path for file in archived_files(opened, path.name)] == [b"a"]
