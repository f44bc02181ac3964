"""A changed trace, run anew: the implementation takes the inputs of the trace, and its results are written."""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.conformance import as_written
from gomboc.checker.shrink.case import Redo, TraceCase, Value
from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Delivered, Implementation, Input, Received, Send, Timeout, Traced
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.errors import UsageError as ImplementationUsageError

RECORDED_BY = "gomboc "
"""The beginning of a header's `origin.implementation` if an implementation with a registered name was simulated."""

COINS = (0.0, 0.999999)
"""Random numbers for a coin, tried in turn until it falls as in the trace."""


class Loaded(Random):
    """A source of randomness that always returns the same number."""

    def __init__(self, number: float) -> None:
        super().__init__()
        self._number = number

    def random(self) -> float:
        """Return the number."""
        return self._number


class Taken(NamedTuple):
    """The result of one step, as in a trace."""

    state: Any
    sends: list[Value]
    delivered: list[Any]
    coin: str | None

    def written(self, node: str, took: Any, sent: list[Value]) -> Value:
        """The step as a line of a trace, with its messages numbered."""
        step = {"node": node, "took": took, "state": self.state, "sent": sent}
        step |= {"delivered": self.delivered} if self.delivered else {}
        return step | ({} if self.coin is None else {"coin": self.coin})


def redo_of(header: Value, name: str | None = None) -> Redo | None:
    """A function that runs traces with this header anew; None if the header names no registered implementation.

    `name` names an implementation instead of the header. Raises UsageError if there is none of that name.
    """
    recorder = str(header["origin"].get("implementation", ""))
    named = name or recorder.removeprefix(RECORDED_BY)
    if name is None and not recorder.startswith(RECORDED_BY):
        return None
    try:
        base = implementation(named)
        made = base.configured(header["parameters"]) if base.configured and header["parameters"] else base
    except ImplementationUsageError as error:
        if name is None:
            return None
        raise UsageError(str(error)) from error
    return lambda case: _redone(made, case)


def _redone(made: Implementation, case: TraceCase) -> TraceCase | None:
    states, roles = dict(case.header["states"]), case.header["roles"]
    in_flight = {sent["id"]: sent for sent in case.header["messages"]}
    fresh = 1 + max((sent["id"] for step in (case.header, *case.steps) for sent in _sent(step)), default=-1)
    steps = []
    for step in case.steps:
        node, took = step["node"], step["took"]
        # A smaller run may lack the sender: a step whose message is not there is left out, and the run goes on.
        if node not in states or (isinstance(took, int) and in_flight.get(took, {}).get("to") != node):
            continue
        try:
            event = taken_input(made, took, in_flight)
            taken = _fallen(made, roles[node], node, states[node], event, step.get("coin"))
        except (ImplementationUsageError, PeerError):
            return None
        if isinstance(took, int):
            del in_flight[took]
        states[node] = taken.state
        sent, fresh = _numbered(taken.sends, step["sent"], fresh)
        in_flight |= {message["id"]: message for message in sent}
        steps.append(taken.written(node, took, sent))
    return TraceCase(case.header, tuple(steps))


def _sent(line: Value) -> list[Value]:
    messages: list[Value] = line["messages"] if "messages" in line else line["sent"]
    return messages


def taken_input(made: Implementation, took: Any, in_flight: Mapping[Any, Value]) -> Input:
    """The input of a step, as a core takes it: a timeout, the message of that id, or a command."""
    if took == "timeout":
        return Timeout()
    if isinstance(took, int):
        return Received(made.decode(msgspec.json.encode(in_flight[took]["message"])))
    return made.commanded(took)


def take(made: Implementation, role: str, node: str, state: Any, event: Input, coin: float) -> Taken:
    """The result of a step of a node from that state, with this random number for the coin."""
    core = made.make(role, node, state, Loaded(coin))
    outputs = core.handle(0.0, event)
    tossed = next((output.coin for output in outputs if isinstance(output, Traced)), None)
    sends = [{"to": output.to, "message": as_written(output.message)} for output in outputs if isinstance(output, Send)]
    delivered = [as_written(output.content) for output in outputs if isinstance(output, Delivered)]
    return Taken(msgspec.json.decode(core.snapshot()), sends, delivered, tossed)


def _fallen(made: Implementation, role: str, node: str, state: Any, event: Input, coin: str | None) -> Taken:
    """The result of a step with this coin, if a random number makes it fall so; else with the first number."""
    results = []
    for number in COINS:
        results.append(take(made, role, node, state, event, number))
        if results[-1].coin == coin:
            return results[-1]
    return results[0]


def _numbered(sends: list[Value], before: list[Value], fresh: int) -> tuple[list[Value], int]:
    """The messages with ids: the id of an equal earlier message, else of another to the same node, else a fresh one."""
    # Equal messages keep their ids, so that steps that take them still do after a step between was left out.
    free = list(before)
    equal = [_claimed(free, send, ("to", "message")) for send in sends]
    numbered = []
    for send, earlier in zip(sends, equal, strict=True):
        number = _claimed(free, send, ("to",)) if earlier is None else earlier
        if number is None:
            number, fresh = fresh, fresh + 1
        numbered.append({"id": number, **send})
    return numbered, fresh


def _claimed(free: list[Value], send: Value, alike: tuple[str, ...]) -> Any:
    """Take and return the id of the first free message that agrees in these keys; None if there is none."""
    for message in free:
        if all(message[key] == send[key] for key in alike):
            free.remove(message)
            return message["id"]
    return None
