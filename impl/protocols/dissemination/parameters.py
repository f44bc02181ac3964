"""The parameters of a trace's header: the limits of publications."""

from collections.abc import Mapping

from gomboc.impl.core.vocabulary import convert
from gomboc.impl.publishing.limits import Limits

USUAL = Limits(key_bits=32)
"""The limits without parameters."""


def read(values: Mapping[str, object]) -> Limits:
    """Limits from JSON values; `UsageError` for invalid values."""
    return convert(dict(values), Limits, "These are not parameters of dissemination") if values else USUAL
