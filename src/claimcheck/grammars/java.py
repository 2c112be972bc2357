"""Java, by tree-sitter-java.

Tokens (`java/1`): the leaves in order; comments and white space are left out; string and character literals are one
token each, byte for byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

name = "java"
suffixes: tuple[str, ...] = (".java",)
wheel = "tree-sitter-java"
separator = "."
symbols = "java.scm"
statements = "java_statements.scm"

scheme = "java/1"
comments = frozenset({"line_comment", "block_comment"})
skipped: frozenset[str] = frozenset()
exact = frozenset({"string_literal", "character_literal", "text_block"})
blocks: frozenset[str] = frozenset()
sequences: frozenset[str] = frozenset()
documented: frozenset[str] = frozenset()
ended_by_newline: frozenset[str] = frozenset()
surroundings = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "method_declaration",
        "constructor_declaration",
        "lambda_expression",
        "if_statement",
        "for_statement",
        "enhanced_for_statement",
        "while_statement",
        "do_statement",
        "switch_expression",
        "switch_block_statement_group",
        "switch_rule",
        "try_statement",
        "try_with_resources_statement",
        "catch_clause",
        "finally_clause",
        "synchronized_statement",
    }
)


def declared(declarator: Node) -> tuple[Node, Node | None] | None:
    """Nothing: the definitions have their names as fields."""
    return None


def language() -> Language:
    import tree_sitter
    import tree_sitter_java

    return tree_sitter.Language(tree_sitter_java.language())
