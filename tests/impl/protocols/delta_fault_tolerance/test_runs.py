"""Whole runs from a legitimate tree, drawn by a seed: the deliveries to clients, and the final state."""

from random import Random

import pytest

from gomboc.impl.protocols.delta_fault_tolerance import forwarding
from gomboc.impl.protocols.delta_fault_tolerance.commands import Suspect
from tests.impl.protocols.delta_fault_tolerance.systems import ANY, System, random_run, random_tree

FAST = {"spacing": 0.1, "events": 30}
SLOW_MESSAGES = {"spacing": 0.3, "events": 30, "mean_delay": 0.8}
SLOW_DETECTOR = {"spacing": 0.2, "events": 30, "detection": 2.0}


@pytest.mark.parametrize("delta", range(4))
@pytest.mark.parametrize("brokers", range(1, 9))
def test_without_failures_everything_is_confirmed_and_each_subscriber_has_it_once(brokers, delta):
    system, faults = random_run(brokers, brokers, delta, events=15, crashes=False)
    assert faults == []
    assert system.watched.confirmed == len(system.watched.published) > 0


@pytest.mark.parametrize("conditions", [FAST, SLOW_MESSAGES, SLOW_DETECTOR], ids=["fast", "messages", "detector"])
@pytest.mark.parametrize("delta", [1, 2, 3])
def test_with_up_to_delta_failures_in_a_row_nothing_is_lost_doubled_or_out_of_order(delta, conditions):
    for seed in range(3):
        system, faults = random_run(seed, 3 + 2 * seed, delta, **conditions)
        assert faults == []
        assert any(core.at.incarnation for core in system.cores.values())


def test_two_brokers_in_a_row_are_down_at_once_and_recover_at_once():
    system = System(["a", "a.b", "a.b.c", "a.b.c.d"], 2, 0)
    system.command("a.b.c.d", "Subscribe", filter=ANY)
    system.run_until(5)
    system.command("a.b", "Crash")
    system.command("a.b.c", "Crash")
    first = published(system, "a", 3)
    system.run_until(10)
    assert system.watched.delivered["a.b.c.d"] == first
    system.command("a.b.c", "Restart")
    system.command("a.b", "Restart")
    second = published(system, "a", 3)
    system.end()
    assert system.watched.delivered["a.b.c.d"] == first + second
    assert [*system.unsettled(), *system.watched.faults] == []


def test_a_crash_past_a_broker_that_was_guided_loses_nothing(monkeypatch):
    assert lost_past_a_guide() == []
    monkeypatch.setattr(forwarding, "widen", lambda at, entry: None)
    assert lost_past_a_guide() == ["no_loss"]


def lost_past_a_guide():
    """`a.b` recovers while a publication comes through it; then `a.b.c` crashes before it has it."""
    system = System(["a", "a.b", "a.b.c", "a.b.c.d"], 1, 0, mean_delay=0.001, detection=0.001)
    system.command("a.b.c.d", "Subscribe", filter=ANY)
    system.run_until(5)
    system.command("a.b", "Crash")
    system.run_until(6)
    system.command("a.b", "Restart")
    run_until(system, lambda: "a.b" in system.cores["a"].at.links)
    (identified,) = published(system, "a", 1)
    run_until(system, lambda: identified in system.cores["a.b"].at.entries)
    assert system.cores["a.b"].at.status == "recovering"
    system.command("a.b.c", "Crash")
    system.run_until(7)
    system.command("a.b.c", "Restart")
    system.end()
    return system.watched.faults


def test_more_than_delta_failures_in_a_row_are_told():
    system = System(["a", "a.b", "a.b.c", "a.b.c.d"], 1, 0)
    system.command("a.b.c.d", "Subscribe", filter=ANY)
    system.run_until(5)
    system.command("a.b", "Crash")
    system.command("a.b.c", "Crash")
    system.run_until(10)
    published(system, "a", 1)
    assert [(node, report.node) for node, report in system.watched.unreachable] == [("a", "a.b.c")]


def test_a_publication_costs_each_link_towards_a_subscriber_one_message_and_one_confirmation():
    names = random_tree(Random(3), 8)
    system = System(names, 1, 0)
    system.command(names[-1], "Subscribe", filter=ANY)
    system.run_until(10)
    system.keep = True
    published(system, names[0], 1)
    system.run_until(20)
    sent = [type(send.message).__name__ for step in system.steps for send in step.sent]
    links = names[-1].count(".") - names[0].count(".")
    assert sorted(sent) == ["Confirm"] * links + ["Forward"] * links


def test_the_detector_is_part_of_the_system_whether_one_is_asked_for_or_not():
    system = System(["a", "a.b", "a.b.c"], 1, 0, detection=None)
    system.command("a.b.c", "Subscribe", filter=ANY)
    system.run_until(5)
    system.command("a.b", "Crash")
    sent = published(system, "a", 1)
    system.run_until(15)
    assert system.watched.delivered["a.b.c"] == sent


def test_the_detector_speaks_of_those_that_are_down_only():
    system = System(["a", "a.b", "a.b.c"], 1, 0, detection=0.5)
    system.keep = True
    for _ in range(5):
        system.command("a.b", "Crash")
        system.run_until(system.simulation.now + 0.3)
        system.command("a.b", "Restart")
        system.run_until(system.simulation.now + 10)
    status, notices = "operational", 0
    for step in system.steps:
        status = next((delivery.status for delivery in step.delivered if step.node == "a.b"), status)
        if isinstance(step.took, Suspect):
            notices += 1
            assert status == "failed"
    assert notices > 0


def run_until(system, is_so):
    for _ in range(1_000):
        if is_so():
            return
        system.run_until(system.simulation.next_at)
    raise AssertionError("it never is")


def published(system, name, many):
    """The ids of so many publications without attributes."""
    before = set(system.watched.published)
    for _ in range(many):
        system.command(name, "Publish", attributes=[])
    return sorted(set(system.watched.published) - before)


@pytest.mark.parametrize("delta", [1, 2, 3])
def test_leaves_join_while_others_crash_and_nothing_is_lost_or_wrong_in_the_end(delta):
    for seed in (3, 5, 73):
        system, faults = random_run(seed, 2 + seed % 7, delta, spacing=0.2, events=30, detection=2.0, joining=3)
        assert faults == []
        assert not system.outside


def test_without_tolerance_a_leaf_that_joins_is_told_as_unreachable_and_has_everything_in_the_end():
    system, faults = random_run(3, 5, 0, spacing=0.2, events=30, joining=3)
    assert faults == [f"unreachable {recipient}" for recipient in system.watched.unreachable]
    assert not system.outside


def test_all_are_down_at_once_and_know_everything_again():
    names = ["a", "a.b", "a.b.c"]
    system = System(names, 3, 0)
    for name in names:
        system.command(name, "Subscribe", filter=ANY)
    system.run_until(5)
    system.command("a.b.c", "Unsubscribe", filter=ANY)
    for name in names:
        system.command(name, "Crash")
    system.run_until(6)
    for name in names:
        system.command(name, "Restart")
    system.end()
    assert [*system.unsettled(), *system.watched.faults] == []
