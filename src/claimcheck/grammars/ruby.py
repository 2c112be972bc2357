"""Ruby, by tree-sitter-ruby.

Tokens (`ruby/2`): the leaves in order; comments and white space are left out; string and character literals are one
token each, byte for byte. The end of a statement is a token, and so are both ends of an argument list, since a blank
decides where one is: `foo -1` and `foo - 1`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

name = "ruby"
suffixes: tuple[str, ...] = (".rb", ".rake", ".gemspec")
wheel = "tree-sitter-ruby"
separator = "."
symbols = "ruby.scm"
statements = "ruby_statements.scm"

scheme = "ruby/2"
comments = frozenset({"comment"})
skipped: frozenset[str] = frozenset()
exact = frozenset({"string", "regex", "heredoc_body", "symbol_array", "string_array", "subshell"})
blocks = frozenset({"argument_list"})
sequences = frozenset(
    {"program", "body_statement", "block_body", "then", "do", "else", "begin", "ensure", "parenthesized_statements"}
)
documented: frozenset[str] = frozenset()
ended_by_newline: frozenset[str] = frozenset()
surroundings = frozenset(
    {
        "class",
        "module",
        "singleton_class",
        "method",
        "singleton_method",
        "do_block",
        "block",
        "if",
        "elsif",
        "else",
        "unless",
        "case",
        "when",
        "while",
        "until",
        "for",
        "begin",
        "rescue",
        "ensure",
    }
)


def declared(declarator: Node) -> tuple[Node, Node | None] | None:
    """Nothing: the definitions have their names as fields."""
    return None


def language() -> Language:
    import tree_sitter
    import tree_sitter_ruby

    return tree_sitter.Language(tree_sitter_ruby.language())
