"""C++, by tree-sitter-cpp; also used for C++ headers and for CUDA.

Tokens (`cpp/2`): the leaves in order; comments and white space are left out, but not the end of a preprocessor
line; string and character literals and the text of a macro are one token each, byte for byte. Export macros and the
words of CUDA, which the parser does not see (`macros`), are a token where they stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

name = "cpp"
suffixes: tuple[str, ...] = (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".h", ".cu", ".cuh")
wheel = "tree-sitter-cpp"
separator = "::"
symbols = "cpp.scm"
statements = "cpp_statements.scm"

scheme = "cpp/2"
comments = frozenset({"comment"})
skipped: frozenset[str] = frozenset()
exact = frozenset({"string_literal", "raw_string_literal", "char_literal", "system_lib_string", "preproc_arg"})
blocks: frozenset[str] = frozenset()
sequences: frozenset[str] = frozenset()
documented: frozenset[str] = frozenset()
ended_by_newline = frozenset({"preproc_def", "preproc_function_def", "preproc_include", "preproc_call"})
surroundings = frozenset(
    {
        "class_specifier",
        "struct_specifier",
        "union_specifier",
        "enum_specifier",
        "function_definition",
        "lambda_expression",
        "if_statement",
        "else_clause",
        "for_statement",
        "for_range_loop",
        "while_statement",
        "do_statement",
        "switch_statement",
        "case_statement",
        "try_statement",
        "catch_clause",
        "preproc_if",
        "preproc_ifdef",
        "preproc_elif",
        "preproc_else",
    }
)


def declared(declarator: Node) -> tuple[Node, Node | None] | None:
    """The name and the parameters of the function that a declarator declares, if it does not declare something else."""
    inner: Node | None = declarator
    while inner is not None and inner.type != "function_declarator":
        if inner.type == "operator_cast":
            return inner, None
        if inner.type == "qualified_identifier":
            # `A::operator bool()`: the parser takes the conversion for the last part of the name.
            cast = any(child.type == "operator_cast" for child in inner.named_children)
            return (inner, None) if cast else None
        if inner.type == "reference_declarator":
            inner = inner.named_children[-1] if inner.named_children else None
        else:
            inner = inner.child_by_field_name("declarator")
    name = inner.child_by_field_name("declarator") if inner is not None else None
    parameters = inner.child_by_field_name("parameters") if inner is not None else None
    return (name, parameters) if name is not None else None


def language() -> Language:
    import tree_sitter
    import tree_sitter_cpp

    return tree_sitter.Language(tree_sitter_cpp.language())
