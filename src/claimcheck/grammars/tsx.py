"""TypeScript with JSX, by tree-sitter-typescript.

Tokens (`tsx/1`): the leaves in order; comments and white space are left out; string and character literals are one
token each, byte for byte. The end of a statement is a token, since the language ends some by themselves where a
line ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimcheck.grammars import typescript

if TYPE_CHECKING:
    from tree_sitter import Language

name = "tsx"
suffixes: tuple[str, ...] = (".tsx",)
wheel = typescript.wheel
separator = typescript.separator
symbols = typescript.symbols
statements = typescript.statements

scheme = "tsx/1"
comments = typescript.comments
skipped = typescript.skipped
exact = typescript.exact | {"jsx_text"}
blocks = typescript.blocks
sequences = typescript.sequences
documented = typescript.documented
ended_by_newline = typescript.ended_by_newline
surroundings = typescript.surroundings
declared = typescript.declared


def language() -> Language:
    import tree_sitter
    import tree_sitter_typescript

    return tree_sitter.Language(tree_sitter_typescript.language_tsx())
