"""What became of regions in the languages whose grammars are an extra: the same changes made to each of them.

The texts are in `cases/languages`, one file for each grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from claimcheck.grammars import GRAMMARS
from claimcheck.model import Anchor, Lines, Region
from claimcheck.outcome import (
    Ambiguous,
    Change,
    Cosmetic,
    Deleted,
    Edited,
    Moved,
    Outcome,
    Unchanged,
    spot_of,
)
from claimcheck.relocate import relocate
from claimcheck.syntax import outline
from test_relocate import Files, marked, source

Pair = tuple[str, str]


@dataclass(frozen=True)
class Language:
    """A file of three functions, `take` and `give` of which look alike, and what is changed in `take`.

    Pairs are a text that stands once in `take` (`added`: in `top`) and what takes its place. `part` is some lines of
    `take`; `statement` a line with a word to be put in; `head` what may stand above a definition, and belongs to it
    or not. `twins` are two definitions in different surroundings that have the lines `twin` in common.
    """

    path: str
    elsewhere: str
    top: str
    take: str
    give: str
    size: str
    size_renamed: Pair
    bottom: str
    name: str
    renamed: Pair
    added: Pair
    remark: Pair
    wrapped: Pair
    braces: Pair | None
    operator: Pair
    constant: Pair
    inserted: Pair
    part: str
    part_edited: Pair
    head: str
    head_belongs: bool
    twins: Pair
    twin: str
    twin_names: Pair
    run: Pair
    statement: str
    comment: str = "// {}\n"
    opening: str = ""

    @property
    def text(self) -> str:
        return self.of(self.take, self.give, self.size)

    def of(self, *functions: str) -> str:
        return self.top + "\n".join(functions) + self.bottom

    def added_and(self, *pairs: Pair) -> str:
        """The text with something added at its top and changes in `take`."""
        return changed(self.of(changed(self.take, *pairs), self.give, self.size), self.added)

    @property
    def new_name(self) -> str:
        old, new = (name.rstrip("(") for name in self.renamed)
        return self.name.replace(old, new)

    @property
    def indent(self) -> str:
        return self.take[: len(self.take) - len(self.take.lstrip())]


@dataclass(frozen=True)
class Namesakes:
    """Two texts with overloads or definitions of one name in several scopes; `>` marks the region in each."""

    case: str
    language: str
    before: str
    after: str
    outcome: str
    symbol: str | None = None


def read(file: Path) -> tuple[Language, list[Namesakes]]:
    data = yaml.safe_load(file.read_text("utf-8"))
    namesakes = [Namesakes(language=file.stem, **case) for case in data.pop("namesakes")]
    fields: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in data.items()}
    return Language(**fields), namesakes


FILES = {file.stem: read(file) for file in sorted((Path(__file__).parent / "cases" / "languages").glob("*.yaml"))}
LANGUAGES = {name: language for name, (language, _) in FILES.items()}
NAMESAKES = [one for _, namesakes in FILES.values() for one in namesakes]


def changed(text: str, *pairs: Pair) -> str:
    for old, new in pairs:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def place(text: str, block: str) -> Lines:
    """Where some whole lines stand in a text, in which they stand once."""
    assert block.endswith("\n") and f"\n{text}".count(f"\n{block}") == 1
    first = f"\n{text}"[: f"\n{text}".index(f"\n{block}")].count("\n") + 1
    return Lines(first, first + block.count("\n") - 1)


def followed(language: Language, region: Lines | str, old: str, new: str | Files) -> Outcome:
    """What became of some lines of a text, or of the definition of a name."""
    one = (
        Anchor("T-ONE", "t", language.path, symbol=region)
        if isinstance(region, str)
        else Anchor("T-ONE", "t", language.path, (Region(region),))
    )
    (outcome,) = relocate(one, source(old), None, new if isinstance(new, Files) else Files({language.path: new}))
    assert 0 <= outcome.confidence < 1 and outcome.evidence
    return outcome


def says(outcome: Outcome) -> tuple[object, ...]:
    """The kind of an outcome, what changed if that is told, the place and the confidence."""
    match outcome:
        case Edited() | Cosmetic():
            return outcome.name, outcome.change.value, outcome.to.path, outcome.to.lines, outcome.confidence
        case Ambiguous():
            return outcome.name, [(one.path, one.lines, one.confidence) for one in outcome.candidates]
    spot = spot_of(outcome)
    return (outcome.name, spot.path, spot.lines, outcome.confidence) if spot else (outcome.name, outcome.confidence)


def symbol(outcome: Outcome) -> str | None:
    spot = spot_of(outcome)
    return spot.symbol if spot else None


def test_each_extra_is_here() -> None:
    assert set(LANGUAGES) == {grammar.name for grammar in GRAMMARS} - {"python", "cpp"}


in_each_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=list(LANGUAGES))


@in_each_language
class TestMoved:
    def test_the_text_is_understood(self, language: Language) -> None:
        found = outline(language.text, language.path)
        assert found and not found.errors
        assert found.describe(place(language.text, language.take)) == language.name

    def test_below_the_other_functions(self, language: Language) -> None:
        new = language.of(language.give, language.size, language.take)
        outcome = followed(language, place(language.text, language.take), language.text, new)
        assert says(outcome) == ("moved", language.path, place(new, language.take), 0.95)
        assert symbol(outcome) == language.name

    def test_what_it_was_moved_past(self, language: Language) -> None:
        new = language.of(language.give, language.size, language.take)
        outcome = followed(language, place(language.text, language.give), language.text, new)
        assert says(outcome) == ("moved", language.path, place(new, language.give), 0.98)
        # The last line of the last function may be joined to that of what is the last one now.
        outcome = followed(language, place(language.text, language.size), language.text, new)
        assert says(outcome)[:-1] == ("moved", language.path, place(new, language.size))
        assert outcome.confidence >= 0.95

    def test_two_functions_that_change_places_leave_the_third_alone(self, language: Language) -> None:
        new = language.of(language.give, language.take, language.size)
        there = place(language.text, language.size)
        assert says(followed(language, there, language.text, new)) == ("unchanged", language.path, there, 0.98)

    def test_to_another_file(self, language: Language) -> None:
        other = changed(language.top, language.added) + language.take + language.bottom
        files = Files({language.path: language.of(language.give, language.size), language.elsewhere: other})
        outcome = followed(language, place(language.text, language.take), language.text, files)
        assert says(outcome) == ("renamed", language.elsewhere, place(other, language.take), 0.85)
        assert symbol(outcome) == language.name

    def test_to_another_file_with_a_change(self, language: Language) -> None:
        take = changed(language.take, language.constant)
        other = language.top + take + language.bottom
        files = Files({language.path: language.of(language.give, language.size), language.elsewhere: other})
        outcome = followed(language, place(language.text, language.take), language.text, files)
        assert says(outcome) == ("edited", "code", language.elsewhere, place(other, take), 0.6)

    def test_to_two_other_files(self, language: Language) -> None:
        other = language.top + language.take + language.bottom
        one, two = language.elsewhere, f"more/{language.elsewhere}"
        files = Files({language.path: language.of(language.give, language.size), one: other, two: other})
        outcome = followed(language, place(language.text, language.take), language.text, files)
        there = place(other, language.take)
        assert says(outcome) == ("ambiguous", [(one, there, 0.5), (two, there, 0.5)])

    def test_a_copy_in_another_file_is_nothing_to_the_original(self, language: Language) -> None:
        new = changed(language.text, language.added)
        files = Files({language.path: new, language.elsewhere: language.top + language.take + language.bottom})
        outcome = followed(language, place(language.text, language.take), language.text, files)
        assert says(outcome) == ("moved", language.path, place(new, language.take), 0.98)

    def test_a_copy_in_a_file_of_another_kind_is_no_answer(self, language: Language) -> None:
        files = Files({language.path: language.of(language.give, language.size), "notes.txt": language.text})
        outcome = followed(language, place(language.text, language.take), language.text, files)
        assert says(outcome) == ("deleted", 0.8)

    def test_with_its_file(self, language: Language) -> None:
        new = changed(language.text, language.added)
        files = Files({language.elsewhere: new}, {language.path: language.elsewhere})
        outcome = followed(language, place(language.text, language.take), language.text, files)
        assert says(outcome) == ("renamed", language.elsewhere, place(new, language.take), 0.98)


@in_each_language
class TestRenamed:
    @pytest.mark.parametrize("edited", [False, True], ids=["same body", "small edit"])
    @pytest.mark.parametrize("moved", [False, True], ids=["in place", "moved"])
    def test_another_name(self, language: Language, edited: bool, moved: bool) -> None:
        acquire = changed(language.take, language.renamed, *([language.constant] if edited else []))
        functions = [language.give, language.size]
        functions.insert(2 if moved else 0, acquire)
        new = language.of(*functions)
        outcome = followed(language, place(language.text, language.take), language.text, new)
        assert says(outcome) == ("edited", "code", language.path, place(new, acquire), 0.6)
        assert symbol(outcome) == language.new_name and "another name" in outcome.evidence

    def test_lines_inside_stay_what_they_are(self, language: Language) -> None:
        new = changed(language.text, language.renamed)
        there = place(language.text, language.part)
        outcome = followed(language, there, language.text, new)
        assert says(outcome) == ("unchanged", language.path, there, 0.98)
        assert symbol(outcome) == language.new_name

    def test_a_new_function_that_is_not_like_it_is_not_it(self, language: Language) -> None:
        depth = changed(language.size, language.size_renamed)
        new = language.of(language.give, depth)
        outcome = followed(language, place(language.text, language.take), language.text, new)
        assert says(outcome) == ("deleted", 0.8)
        outcome = followed(language, place(language.text, language.size), language.text, new)
        assert says(outcome) == ("edited", "code", language.path, place(new, depth), 0.6)


@in_each_language
class TestDeleted:
    @pytest.mark.parametrize("below", [False, True], ids=["above the look-alike", "below the look-alike"])
    @pytest.mark.parametrize("edited", [False, True], ids=["look-alike as it was", "look-alike edited"])
    def test_a_look_alike_beside_it_is_not_it(self, language: Language, below: bool, edited: bool) -> None:
        pair = (language.give, language.take) if below else (language.take, language.give)
        old = language.of(*pair, language.size)
        give = language.give.replace("too many", "too few") if edited else language.give
        outcome = followed(language, place(old, language.take), old, language.of(give, language.size))
        assert says(outcome) == ("deleted", 0.8)
        assert isinstance(outcome, Deleted) and not outcome.trail
        assert outcome.evidence == f"`{language.name}` and its text are not in {language.path} any more"

    def test_nor_are_lines_of_the_look_alike_lines_of_it(self, language: Language) -> None:
        new = language.of(language.give, language.size)
        outcome = followed(language, place(language.text, language.part), language.text, new)
        assert says(outcome) == ("deleted", 0.8)

    def test_by_its_name(self, language: Language) -> None:
        outcome = followed(language, language.name, language.text, language.of(language.give, language.size))
        assert says(outcome) == ("deleted", 0.8)

    def test_lines_of_a_function_that_stays(self, language: Language) -> None:
        new = changed(language.text, (language.part, ""))
        outcome = followed(language, place(language.text, language.part), language.text, new)
        assert says(outcome) == ("deleted", 0.92)


@in_each_language
class TestTwins:
    def twins(self, language: Language, *texts: str) -> str:
        return language.opening + "\n".join(texts)

    def places(self, language: Language, text: str, *within: str) -> list[Lines]:
        """Where the twin stands in each of some pieces of a text."""
        found = []
        for piece in within:
            up = place(text, piece).first - 1
            found.append(place(piece, language.twin).shifted(up))
        return found

    @pytest.mark.parametrize("number", [0, 1], ids=["first", "second"])
    def test_lines_put_above(self, language: Language, number: int) -> None:
        old = self.twins(language, *language.twins)
        new = self.twins(language, language.comment.format("what holds blocks"), *language.twins)
        before, after = (self.places(language, text, *language.twins)[number] for text in (old, new))
        outcome = followed(language, before, old, new)
        assert says(outcome) == ("moved", language.path, after, 0.9)
        assert symbol(outcome) == language.twin_names[number]

    @pytest.mark.parametrize("number", [0, 1], ids=["first", "second"])
    def test_what_is_around_them_changes_places(self, language: Language, number: int) -> None:
        old, new = self.twins(language, *language.twins), self.twins(language, *reversed(language.twins))
        before, after = (self.places(language, text, *language.twins)[number] for text in (old, new))
        outcome = followed(language, before, old, new)
        assert says(outcome)[:-1] == ("moved", language.path, after)
        assert outcome.confidence >= 0.88
        assert symbol(outcome) == language.twin_names[number]

    def test_a_change_of_one_is_none_of_the_other(self, language: Language) -> None:
        first, second = language.twins
        old = self.twins(language, first, second)
        drained = second.replace("flush", "drain").replace("Flush", "Drain")
        new = self.twins(language, first, drained)
        one, two = self.places(language, old, first, second)
        assert says(followed(language, one, old, new)) == ("unchanged", language.path, one, 0.9)
        outcome = followed(language, two, old, new)
        assert says(outcome)[:-1] == ("edited", "code", language.path, two)
        assert symbol(outcome) == language.twin_names[1]

    def test_one_is_gone(self, language: Language) -> None:
        first, second = language.twins
        old, new = self.twins(language, first, second), self.twins(language, first)
        one, two = self.places(language, old, first, second)
        outcome = followed(language, two, old, new)
        if language.twin_names[0] == language.twin_names[1]:
            assert says(outcome) == ("deleted", 0.8)
        else:
            assert says(outcome) == ("ambiguous", [(language.path, one, 0.5)])
        assert says(followed(language, one, old, new)) == ("unchanged", language.path, one, 0.9)

    def test_nothing_tells_them_apart_inside_one_function(self, language: Language) -> None:
        def body(*words: str) -> str:
            return language.run[0] + "".join(map(language.statement.format, words)) + language.run[1]

        old = body("first", "check", "save", "second", "check", "save", "third")
        new = body("alpha", "check", "save", "omega", "check", "save", "end")
        up = language.run[0].count("\n")
        outcome = followed(language, Lines(up + 2, up + 3), old, new)
        places = [Lines(up + 2, up + 3), Lines(up + 5, up + 6)]
        assert says(outcome) == ("ambiguous", [(language.path, one, 0.5) for one in places])

    def test_what_stayed_beside_them_tells_them_apart(self, language: Language) -> None:
        def body(*words: str) -> str:
            return language.run[0] + "".join(map(language.statement.format, words)) + language.run[1]

        old = body("first", "check", "save", "second", "check", "save", "third")
        new = body("begin", "first", "check", "save", "second", "check", "save", "third")
        up = language.run[0].count("\n")
        outcome = followed(language, Lines(up + 5, up + 6), old, new)
        assert says(outcome) == ("moved", language.path, Lines(up + 6, up + 7), 0.9)


@pytest.mark.parametrize("name", ["java", "c_sharp", "rust", "javascript", "typescript", "ruby", "php"])
def test_the_same_text_in_the_same_definition_is_not_called_the_same_but_for_space(name: str) -> None:
    language = LANGUAGES[name]
    first, second = language.twins
    old, new = (language.opening + "\n".join(texts) for texts in ((first, second), (second, first)))
    before, after = (place(second, language.twin).shifted(place(text, second).first - 1) for text in (old, new))
    outcome = followed(language, before, old, new)
    assert outcome.evidence == f"same text, once in `{language.twin_names[1]}`"
    assert says(outcome) == ("moved", language.path, after, 0.9)


@in_each_language
class TestWhatChanged:
    """Whether a change is one of the code, and how far the region reaches then."""

    def outcome(self, language: Language, take: str) -> Outcome:
        new = language.of(take, language.give, language.size)
        return followed(language, place(language.text, language.take), language.text, new)

    def expected(
        self, language: Language, take: str, name: str, change: Change, confidence: float
    ) -> tuple[object, ...]:
        new = language.of(take, language.give, language.size)
        return name, change.value, language.path, place(new, take), confidence

    def test_a_comment_is_reworded(self, language: Language) -> None:
        take = changed(language.take, language.remark)
        outcome = self.outcome(language, take)
        assert says(outcome) == self.expected(language, take, "cosmetic", Change.COMMENT, 0.93)
        assert isinstance(outcome, Cosmetic) and outcome.tokens_equal

    def test_a_comment_is_taken_out(self, language: Language) -> None:
        take = "".join(line for line in language.take.splitlines(True) if language.remark[0] not in line)
        assert take.count("\n") == language.take.count("\n") - 1
        assert says(self.outcome(language, take)) == self.expected(language, take, "cosmetic", Change.COMMENT, 0.93)

    def test_a_comment_is_put_in(self, language: Language) -> None:
        take = changed(language.take, (language.part, language.comment.format("from here on") + language.part))
        assert says(self.outcome(language, take)) == self.expected(language, take, "cosmetic", Change.COMMENT, 0.93)

    def test_laid_out_for_another_width(self, language: Language) -> None:
        take = changed(language.take, language.wrapped)
        confidence = 0.96 if take.count("\n") == language.take.count("\n") else 0.93
        assert says(self.outcome(language, take)) == self.expected(language, take, "cosmetic", Change.SPACE, confidence)

    def test_a_blank_line_is_put_in(self, language: Language) -> None:
        take = changed(language.take, (language.part, f"\n{language.part}"))
        assert says(self.outcome(language, take)) == self.expected(language, take, "cosmetic", Change.SPACE, 0.93)

    def test_all_of_the_file_indented_anew(self, language: Language) -> None:
        rows = language.text.splitlines(True)
        new = "".join(row[: len(row) - len(row.lstrip(" \t"))].replace("\t", "  ") + row.lstrip(" \t") for row in rows)
        if new == language.text:
            new = "".join(row[: len(row) - len(row.lstrip(" "))] + row for row in rows)
        there = place(language.text, language.take)
        outcome = followed(language, there, language.text, new)
        assert says(outcome) == ("cosmetic", "space", language.path, there, 0.96)

    @pytest.mark.parametrize("what", ["operator", "constant"])
    def test_code(self, language: Language, what: str) -> None:
        take = changed(language.take, getattr(language, what))
        assert says(self.outcome(language, take)) == self.expected(language, take, "edited", Change.CODE, 0.93)

    def test_code_and_a_comment_and_the_layout(self, language: Language) -> None:
        take = changed(language.take, language.operator, language.remark, language.wrapped)
        assert says(self.outcome(language, take)) == self.expected(language, take, "edited", Change.CODE, 0.93)

    def test_white_space_in_a_string_is_code(self, language: Language) -> None:
        take = changed(language.take, ("too few blocks", "too few  blocks"))
        assert says(self.outcome(language, take)) == self.expected(language, take, "edited", Change.CODE, 0.96)

    def test_a_change_of_the_look_alike_is_none_of_it(self, language: Language) -> None:
        give = language.give.replace("- 1", "- 2").replace("-1", "-2")
        new = language.of(language.take, give, language.size)
        there = place(language.text, language.take)
        assert give != language.give
        assert says(followed(language, there, language.text, new)) == ("unchanged", language.path, there, 0.98)


BRACES = {name: language.braces for name, language in LANGUAGES.items() if language.braces}


@pytest.mark.parametrize("name", BRACES)
def test_braces_on_other_lines(name: str) -> None:
    language = LANGUAGES[name]
    take = changed(language.take, BRACES[name])
    new = language.of(take, language.give, language.size)
    outcome = followed(language, place(language.text, language.take), language.text, new)
    assert says(outcome) == ("cosmetic", "space", language.path, place(new, take), 0.93)


def test_only_where_a_line_end_ends_a_statement_they_stay() -> None:
    assert set(LANGUAGES) - set(BRACES) == {"go", "ruby"}


@in_each_language
class TestAbove:
    """What stands right above a definition, and whether it is part of it."""

    def headed(self, language: Language, take: str = "") -> str:
        return language.of(language.head + (take or language.take), language.give, language.size)

    def whole(self, language: Language) -> str:
        return (language.head if language.head_belongs else "") + language.take

    def regions(self, language: Language) -> list[Lines | str]:
        return [place(language.text, language.take), language.name]

    def test_the_extent(self, language: Language) -> None:
        text = self.headed(language)
        found = outline(text, language.path)
        assert found and not found.errors
        assert [one.lines for one in found.exactly(language.name)] == [place(text, self.whole(language))]

    def test_it_is_put_there(self, language: Language) -> None:
        new = self.headed(language)
        there = place(new, self.whole(language))
        for region in self.regions(language):
            outcome = followed(language, region, language.text, new)
            if language.head_belongs:
                assert says(outcome) == ("edited", "code", language.path, there, 0.93)
            else:
                assert says(outcome) == ("moved", language.path, there, 0.98)

    def test_it_is_taken_away(self, language: Language) -> None:
        old, new = self.headed(language), language.text
        there = place(new, language.take)
        for region in (place(old, self.whole(language)), language.name):
            outcome = followed(language, region, old, new)
            if language.head_belongs:
                assert says(outcome) == ("edited", "code", language.path, there, 0.93)
            else:
                assert says(outcome) == ("moved", language.path, there, 0.98)

    def test_it_stays(self, language: Language) -> None:
        old = self.headed(language)
        new = changed(old, language.added)
        outcome = followed(language, language.name, old, new)
        assert says(outcome) == ("moved", language.path, place(new, self.whole(language)), 0.98)
        edited = changed(old, language.constant)
        there = place(edited, self.whole(language).replace(*language.constant))
        assert says(followed(language, language.name, old, edited)) == ("edited", "code", language.path, there, 0.93)

    def test_a_region_that_begins_below_it_still_does(self, language: Language) -> None:
        old = self.headed(language)
        take = changed(language.take, language.constant)
        new = changed(self.headed(language, take), language.added)
        outcome = followed(language, place(old, language.take), old, new)
        assert says(outcome)[:-1] == ("edited", "code", language.path, place(new, take))
        new = changed(old, language.added)
        outcome = followed(language, place(old, language.take), old, new)
        assert says(outcome) == ("moved", language.path, place(new, language.take), 0.98)

    def test_a_comment_is_no_part_of_it(self, language: Language) -> None:
        remark = language.indent + language.comment.format("gives out the newest")
        new = language.of(remark + language.take, language.give, language.size)
        for region in self.regions(language):
            outcome = followed(language, region, language.text, new)
            assert says(outcome) == ("moved", language.path, place(new, language.take), 0.98)


# A text, a definition of it, and the lines of that definition with what belongs to it of what stands above.
EXTENTS = [
    ("java", '@Entity\n// one a pool\n@Table(\n    name = "pools")\nclass Pool {\n}\n', "Pool", "1-6"),
    ("java", "class Pool {\n    /** Blocks. */\n    @Inject\n    List<Block> free;\n}\n", "Pool.free", "3-4"),
    ("c_sharp", "[Serializable]\n// by hand\n[Table]\nclass Pool\n{\n}\n", "Pool", "1-6"),
    ("c_sharp", "class Pool\n{\n    /// <summary>n</summary>\n    [Key]\n    int N { get; }\n}\n", "Pool.N", "4-5"),
    ("go", "package p\n\n// Pool holds.\n//\n//go:generate stringer\ntype Pool struct {\n}\n", "Pool", "6-7"),
    ("c", "/* sum */\nstatic inline\nint\nsum(int a)\n{\n  return a;\n}\n", "sum", "2-7"),
    ("c", "[[nodiscard]]\nint sum(int a)\n{\n  return a;\n}\n", "sum", "1-5"),
    ("rust", "/// A pool.\n#[derive(Clone, Debug)]\n#[repr(C)]\npub struct Pool {\n}\n", "Pool", "2-5"),
    ("rust", "#[test]\n// slow\n#[ignore]\n/// Takes.\nfn takes() {\n}\n", "takes", "1-6"),
    ("rust", "#![allow(dead_code)]\n\nconst LIMIT: usize = 3;\n", "LIMIT", "3"),
    ("javascript", "/** A pool. */\n@bound\nexport default class Pool {\n}\n", "Pool", "2-4"),
    ("typescript", "@Component({\n  name: 'pool',\n})\nexport class Pool {\n}\n", "Pool", "1-5"),
    ("typescript", "class Pool {\n  @on('a')\n  // both\n  @on('b')\n  take() {\n  }\n}\n", "Pool.take", "2-6"),
    ("typescript", "class Pool {\n  @input()\n  free = 1\n\n  take() {\n  }\n}\n", "Pool.take", "5-6"),
    ("tsx", "// @ts-ignore\nexport default function Pool() {\n  return <b/>\n}\n", "Pool", "2-4"),
    ("ruby", "class Pool\n  # Takes.\n  private def take\n  end\nend\n", "Pool.take", "3-4"),
    ("ruby", "class Pool\n  sig { returns(Block) }\n  def take\n  end\nend\n", "Pool.take", "3-4"),
    ("php", "<?php\n/** A pool. */\n#[Entity]\n// by hand\n#[Table]\nfinal class Pool {\n}\n", "Pool", "3-7"),
]


@pytest.mark.parametrize(("name", "text", "wanted", "lines"), EXTENTS, ids=[f"{one[0]}: {one[1]!r}" for one in EXTENTS])
def test_what_belongs_to_a_definition(name: str, text: str, wanted: str, lines: str) -> None:
    found = outline(text, LANGUAGES[name].path)
    assert found and not found.errors
    assert [str(one.lines) for one in found.exactly(wanted)] == [lines]


@in_each_language
class TestParts:
    """Lines inside a function, while others come and go above and among them."""

    def test_lines_put_above_and_inside(self, language: Language) -> None:
        new = language.added_and(language.inserted)
        outcome = followed(language, place(language.text, language.part), language.text, new)
        assert says(outcome) == ("moved", language.path, place(new, language.part), 0.98)
        assert symbol(outcome) == language.name

    def test_lines_put_below(self, language: Language) -> None:
        new = changed(language.text, (language.part, f"{language.part}{language.comment.format('now it is held')}\n"))
        there = place(language.text, language.part)
        assert says(followed(language, there, language.text, new)) == ("unchanged", language.path, there, 0.98)

    def test_a_line_put_among_them(self, language: Language) -> None:
        part = changed(language.part, language.part_edited)
        new = changed(language.text, language.added, (language.part, part))
        outcome = followed(language, place(language.text, language.part), language.text, new)
        assert says(outcome) == ("edited", "code", language.path, place(new, part), 0.96)
        assert symbol(outcome) == language.name

    def test_a_change_in_them_below_lines_put_above(self, language: Language) -> None:
        part = changed(language.part, language.constant)
        new = language.added_and(language.inserted, language.constant)
        outcome = followed(language, place(language.text, language.part), language.text, new)
        assert says(outcome)[:-1] == ("edited", "code", language.path, place(new, part))
        assert 0.9 < outcome.confidence <= 0.96

    def test_in_a_long_function_most_of_whose_lines_are_alike(self, language: Language) -> None:
        words = ["check" if n % 5 == 0 else f"part {n}" for n in range(60)]
        grown = ["first", "second", *words[:13], "third", *words[13:47], "fourth", *words[47:]]

        def text(words: list[str]) -> str:
            return language.run[0] + "".join(map(language.statement.format, words)) + language.run[1]

        up = language.run[0].count("\n")
        region, there = Lines(up + 31, up + 35), Lines(up + 34, up + 38)
        outcome = followed(language, region, text(words), text(grown))
        assert says(outcome) == ("moved", language.path, there, 0.98)
        one, now = Lines(up + 31, up + 31), Lines(up + 34, up + 34)
        assert says(followed(language, one, text(words), text(grown))) == ("moved", language.path, now, 0.9)
        edited = [word.replace("part 32", "another one") for word in grown]
        outcome = followed(language, region, text(words), text(edited))
        assert says(outcome)[:-1] == ("edited", "code", language.path, there)
        gone = [word for n, word in enumerate(grown, 1) if not 34 <= n <= 38]
        assert followed(language, region, text(words), text(gone)).name == "deleted"

    def test_a_line_that_the_look_alike_has_too(self, language: Language) -> None:
        last = language.take.splitlines(True)[-2]
        new = language.added_and(language.inserted)
        take = changed(language.take, language.inserted)
        before, after = place(language.text, language.take).last - 1, place(new, take).last - 1
        outcome = followed(language, Lines(before, before), language.text, new)
        shared = last in language.give.splitlines(True)
        assert says(outcome) == ("moved", language.path, Lines(after, after), 0.9 if shared else 0.98)
        assert symbol(outcome) == language.name

    def test_it_is_not_the_look_alikes_when_its_function_is_gone(self, language: Language) -> None:
        line = place(language.text, language.take).last - 1
        outcome = followed(language, Lines(line, line), language.text, language.of(language.give, language.size))
        assert isinstance(outcome, Ambiguous | Deleted)


CONFLICT = "<<<<<<< HEAD\n{}=======\n{}>>>>>>> theirs\n"


def conflict(text: str, line: str, other: str) -> str:
    """The text with a line that was left as two versions of it by a merge."""
    assert line.endswith("\n") and text.count(line) == 1
    return text.replace(line, CONFLICT.format(line, other))


@in_each_language
class TestDamaged:
    """Where the parser is lost nothing is said of the tokens, and elsewhere what it understood holds."""

    def damaged(self, language: Language) -> str:
        """`take` with a conflict about its constant."""
        line = next(line for line in language.take.splitlines(True) if language.constant[0] in line)
        return conflict(language.take, line, line.replace(*language.constant))

    def damaged_size(self, language: Language) -> str:
        """`size` with a conflict about its first statement."""
        line = next(line for line in language.size.splitlines(True) if "otal" in line and " 0" in line)
        return conflict(language.size, line, line.replace(" 0", " 1"))

    def test_a_conflict_is_an_error_to_the_parser(self, language: Language) -> None:
        take, size = self.damaged(language), self.damaged_size(language)
        text = language.of(take, language.give, size)
        found = outline(text, language.path)
        assert found and found.error_overlaps(place(text, take)) and found.error_overlaps(place(text, size))
        assert found.tokens(place(text, take)) is None

    def test_it_is_followed_by_its_text(self, language: Language) -> None:
        take = self.damaged(language)
        old = language.of(take, language.give, language.size)
        new = changed(old, language.added)
        outcome = followed(language, place(old, take), old, new)
        assert says(outcome) == ("moved", language.path, place(new, take), 0.98)
        assert outcome.evidence.endswith("; the parser did not understand all of it")
        new = language.of(language.give, language.size, take)
        outcome = followed(language, place(old, take), old, new)
        assert says(outcome) == ("moved", language.path, place(new, take), 0.95)

    def test_other_white_space_in_it_may_be_a_change_of_the_code(self, language: Language) -> None:
        take = self.damaged(language)
        old = language.of(take, language.give, language.size)
        line = language.part.splitlines(True)[-1]
        spaced = changed(take, (line, f"  {line}"))
        new = language.of(spaced, language.give, language.size)
        outcome = followed(language, place(old, take), old, new)
        assert says(outcome) == ("edited", "code", language.path, place(new, spaced), 0.7)

    def test_another_comment_in_it_may_be_a_change_of_the_code(self, language: Language) -> None:
        take = self.damaged(language)
        old = language.of(take, language.give, language.size)
        remarked = changed(take, language.remark)
        new = language.of(remarked, language.give, language.size)
        outcome = followed(language, place(old, take), old, new)
        assert says(outcome)[:-1] == ("edited", "code", language.path, place(new, remarked))
        assert outcome.confidence <= 0.7

    def test_a_conflict_comes_into_it(self, language: Language) -> None:
        take = self.damaged(language)
        new = language.of(take, language.give, language.size)
        outcome = followed(language, place(language.text, language.take), language.text, new)
        assert says(outcome)[:-1] == ("edited", "code", language.path, place(new, take))
        assert outcome.confidence <= 0.7

    def test_a_conflict_is_resolved(self, language: Language) -> None:
        take = self.damaged(language)
        old = language.of(take, language.give, language.size)
        outcome = followed(language, place(old, take), old, language.text)
        assert says(outcome)[:-1] == ("edited", "code", language.path, place(language.text, language.take))

    def test_it_is_gone_and_the_look_alike_stays(self, language: Language) -> None:
        take = self.damaged(language)
        old = language.of(take, language.give, language.size)
        outcome = followed(language, place(old, take), old, language.of(language.give, language.size))
        assert outcome.name == "deleted"

    def test_a_conflict_in_the_lines_below_it_lowers_what_is_claimed(self, language: Language) -> None:
        line = language.give.splitlines(True)[0]
        give, take = conflict(language.give, line, line.replace("int", "long")), changed(language.take, language.remark)
        old, new = (language.of(one, give, language.size) for one in (language.take, take))
        outcome = followed(language, place(old, language.take), old, new)
        assert isinstance(outcome, Edited | Cosmetic)
        assert outcome.to.lines == place(new, take) and outcome.confidence <= 0.7
        assert isinstance(outcome, Edited) or outcome.change is Change.COMMENT

    def unclosed(self, function: str) -> str:
        return "".join(function.splitlines(True)[:-1])

    def found(self, outcome: Outcome) -> Lines | None:
        """Where it is, of an outcome that may see a change of the code in any change."""
        return outcome.to.lines if isinstance(outcome, Edited | Cosmetic | Moved | Unchanged) else None

    @pytest.mark.parametrize("what", ["remark", "constant"])
    def test_the_function_above_is_not_closed(self, language: Language, what: str) -> None:
        old = language.of(language.give, language.take, language.size)
        take = changed(language.take, getattr(language, what))
        new = language.of(self.unclosed(language.give), take, language.size)
        outcome = followed(language, place(old, language.take), old, new)
        assert self.found(outcome) == place(new, take)
        assert outcome.name == "edited" or what == "remark"

    @pytest.mark.parametrize("what", ["remark", "constant"])
    def test_a_string_above_is_not_closed(self, language: Language, what: str) -> None:
        old = language.of(language.give, language.take, language.size)
        take = changed(language.take, getattr(language, what))
        quote = "'" if "'too many" in language.give else '"'
        give = changed(language.give, ("too many blocks", f"too many blocks{quote}"))
        new = language.of(give, take, language.size)
        outcome = followed(language, place(old, language.take), old, new)
        assert self.found(outcome) == place(new, take)
        assert outcome.name == "edited" or what == "remark"

    @pytest.mark.parametrize("what", ["remark", "constant"])
    def test_the_function_below_is_not_closed(self, language: Language, what: str) -> None:
        old = language.text
        take = changed(language.take, getattr(language, what))
        new = language.of(take, language.give, self.unclosed(language.size))
        outcome = followed(language, place(old, language.take), old, new)
        assert self.found(outcome) == place(new, take)
        assert outcome.name == "edited" or what == "remark"

    def test_text_that_stayed_is_found_whatever_is_not_closed(self, language: Language) -> None:
        old = language.of(language.give, language.take, language.size)
        for new in (
            language.of(self.unclosed(language.give), language.take, language.size),
            language.of(language.give, language.take, self.unclosed(language.size)),
        ):
            outcome = followed(language, place(old, language.take), old, new)
            assert self.found(outcome) == place(new, language.take)
            assert outcome.name in ("moved", "unchanged") and outcome.confidence == 0.98

    @pytest.mark.parametrize("what", ["remark", "constant"])
    def test_it_is_not_closed(self, language: Language, what: str) -> None:
        old = language.of(language.give, language.take, language.size)
        take = self.unclosed(changed(language.take, getattr(language, what)))
        new = language.of(language.give, take, language.size)
        outcome = followed(language, place(old, language.take), old, new)
        assert isinstance(outcome, Edited) and outcome.to.lines == place(new, take)

    def test_an_error_elsewhere_does_not_hide_that_only_a_comment_changed(self, language: Language) -> None:
        size, take = self.damaged_size(language), changed(language.take, language.remark)
        old, new = (language.of(one, language.give, size) for one in (language.take, take))
        outcome = followed(language, place(old, language.take), old, new)
        assert says(outcome) == ("cosmetic", "comment", language.path, place(new, take), 0.93)

    def test_nor_that_the_code_did(self, language: Language) -> None:
        size, take = self.damaged_size(language), changed(language.take, language.operator)
        old, new = (language.of(one, language.give, size) for one in (language.take, take))
        outcome = followed(language, place(old, language.take), old, new)
        assert says(outcome) == ("edited", "code", language.path, place(new, take), 0.93)

    def test_nor_that_it_is_gone(self, language: Language) -> None:
        size = self.damaged_size(language)
        old, new = language.of(language.take, language.give, size), language.of(language.give, size)
        assert says(followed(language, place(old, language.take), old, new)) == ("deleted", 0.8)

    def test_nor_that_it_has_another_name(self, language: Language) -> None:
        size, acquire = self.damaged_size(language), changed(language.take, language.renamed)
        old, new = (language.of(one, language.give, size) for one in (language.take, acquire))
        outcome = followed(language, place(old, language.take), old, new)
        assert says(outcome) == ("edited", "code", language.path, place(new, acquire), 0.6)


@pytest.mark.parametrize("one", NAMESAKES, ids=[f"{one.language}: {one.case}" for one in NAMESAKES])
def test_definitions_of_one_name(one: Namesakes) -> None:
    language = LANGUAGES[one.language]
    before, regions = marked(one.before)
    after, wanted = marked(one.after)
    (region,) = regions
    outcome = followed(language, region, "\n".join(before) + "\n", "\n".join(after) + "\n")
    spot = spot_of(outcome)
    change = f" {outcome.change.value}" if isinstance(outcome, Edited | Cosmetic) else ""
    assert f"{outcome.name}{change}" == one.outcome, outcome
    assert ([spot.lines] if spot else []) == wanted, outcome
    assert symbol(outcome) == one.symbol


def test_each_language_has_namesakes() -> None:
    assert {one.language for one in NAMESAKES} == set(LANGUAGES)


# What stands in a function, what it becomes, and what kind of change that is.
LAYOUT = [
    ("java", 'say("""\n    a b\n    """);\n', 'say("""\n    a  b\n    """);\n', "edited code"),
    ("java", "Map<K, List<V>> all = find(a, b);\n", "Map<K, List<V> > all =\n    find(a, b);\n", "cosmetic space"),
    ("java", "@Late Block block = find(a);\n", "@Late\nBlock block = find(a); // or none\n", "cosmetic comment"),
    ("java", "all.each(one -> say(one));\n", "all.each(one -> { say(one); });\n", "edited code"),
    ("c_sharp", 'var text = @"a\n  b";\n', 'var text = @"a\n    b";\n', "edited code"),
    ("c_sharp", 'var text = $"{name} is";\n', 'var text = $"{name}  is";\n', "edited code"),
    ("c_sharp", "#pragma warning disable 1\nSay(name);\n", "#pragma warning disable 2\nSay(name);\n", "edited code"),
    ("c_sharp", "int Twice(int n) => n * 2;\n", "int Twice(int n)\n    => n * 2; /* even */\n", "cosmetic comment"),
    ("c_sharp", "if (name == null) { return; }\n", "if (name == null)\n{\n    return;\n}\n", "cosmetic space"),
    ("go", "text := `a\n  b`\n", "text := `a\n    b`\n", "edited code"),
    ("go", "if ok { say(name) }\n", "if ok {\n\tsay(name)\n}\n", "cosmetic space"),
    ("go", "return find(name)\n", "return\nfind(name)\n", "edited code"),
    ("go", "say(first, last)\n", "say(first, // at least\n\tlast)\n", "cosmetic comment"),
    ("c", "#define WIDE 1\nsay(WIDE);\n", "#define WIDE 2\nsay(WIDE);\n", "edited code"),
    ("c", "#ifdef WIDE\nsay(1);\n#endif\n", "#ifndef WIDE\nsay(1);\n#endif\n", "edited code"),
    ("c", "say(1); // wide \\\nsay(2);\n", "say(1); // wide\nsay(2);\n", "edited code"),
    ("c", 'say("a" "b", wide ? 1 : 2);\n', 'say("a"\n    "b",\n    wide ? 1 : 2);\n', "cosmetic space"),
    ("rust", 'let text = r#"a  b"#;\n', 'let text = r#"a b"#;\n', "edited code"),
    ("rust", 'let text = "a \\\n  b";\n', 'let text = "a \\\n      b";\n', "edited code"),
    ("rust", 'say!("{}", name);\n', 'say!(\n    "{}", // who\n    name);\n', "cosmetic comment"),
    ("rust", "say!(a && b);\n", "say!(a & &b);\n", "edited code"),
    ("rust", "let all = find(a)?.sorted();\n", "let all = find(a)?\n    .sorted();\n", "cosmetic space"),
    ("javascript", "return find(a)\n", "return\nfind(a)\n", "edited code"),
    ("javascript", "say(`a\n  b`)\n", "say(`a\n    b`)\n", "edited code"),
    ("javascript", "say(/a b/)\n", "say(/a  b/)\n", "edited code"),
    ("javascript", "find(a).then(say)\n", "find(a)\n  .then(say) // in the end\n", "cosmetic comment"),
    ("javascript", "const { a, b } = find\n(c)\n", "const {a, b} = find(c)\n", "cosmetic space"),
    ("typescript", "say(a as any)\n", "say(a as unknown)\n", "edited code"),
    ("typescript", "let all: Map<Key, List<Block>>\n", "let all: Map<\n  Key,\n  List<Block>\n>\n", "cosmetic space"),
    ("typescript", "type Name = `a ${Key}`\n", "type Name = `a  ${Key}`\n", "edited code"),
    ("tsx", "return <b>{one} <i/></b>\n", "return <b>{one}<i/></b>\n", "edited code"),
    ("tsx", "return <b>one two</b>\n", "return <b>one  two</b>\n", "edited code"),
    ("tsx", 'return <b title="one" id={two}/>\n', 'return <b\n  title="one"\n  id={two}/>\n', "cosmetic space"),
    ("tsx", "return <b>{one}</b>\n", "return <b>{one /* or none */}</b>\n", "cosmetic comment"),
    ("ruby", "step -1\n", "step - 1\n", "edited code"),
    ("ruby", "step [1]\n", "step[1]\n", "edited code"),
    ("ruby", "step (1..3).sum\n", "step(1..3).sum\n", "edited code"),
    ("ruby", "step *all\n", "step * all\n", "edited code"),
    ("ruby", "text = <<~TEXT\n  a b\nTEXT\n", "text = <<~TEXT\n  a  b\nTEXT\n", "edited code"),
    ("ruby", "step 1, 2\n", "step 1,\n  2 # twice\n", "cosmetic comment"),
    ("ruby", "find(a).sorted { |b| b.size }\n", "find(a)\n  .sorted {|b| b.size }\n", "cosmetic space"),
    ("ruby", "step(1, [2])\n", "step(\n  1,\n  [2]\n)\n", "cosmetic space"),
    ("php", "$text = <<<TEXT\n  a b\n  TEXT;\n", "$text = <<<TEXT\n  a  b\n  TEXT;\n", "edited code"),
    ("php", "?><b>one two</b><?php\n", "?><b>one  two</b><?php\n", "edited code"),
    ("php", 'say("$one two");\n', 'say("$one  two");\n', "edited code"),
    (
        "php",
        "$this->find($a)->sorted(); # all\n",
        "$this->find($a)\n    ->sorted(); // all of them\n",
        "cosmetic comment",
    ),
    ("php", "$all = (array) $one ?: [];\n", "$all = (array)$one\n    ?: [];\n", "cosmetic space"),
]


@pytest.mark.parametrize(("name", "before", "after", "wanted"), LAYOUT, ids=[f"{one[0]}: {one[2]!r}" for one in LAYOUT])
def test_what_white_space_means(name: str, before: str, after: str, wanted: str) -> None:
    language = LANGUAGES[name]
    old, new = (language.run[0] + text + language.run[1] for text in (before, after))
    for text in (old, new):
        found = outline(text, language.path)
        assert found and not found.errors
    outcome = followed(language, Lines(1, old.count("\n")), old, new)
    assert isinstance(outcome, Edited | Cosmetic)
    assert f"{outcome.name} {outcome.change.value}" == wanted
    assert outcome.to.lines == Lines(1, new.count("\n"))


@dataclass(frozen=True)
class Pieces:
    """Three pieces that are no definitions of their own, `first` and `second` of which look alike."""

    case: str
    language: str
    top: str
    first: str
    second: str
    third: str
    bottom: str
    edit: Pair
    symbol: str | None

    def of(self, *pieces: str) -> str:
        return self.top + "\n".join(pieces) + self.bottom


PIECES = [
    Pieces(
        "cases of a switch",
        "java",
        "class Log {\n    void write(Use use) {\n        switch (use) {\n",
        "            case TAKEN -> {\n                note(use);\n                count += 1;\n            }\n",
        "            case GIVEN -> {\n                note(use);\n                count -= 1;\n            }\n",
        "            default -> throw new Unknown(use);\n",
        "        }\n    }\n}\n",
        ("+= 1", "+= 2"),
        "Log.write",
    ),
    Pieces(
        "routes",
        "c_sharp",
        "var app = builder.Build();\n\n",
        'app.MapGet("/take", (int n) =>\n{\n    var block = pool.Take(n);\n    return Results.Ok(block);\n});\n',
        'app.MapGet("/give", (int n) =>\n{\n    var block = pool.Give(n);\n    return Results.Ok(block);\n});\n',
        "app.UseRouting();\n",
        "app.Run();\n",
        ("Ok(block)", "Ok(block.Id)"),
        None,
    ),
    Pieces(
        "subtests",
        "go",
        "package pool\n\nfunc TestPool(t *testing.T) {\n",
        '\tt.Run("take", func(t *testing.T) {\n\t\tpool := New(3)\n\t\tassert(t, pool.Take(1), 1)\n\t})\n',
        '\tt.Run("give", func(t *testing.T) {\n\t\tpool := New(3)\n\t\tassert(t, pool.Give(1), 2)\n\t})\n',
        '\tt.Log("done")\n',
        "}\n",
        ("Take(1), 1", "Take(1), 5"),
        "TestPool",
    ),
    Pieces(
        "tables of functions",
        "c",
        '#include "pool.h"\n\n',
        "static const struct ops take_ops = {\n  .open = pool_open,\n  .run = pool_take,\n};\n",
        "static const struct ops give_ops = {\n  .open = pool_open,\n  .run = pool_give,\n};\n",
        "enum use {\n  TAKEN,\n  GIVEN,\n};\n",
        "",
        ("pool_take", "pool_take_one"),
        None,
    ),
    Pieces(
        "variants with attributes",
        "rust",
        "pub enum Use {\n",
        '    /// Held by somebody.\n    #[serde(rename = "taken")]\n    Taken {\n        count: usize,\n    },\n',
        '    /// Back in the pool.\n    #[serde(rename = "given")]\n    Given {\n        count: usize,\n    },\n',
        "    Other,\n",
        "}\n",
        ("usize", "u64"),
        "Use",
    ),
    Pieces(
        "arms of a match",
        "rust",
        "fn run(one: Use) -> u8 {\n    match one {\n",
        "        Use::Taken { count } => {\n            log(count);\n            count + 1\n        }\n",
        "        Use::Given { count } => {\n            log(count);\n            count - 1\n        }\n",
        "        _ => 0,\n",
        "    }\n}\n",
        ("+ 1", "+ 2"),
        "run",
    ),
    Pieces(
        "tests",
        "javascript",
        "describe('Pool', () => {\n",
        "  it('takes a block', () => {\n    const pool = make(3)\n    expect(pool.take(1)).toBe(1)\n  })\n",
        "  it('gives a block', () => {\n    const pool = make(3)\n    expect(pool.give(1)).toBe(2)\n  })\n",
        "  it('has a size', () => {\n    expect(make(3).size).toBe(3)\n  })\n",
        "})\n",
        ("toBe(1)", "toBe(5)"),
        None,
    ),
    Pieces(
        "routes",
        "typescript",
        "const router = Router()\n\n",
        "router.get('/take', async (req: Req, res: Res) => {\n  const block = await pool.take(req.n)\n  res.json(block)\n})\n",
        "router.get('/give', async (req: Req, res: Res) => {\n  const block = await pool.give(req.n)\n  res.json(block)\n})\n",
        "router.use(auth)\n",
        "export default router\n",
        ("res.json(block)", "res.json({ block })"),
        None,
    ),
    Pieces(
        "elements",
        "tsx",
        "export const Menu = (props: Props) => (\n  <ul>\n",
        "    <Item\n      title='take'\n      onClick={props.take}\n    />\n",
        "    <Item\n      title='give'\n      onClick={props.give}\n    />\n",
        "    <hr />\n",
        "  </ul>\n)\n",
        ("props.take", "() => props.take(1)"),
        "Menu",
    ),
    Pieces(
        "examples",
        "ruby",
        "RSpec.describe Pool do\n",
        "  it 'takes a block' do\n    pool = make(3)\n    expect(pool.take(1)).to eq(1)\n  end\n",
        "  it 'gives a block' do\n    pool = make(3)\n    expect(pool.give(1)).to eq(2)\n  end\n",
        "  let(:size) { 3 }\n",
        "end\n",
        ("eq(1)", "eq(5)"),
        None,
    ),
    Pieces(
        "scopes",
        "ruby",
        "class Pool < ApplicationRecord\n",
        "  scope :taken, lambda {\n    where(state: 'taken')\n      .order(:id)\n  }\n",
        "  scope :given, lambda {\n    where(state: 'given')\n      .order(:id)\n  }\n",
        "  has_many :blocks\n",
        "end\n",
        ("order(:id)", "order(:name)"),
        "Pool",
    ),
    Pieces(
        "routes",
        "php",
        "<?php\n\n",
        "Route::get('/take', function (Request $one) {\n    $block = Pool::take($one->n);\n    return json($block);\n});\n",
        "Route::get('/give', function (Request $one) {\n    $block = Pool::give($one->n);\n    return json($block);\n});\n",
        "Route::fallback($none);\n",
        "",
        ("json($block)", "json([$block])"),
        None,
    ),
]


@pytest.mark.parametrize("one", PIECES, ids=[f"{one.language}: {one.case}" for one in PIECES])
class TestPieces:
    def test_edited(self, one: Pieces) -> None:
        first = changed(one.first, one.edit)
        old, new = one.of(one.first, one.second, one.third), one.of(first, one.second, one.third)
        language = LANGUAGES[one.language]
        outcome = followed(language, place(old, one.first), old, new)
        assert says(outcome)[:-1] == ("edited", "code", language.path, place(new, first))
        assert symbol(outcome) == one.symbol and outcome.confidence >= 0.9

    def test_moved(self, one: Pieces) -> None:
        old, new = one.of(one.first, one.second, one.third), one.of(one.second, one.third, one.first)
        language = LANGUAGES[one.language]
        outcome = followed(language, place(old, one.first), old, new)
        assert says(outcome) == ("moved", language.path, place(new, one.first), 0.95)
        assert symbol(outcome) == one.symbol

    @pytest.mark.parametrize("below", [False, True], ids=["above the look-alike", "below the look-alike"])
    def test_deleted(self, one: Pieces, below: bool) -> None:
        pieces = (one.second, one.first) if below else (one.first, one.second)
        old, new = one.of(*pieces, one.third), one.of(one.second, one.third)
        language = LANGUAGES[one.language]
        assert says(followed(language, place(old, one.first), old, new)) == ("deleted", 0.92)

    def test_blanks_at_the_ends_of_lines_below(self, one: Pieces) -> None:
        third = "".join(f"{line.rstrip()} \n" for line in one.third.splitlines())
        old, new = one.of(one.first, one.second, one.third), one.of(one.first, one.second, third)
        language = LANGUAGES[one.language]
        there = place(old, one.first)
        assert says(followed(language, there, old, new)) == ("unchanged", language.path, there, 0.98)


SEVERAL_NAMES = [
    ("java", "class Pool {\n    int first, second;\n}\n", "Pool.second", 2),
    ("c_sharp", "class Pool\n{\n    int first, second;\n}\n", "Pool.second", 3),
    ("php", "<?php\nclass Pool\n{\n    private $first, $second;\n}\n", "Pool::$second", 4),
    ("c", "int first(void), second(int);\n", "second", 1),
    ("go", "package pool\n\nvar first, second = 1, 2\n", "second", 3),
    ("javascript", "const first = () => 1, second = () => 2\n", "second", 1),
]


@pytest.mark.parametrize(("name", "text", "wanted", "line"), SEVERAL_NAMES, ids=[one[0] for one in SEVERAL_NAMES])
def test_each_name_of_a_declaration_is_a_symbol_of_its_own(name: str, text: str, wanted: str, line: int) -> None:
    found = outline(text, LANGUAGES[name].path)
    assert found and [str(one.lines) for one in found.exactly(wanted)] == [str(line)]
