"""The parameters of a trace's header: the limits of the publications. Without them, there is the ring alone."""

from collections.abc import Mapping

import msgspec

from gomboc.impl.core.errors import UsageError
from gomboc.impl.publishing.limits import Limits


def read(values: Mapping[str, object]) -> Limits | None:
    """Limits from JSON values, None if there are none; `UsageError` for invalid values."""
    if not values:
        return None
    try:
        return msgspec.convert(dict(values), Limits)
    except msgspec.ValidationError as error:
        raise UsageError(f"These are not parameters of the skip ring: {error}.") from error
