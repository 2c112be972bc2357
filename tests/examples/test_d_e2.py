"""D-E2: which expert gets the spare copy, where the copies go, and how the map is rewritten."""

from __future__ import annotations

from collections.abc import Sequence


def peaks(load: Sequence[int], copies: Sequence[int]) -> float:
    return max(one / count for one, count in zip(load, copies, strict=True))


def shares(load: Sequence[int], chosen: int) -> list[float]:
    return [one / (2 if expert == chosen else 1) for expert, one in enumerate(load)]


def test_d_e2(claimcheck_example):
    example = claimcheck_example("D-E2")
    inputs = example.inputs
    load = [sum(step) for step in zip(*inputs["history"], strict=True)]
    experts = len(load)
    tried = [[f"E{chosen}", *shares(load, chosen), max(shares(load, chosen))] for chosen in range(experts)]
    example.expect("多出的一份给谁", [[row[0], *map(whole, row[1:])] for row in tried])
    chosen = min(range(experts), key=lambda expert: max(shares(load, expert)))

    # The spare slot is behind the ones that each expert has.
    owner = [*range(experts), chosen]
    copies = [owner.count(expert) for expert in range(experts)]
    share = [load[expert] / copies[expert] for expert in owner]
    ranks = inputs["num_physical_experts"] // inputs["num_local_physical_experts"]
    placed: list[list[int]] = [[] for _ in range(ranks)]
    rows = []
    for number, slot in enumerate(sorted(range(len(owner)), key=lambda slot: (-share[slot], slot)), 1):
        loads = [sum(share[other] for other in rank) for rank in placed]
        full = [len(rank) == inputs["num_local_physical_experts"] for rank in placed]
        goals = [load + share[slot] for load in loads]
        best = min((rank for rank in range(ranks) if not full[rank]), key=lambda rank: (goals[rank], rank))
        seen = ["满" if full[rank] else whole(goals[rank]) for rank in range(ranks)]
        placed[best].append(slot)
        rows.append([number, slot, f"E{owner[slot]}", whole(share[slot]), *seen, f"rank{best}"])
    example.expect("按每份负载从高到低试放", rows)

    order = [(rank, slot) for rank, slots in enumerate(placed) for slot in slots]
    example.expect(
        "新布局",
        [[new, f"rank{rank}", old, f"E{owner[old]}", whole(share[old])] for new, (rank, old) in enumerate(order)],
    )

    moved = {old: new for new, (_, old) in enumerate(order)}
    width = max(copies)
    maps = []
    for expert in range(experts):
        before = [slot for slot, own in enumerate(owner) if own == expert]
        before += [-1] * (width - len(before))
        after = [moved.get(slot, slot) for slot in before]
        maps.append([f"E{expert}", copies[expert], str(before), str(after)])
    example.expect("logical_to_physical_map", maps)

    steps = inputs["history_of_two_steps"]
    variants = []
    for expert in range(len(steps[0])):
        tops = [max(shares(step, expert)) for step in steps]
        variants.append([f"E{expert}", *map(whole, tops), whole(sum(tops))])
    example.expect("变体", variants)


def whole(number: float) -> float | int:
    """A number without digits behind the point where it has none."""
    return int(number) if number == int(number) else number
