"""TypeScript, by tree-sitter-typescript.

Tokens (`typescript/1`): the leaves in order; comments and white space are left out; string and character literals
are one token each, byte for byte. The end of a statement is a token, since the language ends some by themselves
where a line ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimcheck.grammars import javascript

if TYPE_CHECKING:
    from tree_sitter import Language

name = "typescript"
suffixes: tuple[str, ...] = (".ts", ".mts", ".cts")
wheel = "tree-sitter-typescript"
separator = "."
symbols = "typescript.scm"
statements = "typescript_statements.scm"

scheme = "typescript/1"
comments = javascript.comments
skipped = javascript.skipped
exact = frozenset({"string", "template_string", "regex"})
blocks = javascript.blocks
sequences = javascript.sequences | {"interface_body", "object_type"}
documented = javascript.documented
ended_by_newline = javascript.ended_by_newline
surroundings = javascript.surroundings | {
    "abstract_class_declaration",
    "interface_declaration",
    "enum_declaration",
    "internal_module",
}
declared = javascript.declared


def language() -> Language:
    import tree_sitter
    import tree_sitter_typescript

    return tree_sitter.Language(tree_sitter_typescript.language_typescript())
