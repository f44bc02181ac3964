"""The steps that a discipline forbids, held against the naive judge's `Order` on runs where anything may happen."""

from random import Random

import pytest

from gomboc.checker.judge.order import Order
from gomboc.checker.replay.kernel.frames.channels import forbidden
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import sleepy
from tests.checker.replay.kernel.telling import honest_trace
from tests.toys.words.spec import FIFO, ROUNDS, UNORDERED, system_and_steps


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
