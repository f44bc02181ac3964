"""The parameters of a trace's header."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from gomboc.impl.core.vocabulary import convert


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """`delta`, the number of consecutive failures masked; `audit`, whether neighbours compare tables at timeouts.

    `most_rows`, how many rows fit in one message; None for any number.
    """

    delta: Annotated[int, Meta(ge=0)] = 1
    audit: bool = False
    most_rows: Annotated[int, Meta(ge=1)] | None = None


def read(values: Mapping[str, object]) -> Parameters:
    """The parameters in these JSON values. Raises `UsageError` for invalid ones."""
    return convert(dict(values), Parameters, "These are not parameters of delta-fault-tolerance")


USUAL = Parameters()
