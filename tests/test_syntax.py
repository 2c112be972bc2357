"""Outlines, extents, names and token digests, in Python, C++ and CUDA, in whole and in damaged files."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimcheck import grammars
from claimcheck.grammars.macros import without_macros
from claimcheck.memory import resident
from claimcheck.model import Lines
from claimcheck.parsing import MOST_MEMORY
from claimcheck.syntax import Outline, Symbol, outline, token_digest


def outlined(text: str, path: str = "x.py") -> Outline:
    found = outline(text, path)
    assert found is not None
    return found


def extents(text: str, path: str = "x.py") -> dict[str, str]:
    return {symbol.name: str(symbol.lines) for symbol in outlined(text, path).symbols}


def named(text: str, name: str, path: str) -> list[tuple[str, str, str]]:
    return [(one.kind, one.name, one.signature) for one in outlined(text, path).named(name)]


def digest(text: str, path: str = "x.py", lines: Lines | None = None) -> str | None:
    found = token_digest(text, path, lines or Lines(1, text.count("\n")))
    return found.digest if found else None


class TestPythonDefinitions:
    @pytest.mark.parametrize(
        ("head", "kind", "name"),
        [
            ("def m(self):", "function", "Foo.m"),
            ("async def m(self):", "function", "Foo.m"),
            ("class M:", "class", "Foo.M"),
        ],
    )
    def test_a_definition_starts_at_its_first_decorator(self, head: str, kind: str, name: str) -> None:
        text = f"class Foo:\n    @deco(\n        a,\n    )\n    @property\n    # why\n    {head}\n        pass\n"
        assert outlined(text).named(name) == (Symbol(kind, name, Lines(2, 8), 7, "(self)" if "def" in head else ""),)

    def test_definitions_of_one_name_are_all_kept(self) -> None:
        text = (
            "class A:\n    @overload\n    def f(self, x: int): ...\n    @overload\n    def f(self, x: str): ...\n"
            "    def f(self, x): return x\n    @property\n    def p(self): ...\n    @p.setter\n    def p(self, v): ...\n"
        )
        assert [str(one.lines) for one in outlined(text).named("A.f")] == ["2-3", "4-5", "6"]
        assert [str(one.lines) for one in outlined(text).named("A.p")] == ["7-8", "9-10"]

    def test_conditional_definitions_are_all_kept(self) -> None:
        text = (
            "if A:\n    def f(): return 1\nelse:\n    def f(): return 2\ntry:\n    pass\n"
            "except ImportError:\n    def f(): return 3\n"
        )
        assert [one.lines.first for one in outlined(text).named("f")] == [2, 4, 8]

    @pytest.mark.parametrize("docstring", ["", '    """doc"""\n'])
    def test_the_end_is_the_last_line_of_code_with_and_without_a_docstring(self, docstring: str) -> None:
        text = f"def f():\n{docstring}    x = 1\n\n    # a remark at the end\n\n# about g\ndef g():\n    pass\n"
        end = 2 + bool(docstring)
        assert extents(text) == {"f": f"1-{end}", "g": f"{end + 5}-{end + 6}"}

    def test_a_dedented_comment_does_not_cut_a_body(self) -> None:
        assert extents("def f():\n    a = 1\n# dedented\n    return a\n") == {"f": "1-4"}

    def test_text_that_is_not_ascii_shifts_nothing(self) -> None:
        text = "# 变量 — café 🙂\n变量 = '🙂'; 二 = 2\n\ndef f(): return '变'\n\ndef 変数():\n    return 1\n"
        assert extents(text) == {"f": "4", "変数": "6-7"}

    def test_lines_are_counted_by_lf_only(self) -> None:
        text = "x = 'a\u2028b'\n\x0c\n# \x85 \x0b \x1c\ndef f():\r\n    pass\r\n"
        assert extents(text) == {"f": "4-5"}

    def test_text_inside_strings_and_comments_is_no_definition(self) -> None:
        assert extents('"""\ndef fake(): pass\n"""\n# def old(): pass\n') == {}

    def test_nested_definitions_are_named_by_what_is_around_them(self) -> None:
        text = "class A:\n    class B:\n        def f(self):\n            def g(): pass\n"
        assert list(extents(text)) == ["A", "A.B", "A.B.f", "A.B.f.g"]


class TestNames:
    TEXT = "class Pool:\n    def get(self): pass\nclass BlockPool:\n    def get(self): pass\ndef get(): pass\n"

    def test_a_suffix_begins_at_a_component(self) -> None:
        assert named(self.TEXT, "Pool.get", "x.py") == [("function", "Pool.get", "(self)")]

    def test_the_whole_name_goes_before_ends_of_names(self) -> None:
        assert [one[1] for one in named(self.TEXT, "get", "x.py")] == ["get"]

    def test_a_name_that_several_end_in_gives_them_all(self) -> None:
        text = self.TEXT.replace("def get(): pass\n", "")
        assert [one[1] for one in named(text, "get", "x.py")] == ["Pool.get", "BlockPool.get"]

    def test_a_name_that_is_gone_is_not_replaced_by_its_class(self) -> None:
        assert named(self.TEXT, "Pool.put", "x.py") == []

    def test_names_that_differ_only_by_look_are_different(self) -> None:
        assert named("def touсh(): pass\n", "touch", "x.py") == []


class TestCppDefinitions:
    HEADER = (
        "struct S {\n  void f(int);\n  void f(double) {}\n  ~S();\n  S& operator=(const S&);\n"
        "  explicit operator bool() const { return true; }\n  virtual int* g(int a = 2) const = 0;\n};\n"
    )
    SOURCE = "void a::S::f(int) {}\na::S::~S() {}\nstd::vector<int>& a::S::items() { Foo local(a); }\n"

    def test_overloads_and_special_members_of_a_header(self) -> None:
        assert [(one.kind, one.name, one.signature) for one in outlined(self.HEADER, "s.hpp").symbols] == [
            ("struct", "S", ""),
            ("declaration", "S::f", "(int)"),
            ("function", "S::f", "(double)"),
            ("declaration", "S::~S", "()"),
            ("declaration", "S::operator=", "(const S&)"),
            ("function", "S::operator bool", ""),
            ("declaration", "S::g", "(int a = 2)"),
        ]

    @pytest.mark.parametrize(
        ("name", "path", "count"),
        [
            ("S::f", "s.hpp", 2),
            ("S::f(int)", "s.hpp", 1),
            ("S::f(double)", "s.hpp", 1),
            ("S::f(char)", "s.hpp", 0),
            ("S::g(int)", "s.hpp", 1),
            ("S::operator=", "s.hpp", 1),
            ("a::S::f", "s.cpp", 1),
            ("S::f", "s.cpp", 1),
            ("a::S::f(int)", "s.cpp", 1),
            ("a::S::~S", "s.cpp", 1),
            ("a::S::items", "s.cpp", 1),
            ("local", "s.cpp", 0),
        ],
    )
    def test_a_name_gives_what_it_names_and_no_more(self, name: str, path: str, count: int) -> None:
        assert len(named(self.HEADER if path == "s.hpp" else self.SOURCE, name, path)) == count

    def test_a_declaration_gives_way_to_its_definition_in_the_same_file(self) -> None:
        text = "namespace n {\nvoid f(int a);\nvoid f(char);\n}\nvoid n::f(int b) {\n}\n"
        assert named(text, "n::f(int)", "x.cpp") == [("function", "n::f", "(int b)")]
        assert [one[0] for one in named(text, "n::f", "x.cpp")] == ["declaration", "function"]

    def test_a_definition_starts_at_its_template_line(self) -> None:
        text = "template <typename T>\ntemplate <typename U>\nint f(T t) {\n  return 1;\n}\n\ntemplate <class T>\nclass C {\n};\n"
        assert extents(text, "x.h") == {"f": "1-5", "C": "7-9"}

    def test_namespaces_qualify_and_are_no_definitions(self) -> None:
        text = "namespace a {\nnamespace b {\nclass C {\n  void f() {\n  }\n};\n}\n}\n"
        found = outlined(text, "x.hh")
        assert [one.name for one in found.symbols] == ["a::b::C", "a::b::C::f"]
        assert found.innermost(Lines(2, 2)) is None

    def test_macros_that_look_like_functions_are_told_apart_by_their_parameters(self) -> None:
        text = "TEST_F(Foo, Bar) {\n}\nTEST_F(Foo, Baz) {\n}\nBENCHMARK_F(T, init)(S& st) {\n}\nPYBIND11_MODULE(m, x) {\n}\n"
        assert [one.lines.first for one in outlined(text, "t.cc").named("TEST_F")] == [1, 3]
        assert [one.lines.first for one in outlined(text, "t.cc").named("TEST_F(Foo, Baz)")] == [3]
        assert [one.lines.first for one in outlined(text, "t.cc").named("PYBIND11_MODULE")] == [7]

    def test_dead_code_counts_and_raw_strings_do_not(self) -> None:
        text = 'auto s = R"x(\nvoid fake() {}\n)x";\n#if 0\nvoid gone() {}\n#endif\n// void old() {}\n'
        assert extents(text, "x.cpp") == {"gone": "5"}

    def test_a_conditional_that_is_whole_does_not_move_the_ends(self) -> None:
        text = "void f1() {\n  int a;\n#if defined(A)\n#endif\n  int b;\n}\nvoid f2() {\n  int c;\n}\n"
        assert extents(text, "x.cpp") == {"f1": "1-6", "f2": "7-9"}

    @pytest.mark.parametrize("path", ["k.cu", "k.cuh", "k.hpp"])
    def test_cuda_kernels_and_their_launch(self, path: str) -> None:
        text = (
            "template <typename T>\n__global__ void __launch_bounds__(256) k(T* x) {\n  x[0] = 1;\n}\n"
            "void h() {\n  k<float><<<g, b, 0, s>>>(x);\n}\n__device__ __forceinline__ float g(float a) {\n  return a;\n}\n"
        )
        found = outlined(text, path)
        assert extents(text, path) == {"k": "1-4", "h": "5-7", "g": "8-10"}
        assert not found.errors and found.tokens(Lines(1, 10))

    def test_a_qualifier_on_a_line_of_its_own_belongs_to_its_kernel(self) -> None:
        text = "int a;\n\ntemplate <int N>\n__global__\n__launch_bounds__(\n    N * 2, 1)\nvoid k() {\n}\n__device__\nint d();\n"
        assert extents(text, "k.cu") == {"k": "3-8", "d": "9-10"}

    @pytest.mark.parametrize(
        "head",
        [
            "class EXPORT Pool",
            "class EXPORT Pool final",
            "class EXPORT Pool : public Base, private Other<int>",
            "struct MY_API Pool final : a::Base",
            'struct VISIBLE("default") Pool',
            "union A_API ALIGNED(16) Pool",
        ],
    )
    def test_an_export_macro_makes_no_function_of_a_class(self, head: str) -> None:
        body = " public:\n  explicit Pool(int n);\n  LIB_API int get() {\n    return 1;\n  }\n"
        text = f"namespace n {{\n{head} {{\n{body}}};\n}}\n"
        found = outlined(text, "x.h")
        names = {one.name: str(one.lines) for one in found.symbols}
        assert names == {"n::Pool": "2-8", "n::Pool::Pool": "4", "n::Pool::get": "5-7"}
        assert not found.errors and found.tokens(Lines(2, 8))

    @pytest.mark.parametrize(
        "text",
        [
            "#define MY_API int\n#ifdef MY_API\nint f() {\n}\n#endif\n",
            "struct POOL f() {\n}\n",
            "class POOL final {\n};\nint f() {\n}\n",
            'const char* s = "class EXPORT Pool {";\nint f() {\n}\n',
            "// class EXPORT Pool {\n/* __global__ */\nint f() {\n}\n",
            "MY_API f() {\n}\n",
        ],
    )
    def test_words_that_are_no_macros_are_left_alone(self, text: str) -> None:
        assert without_macros(text.encode()) == text.encode()
        assert len(outlined(text, "x.cpp").named("f")) == 1


class TestDamagedFiles:
    def test_a_brace_opened_in_two_branches_hides_what_follows_and_is_not_called_absent(self) -> None:
        text = "void a() {\n#if X\n  if (p) {\n#else\n  if (q) {\n#endif\n    z();\n  }\n}\nvoid b() { }\n"
        found = outlined(text, "x.cpp")
        assert found.named("a") == found.named("b") == ()
        assert (found.unparsed("a"), found.unparsed("b"), found.unparsed("c")) == ((1,), (10,), ())

    def test_two_heads_with_one_body_are_both_seen(self) -> None:
        text = "#ifdef A\nint f(int x) {\n#else\nint f(long x) {\n#endif\n  return 1;\n}\nint g() { return 2; }\n"
        found = outlined(text, "x.cpp")
        assert found.unparsed("f") == (2,)
        assert found.error_overlaps(found.named("f")[0].lines)
        (g,) = found.named("g")
        assert (str(g.lines), found.error_overlaps(g.lines), found.unparsed("g")) == ("8", False, ())

    @pytest.mark.parametrize("directive", ["#pragma once", "#  undef A", "#warning old", "#error no"])
    def test_a_directive_that_is_no_conditional_is_understood(self, directive: str) -> None:
        assert outlined(f"{directive}\nint f() {{ return 1; }}\n", "x.hpp").errors == ()

    @pytest.mark.parametrize("directive", ["#else", "# endif", "#elif A"])
    def test_the_half_of_a_conditional_is_not(self, directive: str) -> None:
        assert outlined(f"int a;\n{directive}\nint b;\n", "x.hpp").error_overlaps(Lines(2, 2))

    @pytest.mark.parametrize("damage", ['print "x"\n', "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other\n"])
    def test_damage_elsewhere_leaves_a_function_as_it_is(self, damage: str) -> None:
        text = f"def f():\n    return 1\n\n\ndef g():\n    pass\n{damage}"
        found = outlined(text)
        assert str(found.named("f")[0].lines) == "1-2"
        assert not found.error_overlaps(Lines(1, 2))

    def test_a_token_digest_is_not_given_over_what_was_not_understood(self) -> None:
        text = "def f():\n    return 1\n\ndef g(:\n    return 2\n"
        assert digest(text, lines=Lines(1, 2)) is not None
        assert digest(text, lines=Lines(4, 5)) is None

    @pytest.mark.parametrize("depth", [1_000, 100_000])
    def test_very_deep_nesting_is_survived(self, depth: int) -> None:
        text = f"x = {'(' * depth}1{')' * depth}\n\ndef f():\n    pass\n"
        found = outlined(text)
        assert str(found.named("f")[0].lines) == "3-4"
        assert found.tokens(Lines(3, 4)) is not None
        assert found.statement_lines(Lines(1, 4))[0] == {1, 3, 4}

    def test_a_parse_without_end_is_given_up(self) -> None:
        found = outlined("a<" * 400_000, "x.cpp")
        assert found.problem is not None and found.problem.startswith("could not be parsed within ")
        assert (found.symbols, found.tokens(Lines(1, 1)), found.unparsed("a")) == ((), None, (1,))

    @pytest.mark.parametrize("path", ["x.py", "x.cpp", "x.js", "x.rs"])
    def test_errors_with_very_many_pieces_in_a_row_are_not_looked_through(self, path: str) -> None:
        found = outlined("{" * 200_000 + "\nlast\n", path)
        assert found.problem == "is mostly what its grammar does not understand"
        assert (found.symbols, found.unparsed("last"), found.statements) == ((), (2,), ())

    def test_errors_here_and_there_cost_no_more_than_their_number(self) -> None:
        found = outlined("def f(): pass\n$ $\n" * 10_000)
        assert len(found.symbols) == 10_000 and len(found.errors) == 10_000
        assert not found.error_overlaps(Lines(1, 1)) and found.error_overlaps(Lines(20_000, 20_000))

    def test_a_chain_of_operators_is_not_walked_down_again_and_again(self) -> None:
        found = outlined("a<" * 60_000 + "b;\nlast\n", "x.c")
        top, _ = found.edge_pieces(Lines(1, 1))
        assert top is not None and top.keyword == ""

    @pytest.mark.parametrize("piece", ["/**/", "a;", "f();"])
    def test_a_line_with_very_many_pieces_is_looked_at_once(self, piece: str) -> None:
        found = outlined(piece * 100_000 + "\nfunction g() {}\n", "x.js")
        assert len(found.named("g")) == 1
        assert not found.only_comments([1])
        assert found.statement_lines(Lines(1, 1))[0] >= {1}

    @pytest.mark.skipif(resident() is None, reason="this system does not say how much memory a process has")
    @pytest.mark.parametrize(("piece", "path"), [("(a)(", "x.c"), ("a<", "x.java"), ("a(", "x.py")])
    def test_a_parse_that_takes_ever_more_memory_is_given_up(self, piece: str, path: str) -> None:
        before = resident() or 0
        found = outlined(piece * (7_000_000 // len(piece)), path)
        assert found.problem is not None and found.symbols == ()
        assert (resident() or 0) - before < 2 * MOST_MEMORY

    def test_a_file_that_is_too_large_is_not_parsed(self) -> None:
        found = outlined("x = 1\n" * 1_400_000)
        assert found.problem == "is larger than 8 MB, so it was not parsed"

    @pytest.mark.parametrize("text", ["", "\n", "\x00\x00", "\ufeffdef f(): pass\n", "\ud800"])
    def test_odd_texts_are_outlined(self, text: str) -> None:
        assert outlined(text).problem is None


class TestGrammars:
    def test_other_files_have_no_grammar(self) -> None:
        assert outline("x = 1\n", "notes.md") is None
        assert token_digest("x = 1\n", "main.kt", Lines(1, 1)) is None

    def test_suffixes_in_capitals_are_known(self) -> None:
        assert outlined("def f(): pass\n", "A.PY").symbols

    @pytest.fixture
    def reloaded(self) -> object:
        grammars.load.cache_clear()
        yield None
        grammars.load.cache_clear()

    @pytest.mark.parametrize(
        "error",
        [
            ValueError("Incompatible Language version 15. Must be between 13 and 14"),
            TypeError("an integer is required"),
            ImportError("No module named 'tree_sitter_python'"),
        ],
    )
    def test_a_grammar_that_does_not_fit_is_one_line_and_no_structure(
        self, error: Exception, monkeypatch: pytest.MonkeyPatch, reloaded: object
    ) -> None:
        def language() -> object:
            raise error

        monkeypatch.setattr(grammars.python, "language", language)
        assert outline("def f(): pass\n", "x.py") is None
        assert outline("int f() { return 1; }\n", "x.cpp") is not None
        (problem,) = grammars.problems()
        assert "tree-sitter 0." in problem and "tree-sitter-python 0." in problem
        assert str(error) in problem and "pip install --upgrade tree-sitter tree-sitter-python" in problem
        assert "\n" not in problem

    def test_grammars_that_fit_are_no_problem(self) -> None:
        assert list(grammars.problems()) == []


class TestDescriptions:
    TEXT = (
        "import x\n\nclass Pool:\n    def touch(self):\n        a = 1\n        b = 2\n\n    # about free\n"
        "    def free(self):\n        pass\n\n    size = 3\n"
    )

    @pytest.mark.parametrize(
        ("lines", "described"),
        [
            (Lines(4, 6), "Pool.touch"),
            (Lines(5, 5), "Pool.touch"),
            (Lines(4, 10), "Pool.touch, Pool.free"),
            (Lines(7, 10), "Pool.free"),
            (Lines(4, 12), "Pool"),
            (Lines(3, 12), "Pool"),
            (Lines(12, 12), "Pool"),
            (Lines(1, 1), None),
            (Lines(1, 6), None),
        ],
    )
    def test_a_range_is_the_definitions_that_it_is_or_the_one_it_lies_in(
        self, lines: Lines, described: str | None
    ) -> None:
        assert outlined(self.TEXT).describe(lines) == described


class TestTokens:
    PYTHON = "def f(a, b):\n    if a:\n        return b\n    return [a, 'x  y']\n"

    @pytest.mark.parametrize(
        "other",
        [
            "def f(a,b):\n  if a:\n    return b\n  return [ a ,'x  y' ]\n",
            "def f(a, b):  # why\n    # because\n    if a:\n        return b\n\n    return [\n        a, 'x  y']\n",
            "def f(a, b):\n    if a:\n        return b\n        # inside the block\n    return [a, 'x  y']\n",
            "def f(a, \\\n      b):\n    if a: return b\n    return [a, 'x  y']\n",
        ],
    )
    def test_comments_and_white_space_that_mean_nothing_keep_the_digest(self, other: str) -> None:
        assert digest(other) == digest(self.PYTHON) is not None

    def test_line_ends_keep_the_digest(self) -> None:
        assert digest(self.PYTHON.replace("\n", "\r\n")) == digest(self.PYTHON)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("if x:\n    a()\nb()\n", "if x:\n    a()\n    b()\n"),
            ("def f():\n    return\n    x\n", "def f():\n    return x\n"),
            (
                "for i in x:\n    if i:\n        a()\n        break\n",
                "for i in x:\n    if i:\n        a()\n    break\n",
            ),
            ("x = 'a b'\n", "x = 'a  b'\n"),
            ("x = 'a'\n", 'x = "a"\n'),
            ("x = f'{a }'\n", "x = f'{a}'\n"),
            ("x = '''a\n b'''\n", "x = '''a\n  b'''\n"),
            ("def f():\n    '''One.'''\n    x\n", "def f():\n    '''Two.'''\n    x\n"),
            ("def f():\n    '''One.'''\n    x\n", "def f():\n    x\n"),
            ("if a:\n    pass\nelif b:\n    pass\n", "if a:\n    pass\nif b:\n    pass\n"),
        ],
    )
    def test_what_means_something_else_has_another_digest(self, one: str, other: str) -> None:
        assert digest(one) != digest(other)

    def test_a_statement_that_moved_into_a_block_as_a_whole_has_another_digest(self) -> None:
        outside = "for i in x:\n    if i:\n        a()\n    return 1\n"
        inside = "for i in x:\n    if i:\n        a()\n        return 1\n"
        assert digest(outside, lines=Lines(4, 4)) != digest(inside, lines=Lines(4, 4))

    def test_what_stands_below_a_range_does_not_change_its_digest(self) -> None:
        bare = "def f():\n    if x:\n        a()\n"
        assert digest(bare, lines=Lines(2, 3)) == digest(bare + "        # a remark\n", lines=Lines(2, 3))

    @pytest.mark.parametrize(
        ("one", "other", "same"),
        [
            ("int f() { return 1; }\n", "int f()\n{\n  // one\n  return 1; /* 1 */\n}\n", True),
            ("#define A\nB;\n", "#define A B;\n", False),
            ("#define A\nB;\n", "#define A // nothing\n\nB ;\n", True),
            ("#if X\nint a;\n#endif\nint b;\n", "#if X\nint a;\nint b;\n#endif\n", False),
            ('s = "a b";\n', 's = "a  b";\n', False),
            ('s = R"(a\n b)";\n', 's = R"(a\n  b)";\n', False),
            ("a = b / *p;\n", "a = b /*p*/;\n", False),
            ("int a = 1; // \\\nint b;\n", "int a = 1;\n", True),
            ("class A_API B {\n};\n", "class  A_API\nB { };\n", True),
            ("class A_API B {\n};\n", "class B {\n};\n", False),
            ("__global__ void k() {\n}\n", "__global__\nvoid k()\n{ }\n", True),
            ("__global__ void k() {\n}\n", "__device__ void k() {\n}\n", False),
            ("void h() {\n  k<<<g, b>>>(x);\n}\n", "void h() {\n  k<<<g,\n      b>>>(x);\n}\n", True),
            ("void h() {\n  k<<<g, b>>>(x);\n}\n", "void h() {\n  k<<<g, 2 * b>>>(x);\n}\n", False),
            ("__launch_bounds__(256) void k() {\n}\n", "__launch_bounds__(128) void k() {\n}\n", False),
        ],
    )
    def test_cpp(self, one: str, other: str, same: bool) -> None:
        before, after = digest(one, "x.cpp"), digest(other, "x.cpp")
        assert before is not None and after is not None
        assert (before == after) is same

    def test_the_scheme_has_a_version(self) -> None:
        found = token_digest("x = 1\n", "x.py", Lines(1, 1))
        assert found is not None and found.scheme == "python/1"
        found = token_digest("int x;\n", "x.h", Lines(1, 1))
        assert found is not None and found.scheme == "cpp/2"

    def test_a_range_beyond_the_text_has_none(self) -> None:
        assert token_digest("x = 1\n", "x.py", Lines(1, 9)) is None


# Programs as trees of statements: a name alone, or a condition with statements inside.
names = st.sampled_from(["a()", "b = 1", "return", "x", "f('s')"])
programs = st.recursive(
    st.lists(names, min_size=1, max_size=3),
    lambda inner: st.lists(st.one_of(names, inner), min_size=1, max_size=3),
    max_leaves=12,
)


def written(program: list, indent: str, depth: int = 0, comment: str = "", gap: str = "") -> str:
    out = []
    for statement in program:
        if isinstance(statement, list):
            out.append(f"{indent * depth}if c:{comment}\n" + written(statement, indent, depth + 1, comment, gap))
        else:
            out.append(f"{gap}{indent * depth}{statement}{comment}\n")
    return "".join(out)


NESTED_PIECES = [
    "class A {\n",
    "int f() {",
    "int g() {\n",
    "}\n",
    "};\n",
    "}",
    "x;\n",
    "\n",
    "// c\n",
    "int h() {}",
    "$\n",
]
MACRO_PIECES = [
    *("class ", "struct ", "A_API ", "EXPORT ", "Pool ", "final ", ": Base ", "{ ", "};\n", "int f();\n", "\n"),
    *(
        "__global__ ",
        "__device__\n",
        "void k(int a) {\n",
        "}\n",
        "__launch_bounds__(\n2) ",
        "k<<<1, ",
        "2>>>",
        "(x);\n",
    ),
    *(
        "// class A_API B {\n",
        "/* __host__ */",
        '"__host__ "',
        "A_INLINE int g() {\n",
        "#define A_API\n",
        "enum class ",
    ),
]


class TestLaws:
    @given(
        programs,
        st.sampled_from([" ", "   ", "\t", "      "]),
        st.sampled_from(["", "  # remark", "   "]),
        st.sampled_from(["", "\n", "# left\n", "\n\n        # anywhere\n"]),
    )
    @settings(max_examples=150, deadline=None)
    def test_layout_and_comments_keep_the_digest(self, program: list, indent: str, comment: str, gap: str) -> None:
        plain, laid_out = written(program, "    "), written(program, indent, comment=comment, gap=gap)
        assert digest(plain) == digest(laid_out) is not None

    @given(programs, programs)
    @settings(max_examples=150, deadline=None)
    def test_programs_with_other_blocks_or_statements_have_other_digests(self, one: list, other: list) -> None:
        same = written(one, "    ") == written(other, "    ")
        assert (digest(written(one, "    ")) == digest(written(other, "    "))) is same

    @given(st.lists(st.sampled_from(NESTED_PIECES), max_size=25).map("".join), st.data())
    @settings(max_examples=300, deadline=None)
    def test_the_innermost_definition_is_the_smallest_that_covers_the_lines(
        self, text: str, data: st.DataObject
    ) -> None:
        found = outlined(text, "x.cpp")
        count = text.count("\n") + 1
        first = data.draw(st.integers(1, count))
        lines = Lines(first, data.draw(st.integers(first, count)))
        covering = [symbol for symbol in found.symbols if symbol.lines.covers(lines)]
        innermost = found.innermost(lines)
        assert (innermost is None) is (not covering)
        if innermost:
            assert innermost.lines == min((symbol.lines for symbol in covering), key=len)
        inside: list[Symbol] = []
        for symbol in found.symbols:
            if lines.covers(symbol.lines) and not (inside and inside[-1].lines.covers(symbol.lines)):
                inside.append(symbol)
        assert found.inside(lines) == tuple(inside)
        assert found.error_overlaps(lines) is any(error.overlaps(lines) for error in found.errors)

    @given(st.lists(st.sampled_from(MACRO_PIECES), max_size=30).map("".join))
    @settings(max_examples=300, deadline=None)
    def test_what_the_parser_does_not_see_stays_where_it_is_and_is_a_token(self, text: str) -> None:
        source = text.encode()
        seen = without_macros(source)
        assert len(seen) == len(source)
        assert all(a == b or b == ord(" ") for a, b in zip(source, seen, strict=True))
        assert seen.count(b"\n") == source.count(b"\n")
        found = outlined(text, "x.cu")
        count = len(text.removesuffix("\n").split("\n")) if text else 0
        tokens = found.tokens(Lines(1, count)) if count else None
        if tokens:
            said = "".join("".join([*tokens.code, *tokens.comments]).split())
            assert sorted(said) == sorted("".join(text.split()))

    @given(
        st.text(alphabet=st.sampled_from("ab:=('\"\\#\n \t{}[]/*<>;@#"), max_size=80),
        st.sampled_from(["x.py", "x.cpp"]),
    )
    @settings(max_examples=300, deadline=None)
    def test_any_text_is_outlined_and_every_range_answered(self, text: str, path: str) -> None:
        found = outlined(text, path)
        count = len(text.removesuffix("\n").split("\n")) if text else 0
        for symbol in found.symbols:
            assert 1 <= symbol.lines.first <= symbol.name_line <= symbol.lines.last <= count
        for first in range(1, min(count, 4) + 1):
            found.tokens(Lines(first, count))
            found.describe(Lines(first, count))
        assert all(1 <= one.lines.first <= one.lines.last <= count for one in found.statements)
