"""The parameters of a topic in the header of a trace: those of publications, and the thresholds of the switch."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from gomboc.spec.publishing import publications
from gomboc.spec.publishing.publications import MOST_BITS
from gomboc.spec.types.parameters import read


class Parameters(publications.Parameters, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The parameters of publications; `high` and `low` are numbers of subscribers.

    From `high` on the method of a topic is broadcast, below `low` it is the tree, and between them it stays. None:
    there is no switch, and the method is the tree.

    Source: Section 3.1.1 says that the owner decides; the thresholds are ours
    """

    key_bits: Annotated[int, Meta(ge=1, le=MOST_BITS)] = 32
    high: Annotated[int, Meta(ge=2)] | None = None
    low: Annotated[int, Meta(ge=1)] | None = None


def parameters_of(header: Mapping[str, Any]) -> Parameters:
    """The parameters in a header. Raises ValueError, in a sentence, if they are invalid."""
    parameters = read(
        header,
        Parameters,
        "key_bits must be a number from 1 to 256, payload_limit one from 0 on, chunk and keep from 1 on, and low and "
        "high numbers of subscribers",
    )
    if (parameters.high is None) is not (parameters.low is None):
        raise ValueError("low and high are given both, or neither")
    if parameters.high is not None and parameters.low is not None and parameters.low >= parameters.high:
        raise ValueError(f"low must be below high, and {parameters.low} is not below {parameters.high}")
    return parameters
