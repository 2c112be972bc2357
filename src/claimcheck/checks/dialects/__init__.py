"""What checks know of a language beyond ast-grep's patterns: one module a language, and the table of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from claimcheck.checks.dialects import cpp, python
from claimcheck.checks.dialects.values import Assignment, Definition, Guard, Kind, Parameter
from claimcheck.grammars import grammar_for

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from claimcheck.checks.shape import Shape

__all__ = ["DIALECTS", "Assignment", "Definition", "Dialect", "Guard", "Kind", "Parameter", "dialect_of"]


class Dialect(Protocol):
    """A module of the table.

    `contexts` are what is written around a piece of code so that it parses where it can stand, `expressions` the same for
    expressions. `unsaid` are the kinds that say nothing (comments), `same_kinds` gives kinds the names that shapes and
    literals go by, and `defining` and `assigning` are the kinds that `definitions` and `assignments` look at.
    """

    name: str
    title: str
    separator: str
    contexts: tuple[tuple[str, str], ...]
    expressions: tuple[tuple[str, str], ...]
    unsaid: frozenset[str]
    same_kinds: Mapping[str, str]
    calls: frozenset[str]
    functions: frozenset[str]
    classes: frozenset[str]
    returns: frozenset[str]
    names: frozenset[str]

    def __hash__(self) -> int: ...

    defining: frozenset[str]
    assigning: frozenset[str]

    def contexts_of(self, text: str, /) -> Sequence[Sequence[tuple[str, str]]]:
        """The contexts in groups: where one of a group fits, those of the next are not tried."""
        ...

    def leaf(self, node: SgNode, /) -> tuple[str, str] | None:
        """The kind and the text of a node that is taken whole: a string, a number, an operator."""
        ...

    def within_parentheses(self, node: SgNode, /) -> SgNode | None:
        """What stands in a pair of parentheses that only groups."""
        ...

    def callee(self, call: SgNode, /) -> SgNode | None: ...

    def arguments(self, call: SgNode, /) -> list[SgNode]: ...

    def definitions(self, nodes: Iterable[SgNode], /) -> Iterator[Definition]:
        """The things with names that are defined among some nodes."""
        ...

    def assignments(self, nodes: Iterable[SgNode], /) -> Iterator[Assignment]: ...

    def guards(self, node: SgNode, /) -> Iterator[Guard]:
        """What has to hold for a node to be reached, from the inside out."""
        ...

    def parameters(self, function: SgNode, /) -> list[Parameter]: ...

    def return_type(self, function: SgNode, /) -> SgNode | None: ...

    def bases(self, defined: SgNode, /) -> list[SgNode]: ...

    def docstring(self, node: SgNode, /) -> bool:
        """Whether a string documents what is around it."""
        ...

    def negated(self, shape: Shape, /) -> Shape: ...

    def dead(self, root: SgNode, /) -> list[tuple[int, int]]:
        """The first and last lines, from 0, of what no compiler reads."""
        ...

    def opaque(self, root: SgNode, /) -> list[SgNode]:
        """Code that the grammar does not look into, such as the bodies of macros."""
        ...


DIALECTS: Mapping[str, Dialect] = {"python": python, "cpp": cpp, "c": cpp}


def dialect_of(path: str) -> Dialect | None:
    """What is known of the language of a file; None for other files, in which only text can be looked for."""
    grammar = grammar_for(path)
    return DIALECTS.get(grammar.name) if grammar else None
