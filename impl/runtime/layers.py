"""Layers: protocols on the same nodes and one clock. What one delivers at a node is a command of another there.

Each layer is a protocol of its own, with a trace of its own; an application, or a driver, gives each all other commands
that it takes. What is handed over is given, and so is what nodes take in all layers together, such as a crash.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.trace import Step
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.simulator import Simulation

Given = Iterable[tuple[str, object]]
"""Commands, as JSON values, each with the name of the layer that takes it."""

HandOver = Callable[[str, object], Given]
"""The commands that a value delivered in the layer of that name becomes."""

Together = Callable[[str, object], Given]
"""The commands that accompany one that a node has taken in the layer of that name; none for most."""


def stacked(layers: Mapping[str, Simulation], hand_over: HandOver, together: Together) -> Iterator[tuple[str, Step]]:
    """Run the layers: their steps, each with the name of its layer and its time.

    A delivery is handed over in the same turn, before any other event, and those that follow from it after it. A step
    that other layers take together hands nothing over.

    Only the first one may run in rounds; `UsageError` if another does, since a command in the midst of a round belongs
    to no round.
    """
    for name, layer in [*layers.items()][1:]:
        if layer.discipline is Discipline.ROUNDS:
            raise UsageError(f"The layer {name} runs in rounds, and commands come at the beginning of a round only.")
    while True:
        name = min(layers, key=lambda name: layers[name].next_at)
        step = layers[name].step()
        if step is not None:
            yield from _turn(layers, hand_over, together, name, step)


def _turn(
    layers: Mapping[str, Simulation], hand_over: HandOver, together: Together, name: str, step: Step
) -> Iterator[tuple[str, Step]]:
    """The steps that one step causes at its node, in order, itself first."""
    now, node = layers[name].now, step.node
    yield name, replace(step, at=now)
    accompanying = [] if isinstance(step.took, int | str) else [*together(name, step.took)]
    for other, command in accompanying:
        yield other, replace(layers[other].obey(now, node, command), at=now)
    waiting = deque() if accompanying else deque((name, content) for content in step.delivered)
    while waiting:
        below, content = waiting.popleft()
        for above, command in hand_over(below, content):
            taken = layers[above].obey(now, node, command)
            yield above, replace(taken, at=now)
            waiting.extend((above, further) for further in taken.delivered)
