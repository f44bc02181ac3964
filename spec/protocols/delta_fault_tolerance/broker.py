"""The context of a rule: the broker that takes the step, the parameters, and the rules that a variant replaces."""

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

import msgspec

from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters

P = ParamSpec("P")
R = TypeVar("R")

Replaced = Mapping[Callable[..., Any], Callable[..., Any]]
"""The rules of a variant, by the rules of ours in whose place they are applied."""

OURS: Replaced = {}


class Broker(msgspec.Struct, frozen=True):
    """The broker that takes a step: its name, the parameters, and the variant. None of them changes in a run."""

    me: str
    parameters: Parameters = Parameters()
    replaced: Replaced = OURS

    @property
    def reach(self) -> int:
        """The radius within which a broker knows the tree: delta + 1 links."""
        return self.parameters.delta + 1

    def rule(self, ours: Callable[P, R]) -> Callable[P, R]:
        """The variant's rule in place of this one; this one itself if the variant replaces others only."""
        return self.replaced.get(ours, ours)
