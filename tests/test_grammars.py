"""Each grammar that comes as an extra: its symbols, its statements, and what its tokens tell apart."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from claimcheck.grammars import GRAMMARS, load
from claimcheck.model import Lines
from claimcheck.syntax import Outline, outline, token_digest

EXTRAS = [grammar.name for grammar in GRAMMARS if grammar.name not in ("python", "cpp")]


@dataclass(frozen=True)
class Sample:
    """A text; its symbols as `name first-last`; lines that end a branch of a statement; and variants of the text."""

    file: str
    text: str
    symbols: list[str]
    statement: str
    reformatted: tuple[str, str]
    different: tuple[str, str]
    remark: str


SAMPLES = {
    "java": Sample(
        "A.java",
        """package p;

/** About A. */
@Deprecated
public class A<T> {
    static final int LIMIT = 3;

    // about run
    @Override
    public int run(final String name) {
        if (name == null) {
            return LIMIT;
        } else {
            return 0;
        }
    }

    int run(int n) { return n; }

    enum Kind { ONE, TWO }

    interface Part { void go(); }
}
""",
        [
            "A 4-23",
            "A.LIMIT 6",
            "A.run 9-16",
            "A.run 18",
            "A.Kind 20",
            "A.Kind.ONE 20",
            "A.Kind.TWO 20",
            "A.Part 22",
            "A.Part.go 22",
        ],
        "11-15",
        ("return LIMIT;", "return\n                LIMIT;"),
        ("return LIMIT;", "return LIMIT + 1;"),
        "/* remark */",
    ),
    "javascript": Sample(
        "a.js",
        """export function one(a) {
  if (a) {
    return 1
  }
}

const two = (b) => {
  return b
}

class C {
  method(x) {
    return x
  }
}

module.exports = {
  setup() {},
  render: function (h) {
    return h
  },
}
""",
        ["one 1-5", "two 7-9", "C 11-15", "C.method 12-14", "setup 18", "render 19-21"],
        "2-4",
        ("return b", "return   b"),
        ("return b", "return\n  b"),
        "/* remark */",
    ),
    "typescript": Sample(
        "a.ts",
        """export interface Shape {
  area(): number
}

export abstract class Box<T> implements Shape {
  private size: number = 1

  area(): number {
    if (this.size) {
      return 1
    }
    return this.size
  }
}

export type Name = string

function over(a: string): void
function over(a: number): void
function over(a: any) {}
""",
        [
            "Shape 1-3",
            "Shape.area 2",
            "Box 5-14",
            "Box.size 6",
            "Box.area 8-13",
            "Name 16",
            "over 18",
            "over 19",
            "over 20",
        ],
        "9-11",
        ("return this.size", "return this . size"),
        ("return this.size", "return\n    this.size"),
        "/* remark */",
    ),
    "tsx": Sample(
        "a.tsx",
        """export const View = (props: Props) => {
  if (props.open) {
    return <b>{props.text}</b>
  }
  return <i>none</i>
}
""",
        ["View 1-6"],
        "2-4",
        ("props.open", "props . open"),
        ("none", "some"),
        "/* remark */",
    ),
    "go": Sample(
        "a.go",
        """package p

type Pool struct {
	free int
}

// Get takes one.
func (p *Pool) Get(n int) int {
	if n > 0 {
		return n
	}
	return p.free
}

func Get() {}

const Limit = 3
""",
        ["Pool 3-5", "Get 8-13", "Get 15", "Limit 17"],
        "9-11",
        ("return p.free", "return  p.free"),
        ("return p.free", "return\n\tp.free"),
        "/* remark */",
    ),
    "c": Sample(
        "a.c",
        """#define LIMIT 3

struct pool {
  int free;
};

/* about get */
static int *get(struct pool *p, int n) {
  if (n > LIMIT) {
    return 0;
  } else {
    return &p->free;
  }
}

int put(struct pool *p);
""",
        ["LIMIT 1", "pool 3-5", "get 8-14", "put 16"],
        "9-13",
        ("return 0;", "return\n    0;"),
        ("return 0;", "return 1;"),
        "/* remark */",
    ),
    "rust": Sample(
        "a.rs",
        """pub struct Pool {
    free: usize,
}

impl Pool {
    /// About get.
    pub fn get(&self, n: usize) -> usize {
        if n > 0 {
            return n;
        }
        self.free
    }
}

trait Part {
    fn go(&self);
}

const LIMIT: usize = 3;
""",
        ["Pool 1-3", "Pool::get 7-12", "Part 15-17", "Part::go 16", "LIMIT 19"],
        "8-10",
        ("return n;", "return\n n;"),
        ("return n;", "return n + 1;"),
        "/* remark */",
    ),
    "c_sharp": Sample(
        "A.cs",
        """namespace P.Q
{
    [Serializable]
    public class A
    {
        private int size = 1;

        public int Size { get; set; }

        public A(int size) { }

        public int Run(string name)
        {
            if (name == null)
            {
                return 1;
            }
            return size;
        }
    }
}
""",
        ["P.Q.A 3-20", "P.Q.A.size 6", "P.Q.A.Size 8", "P.Q.A.A 10", "P.Q.A.Run 12-19"],
        "14-17",
        ("return size;", "return\n size;"),
        ("return size;", "return -size;"),
        "/* remark */",
    ),
    "ruby": Sample(
        "a.rb",
        """module P
  class Pool
    LIMIT = 3

    def get(n)
      if n > 0
        return n
      end
      @free
    end

    def self.make
      new
    end
  end
end
""",
        ["P 1-16", "P.Pool 2-15", "P.Pool.LIMIT 3", "P.Pool.get 5-10", "P.Pool.make 12-14"],
        "6-8",
        ("return n", "return  n"),
        ("return n", "return\n        n"),
        "# remark",
    ),
    "php": Sample(
        "a.php",
        """<?php
namespace P;

class Pool
{
    private $free = 1;

    /** About get. */
    public function get(int $n)
    {
        if ($n > 0) {
            return $n;
        }
        return $this->free;
    }
}

function put($x) { return $x; }
""",
        ["Pool 4-16", "Pool::$free 6", "Pool::get 9-15", "put 18"],
        "11-13",
        ("return $n;", "return\n $n;"),
        ("return $n;", "return -$n;"),
        "/* remark */",
    ),
}


def outlined(text: str, file: str) -> Outline:
    found = outline(text, file)
    assert found is not None and found.problem is None
    return found


def test_each_extra_has_a_sample_and_no_two_grammars_claim_one_suffix() -> None:
    assert set(SAMPLES) == set(EXTRAS)
    suffixes = [suffix for grammar in GRAMMARS for suffix in grammar.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert len({grammar.scheme for grammar in GRAMMARS}) == len(GRAMMARS)


@pytest.mark.parametrize("name", EXTRAS)
class TestExtras:
    def test_the_wheel_fits(self, name: str) -> None:
        assert not isinstance(load(name), str)

    def test_symbols_with_their_extent(self, name: str) -> None:
        sample = SAMPLES[name]
        found = outlined(sample.text, sample.file)
        assert not found.errors
        assert [f"{one.name} {one.lines}" for one in found.symbols] == sample.symbols

    def test_statements(self, name: str) -> None:
        sample = SAMPLES[name]
        found = outlined(sample.text, sample.file)
        assert sample.statement in [str(one.lines) for one in found.statements if not one.branch]
        first, _, last = sample.statement.partition("-")
        begins, ends = found.edge_pieces(Lines(int(first), int(last)))
        assert begins and ends and str(begins.lines) == str(ends.lines) == sample.statement

    def test_white_space_and_comments_are_no_tokens(self, name: str) -> None:
        sample = SAMPLES[name]
        old, new = sample.reformatted
        assert old in sample.text
        before = outlined(sample.text, sample.file)
        for text in (sample.text.replace(old, new), sample.text.replace(old, f"{old} {sample.remark}")):
            after = outlined(text, sample.file)
            tokens = before.tokens(Lines(1, len(sample.text.split("\n")) - 1))
            others = after.tokens(Lines(1, len(text.split("\n")) - 1))
            assert tokens and others and tokens.digest == others.digest

    def test_what_means_something_else_has_another_digest(self, name: str) -> None:
        sample = SAMPLES[name]
        old, new = sample.different
        assert old in sample.text
        changed = sample.text.replace(old, new)
        before, after = (
            token_digest(text, sample.file, Lines(1, len(text.split("\n")) - 1)) for text in (sample.text, changed)
        )
        assert before and after and before != after

    def test_without_the_wheel_its_files_are_text(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        grammar = next(one for one in GRAMMARS if one.name == name)
        monkeypatch.setitem(sys.modules, grammar.wheel.replace("-", "_"), None)
        load.cache_clear()
        try:
            assert outline(SAMPLES[name].text, SAMPLES[name].file) is None
            said = load(name)
            assert isinstance(said, str) and f"pip install --upgrade tree-sitter {grammar.wheel}" in said
        finally:
            load.cache_clear()


def test_no_wheel_is_imported_before_a_file_of_its_language_is_looked_at() -> None:
    folder = Path(__file__).parent.parent / "src" / "claimcheck" / "grammars"
    for path in folder.glob("*.py"):
        for node in ast.parse(path.read_bytes()).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any(name.startswith("tree_sitter") for name in names), path.name
