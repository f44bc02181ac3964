"""Layers: a delivery of the lower protocol at a node is a command of the upper one there, in the same turn.

Nothing goes down. Each layer is a protocol of its own, with a trace of its own; an application, or a driver, gives each
all other commands that it takes.
"""

from collections.abc import Iterator
from typing import Literal

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.trace import Step
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.simulator import Simulation

Layer = Literal["lower", "upper"]


def on(lower: Simulation, upper: Simulation) -> Iterator[tuple[Layer, Step]]:
    """Run two protocols on the same nodes and one clock: the steps of both, each with its layer.

    Raises `UsageError` if the upper one runs in rounds: a command in the midst of a round belongs to no round.
    """
    if upper.discipline is Discipline.ROUNDS:
        raise UsageError("A protocol in rounds stands on no other layer: commands come at the beginning of a round.")
    while True:
        if upper.next_at < lower.next_at:
            step = upper.step()
            if step is not None:
                yield "upper", step
            continue
        step = lower.step()
        if step is None:
            continue
        yield "lower", step
        for content in step.delivered:
            yield "upper", upper.obey(lower.now, step.node, content)
