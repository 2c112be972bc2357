"""The pytest plugin on small projects of their own, as a user's pytest runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REGISTRY = """\
vendors: {}
"""
EXAMPLES = """\
examples:
  L-E1:
    title: halves
    inputs: {numbers: [1, 2, 3]}
    tables:
      - caption: halves of numbers
        columns: [number, half, name]
        rows: [[1, 0.5, one], [2, 1, two], [3, 1.5, three]]
      - caption: thirds
        columns: [number, third]
        rows: [[1, 0.333], [2, 0.667], [3, 1]]
"""
HALVES = "    example.expect('halves', [[n, n / 2, name] for n, name in zip(example.inputs['numbers'], NAMES)])\n"
THIRDS = "    example.expect('thirds', [[n, n / 3] for n in example.inputs['numbers']])\n"
HEAD = "NAMES = ['one', 'two', 'three']\n\ndef test_it(claimcheck_example):\n    example = claimcheck_example('L-E1')\n"


def run(root: Path, model: str) -> tuple[int, str]:
    (root / "claims").mkdir()
    (root / "anchors.yaml").write_text(REGISTRY, encoding="utf-8")
    (root / "claims" / "examples.yaml").write_text(EXAMPLES, encoding="utf-8")
    (root / "test_model.py").write_text(model, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "claimcheck.pytest_plugin", "--rootdir", ".", "."]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=60, check=False)
    return ran.returncode, ran.stdout + ran.stderr


def test_a_model_that_computes_every_table_passes(tmp_path):
    code, out = run(tmp_path, HEAD + HALVES + THIRDS)
    assert code == 0, out


def test_every_cell_that_differs_is_told_with_its_place(tmp_path):
    code, out = run(tmp_path, HEAD + HALVES.replace("n / 2", "n / 2 + (n > 1)") + THIRDS)
    assert code == 1
    assert "claims/examples.yaml:2:3: L-E1: halves of numbers" in out
    assert "row 2, half: the table has 1, computed 2.0" in out
    assert "row 3, half: the table has 1.5, computed 2.5" in out
    assert "row 1, half" not in out


def test_a_table_that_nobody_recomputed_fails(tmp_path):
    code, out = run(tmp_path, HEAD + HALVES)
    assert code == 1
    assert "not recomputed: L-E1: thirds" in out


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("[[1, 0.333], [2, 0.667]]", "3 rows in the table, 2 computed"),
        ("[[1], [2], [3]]", "row 1: 2 columns in the table, 1 computed"),
        ("[[1, 0.334], [2, 0.667], [3, 1]]", "row 1, third: the table has 0.333, computed 0.334"),
        ("[['1', 0.333], [2, 0.667], [3, 1]]", "row 1, number: the table has 1, computed '1'"),
        ("[[True, 0.333], [2, 0.667], [3, 1]]", "row 1, number: the table has 1, computed True"),
    ],
)
def test_what_is_not_the_table_is_not_taken_for_it(tmp_path, rows, said):
    code, out = run(tmp_path, f"{HEAD}{HALVES}    example.expect('thirds', {rows})\n")
    assert code == 1
    assert said in out


def test_an_example_or_table_that_is_not_there_says_what_is(tmp_path):
    code, out = run(tmp_path, HEAD.replace("L-E1", "L-E2") + HALVES)
    assert code == 1
    assert "no example L-E2; there are L-E1" in out


def test_a_caption_that_fits_no_table_says_which_there_are(tmp_path):
    code, out = run(tmp_path, HEAD + HALVES.replace("'halves'", "'quarters'"))
    assert code == 1
    assert "it has halves of numbers; thirds" in out


def test_a_project_that_uses_nothing_of_it_is_left_alone(tmp_path):
    code, out = run(tmp_path, "def test_it():\n    pass\n")
    assert code == 0, out
