"""The parameters of a trace's header: the limits of the publications. Without any, there is the ring alone."""

from collections.abc import Mapping

import msgspec

from gomboc.impl.errors import UsageError
from gomboc.impl.limits import Limits


def read(values: Mapping[str, object]) -> Limits | None:
    """The parameters that these JSON values are, None if there are none; `UsageError` for those that make no sense."""
    if not values:
        return None
    try:
        return msgspec.convert(dict(values), Limits)
    except msgspec.ValidationError as error:
        raise UsageError(f"These are not parameters of the skip ring: {error}.") from error
