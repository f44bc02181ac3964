"""A changed trace, run anew: the implementation takes what the trace says that it takes, and what it does is told."""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import msgspec

from gomboc.checker.errors import UsageError
from gomboc.checker.shrink.case import Case, Redo, Value
from gomboc.impl.automaton import Commanded, Delivered, Implementation, Input, Received, Send, Timeout, Traced
from gomboc.impl.errors import PeerError
from gomboc.impl.errors import UsageError as ImplementationUsageError
from gomboc.impl.registry import implementation

RECORDED_BY = "gomboc "
"""What a header's `origin.implementation` begins with if an implementation of a known name was simulated."""

COINS = (0.0, 0.999999)
"""What a coin is loaded with, in turn, until it falls as the trace says."""


class Loaded(Random):
    """A source of randomness that gives one number only."""

    def __init__(self, number: float) -> None:
        super().__init__()
        self._number = number

    def random(self) -> float:
        """That number."""
        return self._number


class Taken(NamedTuple):
    """What one step came to, as a trace writes it."""

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
    """How to run traces like that anew; None if the header names no implementation that there is.

    `name` is the implementation's, instead of the header's. Raises UsageError if there is none of that name.
    """
    told = str(header["origin"].get("implementation", ""))
    named = name or told.removeprefix(RECORDED_BY)
    if name is None and not told.startswith(RECORDED_BY):
        return None
    try:
        found = implementation(named)
        made = found.configured(header["parameters"]) if found.configured and header["parameters"] else found
    except ImplementationUsageError as error:
        if name is None:
            return None
        raise UsageError(str(error)) from error
    return lambda case: _redone(made, case)


def _redone(made: Implementation, case: Case) -> Case | None:
    states, roles = dict(case.header["states"]), case.header["roles"]
    in_flight = {sent["id"]: sent for sent in case.header["messages"]}
    fresh = 1 + max((sent["id"] for step in (case.header, *case.steps) for sent in _sent(step)), default=-1)
    steps = []
    for step in case.steps:
        node, took = step["node"], step["took"]
        if node not in states or (isinstance(took, int) and in_flight.get(took, {}).get("to") != node):
            continue
        try:
            given = taken_input(made, took, in_flight)
            taken = _fallen(made, roles[node], node, states[node], given, step.get("coin"))
        except (ImplementationUsageError, PeerError):
            return None
        if isinstance(took, int):
            del in_flight[took]
        states[node] = taken.state
        sent, fresh = _numbered(taken.sends, step["sent"], fresh)
        in_flight |= {each["id"]: each for each in sent}
        steps.append(taken.written(node, took, sent))
    return Case(case.header, tuple(steps))


def _sent(line: Value) -> list[Value]:
    told: list[Value] = line["messages"] if "messages" in line else line["sent"]
    return told


def taken_input(made: Implementation, took: Any, in_flight: Mapping[Any, Value]) -> Input:
    """What a step took, as a core has it: a timeout, the message of that id, or a command."""
    if took == "timeout":
        return Timeout()
    if isinstance(took, int):
        return Received(made.decode(msgspec.json.encode(in_flight[took]["message"])))
    return Commanded(made.decode_command(msgspec.json.encode(took)))


def take(made: Implementation, role: str, node: str, state: Any, given: Input, coin: float) -> Taken:
    """What a node in that state answers to an input, with a coin that shows that number."""
    core = made.make(role, node, state, Loaded(coin))
    outputs = core.handle(0.0, given)
    tossed = next((each.coin for each in outputs if isinstance(each, Traced)), None)
    sends = [{"to": each.to, "message": _json(each.message)} for each in outputs if isinstance(each, Send)]
    delivered = [_json(each.content) for each in outputs if isinstance(each, Delivered)]
    return Taken(msgspec.json.decode(core.snapshot()), sends, delivered, tossed)


def _fallen(made: Implementation, role: str, node: str, state: Any, given: Input, coin: str | None) -> Taken:
    """The step, with a coin that falls as wanted, if it can."""
    results = []
    for number in COINS:
        results.append(take(made, role, node, state, given, number))
        if results[-1].coin == coin:
            return results[-1]
    return results[0]


def _json(value: Any) -> Any:
    """The value as a trace has it: lists, not tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _numbered(sends: list[Value], before: list[Value], fresh: int) -> tuple[list[Value], int]:
    """The messages with ids: that of an equal one before, if there was one; else that of another, or a fresh one."""
    free = list(before)
    equal = [_claimed(free, send, ("to", "message")) for send in sends]
    numbered = []
    for send, found in zip(sends, equal, strict=True):
        number = _claimed(free, send, ("to",)) if found is None else found
        if number is None:
            number, fresh = fresh, fresh + 1
        numbered.append({"id": number, **send})
    return numbered, fresh


def _claimed(free: list[Value], send: Value, alike: tuple[str, ...]) -> Any:
    """The id of the first message that is alike in these keys, which is then no longer free; None if none is."""
    for each in free:
        if all(each[key] == send[key] for key in alike):
            free.remove(each)
            return each["id"]
    return None
