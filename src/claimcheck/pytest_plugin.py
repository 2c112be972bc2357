"""The pytest plugin: worked examples are recomputed by ordinary Python, which this package never runs by itself.

A test asks for an example by its ID, computes each table from the inputs, and hands the rows over:

    def test_v_e2(claimcheck_example):
        example = claimcheck_example("V-E2")
        example.expect("how much is reused", [[n, n // 16] for n in example.inputs["prompt_lengths"]])

A test that leaves out a table of an example that it asked for fails, so that no number stays unchecked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from claimcheck.model import Example, Registry, Table

Row = Sequence[object]


class Worked:
    """A worked example of the project: its inputs, and the tables that have to follow from them."""

    def __init__(self, example: Example) -> None:
        self.id = example.id
        self._example = example
        self._left = {table.caption: table for table in example.tables}

    @property
    def inputs(self) -> Mapping[str, Any]:
        """The inputs as they stand in the registry."""
        return self._example.inputs

    @property
    def left(self) -> list[str]:
        """The captions of the tables that nobody has recomputed yet."""
        return list(self._left)

    def expect(self, caption: str, rows: Sequence[Row]) -> None:
        """Compare computed rows with a table, named by its caption or by how that begins.

        Numbers are equal when they are after rounding to the digits that the table has; everything else exactly.
        Fails with every cell that differs.
        """
        __tracebackhide__ = True
        table = self._table(caption)
        found = list(_differences(table, [list(row) for row in rows]))
        if found:
            place = self._example.places[""]
            pytest.fail(f"{place}: {self.id}: {table.caption}\n" + "\n".join(f"    {line}" for line in found))
        self._left.pop(table.caption, None)

    def _table(self, caption: str) -> Table:
        tables = [table for table in self._example.tables if table.caption.startswith(caption)]
        if len(tables) != 1:
            known = "; ".join(table.caption for table in self._example.tables)
            pytest.fail(f"{self.id} has {len(tables)} tables that begin with {caption!r}; it has {known}")
        return tables[0]


def _differences(table: Table, rows: Sequence[Row]) -> Iterator[str]:
    if len(rows) != len(table.rows):
        yield f"{len(table.rows)} rows in the table, {len(rows)} computed"
    for number, (shown, computed) in enumerate(zip(table.rows, rows, strict=False), 1):
        if len(computed) != len(table.columns):
            yield f"row {number}: {len(table.columns)} columns in the table, {len(computed)} computed"
            continue
        for column, expected, got in zip(table.columns, shown, computed, strict=True):
            if not _same(expected, got):
                yield f"row {number}, {column}: the table has {expected!r}, computed {got!r}"


def _same(shown: object, computed: object) -> bool:
    if isinstance(shown, bool) or isinstance(computed, bool):
        return shown is computed
    if isinstance(shown, (int, float)) and isinstance(computed, (int, float)):
        digits = len(repr(shown).partition(".")[2]) if isinstance(shown, float) else 0
        # What a table shows in full has to be computed in full.
        return round(computed, digits) == shown if isinstance(shown, float) else computed == shown
    return type(shown) is type(computed) and shown == computed


@pytest.fixture(scope="session")
def claimcheck_registry(pytestconfig: pytest.Config) -> Registry:
    """The registry of the project that the tests belong to."""
    from claimcheck import registry
    from claimcheck.project import Project

    return registry.load(Project.find(Path(pytestconfig.rootpath)))


@pytest.fixture
def claimcheck_example(claimcheck_registry: Registry) -> Iterator[Callable[[str], Worked]]:
    """A function that gives an example by its ID; what was asked for has to be recomputed in full."""
    asked: list[Worked] = []

    def example(id: str) -> Worked:
        if id not in claimcheck_registry.examples:
            pytest.fail(f"no example {id}; there are {', '.join(claimcheck_registry.examples) or 'none'}")
        asked.append(Worked(claimcheck_registry.examples[id]))
        return asked[-1]

    yield example
    left = [f"{one.id}: {caption}" for one in asked for caption in one.left]
    if left:
        pytest.fail("not recomputed: " + "; ".join(left), pytrace=False)
