"""Closure of a small protocol of one's own: a mistake that only some values show is never proved away."""

from functools import partial

import pytest
import z3
from msgspec import Struct

from gomboc.checker import Number, World, closure
from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.lemma import Statement
from gomboc.checker.prove.runner import settle
from gomboc.checker.prove.settlement import Proved, Refuted
from gomboc.spec import (
    Actor,
    Cited,
    Discipline,
    Fault,
    Legitimacy,
    NodeName,
    Outcome,
    Protocol,
    Received,
    Send,
    Starts,
    Timeout,
    Vocabulary,
)


class Leader(Struct, frozen=True):
    number: int


class Follower(Struct, frozen=True):
    number: int
    peer: NodeName | None


class Point(Struct, frozen=True, tag_field="kind", tag="point"):
    node: NodeName


def fault(conjunct, me):
    return Fault(conjunct, me, None, None, "test_own.py")


def node_faults(right, me, local):
    if isinstance(local, Leader) or 0 <= local.number <= 3:
        return ()
    return (fault("number_is_small", me),)


def message_faults(right, target, message):
    return (fault("no_node_is_told_of_itself", target),) if message.node == target else ()


def own(step):
    """Closure of followers that take that step at a timeout, settled: `step(me, local)` is its outcome."""

    def react(me, local, taken, choice):
        if me != "leader" and isinstance(taken, Timeout):
            return step(me, local)
        if me != "leader" and isinstance(taken, Received):
            return Outcome(Follower(local.number, taken.message.node))
        return Outcome(local)

    protocol = Protocol(
        "own",
        Discipline.UNORDERED,
        Vocabulary({"leader": Leader, "follower": Follower}, "follower", Point, fixed={"leader": "leader"}),
        Actor(react, lambda local, taken: Cited("step", "test_own.py")),
        Legitimacy(lambda states: states["leader"].number, node_faults, message_faults),
        Starts(None, lambda count: 4, None),
    )

    def world(path):
        right = Number(path, z3.Int("right"))
        return World(protocol, right, lambda me, local: me != "leader" or local.number == right)

    return settle(Statement("closure", partial(closure, world, protocol)), 60).result


def test_what_keeps_every_conjunct_is_proved():
    assert isinstance(own(lambda me, local: Outcome(local, (Send("leader", Point(me)),))), Proved)


def test_a_node_that_every_system_has_may_be_in_any_state_and_message():
    result = own(lambda me, local: Outcome(local, (Send("leader", Point(local.peer)),) if local.peer else ()))
    assert isinstance(result, Refuted)
    assert result.values["before"].peer == "leader"


STEPS = {0: 0, 1: 1, 2: 2, 3: 4}
NOT_PROVED = {
    "in a set": lambda number: 9 if number in {1, 2} else number,
    "in a table": lambda number: STEPS.get(number, number),
    "as a size": lambda number: 9 if len({number, 1}) == 1 else number,
    "as a rest by a divisor that may be below zero": lambda number: 9 if number % (number - 3) < 0 else number,
}


@pytest.mark.parametrize("count", NOT_PROVED.values(), ids=NOT_PROVED)
def test_a_number_that_is_looked_up_or_divides_is_open(count):
    result = own(lambda me, local: Outcome(Follower(count(local.number), local.peer)))
    assert isinstance(result, Unknown)
    assert "follower runs its timeout is open: " in result.why
