"""Laws of relocation on made-up files that look like real ones, for each way in which code changes.

The changes are those that `bench/mutations.py` counts on real files. Whatever the file: an answer that is sure is right,
what is carried is where it went, and what happened is called by its name.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from changes import CHANGES, Case, Change, Changed, asked, place, prepared, region_of, truth
from figures import CONFIDENT
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from claimcheck.drift import carries
from claimcheck.outcome import Deleted
from claimcheck.syntax import outline
from claimcheck.texts import split_lines

TRIES = 12
NAMES = ("block", "pool", "request", "count", "tokens", "queue", "step", "limit")
VERBS = ("take", "give", "schedule", "append", "evict", "flush", "merge", "reset")
PYTHON = (
    "{a} = {f}({b}, {c})",
    "self.{a} = {b} + {n}",
    "assert {a} == {b}, {c}",
    'log.debug("{f} %s", {a})',
    "# The {a} of the {b}.",
    "if {a} < {n}:\n    {b} = {f}({a})",
    "if {a} and {b}:\n    return {c}\nelse:\n    self.{c} += {n}",
    "for {a} in self.{b}:\n    {c} = {f}({a})\n    self.{b}.append({c})",
    "try:\n    {a} = self.{f}({b})\nexcept KeyError:\n    {a} = None",
    "with self.lock:\n    self.{a}.{f}({b})\n\n    self.{c} = {n}",
    "{a} = [\n    {f}({b})\n    for {b} in self.{c}\n    if {b} == {n}\n]",
)
CPP = (
    "auto {a} = {f}({b}, {c});",
    "{a}_ = {b} + {n};",
    "assert({a} == {b});",
    "// The {a} of the {b}.",
    "if ({a} < {n}) {{\n  {b} = {f}({a});\n}}",
    "if ({a} && {b}) {{\n  return {c};\n}} else {{\n  {c}_ += {n};\n}}",
    "for (auto& {a} : {b}_) {{\n  auto {c} = {f}({a});\n  {b}_.push_back({c});\n}}",
    "while ({a} < {n}) {{\n  {a} = {f}({a});\n}}",
)


def filled(forms: tuple[str, ...]) -> st.SearchStrategy[str]:
    name = st.sampled_from(NAMES)
    return st.builds(
        lambda form, a, b, c, f, n: form.format(a=a, b=b, c=c, f=f, n=n),
        st.sampled_from(forms), name, name, name, st.sampled_from(VERBS), st.integers(0, 99),
    )  # fmt: skip


def indented(text: str, by: str) -> str:
    return "".join(by + line if line.strip() else line for line in text.splitlines(keepends=True))


@st.composite
def functions(
    draw: st.DrawFn, forms: tuple[str, ...], head: Callable[[str, list[str]], str], tail: str, by: str
) -> str:
    name = f"{draw(st.sampled_from(VERBS))}_{draw(st.sampled_from(NAMES))}"
    body = "\n".join(draw(st.lists(filled(forms), min_size=1, max_size=6)))
    return head(name, draw(st.lists(st.sampled_from(NAMES), max_size=3, unique=True))) + indented(body, by) + tail


def python_head(name: str, parameters: list[str]) -> str:
    said = f'    """Does {name} for {", ".join(parameters) or "nobody"}."""\n' if len(parameters) != 1 else ""
    above = "@traced\n" if len(parameters) == 3 else ""
    return f"{above}def {name}({', '.join(['self', *parameters])}):\n{said}"


def cpp_head(name: str, parameters: list[str]) -> str:
    return f"int {name}({', '.join(f'int {one}' for one in parameters)}) {{\n"


@st.composite
def python_files(draw: st.DrawFn) -> tuple[str, str]:
    function = functions(PYTHON, python_head, "\n    return self\n", "    ")
    parts = ["import queue\nfrom pool import log\n"]
    for number in range(draw(st.integers(1, 2))):
        methods = [indented(one, "    ") for one in draw(st.lists(function, min_size=1, max_size=4))]
        parts.append(f"class {draw(st.sampled_from(('Pool', 'Scheduler', 'Worker')))}{number}:\n" + "\n".join(methods))
    parts += draw(st.lists(function, max_size=2))
    return "vendor/pool.py", "\n\n".join(parts)


@st.composite
def cpp_files(draw: st.DrawFn) -> tuple[str, str]:
    function = functions(CPP, cpp_head, "\n  return 0;\n}\n", "  ")
    parts = ["#include <vector>\n"]
    for number in range(draw(st.integers(1, 2))):
        methods = [indented(one, "  ") for one in draw(st.lists(function, min_size=1, max_size=4))]
        parts.append(f"struct Pool{number} {{\n" + "\n".join(methods) + "};\n")
    parts += draw(st.lists(function, max_size=2))
    return "vendor/pool.hpp", "\n".join(parts)


def made(change: Change, file: tuple[str, str], seed: int) -> tuple[Case, Changed] | None:
    """A region of a file and a change of it, by chance; None where the change does not apply to any of some regions."""
    path, text = file
    chance, lines = random.Random(seed), split_lines(text)
    structure = outline(text, path)
    assert structure is not None
    symbols = [one for one in structure.symbols if len(one.lines) >= 3 and len(structure.exactly(one.name)) == 1]
    if structure.errors or not symbols:
        return None
    for _ in range(TRIES):
        symbol = chance.choice(symbols)
        region = region_of(symbol, structure, lines, chance)
        case = prepared(change, Case.of(path, lines, region, symbol, chance)) if region else None
        changed = change(case) if case else None
        if case and changed:
            return case, changed
    return None


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(file=st.one_of(python_files(), cpp_files()), seed=st.integers(0, 2**16))
def test_an_answer_that_is_sure_is_right(change: Change, file: tuple[str, str], seed: int) -> None:
    found = made(change, file, seed)
    assume(found is not None)
    assert found is not None
    case, changed = found
    outcome = asked(case, changed)
    true = truth(case, changed)
    said = f"{case.path}:{case.region} became {true}, {outcome}"
    if outcome.confidence >= CONFIDENT or carries(outcome):
        assert place(outcome) == true, said
    if place(outcome) == true and not (true is None and not isinstance(outcome, Deleted)):
        assert outcome.name in changed.outcomes, said


SAMPLE = '''\
import queue


class Pool:
    """Blocks that nobody uses."""

    def __init__(self, count, size):
        """Make so many blocks of a size."""
        self.free = queue.Queue()
        self.used = {}
        for number in range(count):
            self.free.put((number, size))
        self.count = count

    def take(self, request, tokens):
        """Blocks enough for the tokens of a request."""
        needed = tokens // self.size + 1
        if needed > self.free.qsize():
            self.log("nothing left", request)
            raise Empty(request)
        blocks = []
        for _ in range(needed):
            block = self.free.get()
            blocks.append(block)
            self.used[block] = request
        self.last = self.now(request)
        return blocks

    def give(self, blocks):
        """Put blocks back that nobody uses any more."""
        for block in reversed(blocks):
            owner = self.used.pop(block)
            self.log("given back", owner)
            self.free.put(block)
        if self.free.qsize() == self.count:
            self.last = None
        self.check(blocks, self.count)


def fill(pool, requests):
    """Take blocks for requests as long as there are any."""
    done = []
    for request in requests:
        try:
            blocks = pool.take(request, request.tokens)
        except Empty:
            break
        done.append((request, blocks))
    waiting = len(requests) - len(done)
    report(pool, waiting)
    return done
'''


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_most_answers_are_given(change: Change) -> None:
    found = [one for seed in range(40) if (one := made(change, ("pool.py", SAMPLE), seed))]
    right = [(case, changed) for case, changed in found if place(asked(case, changed)) == truth(case, changed)]
    assert len(found) >= 30
    assert len(right) >= 0.95 * len(found)
