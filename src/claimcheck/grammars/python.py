"""Python, by tree-sitter-python.

Tokens (`python/1`): the leaves in order with NEWLINE after each statement and INDENT and DEDENT around each block;
comments, white space and line continuations are left out; a string literal is one token, byte for byte, prefix,
quotes and interpolations included. A docstring is a string like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

name = "python"
suffixes: tuple[str, ...] = (".py", ".pyi")
wheel = "tree-sitter-python"
separator = "."
symbols = "python.scm"
statements = "python_statements.scm"

scheme = "python/1"
comments = frozenset({"comment"})
skipped = frozenset({"line_continuation"})
exact = frozenset({"string"})
blocks = frozenset({"block"})
sequences = frozenset({"module", "block"})
documented = frozenset({"module", "class_definition", "function_definition"})
ended_by_newline: frozenset[str] = frozenset()
surroundings = frozenset(
    {
        "class_definition",
        "function_definition",
        "if_statement",
        "elif_clause",
        "else_clause",
        "for_statement",
        "while_statement",
        "try_statement",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "with_statement",
        "match_statement",
        "case_clause",
    }
)


def declared(declarator: Node) -> tuple[Node, Node | None] | None:
    """Nothing: Python's definitions have their names as fields."""
    return None


def language() -> Language:
    import tree_sitter
    import tree_sitter_python

    return tree_sitter.Language(tree_sitter_python.language())
