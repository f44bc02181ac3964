"""The parameters of a trace's header: those of the publications. Without any, there is the ring alone."""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from impl.errors import UsageError
from impl.skip_ring.forms import LONGEST_KEY


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What all subscribers of one topic have to agree on.

    A key has `key_bits` bits, a payload at most `payload_limit` bytes, a `Publish` at most `chunk` publications. Of
    each publisher the publications with the `keep` highest numbers are kept; all of them if that is None.
    """

    key_bits: Annotated[int, Meta(ge=1, le=LONGEST_KEY)]
    payload_limit: Annotated[int, Meta(ge=0)] = 4096
    chunk: Annotated[int, Meta(ge=1)] = 64
    keep: Annotated[int, Meta(ge=1)] | None = None


def read(values: Mapping[str, object]) -> Parameters | None:
    """The parameters that these JSON values are, None if there are none; `UsageError` for those that make no sense."""
    if not values:
        return None
    try:
        return msgspec.convert(dict(values), Parameters)
    except msgspec.ValidationError as error:
        raise UsageError(f"These are not parameters of the skip ring: {error}.") from error
