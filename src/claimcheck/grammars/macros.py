"""Words in C and C++ that are meant for the preprocessor or for CUDA's compiler, and that the grammars do not know.

An export macro makes a function of a class (`class API Pool {`), and CUDA's qualifiers and launch brackets are errors.
For the parser there are blanks of the same length in their place, so that every byte stays where it is; what they
say is among the tokens all the same.
"""

from __future__ import annotations

import re

MOST_BYTES = 2_000_000

# Directives, comments and literals are passed over. Repetitions are bounded, so that a hostile text costs linear time.
_WORDS = re.compile(
    rb"""
      (?m:^)[ \t]*\#(?:[^\n\\]|\\[\s\S]|\\\Z)*
    | //[^\n]*
    | /\*[\s\S]*?(?:\*/|\Z)
    | "(?:[^"\\\n]|\\.)*"
    | '(?:[^'\\\n]|\\.)*'
    | \b(?:class|struct|union|enum(?:\s{1,40}(?:class|struct))?)\s{1,40}
      (?P<exported>(?:[A-Z][A-Z0-9_]*(?:\([^()\n]{0,80}\))?\s{1,40}){1,3}?)
      (?=(?:\w+::){0,9}(?!final\b)[A-Za-z_]\w*\s{0,40}(?:<[^;{}()]{0,200}>\s{0,40})?(?:final\s{0,40})?
         (?:\{|:(?!:)[^;{}]{0,300}\{))
    | (?P<export>\b[A-Z][A-Z0-9_]*_(?:API|EXPORT|PUBLIC|INLINE|DEVICE|HOST)\b)
      (?=\s{1,40}[A-Za-z_][\w:]{0,80}(?:<[^;{}()]{0,200}>)?[\s*&]{1,40}[A-Za-z_~])
    | (?P<qualifier>\b__(?:(?:global|device|host|shared|constant|managed|grid_constant)__|(?:force|no)inline__)(?!\w)
      | \b__(?:launch_bounds|align)__\s{0,9}\((?:[^()]|\([^()]{0,80}\)){0,200}\))
    | (?P<launch>(?<!<)<<<(?!<)(?:(?!<<<)[^;{}]){0,2000}?(?<!>)>>>(?!>))(?=\s{0,40}\()
    """,
    re.VERBOSE,
)
_SOME = re.compile(
    rb"__(?:global|device|host|shared|constant|managed|grid_constant|forceinline|noinline|launch_bounds|align)__|<<<"
    rb"|_(?:API|EXPORT|PUBLIC|INLINE|DEVICE|HOST)\b|\b(?:class|struct|union|enum)\s{1,40}[A-Z][A-Z0-9_]*[\s(]"
)

_BLANKS = bytes(byte if byte in b"\r\n" else ord(" ") for byte in range(256))


def without_macros(source: bytes) -> bytes:
    """The source with blanks in the place of such words; line ends inside them stay."""
    return _WORDS.sub(_blanked, source) if len(source) <= MOST_BYTES and _SOME.search(source) else source


def _blanked(found: re.Match[bytes]) -> bytes:
    if found.lastgroup is None:
        return found[0]
    start, end = (at - found.start() for at in found.span(found.lastgroup))
    return found[0][:start] + found[0][start:end].translate(_BLANKS) + found[0][end:]
