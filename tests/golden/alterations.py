"""Alterations of a lie: the step of an honest run in which it is told, and what it changes there.

An alteration is a function of an honest run; its value is the run as far as the lie, with nothing else wrong.
"""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

from tests.golden.drive import Header, State, Trace, next_id, reached

Step = dict[str, Any]

Alteration = Callable[[Trace], Trace]
Fits = Callable[[Step, State], bool]
"""Whether a step fits: the step, and its node's state before it."""


class AlteredStep(NamedTuple):
    """A run that a lie is told in, as far as the step of the lie, and the state of that step's node before it."""

    trace: Trace
    before: State

    @property
    def step(self) -> Step:
        """The step, which may be changed."""
        return self.trace[-1]

    @property
    def state(self) -> State:
        """The state after the step, which may be changed."""
        state: State = self.step["state"]
        return state

    @property
    def sent(self) -> list[dict[str, Any]]:
        """The messages of the step, which may be changed."""
        sent: list[dict[str, Any]] = self.step["sent"]
        return sent


Change = Callable[[AlteredStep], object]


def at(step: Alteration, *changes: Change) -> Alteration:
    """Those changes, made in the last step of a run that ends as `step` says."""

    def alteration(honest: Trace) -> Trace:
        trace = step(honest)
        told = AlteredStep(trace, deepcopy(reached(trace[:-1])[0][trace[-1]["node"]]))
        for change in changes:
            change(told)
        return trace

    return alteration


def anything(step: Step, before: State) -> bool:
    """Every step fits."""
    del step, before
    return True


def took(kind: str, fits: Fits = anything) -> Alteration:
    """A copy of an honest run through the first step that takes such a message or command, and fits.

    A timeout is of the kind `timeout`, and a message that wraps another of the kind of its content.
    """

    def found(honest: Trace) -> Trace:
        for number in range(1, len(honest)):
            states, in_flight = reached(honest[:number])
            step = honest[number]
            if _kind(step["took"], in_flight) == kind and fits(step, states[step["node"]]):
                return through(honest, number)
        raise LookupError(f"nobody takes such a {kind}.")

    return found


def _kind(what: Any, in_flight: dict[int, Any]) -> str:
    if isinstance(what, int):
        message = in_flight[what]["message"]
        return str(message.get("content", message)["kind"])
    return str(what["kind"]) if isinstance(what, dict) else str(what)


def until(trace: Trace, step: int) -> Trace:
    """A copy of the run as far as that step, and without it."""
    return deepcopy(trace[:step])


def through(trace: Trace, step: int) -> Trace:
    """A copy of the run as far as that step, and with it."""
    return deepcopy(trace[: step + 1])


def of(kind: str, node: str) -> Alteration:
    """The run through the first step in which that node takes such a message or command."""
    return took(kind, lambda step, _before: bool(step["node"] == node))


def at_start(change: Callable[[Header], object]) -> Alteration:
    """The header alone, with that change."""

    def alteration(honest: Trace) -> Trace:
        lie = until(honest, 1)
        change(lie[0])
        return lie

    return alteration


def first_of_all(node: str, taken: dict[str, Any], **changed: Any) -> Alteration:
    """The node takes that first of all: nothing but this of its state is changed, and nothing is sent."""

    def alteration(honest: Trace) -> Trace:
        lie = until(honest, 1)
        return [*lie, {"node": node, "took": taken, "state": {**lie[0]["states"][node], **changed}, "sent": []}]

    return alteration


def sends(*kinds: str) -> Fits:
    """Whether a step sends a message of one of those kinds."""
    return lambda step, _before: any(sent["message"]["kind"] in kinds for sent in step["sent"])


def changes(variable: str) -> Fits:
    """Whether a step changes that variable, which is left out where it has its usual value."""
    return lambda step, before: bool(step["state"].get(variable) != before.get(variable))


def unsent(*kinds: str) -> Change:
    """Messages of those kinds are not sent; without kinds, none is."""

    def change(told: AlteredStep) -> None:
        told.sent[:] = [sent for sent in told.sent if kinds and sent["message"]["kind"] not in kinds]

    return change


def undelivered(told: AlteredStep) -> None:
    """Nothing is delivered."""
    del told.step["delivered"]


def state(**variables: Any) -> Change:
    """The node says that it has these variables."""
    return lambda told: told.state.update(deepcopy(variables))


def as_before(*variables: str) -> Change:
    """The node says that it has the same variables as before; without names, all of them and no others."""

    def change(told: AlteredStep) -> None:
        kept = {name: told.before[name] for name in variables or told.before}
        told.step["state"] = {**told.state, **kept} if variables else deepcopy(kept)

    return change


def worded(**fields: Any) -> Change:
    """The first message says this."""
    return lambda told: told.sent[0]["message"].update(fields)


def also(to: str, message: Callable[[AlteredStep], dict[str, Any]]) -> Change:
    """A further message is sent."""
    return lambda told: told.sent.append({"id": next_id(told.trace), "to": to, "message": message(told)})
