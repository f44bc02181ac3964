"""Reasons for unknown verdicts, in the words that every judge uses."""

from collections.abc import Sequence

from gomboc.checker.core.phrases import counted
from gomboc.checker.traces.keys import ENCODE
from gomboc.spec.core.model import Fault

EMPTY = "the trace has no steps"
NO_FURTHER_ROUND = "legitimate only at the end: no further round was completed"
NO_NODE_AWAKE = "no node was ever awake, so no round was completed"
NOT_LEGITIMATE = "the system has not been legitimate since the start or the last command"


def not_yet(rounds: int, bound: int) -> str:
    """The trace is too short for its bound."""
    return f"the trace ends after {counted(rounds, 'round')}, and the bound is {bound}: not legitimate yet"


def not_completed(steps: int, longest: int, waiting: Sequence[str]) -> str:
    """A round does not end, because an event that it waits for does not come."""
    others = f" and {counted(len(waiting) - 1, 'other thing')}" if len(waiting) > 1 else ""
    return (
        f"no round was completed in the last {counted(steps, 'step')}, where none before took more than {longest}: "
        f"waiting for {waiting[0]}{others}"
    )


def premise_lacks(number: int, fault: Fault) -> str:
    """From step `number` on, convergence is not promised."""
    return f"premise: {_conjunct(fault)} is false {_when(number)}, so convergence is not promised"


def assumption_broken(number: int, fault: Fault) -> str:
    """From step `number` on, only conformance of each step is promised."""
    actual = "" if fault.found == "" else f", found {ENCODE(fault.found).decode()}"
    return f"assumption broken {_when(number)}: {_conjunct(fault)}{actual}"


def not_canonical(number: int) -> str:
    """A value of step `number`, or of the state before the first step for 0, is none that its type allows."""
    return f"a value {f'of step {number}' if number else 'before the first step'} is not canonical"


def only_first(steps: int) -> str:
    """The judge stopped at the largest number of steps in its options."""
    return f"only the first {counted(steps, 'step')} were judged" if steps > 1 else "only the first step was judged"


def not_judged(number: int) -> str:
    """Deliveries from step `number` on may differ from those of the specification."""
    return f"step {number} does not conform, so deliveries from there on are not judged"


def _conjunct(fault: Fault) -> str:
    return f"{fault.rule} at {fault.node}" if fault.node else fault.rule


def _when(number: int) -> str:
    return f"at step {number}" if number else "at the start"
