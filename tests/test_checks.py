"""The forms of checks: every example that they show themselves by, and what they have to keep apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import jsonschema
import pytest

from claimcheck import registry
from claimcheck.checks import FORMS, Answer, Cited, Context, Overlay, Result, Texts, run
from claimcheck.checks.form import Example
from claimcheck.checks.schema import definitions
from claimcheck.errors import RegistryError
from claimcheck.finding import Finding
from claimcheck.model import Check, Lines
from claimcheck.project import Project
from claimcheck.texts import NoSource, SourceText, Why

PIN = "1f0c94c2a7d14b6f8f3b5d0f6a2f9f0c4be7a811"
HEAD = f'vendors:\n  lib:\n    commit: "{PIN}"\n    prefix: L\nanchors:\n'


def source(text: str) -> SourceText:
    return SourceText(text, hashlib.sha1(text.encode()).hexdigest())


class Loader:
    """Checks as an author writes them, read by the registry's own loader."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def load(self, written: str, path: str) -> Check:
        """The one check of a claim that cites the file at a path; raises RegistryError."""
        (self.root / "claims").mkdir(exist_ok=True)
        (self.root / "anchors.yaml").write_text(f"{HEAD}  L-A: {{path: {path}, lines: 1}}\n")
        (self.root / "claims/one.yaml").write_text(
            f"claims:\n  C.1:\n    text: t\n    cites: [L-A]\n    checks:\n      - {written}\n"
        )
        (check,) = registry.load(Project.find(self.root)).claims["C.1"].checks
        return check

    def findings(self, written: str, path: str = "a.py") -> list[Finding]:
        try:
            self.load(written, path)
        except RegistryError as error:
            return list(error.findings)
        return []


@pytest.fixture
def loader(tmp_path: Path) -> Loader:
    return Loader(tmp_path)


Say = Callable[..., Result]


@pytest.fixture
def say(loader: Loader) -> Say:
    """`say(check, text, path, lines)`: what a check says of a text, cited whole or by some lines."""

    def answer(
        written: str,
        text: str,
        path: str = "a.py",
        lines: Lines | None = None,
        others: Mapping[str, str] | None = None,
        stand_in: bool = False,
    ) -> Result:
        check = loader.load(written, path)
        texts = {path: source(text), **{name: source(other) for name, other in (others or {}).items()}}
        cited = Cited("L-A", "lib", "lib 1.0", path, (lines or texts[path].whole,), Texts(texts), stand_in=stand_in)
        return run(check, Context({"L-A": cited}))

    return answer


ALL = [
    pytest.param(example, id=f"{name}: {example.title} ({example.language})")
    for name, form in FORMS.items()
    for example in form.EXAMPLES
]


@pytest.mark.parametrize("example", ALL)
def test_a_form_says_of_its_examples_what_they_say(example: Example, say: Say) -> None:
    result = say(example.check, example.source, f"example{example.language}")
    assert (result.answer, result.message if example.says else "") == (example.answer, example.says)
    if example.answer is not Answer.HOLDS:
        assert result.nearest == example.nearest


@pytest.mark.parametrize("name", FORMS)
def test_a_form_has_examples_that_hold_and_that_fail_in_both_languages(name: str) -> None:
    examples = FORMS[name].EXAMPLES
    for language in (".py", ".cpp"):
        answers = {example.answer for example in examples if example.language == language}
        assert Answer.HOLDS in answers, language
    assert {example.language for example in examples if example.answer is Answer.FAILS} >= {".py", ".cpp"} - (
        {".py"} if name == "lines" else set()
    )


@pytest.mark.parametrize("name", FORMS)
def test_a_form_has_a_name_a_sentence_and_a_paragraph(name: str) -> None:
    info = FORMS[name].INFO
    assert info.name == name
    assert info.summary.endswith(".") and len(info.help) > 40


def test_the_schema_has_the_forms_as_they_are() -> None:
    shipped = json.loads(registry.schema())["$defs"]
    assert {name: shipped[name] for name in definitions()} == json.loads(json.dumps(dict(definitions())))
    jsonschema.Draft202012Validator.check_schema(json.loads(registry.schema()))


# What a line that fails shows


def test_a_failing_check_has_the_lines_that_show_it(say: Say) -> None:
    result = say("calls: {call: run, with: ['True']}", "def f():\n    run(False)\n")
    assert [(hit.path, hit.line, hit.text) for hit in result.hits] == [("a.py", 2, "    run(False)")]


# Where it looks

POOL = """\
class Pool:
    def take(self):
        return self.free.get()

    def give(self, block):
        self.free.put(block)


def other():
    drop()
"""


@pytest.mark.parametrize(
    ("check", "lines", "answer"),
    [
        ("calls: get", Lines(2, 3), Answer.HOLDS),
        ("calls: get", Lines(3, 3), Answer.HOLDS),
        ("calls: put", Lines(2, 3), Answer.FAILS),
        ("calls: put", Lines(3, 6), Answer.HOLDS),  # the class is around the lines
        ("calls: put", Lines(2, 6), Answer.HOLDS),  # both methods are cited
        ("{calls: put, scope: region}", Lines(2, 3), Answer.FAILS),
        ("{calls: get, scope: region}", Lines(3, 3), Answer.HOLDS),
        ("{calls: get, scope: region}", Lines(2, 2), Answer.FAILS),
        ("{calls: drop, scope: file}", Lines(2, 3), Answer.HOLDS),
        ("{calls: drop, symbol: other}", Lines(2, 3), Answer.HOLDS),
        ("{calls: put, symbol: Pool.take}", Lines(5, 6), Answer.FAILS),
        ("{never-calls: drop, symbol: Pool}", Lines(1, 6), Answer.HOLDS),
        ("{never-calls: drop, scope: file}", Lines(1, 6), Answer.FAILS),
        ("{calls: put, symbol: give}", Lines(2, 3), Answer.HOLDS),
        ("{calls: put, symbol: Pool.gone}", Lines(2, 3), Answer.FAILS),
        ("{never-calls: put, symbol: Pool.gone}", Lines(2, 3), Answer.FAILS),  # nothing is true of what is not there
    ],
)
def test_a_check_looks_where_it_says(check: str, lines: Lines, answer: Answer, say: Say) -> None:
    assert say(check, POOL, lines=lines).answer is answer


def test_another_file_of_the_vendor(say: Say) -> None:
    others = {"lib/b.py": "LIMIT = 3\n"}
    assert say("{value: {of: LIMIT, is: 3}, path: lib/b.py}", POOL, others=others).holds
    gone = say("{value: {of: LIMIT, is: 3}, path: lib/c.py}", POOL, others=others)
    assert (gone.answer, gone.message) == (Answer.FAILS, "there is no lib/c.py in lib 1.0")
    stand_in = say("{value: {of: LIMIT, is: 3}, path: lib/c.py}", POOL, others=others, stand_in=True)
    assert stand_in.answer is Answer.UNVERIFIED


def test_the_tree_has_every_file_of_the_language_and_no_other(say: Say) -> None:
    others = {"lib/b.py": "drop()\n", "lib/c.py": "x = 1\n", "n.md": "gone()\n", "d.cpp": "void f() { gone(); }\n"}
    found = say("{calls: drop, scope: tree}", "x = 1\n", others=others)
    assert found.holds and found.hits[0].path == "lib/b.py"
    assert say("{never-calls: drop, scope: tree}", "x = 1\n", others=others).answer is Answer.FAILS
    assert say("{never-calls: gone, scope: tree}", "x = 1\n", others=others).holds
    assert say("{never-calls: drop, scope: tree, path: 'lib/c*'}", "x = 1\n", others=others).holds


@pytest.mark.parametrize(
    ("path", "there", "missing"),
    [
        ("path: lib/b.py", True, False),
        ("path: lib", True, False),
        ("path: '**/*.py'", True, False),
        ("path: '*.cu'", False, True),
        ("path: li", False, True),
    ],
)
def test_paths_fit_whole_names(path: str, there: bool, missing: bool, say: Say) -> None:
    others = {"lib/b.py": "x = 1\n"}
    assert say(path, "x = 1\n", others=others).holds is there
    assert say(path.replace("path:", "no-path:"), "x = 1\n", others=others).holds is missing
    stand_in = say(path.replace("path:", "no-path:"), "x = 1\n", others=others, stand_in=True)
    assert stand_in.answer is (Answer.FAILS if there else Answer.UNVERIFIED)


def test_a_changed_copy_in_memory_is_looked_at_instead(loader: Loader) -> None:
    check = loader.load("calls: get", "a.py")
    cited = Cited("L-A", "lib", "lib 1.0", "a.py", (Lines(2, 3),), Texts({"a.py": source(POOL)}))
    assert cited.files is not None
    changed = Overlay(cited.files, {"a.py": source(POOL.replace(".get()", ".peek()"))})
    assert run(check, Context({"L-A": cited})).holds
    other = Cited("L-A", "lib", "lib 1.0", "a.py", (Lines(2, 3),), changed)
    assert run(check, Context({"L-A": other})).answer is Answer.FAILS
    blobs = changed.blobs()
    assert not isinstance(blobs, NoSource) and blobs["a.py"] != source(POOL).blob


def test_an_anchor_without_a_place_is_the_reason_and_a_file_needs_none(loader: Loader) -> None:
    cited = Cited("L-A", "lib", "lib 1.0", "a.py", (), Texts({"a.py": source(POOL)}), "L-A was not found")
    lost = run(loader.load("calls: get", "a.py"), Context({"L-A": cited}))
    assert (lost.answer, lost.anchor, lost.message) == (Answer.UNVERIFIED, "L-A", "L-A was not found")
    assert run(loader.load("{calls: get, scope: file}", "a.py"), Context({"L-A": cited})).holds
    nothing = Cited("L-A", "lib", "lib", "a.py", (), None, "nothing could be read")
    assert run(loader.load("{calls: get, scope: file}", "a.py"), Context({"L-A": nothing})).anchor == "L-A"


# What could not be looked at is never green


@pytest.mark.parametrize("check", ["calls: free", "never-calls: free", "exists: {name: free, absent: true}"])
def test_a_text_that_is_too_large_is_unverified(check: str, say: Say) -> None:
    result = say(check, "free()\n" + "x = 1\n" * 400_000)
    assert result.answer is Answer.UNVERIFIED
    assert "more than the 2,000,000 that checks look at" in result.message


def test_a_parse_that_is_stopped_is_unverified_before_ast_grep_sees_it(
    say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("claimcheck.parsing.SECONDS", 0.0)
    monkeypatch.setattr("claimcheck.parsing.SECONDS_PER_MEGABYTE", 0.0)
    result = say("never-calls: free", "a<" * 40_000, "a.cpp")
    assert (result.answer, "could not be parsed" in result.message) == (Answer.UNVERIFIED, True)


def test_deep_nesting_says_so(say: Say) -> None:
    deep = "x = " + "(" * 3_000 + "1" + ")" * 3_000 + "\n"
    assert say("{never-calls: free, scope: file}", deep).answer in (Answer.HOLDS, Answer.UNVERIFIED)
    assert say("{formula: {assign: x, is: '1'}, scope: file}", deep).answer is Answer.UNVERIFIED


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("def f():\n    x = = 3\n", Answer.UNVERIFIED),
        ("def f():\n    free()\n    x = = 3\n", Answer.FAILS),  # what is there is there
        ("def f():\n    x = 3\n\n\ndef g():\n    x = = 3\n", Answer.HOLDS),  # the error is elsewhere
    ],
)
def test_absence_is_claimed_only_over_what_parsed(text: str, answer: Answer, say: Say) -> None:
    assert say("{never-calls: free, symbol: f}", text).answer is answer


def test_presence_needs_no_perfect_parse(say: Say) -> None:
    assert say("{calls: free, symbol: f}", "def f():\n    free()\n    x = = 3\n").holds
    assert say("{calls: take, symbol: f}", "def f():\n    free()\n    x = = 3\n").answer is Answer.UNVERIFIED


def test_a_file_of_a_tree_that_cannot_be_read_leaves_it_open(loader: Loader) -> None:
    class Broken(Texts):
        def read(self, path: str, /) -> SourceText | NoSource:
            return NoSource(Why.OBJECT_MISSING, "is not here") if path == "b.py" else super().read(path)

    files = Broken({"a.py": source("x = 1\n"), "b.py": source("y = 1\n")})
    cited = Cited("L-A", "lib", "lib 1.0", "a.py", (Lines(1, 1),), files)
    result = run(loader.load("{never-calls: free, scope: tree}", "a.py"), Context({"L-A": cited}))
    assert result.answer is Answer.UNVERIFIED


# Newer Python than ours

NEW = """\
type Pair[T] = tuple[T, T]


class Box[T]:
    def get[U](self, x: U) -> U:
        match x:
            case [a, *_] if a:
                return take(f"{x!r:{'>' * 3}}")
        try:
            give()
        except* ValueError:
            pass
"""


def test_source_that_needs_a_newer_python_is_looked_at_all_the_same(say: Say) -> None:
    assert say("{calls: take, symbol: Box.get}", NEW).holds
    assert say("{inside: {node: give, try: ValueError}, symbol: Box.get}", NEW).holds
    assert say("{inside: {node: take, case: '[a, *_]'}, symbol: Box.get}", NEW).holds
    assert say("{never-calls: free, symbol: Box}", NEW).holds


# Comments and strings never satisfy code

QUIET = '''\
def f():
    """free(1); LIMIT = 3; if log: free(1)"""
    # free(1)
    x = "free(1)"
    return f"free(1) {x}"
'''
LOUD_CPP = 'void f() {\n  // free(1);\n  /* free(2); */\n  auto s = "free(3)";\n  auto r = R"(free(4))";\n}\n'


@pytest.mark.parametrize(
    "check",
    [
        "calls: free",
        "calls: {call: free($$$)}",
        "count: {node: free, at-least: 1}",
        "order: [free, free]",
        "inside: {node: free, if: log}",
        "exists: free",
        "value: {of: LIMIT, is: 3}",
        "rule: {rule: {pattern: free($A)}}",
    ],
)
@pytest.mark.parametrize(("path", "text"), [("a.py", QUIET), ("a.cpp", LOUD_CPP)])
def test_neither_comments_nor_strings_satisfy_code(check: str, path: str, text: str, say: Say) -> None:
    assert say(check, text, path).answer is Answer.FAILS


def test_an_f_string_has_code_in_it(say: Say) -> None:
    assert say("calls: free", 'def f(x):\n    return f"{free(x)}"\n').holds


# Each form, further


@pytest.mark.parametrize(
    ("written", "text", "path", "answer"),
    [
        ("{of: x, is: -1}", "x = -1\n", "a.py", "holds"),
        ("{of: x, is: 0.00001}", "x = 1e-5\n", "a.py", "holds"),
        ("{of: x, is: '1e-5'}", "x = 1e-5\n", "a.py", "holds"),
        ("{of: x, is: 1}", "x = 1.0\n", "a.py", "holds"),
        ("{of: x, is: 1}", "x = True\n", "a.py", "fails"),
        ("{of: x, is: true}", "x = 1\n", "a.py", "fails"),
        ("{of: x, is: true}", "x = not False\n", "a.py", "holds"),
        ("{of: x, is: null}", "x: int | None = None\n", "a.py", "holds"),
        ("{of: x, is: ab}", "x = 'a' \"b\"\n", "a.py", "holds"),
        ("{of: x, is: '1'}", "x = '1'\n", "a.py", "holds"),
        ("{of: x, is: 3}", "a = b = x = 3\n", "a.py", "holds"),
        ("{of: x, is: [1, 2, 4]}", "x = (1, 2,\n     4,)\n", "a.py", "holds"),
        ("{of: x, is: [1, 2]}", "x = [1, 2, 4]\n", "a.py", "fails"),
        ("{of: x, is: []}", "x: list[int] = field(default_factory=list)\n", "a.py", "holds"),
        ("{of: x, is: 3}", "x: int = field(default=3)\n", "a.py", "holds"),
        ("{of: x, is: 3}", "x: int = Field(3, gt=0)\n", "a.py", "holds"),
        ("{of: x, is: 8}", "A = 2\nx = A ** 3\n", "a.py", "holds"),
        ("{of: x, is: 8}", "A = 2\nA = 3\nx = A ** 3\n", "a.py", "unverified"),
        ("{of: x, is: 2}", "A = 2\ndef f(A):\n    x = A\n", "a.py", "unverified"),
        ("{of: x, is: 3}", "x = x\n", "a.py", "unverified"),
        ("{of: x, is: 3}", "x = 3\nx = 4\n", "a.py", "fails"),
        ("{of: x, is: 3}", "x = 3\nx = f()\n", "a.py", "unverified"),
        ("{of: x, is: 3}", "x = 9 ** 9 ** 9\n", "a.py", "unverified"),
        ("{of: x, is: 3}", "class A:\n    def __init__(self, x=3):\n        self.x = x\n", "a.py", "holds"),
        ("{of: x, is: 3, as: field}", "class A:\n    x: int = 3\n    def f(self, x=4): pass\n", "a.py", "holds"),
        ("{of: x, is: 3}", "class A:\n    x: int = 3\n    def f(self, x=4): pass\n", "a.py", "fails"),
        ("{of: B.x, is: 4}", "class A:\n    x = 3\nclass B:\n    x = 4\n", "a.py", "holds"),
        ("{of: C.x, is: 4}", "class A:\n    x = 3\n", "a.py", "fails"),
        ("{of: M.B, is: 2}", "class M(Enum):\n    A = auto()\n    B = auto()\n", "a.py", "holds"),
        ("{of: M.B, is: 2}", "class M(Flag):\n    A = auto()\n    B = auto()\n", "a.py", "unverified"),
        ("{of: M.B, is: 2}", "class M(Enum):\n    A = 5\n    B = auto()\n", "a.py", "unverified"),
        ("{env: X_ON, is: '0'}", "import os\ny = os.environ.get('X_ON', '0')\n", "a.py", "holds"),
        ("{env: X_ON, is: 0}", "import os\ny = int(os.environ.get('X_ON', '0'))\n", "a.py", "holds"),
        ("{env: X_ON, is: 3}", "y = env_int('X_ON', default=3)\n", "a.py", "holds"),
        ("{env: X_ON, is: null}", "import os\ny = os.getenv('X_ON')\n", "a.py", "holds"),
        ("{env: X_ON, is: 1}", "y = {'X_ON': 1}\n", "a.py", "fails"),
        ("{of: k, is: 16}", "static constexpr int64_t k = 0x10ull;\n", "a.cpp", "holds"),
        ("{of: k, is: 1000}", "const int k{1'000};\n", "a.cpp", "holds"),
        ("{of: k, is: 3}", "int k(3);\n", "a.cpp", "holds"),
        ("{of: k, is: 8}", "constexpr int k = 010;\n", "a.cpp", "holds"),
        ("{of: k, is: 2}", "constexpr int k = 5 / 2;\n", "a.cpp", "holds"),
        ("{of: k, is: 2.5}", "k = 5 / 2\n", "a.py", "holds"),
        ("{of: k, is: 0.9}", "constexpr float k = .9f;\n", "a.cpp", "holds"),
        ("{of: k, is: 1e-05}", "constexpr float k = 1e-5f;\n", "a.cpp", "holds"),
        ("{of: k, is: 1.5}", "constexpr double k = 0x1.8p0;\n", "a.cpp", "holds"),
        ("{of: k, is: 3}", "constexpr auto k = static_cast<int>(3);\n", "a.cpp", "holds"),
        ("{of: k, is: 3}", "constexpr size_t k = size_t(3);\n", "a.cpp", "holds"),
        ("{of: k, is: abc}", 'constexpr std::string_view k = "abc";\n', "a.cpp", "holds"),
        ("{of: k, is: null}", "void f(int* k = nullptr);\n", "a.cpp", "holds"),
        ("{of: K, is: 3}", "#define K A\n#define A (1 + 2)\n", "a.cpp", "holds"),
        ("{of: K, is: 3}", "#define K(x) 3\n", "a.cpp", "fails"),
        ("{of: B, is: 1}", "enum E { A, B };\n", "a.cpp", "holds"),
        ("{of: 'E::B', is: 1}", "enum class E { A, B };\nenum class F { B = 4 };\n", "a.cpp", "holds"),
        ("{of: B, is: 1}", "enum class E { A, B };\nenum class F { B = 4 };\n", "a.cpp", "fails"),
        ("{of: x_, is: 3}", "struct S {\n  int x_{4};\n  S() : x_(3) {}\n};\n", "a.cpp", "fails"),
        ("{of: b, is: false}", "struct S { bool a = true, b = false; };\n", "a.cpp", "holds"),
        ("{of: gone, is: 3}", "#if 0\nconstexpr int gone = 3;\n#endif\n", "a.cpp", "fails"),
    ],
)
def test_values(written: str, text: str, path: str, answer: str, say: Say) -> None:
    assert say(f"{{value: {written}, scope: file}}", text, path).answer.value == answer


GUARDED = """\
def f(self, log, xs):
    if a:
        one()
    elif log and not self.off:
        two()
    else:
        three()
    for x in xs:
        if x is None:
            continue
        four(x)
    y = [five(x) for x in xs if log]
    with lock, open(p) as handle:
        six(handle)
    while log:
        seven()
    try:
        eight()
    except (KeyError, b.Other) as error:
        nine()
    finally:
        ten()
    return eleven() if not log else twelve()
"""
GUARDED_CPP = """\
int Pool::f(bool log) {
  if (log) one();
  else if (n > 0 && !off) { two(); }
  else { three(); }
  for (auto& x : xs) {
    if (x == nullptr) { continue; }
    four(x);
  }
  if constexpr (kFast) five();
  if (auto it = m.find(k); it != m.end()) [[likely]] { six(); }
  switch (mode) {
    case Mode::A:
    case Mode::B: { seven(); break; }
    case Mode::C: eight();
    default: nine();
  }
  try { ten(); } catch (const Error& e) { eleven(); }
  auto g = [&] { if (log) { twelve(); } };
  return (log) ? thirteen() : fourteen();
}
"""


@pytest.mark.parametrize(
    ("path", "text", "written", "holds"),
    [
        ("a.py", GUARDED, "{node: one, if: (a)}", True),
        ("a.py", GUARDED, "{node: two, if: log and not self.off}", True),
        ("a.py", GUARDED, "{node: two, if: (log) and (not (self.off))}", True),
        ("a.py", GUARDED, "{node: two, if: log}", False),
        ("a.py", GUARDED, "{node: two, if: not self.off and log}", False),
        ("a.py", GUARDED, "{node: two, if: a, branch: else}", True),
        ("a.py", GUARDED, "{node: three, if: log and not self.off, branch: else}", True),
        ("a.py", GUARDED, "{node: three, if: a}", False),
        ("a.py", GUARDED, "{node: four, if: x is not None, guards: early-return}", True),
        ("a.py", GUARDED, "{node: four, if: not (x is None), guards: early-return}", True),
        ("a.py", GUARDED, "{node: four, if: x is None, guards: early-return}", False),
        ("a.py", GUARDED, "{node: four, if: x is not None}", False),
        ("a.py", GUARDED, "{node: five, if: log}", True),
        ("a.py", GUARDED, "{node: six, with: open($_)}", True),
        ("a.py", GUARDED, "{node: six, with: lock}", True),
        ("a.py", GUARDED, "{node: six, with: open}", False),
        ("a.py", GUARDED, "{node: seven, if: log}", False),
        ("a.py", GUARDED, "{node: eight, try: KeyError}", True),
        ("a.py", GUARDED, "{node: eight, try: b.Other}", True),
        ("a.py", GUARDED, "{node: eight, try: ValueError}", False),
        ("a.py", GUARDED, "{node: nine, try: KeyError, branch: except}", True),
        ("a.py", GUARDED, "{node: nine, try: KeyError}", False),
        ("a.py", GUARDED, "{node: ten, try: KeyError, branch: finally}", True),
        ("a.py", GUARDED, "{node: eleven, if: not log}", True),
        ("a.py", GUARDED, "{node: twelve, if: log}", False),
        ("a.py", GUARDED, "{node: twelve, if: not log, branch: else}", True),
        ("a.cpp", GUARDED_CPP, "{node: one, if: log}", True),
        ("a.cpp", GUARDED_CPP, "{node: two, if: 'n>0 && (!off)'}", True),
        ("a.cpp", GUARDED_CPP, "{node: two, if: log, branch: else}", True),
        ("a.cpp", GUARDED_CPP, "{node: two, if: log}", False),
        ("a.cpp", GUARDED_CPP, "{node: three, if: 'n > 0 && !off', branch: else}", True),
        ("a.cpp", GUARDED_CPP, "{node: four, if: x != nullptr, guards: early-return}", True),
        ("a.cpp", GUARDED_CPP, "{node: four, if: x == nullptr, guards: early-return}", False),
        ("a.cpp", GUARDED_CPP, "{node: five, if: kFast}", True),
        ("a.cpp", GUARDED_CPP, "{node: six, if: it != m.end()}", True),
        ("a.cpp", GUARDED_CPP, "{node: seven, case: ['Mode::A', 'Mode::B']}", True),
        ("a.cpp", GUARDED_CPP, "{node: seven, case: 'Mode::B'}", False),
        ("a.cpp", GUARDED_CPP, "{node: eight, case: 'Mode::C'}", True),
        ("a.cpp", GUARDED_CPP, "{node: nine, case: default}", False),
        ("a.cpp", GUARDED_CPP, "{node: nine, case: [default, 'Mode::C']}", True),
        ("a.cpp", GUARDED_CPP, "{node: ten, try: Error}", True),
        ("a.cpp", GUARDED_CPP, "{node: eleven, try: Error, branch: except}", True),
        ("a.cpp", GUARDED_CPP, "{node: twelve, if: log}", True),
        ("a.cpp", GUARDED_CPP, "{node: thirteen, if: log}", True),
        ("a.cpp", GUARDED_CPP, "{node: fourteen, if: log}", False),
        ("a.cpp", GUARDED_CPP, "{node: fourteen, if: '!log'}", False),
        ("a.cpp", GUARDED_CPP, "{node: fourteen, if: log, branch: else}", True),
    ],
)
def test_inside(path: str, text: str, written: str, holds: bool, say: Say) -> None:
    assert say(f"inside: {written}", text, path).answer is (Answer.HOLDS if holds else Answer.FAILS)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("def f(log):\n    if log:\n        go()\n", Answer.HOLDS),
        ("def f(log):\n    later(go)\n    if log:\n        go()\n", Answer.UNVERIFIED),
        ("def f(log):\n    if log:\n        later(go)\n        go()\n", Answer.HOLDS),
        ("def f(log):\n    later(go)\n    go()\n    if log:\n        go()\n", Answer.FAILS),
        ("def f(log):\n    return 1\n", Answer.FAILS),  # nowhere at all is not inside
        ("def f(log):\n    if log:\n        go()\n    x = = 3\n", Answer.UNVERIFIED),
        ("def f(log):\n    go()\n    x = = 3\n", Answer.FAILS),
    ],
)
def test_what_is_passed_on_may_be_called_elsewhere(text: str, answer: Answer, say: Say) -> None:
    assert say("inside: {node: go, if: log}", text).answer is answer


def test_a_guard_that_is_not_passed_by_is_none(say: Say) -> None:
    text = "def f(log, x):\n    if x:\n        if not log:\n            return\n    go()\n"
    assert say("inside: {node: go, if: log, guards: early-return}", text).answer is Answer.FAILS
    nested = "def f(log):\n    if not log:\n        return\n    def g():\n        go()\n    return g\n"
    assert say("inside: {node: go, if: log, guards: early-return}", nested).answer is Answer.FAILS


@pytest.mark.parametrize(
    ("check", "text", "path", "answer"),
    [
        ("calls: a.get", "def f(s):\n    s.a.get()\n", "a.py", Answer.HOLDS),
        ("calls: a.get", "def f(s):\n    s.ba.get()\n", "a.py", Answer.FAILS),
        ("calls: get", "def f(s):\n    s.target()\n", "a.py", Answer.FAILS),
        ("calls: get", "def f(s):\n    (s\n      .get  # why\n      ())\n", "a.py", Answer.HOLDS),
        ("calls: 'get($A, $A)'", "def f():\n    get(x, x)\n", "a.py", Answer.HOLDS),
        ("calls: 'get($A, $A)'", "def f():\n    get(x, y)\n", "a.py", Answer.FAILS),
        ("calls: 'get(\"a\")'", "def f():\n    get('a')\n", "a.py", Answer.HOLDS),
        ("calls: 'get(0x10)'", "def f():\n    get(16,)\n", "a.py", Answer.HOLDS),
        ("calls: {call: get, with: [x, y=$_]}", "def f():\n    get(z, x, y=3)\n", "a.py", Answer.HOLDS),
        ("calls: {call: get, with: [y]}", "def f():\n    get(x, y=3)\n", "a.py", Answer.FAILS),
        ("calls: max", "void f() { std::max<int>(a, b); }\n", "a.cpp", Answer.HOLDS),
        ("calls: 'std::max'", "void f() { std::max<int>(a, b); }\n", "a.cpp", Answer.HOLDS),
        ("calls: 'max($$$)'", "void f() { std::max(a, b); }\n", "a.cpp", Answer.FAILS),
        ("never-calls: 'max($$$)'", "void f() { std::max(a, b); }\n", "a.cpp", Answer.FAILS),
        ("never-calls: 'A::go'", "void f() { n::A<int>::go(); }\n", "a.cpp", Answer.FAILS),
        ("never-calls: Foo", "void f() { auto x = new Foo(3); }\n", "a.cpp", Answer.FAILS),
        ("never-calls: Foo", "void f() { auto x = ns::Foo{3}; }\n", "a.cpp", Answer.FAILS),
        ("never-calls: go", "void f() { run(&Pool::go); }\n", "a.cpp", Answer.UNVERIFIED),
        ("never-calls: go", "void f() { int go = 3; }\n", "a.cpp", Answer.HOLDS),
        ("never-calls: go", "void f() { kernel<<<go, b>>>(x); }\n", "a.cu", Answer.UNVERIFIED),
        ("never-calls: go", "def f():\n    getattr(x, 'go')()\n", "a.py", Answer.UNVERIFIED),
        ("never-calls: go", "def f():\n    x['go'] = run(go=3)\n", "a.py", Answer.HOLDS),
        ("never-calls: go", "from b import go\n\n\ndef f(go=1):\n    pass\n", "a.py", Answer.HOLDS),
        ("never-calls: go", "def f(go):\n    if go:\n        run(go)\n", "a.py", Answer.HOLDS),
        ("never-calls: go", "def f():\n    for go in x:\n        run(go.a)\n", "a.py", Answer.HOLDS),
        ("never-calls: go", "def f(go):\n    run(x.go)\n", "a.py", Answer.UNVERIFIED),
        ("never-calls: go", "def f(go=go):\n    pass\n", "a.py", Answer.UNVERIFIED),
        ("never-calls: go", "def f(x):\n    run(go)\n\n\ndef g(go):\n    pass\n", "a.py", Answer.UNVERIFIED),
        ("never-calls: go", "void f(bool go) { if (go) run(go); }\n", "a.cpp", Answer.HOLDS),
        ("never-calls: {call: go, with: [x]}", "def f():\n    go(y)\n", "a.py", Answer.HOLDS),
        ("never-calls: go", "@go\ndef f():\n    pass\n", "a.py", Answer.UNVERIFIED),
    ],
)
def test_calls(check: str, text: str, path: str, answer: Answer, say: Say) -> None:
    assert say(check, text, path).answer is answer


@pytest.mark.parametrize(
    ("written", "text", "path", "holds"),
    [
        ("{assign: n, is: a - b}", "def f():\n    n = (a\n         - (b))  # c\n", "a.py", True),
        ("{assign: n, is: a - b}", "def f():\n    n: int = a - b\n", "a.py", True),
        ("{assign: n, is: a - b}", "def f():\n    if (n := a - b):\n        pass\n", "a.py", True),
        ("{assign: n, is: a - b}", "def f():\n    n = b - a\n", "a.py", False),
        ("{assign: n, is: a - b, commute: true}", "def f():\n    n = b - a\n", "a.py", False),
        ("{assign: n, is: a + b * c, commute: true}", "def f():\n    n = c * b + a\n", "a.py", True),
        ("{assign: n, is: a + b + c, commute: true}", "def f():\n    n = c + (b + a)\n", "a.py", True),
        ("{assign: n, is: a + b + c}", "def f():\n    n = a + (b + c)\n", "a.py", False),
        ("{assign: n, is: a + b * c, commute: true}", "def f():\n    n = (a + b) * c\n", "a.py", False),
        ("{assign: n, is: a + a, commute: true}", "def f():\n    n = a + b\n", "a.py", False),
        ("{assign: n, is: $X * $X}", "def f():\n    n = b * b\n", "a.py", True),
        ("{assign: n, is: $X * $X}", "def f():\n    n = a * b\n", "a.py", False),
        ("{assign: n, is: 'f($$$, b)'}", "def f():\n    n = f(1, 2, b)\n", "a.py", True),
        ("{assign: n, is: '0.5'}", "def f():\n    n = .50\n", "a.py", True),
        ("{assign: n, is: \"g('x')\"}", 'def f():\n    n = g("x")\n', "a.py", True),
        ("{assign: n, is: 'a[1:]'}", "def f():\n    n = a[:1]\n", "a.py", False),
        ("{assign: n, is: 'a[1]'}", "def f():\n    n = a[1,]\n", "a.py", False),
        ("{assign: n, is: x is not None}", "def f():\n    n = x is  not None\n", "a.py", True),
        ("{assign: n +=, is: '1'}", "def f():\n    n += 1\n", "a.py", True),
        ("{assign: n, is: '1'}", "def f():\n    n += 1\n", "a.py", False),
        ("{assign: self.n, is: '1'}", "def f(self):\n    n = 1\n", "a.py", False),
        ("{assign: n, is: '1', every: true}", "def f():\n    n = 1\n    n = 2\n", "a.py", False),
        ("{assign: n, is: '1'}", "def f():\n    n = 1\n    n = 2\n", "a.py", True),
        ("{return: '(a, b)'}", "def f():\n    return a, b\n", "a.py", True),
        ("{argument: g, is: b}", "def f():\n    g(a, key=b)\n", "a.py", True),
        ("{assign: n, is: 'a ? b : c'}", "int f() { int n = (a) ? b : (c); return n; }\n", "a.cpp", True),
        ("{assign: n, is: a && !b}", "int f() { bool n = a and not b; return n; }\n", "a.cpp", True),
        ("{assign: n, is: 'a->b'}", "int f() { auto n = a.b; return n; }\n", "a.cpp", False),
        ("{assign: 'this->n', is: 2 * k}", "int f() { this->n = 2 * k; return 0; }\n", "a.cpp", True),
        ("{assign: n, is: k}", "int f() { int n{k}; return n; }\n", "a.cpp", True),
        ("{return: 'a - 1'}", "template <class T> T f(T a) { return a - 1; }\n", "a.cpp", True),
    ],
)
def test_formulas(written: str, text: str, path: str, holds: bool, say: Say) -> None:
    assert say(f"formula: {written}", text, path).answer is (Answer.HOLDS if holds else Answer.FAILS)


@pytest.mark.parametrize(
    ("check", "text", "path", "holds"),
    [
        ("order: [a, b, c]", "def f():\n    a()\n    b()\n    c()\n", "a.py", True),
        ("order: ['x = $_', 'y = $_']", "def f():\n    y = 1\n    x = 2\n", "a.py", False),
        ("{order: [a, b], scope: file}", "def f():\n    a()\n\n\ndef g():\n    b()\n", "a.py", True),
        ("order: [a, b]", "def f():\n    a()\n\n\ndef g():\n    b()\n", "a.py", False),  # not in one definition
        ("order: ['throw $E;', 'return $X;']", "int f() { if (x) throw E(); return 3; }\n", "a.cpp", True),
        ("signature: {parameters: [a, b, k, rest]}", "def f(a, /, b, *, k=1, **rest): pass\n", "a.py", True),
        ("signature: {has: ['k: int = 1']}", "def f(k: int=1): pass\n", "a.py", True),
        ("signature: {has: ['k: str']}", "def f(k: int=1): pass\n", "a.py", False),
        ("signature: {has: [k=1]}", "def f(k): pass\n", "a.py", False),
        ("signature: {returns: 'list[int]'}", "def f() -> list[int]: pass\n", "a.py", True),
        ("signature: {returns: int}", "def f(): pass\n", "a.py", False),
        ("signature: {parameters: []}", "def f(): pass\n", "a.py", True),
        ("signature: {returns: int}", "auto f(int a) -> int { return a; }\n", "a.cpp", True),
        ("signature: {parameters: [a, 'int n = 3']}", "void f(const A& a, int n = 3);\n", "a.cpp", True),
        ("{bases: [Base], symbol: A}", "class A(ns.Base, metaclass=M): pass\n", "a.py", True),
        ("{bases: [Bas], symbol: A}", "class A(Base): pass\n", "a.py", False),
        ("{bases: ['Base<int>'], symbol: A}", "struct A : Base<int> {};\n", "a.cpp", True),
        ("{bases: ['Base<int>'], symbol: A}", "struct A : Base<float> {};\n", "a.cpp", False),
        (
            "{count: {fields: true, is: 2}, symbol: A}",
            "class A:\n    x: int\n    y = 1\n    def f(self):\n        self.z = 1\n",
            "a.py",
            True,
        ),
        (
            "{count: {methods: true, is: 1}, symbol: A}",
            "class A:\n    x: int\n    def f(self):\n        def g(): pass\n",
            "a.py",
            True,
        ),
        (
            "count: {node: 'self.n = $_', is: 2}",
            "def f(self):\n    self.n = 1\n    self.n = 2\n    self.n == 3\n",
            "a.py",
            True,
        ),
        ("count: {node: raise $E, at-most: 1}", "def f():\n    raise A\n    raise B\n", "a.py", False),
        ("exists: {name: x, as: field}", "class A:\n    def f(self):\n        self.x = 1\n", "a.py", True),
        ("exists: {name: x, as: field}", "def f(x): pass\n", "a.py", False),
        ("exists: x", "from b import x\n", "a.py", False),
        ("exists: {name: X, as: macro}", "#define X 3\n", "a.cpp", True),
        ("exists: {name: A, as: member}", "enum class E { A };\n", "a.cpp", True),
        ("exists: {text: two words}", "two\n  words\n", "a.md", True),
        ("exists: {text: two words, absent: true}", "two\n  words\n", "a.md", False),
        ("comment: 'a b'", "def f():\n    # a\n\n    # b\n    g()\n", "a.py", False),
        ("comment: 'a b'", "def f():\n    # a\n    # b\n    g()\n", "a.py", True),
        ("comment: 不变", "def f():\n    x = 1  # 长度不变，\n", "a.py", True),
        ("comment: one two", "/* one\n * two */\nvoid f() {}\n", "a.cpp", True),
        ("comment: one two", 'def f():\n    """\n    One, one\n    two.\n    """\n', "a.py", True),
        ("comment: one", "def f():\n    x = 'one'\n", "a.py", False),
    ],
)
def test_other_forms(check: str, text: str, path: str, holds: bool, say: Say) -> None:
    assert say(check, text, path).answer is (Answer.HOLDS if holds else Answer.FAILS)


def test_two_anchors_in_one_definition_count_it_once(loader: Loader) -> None:
    check = loader.load("count: {node: get, is: 1}", "a.py")
    files = Texts({"a.py": source(POOL)})
    places = {"L-A": Lines(2, 3), "L-B": Lines(3, 3), "L-C": Lines(1, 6)}
    anchors = {id: Cited(id, "lib", "lib 1.0", "a.py", (lines,), files) for id, lines in places.items()}
    assert run(check, Context(anchors)).holds


def test_a_macro_that_is_not_read_leaves_absence_open(say: Say) -> None:
    text = "#define FIELD int evict;\nstruct Pool {\n  FIELD\n};\n"
    assert say("{exists: {name: evict, absent: true}, scope: file}", text, "a.cpp").answer is Answer.UNVERIFIED


# What is wrong with a check when the registry loads


@pytest.mark.parametrize(
    ("check", "path", "said"),
    [
        ("callls: f", "a.py", "claims/one.yaml:6:9: unknown key `callls`; did you mean `calls`?"),
        ("calls: {cal: f}", "a.py", "claims/one.yaml:6:17: unknown key `cal`; did you mean `call`?"),
        ("calls: {with: [a]}", "a.py", "claims/one.yaml:6:9: `call` is missing"),
        ("value: {of: x}", "a.py", "claims/one.yaml:6:9: `is` is missing"),
        ("value: {is: 3}", "a.py", "claims/one.yaml:6:16: whose value? one of `of` and `env` is needed"),
        ("order: [a]", "a.py", "claims/one.yaml:6:16: order has 1 items, expected at least 2"),
        ("lines: many", "a.py", "claims/one.yaml:6:16: lines is text, expected a number or a mapping"),
        (
            "{calls: f, scope: method}",
            "a.py",
            "claims/one.yaml:6:27: scope `method` is none of `region`, `symbol`, `file`, `tree`",
        ),
        ("{calls: f, in: L-B}", "a.py", "claims/one.yaml:6:24: L-B is not among what the claim cites"),
        ("{calls: {call: f, in: L-A}, in: L-A}", "a.py", "claims/one.yaml:6:41: `in` stands twice"),
        (
            "{formula: {return: x}, scope: tree}",
            "a.py",
            "claims/one.yaml:6:39: `formula` looks into files that are named; into a tree look "
            "calls, never-calls, inside, count, rule",
        ),
        (
            "{calls: f, scope: file, symbol: g}",
            "a.py",
            "claims/one.yaml:6:27: `scope` beside `symbol`, which is the scope",
        ),
        ("{calls: f, path: 'b/*.py'}", "a.py", "claims/one.yaml:6:26: a pattern of paths needs `scope: tree`"),
        ("{calls: f, path: ../b.py}", "a.py", "claims/one.yaml:6:26: path `../b.py` has `..` in it"),
        ("calls: f", "a.md", "claims/one.yaml:6:16: `calls` needs Python or C++; a.md is neither"),
        ("{calls: f, path: b.txt}", "a.py", "claims/one.yaml:6:17: `calls` needs Python or C++; b.txt is neither"),
        ("calls: 'f('", "a.py", "claims/one.yaml:6:16: `f(` is neither a name nor a call in Python"),
        ("calls: a + b", "a.py", "claims/one.yaml:6:16: `a + b` is neither a name nor a call in Python"),
        ("calls: {call: f, with: ['a b']}", "a.py", "claims/one.yaml:6:33: `a b` is no expression of Python"),
        (
            "count: {node: 'if x:', is: 1}",
            "a.py",
            "claims/one.yaml:6:23: `if x:` is no complete Python; a statement has a body",
        ),
        (
            "count: {node: 'if (x)', is: 1}",
            "a.cpp",
            "claims/one.yaml:6:23: `if (x)` is no complete C++; a statement has a body",
        ),
        ("count: {node: 'def (', is: 1}", "a.py", "claims/one.yaml:6:23: `def (` is no complete piece of Python"),
        ("count: {node: $X, is: 1}", "a.py", "claims/one.yaml:6:23: `$X` would match everything"),
        ("count: {node: f}", "a.py", "claims/one.yaml:6:16: how many? `is`, `at-least` or `at-most` is missing"),
        (
            "count: {node: f, is: 1, at-most: 2}",
            "a.py",
            "claims/one.yaml:6:30: `is` says it exactly; `at-least` and `at-most` stand without it",
        ),
        ("inside: {node: f, if: 'a +'}", "a.py", "claims/one.yaml:6:31: `a +` is no expression of Python"),
        (
            "inside: {node: f}",
            "a.py",
            "claims/one.yaml:6:17: one of `if`, `case`, `with`, `try` says the condition; this one has none",
        ),
        ("inside: {node: f, case: x, branch: else}", "a.py", "claims/one.yaml:6:44: `case` has no branch `else`"),
        ("rule: {rule: {patern: f}}", "a.py", "claims/one.yaml:6:23: unknown key `patern`; did you mean `pattern`?"),
        (
            "rule: {rule: {kind: nope}}",
            "a.py",
            "claims/one.yaml:6:22: ast-grep cannot compile the rule: Kind `nope` is invalid.",
        ),
        ("rule: {rule: {pattern: 'f('}}", "a.py", "claims/one.yaml:6:22: `f(` is no complete piece of Python"),
        ("rule: {rule: {regex: '('}}", "a.py", "claims/one.yaml:6:22: ast-grep cannot compile the rule:"),
        (
            "rule: {rule: {pattern: f()}, expect: often}",
            "a.py",
            "claims/one.yaml:6:46: expect `often` is neither `present`, `absent` nor a number",
        ),
        (
            "comment-against-code: {comment: c, code: {order: [a, 'b c']}}",
            "a.py",
            "claims/one.yaml:6:62: `b c` is no complete piece of Python",
        ),
        (
            "comment-against-code: {comment: c, code: {scope: file}}",
            "a.py",
            "claims/one.yaml:6:50: a check has one form; this one has none",
        ),
    ],
)
def test_what_is_wrong_with_a_check_is_located_when_the_registry_loads(
    check: str, path: str, said: str, loader: Loader
) -> None:
    (finding,) = loader.findings(check, path)
    assert f"{finding.place}: {finding.message}".startswith(said)


def test_a_statement_without_a_body_is_completed(loader: Loader) -> None:
    (finding,) = loader.findings("count: {node: 'if x:', is: 1}")
    assert finding.help == "'if x: $$$'"


@pytest.mark.parametrize(
    "check",
    [
        "order: ['if x: $$$', 'return $X']",
        "count: {node: 'for ($A; $B; $C) { $$$D }', is: 1}",
        "count: {node: 'x_{$V}', is: 1}",
        "count: {node: 'int y_ = $V;', is: 1}",
        "rule: {rule: {pattern: {context: 'class X { int y_ = $V; };', selector: field_declaration}}}",
        "rule: {rule: {any: [{kind: call_expression}, {pattern: 'f($$$)'}]}, utils: {u: {kind: identifier}}}",
        "{no-path: a/b}",
        "{calls: f, symbol: 'A::f(int)'}",
    ],
)
def test_sound_checks_load(check: str, loader: Loader) -> None:
    assert loader.findings(check, "a.py" if "order" in check else "a.cpp") == []


def test_a_member_and_an_initialiser_are_found_as_patterns(say: Say) -> None:
    text = "struct S {\n  int y_ = 3;\n  S() : x_{4} {}\n};\n"
    assert say("{count: {node: 'int y_ = $V;', is: 1}, scope: file}", text, "a.cpp").holds
    assert say("{count: {node: 'x_{$V}', is: 1}, scope: file}", text, "a.cpp").holds
