"""Anchors that name a symbol, and files that a parser stumbles over, from the registry to the exit code."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from claimcheck import grammars
from claimcheck.grammars import load
from conftest import Claimcheck, MakeProject, SmallProject
from small import findings, registry

FOO = (
    "class Foo:\n    x = 1\n\n    @deco(\n        a,\n    )\n    def m(self):\n        return self.x\n\n"
    "    @property\n    def p(self):\n        return 1\n\n    @p.setter\n    def p(self, v):\n        self.v = v\n"
)
OVERLOADS = (
    "from typing import overload\n\n\nclass A:\n    @overload\n    def f(self, x: int) -> int: ...\n\n"
    "    @overload\n    def f(self, x: str) -> str: ...\n\n    def f(self, x):\n        return x\n"
)
CONDITIONAL = (
    "if A:\n    def f():\n        return 1\nelse:\n    def f():\n        return 2\n"
    "try:\n    import x\nexcept ImportError:\n    def f():\n        return 3\n"
)
BRACES = "void a() {\n#if X\n  if (p) {\n#else\n  if (q) {\n#endif\n    z();\n  }\n}\nvoid b() { }\n"
TWO_HEADS = "#ifdef A\nint f(int x) {\n#else\nint f(long x) {\n#endif\n  return 1;\n}\nint g() { return 2; }\n"
CUDA = (
    "template <typename T>\n__global__ void __launch_bounds__(256) k(T* x) {\n  x[0] = 1;\n}\n"
    "void h(){ k<float><<<g,b,0,s>>>(x); }\n__device__ __forceinline__ float g(float a){\n  return a;\n}\n"
)
MACROS = (
    "BENCHMARK_F(T, init)(S& st) {\n  run(st);\n}\nTEST_F(Foo, Bar) {\n  x();\n}\nTEST_F(Foo, Baz) {\n  y();\n}\n"
    "TORCH_LIBRARY_IMPL(aten, CUDA, m) {\n}\nPYBIND11_MODULE(m, x) {\n}\n"
)
HEADER = "struct S { void f(int);\n void f(double) {}\n ~S();\n S& operator=(const S&);\n};\n"
NOT_CODE = 'const char* t = R"x(\nvoid fake() {}\n)x";\n// void old() {}\nint x = 1;\n'


def shown_lines(project: SmallProject, claimcheck: Claimcheck, *ids: str) -> dict[str, list[list[int]]]:
    """The lines that `excerpt` shows of each anchor that it shows at all."""
    out = claimcheck("excerpt", *ids, "--format", "json", cwd=project.root).out
    return {
        excerpt["id"]: [region["lines"] for region in excerpt["regions"]]
        for excerpt in (json.loads(out)["excerpts"] if out else ())
    }


@pytest.mark.parametrize(
    ("path", "text", "symbol", "lines"),
    [
        ("a.py", FOO, "Foo.m", [4, 8]),
        ("a.py", FOO, "m", [4, 8]),
        ("a.py", "# 变量 — café 😀\ndef f():\n    return 1\n\n\ndef 変数():\n    return 2\n", "変数", [6, 7]),
        ("a.py", 'x="a\u2028b"\n\x0c\n# \x85 \x0b \x1c\ndef f():\n    return 1\n', "f", [4, 5]),
        ("a.py", "def f():\n    return 1\n\n\ndef old():\n    print 'x'\n", "f", [1, 2]),
        (
            "a.cpp",
            "void f1() {\n  int a;\n#if defined(A)\n#endif\n  int b;\n}\nvoid f2() {\n  int c;\n}\n",
            "f2",
            [7, 9],
        ),
        ("k.cu", CUDA, "k", [1, 4]),
        ("k.cuh", CUDA, "h", [5, 5]),
        ("k.hpp", CUDA, "g", [6, 8]),
        ("a.cpp", TWO_HEADS, "g", [8, 8]),
        ("a.cpp", MACROS, '"TEST_F(Foo, Baz)"', [7, 9]),
        ("s.h", HEADER, '"S::f(double)"', [2, 2]),
        ("s.h", HEADER, "S::~S", [3, 3]),
        ("s.h", HEADER, "S::operator=", [4, 4]),
        ("s.cpp", "void a::S::f(int){}\na::S::~S(){}\n", "S::f", [1, 1]),
    ],
)
def test_a_symbol_is_its_definition_from_the_first_decorator_or_template_line_on(
    path: str, text: str, symbol: str, lines: list[int], make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(registry(f"L-A: {{path: {path}, symbol: {symbol}}}"), {path: text})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 0, ran.out
    assert shown_lines(project, claimcheck, "L-A") == {"L-A": [lines]}
    link = claimcheck("cite", "L-A", cwd=project.root).out
    first, last = lines
    assert f"/{path}#L{first}-L{last}\n" in link or (first == last and f"/{path}#L{first}\n" in link)


@pytest.mark.parametrize(
    ("path", "text", "symbol", "said"),
    [
        ("a.py", FOO, "Foo.p", "Foo.p is defined 2 times, at 10-12 and 14-16 [symbol-missing]"),
        ("a.py", OVERLOADS, "A.f", "A.f is defined 3 times, at 5-6, 8-9 and 11-12 [symbol-missing]"),
        ("a.py", CONDITIONAL, "f", "f is defined 3 times, at 2-3, 5-6 and 10-11 [symbol-missing]"),
        ("s.h", HEADER, "S::f", "S::f is defined 2 times, at 1 and 2 [symbol-missing]"),
        ("a.cpp", TWO_HEADS, "f", "f is defined 2 times, at 2 and 4-7 [symbol-missing]"),
        ("a.cpp", MACROS, "TEST_F", "TEST_F is defined 2 times, at 4-6 and 7-9 [symbol-missing]"),
    ],
)
def test_of_several_definitions_none_is_chosen(
    path: str, text: str, symbol: str, said: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(registry(f"L-A: {{path: {path}, symbol: {symbol}}}"), {path: text})
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert [line.partition("L-A: ")[2] for line in findings(ran)] == [said]
    assert shown_lines(project, claimcheck, "L-A") == {}


@pytest.mark.parametrize(
    ("text", "symbol", "find", "lines"),
    [(OVERLOADS, "A.f", "return x", [11, 12]), (CONDITIONAL, "f", "return 2", [5, 6]), (FOO, "Foo.p", "v", [14, 16])],
)
def test_a_string_says_which_of_several_definitions_is_meant(
    text: str, symbol: str, find: str, lines: list[int], make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    find = "self.v" if find == "v" else find
    project = make_project(registry(f"L-A: {{path: a.py, symbol: {symbol}, find: {find}}}"), {"a.py": text})
    assert claimcheck("verify", cwd=project.root).code == 0
    assert shown_lines(project, claimcheck, "L-A") == {"L-A": [lines]}
    assert claimcheck("lock", cwd=project.root).code == 0
    assert f'"lines": {lines}' in project.read("anchors.lock")
    assert claimcheck("verify", cwd=project.root).code == 0


def test_an_implementation_is_followed_past_a_new_overload(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    more = "class A:\n    @overload\n    def f(self, x: bytes) -> bytes: ...\n\n"
    project = make_project(
        registry("L-A: {path: a.py, lines: 11-12, symbol: A.f, find: return x}"),
        {"a.py": OVERLOADS},
        {"a.py": OVERLOADS.replace("class A:\n", more)},
    )
    ran = claimcheck("excerpt", "L-A", "--at", project.commits[1], cwd=project.root)
    assert ran.code == 0
    assert "A.f  14-15\n 14 |     def f(self, x):\n" in ran.out


def test_a_symbol_that_is_gone_is_not_replaced_by_its_class(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    files = registry("L-A: {path: a.py, symbol: Foo.m}")
    without = FOO.replace("    @deco(\n        a,\n    )\n    def m(self):\n        return self.x\n\n", "")
    project = make_project(files, {"a.py": FOO}, {"a.py": without})
    elsewhere = claimcheck("excerpt", "L-A", "--at", project.commits[1], cwd=project.root)
    assert (elsewhere.code, elsewhere.out) == (1, "")
    project.write("anchors.yaml", project.read("anchors.yaml").replace(project.commits[0], project.commits[1]))
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert f"L-A: a.py at lib {project.commits[1][:8]} defines no Foo.m [symbol-missing]\n" in ran.out
    shown = claimcheck("excerpt", "L-A", cwd=project.root)
    assert (shown.code, shown.out) == (1, "")


@pytest.mark.parametrize("symbol", ["fake", "old"])
def test_text_in_strings_and_comments_is_found_as_text_and_never_as_a_symbol(
    symbol: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    line = {"fake": 2, "old": 4}[symbol]
    project = make_project(
        registry(
            f"L-TEXT: {{path: a.cpp, lines: {line}, find: void {symbol}()}}",
            f"L-SYM: {{path: a.cpp, symbol: {symbol}}}",
        ),
        {"a.cpp": NOT_CODE},
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert [line.partition("error: ")[2] for line in findings(ran)] == [
        f"L-SYM: a.cpp at lib {project.commits[0][:8]} defines no {symbol} [symbol-missing]"
    ]


@pytest.mark.parametrize("symbol", ["a", "b"])
def test_what_the_parser_did_not_understand_is_unverified_and_not_called_absent(
    symbol: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        registry(f"L-SYM: {{path: a.cpp, symbol: {symbol}}}", "L-TEXT: {path: a.cpp, lines: 10, find: void b()}"),
        {"a.cpp": BRACES},
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    (told,) = findings(ran)
    assert f"L-SYM: {symbol} cannot be looked up: a.cpp has parse errors where it is named" in told
    assert told.endswith("[symbol-unresolved]")
    assert "anchors    2   1 verified, 0 failed, 1 unverified\n" in ran.out


def test_a_symbol_in_a_file_without_grammar_is_unverified_and_its_lines_alone_are_fine(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        registry(
            "L-SYM: {path: notes.txt, lines: 1, symbol: f, find: def f}", "L-TEXT: {path: notes.txt, find: def f}"
        ),
        {"notes.txt": "def f\n"},
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert "L-SYM: f cannot be looked up: there is no grammar for notes.txt [symbol-unresolved]\n" in ran.out
    assert "anchors    2   1 verified, 0 failed, 1 unverified\n" in ran.out


@pytest.fixture
def unfit_grammar(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def language() -> object:
        raise ValueError("Incompatible Language version 99. Must be between 13 and 15")

    load.cache_clear()
    monkeypatch.setattr(grammars.python, "language", language)
    yield
    load.cache_clear()


@pytest.mark.usefixtures("unfit_grammar")
def test_a_grammar_that_does_not_fit_costs_symbols_only_and_says_how_to_repair_it(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        registry(
            "L-SYM: {path: a.py, symbol: Foo.m}",
            "L-TEXT: {path: a.py, lines: 7-8, find: def m}",
            "L-CPP: {path: k.cu, symbol: k}",
        ),
        {"a.py": FOO, "k.cu": CUDA},
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    (told,) = findings(ran)
    assert "L-SYM: Foo.m cannot be looked up: " in told and "pip install --upgrade tree-sitter" in told
    assert "Incompatible Language version 99" in told
    assert "anchors    3   2 verified, 0 failed, 1 unverified\n" in ran.out
    shown = claimcheck("excerpt", "L-TEXT", cwd=project.root)
    assert shown.code == 0 and "def m(self)" in shown.out


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("deep.py", "x=" + "(" * 100_000 + "1" + ")" * 100_000 + "\n# the end\n"),
        ("deep.cpp", "{" * 50_000 + "\n// the end\n"),
        ("late.cpp", "a<" * 400_000 + "\n// the end\n"),
    ],
    ids=["100,000 parentheses", "50,000 braces", "a parse without end"],
)
def test_a_file_made_to_break_the_parser_costs_itself_only(
    path: str, text: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    project = make_project(
        registry(
            f"L-DEEP: {{path: {path}, lines: 2, find: the end}}",
            f"L-SYM: {{path: {path}, lines: 2, find: the end, symbol: nowhere_at_all}}",
            "L-GOOD: {path: a.py, symbol: Foo.m}",
        ),
        {path: text, "a.py": FOO},
    )
    ran = claimcheck("verify", cwd=project.root)
    assert ran.code == 1
    assert "anchors    3   2 verified, " in ran.out
    assert [line.partition(": ")[2].partition(":")[0] for line in findings(ran)] == ["error"]
    assert "L-SYM" in findings(ran)[0]
    shown = claimcheck("excerpt", "L-DEEP", "L-GOOD", cwd=project.root)
    assert shown.code == 0 and "the end" in shown.out and "Foo.m  4-8" in shown.out
