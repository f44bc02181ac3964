"""Plans of simulated stacks: a plan is a value, and each run depends on the plan and the run's number only."""

import hashlib
from typing import Any

import msgspec

TOPICS = ("news", "sport")

QUIET = 80.0
"""Periods without any command at the end of a run."""


class StackPlan(msgspec.Struct, frozen=True):
    """Runs of the stack of that name; run i has the i-th of `nodes` nodes, in turn, and all `topics`.

    With `disturb`, nodes join, leave, crash and publish, as the disturbances of the protocols say. `parameters` are
    those of layers, each with the name "layer.parameter"; without a layer, those of the one that publishes. Of runs
    without applications, `start` is "arbitrary" or "legitimate", and `outside`, `messages`, `publications`,
    `detection`, `patience` and `loss` are as in `Plan`.
    """

    stack: str
    nodes: tuple[int, ...]
    runs: int
    seed: int
    disturb: bool = False
    parameters: dict[str, Any] = {}
    topics: tuple[str, ...] = TOPICS
    start: str = "arbitrary"
    outside: int = 0
    messages: int | None = None
    publications: int = 0
    detection: float | None = None
    patience: float | None = None
    loss: float = 0.0
    reproduce: str = ""

    def members(self, index: int) -> int:
        """The number of nodes of run `index`."""
        return self.nodes[index % len(self.nodes)]

    def seed_of(self, place: str) -> int:
        """The seed of the traces of one place, 48 bits of a hash."""
        return int.from_bytes(hashlib.sha256(f"{self.seed}/{place}".encode()).digest()[:6], "big")


class Recorded(msgspec.Struct, frozen=True):
    """The traces of one run and their steps, in all layers together."""

    traces: int
    steps: int
