"""The protocol's parameters in the header of a trace."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`delta`, the number of consecutive failures that are masked; `audit`, whether neighbours compare their tables.

    Source: Section 1, delta; audits are decided here
    """

    delta: Annotated[int, Meta(ge=0)] = 1
    audit: bool = False


def parameters_of(header: Mapping[str, Any]) -> Parameters:
    """The parameters in a header. Raises ValueError, in a sentence, for those that make no sense."""
    try:
        return msgspec.convert(header, Parameters)
    except msgspec.ValidationError as error:
        audit = "$.audit" in str(error)
        wanted = "audit must be true or false" if audit else "delta must be a number of failures, 0 or more"
        raise ValueError(f"{wanted}: {error}") from error


def told(parameters: Parameters) -> dict[str, Any]:
    """The parameters as in a header, without those that have their default."""
    usual = msgspec.to_builtins(Parameters())
    return {name: value for name, value in msgspec.to_builtins(parameters).items() if value != usual[name]}
