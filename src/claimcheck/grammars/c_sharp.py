"""C#, by tree-sitter-c-sharp.

Tokens (`c_sharp/2`): the leaves in order; comments and white space are left out; string and character literals are one
token each, byte for byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

name = "c_sharp"
suffixes: tuple[str, ...] = (".cs",)
wheel = "tree-sitter-c-sharp"
separator = "."
symbols = "c_sharp.scm"
statements = "c_sharp_statements.scm"

scheme = "c_sharp/2"
comments = frozenset({"comment"})
skipped: frozenset[str] = frozenset()
exact = frozenset(
    {
        "string_literal",
        "verbatim_string_literal",
        "raw_string_literal",
        "interpolated_string_expression",
        "character_literal",
    }
)
blocks: frozenset[str] = frozenset()
sequences: frozenset[str] = frozenset()
documented: frozenset[str] = frozenset()
ended_by_newline: frozenset[str] = frozenset()
surroundings = frozenset(
    {
        "class_declaration",
        "struct_declaration",
        "interface_declaration",
        "record_declaration",
        "enum_declaration",
        "method_declaration",
        "constructor_declaration",
        "property_declaration",
        "accessor_declaration",
        "lambda_expression",
        "if_statement",
        "for_statement",
        "foreach_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "switch_section",
        "try_statement",
        "catch_clause",
        "finally_clause",
        "using_statement",
        "lock_statement",
    }
)


def declared(declarator: Node) -> tuple[Node, Node | None] | None:
    """Nothing: the definitions have their names as fields."""
    return None


def language() -> Language:
    import tree_sitter
    import tree_sitter_c_sharp

    return tree_sitter.Language(tree_sitter_c_sharp.language())
