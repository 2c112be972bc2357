"""C++ and CUDA followed to another commit: halves of conditions, export macros, kernels, templates, initialisers."""

from __future__ import annotations

import pytest

from conftest import Claimcheck, MakeProject
from following import followed
from small import findings

HALVES = (
    "#include <a>\n\n#if FAST\nint take(int n) {\n  return n + 1;\n}\n"
    "#else\nint take(int n) {\n  check(n);\n  return n + 1;\n}\n#endif\n"
)


def test_the_halves_of_a_condition_are_told_apart(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    swapped = HALVES.replace("#if FAST", "#if !FAST")
    changed = HALVES.replace("  check(n);\n", "  check(n, 0);\n")
    first_gone = HALVES.replace("#if FAST\nint take(int n) {\n  return n + 1;\n}\n#else\n", "#ifndef FAST\n")
    case = followed(
        make_project,
        claimcheck,
        [
            "L-FAST: {path: a.cpp, lines: 4-6, find: int take}",
            "L-SLOW: {path: a.cpp, lines: 8-11, find: check(n)}",
            "L-SYM: {path: a.cpp, symbol: take, find: check(n}",
            "L-BOTH: {path: a.cpp, symbol: take}",
        ],
        {"a.cpp": HALVES},
        {"a.cpp": "#include <b>\n" + swapped},
        {"a.cpp": changed},
        {"a.cpp": first_gone},
    )
    ran = claimcheck("verify", cwd=case.project.root)
    assert [line.partition("error: ")[2] for line in findings(ran) if "error: " in line] == [
        "L-BOTH: take is defined 2 times, at 4-6 and 8-11 [symbol-missing]"
    ]
    assert case.drift(2) == {
        "L-FAST": "moved 5-7",
        "L-SLOW": "moved 9-12",
        "L-SYM": "moved 9-12",
        "L-BOTH": "unavailable",
    }
    assert case.drift(3) == {
        "L-FAST": "unchanged 4-6",
        "L-SLOW": "edited 8-11",
        "L-SYM": "edited 8-11",
        "L-BOTH": "unavailable",
    }
    assert case.drift(4) == {"L-FAST": "deleted", "L-SLOW": "moved 4-7", "L-SYM": "moved 4-7", "L-BOTH": "unavailable"}


def test_a_brace_in_two_branches_hides_definitions_and_texts_are_followed_all_the_same(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    old = "void a() {\n#if X\n  if (p) {\n#else\n  if (q) {\n#endif\n    z();\n  }\n}\nvoid b() { }\n"
    case = followed(
        make_project,
        claimcheck,
        [
            "L-TEXT: {path: a.cpp, lines: 10, find: void b()}",
            "L-ALL: {path: a.cpp, lines: 1-9, find: void a}",
            "L-SYM: {path: a.cpp, symbol: b}",
        ],
        {"a.cpp": old},
        {"a.cpp": "// n\n" + old},
        {"a.cpp": old.replace("z();", "z(1);")},
    )
    assert case.drift(2) == {"L-TEXT": "moved 11", "L-ALL": "moved 2-10", "L-SYM": "unavailable"}
    assert case.drift(3) == {"L-TEXT": "unchanged 10", "L-ALL": "edited 1-9", "L-SYM": "unavailable"}
    assert not case.bump() and case.bump(2, "--hold")
    ran = claimcheck("verify", cwd=case.project.root)
    assert "L-SYM: b cannot be looked up: a.cpp has parse errors where it is named, in line 10" in ran.out


def test_one_body_with_two_heads_is_followed_as_lines_and_ambiguous_as_a_symbol(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    old = "#ifdef A\nint f(int x) {\n#else\nint f(long x) {\n#endif\n  return 1;\n}\nint g() { return 2; }\n"
    case = followed(
        make_project,
        claimcheck,
        [
            "L-F: {path: a.cpp, symbol: f}",
            "L-G: {path: a.cpp, symbol: g}",
            "L-LINES: {path: a.cpp, lines: 2-7, find: int f}",
        ],
        {"a.cpp": old},
        {"a.cpp": "// n\n" + old},
    )
    assert case.drift() == {"L-F": "unavailable", "L-G": "moved 9", "L-LINES": "moved 3-8"}


API = (
    '#define API __attribute__((visibility("default")))\n\nclass POOL_API Pool : public Base {\n public:\n  Pool(int n);\n'
    "  void take();\n  POOL_API int size() const {\n    return n_;\n  }\n\n private:\n  int n_;\n};\n"
)


def test_a_class_behind_an_export_macro_is_a_class_with_members(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    case = followed(
        make_project,
        claimcheck,
        [
            "L-CLASS: {path: pool.h, symbol: Pool}",
            "L-TAKE: {path: pool.h, symbol: 'Pool::take'}",
            "L-SIZE: {path: pool.h, lines: 7-9, symbol: 'Pool::size', find: int size}",
            "L-MACRO: {path: pool.h, symbol: API}",
        ],
        {"pool.h": API},
        {"pool.h": "#include <a>\n" + API},
        {"pool.h": API.replace("class POOL_API Pool", "class POOL_EXPORT Pool")},
        {
            "pool.h": API.replace(
                "  POOL_API int size() const {\n    return n_;\n",
                "  POOL_API int size() const\n  {\n      return n_;\n",
            )
        },
    )
    assert case.verifies()
    assert case.drift(2) == {"L-CLASS": "moved 4-14", "L-TAKE": "moved 7", "L-SIZE": "moved 8-10", "L-MACRO": "moved 2"}
    assert case.drift(3) == {
        "L-CLASS": "edited 3-13",
        "L-TAKE": "unchanged 6",
        "L-SIZE": "unchanged 7-9",
        "L-MACRO": "unchanged 1",
    }
    assert case.drift(4) == {
        "L-CLASS": "cosmetic 3-14",
        "L-TAKE": "unchanged 6",
        "L-SIZE": "cosmetic 7-10",
        "L-MACRO": "unchanged 1",
    }
    assert case.bump(4) and case.verifies()


KERNELS = (
    "template <typename T>\n__global__ void __launch_bounds__(256) k(T* x) {\n  __shared__ float s[32];\n  x[0] = s[1];\n}\n"
    "void h(int g, int b) {\n  k<float><<<g, b, 0, stream>>>(x);\n}\n"
    "__device__ __forceinline__ float g(float a) {\n  return a;\n}\n"
)


@pytest.mark.parametrize("path", ["k.cu", "k.cuh", "k.hpp"])
def test_kernels_and_their_launches(path: str, make_project: MakeProject, claimcheck: Claimcheck) -> None:
    relaid = KERNELS.replace("(256) k(T* x) {", "(256)\nk(T* x)\n{").replace(
        "<<<g, b, 0, stream>>>", "<<<g, b,\n      0, stream>>>"
    )
    bounds = KERNELS.replace("__launch_bounds__(256)", "__launch_bounds__(128)")
    case = followed(
        make_project,
        claimcheck,
        [
            f"L-K: {{path: {path}, symbol: k}}",
            f"L-H: {{path: {path}, symbol: h}}",
            f"L-G: {{path: {path}, lines: 9-11, symbol: g, find: __device__}}",
            f"L-LAUNCH: {{path: {path}, lines: 7, find: k<float>}}",
        ],
        {path: KERNELS},
        {path: "#include <a>\n" + KERNELS},
        {path: relaid},
        {path: bounds},
        {path: KERNELS.replace("__device__ __forceinline__", "__device__").replace("0, stream", "1024, stream")},
    )
    assert case.verifies()
    assert case.drift(2) == {"L-K": "moved 2-6", "L-H": "moved 7-9", "L-G": "moved 10-12", "L-LAUNCH": "moved 8"}
    assert case.drift(3) == {
        "L-K": "cosmetic 1-7",
        "L-H": "cosmetic 8-11",
        "L-G": "moved 12-14",
        "L-LAUNCH": "cosmetic 9-10",
    }
    assert case.drift(4) == {
        "L-K": "edited 1-5",
        "L-H": "unchanged 6-8",
        "L-G": "unchanged 9-11",
        "L-LAUNCH": "unchanged 7",
    }
    assert case.drift(5) == {"L-K": "unchanged 1-5", "L-H": "edited 6-8", "L-G": "edited 9-11", "L-LAUNCH": "edited 7"}
    assert case.bump(2) and case.verifies()


MACROS = (
    "BENCHMARK_F(T, init)(S& st) {\n  run(st);\n}\nTEST_F(Foo, Bar) {\n  x();\n}\nTEST_F(Foo, Baz) {\n  y();\n}\n"
    "TORCH_LIBRARY_IMPL(aten, CUDA, m) {\n  m.impl(one);\n}\nPYBIND11_MODULE(m, x) {\n  m.def(two);\n}\n"
)


def test_functions_that_a_macro_defines_are_told_apart_by_its_arguments(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    new = "#include <a>\n" + MACROS.replace("TEST_F(Foo, Bar) {\n  x();\n}\n", "").replace("y();", "y(1);")
    case = followed(
        make_project,
        claimcheck,
        [
            "L-BENCH: {path: t.cc, lines: 1-3, find: BENCHMARK_F}",
            "L-BAR: {path: t.cc, lines: 4-6, symbol: 'TEST_F(Foo, Bar)', find: Bar}",
            "L-BAZ: {path: t.cc, lines: 7-9, symbol: 'TEST_F(Foo, Baz)', find: Baz}",
            "L-LIB: {path: t.cc, symbol: TORCH_LIBRARY_IMPL}",
            "L-PY: {path: t.cc, symbol: PYBIND11_MODULE}",
        ],
        {"t.cc": MACROS},
        {"t.cc": new},
    )
    assert case.verifies()
    assert case.drift() == {
        "L-BENCH": "moved 2-4",
        "L-BAR": "deleted",
        "L-BAZ": "edited 5-7",
        "L-LIB": "moved 8-10",
        "L-PY": "moved 11-13",
    }


HEADER = (
    "struct S {\n  void f(int);\n  void f(double) {\n    one();\n  }\n  S(int a, int b)\n      : a_(a), b_(b) {\n    go();\n  }\n"
    "  explicit S(int a) : S(a, 1) {}\n  ~S();\n  S& operator=(const S&);\n"
    "  operator bool() const { return a_; }\n  int a_, b_;\n};\n"
)


def test_overloads_constructors_and_operators_of_a_class(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    new = (
        HEADER.replace("struct S {\n", "struct S {\n  void f(char);\n")
        .replace(": a_(a), b_(b) {", ": a_(a),\n        b_(b + 1) {")
        .replace("S& operator=(const S&);", "S& operator=(const S&) = delete;")
    )
    case = followed(
        make_project,
        claimcheck,
        [
            "L-INT: {path: s.h, symbol: 'S::f(int)'}",
            "L-DOUBLE: {path: s.h, lines: 3-5, symbol: 'S::f(double)', find: f(double)}",
            "L-CTOR: {path: s.h, lines: 6-9, symbol: 'S::S(int, int)', find: a_(a)}",
            "L-ONE: {path: s.h, symbol: 'S::S(int)'}",
            "L-DTOR: {path: s.h, symbol: 'S::~S'}",
            "L-ASSIGN: {path: s.h, symbol: 'S::operator='}",
            "L-BOOL: {path: s.h, symbol: 'S::operator bool'}",
        ],
        {"s.h": HEADER},
        {"s.h": new},
    )
    assert case.verifies(), claimcheck("verify", cwd=case.project.root).out
    assert case.drift() == {
        "L-INT": "moved 3",
        "L-DOUBLE": "moved 4-6",
        "L-CTOR": "edited 7-11",
        "L-ONE": "moved 12",
        "L-DTOR": "moved 13",
        "L-ASSIGN": "edited 14",
        "L-BOOL": "moved 15",
    }


def test_a_declaration_that_got_a_body_and_a_method_that_went_out_of_its_class(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    old = (
        "namespace a {\nclass S {\n  void f(int n) {\n    one(n);\n    two(n);\n    three(n);\n  }\n  int g();\n};\n}\n"
    )
    new = "namespace a {\nclass S {\n  void f(int n);\n  int g() { return 1; }\n};\n"
    new += "void S::f(int n) {\n  one(n);\n  two(n);\n  three(n);\n}\n}\n"
    case = followed(
        make_project,
        claimcheck,
        ["L-F: {path: s.cpp, lines: 3-7, find: void f}", "L-G: {path: s.cpp, lines: 8, symbol: 'S::g', find: int g}"],
        {"s.cpp": old},
        {"s.cpp": new},
    )
    assert case.drift() == {"L-F": "edited 6-10", "L-G": "edited 4"}


TEMPLATES = (
    "template <typename T>\nclass Box {\n public:\n  template <typename U>\n  U get(T t) const {\n    return U(t);\n  }\n};\n"
    "template <>\nclass Box<int> {\n public:\n  int get(int t) const { return t; }\n};\n"
    "template <typename T>\nvoid Box<T>::set(T t) {\n  t_ = t;\n}\n"
)


def test_templates_with_other_parameters_are_edited_and_specialisations_are_told_apart(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    case = followed(
        make_project,
        claimcheck,
        [
            "L-BOX: {path: b.hpp, lines: 1-8, find: class Box}",
            "L-INT: {path: b.hpp, lines: 9-13, find: class Box<int>}",
            "L-GET: {path: b.hpp, lines: 4-7, find: U get}",
            "L-SET: {path: b.hpp, lines: 14-17, symbol: 'Box::set', find: Box<T>}",
        ],
        {"b.hpp": TEMPLATES},
        {"b.hpp": "#include <a>\n" + TEMPLATES.replace("template <typename T>\nvoid", "template <class T>\nvoid")},
        {"b.hpp": TEMPLATES.replace("template <typename T>\nclass", "template <typename T, int N>\nclass")},
        {
            "b.hpp": TEMPLATES[: TEMPLATES.index("template <>")]
            + TEMPLATES[TEMPLATES.index("template <typename T>\nvoid") :]
        },
    )
    assert case.verifies()
    assert case.drift(2) == {
        "L-BOX": "moved 2-9",
        "L-INT": "moved 10-14",
        "L-GET": "moved 5-8",
        "L-SET": "edited 15-18",
    }
    assert case.drift(3) == {
        "L-BOX": "edited 1-8",
        "L-INT": "unchanged 9-13",
        "L-GET": "unchanged 4-7",
        "L-SET": "unchanged 14-17",
    }
    assert case.drift(4) == {
        "L-BOX": "unchanged 1-8",
        "L-INT": "deleted",
        "L-GET": "unchanged 4-7",
        "L-SET": "moved 9-12",
    }


LINKAGE = (
    '#ifdef __cplusplus\nextern "C" {\n#endif\nint take(int n) {\n  return n;\n}\n#ifdef __cplusplus\n}\n#endif\n'
    'extern "C" int give(int n) {\n  return -n;\n}\n'
)


@pytest.mark.parametrize("path", ["a.cpp", "a.h"])
def test_linkage_blocks_open_and_close_under_a_condition(
    path: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    case = followed(
        make_project,
        claimcheck,
        [
            f"L-TAKE: {{path: {path}, symbol: take}}",
            f"L-GIVE: {{path: {path}, lines: 10-12, symbol: give, find: int give}}",
        ],
        {path: LINKAGE},
        {path: "// n\n" + LINKAGE},
        {path: LINKAGE.replace("return -n;", "return 1 - n;")},
    )
    assert case.verifies()
    assert case.drift(2) == {"L-TAKE": "moved 5-7", "L-GIVE": "moved 11-13"}
    assert case.drift(3) == {"L-TAKE": "unchanged 4-6", "L-GIVE": "edited 10-12"}


def test_what_only_looks_like_code_is_text_and_dead_code_is_code(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    old = 'const char* t = R"x(\nvoid fake() {}\n)x";\n// void old() {}\n#if 0\nvoid gone() {\n  x();\n}\n#endif\n'
    case = followed(
        make_project,
        claimcheck,
        [
            "L-FAKE: {path: a.cpp, lines: 2, find: void fake()}",
            "L-OLD: {path: a.cpp, lines: 4, find: void old()}",
            "L-GONE: {path: a.cpp, symbol: gone}",
        ],
        {"a.cpp": old},
        {"a.cpp": "int x;\n" + old},
        {
            "a.cpp": old.replace("void fake", "int fake")
            .replace("void old() {}", "void old() { }")
            .replace("x();", "y();")
        },
    )
    assert case.verifies()
    assert case.drift(2) == {"L-FAKE": "moved 3", "L-OLD": "moved 5", "L-GONE": "moved 7-9"}
    assert case.drift(3) == {"L-FAKE": "edited 2", "L-OLD": "cosmetic 4", "L-GONE": "edited 6-8"}
