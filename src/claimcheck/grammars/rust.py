"""Rust, by tree-sitter-rust.

Tokens (`rust/1`): the leaves in order; comments and white space are left out; string and character literals are one
token each, byte for byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

name = "rust"
suffixes: tuple[str, ...] = (".rs",)
wheel = "tree-sitter-rust"
separator = "::"
symbols = "rust.scm"
statements = "rust_statements.scm"

scheme = "rust/1"
comments = frozenset({"line_comment", "block_comment"})
skipped: frozenset[str] = frozenset()
exact = frozenset({"string_literal", "raw_string_literal", "char_literal"})
blocks: frozenset[str] = frozenset()
sequences: frozenset[str] = frozenset()
documented: frozenset[str] = frozenset()
ended_by_newline: frozenset[str] = frozenset()
surroundings = frozenset(
    {
        "function_item",
        "impl_item",
        "trait_item",
        "mod_item",
        "struct_item",
        "enum_item",
        "closure_expression",
        "if_expression",
        "else_clause",
        "match_expression",
        "match_arm",
        "for_expression",
        "while_expression",
        "loop_expression",
        "unsafe_block",
    }
)


def declared(declarator: Node) -> tuple[Node, Node | None] | None:
    """Nothing: the definitions have their names as fields."""
    return None


def language() -> Language:
    import tree_sitter
    import tree_sitter_rust

    return tree_sitter.Language(tree_sitter_rust.language())
