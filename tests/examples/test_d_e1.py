"""D-E1: two rounds of two requests, and who has to give way when there is no block left."""

from __future__ import annotations

from collections import deque


def test_d_e1(claimcheck_example):
    example = claimcheck_example("D-E1")
    prefill, requests = example.inputs["prefill"], example.inputs["requests"]
    batched, rows, ledger = 0, [], []
    length, kept = {}, {}
    for request in requests:
        id, pending = request["id"], request["prompt_len"]
        left = prefill["max_num_batched_tokens"] - batched
        seqlen_q = min(pending, left // prefill["cp_align"] * prefill["cp_align"])
        batched += seqlen_q
        rows.append([id, pending, left, seqlen_q, batched])
        kept[id], length[id] = seqlen_q, pending + 1  # the prompt is computed, and one token was sampled
        ledger.append(["1 prefill", id, seqlen_q, seqlen_q, kept[id], length[id]])
    example.expect("第 1 轮 prefill", rows)

    for request in requests:
        id = request["id"]
        seqlen_q = 1 + prefill["nextn"]
        kept[id] += seqlen_q
        length[id] += 1
        ledger.append(["2 decode", id, seqlen_q, kept[id], kept[id], length[id]])
    example.expect("两轮的元数据与账本", ledger)

    preempt = example.inputs["preempt"]
    free = preempt["free_blocks"]
    running = sorted(preempt["requests"], key=lambda one: -one["output_len"])
    named = {one["id"]: f"{one['id']}({one['output_len']})" for one in running}
    first, last = 0, len(running)
    moves: list[list[object]] = [["排序", "、".join(named[one["id"]] for one in running), first, last, free]]
    waiting = deque(running)
    while first < last:
        shortest = waiting[-1]
        while free < 1 and len(waiting) > 1:
            longest = waiting.popleft()
            first += 1
            free += longest["blocks"]
            moves.append(["抢占队首", named[longest["id"]], first, last, free])
        waiting.pop()
        last -= 1
        free -= 1
        moves.append(["安排队尾", named[shortest["id"]], first, last, free])
    example.expect("抢占题", moves)
