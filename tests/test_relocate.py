"""What became of regions between two texts: cases from files, renames, many regions, and work without the old text."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from claimcheck.locking import lock_anchor
from claimcheck.model import Anchor, Lines, Region, ReviewState, Watch
from claimcheck.outcome import (
    Ambiguous,
    Change,
    Cosmetic,
    Deleted,
    Edited,
    Extent,
    Located,
    Moved,
    Outcome,
    Renamed,
    Unavailable,
    Unchanged,
    spot_of,
)
from claimcheck.relocate import STRATEGIES, relocate
from claimcheck.texts import SourceText


def source(text: str) -> SourceText:
    return SourceText(text, hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest())


@dataclass
class Files:
    """A commit as a dictionary of texts, with the hints that git would give."""

    texts: Mapping[str, str]
    renamed: Mapping[str, str] = field(default_factory=dict)

    def text(self, path: str) -> SourceText | None:
        return source(self.texts[path]) if path in self.texts else None

    def blob_id(self, path: str) -> str | None:
        found = self.text(path)
        return found.blob if found is not None else None

    def renames(self) -> Mapping[str, str]:
        return self.renamed

    def follow(self, path: str) -> str | None:
        return self.renamed.get(path)

    def touched(self) -> Mapping[str, str]:
        return {path: source(text).blob for path, text in self.texts.items()}

    @property
    def notes(self) -> Sequence[str]:
        return ()


def anchor(lines: str, *find: str, path: str = "a.py", watch: Watch | None = None) -> Anchor:
    return Anchor("T-ONE", "t", path, tuple(Region(ranged(one)) for one in lines.split()), find, watch=watch)


def ranged(text: str) -> Lines:
    first, _, last = text.partition("-")
    return Lines(int(first), int(last or first))


def marked(text: str) -> tuple[list[str], list[Lines]]:
    """The lines of a marked text without their marks, and the regions that are marked."""
    rows = [(line[:1], line[2:]) for line in text.splitlines()]
    regions = []
    for mark in ">2":
        numbers = [n for n, row in enumerate(rows, 1) if row[0] == mark]
        if numbers:
            assert numbers == list(range(numbers[0], numbers[-1] + 1)), "a region is in one piece"
            regions.append(Lines(numbers[0], numbers[-1]))
    return [row[1] for row in rows], regions


CASES = [
    (f"{file.stem}: {case['case']}", case)
    for file in sorted((Path(__file__).parent / "cases" / "relocation").glob("*.yaml"))
    for case in yaml.safe_load(file.read_text("utf-8"))
]


def test_many_of_the_cases_need_nobody() -> None:
    quiet = [case for _, case in CASES if set(case["outcome"].split()) <= {"unchanged", "moved", "cosmetic"}]
    assert len(CASES) > 40
    assert len(quiet) >= 0.45 * len(CASES)
    assert len({name for name, _ in CASES}) == len(CASES)


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_case(case: dict) -> None:
    path = case.get("path", "a.py")
    before, regions = marked(case["before"])
    after, wanted = marked(case["after"])
    end = "\n" if case.get("final-newline", True) else ""
    new = "\n".join(after) + end
    for old_words, new_words in case.get("replace", {}).items():
        new = new.replace(old_words, new_words)
    if case.get("line-end") == "crlf":
        new = new.replace("\n", "\r\n")
    one = Anchor(
        "T-ONE",
        "t",
        path,
        tuple(Region(lines) for lines in regions),
        tuple(case.get("find", ())),
        watch=Watch(case["watch"]) if "watch" in case else None,
    )
    outcomes = relocate(one, source("\n".join(before) + end), None, Files({path: new}))
    assert " ".join(outcome.name for outcome in outcomes) == case["outcome"], outcomes
    assert [spot.lines for outcome in outcomes if (spot := spot_of(outcome))] == wanted, outcomes
    if "change" in case:
        (outcome,) = outcomes
        assert isinstance(outcome, Cosmetic | Edited)
        assert outcome.change is Change(case["change"])
    for outcome in outcomes:
        assert 0 <= outcome.confidence < 1 and outcome.evidence


BODY = "def one(a):\n    x = a.first\n    return x\n\n\ndef two(a):\n    y = a.second\n    return y\n"


class TestSameFile:
    def test_the_same_blob_is_not_looked_at(self) -> None:
        outcomes = relocate(anchor("1-3 6-8"), source(BODY), None, Files({"a.py": BODY}))
        assert [(outcome.name, outcome.evidence) for outcome in outcomes] == [("unchanged", "same blob")] * 2
        assert [outcome.to.symbol for outcome in outcomes if isinstance(outcome, Unchanged)] == ["one", "two"]

    @pytest.mark.parametrize(("lines", "count"), [("9-20", 8), ("2-9999999", 8), ("1", 0)])
    def test_a_range_beyond_the_recorded_file_says_how_long_that_is(self, lines: str, count: int) -> None:
        old = BODY if count else ""
        (outcome,) = relocate(anchor(lines), source(old), None, Files({"a.py": "x = 1\n"}))
        assert isinstance(outcome, Unavailable) and f"a.py has {count} lines there" in outcome.reason

    def test_one_bad_region_does_not_hide_the_others(self) -> None:
        outcomes = relocate(anchor("1-3 80-90"), source(BODY), None, Files({"a.py": "\n" + BODY}))
        assert [outcome.name for outcome in outcomes] == ["moved", "unavailable"]

    def test_identical_candidates_are_listed_with_their_lines_and_a_remedy(self) -> None:
        old = "first(x)\nx.check()\nx.save()\nsecond(x)\n"
        new = "alpha\nx.check()\nx.save()\nomega\nx.check()\nx.save()\n"
        (outcome,) = relocate(anchor("2-3", path="a.txt"), source(old), None, Files({"a.txt": new}))
        assert isinstance(outcome, Ambiguous)
        assert [candidate.lines for candidate in outcome.candidates] == [Lines(2, 3), Lines(5, 6)]
        assert outcome.evidence == "the same text 2 times, at lines 2, 5"
        assert "extend the region" in outcome.remedy

    def test_one_that_is_left_of_several_is_not_taken_for_the_region(self) -> None:
        old = "first(x)\nx.check()\nx.save()\nsecond(x)\nx.check()\nx.save()\n"
        new = "alpha\nx.check()\nx.save()\nomega\n"
        (outcome,) = relocate(anchor("2-3", path="a.txt"), source(old), None, Files({"a.txt": new}))
        assert isinstance(outcome, Ambiguous)
        assert outcome.evidence == "the same text 2 times before, once now, at line 2"
        assert [candidate.confidence for candidate in outcome.candidates] == [0.5]

    def test_a_deleted_region_may_leave_a_trail_that_is_not_the_answer(self) -> None:
        files = {"a.py": BODY[: BODY.index("def two")], "b.py": "def other():\n    z = a.second\n    return 5\n"}
        (outcome,) = relocate(anchor("6-8", "a.second"), source(BODY), None, Files(files))
        assert isinstance(outcome, Deleted)
        assert outcome.evidence == "`two` and its text are not in a.py any more"
        assert [(one.path, one.lines) for one in outcome.trail] == [("b.py", Lines(2, 2))]

    def test_the_symbol_of_an_anchor_without_ranges_is_its_region(self) -> None:
        one = Anchor("T-ONE", "t", "a.py", symbol="two")
        (outcome,) = relocate(one, source(BODY), None, Files({"a.py": "import x\n" + BODY}))
        assert isinstance(outcome, Moved) and outcome.to.lines == Lines(7, 9)
        (outcome,) = relocate(replace(one, symbol="three"), source(BODY), None, Files({"a.py": "import x\n"}))
        assert isinstance(outcome, Unavailable) and "`three`" in outcome.reason

    def test_a_renamed_definition_is_an_edit_and_said_to_be(self) -> None:
        new = BODY.replace("def two", "def second_of")
        (outcome,) = relocate(anchor("6-8"), source(BODY), None, Files({"a.py": new}))
        assert isinstance(outcome, Edited) and "another name" in outcome.evidence
        assert outcome.to.symbol == "second_of"

    def test_a_region_where_the_parser_gave_up_is_found_by_its_text_and_marked(self) -> None:
        new = BODY + "\n<<<<<<< HEAD\ndef three(:\n"
        damaged = "import x\n" + new.replace("x = a.first", "x = = a.first")
        outcomes = relocate(anchor("1-3 6-8"), source(BODY), None, Files({"a.py": damaged}))
        assert [outcome.name for outcome in outcomes] == ["edited", "moved"]

    def test_every_strategy_is_listed(self) -> None:
        assert [strategy.__name__ for strategy in STRATEGIES] == [
            "by_line_map",
            "by_text",
            "by_text_but_for_space",
            "by_headings",
            "by_lines",
            "by_symbol",
            "by_renamed_symbol",
            "by_changed_text",
            "by_strings",
        ]


class TestRenamedFiles:
    def test_gits_word_for_a_rename_is_followed(self) -> None:
        tree = Files({"lib/b.py": "import x\n" + BODY}, {"a.py": "lib/b.py"})
        outcomes = relocate(anchor("1-3 6-8"), source(BODY), None, tree)
        assert [outcome.name for outcome in outcomes] == ["renamed", "renamed"]
        assert [(spot.path, str(spot.lines)) for outcome in outcomes if (spot := spot_of(outcome))] == [
            ("lib/b.py", "2-4"),
            ("lib/b.py", "7-9"),
        ]

    def test_a_renamed_file_that_changed_in_the_region_is_edited_there(self) -> None:
        tree = Files({"b.py": BODY.replace("a.second", "a.last")}, {"a.py": "b.py"})
        (outcome,) = relocate(anchor("6-8"), source(BODY), None, tree)
        assert isinstance(outcome, Edited) and outcome.to.path == "b.py"

    def test_the_one_touched_file_of_the_same_content(self) -> None:
        (outcome,) = relocate(anchor("6-8"), source(BODY), None, Files({"c.py": BODY, "d.py": "x = 1\n"}))
        assert isinstance(outcome, Renamed) and outcome.to.path == "c.py"

    def test_two_files_of_the_same_content_are_ambiguous(self) -> None:
        (outcome,) = relocate(anchor("6-8"), source(BODY), None, Files({"c.py": BODY, "d.py": BODY}))
        assert isinstance(outcome, Ambiguous) and {one.path for one in outcome.candidates} == {"c.py", "d.py"}

    def test_gits_word_does_not_choose_between_two_files_of_the_same_content(self) -> None:
        (outcome,) = relocate(anchor("6-8"), source(BODY), None, Files({"c.py": BODY, "d.py": BODY}, {"a.py": "c.py"}))
        assert isinstance(outcome, Ambiguous) and {one.path for one in outcome.candidates} == {"c.py", "d.py"}
        changed = Files({"c.py": "import x\n" + BODY, "d.py": BODY}, {"a.py": "c.py"})
        (outcome,) = relocate(anchor("6-8"), source(BODY), None, changed)
        assert isinstance(outcome, Renamed) and outcome.to.path == "c.py"

    def test_a_hint_that_leads_nowhere_is_only_a_hint(self) -> None:
        (outcome,) = relocate(anchor("6-8"), source(BODY), None, Files({"d.py": "x = 1\n"}, {"a.py": "gone.py"}))
        assert isinstance(outcome, Deleted) and outcome.evidence.startswith("a.py is not there any more")

    def test_a_definition_that_went_to_another_file_unchanged(self) -> None:
        files = {"a.py": BODY[: BODY.index("def two")], "b.py": "import x\n\n" + BODY[BODY.index("def two") :]}
        (outcome,) = relocate(anchor("6-8"), source(BODY), None, Files(files))
        assert isinstance(outcome, Renamed)
        assert (outcome.to.path, outcome.to.lines) == ("b.py", Lines(3, 5))

    def test_a_definition_that_went_to_another_file_and_changed(self) -> None:
        moved = "import x\n\n" + BODY[BODY.index("def two") :].replace("y\n", "y or None\n")
        (outcome,) = relocate(
            anchor("6-8"), source(BODY), None, Files({"a.py": BODY[: BODY.index("def two")], "b.py": moved})
        )
        assert isinstance(outcome, Edited) and outcome.to.path == "b.py" and "another file" in outcome.evidence

    def test_a_namesake_in_another_file_is_not_the_definition(self) -> None:
        other = "def two(b):\n    for c in b:\n        c.close()\n"
        (outcome,) = relocate(
            anchor("6-8"), source(BODY), None, Files({"a.py": BODY[: BODY.index("def two")], "b.py": other})
        )
        assert isinstance(outcome, Deleted)

    def test_a_file_that_was_split(self) -> None:
        """What moved is renamed, what also changed is edited there, what is gone is deleted."""
        pieces = [
            f"def piece_{n}(a):\n    value = a.part_{n}\n    a.note({n}, value)\n    return value\n" for n in range(6)
        ]
        old = source("\n\n".join(pieces))
        moved = "\n\n".join([*pieces[2:4], pieces[4].replace("return value", "return value or None")])
        tree = Files({"lib/a.py": "\n\n".join(pieces[:2]), "lib/planning.py": moved, "far/away.py": "x = 1\n"})
        one = anchor("1-4 7-10 13-16 19-22 25-28 31-34", path="lib/a.py")
        outcomes = [relocate(replace(one, regions=(region,)), old, None, tree)[0] for region in one.regions]
        assert [outcome.name for outcome in outcomes] == [
            "unchanged",
            "unchanged",
            "renamed",
            "renamed",
            "edited",
            "deleted",
        ]
        spots = [spot for outcome in outcomes if (spot := spot_of(outcome))]
        assert [(spot.path, str(spot.lines)) for spot in spots][2:] == [
            ("lib/planning.py", "1-4"),
            ("lib/planning.py", "7-10"),
            ("lib/planning.py", "13-16"),
        ]

    def test_the_nearest_of_many_files_are_looked_at(self) -> None:
        two = BODY[BODY.index("def two") :]
        crowd = {f"other/place_{n}/x.py": f"y = {n}\n" for n in range(1_000)}
        files = {"lib/core/a.py": BODY[: BODY.index("def two")], "lib/core/b.py": "import x\n\n" + two, **crowd}
        (outcome,) = relocate(anchor("6-8", path="lib/core/a.py"), source(BODY), None, Files(files))
        assert isinstance(outcome, Renamed) and outcome.to.path == "lib/core/b.py"

    def test_a_file_that_is_there_and_cannot_be_read_is_not_called_gone(self) -> None:
        class Damaged(Files):
            def text(self, path: str) -> SourceText | None:
                return None

            def blob_id(self, path: str) -> str | None:
                return "1" * 40 if path in self.texts else None

        for one in (anchor("6-8"), Anchor("T-ONE", "t", "a.py")):
            (outcome,) = relocate(one, source(BODY), None, Damaged({"a.py": BODY}))
            assert isinstance(outcome, Unavailable) and outcome.reason == "a.py is there, but its text cannot be read"

    def test_what_the_hints_lack_is_said(self) -> None:
        class Lacking(Files):
            @property
            def notes(self) -> Sequence[str]:
                return ("history is not known: an object is missing",)

        (outcome,) = relocate(anchor("6-8"), source(BODY), None, Lacking({"d.py": "x = 1\n"}))
        assert isinstance(outcome, Deleted) and outcome.evidence.endswith(
            "; history is not known: an object is missing"
        )

    def test_regions_that_end_up_in_different_files_need_a_person(self) -> None:
        files = {"a.py": BODY[: BODY.index("def two")], "b.py": "import x\n\n" + BODY[BODY.index("def two") :]}
        outcomes = relocate(anchor("1-3 6-8"), source(BODY), None, Files(files))
        assert [outcome.name for outcome in outcomes] == ["unchanged", "ambiguous"]
        assert isinstance(outcomes[1], Ambiguous)
        assert outcomes[1].remedy == "an anchor has one file: make a second anchor for b.py:3-5"


class TestWholeFiles:
    WHOLE = Anchor("T-ONE", "t", "a.py")

    @pytest.mark.parametrize(
        ("files", "renamed", "name"),
        [
            ({"a.py": BODY}, {}, "unchanged"),
            ({"a.py": BODY.replace("\n", "\r\n")}, {}, "unchanged"),
            ({"b.py": BODY}, {}, "renamed"),
            ({"a.py": BODY + "\n# the end\n"}, {}, "cosmetic"),
            ({"a.py": BODY + "z = 1\n"}, {}, "edited"),
            ({"b.py": BODY + "z = 1\n"}, {"a.py": "b.py"}, "edited"),
            ({"b.py": "z = 1\n"}, {}, "deleted"),
        ],
    )
    def test_a_whole_file_follows_its_path(self, files: dict, renamed: dict, name: str) -> None:
        (outcome,) = relocate(self.WHOLE, source(BODY), None, Files(files, renamed))
        assert outcome.name == name


class TestWithoutTheOldText:
    POOL = (
        "class Pool:\n    def take(self, n):\n        found = self.free[:n]\n        return found\n\n"
        "    def give(self, b):\n        self.free += b\n        self.log(b)\n        self.log(self)\n"
    )

    def locked(self, lines: str, *find: str) -> tuple[Anchor, object]:
        one = anchor(lines, *find)
        return one, lock_anchor(one, "c" * 40, source(self.POOL), ReviewState.REVIEWED, "c" * 40)

    def found(self, one: Anchor, lock: object, text: str) -> Outcome:
        (outcome,) = relocate(one, None, lock, Files({"a.py": text}))  # type: ignore[arg-type]
        return outcome

    def test_the_fingerprint_gives_the_exact_place_and_nothing_is_compared(self) -> None:
        outcome = self.found(*self.locked("6-9"), "import x\n\n" + self.POOL)
        assert isinstance(outcome, Located)
        assert (outcome.to.lines, outcome.to.extent, outcome.to.symbol) == (Lines(8, 11), Extent.EXACT, "Pool.give")
        assert outcome.evidence == "the lock's fingerprint, 100% of the lines"

    def test_white_space_does_not_hide_it(self) -> None:
        outcome = self.found(*self.locked("6-9"), self.POOL.replace("    ", "\t"))
        assert isinstance(outcome, Located) and outcome.to.lines == Lines(6, 9)

    def test_most_lines_in_one_place_are_enough(self) -> None:
        new = self.POOL.replace("self.log(b)", "self.log(b, 1)")
        outcome = self.found(*self.locked("6-9"), new)
        assert isinstance(outcome, Located) and outcome.to.lines == Lines(6, 9)
        assert outcome.evidence == "the lock's fingerprint, 75% of the lines"

    def test_equal_blocks_are_told_apart_by_what_stands_around_them(self) -> None:
        text = "".join(f"def f_{n}():\n    a()\n    b()\n\n" for n in range(4))
        one = anchor("6-7")
        lock = lock_anchor(one, "c" * 40, source(text), ReviewState.UNREVIEWED, None)
        outcome = self.found(one, lock, "x = 1\n\n" + text)
        assert isinstance(outcome, Located) and outcome.to.lines == Lines(8, 9)

    def test_equal_blocks_with_nothing_to_tell_them_apart_are_ambiguous(self) -> None:
        one = anchor("6-7")
        old = "".join(f"def f_{n}():\n    a()\n    b()\n\n" for n in range(4))
        lock = lock_anchor(one, "c" * 40, source(old), ReviewState.UNREVIEWED, None)
        outcome = self.found(one, lock, "p\n    a()\n    b()\nq\nr\n    a()\n    b()\ns\n")
        assert isinstance(outcome, Ambiguous)
        assert [candidate.lines.first for candidate in outcome.candidates] == [2, 6]

    def test_rewritten_text_is_found_by_its_string_then(self) -> None:
        new = "class Pool:\n    def give(self, blocks):\n        for block in blocks:\n            put(block)\n"
        outcome = self.found(*self.locked("6-9", "def give"), new)
        assert isinstance(outcome, Located) and outcome.to.lines == Lines(2, 4)
        assert outcome.to.extent is Extent.DEFINITION

    def test_rewritten_text_without_a_string_is_found_by_the_locks_symbol(self) -> None:
        new = "class Pool:\n    def give(self, blocks):\n        for block in blocks:\n            put(block)\n"
        outcome = self.found(*self.locked("6-9"), new)
        assert isinstance(outcome, Located) and outcome.evidence == "`Pool.give`, by the lock"

    def test_nothing_to_look_for(self) -> None:
        new = "class Pool:\n    def put(self, blocks):\n        for block in blocks:\n            put(block)\n"
        outcome = self.found(*self.locked("6-9"), new)
        assert isinstance(outcome, Unavailable) and "no search string of its own" in outcome.reason

    def test_without_a_lock_the_strings_have_to_do(self) -> None:
        outcome = self.found(anchor("30-33", "def give"), None, self.POOL)
        assert isinstance(outcome, Located) and outcome.to.lines == Lines(6, 9)

    def test_a_lock_of_another_shape_is_not_used(self) -> None:
        _, lock = self.locked("6-9")
        outcomes = relocate(anchor("2-4 6-9", "def take", "def give"), None, lock, Files({"a.py": self.POOL}))  # type: ignore[arg-type]
        assert [str(spot.lines) for outcome in outcomes if (spot := spot_of(outcome))] == ["2-4", "6-9"]

    def test_a_file_that_is_not_there(self) -> None:
        outcomes = relocate(anchor("2-4 6-9", "def give"), None, None, Files({}))
        assert [outcome.name for outcome in outcomes] == ["unavailable"] * 2
        assert all(isinstance(one, Unavailable) and one.reason == "a.py is not there" for one in outcomes)

    def test_a_renamed_file_is_followed(self) -> None:
        (outcome,) = relocate(anchor("30-33", "def give"), None, None, Files({"b.py": self.POOL}, {"a.py": "b.py"}))
        assert isinstance(outcome, Located) and outcome.to.path == "b.py"


class TestBounds:
    @pytest.mark.parametrize("kind", ["nothing in common", "few distinct lines", "one long line"])
    def test_large_texts_are_answered(self, kind: str) -> None:
        chance = random.Random(7)
        if kind == "nothing in common":
            old, new = ([f"x = {chance.random()}" for _ in range(50_000)] for _ in range(2))
        elif kind == "few distinct lines":
            old, new = ([f"x = {chance.randrange(9)}" for _ in range(30_000)] for _ in range(2))
        else:
            old, new = ["x = '" + "a" * 2_000_000 + "'"], ["x = '" + "a" * 1_999_999 + "b'"]
        (outcome,) = relocate(anchor("1", path="a.txt"), source("\n".join(old)), None, Files({"a.txt": "\n".join(new)}))
        assert outcome.name in {"deleted", "ambiguous"}

    @given(
        st.lists(
            st.sampled_from(["def f():", "    a = 1", "    return a", "", "x = 2", "# c", "f()"]),
            min_size=1,
            max_size=25,
        ),
        st.lists(st.sampled_from(["def f():", "    a = 1", "    return a", "", "x = 2", "# c", "g()"]), max_size=25),
        st.data(),
    )
    @settings(max_examples=200, deadline=None)
    def test_an_answer_is_always_inside_the_file_and_never_unequal_text_called_equal(
        self, old: list[str], new: list[str], data: st.DataObject
    ) -> None:
        first = data.draw(st.integers(1, len(old)))
        lines = Lines(first, data.draw(st.integers(first, len(old))))
        before, after = source("".join(x + "\n" for x in old)), source("".join(x + "\n" for x in new))
        one = Anchor("T-ONE", "t", "a.py", (Region(lines),), ("f()",))
        (outcome,) = relocate(one, before, None, Files({"a.py": after.text}))
        spot = spot_of(outcome)
        if spot:
            assert 1 <= spot.lines.first <= spot.lines.last <= len(after)
            same = after.cut(spot.lines) == before.cut(lines)
            assert same is isinstance(outcome, Unchanged | Moved | Renamed)

    @pytest.mark.parametrize(
        "path", ["a.java", "a.ts", "a.go", "a.c", "a.rs", "a.cs", "a.rb", "a.php", "a.jsx", "a.json"]
    )
    @given(st.data())
    @settings(max_examples=40, deadline=None)
    def test_the_same_in_every_language(self, path: str, data: st.DataObject) -> None:
        lines = st.sampled_from(
            ["void f(int a) {", "  b(a);", "  if (a) {", "  } else {", "  }", "}", "", "// c", "x = 2;"]
        )
        old, new = (data.draw(st.lists(lines, min_size=1, max_size=20)) for _ in range(2))
        first = data.draw(st.integers(1, len(old)))
        region = Lines(first, data.draw(st.integers(first, len(old))))
        before, after = source("\n".join(old) + "\n"), source("\n".join(new) + "\n")
        one = Anchor("T-ONE", "t", path, (Region(region),))
        named, unnamed = (
            relocate(one, before, None, Files({path: after.text}), named=named)[0] for named in (True, False)
        )
        spot, other = spot_of(named), spot_of(unnamed)
        assert (named.name, spot and spot.lines) == (unnamed.name, other and other.lines)
        if spot:
            assert 1 <= spot.lines.first <= spot.lines.last <= len(after)
            assert (after.cut(spot.lines) == before.cut(region)) is isinstance(named, Unchanged | Moved | Renamed)

    @given(
        st.lists(st.sampled_from(["def f():", "    a = 1", "    return a", "", "x = 2", "f()"]), max_size=12),
        st.lists(st.sampled_from(["# above", "import y", ""]), min_size=1, max_size=5),
    )
    @settings(max_examples=100, deadline=None)
    def test_lines_put_above_move_a_unique_region_by_their_number(self, rest: list[str], above: list[str]) -> None:
        text = "def target(only):\n    return only.here\n\n" + "".join(line + "\n" for line in rest)
        new = "".join(line + "\n" for line in above) + text
        (outcome,) = relocate(anchor("1-2"), source(text), None, Files({"a.py": new}))
        assert isinstance(outcome, Moved)
        assert outcome.to.lines == Lines(1 + len(above), 2 + len(above))
