"""A judge that an engineer would write in an afternoon: the yardstick for the factored replay.

JSON lines, a dictionary of node states, a multiset of messages, and the specification's step called for each event. It
checks that the specification allows each step and that each delivered message was sent; that the system becomes
legitimate and stays so. It counts no rounds, keeps no ids, explains nothing, and knows no discipline.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import CERTAIN, Commanded, Input, Received, Timeout
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.core.registry import find_protocol


def judge(path: Path) -> tuple[int, int | None, int | None]:
    """Steps, the first that is wrong (None: none is), and the first after which the system is legitimate (or None)."""
    with path.open() as file:
        header = json.loads(next(file))
        protocol = find_protocol(header["protocol"])
        roles = header["roles"]
        states: dict[str, Any] = {
            name: msgspec.convert(state, protocol.vocabulary.roles[roles[name]])
            for name, state in header["states"].items()
        }
        contents: dict[int, tuple[str, Any]] = {}
        in_flight: Counter[tuple[str, Any]] = Counter()
        for sent in header["messages"]:
            put(protocol, sent, contents, in_flight)
        steps, wrong, legitimate = 0, None, None
        for steps, line in enumerate(file, 1):
            step = json.loads(line)
            right = take(protocol, roles, states, contents, in_flight, step)
            now = not legitimacy_faults(protocol, states, tuple(in_flight.elements()))
            left = legitimate is not None and not now and not isinstance(step["took"], dict)
            if (not right or left) and wrong is None:
                wrong = steps
            if now and legitimate is None:
                legitimate = steps
    return steps, wrong, legitimate


def put(protocol: Protocol, sent: Any, contents: dict[int, Any], in_flight: Counter[Any]) -> tuple[str, Any]:
    """Put a message into the network."""
    message = sent["to"], msgspec.convert(sent["message"], protocol.vocabulary.message)
    contents[sent["id"]] = message
    in_flight[message] += 1
    return message


def take(protocol: Protocol, roles: Any, states: Any, contents: Any, in_flight: Any, step: Any) -> bool:
    """Take a step; whether it is one that the specification allows."""
    node, took, here = step["node"], step["took"], True
    if took == "timeout":
        taken: Input = Timeout()
    elif isinstance(took, int):
        message = contents.get(took)
        here = message is not None and message[0] == node and in_flight[message] > 0
        if not here:
            return False
        in_flight[message] -= 1
        taken = Received(message[1])
    else:
        taken = Commanded(msgspec.convert(took, protocol.vocabulary.command))
    before = states[node]
    after: Any = msgspec.convert(step["state"], protocol.vocabulary.roles[roles[node]])
    sends = Counter(put(protocol, sent, contents, in_flight) for sent in step["sent"])
    choices = protocol.actor.choices(node, before, taken)
    states[node] = after
    for choice in choices:
        if choices == CERTAIN or step.get("coin") in (None, choice.name):
            outcome = protocol.actor.react(node, before, taken, choice)
            if outcome.local == after and Counter((send.target, send.message) for send in outcome.sends) == sends:
                return True
    return False
