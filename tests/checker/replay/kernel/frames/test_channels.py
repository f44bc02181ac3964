"""The steps that a discipline forbids, held against the naive judge's `Order` on runs where anything may happen."""

from random import Random

import pytest

from gomboc.checker.judge.order import Order
from gomboc.checker.replay.kernel.frames.channels import forbidden
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import sleepy
from tests.checker.replay.kernel.telling import honest_trace
from tests.toys.words.spec import FIFO, ROUNDS, UNORDERED, header, hears, in_flight, rests, system_and_steps, tells


def found(protocol, *lines):
    stages = Stages([{**lines[0], "protocol": protocol.name}, *lines[1:]], protocol=protocol)
    return sorted(set(forbidden(stages.block).tolist()))


def first_by_definition(protocol, lines):
    system, steps = system_and_steps(*lines, protocol=protocol)
    order = Order(protocol.discipline, system)
    for number, step in enumerate(steps, 1):
        if order.forbids(step) is not None:
            return [number]
        system.apply(step)
        order.observe(step)
    return []


TWO = rests("a", sent=in_flight((0, "b", "good"), (1, "b", "good"), (2, "a", "good")))


def test_without_a_discipline_nothing_is_forbidden():
    assert found(UNORDERED, header(), TWO, hears("b", 1), hears("b", 0)) == []


def test_under_fifo_no_message_overtakes_another_of_its_link():
    assert found(FIFO, header(), TWO, hears("b", 1), hears("b", 0)) == [2]
    assert found(FIFO, header(), TWO, hears("b", 1)) == [2]
    assert found(FIFO, header(), TWO, hears("b", 0), hears("b", 1)) == []


def test_under_fifo_other_links_and_messages_from_the_start_keep_no_order():
    start = header(messages=[(7, "b", "good"), (8, "b", "good")])
    assert found(FIFO, start, TWO, hears("a", 2), hears("b", 0), hears("b", 8), hears("b", 7)) == []
    assert found(FIFO, header(), TWO, tells("b", 3), hears("a", 3), hears("a", 2)) == []


def test_in_rounds_nothing_arrives_in_the_round_in_which_it_is_sent():
    assert found(ROUNDS, header(), tells("a", 0), hears("b", 0)) == [2]
    assert found(ROUNDS, header(), tells("a", 0), rests("b"), hears("b", 0), rests("b")) == []


def test_in_rounds_no_node_has_two_timeouts():
    assert found(ROUNDS, header(), rests("a"), rests("a")) == [2]
    assert found(ROUNDS, header(), rests("a"), rests("b"), rests("a")) == []


def test_in_rounds_messages_arrive_before_the_next_timeout():
    assert found(ROUNDS, header(), tells("a", 0), rests("b"), rests("b")) == [3]
    assert found(ROUNDS, header(messages=[(0, "a", "good")]), rests("b"), rests("a")) == [2]
    assert found(ROUNDS, header(), tells("a", 0), rests("b"), rests("a"), hears("b", 0), rests("b")) == []


@pytest.mark.parametrize("protocol", [FIFO, ROUNDS, sleepy(FIFO), sleepy(ROUNDS)])
def test_the_first_forbidden_step_is_that_of_the_definition(protocol):
    forbidden_once = 0
    for seed in range(60):
        lines = honest_trace(protocol, Random(seed), 25, 0.1)
        wanted = first_by_definition(protocol, lines)
        forbidden_once += bool(wanted)
        assert found(protocol, *lines)[:1] == wanted
    assert 5 < forbidden_once < 55


def lost_by_definition(protocol, lines):
    """The messages in flight and not lost at each position, and the positions at which a lost one returns."""
    system, steps = system_and_steps(*lines, protocol=protocol)
    there, returned = [set(system.in_flight) - system.lost], []
    for number, step in enumerate(steps, 1):
        system.apply(step)
        there.append(set(system.in_flight) - system.lost)
        returned += [number] if system.returned else []
    return there, returned


def lost_in_columns(protocol, lines):
    stages = Stages([{**lines[0], "protocol": protocol.name}, *lines[1:]], protocol=protocol)
    frame, messages, batch = stages.frame, stages.block.messages, stages.batch
    ids = [*batch.starts.initial.values.tolist(), *batch.sent.values.tolist()]
    spans = list(zip(ids, messages.position.tolist(), messages.end.tolist(), strict=True))
    there = [{id_ for id_, start, end in spans if start <= index < end} for index in range(frame.size)]
    return there, stages.block.returns().tolist()


@pytest.mark.parametrize("protocol", [sleepy(FIFO), sleepy(UNORDERED)])
def test_lost_and_returning_messages_are_those_of_the_definition(protocol):
    lost = returned = 0
    for seed in range(60):
        lines = honest_trace(protocol, Random(seed), 25, 0.1)
        wanted = lost_by_definition(protocol, lines)
        assert lost_in_columns(protocol, lines) == wanted
        lost += wanted != lost_by_definition(UNORDERED, lines)
        returned += len(wanted[1])
    assert (lost > 10, returned > 10) == (protocol.discipline is FIFO.discipline,) * 2
