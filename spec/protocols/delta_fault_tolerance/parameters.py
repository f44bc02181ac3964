"""The protocol's parameters in the header of a trace."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gomboc.spec.types.parameters import read


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`delta`, the number of consecutive failures that are masked; `audit`, whether neighbours compare their tables.

    `most_rows`, the most rows in one message; None if there is no bound.

    Source: Section 1, delta; audits and bounds are decided here
    """

    delta: Annotated[int, Meta(ge=0)] = 1
    audit: bool = False
    most_rows: Annotated[int, Meta(ge=1)] | None = None


def parameters_of(header: Mapping[str, Any]) -> Parameters:
    """The parameters in a header. Raises ValueError, in a sentence, for those that make no sense."""
    read({"audit": header.get("audit", False)}, Parameters, "audit must be true or false")
    read({"most_rows": header.get("most_rows")}, Parameters, "most_rows must be a number of rows, 1 or more")
    return read(header, Parameters, "delta must be a number of failures, 0 or more")
