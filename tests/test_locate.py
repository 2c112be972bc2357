"""Regions placed by their strings and recorded ranges alone, in made-up texts and, where they are at hand, real ones."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimcheck.locate import NO_STRING_REASON, locate
from claimcheck.model import Anchor, Lines, Region
from claimcheck.outcome import Ambiguous, Deleted, Extent, Located, Outcome, Unavailable, spot_of
from claimcheck.syntax import outline
from claimcheck.texts import SourceText


def source(text: str) -> SourceText:
    return SourceText(text, hashlib.sha1(text.encode()).hexdigest())


def anchor(lines: str, *find: str, path: str = "pool.py", symbol: str | None = None) -> Anchor:
    return Anchor("T-ONE", "t", path, tuple(Region(ranged(one)) for one in lines.split()), find, symbol=symbol)


def ranged(text: str) -> Lines:
    first, _, last = text.partition("-")
    return Lines(int(first), int(last or first))


def located(one: Anchor, text: str) -> tuple[Outcome, ...]:
    return locate(one, source(text), outline(text, one.path))


def shown(outcomes: tuple[Outcome, ...]) -> str:
    """`5-9` where a region was located (`=` in front for the extent of definitions), else the outcome's name."""
    return " ".join(
        f"{'=' if one.to.extent is Extent.DEFINITION else ''}{one.to.lines}" if isinstance(one, Located) else one.name
        for one in outcomes
    )


def filler(count: int, name: str = "filler") -> str:
    return "".join(f"{name}_{n} = {n}\n" for n in range(count))


POOL = '''\
class Pool:
    """A pool of blocks."""

    def take(self, count):
        found = []
        for _ in range(count):
            found.append(self.free.get())
        return found

    def give(self, blocks):
        for block in blocks:
            self.free.put(block)

    def is_empty(self):
        return not self.free

    def drop(self, blocks):
        self.give(blocks)
        self.take(len(blocks))
        for block in blocks:
            block.clear()
'''


class TestDefinitions:
    @pytest.mark.parametrize("find", ["take", "def take", "def take(self", "take(self, count)"])
    def test_a_string_that_says_a_definition_gives_its_extent(self, find: str) -> None:
        assert shown(located(anchor("30-34", find), POOL)) == "=4-8"

    def test_a_definition_goes_before_its_uses(self) -> None:
        (outcome,) = located(anchor("17-19", "give"), POOL)
        assert shown((outcome,)) == "=10-12"
        assert isinstance(outcome, Located) and outcome.to.symbol == "Pool.give"
        assert outcome.evidence == "`give` at 10 (one of 2)"

    def test_definitions_that_a_region_names_are_joined_over_what_lies_between(self) -> None:
        (outcome,) = located(anchor("50-60", "def give", "def drop"), POOL)
        assert shown((outcome,)) == "=10-21"
        assert isinstance(outcome, Located) and outcome.to.symbol == "Pool.give, Pool.is_empty, Pool.drop"

    def test_a_definition_much_longer_than_the_region_only_holds_it(self) -> None:
        text = "def run(x):\n" + "".join(f"    step_{n}(x)\n" for n in range(40))
        assert shown(located(anchor("3-9", "def run"), text)) == "1-7"

    def test_a_definition_much_shorter_than_the_region_is_held_by_it(self) -> None:
        assert shown(located(anchor("10-21", "is_empty"), POOL)) == "10-21"

    @pytest.mark.parametrize(
        ("recorded", "place"), [("30-35", "=4-9"), ("30-34", "=5-9"), ("30-36", "=3-9"), ("30-40", "=4-9")]
    )
    def test_decorators_and_the_comment_above_are_as_the_recorded_length_says(self, recorded: str, place: str) -> None:
        text = "x = 1\n\n# about f\n@deco\ndef f():\n    a = 1\n    b = 2\n    c = 3\n    return a\n"
        assert shown(located(anchor(recorded, "def f"), text)) == place

    def test_a_definition_in_a_header(self) -> None:
        text = (
            "class Queue {\n    int size() const {\n        return n;\n    }\n\n"
            "    void add(int x) {\n        n += x;\n    }\n};\n"
        )
        assert shown(located(anchor("3-5", "void add", path="queue.hpp"), text)) == "=6-8"


class TestDistances:
    def test_a_use_is_taken_where_the_distance_to_another_region_speaks_for_it(self) -> None:
        text = (
            "def first():\n    counter -= 1\n    log()\n\n\ndef second(x):\n    if x:\n        finish(x)\n        log()\n"
            + filler(300)
            + "\ndef finish(x):\n    x.done = True\n    return x\n"
        )
        outcomes = located(anchor("11-13 17-19", "counter -=", "finish"), text)
        assert shown(outcomes) == "=1-3 7-9" or shown(outcomes) == "1-3 7-9"
        assert all(isinstance(one, Located) and one.singled_out for one in outcomes)

    def test_regions_keep_their_order(self) -> None:
        text = "budget = 1\n" + filler(20) + "other = 2\n" + filler(20) + "budget = 3\n"
        assert shown(located(anchor("5 26", "budget =", "other ="), text)) == "1 22"

    def test_strings_that_occur_together_in_one_place_only(self) -> None:
        text = "start(a)\n" + filler(50) + "start(b)\nstop(b)\n" + filler(50) + "stop(c)\n"
        (outcome,) = located(anchor("10-13", "start(", "stop("), text)
        assert isinstance(outcome, Located) and "`start(` at 52 (one of 2)" in outcome.evidence

    def test_a_repeated_string_whose_hits_fit_into_the_region_is_one_place(self) -> None:
        text = "def f():\n    # advance the count\n    # advance the count, later\n    x = 1\n    return x\n\ny = 2\n"
        assert shown(located(anchor("22-25", "advance the count"), text)) == "2-5"

    def test_a_string_alone_that_stands_in_several_places_is_ambiguous(self) -> None:
        text = filler(10) + "go()\n" + filler(30) + "go()\n" + filler(30) + "go()\n"
        (outcome,) = located(anchor("11-12", "go()"), text)
        assert isinstance(outcome, Ambiguous)
        assert [one.lines.first for one in outcome.candidates] == sorted(one.lines.first for one in outcome.candidates)
        assert {line for line in (11, 42, 73) if any(line in one.lines for one in outcome.candidates)} == {11, 42, 73}
        assert outcome.remedy == "`go()` stands on 3 lines; add a string that stands only in this region, or `symbol:`"

    def test_two_definitions_of_one_name_are_ambiguous(self) -> None:
        text = "class A:\n    def run(self):\n        a()\n\n\nclass B:\n    def run(self):\n        b()\n"
        assert shown(located(anchor("2-3", "def run"), text)) == "ambiguous"

    def test_strings_of_one_region_that_are_far_apart_now_are_no_place(self) -> None:
        text = "alpha = 1\n" + filler(200) + "omega = 2\n"
        assert shown(located(anchor("1-5", "alpha =", "omega ="), text)) == "ambiguous"


class TestRegionsWithoutAString:
    ADJACENT = (
        "class S {\n    int head() {\n        return 1;\n    }\n\n    void schedule(int n) {\n        int best = n;\n"
        "        best += 1;\n        use(best);\n    }\n};\n"
    )

    def test_the_string_belongs_to_the_region_in_which_it_stands(self) -> None:
        outcomes = located(anchor("2-4 6-10", "void schedule", "best", path="s.hpp"), self.ADJACENT)
        assert shown(outcomes) == "unavailable =6-10"
        assert isinstance(outcomes[0], Unavailable) and outcomes[0].reason == NO_STRING_REASON

    def test_fewer_strings_than_regions_go_where_the_distances_fit(self) -> None:
        text = filler(10) + "one()\n" + filler(40) + filler(30) + "three()\n" + filler(10)
        assert shown(located(anchor("9-12 45-50 80-84", "one()", "three()"), text)) == "9-12 unavailable 80-84"

    def test_no_strings_at_all(self) -> None:
        assert shown(located(anchor("1-2 4-5"), POOL)) == "unavailable unavailable"

    def test_a_region_whose_string_is_gone_is_deleted_and_the_others_stand(self) -> None:
        one = Anchor(
            "T-ONE", "t", "pool.py", (Region(Lines(4, 8), ("def take",)), Region(Lines(30, 32), ("def recall",)))
        )
        outcomes = located(one, POOL)
        assert shown(outcomes) == "=4-8 deleted"
        assert isinstance(outcomes[1], Deleted) and outcomes[1].evidence == "`def recall` stands nowhere in pool.py"

    def test_all_strings_gone(self) -> None:
        (outcome,) = located(anchor("4-8", "recall", "renew"), POOL)
        assert isinstance(outcome, Deleted) and outcome.evidence == "`recall`, `renew` stand nowhere in pool.py"


class TestGuessedExtents:
    TEXT = (
        "def f(x):\n    a = 1\n\n    # first\n    b = g(\n        x,\n        a,\n    )\n    c = 2\n\n"
        "    d = 3\n    return d\n"
    )

    def test_a_range_that_still_holds_its_string_and_cuts_nothing_stays(self) -> None:
        assert shown(located(anchor("4-9", "b = g("), self.TEXT)) == "4-9"

    def test_a_range_that_would_cut_statements_is_shifted_to_their_ends(self) -> None:
        assert shown(located(anchor("3-7", "b = g("), self.TEXT)) == "4-8"

    def test_a_range_inside_a_docstring_stays(self) -> None:
        text = 'def f():\n    """Of old.\n\n    one\n    two\n    three\n    four\n    """\n    return 1\n'
        assert shown(located(anchor("4-6", "two"), text)) == "4-6"

    def test_paragraphs_where_there_is_no_grammar(self) -> None:
        text = "# Title\n\nsome words\n\nthe point\nof it all\n\nmore\n"
        assert shown(located(anchor("6-7", "the point", path="notes.md"), text)) == "5-6"

    def test_the_place_stays_inside_a_file_that_became_short(self) -> None:
        assert shown(located(anchor("900-940", "the end", path="notes.md"), "a\nb\nthe end\n")) == "1-3"


class TestSymbols:
    @pytest.mark.parametrize("name", ["Pool.give", "give"])
    def test_the_symbol_of_an_anchor_gives_its_extent(self, name: str) -> None:
        assert shown(located(anchor("1-3", symbol=name), POOL)) == "=10-12"
        assert shown(located(Anchor("T-ONE", "t", "pool.py", symbol=name), POOL)) == "=10-12"

    def test_a_symbol_that_is_gone_is_deleted_and_never_its_class(self) -> None:
        (outcome,) = located(anchor("1-3", symbol="Pool.acquire"), POOL)
        assert isinstance(outcome, Deleted) and outcome.evidence == "no definition of `Pool.acquire` in pool.py"

    OVERLOADS = (
        "class A:\n    @overload\n    def f(self, x: int): ...\n    @overload\n    def f(self, x: str): ...\n"
        "    def f(self, x):\n        return 2\n"
    )

    def test_a_symbol_with_several_definitions_is_ambiguous_with_their_lines(self) -> None:
        (outcome,) = located(anchor("1-3", symbol="A.f"), self.OVERLOADS)
        assert isinstance(outcome, Ambiguous)
        assert [one.lines for one in outcome.candidates] == [Lines(2, 3), Lines(4, 5), Lines(6, 7)]
        assert outcome.evidence == "3 definitions of `A.f`: lines 2, 4, 6"

    def test_a_string_inside_tells_them_apart(self) -> None:
        assert shown(located(anchor("1-3", "return 2", symbol="A.f"), self.OVERLOADS)) == "=6-7"

    def test_strings_are_looked_for_only_inside_the_symbol_that_holds_the_region(self) -> None:
        text = "def f():\n    go()\n" + filler(8) + "\ndef g():\n" + "    x()\n" * 12 + "    go()\n    y()\n"
        assert shown(located(anchor("40-41", "go()", symbol="g"), text)) == "25-26"

    def test_without_a_grammar_nothing_is_claimed(self) -> None:
        (outcome,) = located(anchor("1-3", symbol="Pool.give", path="pool.kt"), POOL)
        assert isinstance(outcome, Unavailable) and "no grammar for pool.kt" in outcome.reason

    def test_a_name_in_what_could_not_be_parsed_is_not_called_absent(self) -> None:
        text = "void a() {\n#if X\n  if (p) {\n#else\n  if (q) {\n#endif\n    z();\n  }\n}\nvoid b() { }\n"
        (outcome,) = located(anchor("10", symbol="b", path="x.cpp"), text)
        assert isinstance(outcome, Unavailable) and "parse errors where it is named (line 10)" in outcome.reason
        assert shown(located(anchor("10", "void b() { }", path="x.cpp"), text)) == "10"

    def test_two_heads_of_one_body_are_both_named(self) -> None:
        text = "#ifdef A\nint f(int x) {\n#else\nint f(long x) {\n#endif\n  return 1;\n}\nint g() { return 2; }\n"
        (outcome,) = located(anchor("2-7", symbol="f", path="x.cpp"), text)
        assert isinstance(outcome, Ambiguous) and [one.lines.first for one in outcome.candidates] == [2, 4]
        assert shown(located(anchor("8", symbol="g", path="x.cpp"), text)) == "=8"

    def test_a_place_that_was_not_understood_is_marked(self) -> None:
        text = "float g(float a) {\n  return $ a;\n}\n"
        (outcome,) = located(anchor("1-3", symbol="g", path="k.cu"), text)
        assert isinstance(outcome, Located) and "did not understand" in outcome.evidence and outcome.confidence < 0.8

    def test_a_definition_whose_end_is_not_known_is_no_place(self) -> None:
        text = "int g(int a) {\n  if (a) {\n  return a;\n}\nint h() {\n  return 1;\n}\n"
        (outcome,) = located(anchor("1-4", symbol="g", path="x.cpp"), text)
        assert isinstance(outcome, Unavailable) and "it is not known where it ends" in outcome.reason
        (outcome,) = located(anchor("5-7", symbol="h", path="x.cpp"), text)
        assert isinstance(outcome, Located) and outcome.to.lines == Lines(5, 7)


class TestWholeFiles:
    def test_an_anchor_without_ranges_is_the_file(self) -> None:
        (outcome,) = located(Anchor("T-ONE", "t", "pool.py"), POOL)
        assert isinstance(outcome, Located) and outcome.to.lines == Lines(1, 21) and outcome.singled_out


class TestBounds:
    def test_a_string_on_very_many_lines(self) -> None:
        text = "same line\n" * 20_000
        assert (
            shown(located(anchor("5-6 100-110 3000-3010", "same", "line", "same line"), text)).count("ambiguous") >= 1
        )

    def test_too_many_strings_to_deal_out_are_refused_with_the_way_out(self) -> None:
        one = anchor(" ".join(f"{n * 10}-{n * 10 + 5}" for n in range(1, 20)), *(f"string {n}" for n in range(20)))
        outcomes = located(one, "".join(f"string {n}\n" for n in range(20)))
        assert all(isinstance(outcome, Unavailable) and "its own `find`" in outcome.reason for outcome in outcomes)

    def test_many_regions_in_the_long_form(self) -> None:
        regions = tuple(Region(Lines(10 * n + 1, 10 * n + 3), (f"mark {n}.",)) for n in range(200))
        text = "".join("x\n" * 7 + f"mark {n}.\nend\n\n" for n in range(200))
        outcomes = located(Anchor("T-ONE", "t", "notes.md", regions), text)
        assert all(isinstance(outcome, Located) for outcome in outcomes)

    @given(
        st.lists(st.sampled_from(["a()", "b()", "def a():", "    c = 1", "", "# a", "x"]), max_size=40),
        st.lists(st.integers(1, 60), min_size=1, max_size=6, unique=True),
        st.lists(st.sampled_from(["a()", "b()", "def a", "c = 1", "zzz"]), max_size=3),
        st.sampled_from(["x.py", "x.md"]),
    )
    @settings(max_examples=200, deadline=None)
    def test_every_region_is_answered_inside_the_file(
        self, lines: list[str], edges: list[int], find: list[str], path: str
    ) -> None:
        edges = sorted(edges)
        regions = tuple(Region(Lines(a, b)) for a, b in zip(edges[::2], edges[1::2], strict=False)) or (
            Region(Lines(1, 1)),
        )
        text = source("".join(line + "\n" for line in lines))
        outcomes = locate(Anchor("T-ONE", "t", path, regions, tuple(find)), text, outline(text.text, path))
        assert len(outcomes) == len(regions)
        for outcome in outcomes:
            spot = spot_of(outcome)
            if spot:
                assert 1 <= spot.lines.first <= spot.lines.last <= len(text)
                assert any(text.hits(string, spot.lines) for string in find)
