"""Configurations: how often they are requested, their effect, and the nodes whose own changes by one more or less."""

from collections.abc import Mapping
from fractions import Fraction
from math import pi
from typing import Any

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import Script, delivery, last, timeout
from gomboc.checker.evidence.skip_ring.experiments.ring import (
    database_of,
    expected_requests,
    members,
    right_states,
    ring,
    ring_with,
    stages,
)
from gomboc.checker.evidence.skip_ring.experiments.scenes import scene
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Claim, Subscriber, Supervisor
from gomboc.spec.protocols.skip_ring.subscriber import thinks_minimal

LIMIT = pi**2 / 12
"""The sum of 1 / (2 k^2) over all k."""
LARGEST, MOST = 512, 10
"""The largest ring of which requests are counted, and that in which labels are set."""


def fewer_than_one_request() -> Evidence:
    """The expectation in SR(n), from the specification's own coin, and by action (ii) alone."""
    expected = {nodes: expected_requests(nodes) for nodes in (*range(1, 129), LARGEST)}
    lengths = [len(label_of(index)) for index in range(128)]
    alone = {nodes: sum(Fraction(1, 2**k * k**2) for k in lengths[:nodes]) for nodes in range(1, 129)}
    minimal = all([u.label for u in members(n).values() if thinks_minimal(u)] == ["0"] for n in range(1, 129))
    figures = {f"at_{nodes}": expected[nodes] for nodes in (1, 2, 3, 4, 16)}
    return Evidence(
        settled(all(value < 1 for value in expected.values())),
        {
            **figures,
            "largest": LARGEST,
            "at_largest": f"{float(expected[LARGEST]):.4f}",
            "limit": f"{1 / 2 + LIMIT:.4f}",
        },
        {
            "it is above 1 from n = 3 on": all(value > 1 for nodes, value in expected.items() if nodes > 2),
            "it stays below that limit": max(expected.values()) < 1 / 2 + LIMIT,
            "the subscriber with label 0, and no other, executes action (iv)": minimal,
            "for n = 2^d it is 1/2 and the sum of 1 / (2 k^2) for k = 1 to d, with the limit 1/2 + pi^2 / 12": all(
                expected[2**d] == Fraction(1, 2) + sum(Fraction(1, 2 * k**2) for k in range(1, d + 1))
                for d in range(10)
                if 2**d in expected
            ),
            "action (ii) alone gives the same numbers": all(alone[n] == expected[n] for n in alone),
        },
    )


def only_action_two() -> Evidence:
    """The nodes of SR(n) that execute action (iv), and the expected requests if it is added to action (ii)."""
    minimal = {nodes: sum(thinks_minimal(u) for u in members(nodes).values()) for nodes in range(1, 129)}
    both = {nodes: expected_requests(nodes) + Fraction(1, 2) for nodes in (1, 2, 16, LARGEST)}
    return Evidence(
        settled(not any(minimal.values())),
        {
            "one": both[1],
            "two": both[2],
            "sixteen": both[16],
            "largest": LARGEST,
            "at_largest": f"{float(both[LARGEST]):.4f}",
            "limit": f"{1 + LIMIT:.4f}",
        },
        {
            "for n = 1 to 128 exactly one node executes action (iv)": set(minimal.values()) == {1},
            "the expectation stays below that limit": max(both.values()) < 1 + LIMIT,
        },
    )


def labels_after_n_timeouts() -> Evidence:
    """N timeouts of the supervisor from any `next`; its messages are delivered, in any state of the subscribers."""
    wrong = [(nodes, following) for nodes in range(1, MOST) for following in range(nodes) if _missed(nodes, following)]
    return Evidence(settled(not wrong), {"most": MOST - 1})


def _missed(nodes: int, following: int) -> bool:
    blank = dict.fromkeys(names(nodes), Subscriber("111", left=Claim("0", "v1")))
    start = ring(nodes, **blank, supervisor=Supervisor(database_of(nodes), following))
    asked = (timeout(SUPERVISOR),) * nodes
    sent = last(PROTOCOL, Script(start, asked)).in_flight
    end = last(PROTOCOL, Script(start, (*asked, *(delivery(*message) for message in sent))))
    return {node: end.states[node].label for node in names(nodes)} != dict(ring_with(nodes).labels)


def neighbours_after_the_second() -> Evidence:
    """Does a node that has its configuration for the second time, all labels being right, change its neighbours?"""
    shown = scene("late_introduction")
    run, script = shown.stages(), shown.script()
    before, after = run[13].states, run[14].states
    right = right_states(3)
    first, late, *others = script.turns[0], script.turns[13], *script.turns[1:13]
    in_time = stages(Script(script.start, (first, *others[:6], late, *others[6:])))[-1].states
    return by_readings(
        (settled(_same_list(in_time, right)), settled(before["v1"].right == after["v1"].right)),
        {"before": f"({before['v1'].right.label}, v3)", "after": f"({after['v1'].right.label}, v3)"},
        {
            "all labels and all list neighbours are right before": _same_list(before, right),
            "the run ends legitimate": run[-1].is_legitimate(PROTOCOL),
        },
    )


def _same_list(states: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    fields = ("label", "left", "right")
    return all(getattr(states[v], field) == getattr(others[v], field) for v in names(3) for field in fields)
