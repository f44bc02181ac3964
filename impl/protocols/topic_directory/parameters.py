"""The parameters of a trace's header."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from gomboc.impl.core.vocabulary import convert


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """The questions after which an entry with a silent contact expires, and the entries that one contact may have.

    Of all topics, a period looks after so many as `topics_in_period` says. None for each: never, any number, and all.
    """

    expires: Annotated[int, Meta(ge=2)] | None = None
    topics_of_contact: Annotated[int, Meta(ge=1)] | None = None
    topics_in_period: Annotated[int, Meta(ge=1)] | None = None


def read(values: Mapping[str, object]) -> Parameters:
    """Parameters from JSON values; `UsageError` for invalid values."""
    return convert(dict(values), Parameters, "These are not parameters of the directory")
