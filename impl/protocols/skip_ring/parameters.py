"""The parameters of a trace's header: the supervisor's name, and the limits of publications, without which none are."""

from collections.abc import Mapping

from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import convert
from gomboc.impl.protocols.skip_ring.messages import SUPERVISOR
from gomboc.impl.publishing.limits import Limits

_REFUSAL = "These are not parameters of the skip ring"


def read(values: Mapping[str, object]) -> Limits | None:
    """Limits from JSON values, None if there are none; `UsageError` for invalid values."""
    limits = {name: value for name, value in values.items() if name != "supervisor"}
    return convert(limits, Limits, _REFUSAL) if limits else None


def supervisor(values: Mapping[str, object]) -> str:
    """The supervisor's name. Raises `UsageError` for a value that is no name."""
    return convert(values.get("supervisor", SUPERVISOR), Name, _REFUSAL)
