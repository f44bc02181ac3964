"""The executions of Zave, event by event as her model lists them.

Source: Zave 2012; the model chordfull.als of 15 June 2010
"""

import msgspec

from gomboc.checker.evidence.chord.experiments.claimed import Claimed
from gomboc.checker.evidence.chord.experiments.machine import System, alone, zave


class Run(msgspec.Struct, frozen=True):
    """An execution from node 0 alone: the number of nodes, the events, and whether joiners and heads ask."""

    nodes: int
    happens: tuple[str, ...]
    checks: bool = True
    hers: bool = True


def played(run: Run) -> tuple[System, ...]:
    """The systems of a run, the first one before any event. Raises ValueError for an event that cannot happen."""
    systems = [alone(run.nodes)]
    for event in run.happens:
        following = zave(run.checks).after(systems[-1], event)
        if following is None:
            raise ValueError(f"after {len(systems) - 1} events, {event!r} cannot happen")
        systems.append(following)
    return tuple(systems)


def breaks_at(run: Run, claimed: Claimed) -> int | None:
    """The number of events after which that is false first; None if it never is."""
    return next((count for count, system in enumerate(played(run)) if not claimed(system)), None)


def _events(words: str) -> tuple[str, ...]:
    """Events in short: `3+0` joins before 0, `3s0` stabilizes and notifies 0, `3!` fails, `3u`, `3r`, `3f`."""
    kinds = {"!": "fails", "u": "updates", "r": "reconciles", "f": "flushes"}
    made: list[str] = []
    for word in words.split():
        name, kind, other = word[0], word[1], word[2:]
        match kind:
            case "+":
                made.append(f"{name} joins before {other}")
            case "s":
                made += [f"{name} stabilizes", f"{other} is notified by {name}"]
            case _:
                made.append(f"{name} {kinds[kind]}")
    return tuple(made)


RING_OF_TWO = "2+0 2s0 0s2"
"""Node 2 joins node 0, and both know each other."""

RUNS: dict[str, Run] = {
    "ordered_merges": Run(4, _events("3+0 3s0 0s3 1+3 2+3 1s3 2s3 0s2")),
    "ordered_appendages": Run(4, _events("1+0 2+0 3+0 2s0 0s2 3s0 1s3 2r 3r 0! 2u 3u 3f 3s2")),
    "valid_lists": Run(4, _events(f"{RING_OF_TWO} 1+2 1r 3+0 3s0 2s3 0r 1s2 0s1 2! 1u")),
    "connected_appendages": Run(4, _events(f"{RING_OF_TWO} 0r 2! 1+2 0u"), checks=False),
    "at_least_one_ring": Run(4, _events(f"{RING_OF_TWO} 1+2 1s2 1! 0s1 2f"), checks=False),
    "at_most_one_ring": Run(4, _events(f"{RING_OF_TWO} 0r 2r 1+2 1s2 0s1 3+0 3s0 2s3 1! 3! 0u 2u")),
    "ordered_ring": Run(
        6,
        _events(f"{RING_OF_TWO} 4+0 4s0 2s4 0r 2r 4r 1+2 1s2 0s1 3+4 3s4 2s3 5+0 5s0 4s5 1! 3! 5! 0u 2u 4u"),
        hers=False,
    ),
}
"""The executions of Zave, by the property they break; that of `ordered_ring`, not listed by her, is like her last."""
