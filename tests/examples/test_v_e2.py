"""V-E2: all blocks of a prompt are cached, and still a block is computed; and the free queue of a pool."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable


class Pool:
    """A pool of blocks: the free queue, the reference counts, and which blocks have a hash."""

    def __init__(self, free_queue: Iterable[str], cached: Iterable[str], ref_cnt: dict[str, int]) -> None:
        self.free = deque(free_queue)
        self.hashed = list(cached)
        self.ref_cnt = dict(ref_cnt)

    def touch(self, blocks: list[str]) -> None:
        for block in blocks:
            if self.ref_cnt[block] == 0:
                self.free.remove(block)
            self.ref_cnt[block] += 1

    def free_blocks(self, blocks: list[str]) -> None:
        for block in blocks:
            self.ref_cnt[block] -= 1
        gone = [block for block in blocks if self.ref_cnt[block] == 0]
        self.free.extendleft(block for block in gone if block not in self.hashed)
        self.free.extend(block for block in gone if block in self.hashed)

    def get_new_blocks(self, count: int) -> None:
        for _ in range(count):
            block = self.free.popleft()
            if block in self.hashed:
                self.hashed.remove(block)
            self.ref_cnt[block] += 1

    def row(self, what: str) -> list[object]:
        return [what, "、".join(self.free), *self.ref_cnt.values(), "、".join(self.hashed)]


def test_v_e2(claimcheck_example):
    example = claimcheck_example("V-E2")
    size = example.inputs["block_size"]
    rows = []
    for length in example.inputs["prompt_lengths"]:
        most = length - 1  # the last token is computed again, or there would be no logits
        reused = most // size * size
        rows.append([length, length // size, most, reused, length - reused])
    example.expect("prompt 多长", rows)

    pool = Pool(**example.inputs["pool"])
    moments = [pool.row("开始")]
    for operation in example.inputs["operations"]:
        name = operation["op"]
        argument = operation.get("blocks", operation.get("count"))
        getattr(pool, name)(argument)
        said = "、".join(argument) if isinstance(argument, list) else argument
        moments.append(pool.row(f"{name}({said})"))
    example.expect("块池的四个时刻", moments)
