"""TypeScript with JSX, by tree-sitter-typescript.

Tokens (`tsx/1`): the leaves in order; comments and white space are left out; string and character literals are one
token each, byte for byte. The end of a statement is a token, since the language ends some by themselves where a
line ends.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

name = "tsx"
suffixes: tuple[str, ...] = (".tsx",)
wheel = "tree-sitter-typescript"
separator = "."
symbols = files(__package__).joinpath("typescript.scm").read_text("utf-8")
statements = files(__package__).joinpath("typescript_statements.scm").read_text("utf-8")

scheme = "tsx/1"
comments = frozenset({"comment", "html_comment"})
skipped: frozenset[str] = frozenset()
exact = frozenset({"string", "template_string", "regex", "jsx_text"})
blocks: frozenset[str] = frozenset()
sequences = frozenset(
    {"program", "statement_block", "class_body", "switch_case", "switch_default", "interface_body", "object_type"}
)
documented: frozenset[str] = frozenset()
ended_by_newline: frozenset[str] = frozenset()
surroundings = frozenset(
    {
        "abstract_class_declaration",
        "interface_declaration",
        "enum_declaration",
        "internal_module",
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
    import tree_sitter_typescript

    return tree_sitter.Language(tree_sitter_typescript.language_tsx())
