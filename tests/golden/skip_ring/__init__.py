"""The golden traces of the skip ring."""

from collections.abc import Iterator
from typing import Any

from tests.golden.drive import Trace, simulated, taken
from tests.golden.skip_ring.negatives import ALTERATIONS
from tests.golden.skip_ring.publications import FIGURE_2
from tests.golden.telling import expecting, negatives_of, starts_of, stories_of, written

STARTS = starts_of("skip_ring")
STORIES = stories_of("skip_ring", STARTS)
NEGATIVES = negatives_of("skip_ring", ALTERATIONS, STORIES.runs)

LUCKLESS_SEED, LUCKLESS_ROUNDS = 27, 4
"""With this seed every coin of that many rounds says "silent"."""

PUBLISHED_SEED = 12


def never_converges() -> Trace:
    """The supervisor has forgotten a ring of two, and no node asks it anything: each coin says "silent"."""
    trace = simulated(STARTS["FORGOTTEN_RING"], LUCKLESS_SEED, rounds=LUCKLESS_ROUNDS)
    trace[0]["bound"] = LUCKLESS_ROUNDS
    return expecting(trace, never_converges.__doc__, verdict="violated", step=len(trace) - 1, rule="convergence")


def printed_linearize() -> Trace:
    """v1, which runs Linearize as printed, hears that v3 has the label 11, and believes it without asking v3."""
    trace = simulated(STARTS["FALSE_CLAIM"], PUBLISHED_SEED, settle=1, variant="skip_ring.printed_linearize")
    differs = (n for n in range(1, len(trace)) if not _is_ours(trace[:n], trace[n]))
    return expecting(trace, printed_linearize.__doc__, verdict="violated", step=next(differs), rule="linearize")


def _is_ours(trace: Trace, step: dict[str, Any]) -> bool:
    """Whether the implementation of our own rules takes this step too, coins apart."""
    ours = taken(trace, step["node"], step["took"])
    return bool(ours["state"] == step["state"]) and len(ours["sent"]) == len(step["sent"])


def further() -> Iterator[tuple[str, bytes]]:
    """The names and the contents of the traces of Figure 2, and of two runs that no alteration makes."""
    for name, tell in FIGURE_2.items():
        yield f"{name}.ok.jsonl", written(expecting(tell(), tell.__doc__, verdict="holds"))
    for tell in (never_converges, printed_linearize):
        yield f"{tell.__name__}.bad.jsonl", written(tell())
