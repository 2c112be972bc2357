"""V-E1: a budget of eight tokens for three requests, as one step of a synchronous scheduler hands it out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass
class Request:
    """What the scheduler keeps of a request."""

    id: str
    queue: str
    num_tokens: int
    num_computed_tokens: int
    num_in_flight_tokens: int = 0


@dataclass
class Scheduled:
    """One row of the plan: what a request needs, what it could get, what it gets, and what is left."""

    request: Request
    demand: int
    most: int
    given: int
    left: int


def schedule(requests: list[Request], step: dict[str, int]) -> Iterator[Scheduled]:
    """Running requests first, then waiting ones; each takes what it needs of what is left."""
    budget = step["token_budget"]
    input_budget = step["input_budget"]
    for request in sorted(requests, key=lambda one: one.queue != "running"):
        demand = request.num_tokens - request.num_computed_tokens
        wanted = demand
        if 0 < step["long_prefill_token_threshold"] < wanted:
            wanted = step["long_prefill_token_threshold"]
        room = step["max_model_len"] - request.num_computed_tokens
        most = min(budget, input_budget - step["draft_slots"], room)
        given = min(wanted, most)
        budget -= given
        input_budget -= given + step["draft_slots"]
        yield Scheduled(request, demand, most, given, budget)


def books(request: Request) -> list[int]:
    return [request.num_tokens, request.num_computed_tokens, request.num_in_flight_tokens]


def test_v_e1(claimcheck_example):
    example = claimcheck_example("V-E1")
    step = example.inputs["step"]
    requests = [Request(**one) for one in example.inputs["requests"]]
    ledger = {request.id: [["计划前", *books(request)]] for request in requests}
    plan = list(schedule(requests, step))
    example.expect(
        "先 running 后 waiting",
        [[one.request.id, one.request.queue, one.demand, one.most, one.given, one.left] for one in plan],
    )

    for one in plan:
        one.request.num_computed_tokens += one.given
        one.request.num_in_flight_tokens += one.given
        ledger[one.request.id].append(["计划后", *books(one.request)])
    for one in plan:
        one.request.num_in_flight_tokens -= one.given
        # Only a request whose known tokens are all computed has logits to sample from.
        if one.request.num_computed_tokens >= one.request.num_tokens:
            one.request.num_tokens += step["num_sampled_tokens_per_step"]
        ledger[one.request.id].append(["回填后", *books(one.request)])
    example.expect("账本的三个时刻", [[id, *moment] for id, moments in ledger.items() for moment in moments])

    spec = example.inputs["spec"]
    tokens, computed, drafts = spec["num_tokens"], spec["num_computed_tokens"], spec["spec_tokens"]
    demand = tokens + drafts - computed
    scheduled_drafts = demand + computed - tokens
    after = computed + demand
    generated = step["num_sampled_tokens_per_step"] + spec["accepted_drafts"]
    accepted = generated - step["num_sampled_tokens_per_step"]
    rejected = scheduled_drafts - accepted
    example.expect(
        "投机分支",
        [
            ["本轮需求", f"{tokens} + {drafts} - {computed}", demand],
            ["其中 draft", f"{demand} + {computed} - {tokens}", scheduled_drafts],
            ["计划后的 computed", f"{computed} + {demand}", after],
            ["返回的 token 数", f"{step['num_sampled_tokens_per_step']} + {spec['accepted_drafts']}", generated],
            ["被接受的 draft", f"{generated} - {step['num_sampled_tokens_per_step']}", accepted],
            ["被拒的 draft", f"{scheduled_drafts} - {accepted}", rejected],
            ["回填后的 computed", f"{after} - {rejected}", after - rejected],
            ["回填后的 num_tokens", f"{tokens} + {generated}", tokens + generated],
        ],
    )

    drafting = example.inputs["drafting"]
    budget, input_budget, slots = drafting["token_budget"], drafting["input_budget"], drafting["draft_slots"]
    rows: list[list[object]] = [["开始", 0, 0, budget, input_budget]]
    for wanting in drafting["requests"]:
        given = min(wanting["num_tokens_wanted"], budget, input_budget - slots)
        budget -= given
        input_budget -= given + slots
        rows.append([wanting["id"], given, slots, budget, input_budget])
    example.expect("两份预算", rows)
