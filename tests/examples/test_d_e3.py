"""D-E3: how many drafts two requests verify, how books are put right after a rejection, and what the ring still has."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from operator import mul


def test_d_e3(claimcheck_example):
    example = claimcheck_example("D-E3")
    inputs = example.inputs
    requests = inputs["requests"]
    rates = {request["id"]: list(accumulate(request["confidence"], mul)) for request in requests}
    example.expect(
        "每条请求内部连乘",
        [
            [f"{request['id']}{n}", confidence, rate]
            for request in requests
            for n, (confidence, rate) in enumerate(zip(request["confidence"], rates[request["id"]], strict=True), 1)
        ],
    )

    drafts = sorted(((rate, id, n) for id, own in rates.items() for n, rate in enumerate(own, 1)), reverse=True)
    sizes = [size for size, _ in inputs["decode_perf_curve"]]
    curve = dict(inputs["decode_perf_curve"])
    tokens, rows = float(len(requests)), []
    for total_q in range(len(requests), len(requests) + len(drafts) + 1):
        what = "（只有基础 token）"
        if total_q > len(requests):
            rate, id, n = drafts[total_q - len(requests) - 1]
            tokens += rate
            what = f"{id}{n}（{rate:g}）"
        size = sizes[bisect_left(sizes, total_q)]
        ms = curve[size] + inputs["slope_ms"] * size + inputs["sampler_ms"]
        rows.append([total_q, what, tokens, size, ms, tokens / ms])
    example.expect("逐个加大 total_q", rows)

    best = max(rows, key=lambda row: row[-1])[0]
    chosen = drafts[: best - len(requests)]
    counts = {request["id"]: sum(id == request["id"] for _, id, _ in chosen) for request in requests}
    example.expect("total_q = 4", [[id, count, count + 1] for id, count in counts.items()])
    assert best == 4

    commit = inputs["commit"]
    kept, length, seqlen_q = commit["num_tokens"], commit["length"], commit["seqlen_q"]
    written = commit["accepted_drafts"] + 1
    books: list[list[object]] = [["decode 之前", kept, length]]
    kept += seqlen_q
    books.append([f"advance_optimistically({seqlen_q})", kept, length])
    length += written
    books.append([f"写入 {written} 个 token", kept, length])
    kept += written - seqlen_q
    books.append([f"commit_processed_tokens({written})", kept, length])
    example.expect("回退账本", books)

    swa = inputs["swa"]
    least = swa["window"] + swa["max_backtracking"]
    example.expect("KEEP_TOKENS", [[keep, least, "够" if keep >= least else "不够"] for keep in swa["keep_tokens"]])
    ring = []
    for capacity in swa["capacities"]:
        for back in swa["rollbacks"]:
            wanted = swa["last_position"] - back - swa["window"] + 1
            oldest = swa["last_position"] - capacity + 1
            ring.append([capacity, back, wanted, oldest, "在" if wanted >= oldest else "已被覆盖"])
    example.expect("环形槽位", ring)
