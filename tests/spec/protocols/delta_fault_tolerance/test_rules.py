"""Rules of brokers: they forward, bypass, recover, refuse outdated messages, and report unreachable recipients.

Source: Algorithms 1 to 7
"""

import re
from random import Random

import pytest

from gomboc.checker.evidence.delta_fault_tolerance.experiments.drawn import failing
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import run_of, walk
from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.spec.core.model import CERTAIN, Commanded, Received, Timeout
from gomboc.spec.protocols.delta_fault_tolerance import rules
from gomboc.spec.protocols.delta_fault_tolerance.commands import (
    Confirmed,
    Delivered,
    Join,
    Publish,
    Subscribe,
    Subscribed,
    Unreachable,
    Unsubscribe,
    Unsubscribed,
)
from gomboc.spec.protocols.delta_fault_tolerance.filters import Predicate
from gomboc.spec.protocols.delta_fault_tolerance.messages import Confirm, Connect, Digest, Recover, StatusMessage
from gomboc.spec.protocols.delta_fault_tolerance.models import ONE, protocol
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.state import Connection, Node
from gomboc.spec.types.kinds import Crash, Restart, Suspect

LINE = ("0", "0.1", "0.1.2", "0.1.2.3")
PUBLISHED = Publish((("x", 1),))


def told(made, kind):
    return [(node, delivery) for node, delivery in made.told if isinstance(delivery, kind)]


@pytest.mark.parametrize("delta", range(4))
@pytest.mark.parametrize("nodes", range(1, 6))
def test_whatever_happens_within_the_assumption_nothing_is_lost_and_all_is_right_in_the_end(delta, nodes):
    for names in trees(nodes):
        assert not failing(protocol(delta), delta, names, 4, 80)


def test_a_walk_has_failures_several_at_once_and_promises_are_looked_at():
    made = [walk(protocol(2), 2, LINE, Random(seed), 150, 0.05) for seed in range(12)]
    crashes = [
        sum(turn.taken.command == Crash() for turn in walked.turns if hasattr(turn.taken, "command")) for walked in made
    ]
    assert max(crashes) > 4
    assert sum(len(told(walked, Delivered)) for walked in made) > 50
    assert sum(len(told(walked, Confirmed)) for walked in made) > 50


def test_a_subscription_is_known_everywhere_and_ended_everywhere():
    made = run_of(1, LINE)
    made.command("0", Subscribe(ONE))
    made.settle(Random(0))
    assert told(made, Subscribed) == [("0", Subscribed(ONE))]
    assert [made.states[name].rows[0].via for name in LINE[1:]] == ["0", "0", "0.1"]
    made.command("0", Unsubscribe(ONE))
    made.settle(Random(0))
    assert told(made, Unsubscribed) == [("0", Unsubscribed(ONE))]
    assert not any(local.rows or local.own for local in made.states.values())


def test_a_failure_is_bypassed():
    """Algorithm 3."""
    made = run_of(1, LINE, {"0.1.2.3": (ONE,)})
    made.command("0.1", Crash())
    made.command("0", PUBLISHED)
    made.command("0", Suspect("0.1"))
    made.command("0.1.2", Suspect("0.1"))
    made.drain()
    assert [node for node, _ in told(made, Delivered)] == ["0.1.2.3"]
    assert len(told(made, Confirmed)) == 1


def test_more_failures_than_that_are_reported_and_nothing_is_confirmed():
    made = run_of(1, LINE, {"0.1.2.3": (ONE,)})
    for name in ("0.1", "0.1.2"):
        made.command(name, Crash())
    made.command("0", PUBLISHED)
    for name in ("0.1", "0.1.2"):
        made.command("0", Suspect(name))
    assert told(made, Unreachable) == [("0", Unreachable(("0", 0, 1), "0.1.2"))]
    assert made.states["0"].entries[0].waiting == ("0.1.2",)
    assert not told(made, Confirmed)


def test_what_is_asked_of_a_node_that_recovers_waits():
    made = run_of(1, LINE, {"0": (ONE,)})
    made.command("0.1", Crash())
    made.command("0.1", Restart())
    made.command("0.1", PUBLISHED)
    made.command("0.1", Subscribe(ONE))
    assert made.states["0.1"].queue == (PUBLISHED.attributes,)
    made.settle(Random(0))
    assert sorted(node for node, _ in told(made, Delivered)) == ["0", "0.1"]


def test_a_message_of_a_stream_that_is_over_has_no_effect():
    local = run_of(1, LINE).states["0.1"]
    taken = Received(Confirm("0", (0, 9), ("0", 0, 1)))
    assert protocol(1).actor.rule(local, taken).name == "refuse"
    assert protocol(1).actor.react("0.1", local, taken, CERTAIN[0]).local is local


def test_a_node_that_has_failed_keeps_its_incarnation_its_tree_and_its_clients_subscriptions():
    made = run_of(1, LINE, {"0.1": (ONE,)})
    made.command("0.1", Crash())
    kept = made.states["0.1"]
    assert (kept.incarnation, kept.known, [own.filter for own in kept.own]) == (0, ("0", "0.1.2", "0.1.2.3"), [ONE])
    assert (kept.connections, kept.rows, kept.seen) == ((), (), ())
    assert not protocol(1).naming.malformed(kept)


def test_a_filter_that_ends_is_not_the_other_one():
    made, other = run_of(0, LINE[:2]), (Predicate("x", "exists", None),)
    for wanted in (ONE, other):
        made.command("0", Subscribe(wanted))
    made.settle(Random(0))
    made.command("0", Unsubscribe(ONE))
    made.settle(Random(0))
    assert [row.filter for row in made.states["0.1"].rows] == [other]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (Publish((("x", 1), ("a", 1))), "Publish needs attributes ascending, each once"),
        (
            Subscribe((Predicate("x", "~", 1),)),
            "Subscribe needs an operator out of =, !=, <, <=, >, >=, prefix, exists",
        ),
        (Unsubscribe((Predicate("x", "prefix", 1),)), "Unsubscribe needs a text as prefix"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused_in_a_sentence(command, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        run_of(1, LINE).command("0", command)


LINKED = Node(
    "operational",
    0,
    known=("a", "a.b.c"),
    connections=(Connection("a", "operational", (0, 1), (1, 1)),),
    seen=(("a", (1, 1)),),
)
FAILED, DETACHED = Node("failed"), Node("detached")
JOINING = Node("recovering", 0, connections=(Connection("a", None, (0, 1), None),), asking=("a",))


def cited(local, taken, *, audit=False):
    return rules.rule_for(Parameters(audit=audit), local, taken)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (Connect("a", (1, 2), None, "operational"), rules.RULES[Connect]),
        (Connect("a", (0, 9), None, "operational"), rules.REFUSED),
        (Recover("a", (2, 1)), rules.RULES[Recover]),
        (Recover("a", (0, 1)), rules.REFUSED),
        (StatusMessage("a", (1, 1), "operational"), rules.RULES[StatusMessage]),
        (StatusMessage("a", (1, 2), "operational"), rules.REFUSED),
        (StatusMessage("a.b.c", (1, 1), "operational"), rules.REFUSED),
        (Digest("a", (1, 1), "0"), rules.RULES[Digest]),
        (Digest("a", (2, 1), "0"), rules.REFUSED),
    ],
)
def test_a_message_of_another_stream_is_refused_and_one_that_begins_a_stream_is_not(message, expected):
    assert cited(LINKED, Received(message)) == expected


@pytest.mark.parametrize(
    ("local", "command", "expected"),
    [
        (FAILED, Restart(), rules.RULES[Restart]),
        (FAILED, Join(), rules.SLEPT),
        (FAILED, Crash(), rules.SLEPT),
        (DETACHED, Join(), rules.RULES[Join]),
        (DETACHED, Restart(), rules.SLEPT),
        (DETACHED, Suspect("a"), rules.SLEPT),
        (LINKED, Suspect("a"), rules.RULES[Suspect]),
        (LINKED, Crash(), rules.RULES[Crash]),
    ],
)
def test_a_broker_that_is_down_wakes_by_a_restart_and_one_outside_by_joining(local, command, expected):
    assert cited(local, Commanded(command)) == expected


def test_brokers_that_sleep_take_no_message():
    message = Connect("a", (1, 2), None, "operational")
    assert cited(FAILED, Received(message)) == cited(DETACHED, Received(message)) == rules.SLEPT


def test_a_timeout_asks_again_or_audits_or_is_idle():
    assert cited(LINKED, Timeout()) == rules.IDLE
    assert cited(LINKED, Timeout(), audit=True) == rules.AUDIT
    assert cited(JOINING, Timeout(), audit=True) == rules.ASK_AGAIN
    assert cited(FAILED, Timeout(), audit=True) == rules.IDLE


def test_what_is_no_input_has_no_rule():
    for taken in (Received("unknown"), Commanded(Digest("a", (1, 1), "0")), Commanded("unknown")):
        with pytest.raises(KeyError, match="there is no rule for"):
            cited(LINKED, taken)
