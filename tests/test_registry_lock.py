"""anchors.lock: JSON Lines to entries and back, and every way in which it can be damaged."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimcheck import registry
from claimcheck.errors import RegistryError
from claimcheck.model import LineHashes, Lines, LockedRegion, LockedString, LockEntry, ReviewState
from claimcheck.project import Project
from claimcheck.registry import lock

PIN = "1f0c94c2a7d14b6f8f3b5d0f6a2f9f0c4be7a811"
HEAD = '{"format": "claimcheck.lock", "version": 1}\n'

FULL = LockEntry(
    "L-POOL",
    "lib",
    PIN,
    "src/pool.py",
    (
        LockedRegion(
            Lines(681, 714),
            "sha256:" + "a" * 64,
            "b" * 64,
            "python/1",
            "Pool.get",
            (LockedString("def get", 0, 1, 2), LockedString("块", 3, 1, 1)),
            LineHashes.of(["00000001", "00000002"]),
            LineHashes.of(["0000000a", "0000000b", "0000000c"]),
            LineHashes.of(["ffffffff"]),
        ),
        LockedRegion(Lines(744, 744), "sha256:" + "c" * 64),
    ),
    ReviewState.REVIEWED,
    PIN,
)
BARE = LockEntry("L-A", "lib", PIN, "README.md", ())
ROW = (
    '{"id": "L-A", "vendor": "lib", "commit": "'
    + PIN
    + '", "path": "README.md", "review": "unreviewed", "regions": []}'
)

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
HASHES = st.lists(st.integers(0, 2**32 - 1).map(lambda number: f"{number:08x}"), max_size=4).map(LineHashes.of)
REGIONS = st.builds(
    LockedRegion,
    st.builds(Lines, st.integers(1, 9), st.integers(10, 99)),
    WORDS,
    st.none() | WORDS,
    st.none() | WORDS,
    st.none() | WORDS,
    st.lists(st.builds(LockedString, WORDS, st.integers(0, 9), st.integers(1, 9), st.integers(1, 9)), max_size=2).map(
        tuple
    ),
    HASHES,
    HASHES,
    HASHES,
)
ENTRIES = st.builds(
    LockEntry,
    WORDS,
    WORDS,
    WORDS,
    WORDS,
    st.lists(REGIONS, max_size=2).map(tuple),
    st.sampled_from(ReviewState),
    st.none() | WORDS,
)
LOCKS = st.lists(ENTRIES, max_size=4).map(lambda entries: {entry.id: entry for entry in entries})


def told(content: str | bytes) -> list[str]:
    """What is wrong with a lock file, as a person reads it."""
    with pytest.raises(RegistryError) as caught:
        dict(lock.parse(content.encode() if isinstance(content, str) else content))
    return [f"{found.place}: {found.message} [{found.rule.name}]" for found in caught.value.findings]


def test_one_line_an_anchor_sorted_by_id_after_a_line_that_names_the_format():
    content = lock.dump({"L-POOL": FULL, "L-A": BARE}).decode()
    head, first, second, rest = content.split("\n")
    assert head + "\n" == HEAD
    assert first == ROW
    assert json.loads(second) == {
        "id": "L-POOL",
        "vendor": "lib",
        "commit": PIN,
        "path": "src/pool.py",
        "review": "reviewed",
        "reviewed_at": PIN,
        "regions": [
            {
                "lines": [681, 714],
                "digest": "sha256:" + "a" * 64,
                "tokens": "b" * 64,
                "scheme": "python/1",
                "symbol": "Pool.get",
                "strings": [["def get", 0, 1, 2], ["块", 3, 1, 1]],
                "before": "0000000100000002",
                "fingerprint": "0000000a0000000b0000000c",
                "after": "ffffffff",
            },
            {"lines": [744, 744], "digest": "sha256:" + "c" * 64},
        ],
    }
    assert rest == ""


@settings(max_examples=150, deadline=None)
@given(LOCKS)
def test_what_is_dumped_comes_back(entries):
    content = lock.dump(entries)
    assert dict(lock.parse(content)) == entries
    assert lock.dump(lock.parse(content)) == content
    assert content.count(b"\n") == len(entries) + 1


@settings(max_examples=100, deadline=None)
@given(LOCKS, LOCKS, st.data())
def test_an_update_changes_and_removes_what_it_says_and_keeps_the_lines_of_the_rest(old, new, data):
    gone = data.draw(st.sets(st.sampled_from(sorted(old)))) if old else set()
    before = lock.parse(lock.dump(old))
    after = lock.updated(before, new, gone)
    assert dict(lock.parse(after)) == {id: entry for id, entry in old.items() if id not in gone} | new
    kept = {before.row(id) for id in old if id not in gone and id not in new}
    assert kept <= set(after.decode().split("\n"))


def test_a_line_that_nobody_touches_keeps_its_bytes_even_if_written_otherwise():
    odd = ROW.replace(": ", ":")
    content = lock.updated(lock.parse(f"{HEAD}{odd}\n".encode()), {"L-POOL": FULL})
    assert odd in content.decode().split("\n")


@pytest.mark.parametrize(
    "content",
    [
        f"{HEAD}{ROW}\n",
        f"{HEAD}{ROW}",
        f"{HEAD}\n{ROW}\n\n",
        f"\ufeff{HEAD}{ROW}\n",
        f"{HEAD}{ROW}\n".replace("\n", "\r\n"),
        f"{HEAD}{ROW.replace(': ', ':')}\n",
        f"{HEAD}  {ROW}\n",
    ],
)
def test_line_ends_blank_lines_and_spacing_do_not_matter(content):
    assert dict(lock.parse(content.encode())) == {"L-A": BARE}


def test_a_lock_without_entries_is_empty():
    assert dict(lock.parse(HEAD.encode())) == {}


def test_a_lock_that_is_out_of_order_is_read_and_written_in_order():
    rows = lock.dump({"L-POOL": FULL, "L-A": BARE}).decode().split("\n")
    swapped = "\n".join([rows[0], rows[2], rows[1], ""])
    assert list(lock.parse(swapped.encode())) == ["L-POOL", "L-A"]
    assert lock.dump(lock.parse(swapped.encode())) == "\n".join(rows).encode()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("", "anchors.lock:1:1: its first line does not name the format claimcheck.lock [lock-damaged]"),
        ("\n", "anchors.lock:1:1: its first line does not name the format claimcheck.lock [lock-damaged]"),
        (ROW, "anchors.lock:1:1: its first line does not name the format claimcheck.lock [lock-damaged]"),
        ("[" * 100000, "anchors.lock:1:1: its first line does not name the format claimcheck.lock [lock-damaged]"),
        (
            HEAD.replace("1}", "2}"),
            "anchors.lock:1:1: version 2 of the format; this claimcheck reads version 1 [lock-version]",
        ),
        (
            HEAD.replace("1}", '"1"}'),
            "anchors.lock:1:1: version 1 of the format; this claimcheck reads version 1 [lock-version]",
        ),
        (f"{HEAD}{ROW[:40]}\n", "anchors.lock:2:1: not JSON [lock-damaged]"),
        (f"{HEAD}{ROW}{ROW}\n", "anchors.lock:2:1: not JSON [lock-damaged]"),
        (f"{HEAD}[1]\n", "anchors.lock:2:1: no lock entry [lock-damaged]"),
        (f"{HEAD}{'[' * 100000}\n", "anchors.lock:2:1: not JSON [lock-damaged]"),
        (f'{HEAD}{{"id": "L-A", "x": 1}}\n', "anchors.lock:2:1: no lock entry [lock-damaged]"),
        (
            f"{HEAD}{ROW}\n{ROW}\n",
            "anchors.lock:3:1: L-A stands twice; first in line 2 [duplicate-id]",
        ),
        (
            f"{HEAD}<<<<<<< ours\n{ROW}\n=======\n>>>>>>> theirs\n",
            "anchors.lock:2:1: an unresolved merge conflict, markers in 3 lines down to line 5 [merge-conflict]",
        ),
        (f"{HEAD}{ROW}\n".encode() + b"\xff\n", "anchors.lock:3:1: not UTF-8 [not-utf8]"),
        (
            f"{HEAD}{ROW.replace('unreviewed', 'fine')}\n",
            "anchors.lock:2:1: a lock entry without a proper `review` [lock-damaged]",
        ),
        (
            f"{HEAD}{ROW.replace('[]', '[1]')}\n",
            "anchors.lock:2:1: a lock entry without a proper `regions` [lock-damaged]",
        ),
        (
            f"{HEAD}{ROW.replace('README.md', 'x').replace(PIN, '7').replace(chr(34) + '7' + chr(34), '7')}\n",
            "anchors.lock:2:1: a lock entry without a proper `commit` [lock-damaged]",
        ),
    ],
)
def test_damage_is_told_with_its_line(content, line):
    assert told(content) == [line]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("lines", [1]),
        ("lines", [1, "2"]),
        ("lines", [1, True]),
        ("digest", None),
        ("tokens", 1),
        ("symbol", []),
        ("before", "123"),
        ("fingerprint", "1234567g"),
        ("after", ["00000001"]),
        ("strings", [["a", 1, 1]]),
        ("strings", [[1, 1, 1, 1]]),
        ("strings", {}),
    ],
)
def test_a_damaged_part_of_a_region_is_told_when_its_entry_is_read(key, value):
    row = json.loads(ROW)
    row["regions"] = [{"lines": [1, 2], "digest": "d", key: value}]
    assert told(f"{HEAD}{json.dumps(row)}\n") == [
        f"anchors.lock:2:1: a lock entry without a proper `{key}` [lock-damaged]"
    ]


def test_damage_in_one_entry_does_not_hide_the_others():
    bad = ROW.replace("L-A", "L-B").replace("[]", "[1]")
    entries = lock.parse(f"{HEAD}{ROW}\n{bad}\n".encode())
    assert entries["L-A"] == BARE
    assert "L-B" in entries
    with pytest.raises(RegistryError):
        entries["L-B"]
    assert bad in lock.updated(entries, {"L-POOL": FULL}).decode()


def test_all_damaged_lines_are_told_at_once():
    assert told(f"{HEAD}x\n{ROW}\ny\n") == [
        "anchors.lock:2:1: not JSON [lock-damaged]",
        "anchors.lock:4:1: not JSON [lock-damaged]",
    ]


def test_an_unknown_id_is_not_there():
    entries = lock.parse(f"{HEAD}{ROW}\n".encode())
    assert entries.get("L-NONE") is None
    assert len(entries) == 1


def test_the_registry_is_loaded_with_its_lock(tmp_path):
    (tmp_path / "anchors.yaml").write_text(
        f'vendors:\n  lib:\n    commit: "{PIN}"\n    prefix: L\nanchors:\n  L-A: {{path: README.md}}\n'
    )
    (tmp_path / "anchors.lock").write_bytes(lock.dump({"L-A": BARE, "L-POOL": FULL}))
    loaded = registry.load(Project(tmp_path))
    assert loaded.lock_of(loaded.anchors["L-A"]) == BARE
    assert loaded.lock["L-POOL"].review is ReviewState.REVIEWED


def test_damage_of_the_lock_stands_behind_that_of_the_registry(tmp_path):
    (tmp_path / "anchors.yaml").write_text("anchors: [\n")
    (tmp_path / "anchors.lock").write_text("x")
    with pytest.raises(RegistryError) as caught:
        registry.load(Project(tmp_path))
    assert [found.place.path for found in caught.value.findings] == ["anchors.yaml", "anchors.lock"]
