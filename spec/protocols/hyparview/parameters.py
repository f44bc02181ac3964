"""The parameters of an overlay in the header of a trace."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gomboc.spec.publishing import publications
from gomboc.spec.publishing.publications import MOST_BITS, Positive
from gomboc.spec.types.parameters import read

Count = Annotated[int, Meta(ge=0)]


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of the views and of the publications.

    `active` and `passive` are the sizes of the views, `arwl` the hops of a walk, `prwl` the hops that are left of a
    ForwardJoin when it enters a passive view, `ka` and `kp` the active and passive nodes that a Shuffle names. The
    others are those of `spec/publishing`; `keep` counts the numbers of one publisher in one topic.

    Source: HyParView, Section 4; `keep` is decided here
    """

    active: Positive = 5
    passive: Positive = 30
    arwl: Count = 6
    prwl: Count = 3
    ka: Count = 3
    kp: Count = 4
    key_bits: Annotated[int, Meta(ge=1, le=MOST_BITS)] = 32
    payload_limit: Count = 4096
    chunk: Positive = 64
    keep: Positive | None = None

    @property
    def publishing(self) -> publications.Parameters:
        """The parameters of publications."""
        return _publishing(self)


@cache
def _publishing(parameters: Parameters) -> publications.Parameters:
    return publications.Parameters(parameters.key_bits, parameters.payload_limit, parameters.chunk, parameters.keep)


def parameters_of(header: Mapping[str, Any]) -> Parameters:
    """The parameters in a header. Raises ValueError, in a sentence, if they are invalid."""
    parameters = read(
        header,
        Parameters,
        "active, passive and chunk must be numbers from 1 on, arwl, prwl, ka, kp and payload_limit from 0 on, key_bits "
        "from 1 to 256, and keep from 1 on or null",
    )
    if parameters.prwl > parameters.arwl:
        raise ValueError(f"prwl must be at most arwl, {parameters.arwl}, not {parameters.prwl}")
    return parameters
