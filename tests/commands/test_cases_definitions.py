"""Definitions followed to another commit: decorators, overloads, conditions, comments, damaged files, C++ and CUDA."""

from __future__ import annotations

import pytest

from conftest import Claimcheck, MakeProject
from following import followed
from small import findings

DECORATED = {
    "function": ("", "def m():\n    return 1\n"),
    "coroutine": ("", "async def m():\n    return 1\n"),
    "class": ("", "class m:\n    x = 1\n"),
    "method": ("class Foo:\n    x = 1\n\n", "    def m(self):\n        return self.x\n"),
    "property": ("class Foo:\n    x = 1\n\n", "    @property\n    def m(self):\n        return self.x\n"),
}


@pytest.mark.parametrize("kind", DECORATED)
def test_a_definition_begins_at_its_first_decorator_and_is_followed_with_all_of_them(
    kind: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    around, body = DECORATED[kind]
    indent, symbol = ("    ", "Foo.m") if around else ("", "m")
    decorators = f"{indent}@deco(\n{indent}    a,\n{indent})\n"
    old = f"import z\n\n\n{around}{decorators}{body}"
    lines = old.split("\n")
    first, last = lines.index(f"{indent}@deco(") + 1, len(lines) - 1
    head = next(n for n, line in enumerate(lines, 1) if line.lstrip().startswith(("def m", "async def", "class m")))
    anchors = [
        f"L-SYM: {{path: a.py, symbol: {symbol}}}",
        f"L-ALL: {{path: a.py, lines: {first}-{last}, find: '@deco'}}",
        f"L-DEF: {{path: a.py, lines: {head}-{last}, find: {lines[head - 1].strip().split('m')[0]}m}}",
    ]
    moved = f"import z\nimport y\nimport x\n\n\n{around}{decorators}{body}"
    another = f"import z\nimport y\n\n\n{around}{indent}@other\n{decorators}{body}"
    case = followed(make_project, claimcheck, anchors, {"a.py": old}, {"a.py": moved}, {"a.py": another})
    assert case.verifies()
    assert case.drift(2) == {
        "L-SYM": f"moved {first + 2}-{last + 2}",
        "L-ALL": f"moved {first + 2}-{last + 2}",
        "L-DEF": f"moved {head + 2}-{last + 2}",
    }
    assert case.drift(3) == {
        "L-SYM": f"edited {first + 1}-{last + 2}",
        "L-ALL": f"edited {first + 1}-{last + 2}",
        "L-DEF": f"moved {head + 2}-{last + 2}",
    }
    assert not case.bump(3)
    assert case.bump(2) and case.verifies()
    assert case.lines() == {"L-SYM": "", "L-ALL": f"{first + 2}-{last + 2}", "L-DEF": f"{head + 2}-{last + 2}"}


OVERLOADS = (
    "from typing import overload\n\n\nclass A:\n    @overload\n    def f(self, x: int) -> int: ...\n\n"
    "    @overload\n    def f(self, x: str) -> str: ...\n\n    def f(self, x):\n        return x\n\n"
    "    @property\n    def p(self):\n        return 1\n\n    @p.setter\n    def p(self, v):\n        self.v = v\n"
)


def test_overloads_and_the_halves_of_a_property_are_told_apart(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    more = OVERLOADS.replace("class A:\n", "class A:\n    @overload\n    def f(self, x: bytes) -> bytes: ...\n\n")
    changed = more.replace("        return x\n", "        y = x\n        return y\n").replace("= v\n", "= v + 1\n")
    case = followed(
        make_project,
        claimcheck,
        [
            "L-F: {path: a.py, symbol: A.f, find: return x}",
            "L-INT: {path: a.py, lines: 5-6, find: 'x: int'}",
            "L-STR: {path: a.py, lines: 8-9, find: 'x: str'}",
            "L-IMPL: {path: a.py, lines: 11-12, symbol: A.f, find: return x}",
            "L-GET: {path: a.py, lines: 14-16, find: '@property'}",
            "L-SET: {path: a.py, lines: 18-20, find: '@p.setter'}",
        ],
        {"a.py": OVERLOADS},
        {"a.py": more},
        {"a.py": changed},
    )
    assert case.verifies()
    assert case.drift() == {
        "L-F": "moved 14-15",
        "L-INT": "moved 8-9",
        "L-STR": "moved 11-12",
        "L-IMPL": "moved 14-15",
        "L-GET": "moved 17-19",
        "L-SET": "moved 21-23",
    }
    assert case.bump() and case.verifies()
    assert case.drift(3) == {
        "L-F": "edited 14-16",
        "L-INT": "unchanged 8-9",
        "L-STR": "unchanged 11-12",
        "L-IMPL": "edited 14-16",
        "L-GET": "moved 18-20",
        "L-SET": "edited 22-24",
    }


def test_definitions_under_conditions_are_told_apart(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    old = (
        "if A:\n    def f():\n        return 1\nelse:\n    def f():\n        return 2\n"
        "try:\n    import x\nexcept ImportError:\n    def f():\n        return 3\n"
    )
    case = followed(
        make_project,
        claimcheck,
        [
            "L-TWO: {path: a.py, symbol: f, find: return 2}",
            "L-ONE: {path: a.py, lines: 2-3, find: return 1}",
            "L-THREE: {path: a.py, lines: 10-11, find: return 3}",
        ],
        {"a.py": old},
        {"a.py": "import z\n\n" + old},
        {"a.py": old.replace("return 2", "return 22")},
        {"a.py": old.replace("else:\n    def f():\n        return 2\n", "")},
    )
    assert case.drift(2) == {"L-TWO": "moved 7-8", "L-ONE": "moved 4-5", "L-THREE": "moved 12-13"}
    assert case.drift(3) == {"L-TWO": "edited 5-6", "L-ONE": "unchanged 2-3", "L-THREE": "unchanged 10-11"}
    assert case.drift(4) == {"L-TWO": "deleted", "L-ONE": "unchanged 2-3", "L-THREE": "moved 7-8"}
    assert case.bump() and case.verifies()


def test_a_method_that_is_gone_is_neither_its_class_nor_its_neighbour(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    method = "    def acquire(self):\n        return self.x\n\n"
    old = f"class Pool:\n    def __init__(self):\n        self.x = 1\n\n{method}    def release(self):\n        self.x = 2\n"
    case = followed(
        make_project,
        claimcheck,
        [
            "L-SYM: {path: a.py, symbol: Pool.acquire}",
            "L-LINES: {path: a.py, symbol: Pool.acquire, lines: 5-6, find: def acquire}",
        ],
        {"a.py": old},
        {"a.py": old.replace(method, "")},
    )
    assert case.drift() == {"L-SYM": "deleted", "L-LINES": "deleted"}
    assert (
        "`Pool.acquire` and its text are not in a.py any more\n"
        in claimcheck("drift", "lib", case.id(2), cwd=case.project.root).out
    )
    assert not case.bump()
    assert claimcheck("excerpt", "L-SYM", "L-LINES", "--at", case.id(2), cwd=case.project.root).out == ""


@pytest.mark.parametrize(
    ("text", "symbol", "lines"),
    [
        ('def f():\n    """Doc."""\n    x = 1\n\n\n    # indented\n\n\n# next\ndef g():\n    return 1\n', "f", "1-3"),
        ("def f():\n    x = 1\n\n\n    # indented\n\n\n# next\ndef g():\n    return 1\n", "f", "1-2"),
        ("def f():\n    x = 1\n# dedented\n    y = 2\n\n\n# next\ndef g():\n    return 1\n", "f", "1-4"),
        (
            "class A:\n    def f(self):\n        x = 1\n        # inner\n\n    # next\n    def g(self):\n        return 1\n",
            "A.f",
            "2-3",
        ),
        (
            "class A:\n    def f(self):\n        x = 1\n        # inner\n\n    # next\n    def g(self):\n        return 1\n",
            "A.g",
            "7-8",
        ),
    ],
    ids=["after a docstring", "after code", "dedented inside", "at the end of a method", "above the next method"],
)
def test_comments_belong_to_a_definition_between_its_lines_only(
    text: str, symbol: str, lines: str, make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    anchors = [f"L-A: {{path: a.py, symbol: {symbol}}}"]
    reworded = text.replace("# indented", "# indented, and more").replace("# next", "# next, and more")
    case = followed(make_project, claimcheck, anchors, {"a.py": text}, {"a.py": reworded})
    assert case.drift() == {"L-A": f"unchanged {lines}"}
    first, _, last = lines.partition("-")
    shown = claimcheck("excerpt", "L-A", cwd=case.project.root).out
    assert [int(row.split("|")[0]) for row in shown.split("\n") if " | " in row] == list(
        range(int(first), int(last) + 1)
    )


DAMAGED = (
    'def f():\n    a = load()\n    return a\n\n\ndef old():\n    print "x"\n\n\ndef g(a):\n<<<<<<< HEAD\n    return a + 1\n'
    "=======\n    return a + 2\n>>>>>>> x\n\n\ndef h():\n    b = load()\n    return b\n"
)


def test_a_conflict_in_one_function_costs_only_that_functions_symbol(
    make_project: MakeProject, claimcheck: Claimcheck
) -> None:
    case = followed(
        make_project,
        claimcheck,
        [
            "L-F: {path: a.py, symbol: f}",
            "L-OLD: {path: a.py, symbol: old}",
            "L-LINES: {path: a.py, lines: 10-15, find: def g}",
            "L-G: {path: a.py, symbol: g}",
            "L-H: {path: a.py, lines: 18-20, symbol: h, find: def h}",
        ],
        {"a.py": DAMAGED},
        {"a.py": "import x\n" + DAMAGED},
        {"a.py": DAMAGED.replace("a + 2", "a + 3")},
    )
    ran = claimcheck("verify", cwd=case.project.root)
    assert ran.code == 1
    assert [line.partition("error: ")[2] for line in findings(ran) if "error: " in line] == [
        "L-G: g cannot be looked up: a.py has parse errors in line 11, so it is not known where g ends [symbol-unresolved]"
    ]
    assert "anchors    5   4 verified, 0 failed, 1 unverified\n" in ran.out
    assert claimcheck("excerpt", "L-G", cwd=case.project.root).out == ""
    assert "15 | >>>>>>> x\n" in claimcheck("excerpt", "L-LINES", cwd=case.project.root).out
    assert case.drift() == {
        "L-F": "moved 2-4",
        "L-OLD": "moved 7-8",
        "L-LINES": "moved 11-16",
        "L-G": "unavailable",
        "L-H": "moved 19-21",
    }
    assert case.drift(3)["L-LINES"] == "edited 10-15" and case.drift(3)["L-H"] == "unchanged 18-20"


def test_letters_of_any_script_count_as_letters(make_project: MakeProject, claimcheck: Claimcheck) -> None:
    old = '# 変量 — café 😀\ndef f():\n    x = "é"\n    return x\n\n\ndef 変数():\n    return "😀"\n\n\ndef g():\n    return 1\n'
    case = followed(
        make_project,
        claimcheck,
        [
            "L-F: {path: a.py, symbol: f}",
            "L-V: {path: a.py, symbol: 変数}",
            "L-G: {path: a.py, lines: 11-12, find: def g}",
        ],
        {"a.py": old},
        {"a.py": "# 变量 é 😀\n" + old},
        {"a.py": old.replace('"😀"', '"😀😀"')},
    )
    assert case.drift() == {"L-F": "moved 3-5", "L-V": "moved 8-9", "L-G": "moved 12-13"}
    assert case.drift(3) == {"L-F": "unchanged 2-4", "L-V": "edited 7-8", "L-G": "unchanged 11-12"}
    assert case.bump() and case.verifies()
