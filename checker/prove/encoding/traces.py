"""Traces of any actor system as terms: the definition of conformance step by step, and three conditions instead.

Nodes, states, contents and ids are numbers. The allowed local steps are an arbitrary relation.
"""

from collections.abc import Callable
from typing import NamedTuple

import z3

from gomboc.checker.prove.lemma import Term


class Message(NamedTuple):
    """A message that was sent, if it is `there`."""

    there: Term
    id: Term
    target: Term
    content: Term


class Step(NamedTuple):
    """A step: a node, its input (a timeout unless it `delivers`), its state before and after, and its messages."""

    node: Term
    delivers: Term
    took: Term
    received: Term
    before: Term
    after: Term
    sent: tuple[Message, ...]


class Trace(NamedTuple):
    """An initial state for every node (a function), messages in flight from the start, and steps."""

    initial: Callable[[Term], Term]
    in_flight: tuple[Message, ...]
    steps: tuple[Step, ...]


Allowed = Callable[[tuple[Term, ...]], Term]
"""Whether the specification allows a local step: node, input, state before, state after, targets and contents sent."""


def local_step(step: Step, before: Term, received: Term) -> tuple[Term, ...]:
    """The part of a step that the specification sees, without ids, which belong to the network."""
    sent = (
        part
        for message in step.sent
        for part in (
            z3.If(message.there, 1, 0),
            z3.If(message.there, message.target, 0),
            z3.If(message.there, message.content, 0),
        )
    )
    delivered = z3.If(step.delivers, 1, 0), z3.If(step.delivers, received, 0)
    return step.node, *delivered, before, step.after, *sent


Table = Callable[[Term], Term]
"""A value for each key; a function of terms, since SMT-LIB 2.6 has neither constant arrays nor lambda."""


def with_entry(table: Table, key: Term, value: Term, if_: Term) -> Table:
    """The table with another value at a key, if so."""
    return lambda at: z3.If(z3.And(if_, at == key), value, table(at))


def _constant(value: Term) -> Table:
    def table(at: Term) -> Term:
        del at
        return value

    return table


class Network(NamedTuple):
    """The whole system while a trace is followed: states by node; messages in flight, targets and contents by id."""

    states: Table
    there: Table
    target: Table
    content: Table

    def put(self, message: Message) -> "Network":
        """The network with one message more."""
        there, target, content = (
            with_entry(table, message.id, value, message.there)
            for table, value in (
                (self.there, z3.BoolVal(True)),
                (self.target, message.target),
                (self.content, message.content),
            )
        )
        return Network(self.states, there, target, content)

    def after(self, step: Step) -> "Network":
        """The network after the step."""
        taken = with_entry(self.there, step.took, z3.BoolVal(False), step.delivers)
        states = with_entry(self.states, step.node, step.after, z3.BoolVal(True))
        following = self._replace(states=states, there=taken)
        for message in step.sent:
            following = following.put(message)
        return following


def conforms(trace: Trace, allowed: Allowed) -> Term:
    """The definition: follow the trace, and compare each step with the current state of the system."""
    number = _constant(z3.IntVal(0))
    network = Network(trace.initial, _constant(z3.BoolVal(False)), number, number)
    for message in trace.in_flight:
        network = network.put(message)
    judged = []
    for step in trace.steps:
        judged.append(_is_right(step, network, allowed))
        network = network.after(step)
    return z3.And(*judged)


def _is_right(step: Step, network: Network, allowed: Allowed) -> Term:
    state, content = network.states(step.node), network.content(step.took)
    in_flight = z3.And(network.there(step.took), network.target(step.took) == step.node, step.received == content)
    return z3.And(step.before == state, z3.Implies(step.delivers, in_flight), allowed(local_step(step, state, content)))


def steps_are_allowed(trace: Trace, allowed: Allowed) -> Term:
    """Condition 1: each local step, as it is recorded, is allowed by the specification."""
    return z3.And(*(allowed(local_step(step, step.before, step.received)) for step in trace.steps))


def steps_chain(trace: Trace) -> Term:
    """Condition 2: the state before a step is the one after the node's previous step, or its initial one."""
    chained = []
    for index, step in enumerate(trace.steps):
        state = trace.initial(step.node)
        for earlier in trace.steps[:index]:
            state = z3.If(earlier.node == step.node, earlier.after, state)
        chained.append(step.before == state)
    return z3.And(*chained)


def deliveries_match(trace: Trace) -> Term:
    """Condition 3: a delivered message was sent earlier, to this node, with this content, and not delivered before."""
    matched = []
    for index, step in enumerate(trace.steps):
        earlier = trace.steps[:index]
        messages = (*trace.in_flight, *(message for other in earlier for message in other.sent))
        sent = z3.Or(*(_is_delivered_by(message, step) for message in messages))
        before = z3.Or(*(z3.And(other.delivers, other.took == step.took) for other in earlier))
        matched.append(z3.Implies(step.delivers, z3.And(sent, z3.Not(before))))
    return z3.And(*matched)


def _is_delivered_by(message: Message, step: Step) -> Term:
    same = message.id == step.took, message.target == step.node, message.content == step.received
    return z3.And(message.there, *same)


def ids_are_fresh(trace: Trace) -> Term:
    """Whether no two messages have one id, which is checked for every trace."""
    messages = (*trace.in_flight, *(message for step in trace.steps for message in step.sent))
    pairs = ((one, other) for index, one in enumerate(messages) for other in messages[:index])
    return z3.And(*(z3.Not(z3.And(one.there, other.there, one.id == other.id)) for one, other in pairs))


def any_trace(steps: int, sends: int, in_flight: int) -> Trace:
    """Any trace of so many steps, each with at most so many messages."""
    initial = z3.Function("initial", z3.IntSort(), z3.IntSort())
    messages = tuple(_any_message(f"start{index}") for index in range(in_flight))
    return Trace(initial, messages, tuple(_any_step(index, sends) for index in range(steps)))


def _any_message(name: str) -> Message:
    return Message(z3.Bool(f"{name}.there"), *z3.Ints(f"{name}.id {name}.target {name}.content"))


def _any_step(index: int, sends: int) -> Step:
    took, received, node, before, after = z3.Ints(f"took{index} received{index} node{index} before{index} after{index}")
    sent = tuple(_any_message(f"sent{index}.{number}") for number in range(sends))
    return Step(node, z3.Bool(f"delivers{index}"), took, received, before, after, sent)
