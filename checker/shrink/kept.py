"""The evidence of a trace that is only cut: the step that is wrong, its node's state before it, and its input."""

from typing import Any

import msgspec

from gomboc.checker.shrink.case import Case, Value, reached

ABOUT = "at", "before", "received"
"""Keys of a step that repeat, or add, what does not decide whether it is right."""


class Kept(msgspec.Struct, frozen=True):
    """The last step of a trace, without what only repeats; its node's state before it; the message that it took."""

    step: Value
    state: Any
    message: Value | None

    def is_kept_in(self, case: Case) -> bool:
        """Whether a trace ends with just that."""
        return kept_of(case) == self


def kept_of(case: Case) -> Kept | None:
    """What may not be edited in a trace that ends with its violation; None if it has no step."""
    if not case.steps:
        return None
    last = case.steps[-1]
    states, in_flight = reached(case, len(case.steps) - 1)
    message = next((sent for sent in in_flight if sent["id"] == last["took"]), None)
    step = {key: value for key, value in last.items() if key not in ABOUT}
    return Kept(step, states.get(last["node"]), message)
