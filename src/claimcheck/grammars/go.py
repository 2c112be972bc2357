"""Go, by tree-sitter-go.

Tokens (`go/1`): the leaves in order; comments and white space are left out; string and character literals are one
token each, byte for byte. The end of a statement is a token, since a line's end ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

name = "go"
suffixes: tuple[str, ...] = (".go",)
wheel = "tree-sitter-go"
separator = "."
symbols = "go.scm"
statements = "go_statements.scm"

scheme = "go/1"
comments = frozenset({"comment"})
skipped: frozenset[str] = frozenset()
exact = frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"})
blocks: frozenset[str] = frozenset()
sequences = frozenset(
    {
        "source_file",
        "block",
        "statement_list",
        "field_declaration_list",
        "interface_type",
        "const_declaration",
        "var_declaration",
        "import_spec_list",
    }
)
documented: frozenset[str] = frozenset()
ended_by_newline: frozenset[str] = frozenset()
surroundings = frozenset(
    {
        "function_declaration",
        "method_declaration",
        "func_literal",
        "if_statement",
        "for_statement",
        "expression_switch_statement",
        "type_switch_statement",
        "select_statement",
        "expression_case",
        "default_case",
        "type_case",
        "communication_case",
    }
)


def declared(declarator: Node) -> tuple[Node, Node | None] | None:
    """Nothing: the definitions have their names as fields."""
    return None


def language() -> Language:
    import tree_sitter
    import tree_sitter_go

    return tree_sitter.Language(tree_sitter_go.language())
