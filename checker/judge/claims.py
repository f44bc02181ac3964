"""The sentences for properties that hold, each with its bound."""

from gomboc.checker.core.phrases import counted

RESTED = "legitimate to the end of the trace, where no node is awake"

IN_EVERY_STATE = "in every state of the trace"

OF_ALL_DELIVERED = "of everything that was delivered"


def conforms(steps: int) -> str:
    """For conformance of a trace with this number of steps."""
    which = "the only step" if steps == 1 else f"each of {counted(steps, 'step')}"
    return f"{which} is one that the specification allows"


def stayed(rounds: int) -> str:
    """For closure over this number of rounds after the one in which it became legitimate."""
    return f"legitimate for {counted(rounds, 'further round')}, to the end of the trace"


def became(rounds: int, step: int) -> str:
    """For convergence."""
    return f"legitimate after {counted(rounds, 'round')}, at step {step}"
