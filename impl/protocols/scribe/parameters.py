"""The parameters of a trace's header: limits of publications, and the thresholds of the switch."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from gomboc.impl.core.vocabulary import Fault, convert
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.trie import LONGEST_KEY

Method = Literal["tree", "broadcast"]
TREE: Final = "tree"
BROADCAST: Final = "broadcast"


class Parameters(Limits, frozen=True, forbid_unknown_fields=True):
    """Limits of publications; with `high` and `low`, the owner switches between the tree and the broadcast.

    From `high` subscribers on its method is the broadcast, below `low` it is the tree again.
    """

    key_bits: Annotated[int, Meta(ge=1, le=LONGEST_KEY)] = 32
    high: Annotated[int, Meta(ge=2)] | None = None
    low: Annotated[int, Meta(ge=1)] | None = None

    @property
    def switches(self) -> bool:
        """Whether there is a switch."""
        return self.high is not None

    def method(self, subscribers: int, before: Method) -> Method:
        """The owner's method for so many subscribers: between the thresholds, the one before."""
        if self.high is None or self.low is None or subscribers < self.low:
            return TREE
        return BROADCAST if subscribers >= self.high else before

    def agreed(self) -> dict[str, int | None]:
        """The parameters that must be equal at all nodes."""
        return {**super().agreed(), "high": self.high, "low": self.low}


USUAL = Parameters()


def read(values: Mapping[str, object]) -> Parameters:
    """Parameters from JSON values; `UsageError` for invalid values."""
    return convert(dict(values), Parameters, "These are not parameters of Scribe", _disorder)


def _disorder(parameters: Parameters) -> Fault:
    if (parameters.high is None) != (parameters.low is None):
        return "the thresholds high and low are given together, or neither is"
    if parameters.high is not None and parameters.low is not None and parameters.low >= parameters.high:
        return f"low has to be below high, and {parameters.low} is not below {parameters.high}"
    return None
