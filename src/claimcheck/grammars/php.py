"""PHP, by tree-sitter-php.

Tokens (`php/1`): the leaves in order; comments and white space are left out; string and character literals are one
token each, byte for byte. What stands outside of the PHP tags is one token a piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

name = "php"
suffixes: tuple[str, ...] = (".php",)
wheel = "tree-sitter-php"
separator = "::"
symbols = "php.scm"
statements = "php_statements.scm"

scheme = "php/1"
comments = frozenset({"comment"})
skipped: frozenset[str] = frozenset()
exact = frozenset({"string", "encapsed_string", "heredoc", "nowdoc", "shell_command_expression", "text"})
blocks: frozenset[str] = frozenset()
sequences: frozenset[str] = frozenset()
documented: frozenset[str] = frozenset()
ended_by_newline: frozenset[str] = frozenset()
surroundings = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "trait_declaration",
        "enum_declaration",
        "function_definition",
        "method_declaration",
        "anonymous_function",
        "arrow_function",
        "if_statement",
        "else_clause",
        "else_if_clause",
        "for_statement",
        "foreach_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "case_statement",
        "default_statement",
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
    import tree_sitter_php

    return tree_sitter.Language(tree_sitter_php.language_php())
