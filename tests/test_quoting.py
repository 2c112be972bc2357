"""What of a text is taken for a quotation of code, and whether it stands in a source; half of it is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimcheck.quoting import Tokens, is_expression, names_in, quoted_lines, tokens

SOURCE = """\
def touch(self, blocks: Sequence[KVCacheBlock]) -> None:
    for block in blocks:
        if block.ref_cnt == 0 and not block.is_null:
            self.free_block_queue.remove(block)  # it's in use
        block.ref_cnt += 1
        need = request.num_tokens_with_spec + request.num_output_placeholders - request.num_computed_tokens
        log.info("one", 'two')
        a->b::c(x)
"""


@pytest.mark.parametrize(
    "code",
    [
        "block.ref_cnt += 1",
        "ref_cnt+=1",
        "def touch(self,\n   blocks",
        "if block.ref_cnt == 0 and … :",
        "def touch(...) -> None",
        "num_tokens_with_spec + num_output_placeholders - num_computed_tokens",
        "log.info('one', \"two\")",
        "free_block_queue.remove(block)",
        "c(x)",
    ],
)
def test_stands_there(code: str) -> None:
    assert Tokens.of(SOURCE).has(code)


@pytest.mark.parametrize(
    "code",
    [
        "block.ref_cnt += 2",
        "block.ref_cnt == 0 or not block.is_null",
        "ref_cnt -= 1",
        "def touch(self, block",
        "free_block_queue.remove(blocks)",
        "block.queue.remove(block)",
        "num_tokens + num_output_placeholders",
        "ref",
        "touch(self)",
        "def touch(…) -> int",
    ],
)
def test_does_not_stand_there(code: str) -> None:
    assert not Tokens.of(SOURCE).has(code)


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("ref_cnt", ["ref_cnt"]),
        ("BlockPool.touch()", ["BlockPool.touch"]),
        ("touch(…)", ["touch"]),
        ("MTPVarlen::schedule", ["MTPVarlen::schedule"]),
        ("block_size=16", ["block_size"]),
        ("token_budget=8, draft_slots = 2", ["token_budget", "draft_slots"]),
        ("(priority, arrival_time)", ["arrival_time"]),
        ("fp8", ["fp8"]),
        ("queue", []),
        ("None", []),
        ("self", []),
        ("U5", []),
        ("[U5, C3, C4]", []),
        ("vllm/v1/core", []),
        ("pool.py", []),
        ("--max-model-len", []),
        ("V-POOL", []),
        ("[V-POOL, V1.5]", []),
        ("return x_y", []),
        ("x_y + 1", []),
        ("", []),
    ],
)
def test_names(code: str, names: list[str]) -> None:
    assert names_in(code) == names


@pytest.mark.parametrize(
    "code", ["ref_cnt == 0", "return free.get()", "max(a, b_c)", "if (x) yy->zzz();", "class BlockPool", "a_b[0]"]
)
def test_expressions(code: str) -> None:
    assert is_expression(code)


@pytest.mark.parametrize(
    "code",
    [
        *(
            "p * 3 - 1",
            "[U5, C3]",
            "A1 0.9, B1 0.8",
            "a b c",
            "chunked prefill",
            "--tp=2",
            "tools/run.sh",
            "x=1",
            "ref_cnt",
        ),
        *(
            "touch()",
            "https://h/a_b",
            "V-POOL",
            "[V-POOL]",
            "block_size=16",
            "(priority, arrival_time)",
            "0.33.0",
            "≤ 31",
            "",
        ),
    ],
)
def test_no_expressions(code: str) -> None:
    assert not is_expression(code)


def test_lines_of_a_block_that_quote() -> None:
    assert list(quoted_lines("a\n\n  # b\n...\n  c // d\n// e\n")) == [(0, "a"), (4, "  c // d")]


@given(st.text(max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_every_run_of_tokens_of_a_text_stands_in_it(text: str, first: int, last: int) -> None:
    part = tokens(text)[first:last]
    assert Tokens.of(text).has(" ".join(part)) or "..." in "".join(part) or "…" in part or "⋯" in part


@given(st.text(max_size=60))
def test_no_text_is_both_names_and_an_expression(text: str) -> None:
    assert not (names_in(text) and is_expression(text))
