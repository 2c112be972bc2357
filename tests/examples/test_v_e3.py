"""V-E3: three requests flattened into one batch: indices, positions, slots, lengths and which samples count."""

from __future__ import annotations

from itertools import accumulate


def shown(numbers: list[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


def test_v_e3(claimcheck_example):
    example = claimcheck_example("V-E3")
    size, requests = example.inputs["block_size"], example.inputs["requests"]
    counts = [request["num_scheduled_tokens"] for request in requests]
    starts = [0, *accumulate(counts)]
    logits = [end - 1 for end in starts[1:]]
    example.expect(
        "每条请求在扁平输入里的一段",
        [
            [request["id"], count, start, end, last]
            for request, count, start, end, last in zip(requests, counts, starts, starts[1:], logits, strict=False)
        ],
    )

    req_indices = [index for index, count in enumerate(counts) for _ in range(count)]
    query_pos = [offset for count in counts for offset in range(count)]
    positions = [
        requests[index]["num_computed_tokens"] + offset for index, offset in zip(req_indices, query_pos, strict=True)
    ]
    ids = [requests[index]["id"] for index in req_indices]
    example.expect(
        "六个 token 的位置",
        [list(row) for row in zip(range(len(ids)), ids, req_indices, query_pos, positions, strict=True)],
    )

    blocks = [requests[index]["block_table"][at // size] for index, at in zip(req_indices, positions, strict=True)]
    slots = [block * size + at % size for block, at in zip(blocks, positions, strict=True)]
    example.expect(
        "六个 token 的槽位",
        [
            [n, id, at, at // size, at % size, block, slot]
            for n, (id, at, block, slot) in enumerate(zip(ids, positions, blocks, slots, strict=True))
        ],
    )

    seq_lens = [request["num_computed_tokens"] + count for request, count in zip(requests, counts, strict=True)]
    discarded = [length < request["num_tokens"] for length, request in zip(seq_lens, requests, strict=True)]
    example.expect(
        "上下文有多长",
        [
            [request["id"], request["num_computed_tokens"], length, request["num_tokens"], "作废" if gone else "保留"]
            for request, length, gone in zip(requests, seq_lens, discarded, strict=True)
        ],
    )
    arrays = {
        "req_indices": req_indices,
        "query_pos": query_pos,
        "positions": positions,
        "query_start_loc": starts,
        "seq_lens": seq_lens,
        "slot_mapping": slots,
        "logits_indices": logits,
        "discard_request_mask": [int(gone) for gone in discarded],
    }
    example.expect("交给前向的数组", [[name, shown(numbers)] for name, numbers in arrays.items()])
