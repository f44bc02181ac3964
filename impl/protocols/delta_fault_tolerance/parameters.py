"""The parameters of a trace's header."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from gomboc.impl.core.vocabulary import convert


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """`delta`, the number of consecutive failures masked; `audit`, whether neighbours compare tables at timeouts.

    Bounds, or None: `most_rows` fit in one message, a step sends a peer `most_bytes`, a client has `most_filters`.
    """

    delta: Annotated[int, Meta(ge=0)] = 1
    audit: bool = False
    most_rows: Annotated[int, Meta(ge=1)] | None = None
    most_bytes: Annotated[int, Meta(ge=512)] | None = None
    most_filters: Annotated[int, Meta(ge=1)] | None = None

    def attribute_bytes(self) -> int | None:
        """How long the attributes of a publication may be, as JSON: they take half of what a step sends, at most."""
        return None if self.most_bytes is None else self.most_bytes // 2

    def filter_bytes(self) -> int | None:
        """How long a filter may be, as JSON: a message of `most_rows` has them in the same half."""
        return None if self.most_bytes is None else self.most_bytes // 2 // (self.most_rows or 1)


def read(values: Mapping[str, object]) -> Parameters:
    """The parameters in these JSON values. Raises `UsageError` for invalid ones."""
    return convert(dict(values), Parameters, "These are not parameters of delta-fault-tolerance")


USUAL = Parameters()
