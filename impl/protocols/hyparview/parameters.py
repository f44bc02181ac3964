"""The parameters of a trace's header: sizes of the views and of the walks, and the limits of publications."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from gomboc.impl.core.vocabulary import Fault, convert
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.trie import LONGEST_KEY

Size = Annotated[int, Meta(ge=1)]
Length = Annotated[int, Meta(ge=0)]


class Parameters(Limits, frozen=True, forbid_unknown_fields=True):
    """Sizes of the `active` and the `passive` view; lengths of walks; sizes of the samples of a shuffle; limits.

    `keep` counts the publications of each publisher in each topic.
    """

    key_bits: Annotated[int, Meta(ge=1, le=LONGEST_KEY)] = 32
    active: Size = 5
    passive: Size = 30
    arwl: Length = 6
    prwl: Length = 3
    ka: Length = 3
    kp: Length = 4

    def agreed(self) -> dict[str, int | None]:
        """The parameters that must be equal at all nodes: the walks' lengths are in messages."""
        return {**super().agreed(), "arwl": self.arwl}


USUAL = Parameters()


def read(values: Mapping[str, object]) -> Parameters:
    """Parameters from JSON values; `UsageError` for invalid values."""
    return convert(dict(values), Parameters, "These are not parameters of HyParView", _fault)


def _fault(parameters: Parameters) -> Fault:
    if parameters.prwl > parameters.arwl:
        return f"prwl is from 0 to arwl, and {parameters.prwl} is above {parameters.arwl}"
    return None
