"""The parameters of a trace's header."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from gomboc.impl.core.vocabulary import convert


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """`synchronous`: whether the network keeps rounds; a node acts the same either way.

    `layered`: whether there is a layer above. `most_names`: how many inserts fit in one message; None for any number.
    """

    synchronous: bool = True
    layered: bool = False
    most_names: Annotated[int, Meta(ge=1)] | None = None


def read(values: Mapping[str, object]) -> Parameters:
    """Parameters from JSON values; `UsageError` for invalid values."""
    return convert(dict(values), Parameters, "These are not parameters of Skip+")


USUAL = Parameters()
