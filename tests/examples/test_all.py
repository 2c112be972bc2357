"""Every example of the course has a model, so that no number in a lesson is only somebody's word."""

from __future__ import annotations

from pathlib import Path


def test_every_example_has_a_model(claimcheck_registry):
    models = {
        path.stem.removeprefix("test_").replace("_", "-").upper() for path in Path(__file__).parent.glob("test_?_e*.py")
    }
    assert models == set(claimcheck_registry.examples)
