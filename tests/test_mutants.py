"""The changes of source code by which checks are tried: each one a change, each one parses."""

from __future__ import annotations

import pytest

from claimcheck.checks.code import Code, code_of
from claimcheck.checks.mutants import Kind, mutants_of, statements_at
from claimcheck.model import Lines
from claimcheck.texts import SourceText

PYTHON = """\
class Pool:
    def take(self, count):
        # Nothing is taken from an empty pool.
        if count > 0 and self.free:
            self.free -= count
            self.log("taken")
        total = self.add(
            count,
            1.5,
        )
        self.last = total
        self.log(
            total,
        )
        return total
"""
CPP = """\
void Pool::take(int count) {
    if (count > 0 && free_) {
        free_ -= count;
        log("taken");
    }
    auto total = add(count, 2);
    last_ = total;
}
"""


def code(text: str, path: str) -> Code:
    found = code_of(path, SourceText(text, "0"))
    assert found is not None
    return found


def changes(text: str, path: str, *lines: int) -> set[tuple[str, str, str]]:
    parsed = code(text, path)
    found = mutants_of(parsed, [Lines(line, line) for line in lines])
    return {(one.kind.value, one.before, one.after) for one in found}


def test_operators_and_constants_and_conditions_of_python():
    assert changes(PYTHON, "a.py", 4) == {
        ("operator", ">", ">="),
        ("operator", "and", "or"),
        ("constant", "0", "1"),
        ("condition", "count > 0 and self.free", "not (count > 0 and self.free)"),
    }


def test_calls_and_names_of_python():
    found = changes(PYTHON, "a.py", 5, 6)
    assert ("operator", "-=", "+=") in found
    assert ("renamed", "free", "free_other") in found
    assert ("removed call", 'self.log("taken")', "pass") in found
    assert ("renamed", "log", "log_other") in found
    assert ("constant", '"taken"', '"taken_other"') in found


def test_statements_are_swapped_only_where_their_order_matters():
    kinds = {kind for kind, *_ in changes(PYTHON, "a.py", 7)}
    assert Kind.SWAPPED.value in kinds
    assert Kind.SWAPPED.value not in {kind for kind, *_ in changes("a = 1\nb = 2\n", "a.py", 1)}


def test_cpp():
    found = changes(CPP, "a.cpp", 2, 3, 4, 6)
    assert ("operator", "&&", "||") in found
    assert ("condition", "(count > 0 && free_)", "(!(count > 0 && free_))") in found
    assert ("removed call", 'log("taken");', ";") in found
    assert ("operator", "-=", "+=") in found
    assert ("constant", "2", "3") in found
    assert any(kind == "swapped statements" for kind, *_ in found)


def test_comments_and_other_lines_are_left_alone():
    assert changes(PYTHON, "a.py", 3) == set()
    assert changes(PYTHON, "a.py", 40) == set()


@pytest.mark.parametrize(("text", "path"), [(PYTHON, "a.py"), (CPP, "a.cpp")])
def test_every_change_changes_one_place_and_parses(text, path):
    parsed = code(text, path)
    found = mutants_of(parsed, [parsed.source.whole])
    assert len(found) == len({(one.start, one.end, one.after) for one in found}) > 8
    for one in found:
        changed = one.applied(parsed.source).text
        assert changed != text
        assert changed[: one.start] == text[: one.start]
        assert changed.endswith(text[one.end :])
        assert changed.count("\n") == text.count("\n")
        assert not code(changed, path).errors


def test_changes_of_two_kinds_at_one_place_are_in_order():
    found = mutants_of(code("def f():\n    while True:\n        g()\n", "a.py"), [Lines(2, 2)])
    assert [(one.kind, one.before) for one in found] == [(Kind.CONDITION, "True"), (Kind.CONSTANT, "True")]


def test_the_statement_that_a_line_is_in():
    parsed = code(PYTHON, "a.py")
    assert statements_at(parsed, 8) == Lines(7, 10)
    assert statements_at(parsed, 4) == Lines(4, 4)
    assert statements_at(parsed, 2) == Lines(2, 3)  # a comment before the first statement is the head's
    assert statements_at(parsed, 11) == Lines(11, 11)
