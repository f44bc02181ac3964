"""The evidence of a trace that is only cut: the step that is wrong, its node's state before it, and its input."""

from typing import Any

import msgspec

from gomboc.checker.shrink.case import TraceCase, Value, reached

ABOUT = "at", "before", "received"
"""Keys of a step that do not decide whether it is right."""


class KeptCopy(msgspec.Struct, frozen=True):
    """The wrong step, without keys that only repeat others; its node's state before it; the message that it took."""

    step: Value
    state: Any
    message: Value | None


def kept_of(case: TraceCase, step: int) -> KeptCopy | None:
    """The part of a trace that must stay the same, if the step of that number is wrong; None if its start is."""
    if not step:
        return None
    last = case.steps[step - 1]
    states, in_flight = reached(case, step - 1)
    message = next((sent for sent in in_flight if sent["id"] == last["took"]), None)
    deciding = {key: value for key, value in last.items() if key not in ABOUT}
    return KeptCopy(deciding, states.get(last["node"]), message)
