"""The languages whose structure is known: one module a grammar, and the table of them.

A grammar is a module that has the names of `Grammar`. Its wheel may be missing or may not fit the installed
tree-sitter; then there is no grammar for its files, texts are compared as text, and `problems` says so once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Protocol

from claimcheck.grammars import c, c_sharp, cpp, go, java, javascript, macros, php, python, ruby, rust, tsx, typescript
from claimcheck.values import frozen

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query


class Grammar(Protocol):
    """What `syntax` needs to know of a language. The two queries are named by their files in this folder.

    The query `symbols` captures `@definition.KIND` with its `@name` (and `@parameters`, where overloads exist),
    or with a `@declarator` that `declared` takes apart into the two;
    `@wrapper` around `@inner` for what belongs to a definition but stands outside its node (decorators, template
    lines), `@comment`, and `@error`. The query `statements` captures every `@statement`, and
    `@head` with the `@body` of its first branch where others may follow.

    A token is a leaf of the tree. `scheme` names the way in which tokens are made from it, with a version that
    goes up whenever the same text would give other tokens.
    """

    name: str
    suffixes: tuple[str, ...]
    wheel: str
    separator: str
    symbols: str
    statements: str
    scheme: str
    comments: frozenset[str]
    skipped: frozenset[str]
    exact: frozenset[str]
    blocks: frozenset[str]
    sequences: frozenset[str]
    documented: frozenset[str]
    ended_by_newline: frozenset[str]
    surroundings: frozenset[str]

    def declared(self, declarator: Node, /) -> tuple[Node, Node | None] | None: ...

    def language(self) -> Language: ...


# What a grammar's parser is to see in place of a source, byte for byte at the same place, where that is not the source.
SEEN: Mapping[str, Callable[[bytes], bytes]] = {"cpp": macros.without_macros, "c": macros.without_macros}


# What goes wrong with a wheel that is not there or does not fit.
MISFITS = (ImportError, AttributeError, TypeError, ValueError)

GRAMMARS: tuple[Grammar, ...] = (python, cpp, c, c_sharp, go, java, javascript, php, ruby, rust, tsx, typescript)


@lru_cache(maxsize=4096)
def grammar_for(path: str) -> Grammar | None:
    """The grammar of a file, by its suffix."""
    suffix = PurePosixPath(path).suffix.lower()
    return next((grammar for grammar in GRAMMARS if suffix in grammar.suffixes), None)


@frozen
class Loaded:
    """A grammar's language and its query for symbols, compiled."""

    language: Language
    symbols: Query


@cache
def load(name: str) -> Loaded | str:
    """A grammar by name, ready for use, or one line that says why it cannot be used and how to repair it."""
    grammar = _named(name)
    try:
        language = grammar.language()
        return Loaded(language, _query(language, grammar.symbols))
    except MISFITS as error:
        return _misfit(grammar, error)


@cache
def statements(name: str) -> Query | str:
    """The query for statements of a grammar, which few ask for and which takes long to compile; or as `load`."""
    grammar, loaded = _named(name), load(name)
    try:
        return loaded if isinstance(loaded, str) else _query(loaded.language, grammar.statements)
    except MISFITS as error:
        return _misfit(grammar, error)


def _named(name: str) -> Grammar:
    return next(grammar for grammar in GRAMMARS if grammar.name == name)


def _query(language: Language, file: str) -> Query:
    import tree_sitter

    return tree_sitter.Query(language, Path(__file__).with_name(file).read_text("utf-8"))


def problems() -> Iterator[str]:
    """One line for each grammar that cannot be used here; loads all of them."""
    for grammar in GRAMMARS:
        loaded = load(grammar.name)
        query = loaded if isinstance(loaded, str) else statements(grammar.name)
        if isinstance(query, str):
            yield query


def _misfit(grammar: Grammar, error: Exception) -> str:
    from importlib.metadata import PackageNotFoundError, version

    installed = []
    for wheel in ("tree-sitter", grammar.wheel):
        try:
            installed.append(f"{wheel} {version(wheel)}")
        except PackageNotFoundError:
            installed.append(f"{wheel} not installed")
    reason = (str(error).splitlines() or [type(error).__name__])[0]
    return (
        f"no symbols and no token comparison for {' '.join(grammar.suffixes)}: {', '.join(installed)} ({reason}); "
        f"pip install --upgrade tree-sitter {grammar.wheel}"
    )
