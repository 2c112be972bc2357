"""C, by tree-sitter-c; headers are read as C++.

Tokens (`c/2`): the leaves in order; comments and white space are left out; string and character literals are one
token each, byte for byte. The end of a preprocessor line is a token, and so is the text of a macro. Export macros, which
the parser does not see (`macros`), are a token where they stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimcheck.grammars.cpp import declared as declared

if TYPE_CHECKING:
    from tree_sitter import Language

name = "c"
suffixes: tuple[str, ...] = (".c",)
wheel = "tree-sitter-c"
separator = "::"
symbols = "c.scm"
statements = "c_statements.scm"

scheme = "c/2"
comments = frozenset({"comment"})
skipped: frozenset[str] = frozenset()
exact = frozenset({"string_literal", "char_literal", "system_lib_string", "preproc_arg"})
blocks: frozenset[str] = frozenset()
sequences: frozenset[str] = frozenset()
documented: frozenset[str] = frozenset()
ended_by_newline = frozenset({"preproc_def", "preproc_function_def", "preproc_include", "preproc_call"})
surroundings = frozenset(
    {
        "struct_specifier",
        "union_specifier",
        "enum_specifier",
        "function_definition",
        "if_statement",
        "else_clause",
        "for_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "case_statement",
        "preproc_if",
        "preproc_ifdef",
        "preproc_elif",
        "preproc_else",
    }
)


def language() -> Language:
    import tree_sitter
    import tree_sitter_c

    return tree_sitter.Language(tree_sitter_c.language())
