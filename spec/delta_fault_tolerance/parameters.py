"""What the header of a trace may say."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many consecutive failures are masked.

    Source: Section 1, delta
    """

    delta: Annotated[int, Meta(ge=0)] = 1


def parameters_of(given: Mapping[str, Any]) -> Parameters:
    """The parameters in a header. Raises ValueError, in a sentence, for those that make no sense."""
    try:
        return msgspec.convert(given, Parameters)
    except msgspec.ValidationError as error:
        raise ValueError(f"delta must be a number of failures, 0 or more: {error}") from error


def told(given: Parameters) -> dict[str, Any]:
    """Those parameters as a header has them, without those that are as always."""
    return {} if given == Parameters() else msgspec.to_builtins(given)
