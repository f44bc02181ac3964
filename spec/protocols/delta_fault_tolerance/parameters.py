"""The protocol's parameters in the header of a trace."""

from collections.abc import Mapping
from sys import maxsize
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gomboc.spec.types.parameters import read


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`delta`, the number of consecutive failures that are masked; `audit`, whether neighbours compare their tables.

    Bounds, None if there are none: `most_rows`, the most rows in one message; `most_bytes`, the most bytes of all
    messages of one step to one peer; `most_filters`, the most subscriptions of one client.

    Source: Section 1, delta; audits and bounds are decided here
    """

    delta: Annotated[int, Meta(ge=0)] = 1
    audit: bool = False
    most_rows: Annotated[int, Meta(ge=1)] | None = None
    most_bytes: Annotated[int, Meta(ge=512)] | None = None
    most_filters: Annotated[int, Meta(ge=1)] | None = None

    @property
    def longest_filter(self) -> int:
        """The most bytes of a filter as JSON: with a full message of them there is room for as much again."""
        return self.longest_attributes // (self.most_rows or 1)

    @property
    def longest_attributes(self) -> int:
        """The most bytes of the attributes of a publication as JSON: half of what a step sends to a peer."""
        return maxsize if self.most_bytes is None else self.most_bytes // 2


def parameters_of(header: Mapping[str, Any]) -> Parameters:
    """The parameters in a header. Raises ValueError, in a sentence, for those that make no sense."""
    read({"audit": header.get("audit", False)}, Parameters, "audit must be true or false")
    read({"most_rows": header.get("most_rows")}, Parameters, "most_rows must be a number of rows, 1 or more")
    read({"most_bytes": header.get("most_bytes")}, Parameters, "most_bytes must be a number of bytes, 512 or more")
    read({"most_filters": header.get("most_filters")}, Parameters, "most_filters must be a number, 1 or more")
    return read(header, Parameters, "delta must be a number of failures, 0 or more")
