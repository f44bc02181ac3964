"""The parameters of a trace's header."""

from collections.abc import Mapping

from msgspec import Struct

from gomboc.impl.core.vocabulary import convert


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """`synchronous`: whether the network keeps rounds; a node acts the same either way.

    `layered`: whether there is a layer above.
    """

    synchronous: bool = True
    layered: bool = False


def read(values: Mapping[str, object]) -> Parameters:
    """Parameters from JSON values; `UsageError` for invalid values."""
    return convert(dict(values), Parameters, "These are not parameters of Skip+")
