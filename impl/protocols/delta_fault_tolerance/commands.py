"""Commands to a broker: requests of applications, notices of the failure detector, crashes and restarts."""

import msgspec
from msgspec import Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes, Filter, wrong_attributes, wrong_filter
from gomboc.impl.protocols.delta_fault_tolerance.names import Name


class Command(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of all commands."""


class Publish(Command, frozen=True):
    """The client publishes."""

    attributes: Attributes


class Subscribe(Command, frozen=True):
    """The client subscribes to this filter."""

    filter: Filter


class Unsubscribe(Command, frozen=True):
    """The client ends its subscription to this filter."""

    filter: Filter


class Join(Command, frozen=True):
    """A broker that is outside becomes a leaf of the tree."""


class Crash(Command, frozen=True):
    """The broker fails: it keeps its incarnation, its place in the tree, and its client's subscriptions."""


class Restart(Command, frozen=True):
    """A broker that has failed begins to recover."""


class Down(Command, frozen=True):
    """The failure detector reports that this broker has failed."""

    node: Name


Any = Publish | Subscribe | Unsubscribe | Join | Crash | Restart | Down

_decoder = msgspec.json.Decoder(Any)


def decode(written: bytes) -> Any:
    """The command written in these bytes. Raises `UsageError` if there is none."""
    try:
        command: Any = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise UsageError(f"This is not a command of delta-fault-tolerance: {error}.") from error
    wrong: str | None = None
    match command:
        case Publish(attributes):
            wrong = wrong_attributes(attributes)
        case Subscribe(predicates) | Unsubscribe(predicates):
            wrong = wrong_filter(predicates)
    if wrong is not None:
        raise UsageError(f"This is not a command of delta-fault-tolerance: {wrong}.")
    return command
