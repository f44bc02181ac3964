"""The parameters of a trace's header."""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from gomboc.impl.core.errors import UsageError


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """`delta`, the number of consecutive failures masked; `audit`, whether neighbours compare tables at timeouts."""

    delta: Annotated[int, Meta(ge=0)] = 1
    audit: bool = False


def read(values: Mapping[str, object]) -> Parameters:
    """The parameters in these JSON values. Raises `UsageError` for invalid ones."""
    try:
        return msgspec.convert(dict(values), Parameters)
    except msgspec.ValidationError as error:
        raise UsageError(f"These are not parameters of delta-fault-tolerance: {error}.") from error
