"""JavaScript, JSX included, by tree-sitter-javascript.

Tokens (`javascript/1`): the leaves in order; comments and white space are left out; string and character literals
are one token each, byte for byte. The end of a statement is a token, since the language ends some by themselves
where a line ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

name = "javascript"
suffixes: tuple[str, ...] = (".js", ".jsx", ".mjs", ".cjs")
wheel = "tree-sitter-javascript"
separator = "."
symbols = "javascript.scm"
statements = "javascript_statements.scm"

scheme = "javascript/1"
comments = frozenset({"comment", "html_comment"})
skipped: frozenset[str] = frozenset()
exact = frozenset({"string", "template_string", "regex", "jsx_text"})
blocks: frozenset[str] = frozenset()
sequences = frozenset({"program", "statement_block", "class_body", "switch_case", "switch_default"})
documented: frozenset[str] = frozenset()
ended_by_newline: frozenset[str] = frozenset()
surroundings = frozenset(
    {
        "class_declaration",
        "class",
        "function_declaration",
        "function_expression",
        "generator_function_declaration",
        "arrow_function",
        "method_definition",
        "if_statement",
        "else_clause",
        "for_statement",
        "for_in_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "switch_case",
        "switch_default",
        "try_statement",
        "catch_clause",
        "finally_clause",
    }
)


def declared(declarator: Node) -> tuple[Node, Node | None] | None:
    """Nothing: the definitions have their names as fields."""
    return None


def language() -> Language:
    import tree_sitter
    import tree_sitter_javascript

    return tree_sitter.Language(tree_sitter_javascript.language())
