"""What the languages have in common: things with names, assignments, and what has to hold for code to be reached."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimcheck.values import frozen

if TYPE_CHECKING:
    from ast_grep_py import SgNode


class Kind(enum.Enum):
    """What a name is the name of."""

    FUNCTION = "function"
    CLASS = "class"
    PARAMETER = "parameter"
    FIELD = "field"
    CONSTANT = "constant"
    MEMBER = "member"
    MACRO = "macro"
    VARIABLE = "variable"
    IMPORT = "import"


@frozen
class Definition:
    """A name, what it is the name of, and the expression that it stands for where there is one.

    `position` counts enumerators that have no value of their own, from 0 after the last one that has; `previous` is
    that one's value. `text` is a macro's body, which the parser does not look into.
    """

    name: str
    kind: Kind
    node: SgNode
    value: SgNode | None = None
    position: int = 0
    previous: SgNode | None = None
    text: str | None = None


@frozen
class Assignment:
    """`target operator value`; of an initialisation the operator is `=`."""

    target: SgNode
    operator: str
    value: SgNode
    node: SgNode


@frozen
class Parameter:
    """A parameter; the receiver of a method is none."""

    name: str
    node: SgNode
    annotation: SgNode | None = None
    default: SgNode | None = None


@frozen
class Guard:
    """One thing that has to hold for a node to be reached.

    `conditions` has the condition of an `if`; all labels that lead to a `case`; the context manager of a `with`; the
    exceptions that a `try` handles, or that an `except` branch is for. An `early` guard is a statement above that leaves
    when the condition holds, so its branch is `else`. `node` is where it stands.
    """

    kind: str
    branch: str
    conditions: tuple[SgNode, ...]
    node: SgNode
    early: bool = False


def below(node: SgNode) -> Iterator[SgNode]:
    """A node and everything below it, in the order of the text."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += reversed(one.children())
