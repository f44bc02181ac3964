"""Claims of Section 3.2.1 and of Lemma 11: how often a configuration is requested, and its effect."""

from collections.abc import Mapping
from fractions import Fraction
from math import pi
from typing import Any

from gomboc.checker.errata.claim import Claim as Said
from gomboc.checker.errata.claim import Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script, delivery, last, timeout, until_legitimate
from gomboc.checker.evidence.skip_ring.experiments.ring import (
    database_of,
    expected_requests,
    members,
    right_states,
    ring_with,
    stages,
)
from gomboc.spec.core.protocol import Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.space import names, roles
from gomboc.spec.protocols.skip_ring.state import LIST, SUPERVISOR, Check, Claim, Subscriber, Supervisor
from gomboc.spec.protocols.skip_ring.subscriber import thinks_minimal

SIZES = (1, 2, 3, 4, 16)
LARGEST = 512
LIMIT = pi**2 / 12
"""The sum of 1 / (2 k^2) over all k."""
MOST = 10


def fewer_than_one_request() -> Evidence:
    """The expectation in SR(n), from the specification's own coin, and by action (ii) alone."""
    expected = {nodes: expected_requests(nodes) for nodes in (*range(1, 129), LARGEST)}
    alone = {nodes: _by_action_two(nodes) for nodes in range(1, 129)}
    minimal = all([u.label for u in members(n).values() if thinks_minimal(u)] == ["0"] for n in range(1, 129))
    figures = {f"at_{nodes}": expected[nodes] for nodes in SIZES}
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


def _by_action_two(nodes: int) -> Fraction:
    lengths = [len(label_of(index)) for index in range(nodes)]
    return sum((Fraction(1, 2**k * k**2) for k in lengths), Fraction(0))


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
    states = {**blank, SUPERVISOR: Supervisor(database_of(nodes), following)}
    script = Script(Start(roles(nodes), tuple(sorted(states.items()))), (timeout(SUPERVISOR),) * nodes)
    sent = last(PROTOCOL, script).in_flight
    end = last(PROTOCOL, Script(script.start, (*script.turns, *(delivery(*message) for message in sent))))
    return {node: end.states[node].label for node in names(nodes)} != dict(ring_with(nodes).labels)


def late_introduction() -> Script:
    """SR(3), but v3 has the label 001: it introduces itself; all are configured twice; v1 hears of it."""
    states = right_states(3)
    states["v3"] = Subscriber("001", left=Claim("0", "v1"), right=Claim("1", "v2"))
    late = Check(Claim("001", "v3"), "0", LIST)
    configurations = ring_with(3).configurations
    rounds = [
        (timeout(SUPERVISOR), delivery(node, configurations[node])) for _ in range(2) for node in ("v2", "v3", "v1")
    ]
    turns = (timeout("v3"), *(turn for pair in rounds for turn in pair), delivery("v1", late))
    start = Start(roles(3), tuple(sorted(states.items())))
    return until_legitimate(PROTOCOL, Script(start, turns))


def neighbours_after_the_second() -> Evidence:
    """Does a node that has its configuration for the second time, all labels being right, change its neighbours?"""
    run = stages(late_introduction())
    before, after = run[13].states, run[14].states
    right = right_states(3)
    script = late_introduction()
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


LATE = Scene(
    "late_introduction",
    "v3 introduces itself with a label that it has until it gets its own; every node gets its configuration "
    "twice; only then the introduction arrives, and v1 changes its right neighbour. It is corrected afterwards",
    late_introduction,
)

CLAIMS = (
    Said(
        name="theorem_5_configuration_requests",
        title="fewer than one configuration request is expected",
        source="Theorem 5",
        says='In a legitimate state, "the expected number of configuration requests sent out by all subscribers is '
        'less than 1 in each timeout interval".',
        ran="None: the printed probabilities, of each subscriber of a legitimate state.",
        result=Result.REFUTED,
        why="It is exactly {at_2} for n = 2, and more than 1 for every n from 3 on: {at_3} for n = 3, {at_4} for n = "
        "4, {at_16} for n = 16, about {at_largest} for n = {largest}. The proof counts 2^(k-1) subscribers with a "
        "label of k bits, but there are two with one bit, 0 and 1; this alone adds 1/2 to its sum. It also says that "
        "only action (ii) is executed, but the subscriber with label 0 executes action (iv) for ever; the numbers "
        "are the same, since both have probability 1/2 there. The purpose of the theorem is met: the expectation is "
        "bounded by a constant. It stays below 4/3, and its limit is 1/2 + pi^2 / 12, about {limit}.",
        evidence=fewer_than_one_request,
        counterexample="n = 2: both subscribers ask with probability 1/2, which makes {at_2}. n = 1: {at_1}, as "
        "claimed.",
        instead="The published probabilities, unchanged.",
        lemmas=("printed_theorem_5", "requests_stay_below_four_thirds", "requests_of_long_labels"),
        quotes=(
            Quotation(
                "Theorem 5",
                "The expected number of configuration requests sent out by all subscribers is less than 1 in "
                "each timeout interval.",
            ),
        ),
    ),
    Said(
        name="theorem_5_only_action_two",
        title="in a legitimate state only action (ii) is executed",
        source="Theorem 5, proof; Section 3.2.1 (iv)",
        says='"In a legitimate state, only the second action (ii) is executed by subscribers, as all subscribers have '
        'stored their correct configuration."',
        ran="None: the printed probabilities, of each subscriber of a legitimate state.",
        result=Result.REFUTED,
        why="The subscriber with label 0 always determines that its label is minimal, so that it executes action (iv) "
        "for ever. The pseudocode has (iv) instead of (ii) for such a node (lines 7 to 11). The text has both: then it "
        "sends half a request more, and the expectation is {one} for n = 1, {two} for n = 2, {sixteen} for n = 16 and "
        "about {at_largest} for n = {largest}, with the limit 1 + pi^2 / 12, about {limit}.",
        evidence=only_action_two,
        counterexample="n = 1: the only subscriber thinks itself minimal; with both actions it is expected to ask "
        "once.",
        instead="The pseudocode: one or the other.",
        reading="Whether (iv) is executed in addition or instead; that (iv) is executed at all does not hang on it.",
        quotes=(
            Quotation(
                "Theorem 5, proof",
                "In a legitimate state, only the second action (ii) is executed by subscribers, as all "
                "subscribers have stored their correct configuration.",
            ),
        ),
    ),
    Said(
        name="lemma_11_labels",
        title="after n timeouts of the supervisor, every label is right",
        source="Lemma 11, proof",
        says='"After n calls of the supervisor\'s Timeout procedure, each subscriber has stored its correct label."',
        ran="Ours; the two that matter, the supervisor's round robin and SetData's line 17, are as printed.",
        result=Result.REPRODUCED,
        why="After n calls each subscriber has been sent its configuration, from whichever `next` they begin (n = 1 "
        "to {most}), and stores its label when that is delivered, in whichever state it is. Channels may be slow, so "
        '"has stored" has to be read as "will have stored"; and an older, false configuration must not arrive after '
        "it, which the proof of Theorem 8 assumes.",
        evidence=labels_after_n_timeouts,
        reading="Stored when delivered, and corrupted messages have been received, as the proof of Theorem 8 assumes.",
        quotes=(
            Quotation(
                "Lemma 11, proof",
                "This implies that after n calls of the supervisor's TIMEOUT procedure, each subscriber has "
                "stored its correct label.",
            ),
        ),
    ),
    Said(
        name="lemma_11_neighbours",
        title="after the second configuration, the neighbours are final",
        source="Lemma 11, proof",
        says='"Since at least all labels are correct now, each subscriber receives its configuration from the '
        'supervisor the second time and does not change its list neighbors anymore."',
        ran="Ours; the message that arrives late is the Check of Algorithm 1, line 3.",
        result=Result.DEPENDS,
        why="An introduction that was sent while its sender still had a false label may be delivered later than both "
        "configurations. Here v1 then replaces its right neighbour {before} by {after}. No message of this run is "
        "corrupted: each is sent by a node that follows the protocol. The run becomes right all the same, which is the "
        "lemma's conclusion; it is not two configurations that it takes.",
        evidence=neighbours_after_the_second,
        counterexample="n = 3, v3 begins with the label 001 instead of 01.",
        readings=(
            Reading(
                "Every message that says something false has been received before the second configuration: true of "
                "this run, if the introduction arrives between the two.",
                Result.REPRODUCED,
            ),
            Reading("Messages may be as slow as Section 1.1 allows.", Result.REFUTED),
        ),
        reading="The proof of Theorem 8, within which Lemma 11 stands, assumes that false information is corrected or "
        "no longer spread. The message here is not corrupted, but it says something false.",
        instead="The same rules; legitimacy counts messages in flight, so that the state before the delivery is not "
        "yet called legitimate.",
        scenes=(LATE,),
        quotes=(
            Quotation(
                "Lemma 11, proof",
                "Since at least all labels are correct now, each subscriber receives its configuration from the "
                "supervisor the second time and does not change its list neighbors anymore.",
            ),
        ),
    ),
)
