"""Runs of the toy: honest as far as anybody wishes, or with nothing true in them at all."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from gomboc.checker.judge.order import Order
from gomboc.checker.traces.trace import Sent, Step
from gomboc.spec.core.model import Commanded, Fault, Input, Received, Send, Timeout
from gomboc.spec.core.protocol import Protocol
from tests.toys.words import spec as toy

Line = dict[str, Any]
States = Mapping[str, Any]

Flying = tuple[int, str, str, str]
"""A message in flight: its id, sender, target and text."""

WORDS = "good", "bad", "mad"
NODES = "a", "b", "c"


def strict(protocol: Protocol) -> Protocol:
    """The toy that must not be asked whether something is faulty that is not even a word."""
    return protocol.changed(node_faults=_node_faults, message_faults=_message_faults)


def _node_faults(anchor: Any, me: str, local: toy.Word) -> tuple[Fault, ...]:
    assert local.text
    return toy.node_faults(anchor, me, local)


def _message_faults(anchor: Any, target: str, message: toy.Word) -> tuple[Fault, ...]:
    assert message.text
    return toy.message_faults(anchor, target, message)


PROTOCOLS = tuple(map(strict, (toy.UNORDERED, toy.FIFO, toy.ROUNDS)))


def crowded(protocol: Protocol) -> Protocol:
    """The toy with the word of most nodes as authority: the anchor depends on every node."""
    return protocol.changed(name="toy_crowded", anchor=_majority)


def _majority(states: States) -> Any:
    said = sorted(state.text for state in states.values())
    return said[len(said) // 2]


def deferring(protocol: Protocol) -> Protocol:
    """The toy with the authority a, or the node after it while a says that it is mad."""
    return protocol.changed(name="toy_deferring", anchor=_sane)


def _sane(states: States) -> Any:
    return states["a"].text if states["a"].text != "mad" or "c" not in states else states["c"].text


def wandering(protocol: Protocol) -> Protocol:
    """The toy with the first node that is not mad as authority: the state of each node decides the next one to read."""
    return protocol.changed(name="toy_wandering", anchor=_first_sane)


def _first_sane(states: States) -> Any:
    return next((states[name].text for name in NODES if name in states and states[name].text != "mad"), "mad")


def swallowing(protocol: Protocol) -> Protocol:
    """The toy with the authority b, or a if anything is wrong with it."""
    return protocol.changed(name="toy_swallowing", anchor=_second)


def _second(states: States) -> Any:
    try:
        return states["b"].text
    except:  # noqa: E722
        return states["a"].text


def some_trace(protocol: Protocol, random: Random) -> list[Line]:
    """Lines in which anything may stand."""
    words = (*WORDS, "") if random.random() < 0.2 else WORDS
    good = random.choice((0.5, 0.9))

    def word() -> str:
        return "good" if random.random() < good else random.choice(words)

    def message() -> tuple[int, str, str]:
        return random.randrange(8), random.choice(("a", "b", "c", *(["x"] if random.random() < 0.2 else []))), word()

    nodes = NODES[: random.choice((2, 3))]
    more: dict[str, Any] = {"c": word()} if "c" in nodes else {}
    if random.random() < 0.7:
        more["bound"] = random.randrange(4)
    start = tuple(message() for _ in range(random.randrange(4)))
    lines = [toy.header(word(), word(), start, protocol, **more)]
    for _ in range(random.randrange(30)):
        step: Line = {
            "node": random.choice((*nodes, *(["x"] if random.random() < 0.1 else []))),
            "took": random.choice(("timeout", "timeout", "timeout", random.randrange(8), random.randrange(8))),
            "state": {"text": word()},
            "sent": toy.in_flight(*(message() for _ in range(random.choice((0, 0, 1, 2))))),
        }
        if random.random() < 0.04:
            step["took"] = {"kind": "say", "text": word() or "good"}
        if random.random() < 0.1:
            step["before"] = {"text": word()}
        lines.append(step)
    return lines


def honest_trace(protocol: Protocol, random: Random, steps: int, commands: float = 0.02) -> list[Line]:
    """A run of the toy, in which the network is allowed every step, or nearly; so many steps in one are commands."""
    disorder = random.choice((0.0, 0.0, 0.1))
    nodes = NODES[: random.choice((2, 3))]
    states = {node: toy.Word(random.choice(WORDS)) for node in nodes}
    flying = [(number, "", random.choice(nodes), random.choice(WORDS)) for number in range(random.randrange(3))]
    more: dict[str, Any] = {"c": states["c"].text} if "c" in nodes else {}
    start = tuple((number, to, text) for number, _, to, text in flying)
    head = toy.header(states["a"].text, states["b"].text, start, protocol, bound=random.randrange(1, 5), **more)
    lines, fresh = [head], 10
    system, _ = toy.system_and_steps(head, protocol=protocol)
    order = Order(protocol.discipline, system)
    for _ in range(steps):
        node, taken = random.choice(_allowed(order, flying, nodes, random.random() < disorder))
        if random.random() < commands:
            taken = {"kind": "say", "text": random.choice(WORDS)}
        line, sends = _taken(protocol, states, node, taken, flying, random)
        for send in sends:
            flying.append((fresh, node, send.target, send.message.text))
            line["sent"] += toy.in_flight((fresh, send.target, send.message.text))
            fresh += 1
        lines.append(line)
        sent = [Sent(id_, target, toy.Word(text)) for id_, _, target, text in flying[len(flying) - len(sends) :]]
        step = Step(node, line["took"], states[node], sent)
        system.apply(step)
        order.observe(step)
    return lines


def _allowed(order: Order, flying: list[Flying], nodes: Sequence[str], disorder: bool) -> list[tuple[str, Any]]:
    """Nodes, and the inputs that each may take by the definition; all inputs if none is allowed."""
    result = [(entry[2], entry) for entry in flying] + [(node, "timeout") for node in nodes]
    taken = [(node, what, what if what == "timeout" else what[0]) for node, what in result]
    orderly = [(node, what) for node, what, took in taken if order.forbids(Step(node, took, None, [])) is None]
    return result if disorder else orderly or result


def _taken(
    protocol: Protocol, states: dict[str, Any], node: str, taken: Any, flying: list[Flying], random: Random
) -> tuple[Line, tuple[Send, ...]]:
    taken_input: Input
    took: Any
    match taken:
        case "timeout":
            taken_input, took = Timeout(), "timeout"
        case dict():
            taken_input, took = Commanded(toy.Say(taken["text"])), taken
        case (number, _, _, text):
            flying.remove(taken)
            taken_input, took = Received(toy.Word(text)), number
    choice = random.choice(toy.choices(node, states[node], taken_input))
    outcome = protocol.actor.react(node, states[node], taken_input, choice)
    line: Line = {"node": node, "took": took, "state": {"text": outcome.local.text}, "sent": []}
    if random.random() < 0.2:
        line["before"] = {"text": states[node].text}
    if outcome.delivered:
        line["delivered"] = list(outcome.delivered)
    states[node] = outcome.local
    return line, outcome.sends
