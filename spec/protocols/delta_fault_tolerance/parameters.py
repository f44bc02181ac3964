"""The protocol's parameters in the header of a trace."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gomboc.spec.types.parameters import read


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`delta`, the number of consecutive failures that are masked; `audit`, whether neighbours compare their tables.

    Source: Section 1, delta; audits are decided here
    """

    delta: Annotated[int, Meta(ge=0)] = 1
    audit: bool = False


def parameters_of(header: Mapping[str, Any]) -> Parameters:
    """The parameters in a header. Raises ValueError, in a sentence, for those that make no sense."""
    read({"audit": header.get("audit", False)}, Parameters, "audit must be true or false")
    return read(header, Parameters, "delta must be a number of failures, 0 or more")
