"""The parameters of a trace's header: the limits of the publications. Without them, there is the ring alone."""

from collections.abc import Mapping

from gomboc.impl.core.vocabulary import convert
from gomboc.impl.publishing.limits import Limits


def read(values: Mapping[str, object]) -> Limits | None:
    """Limits from JSON values, None if there are none; `UsageError` for invalid values."""
    return convert(dict(values), Limits, "These are not parameters of the skip ring") if values else None
