"""tree-sitter at work on the sources of strangers: parsing and queries, in bounded time and memory."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from claimcheck.grammars import Grammar, Loaded, load
from claimcheck.memory import resident
from claimcheck.model import Lines

if TYPE_CHECKING:
    from tree_sitter import Node, Query, Tree, TreeCursor

MOST_BYTES = 8_000_000
# Seconds of computing, not of waiting, so that a busy machine gives the same answers.
SECONDS = 1.0
SECONDS_PER_MEGABYTE = 0.8
MOST_MEMORY = 512 << 20
TIME_EVERY = 8  # calls, of which a usual file of a thousand lines makes a hundred
MEMORY_EVERY = 256
FLAT_ERROR = 10_000
SHAPELESS_STEPS = 500_000
QUERY_DEPTH = 10_000


def parsed(grammar: Grammar, source: bytes) -> Tree | str:
    """A source's tree, or why there is none to look into, as the end of a sentence about its file."""
    if len(source) > MOST_BYTES:
        return f"is larger than {MOST_BYTES // 1_000_000} MB, so it was not parsed"
    budget = _Budget(SECONDS + SECONDS_PER_MEGABYTE * len(source) / 1_000_000)
    tree = _parse(grammar, source, budget)
    if tree is None:
        return budget.exceeded
    return "is mostly what its grammar does not understand" if _is_shapeless(tree) else tree


def loaded(grammar: Grammar) -> Loaded:
    """A grammar that is known to load."""
    found = load(grammar.name)
    assert not isinstance(found, str), found
    return found


def matches(query: Query, root: Node, within: Lines | None = None) -> Iterator[Mapping[str, list[Node]]]:
    """The captures of each match. Without a progress callback: py-tree-sitter 0.26.1 crashes when it has one.

    A query's time is linear in the size of a tree that was parsed within the budget and is not shapeless, as long as
    the tree is less deep than the 16 bits that the library has for the depth; nobody cites what stands deeper.
    """
    import tree_sitter

    cursor = tree_sitter.QueryCursor(query)
    cursor.set_max_start_depth(QUERY_DEPTH)
    if within is not None:
        cursor.set_point_range((within.first - 1, 0), (within.last, 0))
    return (captures for _pattern, captures in cursor.matches(root))


def children_from(node: Node, byte: int) -> Iterator[Node]:
    """A node's children but for those that end before a byte, or some of them."""
    cursor = node.walk()
    if go_to_child(cursor, byte):
        yield node_at(cursor)
        while cursor.goto_next_sibling():
            yield node_at(cursor)


def go_to_child(cursor: TreeCursor, byte: int) -> bool:
    """Go to the first child that does not end before a byte, or to one above it; False where there is no child."""
    # Cursors do not find every child: none behind a hidden node of which only the hidden end is there.
    return cursor.goto_first_child_for_byte(byte) is not None or cursor.goto_first_child()


def node_at(cursor: TreeCursor) -> Node:
    """The node that a cursor is at."""
    node = cursor.node
    assert node is not None
    return node


class _Budget:
    """Says stop when a parse has computed for too long or taken too much memory; `exceeded` says which."""

    def __init__(self, seconds: float) -> None:
        self.exceeded = f"could not be parsed within {seconds:.1f} seconds"
        self._deadline = time.thread_time() + seconds
        self._before = resident()
        self._calls = 0

    def __call__(self, _offset: int, _has_error: bool) -> bool:
        self._calls += 1
        if self._calls % TIME_EVERY:
            return False
        if self._before is not None and self._calls % MEMORY_EVERY == 0:
            taken = (resident() or 0) - self._before
            if taken > MOST_MEMORY:
                self.exceeded = f"could not be parsed within {MOST_MEMORY >> 20} MiB of memory"
                return True
        return time.thread_time() > self._deadline


def _parse(grammar: Grammar, source: bytes, budget: _Budget) -> Tree | None:
    """Parse as far as the budget allows; only input by a callable can be interrupted."""
    import tree_sitter

    view = memoryview(source)

    def read(offset: int, _point: object) -> bytes:
        return bytes(view[offset : offset + 65_536])

    try:
        return tree_sitter.Parser(loaded(grammar).language).parse(read, encoding="utf8", progress_callback=budget)
    except ValueError:
        return None


def _is_shapeless(tree: Tree) -> bool:
    """Whether errors have so many pieces in a row that looking through them would take for ever.

    A query takes a time that grows with the square of their number. Only what holds an error is looked into.
    """
    if not tree.root_node.has_error:
        return False
    cursor, cost = tree.walk(), 0
    for _step in range(SHAPELESS_STEPS):
        node = cursor.node
        assert node is not None
        cost += node.child_count**2 if node.is_error else 0
        if cost > FLAT_ERROR**2:
            return True
        if node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False
    return True
